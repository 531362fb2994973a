"""Judges attributions: masses against finite differences of the naive network, and what is computed from them."""
import numpy as np

from decisions import columns, near

STEP = 1e-7  # short: the networks have kinks


def derivative(network, seen, action, move):
    """Of the log-probability, by central differences; `move` changes a copy of what is seen."""
    values = []
    for sign in (1, -1):
        shown = {key: (np.array(v, float) if key in ("rows", "depot", "context") and v is not None else v)
                 for key, v in seen.items()}
        move(shown, sign * STEP)
        values.append(network.log_probs(shown)[action])
    return (values[0] - values[1]) / (2 * STEP)


def node_masses(problem, policy, state, action):
    """By family and node: sum over entries of |value x derivative|."""
    seen, found = policy.see(state), {}
    first = 1 if seen["depot"] is not None else 0

    def add(family, node, value, move):
        slope = derivative(policy.network, seen, action, move)
        found.setdefault(family, {}).setdefault(node, 0.0)
        found[family][node] += abs(value * slope)

    for family, own in columns(problem).items():
        for row, values in enumerate(seen["rows"]):
            for column in own:
                def move(shown, by, row=row, column=column):
                    shown["rows"][row, column] += by
                add(family, row + first, values[column], move)
    for axis in range(2 if first else 0):
        def move_depot(shown, by, axis=axis):
            shown["depot"][axis] += by
        add("spatial", 0, seen["depot"][axis], move_depot)
    if problem.name == "op":
        def move_limit(shown, by):
            shown["context"][0] += by
        add("budget", 0, problem.limit - 1e-6, move_limit)
    return found


def judge_attribution(tally, problem, policy, state, step, double):
    """`double`: of a network in double precision. In single precision a kink may lie on the other side."""
    part = step["attribution"]
    if not part or part["status"] != "computed":
        return
    name = problem.name

    def say(kind, holds, message=""):
        return tally.judge(name, kind, bool(holds),
                           lambda: f"step {step['step'] + 1}: {message() if callable(message) else message}")

    families, nodes = part["families"], part["node_families"]
    for family, each in families.items():
        say("mass of a family", near(each["mass"], sum(nodes[family]), 1e-6, 1e-9), f"{family}: {each['mass']}")
        if each["score"] is not None and each["lambda"] is not None:
            say("score", near(each["score"], each["mass"] * each["lambda"], 1e-6, 1e-9), f"{family}: {each}")
    scores = [f["score"] for f in families.values()]
    if None not in scores and sum(scores) > 0:
        for family, each in families.items():
            say("share", near(each["share"], each["score"] / sum(scores), 1e-6, 1e-9), f"{family}: {each}")
        ranked = [families[f]["score"] for f in part["ranked"]]
        say("order of families", ranked == sorted(ranked, reverse=True), f"{part['ranked']}")
        say("order of families", part["top"] is None or families[part["top"]]["score"] == max(scores), f"{part['top']}")
    if not double or name == "fjsp" or problem.shown or (step["policy"] and not step["policy"]["agrees"]):
        return
    own = node_masses(problem, policy, state, step["action"])
    for family, values in nodes.items():
        scale = max(max(values), 1e-3)
        for node, value in enumerate(values):
            if value != 0 and not (name == "tsptw" and node == 0):
                mass = own.get(family, {}).get(node, 0.0)
                say("mass of a node", near(value, mass, 5e-3, 5e-3 * scale),
                    lambda: f"{family}, node {node}: {value}, not {mass}")
