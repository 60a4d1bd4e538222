//! A satellite that changes its attitude with three reaction wheels and keeps its angular momentum. It runs in less than a second.

use std::{error::Error, path::Path};

use lie_runtime::picture::{Shape, pose};
use lie_runtime::prelude::*;

#[mechanical_system]
mod satellite {
    #[configuration]
    pub struct Pose {
        pub attitude: SO3,
        /// The angles of the wheels on the x, y and z axes of the body, in radians.
        pub wheels: R3,
    }

    #[parameters]
    pub struct Satellite {
        /// Principal moments of inertia, with the masses of the wheels.
        pub body: Vector3<f64>,
        /// The moment of inertia of a wheel about its axis.
        pub wheel: f64,
        /// Stiffness and damping of the attitude control.
        pub gains: [f64; 2],
    }

    #[kinetic_energy]
    fn kinetic(p: &Satellite, v: &Velocity) -> f64 {
        let body = v.attitude.dot(&p.body.component_mul(&v.attitude));
        0.5 * body + 0.5 * p.wheel * (v.attitude + v.wheels).norm_squared()
    }

    /// The motors of the wheels. The target is the attitude of the space frame.
    #[force(on = wheels)]
    fn motors(p: &Satellite, q: &Pose, v: &Velocity) -> Vector3<f64> {
        p.gains[0] * q.attitude.log() + p.gains[1] * v.attitude
    }

    /// The angular momentum in space.
    #[observable]
    pub fn momentum(p: &Satellite, q: &Pose, v: &Velocity) -> Vector3<f64> {
        q.attitude * (p.body.component_mul(&v.attitude) + p.wheel * (v.attitude + v.wheels))
    }
}

/// Writes the figures into a folder. Returns the final angle to the target, and the relative change of the momentum.
pub(crate) fn simulate(folder: &Path) -> Result<[f64; 2], Box<dyn Error>> {
    let body = Vector3::new(12.0, 10.0, 7.0);
    let system = satellite::System::new(satellite::Satellite { body, wheel: 0.05, gains: [0.5, 3.5] })?;
    let start = satellite::Pose { attitude: SO3::exp(&Vector3::new(1.2, -0.8, 1.5)), wheels: Vector3::zeros() };
    let spin = satellite::Velocity { attitude: Vector3::new(0.02, 0.05, -0.03), wheels: Vector3::zeros() };
    let times: Vec<f64> = (0..=400).map(|i| 0.2 * f64::from(i)).collect();
    let run = Simulation::of(&system).initial(start, spin).end_time(80.0).output_times(&times).run()?;

    println!("{}", run.table(["t", "velocity.wheels", "momentum"])?.every(40));
    let figure =
        run.plot().lines(["velocity.attitude ω [rad/s]", "velocity.wheels Ω [rad/s]"]).title("Reaction wheels");
    figure.save(folder.join("reaction_wheels.svg"))?;
    run.animate()
        .solid("satellite", Shape::Box([1.0, 0.8, 0.6]), |state| {
            pose(state.configuration.attitude.rotation_matrix(), Vector3::zeros())
        })
        .save(folder.join("reaction_wheels.html"))?;
    let momentum = |state: &State<satellite::System>| {
        satellite::momentum(system.parameters(), &state.configuration, &state.velocity.into())
    };
    let (first, last) = (momentum(run.first()), momentum(run.last()));
    Ok([run.last().configuration.attitude.log().norm(), (last - first).norm() / first.norm()])
}

fn main() -> Result<(), Box<dyn Error>> {
    simulate(std::env::args().nth(1).unwrap_or(".".into()).as_ref()).map(drop)
}
