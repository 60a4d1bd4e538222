"""A study of oscillators: the file of the tests of the command line, and the module of the workers."""

import numpy as np

import liemech
from liemech.study import Study

MODEL = liemech.model("""
    #[configuration] pub struct Position { pub x: f64 }
    #[parameters] pub struct Spring { pub stiffness: f64 }
    #[kinetic_energy] fn kinetic(v: &Velocity) -> f64 { 0.5 * v.x * v.x }
    #[potential] fn spring(p: &Spring, q: &Position) -> f64 { 0.5 * p.stiffness * q.x * q.x }
""")


def sample(seed: int, index: int) -> dict[str, float]:
    random = np.random.default_rng([seed, index])
    # The stiffness is not finite in the third sample, which fails.
    return {"stiffness": float("nan") if index == 2 else random.uniform(1.0, 4.0), "q.x": random.uniform(0.5, 1.0)}


def largest(run: liemech.Run) -> float:
    return float(np.abs(run["x"]).max())


def last_states(run: liemech.Run) -> np.ndarray:
    return np.stack([run["x"], run["velocity.x"]], axis=1)[-2:]


study = Study(
    MODEL,
    sample,
    measures={"x": "x", "largest": largest},
    settings={"t_end": 2.0, "rtol": 1e-9, "atol": 1e-11},
    count=40,
    seed=7,
)
