//! Optimal control within bounds: a pendulum on a cart is swung up with the least effort, and two quadrotors carry a payload.
//!
//! No paper for the first; the data are taken from M. Kelly, SIAM Review 59 (2017), pp. 849-904, section 6: the cart has two seconds to get
//! from one place to another, with a pole that hangs at first and is balanced in the end, by a bounded, piecewise constant force. The
//! second is compared with the controller of paper 3, section 6. Direct multiple shooting with Gauss-Newton steps: defects are logarithms
//! on the group, their derivatives are computed by the runs.
//!
//! ```text
//! cargo run --release --example swing_up --features estimation                                # both searches, in some seconds
//! cargo run --release --example swing_up --features estimation -- --set length=0.4 --end 1 --format json
//! cargo run --release --example swing_up --features estimation -- --group carried --set payload=0.8 --end 1 --format json
//! ```

pub mod cart;
pub mod error;
pub mod payload;
pub mod search;
pub mod task;

mod pieces;
mod plan;
mod quadratic;

use std::error::Error;
use std::io::Write;
use std::path::Path;

use harness::figure;
use harness::study::{plain_table, tell_figures};
use harness::{Example, InitialValueProblem, Settings, UsageError, Variant};
use lie_runtime::inputs::Constant;
use lie_runtime::prelude::*;

use plan::Plan;
use task::Knot;

/// Both as examples: the pendulum pushed by a constant force, and the quadrotors with thrusts that hold all of them up.
pub fn example() -> Example {
    let hanging = Variant::new("hanging", |settings: &mut Settings| -> Result<_, UsageError> {
        let system = cart::declared::System::new(settings.apply(cart::SwingUp::default().data)?)?;
        let system = system.with_inputs_from(Constant(cart::declared::Inputs { motor: 1.0 }));
        Ok(InitialValueProblem::new(system, cart::start(), Vector2::zeros()))
    });
    let carried = Variant::new("carried", |settings: &mut Settings| -> Result<_, UsageError> {
        let data = settings.apply(payload::data(&crate::quadrotors::model::Quadrotors::default()))?;
        let thrusts = [Vector3::z() * -payload::half_of_the_weight(&data); 2];
        let system =
            payload::declared::System::new(data)?.with_inputs_from(Constant(payload::declared::Inputs { thrusts }));
        let Knot { configuration, velocity } = payload::start(80.0);
        Ok(InitialValueProblem::new(system, configuration, velocity))
    });
    Example {
        name: "swing_up",
        about: "A pendulum is swung up with the least effort, and two quadrotors carry a payload.",
        variants: vec![hanging, carried],
        method: "hedop5",
        step: 5e-3,
        end: 2.0,
        options: &[],
        study: Some(study),
    }
}

/// Both searches, and their figures.
fn study(_: &Example, folder: &Path, out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    let swung = cart::study::study(folder, out)?;
    let (carried, film) = payload::study::study(folder, out)?;
    let motion = swung.figure.save_in(folder, "motion")?;
    let payload = carried.save_in(folder, "payload")?;
    let progress = figure::save(&[swung.progress], folder, "progress")?;
    tell_figures(out, &[motion, payload, progress, swung.film, film])?;
    Ok(())
}

/// Number of steps of a search that are printed.
const TOLD: usize = 12;

/// The steps of a search, of a long one the first and the last.
fn told<M: task::Steered>(plan: &Plan<M>, units: [&str; 2], out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    let row = |(number, step): (usize, &search::Progress)| {
        vec![
            format!("{number}"),
            format!("{:.6}", step.effort),
            format!("{:.1e}", step.defect),
            format!("{:.1e}", step.change),
            format!("{}", step.length),
        ]
    };
    let last = plan.progress.len() - 1;
    let steps = plan.progress.iter().enumerate().filter(|(number, _)| *number < TOLD || *number == last);
    let rows: Vec<Vec<String>> = steps.map(row).collect();
    let [effort, change] = [format!("effort [{}]", units[0]), format!("largest change [{}]", units[1])];
    writeln!(out, "{}", plain_table(&["step", &effort, "longest defect", &change, "length"], &rows))?;
    Ok(())
}
