"""Policies of one's own: what they are shown, what is made of their answers, and what is not taken from them."""
import numpy as np
import pytest

import cax


def closest(td):
    here = np.take_along_axis(td["locs"], td["current_node"][..., None], 1)
    return 3 * td["prize"] - np.linalg.norm(td["locs"] - here, axis=-1)


@pytest.fixture
def instance():
    return cax.generate("op", size=10, seed=1)[0]


def test_shows_batches_of_rl4cos_tensors(instance):
    seen = []

    def look(td):
        seen.append({name: (array.shape, array.dtype) for name, array in td.items()})
        return closest(td)

    policy = cax.Policy(look, problem="op")
    policy.log_probs(instance.reset())
    [td] = seen
    assert td["locs"] == ((1, 11, 2), np.float64)
    assert td["action_mask"] == ((1, 11), np.bool_)
    assert td["current_node"] == ((1, 1), np.int64)
    assert td["tour_length"] == ((1,), np.float32)
    state = instance.reset()
    state.step(int(np.flatnonzero(state.action_mask)[1]))
    policy.log_probs([instance.reset(), state, instance.reset()])
    assert len(seen) == 4  # one state each, unless the policy says that batches do not matter


def test_makes_batches_for_those_who_allow_it(instance):
    sizes = []
    policy = cax.Policy(lambda td: sizes.append(len(td["locs"])) or closest(td), problem="op", batch_invariant=True,
                        batch=8, reads=["locs", "prize", "current_node"])
    policy.log_probs([instance.reset()] * 20)
    assert sizes == [8, 8, 4]


def test_masks_and_normalises(instance):
    state = instance.reset()
    log_probs = cax.Policy(closest, problem="op").log_probs(state)
    assert (np.isfinite(log_probs) == state.action_mask).all()
    assert np.exp(log_probs).sum() == pytest.approx(1)


@pytest.mark.parametrize("answer, sentence", [
    (lambda td: td["prize"][:, :3], r"its scores have shape \[1, 3\], expected \[1, 11\]"),
    (lambda td: np.nan * td["prize"], "the score of action 0 is nan"),
    (lambda td: "scores", "no array of numbers"),
    (lambda td: None, "expected|no array"),
])
def test_does_not_believe_everything(instance, answer, sentence):
    with pytest.raises(cax.PolicyError, match=sentence):
        cax.Policy(answer, problem="op", name="liar").log_probs(instance.reset())


def test_checks_the_sum_of_log_probs(instance):
    policy = cax.Policy(lambda td: np.zeros_like(td["prize"]), problem="op", scores="log_probs")
    with pytest.raises(cax.PolicyError, match="add up to"):
        policy.log_probs(instance.reset())


def test_exceptions_of_the_policy_arrive_as_they_are(instance):
    class Special(Exception):
        pass

    def broken(td):
        raise Special("inside")

    policy = cax.Policy(broken, problem="op")
    with pytest.raises(Special, match="inside"):
        policy.log_probs(instance.reset())
    with pytest.raises(Special, match="inside"):
        cax.solve(policy, [instance] * 20, threads=2)


def test_without_gradients_says_so_and_does_the_rest(instance):
    explain = cax.Explainer(cax.Policy(closest, problem="op"))
    episode = explain.rollout(instance)
    assert {each.status for each in explain.attribute(episode)} <= {"no_gradients", "no_choice"}
    assert explain.attribute(episode, 0, method="occlusion").status == "computed"
    found = explain.counterfactual(episode, 0, certify="none")
    assert found.status == "flipped" and len(found.best.changes) < 20  # refined without gradients
    assert explain.subset(episode, 0).order == "occlusion"
    with pytest.raises(ValueError, match="no gradients; occlusion and random need none"):
        explain.subset(episode, 0, order="proxy")
    why = explain(instance, steps=[0])
    assert "The policy has no gradients: which rules counted was not computed." in why.sentences
    with pytest.raises(cax.PolicyError, match="no gradients"):
        explain.policy.gradient(instance.reset(), 0)


def test_gradients_of_ones_own(instance):
    def gradient(td, cotangents):
        return {"prize": 7 * cotangents}

    policy = cax.Policy(lambda td: 7 * td["prize"], problem="op", gradient=gradient)
    state = instance.reset()
    p = np.exp(policy.log_probs(state))
    found = policy.gradient(state, 2)
    assert np.allclose(found["prize"], 7 * (np.arange(11) == 2) - 7 * p)
    assert not found["locs"].any() and not found["max_length"].any()


def test_unknown_problems_tensors_and_options_are_named(instance):
    with pytest.raises(ValueError, match='"chess" is not a problem of cax'):
        cax.Policy(closest, problem="chess")
    with pytest.raises(ValueError, match='reads: "lox" is not a tensor of op'):
        cax.Policy(closest, problem="op", reads=["lox"])
    with pytest.raises(ValueError, match="scores 'odds' is not one of logits, log_probs"):
        cax.Policy(closest, problem="op", scores="odds")
    policy = cax.Policy(closest, problem="op")
    with pytest.raises(TypeError, match="no option shorts; there are: .*shots"):
        explain = cax.Explainer(policy)
        explain.counterfactual(explain.rollout(instance), 0, shorts=3)
    with pytest.raises(ValueError, match="the policy is for op, not for cvrptw"):
        cax.solve(policy, cax.generate("cvrptw", size=5))


def test_a_policy_in_another_process(instance):
    example = __import__("conftest").ROOT / "examples" / "policies" / "prize_per_distance.py"
    policy = cax.load_policy(command=f"/usr/bin/python3 {example}")
    assert policy.problem == "op" and policy.name == "prize per distance"
    assert cax.solve(policy, instance)[0].valid
    with pytest.raises(ValueError, match="it has ended with exit code 3"):
        cax.load_policy(command="exit 3")


def test_a_policy_from_a_file_and_from_its_tensors(model_file):
    from cax import _cax
    path = model_file("op")
    policy = cax.load_policy(path)
    arrays, metadata = _cax.read_tensors(str(path))
    again = cax.load_policy(arrays, metadata=metadata)
    state = cax.generate("op")[0].reset()
    assert np.array_equal(policy.log_probs(state), again.log_probs(state))
    assert policy.size == "20" and len(policy.sha256) == 64 and again.sha256 is None
    assert policy.traits == {"batch_invariant": True, "thread_safe": True, "differentiable": True, "has_encoder": True}
    with pytest.raises(FileNotFoundError, match="nowhere.safetensors"):
        cax.load_policy("nowhere.safetensors")


def test_tensors_that_repeat_features_count_for_them(instance):
    policy = cax.torch.policy(lambda td: -(td["locs"] - td["depot"][:, None]).norm(dim=-1), problem="op")
    state = instance.reset()
    action = int(np.flatnonzero(state.action_mask)[-1])
    found = policy.gradient(state, action)["locs"]
    other = cax.torch.policy(lambda td: -(td["locs"] - td["locs"][:, :1]).norm(dim=-1), problem="op")
    expected = other.gradient(state, action)["locs"]
    assert np.allclose(found, expected) and found[0].any()
