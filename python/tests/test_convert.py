"""Checkpoints become policy files, and no code of theirs runs."""
import numpy as np
import pytest

import cax
from cax import _cax, convert

torch = pytest.importorskip("torch")


@pytest.fixture
def weights(model_file):
    arrays, metadata = _cax.read_tensors(str(model_file("op")))
    return {name: torch.as_tensor(array) for name, array in arrays.items()}, metadata


def lightning(weights, **hyper_parameters):
    tensors = {f"policy.{name}": value for name, value in weights.items()}
    tensors.update({f"baseline.policy.{name}": 0 * value for name, value in weights.items()})
    return {"state_dict": tensors, "hyper_parameters": hyper_parameters, "epoch": 3}


def test_a_lightning_checkpoint_is_the_same_policy(weights, model_file, tmp_path, capsys):
    tensors, metadata = weights
    metadata = dict(metadata)
    problem = metadata.pop("env_name")
    torch.save(lightning(tensors, policy_kwargs=metadata), tmp_path / "model.ckpt")
    assert convert.main([str(tmp_path / "model.ckpt"), str(tmp_path / "p.safetensors"), "--problem", problem]) == 0
    assert "a attention policy for op" in capsys.readouterr().out
    state = cax.generate("op")[0].reset()
    assert np.array_equal(cax.load_policy(tmp_path / "p.safetensors").log_probs(state),
                          cax.load_policy(model_file("op")).log_probs(state))


def test_a_plain_state_dict_takes_settings_from_the_command_line(weights, tmp_path):
    tensors, metadata = weights
    torch.save(tensors, tmp_path / "weights.pt")
    given = [part for name, value in metadata.items() if name in convert.SETTINGS for part in ("--set", f"{name}={value}")]
    assert convert.main([str(tmp_path / "weights.pt"), str(tmp_path / "p.safetensors"), "--problem", "op", *given]) == 0


def test_the_size_of_the_training_instances_is_kept_and_asked_for(weights, tmp_path, capsys):
    tensors, metadata = weights
    given = {name: value for name, value in metadata.items() if name not in ("size", "env_name")}
    torch.save(lightning(tensors, policy_kwargs=given), tmp_path / "silent.ckpt")
    target = tmp_path / "p.safetensors"
    assert convert.main([str(tmp_path / "silent.ckpt"), str(target), "--problem", "op"]) == 2
    assert "which size it was trained" in capsys.readouterr().err and not target.exists()
    torch.save(lightning(tensors, policy_kwargs=given, generator_params={"num_loc": 37}), tmp_path / "said.ckpt")
    convert.convert(tmp_path / "said.ckpt", target, "op")
    assert _cax.read_tensors(str(target))[1]["size"] == "37"
    assert convert.trained_size([{}, {"num_jobs": 10, "num_machines": 5}]) == "10x5"


class Mine:
    def __reduce__(self):
        return print, ("code of the checkpoint has run",)


def test_code_in_a_checkpoint_does_not_run(weights, tmp_path, capsys):
    torch.save(lightning(weights[0], env=Mine()), tmp_path / "model.ckpt")
    target = tmp_path / "p.safetensors"
    assert convert.main([str(tmp_path / "model.ckpt"), str(target), "--problem", "op"]) == 2
    said = capsys.readouterr()
    assert "could run code" in said.err and "has run" not in said.out and not target.exists()
    assert convert.main([str(tmp_path / "model.ckpt"), str(target), "--problem", "op", "--trust", "--set", "size=20"]) == 0
    assert "has run" in capsys.readouterr().out


@pytest.mark.parametrize("content, sentence", [
    ([1, 2], "holds a list, not a state dict"),
    ({"state_dict": {}}, "holds no tensors"),
    ({"w": torch.zeros(3)}, "those of no network of cax"),
])
def test_what_is_no_policy_is_named(tmp_path, capsys, content, sentence):
    torch.save(content, tmp_path / "x.pt")
    assert convert.main([str(tmp_path / "x.pt"), str(tmp_path / "p.safetensors")]) == 2
    assert sentence in capsys.readouterr().err


def test_what_is_no_checkpoint_is_named(tmp_path, capsys):
    (tmp_path / "x.ckpt").write_text("hello")
    assert convert.main([str(tmp_path / "x.ckpt"), str(tmp_path / "p.safetensors")]) == 2
    assert "x.ckpt" in capsys.readouterr().err
    assert convert.main([str(tmp_path / "none.ckpt"), str(tmp_path / "p.safetensors")]) == 2
