"""A pointer network of one's own for the orienteering problem: trained here, in torch, then explained by cax.

    python3 examples/policies/pointer_op.py --seconds 180 --html why.html

Nothing in cax knows this network. It is trained by REINFORCE on an environment of forty lines, and sees of a state what
rl4co's environment would show it.
"""
import argparse
import os
import tempfile
import time

import numpy as np
import torch

import cax


class Pointer(torch.nn.Module):
    """Where the vehicle is and what is left of the tour, against every node."""

    def __init__(self, width=64):
        super().__init__()
        self.node = torch.nn.Sequential(torch.nn.Linear(6, width), torch.nn.ReLU(), torch.nn.Linear(width, width),
                                        torch.nn.ReLU(), torch.nn.Linear(width, width))
        self.query = torch.nn.Linear(2 * width + 1, width)

    def forward(self, td):
        locs, here = td["locs"], td["current_node"].reshape(-1)
        rows = torch.arange(len(locs))
        length = td["tour_length"].reshape(-1, 1)
        distance = ((locs - locs[rows, here][:, None]).square().sum(-1) + 1e-12).sqrt()
        spare = td["max_length"] - length - distance  # what is left of the way home
        nodes = self.node(torch.stack([locs[..., 0], locs[..., 1], td["prize"], distance, spare, td["max_length"]], -1))
        open_nodes = td["action_mask"].to(nodes.dtype)[..., None]
        mean = (nodes * open_nodes).sum(1) / open_nodes.sum(1).clamp(min=1)
        query = self.query(torch.cat([nodes[rows, here], mean, td["max_length"][:, :1] - length], -1))
        return 10 * torch.tanh((nodes @ query[..., None])[..., 0] / nodes.shape[-1] ** 0.5)


class Environment:
    """Many orienteering episodes at once, under rl4co's names. Node 0 is the depot: going there ends the tour."""

    def __init__(self, data):
        self.locs = torch.cat([data["depot"][:, None], data["locs"]], 1)
        self.prize = torch.cat([torch.zeros(len(self.locs), 1), data["prize"]], 1)
        self.max_length = data["max_length"].reshape(-1, 1) - (self.locs - self.locs[:, :1]).norm(dim=-1)
        self.here = torch.zeros(len(self.locs), dtype=torch.long)
        self.length = torch.zeros(len(self.locs))
        self.visited = torch.zeros(self.prize.shape, dtype=torch.bool)
        self.collected = torch.zeros(len(self.locs))
        self.done = torch.zeros(len(self.locs), dtype=torch.bool)

    def td(self):
        way = (self.locs - self.locs[torch.arange(len(self.locs)), self.here][:, None]).norm(dim=-1)
        mask = ~self.visited & (self.length[:, None] + way <= self.max_length) & ~self.done[:, None]
        mask[:, 0] = True
        return {"locs": self.locs, "prize": self.prize, "max_length": self.max_length, "tour_length": self.length,
                "current_node": self.here[:, None], "action_mask": mask}

    def step(self, action):
        rows = torch.arange(len(action))
        self.length = self.length + (self.locs[rows, action] - self.locs[rows, self.here]).norm(dim=-1)
        self.collected = self.collected + self.prize[rows, action] * ~self.visited[rows, action]
        self.visited[rows, action] = True
        self.here = action
        self.done = self.done | (action == 0)


def arrays(count, size, seed):
    """Instances of rl4co's distribution, as torch tensors."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "op.npz")
        cax.save_instances(path, cax.generate("op", size=size, count=count, seed=seed))
        return {name: torch.as_tensor(array).float() for name, array in dict(np.load(path)).items()}


def rollout(network, data, greedy=False):
    """Prizes, and log-probabilities of the episodes."""
    environment = Environment(data)
    total = torch.zeros(len(environment.here))
    while not environment.done.all():
        td = environment.td()
        log_probs = network(td).masked_fill(~td["action_mask"], float("-inf")).log_softmax(-1)
        action = log_probs.argmax(-1) if greedy else torch.distributions.Categorical(logits=log_probs).sample()
        total = total + log_probs.gather(1, action[:, None])[:, 0]
        environment.step(action)
    return environment.collected, total


def train(seconds=float("inf"), steps=1_000_000, size=20, seed=0, tell=print):
    """REINFORCE; what an episode is compared with is the mean of eight on the same instance."""
    torch.manual_seed(seed)
    network, start, step = Pointer(), time.monotonic(), 0
    optimiser = torch.optim.Adam(network.parameters(), lr=1e-3)
    held_out = arrays(200, size, seed + 1)
    while time.monotonic() - start < seconds and step < steps:
        data = {name: values.repeat_interleave(8, 0) for name, values in arrays(64, size, 1000 + step).items()}
        prize, log_prob = rollout(network, data)
        advantage = prize - prize.reshape(-1, 8).mean(1).repeat_interleave(8)
        optimiser.zero_grad()
        (-(advantage * log_prob).mean()).backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimiser.step()
        if step % 100 == 0:
            with torch.no_grad():
                tell(f"{time.monotonic() - start:5.0f} s, step {step}: prize {rollout(network, held_out, True)[0].mean():.3f}")
        step += 1
    with torch.no_grad():
        tell(f"trained {step} steps: prize {rollout(network, held_out, True)[0].mean():.3f}")
    return network


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=180)
    parser.add_argument("--size", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--html", default="why.html")
    given = parser.parse_args()
    torch.set_num_threads(1)
    policy = cax.torch.policy(train(given.seconds, size=given.size, seed=given.seed), problem="op", name="pointer")
    instances = cax.generate("op", size=given.size, count=50, seed=7)
    print(f"greedy through cax: prize {np.mean([each.cost for each in cax.solve(policy, instances)]):.3f}; "
          f"a classical search: {np.mean([each.cost for each in cax.baseline(instances, iterations=2000)]):.3f}")
    why = cax.Explainer(policy)(instances[0])
    print("\n".join(why.story.sentences))
    for decision in why:
        print(f"step {decision.step + 1}: {decision.words}", *decision.lines, sep="\n    ")
    why.save(given.html)


if __name__ == "__main__":
    main()
