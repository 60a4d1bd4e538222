//! A robot arm whose controller is sampled at 200 Hz and tracks a path of the joint angles. It runs in less than a second.

use std::{error::Error, path::Path};

use lie_runtime::prelude::*;

/// Two links of equal length on a base that rotates about the vertical, with point masses at the elbow and at the tool.
#[mechanical_system]
mod arm {
    pub const LENGTH: f64 = 0.5;
    pub const MASSES: [f64; 2] = [4.0, 2.0];

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
        SO3::about_z(q.angles.x) * (SO3::about_y(-q.angles.y) * Vector3::new(LENGTH, 0.0, 0.0))
    }

    #[quantity]
    pub fn tool(q: &Joints) -> Vector3<f64> {
        elbow(q) + SO3::about_z(q.angles.x) * (SO3::about_y(-q.angles.y - q.angles.z) * Vector3::new(LENGTH, 0.0, 0.0))
    }

    #[kinetic_energy]
    fn kinetic(q: &Joints, v: &Velocity) -> f64 {
        0.5 * (MASSES[0] * elbow_rate(q, v).norm_squared()
            + MASSES[1] * tool_rate(q, v).norm_squared()
            + 0.1 * v.angles.x.powi(2))
    }

    #[potential]
    fn weight(q: &Joints) -> f64 {
        9.81 * (MASSES[0] * elbow(q).z + MASSES[1] * tool(q).z)
    }

    #[force]
    fn motors(u: &Motors) -> Vector3<f64> {
        u.torque
    }
}

/// Feedback of angles and velocities along a smooth path of 2 s, with compensation of the weight.
fn controller(t: f64, q: &arm::Joints, v: &arm::Velocity) -> arm::Motors {
    let goal = Vector3::new(1.2, 0.9, -1.4);
    let phase = std::f64::consts::PI * (0.5 * t).min(1.0);
    let (path, rate) = (0.5 * (1.0 - phase.cos()) * goal, 0.25 * std::f64::consts::PI * phase.sin() * goal);
    let [upper, fore] = [q.angles.y, q.angles.y + q.angles.z].map(|angle| 9.81 * arm::LENGTH * angle.cos());
    let elbow = arm::MASSES[1] * fore;
    let weight = Vector3::new(0.0, (arm::MASSES[0] + arm::MASSES[1]) * upper + elbow, elbow);
    arm::Motors { torque: 400.0 * (path - q.angles) + 40.0 * (rate - v.angles) + weight }
}

/// Writes the figures into a folder and returns the final angles of the joints, in radians.
pub(crate) fn simulate(folder: &Path) -> Result<Vector3<f64>, Box<dyn Error>> {
    let system = arm::System::new()?;
    let times: Vec<f64> = (0..=400).map(|i| 0.01 * f64::from(i)).collect();
    let run = Simulation::of(&system).at_rest(arm::Joints { angles: Vector3::zeros() }).controller(0.005, controller);
    let run = run.end_time(4.0).output_times(&times).run()?;

    println!("{}", run.table(["t", "angles", "torque"])?.every(40));
    run.plot().lines(["angles θ [rad]", "torque τ [N m]"]).title("Robot arm").save(folder.join("robot_arm.svg"))?;
    run.animate()
        .line("arm", |state| vec![Vector3::zeros(), arm::elbow(&state.configuration), arm::tool(&state.configuration)])
        .save(folder.join("robot_arm.html"))?;
    Ok(run.last().configuration.angles)
}

fn main() -> Result<(), Box<dyn Error>> {
    simulate(std::env::args().nth(1).unwrap_or(".".into()).as_ref()).map(drop)
}
