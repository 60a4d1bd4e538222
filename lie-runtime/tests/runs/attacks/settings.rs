//! Invalid steps, times, tolerances, records and limits.

use core::ops::ControlFlow;

use lie_runtime::integrator::StepController;
use lie_runtime::prelude::*;
use lie_runtime::simulate::Limits;

use super::{Attack, at, end, repel, spring_of};

#[test]
#[allow(clippy::too_many_lines)] // A table.
fn steps_and_tolerances() {
    let soft = spring_of(1.0, 1.0, 0.0).unwrap();
    let soft_run = || Simulation::of(&soft).initial(at(1.0), Vector1::zeros());
    let attacks: Vec<Attack<'_>> = vec![
        // Steps and times.
        ("step NaN", &["step size is NaN"], Box::new(|| end(soft_run().step(f64::NAN).end_time(1.0).run()))),
        ("step ∞", &["step size is inf"], Box::new(|| end(soft_run().step(f64::INFINITY).end_time(1.0).run()))),
        ("step −0", &["step size is -0"], Box::new(|| end(soft_run().step(-0.0).end_time(1.0).run()))),
        (
            "smallest step",
            &["floating-point resolution"],
            Box::new(|| end(soft_run().step(5e-324).end_time(1.0).run())),
        ),
        ("smallest step to the smallest end", &[], Box::new(|| end(soft_run().step(5e-324).end_time(5e-324).run()))),
        ("a step longer than the run", &[], Box::new(|| end(soft_run().step(1e300).end_time(0.1).run()))),
        ("end NaN", &["end time is NaN"], Box::new(|| end(soft_run().step(0.1).end_time(f64::NAN).run()))),
        (
            "end before the start",
            &["not before the start"],
            Box::new(|| end(soft_run().start_time(2.0).step(0.1).end_time(1.0).run())),
        ),
        ("end at the start", &[], Box::new(|| end(soft_run().start_time(1.0).step(0.1).end_time(1.0).run()))),
        (
            "start NaN",
            &["initial time"],
            Box::new(|| end(soft_run().start_time(f64::NAN).step(0.1).end_time(1.0).run())),
        ),
        (
            "start ∞",
            &["initial time"],
            Box::new(|| end(soft_run().start_time(f64::INFINITY).step(0.1).end_time(1.0).run())),
        ),
        (
            "largest start",
            &["floating-point resolution"],
            Box::new(|| end(soft_run().start_time(f64::MAX).step(1.0).end_time(f64::MAX).run())),
        ),
        (
            "a span that overflows",
            &["limit"],
            Box::new(|| end(soft_run().start_time(-1e308).step(1e300).end_time(1e308).run())),
        ),
        (
            "a late start",
            &["floating-point resolution"],
            Box::new(|| end(soft_run().start_time(1e15).step(0.1).end_time(1e15 + 1.0).run())),
        ),
        (
            "no step",
            &["missing step size"],
            Box::new(|| end(soft_run().method(HalfExplicit::herk4()).end_time(1.0).run())),
        ),
        ("no end", &["missing end time"], Box::new(|| end(soft_run().step(1.0).run()))),
        // Controllers.
        (
            "tolerance NaN",
            &["relative tolerance"],
            Box::new(|| end(soft_run().rtol(f64::NAN).atol(1e-8).end_time(1.0).run())),
        ),
        (
            "tolerance ∞",
            &["relative tolerance"],
            Box::new(|| end(soft_run().rtol(f64::INFINITY).atol(1e-8).end_time(1.0).run())),
        ),
        ("tolerance 0", &["absolute tolerance"], Box::new(|| end(soft_run().rtol(0.0).atol(0.0).end_time(1.0).run()))),
        (
            "tolerance −1",
            &["relative tolerance"],
            Box::new(|| end(soft_run().rtol(-1.0).atol(1e-8).end_time(1.0).run())),
        ),
        (
            "tolerance below round-off",
            &["tolerances"],
            Box::new(|| end(soft_run().rtol(0.0).atol(1e-30).end_time(1.0).run())),
        ),
        (
            "tolerance below the round-off of large numbers",
            &["values of size 1.0e8", "3.6e-7"],
            Box::new(|| {
                let fast = Simulation::of(&soft).initial(at(1.0), Vector1::new(1e8));
                end(fast.rtol(0.0).atol(1e-8).end_time(1.0).run())
            }),
        ),
        (
            "a small tolerance of small numbers",
            &[],
            Box::new(|| {
                let slow = Simulation::of(&soft).initial(at(0.0), Vector1::new(1e-9));
                end(slow.rtol(0.0).atol(1e-18).end_time(1.0).run())
            }),
        ),
        (
            "first step NaN",
            &["step size"],
            Box::new(|| end(soft_run().rtol(1e-6).atol(1e-8).initial_step(f64::NAN).end_time(1.0).run())),
        ),
        (
            "first step 0",
            &["step size"],
            Box::new(|| end(soft_run().rtol(1e-6).atol(1e-8).initial_step(0.0).end_time(1.0).run())),
        ),
        (
            "first step huge",
            &[],
            Box::new(|| end(soft_run().rtol(1e-6).atol(1e-8).initial_step(1e300).end_time(1.0).run())),
        ),
        (
            "no estimate",
            &["no embedded error estimate"],
            Box::new(|| end(soft_run().method(HalfExplicit::herk4()).rtol(1e-6).atol(1e-8).end_time(1.0).run())),
        ),
        (
            "no rejections",
            &[],
            Box::new(|| {
                let controller = StepController::new(1e-6, 1e-8).maximum_rejections(0);
                end(soft_run().step_controller(controller).initial_step(1e-3).end_time(1.0).run())
            }),
        ),
        (
            "largest step below resolution",
            &["step", "minimum"],
            Box::new(|| {
                let controller = StepController::new(1e-6, 1e-8).maximum_step(1e-20);
                end(soft_run().step_controller(controller).start_time(1.0).end_time(2.0).run())
            }),
        ),
        (
            "safety 0",
            &["safety factor"],
            Box::new(|| {
                let controller = StepController::new(1e-6, 1e-8).safety(0.0);
                end(soft_run().step_controller(controller).end_time(1.0).run())
            }),
        ),
    ];
    repel(attacks);
}

#[test]
fn records_and_limits() {
    let soft = spring_of(1.0, 1.0, 0.0).unwrap();
    let soft_run = || Simulation::of(&soft).initial(at(1.0), Vector1::zeros());
    let attacks: Vec<Attack<'_>> = vec![
        // Records.
        (
            "record every 0",
            &["output_every(0)"],
            Box::new(|| end(soft_run().step(0.1).end_time(1.0).output_every(0).run())),
        ),
        (
            "record every so often",
            &[],
            Box::new(|| end(soft_run().step(0.1).end_time(1.0).output_every(usize::MAX).run())),
        ),
        (
            "sample NaN",
            &["output time NaN"],
            Box::new(|| end(soft_run().step(0.1).end_time(1.0).output_times(&[f64::NAN]).run())),
        ),
        (
            "sample outside",
            &["output time 2"],
            Box::new(|| end(soft_run().step(0.1).end_time(1.0).output_times(&[2.0]).run())),
        ),
        ("sample at −0", &[], Box::new(|| end(soft_run().step(0.1).end_time(1.0).output_times(&[-0.0, 0.0]).run()))),
        (
            "a sample close to a step",
            &[],
            Box::new(|| {
                end(soft_run()
                    .step(0.1)
                    .end_time(1.0)
                    .output_times(&[0.1, 0.1_f64.next_up(), 0.1_f64.next_down()])
                    .run())
            }),
        ),
        (
            "a hundred samples at once",
            &[],
            Box::new(|| end(soft_run().step(0.1).end_time(1.0).output_times(&[0.55; 100]).run())),
        ),
        // Limits.
        (
            "no steps allowed",
            &["limit"],
            Box::new(|| end(soft_run().step(0.1).end_time(1.0).limits(Limits::default().steps(0)).run())),
        ),
        (
            "no seconds allowed",
            &["0 s of wall-clock time"],
            Box::new(|| end(soft_run().step(0.1).end_time(1.0).limits(Limits::default().seconds(0.0)).run())),
        ),
        (
            "no bytes allowed",
            &["limit"],
            Box::new(|| end(soft_run().step(0.1).end_time(1.0).limits(Limits::default().bytes(0)).run())),
        ),
        ("endless", &["limit"], Box::new(|| end(soft_run().step(1e-8).end_time(1e6).run()))),
        (
            "an observer that stops and another",
            &[],
            Box::new(|| {
                end(soft_run().step(0.1).end_time(1.0).on_step(|_| ControlFlow::Break(())).on_step(|_| {}).run())
            }),
        ),
    ];
    repel(attacks);
}
