"""Animations of runs."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _native

if TYPE_CHECKING:
    from ._run import Run

Points = str | ArrayLike | Sequence[str | ArrayLike]
"""A point or several points: names of values, or coordinates."""
Shape = tuple[str | float, ...]
"""The name of a shape and its sizes."""

# The largest number of frames.
_FRAMES = 300


class Animation:
    """An animation, see :meth:`Run.animate`. A notebook shows it in a frame."""

    def __init__(self, native: _native.Animation, height: int) -> None:
        self._native = native
        self._height = height

    @property
    def html(self) -> str:
        """A page for browsers, which needs no network."""
        return self._native.html()

    def save(self, path: str | PathLike[str]) -> None:
        """Writes a page ``.html``, a picture ``.svg``, or glTF 2.0, ``.glb`` or ``.gltf``."""
        self._native.save(fspath(path))

    def _repr_html_(self) -> str:
        style = f"width: 100%; height: {self._height}px; border: 0"
        return f'<iframe style="{style}" srcdoc="{html.escape(self.html)}"></iframe>'


def animation_of(
    run: Run,
    lines: Mapping[str, Points] | None,
    solids: Mapping[str, tuple[Shape, str | None, Points]] | None,
    arrows: Mapping[str, tuple[Points, Points, float]] | None,
    title: str,
    camera: tuple[float, float],
    speed: float | None,
    height: int,
) -> Animation:
    """Returns the animation of a run."""
    # The state after an event replaces the state before it.
    last = np.flatnonzero(np.append(np.diff(run.t) > 0.0, True))[: len(run)]
    chosen = last[np.unique(np.linspace(0, len(last) - 1, min(_FRAMES, len(last))).round().astype(int))]
    if lines is None and solids is None and arrows is None:
        lines, solids = _all_of(run)
    native = _native.Animation(
        title,
        camera,
        speed,
        run.t[chosen].tolist(),
        [(label, _points(run, points)[chosen].tolist()) for label, points in (lines or {}).items()],
        [
            (
                label,
                str(kind),
                [float(size) for size in sizes],
                _point(run, position)[chosen].tolist(),
                _quaternions(run, attitude)[chosen].tolist(),
            )
            for label, ((kind, *sizes), attitude, position) in (solids or {}).items()
        ],
        [
            (label, _point(run, point)[chosen].tolist(), (scale * _point(run, vector))[chosen].tolist())
            for label, (point, vector, scale) in (arrows or {}).items()
        ],
    )
    return Animation(native, height)


def _all_of(run: Run) -> tuple[dict[str, Points], dict[str, tuple[Shape, str | None, Points]]]:
    """Returns a frame for each body with one attitude and one position, and a line for each other point of the configuration."""
    groups: dict[str, tuple[list[str], list[str]]] = {}
    for name in run.names:
        path = name.removeprefix("configuration.")
        shape = run[name].shape[1:]
        attitudes, points = groups.setdefault(path.rpartition(".")[0], ([], []))
        if path == name:
            continue
        if shape in ((3, 3), (4,)):
            attitudes.append(name)
        elif shape == (3,):
            points.append(name)
    frames: dict[str, tuple[Shape, str | None, Points]] = {}
    lines: dict[str, Points] = {}
    for body, (attitudes, points) in groups.items():
        if len(attitudes) == len(points) == 1:
            size = float(np.abs(run[points[0]]).max(initial=0.0))
            frames[body or attitudes[0].removeprefix("configuration.")] = (("frame", 0.3 * size or 1.0), attitudes[0], points[0])
        lines |= {point.removeprefix("configuration."): point for point in points}
    return lines, frames


def _points(run: Run, points: Points) -> NDArray[np.float64]:
    """Returns the coordinates of points, shape (n, points, 3)."""
    if isinstance(points, str):
        values = run[points]
    elif isinstance(points, Sequence) and not all(np.isscalar(part) and not isinstance(part, str) for part in points):
        return np.concatenate([_points(run, point) for point in points], axis=1)
    else:
        fixed = np.asarray(points, dtype=float)
        values = np.broadcast_to(fixed, (len(run), fixed.size))
    if values.ndim not in (2, 3) or values.shape[-1] not in (2, 3):
        raise ValueError(f"`{points!r}` has the shape {values.shape[1:]}; a point has two or three coordinates")
    values = values.reshape(len(run), -1, values.shape[-1])
    return np.pad(values, ((0, 0), (0, 0), (0, 3 - values.shape[2])))


def _point(run: Run, point: Points) -> NDArray[np.float64]:
    values = _points(run, point)
    if values.shape[1] != 1:
        raise ValueError(f"`{point!r}` has {values.shape[1]} points, and one point is necessary")
    return values[:, 0]


def _quaternions(run: Run, attitude: str | None) -> NDArray[Any]:
    """Returns the attitudes as quaternions w, x, y, z, shape (n, 4)."""
    if attitude is None:
        return np.tile([1.0, 0.0, 0.0, 0.0], (len(run), 1))
    values = run[attitude if attitude in run else f"{attitude}.rotation"]
    if values.ndim == 1:
        zero = np.zeros(len(run))
        return np.stack([np.cos(values / 2.0), zero, zero, np.sin(values / 2.0)], axis=1)
    if values.shape[1:] == (4,):
        return values
    if values.shape[1:] != (3, 3):
        raise ValueError(f"`{attitude}` has the shape {values.shape[1:]}; an attitude is a rotation, a quaternion or an angle")
    # The matrix 4 q qᵀ; its row with the largest diagonal entry is proportional to q.
    m = np.moveaxis(values, 0, -1)
    squares = [1.0 + s @ [m[0, 0], m[1, 1], m[2, 2]] for s in np.array([[1, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]])]
    off = {(0, 1): m[2, 1] - m[1, 2], (0, 2): m[0, 2] - m[2, 0], (0, 3): m[1, 0] - m[0, 1]}
    off |= {(1, 2): m[0, 1] + m[1, 0], (1, 3): m[0, 2] + m[2, 0], (2, 3): m[1, 2] + m[2, 1]}
    rows = np.array([[squares[i] if i == j else off[min(i, j), max(i, j)] for j in range(4)] for i in range(4)])
    largest = rows[np.argmax(squares, axis=0), :, np.arange(len(run))]
    return np.asarray(largest / np.linalg.norm(largest, axis=1, keepdims=True))
