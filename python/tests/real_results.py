"""Result files of every command, on every problem of the registry, by the real program."""
import json
import os
import pathlib
import subprocess
import sys

import cax

GOLDEN = pathlib.Path(__file__).resolve().parents[2] / "tests" / "data" / "rl4co-golden"
EXAMPLE = GOLDEN.parents[2] / "examples" / "policies" / "prize_per_distance.py"
SIZES = {"fjsp": "3x2"}
TINY = ["--instances", "32", "--batch", "16", "--forced", "2", "--free", "2", "--embedding", "16", "--layers", "1",
        "--heads", "2", "--validation", "2", "--validate-every", "32", "--seed", "3", "--threads", "1"]


class Results:
    """Runs the program in a folder and remembers what it wrote, as (name, content)."""

    def __init__(self, folder):
        self.folder = folder
        self.files = []

    def run(self, *words, answer=(0, 1)):
        environment = {**os.environ, "CAX_CACHE": str(self.folder / "cache")}
        done = subprocess.run([os.environ["CAX_BINARY"], *map(str, words)], cwd=self.folder, capture_output=True,
                              text=True, env=environment)
        assert done.returncode in answer, f"{words}: {done.stderr}"
        return done.stdout

    def keep(self, name):
        self.files.append((name, json.loads((self.folder / name).read_text())))

    def ask(self, command, policy, instances, *words, name=None):
        """The result of a command that takes a policy and instances."""
        name = name or f"{command}-{instances}"
        self.run(command, policy, instances, *words, "--json", name)
        self.keep(name)


def of_one_swap(results, policy, instances):
    """With an action that is named: the one that it is compared with anyway, if there is one."""
    for cell in dict(results.files)[f"swap-{instances}"]["cells"]:
        if cell["instance"] == 0 and cell["swap"]["status"] == "computed":
            results.ask("swap", policy, instances, "--limit", 1, "--step", cell["step"] + 1, "--other",
                        cell["swap"]["other"], name=f"swap-other-{instances}")
            return


def of_problem(results, problem):
    size = SIZES.get(problem, "6")
    policy, instances = f"{problem}.safetensors", f"{problem}.json"
    results.run("generate", problem, "--size", size, "--count", 2, "--seed", 7, "-o", instances)
    results.keep(instances)
    results.run("train", problem, "--size", size, *TINY, "-o", policy)
    results.run("inspect", policy, "--json", f"inspect-policy-{problem}.json")
    results.run("inspect", instances, "--json", f"inspect-{problem}.json")
    results.keep(f"inspect-policy-{problem}.json")
    results.keep(f"inspect-{problem}.json")
    results.ask("solve", policy, instances, "--solutions", f"solutions-{problem}.json")
    results.keep(f"solutions-{problem}.json")
    results.run("baseline", instances, "--iterations", 50, "--json", f"baseline-{problem}.json")
    results.keep(f"baseline-{problem}.json")
    if all(each["valid"] for each in dict(results.files)[f"solutions-{problem}.json"]["instances"]):
        results.ask("gap", policy, instances, "--best-known", f"baseline-{problem}.json")
        results.ask("gap", policy, instances, "--best-known", f"baseline-{problem}.json", "--decode", "greedy,sample",
                    name=f"gaps-{problem}.json")
    results.ask("attribute", policy, instances, "--steps", 3)
    results.ask("attribute", policy, instances, "--steps", 2, "--dual-range", name=f"ranges-{problem}.json")
    results.ask("attribute", policy, instances, "--steps", 2, "--method", "integrated", "--backend", "proxy",
                name=f"integrated-{problem}.json")
    results.ask("counterfactual", policy, instances, "--steps", 2, "--shots", 32)
    results.ask("counterfactual", policy, instances, "--steps", 2, "--shots", 32, "--refine", "--per-family", "--wachter",
                "--certify", "prefix", name=f"refined-{problem}.json")
    results.ask("subset", policy, instances, "--steps", 2)
    results.ask("subset", policy, instances, "--limit", 1, "--steps", 2, "--order", "proxy,random", "--exact", "--curve",
                name=f"exact-{problem}.json")
    for part in ("swap", "forbidden", "thumb"):
        results.ask(part, policy, instances, "--steps", 3)
    of_one_swap(results, policy, instances)
    results.ask("regret", policy, instances)
    results.ask("sensitivity", policy, instances, "--steps", 2, "--reference", 6)
    results.ask("alternatives", policy, instances, "--steps", 2)
    node = "1.1" if problem == "fjsp" else "1"
    for name, more in (("explain", ()), ("ranges-of", ("--step", "1,2", "--dual-range")),
                       ("why-not", ("--step", "1", "--why-not", node)), ("few", ("--steps", "2", "--parts", "none"))):
        results.ask("explain", policy, instances, "--shots", 16, "--reference", 6, "--story-work", 200, *more,
                    name=f"{name}-{problem}.json")


def of_all(results):
    """Kinds that are the same whatever the problem."""
    for each in cax.problems():
        of_problem(results, each["name"])
    results.ask("attribute", "op.safetensors", "op.json", "--backend", "subgrad", "--method", "occlusion", name="ascent.json")
    results.run("explain", "--policy-command", f"{sys.executable} {EXAMPLE}", "op.json", "--step", 1, "--reference", 0,
                "--json", "process.json")
    results.keep("process.json")
    results.run("diff", "explain-op.json", "few-op.json", "--json", "diff.json")
    results.keep("diff.json")
    settings = {"instances": 1, "steps": 2, "shots": 8, "resamples": 50, "search_iterations": 50,
                "subset": {"instances": 1, "k_max": 2}}
    (results.folder / "settings.json").write_text(json.dumps(settings))
    results.run("study", "--policy", "op.safetensors", "--settings", "settings.json", "-o", "study")
    results.keep("study/tables.json")
    results.keep("study/run.json")
    results.run("inspect", "study/study.sqlite", "--json", "inspect-store.json")
    results.keep("inspect-store.json")
    results.run("check-golden", GOLDEN, "--json", "golden.json")
    results.keep("golden.json")
    for table in sorted((results.folder / "cache").glob("reference-*.json")):
        results.keep(f"cache/{table.name}")
