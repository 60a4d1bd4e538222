//! Frames with inputs: generated kernels against the declared functions on dual numbers.

use fixtures::random::Random;
use lie_runtime::inputs::Jet;
use lie_runtime::nalgebra::DVector;
use lie_runtime::prelude::*;
use lie_runtime::system::{CheckPoint, derivative_check};

/// Links in a wind, with a motor in the first hinge and a hand at the last.
#[mechanical_system(derivative_check)]
mod arm {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Arm {
        pub hinges: Vec<f64>,
    }

    #[parameters]
    pub struct Links {
        pub length: f64,
        pub inertia: Vector3<f64>,
    }

    #[inputs]
    pub struct Inputs {
        pub torque: f64,
        pub wind: Vector3<f64>,
        pub damping: f64,
        pub gravity: f64,
    }

    #[kinematics(over = hinges)]
    fn link(arm: &Links, above: &SE3, angle: &f64) -> SE3 {
        above * SE3::new(SO3::exp(&Vector3::new(0.0, 0.0, *angle)), Vector3::new(arm.length, 0.0, 0.0))
    }

    #[kinetic_energy(over = link)]
    fn kinetic(arm: &Links, v: &Vector6<f64>) -> f64 {
        0.5 * (v.linear().norm_squared() + v.angular().dot(&arm.inertia.component_mul(&v.angular())))
    }

    #[potential(over = link)]
    fn weight(u: &Inputs, x: &SE3) -> f64 {
        u.gravity * x.translation.y
    }

    #[force(over = link)]
    fn blown(u: &Inputs, x: &SE3, v: &Vector6<f64>) -> Vector6<f64> {
        let f = x.rotation.inverse() * u.wind - u.damping * v.linear();
        Vector6::new(0.0, 0.0, 0.0, f.x, f.y, f.z)
    }

    #[dissipation(over = hinges)]
    fn friction(u: &Inputs, v: &f64) -> f64 {
        0.5 * u.damping * v * v
    }

    #[force(over = hinges.first())]
    fn motor(u: &Inputs) -> f64 {
        u.torque
    }

    #[quantity(over = link.last())]
    fn tip(arm: &Links, x: &SE3) -> Vector3<f64> {
        x * Vector3::new(arm.length, 0.0, 0.0)
    }

    #[force(at = tip)]
    fn hand(u: &Inputs, t: f64) -> Vector3<f64> {
        u.wind * t
    }
}

fn system() -> arm::System {
    let links = arm::Links { length: 0.7, inertia: Vector3::new(0.1, 0.2, 0.3) };
    arm::System::new(links, arm::Lengths { hinges: 4 }).expect("an arm")
}

fn check(system: &arm::System, what: &str) {
    let mut random = Random::new(5);
    for _ in 0..3 {
        let q = arm::Arm { hinges: (0..4).map(|_| random.number()).collect() };
        let [v, acceleration] = core::array::from_fn(|_| DVector::from_fn(4, |_, _| random.number()));
        let (t, multipliers) = (random.number(), system.zero_multipliers());
        let at = CheckPoint { t, q: &q, v: &v, acceleration: &acceleration, multipliers: &multipliers };
        let report = derivative_check(system, at);
        for kernel in ["force", "momentum", "solve_mass", "accelerate", "quantity_rates", "potential_energy"] {
            assert!(report.iter().any(|entry| entry.kernel == kernel), "{kernel} is not compared");
        }
        for entry in report {
            assert!(entry.deviation < 1e-12, "{what}: {entry:?}");
        }
    }
}

/// Inputs as functions of time, changed by the state: functions receive the changed values. Inputs of the potential are not changed.
#[test]
fn kernels_are_those_of_the_declaration() {
    let c = Jet::<f64>::from;
    let over_time = system().with_inputs_over_time(move |t| arm::Inputs {
        torque: c(2.0) * t + c(0.3),
        wind: Vector3::new(c(0.1) * t, t * t, c(-0.4)),
        damping: c(0.1) * t * t + c(0.2),
        gravity: c(9.81) + t,
    });
    check(&over_time, "over time");
    let fed_back = over_time.with_feedback(|_, q, v, inputs| arm::Inputs {
        torque: inputs.torque - 2.0 * v.hinges[0],
        wind: inputs.wind * q.hinges[1].sin(),
        damping: inputs.damping + q.hinges[2] * q.hinges[2],
        gravity: -1.0,
    });
    check(&fed_back, "changed by the state");
}
