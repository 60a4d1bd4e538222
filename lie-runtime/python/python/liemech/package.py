"""Packages of compiled models: ``python -m liemech.package my_models heavy_top.rs pendulum.rs``.

The command writes a folder that ``pip install ./my_models`` installs. It contains the declarations, and one library for each of them: the kernels
as machine code for this machine. An import needs no C compiler::

    from my_models import heavy_top, pendulum

Repeat the command after a change of a declaration, and on each platform. The libraries contain the kernels only. The integrators, and the classes
of models and runs, belong to ``liemech``.
"""

from __future__ import annotations

import argparse
import os
import platform
import sys
import warnings
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from . import _model
from ._compile import build, found_compiler
from ._errors import RunWarning
from ._model import Lengths, Member, Model

_PROJECT = """\
[build-system]
requires = ["setuptools>=77"]
build-backend = "setuptools.build_meta"

[project]
name = "{name}"
version = "0.1.0"
requires-python = ">=3.11"
dependencies = ["liemech"]

[tool.setuptools]
packages = ["{name}"]

[tool.setuptools.package-data]
{name} = ["*.rs", "*.so"]
"""

_MODULE = """\
from pathlib import Path

from liemech.package import load

_FOLDER = Path(__file__).parent

"""


def write(folder: str | os.PathLike[str], models: Mapping[str, Model]) -> None:
    """Writes a package of models by name to a folder, whose name is the name of the package.

    Calls the C compiler once for each model. A robot is written as its declaration, without its file and its keyframes.

    Raises ``ValueError`` for a robot whose reference configuration is not zero, and for a name that is not an identifier; and
    :class:`CompilerError`.
    """
    folder = Path(folder)
    module = folder / folder.name
    for name in (folder.name, *models):
        if not name.isidentifier():
            raise ValueError(f"`{name}` is not an identifier; use letters, digits and `_`")
    declared = {name: _declared(name, model) for name, model in models.items()}
    module.mkdir(parents=True, exist_ok=True)
    loads = []
    for name, model in declared.items():
        source = module / f"{name}.rs"
        source.write_text(model.text, encoding="utf-8")
        build(model._native.c_source(), found_compiler(), _library(source))
        lengths = dict(model._source.options)
        loads.append(f"{name} = load(_FOLDER / {source.name!r}, lengths={lengths!r})\n")
    (module / "__init__.py").write_text(_MODULE + "".join(loads), encoding="utf-8")
    (folder / "pyproject.toml").write_text(_PROJECT.format(name=folder.name), encoding="utf-8")


def _declared(name: str, model: Model) -> Model:
    """Returns the model of the declaration of a robot, and other models unchanged."""
    if model._source.language == "rust":
        return model
    # The declaration starts at zero, and the robot at its reference.
    for member, values in model.keyframes["reference"].items():
        if not np.array_equal(values, _identity(model.members[member], values.size)):
            remedy = "write `liemech.model(robot.declaration)` instead, and set `q0` in its runs"
            raise ValueError(f"the reference configuration of the robot `{name}` has another `{member}` than zero; {remedy}")
    return _model.model(model.declaration)


def _identity(member: Member, size: int) -> NDArray[np.float64]:
    """Returns the scalars of the identity: a matrix by rows, a quaternion w, x, y, z, or cosine and sine; and a translation."""
    values = np.zeros(size)
    if not member.group.startswith(("ℝ", "R^")) and size > 1:
        values[[0, 4, 8] if size >= 9 else [0]] = 1.0
    return values


def load(path: str | os.PathLike[str], *, lengths: Lengths | None = None) -> Model:
    """Compiles the declaration of a package, and loads its library.

    If there is no library for this declaration and this platform, a :class:`RunWarning` reports it, and the model is interpreted.

    Raises :class:`DeclarationError` and ``OSError``.
    """
    model = _model.load(path, lengths=lengths)
    try:
        return model._with_library(str(_library(Path(path))))
    except OSError as error:
        remedy = "write the package again with `python -m liemech.package`"
        warnings.warn(f"the model `{model.name}` is interpreted, because its library cannot be loaded; {remedy}: {error}", RunWarning, stacklevel=2)
        return model


def _library(source: Path) -> Path:
    return source.with_suffix(f".{sys.platform}-{platform.machine()}.so")


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m liemech.package", description="Writes a package of compiled models.")
    parser.add_argument("folder", help="the folder of the package; its name is the name of the package")
    described = "Rust files with one declaration each, or robots (.urdf, .xml); the names of the files are the names of the models"
    parser.add_argument("files", nargs="+", help=described)
    given = parser.parse_args(arguments)
    models: dict[str, Model] = {}
    for path in map(Path, given.files):
        if path.stem in models:
            parser.error(f"two files have the name `{path.stem}`; the names of the files are the names of the models")
        models[path.stem] = {".urdf": _model.urdf, ".xml": _model.mjcf}.get(path.suffix, _model.load)(path)
    write(given.folder, models)
    print(f"pip install {given.folder}")


if __name__ == "__main__":
    main()
