"""Explains the decisions of neural combinatorial-optimisation policies.

>>> import cax
>>> [instance] = cax.generate("op", size=20, seed=7)
>>> policy = cax.Policy(lambda td: 10 * td["prize"], problem="op", name="greedy")
>>> explain = cax.Explainer(policy, seed=0)
>>> episode = explain.rollout(instance)
>>> episode[0].words.startswith("visit customer")
True

Steps and instances count from 0.
"""
from ._cax import Instance, PolicyError, State
from ._cax import version as __version__
from ._explainer import Explainer
from ._functions import baseline, check, generate, load_instances, options, problems, save_instances, solve
from ._policy import Policy, load_policy
from .explanation import ExplainedDecision, Explanation, Story
from .questions import (Alternative, Alternatives, Answers, Forbidden, ForbiddenFavourites, PlanRegret, Regret,
                        Sensitivity, Subsets, Swap, Thumb)
from .results import (Attribution, Attributions, Baseline, Change, CheckReport, Counterfactual, Decision, Episode, Flip,
                      Solution, Subset)
from .study import Study, StudyTable, load_study

__all__ = ["Alternative", "Alternatives", "Answers", "Attribution", "Attributions", "Baseline", "Change", "CheckReport",
           "Counterfactual", "Decision", "Episode", "ExplainedDecision", "Explainer", "Explanation", "Flip",
           "Forbidden", "ForbiddenFavourites", "Instance", "PlanRegret", "Policy", "PolicyError", "Regret", "Sensitivity", "Solution", "State",
           "Story", "Study", "StudyTable", "Subset", "Subsets", "Swap", "Thumb", "baseline", "check", "generate",
           "load_instances", "load_policy", "load_study", "options", "problems", "save_instances", "solve", "torch"]


def __getattr__(name):
    if name == "torch":  # it costs a second and may not be there: only for those who ask
        import importlib
        return importlib.import_module("cax.torch")
    raise AttributeError(f"module 'cax' has no attribute {name!r}")
