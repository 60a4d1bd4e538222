//! The result of a run: values by name, energies, reactions, tables and dense output.

use lie_runtime::prelude::*;
use lie_runtime::simulate::ColumnError;

/// A pendulum of mass 1 on a rod of length 1, whose weight an event can double.
#[mechanical_system]
mod pendulum {
    #[configuration]
    pub struct Pose {
        pub position: R2,
    }

    #[parameters]
    #[derive(Clone)]
    pub struct Data {
        pub weight: f64,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * v.position.norm_squared()
    }

    #[potential]
    fn weight(data: &Data, q: &Pose) -> f64 {
        data.weight * q.position.y
    }

    #[constraint]
    fn rod(q: &Pose) -> f64 {
        q.position.norm() - 1.0
    }

    #[observable]
    pub fn angle(q: &Pose) -> f64 {
        q.position.x.atan2(-q.position.y)
    }
}

fn system() -> pendulum::System {
    pendulum::System::new(pendulum::Data { weight: 9.81 }).unwrap()
}

fn level() -> pendulum::Pose {
    pendulum::Pose { position: Vector2::new(1.0, 0.0) }
}

#[test]
fn values_are_selected_by_the_names_of_the_declaration() {
    let system = system();
    let times = [0.0, 0.25, 0.5];
    let run = Simulation::of(&system)
        .at_rest(level())
        .rtol(1e-9)
        .atol(1e-9)
        .end_time(0.5)
        .output_times(&times)
        .run()
        .unwrap();
    let height: Vec<f64> = run.states.iter().map(|state| state.configuration.position.y).collect();
    for name in ["position.y", "position[1]", "configuration.position[1]"] {
        assert_eq!(run.column(name).unwrap(), height, "{name}");
    }
    let angle: Vec<f64> = run.states.iter().map(|state| pendulum::angle(&state.configuration)).collect();
    assert_eq!(run.column("angle").unwrap(), angle);
    assert_eq!(run.column("t").unwrap(), times);

    let Err(ColumnError::Several { values: 2, .. }) = run.column("position") else { panic!() };
    let error = run.column("positoin.y").unwrap_err();
    assert!(matches!(&error, ColumnError::Unknown { nearest: Some(name), .. } if name == "position"), "{error}");
    // `main` prints errors with `Debug`.
    assert_eq!(format!("{error:?}"), error.to_string());

    let table = run.table(["t", "position", "angle"]).unwrap();
    assert_eq!(table.names, ["t", "position[0]", "position[1]", "angle"]);
    assert_eq!(table.rows[2][2..], [height[2], angle[2]]);
    let text = table.to_string();
    assert_eq!(text.lines().count(), 4);
    assert!(text.starts_with("           t   position[0]   position[1]         angle\n"), "{text}");
    assert!(run.table(["t", "angel"]).unwrap_err().to_string().contains("did you mean `angle`?"));

    let state = run.at(0.25).unwrap();
    assert!((state.configuration.position.y - height[1]).abs() < 1e-12);
    assert_eq!((run.first().time, run.last().time), (0.0, 0.5));
    assert_eq!(run.samples().count(), 3);
    let text = run.to_string();
    assert!(text.starts_with("hedop5: ") && text.contains(" steps from t = 0 to 0.5"), "{text}");
}

/// The energy is zero, and the rod pulls with m (g cos α + v² / l) = −3 m g y towards the origin.
#[test]
fn energies_and_reactions() {
    let system = system();
    let run = Simulation::of(&system).at_rest(level()).rtol(1e-9).atol(1e-9).end_time(0.7).run().unwrap();
    assert!(run.energy().iter().all(|energy| energy.abs() < 1e-7));
    let (reaction, height) = (run.reaction("rod").unwrap(), run.column("position.y").unwrap());
    assert_eq!(reaction.len(), run.states.len());
    for ((state, reaction), height) in run.states.iter().zip(&reaction).zip(&height) {
        // The constraint is the length: a pull is negative.
        assert_eq!(reaction.len(), 1);
        assert!((reaction[0] - 3.0 * 9.81 * height).abs() < 1e-5, "{reaction:?} {height}");
        assert_eq!(reaction[0], -pendulum::Multipliers::from(state.multipliers).rod);
    }
    assert!(reaction.last().unwrap()[0] < -10.0);
    let last = run.last();
    assert_eq!(last.energy(&system), *run.energy().last().unwrap());
    assert_eq!(system.energy(last.time, &last.configuration, &last.velocity), last.energy(&system));
    let error = run.reaction("rodd").unwrap_err();
    assert!(error.to_string().contains("did you mean `rod`?"), "{error}");
    assert!(run.reaction("position").is_err());
}

/// States after an event are evaluated with the system after the event.
#[test]
fn the_system_of_a_state_is_that_after_the_events_before_it() {
    let system = system();
    let run = Simulation::of(&system)
        .at_rest(level())
        .event("heavy", |_, state| state.time - 0.3)
        .apply(|at| at.set(|data| data.weight *= 2.0))
        .step(0.01)
        .end_time(0.5)
        .run()
        .unwrap();
    let energies = run.energy();
    let at = run.events[0].time;
    let height = run.at(at).unwrap().configuration.position.y;
    assert!(energies[0].abs() < 1e-7 && (energies.last().unwrap() - 9.81 * height).abs() < 1e-5, "{energies:?}");
}

#[test]
fn a_run_without_output_times_has_its_last_state() {
    let system = system();
    let run =
        |end: f64| Simulation::of(&system).at_rest(level()).step(0.1).end_time(end).output_times(&[]).run().unwrap();
    assert_eq!((run(0.5).states.len(), run(0.5).last().time), (1, 0.5));
    assert_eq!((run(0.0).states.len(), run(0.0).last().time), (1, 0.0));
    let trajectory: Trajectory<_> = run(0.5).into();
    assert_eq!(trajectory.last().unwrap().time, 0.5);
}
