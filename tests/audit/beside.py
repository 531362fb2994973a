"""What is judged beside the explanation of the policy's own plan: solutions and baselines, plans of others, certificates
at tight bounds, why-not questions, instances too large to enumerate, and Python beside the command line."""
import json
import os
import random
import subprocess
import sys

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
