"""The heavy top in liemech, Exudyn, MuJoCo and Pinocchio: error and processor time of one second of motion.

    pip install exudyn mujoco pin

Every package runs with three step sizes. The times are relative to one run of liemech in the same process; packages that are not installed are
omitted. The loop over the steps is in Python for Pinocchio, which has no simulation, and compiled for the others.
"""

import time
from importlib.metadata import version
from importlib.util import find_spec

import numpy as np

import liemech

MASS, CENTER, GRAVITY = 15.0, np.array([0.0, 1.0, 0.0]), 9.81
INERTIA = np.diag([0.234375, 0.46875, 0.234375])
SPIN = np.array([0.0, 150.0, -4.61538])


def liemech_run():
    system = liemech.model("""
        #[configuration] pub struct Pose { pub attitude: SO3, pub position: R3 }
        #[parameters] pub struct Top { pub mass: f64, pub inertia: Matrix3<f64>, pub center: Vector3<f64>, pub gravity: f64 }
        #[kinetic_energy] fn kinetic(p: &Top, v: &Velocity) -> f64 {
            0.5 * p.mass * v.position.norm_squared() + 0.5 * v.attitude.dot(&(p.inertia * v.attitude))
        }
        #[potential] fn weight(p: &Top, q: &Pose) -> f64 { p.gravity * p.mass * q.position.z }
        #[constraint] fn pivot(p: &Top, q: &Pose) -> Vector3<f64> { q.attitude.inverse() * q.position - p.center }
    """).system(mass=MASS, inertia=INERTIA, center=CENTER, gravity=GRAVITY)
    start = {"q0": {"position": CENTER}, "v0": {"attitude": SPIN, "position": np.cross(SPIN, CENTER)}}
    return lambda step: system.simulate(**start, t_end=1.0, t_eval=[1.0], step=step)["position"][-1]


def exudyn_run():
    import exudyn
    from exudyn.utilities import RigidBodyInertia

    container = exudyn.SystemContainer()
    mbs = container.AddSystem()
    # The inertia is about the reference point, which is the pivot; the body is attached to the ground there.
    about_pivot = INERTIA + MASS * (CENTER @ CENTER * np.eye(3) - np.outer(CENTER, CENTER))
    inertia = RigidBodyInertia(mass=MASS, inertiaTensor=about_pivot, com=CENTER)
    body = mbs.CreateRigidBody(
        inertia=inertia,
        referencePosition=[0.0, 0.0, 0.0],
        initialAngularVelocity=SPIN,
        gravity=[0.0, 0.0, -GRAVITY],
        nodeType=exudyn.NodeType.RotationRotationVector,
    )
    mbs.CreateSphericalJoint(itemNumbers=[mbs.CreateGround(), body], position=[0.0, 0.0, 0.0], show=False)
    mbs.Assemble()
    settings = exudyn.SimulationSettings()
    settings.timeIntegration.endTime = 1.0
    settings.timeIntegration.verboseMode = 0
    settings.timeIntegration.newton.useModifiedNewton = True
    settings.timeIntegration.newton.relativeTolerance = 1e-10
    settings.solution.file.write = False

    def run(step):
        settings.timeIntegration.numberOfSteps = round(1.0 / step)
        mbs.SolveDynamic(settings)
        return np.array(mbs.GetObjectOutputBody(body, exudyn.OutputVariableType.Position, localPosition=CENTER))

    return run


def mujoco_run():
    import mujoco

    diagonal = " ".join(str(value) for value in np.diag(INERTIA))
    model = mujoco.MjModel.from_xml_string(f"""
        <mujoco><option integrator="RK4" gravity="0 0 {-GRAVITY}"/><worldbody><body><joint type="ball"/>
        <inertial pos="0 1 0" mass="{MASS}" diaginertia="{diagonal}"/></body></worldbody></mujoco>""")
    data = mujoco.MjData(model)

    def run(step):
        model.opt.timestep = step
        mujoco.mj_resetData(model, data)
        data.qvel[:] = SPIN
        mujoco.mj_step(model, data, nstep=round(1.0 / step))
        # The position of the last stage precedes the last state.
        mujoco.mj_kinematics(model, data)
        return data.xipos[1].copy()

    return run


def pinocchio_run():
    import pinocchio as pin

    model = pin.Model()
    joint = model.addJoint(0, pin.JointModelSpherical(), pin.SE3.Identity(), "ball")
    model.appendBodyToJoint(joint, pin.Inertia(MASS, CENTER, INERTIA), pin.SE3.Identity())
    model.gravity.linear = np.array([0.0, 0.0, -GRAVITY])
    data, torque = model.createData(), np.zeros(3)

    def run(step):
        """A Munthe-Kaas method of order 4 with the forward dynamics of Pinocchio."""
        q, v = pin.neutral(model), SPIN.copy()
        for _ in range(round(1.0 / step)):
            angles, forces = [], []
            for weight in (0.0, 0.5, 0.5, 1.0):
                angle = weight * step * angles[-1] if angles else np.zeros(3)
                speed = v + weight * step * forces[-1] if forces else v
                forces.append(pin.aba(model, data, pin.integrate(model, q, angle), speed, torque))
                angles.append(pin.Jlog3(pin.exp3(angle)) @ speed)
            q = pin.integrate(model, q, step / 6.0 * (angles[0] + 2.0 * angles[1] + 2.0 * angles[2] + angles[3]))
            v = v + step / 6.0 * (forces[0] + 2.0 * forces[1] + 2.0 * forces[2] + forces[3])
        pin.forwardKinematics(model, data, q)
        return data.oMi[1].act(CENTER)

    return run


PACKAGES = {
    "liemech": ("liemech", liemech_run, "hedop5"),
    "exudyn": ("exudyn", exudyn_run, "generalized-alpha, implicit"),
    "mujoco": ("mujoco", mujoco_run, "RK4"),
    "pinocchio": ("pin", pinocchio_run, "RKMK4 in Python"),
}


def seconds(run, step):
    """Returns the least processor time of several runs."""
    times = []
    while len(times) < 3 or (sum(times) < 0.5 and len(times) < 20):
        begin = time.process_time()
        run(step)
        times.append(time.process_time() - begin)
    return min(times)


if __name__ == "__main__":
    exact = liemech_run()(1e-4)
    runs = {name: create() for name, (_, create, _) in PACKAGES.items() if find_spec(name)}
    print("| package | method | step in ms | error in m | time relative to liemech |")
    print("|---|---|---|---|---|")
    for name, run in runs.items():
        release = liemech.__version__ if name == "liemech" else version(PACKAGES[name][0])
        for step in (2e-3, 1e-3, 5e-4):
            error = np.linalg.norm(run(step) - exact)
            # Both times are measured one after the other, so that the load of the machine cancels.
            ratio = seconds(run, step) / seconds(runs["liemech"], 1e-3)
            print(f"| {name} {release} | {PACKAGES[name][2]} | {step * 1e3:g} | {error:.1e} | {ratio:.2g} |")
