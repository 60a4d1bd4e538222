"""Results of simulations."""

from __future__ import annotations

import csv
import difflib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from io import BytesIO
from os import PathLike
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ._animation import Animation, Points, Shape, animation_of
from ._errors import ColumnError

if TYPE_CHECKING:
    import pandas
    import pyarrow
    from matplotlib.figure import Figure
    from scipy.spatial.transform import Rotation

Array = NDArray[np.float64]

# The sections that are searched for names, in this order.
_SECTIONS = ("", "configuration.", "observables.", "velocity.", "inputs.", "multipliers.", "balance.")
_COMPONENT = re.compile(r"^(.*?)(?:\[(\d+)\]|\.([xyz]))$")


@dataclass(frozen=True)
class Occurrence:
    """An event of a run.

    ``rising`` is true if the sign of the event function changed from negative to positive. ``before`` and ``after`` contain the values at the
    event by name, as :class:`Run` does, with arrays of the shape of one state. ``after`` is ``None`` if the event did not change the state.
    """

    name: str
    time: float
    rising: bool
    before: Mapping[str, Array] = field(repr=False)
    after: Mapping[str, Array] | None = field(repr=False)


class _Reactions(Mapping[str, Array]):
    """The reactions of the constraints by name; arrays (n, rows)."""

    def __init__(self, columns: Mapping[str, Array]) -> None:
        self._columns = {
            name.removeprefix("multipliers."): values
            for name, values in columns.items()
            if name.startswith("multipliers.")
        }

    def __getitem__(self, name: str) -> Array:
        if name not in self._columns:
            raise _unknown(name, list(self._columns), "constraint")
        values = self._columns[name]
        return -values.reshape(len(values), -1)

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    def __repr__(self) -> str:
        return f"<reactions {', '.join(self._columns)}>"


class State(Mapping[str, Array]):
    """The values of one state by name, as in a :class:`Run`, without the axis of the states.

    :attr:`configuration` and :attr:`velocity` are initial values for :meth:`System.simulate`.
    """

    def __init__(self, columns: Mapping[str, Array], members: Sequence[str]) -> None:
        self._columns = dict(columns)
        self._members = list(members)

    @property
    def t(self) -> float:
        """The time."""
        return float(self._columns["t"])

    @property
    def configuration(self) -> dict[str, Any]:
        """The members of the configuration, as ``q0`` of a run."""
        values: dict[str, Any] = {}
        for name, value in self._section("configuration."):
            pose = name.removesuffix(".rotation")
            translation = self._columns.get(f"configuration.{pose}.translation")
            if pose != name and pose in self._members and translation is not None:
                values[pose] = (value, translation)
            elif not (name.endswith(".translation") and name.removesuffix(".translation") in self._members):
                values[name] = value
        return values

    @property
    def velocity(self) -> dict[str, Any]:
        """The members of the velocity, as ``v0`` of a run."""
        return dict(self._section("velocity."))

    @property
    def reactions(self) -> Mapping[str, Array]:
        """The reactions −λ of the constraints by name, shape (rows,)."""
        return {name: -np.atleast_1d(value) for name, value in self._section("multipliers.")}

    def _section(self, section: str) -> Iterator[tuple[str, Array]]:
        for name, value in self._columns.items():
            if name.startswith(section):
                yield name.removeprefix(section), value

    def rotation(self, name: str) -> Rotation:
        """Returns a rotation ``SO3``, ``S3`` or of a pose as a SciPy ``Rotation``."""
        return _scipy_rotation(name, self, 0)

    def __getitem__(self, name: str) -> Array:
        found = _found(self._columns, self._members, name, 0)
        if found is None:
            raise _unknown(name, list(self._columns), "value", self._members)
        return found

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and _found(self._columns, self._members, name, 0) is not None

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    def __repr__(self) -> str:
        values = ", ".join(f"{name}={value}" for name, value in self._section("configuration."))
        return f"<liemech.State t={self.t:.6g}, {values}>"


class Equilibrium(State):
    """A static equilibrium. ``reactions`` contains the forces that carry the loads."""

    def __init__(self, data: dict[str, Any], members: Sequence[str]) -> None:
        super().__init__({name: values[0] for name, values in data["columns"].items()}, members)
        self.iterations: int = data["iterations"]
        """The number of Newton iterations."""
        self.force_residual: float = data["force"]
        """The largest component of the residual of the forces."""
        self.constraint_residual: float = data["constraint"]
        """The largest component of the residual of the constraints."""


class PeriodicOrbit(State):
    """A periodic orbit. The values are the state at its start, so that a run can start from it."""

    def __init__(self, data: dict[str, Any], members: Sequence[str]) -> None:
        super().__init__({name: values[0] for name, values in data["columns"].items()}, members)
        self.period: float = data["period"]
        """The period."""
        self.defect: float = data["defect"]
        """The largest component of the defect after one period."""
        self.iterations: int = data["iterations"]
        """The number of Newton iterations."""
        self.monodromy: Array = data["monodromy"]
        """The monodromy matrix of the deviations (δq, δv), shape (2d, 2d)."""
        self.multipliers: NDArray[np.complex128] = data["multipliers"]
        """The Floquet multipliers, largest first."""
        self.growth: float = data["growth"]
        """The largest growth factor of deviations in a period; below 1 if all deviations decay."""


class Linearisation:
    """Small deviations from a steady motion: x' = A x + B u and y = C x + D u with x = (z, w).

    The coordinates z and the speeds w describe the motions that constraints permit. For a member of the configuration, the deviation is
    ``coordinate_basis[member] @ z`` in the Lie algebra, and the deviation of the velocity is ``speed_basis[member] @ w``.

    A mode is a deviation shape · exp(s t) with the eigenvalue s. A conjugate pair has one mode, with Im s > 0.
    """

    def __init__(self, data: dict[str, Any]) -> None:
        self.state_matrix: Array = data["state_matrix"]
        """A, shape (k, k)."""
        self.coordinates: int = data["coordinates"]
        """The number of coordinates z, the first entries of x."""
        self.coordinate_basis: dict[str, Array] = data["coordinate_basis"]
        """The deviation of each member for each coordinate, shape (d, coordinates)."""
        self.speed_basis: dict[str, Array] = data["speed_basis"]
        """The deviation of the velocity of each member for each speed, shape (d, k - coordinates)."""
        self.inputs: list[str] = data["inputs"]
        """The names of the inputs u by components."""
        self.input_matrix: Array = data["input_matrix"]
        """B, shape (k, inputs)."""
        self.outputs: list[str] = data["outputs"]
        """The names of the outputs y."""
        self.output_matrix: Array = data["output_matrix"]
        """C, one row for each output."""
        self.feedthrough: Array = data["feedthrough"]
        """D, one row for each output and one column for each input."""
        self.eigenvalues: NDArray[np.complex128] = data["eigenvalues"]
        """The eigenvalues s, sorted by frequency."""
        self.shapes: dict[str, NDArray[np.complex128]] = data["shapes"]
        """The mode shapes by member, shape (modes, d), in the Lie algebra. The largest component of a mode is 1."""

    def state_space(self) -> tuple[Array, Array, Array, Array]:
        """Returns (A, B, C, D), the arguments of ``scipy.signal.StateSpace`` and ``control.ss``."""
        return self.state_matrix, self.input_matrix, self.output_matrix, self.feedthrough

    @property
    def frequencies(self) -> Array:
        """The angular frequencies abs(Im s)."""
        return np.asarray(np.abs(self.eigenvalues.imag))

    @property
    def damping_ratios(self) -> Array:
        """The damping ratios −Re s / abs(s); negative for growing modes."""
        size = np.abs(self.eigenvalues)
        return np.asarray(np.divide(-self.eigenvalues.real, size, out=np.zeros_like(size), where=size > 0.0))

    def __repr__(self) -> str:
        return f"<liemech.Linearisation with {len(self.eigenvalues)} modes, frequencies {self.frequencies}>"


class Sensitivities(Mapping[str, Array]):
    """The derivatives of the recorded states with respect to parameters and initial values.

    ``sensitivities["position"]`` has the shape (n, d, k): recorded states, components of the member in the Lie algebra, variables. The order of
    the variables is :attr:`names`. The derivative of a configuration is δθ in δq = q δθ~, with body-fixed components. ``velocity.position``
    and ``multipliers.pivot`` are available as well.
    """

    def __init__(self, data: dict[str, Any]) -> None:
        self._columns: dict[str, Array] = data["columns"]
        self.names: list[str] = data["names"]
        """The variables by components, such as ``inertia[0][0]`` or ``q.attitude[2]``."""
        self.event_times: Array = data["event_times"]
        """The derivatives of the times of the events, shape (events, k)."""

    def __getitem__(self, name: str) -> Array:
        for section in ("", "configuration.", "velocity.", "multipliers."):
            if section + name in self._columns:
                return self._columns[section + name]
        raise _unknown(name, list(self._columns), "member")

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    def __repr__(self) -> str:
        return f"<sensitivities with respect to {', '.join(self.names)}>"


class Gradient(NamedTuple):
    """The derivatives of a weighted sum of values, by a reverse (adjoint) pass."""

    value: float
    """The weighted sum."""
    names: list[str]
    """The variables by components, such as ``inertia[0][0]`` or ``q.attitude[2]``."""
    derivatives: Array
    """The derivatives with respect to them, shape (k,)."""


class Run:
    """The result of a simulation: arrays by the names of the declaration.

    The first axis of each array is the recorded state. ``run["position"]`` of a member R³ has the shape (n, 3).

    ===================== ===================================================
    group                 shape
    ===================== ===================================================
    ``f64``, ``SO2``      (n,); ``SO2`` is the angle in rad
    R^n, ``S2``           (n, k)
    ``SO3``               (n, 3, 3), from body to space
    ``S3``                (n, 4) in the order w, x, y, z
    poses                 ``name.rotation`` and ``name.translation``
    ===================== ===================================================

    Names of other values have a section: ``velocity.position``, ``multipliers.pivot``, ``energy.kinetic``, ``residual.position``. A section can
    be omitted if the name is unique. Indices and the letters x, y, z select components: ``run["position.z"]``, ``run["attitude[0][2]"]``.

    Runs can be pickled and copied. They do not refer to the system.
    """

    def __init__(self, data: dict[str, Any], members: Sequence[str] = ()) -> None:
        self._members = list(members)
        self._columns: dict[str, Array] = data["columns"]
        self._units: dict[str, str] = data["units"]
        self._summary: str = data["summary"]
        self._warnings = [(kind, message) for kind, message, _ in data["warnings"]]
        self.method: str = data["method"]
        """The identifier of the integration method."""
        self.stopped: float | None = data["stopped"]
        """The time at which an event or an interrupt stopped the run."""
        self.statistics: dict[str, Any] = data["statistics"]
        """Cost and accuracy: ``accepted`` and ``rejected`` steps, ``seconds``, ``position_residual``, and further entries."""
        self.initial_corrections: tuple[float, float] = tuple(data["initial_corrections"])
        """The norms of the corrections of the initial configuration and of the initial velocity."""
        self.events: list[Occurrence] = [
            Occurrence(
                entry["name"], entry["time"], entry["rising"], _one_state(entry["before"]), _one_state(entry["after"])
            )
            for entry in data["events"]
        ]
        """The events, sorted by time."""
        derivatives = data["sensitivities"]
        self.sensitivities: Sensitivities | None = None if derivatives is None else Sensitivities(derivatives)
        """The derivatives, if the run has the argument ``sensitivities``."""
        gradient = data["gradient"]
        self.gradient: Gradient | None = None if gradient is None else Gradient(*gradient)
        """The gradient, if the run has the argument ``adjoint``."""

    @property
    def t(self) -> Array:
        """The times of the recorded states, shape (n,)."""
        return self._columns.get("t", np.empty(0))

    @property
    def energy(self) -> Array:
        """The total energy, kinetic plus potential, shape (n,)."""
        return self._columns.get("energy.total", np.empty(0))

    @property
    def reactions(self) -> Mapping[str, Array]:
        """The reactions −λ of the constraints by name, shape (n, rows).

        A reaction is the generalised force of the constraint on the system. It is positive in the direction in which the constraint function
        increases. A constraint in metres gives newtons.
        """
        return _Reactions(self._columns)

    @property
    def warnings(self) -> list[str]:
        """The warnings of the run, such as a numerical energy gain."""
        return [f"{kind}: {message}" for kind, message in self._warnings]

    @property
    def names(self) -> list[str]:
        """The full names of all arrays."""
        return list(self._columns)

    def unit(self, name: str) -> str | None:
        """Returns the declared unit of values or of a component, the text in square brackets of its doc comment: ``run.unit("position.z")``.

        ``None`` without a declared unit. Raises :class:`ColumnError` for an unknown name.
        """
        self[name]
        stem = name
        while True:
            for section in _SECTIONS:
                # A member precedes other values with the same name.
                if section + stem in self._columns and _found(self._columns, self._members, stem, 1) is self._columns[section + stem]:
                    return self._units.get(section + stem)
            match = _COMPONENT.match(stem)
            if match is None:
                return None
            stem = match.group(1)

    def __len__(self) -> int:
        """Returns the number of recorded states."""
        return len(self.t)

    def __getitem__(self, name: str) -> Array:
        """Returns the values with this name.

        Raises :class:`ColumnError` with the most similar name if there are none.
        """
        if not isinstance(name, str):
            raise TypeError(f"a run has names, and {name!r} is given; run.state(index) returns a recorded state")
        found = self._find(name)
        if found is None:
            raise _unknown(name, self.names, "column", self._members)
        return found

    def __iter__(self) -> Iterator[str]:
        # Without this method, Python would iterate over integers.
        return iter(self.names)

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and self._find(name) is not None

    def rotation(self, name: str) -> Rotation:
        """Returns the rotations of a member ``SO3`` or ``S3``, or of a pose, as a SciPy ``Rotation`` with n elements."""
        return _scipy_rotation(name, self, 1)

    def animate(
        self,
        *,
        lines: Mapping[str, Points] | None = None,
        solids: Mapping[str, tuple[Shape, str | None, Points]] | None = None,
        arrows: Mapping[str, tuple[Points, Points, float]] | None = None,
        title: str = "",
        camera: tuple[float, float] = (-60.0, 20.0),
        speed: float | None = None,
        height: int = 420,
    ) -> Animation:
        """Returns an animation, which a notebook shows. :meth:`Animation.save` writes it as HTML, SVG or glTF.

        A point is the name of values with two or three coordinates, or an array with the coordinates of a fixed point. A list contains
        several points. Without lines, solids and arrows, the animation shows the poses of bodies and the points of the configuration.

        Parameters
        ----------
        lines
            Lines through points, by label. The last point leaves a trail.
        solids
            Shape, attitude and position, by label. A shape is ``("box", x, y, z)``, ``("ball", radius)``, ``("cylinder", radius, length)``
            along z, ``("plane", x, y)`` or ``("frame", length)``. The attitude is the name of a rotation or of an angle about z, or
            ``None``.
        arrows
            Point, vector and length of an arrow for a vector of length 1, by label.
        title, camera, speed, height
            The title, azimuth and elevation of the viewpoint in degrees, the speed relative to the real time, and the height in pixels.

        Raises :class:`FigureError` if there is nothing to show.
        """
        return animation_of(self, lines, solids, arrows, title, camera, speed, height)

    def state(self, index: int = -1) -> State:
        """Returns a recorded state; the last one by default. A run can start from it."""
        return State({name: values[index] for name, values in self._columns.items()}, self._members)

    def _find(self, name: str) -> Array | None:
        return _found(self._columns, self._members, name, 1)

    def _labels(self, names: Sequence[str] | None) -> Iterator[tuple[str, Array]]:
        """Returns scalar columns with their labels, as in files of the Rust library."""
        for name in self.names if names is None else names:
            values = self[name]
            # A member keeps its full name if it has the name of a section.
            label = name
            for section in ("configuration.", "observables."):
                short = name.removeprefix(section)
                if short != name and self._find(short) is values:
                    label = short
            for index in np.ndindex(values.shape[1:]):
                yield label + "".join(f"[{at}]" for at in index), values[(slice(None), *index)]

    def to_dict(self, names: Sequence[str] | None = None) -> dict[str, Array]:
        """Returns scalar columns by label, such as ``position[0]``; all of them by default."""
        return dict(self._labels(names))

    def to_pandas(self, names: Sequence[str] | None = None) -> pandas.DataFrame:
        """Returns a ``pandas.DataFrame`` with one row for each recorded state and the time as index."""
        import pandas

        columns = self.to_dict(names)
        columns.pop("t", None)
        return pandas.DataFrame(columns, index=pandas.Index(self.t, name="t"))

    def to_arrow(self, names: Sequence[str] | None = None) -> pyarrow.Table:
        """Returns a ``pyarrow.Table`` with one row for each recorded state, and the time as the first column.

        A vector or a matrix is one column of tensors of a fixed shape. Columns refer to the memory of the run, without a copy.
        """
        selected = self.names if names is None else names
        return arrow_table({"t": self.t} | {name: self[name] for name in selected})

    def to_csv(self, path: str | PathLike[str], names: Sequence[str] | None = None) -> None:
        """Writes a CSV file with one row for each recorded state. Values keep all digits."""
        columns = {"t": self.t} | self.to_dict(names)
        with open(path, "w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(columns)
            writer.writerows(zip(*(values.tolist() for values in columns.values()), strict=True))

    def plot(self, names: Sequence[str] | str = ("energy.total",), *, title: str | None = None) -> Figure:
        """Draws values over time with matplotlib, one panel for each name, and returns the figure. Labels contain the declared units.

        ``figure.savefig(path)`` writes it to a file. A notebook shows it.
        """
        from matplotlib.figure import Figure

        names = [names] if isinstance(names, str) else list(names)
        figure = Figure(figsize=(6.4, 0.8 + 2.2 * len(names)), layout="constrained")
        panels = figure.subplots(len(names), 1, sharex=True, squeeze=False)[:, 0]
        for panel, name in zip(panels, names, strict=True):
            for label, values in self._labels([name]):
                panel.plot(self.t, values, label=label)
            unit = self.unit(name)
            panel.set_ylabel(name if unit is None else f"{name} [{unit}]")
            panel.grid(alpha=0.3)
            if self[name].ndim > 1:
                panel.legend(fontsize="small")
        panels[-1].set_xlabel("t")
        if title is not None:
            figure.suptitle(title)
        # Matplotlib shows figures in notebooks only if `pyplot` is imported.
        setattr(figure, "_repr_png_", partial(_png, figure))
        return figure

    def __repr__(self) -> str:
        return f"<liemech.Run {self}>"

    def __str__(self) -> str:
        return self._summary


def _found(columns: Mapping[str, Array], members: Sequence[str], name: str, axes: int) -> Array | None:
    """Returns the values of a name, or a component of a name. ``axes`` is the number of axes before the components."""
    for section in _SECTIONS:
        # The velocity has the name of the pose, whose own values are its rotation and its translation.
        is_hidden = section == "velocity." and name in members
        if (found := columns.get(section + name)) is not None and not is_hidden:
            return found
    match = _COMPONENT.match(name)
    if match is None:
        return None
    stem, index, letter = match.groups()
    values = _found(columns, members, stem, axes)
    at = int(index) if index is not None else "xyz".index(letter)
    # A quaternion has no component x.
    is_short = index is not None or (values is not None and values.ndim == axes + 1 and values.shape[axes] <= 3)
    if values is None or values.ndim <= axes or at >= values.shape[axes] or not is_short:
        return None
    return values[(slice(None),) * axes + (at,)]


def _scipy_rotation(name: str, values: Any, axes: int) -> Rotation:
    from scipy.spatial.transform import Rotation

    array = values[name if name in values else f"{name}.rotation"]
    if array.shape[axes:] == (3, 3):
        return Rotation.from_matrix(array)
    if array.shape[axes:] == (4,):
        return Rotation.from_quat(np.roll(array, -1, axis=axes))
    raise ColumnError(f"`{name}` is not a rotation `SO3` or `S3`")


def _png(figure: Figure) -> bytes:
    buffer = BytesIO()
    figure.savefig(buffer, format="png")
    return buffer.getvalue()


def arrow_table(columns: Mapping[str, NDArray[Any]]) -> pyarrow.Table:
    """Returns arrays as a table of Arrow; the first axis is the row."""
    import pyarrow

    def column(values: NDArray[Any]) -> pyarrow.Array:
        if values.ndim == 1:
            return pyarrow.array(values)
        return pyarrow.FixedShapeTensorArray.from_numpy_ndarray(np.ascontiguousarray(values))

    return pyarrow.table({name: column(values) for name, values in columns.items()})


def _one_state(columns: dict[str, Array] | None) -> Any:
    """Returns values of one state under their short names as well."""
    if columns is None:
        return None
    values = {name: array[0] for name, array in columns.items()}
    for section in ("configuration.", "observables."):
        for name in columns:
            if name.startswith(section):
                values.setdefault(name.removeprefix(section), values[name])
    return values


def _unknown(name: str, known: list[str], what: str, members: Sequence[str] = ()) -> ColumnError:
    if name in members and f"configuration.{name}.rotation" in known:
        return ColumnError(f"`{name}` is a pose; its values are `{name}.rotation`, `{name}.translation` and `velocity.{name}`")
    short = [full.removeprefix("configuration.").removeprefix("observables.") for full in known]
    nearest = difflib.get_close_matches(name, short, n=1, cutoff=0.6)
    suggestion = f"; did you mean `{nearest[0]}`?" if nearest else ""
    return ColumnError(f"unknown {what} `{name}`{suggestion}\n  the names are {', '.join(short)}")
