//! A file with all that is troublesome, against Featherstone's recursions with its numbers.

use fixtures::random::Random;
use lie_runtime::nalgebra::{Matrix3, Rotation3};
use lie_runtime::prelude::*;
use lie_runtime::simulate::ConsistentValues;

use super::GRAVITY;
use crate::featherstone::{self, Body, Joint};

/// A file with a byte order mark, lines that end in two characters, and names that are not valid in Rust.
#[mechanical_system(urdf = "tests/mechanisms/robots/awkward.urdf", base = fixed)]
pub mod awkward {
    use lie_runtime::prelude::*;
}

fn turn(roll: f64, pitch: f64, yaw: f64) -> Matrix3<f64> {
    *Rotation3::from_euler_angles(roll, pitch, yaw).matrix()
}

#[test]
fn what_is_troublesome_moves_as_its_numbers_say() {
    let system = awkward::System::new().unwrap();
    assert_eq!(system.dof(), 6);
    let axis = Vector3::new(0.0, 0.6, 0.8);
    let (first, second) = (Vector3::x(), axis.cross(&Vector3::x()));
    let none = Matrix3::zeros();
    let mut random = Random::new(35);
    for _ in 0..10 {
        let [x, y, angle, v, the_gen, c] = random.vector::<6>().into();
        let (a, b) = (2.0 * (-0.5 * c + 0.3) + 0.1, -0.5 * c + 0.3);
        // Two fixed joints, then the origin of the planar one.
        let below = turn(0.3, 0.0, 0.0);
        let place = (
            below * turn(0.0, -0.2, 0.1),
            Vector3::new(0.1, 0.0, 0.2)
                + below * (Vector3::new(0.0, 0.3, 0.0) + turn(0.0, -0.2, 0.1) * Vector3::z() * 0.5),
        );
        let here = (Matrix3::identity(), Vector3::zeros());
        let body = |parent, place, joint, mass, center, inertia| Body { parent, place, joint, mass, center, inertia };
        let turned = turn(0.4, 0.5, 0.6);
        let moments = |x, y, z| Matrix3::from_diagonal(&Vector3::new(x, y, z));
        let link = turned * moments(0.03, 0.04, 0.05) * turned.transpose();
        // The tool is fixed to the last link of the arm: one body of two masses.
        let (m, n, p, r) = (1.5, 0.4, Vector3::new(0.0, 0.0, -0.2), Vector3::new(0.0, 0.05, -0.4));
        let center = (p * m + r * n) / (m + n);
        let steiner = |mass: f64, away: Vector3<f64>| away.cross_matrix() * away.cross_matrix() * -mass;
        let both = moments(0.02, 0.02, 0.001) + steiner(m, p - center) + steiner(n, r - center);
        let at = |x, y, z| Vector3::new(x, y, z);
        let zero = Vector3::zeros();
        let bodies = [
            body(None, place, Joint::Slide(first, x), 0.0, zero, none),
            body(Some(0), here, Joint::Slide(second, y), 0.0, zero, none),
            body(Some(1), here, Joint::Hinge(axis, angle), 2.0, at(0.1, 0.2, -0.1), link),
            body(Some(2), (here.0, at(0.2, 0.0, 0.0)), Joint::Hinge(Vector3::x(), v), 0.0, zero, none),
            body(
                Some(3),
                (turn(0.0, 0.0, std::f64::consts::FRAC_PI_2), zero),
                Joint::Hinge(-Vector3::z(), the_gen),
                m + n,
                center,
                both,
            ),
            body(Some(4), here, Joint::Slide(Vector3::x(), a), 0.3, zero, none),
            body(Some(4), here, Joint::Slide(Vector3::y(), b), 0.2, zero, none),
            body(Some(4), here, Joint::Slide(Vector3::z(), c), 0.1, zero, none),
        ];
        let rates = random.vector::<6>();
        let plane = SE2::new(SO2::from_angle(angle), Vector2::new(x, y));
        let mut state = State::at_rest(&system, 0.0, awkward::Joints { the_self: plane, v, the_gen, c });
        state.velocity = rates;
        ConsistentValues::of(&system).accelerations(&system, &mut state).unwrap();
        let acceleration = state.acceleration;
        // The velocity of the planar joint is seen from what it carries: x' = R v, x'' = R (v' + ω J v).
        let plane = plane.rotation.matrix();
        let (flat, across) = (Vector2::new(rates[1], rates[2]), Vector2::new(-rates[2], rates[1]));
        let way = plane * flat;
        let bend = plane * (Vector2::new(acceleration[1], acceleration[2]) + across * rates[0]);
        let all = |plane: Vector2<f64>, own: Vector6<f64>| {
            let [angle, _, _, v, the_gen, c] = own.into();
            [plane.x, plane.y, angle, v, the_gen, -c, -0.5 * c, c]
        };
        let forces = featherstone::inverse_dynamics(&bodies, GRAVITY, &all(way, rates), &all(bend, acceleration));
        // What acts on the joints that follow acts on the one that they follow; `a` is damped.
        let along = forces[7] - forces[5] - 0.5 * forces[6] + 0.2 * rates[5];
        let rest = forces.rows(0, 5).amax().max(along.abs());
        assert!(rest < 1e-11, "{rest:e} {forces}");
    }
}
