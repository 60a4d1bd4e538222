"""Multibody dynamics on Lie groups.

A model is declared as text by its energies and constraints. :func:`model` compiles it in milliseconds, and :meth:`Model.simulate` integrates it
with Lie group methods.

>>> import liemech
>>> pendulum = liemech.model('''
... #[configuration] pub struct Angle { pub arm: SO2 }
... #[kinetic_energy] fn kinetic(v: &Velocity) -> f64 { 0.5 * v.arm * v.arm }
... #[potential] fn weight(q: &Angle) -> f64 { -9.81 * (q.arm * Vector2::x()).x }
... ''')
>>> run = pendulum.simulate(q0={"arm": 0.5}, t_end=1.0)
>>> bool(abs(run.energy - run.energy[0]).max() < 1e-5)
True
"""

from typing import Any

from . import _native
from ._animation import Animation
from ._compile import compile
from ._errors import (
    ColumnError,
    CompilerError,
    ConsistencyError,
    DeclarationError,
    DynamicsError,
    EquilibriumError,
    EventError,
    FigureError,
    InputError,
    Interrupted,
    LiemechError,
    LinearisationError,
    MethodError,
    ModelError,
    OrbitError,
    RunWarning,
    SensitivityError,
    SetupError,
    SimulationError,
    StepError,
)
from ._events import Change, Event
from ._model import Member, Model, Parameter, System, load, mjcf, model, urdf
from ._response import Response
from ._run import Equilibrium, Gradient, Linearisation, Occurrence, PeriodicOrbit, Run, Sensitivities, State

__version__ = "0.1.0"

__all__ = [
    "Animation",
    "Change",
    "ColumnError",
    "CompilerError",
    "ConsistencyError",
    "DeclarationError",
    "Equilibrium",
    "DynamicsError",
    "EquilibriumError",
    "Event",
    "EventError",
    "FigureError",
    "Gradient",
    "InputError",
    "Interrupted",
    "LiemechError",
    "Linearisation",
    "LinearisationError",
    "Member",
    "MethodError",
    "Model",
    "ModelError",
    "Occurrence",
    "OrbitError",
    "Parameter",
    "PeriodicOrbit",
    "Response",
    "Run",
    "RunWarning",
    "Sensitivities",
    "SensitivityError",
    "SetupError",
    "SimulationError",
    "State",
    "StepError",
    "System",
    "compile",
    "load",
    "methods",
    "mjcf",
    "model",
    "urdf",
]


def methods() -> list[dict[str, Any]]:
    """Returns the integration methods for mechanical systems.

    Each entry has the keys ``id``, ``name``, ``family``, ``order``, ``multiplier_order``, ``controls_step``, ``needs`` and ``options``.

    >>> import liemech
    >>> "hedop5" in [method["id"] for method in liemech.methods()]
    True
    """
    return _native.methods()
