"""Text formats of the literature, written here, and read again by `cax`; and files of the literature themselves."""
import os
import random

import numpy as np

from decisions import near


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
