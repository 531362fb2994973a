from collections.abc import Iterator
from os import PathLike
from typing import Any, Union

import numpy as np
from numpy.typing import NDArray

from . import Instance, State

class _Result:
    def to_dict(self) -> dict[str, Any]: ...

class CheckReport(_Result):
    valid: bool
    cost: float
    violations: list[str]
    solution: dict[str, Any]

class Solution(CheckReport):
    actions: list[int]
    log_probs: NDArray[np.float64]
    log_likelihood: float

class Baseline(_Result):
    cost: float
    optimal: bool
    lower_bound: float | None
    solution: dict[str, Any]

class Decision(_Result):
    step: int
    action: int
    words: str
    log_probs: NDArray[np.float64]
    runner_up: int | None
    @property
    def probability(self) -> float: ...

class Episode:
    instance: Instance
    finished: bool
    actions: list[int]
    def __len__(self) -> int: ...
    def __getitem__(self, step: int) -> Decision: ...
    def __iter__(self) -> Iterator[Decision]: ...
    def state(self, step: int) -> State: ...
    def to_frame(self) -> Any: ...

class Attribution(_Result):
    step: int
    action: int
    words: str
    status: str
    score_status: str
    log_prob: float
    value: float
    top: str | None
    margin: float
    nodes: NDArray[np.float64]
    @property
    def families(self) -> dict[str, float | None]: ...
    @property
    def mass(self) -> dict[str, float]: ...
    @property
    def multipliers(self) -> dict[str, float | None]: ...

class Attributions:
    multipliers: dict[str, float | None]
    lp: dict[str, Any] | None
    def __len__(self) -> int: ...
    def __getitem__(self, place: int) -> Attribution: ...
    def __iter__(self) -> Iterator[Attribution]: ...
    def to_dict(self) -> dict[str, Any]: ...
    def to_frame(self) -> Any: ...

class Change(_Result):
    tensor: str
    index: tuple[int, ...]
    from_: float
    to: float
    words: str

class Flip(_Result):
    status: str
    new_action: int
    words: str
    l1: float
    l2: float
    linf: float
    tensor: str
    family: str
    family_mass: dict[str, float]
    certificate: dict[str, Any] | None
    change: dict[str, NDArray[np.float64]] | None
    instance: Instance | None
    @property
    def changes(self) -> list[Change]: ...

class Counterfactual(_Result):
    step: int
    action: int
    words: str
    status: str
    shots: int
    forward_passes: int
    best_margin: float | None
    families: list[dict[str, Any]]
    @property
    def best(self) -> Flip | None: ...
    @property
    def sampled(self) -> Flip | None: ...
    def to_frame(self) -> Any: ...

class Subset(_Result):
    step: int
    action: int
    accepted: bool
    forced: bool
    nodes: list[int]
    labels: list[str]
    size: int | None
    rate: float
    lower_bound: float
    samples: int
    margin: float | None
    exact: dict[str, Any] | None
    order: str

class Swap(_Result):
    step: int
    status: str
    action: int
    words: str
    other: int | None
    other_words: str | None
    margin: float
    families: dict[str, float]
    single: dict[str, float]
    top: str | None

class Forbidden(_Result):
    family: str
    rule: str
    action: int
    words: str
    probability: float

class Explanation:
    steps: list[dict[str, Any]]
    actions: list[int]
    cost: float
    notes: list[str]
    @property
    def sentences(self) -> list[str]: ...
    def to_dict(self) -> dict[str, Any]: ...
    def to_frame(self) -> Any: ...
    def page(self) -> str: ...
    def save(self, path: Union[str, PathLike[str]]) -> None: ...
