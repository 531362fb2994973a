"""What-if edits in `cax serve`: what the page is told beside what the command line says of the saved instance."""
import json
import os
import random
import subprocess
import urllib.request

from decisions import near

EDITS = {"cvrp": ["locs", "demand"], "cvrptw": ["locs", "demand", "time_windows", "durations"],
         "op": ["locs", "prize", "max_length"], "pctsp": ["locs", "expected_prize", "penalty"], "tsp": ["locs"],
         "tsptw": ["locs", "time_windows"], "knapsack": ["values", "weights", "volumes"], "fjsp": ["proc_times"]}


class Served:
    """A running `cax serve`, and one session with it."""

    def __init__(self, audit, model, path):
        command = [audit.options.cax, "serve", model, path, "--threads", "1"]
        audit.tally.command = " ".join(command)
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.address, self.sequence = self.process.stdout.readline().strip(), 0
        self.session = self.ask("open", {})["session"]

    def ask(self, kind, fields):
        request = urllib.request.Request(self.address + "api/" + kind, json.dumps(fields).encode(),
                                         {"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)

    def next(self, kind, **fields):
        self.sequence += 1
        return self.ask(kind, {"session": self.session, "sequence": self.sequence, "step": 0, **fields})

    def save(self):
        return self.ask("save", {"session": self.session, "as": "instance"})["text"]

    def close(self):
        self.process.terminate()
        self.process.wait()
        self.process.stdout.close()


def judge_serve(audit, name, problem, path, model, network, make, seed):
    """Every kind of number is edited once; what the page is told is what `explain` says of the saved instance."""
    rng, served = random.Random(seed), Served(audit, model, path)
    try:
        for tensor in EDITS[name]:
            edit = an_edit(rng, problem, tensor)
            answer = served.next("edit", edits=[edit])
            audit.tally.place = f"edit {json.dumps(edit)}"
            if answer["status"] != "ok":
                audit.tally.judge(name, "what if: refused with a reason", bool(answer.get("words")), str(answer))
                continue
            saved = os.path.join(audit.folder, f"saved-{name}.json")
            with open(saved, "w", encoding="utf-8") as file:
                file.write(served.save())
            judge_edit(audit, name, answer["record"], saved, model, network, make, edit)
            judge_rest(audit, name, served.next("explain"), saved, model)
            served.next("undo")
        judge_lock(audit, name, served, problem)
    finally:
        served.close()


def an_edit(rng, problem, tensor):
    if tensor == "locs":
        x, y = rng.choice(problem.xy[1:])
        return {"node": rng.randrange(1, problem.n), "x": 0.9 * x + 0.01, "y": 0.9 * y + 0.02}
    if tensor == "proc_times":
        o = rng.randrange(problem.operations)
        m = rng.choice(sorted(problem.time[o]))
        return {"tensor": tensor, "index": m * problem.padded + o, "to": problem.time[o][m] + rng.randint(1, 4)}
    if tensor == "time_windows":
        node = rng.randrange(1, problem.n)
        return {"tensor": tensor, "index": 2 * node + 1, "to": problem.window[node][1] + 0.5}
    if tensor == "max_length":
        return {"tensor": tensor, "index": 0, "to": 0.9 * problem.limit}
    units = {"demand": getattr(problem, "capacity", 1), "weights": 1, "volumes": 1}.get(tensor, 1)
    if tensor in ("weights", "volumes"):
        units = problem.room[tensor == "volumes"]
    nodes = problem.n if tensor in ("values", "weights", "volumes") else problem.n - 1
    first = 0 if tensor in ("demand", "expected_prize", "values", "weights", "volumes") else 1
    share = {"demand": 0.2, "weights": 0.1, "volumes": 0.1, "durations": 3}.get(tensor, 0.3)
    return {"tensor": tensor, "index": first + rng.randrange(nodes), "to": share * units}


def comparable(step):
    keys = ("action", "words", "probability", "log_prob", "allowed", "actions", "runner_up", "slacks")
    return {key: step[key] for key in keys}


def judge_edit(audit, name, record, saved, model, network, make, edit):
    document = audit.cax("explain", model, saved, "--parts", "none")
    if not document:
        return
    say = audit.tally.judge
    say(name, "what if: the plan", document["solution"]["actions"] == record["solution"]["actions"]
        and document["solution"]["cost"] == record["solution"]["cost"], f"{edit}: another plan than explain's")
    for live, whole in zip(record["steps"], document["steps"]):
        for key in ("action", "words", "probability"):
            say(name, "what if: a step", live[key] == whole[key], f"{edit}, step {live['step'] + 1}: {key}")
    with open(saved, encoding="utf-8") as file:
        changed = make(json.load(file)["instances"][0])
    cost, wrong = changed.check(record["solution"])
    say(name, "what if: cost", near(cost, record["solution"]["cost"], 1e-6, 1e-6)
        and record["solution"]["valid"] == (not wrong), f"{edit}: {record['solution']['cost']}, not {cost}")


def judge_rest(audit, name, answer, saved, model):
    """When the hand rests, the decision is explained: as the command explains it."""
    document = audit.cax("explain", model, saved, "--parts", "swap,forbidden,thumb", "--step", 1)
    if answer["status"] != "ok" or not document:
        return
    live, whole = answer["record"]["steps"][0], document["steps"][0]
    for key in ("swap", "forbidden", "thumb", "heuristics", "slacks", "runner_up", "allowed"):
        if key in whole:
            audit.tally.judge(name, "what if: explained", live.get(key) == whole[key], f"{key}: {live.get(key)}, {whole[key]}")


def judge_lock(audit, name, served, problem):
    """Another action at the first step: the plan begins with it, and what is said of its cost is no better than the truth."""
    state = problem.reset()
    allowed = [a for a, flag in enumerate(problem.mask(state)[0]) if flag]
    action = allowed[-1]
    answer = served.next("lock", action=action)
    audit.tally.place = f"lock action {action} at step 0"
    if answer["status"] != "ok":
        audit.tally.judge(name, "what if: refused with a reason", bool(answer.get("words")), str(answer))
        return
    actions = answer["record"]["solution"]["actions"]
    audit.tally.judge(name, "what if: insisted", actions[0] == action, f"{actions} does not begin with {action}")
    comparison = next((lock["comparison"] for lock in answer["live"]["locks"]), None)
    for side in ("insisted", "own") if comparison else ():
        said = comparison[side]
        best = problem.best(problem.step(state, said["action"]))
        if said["cost"] is not None and best is not None:
            exact = said["cost_status"] == "proved"
            right = near(said["cost"], best) or (not exact and not problem.better(said["cost"], best))
            audit.tally.judge(name, "what if: insisted", right, f"{side}: {said['cost']} ({said['cost_status']}), not {best}")
