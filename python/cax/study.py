"""What a study found, as arrays."""
import json
import os
from collections.abc import Mapping

import numpy as np

from . import _cax
from .results import _frame, _table_html


class StudyTable(Mapping):
    """One table: its columns by name, as arrays. Numbers are floats, NaN where there is none; words are objects."""

    def __init__(self, name, data):
        self.name = name
        self.title = data["title"]
        self.notes = data["notes"]
        self.columns = data["columns"]
        self._rows = data["rows"]
        self._arrays = {column: _array([row[c] for row in self._rows]) for c, column in enumerate(self.columns)}

    def __getitem__(self, column):
        return self._arrays[column]

    def __iter__(self):
        return iter(self.columns)

    def __len__(self):
        return len(self.columns)

    def to_frame(self):
        return _frame(self.columns, self._rows)

    def _repr_html_(self):
        return _table_html(self.columns, self._rows)

    def __repr__(self):
        return f"<cax.StudyTable {self.name}: {len(self._rows)} rows of {', '.join(self.columns)}>"


def _array(values):
    if all(value is None or isinstance(value, (int, float)) for value in values):
        return np.array([np.nan if value is None else value for value in values], dtype=float)
    return np.array(values, dtype=object)


class Study(Mapping):
    """Tables by name, the paper's questions with their answers, and conclusions in words."""

    def __init__(self, data):
        self._data = data
        self._tables = {name: StudyTable(name, table) for name, table in data["tables"].items()}

    reading = property(lambda self: self._data["reading"], doc="paper, or published")
    answers = property(lambda self: self._data["answers"])
    conclusions = property(lambda self: self._data["conclusions"])

    def __getitem__(self, name):
        return self._tables[name]

    def __iter__(self):
        return iter(self._tables)

    def __len__(self):
        return len(self._tables)

    def to_dict(self):
        return self._data

    def __repr__(self):
        return f"<cax.Study of {len(self)} tables: {', '.join(self)}>"


def load_study(path, *, published=False):
    """The tables of a finished `cax study`: of its folder, its store (study.sqlite), or its tables.json.

    `published`: headline tables by what the published code computes; only of a store, which has the cells.
    """
    path = os.fspath(path)
    if os.path.isdir(path):
        path = os.path.join(path, "study.sqlite")
    if not path.endswith(".json"):
        return Study(_cax.study_tables(path, published))
    if published:
        raise ValueError("published: tables.json has one reading; give the store")
    with open(path, encoding="utf-8") as file:
        data = json.load(file)
    if not isinstance(data, dict) or data.get("schema") != "cax/study/1":
        raise ValueError(f"{path}: schema: not cax/study/1")
    return Study(data)
