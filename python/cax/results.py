"""What explanations are made of: words, numbers, and arrays in the tensors' own shapes."""
import html
import json
from collections.abc import Sequence

import numpy as np

from . import _cax

ROWS_SHOWN = 40


def _plain(value):
    """The same without arrays, fit for JSON."""
    if isinstance(value, np.ndarray):
        return _plain(value.tolist())
    if isinstance(value, dict):
        return {key: _plain(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(each) for each in value]
    if isinstance(value, float) and not np.isfinite(value):
        return None
    return value


def _frame(columns, rows):
    import pandas
    return pandas.DataFrame(rows, columns=columns)


def _table_html(columns, rows):
    def line(values, tag):
        cells = (f"<{tag}>{html.escape('' if v is None else f'{v:.4g}' if isinstance(v, float) else str(v))}</{tag}>"
                 for v in values)
        return f"<tr>{''.join(cells)}</tr>"

    body = "".join(line(row, "td") for row in rows[:ROWS_SHOWN])
    more = f"<p>... and {len(rows) - ROWS_SHOWN} more rows</p>" if len(rows) > ROWS_SHOWN else ""
    return f"<table><thead>{line(columns, 'th')}</thead><tbody>{body}</tbody></table>{more}"


def _field(key, doc=None):
    return property(lambda self: self._data.get(key), doc=doc)


class _Result:
    """A view of what cax found. Fields are attributes; to_dict() has them all."""

    def __init__(self, data):
        self._data = data

    def to_dict(self):
        """Everything as plain values: what a result file holds of it."""
        return _plain(self._data)


class _Tabular:
    """What can be a table: the one that `--csv` writes, under the same name with the same columns."""

    _table = ""

    def _document(self):
        """A result file with this in it."""
        raise NotImplementedError

    def _rows(self, table=None):
        for name, columns, rows in _cax.tables(json.dumps(self._document())):
            if name == (table or self._table):
                return columns, rows
        return [], []

    def to_frame(self):
        """A tidy table, as `--csv` writes it (pandas)."""
        return _frame(*self._rows())

    def _repr_html_(self):
        return _table_html(*self._rows())


class CheckReport(_Result):
    valid = _field("valid")
    cost = _field("cost")
    violations = _field("violations")
    solution = _field("solution", doc="as in solution files: routes, tour or schedule")

    def __repr__(self):
        return f"<cax.CheckReport {'valid' if self.valid else self.violations[0]}, cost {self.cost:.6g}>"


class Solution(CheckReport):
    actions = _field("actions")
    log_probs = _field("log_probs", doc="of each action")
    log_likelihood = _field("log_likelihood")

    def __repr__(self):
        return f"<cax.Solution cost {self.cost:.6g}, {'valid' if self.valid else 'INVALID'}>"


class Baseline(_Result):
    cost = _field("cost")
    optimal = _field("optimal", doc="proven")
    lower_bound = _field("lower_bound")
    solution = _field("solution")

    def __repr__(self):
        return f"<cax.Baseline cost {self.cost:.6g}{', optimal' if self.optimal else ''}>"


class Decision(_Result):
    step = _field("step")
    action = _field("action")
    words = _field("words")
    log_probs = _field("log_probs", doc="of every action; -inf where the mask forbids")
    runner_up = _field("runner_up", doc="the second most probable action, or None")

    @property
    def probability(self):
        return float(np.exp(self.log_probs[self.action]))

    def __repr__(self):
        return f"<cax.Decision {self.step}: {self.words}, {self.probability:.1%}>"


class Episode(Sequence):
    """A policy's decisions on an instance, in order."""

    def __init__(self, value):
        self._value = value
        self._decisions = [Decision(each) for each in value.decisions()]

    instance = property(lambda self: self._value.instance)
    finished = property(lambda self: self._value.finished)
    actions = property(lambda self: self._value.actions)

    def __len__(self):
        return len(self._decisions)

    def __getitem__(self, step):
        return self._decisions[step]

    def _place(self, step):
        place = int(step) + (len(self) if step < 0 else 0)
        if not 0 <= place < len(self):
            raise IndexError(f"step {step}: the episode has {len(self)} decisions")
        return place

    def state(self, step):
        """The state in which that decision was taken."""
        return self._value.state(self._place(step))

    def to_dict(self):
        """The decisions as plain values."""
        return {"actions": self.actions, "finished": self.finished,
                "steps": [each.to_dict() for each in self._decisions]}

    def _rows(self):
        return (["step", "action", "words", "probability"],
                [[d.step, d.action, d.words, d.probability] for d in self])

    def to_frame(self):
        """One row per decision."""
        return _frame(*self._rows())

    def _repr_html_(self):
        return _table_html(*self._rows())

    def __repr__(self):
        return f"<cax.Episode of {len(self)} decisions on {self.instance!r}>"


class Attribution(_Tabular, _Result):
    """One decision: what each constraint family, and each node, contributed."""

    _table = "attributions"

    def __init__(self, data, nodes):
        super().__init__(data)
        self._nodes = nodes

    step = _field("step")
    action = _field("action")
    words = _field("words")
    status = _field("status", doc='"computed", or why not')
    score_status = _field("score_status")
    log_prob = _field("log_prob")
    value = _field("value", doc="what is explained: log_prob, or its distance to that of why_not")
    top = _field("top", doc="the family with the largest score, or None")
    margin = _field("margin")

    @property
    def nodes(self):
        """Mass, [family, node]."""
        return self._nodes

    @property
    def families(self):
        """Score (multiplier times mass) by family; None without a multiplier."""
        return {name: each["score"] for name, each in self._data["families"].items()}

    @property
    def mass(self):
        return {name: each["mass"] for name, each in self._data["families"].items()}

    @property
    def multipliers(self):
        return {name: each["lambda"] for name, each in self._data["families"].items()}

    def _document(self):
        return _attribution_document([self])

    def __repr__(self):
        return f"<cax.Attribution {self.step}: {self.words}, {self.top or self.status}>"


def _attribution_document(attributions):
    steps = [{**each.to_dict(), "nodes": _plain(each.nodes.T)} for each in attributions]
    families = list(steps[0]["families"]) if steps else []
    return {"schema": "cax/attribution/1", "families": families, "instances": [{"instance": 0, "steps": steps}]}


class Attributions(_Tabular, Sequence):
    """Decisions of one episode, in the order in which they were asked for; to_frame: a row per decision and family."""

    _table = "attributions"

    def __init__(self, data):
        arrays = data.pop("node_arrays")
        self._data = data
        self._steps = [Attribution(step, array) for step, array in zip(data["steps"], arrays)]

    multipliers = property(lambda self: self._data["lambda"])
    lp = property(lambda self: self._data["lp"])

    def __len__(self):
        return len(self._steps)

    def __getitem__(self, place):
        return self._steps[place]

    def to_dict(self):
        return _plain(self._data)

    def _document(self):
        return _attribution_document(self._steps)

    def __repr__(self):
        return f"<cax.Attributions of {len(self)} decisions>"


class Change(_Result):
    """One entry of the instance, before and after."""

    tensor = _field("tensor")
    node = _field("node", doc="that the entry belongs to, or None")
    from_ = _field("from")
    to = _field("to")
    words = _field("words")

    @property
    def index(self):
        """In the tensor's own shape."""
        return tuple(self._data["position"])

    def __repr__(self):
        return f"<cax.Change {self.words}>"


class Flip(_Result):
    """A change to the instance that makes the policy decide otherwise."""

    def __init__(self, data, change=None, instance=None):
        super().__init__(data)
        self._change, self._instance = change, instance

    status = _field("status")
    new_action = _field("new_action")
    words = _field("new_words", doc="of the new action")
    l1 = _field("l1")
    l2 = _field("l2")
    linf = _field("linf")
    tensor = _field("tensor")
    family = _field("family")
    family_mass = _field("family_mass")
    certificate = _field("certificate")

    @property
    def change(self):
        """What is added to each tensor, in its own shape; of the best flip."""
        return self._change

    @property
    def instance(self):
        """The changed instance; of the best flip."""
        return self._instance

    @property
    def changes(self):
        return [Change(each) for each in self._data["changes"]]

    def __repr__(self):
        return f"<cax.Flip to {self.words!r} by {len(self._data['changes'])} changes of {self.family}>"


class Counterfactual(_Tabular, _Result):
    """What would have changed a decision; to_frame: a row per change of the best flip."""

    _table = "changes"

    def __init__(self, data):
        self._change, self._instance = data.pop("change", None), data.pop("changed_instance", None)
        super().__init__(data)

    step = _field("step")
    action = _field("action")
    words = _field("words")
    status = _field("status", doc="certified, refuted, undecided, flipped, or no_flip")
    shots = _field("shots")
    forward_passes = _field("forward_passes")
    best_margin = _field("best_margin")

    @property
    def families(self):
        """How little of each family it takes, with per_family=True."""
        return self._data.get("families", [])

    @property
    def best(self):
        """The smallest flip, refined if it was refined; None if nothing flips."""
        return Flip(self._data, self._change, self._instance) if self._data["new_action"] is not None else None

    @property
    def sampled(self):
        """The flip as it was drawn, before refinement."""
        return Flip(self._data["sampled"]) if "sampled" in self._data else self.best

    def _document(self):
        return {"schema": "cax/counterfactual/1", "cells": [{"instance": 0, **self.to_dict()}]}

    def __repr__(self):
        return f"<cax.Counterfactual {self.step}: {self.status}{', ' + self.best.words if self.best else ''}>"


class Subset(_Tabular, _Result):
    """The few nodes that alone keep a decision; to_frame: one row."""

    _table = "subsets"

    step = _field("step")
    action = _field("action")
    words = _field("words")
    accepted = _field("accepted")
    forced = _field("forced")
    nodes = _field("nodes")
    labels = _field("labels", doc="of the nodes, as drawings have them")
    size = _field("size")
    rate = _field("rate")
    lower_bound = _field("lower_bound")
    samples = _field("samples")
    margin = _field("margin")
    exact = _field("exact")
    order = _field("order", doc="what the nodes were tried by")

    def _document(self):
        return {"schema": "cax/subset/1", "order": self.order, "cells": [{"instance": 0, **self.to_dict()}]}

    def __repr__(self):
        return f"<cax.Subset {self.step}: {', '.join(self.labels) if self.accepted else 'none'}>"
