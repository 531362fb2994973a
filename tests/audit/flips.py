"""Judges counterfactuals: is the decision another one on the changed instance, and does the certificate hold there?"""
import math
import re

import numpy as np

from decisions import near
from sight import Policy


def bound_in(text):
    """The bound that a certificate asks for, as far as its words have it."""
    found = re.search(r"(?:at least|at most|up to|below|by time) ([0-9.eE+-]*[0-9])", text)
    return float(found.group(1)) if found else None


class Flip:
    """`said`: a counterfactual of `explain` or a cell of `counterfactual`."""

    def __init__(self, tally, problem, network, said, prefix, bound=None):
        self.tally, self.problem, self.network = tally, problem, network
        self.said, self.prefix, self.bound = said, list(prefix), bound

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
        own = np.exp(Policy(self.network, self.changed).log_probs(state))
        new = self.said["new_action"]
        others = np.delete(own, new)
        if abs(own[new] - others.max()) < 1e-4:
            self.tally.skip("flip")
            return
        self.say("flip", own[new] > others.max(), lambda: f"to {new}, the changed policy prefers {int(np.argmax(own))}")
        if self.said.get("new"):
            shown = self.said["new"]["probability"]
            self.say("flip's probability", near(shown, own[new], 0, 2e-4), lambda: f"{shown}, not {own[new]}")

    def judge_size(self):
        said = self.said
        moved = [abs(c["to"] - c["from"]) for c in said["changes"]]
        self.say("size of a change", near(said["l1"], sum(moved), 1e-5, 1e-6), lambda: f"l1 {said['l1']}, not {sum(moved)}")
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
        begin = self.changed.replay(after)
        bound = self.bound if self.bound is not None else bound_in(said.get("words", ""))
        if said["verdict"] == "certified":
            self.judge_witness(said, after, bound)
        if said["verdict"] == "refuted":
            best = self.changed.best(begin)
            impossible = best is None
            if not impossible and bound is not None:
                slack = 1e-3 * abs(bound)
                limit = bound - slack if self.problem.sense == "max" else bound + slack
                if not self.changed.better(limit, best) and not self.changed.better(best, bound):
                    self.tally.skip("refuted")
                    return
                impossible = self.changed.better(bound, best)
            self.say("refuted", impossible, lambda: f"bound {bound}, but {best} can be had: {said['reason']}")

    def judge_witness(self, said, after, bound):
        witness = said["witness"]
        cost, wrong = self.changed.check(witness)
        self.say("witness", not wrong, lambda: f"{witness} is no solution: {wrong}")
        self.say("witness", near(cost, said["cost"], 1e-6, 1e-6), lambda: f"cost {said['cost']}, not {cost}")
        self.say("witness", self.changed.begins_with(witness, after), lambda: f"{witness} does not begin with {after}")
        if bound is not None and self.problem.name != "cvrptw":
            slack = 1e-3 * abs(bound)
            keeps = cost >= bound - slack if self.problem.sense == "max" else cost <= bound + slack
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
