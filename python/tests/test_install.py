"""`pip install ./python`, offline, with what the build has already compiled."""
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[1]
CODE = "import cax, sys; assert cax.__file__.startswith(sys.argv[1]), cax.__file__; print(cax.generate('op', size=5)[0])"


@pytest.mark.parametrize("editable", [False, True])
def test_pip_installs_it_offline(tmp_path, editable):
    if "CAX_BUILD" not in os.environ:
        pytest.skip("CAX_BUILD names no build folder")
    source = tmp_path / "source"  # pip writes beside what it installs
    shutil.copytree(PACKAGE, source, ignore=shutil.ignore_patterns("build", "*.egg-info", "*.so", "__pycache__"))
    environment = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    subprocess.run([sys.executable, "-m", "venv", "--system-site-packages", tmp_path / "env"], check=True)
    python = tmp_path / "env" / "bin" / "python"
    command = [python, "-m", "pip", "install", "--no-index", "--no-build-isolation", "--no-deps", "-q"]
    subprocess.run(command + (["-e"] if editable else []) + [source], check=True, env=environment)
    home = source if editable else tmp_path / "env"
    subprocess.run([python, "-c", CODE, str(home)], check=True, env=environment, cwd=tmp_path)
