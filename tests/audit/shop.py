"""The flexible job shop from its definition: a clock that runs from one end of an operation to the next."""
from dataclasses import dataclass, replace


@dataclass(frozen=True)
class State:
    actions: tuple
    time: float
    next: tuple  # by job: the first operation that has not ended; the last one of a job that is done
    running: tuple  # by job
    over: tuple  # by job
    busy: tuple  # by machine
    ends: tuple  # by operation; None = not dispatched
    starts: tuple
    on: tuple  # by operation: machine
    done: bool = False


class Shop:
    name = "fjsp"
    sense = "min"
    exact = True
    shown = None
    timed = False
    families = {"precedence": ["proc_times"], "eligibility": ["num_eligible"]}

    def __init__(self, instance):
        self.machines = instance["machines"]
        self.first, self.last, self.job, self.time = [], [], [], []
        for j, operations in enumerate(instance["jobs"]):
            self.first.append(len(self.time))
            for ways in operations:
                self.time.append({m: float(p) for m, p in ways})
                self.job.append(j)
            self.last.append(len(self.time) - 1)
        self.operations = len(self.time)
        self.padded = instance.get("padded_operations", self.operations)
        self.jobs = len(self.first)
        self.eligible_shown = {}  # what a policy is told, where a change has moved it

    @property
    def action_count(self):
        return 1 + self.jobs * self.machines

    def better(self, a, b):
        return a < b

    def reset(self):
        n = self.operations
        return State((), 0.0, tuple(self.first), (False,) * self.jobs, (False,) * self.jobs, (0.0,) * self.machines,
                     (None,) * n, (None,) * n, (None,) * n)

    def way(self, action):
        return (action - 1) // self.machines, (action - 1) % self.machines

    def allowed(self, state, action):
        if action == 0:
            return state.done
        j, m = self.way(action)
        idle = not state.running[j] and not state.over[j] and state.busy[m] <= state.time
        return idle and m in self.time[state.next[j]]

    def mask(self, state):
        return [self.allowed(state, a) for a in range(self.action_count)], set()

    def step(self, state, action):
        j, m = self.way(action)
        o, start = state.next[j], state.time
        end = start + self.time[o][m]
        state = replace(state, actions=state.actions + (action,), running=put(state.running, j, True),
                        busy=put(state.busy, m, end), ends=put(state.ends, o, end), starts=put(state.starts, o, start),
                        on=put(state.on, o, m))
        while not state.done and not any(self.mask(state)[0]):
            state = self.advance(state)
        return state

    def advance(self, state):
        later = [b for b in state.busy if b > state.time]
        time = min(later)
        following, running, over = list(state.next), list(state.running), list(state.over)
        for j in range(self.jobs):
            if running[j] and state.ends[following[j]] <= time:
                running[j] = False
                if following[j] == self.last[j]:
                    over[j] = True
                else:
                    following[j] += 1
        return replace(state, time=time, next=tuple(following), running=tuple(running), over=tuple(over), done=all(over))

    def replay(self, actions):
        state = self.reset()
        for action in actions:
            state = self.step(state, action)
        return state

    def best(self, state):
        """Least makespan of all schedules that keep what was dispatched; nothing new starts before the clock."""
        after, ready = [], []
        for j in range(self.jobs):
            o = self.first[j]
            while o <= self.last[j] and state.ends[o] is not None:
                o += 1
            after.append(o)
            ready.append(max(state.time, state.ends[o - 1] if o > self.first[j] else 0.0))
        free = tuple(max(state.time, b) for b in state.busy)
        ended = [e for e in state.ends if e is not None]
        fastest = [min(ways.values()) for ways in self.time]
        best, seen = [float("inf")], set()

        def go_on(after, ready, free, span):
            if all(o > self.last[j] for j, o in enumerate(after)):
                best[0] = min(best[0], span)
                return
            if (after, ready, free) in seen:
                return
            seen.add((after, ready, free))
            least = max([span] + [ready[j] + sum(fastest[o:self.last[j] + 1]) for j, o in enumerate(after)
                                  if o <= self.last[j]])
            if least >= best[0]:
                return
            for j, o in enumerate(after):
                if o > self.last[j]:
                    continue
                for m, p in self.time[o].items():
                    end = max(ready[j], free[m]) + p
                    go_on(put(after, j, o + 1), put(ready, j, end), put(free, m, end), max(span, end))

        go_on(tuple(after), tuple(ready), free, max(ended, default=0.0))
        return best[0]

    def check(self, solution):
        entries = {o: (m, s) for o, m, s in solution["schedule"]}
        if sorted(entries) != list(range(self.operations)) or len(entries) != len(solution["schedule"]):
            return 0.0, ["not every operation once"]
        wrong, ends = [], {}
        for o, (m, s) in entries.items():
            if m not in self.time[o]:
                return 0.0, [f"operation {o} cannot run on machine {m}"]
            ends[o] = s + self.time[o][m]
        slip = 1e-9 * max(ends.values())
        for o, (m, s) in entries.items():
            if s < 0 or (o > self.first[self.job[o]] and s < ends[o - 1] - slip):
                wrong.append(f"operation {o} starts too early")
            for p, (k, t) in entries.items():
                if p < o and k == m and s < ends[p] - slip and t < ends[o] - slip:
                    wrong.append(f"operations {p} and {o} overlap")
        return max(ends.values()), wrong

    def begins_with(self, solution, actions):
        state = self.replay(actions)
        entries = {o: (m, s) for o, m, s in solution["schedule"]}
        return all(entries[o] == (state.on[o], state.starts[o])
                   for o in range(self.operations) if state.ends[o] is not None)

    def extra(self, state, action):
        return None

    def ready(self, state, o):
        """When the operation's predecessor has ended; 9999 if nobody knows."""
        if o in self.first:
            return 0.0
        return 9999.0 if state.ends[o - 1] is None else state.ends[o - 1]

    def rule(self, state, action, family, rule):
        if action == 0:
            return None
        j, m = self.way(action)
        o = state.next[j]
        if rule == "when the machine is free":
            return state.busy[m], state.time
        if rule.startswith("end of the job's previous"):
            return self.ready(state, o), state.time
        if rule.startswith("end of the job's operation"):
            return state.ends[o], state.time
        if rule.startswith("machines that can do"):
            return 1, len(self.time[o])
        return None

    def heuristics(self, state, mask):
        scores = {}
        load = [0.0] * self.machines
        for o in range(self.operations):
            if state.on[o] is not None:
                load[state.on[o]] += self.time[o][state.on[o]]
        for a in range(1, self.action_count):
            if not mask[a]:
                continue
            j, m = self.way(a)
            o, p = state.next[j], self.time[state.next[j]][m]
            fastest = [min(ways.values()) for ways in self.time[o:self.last[j] + 1]]
            tie = 1e-3 * p
            scores[a] = {"shortest-time": p, "longest-time": -p, "most-work-left": tie - sum(fastest),
                         "least-work-left": tie + sum(fastest), "most-operations-left": tie - len(fastest),
                         "first-ready": self.ready(state, o) + tie, "least-loaded-machine": load[m] + tie,
                         "best-suited-machine": p / fastest[0] + tie}
        names = next(iter(scores.values())) if scores else []
        return {name: {a: own[name] for a, own in scores.items()} for name in names}

    def changed(self, changes):
        other = object.__new__(Shop)
        other.__dict__ = dict(self.__dict__)
        other.time = [dict(ways) for ways in self.time]
        other.eligible_shown = dict(self.eligible_shown)
        for change in changes:
            if change["tensor"] == "num_eligible":
                other.eligible_shown[change["position"][0]] = change["to"]
                continue
            m, o = change["position"]
            if change["to"] > 0:
                other.time[o][m] = change["to"]
            else:
                other.time[o].pop(m, None)
        return other


def put(values, place, value):
    return values[:place] + (value,) + values[place + 1:]
