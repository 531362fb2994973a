from collections.abc import Callable, Iterable
from typing import Any, Literal

from . import Policy

def policy(module: Callable[[dict[str, Any]], Any], problem: str, *, name: str | None = None,
           scores: Literal["logits", "log_probs"] = "logits", dtype: Any = ..., device: Any = "cpu",
           batch_invariant: bool = False, differentiable: bool = True, reads: Iterable[str] = (),
           batch: int = 64) -> Policy: ...
def rl4co_policy(model: Any, problem: str, **options: Any) -> Policy: ...
