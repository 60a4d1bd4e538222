"""The code of the notebooks; `pytest --nbmake examples/python/notebooks` runs them in a kernel."""

import json
from pathlib import Path

import pytest

NOTEBOOKS = sorted((Path(__file__).parents[3] / "examples/python/notebooks").glob("*.ipynb"))


def test_notebooks_exist():
    assert len(NOTEBOOKS) == 6


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_cells_run_and_are_stored_without_outputs(path):
    names: dict[str, object] = {}
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        if cell["cell_type"] == "code":
            assert cell["outputs"] == [] and cell["execution_count"] is None
            exec(compile("".join(cell["source"]), str(path), "exec"), names)
