"""Turns a checkpoint of rl4co's into a policy file: python -m cax.convert model.ckpt policy.safetensors --problem op

A checkpoint is a pickle, and opening a pickle can run whatever its author put into it. So only tensors and plain values
are read; a checkpoint that holds more is refused, unless --trust says that you know where it comes from.
"""
import argparse
import pickle
import sys

from . import _cax
from ._policy import load_policy

# What the tensors cannot say, with the names that a policy file has for it.
SETTINGS = ("num_heads", "normalization", "use_graph_context", "tanh_clipping", "temperature", "scaling_factor", "size")


def read_checkpoint(path, trust=False):
    """The state dict and the plain hyper-parameters of a .ckpt or .pt file."""
    import torch
    try:
        content = torch.load(path, map_location="cpu", weights_only=not trust)
    except OSError:
        raise
    except pickle.UnpicklingError as failure:
        raise ValueError(f"{path}: holds more than tensors and plain values ({str(failure).splitlines()[0]}). Opening it "
                         "could run code that its author put there; if you trust it, add --trust, and have rl4co "
                         "installed") from None
    except Exception as failure:  # what a broken pickle raises is anybody's guess
        raise ValueError(f"{path}: is no checkpoint of torch's ({type(failure).__name__})") from None
    if not isinstance(content, dict):
        raise ValueError(f"{path}: holds a {type(content).__name__}, not a state dict; save module.state_dict() instead")
    return content.get("state_dict", content), content.get("hyper_parameters", {})


def policy_tensors(state_dict):
    """The policy's own tensors: without the prefix that training gives them, and without a baseline's copy."""
    own = {name[len("policy."):]: value for name, value in state_dict.items() if name.startswith("policy.")}
    own = own or {name: value for name, value in state_dict.items() if not name.startswith("baseline.")}
    return {name: value.detach().cpu().numpy() for name, value in own.items() if hasattr(value, "detach")}


def trained_size(nested):
    """The size of the instances that a checkpoint's generator made, if it says so: "50", or "10x5" of a shop."""
    for values in nested:
        if isinstance(values.get("num_loc"), int):
            return str(values["num_loc"])
        if isinstance(values.get("num_jobs"), int) and isinstance(values.get("num_machines"), int):
            return f"{values['num_jobs']}x{values['num_machines']}"
    return None


def metadata_of(hyper_parameters, problem, settings):
    """What a policy file says about itself: what is given, else what the checkpoint holds."""
    found = {}
    nested = [hyper_parameters, *(value for value in hyper_parameters.values() if isinstance(value, dict))]
    for values in nested:
        for name in (*SETTINGS, "env_name"):
            if isinstance(values.get(name), (str, int, float)):
                found.setdefault(name, values[name])
    if size := trained_size(nested):
        found.setdefault("size", size)
    if problem:
        found["env_name"] = problem
    found.update(settings)
    return {name: str(value).lower() if isinstance(value, bool) else str(value) for name, value in found.items()}


def policy_of_checkpoint(source, metadata, precision="float", threads=0):
    """The policy that a checkpoint holds, without writing anything. Code in it never runs."""
    state_dict, hyper_parameters = read_checkpoint(source)
    found = metadata_of(hyper_parameters if isinstance(hyper_parameters, dict) else {}, None, dict(metadata))
    try:
        return load_policy(policy_tensors(state_dict), metadata=found, precision=precision, threads=threads)
    except ValueError as failure:
        raise ValueError(f"{source}: {failure}") from None


def convert(source, target, problem=None, trust=False, **settings):
    """Writes the policy file and returns the policy that it holds."""
    state_dict, hyper_parameters = read_checkpoint(source, trust)
    tensors = policy_tensors(state_dict)
    if not tensors:
        raise ValueError(f"{source}: holds no tensors")
    metadata = metadata_of(hyper_parameters if isinstance(hyper_parameters, dict) else {}, problem, settings)
    try:
        load_policy(tensors, metadata=metadata)
    except ValueError as failure:
        raise ValueError(f"{source}: {failure}") from None
    if "size" not in metadata:  # nobody can read it off the tensors later
        raise ValueError(f"{source}: does not say on instances of which size it was trained; add --set size=50, say")
    _cax.write_tensors(str(target), tensors, metadata)
    return load_policy(target)


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="python -m cax.convert", description=__doc__.splitlines()[0])
    parser.add_argument("source", help="checkpoint (.ckpt, .pt, .pth)")
    parser.add_argument("target", help="policy file (.safetensors)")
    parser.add_argument("--problem", help="op, cvrptw, fjsp, ... if the checkpoint does not say")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE",
                        help=f"what the tensors cannot say: {', '.join(SETTINGS)}")
    parser.add_argument("--trust", action="store_true", help="run what code the checkpoint holds")
    given = parser.parse_args(arguments)
    try:
        settings = dict(each.split("=", 1) for each in given.set)
        policy = convert(given.source, given.target, given.problem, given.trust, **settings)
    except (OSError, ValueError) as failure:
        print(f"cax: {failure}", file=sys.stderr)
        return 2
    print(f"{given.target}: a {policy.name} policy for {policy.problem}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
