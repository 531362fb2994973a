"""Instances, and what can be done with them without an explainer."""
import os

from . import _cax
from ._progress import progress_callback
from .explanation import PARTS
from .results import Baseline, CheckReport, Solution


def _instances(given):
    return [given] if isinstance(given, _cax.Instance) else list(given)


def load_instances(source, problem=None, **options):
    """Instances from a file (rl4co's .npz, .json, Solomon, OPLib, .fjs), or from a dict of arrays under rl4co's names.

    The arrays have a first dimension for the instances; those of a single instance may go without it. `options` are
    those of a text format's reader.

    >>> import numpy as np
    >>> [one] = load_instances({"depot": [0.5, 0.5], "locs": [[0.1, 0.2], [0.9, 0.4]], "prize": [0.5, 1.0],
    ...                         "max_length": np.float32(2)})
    >>> one.problem, one.size
    ('op', '2')
    """
    if isinstance(source, (str, os.PathLike)):
        return _cax.instances_from_file(os.fspath(source), problem or "", options)
    if options:
        raise TypeError(f"{next(iter(options))}: arrays need no reader's options")
    return _cax.instances_from_arrays(dict(source), problem or "")


def save_instances(path, instances):
    """Writes a file: .json, .npz as rl4co reads it, or the extension of one of the problem's text formats."""
    _cax.save_instances(os.fspath(path), _instances(instances))


def generate(problem, size=None, count=1, seed=0, **options):
    """Random instances with the distributions of rl4co's generators: those of `cax generate`.

    >>> generate("fjsp", size="3x2", count=2)[1].size
    '3x2'
    """
    return _cax.generate(problem, "" if size is None else str(size), count, seed, options)


def solve(policy, instances, *, keep_units=False, seed=0, threads=0, progress=None, **options):
    """Lets the policy solve each instance; every solution is judged by the problem's own checker.

    Options are those of `cax solve`: decode ("greedy", "multistart", "sample"), samples, encode ("once", "each-step").
    A network is shown numbers outside the range of its training scaled into it, unless `keep_units`.

    >>> import cax
    >>> first = cax.Policy(lambda td: 0.0 * td["action_mask"], problem="fjsp", name="the first that may be")
    >>> [solution] = solve(first, cax.generate("fjsp", size="3x2"))
    >>> solution.valid
    True
    """
    found = _cax.solve(policy._value, _instances(instances), keep_units, seed, threads, progress_callback(progress),
                       options)
    return [Solution(each) for each in found]


def check(instance, solution):
    """Is it valid, and what does it cost? `solution`: a dict as in solution files, or the actions of an episode."""
    return CheckReport(_cax.check(instance, solution if isinstance(solution, dict) else list(map(int, solution))))


def baseline(instances, *, seed=0, threads=0, progress=None, **options):
    """Classical solutions, proven where a solver can. Options are those of `cax baseline`: seconds, iterations.

    >>> import cax
    >>> [best] = baseline(cax.generate("op", size=5), seconds=5)
    >>> best.optimal
    True
    """
    return [Baseline(each) for each in
            _cax.baseline(_instances(instances), seed, threads, progress_callback(progress), options)]


def options(command):
    """The keywords of one of the explainer's methods, as the command line describes them: name, help, default, words.

    >>> [each["name"] for each in options("sensitivity")]
    ['noise_shots', 'noise_pool', 'reference']
    """
    known = ("explain", "attribute", "counterfactual", "subset", *PARTS)
    if command not in known:
        raise ValueError(f"command: {command!r} is not one of {', '.join(known)}")
    return _cax.options(command)


def problems():
    """What there is: name, title, families, and the feature tensors with the family of each.

    >>> [each["families"] for each in problems() if each["name"] == "op"]
    [['prize', 'budget', 'spatial']]
    """
    return _cax.problems()
