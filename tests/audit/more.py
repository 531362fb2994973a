"""What is judged beside the explanation of the policy's own plan: solutions and baselines, plans of others, certificates
at tight bounds, text formats, what-if edits in `cax serve`, and Python beside the command line."""
import json
import os
import random
import re
import subprocess
import sys
import urllib.request

import numpy as np

import decisions
import flips
from decisions import near
from sight import Policy

LARGER = {"cvrp": 15, "cvrptw": 15, "op": 20, "pctsp": 18, "tsp": 16, "tsptw": 14, "knapsack": 40, "fjsp": "6x4"}
BOUNDS = {"cvrp": "--max-length", "op": "--min-prize", "pctsp": "--max-cost", "tsp": "--max-length",
          "tsptw": "--max-length", "knapsack": "--min-value", "fjsp": "--horizon"}


def judge_solve(audit, name, problem, path, model, network):
    """A greedy plan is one of most probable actions, and costs what it costs."""
    document = audit.cax("solve", model, path)
    if not document:
        return
    said = document["instances"][0]
    say = audit.tally.judge
    cost, wrong = problem.check(said)
    say(name, "solve: cost", near(said["cost"], cost, 1e-6, 1e-6), f"{said['cost']}, not {cost}")
    say(name, "solve: validity", said["valid"] == (not wrong), f"valid {said['valid']}: {wrong}")
    policy, state, total = Policy(network, problem), problem.reset(), 0.0
    for action in said["actions"]:
        mask, unsure = problem.mask(state)
        if unsure:
            audit.tally.skip("solve: actions")
            return
        values = policy.log_probs(state)
        say(name, "solve: actions", values[action] > values.max() - 1e-3, f"step {len(state.actions) + 1}: {action}")
        total += values[action]
        state = problem.step(state, action)
    say(name, "solve: likelihood", near(said["log_likelihood"], total, 1e-3, 5e-3), f"{said['log_likelihood']}, {total}")


def judge_baseline(audit, name, problem, path):
    document = audit.cax("baseline", path, "--iterations", 3000, "--seconds", 60)
    if not document:
        return
    said, say = next(iter(document["problems"].values()))["instances"][0], audit.tally.judge
    cost, wrong = problem.check(said)
    optimum = problem.best(problem.reset())
    say(name, "baseline", near(said["cost"], cost, 1e-6, 1e-6) and not wrong, f"{said}, not {cost}: {wrong}")
    if said["optimal"]:
        say(name, "optimum", near(cost, optimum), f"{cost} is called optimal, not {optimum}")
    say(name, "baseline", near(cost, optimum) or not problem.better(cost, optimum), f"{cost} beats {optimum}")
    if said.get("lower_bound") is not None:
        bound = said["lower_bound"]
        say(name, "bound", near(bound, optimum) or not problem.better(optimum, bound), f"{bound}, optimum {optimum}")


def random_plan(problem, seed):
    """Allowed actions at random to the end; None where that leads nowhere or too near a tolerance."""
    rng, state = random.Random(seed), problem.reset()
    while not state.done:
        mask, unsure = problem.mask(state)
        allowed = [a for a, flag in enumerate(mask) if flag]
        if unsure or not allowed:
            return None
        if problem.name in ("op", "pctsp") and len(allowed) > 1:
            allowed = [a for a in allowed if a != 0] if rng.random() < 0.8 else allowed
        state = problem.step(state, rng.choice(allowed))
    solution = decisions.solution_of_actions(problem, state)
    return None if problem.check(solution)[1] else solution


def judge_external_plan(audit, name, problem, path, model, network, seed):
    """A plan that the policy did not make, as JSON or as a .sol file."""
    solution = random_plan(problem, seed)
    if solution is None:
        return
    as_sol = "routes" in solution and seed % 2
    plan = os.path.join(audit.folder, "plan.sol" if as_sol else "plan.json")
    with open(plan, "w", encoding="utf-8") as file:
        if as_sol:
            for number, route in enumerate(solution["routes"]):
                file.write(f"Route #{number + 1}: {' '.join(map(str, route))}\n")
        else:
            json.dump(solution, file)
    document = audit.cax("explain", model, path, "--solution", plan, "--parts", "alternatives,thumb,story,forbidden,swap")
    if not document:
        return
    said = document["solution"]
    same = problem.check(said)[0]
    audit.tally.judge(name, "--solution is explained", near(same, problem.check(solution)[0], 1e-6, 1e-6), "another plan")
    audit.judge_document(problem, network, document)
    policy = Policy(network, problem)
    end = policy.play_out(problem.reset())
    if end is not None and document["given"]["policy_cost"] is not None:
        cost = decisions.cost_of_actions(problem, end)
        audit.tally.judge(name, "policy's own plan beside it", near(document["given"]["policy_cost"], cost, 1e-5, 1e-5),
                          f"{document['given']['policy_cost']}, not {cost}")


def judge_tight_bounds(audit, name, problem, path, model, network, seed):
    """Bounds near the optimum: some certificates hold, some are refuted, and enumeration tells which."""
    optimum = problem.best(problem.reset())
    if optimum is None:
        return
    worse = 1 + 0.03 * (seed % 4) if problem.sense == "min" else 1 - 0.03 * (seed % 4)
    bound = round(optimum * worse, 3)
    asked = [[BOUNDS[name], bound]] if name in BOUNDS else []
    if hasattr(problem, "fewest") and name in ("cvrp", "cvrptw"):
        asked.append(["--fleet", problem.fewest(problem.reset()) + seed % 2])
    for option, value in asked:
        document = audit.cax("counterfactual", model, path, "--certify", "prefix", option, value, "--refine")
        if not document:
            continue
        prefix = []
        for cell in document["cells"]:
            fleet, cost = (value, None) if option == "--fleet" else (None, value)
            flips.Flip(audit.tally, problem, network, cell, prefix, fleet, cost).judge()
            prefix.append(cell["action"])


def judge_attribute(audit, name, path, model, document, way):
    """`attribute` says what `explain` says: of the same policy in the same precision."""
    options = [word for word in way if word in ("--precision", "double", "--encode", "each-step")]
    said = audit.cax("attribute", model, path, *options)
    if not said:
        return
    for own, other in zip(said["instances"][0]["steps"], document["steps"]):
        part = other["attribution"]
        if own["status"] != "computed" or part is None:
            continue
        for family, each in own["families"].items():
            audit.tally.judge(name, "attribute and explain", near(each["mass"], part["families"][family]["mass"], 1e-6, 1e-9),
                              f"step {own['step'] + 1}, {family}")
        audit.tally.judge(name, "attribute and explain", own["top"] == part["top"], f"step {own['step'] + 1}: first family")


def judge_relaxation(audit, problem, document):
    """The linear relaxation's value is no worse than the optimum."""
    optimum = problem.best(problem.reset()) if problem.exact else None
    if optimum is None or not document.get("lp") or document["lp"]["status"] != "optimal":
        return
    value = document["lp"]["objective"]
    holds = near(value, optimum) or problem.better(value, optimum)
    audit.tally.judge(problem.name, "relaxation bounds the optimum", holds, f"{value}, the optimum is {optimum}")


def judge_why_not(audit, name, problem, path, model, network, seed):
    """Why not that node: not allowed, or so probable, or chosen with this change."""
    node = 1 + seed % (problem.n - 1)
    document = audit.cax("explain", model, path, "--why-not", node, "--parts", "none")
    actions, policy = document["solution"]["actions"], Policy(network, problem)
    for step in document["steps"]:
        said, prefix = step["why_not"], actions[:step["step"]]
        state = problem.replay(prefix)
        mask, unsure = problem.mask(state)
        if unsure or said is None:
            continue
        say = audit.tally.judge
        say(name, "why not", said["allowed"] == mask[node], f"step {step['step'] + 1}: allowed {said['allowed']}")
        say(name, "why not", said["chosen"] == (step["action"] == node), f"step {step['step'] + 1}: chosen")
        if mask[node] and not said["chosen"]:
            own = np.exp(policy.log_probs(state))
            say(name, "why not", near(said["probability"], own[node], 0, 1e-4), f"step {step['step'] + 1}: probability")
        if said.get("counterfactual") and said["counterfactual"]["new_action"] is not None:
            say(name, "why not", said["counterfactual"]["new_action"] == node, f"step {step['step'] + 1}: another action")
            flips.Flip(audit.tally, problem, network, said["counterfactual"], prefix).judge()


def judge_larger(audit, name, make, seed):
    """Too large to enumerate, where only some alternatives have a price."""
    path, instances = audit.generate(name, seed, size=LARGER[name])
    problem, (model, network) = make(instances[0]), audit.policy(name, seed)
    problem.exact = False
    document = audit.cax("explain", model, path, "--parts", "alternatives,story,thumb,forbidden,swap", "--seed", seed)
    if document:
        audit.judge_document(problem, network, document)


# ---- text formats

def as_solomon(instance):
    rows = [[0, instance["depot"]["x"], instance["depot"]["y"], 0, *instance["depot"]["window"], 0]]
    for i, c in enumerate(instance["customers"]):
        rows.append([i + 1, c["x"], c["y"], c["demand"], *c["window"], c["service"]])
    head = f"audit\n\nVEHICLE\nNUMBER     CAPACITY\n  25  {instance['capacity']}\n\nCUSTOMER\n"
    head += "CUST NO.  XCOORD.   YCOORD.    DEMAND   READY TIME  DUE DATE   SERVICE TIME\n\n"
    return head + "".join("  ".join(map(str, row)) + "\n" for row in rows)


def as_fjs(instance):
    lines = [f"{len(instance['jobs'])} {instance['machines']}"]
    for job in instance["jobs"]:
        words = [len(job)]
        for ways in job:
            words += [len(ways)] + [word for m, p in ways for word in (m + 1, p)]
        lines.append(" ".join(map(str, words)))
    return "\n".join(lines) + "\n"


def as_tsplib(instance):
    lines = ["NAME : audit", "TYPE : TSP", f"DIMENSION : {len(instance['cities'])}", "EDGE_WEIGHT_TYPE : EUC_2D",
             "NODE_COORD_SECTION"]
    lines += [f"{i + 1} {c['x']} {c['y']}" for i, c in enumerate(instance["cities"])]
    return "\n".join(lines + ["EOF"]) + "\n"


def as_vrplib(instance):
    nodes = [instance["depot"]] + instance["customers"]
    lines = ["NAME : audit", "TYPE : CVRP", f"DIMENSION : {len(nodes)}", "EDGE_WEIGHT_TYPE : EUC_2D",
             f"CAPACITY : {instance['capacity']}", "NODE_COORD_SECTION"]
    lines += [f"{i + 1} {c['x']} {c['y']}" for i, c in enumerate(nodes)]
    lines += ["DEMAND_SECTION"] + [f"{i + 1} {c.get('demand', 0)}" for i, c in enumerate(nodes)]
    return "\n".join(lines + ["DEPOT_SECTION", "1", "-1", "EOF"]) + "\n"


def drawn(name, seed):
    """Instances of the literature's kind: whole numbers, service times, a map that policies are not trained on."""
    rng = random.Random(seed)
    places = [{"x": rng.randint(0, 100), "y": rng.randint(0, 100)} for _ in range(7)]
    if name == "tsp":
        return {"name": "audit", "cities": places}, as_tsplib, ".tsp"
    if name == "fjsp":
        jobs = [[[[m, rng.randint(1, 9)] for m in rng.sample(range(3), rng.randint(1, 2))] for _ in range(rng.randint(2, 3))]
                for _ in range(3)]
        return {"name": "audit", "machines": 3, "padded_operations": sum(map(len, jobs)), "jobs": jobs}, as_fjs, ".fjs"
    customers = [{**p, "demand": rng.randint(1, 20)} for p in places[1:]]
    if name == "cvrp":
        return {"name": "audit", "capacity": 40, "depot": places[0], "customers": customers}, as_vrplib, ".vrp"
    day = 400
    for c in customers:
        way = round(np.hypot(c["x"] - places[0]["x"], c["y"] - places[0]["y"])) + 1
        opens = rng.randint(way, day - way - 120)
        c |= {"window": [opens, opens + rng.randint(20, 100)], "service": rng.choice([0, 10])}
    depot = {**places[0], "window": [0, day]}
    return {"name": "audit", "capacity": 40, "depot": depot, "customers": customers}, as_solomon, ".txt"


def show_scaled(problem, document):
    """How policies see an instance that is not of their size: into the unit square, or Solomon's day into theirs."""
    if problem.name in ("fjsp", "knapsack"):
        return
    xs, ys = [p[0] for p in problem.xy], [p[1] for p in problem.xy]
    side, largest = max(max(xs) - min(xs), max(ys) - min(ys)), 150 if problem.name == "cvrptw" else 1
    scale = min(1.0, largest / side)
    if problem.name == "cvrptw":
        scale = min(scale, 480 / problem.window[0][1])
    outside = min(xs + ys) < 0 or max(xs + ys) > largest
    if outside or (problem.name == "cvrptw" and scale < 1):
        problem.shown = (scale, np.array([min(xs), min(ys)]))
    audit_scale = document.get("scale", scale)
    return near(audit_scale, scale if problem.shown else 1.0, 1e-6)


def judge_text_format(audit, name, make, seed):
    instance, write, extension = drawn(name, seed)
    path = os.path.join(audit.folder, f"text-{name}-{seed}{extension}")
    with open(path, "w", encoding="utf-8") as file:
        file.write(write(instance))
    judge_file(audit, name, make(instance), path, seed)


def judge_file(audit, name, problem, path, seed, exact=True, steps=None):
    problem.exact = exact
    model, network = audit.policy(name, seed)
    part = ["--step", steps] if steps else []
    document = audit.cax("explain", model, path, "--all", "--reference", 0, "--seed", seed, *part)
    if document:
        audit.tally.judge(name, "scale of a file's numbers", show_scaled(problem, document) is not False, "scale")
        audit.judge_document(problem, network, document, whole=not steps)


def read_solomon(path):
    rows = [line.split() for line in open(path, encoding="utf-8") if line.strip()]
    at = next(i for i, row in enumerate(rows) if row[0] == "NUMBER")
    nodes = [[float(word) for word in row] for row in rows[at + 4:]]
    places = [{"x": r[1], "y": r[2], "demand": r[3], "window": r[4:6], "service": r[6]} for r in nodes]
    return {"capacity": float(rows[at + 1][1]), "depot": places[0], "customers": places[1:]}


def read_fjs(path):
    lines = [[float(word) for word in line.split()] for line in open(path, encoding="utf-8") if line.strip()]
    jobs = []
    for line in lines[1:1 + int(lines[0][0])]:
        numbers, job = iter(line), []
        for _ in range(int(next(numbers))):
            job.append([[int(next(numbers)) - 1, next(numbers)] for _ in range(int(next(numbers)))])
        jobs.append(job)
    return {"machines": int(lines[0][1]), "padded_operations": sum(map(len, jobs)), "jobs": jobs}


def judge_benchmarks(audit, folder, problems, seed):
    """Files of the literature: too large to enumerate, so what needs no enumeration."""
    for relative, name, read in (("solomon/C101.25.txt", "cvrptw", read_solomon), ("fjsp/Mk01.fjs", "fjsp", read_fjs),
                                 ("solomon/R101.25.txt", "cvrptw", read_solomon), ("fjsp/Mk02.fjs", "fjsp", read_fjs)):
        path = os.path.join(folder, relative)
        if os.path.exists(path):
            first = 1 + 3 * (seed % 7)
            judge_file(audit, name, problems[name](read(path)), path, seed, exact=False, steps=f"{first}-{first + 1}")


# ---- what if

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


# ---- Python

PYTHON = """
import json, sys
import cax
policy, path, seed = cax.load_policy(sys.argv[1]), sys.argv[2], int(sys.argv[3])
[instance] = cax.load_instances(path)
why = cax.Explainer(policy, seed=seed)(instance, reference=0)
print(json.dumps(why.to_dict()))
"""


def judge_python(audit, name, path, model, seed):
    """The module, where it is built, says what the command says."""
    environment = {**os.environ, "PYTHONPATH": audit.options.python_path}
    done = subprocess.run([sys.executable, "-c", PYTHON, model, path, str(seed)], env=environment, capture_output=True,
                          text=True, check=False)
    if not audit.tally.judge(name, "Python runs", done.returncode == 0, done.stderr[-400:]):
        return
    said = json.loads(done.stdout)
    document = audit.cax("explain", model, path, "--seed", seed, "--reference", 0)
    for place, (own, other) in enumerate(zip(said["steps"], document["steps"])):
        for key in other:
            if key != "seconds":
                audit.tally.judge(name, "Python and command line", own.get(key) == other[key], f"step {place + 1}: {key}")
    for key in ("story", "plan", "best_known", "solution"):
        audit.tally.judge(name, "Python and command line", said.get(key) == document[key], key)
