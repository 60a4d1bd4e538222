//! A robot that is read from a URDF file, with a motor and a tool: the arm settles in its equilibrium. It runs in less than a second.
//!
//! The feature `robots` reads the file when the program is compiled.
//!
//! ```text
//! cargo run --release -p examples --features robots --example robot_from_urdf
//! ```

use std::{error::Error, path::Path};

use lie_runtime::prelude::*;

/// The file declares the joints `shoulder` and `elbow` and the links `upper_arm` and `forearm`.
#[mechanical_system(urdf = "two_link_arm.urdf")]
mod arm {
    /// The torques of the motors.
    #[inputs]
    pub struct Motors {
        pub shoulder: f64,
    }

    #[force(on = shoulder)]
    fn shoulder_motor(u: &Motors) -> f64 {
        u.shoulder
    }

    /// Links are functions of the joints.
    #[observable]
    pub fn tool(q: &Joints) -> Vector3<f64> {
        forearm(q) * Vector3::new(0.0, 0.0, -0.4)
    }
}

/// Writes the figures into a folder and returns the final angles of shoulder and elbow.
pub(crate) fn simulate(folder: &Path) -> Result<[f64; 2], Box<dyn Error>> {
    let torque = 3.0;
    let system = arm::System::new()?.with_inputs_over_time(move |_| arm::Motors { shoulder: torque.into() });
    let start = arm::from_joints(&[("shoulder", 0.0), ("elbow", 1.0)])?;
    let times: Vec<f64> = (0..=320).map(|i| 0.05 * f64::from(i)).collect();
    let run = Simulation::of(&system).at_rest(start).end_time(16.0).output_times(&times).run()?;

    println!("{}", run.table(["t", "shoulder", "elbow", "tool"])?.every(32));
    run.plot()
        .lines(["shoulder θ₁ [rad]", "elbow θ₂ [rad]", "tool r [m]"])
        .title("Robot from URDF")
        .save(folder.join("robot_from_urdf.svg"))?;
    run.animate()
        .line("arm", |state| {
            let q = &state.configuration;
            vec![Vector3::zeros(), arm::forearm(q) * Vector3::zeros(), arm::tool(q)]
        })
        .save(folder.join("robot_from_urdf.html"))?;
    Ok([run.last().configuration.shoulder, run.last().configuration.elbow])
}

fn main() -> Result<(), Box<dyn Error>> {
    simulate(std::env::args().nth(1).unwrap_or(".".into()).as_ref()).map(drop)
}
