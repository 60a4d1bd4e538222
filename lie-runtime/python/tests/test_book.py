"""The Python programs of the book, and the examples of the docstrings."""

import doctest
from pathlib import Path

import pytest

import liemech
from liemech import _model

ROOT = Path(__file__).parents[3]
BOOK = ROOT / "lie-runtime/book/src"
PAGES = {page: page.read_text(encoding="utf-8") for page in sorted(BOOK.rglob("*.md"))}
# Other pages read files of Rust programs.
PROGRAMS = [page for page, text in PAGES.items() if "\nimport liemech\n" in text]


def test_pages_have_programs():
    assert {"python.md", "clusters.md"} <= {page.name for page in PROGRAMS}


@pytest.mark.parametrize("page", PROGRAMS, ids=lambda page: page.stem)
def test_programs_of_a_page(page, monkeypatch, tmp_path):
    # A folder with the robot files of the repository, in which programs may write.
    monkeypatch.chdir(tmp_path)
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    names: dict[str, object] = {}
    for block in PAGES[page].split("```python\n")[1:]:
        exec(compile(block.split("```")[0], str(page), "exec"), names)


def test_examples_of_docstrings():
    for module in (liemech, _model):
        result = doctest.testmod(module)
        assert result.failed == 0 and result.attempted > 0
