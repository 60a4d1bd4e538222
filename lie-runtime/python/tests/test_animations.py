"""Animations, and rotations of SciPy."""

import json
import re

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import liemech


def film(animation):
    """Returns the data of the page."""
    return json.loads(re.search(r'<script id="film" type="application/json">(.*?)</script>', animation.html, re.S)[1])


@pytest.fixture(scope="module")
def run(heavy_top, start):
    return heavy_top.simulate(**start, t_end=0.5, t_eval=np.linspace(0.0, 0.5, 1001))


def test_the_default_shows_the_pose_of_a_body(run, tmp_path):
    animation = run.animate(title="Heavy top")
    data = film(animation)
    assert len(data["times"]) == 300 and data["times"][-1] == 0.5
    assert [solid["label"] for solid in data["solids"]] == ["attitude"] and len(data["lines"]) == 1
    for frame in (0, 150, 299):
        x, y, z, *q = data["solids"][0]["poses"][frame]
        at = np.argmin(np.abs(run.t - data["times"][frame]))
        np.testing.assert_allclose([x, y, z], run["position"][at], atol=1e-4)
        np.testing.assert_allclose(Rotation.from_quat(q).as_matrix(), run["attitude"][at], atol=1e-4)
    assert animation._repr_html_().startswith("<iframe") and "&lt;canvas" in animation._repr_html_()
    for suffix in ("html", "svg", "glb"):
        animation.save(tmp_path / f"top.{suffix}")
        assert (tmp_path / f"top.{suffix}").stat().st_size > 1000


def test_lines_solids_and_arrows(run):
    data = film(
        run.animate(
            lines={"axis": [[0.0, 0.0, 0.0], "position"]},
            solids={"disc": (("cylinder", 0.5, 0.1), "attitude", "position"), "floor": (("plane", 2.0, 2.0), None, [0.0, 0.0, -1.0])},
            arrows={"force": ("position", "multipliers.pivot", 1e-3)},
            speed=0.1,
        )
    )
    assert data["speed"] == 0.1
    np.testing.assert_allclose(data["lines"][0]["points"][0], [[0.0, 0.0, 0.0], run["position"][0]])
    np.testing.assert_allclose(data["arrows"][0]["vectors"][0], 1e-3 * run["multipliers.pivot"][0], atol=1e-4)
    assert data["solids"][1]["poses"][7] == [0, 0, -1, 0, 0, 0, 1]


def test_errors_of_animations(run, spring, tmp_path):
    with pytest.raises(liemech.FigureError):
        spring.simulate(parameters={"stiffness": 1.0}, q0={"x": 1.0}, t_end=1.0).animate()
    with pytest.raises(ValueError, match="two or three coordinates"):
        run.animate(lines={"line": "attitude[0][0]"})
    with pytest.raises(ValueError, match="an attitude is"):
        run.animate(solids={"ball": (("ball", 1.0), "velocity.position", "position")})
    with pytest.raises(ValueError, match="unknown"):
        run.animate(solids={"ball": (("ball", 1.0, 2.0), None, "position")})
    with pytest.raises(ValueError, match="sizes of the shape `ball` must be positive"):
        run.animate(solids={"ball": (("ball", -1.0), None, "position")})
    with pytest.raises(ValueError, match="the speed of an animation must be positive"):
        run.animate(speed=0.0)
    with pytest.raises(liemech.FigureError, match="extension|html"):
        run.animate().save(tmp_path / "top.txt")


def test_rotations_of_scipy(run, heavy_top, start):
    rotations = run.rotation("attitude")
    np.testing.assert_allclose(rotations.as_matrix(), run["attitude"], atol=1e-9)
    last = run.state().rotation("attitude")
    np.testing.assert_allclose(last.as_matrix(), run["attitude"][-1], atol=1e-9)
    with pytest.raises(liemech.ColumnError, match="not a rotation"):
        run.rotation("position")
    # Of a unit quaternion.
    body = liemech.model("""
        #[configuration] pub struct Pose { pub attitude: S3 }
        #[kinetic_energy] fn kinetic(v: &Velocity) -> f64 { 0.5 * v.attitude.norm_squared() }
    """)
    begin = Rotation.from_rotvec([0.1, -0.4, 0.7])
    spun = body.simulate(q0={"attitude": begin}, v0={"attitude": [0.0, 0.0, 2.0]}, t_end=1.0, rtol=1e-10, atol=1e-12)
    expected = begin * Rotation.from_rotvec([0.0, 0.0, 2.0])
    assert (expected.inv() * spun.rotation("attitude")[-1]).magnitude() < 1e-8
