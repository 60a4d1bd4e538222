//! Frames along a chain of bodies: joints of several coordinates.

use lie_runtime::group::TangentVector;
use lie_runtime::prelude::*;

/// Links that turn about two axes one after the other and slide, by their frames.
#[mechanical_system]
pub mod frames {
    use lie_runtime::prelude::*;

    pub struct Joint {
        pub turn: SO3,
        pub slide: f64,
    }

    #[configuration]
    pub struct Arm {
        pub joints: Vec<Joint>,
    }

    #[kinematics(over = joints)]
    fn place(above: &SE3, joint: &Joint) -> SE3 {
        *above * SE3::new(joint.turn, joint.turn * Vector3::new(1.0 + joint.slide, 0.0, 0.0))
    }

    #[kinetic_energy(over = place)]
    fn kinetic(v: &Vector6<f64>) -> f64 {
        0.5 * v.linear().norm_squared() + 0.05 * v.angular().norm_squared()
    }
    #[potential(over = place)]
    fn weight(place: &SE3) -> f64 {
        9.81 * place.translation.z
    }
    #[potential(over = joints)]
    fn spring(joint: &Joint) -> f64 {
        20.0 * joint.slide * joint.slide
    }
    #[dissipation(over = joints)]
    fn friction(v: &JointVelocity) -> f64 {
        0.1 * v.turn.norm_squared() + 0.2 * v.slide * v.slide
    }
}

/// The same two links written out.
#[mechanical_system]
pub mod written {
    use lie_runtime::prelude::*;

    pub struct Joint {
        pub turn: SO3,
        pub slide: f64,
    }

    #[configuration]
    pub struct Arm {
        pub joints: [Joint; 2],
    }

    fn reach(joint: &Joint) -> Vector3<f64> {
        joint.turn * Vector3::new(1.0 + joint.slide, 0.0, 0.0)
    }

    #[quantity]
    pub fn ends(q: &Arm) -> Vector6<f64> {
        let [a, b] = &q.joints;
        let first = reach(a);
        let second = first + a.turn * reach(b);
        Vector6::new(first.x, first.y, first.z, second.x, second.y, second.z)
    }
    #[kinetic_energy]
    fn kinetic(q: &Arm, v: &Velocity) -> f64 {
        let spin = q.joints[1].turn.inverse() * v.joints[0].turn + v.joints[1].turn;
        0.5 * ends_rate(q, v).norm_squared() + 0.05 * (v.joints[0].turn.norm_squared() + spin.norm_squared())
    }
    #[potential]
    fn weight(q: &Arm) -> f64 {
        9.81 * (ends(q).z + ends(q)[5]) + q.joints.iter().map(|joint| 20.0 * joint.slide * joint.slide).sum::<f64>()
    }
    #[dissipation]
    fn friction(v: &Velocity) -> f64 {
        v.joints.iter().map(|v| 0.1 * v.turn.norm_squared() + 0.2 * v.slide * v.slide).sum()
    }
}

#[test]
fn joints_of_several_coordinates() {
    let turns = [Vector3::new(0.1, 0.3, -0.2), Vector3::new(-0.4, 0.2, 0.5)].map(|turn| SO3::exp(&turn));
    let slides = [0.1, -0.05];
    let system = frames::System::new(frames::Lengths { joints: 2 }).unwrap();
    let q = frames::Arm { joints: (0..2).map(|at| frames::Joint { turn: turns[at], slide: slides[at] }).collect() };
    let other = written::System::new().unwrap();
    let written = written::Arm { joints: [0, 1].map(|at| written::Joint { turn: turns[at], slide: slides[at] }) };
    let components = [0.3, -0.2, 0.5, 0.1, 0.4, 0.2, -0.3, -0.2];
    let run = Simulation::of(&system).initial(q, components.to_vec()).step(1e-3).end_time(0.3).run().unwrap();
    let start = Simulation::of(&other).initial(written, components);
    let expected = start.step(1e-3).end_time(0.3).run().unwrap();
    let (found, expected) = (&run.last().velocity, &expected.last().velocity);
    for component in 0..8 {
        let (one, other) = (found.component(component), expected.component(component));
        assert!((one - other).abs() < 1e-10 * (1.0 + other.abs()), "{found} and {expected}");
    }
    let change = (0..8).fold(0.0_f64, |most, at| most.max((expected[at] - components[at]).abs()));
    assert!(change > 0.5, "nothing moves");
}
