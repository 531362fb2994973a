"""Problems of one tour from their definitions: travelling salesman, with time windows, orienteering, prize collecting."""
from routing import INFINITE, UNSURE, Cvrp, Routing, State, single


class Tour(Cvrp):
    """One tour; the changes of Cvrp."""

    def read(self, instance):
        Routing.read(self, instance)

    def plan(self, solution):
        return [solution["tour"]]


class Tsp(Tour):
    name = "tsp"
    depot = apart = False
    families = {"spatial": ["locs"]}

    def mask(self, state):
        return [c not in state.visited for c in range(self.n)], set()

    def step(self, state, action):
        actions = state.actions + (action,)
        return State(actions, action, 0.0, 0.0, len(actions) == self.n)

    def walk(self, first, here, left):
        key = (first, here, left)
        if key not in self.memo:
            d = self.distance
            self.memo[key] = (min(d[here][c] + self.walk(first, c, left - {c}) for c in left) if left
                              else d[here][first])
        return self.memo[key]

    def best(self, state):
        if not state.actions:
            return self.walk(0, 0, frozenset(range(1, self.n)))
        driven = sum(self.distance[a][b] for a, b in zip(state.actions, state.actions[1:]))
        return driven + self.walk(state.actions[0], state.here, self.left(state))

    def check(self, solution):
        tour = solution["tour"]
        length = sum(self.distance[a][b] for a, b in zip(tour, tour[1:] + tour[:1]))
        return length, self.visits([tour], True)

    def begins_with(self, solution, actions):
        tour = solution["tour"]
        if not actions:
            return True
        at = tour.index(actions[0])
        turned = tour[at:] + tour[:at]
        other = turned[:1] + turned[:0:-1]
        return list(actions) in (turned[:len(actions)], other[:len(actions)])

    def rule(self, state, action, family, rule):
        return None

    def heuristics(self, state, mask):
        allowed = [a for a in range(self.n) if mask[a]]
        rules = {"nearest": lambda a: self.distance[state.here][a], "detour": lambda a: self.extra(state, a)}
        if not state.actions:
            return {name: {a: 0.0 for a in allowed} for name in rules}
        return {name: {a: score(a) for a in allowed} for name, score in rules.items()}

    def rows(self):
        return [list(p) for p in self.xy]

    def context(self, state):
        return []


class Tsptw(Tour):
    name = "tsptw"
    apart = False
    timed = True
    families = {"time_window": ["time_windows"], "spatial": ["locs"]}

    def read(self, instance):
        Routing.read(self, instance)
        self.window = [tuple(single(v) for v in p["window"]) for p in [instance["depot"]] + instance["customers"]]

    def can_drive(self, route):
        return self.on_time(route)

    def mask(self, state):
        return [c != 0 and c not in state.visited for c in range(self.n)], set()

    def step(self, state, action):
        actions = state.actions + (action,)
        time = max(state.time + self.distance[state.here][action], self.window[action][0])
        return State(actions, action, 0.0, time, len(actions) == self.n - 1)

    def on_time(self, actions):
        time, here = 0.0, 0
        for c in actions:
            time += self.distance[here][c]
            if time * (1 - 1e-6) > self.window[c][1]:
                return False
            time, here = max(time, self.window[c][0]), c
        return True

    def walk(self, here, time, left):
        key = (here, round(time, 9), left)
        if key in self.memo:
            return self.memo[key]
        d, best = self.distance, INFINITE
        if not left:
            best = d[here][0]
        for c in left:
            arrival = time + d[here][c]
            if arrival * (1 - 1e-6) <= self.window[c][1]:
                best = min(best, d[here][c] + self.walk(c, max(arrival, self.window[c][0]), left - {c}))
        self.memo[key] = best
        return best

    def best(self, state):
        if not self.on_time(state.actions):
            return None
        rest = self.walk(state.here, state.time, self.left(state))
        return None if rest == INFINITE else self.driven(state) + rest

    def check(self, solution):
        tour = solution["tour"]
        wrong = self.visits([tour], True)
        if not self.on_time(tour):
            wrong.append("somebody is visited too late")
        return self.length([tour]), wrong

    def rule(self, state, action, family, rule):
        if rule.startswith("arrival"):
            return state.time + self.distance[state.here][action], self.window[action][1]
        if " after it" in rule:
            leaves = max(state.time + self.distance[state.here][action], self.window[action][0])
            other = int(rule.split()[1])
            return leaves + self.distance[action][other], self.window[other][1]
        return None

    def heuristics(self, state, mask):
        allowed = [a for a in self.customers() if mask[a]]
        d = self.distance[state.here]
        rules = {"nearest": lambda a: d[a], "first-to-close": lambda a: self.window[a][1],
                 "first-to-open": lambda a: self.window[a][0],
                 "soonest": lambda a: max(state.time + d[a], self.window[a][0])}
        return {name: {a: score(a) for a in allowed} for name, score in rules.items()}

    def rows(self):
        day = self.window[0][1]
        return [[*p, w[0] / day, w[1] / day] for p, w in zip(self.xy, self.window)]

    def context(self, state):
        return [state.time]


class Op(Tour):
    name = "op"
    sense = "max"
    families = {"prize": ["prize"], "budget": ["max_length"], "spatial": ["locs"]}

    def read(self, instance):
        Routing.read(self, instance)
        self.limit = single(instance["max_length"])
        self.prize = [0.0] + [single(c["prize"]) for c in instance["customers"]]

    def margins(self, state, node):
        return {"budget": self.limit - 1e-6 - state.used - self.distance[state.here][node] - self.distance[node][0]}

    def mask(self, state):
        mask, unsure = [False] * self.n, set()
        for c in self.left(state):
            margin = self.margins(state, c)["budget"]
            mask[c] = margin >= 0 and 0 not in state.visited
            if abs(margin) < UNSURE * max(1.0, self.limit):
                unsure.add(c)
        mask[0] = True
        return mask, unsure

    def step(self, state, action):
        actions = state.actions + (action,)
        return State(actions, action, state.used + self.distance[state.here][action], 0.0,
                     action == 0 and len(actions) > 1)

    def collect(self, here, length, left):
        """The most prize that can still be collected on the way home."""
        key = (here, round(length, 9), left)
        if key in self.memo:
            return self.memo[key]
        best, d = 0.0, self.distance
        for c in left:
            arrival = length + d[here][c]
            if arrival + d[c][0] <= self.limit * (1 + 1e-9):
                best = max(best, self.prize[c] + self.collect(c, arrival, left - {c}))
        self.memo[key] = best
        return best

    def best(self, state):
        prize = sum(self.prize[c] for c in state.actions)
        if 0 in state.actions:
            return prize
        if state.used + self.distance[state.here][0] > self.limit * (1 + 1e-6):
            return None
        return prize + self.collect(state.here, state.used, self.left(state))

    def check(self, solution):
        tour = solution["tour"]
        wrong = self.visits([tour], False)
        if self.length([tour]) > self.limit * (1 + 1e-6):
            wrong.append(f"the tour is {self.length([tour])} long")
        return sum(self.prize[c] for c in tour), wrong

    def rule(self, state, action, family, rule):
        return (state.used + self.distance[state.here][action] + self.distance[action][0], self.limit)

    def heuristic_scores(self, state, action):
        d, here, prize = self.distance, state.here, self.prize[action]
        over = d[here][action] + d[action][0] - d[here][0]
        return super(Cvrp, self).heuristic_scores(state, action) | {
            "largest-prize": -prize, "prize-per-distance": -prize / max(d[here][action], 1e-9),
            "prize-per-detour": -prize / max(over, 1e-9)}

    def rows(self):
        return [[*self.xy[i], self.prize[i]] for i in range(1, self.n)]

    def context(self, state):
        return [self.limit - 1e-6 - state.used]

    def change(self, tensor, place, to):
        if tensor == "prize":
            self.prize[place[0]] = to
            return True
        if tensor == "max_length" and place[0] == 0:
            self.limit = to + 1e-6
            return True
        return False


class Pctsp(Tour):
    name = "pctsp"
    families = {"prize": ["expected_prize"], "penalty": ["penalty"], "spatial": ["locs"]}

    def read(self, instance):
        Routing.read(self, instance)
        self.prize = [0.0] + [single(c["prize"]) for c in instance["customers"]]
        self.penalty = [0.0] + [single(c["penalty"]) for c in instance["customers"]]

    def mask(self, state):
        home = 0 in state.visited
        mask = [c != 0 and not home and c not in state.visited for c in range(self.n)]
        mask[0] = state.used >= 1 or not self.left(state)
        return mask, {0} if abs(state.used - 1) < UNSURE else set()

    def step(self, state, action):
        return State(state.actions + (action,), action, state.used + self.prize[action], 0.0, action == 0)

    def walk(self, here, prize, left):
        key = (here, left)
        if key not in self.memo:
            d, best = self.distance, INFINITE
            if prize >= 1 - 1e-5 or not left:
                best = d[here][0] + sum(self.penalty[c] for c in left)
            for c in left:
                best = min(best, d[here][c] + self.walk(c, prize + self.prize[c], left - {c}))
            self.memo[key] = best
        return self.memo[key]

    def best(self, state):
        if 0 in state.actions:
            return self.driven(state) + sum(self.penalty[c] for c in self.left(state))
        return self.driven(state) + self.walk(state.here, state.used, self.left(state))

    def check(self, solution):
        tour = solution["tour"]
        wrong = self.visits([tour], False)
        if len(set(tour)) < self.n - 1 and sum(self.prize[c] for c in tour) < 1 - 1e-5:
            wrong.append("too little prize")
        return self.length([tour]) + sum(self.penalty[c] for c in self.customers() if c not in tour), wrong

    def rule(self, state, action, family, rule):
        return (1.0, state.used) if action == 0 else None

    def heuristic_scores(self, state, action):
        penalty = self.penalty[action]
        return super(Cvrp, self).heuristic_scores(state, action) | {
            "largest-prize": -self.prize[action], "largest-penalty": -penalty,
            "penalty-per-detour": -penalty / max(self.extra(state, action), 1e-9)}

    def rows(self):
        return [[*self.xy[i], self.prize[i], self.penalty[i]] for i in range(1, self.n)]

    def context(self, state):
        return [max(0.0, 1 - state.used)]

    def change(self, tensor, place, to):
        if tensor == "expected_prize":
            self.prize[place[0] + 1] = to
            return True
        if tensor == "penalty":
            self.penalty[place[0]] = to
            return True
        return False
