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
    # Otherwise one of them would be missing.
    (tmp_path / "other").mkdir()
    shutil.copy(tmp_path / "spring.rs", tmp_path / "other")
    with pytest.raises(SystemExit):
        package.main([str(tmp_path / "both"), str(tmp_path / "spring.rs"), str(tmp_path / "other" / "spring.rs")])
    assert "two files have the name `spring`" in capsys.readouterr().err


def test_robots_are_written_as_their_declarations(tmp_path):
    from test_robots import ARM

    package.write(tmp_path / "arms", {"arm": liemech.urdf(ARM, friction="smooth(0.01)")})
    program = "import arms; assert arms.arm.is_compiled; print(arms.arm.simulate(q0={'elbow': 0.4}, t_end=1.0, step=0.01)['elbow'].tolist())"
    output, _ = run_in(tmp_path / "arms", program)
    expected = liemech.urdf(ARM, friction="smooth(0.01)").simulate(q0={"elbow": 0.4}, t_end=1.0, step=0.01)
    np.testing.assert_allclose(eval(output), expected["elbow"], atol=1e-12)
    body = """<mujoco><worldbody><body name="body" pos="0 0 {height}"><freejoint/>
        <inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/></body></worldbody></mujoco>"""
    for height in (0, 2):
        (tmp_path / f"body{height}.xml").write_text(body.format(height=height))
    package.main([str(tmp_path / "bodies"), str(tmp_path / "body0.xml")])
    # The default of `q0` would be another one.
    with pytest.raises(ValueError, match="the reference configuration of the robot `body2`"):
        package.main([str(tmp_path / "lifted"), str(tmp_path / "body2.xml")])
    assert not (tmp_path / "lifted").exists()
