//! A mathematical pendulum with a large amplitude: angle, velocity and energy over three seconds. It runs for a few milliseconds.

use lie_runtime::prelude::*;

/// A point mass on a rod without mass. The coordinate is the angle to the downward vertical, in radians.
#[mechanical_system]
mod pendulum {
    #[configuration]
    pub struct Configuration {
        pub angle: f64,
    }

    #[parameters]
    pub struct Parameters {
        pub mass: f64,
        pub length: f64,
        pub gravity: f64,
    }

    #[kinetic_energy]
    fn kinetic(p: &Parameters, v: &Velocity) -> f64 {
        0.5 * p.mass * p.length.powi(2) * v.angle.powi(2)
    }

    #[potential]
    fn weight(p: &Parameters, q: &Configuration) -> f64 {
        -p.mass * p.gravity * p.length * q.angle.cos()
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let system = pendulum::System::new(pendulum::Parameters { mass: 1.0, length: 1.0, gravity: 9.81 })?;
    let times: Vec<f64> = (0..=12).map(|i| 0.25 * f64::from(i)).collect();
    let run = Simulation::of(&system)
        .initial(pendulum::Configuration { angle: 2.0 }, pendulum::Velocity { angle: 0.0 })
        .end_time(3.0)
        .output_times(&times)
        .run()?;
    println!("{:>5} {:>10} {:>10}", "t", "angle", "velocity");
    for state in &run.states {
        println!("{:5.2} {:10.6} {:10.6}", state.time, state.configuration.angle, state.velocity[0]);
    }
    Ok(())
}
