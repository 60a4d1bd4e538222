"""Results of simulations."""

from __future__ import annotations

import csv
import difflib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ._errors import ColumnError, in_python

if TYPE_CHECKING:
    import pandas
    from matplotlib.figure import Figure

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

    def __init__(self, data: dict[str, Any]) -> None:
        self._columns: dict[str, Array] = data["columns"]
        self._summary: str = in_python(data["summary"])
        self._warnings = [(kind, in_python(message)) for kind, message, _ in data["warnings"]]
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

    def __len__(self) -> int:
        """Returns the number of recorded states."""
        return len(self.t)

    def __getitem__(self, name: str) -> Array:
        """Returns the values with this name.

        Raises :class:`ColumnError` with the most similar name if there are none.
        """
        found = self._find(name)
        if found is None:
            raise _unknown(name, self.names, "column")
        return found

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and self._find(name) is not None

    def _find(self, name: str) -> Array | None:
        for section in _SECTIONS:
            if (found := self._columns.get(section + name)) is not None:
                return found
        match = _COMPONENT.match(name)
        if match is None:
            return None
        stem, index, letter = match.groups()
        values = self._find(stem)
        at = int(index) if index is not None else "xyz".index(letter)
        # A quaternion has no component x.
        is_short = index is not None or (values is not None and values.ndim == 2 and values.shape[1] <= 3)
        if values is None or values.ndim < 2 or at >= values.shape[1] or not is_short:
            return None
        return values[:, at]

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

    def to_csv(self, path: str | PathLike[str], names: Sequence[str] | None = None) -> None:
        """Writes a CSV file with one row for each recorded state. Values keep all digits."""
        columns = {"t": self.t} | self.to_dict(names)
        with open(path, "w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(columns)
            writer.writerows(zip(*(values.tolist() for values in columns.values()), strict=True))

    def plot(self, names: Sequence[str] | str = ("energy.total",), *, title: str | None = None) -> Figure:
        """Draws values over time with matplotlib, one panel for each name, and returns the figure.

        ``figure.savefig(path)`` writes it to a file. A notebook shows it.
        """
        from matplotlib.figure import Figure

        names = [names] if isinstance(names, str) else list(names)
        figure = Figure(figsize=(6.4, 0.8 + 2.2 * len(names)), layout="constrained")
        panels = figure.subplots(len(names), 1, sharex=True, squeeze=False)[:, 0]
        for panel, name in zip(panels, names, strict=True):
            for label, values in self._labels([name]):
                panel.plot(self.t, values, label=label)
            panel.set_ylabel(name)
            panel.grid(alpha=0.3)
            if self[name].ndim > 1:
                panel.legend(fontsize="small")
        panels[-1].set_xlabel("t")
        if title is not None:
            figure.suptitle(title)
        return figure

    def __repr__(self) -> str:
        return f"<liemech.Run {self._summary}>"

    def __str__(self) -> str:
        return self._summary


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


def _unknown(name: str, known: list[str], what: str) -> ColumnError:
    short = [full.removeprefix("configuration.").removeprefix("observables.") for full in known]
    nearest = difflib.get_close_matches(name, short, n=1, cutoff=0.6)
    suggestion = f"; did you mean `{nearest[0]}`?" if nearest else ""
    return ColumnError(f"unknown {what} `{name}`{suggestion}\n  the names are {', '.join(short)}")
