"""An arm of 7 joints and a chain of 20 spherical pendulums in liemech, Exudyn, MuJoCo and Pinocchio: error and processor time.

    pip install exudyn mujoco pin

The times are relative to one run of liemech with steps of 1 ms in the same process; packages that are not installed are omitted. The loop over the
steps is in Python for Pinocchio, which has no simulation, and compiled for the others.
"""

import shutil
import tempfile
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

import numpy as np
from comparison import seconds
from scipy.spatial.transform import Rotation

import liemech

GRAVITY = 9.81
END = 0.5


class Case:
    """Bodies in series. The joint of each body is at `offset` of the body before; an axis of None is a ball joint."""

    def __init__(self, axes, offset, center, masses, inertia, speed, point):
        self.axes, self.masses, self.inertia, self.speed = axes, masses, inertia, speed
        self.center, self.point = np.array(center), np.array(point)
        self.at = [np.array(offset if i else [0.0, 0.0, 0.0]) for i in range(len(axes))]


def words(values):
    return " ".join(str(value) for value in values)


Y, Z = np.array([0.0, 1.0, 0.0]), np.array([0.0, 0.0, 1.0])
ARM = Case([Z, Y] * 3 + [Z], [0.0, 0.0, 0.3], [0.02, 0.01, 0.15], np.linspace(4.0, 1.0, 7), [0.03, 0.028, 0.01], 1.0, [0.0, 0.0, 0.3])
# Rods along x; the inertia about their axis has no effect, because no moment acts about it.
CHAIN = Case([None] * 20, [0.1, 0.0, 0.0], [0.05, 0.0, 0.0], np.ones(20), [1e-4, 1e-2 / 12, 1e-2 / 12], 0.0, [0.1, 0.0, 0.0])


def liemech_model(case):
    if case is ARM:
        robot = "".join(
            f'<link name="body{i}"><inertial><origin xyz="{words(case.center)}"/><mass value="{case.masses[i]}"/><inertia '
            f'ixx="{case.inertia[0]}" iyy="{case.inertia[1]}" izz="{case.inertia[2]}" ixy="0" ixz="0" iyz="0"/></inertial></link>'
            f'<joint name="joint{i}" type="continuous"><parent link="{f"body{i - 1}" if i else "base"}"/><child link="body{i}"/>'
            f'<origin xyz="{words(case.at[i])}"/><axis xyz="{words(axis)}"/></joint>'
            for i, axis in enumerate(case.axes)
        )
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "arm.urdf"
            file.write_text(f'<?xml version="1.0"?><robot name="arm"><link name="base"/>{robot}</robot>')
            return liemech.urdf(file).system(), {"v0": {f"joint{i}": case.speed for i in range(len(case.axes))}}
    n = len(case.axes)
    ends = "".join(
        f"#[quantity] fn end{i}(p: &Chain, q: &Links) -> Vector3<f64> {{ {f'end{i - 1}(p, q) + ' if i else ''}q.links[{i}].direction() * p.length }}\n"
        f"#[quantity] fn center{i}(p: &Chain, q: &Links) -> Vector3<f64> {{ end{i}(p, q) - q.links[{i}].direction() * (0.5 * p.length) }}\n"
        for i in range(n)
    )
    model = liemech.model(f"""
        #[configuration] pub struct Links {{ pub links: [S2; {n}] }}
        #[parameters] pub struct Chain {{ pub mass: f64, pub length: f64, pub gravity: f64 }}
        {ends}
        #[kinetic_energy] fn kinetic(p: &Chain, q: &Links, v: &Velocity) -> f64 {{
            let translation = {" + ".join(f"center{i}_rate(p, q, v).norm_squared()" for i in range(n))};
            let rotation = {" + ".join(f"v.links[{i}].norm_squared()" for i in range(n))};
            0.5 * p.mass * (translation + p.length * p.length / 12.0 * rotation)
        }}
        #[potential] fn weight(p: &Chain, q: &Links) -> f64 {{ p.mass * p.gravity * ({" + ".join(f"center{i}(p, q).z" for i in range(n))}) }}
    """)
    return model.system(mass=1.0, length=0.1, gravity=GRAVITY), {"q0": {"links": np.tile([1.0, 0.0, 0.0], (n, 1))}}


def liemech_run(case):
    system, start = liemech_model(case)
    if shutil.which("cc"):
        system = liemech.compile(system.model).system(system.parameters)

    def run(step):
        end = system.simulate(**start, t_end=END, t_eval=[END], step=step)
        if case is CHAIN:
            return end["links"][0].sum(axis=0) * 0.1
        rotation, position = Rotation.identity(), np.zeros(3)
        for i, axis in enumerate(case.axes):
            position = position + rotation.apply(case.at[i])
            rotation = rotation * Rotation.from_rotvec(end[f"joint{i}"][0] * axis)
        return position + rotation.apply(case.point)

    return run


def exudyn_run(case):
    import exudyn
    from exudyn.utilities import RigidBodyInertia

    container = exudyn.SystemContainer()
    mbs = container.AddSystem()
    before, position, velocity, rate = mbs.CreateGround(), np.zeros(3), np.zeros(3), np.zeros(3)
    for i, axis in enumerate(case.axes):
        position, velocity = position + case.at[i], velocity + np.cross(rate, case.at[i])
        rate = rate + (case.speed * axis if axis is not None else 0.0)
        mass, c = case.masses[i], case.center
        about_joint = np.diag(case.inertia) + mass * (c @ c * np.eye(3) - np.outer(c, c))
        body = mbs.CreateRigidBody(
            inertia=RigidBodyInertia(mass=mass, inertiaTensor=about_joint, com=c),
            referencePosition=position,
            initialAngularVelocity=rate,
            initialVelocity=velocity,
            gravity=[0.0, 0.0, -GRAVITY],
            nodeType=exudyn.NodeType.RotationRotationVector,
        )
        if axis is None:
            mbs.CreateSphericalJoint(itemNumbers=[before, body], position=position, show=False)
        else:
            mbs.CreateRevoluteJoint(itemNumbers=[before, body], position=position, axis=axis, show=False)
        before = body
    mbs.Assemble()
    settings = exudyn.SimulationSettings()
    settings.timeIntegration.endTime = END
    settings.timeIntegration.verboseMode = 0
    settings.timeIntegration.newton.useModifiedNewton = True
    settings.timeIntegration.newton.relativeTolerance = 1e-10
    settings.solution.file.write = False
    settings.linearSolver.solverType = exudyn.LinearSolverType.EigenSparse

    def run(step):
        settings.timeIntegration.numberOfSteps = round(END / step)
        mbs.SolveDynamic(settings)
        return np.array(mbs.GetObjectOutputBody(before, exudyn.OutputVariableType.Position, localPosition=case.point))

    return run


def mujoco_run(case):
    import mujoco

    text = ""
    for i, axis in reversed(list(enumerate(case.axes))):
        joint = '<joint type="ball"/>' if axis is None else f'<joint type="hinge" axis="{words(axis)}"/>'
        inertial = f'<inertial pos="{words(case.center)}" mass="{case.masses[i]}" diaginertia="{words(case.inertia)}"/>'
        text = f'<body pos="{words(case.at[i])}">{joint}{inertial}{text}</body>'
    model = mujoco.MjModel.from_xml_string(
        f'<mujoco><option integrator="RK4" gravity="0 0 {-GRAVITY}"/><worldbody>{text}</worldbody></mujoco>'
    )
    data = mujoco.MjData(model)

    def run(step):
        model.opt.timestep = step
        mujoco.mj_resetData(model, data)
        data.qvel[:] = case.speed
        mujoco.mj_step(model, data, nstep=round(END / step))
        # The position of the last stage precedes the last state.
        mujoco.mj_kinematics(model, data)
        return data.xpos[-1] + data.xmat[-1].reshape(3, 3) @ case.point

    return run


def pinocchio_run(case):
    import pinocchio as pin

    model, joint = pin.Model(), 0
    for i, axis in enumerate(case.axes):
        kind = pin.JointModelSpherical() if axis is None else pin.JointModelRZ() if axis is Z else pin.JointModelRY()
        joint = model.addJoint(joint, kind, pin.SE3(np.eye(3), case.at[i]), f"joint{i}")
        inertia = pin.Inertia(case.masses[i], case.center, np.diag(case.inertia))
        model.appendBodyToJoint(joint, inertia, pin.SE3.Identity())
    model.gravity.linear = np.array([0.0, 0.0, -GRAVITY])
    data, torque = model.createData(), np.zeros(model.nv)

    def derivative(angle, speed):
        """The time derivative of the coordinates of a Munthe-Kaas step, to the order of the method."""
        if case is ARM:
            return speed
        a, v = angle.reshape(-1, 3), speed.reshape(-1, 3)
        once = np.cross(a, v)
        return (v + 0.5 * once + np.cross(a, once) / 12.0).ravel()

    def run(step):
        """A Munthe-Kaas method of order 4 with the forward dynamics of Pinocchio."""
        q, v = pin.neutral(model), np.full(model.nv, case.speed)
        for _ in range(round(END / step)):
            angles, forces = [], []
            for weight in (0.0, 0.5, 0.5, 1.0):
                angle = weight * step * angles[-1] if angles else np.zeros(model.nv)
                speed = v + weight * step * forces[-1] if forces else v
                forces.append(pin.aba(model, data, pin.integrate(model, q, angle), speed, torque))
                angles.append(derivative(angle, speed))
            q = pin.integrate(model, q, step / 6.0 * (angles[0] + 2.0 * angles[1] + 2.0 * angles[2] + angles[3]))
            v = v + step / 6.0 * (forces[0] + 2.0 * forces[1] + 2.0 * forces[2] + forces[3])
        pin.forwardKinematics(model, data, q)
        return data.oMi[joint].act(case.point)

    return run


PACKAGES = {
    "liemech": ("liemech", liemech_run, "hedop5"),
    "exudyn": ("exudyn", exudyn_run, "generalized-alpha, implicit"),
    "mujoco": ("mujoco", mujoco_run, "RK4"),
    "pinocchio": ("pin", pinocchio_run, "RKMK4 in Python"),
}


if __name__ == "__main__":
    print("| system | package | method | step in ms | error in m | time relative to liemech |")
    print("|---|---|---|---|---|---|")
    for system, case in (("arm of 7 joints", ARM), ("chain of 20 pendulums", CHAIN)):
        runs = {name: create(case) for name, (_, create, _) in PACKAGES.items() if find_spec(name)}
        exact = runs["liemech"](1e-4)
        for name, run in runs.items():
            release = liemech.__version__ if name == "liemech" else version(PACKAGES[name][0])
            for step in (2e-3, 1e-3):
                error = np.linalg.norm(run(step) - exact)
                # Both times are measured one after the other, so that the load of the machine cancels.
                ratio = seconds(run, step) / seconds(runs["liemech"], 1e-3)
                print(f"| {system} | {name} {release} | {PACKAGES[name][2]} | {step * 1e3:g} | {error:.1e} | {ratio:.2g} |", flush=True)
