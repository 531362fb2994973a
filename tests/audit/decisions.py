"""Judges what an explanation says of one decision."""
import numpy as np

CLOSE = 0.2  # a lead below this is a close call
TIE = 1e-6  # and a lead below this is none
CLEAR = 0.95


def near(a, b, relative=1e-6, absolute=1e-7):
    if a is None or b is None:
        return a is b
    return abs(a - b) <= absolute + relative * max(abs(a), abs(b))


def field(record, *names):
    """A field by its name or by one that it had before."""
    for name in names:
        if name in record:
            return record[name]
    return None


class Decision:
    """One step of an explanation beside the same state in naive code."""

    def __init__(self, tally, problem, policy, state, step, prefix):
        self.tally, self.problem, self.policy = tally, problem, policy
        self.state, self.step, self.prefix = state, step, prefix
        self.mask, self.unsure = problem.mask(state)
        self.best_of = {}

    def say(self, kind, holds, message=""):
        return self.tally.judge(self.problem.name, kind, bool(holds),
                                lambda: f"step {self.step['step'] + 1}: {message() if callable(message) else message}")

    def judge(self):
        if self.unsure:
            self.tally.skip("decision")
            return
        self.log_probs = self.policy.log_probs(self.state) if self.policy else None
        self.judge_choice()
        if self.step.get("alternatives"):
            self.judge_actions()
            self.judge_costs()
            self.judge_price()
        self.judge_slacks(self.step["slacks"], self.step["action"])
        self.judge_heuristics()
        self.judge_words()
        if self.policy:
            self.judge_forbidden()
            self.judge_swap()

    # ---- the policy

    def judge_choice(self):
        step, allowed = self.step, sum(self.mask)
        self.say("actions allowed", step["allowed"] == allowed, f"{step['allowed']} actions allowed, not {allowed}")
        self.say("actions allowed", step["actions"] == self.problem.action_count, "number of actions")
        self.say("actions allowed", self.mask[step["action"]], f"action {step['action']} is not allowed")
        if not self.policy:
            return
        own = np.exp(self.log_probs)
        self.probability(step["action"], step["probability"], own)
        log_prob = self.log_probs[step["action"]]
        self.say("probability", near(step["log_prob"], log_prob, 1e-3 * (self.policy.sure > 1e-6), 10 * self.policy.sure),
                 lambda: f"log-probability {step['log_prob']}, not {log_prob}")
        favourite = int(np.argmax(self.log_probs))
        chosen = (step["policy"] or step)["action"]
        if step["policy"]:
            self.probability(chosen, step["policy"]["probability"], own)
            self.say("agreement with the plan", step["policy"]["agrees"] == (chosen == step["action"]), "agrees")
        self.say("choice", own[chosen] > own[favourite] - self.policy.sure, f"chose {chosen}, {favourite} is more probable")
        if step["runner_up"]:
            second = step["runner_up"]["action"]
            self.probability(second, step["runner_up"]["probability"], own)
            rest = [p for a, p in enumerate(own) if a != chosen]
            if chosen == step["action"]:
                self.say("runner-up", own[second] > max(rest) - self.policy.sure, f"{second} is no runner-up")

    def probability(self, action, said, own):
        self.say("probability", near(said, own[action], 0, self.policy.sure),
                 lambda: f"action {action}: {said}, not {own[action]}")

    # ---- the table of actions

    def judge_actions(self):
        own = np.exp(self.log_probs) if self.policy else None
        for each in self.step["alternatives"]:
            a = each["action"]
            self.say("actions allowed", each["allowed"] == self.mask[a], f"action {a}: allowed {each['allowed']}")
            if own is not None:
                self.probability(a, each["probability"] or 0.0, own)
            if each["extra"] is not None and self.problem.extra(self.state, a) is not None:
                self.say("what it adds to the way", near(each["extra"], self.problem.extra(self.state, a), 1e-5, 1e-5),
                         lambda: f"action {a}: {each['extra']}, not {self.problem.extra(self.state, a)}")
            self.judge_slacks(each["slacks"], a)
            if each["forbidden_by"]:
                rule = each["forbidden_by"]
                self.judge_slacks([rule], a)
                self.say("forbidden by", not self.mask[a] and rule["used"] > rule["limit"],
                         lambda: f"action {a} is said to be forbidden by {rule}")

    def judge_slacks(self, slacks, action):
        for each in slacks:
            used, limit, slack = each["used"], each["limit"], each["slack"]
            if None not in (used, limit, slack):
                self.say("slack", near(slack, limit - used, 1e-9, 1e-9), f"action {action}: {each}")
            own = self.problem.rule(self.state, action, each["family"], each["rule"])
            if own is None or (action == 0 and self.problem.name == "cvrptw" and self.state.here == 0):
                continue
            self.say("slack", near(used, own[0], 1e-5, 1e-5) and near(limit, own[1], 1e-6, 1e-6),
                     lambda: f"action {action}: {each}, not {own}")

    # ---- what completions cost

    def best(self, action):
        if action not in self.best_of:
            self.best_of[action] = self.problem.best(self.problem.step(self.state, action))
        return self.best_of[action]

    def worth(self, action):
        """How much worse than the best of all allowed actions; None if nothing can follow, or nobody can tell."""
        if not self.problem.exact:
            return None
        known = [self.best(a) for a in range(len(self.mask)) if self.mask[a] and self.best(a) is not None]
        if self.best(action) is None or not known:
            return None
        return abs(self.best(action) - (min(known) if self.problem.sense == "min" else max(known)))

    def judge_costs(self):
        for each in self.step["alternatives"] if self.problem.exact else []:
            a = each["action"]
            if not self.mask[a]:
                continue
            own = self.best(a)
            if each["impossible"]:
                self.say("impossible", own is None, lambda: f"action {a} can still lead to {own}")
                continue
            if each["cost"] is None:
                continue
            if own is None:
                self.say("completion cost", False, f"action {a}: {each['cost']}, but nothing can follow")
                continue
            if each["cost_status"] == "proved":
                self.say("completion cost", near(each["cost"], own), lambda: f"action {a}: {each['cost']}, not {own}")
            else:
                better = self.problem.better(each["cost"], own) and not near(each["cost"], own)
                self.say("completion that exists", not better, lambda: f"action {a}: {each['cost']}, best is {own}")
            if each["bound"] is not None:
                above = self.problem.better(own, each["bound"]) and not near(own, each["bound"])
                self.say("bound", not above, lambda: f"action {a}: bound {each['bound']}, best is {own}")
            if each["regret"] is not None:
                self.say("regret", near(each["regret"], self.worth(a)),
                         lambda: f"action {a}: {each['regret']}, not {self.worth(a)}")
            if each["policy_cost"] is not None and self.policy:
                self.judge_play_out(a, each["policy_cost"])

    def judge_play_out(self, action, said):
        end = self.policy.play_out(self.problem.step(self.state, action))
        if end is None:
            self.tally.skip("policy's own completion")
            return
        cost = cost_of_actions(self.problem, end)
        way = ", encoded at each step" if self.policy.each_step else ""
        self.say("policy's own completion" + way, near(said, cost, 1e-5, 1e-5), lambda: f"action {action}: {said}, not {cost}")

    def judge_price(self):
        """What the choice gave away is a statement about all actions once it is called proved."""
        price = self.step["price"]
        if not price:
            return
        given = field(price, "regret", "given_away")
        worth = self.worth(self.step["action"])
        if given is not None and worth is not None:
            self.say("given away, proved", near(given, worth), lambda: f"{given} given away, not {worth}")
        if worth is not None:
            least, most = price["interval"]
            slip = 1e-6 * (1 + abs(worth))
            self.say("given away, interval", least <= worth + slip and (most is None or worth <= most + slip),
                     lambda: f"{worth} given away, not within {price['interval']}")
        self.say("given away", given is None or given >= 0, f"{given} given away")

    # ---- rules that forbid a favourite

    def broken_families(self, action):
        """The families that forbid an action, None if no number could allow it; and whether that is certain."""
        problem, state = self.problem, self.state
        if problem.name == "fjsp":
            j, m = problem.way(action)
            o = state.next[j]
            if state.ends[o] is not None or m not in problem.time[o]:
                return None
            return {"eligibility"} if state.busy[m] > state.time else set()
        if problem.name == "knapsack":
            if action in state.visited:
                return None
            over = {"weight": state.weight + problem.weight[action], "volume": state.volume + problem.volume[action]}
            if any(abs(used - 1) < 1e-5 for used in over.values()):
                raise ArithmeticError
            return {family for family, used in over.items() if used > 1}
        if action in state.visited:
            return None
        if problem.name == "pctsp":
            return {"prize"} if action == 0 else set()
        if not hasattr(problem, "margins") or problem.name == "tsptw":
            return set()
        margins = problem.margins(state, action)
        if any(abs(m) < 3e-5 for m in margins.values()):
            raise ArithmeticError
        return {family for family, margin in margins.items() if margin < 0}

    def judge_forbidden(self):
        if self.step["forbidden"] is None:
            return
        said, lifted = {each["family"]: each for each in self.step["forbidden"]}, {}
        try:
            for a in range(1 if self.problem.name == "fjsp" else 0, len(self.mask)):
                families = None if self.mask[a] else self.broken_families(a)
                if families and len(families) == 1:
                    lifted.setdefault(families.pop(), []).append(a)
        except ArithmeticError:
            self.tally.skip("forbidden favourite")
            return
        for family in self.problem.families:
            actions = lifted.get(family, [])
            if not actions:
                self.say("forbidden favourite", family not in said, f"{family} forbids nothing by itself")
                continue
            mask = [flag or a in actions for a, flag in enumerate(self.mask)]
            own = np.exp(self.policy.log_probs(self.state, mask))
            order = np.argsort(-own)
            if len(order) > 1 and own[order[0]] - own[order[1]] < self.policy.sure:
                self.tally.skip("forbidden favourite")
                continue
            favourite = int(order[0])
            if favourite not in actions:
                self.say("forbidden favourite", family not in said, lambda: f"{family}: {said[family]}, not {favourite}")
                continue
            right = family in said and said[family]["action"] == favourite
            right = right and near(said[family]["probability"], own[favourite], 0, self.policy.sure)
            self.say("forbidden favourite", right,
                     lambda: f"{family}: {said.get(family)}, own {favourite} with {own[favourite]}")

    # ---- exchanges

    def exchanged(self, family, a, b):
        """What the policy sees once the family's data of two actions' nodes are exchanged."""
        seen = self.policy.see(self.state)
        if self.problem.name == "fjsp":
            start = seen if self.policy.each_step else self.policy.see(self.problem.reset())
            o, p = (self.state.next[self.problem.way(x)[0]] for x in (a, b))
            for shown in [seen] if start is seen else [seen, start]:
                values = shown["times"].T if family == "precedence" else shown["eligible"]
                values[[o, p]] = values[[p, o]]
            return seen, self.policy.network.encode(start)
        rows = np.array(seen["rows"], float)
        first = 1 if seen["depot"] is not None else 0
        for column in columns(self.problem).get(family, []):
            rows[[a - first, b - first], column] = rows[[b - first, a - first], column]
        return {**seen, "rows": rows}, None

    def judge_swap(self):
        swap = self.step["swap"]
        if not swap or swap["status"] != "computed":
            return
        chosen, other = (self.step["policy"] or self.step)["action"], swap["other"]
        if self.step["policy"] and not self.step["policy"]["agrees"]:
            return  # which two are compared is another question then
        margin = self.log_probs[chosen] - self.log_probs[other]
        self.say("swap", near(swap["margin"], margin, 1e-3, 2e-3), lambda: f"margin {swap['margin']}, not {margin}")
        singles = []
        for family in self.problem.families:
            seen, encoded = self.exchanged(family, chosen, other)
            values = self.policy.network.log_probs(seen, encoded)
            singles.append(values[chosen] - values[other])
            self.say("swap", near(swap["single"][family], singles[-1], 1e-3, 5e-3),
                     lambda: f"{family}: {swap['single'][family]} after the exchange, not {singles[-1]}")
        count = len(singles)
        shares = ([margin] if count == 1 else [(margin - u) / 2 for u in singles] if count == 2 else
                  [(2 * margin - 3 * u + sum(singles)) / 6 for u in singles])
        for family, share in zip(self.problem.families, shares):
            self.say("swap", near(swap["families"][family], share, 1e-3, 1e-2),
                     lambda: f"{family} contributes {swap['families'][family]}, not {share}")
        if swap["top"] is not None:
            largest = max(swap["families"].values())
            self.say("swap, first family", swap["families"][swap["top"]] == largest, f"{swap['top']} is not the largest")
            self.say("cause for nothing", any(abs(v) > 1e-9 for v in swap["families"].values()),
                     f"{swap['top']} is called the reason, and all are 0")

    # ---- heuristics

    def judge_heuristics(self):
        said = field(self.step, "heuristics", "thumb")
        if said is None:
            return
        own = self.problem.heuristics(self.state, self.mask)
        for name, scores in own.items():
            if not scores or name not in said:
                continue
            agrees, sure = agreement(scores, self.step["action"])
            if not sure:
                self.tally.skip("heuristic agrees")
                continue
            self.say("heuristic agrees", agrees == said[name], f"{name}: {said[name]}")

    # ---- words

    def judge_words(self):
        step, text = self.step, self.step["lines"][0]["text"] if self.step["lines"] else ""
        if step["runner_up"] is None or step["policy"]:
            return
        lead = step["probability"] - step["runner_up"]["probability"]
        if text.startswith(("Close call", "Clear", "Preferred")):
            self.say("close call", text.startswith("Close call") == (lead < CLOSE), text)
            self.say("a tie is a tie", lead > TIE, text)
            self.say("close call", not text.startswith("Clear") or step["probability"] >= CLEAR, text)
        if text.startswith("No preference"):
            self.say("a tie is a tie", lead <= TIE, text)
        for line in step["lines"]:
            self.judge_cost_words(line)

    def judge_cost_words(self, line):
        if line["about"] != "price" or line["evidence"] != "proved":
            return
        worth, text = self.worth(self.step["action"]), line["text"]
        if worth is None:
            return
        if text.startswith(("Nothing lost", "No regret", "No difference")):
            self.say("no regret, in words", near(worth, 0, 0, 1e-6), lambda: f"{text} (it costs {worth})")
        if text.startswith("Not the best"):
            self.say("regret, in words", worth > 0, text)


def agreement(scores, action):
    """Is the action among the best by a heuristic? And is that beyond doubt?"""
    best = min(scores.values())
    limit = 1e-6 * (1 + abs(best))
    doubt = any(limit / 10 < score - best < 10 * limit for score in scores.values())
    return action in scores and scores[action] <= best + limit, not doubt


def equal_best(scores):
    best = min(scores.values())
    return sum(score <= best + 1e-6 * (1 + abs(best)) for score in scores.values())


def columns(problem):
    """Which columns of a node's row belong to which family."""
    return {"cvrp": {"spatial": [0, 1], "capacity": [2]},
            "cvrptw": {"spatial": [0, 1], "capacity": [2], "time_window": [3, 4, 5]},
            "op": {"spatial": [0, 1], "prize": [2]}, "tsp": {"spatial": [0, 1]},
            "pctsp": {"spatial": [0, 1], "prize": [2], "penalty": [3]},
            "tsptw": {"spatial": [0, 1], "time_window": [2, 3]},
            "knapsack": {"value": [0], "weight": [1], "volume": [2]}}[problem.name]


def solution_of_actions(problem, state):
    actions = list(state.actions)
    if problem.name == "fjsp":
        return {"schedule": [[o, state.on[o], state.starts[o]] for o in range(problem.operations)]}
    if problem.name == "knapsack":
        return {"packing": sorted(actions)}
    if problem.name in ("cvrp", "cvrptw"):
        return {"routes": problem.routes_of_actions(actions)}
    return {"tour": actions if problem.name == "tsp" else [a for a in actions if a != 0]}


def cost_of_actions(problem, state):
    return problem.check(solution_of_actions(problem, state))[0]
