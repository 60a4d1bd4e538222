//! Equations of first order: mechanical systems are some, their steps allocate nothing, and failures are typed.

use hand_written::free_body::FreeBody;
use hand_written::pendulum::Pendulum;
use hand_written::top_hamiltonian::TopHamiltonian;
use lie_runtime::field::{HamiltonianProblem, MechanicalField, VectorField, VectorFieldProblem};
use lie_runtime::integrator::{
    CommutatorFree, FieldState, HalfExplicit, Integrator, LocalEstimate, MuntheKaas, OnMechanical, StepFailure,
};
use lie_runtime::nalgebra::{Matrix3, Vector3, Vector6};
use lie_runtime::prelude::*;
use lie_runtime::simulate::{ConsistentValues, Simulation};
use lie_runtime::space::{Cotangent, TS2};

fn body_start() -> (Matrix3<f64>, Vector3<f64>) {
    (Matrix3::identity(), Vector3::new(1.0, 2.0, -0.5))
}

/// Runs to a common end, by a half-explicit method and by another.
fn end<M: MechanicalSystem, I: Integrator<M>>(
    system: &M,
    (q, v): (M::Configuration, M::Velocity),
    method: I,
    h: f64,
) -> lie_runtime::integrator::State<M> {
    let run = Simulation::of(system).initial(q, v).method(method).step(h);
    run.end_time(1.0).output_times(&[1.0]).run().unwrap().last().clone()
}

/// A method of each family.
#[derive(Clone, Copy)]
enum Method {
    MuntheKaas(MuntheKaas),
    CommutatorFree(CommutatorFree),
}
impl Method {
    fn end<M: MechanicalSystem>(
        self,
        system: &M,
        start: (M::Configuration, M::Velocity),
        h: f64,
    ) -> lie_runtime::integrator::State<M> {
        match self {
            Method::MuntheKaas(method) => end(system, start, OnMechanical(method), h),
            Method::CommutatorFree(method) => end(system, start, OnMechanical(method), h),
        }
    }
}

#[test]
fn mechanical_systems_are_fields() {
    let body = FreeBody(Vector3::new(1.0, 2.0, 3.0));
    let exact = end(&body, body_start(), HalfExplicit::hedop5(), 1e-3);
    let error = |method: Method, h| {
        let state = method.end(&body, body_start(), h);
        let angle = hand_written::rotation::log(&(exact.configuration.transpose() * state.configuration));
        angle.norm() + (exact.velocity - state.velocity).norm()
    };
    let all = MuntheKaas::all()
        .map(|method| (method.method().id, method.method().tableau.order, Method::MuntheKaas(method)))
        .chain(
            CommutatorFree::all()
                .map(|method| (method.method().id, method.method().order, Method::CommutatorFree(method))),
        );
    for (id, order, method) in all {
        let h = [1e-3, 4e-3, 1e-2, 1e-2, 2e-2][order - 1];
        let observed = (error(method, 2.0 * h) / error(method, h)).log2();
        assert!((observed - order as f64).abs() < if order < 4 { 0.1 } else { 0.15 }, "{id}: {observed:.3}");
    }
}

/// For systems with constraints, λ of the index-1 form has the order of q.
#[test]
fn constrained_systems_in_their_index_1_form() {
    let pendulum = Pendulum::driven();
    let start = (Vector2::new(0.6, -0.8), Vector2::new(0.4, 0.3));
    let run = |h: f64| {
        let run = Simulation::of(&pendulum)
            .initial(start.0, start.1)
            .max_initial_correction(1.0)
            .method(OnMechanical(MuntheKaas::rkmk4()))
            .step(h);
        let trajectory = run.end_time(1.0).output_times(&[1.0]).run().unwrap();
        assert!(trajectory.statistics.linear_solves > 0);
        trajectory.into_trajectory().states.into_iter().next_back().unwrap()
    };
    let exact = {
        let run = Simulation::of(&pendulum)
            .initial(start.0, start.1)
            .max_initial_correction(1.0)
            .step(1e-3)
            .end_time(1.0)
            .output_times(&[1.0]);
        let mut state = run.run().unwrap().last().clone();
        ConsistentValues::of(&pendulum).accelerations(&pendulum, &mut state).unwrap();
        state
    };
    let error = |h: f64| (run(h).multipliers - exact.multipliers).norm();
    let order = (error(0.05) / error(0.025)).log2();
    assert!((order - 4.0).abs() < 0.3, "{order}");
}

/// Directions that turn about the vertical, as many as the point has: their length is known at run time only.
struct Row(usize);
impl VectorField for Row {
    type Point = Vec<TS2>;
    type Workspace = ();

    fn zero(&self) -> Vec<Vector6<f64>> {
        vec![Vector6::zeros(); self.0]
    }
    fn workspace(&self) {}
    fn evaluate(&self, _: f64, y: &Vec<TS2>, (): &mut (), out: &mut Vec<Vector6<f64>>) -> Result<(), StepFailure> {
        for (link, out) in y.iter().zip(out) {
            let omega = link.angular_velocity();
            *out = Vector6::new(omega.x, omega.y, omega.z, 0.0, 0.0, 0.1);
        }
        Ok(())
    }
}

#[test]
fn steps_allocate_nothing() {
    fn allocations<F: lie_runtime::field::FirstOrder, I: Integrator<F>>(
        system: &F::System,
        point: F::Point,
        method: &I,
    ) -> u64 {
        let mut from = FieldState::<F>::at(system, 0.0, point);
        let mut workspace = method.workspace(system, &from);
        let mut to = from.clone();
        let measured = allocation_counter::measure(|| {
            method.start(system, &mut from, &mut workspace).unwrap();
            for _ in 0..5 {
                method.step(system, &from, 1e-3, &mut to, &mut workspace).unwrap();
                if method.estimate_order().is_some() {
                    let error = &mut LocalEstimate::default();
                    method.step_with_estimate(system, &from, 1e-3, &mut to, error, &mut workspace).unwrap();
                }
                core::mem::swap(&mut from, &mut to);
            }
        });
        measured.count_total
    }
    let row = Row(7);
    let links = vec![TS2::new(Vector3::x(), Vector3::z()).unwrap(); 7];
    for method in MuntheKaas::all() {
        assert_eq!(
            allocations::<VectorFieldProblem<Row>, _>(&row, links.clone(), &method),
            0,
            "{}",
            method.method().id
        );
    }
    for method in CommutatorFree::all() {
        assert_eq!(
            allocations::<VectorFieldProblem<Row>, _>(&row, links.clone(), &method),
            0,
            "{}",
            method.method().id
        );
    }
    let top = TopHamiltonian::slow();
    let (configuration, momentum) = TopHamiltonian::slow_start();
    let start = || Cotangent { configuration, momentum };
    let body = FreeBody(Vector3::new(1.0, 2.0, 3.0));
    for method in MuntheKaas::all() {
        assert_eq!(allocations::<HamiltonianProblem<_>, _>(&top, start(), &method), 0, "{}", method.method().id);
        assert_eq!(allocations::<MechanicalField<_>, _>(&body, body_start(), &method), 0, "{}", method.method().id);
    }
    for method in CommutatorFree::all() {
        assert_eq!(allocations::<HamiltonianProblem<_>, _>(&top, start(), &method), 0, "{}", method.method().id);
    }
    for method in lie_runtime::integrator::symplectic::METHODS {
        assert_eq!(allocations::<HamiltonianProblem<_>, _>(&top, start(), &method), 0, "{}", method.id());
    }
}

/// Errors state their time.
#[test]
fn failures_are_typed() {
    struct Singular;
    impl VectorField for Singular {
        type Point = Vector1<f64>;
        type Workspace = ();

        fn zero(&self) -> Vector1<f64> {
            Vector1::zeros()
        }
        fn workspace(&self) {}
        fn evaluate(&self, _: f64, y: &Vector1<f64>, (): &mut (), out: &mut Vector1<f64>) -> Result<(), StepFailure> {
            if y.x > 0.5 {
                return Err(StepFailure::FieldUndefined { reason: "past the wall" });
            }
            *out = Vector1::new(1.0);
            Ok(())
        }
    }
    let run = Simulation::of_field(&Singular).initial(Vector1::new(0.0)).method(MuntheKaas::rkmk4()).step(0.1);
    let error = run.end_time(1.0).run().unwrap_err();
    assert!(error.to_string().contains("past the wall"), "{error}");
    assert!((error.last.unwrap().time - 0.5).abs() < 0.11);
    assert!(!error.trajectory.states.is_empty());
    let start = Simulation::of_field(&Singular).initial(Vector1::new(f64::NAN)).step(0.1).end_time(1.0);
    assert!(start.run().unwrap_err().to_string().contains("not finite"));
    let run = Simulation::of_field(&Singular).initial(Vector1::new(0.0)).method(MuntheKaas::rkmk4());
    assert!(run.rtol(1e-3).atol(1e-3).end_time(0.2).run().unwrap_err().to_string().contains("rkmk4"));
}
