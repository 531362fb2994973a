"""rl4co's two policies in plain torch, with rl4co's parameter names: what a person's own module looks like to cax."""
import math

import torch
from torch import nn
from torch.nn import functional as F


class Norm(nn.Module):
    """Batch norm as in evaluation, instance norm over the nodes, or layer norm over everything."""

    def __init__(self, kind, width):
        super().__init__()
        self.kind = kind
        if kind == "batch":
            self.normalizer = nn.BatchNorm1d(width)
        if kind == "instance":
            self.normalizer = nn.InstanceNorm1d(width, affine=True)

    def forward(self, x):
        if self.kind == "batch":
            n = self.normalizer
            return (x - n.running_mean) / torch.sqrt(n.running_var + 1e-5) * n.weight + n.bias
        if self.kind == "instance":
            mean, var = x.mean(1, keepdim=True), x.var(1, unbiased=False, keepdim=True)
            return (x - mean) / torch.sqrt(var + 1e-5) * self.normalizer.weight + self.normalizer.bias
        mean, var = x.mean((1, 2), keepdim=True), x.var((1, 2), keepdim=True)
        return (x - mean) / torch.sqrt(var + 1e-5)


def split_heads(x, heads):
    return x.unflatten(-1, (heads, -1)).transpose(-3, -2)


def merge_heads(x):
    return x.transpose(-3, -2).flatten(-2)


def attend(q, k, v, forbidden=None):
    scores = q @ k.transpose(-1, -2) / math.sqrt(q.shape[-1])
    if forbidden is not None:
        scores = scores.masked_fill(forbidden, float("-inf"))
    return scores.softmax(-1) @ v


class SelfAttention(nn.Module):
    def __init__(self, width, heads, bias):
        super().__init__()
        self.heads = heads
        self.Wqkv = nn.Linear(width, 3 * width, bias=bias)
        self.out_proj = nn.Linear(width, width, bias=bias)

    def forward(self, x, forbidden=None):
        q, k, v = (split_heads(part, self.heads) for part in self.Wqkv(x).chunk(3, -1))
        return self.out_proj(merge_heads(attend(q, k, v, forbidden)))


class Skip(nn.Module):
    def __init__(self, module):
        super().__init__()
        self.module = module

    def forward(self, x):
        return x + self.module(x)


class FeedForward(nn.Module):
    def __init__(self, width, hidden):
        super().__init__()
        self.lins = nn.ModuleList([nn.Linear(width, hidden), nn.Linear(hidden, width)])

    def forward(self, x):
        return self.lins[1](F.relu(self.lins[0](x)))


def module_of(**children):
    module = nn.Module()
    for name, child in children.items():
        setattr(module, name, child)
    return module


CUSTOMER = {"cvrptw": lambda td: (td["locs"][:, 1:], td["demand"][..., None], td["time_windows"][:, 1:],
                                  td["durations"][:, 1:, None]),
            "op": lambda td: (td["locs"][:, 1:], td["prize"][:, 1:, None])}
CONTEXT = {"cvrptw": lambda td: (td["vehicle_capacity"] - td["used_capacity"], td["current_time"]),
           "op": lambda td: (td["max_length"][:, :1] - td["tour_length"][:, None],)}


class AttentionModel(nn.Module):
    """rl4co's AttentionModelPolicy for cvrptw and op, the encoder run on every state."""

    def __init__(self, problem, weights, metadata):
        super().__init__()
        self.problem = problem
        self.heads = int(metadata.get("num_heads", 8))
        self.clip = float(metadata.get("tanh_clipping", 10))
        self.temperature = float(metadata.get("temperature", 1))
        self.graph_context = metadata.get("use_graph_context", "true").lower() == "true"
        kind = metadata.get("normalization", "batch")
        width = weights["decoder.project_fixed_context.weight"].shape[0]
        hidden = weights["encoder.net.layers.0.2.module.lins.0.weight"].shape[0]
        count = 1 + max(int(name.split(".")[3]) for name in weights if name.startswith("encoder.net.layers."))
        inputs = weights["encoder.init_embedding.init_embed.weight"].shape[1]
        scalars = weights["decoder.context_embedding.project_context.weight"].shape[1] - width
        layers = [nn.ModuleList([Skip(SelfAttention(width, self.heads, True)), Norm(kind, width),
                                 Skip(FeedForward(width, hidden)), Norm(kind, width)]) for _ in range(count)]
        self.encoder = module_of(
            init_embedding=module_of(init_embed_depot=nn.Linear(2, width), init_embed=nn.Linear(inputs, width)),
            net=module_of(layers=nn.ModuleList(layers)))
        self.decoder = module_of(
            context_embedding=module_of(project_context=nn.Linear(width + scalars, width, bias=False)),
            project_node_embeddings=nn.Linear(width, 3 * width, bias=False),
            project_fixed_context=nn.Linear(width, width, bias=False),
            pointer=module_of(project_out=nn.Linear(width, width, bias=False)))
        self.load_state_dict({name: torch.as_tensor(value) for name, value in weights.items()})

    def forward(self, td):
        embed, decoder = self.encoder.init_embedding, self.decoder
        h = torch.cat([embed.init_embed_depot(td["locs"][:, :1]),
                       embed.init_embed(torch.cat(CUSTOMER[self.problem](td), -1))], 1)
        for layer in self.encoder.net.layers:
            for block in layer:
                h = block(h)
        glimpse_key, glimpse_value, logit_key = decoder.project_node_embeddings(h).chunk(3, -1)
        here = h[torch.arange(len(h)), td["current_node"].flatten()]
        query = decoder.context_embedding.project_context(torch.cat([here, *CONTEXT[self.problem](td)], -1))
        if self.graph_context:
            query = query + decoder.project_fixed_context(h.mean(1))
        heads = attend(split_heads(query[:, None], self.heads), split_heads(glimpse_key, self.heads),
                       split_heads(glimpse_value, self.heads), ~td["action_mask"][:, None, None, :])
        u = decoder.pointer.project_out(merge_heads(heads))
        logits = (u @ logit_key.transpose(1, 2))[:, 0] / math.sqrt(h.shape[-1])
        return (self.clip * torch.tanh(logits) if self.clip > 0 else logits) / self.temperature


class MixedScoreFFN(nn.Module):
    def __init__(self, kind, width, hidden):
        super().__init__()
        self.ops = module_of(norm1=Norm(kind, width), norm2=Norm(kind, width),
                             ffn=nn.Sequential(nn.Linear(width, hidden), nn.ReLU(), nn.Linear(hidden, width)))

    def forward(self, x, attended):
        t = self.ops.norm1(attended + x)
        return self.ops.norm2(t + self.ops.ffn(t))


class EncoderLayer(nn.Module):
    def __init__(self, kind, width, heads, hidden):
        super().__init__()
        self.heads = heads

        def linear(a, b):
            return nn.Linear(a, b, bias=False)

        self.cross_attn = module_of(Wqv1=linear(width, 2 * width), Wkv2=linear(width, 2 * width),
                                    mixed_scores_layer=module_of(lin1=linear(2 * heads, width), lin2=linear(width, heads)),
                                    out_proj1=linear(width, width), out_proj2=linear(width, width))
        self.op_attn, self.ma_attn = SelfAttention(width, heads, False), SelfAttention(width, heads, False)
        self.op_norm, self.ma_norm = Norm(kind, width), Norm(kind, width)
        self.op_ffn, self.ma_ffn = MixedScoreFFN(kind, width, hidden), MixedScoreFFN(kind, width, hidden)

    def forward(self, x, y, cost, padding):
        cross = self.cross_attn
        q, v1 = (split_heads(part, self.heads) for part in cross.Wqv1(x).chunk(2, -1))
        k, v2 = (split_heads(part, self.heads) for part in cross.Wqv1(y).chunk(2, -1))
        dot = q @ k.transpose(-1, -2) / math.sqrt(q.shape[-1])  # [B, H, O, M]
        pairs = torch.stack([dot, cost[:, None].expand_as(dot)], 2).flatten(1, 2).movedim(1, -1)
        mix = cross.mixed_scores_layer.lin2(F.relu(cross.mixed_scores_layer.lin1(pairs))).movedim(-1, 1)
        z = mix / mix.std()
        a1 = cross.out_proj1(merge_heads(z.softmax(-1) @ v2))
        a2 = cross.out_proj2(merge_heads(z.softmax(-2).transpose(-1, -2) @ v1))
        x, y = self.op_norm(a1 + x), self.ma_norm(a2 + y)
        return self.op_ffn(x, self.op_attn(x, padding[:, None, None, :])), self.ma_ffn(y, self.ma_attn(y))


class L2DAttention(nn.Module):
    """rl4co's L2DAttnPolicy for fjsp, the encoder run on every state. Its scores depend on the batch."""

    def __init__(self, weights, metadata):
        super().__init__()
        self.heads = int(metadata.get("num_heads", 8))
        self.clip = float(metadata.get("tanh_clipping", 10))
        self.temperature = float(metadata.get("temperature", 1))
        self.scale = float(metadata.get("scaling_factor", 1000))
        kind = metadata.get("normalization", "batch")
        width = weights["decoder.project_fixed_context.weight"].shape[0]
        hidden = weights["encoder.layers.0.op_ffn.ops.ffn.0.weight"].shape[0]
        count = 1 + max(int(name.split(".")[2]) for name in weights if name.startswith("encoder.layers."))
        positions = nn.Module()
        positions.register_buffer("pe", torch.zeros(weights["encoder.init_embedding.pos_encoder.pe"].shape))
        self.encoder = module_of(
            init_embedding=module_of(init_ops_embed=nn.Linear(5, width, bias=False),
                                     init_ma_embed=nn.Linear(1, width, bias=False), pos_encoder=positions),
            layers=nn.ModuleList([EncoderLayer(kind, width, self.heads, hidden) for _ in range(count)]))
        self.decoder = module_of(
            context_embedding=module_of(proj_busy=nn.Linear(1, width, bias=False)),
            dynamic_embedding=module_of(project_node_step=nn.Linear(2, 3 * width, bias=False),
                                        project_edge_step=nn.Linear(1, 3, bias=False)),
            project_node_embeddings=nn.Linear(width, 3 * width, bias=False),
            project_fixed_context=nn.Linear(width, width, bias=False),
            pointer=module_of(project_out=nn.Linear(width, width, bias=False)))
        self.decoder.dummy = nn.Parameter(torch.zeros(1, width))
        self.load_state_dict({name: torch.as_tensor(value) for name, value in weights.items()})

    def encode(self, td):
        embed, times = self.encoder.init_embedding, td["proc_times"]
        real = times.dtype
        mean = times.sum(1) / ((times > 0).sum(1) + 1e-9)
        features = torch.stack([mean / self.scale, td["is_ready"].to(real), td["num_eligible"],
                                td["ops_job_map"].to(real), td["op_scheduled"].to(real)], -1)
        x = embed.init_ops_embed(features) + embed.pos_encoder.pe[0][td["ops_sequence_order"]]
        x = x.masked_fill(td["pad_mask"][..., None], 0)
        y = embed.init_ma_embed((td["busy_until"] - td["time"][:, None])[..., None] / self.scale)
        for layer in self.encoder.layers:
            x, y = layer(x, y, times.transpose(1, 2) / self.scale, td["pad_mask"])
        return x, y

    def forward(self, td):
        x, y = self.encode(td)
        decoder, dynamic = self.decoder, self.decoder.dynamic_embedding
        batch, jobs, machines = len(x), td["next_op"].shape[1], y.shape[1]
        rows, now = torch.arange(batch)[:, None], td["time"][:, None]
        next_op = td["next_op"]
        parts = decoder.project_node_embeddings(x)[rows, next_op]  # [B, J, 3E]
        ahead = (td["lbs"] - now).clamp(min=0)[rows, next_op] / self.scale
        ready = td["is_ready"][rows, next_op].to(x.dtype)
        parts = parts + dynamic.project_node_step(torch.stack([ahead, ready], -1))
        busy = td["busy_until"] > now
        cost = td["proc_times"].transpose(1, 2)[rows, next_op].masked_fill(busy[:, None], 0) / self.scale  # [B, J, M]
        weights = dynamic.project_edge_step.weight[:, 0]
        key, value, logit_key = (part + w * (cost @ y) for part, w in zip(parts.chunk(3, -1), weights))
        query = y + decoder.context_embedding.proj_busy(((td["busy_until"] - now) / self.scale)[..., None])
        heads = attend(split_heads(query, self.heads), split_heads(key, self.heads), split_heads(value, self.heads))
        u = decoder.pointer.project_out(merge_heads(heads))
        logit_key = torch.cat([decoder.dummy.expand(batch, 1, -1), logit_key], 1)
        table = u @ logit_key.transpose(1, 2) / math.sqrt(x.shape[-1])  # [B, M, 1 + J]
        logits = torch.cat([table[:, :, 0].sum(1, keepdim=True), table[:, :, 1:].transpose(1, 2).flatten(1)], 1)
        assert logits.shape == (batch, 1 + jobs * machines)
        return (self.clip * torch.tanh(logits) if self.clip > 0 else logits) / self.temperature


def network(problem, weights, metadata):
    """The module for a policy file's tensors, holding them in float64."""
    widened = {name: torch.as_tensor(value).double() if value.dtype.kind == "f" else torch.as_tensor(value)
               for name, value in weights.items()}
    module = L2DAttention(widened, metadata) if problem == "fjsp" else AttentionModel(problem, widened, metadata)
    return module.double()
