"""A policy for op that misbehaves in the way its first argument names, from its second answer on. The second one
is a file for its process number."""
import json, os, struct, sys, time

mode = sys.argv[1]
if len(sys.argv) > 2:
    with open(sys.argv[2], "w") as file:
        file.write(str(os.getpid()))


def frame(metadata, shape=None, value=0.0):
    header, data = {"__metadata__": metadata}, b""
    if shape:
        data = struct.pack("<d", value) * (shape[0] * shape[1])
        header["scores"] = {"dtype": "F64", "shape": shape, "data_offsets": [0, len(data)]}
    text = json.dumps(header).encode()
    return struct.pack("<QQ", 8 + len(text) + len(data), len(text)) + text + data


def say(data):
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def masks():
    length = sys.stdin.buffer.read(8) or sys.exit()
    data = sys.stdin.buffer.read(struct.unpack("<Q", length)[0])
    return json.loads(data[8 : 8 + struct.unpack("<Q", data[:8])[0]])["action_mask"]["shape"]


say(frame({"cax": "policy/1", "problem": "op", "name": "bad", "differentiable": "true"}))
say(frame({}, masks()))
shape = masks()
if mode == "crash":
    sys.exit(7)
if mode == "signal":
    os.kill(os.getpid(), 9)
if mode == "slow":
    time.sleep(60)
if mode == "deaf":  # ends neither when its input closes nor when it is asked to
    import signal

    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    while True:
        time.sleep(1)
if mode == "shape":
    say(frame({}, [shape[0], shape[1] + 1]))
if mode == "nan":
    say(frame({}, shape, float("nan")))
if mode == "empty":
    say(frame({}))
if mode == "garbage":
    say(struct.pack("<Q", 20) + b"this is no tensor!!!")
if mode == "half":
    say(struct.pack("<Q", 1000) + b"only this")
    sys.exit(0)
if mode == "chatty":
    say(frame({}, shape) + b"I answered!\n")
if mode == "text":
    say(b"Loading the model ...\n")
if mode == "error":
    say(frame({"error": "CUDA is\nout of memory"}))
if mode == "good":
    while True:
        say(frame({}, shape))
        shape = masks()
masks()
time.sleep(60)
