//! Numerical evaluation of a robot's equations of motion in the coordinates of MuJoCo: an independent check of the readers.
//!
//! Every joint has its own coordinates, including joints that follow others. A free joint has the position and the quaternion w, x, y, z as
//! coordinates. Its rates are the velocity of the origin in the world frame and the angular velocity in the body frame. Recursion: R.
//! Featherstone, Rigid Body Dynamics Algorithms, 2008, chapters 5 and 6, with all vectors in the world frame.

use crate::frame::{Frame, Rotation, Vector, cross, dot, plus, symmetric, times};
use crate::model::{Activation, Actuator, Link, Motion, Robot, Transmission};

/// The equations of motion M v' + bias = forces at one state.
pub(super) struct Evaluated {
    /// M, with the armature.
    pub mass: Vec<Vec<f64>>,
    /// Coriolis, centrifugal and gravity terms without gravity compensation.
    pub bias: Vec<f64>,
    /// Forces of springs, dampers and gravity compensation.
    pub springs: Vec<f64>,
    pub dampers: Vec<f64>,
    pub compensation: Vec<f64>,
    /// Forces of actuators, and the derivatives of their activations.
    pub actuation: Vec<f64>,
    pub activation_rates: Vec<f64>,
    /// The frames of the links.
    pub frames: Vec<Frame>,
}

/// One degree of freedom: the joint's position among the coordinates, and its direction in the world frame.
#[derive(Clone, Copy)]
struct Axis {
    rate: usize,
    angular: Vector,
    /// A point that the rotation leaves in place, or the direction of a translation.
    linear: Result<Vector, Vector>,
}

impl Axis {
    /// The velocity of a point of the link, and its angular velocity.
    fn at(self, point: Vector) -> (Vector, Vector) {
        match self.linear {
            Ok(anchor) => (cross(self.angular, minus(point, anchor)), self.angular),
            Err(direction) => (direction, [0.0; 3]),
        }
    }
}

/// A link in motion: frame, angular velocity and acceleration, velocity and acceleration of the origin; accelerations with v' = 0.
#[derive(Clone)]
struct Moving {
    frame: Frame,
    spin: Vector,
    spin_rate: Vector,
    speed: Vector,
    acceleration: Vector,
    axes: Vec<Axis>,
}

fn minus(a: Vector, b: Vector) -> Vector {
    plus(a, times(-1.0, b))
}

impl Moving {
    /// Velocity and acceleration of a point that moves with the link.
    fn point(&self, point: Vector) -> (Vector, Vector) {
        let arm = minus(point, self.frame.position);
        let linear = cross(self.spin, arm);
        let acceleration = plus(plus(self.acceleration, cross(self.spin_rate, arm)), cross(self.spin, linear));
        (plus(self.speed, linear), acceleration)
    }

    /// The same motion with another frame of the link.
    fn at(&self, frame: Frame) -> Self {
        let (speed, acceleration) = self.point(frame.position);
        Self { frame, speed, acceleration, ..self.clone() }
    }

    /// Adds a rotation about the origin with this velocity in the world frame.
    fn add_rotation(&mut self, spin: Vector) {
        self.spin_rate = plus(self.spin_rate, cross(self.spin, spin));
        self.spin = plus(self.spin, spin);
    }
}

/// The number of coordinates and of rates of a joint.
fn sizes(motion: Motion) -> (usize, usize) {
    match motion {
        Motion::Hinge(_) | Motion::Slide(_) => (1, 1),
        Motion::Ball => (4, 3),
        Motion::Floating => (7, 6),
        Motion::Planar(_) => panic!("a planar joint has no counterpart in MuJoCo"),
    }
}

fn three(numbers: &[f64]) -> Vector {
    [numbers[0], numbers[1], numbers[2]]
}

/// The motion of a link; joints take their coordinates and rates from the front of both lists.
fn moved(above: &Moving, link: &Link, q: &mut &[f64], v: &mut &[f64], rate: &mut usize) -> Moving {
    let Some(hung) = &link.above else { return above.clone() };
    let mut link = above.at(above.frame.then(hung.place));
    let units = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    for joint in &hung.joints {
        let (coordinates, rates) = sizes(joint.motion);
        let (own, own_rates) = (&q[..coordinates], &v[..rates]);
        let mut at = link.at(link.frame.then(Frame::at(joint.anchor)));
        match joint.motion {
            Motion::Hinge(axis) => {
                let angular = at.frame.rotation.rotate(axis);
                at.add_rotation(times(own_rates[0], angular));
                at.frame.rotation = at.frame.rotation.after(Rotation::about(axis, own[0] - joint.reference));
                at.axes.push(Axis { rate: *rate, angular, linear: Ok(at.frame.position) });
            }
            Motion::Slide(axis) => {
                let direction = at.frame.rotation.rotate(axis);
                at.frame.position = plus(at.frame.position, times(own[0] - joint.reference, direction));
                // The link's origin is now another point of the moving frame.
                let (speed, acceleration) = link.point(at.frame.position);
                let relative = times(own_rates[0], direction);
                at.speed = plus(speed, relative);
                at.acceleration = plus(acceleration, times(2.0, cross(at.spin, relative)));
                at.axes.push(Axis { rate: *rate, angular: [0.0; 3], linear: Err(direction) });
            }
            Motion::Ball => {
                at.frame.rotation =
                    at.frame.rotation.after(Rotation::of_quaternion([own[0], own[1], own[2], own[3]]).unwrap());
                at.add_rotation(at.frame.rotation.rotate(three(own_rates)));
                for (component, unit) in units.into_iter().enumerate() {
                    let angular = at.frame.rotation.rotate(unit);
                    at.axes.push(Axis { rate: *rate + component, angular, linear: Ok(at.frame.position) });
                }
            }
            Motion::Floating => {
                let rotation = Rotation::of_quaternion([own[3], own[4], own[5], own[6]]).unwrap();
                let spin = rotation.rotate(three(&own_rates[3..]));
                let (frame, speed) = (Frame { rotation, position: three(own) }, three(own_rates));
                let zero = [0.0; 3];
                at = Moving { frame, spin, spin_rate: zero, speed, acceleration: zero, axes: vec![] };
                for (component, unit) in units.into_iter().enumerate() {
                    at.axes.push(Axis { rate: *rate + component, angular: zero, linear: Err(unit) });
                    let angular = rotation.rotate(unit);
                    at.axes.push(Axis { rate: *rate + 3 + component, angular, linear: Ok(frame.position) });
                }
            }
            Motion::Planar(_) => {}
        }
        (*q, *v, *rate) = (&q[coordinates..], &v[rates..], *rate + rates);
        link = at.at(at.frame.then(Frame::at(times(-1.0, joint.anchor))));
    }
    link
}

/// A value between two limits.
fn limited(value: f64, limits: Option<[f64; 2]>) -> f64 {
    limits.map_or(value, |[lower, upper]| value.clamp(lower, upper))
}

/// The generalised forces of the actuators and the derivatives of their activations. `links` are in motion with the rates `v`.
fn actuated(robot: &Robot, links: &[Moving], [q, v]: [&[f64]; 2], [ctrl, act]: [&[f64]; 2]) -> (Vec<f64>, Vec<f64>) {
    let (mut forces, mut slopes, mut act) = (vec![0.0; v.len()], vec![], act.iter());
    // The coordinate and the rate of each joint.
    let (mut places, mut at) = (vec![], (0, 0));
    for joint in robot.joints() {
        places.push((joint, at));
        let (coordinates, rates) = sizes(joint.motion);
        at = (at.0 + coordinates, at.1 + rates);
    }
    let place = |name: &str| places.iter().find(|(joint, _)| joint.name == name).unwrap().1;
    for (actuator, u) in robot.actuators.iter().zip(ctrl) {
        let Actuator { transmission, gain, bias, .. } = actuator;
        let u = limited(*u, actuator.control_limits);
        let mut state = |slope: &dyn Fn(f64) -> f64| {
            let z = *act.next().unwrap();
            slopes.push(slope(z));
            z
        };
        let input = match actuator.activation {
            Activation::Control => u,
            Activation::Integrator => state(&|_| u),
            Activation::Filter(time) => state(&|z| (u - z) / time),
        };
        let [length, rate] = match transmission {
            Transmission::Joints(arms) => arms.iter().fold([0.0; 2], |[length, rate], (name, arm)| {
                [length + arm * q[place(name).0], rate + arm * v[place(name).1]]
            }),
            Transmission::Wrench(..) => [0.0; 2],
        };
        let linear = |[a, b, c]: [f64; 3]| a + b * length + c * rate;
        let force = limited(linear(*gain) * input + linear(*bias), actuator.force_limits);
        match transmission {
            Transmission::Joints(arms) => arms.iter().for_each(|(name, arm)| forces[place(name).1] += arm * force),
            Transmission::Wrench(link, wrench) => {
                let frame = links[*link].frame;
                let [moment, push] = wrench.map(|vector| times(force, frame.rotation.rotate(vector)));
                for axis in &links[*link].axes {
                    let (linear, angular) = axis.at(frame.position);
                    forces[axis.rate] += dot(linear, push) + dot(angular, moment);
                }
            }
        }
    }
    for (joint, (_, rate)) in places {
        if joint.motion.is_number() {
            forces[rate] = limited(forces[rate], joint.actuation_limits);
        }
    }
    (forces, slopes)
}

/// Evaluates the equations of motion with controls and activations.
pub(super) fn evaluated(robot: &Robot, [mut q, mut v]: [&[f64]; 2], actuation: [&[f64]; 2]) -> Evaluated {
    let (own, rates, size) = (q, v, v.len());
    let zero = [0.0; 3];
    let ground =
        Moving { frame: Frame::IDENTITY, spin: zero, spin_rate: zero, speed: zero, acceleration: zero, axes: vec![] };
    let mut links: Vec<Moving> = vec![];
    let mut rate = 0;
    for link in &robot.links {
        let above = link.above.as_ref().map_or(&ground, |above| &links[above.parent]);
        let moving = moved(above, link, &mut q, &mut v, &mut rate);
        links.push(moving);
    }
    assert_eq!((q.len(), v.len()), (0, 0), "coordinates of `{}`", robot.name);
    let mut mass = vec![vec![0.0; size]; size];
    let [mut bias, mut springs, mut dampers, mut compensation] = [(); 4].map(|()| vec![0.0; size]);
    for (link, moving) in robot.links.iter().zip(&links) {
        let Some(inertial) = &link.inertial else { continue };
        let center = moving.frame.point(inertial.center);
        let columns: Vec<(usize, Vector, Vector)> = moving
            .axes
            .iter()
            .map(|axis| {
                let (linear, angular) = axis.at(center);
                (axis.rate, linear, moving.frame.rotation.inverse().rotate(angular))
            })
            .collect();
        let moments = symmetric(inertial.moments);
        let angular_momentum = |a: Vector| moments.map(|row| dot(row, a));
        let (_, acceleration) = moving.point(center);
        let [spin, spin_rate] = [moving.spin, moving.spin_rate].map(|a| moving.frame.rotation.inverse().rotate(a));
        let force = times(inertial.mass, minus(acceleration, robot.gravity));
        let moment = plus(angular_momentum(spin_rate), cross(spin, angular_momentum(spin)));
        let lift = times(-inertial.mass * inertial.compensation, robot.gravity);
        for &(row, linear, angular) in &columns {
            bias[row] += dot(linear, force) + dot(angular, moment);
            compensation[row] += dot(linear, lift);
            for &(column, other, spin) in &columns {
                mass[row][column] += inertial.mass * dot(linear, other) + dot(angular, angular_momentum(spin));
            }
        }
    }
    let (mut coordinate, mut rate) = (0, 0);
    for joint in robot.joints() {
        let (coordinates, own_rates) = sizes(joint.motion);
        for row in rate..rate + own_rates {
            mass[row][row] += joint.armature;
            dampers[row] -= joint.damping * rates[row];
        }
        match joint.motion {
            Motion::Ball => {
                let rotation = Rotation::of_quaternion(std::array::from_fn(|k| own[coordinate + k])).unwrap();
                for (component, stretch) in rotation.vector().into_iter().enumerate() {
                    springs[rate + component] -= joint.stiffness * stretch;
                }
            }
            Motion::Hinge(_) | Motion::Slide(_) => springs[rate] -= joint.stiffness * (own[coordinate] - joint.ease),
            Motion::Planar(_) | Motion::Floating => {}
        }
        (coordinate, rate) = (coordinate + coordinates, rate + own_rates);
    }
    let (actuation, activation_rates) = actuated(robot, &links, [own, rates], actuation);
    let frames = links.into_iter().map(|link| link.frame).collect();
    Evaluated { mass, bias, springs, dampers, compensation, actuation, activation_rates, frames }
}
