"""What the networks are shown of a state, from the definitions of the features."""
import numpy as np


# Columns of a node's row, and numbers of the context, that are lengths or times.
LENGTHS = {"cvrptw": [3, 4, 5], "pctsp": [3]}
LENGTHS_OF_CONTEXT = {"cvrptw": [1], "op": [0], "tsptw": [0]}


def graph(problem, state, mask=None):
    """For the attention model."""
    if problem.name == "knapsack":
        return knapsack(problem, state, mask)
    seen = unscaled(problem, state, mask)
    return rescaled(problem, seen) if problem.shown else seen


def rescaled(problem, seen):
    """Numbers outside what policies are trained on are shown to them moved and scaled into it."""
    scale, corner = problem.shown
    rows, context = np.array(seen["rows"], float), np.array(seen["context"], float)
    rows[:, :2] = scale * (rows[:, :2] - corner)
    rows[:, LENGTHS.get(problem.name, [])] *= scale
    context[LENGTHS_OF_CONTEXT.get(problem.name, [])] *= scale
    depot = None if seen["depot"] is None else scale * (np.array(seen["depot"]) - corner)
    return {**seen, "rows": rows, "context": context, "depot": depot}


def unscaled(problem, state, mask):
    free = problem.name == "tsp"
    first = state.actions[0] if free and state.actions else None
    return {"depot": problem.xy[0] if problem.apart else None, "rows": problem.rows(), "here": state.here,
            "context": problem.context(state), "first": first, "mask": mask or problem.mask(state)[0],
            "stepwise": False}


def knapsack(problem, state, mask):
    left = [max(1 - used, 1e-5) for used in (state.weight, state.volume)]
    rows = [[v, 1.0 if w > left[0] else w / left[0], 1.0 if u > left[1] else u / left[1]]
            for v, w, u in zip(problem.value, problem.weight, problem.volume)]
    return {"depot": None, "rows": rows, "here": None, "first": None, "stepwise": True,
            "context": [1 - state.weight, 1 - state.volume], "mask": mask or problem.mask(state)[0]}


def schedule(shop, state, mask=None):
    """For MatNet."""
    n, padded = shop.operations, shop.padded
    times, eligible = np.zeros((shop.machines, padded)), np.zeros(padded)
    bounds, ready, scheduled = np.zeros(padded), np.zeros(padded), np.zeros(padded)
    position, job, padding = np.zeros(padded, int), np.zeros(padded, int), np.zeros(padded, bool)
    padding[n:] = True
    for j in range(shop.jobs):
        running, dispatched = 0.0, sum(state.ends[o] is not None for o in range(shop.first[j], shop.last[j] + 1))
        for o in range(shop.first[j], shop.last[j] + 1):
            before = shop.ready(state, o)
            job[o], position[o] = j, max(0, o - shop.first[j] - dispatched)
            if state.ends[o] is not None:
                running += state.ends[o] - before
                scheduled[o] = 1
            else:
                ways = shop.time[o]
                running += sum(p + max(state.busy[m] - before, 0) for m, p in ways.items()) / len(ways)
                for m, p in ways.items():
                    times[m, o] = p
                eligible[o] = shop.eligible_shown.get(o, len(ways))
                ready[o] = before <= state.time
            bounds[o] = running
    return {"times": times, "eligible": eligible, "bounds": bounds, "ready": ready, "scheduled": scheduled,
            "position": position, "job": job, "padding": padding, "busy": state.busy, "time": state.time,
            "next": list(state.next), "mask": mask or shop.mask(state)[0]}


class Policy:
    """A network that keeps what its encoder made of an instance."""

    def __init__(self, network, problem, each_step=False, double=False):
        """`each_step`: what the encoder sees is the state as it is, not the start. `double`: cax computes in double
        precision, too. In single precision MatNet, which divides by a deviation, loses three digits more."""
        self.sure = 1e-6 if double else 2e-3 if problem.name == "fjsp" else 1e-4  # of probabilities
        self.network, self.problem, self.each_step, self.encoded = network, problem, each_step, None

    def see(self, state, mask=None):
        return schedule(self.problem, state, mask) if self.problem.name == "fjsp" else graph(self.problem, state, mask)

    def log_probs(self, state, mask=None):
        seen = self.see(state, mask)
        if seen.get("stepwise") or (self.each_step and self.problem.name == "fjsp"):
            return self.network.log_probs(seen)
        if self.encoded is None:
            start = self.see(self.problem.reset())
            self.encoded = self.network.encode(start)
        return self.network.log_probs(seen, self.encoded)

    def play_out(self, state):
        """The greedy end of an episode; None if a decision is too close to call or leads nowhere."""
        while not state.done:
            mask, unsure = self.problem.mask(state)
            if unsure or not any(mask):
                return None
            values = self.log_probs(state)
            order = np.argsort(-values)
            if len(order) > 1 and values[order[0]] - values[order[1]] < 2e-3:
                return None
            state = self.problem.step(state, int(order[0]))
        return state
