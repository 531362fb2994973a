"""A policy in a process of its own. cax solve --policy-command 'python3 examples/policies/prize_per_distance.py' op.json"""
import json, os, struct, sys
import numpy as np

TYPES = {"F64": "<f8", "F32": "<f4", "I64": "<i8", "I32": "<i4", "U8": "u1", "BOOL": "?"}
answers = os.fdopen(os.dup(1), "wb")
os.dup2(2, 1)  # from here on print() goes to standard error

def send(metadata, **tensors):
    header, data = {"__metadata__": metadata}, b""
    for name, array in tensors.items():
        header[name] = {"dtype": "F64", "shape": array.shape, "data_offsets": [len(data), len(data) + 8 * array.size]}
        data += array.astype("<f8").tobytes()
    text = json.dumps(header).encode()
    answers.write(struct.pack("<QQ", 8 + len(text) + len(data), len(text)) + text + data)
    answers.flush()

def receive():
    length = sys.stdin.buffer.read(8) or sys.exit()  # cax has closed the pipe: it is done with us
    frame = sys.stdin.buffer.read(struct.unpack("<Q", length)[0])
    start = 8 + struct.unpack("<Q", frame[:8])[0]
    tensors = [(name, t, t["data_offsets"]) for name, t in json.loads(frame[8:start]).items() if name != "__metadata__"]
    return {name: np.frombuffer(frame[start + a:start + b], TYPES[t["dtype"]]).reshape(t["shape"]) for name, t, (a, b) in tensors}

send({"cax": "policy/1", "problem": "op", "name": "prize per distance", "batch_invariant": "true"})
while True:
    td = receive()
    here = np.take_along_axis(td["locs"], td["current_node"][..., None], 1)
    send({}, scores=10 * td["prize"] - 5 * np.linalg.norm(td["locs"] - here, axis=-1))
