"""Checked by mypy: the stubs know what the documentation shows."""
from typing import Any

import numpy as np
from numpy.typing import NDArray

import cax

policy = cax.Policy(lambda td: td["prize"], problem="op", reads=["prize"])
instances: list[cax.Instance] = cax.generate("op", size=20, count=2, seed=1)
explain = cax.Explainer(policy, seed=0, progress=True)
episode: cax.Episode = explain.rollout(instances[0])
log_probs: NDArray[np.float64] = episode[1].log_probs
found: cax.Counterfactual = explain.counterfactual(episode, step=1, certify="prefix")
if found.best is not None:
    where: list[tuple[int, ...]] = [change.index for change in found.best.changes]
why: cax.Explanation = explain(instances[0], steps=[1])
sentences: list[str] = why.sentences
solutions: list[cax.Solution] = cax.solve(policy, instances, decode="greedy")
costs: list[float] = [solution.cost for solution in solutions]
mine: cax.Policy = cax.torch.policy(lambda td: td["prize"], problem="op")
loaded: cax.Policy = cax.load_policy({"a": np.zeros(3)}, metadata={"env_name": "op"}, precision="double")
swap: cax.Swap = explain.swap(episode, 0)
names: list[dict[str, Any]] = cax.problems()
swaps: cax.Answers[cax.Swap] = explain.swap(episode)
effects: dict[str, float] = swaps[0].families
wrong: cax.Sensitivity = explain.sensitivity(episode, 0, noise_shots=4)
rates: dict[str, float] = wrong.flip_rates
prices: cax.Alternatives = explain.alternatives(episode, step=0, regret="policy")
costs_of: list[float | None] = [each.cost for each in prices]
blocked: list[str] = [each.rule for each in explain.forbidden(episode, 0)]
rules: dict[str, bool] = explain.thumb(episode, 0).agrees
masses: list[dict[str, float]] = [each.mass for each in explain.attribute(episode)]
kept: cax.Subset = explain.subset(episode, 0)
told: list[str] = explain.story(instances[0]).sentences
part: cax.Swap | None = why[0].swap
study: cax.Study = cax.load_study("study")
column: NDArray[Any] = study["agreement"]["seed"]
words: list[str] = [each["name"] for each in cax.options("subset")]
