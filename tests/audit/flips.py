"""Judges counterfactuals: is the decision another one on the changed instance, and does the certificate hold there?"""
import math
import re

import numpy as np

from decisions import near
from sight import Policy


def bounds_in(text):
    """Fleet and cost that a certificate asks for, as far as its words have them."""
    fleet = re.search(r"fleet of ([0-9]+)", text)
    cost = re.search(r"of at (?:least|most) ([0-9.eE+-]*[0-9])", text)
    return int(fleet.group(1)) if fleet else None, float(cost.group(1)) if cost else None


class Flip:
    """`said`: a counterfactual of `explain` or a cell of `counterfactual`."""

    def __init__(self, tally, problem, network, said, prefix, fleet=None, cost=None, each_step=False):
        """`fleet` and `cost`: what was asked for, where the words do not say it."""
        self.tally, self.problem, self.network = tally, problem, network
        self.said, self.prefix, self.fleet, self.cost = said, list(prefix), fleet, cost
        self.each_step = each_step

    def say(self, kind, holds, message=""):
        return self.tally.judge(self.problem.name, kind, bool(holds),
                                lambda: f"step {len(self.prefix) + 1}: {message() if callable(message) else message}")

    def judge(self, towards=None):
        said = self.said
        if said["new_action"] is None:
            return
        self.judge_size()
        self.changed = self.problem.changed(said["changes"])
        if self.changed is None:
            self.tally.skip("flip")
            return
        state = self.changed.replay(self.prefix)
        mask, unsure = self.changed.mask(state)
        if unsure:
            self.tally.skip("flip")
            return
        if self.say("flip", mask[said["new_action"]], f"{said['new_action']} is not allowed on the changed instance"):
            self.judge_choice(state)
        if said.get("certificate"):
            self.judge_certificate(said["certificate"], state)

    def judge_choice(self, state):
        own = np.exp(Policy(self.network, self.changed, self.each_step).log_probs(state))
        new = self.said["new_action"]
        others = np.delete(own, new)
        if abs(own[new] - others.max()) < 1e-4:
            self.tally.skip("flip")
            return
        self.say("flip", own[new] > others.max(), lambda: f"to {new}, the changed policy prefers {int(np.argmax(own))}")
        if self.said.get("new"):
            shown = self.said["new"]["probability"]
            rounding = 2e-3 if self.problem.name == "fjsp" else 2e-4
            self.say("flip's probability", near(shown, own[new], 0, rounding), lambda: f"{shown}, not {own[new]}")

    def judge_size(self):
        said = self.said
        moved = [abs(c["to"] - c["from"]) for c in said["changes"]]
        # What is changed is rounded to single precision, the size of the change is not.
        rounding = 1e-6 + 1e-7 * sum(abs(c["to"]) + abs(c["from"]) for c in said["changes"])
        self.say("size of a change", near(said["l1"], sum(moved), 1e-5, rounding),
                 lambda: f"l1 {said['l1']}, not {sum(moved)}")
        self.say("size of a change", said["entries"] == len(moved), f"{said['entries']} entries, {len(moved)} changes")
        if said.get("family_mass"):
            self.say("size of a change", near(sum(said["family_mass"].values()), said["l1"], 1e-5, 1e-6),
                     f"families: {said['family_mass']}")
        for change in said["changes"]:
            before = value_of(self.problem, change)
            if before is not None:
                self.say("what a change begins with", near(change["from"], before, 1e-5, 1e-5),
                         lambda: f"{change['words']}: {change['from']}, not {before}")

    def judge_certificate(self, said, state):
        after = self.prefix + [self.said["new_action"]] if said["mode"] == "prefix" else []
        in_words = bounds_in(said.get("words", ""))
        fleet = in_words[0] if self.fleet is None else self.fleet
        # A bound in words has four digits.
        cost, rounding = (in_words[1], 1e-3) if self.cost is None else (self.cost, 2e-6)
        if said["verdict"] == "certified":
            self.judge_witness(said, after, fleet, cost, rounding)
        if said["verdict"] == "refuted":
            self.judge_refuted(said, self.changed.replay(after), fleet, cost, rounding)

    def judge_refuted(self, said, begin, fleet, bound, rounding):
        """Nothing that begins so keeps the bounds. Both at once are judged one at a time: that is weaker, and true."""
        if not self.problem.exact:
            return
        best = self.changed.best(begin)
        if best is None:
            self.say("refuted", True)
            return
        if fleet is not None:
            fewest = self.changed.fewest(begin)
            if bound is None or fewest > fleet:
                self.say("refuted", fewest > fleet, lambda: f"{fewest} vehicles are enough: {said['reason']}")
                return
        if bound is None:
            self.say("refuted", False, lambda: f"{best} can be had: {said['reason']}")
        elif abs(best - bound) <= rounding * abs(bound) or fleet is not None:
            self.tally.skip("refuted")
        else:
            self.say("refuted", self.changed.better(bound, best),
                     lambda: f"bound {bound}, but {best} can be had: {said['reason']}")

    def judge_witness(self, said, after, fleet, bound, rounding):
        witness = said["witness"]
        cost, wrong = self.changed.check(witness)
        self.say("witness", not wrong, lambda: f"{witness} is no solution: {wrong}")
        self.say("witness", near(cost, said["cost"], 1e-6, 1e-6), lambda: f"cost {said['cost']}, not {cost}")
        self.say("witness", self.changed.begins_with(witness, after), lambda: f"{witness} does not begin with {after}")
        if fleet is not None:
            used = sum(bool(r) for r in witness["routes"])
            self.say("witness", used <= fleet, lambda: f"{used} vehicles, {fleet} allowed")
        if bound is not None:
            keeps = near(cost, bound, rounding) or self.changed.better(cost, bound)
            self.say("witness", keeps, lambda: f"cost {cost}, bound {bound}")


def value_of(problem, change):
    """The number that a change moves, as the instance has it; None where it is a state's own."""
    place, tensor = change["position"], change["tensor"]
    if tensor == "locs":
        return problem.xy[place[0]][place[1]]
    if tensor == "demand":
        return problem.demand[place[0] + 1]
    if tensor == "time_windows":
        return problem.window[place[0]][place[1]]
    if tensor == "prize":
        return problem.prize[place[0]]
    if tensor == "expected_prize":
        return problem.prize[place[0] + 1]
    if tensor == "penalty":
        return problem.penalty[place[0]]
    if tensor == "max_length" and place[0] == 0:
        return problem.limit - 1e-6
    if tensor == "proc_times":
        return problem.time[place[1]].get(place[0], 0.0) if place[1] < problem.operations else 0.0
    if tensor in ("values", "weights", "volumes"):
        return {"values": problem.value, "weights": problem.weight, "volumes": problem.volume}[tensor][place[0]]
    return None


def binomial_tail(successes, trials, rate):
    return sum(math.comb(trials, k) * rate ** k * (1 - rate) ** (trials - k) for k in range(successes, trials + 1))
