from typing import Any

import numpy as np
from numpy.typing import NDArray

class Model:
    def __new__(cls, text: str, file: str | None = None) -> Model: ...
    @property
    def name(self) -> str: ...
    @property
    def observables(self) -> list[str]: ...
    @property
    def events(self) -> list[str]: ...
    def parameters(self) -> dict[str, tuple[str, tuple[int, ...], str]]: ...
    def members(self) -> dict[str, tuple[str, int]]: ...
    def constraints(self) -> dict[str, int]: ...
    def system(self, parameters: list[tuple[str, NDArray[np.float64]]]) -> System: ...

class System:
    def simulate(
        self,
        q0: list[tuple[str, NDArray[np.float64]]],
        v0: list[tuple[str, NDArray[np.float64]]],
        settings: dict[str, Any],
    ) -> dict[str, Any]: ...
    def equilibrium(self, q0: list[tuple[str, NDArray[np.float64]]], time: float) -> dict[str, Any]: ...
    def variables(self, names: list[str]) -> list[str]: ...
    def periodic_orbit(
        self,
        q0: list[tuple[str, NDArray[np.float64]]],
        v0: list[tuple[str, NDArray[np.float64]]],
        period: tuple[float, bool],
        time: float,
        steps: int,
        tolerance: float,
    ) -> dict[str, Any]: ...
    def linearise(
        self,
        q0: list[tuple[str, NDArray[np.float64]]],
        v0: list[tuple[str, NDArray[np.float64]]],
        time: float,
        outputs: list[str],
        spin: list[tuple[str, NDArray[np.float64]]],
    ) -> dict[str, Any]: ...

class Animation:
    def __new__(
        cls,
        title: str,
        camera: tuple[float, float],
        speed: float | None,
        times: list[float],
        lines: list[tuple[str, list[list[list[float]]]]],
        solids: list[tuple[str, str, list[float], list[list[float]], list[list[float]]]],
        arrows: list[tuple[str, list[list[float]], list[list[float]]]],
    ) -> Animation: ...
    def html(self) -> str: ...
    def save(self, path: str) -> None: ...

def methods() -> list[dict[str, Any]]: ...
