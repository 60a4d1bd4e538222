"""Exceptions and warnings. Each error type of the Rust library has one class."""

from __future__ import annotations

import re
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

# Settings of the Rust library, and their names as Python arguments.
_SETTERS = {
    "end_time": "t_end",
    "start_time": "t_start",
    "output_times": "t_eval",
    "with_sensitivities": "sensitivities",
    "guess": "q0",
    **{
        name: name
        for name in (
            "method",
            "rtol",
            "atol",
            "step",
            "initial_step",
            "max_step",
            "output_every",
            "fix_initial",
            "max_initial_correction",
            "constraint_tolerance",
            "max_velocity_growth",
            "spin",
        )
    },
}
_LIMITS = {"steps": "max_steps", "seconds": "max_seconds", "bytes": "max_bytes"}


def in_python(message: str) -> str:
    """Replaces the settings of Rust in a message by Python arguments."""

    def setting(match: re.Match[str]) -> str:
        calls = re.findall(r"\.(\w+)\(([^()]*)\)", match[0])
        if not all(name in _SETTERS for name, _ in calls):
            return match[0]
        values = ((name, value.replace("&", "").strip()) for name, value in calls)
        return ", ".join(f"{_SETTERS[name]}={'...' if value in ('', '…') else value}" for name, value in values)

    def limit(match: re.Match[str]) -> str:
        return f"{_LIMITS[match[1]]}=..."

    message = re.sub(r"`system\.with_input\((\"[^\"]*\"), &\[0\.0\]\)\?`", r"`inputs={\1: 0.0}`", message)
    message = message.replace(", or `set_input` of a system without its type", "")
    message = re.sub(r"`\.contact\((\"[^\"]*\"), e\)`", r"`contacts={\1: e}`", message)
    message = message.replace("`trajectory.first()`", "`run.state(0)`")
    message = re.sub(r"`ModelLengths::new\(\)\.length\((\"[^\"]*\"), (\w+)\)`", r"`lengths={\1: \2}`", message)
    # Python has no tables as objects.
    message = message.replace(", set an earlier end time, or call `.constant_extrapolation()` of the table", ", or set an earlier end time")
    message = re.sub(r"`(output_every|max_step|max_initial_correction|constraint_tolerance|max_velocity_growth)\(([^()`]*)\)`", r"`\1=\2`", message)
    # Python has no event functions.
    message = re.sub(r", or register a function with `\.event\([^`]*\)`", "", message)
    message = re.sub(r"\.limits\(Limits::default\(\)\.(steps|seconds|bytes)\([^()]*\)\)", limit, message)
    return re.sub(r"(?<=`)(?:\.\w+\([^()`]*\))+(?=`)", setting, message)


def create(cls: str, kind: str, message: str, attributes: dict[str, Any]) -> LiemechError:
    """Creates an exception; the native module calls it."""
    error = _CLASSES[cls](in_python(message))
    error.kind = kind
    for diagnostic in attributes.get("diagnostics", []):
        diagnostic["help"] = diagnostic["help"] and in_python(diagnostic["help"])
    for name, value in attributes.items():
        setattr(error, name, value)
    return error


def announce(kind: str, message: str, stacklevel: int = 2) -> None:
    """Shows a warning of a run."""
    warnings.warn(f"{kind}: {in_python(message)}", RunWarning, stacklevel=stacklevel)
