//! A satellite turns with reaction wheels with friction. A filter estimates its rate. It runs in less than a second.

use std::{error::Error, path::Path};

use lie_runtime::prelude::*;

#[mechanical_system]
mod satellite {
    #[configuration]
    pub struct Pose {
        pub attitude: SO3,
        /// The angles of the wheels on the x, y and z axes of the body, in rad.
        pub wheels: R3,
    }

    #[states]
    pub struct Filter {
        /// The filtered rotation vector, in rad.
        pub angle: Vector3<f64>,
    }

    #[parameters]
    pub struct Satellite {
        /// Principal moments of inertia, with the masses of the wheels, and the moment of inertia of a wheel.
        pub body: Vector3<f64>,
        pub wheel: f64,
        /// The friction of a wheel, in N m s.
        pub friction: f64,
        /// Stiffness and damping of the attitude control, and the time constant of the filter.
        pub gains: [f64; 2],
        pub time_constant: f64,
    }

    #[kinetic_energy]
    fn kinetic(p: &Satellite, v: &Velocity) -> f64 {
        let body = v.attitude.dot(&p.body.component_mul(&v.attitude));
        0.5 * body + 0.5 * p.wheel * (v.attitude + v.wheels).norm_squared()
    }

    #[dissipation]
    fn bearings(p: &Satellite, v: &Velocity) -> f64 {
        0.5 * p.friction * v.wheels.norm_squared()
    }

    /// The motors of the wheels read the filter. Its derivative replaces a gyroscope.
    #[force(on = wheels)]
    fn motors(p: &Satellite, q: &Pose, z: &Filter) -> Vector3<f64> {
        p.gains[0] * z.angle + p.gains[1] * (q.attitude.log() - z.angle) / p.time_constant
    }

    #[rate]
    fn filter(p: &Satellite, q: &Pose, z: &Filter) -> Filter {
        Filter { angle: (q.attitude.log() - z.angle) / p.time_constant }
    }
}

/// Writes the figure into a folder. Returns the rotation vector, the wheel speeds and the filtered angle after 20 s.
pub(crate) fn simulate(folder: &Path) -> Result<[Vector3<f64>; 3], Box<dyn Error>> {
    let (body, gains) = (Vector3::new(12.0, 10.0, 7.0), [0.5, 3.5]);
    let data = satellite::Satellite { body, wheel: 0.05, friction: 1e-3, gains, time_constant: 0.5 };
    let (system, attitude) = (satellite::System::new(data)?, SO3::exp(&Vector3::new(1.2, -0.8, 1.5)));
    let run = Simulation::of(&system).at_rest(satellite::Pose { attitude, wheels: Vector3::zeros() });
    let run = run.rtol(1e-9).atol(1e-11).end_time(20.0).run()?;

    println!("{}", run.table(["t", "states.angle", "velocity.wheels"])?.every(run.states.len() / 12));
    run.plot()
        .lines(["states.angle φ [rad]", "velocity.wheels ω [rad/s]"])
        .title("Attitude filter")
        .caption("A satellite turns by 2.1 rad to its target. Its wheels read the filtered angles, with a time constant of 0.5 s.")
        .save(folder.join("attitude_filter.svg"))?;
    let end: satellite::Velocity = run.last().velocity.into();
    Ok([run.last().configuration.attitude.log(), end.wheels, end.states.angle])
}

fn main() -> Result<(), Box<dyn Error>> {
    simulate(std::env::args().nth(1).unwrap_or(".".into()).as_ref()).map(drop)
}
