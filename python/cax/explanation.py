"""Everything about the decisions of one episode, and the story of the whole plan."""
import html
import json
from collections.abc import Sequence

import numpy as np

from . import _cax
from .questions import Alternatives, ForbiddenFavourites, Regret, Sensitivity, Swap, Thumb
from .results import Attribution, Counterfactual, Subset, _frame, _Result, _table_html, _Tabular

PARTS = {"swap": Swap, "sensitivity": Sensitivity, "forbidden": ForbiddenFavourites, "alternatives": Alternatives,
         "thumb": Thumb, "regret": Regret}


class ExplainedDecision(_Result):
    """One decision with its parts; None for those that were not asked for."""

    step = property(lambda self: self._data["step"])
    action = property(lambda self: self._data["action"])
    words = property(lambda self: self._data["words"])
    probability = property(lambda self: self._data["probability"])
    lines = property(lambda self: [each["text"] for each in self._data["lines"]], doc="what a planner reads first")
    sentences = property(lambda self: [each["text"] for each in self._data["sentences"]], doc="with every number")

    def _decision(self):
        return {"instance": 0, **{key: self._data[key] for key in ("step", "action", "words", "probability")}}

    def _own(self, kind):
        part = self._data[kind]
        return None if part is None else PARTS[kind]({**self._decision(), kind: part})

    @property
    def attribution(self):
        part = self._data["attribution"]
        if part is None:
            return None
        nodes = np.array(list(part["node_families"].values()), dtype=float)
        return Attribution({**self._decision(), "log_prob": self._data["log_prob"], **part}, nodes)

    @property
    def counterfactual(self):
        part = self._data["counterfactual"]
        return None if part is None else Counterfactual({**self._decision(), **part})

    @property
    def subset(self):
        part = self._data["subset"]
        return None if part is None else Subset({**self._decision(), **part})

    swap = property(lambda self: self._own("swap"))
    sensitivity = property(lambda self: self._own("sensitivity"))
    forbidden = property(lambda self: self._own("forbidden"))
    alternatives = property(lambda self: self._own("alternatives"))
    thumb = property(lambda self: self._own("thumb"))
    regret = property(lambda self: self._own("regret"))
    why_not = property(lambda self: self._data["why_not"])

    def __repr__(self):
        return f"<cax.ExplainedDecision {self.step}: {self.words}, {self.probability:.1%}>"


class Story(_Result):
    """What stands out in a whole plan, and how it compares with what a classical search finds."""

    sentences = property(lambda self: [each["text"] for each in self._data["story"]])
    plan = property(lambda self: self._data["plan"], doc="close calls, costly decisions, tight rules, by step")
    best_known = property(lambda self: self._data["best_known"], doc="a plan by a classical search, or None")
    thumb = property(lambda self: self._data["thumb"], doc="how often each rule of thumb would have done the same")

    def _rows(self):
        return ["about", "evidence", "text"], [[each["about"], each["evidence"], each["text"]]
                                               for each in self._data["story"]]

    def to_frame(self):
        """One row per sentence."""
        return _frame(*self._rows())

    def _repr_html_(self):
        return _table_html(*self._rows())

    def __repr__(self):
        return f"<cax.Story: {' '.join(self.sentences)}>"


class Explanation(_Tabular, Sequence):
    """Everything about the chosen decisions of one episode, which are its items: cax/explanation/1."""

    _table = "decisions"

    def __init__(self, text):
        self._text = text
        self._data = json.loads(text)

    def to_dict(self):
        return json.loads(self._text)

    steps = property(lambda self: self._data["steps"], doc="as plain values")
    actions = property(lambda self: self._data["solution"]["actions"])
    cost = property(lambda self: self._data["solution"]["cost"])
    notes = property(lambda self: self._data["notes"])

    def __len__(self):
        return len(self.steps)

    def __getitem__(self, place):
        return ExplainedDecision(self.steps[place])

    @property
    def sentences(self):
        """What it comes to, in words."""
        return [each["text"] for step in self.steps for each in step["sentences"]]

    @property
    def story(self):
        """Of the whole plan; without sentences if only some decisions were asked for."""
        return Story({key: self._data[key] for key in ("story", "plan", "best_known", "thumb")})

    @property
    def tables(self):
        """Names of the tables that to_frame() makes."""
        return [name for name, _, _ in _cax.tables(self._text)]

    def _document(self):
        return self._data

    def to_frame(self, table="decisions"):
        """One of the tables that `--csv` writes; "decisions" has one row per decision."""
        if table not in self.tables:
            raise ValueError(f"table: {table!r} is not one of {', '.join(self.tables)}")
        return _frame(*self._rows(table))

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
        return f"<cax.Explanation of {len(self)} decisions, cost {self.cost:.6g}>"
