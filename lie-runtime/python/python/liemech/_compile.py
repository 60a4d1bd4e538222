"""Models in machine code, from the C compiler of the machine."""

from __future__ import annotations

import hashlib
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from ._errors import CompilerError
from ._model import Model

# Products are not fused with sums, so that the kernels round as the interpreter does. Higher levels take four times as long for long kernels, and
# the kernels are not faster.
_FLAGS = ["-O1", "-ffp-contract=off", "-shared", *([] if sys.platform == "win32" else ["-fPIC"])]


def compile(model: Model, *, compiler: str | Sequence[str] | None = None, folder: str | os.PathLike[str] | None = None) -> Model:
    """Returns the model in machine code, with the same names and results. A step takes a fraction of the time.

    The function prints the model as C, and calls ``compiler``: by default the environment variable ``CC``, ``cc``, ``gcc`` or ``clang``. The
    library is kept in ``folder``, by default in a cache of the user, so that the same model is compiled once. Several processes can share a
    folder. Runs with sensitivities use the interpreter. A compiled model is pickled as its text, and compiled again on other machines.

    Raises :class:`CompilerError` if there is no C compiler, if it fails, or if the folder is not writable.
    """
    command = found_compiler() if compiler is None else [compiler] if isinstance(compiler, str) else list(compiler)
    source = model._native.c_source()
    key = hashlib.sha256("\0".join([source, sys.platform, platform.machine(), *command, *_FLAGS]).encode()).hexdigest()[:32]
    path = (_cache() if folder is None else Path(folder)) / f"{key}.so"
    try:
        if not path.exists():
            build(source, command, path)
        return model._with_library(str(path))
    except OSError as error:
        raise CompilerError(f"the compiled model cannot be written or loaded; set `folder` to another folder: {error}") from error


def build(source: str, command: list[str], path: Path) -> None:
    """Compiles a program to a library."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=path.parent) as folder:
        text, library = Path(folder) / "model.c", Path(folder) / "model.so"
        text.write_text(source, encoding="utf-8")
        _call([*command, *_FLAGS, "-o", str(library), str(text), "-lm"])
        # Atomic: another process can write the same library at the same time.
        os.replace(library, path)


def _call(command: list[str]) -> None:
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError as error:
        raise CompilerError(f"the C compiler `{command[0]}` cannot be started: {error}") from error
    if done.returncode != 0:
        raise CompilerError(f"the C compiler `{command[0]}` failed:\n{done.stderr}")


def found_compiler() -> list[str]:
    """Returns the command of the C compiler of the machine."""
    if "CC" in os.environ:
        return os.environ["CC"].split()
    for name in ("cc", "gcc", "clang"):
        if shutil.which(name):
            return [name]
    raise CompilerError("no C compiler was found; install gcc or clang, or set the environment variable CC")


def _cache() -> Path:
    """Returns the folder for files that can be created again."""
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home())) / "liemech"
    return Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "liemech"
