"""Values of runs as differentiable functions, for optimisation and for packages with automatic differentiation."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

if TYPE_CHECKING:
    from ._model import System
    from ._run import Run

Array = NDArray[np.float64]

# The matrices of e₁×, e₂× and e₃×.
_CROSS = -np.array([[[0, 0, 0], [0, 0, 1], [0, -1, 0]], [[0, 0, -1], [0, 0, 0], [1, 0, 0]], [[0, 1, 0], [-1, 0, 0], [0, 0, 0]]], float)


class Response:
    """Values of a run as a differentiable function of parameters and initial values.

    ``response(x)`` returns the outputs at the recorded states, shape (n, m), and ``response.jacobian(x)`` their exact derivatives, shape
    (n, m, k), see :attr:`Run.sensitivities`. Fixed times ``t_eval`` are necessary for a constant n.

    Parameters
    ----------
    system
        The system with its parameters.
    variables
        Names of real parameters, and of initial values of vectors, such as ``"mass"``, ``"inertia[0][0]"``, ``"q.position"`` or
        ``"v.position[2]"``.
    outputs
        Names of members, of ``velocity.member``, or of ``multipliers.constraint``. All components are columns.
    adjoint
        Computes :meth:`vjp` and :meth:`objective` by a reverse pass, whose cost does not depend on the number of variables. It needs
        ``t_eval`` and a fixed ``step`` that divides its times.
    settings
        The arguments of :meth:`System.simulate`.
    """

    def __init__(
        self, system: System, variables: Sequence[str], outputs: Sequence[str], *, adjoint: bool = False, **settings: Any
    ) -> None:
        self._model = system.model
        self._outputs = [outputs] if isinstance(outputs, str) else list(outputs)
        self._base = self._model._flat(system.parameters, settings.pop("q0", None), settings.pop("v0", None))
        self._settings, self._adjoint = settings, adjoint
        self._sizes = [system._native.size_of_value(name) for name in self._outputs] if adjoint else []
        self.names = system._native.variables([variables] if isinstance(variables, str) else list(variables))
        """The components of x, such as ``inertia[0][0]``."""
        self._places = [self._place(name) for name in self.names]
        self._last: tuple[Array, Run] | None = None

    @property
    def x0(self) -> Array:
        """The values of the variables in the system and the settings."""
        return np.array([self._base[group][path][at] for group, path, at in self._places])

    def __call__(self, x: ArrayLike) -> Array:
        """Returns the outputs for these values of the variables, shape (n, m)."""
        x = self._vector(x)
        run = self._last[1] if self._last is not None and np.array_equal(self._last[0], x) else self._run(x)
        return np.concatenate([run[name].reshape(len(run), -1) for name in self._outputs], axis=1)

    def jacobian(self, x: ArrayLike) -> Array:
        """Returns the derivatives of the outputs with respect to x, shape (n, m, k)."""
        x = self._vector(x)
        if self._last is None or not np.array_equal(self._last[0], x):
            self._last = x, self._run(x, sensitivities=self.names)
        run = self._last[1]
        assert run.sensitivities is not None
        parts = [_components(run[name], run.sensitivities[name]) for name in self._outputs]
        return np.concatenate(parts, axis=1)

    def vjp(self, x: ArrayLike, weights: ArrayLike) -> Array:
        """Returns the gradient of the sum of all outputs with these weights (vector-Jacobian product), shape (k,)."""
        weights = np.asarray(weights, dtype=float)
        if not self._adjoint:
            derivatives = self.jacobian(x)
            _check_weights(weights, derivatives.shape[:2])
            return np.asarray(np.einsum("nm,nmk->k", weights, derivatives))
        _check_weights(weights, (np.size(self._settings.get("t_eval", ())), sum(self._sizes)))
        parts = np.split(weights, np.cumsum(self._sizes)[:-1], axis=1)
        x = self._vector(x)
        run = self._run(x, sensitivities=self.names, adjoint=dict(zip(self._outputs, parts, strict=True)))
        assert run.gradient is not None
        return run.gradient.derivatives

    def objective(self, loss: Callable[[Array], tuple[float, ArrayLike]]) -> Callable[[ArrayLike], tuple[float, Array]]:
        """Returns a function of x for ``scipy.optimize.minimize(..., jac=True)``.

        ``loss`` receives the outputs. It returns its value and its derivatives with respect to the outputs, shape (n, m).
        """

        def value_and_gradient(x: ArrayLike) -> tuple[float, Array]:
            if not self._adjoint:
                self.jacobian(x)
            value, weights = loss(self(x))
            return float(value), self.vjp(x, weights)

        return value_and_gradient

    def _vector(self, x: ArrayLike) -> Array:
        values = np.array(x, dtype=float).ravel()
        if len(values) != len(self.names):
            raise ValueError(f"x has {len(values)} components, and the variables have {len(self.names)}: {', '.join(self.names)}")
        return values

    def _place(self, name: str) -> tuple[int, str, int]:
        """Returns the position of a component: parameters, q0 or v0, the path, and the index among its scalars."""
        head, _, rest = name.partition(".")
        group = {"q": 1, "v": 2}.get(head, 0) if rest else 0
        path, indices = (rest if group else name), list[int]()
        while path not in self._base[group] and path.endswith("]"):
            path, _, index = path[:-1].rpartition("[")
            indices.insert(0, int(index))
        if group == 1 and not self._model.members[path].is_vector:
            raise ValueError(f"the initial value `{name}` is not a component of a vector; use run.sensitivities")
        shape = self._model.parameters[path].shape if group == 0 else (len(self._base[group][path]),)
        return group, path, int(np.ravel_multi_index(indices, shape)) if indices else 0

    def _run(self, x: Array, **more: Any) -> Run:
        values = [{path: array.copy() for path, array in group.items()} for group in self._base]
        for value, (group, path, at) in zip(x, self._places, strict=True):
            values[group][path][at] = value
        parameters: Mapping[str, Any] = {
            path: array.reshape(shape) if prod(shape := self._model.parameters[path].shape) == array.size else array
            for path, array in values[0].items()
        }
        return self._model.system(parameters).simulate(q0=values[1], v0=values[2], **self._settings, **more)


def _check_weights(weights: Array, shape: tuple[int, ...]) -> None:
    if weights.shape != shape:
        raise ValueError(f"the weights have the shape {weights.shape}, and the outputs have the shape {shape}")


def _components(values: Array, derivatives: Array) -> Array:
    """Returns the derivatives of all components of the values, shape (n, m, k). Those of a rotation are given in its Lie algebra."""
    if values.shape[1:] == (3, 3):
        nine = np.einsum("nij,djl,ndk->nilk", values, _CROSS, derivatives).reshape(len(values), 9, -1)
        return np.asarray(nine)
    if values.shape[1:] == (4,) and derivatives.shape[1] == 3:
        w, x, y, z = values.T
        half = 0.5 * np.moveaxis(np.array([[-x, -y, -z], [w, -z, y], [z, w, -x], [-y, x, w]]), -1, 0)
        return np.asarray(np.einsum("nid,ndk->nik", half, derivatives))
    if prod(values.shape[1:]) != derivatives.shape[1]:
        raise ValueError("an output must be a vector, a rotation `SO3` or a quaternion `S3`")
    return derivatives
