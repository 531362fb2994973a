"""Every part of an explanation, on every problem that has a trained policy: Python has it, and says what the command
line says."""
import json
import os
import subprocess

import pytest

import cax
from cax import _cax
from cax.explanation import PARTS, ExplainedDecision
from conftest import ROOT

NAMES = _cax.part_names()
ASKED = [name for name in PARTS if name != "regret"]  # whose method takes a step: a regret is of a whole plan
CHOSEN = [name for name in NAMES if name != "why_not"]  # that one is asked for by a node
MODELS = {path.name.split("-")[0]: path for path in sorted((ROOT / "models").glob("*-s0.safetensors"))}
SIZES = {"fjsp": "3x2"}
NODES = {"fjsp": "1.1"}
QUICK = {"reference": 6, "story_work": 200, "search_work": 200}
FOR_THE_CLOCK = {"seconds", "wall_seconds"}


def comparable(value):
    """Without what is never the same: times, and where the policy's file was found."""
    if isinstance(value, list):
        return [comparable(each) for each in value]
    if not isinstance(value, dict):
        return value
    left_out = FOR_THE_CLOCK | ({"path"} if "sha256" in value else set())
    return {key: comparable(each) for key, each in value.items() if key not in left_out}


def words(options):
    """Keywords as the command line has them."""
    return [word for name, value in options.items() for word in (f"--{name.replace('_', '-')}", str(value))]


class Bench:
    """One small instance and its policy, for Python and, as files, for the command line."""

    def __init__(self, problem, folder):
        self.folder = folder
        self.policy = cax.load_policy(MODELS[problem])
        made = cax.generate(problem, size=SIZES.get(problem, 6), seed=2)
        cax.save_instances(folder / "one.json", made)
        [self.instance] = cax.load_instances(folder / "one.json")
        self.explain = cax.Explainer(self.policy, seed=4)
        self.node = NODES.get(problem, "1")

    def run(self, command, *options):
        subprocess.run([os.environ["CAX_BINARY"], command, self.policy.source, "one.json", "--seed", "4", "--json",
                        "result.json", *options], check=True, capture_output=True, cwd=self.folder)
        return json.loads((self.folder / "result.json").read_text())


@pytest.fixture(scope="module", params=MODELS)
def bench(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp(request.param)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CAX_CACHE", str(folder / "cache"))
        yield Bench(request.param, folder)


@pytest.mark.parametrize("name", NAMES)
def test_python_has_every_part(name):
    assert hasattr(ExplainedDecision, name) or hasattr(cax.Explanation, name)
    assert name in PARTS or not hasattr(cax.Explainer, name) or name in ("counterfactual", "subset", "story")
    if name in PARTS:
        assert hasattr(cax.Explainer, name) and PARTS[name]._kind == name


def test_a_whole_explanation_is_the_same_on_the_command_line(bench):
    said = bench.run("explain", "--parts", ",".join(CHOSEN), "--why-not", bench.node, *words(QUICK))
    made = bench.explain(bench.instance, parts=CHOSEN, why_not=bench.node, **QUICK).to_dict()
    assert comparable(made) == comparable(said)
    unproved = {"regret"} if made["regret"] is None else set()  # there may be no exact method, and no search
    assert all(step[name] is not None for step in made["steps"] for name in set(NAMES) - unproved if name in step)
    assert made["story"]


@pytest.mark.parametrize("name", CHOSEN)
def test_each_part_alone_is_the_same_on_the_command_line(bench, name):
    said = bench.run("explain", "--step", "2", "--parts", name, *words(QUICK))
    why = bench.explain(bench.instance, steps=[1], parts=[name], **QUICK)
    made = why.to_dict()
    # A list of steps is typed counted from 1, and given counted from 0.
    assert comparable(made) == comparable(said)
    for other in NAMES:
        if other in made["steps"][0]:
            there = made["steps"][0][other] is not None
            assert there == (other == name) or (name == other == "regret" and made["regret"] is None), other
            assert (getattr(why[0], other) is not None) == there, other


@pytest.mark.parametrize("name", ASKED)
def test_the_command_of_a_part_says_what_its_method_says(bench, name):
    known = {option["name"] for option in cax.options(name)}
    options = {key: value for key, value in QUICK.items() if key in known}
    said = bench.run(name, *words(options))
    episode = bench.explain.rollout(bench.instance)
    made = getattr(bench.explain, name)(episode, **options)
    assert made.to_dict()["cells"] == said["cells"] and len(made) == len(episode)


def test_the_regret_of_a_plan_is_the_same_on_the_command_line(bench):
    [said] = bench.run("regret")["instances"]
    made = bench.explain.regret(bench.explain.rollout(bench.instance))
    assert made.to_dict() == said and len(made.decisions) == len(said.get("decisions", []))


def test_a_question_about_one_decision_costs_the_same_however_long_the_episode_is():
    calls = []

    def prizes(td):
        calls.append(len(td["prize"]))
        return 10 * td["prize"]

    explain = cax.Explainer(cax.Policy(prizes, problem="op", batch_invariant=True))
    counted = {}
    for size in (6, 60):
        [instance] = cax.generate("op", size=size, seed=1)
        for steps in (0, 1):
            episode = explain.rollout(instance, steps=steps)
            calls.clear()
            swap = explain.swap(episode, 0)
            assert swap.status == "computed" and sum(calls) == swap.forward_passes
            counted[size, len(episode)] = len(calls)
    assert len(counted) == 4 and max(length for _, length in counted) > 5
    assert set(counted.values()) == {1}, counted
