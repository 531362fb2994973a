"""A torch module that holds the shipped weights is explained like our own engine with the same weights."""
import numpy as np
import pytest

import cax

PROBLEMS = ["op", "cvrptw", "fjsp"]


def episodes(both, problem, seed=3):
    ours, theirs = both(problem)
    [instance] = cax.generate(problem, seed=seed)
    return [(cax.Explainer(policy, seed=5), cax.Explainer(policy, seed=5).rollout(instance, encode="each-step"))
            for policy in (ours, theirs)]


@pytest.mark.parametrize("problem", PROBLEMS)
def test_same_actions_and_log_probs_within_1e_9(both, problem):
    for seed in range(3):
        (_, ours), (_, theirs) = episodes(both, problem, seed)
        assert ours.actions == theirs.actions
        for a, b in zip(ours, theirs):
            allowed = np.isfinite(a.log_probs)
            assert (allowed == np.isfinite(b.log_probs)).all()
            assert np.abs(a.log_probs[allowed] - b.log_probs[allowed]).max() < 1e-9


@pytest.mark.parametrize("problem", PROBLEMS)
def test_same_gradients(both, problem):
    ours, theirs = both(problem)
    (_, episode), _ = episodes(both, problem)
    for step in range(0, len(episode), max(1, len(episode) // 5)):
        state, action = episode.state(step), episode[step].action
        a, b = ours.gradient(state, action), theirs.gradient(state, action)
        for name in a:
            largest = np.abs(a[name]).max()
            assert a[name].shape == b[name].shape
            assert np.abs(a[name] - b[name]).max() <= 1e-7 * largest + 1e-12, (name, step)


@pytest.mark.parametrize("problem", PROBLEMS)
def test_masses_within_1e_7(both, problem):
    (ours, a), (theirs, b) = episodes(both, problem)
    for left, right in zip(ours.attribute(a), theirs.attribute(b)):
        assert left.status == right.status and left.top == right.top
        for name, mass in left.mass.items():
            assert abs(mass - right.mass[name]) <= 1e-7 * (1 + abs(mass))
        assert np.abs(left.nodes - right.nodes).max() <= 1e-7 * (1 + left.nodes.max())


@pytest.mark.parametrize("problem", PROBLEMS)
def test_same_refined_counterfactuals(both, problem):
    (ours, a), (theirs, b) = episodes(both, problem)
    for step in range(2):
        options = {"shots": 32, "certify": "prefix"}
        left, right = ours.counterfactual(a, step, **options), theirs.counterfactual(b, step, **options)
        assert left.status == right.status
        assert (left.best is None) == (right.best is None)
        if left.best is None:
            continue
        assert left.best.new_action == right.best.new_action
        assert [c.words for c in left.best.changes] == [c.words for c in right.best.changes]
        for name, change in left.best.change.items():
            assert np.array_equal(change, right.best.change[name]), name


@pytest.mark.parametrize("problem", PROBLEMS)
def test_same_subsets(both, problem):
    (ours, a), (theirs, b) = episodes(both, problem)
    for step in range(2):
        left, right = ours.subset(a, step, samples=20), theirs.subset(b, step, samples=20)
        assert (left.accepted, left.nodes, left.rate) == (right.accepted, right.nodes, right.rate)


def test_swap_agrees(both):
    (ours, a), (theirs, b) = episodes(both, "op")
    left, right = ours.swap(a, 0), theirs.swap(b, 0)
    assert left.status == right.status == "computed" and left.other == right.other
    for name, phi in left.families.items():
        assert abs(phi - right.families[name]) < 1e-9
