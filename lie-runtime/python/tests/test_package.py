"""Packages of compiled models."""

import os
import pickle
import shutil
import subprocess
import sys

import numpy as np
import pytest

import liemech
from liemech import package

pytestmark = pytest.mark.skipif(not any(map(shutil.which, ("cc", "gcc", "clang"))), reason="no C compiler is installed")

ROPE = """
    #[configuration] pub struct Rope { pub nodes: Vec<f64> }
    #[kinetic_energy(over = nodes)] fn kinetic(v: &f64) -> f64 { 0.5 * v * v }
    #[potential(over = nodes)] fn support(x: &f64) -> f64 { 1.0 - x.cos() }
"""


def run_in(folder, program, **environment):
    """Runs a program that imports the packages of a folder."""
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONPATH": str(folder), **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout, done.stderr


def test_an_installed_package_needs_no_compiler(tmp_path, top, heavy_top, start):
    pytest.importorskip("setuptools", minversion="77")
    rope = liemech.model(ROPE, lengths={"nodes": 3})
    package.write(tmp_path / "my_models", {"heavy_top": top, "rope": rope})
    site = tmp_path / "site"
    subprocess.run(
        [sys.executable, "-m", "pip", "install", "--quiet", "--no-build-isolation", "--no-deps", "--target", site, tmp_path / "my_models"],
        check=True,
    )
    shutil.rmtree(tmp_path / "my_models")
    settings = {**start, "t_end": 0.1, "step": 1e-3}
    program = (
        "import pickle; from my_models import heavy_top, rope;"
        "assert heavy_top.is_compiled and rope.is_compiled and pickle.loads(pickle.dumps(heavy_top)).is_compiled;"
        f"task = pickle.load(open({str(tmp_path / 'task')!r}, 'rb'));"
        "run = heavy_top.simulate(**task);"
        "print(run.names, run['position'].tolist())"
    )
    (tmp_path / "task").write_bytes(pickle.dumps({"parameters": heavy_top.parameters, **settings}))
    output, errors = run_in(site, program, PATH="", XDG_CACHE_HOME=str(tmp_path / "cache"))
    assert not errors and not (tmp_path / "cache").exists()
    expected = liemech.compile(top, folder=tmp_path).simulate(parameters=heavy_top.parameters, **settings)
    assert output == f"{expected.names} {expected['position'].tolist()}\n"


def test_a_changed_declaration_is_interpreted_with_a_warning(tmp_path, spring):
    package.write(tmp_path / "springs", {"spring": spring})
    source = tmp_path / "springs" / "springs" / "spring.rs"
    assert package.load(source).is_compiled
    source.write_text(source.read_text().replace("0.5 * p.stiffness * q.x * q.x", "0.5 * p.stiffness * q.x.powi(4)"))
    with pytest.warns(liemech.RunWarning, match="is interpreted, .* write the package again .*: .*another model"):
        changed = package.load(source)
    assert not changed.is_compiled
    run = changed.simulate(parameters={"stiffness": 2.0}, q0={"x": 1.0}, t_end=1.0, rtol=1e-10)
    np.testing.assert_allclose(run.energy, 1.0, rtol=1e-8)


def test_the_command_and_its_errors(tmp_path, top, capsys):
    (tmp_path / "spring.rs").write_text("#[mechanical_system] mod spring { #[configuration] pub struct Q { pub x: f64 }"
        " #[kinetic_energy] fn kinetic(v: &Velocity) -> f64 { 0.5 * v.x * v.x } }")
    package.main([str(tmp_path / "springs"), str(tmp_path / "spring.rs")])
    assert capsys.readouterr().out == f"pip install {tmp_path / 'springs'}\n"
    output, _ = run_in(tmp_path / "springs", "import springs; print(springs.spring)")
    assert "spring" in output
    with pytest.raises(ValueError, match="`my-models` is not an identifier"):
        package.write(tmp_path / "my-models", {"top": top})
    from test_robots import ARM

    with pytest.raises(ValueError, match="`arm` is read from a robot file"):
        package.write(tmp_path / "arms", {"arm": liemech.urdf(ARM)})
    assert not (tmp_path / "arms").exists()
