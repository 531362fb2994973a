"""The notebook of the examples, from a clean start to its end."""
import os
from pathlib import Path

import pytest

nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")
NOTEBOOK = Path(__file__).resolve().parents[2] / "examples" / "notebooks" / "explain-your-policy.ipynb"


def test_it_runs_and_shows_what_it_says(tmp_path):
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    kernel = {"metadata": {"path": str(NOTEBOOK.parent)}}
    nbclient.NotebookClient(notebook, timeout=600, kernel_name="python3", resources=kernel).execute()
    if "CAX_NOTEBOOK" in os.environ:  # to look at it
        nbformat.write(notebook, os.environ["CAX_NOTEBOOK"])
    outputs = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    assert not [output for output in outputs if output.output_type == "error"]
    pages = [output for output in outputs if "text/html" in output.get("data", {})]
    assert any("<iframe" in page["data"]["text/html"] for page in pages)
    assert any("image/png" in output.get("data", {}) for output in outputs)
