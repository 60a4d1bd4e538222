"""Events: functions of the state, and actions that change the state or the parameters."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from ._run import State


class Event(NamedTuple):
    """An event of a run: a declared event, or the sign changes of a function.

    ``direction`` is 1 for sign changes from negative to positive, −1 for the other direction and 0 for both. ``stop`` ends the run at the
    event. ``function`` is a function of a :class:`State`; a declared event has none. ``action`` receives a :class:`Change`.

    A function in Python is called twice a step, and several times at an event, with the global interpreter lock.
    """

    direction: int = 0
    stop: bool = False
    function: Callable[[State], float] | None = None
    action: Callable[[Change], object] | None = None


class Change:
    """The argument of an action: the state at the event, and methods that change the motion.

    The changes are applied in the order of the calls when the action ends. After them, the velocity must satisfy the active constraints.
    """

    def __init__(self, state: State) -> None:
        self.state = state
        """The state at the event, without the changes."""
        self._changes: list[tuple[str, Mapping[str, Any]]] = []
        self._configuration: dict[str, Any] = {}

    def set(self, parameters: Mapping[str, Any] | None = None, /, **more: Any) -> None:
        """Sets parameters from this event on."""
        self._changes.append(("set", {**(parameters or {}), **more}))

    def set_configuration(self, values: Mapping[str, Any]) -> None:
        """Sets members of the configuration, as in ``q0``."""
        self._configuration = {**(self._configuration or self.state.configuration), **values}
        self._changes.append(("configuration", self._configuration))

    def set_velocity(self, values: Mapping[str, Any]) -> None:
        """Sets members of the velocity, as in ``v0``."""
        self._changes.append(("velocity", values))

    def stop(self) -> None:
        """Ends the run at this event."""
        self._changes.append(("stop", {}))
