"""What the boundary between cax and a Python policy costs, beside the policy's own time: CPU ms per state.

PYTHONPATH=build/ci/python /usr/bin/python3 python/bench/boundary.py
"""
import pathlib
import resource
import sys
import time

import numpy as np
import torch

import cax
from cax import _cax

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python" / "tests"))
from rl4co_networks import network  # noqa: E402

SHIPPED = {"op": "op-20-s0", "cvrptw": "cvrptw-50-s0", "fjsp": "fjsp-10x5-s0"}


def cpu(work, repeat):
    """Best of three, per call."""
    times = []
    for _ in range(3):
        start = time.process_time()
        for _ in range(repeat):
            work()
        times.append((time.process_time() - start) / repeat)
    return min(times)


def main():
    torch.set_num_threads(1)
    print("problem batch  policy alone  through cax  boundary    of it   empty policy   our engine")
    for problem, file in SHIPPED.items():
        path = ROOT / "models" / f"{file}.safetensors"
        weights, metadata = _cax.read_tensors(str(path))
        module = network(problem, weights, metadata).eval()
        ours = cax.load_policy(path, precision="double", threads=1)
        states = [instance.reset() for instance in cax.generate(problem, count=64)]
        for batch in (1, 16, 64):
            seen = {}

            def remember(td):
                seen.update(td)
                return np.zeros(td["action_mask"].shape)

            empty = cax.Policy(remember, problem=problem, batch_invariant=True)
            mine = cax.torch.policy(module, problem=problem, batch_invariant=True)
            own = states[:batch]
            empty.log_probs(own)
            td = {name: torch.as_tensor(array).double() if array.dtype.kind == "f" else torch.as_tensor(array)
                  for name, array in seen.items()}
            with torch.no_grad():
                alone = cpu(lambda: module(td), max(2, 64 // batch)) / batch
            through = cpu(lambda: mine.log_probs(own), max(2, 64 // batch)) / batch
            nothing = cpu(lambda: empty.log_probs(own), max(8, 256 // batch)) / batch
            engine = cpu(lambda: ours.log_probs(own), max(2, 64 // batch)) / batch
            print(f"{problem:8}{batch:5}{1e3 * alone:12.3f}{1e3 * through:14.3f}{1e3 * (through - alone):10.3f}"
                  f"{(through - alone) / alone:9.1%}{1e3 * nothing:13.3f}{1e3 * engine:13.3f}")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    decisions, start = 0, time.process_time()
    policy = cax.Policy(lambda td: td["prize"], problem="op", batch_invariant=True, reads=["prize"])
    while decisions < 10_000:
        for solution in cax.solve(policy, cax.generate("op", count=200, seed=decisions)):
            decisions += len(solution.actions)
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{decisions} decisions of an empty policy: {time.process_time() - start:.1f} s of CPU, "
          f"{after:.0f} MB at most ({after - peak:.0f} MB more than before)")


if __name__ == "__main__":
    main()
