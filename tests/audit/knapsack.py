"""The knapsack with two resources, from its definition."""
from dataclasses import dataclass

import numpy as np

from routing import single


@dataclass(frozen=True)
class State:
    actions: tuple = ()
    weight: float = 0.0
    volume: float = 0.0
    done: bool = False

    @property
    def visited(self):
        return frozenset(self.actions)


class Knapsack:
    name = "knapsack"
    sense = "max"
    exact = True
    shown = None
    timed = False
    families = {"value": ["values"], "weight": ["weights"], "volume": ["volumes"]}

    def __init__(self, instance):
        items = instance["items"]
        self.room = (single(instance["max_weight"]), single(instance["max_volume"]))
        self.value = [single(i["value"]) for i in items]
        self.weight = [single(np.float32(i["weight"]) / np.float32(self.room[0])) for i in items]
        self.volume = [single(np.float32(i["volume"]) / np.float32(self.room[1])) for i in items]
        self.n = len(items)

    @property
    def action_count(self):
        return self.n

    def reset(self):
        return State()

    def better(self, a, b):
        return a > b

    def left(self, state):
        return frozenset(range(self.n)) - state.visited

    def room_left(self, state, item):
        return 1 + 1e-5 - max(state.weight + self.weight[item], state.volume + self.volume[item])

    def mask(self, state):
        mask = [i not in state.visited and self.room_left(state, i) >= 0 for i in range(self.n)]
        return mask, {i for i in self.left(state) if abs(self.room_left(state, i)) < 5e-6}

    def step(self, state, action):
        after = State(state.actions + (action,), state.weight + self.weight[action],
                      state.volume + self.volume[action])
        return State(after.actions, after.weight, after.volume, not any(self.mask(after)[0]))

    def replay(self, actions):
        state = self.reset()
        for action in actions:
            state = self.step(state, action)
        return state

    def best(self, state):
        items = sorted(self.left(state))

        def pack(k, weight, volume):
            if k == len(items):
                return 0.0
            best, i = pack(k + 1, weight, volume), items[k]
            if weight + self.weight[i] <= 1 + 1e-5 and volume + self.volume[i] <= 1 + 1e-5:
                best = max(best, self.value[i] + pack(k + 1, weight + self.weight[i], volume + self.volume[i]))
            return best

        if max(state.weight, state.volume) > 1 + 1.01e-5:
            return None
        return sum(self.value[i] for i in state.actions) + pack(0, state.weight, state.volume)

    def check(self, solution):
        items = solution["packing"]
        wrong = [f"item {i} twice" for i in set(items) if items.count(i) > 1]
        for shares in (self.weight, self.volume):
            if sum(shares[i] for i in items) > 1 + 1.01e-5:
                wrong.append("there is no room")
        return sum(self.value[i] for i in items), wrong

    def begins_with(self, solution, actions):
        return set(actions) <= set(solution["packing"])

    def extra(self, state, action):
        return None

    def rule(self, state, action, family, rule):
        if family == "weight":
            return (state.weight + self.weight[action]) * self.room[0], self.room[0]
        if family == "volume":
            return (state.volume + self.volume[action]) * self.room[1], self.room[1]
        return None

    def heuristics(self, state, mask):
        left = (1 - state.weight, 1 - state.volume)

        def per(i, amount):
            return -self.value[i] / max(amount, 1e-9)

        rules = {
            "value-per-use": lambda i: per(i, self.weight[i] + self.volume[i]),
            "value-per-room-left": lambda i: per(i, self.weight[i] / max(left[0], 1e-9)
                                                 + self.volume[i] / max(left[1], 1e-9)),
            "value-per-weight": lambda i: per(i, self.weight[i]),
            "value-per-volume": lambda i: per(i, self.volume[i]),
            "largest-value": lambda i: -self.value[i],
            "smallest": lambda i: self.weight[i] + self.volume[i]}
        return {name: {i: score(i) for i in range(self.n) if mask[i]} for name, score in rules.items()}

    def changed(self, changes):
        other = object.__new__(type(self))
        other.__dict__ = {k: list(v) if isinstance(v, list) else v for k, v in self.__dict__.items()}
        columns = {"values": other.value, "weights": other.weight, "volumes": other.volume}
        for change in changes:
            columns[change["tensor"]][change["position"][0]] = change["to"]
        return other
