"""The processor time of one run and of one task of a study, without and with the engines that are installed (Linux)."""

import os
import pickle
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from importlib.util import find_spec
from multiprocessing import get_context
from pathlib import Path

from pendulums import study

TASKS = 2000


def seconds_of_all() -> float:
    """Returns the processor time of this process and of all its descendants."""
    times, parents = {}, {}
    for file in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = file.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        process = int(file.parent.name)
        parents[process] = int(fields[1])
        times[process] = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    own = {os.getpid()}
    while new := {process for process, parent in parents.items() if parent in own} - own:
        own |= new
    return sum(times[process] for process in own)


def measure(name: str, write_all) -> None:
    """Prints the processor times of a task without samples. Calls before the measurement start the workers."""
    with tempfile.TemporaryDirectory() as folder:
        write_all([(0, 0, f"{folder}/{at}") for at in range(50)])
        own, of_all = time.process_time(), seconds_of_all()
        write_all([(at, at, folder) for at in range(study.count)])
        own, of_all = time.process_time() - own, seconds_of_all() - of_all
    print(f"{name:16} {own / study.count * 1e6:8.0f} {of_all / study.count * 1e6:8.0f}")


if __name__ == "__main__":
    print("microseconds      program      all")
    begin = time.process_time()
    study.run(0, 500, threads=1)
    print(f"{'one run':16} {(time.process_time() - begin) / 500 * 1e6:8.0f}")
    begin = time.process_time()
    for _ in range(500):
        pickle.loads(pickle.dumps(study))
    print(f"{'pickle':16} {(time.process_time() - begin) / 500 * 1e6:8.0f}")
    measure("no engine", lambda tasks: [study.write(*task) for task in tasks])
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        measure("multiprocessing", lambda tasks: list(pool.map(study.write, *zip(*tasks, strict=True))))
    if find_spec("joblib"):
        from joblib import Parallel, delayed

        with Parallel(n_jobs=2) as parallel:
            measure("joblib", lambda tasks: parallel(delayed(study.write)(*task) for task in tasks))
    if find_spec("distributed"):
        from distributed import Client, LocalCluster

        with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as client:
            measure("dask", lambda tasks: client.gather([client.submit(study.write, *task) for task in tasks]))
    if find_spec("ray"):
        import ray

        ray.init(num_cpus=2, include_dashboard=False, logging_level="warning")
        shared, write = ray.put(study), ray.remote(lambda study, *task: str(study.write(*task)))
        measure("ray", lambda tasks: ray.get([write.remote(shared, *task) for task in tasks]))
