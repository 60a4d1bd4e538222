//! Invalid use of the library: every case returns an error with a useful message or a valid motion, and none panics.

mod ensembles;
mod inputs;
mod invalid_values;
mod motions;
mod resuming;
mod settings;
mod starts;

use std::panic::{AssertUnwindSafe, catch_unwind};

use lie_runtime::prelude::*;

use crate::models::{held_body, spring};

/// An attack by name: the words that its error has to have; none if it has to end well.
type Attack<'a> = (&'a str, &'a [&'a str], Box<dyn FnOnce() -> Result<f64, String> + 'a>);

/// The largest number that a run leaves.
fn end<M: MechanicalSystem>(run: Result<Run<'_, M>, Box<SimulationError<M>>>) -> Result<f64, String> {
    let run = run.map_err(|error| format!("{error:?}"))?;
    let finite = run.states.iter().all(|state| state.velocity.all_finite() && state.multipliers.all_finite());
    assert!(finite, "a NaN has been passed on");
    Ok(run.states.iter().map(|state| state.velocity.max_norm()).fold(run.statistics.position_residual, f64::max))
}

fn spring_of(mass: f64, stiffness: f64, damping: f64) -> Result<spring::System, String> {
    spring::System::new(spring::Data { mass, stiffness, damping }).map_err(|error| error.to_string())
}

fn at(x: f64) -> spring::Position {
    spring::Position { x: Vector1::new(x) }
}

/// A body on its hinge.
fn hinged() -> held_body::Body {
    held_body::Body { attitude: SO3::identity(), position: Vector3::y() }
}

/// Lets all of them loose.
fn repel(attacks: Vec<Attack<'_>>) {
    let mut bad = Vec::new();
    for (name, words, attack) in attacks {
        let outcome = catch_unwind(AssertUnwindSafe(attack));
        let text = match &outcome {
            Ok(Ok(size)) => format!("Ok, {size:e}"),
            Ok(Err(error)) => error.clone(),
            Err(_) => "PANIC".into(),
        };
        println!("{name}: {text}");
        let as_expected = match &outcome {
            Ok(Ok(_)) => words.is_empty(),
            Ok(Err(error)) => !words.is_empty() && words.iter().all(|word| error.contains(word)) && error.len() < 700,
            Err(_) => false,
        };
        if !as_expected {
            bad.push(format!("{name}: {text}"));
        }
    }
    assert!(bad.is_empty(), "\n{}", bad.join("\n"));
}
