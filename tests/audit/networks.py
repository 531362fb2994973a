"""The two policy networks in double precision with numpy, written from their equations: the attention model (Kool et
al., 2019, as rl4co has it) and MatNet with rl4co's job shop decoder. Weights come from safetensors files."""
import json
import struct

import numpy as np

TYPES = {"F16": np.float16, "F32": np.float32, "F64": np.float64}


def read_safetensors(path):
    with open(path, "rb") as file:
        data = file.read()
    size = struct.unpack("<Q", data[:8])[0]
    header = json.loads(data[8:8 + size])
    metadata, body = header.pop("__metadata__", {}), data[8 + size:]
    arrays = {}
    for name, entry in header.items():
        begin, end = entry["data_offsets"]
        values = np.frombuffer(body[begin:end], TYPES[entry["dtype"]]).reshape(entry["shape"])
        arrays[name] = values.astype(np.float64)
    return arrays, metadata


def write_safetensors(path, arrays, metadata):
    header, body = {"__metadata__": metadata}, b""
    for name, values in sorted(arrays.items()):
        data = values.astype(np.float32).tobytes()
        header[name] = {"dtype": "F32", "shape": list(values.shape), "data_offsets": [len(body), len(body) + len(data)]}
        body += data
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text + body)


def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


class Network:
    def __init__(self, path):
        self.weights, self.metadata = read_safetensors(path)
        self.heads = int(self.metadata["num_heads"])
        self.norm = self.metadata["normalization"]
        self.clip = float(self.metadata["tanh_clipping"])
        self.temperature = float(self.metadata["temperature"])
        self.graph = self.metadata["use_graph_context"] == "true"

    def linear(self, name, x):
        y = x @ self.weights[name + ".weight"].T
        bias = self.weights.get(name + ".bias")
        return y if bias is None else y + bias

    def normalise(self, name, x):
        w = self.weights
        if self.norm == "layer":
            return (x - x.mean()) / np.sqrt(x.var(ddof=1) + 1e-5)
        if self.norm == "instance":
            mean, variance = x.mean(axis=0), x.var(axis=0)
        else:
            mean, variance = w[name + ".normalizer.running_mean"], w[name + ".normalizer.running_var"]
        scaled = (x - mean) / np.sqrt(variance + 1e-5)
        return scaled * w[name + ".normalizer.weight"] + w[name + ".normalizer.bias"]

    def split(self, x):
        return x.reshape(len(x), self.heads, -1).transpose(1, 0, 2)

    def self_attention(self, qkv, hidden=None):
        q, k, v = (self.split(part) for part in np.split(qkv, 3, axis=1))
        scores = q @ k.transpose(0, 2, 1) / np.sqrt(q.shape[2])
        if hidden is not None:
            scores[:, :, hidden] = -np.inf
        return (softmax(scores) @ v).transpose(1, 0, 2).reshape(len(qkv), -1)

    def log_softmax(self, logits, mask):
        squashed = self.clip * np.tanh(logits) if self.clip else logits
        masked = np.where(mask, squashed, -np.inf) / self.temperature
        top = masked.max()
        return masked - top - np.log(np.exp(masked - top).sum())


class Attention(Network):
    def log_probs(self, seen, encoded=None):
        """`seen`: depot (or None), rows, context, here, first (or None), mask, stepwise."""
        if seen.get("stepwise"):
            return self.stepwise(seen)
        h = self.encode(seen) if encoded is None else encoded
        return self.decode(h, seen)

    def stepwise(self, seen):
        own = np.flatnonzero(seen["mask"])
        part = {**seen, "rows": np.asarray(seen["rows"])[own], "mask": np.ones(len(own), bool)}
        result = np.full(len(seen["mask"]), -np.inf)
        result[own] = self.decode(self.encode(part), part)
        return result

    def encode(self, seen):
        init = "encoder.init_embedding.init_embed"
        h = self.linear(init, np.asarray(seen["rows"], float))
        if seen["depot"] is not None:
            h = np.vstack([self.linear(init + "_depot", np.asarray([seen["depot"]], float)), h])
        layer = 0
        while f"encoder.net.layers.{layer}.0.module.Wqkv.weight" in self.weights:
            at = f"encoder.net.layers.{layer}."
            attended = self.self_attention(self.linear(at + "0.module.Wqkv", h))
            h = self.normalise(at + "1", h + self.linear(at + "0.module.out_proj", attended))
            wide = np.maximum(self.linear(at + "2.module.lins.0", h), 0)
            h = self.normalise(at + "3", h + self.linear(at + "2.module.lins.1", wide))
            layer += 1
        return h

    def decode(self, h, seen):
        width, scalars = h.shape[1], np.asarray(seen["context"], float)
        placeholder = self.weights.get("decoder.context_embedding.W_placeholder")
        if placeholder is not None:
            shown = placeholder if seen["first"] is None else np.concatenate([h[seen["first"]], h[seen["here"]]])
        else:
            shown = [] if seen["here"] is None else h[seen["here"]]
        q = self.linear("decoder.context_embedding.project_context", np.concatenate([shown, scalars]))
        if self.graph:
            q = q + self.linear("decoder.project_fixed_context", h.mean(axis=0))
        keys, values, pointers = np.split(self.linear("decoder.project_node_embeddings", h), 3, axis=1)
        mask = np.asarray(seen["mask"], bool)
        k, v, own = self.split(keys), self.split(values), q.reshape(self.heads, -1)
        scores = np.einsum("hnd,hd->hn", k, own) / np.sqrt(own.shape[1])
        scores[:, ~mask] = -np.inf
        glimpse = np.einsum("hn,hnd->hd", softmax(scores), v).reshape(-1)
        u = self.linear("decoder.pointer.project_out", glimpse)
        return self.log_softmax(pointers @ u / np.sqrt(width), mask)


class Matnet(Network):
    def __init__(self, path):
        super().__init__(path)
        self.unit = float(self.metadata["scaling_factor"])

    def log_probs(self, seen, encoded=None):
        """`seen`: a dictionary of numbers by operation and machine; `encoded`: what the encoder made of the start."""
        return self.decode(self.encode(seen) if encoded is None else encoded, seen)

    def encode(self, seen):
        times = np.asarray(seen["times"], float)  # machine x operation
        count = (times > 0).sum(axis=0) + 1e-9
        features = np.stack([times.sum(axis=0) / count / self.unit, seen["ready"], seen["eligible"], seen["job"],
                             seen["scheduled"]], axis=1)
        known = self.weights["encoder.init_embedding.pos_encoder.pe"][0]
        x = self.linear("encoder.init_embedding.init_ops_embed", features) + known[seen["position"]]
        padding = np.asarray(seen["padding"], bool)
        x[padding] = 0
        wait = (np.asarray(seen["busy"])[:, None] - seen["time"]) / self.unit
        y = self.linear("encoder.init_embedding.init_ma_embed", wait)
        layer = 0
        while f"encoder.layers.{layer}.cross_attn.Wqv1.weight" in self.weights:
            at = f"encoder.layers.{layer}."
            a, b = self.mixed(at + "cross_attn", x, y, times.T / self.unit)
            x = self.side(at, "op", x, self.linear(at + "cross_attn.out_proj1", a), padding)
            y = self.side(at, "ma", y, self.linear(at + "cross_attn.out_proj2", b), None)
            layer += 1
        return x, y

    def mixed(self, at, x, y, costs):
        q, v1 = np.split(self.linear(at + ".Wqv1", x), 2, axis=1)
        k, v2 = np.split(self.linear(at + ".Wqv1", y), 2, axis=1)
        q, k, v1, v2 = (self.split(part) for part in (q, k, v1, v2))
        dots = np.einsum("hod,hmd->omh", q, k) / np.sqrt(q.shape[2])
        both = np.stack([dots, np.repeat(costs[:, :, None], self.heads, axis=2)], axis=3)
        pairs = both.reshape(*dots.shape[:2], 2 * self.heads)
        mix = self.linear(at + ".mixed_scores_layer.lin2",
                          np.maximum(self.linear(at + ".mixed_scores_layer.lin1", pairs), 0))
        mix = mix / mix.std(ddof=1)
        out_ops = np.einsum("omh,hmd->ohd", softmax(mix, axis=1), v2).reshape(len(x), -1)
        out_machines = np.einsum("omh,hod->mhd", softmax(mix, axis=0), v1).reshape(len(y), -1)
        return out_ops, out_machines

    def side(self, at, name, x, crossed, padding):
        u = self.normalise(f"{at}{name}_norm", x + crossed)
        attended = self.self_attention(self.linear(f"{at}{name}_attn.Wqkv", u), padding)
        t = self.normalise(f"{at}{name}_ffn.ops.norm1", u + self.linear(f"{at}{name}_attn.out_proj", attended))
        wide = np.maximum(self.linear(f"{at}{name}_ffn.ops.ffn.0", t), 0)
        return self.normalise(f"{at}{name}_ffn.ops.norm2", t + self.linear(f"{at}{name}_ffn.ops.ffn.2", wide))

    def decode(self, encoded, seen):
        x, y = encoded
        width, following = x.shape[1], seen["next"]
        busy, time = np.asarray(seen["busy"], float), seen["time"]
        times = np.asarray(seen["times"], float)
        costs = np.where(busy[None, :] > time, 0.0, times[:, following].T) / self.unit  # job x machine
        left = np.maximum(np.asarray(seen["bounds"])[following] - time, 0) / self.unit
        slack = np.stack([left, np.asarray(seen["ready"], float)[following]], axis=1)
        keys = self.linear("decoder.project_node_embeddings", x[following])
        keys = keys + self.linear("decoder.dynamic_embedding.project_node_step", slack)
        edge = self.weights["decoder.dynamic_embedding.project_edge_step.weight"][:, 0]
        keys = keys + np.concatenate([e * (costs @ y) for e in edge], axis=1)
        gk, gv, lk = np.split(keys, 3, axis=1)
        asked = y + self.linear("decoder.context_embedding.proj_busy", (busy[:, None] - time) / self.unit)
        scores = np.einsum("hjd,hmd->hjm", self.split(gk), self.split(asked)) * np.sqrt(self.heads / width)
        attended = np.einsum("hjm,hjd->mhd", softmax(scores, axis=1), self.split(gv)).reshape(len(y), -1)
        queries = self.linear("decoder.pointer.project_out", attended)
        choices = np.vstack([self.weights["decoder.dummy"], lk])
        dots = choices @ queries.T / np.sqrt(width)
        logits = np.concatenate([[dots[0].sum()], dots[1:].reshape(-1)])
        return self.log_softmax(logits, np.asarray(seen["mask"], bool))


def network_of(path):
    arrays, _ = read_safetensors(path)
    return Matnet(path) if "encoder.init_embedding.init_ma_embed.weight" in arrays else Attention(path)


def random_attention(path, problem, features, scalars, free_start, size, seed, flat=False):
    """A policy for a problem for which none was trained: decided, and different for every seed; or one that gives all
    actions the same score."""
    rng, width, wide = np.random.default_rng(seed), 16, 32
    shapes = {"encoder.init_embedding.init_embed.weight": (width, features),
              "encoder.init_embedding.init_embed.bias": (width,),
              "decoder.context_embedding.project_context.weight": (width, (2 if free_start else 1) * width + scalars),
              "decoder.project_node_embeddings.weight": (3 * width, width),
              "decoder.project_fixed_context.weight": (width, width),
              "decoder.pointer.project_out.weight": (width, width)}
    if free_start:
        shapes["decoder.context_embedding.W_placeholder"] = (2 * width,)
    for layer in range(2):
        at = f"encoder.net.layers.{layer}."
        shapes |= {at + "0.module.Wqkv.weight": (3 * width, width), at + "0.module.Wqkv.bias": (3 * width,),
                   at + "0.module.out_proj.weight": (width, width), at + "0.module.out_proj.bias": (width,),
                   at + "1.normalizer.weight": (width,), at + "1.normalizer.bias": (width,),
                   at + "2.module.lins.0.weight": (wide, width), at + "2.module.lins.0.bias": (wide,),
                   at + "2.module.lins.1.weight": (width, wide), at + "2.module.lins.1.bias": (width,),
                   at + "3.normalizer.weight": (width,), at + "3.normalizer.bias": (width,)}
    arrays = {}
    for name, shape in shapes.items():
        spread = 1.5 / np.sqrt(shape[-1]) if len(shape) == 2 else 0.3
        arrays[name] = rng.normal(0, spread, shape)
        if name.endswith("normalizer.weight"):
            arrays[name] = 1 + arrays[name]
    if flat:
        arrays["decoder.pointer.project_out.weight"][:] = 0
    metadata = {"env_name": problem, "normalization": "instance", "num_heads": "4", "size": str(size),
                "scaling_factor": "20", "tanh_clipping": "10", "temperature": "1", "use_graph_context": "true"}
    write_safetensors(path, arrays, metadata)
