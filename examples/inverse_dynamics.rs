//! Computed-torque control: a robot arm follows a path with the torques of its inverse dynamics. It runs in less than a second.

use std::{error::Error, path::Path};

use lie_runtime::analysis::StateDynamics;
use lie_runtime::prelude::*;

/// Two links in space on a base that rotates about the vertical, with point masses at the elbow and at the tool.
#[mechanical_system]
mod arm {
    #[configuration]
    pub struct Joints {
        /// The angles of base, shoulder and elbow, in radians. The arm is horizontal if they are zero.
        pub angles: R3,
    }

    #[inputs]
    pub struct Motors {
        pub torque: Vector3<f64>,
    }

    #[quantity]
    pub fn elbow(q: &Joints) -> Vector3<f64> {
        SO3::about_z(q.angles.x) * (SO3::about_y(-q.angles.y) * Vector3::new(0.5, 0.0, 0.0))
    }

    #[quantity]
    pub fn tool(q: &Joints) -> Vector3<f64> {
        elbow(q) + SO3::about_z(q.angles.x) * (SO3::about_y(-q.angles.y - q.angles.z) * Vector3::new(0.5, 0.0, 0.0))
    }

    #[kinetic_energy]
    fn kinetic(q: &Joints, v: &Velocity) -> f64 {
        2.0 * elbow_rate(q, v).norm_squared() + tool_rate(q, v).norm_squared() + 0.05 * v.angles.x.powi(2)
    }

    #[potential]
    fn weight(q: &Joints) -> f64 {
        9.81 * (4.0 * elbow(q).z + 2.0 * tool(q).z)
    }

    #[force]
    fn motors(u: &Motors) -> Vector3<f64> {
        u.torque
    }
}

/// The angles, velocities and accelerations of a path of 1 s, a polynomial of degree five in time.
fn path(t: f64) -> [Vector3<f64>; 3] {
    let (s, goal) = (t.min(1.0), Vector3::new(1.2, 0.9, -1.4));
    [
        s.powi(3) * (10.0 - 15.0 * s + 6.0 * s * s) * goal,
        30.0 * (s * (1.0 - s)).powi(2) * goal,
        60.0 * s * (1.0 - s) * (1.0 - 2.0 * s) * goal,
    ]
}

/// Writes the figure into a folder and returns the largest deviation from the path, in radians.
pub(crate) fn simulate(folder: &Path) -> Result<f64, Box<dyn Error>> {
    let system = arm::System::new()?;
    let unpowered = system.clone().with_inputs_over_time(|_| arm::Motors { torque: Vector3::zeros() });
    let mut dynamics = StateDynamics::of(&unpowered);
    // The torques τ = M (a + 20 e' + 100 e) + g: the error obeys e'' + 20 e' + 100 e = 0.
    let controller = |t: f64, q: &arm::Joints, v: &arm::Velocity| {
        let [angles, rates, accelerations] = path(t);
        let wanted = accelerations + 20.0 * (rates - v.angles) + 100.0 * (angles - q.angles);
        arm::Motors { torque: *dynamics.inverse(t, q, &v.angles, &wanted).expect("the state is finite") }
    };
    let run = Simulation::of(&system).at_rest(arm::Joints { angles: Vector3::zeros() }).controller(1e-3, controller);
    let run = run.end_time(1.5).run()?;
    let deviation = |state: &State<arm::System>| (state.configuration.angles - path(state.time)[0]).amax();

    println!("{}", run.table(["t", "angles", "torque"])?.every(150));
    run.plot().lines(["angles θ [rad]", "torque τ [N m]"]).title("Arm").save(folder.join("inverse_dynamics.svg"))?;
    Ok(run.states.iter().map(deviation).fold(0.0, f64::max))
}

fn main() -> Result<(), Box<dyn Error>> {
    simulate(std::env::args().nth(1).unwrap_or(".".into()).as_ref()).map(|error| println!("deviation: {error:.1e} rad"))
}
