"""Vehicle routing from its definition, in double precision: what is allowed, what a plan costs, and the best that
can still follow, by recursion over the customers left. For instances of up to about nine customers."""
import math
from dataclasses import dataclass

import numpy as np

UNSURE = 3e-5  # of a mask or a rule: single precision may see it otherwise
INFINITE = float("inf")


def single(value):
    """A number of a file as cax keeps it."""
    return float(np.float32(value))


@dataclass(frozen=True)
class State:
    actions: tuple = ()
    here: int = 0
    used: float = 0.0  # load, tour length or prize, as the problem has it
    time: float = 0.0
    done: bool = False

    @property
    def visited(self):
        return frozenset(self.actions)


class Routing:
    """What all of them share. `instance` is the JSON of one instance."""
    sense = "min"
    depot = True
    apart = True  # the depot has an embedding of its own
    timed = False
    exact = True  # small enough to enumerate
    shown = None  # (scale, corner): how policies see it, if not as it is

    def __init__(self, instance):
        self.read(instance)
        self.n = len(self.xy)
        self.distance = [[math.dist(a, b) for b in self.xy] for a in self.xy]
        self.memo = {}

    def read(self, instance):
        places = [instance["depot"]] + instance["customers"] if self.depot else instance["cities"]
        self.xy = [(single(p["x"]), single(p["y"])) for p in places]

    @property
    def action_count(self):
        return self.n

    def customers(self):
        return range(1 if self.depot else 0, self.n)

    def reset(self):
        return State()

    def left(self, state):
        return frozenset(self.customers()) - state.visited

    def better(self, a, b):
        return a < b if self.sense == "min" else a > b

    def length(self, routes):
        """Of closed routes from the depot."""
        total = 0.0
        for route in routes:
            nodes = [0, *route, 0]
            total += sum(self.distance[a][b] for a, b in zip(nodes, nodes[1:]))
        return total

    def visits(self, routes, everybody):
        """What is wrong with who is visited how often."""
        seen = [c for route in routes for c in route]
        wrong = [f"{c} is visited twice" for c in set(seen) if seen.count(c) > 1]
        wrong += [f"there is no customer {c}" for c in seen if c not in self.customers()]
        if everybody:
            wrong += [f"{c} is not visited" for c in self.customers() if c not in seen]
        return wrong

    def replay(self, actions):
        state = self.reset()
        for action in actions:
            state = self.step(state, action)
        return state

    def extra(self, state, action):
        """What the action adds to the way home."""
        home = 0 if self.depot else (state.actions[0] if state.actions else None)
        if home is None:
            return None
        back = self.distance[state.here][home]
        if action == home:
            return back
        return self.distance[state.here][action] + self.distance[action][home] - back

    def routes_of_actions(self, actions):
        routes, route = [], []
        for action in actions:
            if action == 0:
                if route:
                    routes.append(route)
                route = []
            else:
                route.append(action)
        return routes + [route] if route else routes

    def begins_with(self, solution, actions):
        """Can the solution be driven so that it begins with these actions? Routes in any order, and in either direction
        where time allows it."""
        routes = [tuple(r) for r in self.plan(solution) if r]
        prefix = self.routes_of_actions(actions)
        open_end = bool(actions) and actions[-1] != 0
        for number, route in enumerate(prefix):
            whole = not (open_end and number == len(prefix) - 1)

            def fits(driven):
                return driven == tuple(route) if whole else driven[:len(route)] == tuple(route)

            found = next((r for r in routes if fits(r) or (fits(r[::-1]) and self.can_drive(r[::-1]))), None)
            if found is None:
                return False
            routes.remove(found)
        return True

    def can_drive(self, route):
        """Is everybody on it in time, and the depot?"""
        if not self.timed:
            return True
        time, here = 0.0, 0
        for node in [*route, 0]:
            time += self.distance[here][node]
            if time * (1 - 1e-6) > self.window[node][1]:
                return False
            time, here = max(time, self.window[node][0]) + self.service[node], node
        return True

    def plan(self, solution):
        return solution["routes"] if "routes" in solution else [solution["tour"]]

    def heuristic_scores(self, state, action):
        here, d = state.here, self.distance
        return {"nearest": d[here][action], "savings": d[here][action] - d[here][0] - d[0][action],
                "farthest": -d[0][action]}

    def heuristics(self, state, mask):
        """Scores of every allowed action, the lowest is best; None where a rule has nothing to say."""
        allowed = [a for a in self.customers() if mask[a]]
        if not allowed:
            return {name: {0: 0.0} for name in self.heuristic_scores(State(), 1)} if mask[0] else {}
        return_to = [self.heuristic_scores(state, a) for a in allowed]
        return {name: {a: scores[name] for a, scores in zip(allowed, return_to)} for name in return_to[0]}


class Cvrp(Routing):
    name = "cvrp"
    families = {"capacity": ["demand"], "spatial": ["locs"]}

    def read(self, instance):
        super().read(instance)
        self.capacity = single(instance["capacity"])
        self.demand = [0.0] + [single(np.float32(c["demand"]) / np.float32(self.capacity)) for c in instance["customers"]]
        self.window = [(0.0, INFINITE)] * len(self.xy)
        self.service = [0.0] * len(self.xy)

    def late(self, state, node):
        """Negative: too late by so much, as a part of what the clock is."""
        close = self.window[node][1]
        return (close - state.time - self.distance[state.here][node]) / max(close, 1.0) if close < INFINITE else 1.0

    def margins(self, state, node):
        """How far the node is from being forbidden by each rule; negative: forbidden."""
        if node == 0:
            return {"time_window": self.late(state, 0)} if self.timed else {}
        found = {"capacity": 1 + 1e-5 - state.used - self.demand[node]}
        if self.timed:
            found["time_window"] = self.late(state, node)
        return found

    def mask(self, state):
        """Allowed or not by action, and the actions that are too close to call."""
        mask, unsure = [False] * self.n, set()
        for c in self.left(state):
            margins = self.margins(state, c).values()
            mask[c] = all(m >= 0 for m in margins)
            if any(abs(m) < UNSURE * 0.1 for m in margins):
                unsure.add(c)
        loads = [c for c in self.left(state) if self.margins(state, c)["capacity"] >= 0]
        mask[0] = not (state.here == 0 and loads) and self.late(state, 0) >= 0
        return mask, unsure

    def step(self, state, action):
        actions = state.actions + (action,)
        if action == 0:
            done = len(set(actions)) == self.n
            return State(actions, 0, 0.0, 0.0, done)
        time = max(state.time + self.distance[state.here][action], self.window[action][0]) + self.service[action]
        done = len(set(actions)) == self.n
        return State(actions, action, state.used + self.demand[action], time, done)

    def driven(self, state):
        nodes = (0,) + state.actions
        return sum(self.distance[a][b] for a, b in zip(nodes, nodes[1:]))

    def rest(self, here, time, load, left):
        """Shortest way to serve who is left and come home; infinite if there is none."""
        key = (here, round(time, 7), round(load, 7), left)
        if key in self.memo:
            return self.memo[key]
        d, best = self.distance, INFINITE
        if here != 0:
            arrival = time + d[here][0]
            if arrival <= self.window[0][1] * (1 + 1e-6):
                best = d[here][0] + self.rest(0, 0.0, 0.0, left)
        elif not left:
            best = 0.0
        for c in left:
            arrival = time + d[here][c]
            if load + self.demand[c] > 1 + 1.1e-5 or arrival > self.window[c][1] * (1 + 1e-6):
                continue
            later = max(arrival, self.window[c][0]) + self.service[c]
            best = min(best, d[here][c] + self.rest(c, later, load + self.demand[c], left - {c}))
        self.memo[key] = best
        return best

    def fewest(self, state):
        """The smallest fleet of a solution that begins so, or None; a vehicle counts once it has left the depot."""
        begun = len(self.routes_of_actions(state.actions)) - (state.here != 0)
        memo = {}

        def more(here, time, load, left):
            key = (here, round(time, 7), round(load, 7), left)
            if key not in memo:
                best = INFINITE if left or here else 0
                if here and time + self.distance[here][0] <= self.window[0][1] * (1 + 1e-6):
                    best = 1 + more(0, 0.0, 0.0, left)
                for c in left:
                    arrival = time + self.distance[here][c]
                    if load + self.demand[c] <= 1 + 1.1e-5 and arrival <= self.window[c][1] * (1 + 1e-6):
                        later = max(arrival, self.window[c][0]) + self.service[c]
                        best = min(best, more(c, later, load + self.demand[c], left - {c}))
                memo[key] = best
            return memo[key]

        rest = more(state.here, state.time, state.used, self.left(state))
        return None if rest == INFINITE else begun + rest

    def best(self, state):
        """Cost of the best solution that begins so, or None."""
        rest = self.rest(state.here, state.time, state.used, self.left(state))
        return None if rest == INFINITE else self.driven(state) + rest

    def check(self, solution):
        routes = solution["routes"]
        wrong = self.visits(routes, True)
        for route in routes:
            load = sum(self.demand[c] for c in route)
            if load > 1 + 1.1e-5:
                wrong.append(f"a load of {load}")
            time, here = 0.0, 0
            for node in [*route, 0]:
                time += self.distance[here][node]
                if time * (1 - 1e-6) > self.window[node][1]:
                    wrong.append(f"late at {node}: {time}")
                time, here = max(time, self.window[node][0]) + self.service[node], node
        return self.length(routes), wrong

    def rule(self, state, action, family, rule):
        """Used and limit of a rule, in the units of the file."""
        if family == "capacity" and action:
            return (state.used + self.demand[action]) * self.capacity, self.capacity
        if family == "time_window":
            return state.time + self.distance[state.here][action], self.window[action][1]
        return None

    def heuristic_scores(self, state, action):
        scores = super().heuristic_scores(state, action)
        if self.timed:
            arrival = state.time + self.distance[state.here][action]
            opens, closes = self.window[action]
            scores |= {"earliest-due": closes, "earliest-open": opens, "most-urgent": closes - arrival,
                       "soonest-served": max(arrival, opens)}
        return scores | {"largest-demand": -self.demand[action]}

    def rows(self):
        return [[*self.xy[i], self.demand[i]] for i in range(1, self.n)]

    def context(self, state):
        return [1 - state.used]

    def changed(self, changes):
        other = self.copy()
        for change in changes:
            place, to = change["position"], change["to"]
            if change["tensor"] == "locs":
                xy = list(other.xy[place[0]])
                xy[place[1]] = to
                other.xy[place[0]] = tuple(xy)
            elif not other.change(change["tensor"], place, to):
                return None
        other.distance = [[math.dist(a, b) for b in other.xy] for a in other.xy]
        return other

    def change(self, tensor, place, to):
        if tensor == "demand":
            self.demand[place[0] + 1] = to
            return True
        if tensor == "time_windows":
            window = list(self.window[place[0]])
            window[place[1]] = to
            self.window[place[0]] = tuple(window)
            return True
        if tensor == "durations":
            self.service[place[0]] = to
            return True
        return False

    def copy(self):
        other = object.__new__(type(self))
        other.__dict__ = {k: list(v) if isinstance(v, list) else v for k, v in self.__dict__.items()}
        other.memo = {}
        return other


class Cvrptw(Cvrp):
    name = "cvrptw"
    timed = True
    families = {"capacity": ["demand"], "time_window": ["time_windows", "durations"], "spatial": ["locs"]}

    def read(self, instance):
        super().read(instance)
        places = [instance["depot"]] + instance["customers"]
        self.window = [tuple(single(v) for v in p["window"]) for p in places]
        self.service = [single(p.get("service", 0)) for p in places]

    def rows(self):
        return [[*self.xy[i], self.demand[i], *self.window[i], self.service[i]] for i in range(1, self.n)]

    def context(self, state):
        return [1 - state.used, state.time]
