"""A study of 1000 pendulums with random lengths and initial angles, on all cores.

The file is also the file of a job array:

    python -m liemech.study run examples/python/study_of_pendulums.py --part 0/4 --folder parts
"""

import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

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

if __name__ == "__main__":
    # Workers import this file under its name.
    sys.path.insert(0, str(__file__).rpartition("/")[0])
    from study_of_pendulums import study

    with tempfile.TemporaryDirectory() as folder, ProcessPoolExecutor(mp_context=get_context("spawn")) as pool:
        tasks = [pool.submit(study.write, start, stop, folder, threads=1) for start, stop in study.chunks(seconds=0.2)]
        for task in tasks:
            task.result()
        rows = study.collect(folder)
    print(len(tasks), "parts,", len(rows["index"]), "runs,", np.count_nonzero(rows["error"] != ""), "failures")
    print("mean of the largest speed:", rows["speed"].mean(), "rad/s")
