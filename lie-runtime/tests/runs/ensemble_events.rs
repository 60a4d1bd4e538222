//! Ensembles of runs that events change and controllers drive.

use lie_runtime::ensemble::{Ensemble, Samples};
use lie_runtime::prelude::*;

/// A wagon that is loaded on its way, under a force that is held.
#[mechanical_system]
mod wagon {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Place {
        pub x: f64,
    }

    #[parameters]
    pub struct Wagon {
        pub mass: f64,
    }

    #[inputs]
    pub struct Inputs {
        pub pull: f64,
    }

    #[kinetic_energy]
    fn kinetic(wagon: &Wagon, v: &Velocity) -> f64 {
        0.5 * wagon.mass * v.x * v.x
    }

    #[force(on = x)]
    fn pull(u: &Inputs) -> f64 {
        u.pull
    }

    #[observable]
    fn momentum(wagon: &Wagon, v: &Velocity) -> f64 {
        wagon.mass * v.x
    }
}

const TIMES: [f64; 3] = [0.1, 0.2, 0.5];

/// Loaded at the crossing of 0.2, which the fast members reach, one at a sample time.
#[test]
fn events_and_controllers_leave_samples_alone_and_are_told_with_them() {
    let system = wagon::System::new(wagon::Wagon { mass: 1.0 }).unwrap();
    let speeds = [0.1, 1.0, 2.0];
    let samples = Samples::grid().variable("speed", speeds);
    let measured = ["velocity", "observables", "energy", "inputs"];
    let results = Ensemble::of(&system).over(samples).outputs(measured).run(|system, member| {
        let loaded = Simulation::of(system)
            .initial(wagon::Place { x: 0.0 }, Vector1::new(member.value("speed")?))
            .controller(0.25, |t, _, _| wagon::Inputs { pull: if t < 0.3 { 0.0 } else { 3.0 } })
            .when_rising("loaded", |_, state| state.configuration.x - 0.2)
            .then(|at| {
                at.state().velocity.x *= 0.5;
                at.set(|wagon| wagon.mass = 2.0);
            });
        Ok(loaded.step(0.02).end_time(0.6).output_times(&TIMES).run()?)
    });
    let results = results.unwrap();
    assert!(results.failures().is_empty(), "{:?}", results.failures());
    let told = |column: &str, at: usize| results.column(column).unwrap_or_else(|| panic!("{column}")).values(at);
    assert_eq!((0..results.states()).map(|at| told("t", at)[0]).collect::<Vec<_>>(), TIMES);
    for (at, time) in TIMES.into_iter().enumerate() {
        for (member, speed) in speeds.into_iter().enumerate() {
            // Told at the time of a load: as it was before.
            let mass = if speed * time > 0.2 + 1e-9 { 2.0 } else { 1.0 };
            let expected = [speed / mass, speed, 0.5 * speed * speed / mass, 0.0];
            for (column, expected) in
                ["velocity.x", "observables.momentum", "energy.kinetic", "inputs.pull"].into_iter().zip(expected)
            {
                let found = told(column, at)[member];
                assert!((found - expected).abs() < 1e-9, "{column} of {speed} at {time}: {found} for {expected}");
            }
        }
    }
}
