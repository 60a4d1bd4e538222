"""Exceptions and warnings. Each error type of the Rust library has one class."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._run import Run


class LiemechError(Exception):
    """The base class of all errors of this package.

    ``kind`` is the name of the variant of the Rust error, such as ``"OffConstraints"``.
    """

    kind: str = ""


class DeclarationError(LiemechError, ValueError):
    """The declaration of a model has errors.

    ``diagnostics`` is a list of dictionaries with the entries ``code``, ``message``, ``help``, ``file``, ``line`` and ``column``. Lines and
    columns start at 1. The text of the exception contains the lines of the declaration.
    """

    diagnostics: list[dict[str, Any]]

    @property
    def line(self) -> int:
        """The line of the first error."""
        return int(self.diagnostics[0]["line"])

    @property
    def column(self) -> int:
        """The column of the first error."""
        return int(self.diagnostics[0]["column"])

    @property
    def help(self) -> str | None:
        """The correction of the first error, if one is known."""
        value = self.diagnostics[0]["help"]
        return None if value is None else str(value)


class ModelError(LiemechError, ValueError):
    """Parameters, configurations or velocities have a wrong name, a wrong shape or an invalid value."""

    name: str
    expected: Any
    given: Any


class MethodError(LiemechError, ValueError):
    """The integration method or one of its options is unknown, or the method does not apply to the system."""


class SimulationError(LiemechError, RuntimeError):
    """A simulation did not reach its end time.

    ``run`` contains the states so far. ``time`` is the time of the failure, if it is known.
    """

    run: Run
    time: float
    step: float
    constraint: str
    residual: float


class DynamicsError(LiemechError, ValueError):
    """A state is not finite, an input is missing, or the mass matrix is singular."""


class EquilibriumError(LiemechError, RuntimeError):
    """The search for a static equilibrium failed."""


class OrbitError(LiemechError, RuntimeError):
    """The search for a periodic orbit failed."""


class CompilerError(LiemechError, RuntimeError):
    """There is no C compiler, it failed, or its library cannot be written or loaded."""


class FigureError(LiemechError, ValueError):
    """An animation has nothing to show, values that are not finite, or a file name without a known extension."""


class LinearisationError(LiemechError, ValueError):
    """The motion is not steady, or its state violates a constraint."""


class SensitivityError(LiemechError, ValueError):
    """A variable of differentiation is unknown, or a derivative does not exist."""


class SetupError(SimulationError, ValueError):
    """A setting of a simulation is invalid."""


class ConsistencyError(SimulationError, ValueError):
    """The initial values do not satisfy the constraints, and their correction exceeds its limit."""


class InputError(SimulationError, ValueError):
    """The inputs of a system are invalid."""


class StepError(SimulationError):
    """A step has no result. ``time`` and ``step`` describe the step."""


class EventError(SimulationError):
    """An event has no result. ``event`` is its name."""

    event: str


class ColumnError(LiemechError, KeyError):
    """A run has no values with this name."""

    def __str__(self) -> str:
        # A `KeyError` would print its message as a literal.
        return str(self.args[0])


class Interrupted(KeyboardInterrupt):
    """Ctrl-C ended a run. ``run`` contains the states so far.

    It is not a :class:`LiemechError`: ``except Exception`` does not catch it, as for every interrupt.
    """

    run: Run


class RunWarning(UserWarning):
    """A warning of a run, such as a numerical energy gain. :attr:`liemech.Run.warnings` contains all warnings of a run."""


_CLASSES = {
    known.__name__: known
    for known in (
        DeclarationError,
        ModelError,
        MethodError,
        SensitivityError,
        DynamicsError,
        EquilibriumError,
        LinearisationError,
        OrbitError,
        FigureError,
        SimulationError,
        SetupError,
        ConsistencyError,
        InputError,
        StepError,
        EventError,
    )
}

def create(cls: str, kind: str, message: str, attributes: dict[str, Any]) -> LiemechError:
    """Creates an exception; the native module calls it."""
    error = _CLASSES[cls](message)
    error.kind = kind
    for name, value in attributes.items():
        setattr(error, name, value)
    return error


def announce(kind: str, message: str, stacklevel: int = 2) -> None:
    """Shows a warning of a run."""
    warnings.warn(f"{kind}: {message}", RunWarning, stacklevel=stacklevel)
