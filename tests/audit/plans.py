"""Judges what an explanation says of the whole plan, by what it says of its decisions and from the definition."""
import re

from decisions import CLOSE, TIE, agreement, equal_best, field, near, solution_of_actions

FRAGILE, FAVOURITE, TIGHT = 0.25, 0.3, 0.05


class Plan:
    def __init__(self, tally, problem, document):
        self.tally, self.problem, self.document = tally, problem, document
        self.steps, self.plan = document["steps"], document["plan"]

    def say(self, kind, holds, message=""):
        return self.tally.judge(self.problem.name, kind, bool(holds), message)

    def judge(self, whole=True):
        """`whole`: all steps are there, as statements about the plan need them."""
        self.judge_solution()
        if self.plan is None or not whole:
            return
        if not self.problem.exact:
            self.judge_against_best_plan()
        self.judge_counts()
        self.judge_costs()
        self.judge_fragile()
        self.judge_tight()
        self.judge_best_plan()
        self.judge_heuristics()
        self.judge_words()

    def judge_solution(self):
        said = self.document["solution"]
        cost, wrong = self.problem.check(said)
        self.say("cost of the plan", near(said["cost"], cost, 1e-6, 1e-6), lambda: f"cost {said['cost']}, not {cost}")
        self.say("validity of the plan", said["valid"] == (not wrong), lambda: f"valid {said['valid']}, but {wrong}")
        end = self.problem.replay(said["actions"])
        self.say("cost of the plan", end.done and near(self.problem.check(solution_of_actions(self.problem, end))[0],
                                                       cost, 1e-6, 1e-6), "the actions make another plan")

    def places(self, name, expected):
        self.say("counts of the plan", self.plan[name] == expected, lambda: f"{name}: {self.plan[name]}, not {expected}")

    def judge_counts(self):
        free = [s for s in self.steps if s["runner_up"]]
        self.places("decisions", len(free))
        self.places("forced", len(self.steps) - len(free))
        lead = {i: abs(s["probability"] - s["runner_up"]["probability"])
                for i, s in enumerate(self.steps) if s["runner_up"]}
        self.places("close_calls", sorted((i for i in lead if TIE < lead[i] < CLOSE), key=lambda i: lead[i]))
        self.places("close_call_steps", sum(TIE < value < CLOSE for value in lead.values()))
        self.places("ties", [i for i in lead if lead[i] <= TIE])
        self.places("differing", [i for i, s in enumerate(self.steps) if s["policy"] and not s["policy"]["agrees"]])
        blocked = [i for i, s in enumerate(self.steps)
                   if any(f["probability"] >= FAVOURITE for f in s["forbidden"] or [])]
        self.places("blocked", blocked[0] if blocked else None)
        self.places("blocked_steps", len(blocked))

    def judge_costs(self):
        regrets = {i: step["regret"]["estimate"] for i, step in enumerate(self.steps)
                   if step.get("regret") and step["regret"]["estimate"] > 0}
        for i, step in enumerate([] if self.document.get("regret") else self.steps):
            own = next((a for a in step.get("alternatives") or [] if a["action"] == step["action"]), None)
            if own and own["regret"]:
                regrets[i] = own["regret"]
        self.places("costly", sorted(regrets, key=lambda i: -regrets[i]))
        self.say("largest regret", near(self.plan["regret"], max(regrets.values()) if regrets else None),
                 f"regret {self.plan['regret']}")

    def judge_fragile(self):
        rates, sure = {}, {}
        for i, step in enumerate(self.steps):
            if step["sensitivity"] and step["sensitivity"]["families"]:
                families = step["sensitivity"]["families"]
                most = max(families.values(), key=lambda f: f["flip_rate"])
                rates[i], sure[i] = most["flip_rate"], most["flip_interval"][0]
                for name, each in families.items():
                    mean = sum(each["flip_rate_by_size"]) / len(each["flip_rate_by_size"])
                    self.say("flip rate", near(each["flip_rate"], mean, 0, 1e-9), f"{name}: {each}")
                    self.say("flip rate", 0 <= each["flip_rate"] <= 1 + 1e-9, f"{name}: {each}")
                    self.judge_interval(name, each)
        if not rates:
            return
        self.places("firm", sum(rate == 0 for rate in rates.values()))
        fragile = sorted((i for i in rates if sure[i] > FRAGILE), key=lambda i: -rates[i])
        self.places("fragile_steps", fragile)
        largest = rates[fragile[0]] if fragile else None
        self.say("fragile", near(self.plan["fragile_rate"], largest), f"{self.plan['fragile_rate']}, not {largest}")
        if fragile:
            place = self.plan["fragile"]
            family = self.steps[place]["sensitivity"]["families"][self.plan["fragile_family"]]
            self.say("fragile", near(family["flip_rate"], largest), f"step {place}, {self.plan['fragile_family']}")

    def judge_interval(self, name, each):
        """The interval holds the rate, and is no narrower than so many answers allow."""
        low, high = each["flip_interval"]
        self.say("flip interval", low <= each["flip_rate"] + 1e-9 and each["flip_rate"] <= high + 1e-9, f"{name}: {each}")
        self.say("flip interval", each["score_interval"][0] <= each["score"] + 1e-9 <= each["score_interval"][1] + 2e-9,
                 f"{name}: {each}")
        if each["flip_rate"] == 0:
            self.say("flip interval", (1 - high) ** each["asked"] < 0.0251, f"{name}: {each}")
        if each["flip_rate"] == 1:
            self.say("flip interval", low ** each["asked"] < 0.0251, f"{name}: {each}")

    def judge_tight(self):
        expected = []
        for family in self.problem.families:
            where = []
            for i, step in enumerate(self.steps):
                for s in step["slacks"]:
                    known = s["family"] == family and None not in (s["limit"], s["slack"])
                    if known and s["limit"] > 0 and s["used"] > 0 and s["slack"] <= TIGHT * s["limit"]:
                        where.append(i)
                        break
            if where and 2 * len(where) <= len(self.steps):
                expected.append((where[0], family))
        said = sorted((t["step"], t["family"]) for t in self.plan["tight"])
        self.say("tight", said == sorted(expected), lambda: f"{said}, not {expected}")

    def judge_best_plan(self):
        best, own = self.document["best_known"], self.document["solution"]
        if not best:
            return
        cost, wrong = self.problem.check(best["solution"])
        self.say("best plan", near(cost, best["cost"], 1e-6, 1e-6), lambda: f"cost {best['cost']}, not {cost}")
        self.say("best plan", not wrong, lambda: f"the best plan is none: {wrong}")
        if self.problem.exact:
            self.judge_optimum(best)
        if own["valid"]:
            worse = abs(own["cost"] - best["cost"]) / abs(best["cost"]) if best["cost"] else 0
            equal = near(own["cost"], best["cost"], 1e-9, 1e-12)
            self.say("gap", near(best["gap"], 0 if equal else worse, 1e-6, 1e-15), lambda: f"{best['gap']}, not {worse}")
            self.say("gap of equals", not equal or best["gap"] == 0, lambda: f"equal, and the gap is {best['gap']}")
        self.judge_parting(best)

    def judge_optimum(self, best):
        optimum = self.problem.best(self.problem.reset())
        if best["status"] == "proved":
            self.say("optimum", near(best["cost"], optimum), lambda: f"{best['cost']}, not {optimum}")
        self.say("best plan", optimum is None or near(optimum, best["cost"])
                 or not self.problem.better(best["cost"], optimum), lambda: f"{best['cost']}, the optimum is {optimum}")
        if best["lower_bound"] is not None:
            self.say("bound", not self.problem.better(optimum, best["lower_bound"])
                     or near(optimum, best["lower_bound"]), lambda: f"{best['lower_bound']}, the optimum is {optimum}")

    def judge_against_best_plan(self):
        """Where an instance is too large to enumerate: a plan that is known, keeps all rules and begins like the actions
        so far is worth what it costs."""
        best, actions = self.document["best_known"], self.document["solution"]["actions"]
        if not best or self.problem.check(best["solution"])[1]:
            return
        for step in self.steps:
            chosen = next((a for a in step["alternatives"] or [] if a["action"] == step["action"]), None)
            if not chosen or chosen["cost"] is None or not self.problem.begins_with(best["solution"], actions[:step["step"]]):
                continue
            lost = chosen["cost"] - best["cost"] if self.problem.sense == "min" else best["cost"] - chosen["cost"]
            beaten, price = lost > 1e-6 * abs(best["cost"]), step["price"]
            if price and price["status"] == "proved":
                given = field(price, "regret", "given_away")
                self.say("given away, proved", given is None or not beaten or given >= lost * (1 - 1e-6),
                         lambda: f"step {step['step'] + 1}: {given} given away, but {lost} is lost")
            for line in step["lines"]:
                if line["about"] == "price" and line["text"].startswith(("Nothing lost", "No regret", "No difference:")):
                    self.say("no regret, in words", not beaten, lambda: f"{line['text']} But {lost} is lost.")

    def judge_parting(self, best):
        place, actions = best["parts_at"], self.document["solution"]["actions"]
        if place is None:
            return
        problem, other = self.problem, best["instead_action"]
        self.say("where they part", actions[place] != other, "they do not part there")
        if problem.name == "fjsp" and 0 in actions[:place] + [other]:
            return  # a plan that waits is an episode of another kind
        together = problem.begins_with(best["solution"], actions[:place])
        self.say("where they part", together, f"the better plan does not begin with {actions[:place]}")
        turns = actions[:place] + [other]
        self.say("where they part", problem.begins_with(best["solution"], turns) or other == 0,
                 f"the better plan does not begin with {turns}")
        same = problem.begins_with(best["solution"], actions[:place + 1])
        if problem.name in ("op", "pctsp", "knapsack"):
            self.say("where they part", not same or actions[place] == 0, f"they part later than step {place + 1}")

    def judge_heuristics(self):
        story = field(self.document, "heuristics", "thumb")
        if not story:
            return
        state, records = self.problem.reset(), {r["name"]: r for r in story["rules"]}
        agreed, chance, leaves, decisions = {}, {}, {}, 0
        for step in self.steps:
            mask, unsure = self.problem.mask(state)
            if unsure:
                return
            allowed = sum(mask)
            if allowed > 1:
                decisions += 1
                for name, scores in self.problem.heuristics(state, mask).items():
                    yes, sure = agreement(scores, step["action"])
                    if not sure:
                        self.tally.skip("heuristic's record")
                        return
                    agreed[name] = agreed.get(name, 0) + yes
                    chance[name] = chance.get(name, 0) + equal_best(scores) / allowed
                    if not yes:
                        leaves.setdefault(name, []).append(step["step"])
            state = self.problem.step(state, step["action"])
        for name, record in records.items():
            if name not in agreed:
                continue
            right = (record["agreed"] == agreed[name] and record["decisions"] == decisions
                     and near(record["chance"], chance[name] / decisions) and
                     near(record["rate"], agreed[name] / decisions) and record["departures"] == leaves.get(name, []))
            self.say("heuristic's record", right, lambda: f"{record}, not {agreed[name]} of {decisions}")
        if agreed and story["best"] is not None:
            self.say("closest heuristic", agreed[story["best"]] == max(agreed.values()), f"{story['best']}")

    def judge_words(self):
        """Sentences about the plan that claim more than a number."""
        for line in self.document["story"]:
            text = line["text"]
            if re.search(r"none would have been better", text):
                worse = self.better_choices()
                self.say("none would have been better", not worse, lambda: f"{text} But at steps {worse}.")
            if re.search(r"dearest decision|[Mm]ost costly decision", text) and line["evidence"] == "proved":
                dearest = max(self.true_regrets().values(), default=0)
                self.say("dearest decision", self.plan["regret"] >= dearest - 1e-6,
                         lambda: f"{text} Another one costs {dearest}.")
            if re.search(r"%[^.]* worse", text):
                best, own = self.document["best_known"]["cost"], self.document["solution"]["cost"]
                self.say("gap of equals", not near(best, own, 1e-9, 1e-12), text)

    def true_regrets(self):
        state, regrets = self.problem.reset(), {}
        for step in self.steps if self.problem.exact else []:
            mask, _ = self.problem.mask(state)
            known = {a: self.problem.best(self.problem.step(state, a)) for a in range(len(mask)) if mask[a]}
            possible = [c for c in known.values() if c is not None]
            if known.get(step["action"]) is not None and possible:
                ideal = min(possible) if self.problem.sense == "min" else max(possible)
                regrets[step["step"]] = abs(known[step["action"]] - ideal)
            state = self.problem.step(state, step["action"])
        return regrets

    def better_choices(self):
        return [step + 1 for step, regret in self.true_regrets().items() if regret > 1e-6]
