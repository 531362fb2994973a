"""Instances, solutions, and what the results of an explanation hold."""
import json
import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import cax


@pytest.fixture(scope="module")
def op(model_file=None):
    from conftest import ROOT
    policy = cax.load_policy(ROOT / "models" / "op-20-s0.safetensors")
    return policy, cax.generate("op", seed=2)[0]


@pytest.mark.parametrize("problem", [each["name"] for each in cax.problems()])
def test_instances_go_through_arrays_and_files(problem, tmp_path):
    instances = cax.generate(problem, count=3, seed=4)
    arrays = instances[1].tensors()
    [again] = cax.load_instances(arrays, problem)  # arrays alone do not say whose they are: cvrp's are ovrp's
    assert again.problem == problem and again.to_dict() == instances[1].to_dict()
    [single] = cax.load_instances({name: array[0] for name, array in arrays.items()}, problem)
    assert single.to_dict() == instances[1].to_dict()
    cax.save_instances(tmp_path / "all.npz", instances)
    assert [each.to_dict() for each in cax.load_instances(tmp_path / "all.npz", problem)] == [i.to_dict() for i in instances]
    assert [each.to_dict() for each in cax.load_instances(dict(np.load(tmp_path / "all.npz")))] == [
        i.to_dict() for i in instances]


def test_bad_instances_are_named(tmp_path):
    with pytest.raises(FileNotFoundError, match="none.npz"):
        cax.load_instances(tmp_path / "none.npz")
    with pytest.raises(ValueError, match="those of no problem of cax"):
        cax.load_instances({"cities": np.zeros((2, 3))})
    [good] = cax.generate("op", size=5)
    with pytest.raises(ValueError, match="prize"):
        cax.load_instances({**good.tensors(), "prize": np.zeros((1, 4))})
    with pytest.raises(ValueError, match="'sudoku' is not one of"):
        cax.generate("sudoku")


def test_solving_checking_and_baselines(op):
    policy, instance = op
    [solution] = cax.solve(policy, instance)
    assert solution.valid and len(solution.log_probs) == len(solution.actions)
    assert cax.check(instance, solution.actions).cost == solution.cost
    assert cax.check(instance, solution.solution).cost == solution.cost
    with pytest.raises(ValueError):
        cax.check(instance, [999])
    [best] = cax.baseline(instance, seconds=2)
    assert best.cost >= solution.cost
    [sampled] = cax.solve(policy, instance, decode="sample", samples=8, seed=1)
    assert sampled.to_dict() == cax.solve(policy, instance, decode="sample", samples=8, seed=1)[0].to_dict()
    with pytest.raises(ValueError, match="decode"):
        cax.solve(policy, instance, decode="greedily")


def test_an_episode_is_a_sequence_of_decisions(op):
    policy, instance = op
    explain = cax.Explainer(policy)
    episode = explain.rollout(instance)
    assert episode.finished and episode.actions == [d.action for d in episode] == cax.solve(policy, instance)[0].actions
    assert episode[0].probability == pytest.approx(np.exp(episode[0].log_probs.max()))
    assert episode.state(-1).words(episode[-1].action) == episode[-1].words
    assert len(explain.rollout(instance, steps=2)) == 2
    assert len(episode.to_frame()) == len(episode)
    with pytest.raises(IndexError, match="step 99"):
        explain.swap(episode, 99)


def test_results_hold_words_numbers_and_arrays(op):
    policy, instance = op
    explain = cax.Explainer(policy, seed=3)
    episode = explain.rollout(instance)
    attribution = explain.attribute(episode, 0)
    assert attribution.nodes.shape == (3, 21)
    assert attribution.nodes.sum(1) == pytest.approx(np.array(list(attribution.mass.values())))
    assert attribution.top in attribution.families
    found = explain.counterfactual(episode, 0)
    assert found.status in ("certified", "no_flip") and found.best
    moved = {(c.tensor, c.index): c for c in found.best.changes}
    for name, change in found.best.change.items():
        assert {index for tensor, index in moved if tensor == name} == set(zip(*map(list, np.nonzero(change))))
    changed = explain.rollout(found.best.instance, steps=1)
    assert changed[0].action == found.best.new_action
    subset = explain.subset(episode, 0)
    assert subset.accepted and len(subset.labels) == len(subset.nodes) == subset.size
    for result in (attribution, found, subset, explain.swap(episode, 0)):
        json.dumps(result.to_dict())
        assert repr(result).startswith("<cax.")
    frame = explain.attribute(episode).to_frame()
    assert len(frame) == 3 * len(episode) and {"step", "family", "mass", "score"} <= set(frame.columns)
    assert len(found.to_frame()) == len(found.best.changes)


def test_an_explanation_is_words_and_a_page(op, tmp_path):
    policy, instance = op
    explain = cax.Explainer(policy)
    why = explain(instance, steps=[0, 2], shots=16)
    assert [step["step"] for step in why.steps] == [0, 2] and len(why.sentences) > 4
    why.save(tmp_path / "why.html")
    assert "<html" in (tmp_path / "why.html").read_text()[:400].lower()
    why.save(tmp_path / "why.json")
    saved = json.loads((tmp_path / "why.json").read_text())
    assert saved["schema"] == "cax/explanation/1" and saved["policy"]["sha256"] == policy.sha256
    assert 'sandbox="allow-scripts"' in why._repr_html_()
    assert len(why.to_frame()) == 2


def test_the_same_as_on_the_command_line(op, tmp_path):
    cax_binary = os.environ.get("CAX_BINARY")
    if not cax_binary:
        pytest.skip("CAX_BINARY names no program to compare with")
    policy, instance = op
    cax.save_instances(tmp_path / "one.json", instance)
    subprocess.run([cax_binary, "explain", policy.source, tmp_path / "one.json", "--step", "1", "--seed", "4", "--json",
                    tmp_path / "why.json"], check=True, capture_output=True)
    theirs = json.loads((tmp_path / "why.json").read_text())
    ours = cax.Explainer(policy, seed=4)(instance, steps=[0]).to_dict()
    for each in (theirs, ours):
        for step in each["steps"]:
            step.pop("seconds")
    assert ours["steps"] == theirs["steps"] and ours["solution"] == theirs["solution"]


def test_threads_change_nothing(op):
    policy, instance = op
    results = []
    for threads in (1, 2):
        explain = cax.Explainer(policy, seed=1, threads=threads)
        episode = explain.rollout(instance)
        results.append([explain.counterfactual(episode, 0).to_dict(), [explain.subset(episode, step).to_dict() for step in (0, 3)]])
    assert results[0] == results[1]


def test_progress_is_told_and_may_stop_the_work(op):
    policy, instance = op
    told = []
    cax.Explainer(policy, progress=lambda done, total: told.append((done, total))).subset(
        cax.Explainer(policy).rollout(instance), k_max=21, curve=True, samples=12)
    assert told and told[-1][0] <= told[-1][1]

    def stop(done, total):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        cax.Explainer(policy, progress=stop).subset(cax.Explainer(policy).rollout(instance), curve=True, samples=12)


def test_ctrl_c_stops_within_a_fraction_of_a_second(op):
    policy, instance = op
    explain = cax.Explainer(policy)
    episode = explain.rollout(instance)
    sent = []

    def interrupt():
        time.sleep(0.7)
        sent.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=interrupt)
    thread.start()
    with pytest.raises(KeyboardInterrupt):
        explain.subset(episode, samples=2000, curve=True)
    delay = time.monotonic() - sent[0]
    thread.join()
    assert delay < 0.8


def test_other_python_threads_run_meanwhile(op):
    policy, instance = op
    ticks = []
    over = threading.Event()

    def tick():
        while not over.wait(0.01):
            ticks.append(1)

    thread = threading.Thread(target=tick)
    thread.start()
    cax.baseline(cax.generate("cvrptw", size=30), seconds=0.5)
    over.set()
    thread.join()
    assert len(ticks) > 5


def test_importing_cax_does_not_import_torch():
    code = "import sys, cax; assert 'torch' not in sys.modules; cax.torch.policy; assert 'torch' in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)
