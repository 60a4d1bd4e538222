"""Models of several tests."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import liemech

HERE = Path(__file__).parent
SPIN = np.array([0.0, 150.0, -4.61538])
CENTER = np.array([0.0, 1.0, 0.0])


@pytest.fixture(scope="session")
def top() -> liemech.Model:
    return liemech.load(HERE / "heavy_top.rs")


@pytest.fixture(scope="session")
def heavy_top(top: liemech.Model) -> liemech.System:
    return top.system(
        mass=15.0,
        inertia=np.diag([0.234375, 0.46875, 0.234375]),
        center_of_mass=CENTER,
        gravity=[0.0, 0.0, -9.81],
    )


@pytest.fixture(scope="session")
def start() -> dict[str, Any]:
    """The initial values of the reference."""
    return {"q0": {"position": CENTER}, "v0": {"attitude": SPIN, "position": np.cross(SPIN, CENTER)}}


@pytest.fixture(scope="session")
def spring() -> liemech.Model:
    return liemech.model("""
        #[configuration] pub struct Position { pub x: f64 }
        #[parameters] pub struct Spring { pub stiffness: f64 }
        #[kinetic_energy] fn kinetic(v: &Velocity) -> f64 { 0.5 * v.x * v.x }
        #[potential] fn spring(p: &Spring, q: &Position) -> f64 { 0.5 * p.stiffness * q.x * q.x }
        #[event] fn center(q: &Position) -> f64 { q.x }
        #[observable] fn force(p: &Spring, q: &Position) -> f64 { -p.stiffness * q.x }
    """)
