"""Policies: networks from files, and anything that can be called."""
import os

import numpy as np

from . import _cax


class Policy:
    """A policy of your own: `function(td)` gets a batch of states and returns scores of all actions, `[B, actions]`.

    td is a dict of arrays under rl4co's names with a batch dimension, `action_mask` included; feature tensors are
    float64, everything else has rl4co's type. cax masks and normalises the scores.

    problem          "op", "cvrptw", "fjsp", ...
    scores           "logits" (any numbers), or "log_probs", whose sum is then checked
    gradient         `gradient(td, cotangents)` returns a dict of arrays, the gradients of (cotangents * scores).sum()
                     with respect to the tensors that the policy reads; what is missing is 0. Without it, what needs
                     gradients says so (status "no_gradients").
    batch_invariant  answers have the same bits in any batch. If not said, every call has one state, so that results
                     cannot depend on what else was asked.
    reads            only these tensors are made; all if empty
    batch            at most so many states per call
    allow_random     go on though it gives two answers to the same question, which is an error otherwise

    >>> import cax
    >>> nearest = cax.Policy(lambda td: -td["distances"], problem="cvrptw", name="nearest", reads=["distances"])
    >>> [solution] = cax.solve(nearest, cax.generate("cvrptw", size=10))
    >>> solution.valid
    True
    """

    def __init__(self, function, problem, *, name=None, scores="logits", gradient=None, batch_invariant=False,
                 reads=(), batch=64, allow_random=False):
        if not callable(function):
            raise TypeError(f"function: {function!r} cannot be called")
        differentiate = None
        if gradient is not None:
            def differentiate(td, cotangents_of):
                return gradient(td, cotangents_of(function(td)))
        self._value = _cax.policy_from_callable(function, differentiate, problem, name or _name_of(function), scores,
                                                batch_invariant, batch, list(reads))
        self._value.allow_random = bool(allow_random)

    @classmethod
    def _of(cls, value):
        policy = cls.__new__(cls)
        policy._value = value
        return policy

    @property
    def problem(self):
        return self._value.problem

    @property
    def name(self):
        """What a network is called, or what you called it."""
        return self._value.network

    @property
    def size(self):
        """The size that it was trained on, or None."""
        return self._value.size or None

    @property
    def source(self):
        """The file or the command that it came from, or None."""
        return self._value.source or None

    @property
    def sha256(self):
        return self._value.sha256 or None

    @property
    def traits(self):
        """What may be asked of it: batch_invariant, thread_safe, differentiable, has_encoder."""
        return self._value.traits

    def log_probs(self, states):
        """log pi(a | s): an array for a state, a list of arrays for several; -inf where the mask forbids."""
        if isinstance(states, _cax.State):
            return self._value.log_probs([states])[0]
        return self._value.log_probs(list(states))

    def gradient(self, state, action):
        """d log pi(action | state) / d features, by the tensors' names."""
        return self._value.gradient(state, int(action))

    def __repr__(self):
        return f"<cax.Policy for {self.problem}: {self.source or self.name}>"


def _name_of(function):
    return getattr(function, "__name__", type(function).__name__)


def load_policy(source=None, *, command=None, metadata=None, precision="float", threads=0, start_seconds=120.0,
                answer_seconds=60.0, allow_random=False):
    """A policy from a file, from a state dict of rl4co's, or from a command (docs/policy-protocol.md).

    A file is a .safetensors file, the name of a trained policy ("op-20-s0": see CAX_MODELS), or a checkpoint of rl4co's
    (.ckpt, .pt, .pth), of which torch reads tensors and plain values and nothing that could run. A state dict is a
    mapping of names to arrays or torch tensors. `metadata` says what the tensors of a checkpoint or a state dict
    cannot: env_name, num_heads, ... precision is "float" or "double". A command that gives two answers to the same
    question is an error wherever it is asked, unless `allow_random`.
    """
    if (source is None) == (command is None):
        raise TypeError("load_policy: give either a source or a command")
    if command is not None:
        policy = Policy._of(_cax.policy_from_command(command, start_seconds, answer_seconds))
        policy._value.allow_random = bool(allow_random)
        return policy
    if isinstance(source, (str, os.PathLike)) and os.fspath(source).endswith((".ckpt", ".pt", ".pth")):
        from .convert import policy_of_checkpoint
        return policy_of_checkpoint(source, metadata or {}, precision, threads)
    if isinstance(source, (str, os.PathLike)):
        if metadata:
            raise TypeError("metadata: a file has its own")
        return Policy._of(_cax.policy_from_file(os.fspath(source), precision, threads))
    arrays = {name: value.detach().cpu().numpy() if hasattr(value, "detach") else np.asarray(value)
              for name, value in dict(source).items()}
    texts = {key: ("true" if value is True else "false" if value is False else str(value))
             for key, value in (metadata or {}).items()}
    return Policy._of(_cax.policy_from_state_dict(arrays, texts, precision, threads))
