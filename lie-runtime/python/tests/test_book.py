"""The programs of the page about Python, and the examples of the docstrings."""

import doctest
from pathlib import Path

import liemech
from liemech import _model

PAGE = Path(__file__).parents[2] / "book/src/howto/python.md"


def test_programs_of_the_page():
    blocks = [block.split("```")[0] for block in PAGE.read_text(encoding="utf-8").split("```python\n")[1:]]
    assert len(blocks) == 7
    names: dict[str, object] = {}
    for block in blocks:
        exec(compile(block, str(PAGE), "exec"), names)


def test_examples_of_docstrings():
    for module in (liemech, _model):
        result = doctest.testmod(module)
        assert result.failed == 0 and result.attempted > 0
