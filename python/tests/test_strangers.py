"""Policies that nobody has written in C++: a pointer network trained here, one that reads other tensors, one in numpy."""
import numpy as np
import pytest

import cax

torch = pytest.importorskip("torch")


class Pointer(torch.nn.Module):
    """A small pointer network: where the vehicle is, against every node."""

    def __init__(self, width=32):
        super().__init__()
        self.node = torch.nn.Sequential(torch.nn.Linear(5, width), torch.nn.ReLU(), torch.nn.Linear(width, width))
        self.query = torch.nn.Linear(width + 1, width)

    def forward(self, td):
        locs, here = td["locs"], td["current_node"][..., 0]
        rows = torch.arange(len(locs))
        way = locs - locs[rows, here][:, None]
        distance = (way.square().sum(-1, keepdim=True) + 1e-12).sqrt()
        nodes = self.node(torch.cat([locs, td["prize"][..., None], distance, td["max_length"][..., None]], -1))
        left = td["max_length"][:, :1] - td["tour_length"][:, None]
        query = self.query(torch.cat([nodes[rows, here], left], -1))
        return (nodes @ query[..., None])[..., 0]


def trained(steps=60):
    """By imitation of prize per distance on random states: enough to prefer something."""
    torch.manual_seed(0)
    network, batches = Pointer().double(), []
    for seed in range(steps):
        states = []
        for instance in cax.generate("op", count=8, seed=seed):
            state = instance.reset()
            for _ in range(seed % 4):
                allowed = np.flatnonzero(state.action_mask[1:]) + 1
                if len(allowed) == 0:
                    break
                state.step(int(allowed[seed % len(allowed)]))
            states.append(state.tensors())
        names = ("locs", "prize", "max_length", "tour_length", "current_node", "action_mask")
        batches.append({name: torch.as_tensor(np.stack([s[name] for s in states])) for name in names})
    optimiser = torch.optim.Adam(network.parameters(), lr=3e-3)
    losses = []
    for _ in range(3):
        for batch in batches:
            td = {name: value.double() if value.is_floating_point() else value for name, value in batch.items()}
            rows, here = torch.arange(len(td["locs"])), td["current_node"][..., 0]
            distance = (td["locs"] - td["locs"][rows, here][:, None]).norm(dim=-1)
            goal = (td["prize"] / (distance + 0.1)).masked_fill(~td["action_mask"], -1).argmax(-1)
            scores = network(td).masked_fill(~td["action_mask"], float("-inf"))
            loss = torch.nn.functional.cross_entropy(scores, goal)
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            losses.append(loss.item())
    assert np.mean(losses[-20:]) < np.mean(losses[:20])
    return network


def explained(policy, instance, **options):
    explain = cax.Explainer(policy, seed=1)
    why = explain(instance, steps=[0, 1], **options)
    for step in why.steps:
        assert step["attribution"]["status"] == "computed"
        assert step["counterfactual"]["status"] in ("certified", "refuted", "undecided", "no_flip")
        assert step["subset"]["samples"] > 0
    return why


@pytest.fixture(scope="module")
def instance():
    return cax.generate("op", seed=77)[0]


def test_a_pointer_network_is_explained_completely(instance):
    policy = cax.torch.policy(trained(), problem="op")
    [solution] = cax.solve(policy, instance)
    assert solution.valid
    why = explained(policy, instance)
    assert any(step["counterfactual"]["status"] == "certified" for step in why.steps)
    again = explained(policy, instance)
    assert [s["counterfactual"]["changes"] for s in why.steps] == [s["counterfactual"]["changes"] for s in again.steps]


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
    assert cax.check(instance, episode.actions).valid
    assert explain.attribute(episode, 0).status == "computed"
    assert explain.counterfactual(episode, 0, certify="none", shots=16).status in ("flipped", "no_flip")
