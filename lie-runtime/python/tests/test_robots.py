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

ACTUATED = """
<mujoco>
  <worldbody>
    <body name="upper">
      <joint name="shoulder" axis="0 1 0" damping="0.2"/>
      <inertial pos="0 0 -0.3" mass="1.5" diaginertia="0.05 0.05 0.01"/>
      <body name="lower" pos="0 0 -0.6">
        <joint name="elbow" axis="0 1 0" armature="0.01"/>
        <inertial pos="0 0 -0.2" mass="0.8" diaginertia="0.02 0.02 0.01"/>
      </body>
    </body>
  </worldbody>
  <actuator>
    <general name="filtered" joint="shoulder" dyntype="filter" dynprm="0.1" gainprm="6" gear="1.5" ctrlrange="-1 1"/>
    <intvelocity name="servo" joint="elbow" kp="10" kv="1"/>
    <motor joint="elbow" gear="0.5"/>
  </actuator>
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
    system, angles = arm.system(), {"shoulder": 0.3, "elbow": -0.5}
    assert np.allclose(system.mass_matrix(), mass, rtol=1e-12, atol=0.0)
    sines = [np.sin(0.3), np.sin(0.3 - 0.5)]
    weight = system.potential_gradient(angles)
    assert np.allclose(weight["shoulder"], 9.81 * ((upper + length) * sines[0] + lower * sines[1]))
    assert np.allclose(weight["elbow"], 9.81 * lower * sines[1])
    forces = system.inverse_dynamics(angles, {"elbow": 2.0}, {"shoulder": 1.5})
    found = system.forward_dynamics(angles, {"elbow": 2.0}, forces)
    assert np.allclose([found["shoulder"], found["elbow"]], [[1.5], [0.0]])
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


def test_activations_of_actuators_agree_with_mujoco(tmp_path):
    """A filter with a limited control, an integrator and a motor, against the method RK4 of MuJoCo with a small step."""
    mujoco = pytest.importorskip("mujoco", reason="pip install mujoco")
    path = tmp_path / "actuated.xml"
    path.write_text(ACTUATED)
    controls = {"filtered": 1.7, "servo": 0.9, "elbow": 0.3}
    reference = mujoco.MjModel.from_xml_path(str(path))
    reference.opt.integrator, reference.opt.timestep = mujoco.mjtIntegrator.mjINT_RK4, 2e-4
    data = mujoco.MjData(reference)
    data.qpos[:], data.ctrl[:] = [0.4, -0.3], list(controls.values())
    for _ in range(5000):
        mujoco.mj_step(reference, data)
    model = liemech.mjcf(path, actuators="inputs")
    assert list(model.members) == ["shoulder", "elbow", "states.filtered", "states.servo"]
    with pytest.raises(liemech.DynamicsError, match="missing inputs"):
        model.system().bias_forces()
    assert model.system().mass_matrix(inputs=controls).shape == (2, 2)
    run = model.simulate(q0={"shoulder": 0.4, "elbow": -0.3}, inputs=controls, t_end=1.0, rtol=1e-11, atol=1e-13)
    for names, wanted in [
        (["shoulder", "elbow"], data.qpos),
        (["velocity.shoulder", "velocity.elbow"], data.qvel),
        (["states.filtered", "states.servo"], data.act),
    ]:
        assert np.allclose([run[name][-1] for name in names], wanted, rtol=0.0, atol=1e-8), names


TREE = """
#[configuration] pub struct Joints { pub hinges: Vec<SO2> }
#[kinematics(over = hinges, parents = parents)]
fn body(above: &SE2, angle: &SO2) -> SE2 { *above * SE2::new(*angle, Vector2::x()) }
#[kinetic_energy(over = hinges)] fn kinetic(v: &f64) -> f64 { 0.5 * v * v }
#[potential(over = (body, body).by(springs))]
fn spring(a: &SE2, b: &SE2) -> f64 { 0.5 * (*a * Vector2::x() - *b * Vector2::x()).norm_squared() }
#[potential(over = body.by(heavy))] fn weight(a: &SE2) -> f64 { 9.81 * a.translation.y }
"""


def test_trees_have_parents_and_connections():
    """Two bodies on one base body: the spring pulls equally at both, and the base remains at rest."""
    lengths = {"hinges": 3, "parents": [None, 0, 0], "springs": [[1, 2]], "heavy": []}
    tree = liemech.model(TREE, lengths=lengths)
    assert pickle.loads(pickle.dumps(tree)) == tree
    run = tree.simulate(q0={"hinges": [0.0, 0.3, -0.3]}, t_end=1.0, rtol=1e-10, atol=1e-12)
    assert abs(run["hinges[1]"][-1]) < 0.29
    assert np.allclose(run["hinges[1]"], -run["hinges[2]"], atol=1e-9)
    assert np.allclose(run["hinges[0]"], 0.0, atol=1e-9)
    for changed, message in [
        ({"parents": [None, 7, 0]}, "contains the frame 7"),
        ({"parents": [1, 2, 0]}, "form a circle"),
        ({"springs": [(1, 9)]}, "is not a tuple of different members"),
    ]:
        with pytest.raises(liemech.DeclarationError, match=message):
            liemech.model(TREE, lengths=lengths | changed)
    for name, remedy in [("parents", '`lengths={"parents": [None, 0]}`'), ("springs", '`lengths={"springs": [[0, 1]]}`')]:
        with pytest.raises(liemech.DeclarationError) as caught:
            liemech.model(TREE, lengths={key: value for key, value in lengths.items() if key != name})
        assert remedy in caught.value.help


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
