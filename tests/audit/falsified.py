#!/usr/bin/env python3
"""Does the audit find what is false? Makes one statement of a true explanation false at a time, and expects it to be found
under its kind."""
import argparse
import copy
import sys
import tempfile

from audit import PROBLEMS, Audit


def first(steps, holds):
    return next(step for step in steps if holds(step))


def free(document):
    """A step with a choice."""
    return first(document["steps"], lambda s: s["runner_up"])


def chosen(step):
    return next(a for a in step["alternatives"] if a["action"] == step["action"])


def other(step):
    """An allowed action that was not taken and has a proved cost."""
    return next(a for a in step["alternatives"] if a["allowed"] and a["action"] != step["action"] and a["cost"] is not None)


def change(record, key, value):
    record[key] = value


def flipped(document):
    return first(document["steps"], lambda s: s["counterfactual"] and s["counterfactual"]["new_action"] is not None)


def swapped(document):
    return first(document["steps"], lambda s: s["swap"]["status"] == "computed")


# What is made false, and the kind under which it has to be found.
LIES = [
    ("cost of the plan", lambda d: change(d["solution"], "cost", 1.01 * d["solution"]["cost"])),
    ("validity of the plan", lambda d: change(d["solution"], "valid", False)),
    ("actions allowed", lambda d: change(free(d), "allowed", free(d)["allowed"] + 1)),
    ("probability", lambda d: change(free(d), "probability", 0.9 * free(d)["probability"])),
    ("completion cost", lambda d: change(other(free(d)), "cost", other(free(d))["cost"] + 0.001)),
    ("regret", lambda d: change(other(free(d)), "regret", other(free(d))["regret"] + 0.01)),
    ("impossible", lambda d: change(chosen(free(d)), "impossible", True)),
    ("policy's own completion", lambda d: change(chosen(free(d)), "policy_cost", 1.02 * chosen(free(d))["policy_cost"])),
    ("given away, proved", lambda d: change(free(d)["price"], "given_away", free(d)["price"]["given_away"] + 0.1)),
    ("heuristic agrees", lambda d: change(free(d)["thumb"], "nearest", not free(d)["thumb"]["nearest"])),
    ("heuristic's record", lambda d: change(d["thumb"]["rules"][0], "agreed", d["thumb"]["rules"][0]["agreed"] + 1)),
    ("counts of the plan", lambda d: d["plan"]["close_calls"].append(0)),
    ("largest regret", lambda d: change(d["plan"], "regret", 17.0)),
    ("optimum", lambda d: change(d["best_known"], "cost", 1.01 * d["best_known"]["cost"])),
    ("gap", lambda d: change(d["best_known"], "gap", d["best_known"]["gap"] + 0.01)),
    ("tight", lambda d: d["plan"]["tight"].append({"step": 0, "family": d["problem"]["families"][0]["name"]})),
    ("fragile", lambda d: change(d["plan"], "fragile_rate", 0.987)),
    ("flip", lambda d: change(flipped(d)["counterfactual"], "new_action", flipped(d)["action"])),
    ("size of a change", lambda d: change(flipped(d)["counterfactual"], "l1", 2 * flipped(d)["counterfactual"]["l1"])),
    ("witness", lambda d: change(flipped(d)["counterfactual"]["certificate"], "cost", 99.0)),
    ("refuted", lambda d: flipped(d)["counterfactual"]["certificate"].update(verdict="refuted", words="", reason="a lie")),
    ("swap", lambda d: change(swapped(d)["swap"], "margin", swapped(d)["swap"]["margin"] + 0.1)),
    ("mass of a node", lambda d: change(free(d)["attribution"]["node_families"]["spatial"], 1, 50.0)),
    ("share", lambda d: change(free(d)["attribution"]["families"]["spatial"], "share", 0.123)),
    ("confidence of a subset", lambda d: change(free(d)["subset"], "lower_bound", 0.999)),
    ("slack", lambda d: change(first(d["steps"], lambda s: s["slacks"])["slacks"][0], "used", 0.777)),
    ("rounding in sentences", lambda d: change(d["story"][0], "text", d["story"][0]["text"].replace("decisions", "x").replace(
        str(d["plan"]["decisions"]), "77"))),
    ("close call", lambda d: change(free(d)["lines"][0], "text", "Clear: " + free(d)["lines"][0]["text"].split(": ", 1)[1]
                                    if free(d)["probability"] < 0.95 else "Close call: " + free(d)["lines"][0]["text"])),
]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cax", required=True)
    parser.add_argument("--models", required=True)
    options = parser.parse_args()
    options.quick = options.benchmarks = options.python_path = None
    missed = []
    with tempfile.TemporaryDirectory() as folder:
        for turn, name in enumerate(("cvrp", "op")):
            audit = Audit(options, folder)
            path, instances = audit.generate(name, 2)
            problem, (model, network) = PROBLEMS[name](instances[0]), audit.policy(name, 2)
            document = audit.cax("explain", model, path, "--all", "--reference", 0, "--precision", "double")
            audit.judge_document(problem, network, document)
            if audit.tally.false:
                missed.append(f"{name}: false before anything was changed: {audit.tally.false[0]}")
            for kind, lie in LIES[turn::2]:
                told = copy.deepcopy(document)
                try:
                    lie(told)
                except (StopIteration, KeyError, TypeError, IndexError):
                    missed.append(f"{name}, {kind}: there is nothing to make false")
                    continue
                judge = Audit(options, folder)
                judge.tally.known = []
                judge.judge_document(problem, network, told)
                if not any(text.startswith(f"{name}, {kind}:") for text in judge.tally.false):
                    missed.append(f"{name}, {kind}: not found; found {[t.splitlines()[0] for t in judge.tally.false]}")
    print("\n".join(missed) or f"{len(LIES)} false statements found")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
