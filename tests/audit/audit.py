#!/usr/bin/env python3
"""Judges statements of explanations with naive code that shares nothing with cax but its file formats.

    tests/audit/audit.py --cax build/ci/src/cli/cax --models models --statements 50000

Every problem is written again from its definition (routing.py, tours.py, knapsack.py, shop.py), the networks in double precision
(networks.py). What a statement says is computed again by enumeration; a false one is printed with the command that
shows it, and makes the exit code 1. `known.json` lists what is known to be false, with the reason."""
import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time

import beside
import decisions
import files
import flips
import masses
import plans
import sentences
import served
from knapsack import Knapsack
from networks import network_of, random_attention
from routing import Cvrp, Cvrptw
from shop import Shop
from sight import Policy
from tally import Tally, read_known
from tours import Op, Pctsp, Tsp, Tsptw

HERE = os.path.dirname(os.path.abspath(__file__))
PROBLEMS = {c.name: c for c in (Cvrp, Cvrptw, Op, Pctsp, Tsp, Tsptw, Knapsack, Shop)}
MODELS = {"cvrp": "cvrp-20", "cvrptw": "cvrptw-50", "op": "op-20", "pctsp": "pctsp-20", "knapsack": "knapsack-20",
          "fjsp": "fjsp-10x5"}
SIZES = {"cvrp": 7, "cvrptw": 7, "op": 7, "pctsp": 7, "tsp": 7, "tsptw": 7, "knapsack": 10, "fjsp": "3x2"}
OPTIONS = {"fjsp": ["min-ops=2", "max-ops=3"], "cvrptw": ["capacity=15"], "cvrp": ["capacity=15"]}
# How explanations are asked for, in turn: what needs no option, and what makes costs found, bounded or the policy's own.
WAYS = [[], ["--regret", "search"], ["--precision", "double", "--proof-work", "200", "--search-work", "30", "--priced", "2"],
        ["--precision", "double"], ["--regret", "policy"], ["--encode", "each-step", "--precision", "double"],
        ["--solver-work", "0", "--proof-work", "0", "--search-work", "20", "--priced", "3"],
        ["--proof-work", "0", "--search-work", "100", "--priced", "2", "--precision", "double"]]


class Audit:
    def __init__(self, options, folder):
        self.options, self.folder = options, folder
        for name in ("cax", "models", "benchmarks", "python_path"):  # it runs in a folder of its own
            path = getattr(options, name)
            setattr(options, name, os.path.abspath(path) if path else path)
        self.tally = Tally(read_known(os.path.join(HERE, "known.json")))
        self.networks = {}

    # ---- running cax

    def cax(self, *arguments):
        """Its JSON result. The command is kept: it shows what a statement is about."""
        command = [self.options.cax, *[str(a) for a in arguments], "--threads", "1"]
        self.tally.command = " ".join(command)
        return self.json_of(command)

    def json_of(self, command):
        done = subprocess.run(command + ["--json", "-"], capture_output=True, text=True, check=False, cwd=self.folder)
        if done.returncode not in (0, 1) or not done.stdout.strip():
            self.tally.judge("cax", "runs", False, f"exit code {done.returncode}: {done.stderr[-400:]}")
            return None
        return json.loads(done.stdout)

    def generate(self, problem, seed, size=None):
        """One instance, with the problem's settings if it is of the usual size."""
        path = os.path.join(self.folder, f"{problem}-{seed}{'-large' if size else ''}.json")
        settings = [word for option in ([] if size else OPTIONS.get(problem, [])) for word in ("--set", option)]
        command = [self.options.cax, "generate", problem, "--size", str(size or SIZES[problem]), "--seed", str(seed),
                   "-o", path, *settings]
        subprocess.run(command, check=True, capture_output=True)
        self.tally.place = " ".join(command)
        with open(path, encoding="utf-8") as file:
            return path, json.load(file)["instances"]

    def policy(self, problem, seed):
        """A trained one; where there is none, one with random weights, or one without a preference."""
        if problem in MODELS:
            path = os.path.join(self.options.models, f"{MODELS[problem]}-s{seed % 3}.safetensors")
        else:
            path = os.path.join(self.folder, f"{problem}-random-{seed % 5}.safetensors")
            if not os.path.exists(path):
                features, scalars = (2, 0) if problem == "tsp" else (4, 1)
                random_attention(path, problem, features, scalars, problem == "tsp", SIZES[problem], seed % 5,
                                 flat=seed % 5 == 4)
        if path not in self.networks:
            self.networks[path] = network_of(path)
        return path, self.networks[path]

    # ---- one instance

    def one_instance(self, name, seed):
        """All that is judged of one instance; the dearer parts take turns."""
        path, instances = self.generate(name, seed)
        model, network = self.policy(name, seed)
        make = PROBLEMS[name]
        problem = make(instances[0])
        way = WAYS[seed % len(WAYS)]
        document = self.cax("explain", model, path, "--all", "--seed", seed, "--reference", 0, *way)
        if document:
            self.judge_document(problem, network, document, each_step="each-step" in way)
            beside.judge_relaxation(self, problem, document)
            beside.judge_attribute(self, name, path, model, document, way)
        beside.judge_solve(self, name, problem, path, model, network)
        beside.judge_external_plan(self, name, problem, path, model, network, seed)
        beside.judge_tight_bounds(self, name, problem, path, model, network, seed)
        turn = seed % 4
        quick = self.options.quick
        if name != "fjsp":
            beside.judge_why_not(self, name, problem, path, model, network, seed)
        if (turn == 0 or quick) and problem.best(problem.reset()) is not None:
            beside.judge_baseline(self, name, problem, path)
        if (turn == 1 or quick) and name in ("cvrp", "cvrptw", "tsp", "fjsp"):
            files.judge_text_format(self, name, make, seed)
        if turn == 2 or quick:
            served.judge_serve(self, name, problem, path, model, network, make, seed)
        if turn == 3:
            beside.judge_larger(self, name, make, seed)
        if (turn == 3 or quick) and self.options.python_path:
            beside.judge_python(self, name, path, model, seed)

    def judge_document(self, problem, network, document, each_step=False, whole=True):
        """`whole`: all steps are there."""
        plans.Plan(self.tally, problem, document).judge(whole)
        double = document["settings"]["precision"] == "double"
        policy = Policy(network, problem, each_step, double) if network else None
        actions = document["solution"]["actions"]
        for step in document["steps"]:
            place = step["step"]
            state = problem.replay(actions[:place])
            decisions.Decision(self.tally, problem, policy, state, step, actions[:place]).judge()
            if policy and step["counterfactual"]:
                flips.Flip(self.tally, problem, network, step["counterfactual"], actions[:place],
                           each_step=each_step).judge()
            if policy and not problem.mask(state)[1]:
                masses.judge_attribution(self.tally, problem, policy, state, step, double)
            self.judge_subset(problem, step)
            for line in step["lines"]:
                sentences.judge_line(self.tally, problem.name, document, line)
            for sentence in step["sentences"]:
                sentences.judge_sentence(self.tally, problem.name, step, sentence)
        for line in document["story"]:
            sentences.judge_line(self.tally, problem.name, document, line)

    def judge_subset(self, problem, step):
        part = step["subset"]
        if not part or part["forced"] or part["rate"] is None:
            return
        hits = round(part["rate"] * part["samples"])
        say = self.tally.judge
        say(problem.name, "subset", abs(part["rate"] * part["samples"] - hits) < 1e-6, f"rate {part['rate']}")
        say(problem.name, "subset", part["size"] == len(part["nodes"]), f"size {part['size']}")
        level, bound = part["level"], part["lower_bound"]
        if hits and 0 < bound < 1:
            tail = flips.binomial_tail(hits, part["samples"], bound)
            say(problem.name, "confidence of a subset", tail <= level * (1 + 1e-6),
                f"at least {bound} of {hits}/{part['samples']}: {tail} is more than {level}")

    # ---- everything

    def strangers(self):
        """Problems of the program that nobody has written again here."""
        done = subprocess.run([self.options.cax, "generate", "--help"], capture_output=True, text=True, check=True)
        listed = re.search(r"One of: ([a-z0-9_, \n]+)", done.stdout)
        names = re.split(r"[,\s]+", listed.group(1).split("\n\n")[0]) if listed else []
        return [name for name in names if name and name not in PROBLEMS]

    def run(self):
        rounds, begin = 0, time.monotonic()
        only = self.options.only.split(",") if self.options.only else list(PROBLEMS)
        while self.tally.total() < self.options.statements:
            seed = self.options.seed + rounds
            for name in only:
                self.one_instance(name, seed)
            if self.options.benchmarks:
                files.judge_benchmarks(self, self.options.benchmarks, PROBLEMS, seed)
            rounds += 1
        print(self.tally.report())
        for name in self.strangers():
            print(f"not judged: {name}, for which there is no naive code yet")
        print(f"{rounds} rounds, {time.monotonic() - begin:.0f} s")
        for text in self.tally.false[:self.options.show]:
            print("FALSE " + text)
        return 1 if self.tally.false else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cax", required=True, help="the program")
    parser.add_argument("--models", required=True, help="folder of trained policies")
    parser.add_argument("--statements", type=int, default=50_000, help="judge at least so many")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", help="problems, separated by commas")
    parser.add_argument("--quick", action="store_true", help="every kind of judgement in every round")
    parser.add_argument("--benchmarks", help="folder of the literature's files, if there is one")
    parser.add_argument("--python-path", help="where the Python module is, if it is built")
    parser.add_argument("--show", type=int, default=20, help="so many false statements are printed")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        return Audit(options, folder).run()


if __name__ == "__main__":
    sys.exit(main())
