"""Policies that nobody has written in C++: a pointer network trained here, one that reads other tensors, one in numpy."""
import sys

import pytest

import cax
from conftest import ROOT

torch = pytest.importorskip("torch")


@pytest.fixture(scope="module")
def trained():
    """By REINFORCE, in a few steps: enough to collect more than it did."""
    sys.path.insert(0, str(ROOT / "examples" / "policies"))
    import pointer_op
    told = []
    network = pointer_op.train(steps=40, tell=told.append)
    before, after = (float(line.split("prize ")[1]) for line in (told[0], told[-1]))
    assert after > before + 0.2
    return network


def explained(policy, instance, **options):
    explain = cax.Explainer(policy, seed=1)
    why = explain(instance, steps=[0, 1], **options)
    for step in why.steps:
        assert step["attribution"]["status"] == "computed"
        assert step["counterfactual"]["status"] in ("certified", "refuted", "undecided", "no_flip")
        assert step["subset"]["samples"] > 0
    for decision in why:
        assert decision.swap.status in ("computed", "not_exchangeable")
        assert decision.sensitivity.status == "computed" and decision.sensitivity.percentiles
        assert decision.alternatives.chosen.cost is not None and decision.thumb.agrees
        assert decision.lines and decision.sentences
    assert "<html" in why.page()[:400].lower()
    return why


@pytest.fixture(scope="module")
def instance():
    return cax.generate("op", seed=77)[0]


def test_a_pointer_network_is_explained_completely(instance, trained):
    policy = cax.torch.policy(trained, problem="op")
    [solution] = cax.solve(policy, instance)
    assert solution.valid
    why = explained(policy, instance)
    assert any(step["counterfactual"]["status"] == "certified" for step in why.steps)
    assert all(decision.swap.status == "computed" for decision in why)
    again = explained(policy, instance)
    assert [s["counterfactual"]["changes"] for s in why.steps] == [s["counterfactual"]["changes"] for s in again.steps]


def test_it_does_the_same_in_its_own_environment(trained):
    import pointer_op
    with torch.no_grad():
        own, _ = pointer_op.rollout(trained.float(), pointer_op.arrays(40, 20, seed=5), greedy=True)
    solutions = cax.solve(cax.torch.policy(trained, problem="op"), cax.generate("op", size=20, count=40, seed=5))
    same = [abs(a.item() - b.cost) < 1e-4 for a, b in zip(own, solutions)]
    assert sum(same) >= 38  # float32 against float64: a tie may fall otherwise


def test_one_that_reads_the_tensors_differently(instance):
    """It looks at the depot's own tensor and at the slack of the latest arrival, as log-probabilities, in float32."""
    def odd(td):
        home = (td["locs"] - td["depot"][:, None]).norm(dim=-1)
        scores = 4 * td["prize"] - home + td["max_length"] - 2.0 * td["visited"].to(td["prize"].dtype)
        return scores.masked_fill(~td["action_mask"], float("-inf")).log_softmax(-1)

    policy = cax.torch.policy(odd, problem="op", scores="log_probs", dtype=torch.float32, batch_invariant=True)
    explained(policy, instance)
    masses = cax.Explainer(policy).attribute(cax.Explainer(policy).rollout(instance), 0, backend="proxy").mass
    assert all(mass > 0 for mass in masses.values())  # prizes, budget and, through the depot too, places


def test_one_in_numpy_goes_as_far_as_it_can(instance):
    policy = cax.Policy(lambda td: td["prize"] * 8, problem="op", batch_invariant=True)
    explain = cax.Explainer(policy)
    why = explain(instance, steps=[0])
    assert why.steps[0]["attribution"]["status"] == "no_gradients"
    assert why.steps[0]["counterfactual"]["status"] == "certified"
    assert why.steps[0]["counterfactual"]["family"] == "prize"
    assert why.steps[0]["subset"]["accepted"]
    assert "policy" in why.to_dict() and why.to_dict()["policy"]["differentiable"] is False
    assert explain.swap(explain.rollout(instance), 0).top == "prize"


@pytest.mark.parametrize("problem", [each["name"] for each in cax.problems()])
def test_every_problem_takes_one(problem):
    tensors = next(each["tensors"] for each in cax.problems() if each["name"] == problem)

    def smooth(td):
        batch, actions = td["action_mask"].shape
        total = sum(td[name].reshape(batch, -1).mean(-1) for name in tensors)
        return torch.sin(total[:, None] * (1 + torch.arange(actions)) / 7)

    [instance] = cax.generate(problem, seed=5)
    policy = cax.torch.policy(smooth, problem=problem)
    explain = cax.Explainer(policy)
    episode = explain.rollout(instance)
    [solution] = cax.solve(policy, instance)  # not valid where rules allow to be late, as in tsptw
    report = cax.check(instance, episode.actions)
    assert episode.finished and solution.actions == episode.actions
    assert (report.valid, report.cost) == (solution.valid, solution.cost) and report.valid == (not report.violations)
    assert explain.attribute(episode, 0).status == "computed"
    assert explain.counterfactual(episode, 0, certify="none", shots=16).status in ("flipped", "no_flip")
