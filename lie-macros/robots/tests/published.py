"""Mass matrix, bias and gravity of declarations, from their text, against Pinocchio.

Each argument `FILE.urdf:DECLARATION.rs` is a robot file and the declaration that lie-robots makes of it. The declared frames are evaluated with
truncated Taylor series along all coordinates, and the declared masses and moments are read from the kinetic energies; nothing of the library is
used. One line is printed for each file: the path, the degrees of freedom, and the largest deviations of mass matrix, bias (Coriolis and gravity)
and gravity, relative to the largest entry.
"""

import random
import re
import sys
import xml.etree.ElementTree as ElementTree

import numpy as np
import pinocchio as pin

GRAVITY = np.array([0.0, 0.0, -9.81])


def hat(a):
    return np.array([[0.0, -a[2], a[1]], [a[2], 0.0, -a[0]], [-a[1], a[0], 0.0]])


def rodrigues(axis, angle):
    """exp(axis~ angle) of a vector of any length."""
    length = np.linalg.norm(axis)
    if length == 0.0:
        return np.eye(3)
    k, x = hat(axis / length), length * angle
    return np.eye(3) + np.sin(x) * k + (1.0 - np.cos(x)) * k @ k


class Series:
    """c0 + t c1[k] along direction k, and t² c2 along the last direction, the velocity."""

    def __init__(self, c0, c1, c2):
        self.c0, self.c1, self.c2 = c0, c1, c2

    def __add__(self, other):
        if not isinstance(other, Series):
            return Series(self.c0 + other, self.c1, self.c2)
        return Series(self.c0 + other.c0, self.c1 + other.c1, self.c2 + other.c2)

    __radd__ = __add__

    def __sub__(self, other):
        return self + (-1.0) * other

    def __mul__(self, scale):
        """By a number."""
        return Series(self.c0 * scale, self.c1 * scale, self.c2 * scale)

    __rmul__ = __mul__

    def by(self, other):
        """The product of matrices."""
        return Series(
            self.c0 @ other.c0,
            self.c1 @ other.c0 + self.c0 @ other.c1,
            self.c2 @ other.c0 + self.c1[-1] @ other.c1[-1] + self.c0 @ other.c2,
        )


class Vector:
    """A vector, constant or along one scalar."""

    def __init__(self, value):
        self.value = value

    def __mul__(self, scale):
        if isinstance(scale, Series):
            return Scaled(self.value, scale)
        return Vector(self.value * scale)


class Scaled:
    """A constant vector times a scalar."""

    def __init__(self, vector, scale):
        self.vector, self.scale = vector, scale


class Group:
    def __init__(self, series):
        self.series = series

    def __mul__(self, other):
        return Group(self.series.by(other.series))


def declared(path):
    """The frames, bodies, coordinates and names of a declaration."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    frames = dict(re.findall(r"\npub fn (\w+)\((?:q: &Joints)?\) -> SE3 \{\n    (.*)\n\}", text))
    fields = re.search(r"pub struct Joints \{\n(.*?)\n\}", text, re.S).group(1)
    coordinates = re.findall(r"pub (\w+): (\w+),", fields)
    number = r"(-?[\d.]+(?:e-?\d+)?)"
    bodies = {}
    for name, body in re.findall(r"\nfn kinetic_energy_of_(\w+)\(q: &Joints, v: &Velocity\) -> f64 \{\n(.*?)\n\}", text, re.S):
        form = (
            rf"    let twist = {name}_rate\(q, v\);\n    let turn = twist.angular\(\);\n"
            rf"    let center = twist.linear\(\) \+ turn.cross\(&Vector3::(.*)\);\n"
            rf"    0.5 \* {number} \* center.norm_squared\(\) \+ 0.5 \* turn.dot\(&\(Matrix3::new\((.*)\) \* turn\)\)"
        )
        center, mass, moments = re.fullmatch(form, body).groups()
        center = [0.0] * 3 if center == "zeros()" else [float(x) for x in center[4:-1].split(",")]
        moments = np.array([float(x) for x in moments.split(",")]).reshape(3, 3)
        weight = re.search(rf"\nfn weight_of_{name}\(q: &Joints\) -> f64 \{{\n    9.81 \* {number} \* \({name}\(q\) \* Vector3::(.*)\).z\n\}}", text)
        assert weight or float(mass) == 0.0, f"no weight of {name}"
        assert not weight or weight.group(1) == mass, f"another mass of {name}"
        bodies[name] = (float(mass), np.array(center), moments)
    written = dict((rust, file) for file, rust in re.findall(r'"([^"]*)"(?: \| "[^"]*")? => q\.(\w+) = value', text))
    return frames, bodies, coordinates, written


class Evaluation:
    """A declaration at a configuration and a velocity."""

    def __init__(self, path, numbers):
        self.frames, self.bodies, self.coordinates, self.written = declared(path)
        sizes = {"f64": 1, "SE3": 6, "SO3": 3, "SE2": 3}
        self.dof = sum(sizes[group] for _, group in self.coordinates)
        self.velocity = np.array([numbers.uniform(-1.0, 1.0) for _ in range(self.dof)])
        self.configuration, self.series, self.place = {}, {}, {}
        at = 0
        for name, group in self.coordinates:
            self.place[name] = at
            columns = np.vstack([np.eye(self.dof), self.velocity])[:, at : at + sizes[group]]
            if group == "f64":
                value = numbers.uniform(-1.0, 1.0)
                self.series[name] = Series(value, columns[:, 0], 0.0)
            else:
                assert group == "SE3", group
                value = np.eye(4)
                value[:3, :3] = rodrigues(np.array([numbers.uniform(-1.0, 1.0) for _ in range(3)]), 1.0)
                value[:3, 3] = [numbers.uniform(-1.0, 1.0) for _ in range(3)]
                twists = np.zeros((self.dof + 1, 4, 4))
                for k, column in enumerate(columns):
                    twists[k, :3, :3], twists[k, :3, 3] = hat(column[:3]), column[3:]
                second = value @ twists[-1] @ twists[-1] / 2.0
                self.series[name] = Group(Series(value, value @ twists, second))
            self.configuration[name] = value
            at += sizes[group]
        self.known = {}

    def constant(self, matrix):
        return Group(Series(matrix, np.zeros((self.dof + 1,) + matrix.shape), np.zeros(matrix.shape)))

    def rotation(self, vector):
        if isinstance(vector, Scaled):
            scale, skew = vector.scale, hat(vector.vector)
            c0 = rodrigues(vector.vector, scale.c0)
            c1 = (c0 @ skew)[None] * scale.c1[:, None, None]
            return Group(Series(c0, c1, c0 @ skew * scale.c2 + c0 @ skew @ skew * scale.c1[-1] ** 2 / 2.0))
        return self.constant(rodrigues(vector.value, 1.0))

    def pose(self, rotation, position):
        """The matrix of a rotation and a vector, which is constant or along one scalar."""
        def matrix(turn, way, one):
            shape = turn.shape[:-2]
            out = np.zeros(shape + (4, 4))
            out[..., :3, :3], out[..., :3, 3], out[..., 3, 3] = turn, way, one
            return out

        series = rotation.series
        if isinstance(position, Scaled):
            vector, scale = position.vector, position.scale
            ways = (vector * scale.c0, vector[None] * scale.c1[:, None], vector * scale.c2)
        else:
            ways = (position.value, np.zeros((self.dof + 1, 3)), np.zeros(3))
        return Group(
            Series(matrix(series.c0, ways[0], 1.0), matrix(series.c1, ways[1], 0.0), matrix(series.c2, ways[2], 0.0))
        )

    def frame(self, name):
        """The frame of a link."""
        if name not in self.known:
            evaluation = self

            class SE3:
                identity = staticmethod(lambda: evaluation.constant(np.eye(4)))
                new = staticmethod(evaluation.pose)

            class SO3:
                identity = staticmethod(lambda: evaluation.constant(np.eye(3)))
                exp = staticmethod(evaluation.rotation)

            class Vector3:
                new = staticmethod(lambda *numbers: Vector(np.array(numbers)))
                zeros = staticmethod(lambda: Vector(np.zeros(3)))

            class Joints:
                pass

            for joint, series in self.series.items():
                setattr(Joints, joint, series)
            scope = {"SE3": SE3, "SO3": SO3, "Vector3": Vector3, "q": Joints}
            for other in self.frames:
                scope[other] = lambda *_, other=other: Group(self.frame(other))
            text = self.frames[name].replace("&", "").replace("::", ".")
            self.known[name] = eval(text, scope).series
        return self.known[name]

    def dynamics(self):
        """Mass matrix, bias and gravity."""
        mass_matrix, bias, gravity = np.zeros((self.dof, self.dof)), np.zeros(self.dof), np.zeros(self.dof)
        for name, (mass, center, moments) in self.bodies.items():
            frame = self.frame(name)
            back = np.linalg.inv(frame.c0)
            twists = back @ frame.c1
            angular = np.stack([twists[:, 2, 1], twists[:, 0, 2], twists[:, 1, 0]], axis=1)
            linear = twists[:, :3, 3]
            second = back @ (2.0 * frame.c2) - twists[-1] @ twists[-1]
            turn, way = np.array([second[2, 1], second[0, 2], second[1, 0]]), second[:3, 3]
            centers = linear + np.cross(angular, center)
            columns, turns = centers[:-1], angular[:-1]
            mass_matrix += mass * columns @ columns.T + turns @ moments @ turns.T
            omega, velocity = angular[-1], linear[-1]
            acceleration = way + np.cross(turn, center) + np.cross(omega, velocity + np.cross(omega, center))
            weight = mass * (frame.c0[:3, :3].T @ GRAVITY)
            gravity -= columns @ weight
            bias += columns @ (mass * acceleration - weight)
            bias += turns @ (moments @ turn + np.cross(omega, moments @ omega))
        return mass_matrix, bias, gravity


def followers(path):
    """The joints that follow others in a file: joint, multiplier, offset; of a fixed joint that is followed, none."""
    root = ElementTree.parse(path).getroot()
    kinds = {joint.get("name"): joint.get("type") for joint in root.findall("joint")}
    found = {}
    for joint in root.findall("joint"):
        mimic = joint.find("mimic")
        if mimic is not None and joint.get("type") != "fixed":
            followed = mimic.get("joint")
            if followed in kinds:
                factor, offset = float(mimic.get("multiplier", 1.0)), float(mimic.get("offset", 0.0))
                found[joint.get("name")] = (None if kinds[followed] == "fixed" else followed, factor, offset)
    return found


def compare(path, declaration, numbers):
    evaluation = Evaluation(declaration, numbers)
    floating = [name for name, group in evaluation.coordinates if group == "SE3"]
    root = [pin.JointModelFreeFlyer()] if floating else []
    model = pin.buildModelFromUrdf(path, *root)
    data, mimics = model.createData(), followers(path)
    # q = q(own coordinates), v = G v(own coordinates).
    q, into = pin.neutral(model), np.zeros((model.nv, evaluation.dof))
    rust = {file: name for name, file in evaluation.written.items()}
    for index, name in enumerate(model.names):
        if index == 0:
            continue
        joint = model.joints[index]
        if floating and joint.nv == 6:
            pose, at = evaluation.configuration[floating[0]], evaluation.place[floating[0]]
            q[joint.idx_q : joint.idx_q + 7] = pin.SE3ToXYZQUAT(pin.SE3(pose))
            # Linear velocities come first there.
            into[joint.idx_v : joint.idx_v + 3, at + 3 : at + 6] = np.eye(3)
            into[joint.idx_v + 3 : joint.idx_v + 6, at : at + 3] = np.eye(3)
            continue
        factor, offset = 1.0, 0.0
        while name is not None and name not in rust:
            name, multiplier, add = mimics[name]
            factor, offset = factor * multiplier, offset + factor * add
        value = offset if name is None else factor * evaluation.configuration[rust[name]] + offset
        if name is not None:
            into[joint.idx_v, evaluation.place[rust[name]]] = factor
        q[joint.idx_q : joint.idx_q + joint.nq] = [value] if joint.nq == 1 else [np.cos(value), np.sin(value)]
    velocity = into @ evaluation.velocity
    upper = np.triu(pin.crba(model, data, q))
    mass_matrix = into.T @ (upper + np.triu(upper, 1).T) @ into
    bias = into.T @ pin.nonLinearEffects(model, data, q, velocity)
    gravity = into.T @ pin.computeGeneralizedGravity(model, data, q)

    def deviation(found, wanted):
        scale = np.abs(wanted).max(initial=0.0)
        return np.abs(found - wanted).max(initial=0.0) / (scale if scale > 0.0 else 1.0)

    return evaluation.dof, [deviation(*pair) for pair in zip(evaluation.dynamics(), (mass_matrix, bias, gravity))]


for argument in sys.argv[1:]:
    file, _, text = argument.partition(".urdf:")
    numbers = random.Random(7)
    samples = [compare(file + ".urdf", text, numbers) for _ in range(3)]
    worst = [max(values) for values in zip(*(deviations for _, deviations in samples))]
    print(file + ".urdf", samples[0][0], *(f"{value:.1e}" for value in worst), flush=True)
