"""Policies written in torch: any module or function that turns rl4co's tensors into scores of the actions."""
import torch as _torch

from . import _cax
from ._policy import Policy, _name_of


def _tensors(td, dtype, device):
    result = {}
    for name, array in td.items():
        tensor = _torch.from_numpy(array)
        result[name] = tensor.to(device=device, dtype=dtype) if tensor.is_floating_point() else tensor.to(device)
    return result


def policy(module, problem, *, name=None, scores="logits", dtype=_torch.float64, device="cpu", batch_invariant=False,
           differentiable=True, reads=(), batch=64):
    """A cax.Policy of `module(td)`, which gets a dict of batched tensors under rl4co's names and returns scores
    `[B, actions]`. Gradients come from autograd; tensors that the module does not read have gradient 0.

    A module is put into evaluation mode and its parameters are converted to `dtype` (float64 by default: in float32
    sums depend on the batch in the fifth digit). `differentiable=False` for one that autograd cannot follow.

    >>> import cax
    >>> toy = cax.torch.policy(lambda td: 5 * td["prize"] - td["locs"].norm(dim=-1), problem="op")
    >>> state = cax.generate("op", size=5)[0].reset()
    >>> sorted(toy.gradient(state, 1))
    ['locs', 'max_length', 'prize']
    """
    if isinstance(module, _torch.nn.Module):
        module = module.to(device=device, dtype=dtype).eval()

    def scores_of(td):
        with _torch.no_grad():
            return module(_tensors(td, dtype, device)).cpu().numpy()

    def differentiate(td, cotangents_of):
        with _torch.enable_grad():
            tensors = _tensors(td, dtype, device)
            leaves = {key: value.requires_grad_() for key, value in tensors.items() if value.is_floating_point()}
            answer = module(tensors)
            cotangents = _torch.as_tensor(cotangents_of(answer.detach().cpu().numpy())).to(answer)
            if not answer.requires_grad:  # it reads nothing that moves
                return {}
            gradients = _torch.autograd.grad(answer, list(leaves.values()), cotangents, allow_unused=True)
        return {key: value.cpu().numpy() for key, value in zip(leaves, gradients) if value is not None}

    return Policy._of(_cax.policy_from_callable(scores_of, differentiate if differentiable else None, problem,
                                                name or _name_of(module), scores, batch_invariant, batch, list(reads)))


def rl4co_policy(model, problem, **options):
    """A cax.Policy of one of rl4co's own policy objects (an encoder and a decoder), every state encoded by itself."""
    model.to(dtype=options.get("dtype", _torch.float64)).eval()

    def module(td):
        batch = _as_tensordict(td)
        hidden, _ = model.encoder(batch)
        logits, mask = model.decoder(batch, model.decoder._precompute_cache(hidden), 0)
        clip = getattr(model, "tanh_clipping", 0)
        logits = clip * _torch.tanh(logits) if clip > 0 else logits
        return logits.masked_fill(~mask, float("-inf")) / getattr(model, "temperature", 1.0)

    return policy(module, problem, **{"name": type(model).__name__, **options})


def _as_tensordict(td):
    try:
        from tensordict import TensorDict
    except ImportError:
        return td
    return TensorDict(td, batch_size=[len(td["action_mask"])])
