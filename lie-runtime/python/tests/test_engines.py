"""The examples of studies on engines: a worker is killed by its process id, and the result is the result of one process."""

import os
import shutil
import signal
import subprocess
import sys
import time
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from liemech.study import load

STUDIES = Path(__file__).parents[3] / "examples/python/studies"
BIN = Path(sys.executable).parent

# The sample in the middle of a part waits until its process is killed, and only once.
WAIT = '''    if index == 140:
        import pathlib, os, time
        file = pathlib.Path(__file__).with_name("process")
        if not file.exists():
            file.with_name("process.new").write_text(str(os.getpid()))
            os.replace(file.with_name("process.new"), file)
            time.sleep(600.0)
'''

ENGINES = {
    "multiprocessing": [],
    "joblib": ["joblib"],
    "ray": ["ray"],
    "dask": ["distributed"],
    "mpi4py": ["mpi4py", "mpich"],
}


# The packages of the tests are not optimised: smaller studies, parts and runs.
SMALL = {"count=1000": "count=200", '"t_end": 10.0': '"t_end": 1.0', "seconds=0.2": "seconds=0.002"}


def copied(folder, changes):
    """Copies the examples with changes of their texts."""
    found = set()
    for source in STUDIES.iterdir():
        text = source.read_text(encoding="utf-8")
        for old, new in changes.items():
            found |= {old} if old in text else set()
            text = text.replace(old, new)
        (folder / source.name).write_text(text, encoding="utf-8")
    assert found == set(changes)
    return folder


@pytest.fixture(scope="module")
def expected(tmp_path_factory):
    return load(copied(tmp_path_factory.mktemp("expected"), SMALL) / "pendulums.py").run(threads=1)


@pytest.fixture
def folder(tmp_path):
    """A copy of the examples whose study waits in the middle."""
    head = "def sample(seed: int, index: int) -> dict[str, float]:\n"
    return copied(tmp_path, SMALL | {head: head + WAIT})


def kill_the_worker(folder, program):
    """Kills the process that runs sample 140, which is neither the test nor the program, and returns its id."""
    file, end = folder / "process", time.monotonic() + 120.0
    while not file.exists():
        assert program.poll() is None and time.monotonic() < end
        time.sleep(0.02)
    process = int(file.read_text())
    assert process != os.getpid()
    os.kill(process, signal.SIGKILL)
    return process


def assert_complete(folder, expected):
    rows = load(folder / "pendulums.py").collect(folder / "parts")
    assert list(rows) == list(expected)
    for name in rows:
        np.testing.assert_array_equal(rows[name], expected[name])


@pytest.mark.parametrize("engine", ENGINES)
def test_a_killed_worker_does_not_change_the_result(engine, folder, expected):
    for package in ENGINES[engine]:
        # The wheel of MPICH contains programs instead of a module.
        if find_spec(package) is None and not (package == "mpich" and (BIN / "mpiexec").exists()):
            pytest.skip(f"{package} is not installed")
    command = [sys.executable, f"with_{engine}.py"]
    if engine == "mpi4py":
        command = [BIN / "mpiexec", "-n", "3", *command]
    program = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True)
    assert kill_the_worker(folder, program) != program.pid
    output, _ = program.communicate(timeout=180)
    if engine == "mpi4py":
        # The job ends with its process, and the user starts it again.
        assert program.returncode != 0
        kept = {path: path.stat().st_mtime_ns for path in folder.glob("parts/*.npz")}
        output = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, text=True, timeout=180).stdout
        assert kept and all(path.stat().st_mtime_ns == time for path, time in kept.items())
    assert f"200 runs, 0 failures\nmean of the largest speed: {expected['speed'].mean()} rad/s" in output
    assert_complete(folder, expected)


@pytest.mark.skipif(not shutil.which("bash"), reason="bash is not installed")
def test_a_killed_task_of_a_job_array_continues(folder, expected):
    def task(number):
        """Starts a task as Slurm does."""
        slurm = {"SLURM_ARRAY_TASK_ID": number, "SLURM_ARRAY_TASK_COUNT": 4, "SLURM_CPUS_PER_TASK": 1}
        path = f"{BIN}{os.pathsep}{os.environ['PATH']}"
        environment = os.environ | {name: str(value) for name, value in slurm.items()} | {"PATH": path}
        return subprocess.Popen(["bash", "slurm_array.sh"], cwd=folder, env=environment, stdout=subprocess.DEVNULL)

    # Sample 140 is in part 2. The other parts are complete before.
    for number in (0, 1, 3):
        assert task(number).wait(timeout=120) == 0
    killed = task(2)
    assert kill_the_worker(folder, killed) == killed.pid
    assert killed.wait(timeout=60) == -signal.SIGKILL
    with pytest.raises(FileNotFoundError, match="samples 100 to 150 of the study"):
        load(folder / "pendulums.py").collect(folder / "parts")
    assert task(2).wait(timeout=120) == 0
    assert_complete(folder, expected)
