"""Robots from files, and declarations with lists."""

import pickle
from pathlib import Path

import liemech
import numpy as np
import pytest

ROOT = Path(__file__).parents[3]
ARM = ROOT / "examples/two_link_arm.urdf"

ROPE = """
#[configuration] pub struct Rope { pub nodes: Vec<R3> }
#[parameters] pub struct Data { pub masses: Vec<f64>, pub stiffness: f64 }
#[kinetic_energy(over = nodes)]
fn kinetic(p: &Data, index: usize, v: &Vector3<f64>) -> f64 { 0.5 * p.masses[index] * v.norm_squared() }
#[potential(over = nodes.windows(2))]
fn spring(p: &Data, [a, b]: [&R3; 2]) -> f64 { 0.5 * p.stiffness * (b - a).norm_squared() }
"""

CART = """
<mujoco>
  <worldbody>
    <body name="cart">
      <joint name="slide" type="slide" axis="1 0 0"/>
      <inertial pos="0 0 0" mass="2" diaginertia="1 1 1"/>
    </body>
  </worldbody>
  <keyframe><key name="right" qpos="0.5"/></keyframe>
</mujoco>
"""


def test_an_arm_has_the_state_matrix_of_two_rods():
    """Two rods that hang, with relative angles: M and K of the textbook, damping 0.4 in each joint."""
    arm = liemech.urdf(ARM)
    assert list(arm.members) == ["shoulder", "elbow"]
    assert set(arm.keyframes["reference"]) == {"shoulder", "elbow"}
    upper, lower, length = 0.25, 0.2, 0.5
    of_upper, of_lower = 0.0208333 + upper**2, 0.0133333 + lower**2
    coupling = of_lower + lower * length
    mass = np.array([[of_upper + of_lower + length**2 + 2 * lower * length, coupling], [coupling, of_lower]])
    stiffness = 9.81 * np.array([[upper + length + lower, lower], [lower, lower]])
    matrix = np.block(
        [[np.zeros((2, 2)), np.eye(2)], [-np.linalg.solve(mass, stiffness), -np.linalg.solve(mass, 0.4 * np.eye(2))]]
    )
    linear = arm.system().linearise(q0=arm.keyframes["reference"])
    expected = np.sort_complex(np.linalg.eigvals(matrix))
    assert np.allclose(np.sort_complex(np.linalg.eigvals(linear.state_matrix)), expected, atol=1e-9)
    run = arm.simulate(q0={"elbow": 0.4}, t_end=0.5)
    assert run.energy[-1] < run.energy[0]


def test_robots_are_pickled_and_have_errors():
    arm = liemech.urdf(ARM)
    assert pickle.loads(pickle.dumps(arm)) == arm
    with pytest.raises(ValueError, match="frictoin"):
        liemech.urdf(ARM, frictoin="dry")
    with pytest.raises(FileNotFoundError):
        liemech.urdf("missing.urdf")


def test_keyframes_are_initial_values(tmp_path):
    path = tmp_path / "cart.xml"
    path.write_text(CART)
    cart = liemech.mjcf(path)
    run = cart.simulate(q0=cart.keyframes["right"], v0={"slide": 2.0}, t_end=1.0)
    assert abs(run["slide"][-1] - 2.5) < 1e-9
    wrong = tmp_path / "wrong.xml"
    wrong.write_text(CART.replace("slide", "slid"))
    with pytest.raises(liemech.DeclarationError):
        liemech.mjcf(wrong)


def test_lists_have_lengths():
    """A pair of masses on a spring oscillates with the frequency of its reduced mass."""
    rope = liemech.model(ROPE, lengths={"nodes": 2, "masses": 2})
    assert pickle.loads(pickle.dumps(rope)) == rope
    mass, stiffness = (1.0, 3.0), 12.0
    run = rope.simulate(
        parameters={"masses": list(mass), "stiffness": stiffness},
        q0={"nodes": [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]]},
        t_end=1.0,
        rtol=1e-10,
        atol=1e-12,
    )
    rate = np.sqrt(stiffness * (1 / mass[0] + 1 / mass[1]))
    stretch = run["nodes[1]"][:, 0] - run["nodes[0]"][:, 0]
    assert np.allclose(stretch, np.cos(rate * run.t), atol=1e-8)
    with pytest.raises(liemech.DeclarationError, match="nodes"):
        liemech.model(ROPE)
