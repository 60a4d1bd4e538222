"""A study of 1000 pendulums with random lengths and initial angles. The programs of this folder run it on several engines."""

import numpy as np

import liemech
from liemech.study import Study

pendulum = liemech.model("""
    #[configuration] pub struct Angle { pub arm: SO2 }
    #[parameters] pub struct Pendulum { pub length: f64 }
    #[kinetic_energy] fn kinetic(p: &Pendulum, v: &Velocity) -> f64 { 0.5 * (p.length * v.arm).powi(2) }
    #[potential] fn weight(p: &Pendulum, q: &Angle) -> f64 { -9.81 * p.length * (q.arm * Vector2::x()).x }
""")


def sample(seed: int, index: int) -> dict[str, float]:
    random = np.random.default_rng([seed, index])
    return {"length": random.uniform(0.5, 2.0), "q.arm": random.uniform(0.1, 3.0)}


def speed(run: liemech.Run) -> float:
    return float(np.abs(run["velocity.arm"]).max())


study = Study(pendulum, sample, {"arm": "arm", "speed": speed}, {"t_end": 10.0, "rtol": 1e-8}, count=1000, seed=1)


def report(folder: str) -> None:
    """Prints the result of all parts."""
    rows = study.collect(folder)
    print(len(rows["index"]), "runs,", np.count_nonzero(rows["error"] != ""), "failures")
    print("mean of the largest speed:", rows["speed"].mean(), "rad/s")


if __name__ == "__main__":
    # Without an engine: threads of this process.
    rows = study.run()
    print("mean of the largest speed:", rows["speed"].mean(), "rad/s")
