"""Models in machine code: the results of the interpreter."""

import pickle
import shutil
import subprocess
import sys

import numpy as np
import pytest
from test_robots import ARM, ROPE
from test_values import GROUPS, PARAMETERS

import liemech

pytestmark = pytest.mark.skipif(not any(map(shutil.which, ("cc", "gcc", "clang"))), reason="no C compiler is installed")

# All operations: comparisons, integer and real powers, functions of the C library.
OPERATIONS = """
    #[configuration] pub struct Position { pub x: f64, pub y: f64 }
    #[parameters] pub struct Data { pub stiffness: f64, pub exponent: f64, pub is_stiff: bool }
    #[kinetic_energy] fn kinetic(q: &Position, v: &Velocity) -> f64 {
        0.5 * (1.5 + q.x.sin()) * v.x * v.x + 0.5 * (1.0 + q.y.powi(4)) * v.y * v.y
    }
    #[potential] fn springs(p: &Data, q: &Position) -> f64 {
        let soft = p.stiffness * (q.x - q.y).powi(2);
        let stiff = if p.is_stiff { (1.0 + q.x * q.x).powf(p.exponent) } else { q.x.abs().sqrt() };
        soft + stiff + (1.0 + q.x * q.x).ln() + q.y.exp().atan2(2.0 + q.x) + (0.1 * q.y).tanh() + 1.0 / (2.0 + q.y * q.y).powi(3)
    }
    #[force(on = x)] fn drive(t: f64, v: &Velocity) -> f64 { if v.x > 0.0 && t < 0.7 || v.x < -1.0 { -v.x.cbrt() } else { t.cos() } }
    #[observable] fn tangent(q: &Position) -> f64 { (0.3 * q.x).tan() + q.y.asin().floor() }
"""


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "liemech"


def assert_equal(one: liemech.Run, other: liemech.Run, atol: float) -> None:
    assert one.names == other.names and len(one) == len(other)
    for name in one.names:
        np.testing.assert_allclose(one[name], other[name], rtol=0.0, atol=atol, err_msg=name)


def test_results_of_all_operations():
    model = liemech.model(OPERATIONS)
    compiled = liemech.compile(model)
    assert compiled.is_compiled and not model.is_compiled and compiled == model
    for is_stiff in (True, False):
        settings = {
            "parameters": {"stiffness": 2.0, "exponent": 1.3, "is_stiff": is_stiff},
            "q0": {"x": 0.9, "y": 0.2},
            "v0": {"x": 1.0},
            "t_end": 1.0,
            "step": 0.01,
        }
        assert_equal(model.simulate(**settings), compiled.simulate(**settings), atol=1e-13)
        # An implicit method uses the tangent matrices.
        implicit = settings | {"method": "tr_bdf2"}
        assert_equal(model.simulate(**implicit), compiled.simulate(**implicit), atol=1e-9)


def test_results_with_constraints(top, heavy_top, start):
    compiled = liemech.compile(top).system(heavy_top.parameters)
    settings = {**start, "t_end": 0.2, "step": 1e-3, "events": ["level"]}
    assert_equal(heavy_top.simulate(**settings), compiled.simulate(**settings), atol=1e-9)
    adaptive = {**start, "t_end": 0.2, "rtol": 1e-8, "atol": 1e-10}
    assert_equal(heavy_top.simulate(**adaptive), compiled.simulate(**adaptive), atol=1e-9)
    # Sensitivities use the interpreter.
    derivatives = [system.simulate(**settings, sensitivities=["mass"]).sensitivities for system in (heavy_top, compiled)]
    np.testing.assert_array_equal(derivatives[0]["position"], derivatives[1]["position"])


def test_a_library_is_compiled_once(top, cache, monkeypatch):
    liemech.compile(top)
    (library,) = cache.glob("*.so")
    before = library.stat().st_mtime_ns
    again = pickle.loads(pickle.dumps(liemech.compile(top)))
    assert again.is_compiled and again == top
    assert [path.stat().st_mtime_ns for path in cache.glob("*")] == [before]


def test_errors_of_compilers(top, tmp_path, monkeypatch):
    with pytest.raises(liemech.CompilerError, match="`no-such-compiler` cannot be started"):
        liemech.compile(top, compiler="no-such-compiler")
    with pytest.raises(liemech.CompilerError, match="failed:\n.*no-such-option"):
        liemech.compile(top, compiler=[shutil.which("cc") or "gcc", "--no-such-option"], folder=tmp_path / "empty")
    assert not list((tmp_path / "empty").glob("*"))
    file = tmp_path / "file"
    file.touch()
    with pytest.raises(liemech.CompilerError, match="set `folder` to another folder: .*file"):
        liemech.compile(top, folder=file)
    monkeypatch.delenv("CC", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(liemech.CompilerError, match="no C compiler was found; install gcc or clang"):
        liemech.compile(top)


def test_other_libraries_are_not_loaded(top, spring, cache):
    liemech.compile(spring)
    (other,) = cache.glob("*.so")
    liemech.compile(top)
    (path,) = set(cache.glob("*.so")) - {other}
    # Copied beside and renamed: a file that is loaded must not be written.
    for content, message in ((other.read_bytes(), "the library belongs to another model"), (b"", "file too short|invalid")):
        part = cache / "part"
        part.write_bytes(content)
        part.replace(path)
        with pytest.raises(liemech.CompilerError, match=message):
            liemech.compile(top)


def test_processes_share_a_folder(top, heavy_top, start, cache):
    """Eight processes compile the same model at the same time."""
    program = (
        "import sys, pickle, liemech; top, parameters, start = pickle.load(sys.stdin.buffer);"
        "run = liemech.compile(top).simulate(parameters=parameters, **start, t_end=0.01, step=1e-3);"
        "print(repr(run['position'].tolist()))"
    )
    task = pickle.dumps((top, heavy_top.parameters, start))
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    processes = [subprocess.Popen([sys.executable, "-c", program], **pipes) for _ in range(8)]
    for process in processes:
        process.stdin.write(task)
        process.stdin.close()
    texts = {process.stdout.read() for process in processes}
    assert [process.wait() for process in processes] == [0] * 8 and len(texts) == 1
    assert [path.suffix for path in cache.glob("*")] == [".so"]


def test_all_groups():
    model = liemech.model(GROUPS)
    compiled = liemech.compile(model)
    settings = {"parameters": PARAMETERS, "t_end": 0.1, "step": 0.01}
    assert_equal(model.simulate(**settings), compiled.simulate(**settings), atol=1e-12)


def test_robots_and_lists():
    rope = liemech.model(ROPE, lengths={"nodes": 3, "masses": 3})
    motion = {"parameters": {"masses": [1.0, 2.0, 3.0], "stiffness": 3.0}, "v0": {"nodes[2]": [1.0, 2.0, 3.0]}}
    for model, settings in ((liemech.urdf(ARM), {"q0": {"elbow": 0.4}}), (rope, motion)):
        compiled = pickle.loads(pickle.dumps(liemech.compile(model)))
        assert compiled.is_compiled and compiled.keyframes.keys() == model.keyframes.keys()
        settings |= {"t_end": 0.5, "step": 0.01}
        assert_equal(model.simulate(**settings), compiled.simulate(**settings), atol=1e-12)
