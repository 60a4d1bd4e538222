//! Fields and Hamiltonians run like mechanical systems: the same sentence, limits, names of methods, files and errors.

use core::ops::ControlFlow;

use lie_runtime::field::VectorFieldProblem;
use lie_runtime::integrator::StepFailure;
use lie_runtime::prelude::*;
use lie_runtime::simulate::{Limits, MethodError, SetupError};

use crate::models::wheel;

/// x' = λ x, or x' = x² where λ is NaN.
struct Scalar(f64);

impl VectorField for Scalar {
    type Point = Vector1<f64>;
    type Workspace = ();

    fn zero(&self) -> Vector1<f64> {
        Vector1::zeros()
    }
    fn workspace(&self) {}
    fn evaluate(&self, _: f64, x: &Vector1<f64>, (): &mut (), out: &mut Vector1<f64>) -> Result<(), StepFailure> {
        *out = if self.0.is_nan() { x.component_mul(x) } else { x * self.0 };
        Ok(())
    }
}

fn run(
    rate: f64,
    h: f64,
    end: f64,
) -> Result<Trajectory<VectorFieldProblem<Scalar>>, Box<SimulationError<VectorFieldProblem<Scalar>>>> {
    let field = Scalar(rate);
    Simulation::of_field(&field)
        .initial(Vector1::new(1.0))
        .method_named("rkmk4")
        .unwrap()
        .step(h)
        .end_time(end)
        .run()
        .map(Into::into)
}

#[test]
fn a_blow_up_is_told_with_the_step_that_would_do() {
    for h in [4e-3, 0.01, 1.0] {
        let error = run(-1e3, h, 500.0 * h).unwrap_err();
        let Failure::Diverged { divergence, .. } = &error.failure else { panic!("{h}: {error}") };
        assert!((divergence.rate.unwrap() / 1e3 - 1.0).abs() < 1e-6, "{error}");
        let text = error.to_string();
        assert!(
            text.contains("the motion diverges")
                && text.contains("use steps of about 1.0e-3")
                && !text.contains("lie_alpha"),
            "{text}"
        );
        assert!(error.last.as_ref().unwrap().point.x.abs() < 1e3, "the last good state is calm: {:?}", error.last);
    }
    // 1 / (1 − t) ends at 1, whatever the step.
    for h in [1e-2, 1e-4] {
        let error = run(f64::NAN, h, 2.0).unwrap_err();
        assert!(matches!(error.failure, Failure::Diverged { .. }), "{error}");
        assert!((0.5..1.1).contains(&error.last.as_ref().unwrap().time), "{error}");
    }
}

/// Growth that steps resolve is none, nor is stiffness that they are stable at.
#[test]
fn honest_growth_passes() {
    assert!((run(10.0, 1e-2, 5.0).unwrap().last().unwrap().point.x / 50.0_f64.exp() - 1.0).abs() < 1e-3);
    assert!(run(-1e3, 2e-3, 1.0).is_ok());
    assert!(run(1e3, 1e-3, 0.5).is_ok());
}

#[test]
fn limits_observers_and_names_are_those_of_all() {
    let field = Scalar(-1.0);
    let start = || Simulation::of_field(&field).initial(Vector1::new(1.0)).step(0.1).end_time(10.0);
    let error = start().limits(Limits::default().steps(10)).run().unwrap_err();
    assert!(matches!(error.failure, Failure::Setup(SetupError::TooManySteps { .. })), "{error}");
    let half = |x: f64| if x < 0.5 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
    let run = start().on_step(|state| half(state.point.x)).run().unwrap();
    assert!((run.stopped.unwrap() - 0.7).abs() < 1e-12 && run.last().point.x < 0.5);
    assert_eq!(run.times().last(), run.stopped);
    let error = start().method_named("rkmk").err().unwrap();
    assert!(matches!(error, MethodError::Unknown { .. }), "{error}");
    let error = start().method_named("herk4").err().unwrap();
    assert!(matches!(error, MethodError::OfOtherProblems { method: "herk4", .. }), "{error}");
    // It goes on from where it was.
    let (whole, first) = (start().run().unwrap(), start().end_time(5.0).run().unwrap());
    let state = first.last().clone();
    let rest = Simulation::of_field(&field).restart_from(state).step(0.1).end_time(10.0).run().unwrap();
    let ends = [&whole, &rest].map(|run| run.last().point.x);
    assert!((ends[0] / ends[1] - 1.0).abs() < 1e-14, "{ends:?}");
}

/// Symplectic methods are found by name, and the table has the names of the declaration.
#[test]
fn a_hamiltonian_by_name_into_a_table() {
    let system = wheel::System::new(wheel::Data { inertia: 2.0, spring: 8.0 }).unwrap();
    let start = || Simulation::of_hamiltonian(&system).initial_velocity(wheel::Wheel { x: R1::new(1.0) }, R1::new(0.0));
    for id in ["slgi_half", "rkmk54", "cf4"] {
        let run = start().method_named(id).unwrap().step(1e-3).end_time(1.0).run().unwrap();
        let end = run.last();
        assert!((end.point.configuration.x.x - 2.0_f64.cos()).abs() < 1e-5, "{id}");
        assert_eq!(run.method, id);
        let sample = run.samples().last().unwrap();
        assert!((sample.energy.kinetic + sample.energy.potential - 4.0).abs() < 1e-5, "{id}: {sample:?}");
        let mut table = Vec::new();
        run.write_csv(&mut table).unwrap();
        let table = String::from_utf8(table).unwrap();
        assert!(table.starts_with("t,x") && table.lines().next().unwrap().contains("velocity.momentum.x"));
        assert_eq!(table.lines().count(), 1002);
        assert!(run.write_npz(std::io::Cursor::new(Vec::new())).is_ok());
    }
}
