"""What explanations are made of: words, numbers, and arrays in the tensors' own shapes."""
import html
import json
from collections.abc import Sequence

import numpy as np

from . import _cax


def _plain(value):
    """The same without arrays, fit for JSON."""
    if isinstance(value, np.ndarray):
        return _plain(value.tolist())
    if isinstance(value, dict):
        return {key: _plain(each) for key, each in value.items() if not isinstance(each, _cax.Instance)}
    if isinstance(value, (list, tuple)):
        return [_plain(each) for each in value]
    if isinstance(value, float) and not np.isfinite(value):
        return None
    return value


def _frame(rows):
    import pandas
    return pandas.DataFrame(rows)


def _field(key, doc=None):
    return property(lambda self: self._data.get(key), doc=doc)


class _Result:
    """A view of what cax found. Fields are attributes; to_dict() has them all."""

    def __init__(self, data):
        self._data = data

    def to_dict(self):
        """Everything as plain values: what a result file holds of it."""
        return _plain(self._data)


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

    def to_frame(self):
        """One row per decision."""
        return _frame([{"step": d.step, "action": d.action, "words": d.words, "probability": d.probability}
                       for d in self])

    def __repr__(self):
        return f"<cax.Episode of {len(self)} decisions on {self.instance!r}>"


class Attribution(_Result):
    """One decision: what each constraint family, and each node, contributed."""

    step = _field("step")
    action = _field("action")
    words = _field("description")
    status = _field("status", doc='"computed", or why not')
    score_status = _field("score_status")
    log_prob = _field("log_prob")
    value = _field("value", doc="what is explained: log_prob, or its distance to that of why_not")
    top = _field("top", doc="the family with the largest score, or None")
    margin = _field("margin")
    nodes = _field("node_array", doc="mass, [family, node]")

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

    def __repr__(self):
        return f"<cax.Attribution {self.step}: {self.top or self.status}>"


class Attributions(Sequence):
    """One Attribution per decision, and the multipliers of the instance."""

    def __init__(self, data):
        arrays = data.pop("node_arrays")
        self._data = data
        self._steps = [Attribution({**step, "node_array": array}) for step, array in zip(data["steps"], arrays)]

    multipliers = property(lambda self: self._data["lambda"])
    lp = property(lambda self: self._data["lp"])

    def __len__(self):
        return len(self._steps)

    def __getitem__(self, place):
        return self._steps[place]

    def to_dict(self):
        return _plain(self._data)

    def to_frame(self):
        """One row per decision and family."""
        return _frame([{"step": each.step, "action": each.action, "words": each.words, "family": family, **values}
                       for each in self for family, values in each._data["families"].items()])

    def __repr__(self):
        return f"<cax.Attributions of {len(self)} decisions>"


class Change(_Result):
    """One entry of the instance, before and after."""

    tensor = _field("tensor")
    from_ = _field("from")
    to = _field("to")
    words = _field("words")
    index = _field("place", doc="in the tensor's own shape")

    def __repr__(self):
        return f"<cax.Change {self.words}>"


class Flip(_Result):
    """A change to the instance that makes the policy decide otherwise."""

    status = _field("status")
    new_action = _field("new_action")
    words = _field("new_action_words")
    l1 = _field("l1")
    l2 = _field("l2")
    linf = _field("linf")
    tensor = _field("tensor")
    family = _field("family")
    family_mass = _field("family_mass")
    certificate = _field("certificate")
    change = _field("change", doc="what is added to each tensor, in its own shape; of the best flip")
    instance = _field("changed_instance", doc="the changed instance; of the best flip")

    @property
    def changes(self):
        shapes = {name: array.shape for name, array in (self.change or {}).items()}

        def place(each):
            shape = shapes.get(each["tensor"])
            return (each["index"],) if shape is None else tuple(map(int, np.unravel_index(each["index"], shape)))

        return [Change({**each, "place": place(each)}) for each in self._data["changes"]]

    def __repr__(self):
        return f"<cax.Flip to {self.words!r} by {len(self._data['changes'])} changes of {self.family}>"


class Counterfactual(_Result):
    step = _field("step")
    action = _field("action")
    words = _field("action_words")
    status = _field("status", doc="certified, refuted, undecided, flipped, or no_flip")
    shots = _field("shots")
    forward_passes = _field("forward_passes")
    best_margin = _field("best_margin")
    families = _field("families", doc="how little of each family it takes, with per_family=True")

    @property
    def best(self):
        """The smallest flip, refined if it was refined; None if nothing flips."""
        return Flip(self._data) if self._data["new_action"] is not None else None

    @property
    def sampled(self):
        """The flip as it was drawn, before refinement."""
        return Flip(self._data["sampled"]) if "sampled" in self._data else self.best

    def to_frame(self):
        """One row per change of the best flip."""
        changes = self.best.changes if self.best else []
        return _frame([{"step": self.step, "tensor": each.tensor, "index": each.index, "from": each.from_,
                        "to": each.to, "words": each.words} for each in changes])

    def __repr__(self):
        return f"<cax.Counterfactual {self.step}: {self.status}{', ' + self.best.words if self.best else ''}>"


class Subset(_Result):
    step = _field("step")
    action = _field("action")
    accepted = _field("accepted")
    forced = _field("forced")
    nodes = _field("nodes")
    labels = _field("labels", doc="of the nodes, in words")
    size = _field("size")
    rate = _field("rate")
    lower_bound = _field("lower_bound")
    samples = _field("samples")
    margin = _field("margin")
    exact = _field("exact")
    order = _field("order", doc="what the nodes were tried by")

    def __repr__(self):
        return f"<cax.Subset {self.step}: {', '.join(self.labels) if self.accepted else 'none'}>"


class Swap(_Result):
    step = _field("step")
    status = _field("status")
    action = _field("action")
    words = _field("words")
    other = _field("other")
    other_words = _field("other_words")
    margin = _field("margin")
    families = _field("families", doc="what each family contributes to the margin")
    single = _field("single")
    top = _field("top")

    def __repr__(self):
        return f"<cax.Swap {self.words!r} rather than {self.other_words!r}: {self.top or self.status}>"


class Forbidden(_Result):
    family = _field("family")
    rule = _field("rule")
    action = _field("action")
    words = _field("words")
    probability = _field("probability")

    def __repr__(self):
        return f"<cax.Forbidden {self.words!r} by {self.family}>"


class Explanation:
    """Everything about the chosen decisions of one episode: cax/explanation/1."""

    def __init__(self, text):
        self._text = text
        self._data = json.loads(text)

    def to_dict(self):
        return json.loads(self._text)

    steps = property(lambda self: self._data["steps"])
    actions = property(lambda self: self._data["solution"]["actions"])
    cost = property(lambda self: self._data["solution"]["cost"])
    notes = property(lambda self: self._data["notes"])

    @property
    def sentences(self):
        """What it comes to, in words."""
        return [each["text"] for step in self.steps for each in step["sentences"]]

    def to_frame(self):
        """One row per decision."""
        return _frame([{"step": step["step"], "action": step["action"], "words": step["words"],
                        "probability": step["probability"],
                        "top": (step["attribution"] or {}).get("top"),
                        "counterfactual": (step["counterfactual"] or {}).get("status"),
                        "subset": (step["subset"] or {}).get("labels")} for step in self.steps])

    def page(self):
        """The report: one HTML page that needs nothing else."""
        return _cax.page(self._text)

    def save(self, path):
        """Writes the page (.html), or the result file (.json)."""
        text = self.page() if str(path).endswith((".html", ".htm")) else json.dumps(self._data, indent=1) + "\n"
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def _repr_html_(self):
        page = html.escape(self.page(), quote=True)
        return f'<iframe srcdoc="{page}" sandbox="allow-scripts" style="width:100%;height:720px;border:0"></iframe>'

    def __repr__(self):
        return f"<cax.Explanation of {len(self.steps)} decisions, cost {self.cost:.6g}>"
