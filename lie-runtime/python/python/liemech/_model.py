"""Models from text, systems and simulations."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from operator import index
from os import PathLike, fspath
from pathlib import Path
from typing import Any, NamedTuple, SupportsIndex

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _native
from ._errors import Interrupted, ModelError, announce, create
from ._events import Change, Event
from ._run import Array, Equilibrium, Linearisation, PeriodicOrbit, Run, State

_QUATERNIONS = ("S³", "S³ ⋉ R³", "S³ × R³", "the unit dual quaternions")

Values = Mapping[str, Any]
"""Values by name: arrays, SciPy rotations, pairs (rotation, translation), nested mappings and lists."""

_Named = list[tuple[str, NDArray[np.float64]]]

Inputs = Mapping[str, ArrayLike | tuple[ArrayLike, ArrayLike]]
"""Inputs by name: a constant, or a pair (times, values)."""


class Parameter(NamedTuple):
    """A parameter of a model."""

    kind: str
    """``real``, ``integer``, ``flag``, or the notation of a group."""
    shape: tuple[int, ...]
    """``()`` for a scalar, ``(3,)`` for a vector, ``(3, 3)`` for a matrix; the number of scalars for an element of a group."""
    documentation: str
    """The doc comment of the field."""
    unit: str | None
    """The text in square brackets at the end of the first paragraph of the doc comment: ``m`` of ``Length of the rod [m]``."""


class Member(NamedTuple):
    """An element of a configuration."""

    group: str
    """The notation of its group, such as ``SO(3)`` or ``R^3``."""
    dof: int
    """Its dimension, which is the number of components of its velocity."""

    @property
    def is_vector(self) -> bool:
        """True if values and their derivatives have the same components: vectors, scalars and angles."""
        return self.group.startswith(("ℝ", "R^", "SO(2)"))


class _Source(NamedTuple):
    """The arguments from which a model is compiled again."""

    text: str
    """The declaration, or the text of a robot file."""
    file: str | None
    language: str
    """``rust``, ``urdf`` or ``mjcf``."""
    options: tuple[tuple[str, Any], ...]
    """Lengths of lists, or the options of a robot file."""

    def compile(self) -> _native.Model:
        if self.language == "rust":
            return _native.Model(_with_module(self.text), self.file, list(self.options))
        assert self.file is not None
        return _native.Model.robot(self.file, self.language, list(self.options))


class Model:
    """A compiled declaration or robot file. Use :func:`liemech.model`, :func:`liemech.load`, :func:`liemech.urdf` or :func:`liemech.mjcf`.

    Models are immutable. They are pickled as their text and their options. A robot is read from its file again, because it may include other
    files. :func:`liemech.compile` creates machine code from a model.
    """

    def __init__(self, source: _Source) -> None:
        self._source = source
        self._library: str | None = None
        self._native = source.compile()
        self._parameters = {name: Parameter(*entry) for name, entry in self._native.parameters().items()}
        self._members = {
            name: Member(f"R^{dof}" if group == "a vector space" else group, dof)
            for name, (group, dof) in self._native.members().items()
        }
        self._constraints = self._native.constraints()

    @property
    def text(self) -> str:
        """The declaration, or the text of the robot file."""
        return self._source.text

    @property
    def keyframes(self) -> dict[str, dict[str, Array]]:
        """The configurations of a robot file for ``q0``: ``reference``, and the keyframes by name. Empty for declarations.

        An omitted ``q0`` is the reference.
        """
        return {name: {member: np.array(q) for member, q in values} for name, values in self._native.keyframes()}

    @property
    def warnings(self) -> list[str]:
        """The assumptions about a robot file that change the motion and that an option confirms or replaces."""
        return self._native.warnings

    @property
    def ignored(self) -> list[str]:
        """The parts of a robot file that have no effect on the motion."""
        return self._native.ignored

    @property
    def declaration(self) -> str:
        """The declaration of a robot file as a module, which you can extend and compile with :func:`liemech.model`. Empty for other models."""
        return self._native.declaration

    @property
    def name(self) -> str:
        """The name of the module."""
        return self._native.name

    @property
    def is_compiled(self) -> bool:
        """True if the model is executed in machine code, see :func:`liemech.compile`."""
        return self._library is not None

    def _with_library(self, path: str) -> Model:
        model = object.__new__(Model)
        model.__dict__.update(self.__dict__, _library=path, _native=self._native.with_library(path))
        return model

    @property
    def parameters(self) -> dict[str, Parameter]:
        """The parameters by name: kind, shape, documentation and unit."""
        return dict(self._parameters)

    @property
    def members(self) -> dict[str, Member]:
        """The elements of a configuration by path, such as ``bodies[1].attitude``: group and dimension."""
        return dict(self._members)

    @property
    def constraints(self) -> dict[str, int]:
        """The constraints by name, with their numbers of rows."""
        return dict(self._constraints)

    @property
    def observables(self) -> list[str]:
        """The names of the observables."""
        return self._native.observables

    @property
    def events(self) -> list[str]:
        """The names of the declared events."""
        return self._native.events

    def system(self, parameters: Values | None = None, /, **more: Any) -> System:
        """Returns the system with these parameters, as a mapping, as keyword arguments, or both.

        A square matrix must have the shape (k, k); ``numpy.diag`` creates it from a diagonal. Inner structs are nested mappings, arrays are
        lists.

        Raises :class:`ModelError` if a parameter is missing or unknown, or has a wrong shape.
        """
        return System(self, {**_mapping("parameters", parameters), **more})

    def simulate(self, *, parameters: Values | None = None, **settings: Any) -> Run:
        """Runs a simulation of the system with these parameters. :meth:`System.simulate` describes the settings."""
        return self.system(parameters).simulate(**settings)

    def _flat(self, parameters: Values, q0: Values | None, v0: Values | None) -> list[dict[str, Array]]:
        """Returns the scalars of parameters and initial values by path. Members that are vectors have their default values."""
        q = dict(_elements(self._members, q0 or {}, "member", _configuration_element))
        v = dict(_elements(self._members, v0 or {}, "member", _velocity_element))
        vectors = [path for path, member in self._members.items() if member.is_vector]
        zeros = {path: np.zeros(member.dof) for path, member in self._members.items()}
        groups = [dict(_parameter_values(self, parameters)), {path: zeros[path] for path in vectors} | q, zeros | v]
        return [{path: array.copy() for path, array in group.items()} for group in groups]

    def __reduce__(self) -> tuple[Any, ...]:
        return _unpickled, (self._source, self._library)

    def __copy__(self) -> Model:
        return self

    def __deepcopy__(self, memo: Any) -> Model:
        return self

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Model) and self._source == other._source

    def __hash__(self) -> int:
        return hash(self._source)

    def __repr__(self) -> str:
        members = ", ".join(f"{name}: {member.group}" for name, member in self._members.items())
        return f"<liemech.Model {self.name} ({members}; parameters {', '.join(self._parameters) or 'none'})>"


def snapshot(value: Any) -> Any:
    """Returns values without references to arrays, lists and mappings of the caller."""
    if isinstance(value, np.ndarray):
        return value.copy()
    if isinstance(value, Mapping):
        return {name: snapshot(inner) for name, inner in value.items()}
    if type(value) in (list, tuple):
        return type(value)(map(snapshot, value))
    return value


def _mapping(argument: str, values: Mapping[str, Any] | None) -> Mapping[str, Any]:
    if not isinstance(values, Mapping | None):
        raise TypeError(f"{argument}=... is a mapping of names to values, and {values!r} is given")
    return values or {}


def _checked(name: str, event: Any) -> Event:
    """Returns an event; a function has both directions."""
    if not isinstance(name, str) or not (isinstance(event, Event) or callable(event)):
        raise TypeError("events=... is a list of names, or a mapping of names to events and functions of a state")
    checked = event if isinstance(event, Event) else Event(function=event)
    if checked.direction not in (-1, 0, 1):
        raise ValueError(f"the direction of the event {name!r} is -1, 0 or 1, and {checked.direction!r} is given")
    return checked


def _inputs(inputs: Inputs | None) -> list[tuple[str, list[float], list[float]]]:
    """Returns the name, the times and the scalars of each input."""
    return [_input(name, value) for name, value in _mapping("inputs", inputs).items()]


def _input(name: str, value: Any) -> tuple[str, list[float], list[float]]:
    if callable(value):
        message = f"the input {name!r} is a function; use a table (times, values), or controller=(period, function) for a function of the state"
        raise TypeError(message)
    if not isinstance(value, tuple):
        return name, [], _array(name, value).ravel().tolist()
    if len(value) != 2:
        raise ValueError(f"the input {name!r} is a tuple of {len(value)} items; use a constant or a pair (times, values)")
    times, values = (_array(name, part) for part in value)
    if times.ndim != 1 or values.ndim == 0 or len(times) != len(values) or len(times) < 2:
        raise ValueError(f"the input {name!r} needs one value for each of at least two times")
    return name, times.tolist(), values.ravel().tolist()


@lru_cache(maxsize=16)
def _unpickled(source: _Source, library: str | None) -> Model:
    """Returns the model of a pickle; a process that runs many tasks of a model compiles it once."""
    from ._compile import compile

    model = Model(source)
    if library is None:
        return model
    try:
        return model._with_library(library)
    except OSError:
        # Another machine.
        return compile(model)


class System:
    """A model with the values of its parameters. Use :meth:`Model.system`."""

    def __init__(self, model: Model, parameters: Values) -> None:
        self._model = model
        # The caller can change its arrays, and copies and pickles are created from these values.
        self._parameters = snapshot(parameters)
        self._native = model._native.system(list(_parameter_values(model, parameters)))

    @property
    def model(self) -> Model:
        """The model."""
        return self._model

    @property
    def parameters(self) -> dict[str, Any]:
        """The parameters as they were given."""
        return dict(snapshot(self._parameters))

    def replace(self, parameters: Values | None = None, /, **more: Any) -> System:
        """Returns the system with other values of these parameters."""
        return System(self._model, {**self._parameters, **(parameters or {}), **more})

    def simulate(
        self,
        *,
        q0: Values | None = None,
        v0: Values | None = None,
        t_end: float | None = None,
        t_start: float = 0.0,
        method: str = "hedop5",
        options: Mapping[str, Any] | None = None,
        rtol: float | None = None,
        atol: float | None = None,
        step: float | None = None,
        initial_step: float | None = None,
        max_step: float | None = None,
        t_eval: ArrayLike | None = None,
        output_every: int | None = None,
        events: Mapping[str, Event | Callable[[State], float]] | Sequence[str] = (),
        fix_initial: Sequence[str] = (),
        max_initial_correction: float | None = None,
        constraint_tolerance: float | None = None,
        max_velocity_growth: float | None = None,
        monitor_energy: bool = False,
        monitor_rank: bool = False,
        full_order_multipliers: bool = False,
        max_steps: int | None = None,
        max_seconds: float | None = None,
        max_bytes: int | None = None,
        progress: Callable[[float], object] | None = None,
        inputs: Mapping[str, ArrayLike | tuple[ArrayLike, ArrayLike]] | None = None,
        controller: tuple[float, Callable[[State], Mapping[str, ArrayLike]]] | None = None,
        contacts: Mapping[str, float] | None = None,
        sensitivities: Sequence[str] = (),
        adjoint: Mapping[str, ArrayLike] | None = None,
    ) -> Run:
        """Runs a simulation and returns its :class:`Run`.

        The global interpreter lock is released, so that threads run in parallel. Ctrl-C raises :class:`Interrupted`, whose ``run`` contains
        the states so far.

        Parameters
        ----------
        q0
            The initial configuration by member. Omitted members are the identity or zero. Rotations ``SO3`` are matrices from body to space
            or quaternions w, x, y, z; ``S3`` is a quaternion w, x, y, z. A SciPy ``Rotation`` is accepted for both. Poses are pairs
            (rotation, translation) or, for ``SE3``, matrices (4, 4).
        v0
            The initial velocity by member; zero by default. Angular velocities are body-fixed and come before linear velocities.
        t_end, t_start
            The end time, which is required, and the start time.
        method, options
            The integration method and its options; :func:`liemech.methods` lists them.
        rtol, atol
            The tolerances of the step-size control. Defaults: 1e-6 and 1e-8.
        step
            A fixed step size instead of the step-size control.
        initial_step, max_step
            The size of the first step and the limit of all steps of the step-size control.
        t_eval
            The times of the recorded states. Every step is recorded by default.
        output_every
            Records every n-th step.
        events
            Names of declared events; or a mapping of names to an :class:`Event`, or to a function of a :class:`State`. Every sign change of
            an event function is an event.
        fix_initial
            Members whose initial values are kept; the other members are corrected to satisfy the constraints.
        max_initial_correction
            The limit of the correction of initial values. Default: 0.01.
        constraint_tolerance, max_velocity_growth
            The limits of the constraint residual and of the growth of velocities.
        monitor_energy, monitor_rank, full_order_multipliers
            Adds an energy audit, checks the rank of the constraint Jacobian, records multipliers of full order.
        max_steps, max_seconds, max_bytes
            The limits of the cost.
        progress
            A function that is called with the time of the motion at most ten times a second.
        inputs
            The inputs of the declaration by name: a constant, or a pair (times, values) with one value for each time. Tables are
            interpolated linearly; inputs of constraints have cubic splines.
        controller
            A sampled controller: a pair (period, function). The function is called at the start and after every period, with a
            :class:`State` that contains the time, the configuration, the velocity, auxiliary states and observables. It returns values by
            the names of inputs, ``{"torque": 0.5}``, which are constant until the next call (zero-order hold). It must return all inputs
            that ``inputs`` does not contain. Steps end at the sampling instants. An exception ends the run; its attribute ``run`` contains
            the states so far.
        contacts
            The coefficients of restitution of contacts and stops by the names of their constraints: ``{"floor": 0.8}``. The run has the
            impacts, releases and frictions of these contacts. Dry friction of joints is always included.
        sensitivities
            Parameters, such as ``"mass"`` or ``"inertia[0][0]"``, and initial values, such as ``"q.attitude"`` or ``"v.position[2]"``. The
            run computes the exact derivatives of the numerical solution with respect to them, see :attr:`liemech.Run.sensitivities`. Each
            component costs two to four runs.
        adjoint
            The weights of values at the times ``t_eval``, by the names of members, ``velocity.member`` or ``multipliers.constraint``, in the
            shape of ``run[name]``. The run computes the derivatives of the weighted sum with respect to the variables ``sensitivities`` by
            one reverse (adjoint) pass, see :attr:`liemech.Run.gradient`. The cost does not depend on the number of variables. Each time must
            be the end of a step: choose a fixed ``step`` that divides the times. The initial values must satisfy the constraints. The run
            records the states of all steps.

        Raises
        ------
        SimulationError
            With the attribute ``run``. Subclasses are :class:`SetupError`, :class:`ConsistencyError`, :class:`StepError`, ...
        ModelError
            If a name or a value of ``q0`` or ``v0`` is invalid.
        MethodError
            If the method is unknown or does not apply.
        SensitivityError
            If a variable is unknown or a derivative does not exist.
        """
        if not isinstance(events, Mapping):
            events = {name: Event() for name in ([events] if isinstance(events, str) else events)}
        used = {name: _checked(name, event) for name, event in events.items()}
        if sensitivities and monitor_energy:
            raise ValueError("a run with sensitivities has no energy audit; remove monitor_energy=True")
        if sensitivities and contacts:
            raise ValueError("contacts have no derivatives; remove contacts=... or sensitivities=...")
        if adjoint is not None and (t_eval is None or not sensitivities):
            raise ValueError("adjoint=... needs the times of its weights, t_eval=..., and the variables, sensitivities=[...]")
        if sensitivities and controller is not None:
            raise ValueError("the output of a controller has no derivatives; remove controller=... or sensitivities=...")
        if sensitivities and any(event.function or event.action for event in used.values()):
            raise ValueError("functions and actions of events have no derivatives; declare the events, or remove sensitivities=...")
        times = None if t_eval is None else np.asarray(t_eval, dtype=float).ravel()
        if times is not None and not np.all(np.diff(times) > 0.0):
            raise ValueError("the times of t_eval=... must increase, so that they are the times of the recorded states")
        if progress is not None and not callable(progress):
            raise TypeError(f"progress=... is a function of the time, and {progress!r} is given")
        members = self._model._members
        data = self._simulated(
            list(_elements(members, q0 or {}, "member", _configuration_element)),
            list(_elements(members, v0 or {}, "member", _velocity_element)),
            {
                "method": method,
                "options": [(name, str(value)) for name, value in _mapping("options", options).items()],
                "rtol": rtol,
                "atol": atol,
                "step": step,
                "initial_step": initial_step,
                "max_step": max_step,
                "t_start": t_start,
                "t_end": t_end,
                "t_eval": None if times is None else times.tolist(),
                "output_every": output_every,
                "fix_initial": [fix_initial] if isinstance(fix_initial, str) else list(fix_initial),
                "max_initial_correction": max_initial_correction,
                "constraint_tolerance": constraint_tolerance,
                "max_velocity_growth": max_velocity_growth,
                "monitor_energy": monitor_energy,
                "monitor_rank": monitor_rank,
                "full_order_multipliers": full_order_multipliers,
                "max_steps": max_steps,
                "max_seconds": max_seconds,
                "max_bytes": max_bytes,
                "events": [self._event(name, event) for name, event in used.items()],
                "progress": progress,
                "inputs": _inputs(inputs),
                "controller": None if controller is None else self._controller(controller),
                "contacts": [(name, float(restitution)) for name, restitution in _mapping("contacts", contacts).items()],
                "sensitivities": [sensitivities] if isinstance(sensitivities, str) else list(sensitivities),
                "adjoint": None if adjoint is None else self._weights(adjoint, 0 if times is None else times.size),
            },
        )
        run = Run(data, list(members))
        for kind, message, is_shown in data["warnings"]:
            if not is_shown:
                announce(kind, message, stacklevel=3)
        if (interrupt := data["interrupt"]) is not None:
            if isinstance(interrupt, KeyboardInterrupt):
                interrupted = Interrupted(f"interrupted at t = {run.t[-1] if len(run) else t_start:.6g}")
                interrupted.run = run
                raise interrupted from None
            with suppress(AttributeError):
                interrupt.run = run
            raise interrupt
        if (failure := data["failure"]) is not None:
            failure.run = run
            raise failure
        return run

    def _simulated(self, q0: _Named, v0: _Named, settings: dict[str, Any]) -> dict[str, Any]:
        try:
            return self._native.simulate(q0, v0, settings)
        except TypeError as error:
            # The native module reports the field of its settings, and the reason as the cause.
            _, is_setting, name = str(error).partition("failed to extract field Settings.")
            if not is_setting:
                raise
            raise TypeError(f"{name}={settings[name]!r} has a wrong type: {error.__cause__}") from None

    def _state(self, columns: dict[str, Array]) -> State:
        """Returns the state with the arrays of one state."""
        return State({name: values[0] for name, values in columns.items()}, list(self._model._members))

    def _weights(self, weights: Mapping[str, ArrayLike], times: int) -> list[tuple[str, list[float]]]:
        """Returns the weights of each value, for all times."""
        arrays = [(name, np.asarray(values, dtype=float)) for name, values in weights.items()]
        for name, array in arrays:
            size = self._native.size_of_value(name)
            if array.shape[:1] != (times,) or array.size != times * size:
                message = f"the weights of {name!r} have the shape {array.shape}; use one row for each of {times} times, with {size} columns"
                raise ValueError(message)
        return [(name, array.ravel().tolist()) for name, array in arrays]

    def _controller(
        self, controller: tuple[float, Callable[[State], Mapping[str, ArrayLike]]]
    ) -> tuple[float, Callable[[dict[str, Array]], list[tuple[str, list[float]]]]]:
        """Returns a controller with a function of the arrays of one state."""
        if not (isinstance(controller, Sequence) and len(controller) == 2 and callable(controller[1])):
            raise TypeError(f"controller=... is a pair (period, function), and {controller!r} is given")
        period, function = controller

        def outputs(columns: dict[str, Array]) -> list[tuple[str, list[float]]]:
            values = function(self._state(columns))
            if not isinstance(values, Mapping):
                raise TypeError(f"a controller returns values by the names of inputs, and it returned {values!r}")
            return [(name, np.asarray(value, dtype=float).ravel().tolist()) for name, value in values.items()]

        return float(period), outputs

    def _event(self, name: str, event: Event) -> dict[str, Any]:
        """Returns an event with functions of the arrays of one state."""
        function, action = event.function, event.action

        def value(columns: dict[str, Array]) -> float:
            assert function is not None
            return float(function(self._state(columns)))

        def changes(columns: dict[str, Array]) -> list[Any]:
            assert action is not None
            change = Change(self._state(columns))
            action(change)
            return [(what, self._change(what, values)) for what, values in change._changes]

        return {
            "name": name,
            "direction": event.direction,
            "stop": event.stop,
            "function": function and value,
            "action": action and changes,
        }

    def _change(self, what: str, values: Values) -> list[tuple[str, list[float]]]:
        model = self._model
        if what == "set":
            elements = _parameter_values(model, values)
        else:
            convert = _configuration_element if what == "configuration" else _velocity_element
            elements = _elements(model._members, values, "member", convert)
        return [(name, array.tolist()) for name, array in elements]

    def mass_matrix(self, q0: Values | None = None, *, time: float = 0.0, inputs: Inputs | None = None) -> Array:
        """Returns the mass matrix M(t, q). Its rows are the components of all members, in the order of :attr:`Model.members`.

        Raises :class:`DynamicsError` for missing inputs and values that are not finite.
        """
        return self._dynamics("mass_matrix", q0, None, None, time, inputs)

    def inverse_dynamics(
        self,
        q0: Values | None = None,
        v0: Values | None = None,
        acceleration: Values | None = None,
        *,
        time: float = 0.0,
        inputs: Inputs | None = None,
    ) -> dict[str, Array]:
        """Returns the generalised forces that cause an acceleration, in addition to the forces of the declaration.

        The keys are members. For a system with constraints the forces replace the constraint forces.

        Raises :class:`DynamicsError` for missing inputs and values that are not finite.
        """
        return self._by_member(self._dynamics("inverse", q0, v0, acceleration, time, inputs))

    def forward_dynamics(
        self,
        q0: Values | None = None,
        v0: Values | None = None,
        forces: Values | None = None,
        *,
        time: float = 0.0,
        inputs: Inputs | None = None,
    ) -> dict[str, Array]:
        """Returns the accelerations by member. ``forces`` are generalised forces in addition to the forces of the declaration.

        The state is not projected onto the constraints.

        Raises :class:`DynamicsError` for missing inputs, a singular mass matrix and dependent constraints.
        """
        return self._by_member(self._dynamics("forward", q0, v0, forces, time, inputs))

    def bias_forces(
        self, q0: Values | None = None, v0: Values | None = None, *, time: float = 0.0, inputs: Inputs | None = None
    ) -> dict[str, Array]:
        """Returns inertial forces and the gradient of the potentials, minus all declared forces, by member."""
        return self._by_member(self._dynamics("bias", q0, v0, None, time, inputs))

    def potential_gradient(
        self, q0: Values | None = None, *, time: float = 0.0, inputs: Inputs | None = None
    ) -> dict[str, Array]:
        """Returns the gradient of all potentials by member: weight and springs."""
        return self._by_member(self._dynamics("potential_gradient", q0, None, None, time, inputs))

    def _dynamics(
        self, term: str, q0: Values | None, v0: Values | None, vector: Values | None, time: float, inputs: Inputs | None
    ) -> Array:
        members = self._model._members
        return self._native.dynamics(
            term,
            list(_elements(members, q0 or {}, "member", _configuration_element)),
            list(_elements(members, v0 or {}, "member", _velocity_element)),
            list(_elements(members, vector or {}, "member", _velocity_element)),
            time,
            _inputs(inputs),
        )

    def _by_member(self, vector: Array) -> dict[str, Array]:
        """Returns the components of each member."""
        ends = np.cumsum([member.dof for member in self._model._members.values()])
        return dict(zip(self._model._members, np.split(vector, ends[:-1]), strict=True))

    def periodic_orbit(
        self,
        q0: Values | None = None,
        v0: Values | None = None,
        *,
        period_guess: float | None = None,
        period: float | None = None,
        t_start: float = 0.0,
        steps: int = 400,
        tolerance: float = 1e-10,
        inputs: Inputs | None = None,
    ) -> PeriodicOrbit:
        """Returns the periodic orbit close to a state.

        ``period_guess`` is an estimate of the period. ``period`` is the constant period of a driven system. A run has ``steps`` steps.
        ``inputs`` are constants, or tables of one period for a driven system, as for :meth:`simulate`.

        Raises :class:`OrbitError` if there is no orbit close to the state, or a run fails.
        """
        if (period is None) == (period_guess is None):
            raise ValueError("set period_guess=..., or period=... for a driven system")
        given = _inputs(inputs)
        for name, times, scalars in given:
            _check_period(name, times, scalars, t_start, period)
        members = self._model._members
        data = self._native.periodic_orbit(
            list(_elements(members, q0 or {}, "member", _configuration_element)),
            list(_elements(members, v0 or {}, "member", _velocity_element)),
            (period if period is not None else period_guess or 0.0, period is not None),
            t_start,
            steps,
            tolerance,
            given,
        )
        return PeriodicOrbit(data, list(members))

    def equilibrium(self, q0: Values | None = None, *, time: float = 0.0, inputs: Inputs | None = None) -> Equilibrium:
        """Returns the static equilibrium close to a configuration, which does not need to satisfy the constraints.

        ``inputs`` are the inputs of the declaration by name, as for :meth:`simulate`.

        Raises :class:`EquilibriumError` if the search does not converge, or a direction has no stiffness.
        """
        members = self._model._members
        guess = list(_elements(members, q0 or {}, "member", _configuration_element))
        given = _inputs(inputs)
        return Equilibrium(self._native.equilibrium(guess, time, given), list(members))

    def linearise(
        self,
        q0: Values | None = None,
        v0: Values | None = None,
        *,
        time: float = 0.0,
        inputs: Inputs | None = None,
        outputs: Sequence[str] = (),
        spin: Values | None = None,
    ) -> Linearisation:
        """Returns the linear equations and the modes of small deviations from a steady motion, such as an equilibrium.

        ``inputs`` are the inputs of the steady motion by name, as for :meth:`simulate`. The input matrix has a column for each of their
        components. ``outputs`` are names of observables, and components such as ``q.position[0]`` and ``v.position[0]``. The state must satisfy the
        constraints, and ``v0`` must be constant in body-fixed components. ``spin`` is the spin of bodies of revolution, by member like ``v0``:
        the deviations refer to axes that do not rotate with the body.

        Raises :class:`LinearisationError` if the motion is not steady or violates a constraint.
        """
        members = self._model._members
        return Linearisation(
            self._native.linearise(
                list(_elements(members, q0 or {}, "member", _configuration_element)),
                list(_elements(members, v0 or {}, "member", _velocity_element)),
                time,
                _inputs(inputs),
                [outputs] if isinstance(outputs, str) else list(outputs),
                list(_elements(members, spin or {}, "member", _velocity_element)),
            )
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return System, (self._model, self._parameters)

    def __copy__(self) -> System:
        return self

    def __repr__(self) -> str:
        values = ", ".join(f"{name}={value!r}" for name, value in self._parameters.items())
        return f"<liemech.System {self._model.name} ({values})>"


def _check_period(name: str, times: list[float], scalars: list[float], start: float, period: float | None) -> None:
    """Raises an error if an input is not periodic."""
    if not times:
        return
    if period is None:
        raise ValueError(f"the input {name!r} is a function of time; set its period=... instead of period_guess=...")
    rows = np.reshape(scalars, (len(times), -1))
    covers = np.allclose([times[0], times[-1]], [start, start + period], rtol=1e-9, atol=1e-9 * period)
    if not covers or not np.allclose(rows[0], rows[-1], rtol=1e-9, atol=1e-9 * np.abs(rows).max()):
        message = f"the table of the input {name!r} must contain one period, from t_start to t_start + period, with equal values at both ends"
        raise ValueError(message)


def _with_module(text: str) -> str:
    """Adds the module to the items of a declaration. Lines keep their numbers."""
    if "mechanical_system" in text:
        return text
    return f"#[mechanical_system] mod model {{ {text}\n}}"


Convert = Callable[[str, Any, Any], NDArray[np.float64]]


def _elements(
    known: Mapping[str, Any], values: Values, what: str, convert: Convert
) -> Iterator[tuple[str, NDArray[np.float64]]]:
    """Returns the scalars of each element; nested mappings and lists are expanded to paths."""
    if not isinstance(values, Mapping):
        raise TypeError(f"values of each {what} are a mapping of names to values, and {values!r} is given")
    for name, value in values.items():
        yield from _expand(known, name, value, what, convert)


def _expand(
    known: Mapping[str, Any], path: str, value: Any, what: str, convert: Convert
) -> Iterator[tuple[str, NDArray[np.float64]]]:
    if path in known:
        yield path, convert(path, known[path], value)
        return
    if isinstance(value, Mapping):
        for field, inner in value.items():
            yield from _expand(known, f"{path}.{field}", inner, what, convert)
        return
    heads = {name[len(path) + 1 :].split("]")[0] for name in known if name.startswith(f"{path}[")}
    if heads:
        inner_values = list(value)
        if len(inner_values) != len(heads):
            raise _model_error("WrongSize", f"`{path}` has {len(heads)} elements, and {len(inner_values)} are given", path)
        for index, inner in enumerate(inner_values):
            yield from _expand(known, f"{path}[{index}]", inner, what, convert)
        return
    names = ", ".join(f"`{name}`" for name in known) or "none"
    raise _model_error("UnknownName", f"the model has no {what} `{path}`; it has {names}", path)


def _array(path: str, value: Any) -> NDArray[np.float64]:
    if value is None:
        raise _model_error("NotNumeric", f"`{path}` is None; set a value", path)
    try:
        return np.asarray(value, dtype=np.float64, order="C")
    except (TypeError, ValueError) as error:
        raise _model_error("NotNumeric", f"`{path}` is not an array of numbers: {error}", path) from error


def _rotation(group: str, value: Any) -> Any:
    """Returns the array of a SciPy rotation, and other values unchanged."""
    if not hasattr(value, "as_quat"):
        return value
    if group.startswith("S³") or group in _QUATERNIONS:
        return np.roll(value.as_quat(), 1)
    return value.as_matrix()


def _configuration_element(path: str, member: Member, value: Any) -> NDArray[np.float64]:
    if isinstance(value, tuple) and len(value) == 2 and not all(np.isscalar(part) for part in value):
        rotation, translation = value
        parts = [_array(path, _rotation(member.group, rotation)).ravel(), _array(path, translation).ravel()]
        return np.concatenate(parts)
    array = _array(path, _rotation(member.group, value))
    if array.shape == (4, 4) and member.dof == 6:
        if not np.array_equal(array[3], [0.0, 0.0, 0.0, 1.0]):
            raise _model_error("NotInGroup", f"the last row of the pose `{path}` must be 0, 0, 0, 1", path)
        return np.concatenate([array[:3, :3].ravel(), array[:3, 3]])
    return array.ravel()


def _velocity_element(path: str, member: Member, value: Any) -> NDArray[np.float64]:
    return _array(path, value).ravel()


def _parameter_element(path: str, parameter: Parameter, value: Any) -> NDArray[np.float64]:
    if parameter.kind not in ("real", "integer", "flag"):
        if isinstance(value, tuple) and len(value) == 2:
            parts = [_array(path, _rotation(parameter.kind, value[0])).ravel(), _array(path, value[1]).ravel()]
            return np.concatenate(parts)
        return _array(path, _rotation(parameter.kind, value)).ravel()
    array = _array(path, value)
    if array.shape != parameter.shape:
        message = f"`{path}` has the shape {parameter.shape}, and an array of the shape {array.shape} is given"
        if len(parameter.shape) == 2 and array.shape == parameter.shape[:1]:
            message += "; `numpy.diag` creates a matrix from a diagonal"
        raise _model_error("WrongSize", message, path, expected=parameter.shape, given=array.shape)
    if parameter.kind == "integer" and not float(array).is_integer():
        raise _model_error("WrongKind", f"`{path}` is an integer, and {value!r} is given", path)
    if parameter.kind == "flag" and float(array) not in (0.0, 1.0):
        raise _model_error("WrongKind", f"`{path}` is true or false, and {value!r} is given", path)
    return array.reshape(-1)


def _parameter_values(model: Model, values: Values) -> Iterator[tuple[str, NDArray[np.float64]]]:
    return _elements(model._parameters, values, "parameter", _parameter_element)


def _model_error(kind: str, message: str, name: str, **attributes: Any) -> ModelError:
    error = create("ModelError", kind, message, {"name": name, **attributes})
    assert isinstance(error, ModelError)
    return error


Lengths = Mapping[str, int | Sequence[int | None] | Sequence[Sequence[int]]]
"""Lengths of lists, parents of frames, and members that lists connect, by name."""


def model(text: str, *, lengths: Lengths | None = None) -> Model:
    """Compiles a model from the text of its declaration.

    The text is a Rust module ``#[mechanical_system] mod name { ... }``, or the items of such a module. The compilation takes milliseconds.
    ``lengths`` are the lengths of the lists (``Vec``) of the configuration and of the parameters: ``{"nodes": 20}``. A tree has the parent
    of each frame, and a connection list the numbers of its members: ``{"parents": [None, 0, 0], "springs": [[0, 1], [1, 2]]}``.

    >>> import liemech
    >>> spring = liemech.model('''
    ... #[configuration] pub struct Position { pub x: f64 }
    ... #[parameters] pub struct Spring { pub stiffness: f64 }
    ... #[kinetic_energy] fn kinetic(v: &Velocity) -> f64 { 0.5 * v.x * v.x }
    ... #[potential] fn spring(p: &Spring, q: &Position) -> f64 { 0.5 * p.stiffness * q.x * q.x }
    ... ''')
    >>> run = spring.simulate(parameters={"stiffness": 4.0}, q0={"x": 1.0}, t_end=3.0, t_eval=[0.0, 3.0])
    >>> run["x"].shape
    (2,)

    Raises :class:`DeclarationError` with the lines and columns of all errors.
    """
    if not isinstance(text, str):
        raise TypeError(f"a declaration is text, and {text!r} is given")
    if text.strip() and "{" not in text:
        raise ValueError(f"{text!r} is not a declaration; liemech.load reads a file")
    return Model(_Source(text, None, "rust", _lengths(lengths)))


def _lengths(lengths: Lengths | None) -> tuple[tuple[str, Any], ...]:
    return tuple(sorted((name, _length(name, length)) for name, length in _mapping("lengths", lengths).items()))


def _length(name: str, length: Any) -> Any:
    """Returns an integer, or the tuple of parents or of tuples of members."""

    def number(value: Any) -> int:
        if not isinstance(value, SupportsIndex) or index(value) < 0:
            raise ValueError(
                f"the length of the list {name!r} is a positive integer, parents are [None, 0], connections are [[0, 1]], "
                f"and {length!r} is given"
            )
        return index(value)

    if isinstance(length, Sequence) and not isinstance(length, str):
        return tuple(
            None if item is None else tuple(map(number, item)) if isinstance(item, Sequence) else number(item) for item in length
        )
    return number(length)


def load(path: str | PathLike[str], *, lengths: Lengths | None = None) -> Model:
    """Compiles a model from a file: a Rust file with one module ``#[mechanical_system]``, or a text as for :func:`model`.

    Raises :class:`DeclarationError` with the lines and columns of all errors, and ``OSError``.
    """
    with open(path, encoding="utf-8") as file:
        return Model(_Source(file.read(), fspath(path), "rust", _lengths(lengths)))


def urdf(path: str | PathLike[str], **options: str) -> Model:
    """Reads a robot from a URDF file. The members are its joints.

    The options are those of the attribute ``#[mechanical_system(urdf = ...)]``, as text: ``base="floating"``, ``friction="smooth(0.01)"``,
    ``limits="stops"``, ``inertia="balanced"``, ``actuators="inputs"``, ``skip="[tendon, contact]"``.

    Raises :class:`DeclarationError` with the line of a part that is wrong or needs an option, ``ValueError`` for an unknown option, and
    ``OSError``.
    """
    return _robot(path, "urdf", options)


def mjcf(path: str | PathLike[str], **options: str) -> Model:
    """Reads a robot from a MuJoCo (MJCF) file, like :func:`urdf`. Included files and meshes are searched in its folder.

    The reference configuration and the keyframes are in :attr:`Model.keyframes`.
    """
    return _robot(path, "mjcf", options)


def _robot(path: str | PathLike[str], language: str, options: Mapping[str, str]) -> Model:
    for name, value in options.items():
        if not isinstance(value, str):
            raise TypeError(f"the option {name!r} is text, and {value!r} is given")
    file = Path(path).resolve()
    return Model(_Source(file.read_text(encoding="utf-8"), str(file), language, tuple(sorted(options.items()))))
