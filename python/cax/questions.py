"""Answers to questions about one decision: why not that one, whose data would upset it, what else could be done."""
from collections.abc import Sequence

from .results import _Result, _Tabular


def _part(key, doc=None):
    return property(lambda self: self._data[self._kind].get(key), doc=doc)


class _Answer(_Tabular, _Result):
    """A cell of cax/swap/1 and its like: the decision, and what was asked about it."""

    _kind = ""

    step = property(lambda self: self._data["step"])
    action = property(lambda self: self._data["action"])
    words = property(lambda self: self._data["words"])
    probability = property(lambda self: self._data["probability"])

    def _document(self):
        return _document_of([self])


def _document_of(answers):
    kind = answers[0]._kind if answers else "swap"
    return {"schema": f"cax/{kind}/1", "cells": [each.to_dict() for each in answers]}


class Swap(_Answer):
    """Why this action rather than another; to_frame: a row per family."""

    _kind, _table = "swap", "swaps"
    status = _part("status", doc='"computed", or why not')
    other = _part("other", doc="the action that it is compared with, or None")
    other_words = _part("other_words")
    other_is_runner_up = _part("other_is_runner_up")
    margin = _part("margin", doc="log-probability of the action minus the other's; None unless computed")
    top = _part("top", doc="the family that speaks most for the action")
    forward_passes = _part("forward_passes")

    @property
    def families(self):
        """What each family contributes to the margin; their sum is the margin."""
        return self._data["swap"]["families"] or {}

    @property
    def single(self):
        """The margin after the data of this family alone are exchanged."""
        return self._data["swap"]["single"] or {}

    def __repr__(self):
        return f"<cax.Swap {self.words!r} rather than {self.other_words!r}: {self.top or self.status}>"


class Sensitivity(_Answer):
    """Whose data, if wrong, would upset the decision; to_frame: a row per family."""

    _kind, _table = "sensitivity", "sensitivities"
    status = _part("status", doc='"computed", or why not')
    sizes = _part("sizes", doc="of the noise, in standard deviations of the generator")
    shots = _part("shots", doc="per size and family")
    pool = _part("pool", doc="draws for each shot, of which one is asked")
    unusual = _part("unusual", doc="the family that matters more here than it usually does; None without a reference")
    forward_passes = _part("forward_passes")

    @property
    def scores(self):
        """How far the policy's probabilities move, 0 to 1, by family."""
        return {name: each["score"] for name, each in self._data["sensitivity"]["families"].items()}

    @property
    def flip_rates(self):
        """How often the policy decides otherwise, by family."""
        return {name: each["flip_rate"] for name, each in self._data["sensitivity"]["families"].items()}

    @property
    def percentiles(self):
        """Of the families' shares among other decisions of the policy; None without a reference."""
        return {name: each["percentile"] for name, each in self._data["sensitivity"]["families"].items()}

    def __repr__(self):
        rates = ", ".join(f"{name} {rate:.0%}" for name, rate in self.flip_rates.items())
        return f"<cax.Sensitivity {self.step}: {self.words}, upset by {rates or self.status}>"


class Alternative(_Result):
    """An action that could have been taken, or not."""

    action = property(lambda self: self._data["action"])
    words = property(lambda self: self._data["words"])
    allowed = property(lambda self: self._data["allowed"])
    spent = property(lambda self: self._data["spent"], doc="nothing is left to do about it")
    forbidden_by = property(lambda self: self._data["forbidden_by"], doc="the rule: family, rule, used, limit, slack")
    probability = property(lambda self: self._data["probability"])
    cost = property(lambda self: self._data["cost"], doc="of the whole plan, if it is taken")
    cost_status = property(lambda self: self._data["cost_status"], doc="proved, bounded, search, policy or unpriced")
    impossible = property(lambda self: self._data["impossible"], doc="nothing can be completed after it")
    bound = property(lambda self: self._data["bound"])
    policy_cost = property(lambda self: self._data["policy_cost"])
    regret = property(lambda self: self._data["regret"], doc="only where costs are proved")
    worse_by = property(lambda self: self._data["worse_by"], doc="than the chosen one; negative if better")

    def __repr__(self):
        price = f"cost {self.cost:.6g} ({self.cost_status})" if self.cost is not None else self.cost_status
        return f"<cax.Alternative {self.words!r}: {self.probability:.1%}, {price}>"


class Alternatives(_Answer, Sequence):
    """Every action of a decision, by its number; to_frame: a row each."""

    _kind, _table = "alternatives", "alternatives"

    def __len__(self):
        return len(self._data["alternatives"])

    def __getitem__(self, action):
        return Alternative(self._data["alternatives"][action])

    @property
    def chosen(self):
        return self[self.action]

    def __repr__(self):
        allowed = sum(each.allowed for each in self)
        return f"<cax.Alternatives to {self.words!r}: {allowed} of {len(self)} actions are allowed>"


class Forbidden(_Result):
    """A favourite that one rule alone kept the policy from."""

    family = property(lambda self: self._data["family"])
    rule = property(lambda self: self._data["rule"])
    used = property(lambda self: self._data["used"])
    limit = property(lambda self: self._data["limit"])
    slack = property(lambda self: self._data["slack"])
    action = property(lambda self: self._data["action"])
    words = property(lambda self: self._data["words"])
    probability = property(lambda self: self._data["probability"], doc="with the rule lifted")

    def __repr__(self):
        return f"<cax.Forbidden {self.words!r} by {self.family}>"


class ForbiddenFavourites(_Answer, Sequence):
    """Mostly empty; at most one per family."""

    _kind, _table = "forbidden", "forbidden"

    def __len__(self):
        return len(self._data["forbidden"])

    def __getitem__(self, place):
        return Forbidden(self._data["forbidden"][place])

    def __repr__(self):
        return f"<cax.ForbiddenFavourites at {self.words!r}: {', '.join(map(repr, self)) or 'none'}>"


class Regret(_Answer):
    """What the decision cost: how much dearer the best plan became by it."""

    _kind, _table = "regret", "regrets"
    status = _part("status", doc='"forced", "free", "proved", "bounded", "search" or "unknown"')
    value = _part("value", doc="of the best plan that begins like this, the decision included: [low, high]")
    regret = _part("regret", doc="[low, high]; equal where it is proved")
    estimate = _part("estimate", doc="by the best plans found; the estimates of a plan add up to its gap")
    better = _part("better", doc="what would have been better: action, words, cost, solution, changes; or None")
    consequence = _part("consequence", doc="what is different because of it, in words; or None")

    def __repr__(self):
        return f"<cax.Regret {self.words!r}: {self.estimate:.6g} ({self.status})>"


class PlanRegret(_Tabular, _Result):
    """Where the gap of a plan went; a sequence of the decisions' regrets, to_frame: a row each."""

    _table = "regrets"
    cost = property(lambda self: self._data["cost"])
    best = property(lambda self: self._data.get("best"), doc="cost, status, lower_bound, solution; None without regret")
    gap = property(lambda self: self._data.get("gap"), doc="[low, high]; the estimates add up to its low end")
    located = property(lambda self: self._data.get("located"), doc="the part of the gap that sits at single decisions")
    proved_steps = property(lambda self: self._data.get("proved_steps"))
    ranking = property(lambda self: self._data.get("ranking"), doc="steps, the most costly first")
    reason = property(lambda self: self._data.get("reason"), doc="why there is no regret; or None")
    decisions = property(lambda self: [Regret(_regret_cell(each)) for each in self._data.get("decisions", [])])

    def __len__(self):
        return len(self._data.get("decisions", []))

    def __getitem__(self, step):
        return self.decisions[step]

    def _document(self):
        return {"schema": "cax/regret/1", "instances": [self._data]}

    def __repr__(self):
        if self.reason:
            return f"<cax.PlanRegret: {self.reason}>"
        return f"<cax.PlanRegret gap {self.gap[0]:.6g}, {self.proved_steps} of {len(self)} decisions proved>"


def _regret_cell(decision):
    about = {key: decision[key] for key in ("step", "action", "words")}
    return {"instance": 0, **about, "probability": decision.get("probability"),
            "regret": {key: value for key, value in decision.items() if key not in about}}


class Thumb(_Answer):
    """Which rules of thumb would have done the same; to_frame: a row per rule."""

    _kind, _table = "thumb", "thumb"

    @property
    def agrees(self):
        """By rule."""
        return self._data["thumb"]

    def __repr__(self):
        same = [name for name, agrees in self.agrees.items() if agrees]
        return f"<cax.Thumb {self.words!r}: as {', '.join(same) or 'no rule'}>"


class Answers(_Tabular, Sequence):
    """The same question about several decisions, in their order; to_frame: all their rows."""

    def __init__(self, answers):
        self._answers = list(answers)
        self._table = self._answers[0]._table if self._answers else ""

    def __len__(self):
        return len(self._answers)

    def __getitem__(self, place):
        return self._answers[place]

    def to_dict(self):
        return {"cells": [each.to_dict() for each in self]}

    def _document(self):
        return _document_of(self._answers)

    def __repr__(self):
        return f"<cax.Answers about {len(self)} decisions>"


class Subsets(Answers):
    """Sufficient subsets of several decisions; to_frame: a row each."""

    def _document(self):
        cells = [{"instance": 0, **each.to_dict()} for each in self]
        return {"schema": "cax/subset/1", "order": self[0].order if cells else "", "cells": cells}

    def __repr__(self):
        return f"<cax.Subsets of {len(self)} decisions>"
