//! Invalid inputs.

use lie_runtime::inputs::{Interpolation, Table};
use lie_runtime::prelude::*;

use super::{Attack, end, repel};
use crate::models::{led, pushed};

fn cart() -> pushed::System {
    pushed::System::new().unwrap()
}

fn of(push: f64) -> pushed::Inputs {
    pushed::Inputs { push }
}

/// From rest at 0 to t = 1, with these inputs.
fn run(system: &pushed::System) -> Result<f64, String> {
    end(Simulation::of(system).initial(pushed::Cart { x: 0.0 }, Vector1::zeros()).step(0.1).end_time(1.0).run())
}

fn table(times: &[f64], pushes: &[f64], interpolation: Interpolation) -> Result<Table<pushed::Inputs>, String> {
    let rows = pushes.iter().copied().map(of).collect();
    Table::new(times.to_vec(), rows, interpolation).map_err(|error| error.to_string())
}

fn tabulated(times: &[f64], pushes: &[f64], interpolation: Interpolation) -> Result<f64, String> {
    run(&cart().with_inputs_from(table(times, pushes, interpolation)?))
}

fn sampled(period: f64, said: impl Fn(f64) -> f64 + Send) -> Result<f64, String> {
    let system = cart();
    let run = Simulation::of(&system).initial(pushed::Cart { x: 0.0 }, Vector1::zeros());
    end(run.controller(period, move |t, _, _| of(said(t))).step(0.01).end_time(1.0).run())
}

/// A slide that is led.
fn slide(system: &led::System) -> Result<f64, String> {
    let start = led::Slide { x: 0.0, load: 0.0 };
    end(Simulation::of(system).initial(start, Vector2::zeros()).step(0.01).end_time(1.0).run())
}

#[test]
#[allow(clippy::too_many_lines)] // A table.
fn inputs() {
    use Interpolation::{Cubic, Linear};
    let attacks: Vec<Attack<'_>> = vec![
        ("none", &["missing inputs `Inputs`"], Box::new(|| run(&cart()))),
        ("NaN at once", &["`push`", "t = 0.0"], Box::new(|| run(&cart().with_inputs(|_, _, _| of(f64::NAN))))),
        ("∞ at once", &["`push`"], Box::new(|| run(&cart().with_inputs(|_, _, _| of(f64::INFINITY))))),
        (
            "NaN from t = 0.5 on",
            &["`push`", "t = 0.5"],
            Box::new(|| run(&cart().with_inputs(|t, _, _| of(if t > 0.5 { f64::NAN } else { 1.0 })))),
        ),
        (
            "NaN from a place on",
            &["the input `push` is not finite at t = "],
            Box::new(|| run(&cart().with_inputs(|_, q, _| of((0.1 - q.x).sqrt())))),
        ),
        ("the largest", &["not finite"], Box::new(|| run(&cart().with_inputs(|_, _, _| of(f64::MAX))))),
        ("the smallest", &[], Box::new(|| run(&cart().with_inputs(|_, _, _| of(5e-324))))),
        ("no rows", &["0 rows"], Box::new(|| tabulated(&[], &[], Linear))),
        ("one row", &["1 rows"], Box::new(|| tabulated(&[0.0], &[1.0], Linear))),
        ("more times than rows", &["2 times and 1 rows"], Box::new(|| tabulated(&[0.0, 1.0], &[1.0], Linear))),
        ("times backwards", &["row 1", "sort"], Box::new(|| tabulated(&[1.0, 0.0], &[1.0, 1.0], Linear))),
        ("a time twice", &["row 1"], Box::new(|| tabulated(&[0.0, 0.0, 1.0], &[1.0; 3], Linear))),
        ("a time NaN", &["row 1"], Box::new(|| tabulated(&[0.0, f64::NAN, 1.0], &[1.0; 3], Linear))),
        ("a time ∞", &["`t` in row 1"], Box::new(|| tabulated(&[0.0, f64::INFINITY], &[1.0; 2], Linear))),
        ("a row NaN", &["`push`", "row 1"], Box::new(|| tabulated(&[0.0, 1.0], &[0.0, f64::NAN], Linear))),
        (
            "too short a table",
            &["to t = 0.5", "constant_extrapolation"],
            Box::new(|| tabulated(&[0.0, 0.5], &[1.0; 2], Linear)),
        ),
        ("too late a table", &["from t = 0.5"], Box::new(|| tabulated(&[0.5, 1.0], &[1.0; 2], Linear))),
        (
            "a short table with its ends held",
            &[],
            Box::new(
                || run(&cart().with_inputs_from(table(&[0.4, 0.5], &[1.0, 2.0], Cubic)?.constant_extrapolation())),
            ),
        ),
        ("a cubic of two rows", &[], Box::new(|| tabulated(&[0.0, 1.0], &[1.0, 2.0], Cubic))),
        (
            "a cubic of numbers that overflow",
            &["push"],
            Box::new(|| tabulated(&[0.0, 0.5, 1.0], &[f64::MAX, -f64::MAX, f64::MAX], Cubic)),
        ),
        (
            "times that differ by round-off",
            &[],
            Box::new(|| tabulated(&[0.0, 0.5, 0.5_f64.next_up(), 1.0], &[0.0, 0.0, 1.0, 1.0], Linear)),
        ),
        ("sampled every 0", &["sampling period is 0"], Box::new(|| sampled(0.0, |_| 1.0))),
        ("sampled every −1", &["sampling period is -1"], Box::new(|| sampled(-1.0, |_| 1.0))),
        ("sampled every NaN", &["sampling period is NaN"], Box::new(|| sampled(f64::NAN, |_| 1.0))),
        ("sampled every ∞", &["sampling period is inf"], Box::new(|| sampled(f64::INFINITY, |_| 1.0))),
        ("sampled once", &[], Box::new(|| sampled(10.0, |_| 1.0))),
        ("sampled endlessly", &["sampling period is 1e-300"], Box::new(|| sampled(1e-300, |_| 1.0))),
        (
            "a controller that returns NaN at the end",
            &["`push`", "t = 0.5"],
            Box::new(|| sampled(0.1, |t| if t > 0.45 { f64::NAN } else { 1.0 })),
        ),
        (
            "a controller that diverges",
            &["push"],
            Box::new(|| sampled(0.1, |t| if t > 0.45 { f64::INFINITY } else { 1e300 })),
        ),
        (
            "led by the state",
            &["`led`", "functions of time"],
            Box::new(|| {
                let system = led::System::new().unwrap().with_inputs(|_, q, _| led::Inputs { place: q.load });
                slide(&system)
            }),
        ),
        (
            "led along straight lines",
            &["`led`", "cubic"],
            Box::new(|| {
                let rows = vec![led::Inputs { place: 0.0 }, led::Inputs { place: 1.0 }];
                let table = Table::new(vec![0.0, 1.0], rows, Linear).map_err(|error| error.to_string())?;
                slide(&led::System::new().unwrap().with_inputs_from(table))
            }),
        ),
        (
            "led to another place",
            &["violates constraint `led`"],
            Box::new(|| {
                let system = led::System::new().unwrap();
                slide(&system.with_inputs_over_time(|t| led::Inputs { place: t + lie_runtime::inputs::Jet::from(3.0) }))
            }),
        ),
        (
            "prescribed with an infinite derivative",
            &["not finite"],
            Box::new(|| {
                let system = led::System::new().unwrap();
                slide(&system.with_inputs_over_time(|t| led::Inputs { place: t.sqrt() }))
            }),
        ),
        (
            "led smoothly",
            &[],
            Box::new(|| {
                let system = led::System::new().unwrap();
                slide(&system.with_inputs_over_time(|t| led::Inputs { place: t * t }))
            }),
        ),
    ];
    repel(attacks);
}
