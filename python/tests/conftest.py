import pathlib

import pytest

import cax
from cax import _cax

ROOT = pathlib.Path(__file__).resolve().parents[2]
SHIPPED = {"op": "op-20-s0", "cvrptw": "cvrptw-50-s0", "fjsp": "fjsp-10x5-s0"}


@pytest.fixture(scope="session")
def model_file():
    return lambda problem: ROOT / "models" / f"{SHIPPED[problem]}.safetensors"


@pytest.fixture(scope="session")
def both(model_file):
    """(ours in double, the same weights in a torch module), by problem; made once."""
    made = {}

    def make(problem):
        if problem not in made:
            from rl4co_networks import network
            weights, metadata = _cax.read_tensors(str(model_file(problem)))
            made[problem] = (cax.load_policy(model_file(problem), precision="double"),
                             cax.torch.policy(network(problem, weights, metadata), problem=problem))
        return made[problem]

    return make
