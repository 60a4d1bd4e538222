//! Newton's method of generalized-α: its convergence, its factors, its failure.

use fixtures::measure::position_residual;
use fixtures::systems::formulation::HeavyTop;
use fixtures::systems::heavy_tops::se3;
use fixtures::systems::top_in_space::{self, top_in_space as top};
use lie_runtime::integrator::generalized_alpha::{
    GeneralizedAlpha, GeneralizedAlphaOptions, METHODS, NewtonUpdate, Parameters,
};
use lie_runtime::integrator::{Integrator, State, StepFailure};
use lie_runtime::prelude::*;
use lie_runtime::simulate::{ConsistentValues, Failure};
use lie_runtime::system::Linearised;

type Top = top::System;

/// All methods with exact matrices, and some choices changed.
fn methods(change: impl Fn(&mut GeneralizedAlphaOptions)) -> impl Iterator<Item = GeneralizedAlpha> {
    METHODS.into_iter().map(move |method| {
        let mut options =
            GeneralizedAlphaOptions::default().formulation(method.formulation).newton(NewtonUpdate::Exact);
        change(&mut options);
        GeneralizedAlpha::new(Parameters::chung_hulbert(0.9).unwrap(), options).unwrap()
    })
}

fn initial() -> (Top, State<Top>) {
    let (system, q, v) = top_in_space::of_the_paper();
    let (state, _) = ConsistentValues::of(&system).state(&system, 0.0, q, v).unwrap();
    (system, state)
}

#[test]
fn convergence_is_quadratic() {
    let (system, mut from) = initial();
    // A large step, and no tolerance that would stop the iteration early.
    let h = 5e-3;
    for method in methods(|options| options.tolerance = 1e-15) {
        let mut workspace = Integrator::<Top>::workspace(&method, &system, &from);
        method.start(&system, &mut from, &mut workspace).unwrap();
        let mut to = from.clone();
        method.step(&system, &from, h, &mut to, &mut workspace).unwrap();
        let residuals: Vec<f64> = workspace.residuals().iter().map(|[balance, _]| *balance).collect();
        println!("{}: {residuals:?}", method.id());
        // r_{k+1} <= r_k² relative to the first, also from under 1e-4: a linear convergence would have to be as fast.
        let relative: Vec<f64> = residuals.iter().map(|residual| residual / residuals[0]).collect();
        let round_off = 1e-14;
        assert!(relative.windows(2).skip(1).all(|r| r[1] < r[0] * r[0] + round_off), "{}: {relative:?}", method.id());
        assert!(relative.windows(2).any(|r| r[0] < 1e-4 && r[1] < 1e-12), "{}: {relative:?}", method.id());
    }
}

/// Steps of size h over a tenth of a second: the last state, iterations and factorisations a step.
fn run<M>(system: &M, from: &State<M>, method: GeneralizedAlpha, h: f64) -> (State<M>, f64, f64)
where
    M: Linearised,
{
    let mut from = from.clone();
    let mut workspace = Integrator::<M>::workspace(&method, system, &from);
    method.start(system, &mut from, &mut workspace).unwrap();
    let mut to = from.clone();
    let mut steps = 0;
    while from.time < 0.1 - 0.5 * h {
        method.step(system, &from, h, &mut to, &mut workspace).unwrap();
        core::mem::swap(&mut from, &mut to);
        steps += 1;
    }
    let iterations = Integrator::<M>::newton_iterations(&method, &workspace).unwrap();
    (from, iterations, workspace.factorisations() as f64 / f64::from(steps))
}

#[test]
fn factors_are_kept_while_they_converge() {
    // In the body nothing but gravity and the coordinates of a step change the matrix.
    let system = se3::System::of_the_paper();
    let (q, v) = se3::System::initial();
    let (from, _) = ConsistentValues::of(&system).state(&system, 0.0, q, v).unwrap();
    let h = 1e-3;
    let exact: Vec<_> = methods(|_| ()).map(|method| (method.id(), run(&system, &from, method, h))).collect();
    let modified = methods(|options| options.newton = NewtonUpdate::Modified);
    let simplified = methods(|options| options.newton = NewtonUpdate::Simplified);
    for ((id, (state, iterations, _)), method) in exact.iter().zip(simplified) {
        let (simple, more_iterations, factorisations) = run(&system, &from, method, h);
        println!("{id}: {iterations}, simplified {more_iterations} / {factorisations}");
        assert_eq!(factorisations, 1.0, "{id}");
        assert!(more_iterations < 1.7 * iterations, "{id}: {more_iterations} iterations a step");
        assert!((state.velocity - simple.velocity).amax() < 1e-7, "{id}");
        assert!((state.multipliers - simple.multipliers).amax() < 1e-2, "{id}");
    }
    for ((id, (state, iterations, factorisations)), method) in exact.into_iter().zip(modified) {
        let (kept, more_iterations, fewer_factorisations) = run(&system, &from, method, h);
        println!("{id}: {iterations} / {factorisations}, modified {more_iterations} / {fewer_factorisations}");
        assert_eq!(iterations, factorisations);
        assert!(fewer_factorisations < 0.2, "{id}: {fewer_factorisations} factorisations a step");
        assert!(more_iterations < 2.5 * iterations, "{id}: {more_iterations} iterations a step");
        assert!((state.velocity - kept.velocity).amax() < 1e-7, "{id}");
        assert!((state.multipliers - kept.multipliers).amax() < 1e-2, "{id}");
        assert!(position_residual(&system, &kept) < 1e-13, "{id}");
    }
}

#[test]
fn a_step_that_fails_is_made_in_parts_and_then_told() {
    let (system, q, v) = top_in_space::of_the_paper();
    let start = || Simulation::of(&system).initial(q, v);
    for method in methods(|options| options.maximum_iterations = 1) {
        let error = start().method(method).step(0.01).end_time(1.0).run().unwrap_err();
        let Failure::Step(failed) = &error.failure else { panic!("{error}") };
        let StepFailure::NewtonNotConverged { iterations, residual, constraint } = failed.failure else {
            panic!("{error}")
        };
        assert_eq!((failed.time, failed.step, iterations), (0.0, 0.01 / 16.0, 1));
        assert!(residual.is_finite() && constraint.is_finite() && residual > 0.0);
        let text = error.to_string();
        assert!(
            ["t = 0", "0.000625", "1 iteration", "equations of motion", "constraints"]
                .iter()
                .all(|part| text.contains(part)),
            "{text}"
        );
    }
    // Parts of the step are enough.
    for method in methods(|options| options.maximum_iterations = 2) {
        let whole = GeneralizedAlpha::new(*method.parameters(), method.options().maximum_halvings(0));
        assert!(start().method(whole.unwrap()).step(0.01).end_time(0.1).run().is_err(), "{}", method.id());
        start()
            .method(method)
            .step(0.01)
            .end_time(0.1)
            .run()
            .unwrap_or_else(|error| panic!("{}: {error}", method.id()));
    }
}
