"""Studies: results that do not depend on threads, processes and interruptions."""

import functools
import pickle
import subprocess
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import pytest
import spring_study
from spring_study import study

import liemech
from liemech.study import Study, load, main

FILE = Path(spring_study.__file__)
STUDIES = Path(__file__).parents[3] / "examples/python/studies"


def assert_equal(one, other):
    assert list(one) == list(other)
    for name in one:
        np.testing.assert_array_equal(one[name], other[name])


def test_rows_are_runs():
    table = study.run(threads=2)
    for index in (0, 1, 39):
        values = spring_study.sample(7, index)
        expected = values["q.x"] * np.cos(2.0 * np.sqrt(values["stiffness"]))
        assert table["x"][index] == pytest.approx(expected, abs=1e-7)
        assert table["largest"][index] == pytest.approx(values["q.x"], rel=1e-6)
    # A failure is a row.
    assert np.isnan(table["x"][2]) and table["error"][2].startswith("ModelError: ")
    assert np.count_nonzero(table["error"] != "") == 1
    assert_equal(table, study.run(threads=1))


def test_tables_of_samples():
    table = {"stiffness": np.array([1.0, 4.0]), "q.x": [1.0, 0.5]}
    small = Study(spring_study.MODEL, table, ["x", "velocity.x"], {"t_end": 1.0, "rtol": 1e-9, "atol": 1e-11})
    rows = small.run()
    np.testing.assert_allclose(rows["x"], [np.cos(1.0), 0.5 * np.cos(2.0)], atol=1e-7)
    with pytest.raises(ValueError, match="one common length"):
        Study(spring_study.MODEL, {"stiffness": [1.0], "q.x": [1.0, 2.0]}, ["x"], {"t_end": 1.0})
    with pytest.raises(ValueError, match="count"):
        Study(spring_study.MODEL, spring_study.sample, ["x"], {"t_end": 1.0})


@pytest.mark.parametrize("threads", [1, 2])
def test_an_interrupt_ends_a_study(threads):
    calls = []

    def interrupt(run):
        calls.append(run)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        replace(study, measures={"x": interrupt}, count=10_000).run(threads=threads)
    assert len(calls) < 1000


def test_the_hash_identifies_a_study():
    assert pickle.loads(pickle.dumps(study)).hash == study.hash
    changed = [
        replace(study, seed=8),
        replace(study, settings={"t_end": 3.0}),
        replace(study, measures=["x"]),
        replace(study, count=41),
    ]
    assert len({study.hash, *(other.hash for other in changed)}) == 5
    # Equal in another process.
    code = f"import sys; sys.path.insert(0, {str(FILE.parent)!r}); from spring_study import study; print(study.hash)"
    assert subprocess.check_output([sys.executable, "-c", code], text=True).strip() == study.hash


def test_chunks_and_parts_cover_all_samples():
    for ranges in (study.chunks(seconds=1e-9), study.chunks(seconds=60.0), [study.part(i, 7) for i in range(7)]):
        assert [index for start, stop in ranges for index in range(start, stop)] == list(range(40))
    with pytest.raises(ValueError, match="not within"):
        study.part(7, 7)
    with pytest.raises(ValueError, match="not within"):
        study.run(0, 41)


def test_processes_write_the_same_result(tmp_path):
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        futures = [pool.submit(study.write, *study.part(i, 4), tmp_path, threads=1) for i in range(4)]
        paths = [future.result() for future in futures]
    assert_equal(study.collect(tmp_path), study.run())
    # An existing part is not computed again.
    before = [path.stat().st_mtime_ns for path in paths]
    assert study.write(*study.part(0, 4), tmp_path) == paths[0]
    assert [path.stat().st_mtime_ns for path in paths] == before
    paths[1].unlink()
    with pytest.raises(FileNotFoundError, match="samples 10 to 20 of the study"):
        study.collect(tmp_path)
    assert len(study.collect(tmp_path, allow_missing=True)["index"]) == 30


def test_chunks_omit_samples_with_files(tmp_path):
    assert study.chunks(60.0, folder=tmp_path) == [(0, 40)]
    for start, stop in [(3, 9), (7, 20), (30, 40)]:
        study.write(start, stop, tmp_path)
    assert study.chunks(60.0, folder=tmp_path) == [(0, 3), (20, 30)]
    assert study.chunks(60.0, folder=tmp_path, part=(1, 2)) == [(20, 30)]
    assert study.chunks(1e-9, folder=tmp_path, part=(0, 2)) == [(0, 1), (1, 2), (2, 3)]
    for chunk in study.chunks(60.0, folder=tmp_path):
        study.write(*chunk, tmp_path)
    assert study.chunks(60.0, folder=tmp_path) == []
    # Ranges can overlap.
    assert_equal(study.collect(tmp_path), study.run())


def test_a_process_compiles_a_pickled_model_once():
    data = pickle.dumps(study)
    assert pickle.loads(data).model is pickle.loads(data).model


def test_parquet_parts(tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    # A measure with a shape: the last two states.
    shaped = replace(study, measures={"x": "x", "states": spring_study.last_states})
    shaped.write(0, 10, tmp_path, format="parquet")
    path = shaped.write(10, 40, tmp_path, format="parquet")
    assert_equal(shaped.collect(tmp_path), shaped.run())
    table = parquet.read_table(path)
    assert table.column_names == ["index", "x", "states", "error"] and len(table) == 30
    with pytest.raises(ValueError):
        shaped.write(0, 1, tmp_path, format="csv")


def test_a_killed_task_leaves_no_part(tmp_path):
    command = [sys.executable, "-m", "liemech.study", "run", FILE, "--part", "0/1", "--threads", "1", "--folder", tmp_path]
    # The study of the file takes longer than the time until the signal.
    slow = tmp_path / "slow_study.py"
    text = FILE.read_text().replace("count=40", "count=100_000_000")
    slow.write_text(text)
    task = subprocess.Popen([slow if part is FILE else part for part in command])
    time.sleep(1.0)
    assert task.poll() is None
    task.kill()
    task.wait()
    assert list(tmp_path.glob("*.npz")) == []
    subprocess.check_call(command, stdout=subprocess.DEVNULL)
    assert_equal(study.collect(tmp_path), study.run())


def test_the_command_line(tmp_path, capsys):
    loaded = load(FILE)
    assert loaded.hash == study.hash
    for i in range(3):
        main(["run", str(FILE), "--part", f"{i}/3", "--folder", str(tmp_path)])
    main(["collect", str(FILE), "--folder", str(tmp_path), "--out", str(tmp_path / "all.csv")])
    lines = (tmp_path / "all.csv").read_text().splitlines()
    assert lines[0] == "index,x,largest,error" and len(lines) == 41
    assert float(lines[1].split(",")[1]) == study.run(0, 1)["x"][0]
    assert str(tmp_path / "all.csv") in capsys.readouterr().out
    with pytest.raises(ImportError, match="no variable `study`"):
        load(Path(liemech.__file__).parent / "_errors.py")


def test_the_hash_contains_lengths_and_arguments_of_functions():
    text = "#[configuration] pub struct Q { pub x: Vec<f64> } #[kinetic_energy(over = x)] fn k(v: &f64) -> f64 { 0.5 * v * v }"
    chains = [liemech.model(text, lengths={"x": length}) for length in (2, 3)]
    robot = STUDIES.parents[1] / "two_link_arm.urdf"
    robots = [liemech.urdf(robot, friction=f"smooth({speed})") for speed in (0.01, 0.02)]

    def measure(scale):
        return lambda run: scale * run.t[-1]

    def hashes(models, measures):
        table = {"q.x": [0.0, 1.0]}
        return {Study(model, table, {"a": measure}, {"t_end": 1.0}).hash for model in models for measure in measures}

    assert len(hashes(chains, ["t"])) == len(hashes(robots, ["t"])) == 2
    assert len(hashes(chains[:1], [measure(1.0), measure(2.0), measure(2.0)])) == 2
    partials = [functools.partial(spring_study.largest, factor=factor) for factor in (1.0, 2.0, 2.0)]
    assert len(hashes(chains[:1], partials)) == 2


def test_errors_of_studies(tmp_path):
    def small(measure, samples=(1.0, 4.0)):
        return Study(spring_study.MODEL, {"stiffness": samples}, measure, {"q0": {"x": 1.0}, "t_end": 1.0})

    with pytest.raises(TypeError, match="the measure 'a' is a number"):
        small({"a": lambda run: None}).run()
    with pytest.raises(ValueError, match="arrays of one shape"):
        small({"a": lambda run: run["x"]}).run()
    with pytest.raises(ValueError, match="`error` is a column of every study"):
        small({"error": "x"})
    with pytest.raises(ValueError, match="the format 'csv' is unknown"):
        small(["x"]).write(0, 2, tmp_path, format="csv")
    with pytest.raises(ValueError, match="seconds=0"):
        small(["x"]).chunks(seconds=0.0)
    path = small(["x"]).write(0, 2, tmp_path)
    for content in (b"", b"damaged", path.read_bytes()[:50]):
        path.write_bytes(content)
        with pytest.raises(ValueError, match="is damaged; delete it"):
            small(["x"]).collect(tmp_path)


def test_a_study_does_not_follow_arrays_of_the_caller():
    stiffness, times = np.array([1.0, 4.0]), np.array([0.5, 1.0])
    small = Study(spring_study.MODEL, {"stiffness": stiffness}, ["x"], {"q0": {"x": 1.0}, "t_end": 1.0, "t_eval": times})
    expected = small.run()
    stiffness[:], times[:] = 9.0, [0.1, 0.2]
    assert_equal(small.run(), expected)
    assert replace(small).hash == small.hash
