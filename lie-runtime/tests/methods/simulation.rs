//! Simulations: initial values, times, samples, records, files, and errors.

use std::borrow::Cow;

use hand_written::heavy_top_se3::{HeavyTop, Pose};
use hand_written::pendulum::{Pendulum, Redundant};
use hand_written::rotation;
use hand_written::vector_space::{OnVectors, VectorSystem};
use lie_runtime::integrator::{HalfExplicit, Quantity, StepFailure};
use lie_runtime::nalgebra::Matrix1;
use lie_runtime::nalgebra::Matrix3;
use lie_runtime::prelude::*;
use lie_runtime::simulate::{ConsistencyError, ConsistentValues, Failure, SetupError};
use lie_runtime::system::{ConstraintDescription, Description};

fn top() -> (HeavyTop, Pose, Vector6<f64>) {
    let (q, v) = HeavyTop::initial();
    (HeavyTop::of_the_paper(), q, v)
}

#[test]
fn initial_values_are_projected_and_completed() {
    let (top, q, v) = top();
    let mut values = ConsistentValues::of(&top);
    // Consistent ones are left as they are.
    let (state, report) = values.state(&top, 0.0, q, v).unwrap();
    assert_eq!((state.configuration.position, state.velocity), (q.position, v));
    assert_eq!((report.configuration.iterations, report.velocity.iterations), (0, 0));
    // Index 1: M v' + Bᵀ λ = −g and B v' + curvature = 0.
    let (mut rate, mut curvature) = (Vector3::zeros(), Vector3::zeros());
    let mut jacobian = top.zero_jacobian();
    top.constraint_jacobian(0.0, &q, &mut jacobian);
    top.jacobian_times(&jacobian, &state.acceleration, &mut rate);
    top.constraint_curvature(0.0, &q, &v, &mut curvature);
    assert!((rate + curvature).norm() < 1e-10);
    // Others are not.
    let tilted = Pose { attitude: rotation::exp(&Vector3::new(0.3, -0.5, 0.2)), position: Vector3::new(0.2, 0.9, 0.4) };
    let (state, report) = values.state(&top, 0.0, tilted, Vector6::repeat(1.0)).unwrap();
    let mut residual = Vector3::zeros();
    top.constraint(0.0, &state.configuration, &mut residual);
    assert!(residual.norm() < 1e-14, "{residual}");
    assert!((1..10).contains(&report.configuration.iterations), "{report:?}");
    assert!(report.configuration.residual_before > 0.1 && report.configuration.distance > 0.1, "{report:?}");
    top.constraint_jacobian(0.0, &state.configuration, &mut jacobian);
    top.jacobian_times(&jacobian, &state.velocity, &mut residual);
    assert!(residual.norm() < 1e-14, "{residual}");
    assert!(report.velocity.residual_before > 0.1 && report.velocity.residual < 1e-14, "{report:?}");
}

#[test]
fn a_configuration_that_cannot_reach_its_constraint_is_an_error() {
    let system = Pendulum::fixed();
    // The centre of the circle: the gradient vanishes.
    let error = Simulation::of(&system).initial(Vector2::zeros(), Vector2::zeros()).step(0.1).end_time(1.0).run();
    let error = error.unwrap_err();
    assert!(
        matches!(
            error.failure,
            Failure::InitialValues(ConsistencyError::Failed(StepFailure::SingularConstraints { row, .. }))
                if (row.constraint, row.row) == ("rod", 0)
        ),
        "{error}"
    );
}

/// q² + 1 = 0 on the real line.
struct Unreachable;

impl VectorSystem<1, 1> for Unreachable {
    fn card(&self) -> &'static Description {
        const CARD: Description = Description {
            name: "unreachable",
            group: "R",
            dof: 1,
            members: Cow::Borrowed(&[]),
            constraints: Cow::Borrowed(&[ConstraintDescription {
                name: "imaginary",
                offset: 0,
                rows: 1,
                rows_of_element: None,
                holonomic: true,
                jumps: false,
            }]),
            observables: &[],
            symmetries: &[],
            events: &[],
            ignored: &[],
            documentation: Cow::Borrowed(&[]),
            mass_nonzeros: 1,
            jacobian_nonzeros: 1,
            stiffness_nonzeros: 0,
            mass_is_constant: true,
            forces_depend_on_velocity: true,
            conserves_energy: false,
            never_gains_energy: false,
            states: 0,
            potential_jumps: false,
            kernels: &[],
        };
        &CARD
    }
    fn holonomic(&self) -> usize {
        1
    }
    fn forces(&self, _: f64, _: &Vector1<f64>, _: &Vector1<f64>) -> Vector1<f64> {
        Vector1::zeros()
    }
    fn residual(&self, _: f64, q: &Vector1<f64>) -> Vector1<f64> {
        Vector1::new(q[0] * q[0] + 1.0)
    }
    fn gradient(&self, _: f64, q: &Vector1<f64>) -> Matrix1<f64> {
        Matrix1::new(2.0 * q[0])
    }
    fn curvature(&self, _: f64, _: &Vector1<f64>, v: &Vector1<f64>) -> Vector1<f64> {
        2.0 * v * v[0]
    }
}

#[test]
fn a_constraint_without_solution_is_named_with_its_residual() {
    let system = OnVectors(Unreachable);
    for q in [3.0, 0.5, -1e3, 1e-9] {
        let error = ConsistentValues::of(&system).state(&system, 0.0, Vector1::new(q), Vector1::zeros()).unwrap_err();
        match error {
            ConsistencyError::NotConverged { constraint: "imaginary", residual, .. } => assert!(residual >= 1.0),
            ConsistencyError::Failed(StepFailure::SingularConstraints { row, .. }) => {
                assert_eq!(row.constraint, "imaginary");
            }
            other => panic!("{q}: {other}"),
        }
    }
}

#[test]
fn redundant_constraints_are_named_before_the_first_step() {
    let system = Redundant::system();
    let run = Simulation::of(&system).initial(Vector2::new(0.6, -0.8), Vector2::zeros()).step(0.1).end_time(1.0);
    let error = run.run().unwrap_err();
    let message = error.to_string();
    assert!(message.contains("`same_rod` row 0 follows from `rod` row 0"), "{message}");
    assert!(error.last.is_none() && error.trajectory.states.is_empty());
}

#[test]
fn parameters_that_are_not_finite_are_found() {
    let (good, q, v) = top();
    let fail = |top: &HeavyTop| Simulation::of(top).initial(q, v).step(1e-3).end_time(1.0).run().unwrap_err();
    let error = fail(&HeavyTop { gravity: Vector3::new(0.0, 0.0, f64::NAN), ..good.clone() });
    let expected = StepFailure::NotFinite { quantity: Quantity::Force { member: "pose", function: None } };
    assert_eq!(error.failure, Failure::InitialValues(ConsistencyError::Failed(expected)));
    for mass in [0.0, -1.0, f64::NAN] {
        let error = fail(&HeavyTop { mass, ..good.clone() });
        let expected = StepFailure::MassNotPositiveDefinite { member: "pose", component: 3 };
        assert_eq!(error.failure, Failure::InitialValues(ConsistencyError::Failed(expected)));
    }
}

#[test]
fn a_step_that_blows_up_leaves_the_last_good_state() {
    let (top, q, v) = top();
    // Far beyond stability.
    let fast = Vector6::new(0.0, 1e150, 0.0, 0.0, 0.0, 0.0);
    let run = Simulation::of(&top).initial(q, v + fast).step(1e3).end_time(1e6).max_initial_correction(f64::INFINITY);
    let error = run.run().unwrap_err();
    let Failure::Diverged { divergence, .. } = &error.failure else { panic!("{error}") };
    assert_eq!(divergence.failure, Some(StepFailure::NotFinite { quantity: Quantity::Stage }));
    let last = error.last.as_ref().unwrap();
    assert!(top.space().is_finite(&last.configuration) && last.velocity.all_finite());
    assert_eq!(error.trajectory.states.len(), error.trajectory.statistics.accepted + 1);
    assert!(error.to_string().contains("steps of 1000.0 are too large for an explicit method"), "{error}");
}

#[test]
fn faulty_setups_are_found_before_the_first_step() {
    let (top, q, v) = top();
    let start = || Simulation::of(&top).initial(q, v);
    let setup = |run: Simulation<'_, HeavyTop>| match run.run().unwrap_err().failure {
        Failure::Setup(error) => error,
        other => panic!("{other}"),
    };
    let without_step = start().method(HalfExplicit::herk4()).end_time(1.0).run().unwrap_err();
    assert!(matches!(without_step.failure, Failure::Setup(SetupError::NoStep { method: "herk4" })), "{without_step}");
    assert!(without_step.to_string().contains(".step(h)"), "{without_step}");
    assert_eq!(setup(start().step(0.1)), SetupError::NoEnd);
    assert_eq!(setup(start().step(0.0).end_time(1.0)), SetupError::Step { step: 0.0 });
    assert_eq!(setup(start().step(-0.1).end_time(1.0)), SetupError::Step { step: -0.1 });
    assert!(matches!(setup(start().step(f64::NAN).end_time(1.0)), SetupError::Step { .. }));
    assert_eq!(setup(start().step(0.1).end_time(-1.0)), SetupError::End { start: 0.0, end: -1.0 });
    assert!(matches!(setup(start().step(0.1).end_time(f64::INFINITY)), SetupError::End { .. }));
    assert!(matches!(setup(start().step(1e-300).end_time(1.0)), SetupError::BelowResolution { .. }));
    assert!(matches!(setup(start().step(1e-13).end_time(1.0)), SetupError::TooManySteps { .. }));
    assert!(matches!(setup(start().rtol(f64::NAN).atol(1e-8).end_time(1.0)), SetupError::Controller(_)));
    assert!(matches!(setup(start().rtol(1e-6).atol(0.0).end_time(1.0)), SetupError::Controller(_)));
    assert!(matches!(setup(start().rtol(1e-6).atol(1e-8).initial_step(-1.0).end_time(1.0)), SetupError::Step { .. }));
    assert_eq!(setup(start().step(0.1).end_time(1.0).output_every(0)), SetupError::RecordEvery);
    for time in [-0.1, 1.1, f64::NAN] {
        let error = setup(start().step(0.1).end_time(1.0).output_times(&[0.5, time]));
        assert!(matches!(error, SetupError::SampleTime { start: 0.0, end: 1.0, .. }), "{error}");
    }
    let bad = Pose { position: Vector3::repeat(f64::NAN), ..q };
    let run = Simulation::of(&top).initial(bad, v).step(0.1).end_time(1.0);
    assert_eq!(setup(run), SetupError::NotFinite { value: "configuration" });
    let run = Simulation::of(&top).initial(q, v * f64::INFINITY).step(0.1).end_time(1.0);
    assert_eq!(setup(run), SetupError::NotFinite { value: "velocity" });
}

#[test]
fn fixed_steps_hit_the_end_exactly_and_do_not_accumulate_times() {
    let system = Pendulum::fixed();
    let run = |h: f64, end: f64| {
        let run = Simulation::of(&system).initial(Vector2::new(0.6, -0.8), Vector2::zeros());
        let times: Vec<f64> = run.step(h).end_time(end).run().unwrap().times().collect();
        times
    };
    let times = run(0.1, 1.0);
    assert_eq!(times.len(), 11);
    assert_eq!((times[3], times[10]), (3.0 * 0.1, 1.0));
    // The last step is shortened.
    let times = run(0.3, 1.0);
    assert_eq!(times, [0.0, 0.3, 0.6, 3.0 * 0.3, 1.0]);
    assert_eq!(run(5.0, 0.2), [0.0, 0.2]);
    assert_eq!(run(0.5, 0.0), [0.0]);
    let many = run(1e-3, 30.0);
    assert_eq!(many.len(), 30_001);
    assert_eq!(many[29_999], 29_999.0 * 1e-3);
}

#[test]
fn records_are_thinned_and_observers_see_every_step() {
    let system = Pendulum::fixed();
    let (mut seen, mut last) = (0, 0.0);
    let run = Simulation::of(&system).initial(Vector2::new(0.6, -0.8), Vector2::zeros()).step(0.01).end_time(1.0);
    let trajectory =
        run.output_every(30).on_step(|_| seen += 1).on_step(|state| last = state.time).progress_bar().run().unwrap();
    assert_eq!(trajectory.times().collect::<Vec<_>>(), [0.0, 0.3, 0.6, 0.9, 1.0]);
    assert_eq!((seen, last), (101, 1.0));
    assert_eq!((trajectory.statistics.accepted, trajectory.statistics.linear_solves), (100, 600));
    assert_eq!(trajectory.method, "hedop5");
    assert_eq!(trajectory.first().time, 0.0);
}

#[test]
fn samples_have_the_order_of_the_method() {
    let system = Pendulum::driven();
    let times = [0.0, 0.137, 0.5, 0.777, 1.0];
    let run = |method, steps: u32| {
        let run = Simulation::of(&system).initial(Vector2::new(0.6, -0.8), Vector2::zeros()).method(method);
        // At rest in space, which the driven suspension is not.
        let run = run.max_initial_correction(1.0);
        run.step(1.0 / f64::from(steps)).end_time(1.0).output_times(&times).run().unwrap()
    };
    let exact = run(HalfExplicit::hedop5(), 2000);
    assert_eq!(exact.times().collect::<Vec<_>>(), times);
    for (method, order) in
        [(HalfExplicit::herk2_heun_lambda2(), 2.0), (HalfExplicit::herk3_lambda3(), 3.0), (HalfExplicit::hedop5(), 5.0)]
    {
        let errors = |steps| {
            let run = run(method, steps);
            let worst = |error: fn(&State<_>, &State<_>) -> f64| {
                run.states.iter().zip(&exact.states).map(|(a, b)| error(a, b)).fold(0.0, f64::max)
            };
            [
                worst(|a, b| (a.configuration - b.configuration).norm()),
                worst(|a, b| (a.velocity - b.velocity).norm()),
                worst(|a, b| (a.multipliers - b.multipliers).norm()),
            ]
        };
        let steps = if order > 4.0 { 40 } else { 160 };
        let (coarse, fine) = (errors(steps), errors(2 * steps));
        for i in 0..2 {
            let rate = (coarse[i] / fine[i]).log2();
            assert!(rate > order - 0.4, "{}: {i}: {rate:.2} {fine:?}", method.tableau().id);
        }
        let rate = (coarse[2] / fine[2]).log2();
        assert!(rate > method.tableau().multiplier_order as f64 - 0.4, "{}: {rate:.2}", method.tableau().id);
    }
}

#[test]
fn samples_do_not_disturb_the_motion() {
    let (top, q, v) = top();
    let start = || Simulation::of(&top).initial(q, v);
    let plain = start().rtol(1e-6).atol(1e-8).end_time(0.1).run().unwrap();
    let sampled = start()
        .rtol(1e-6)
        .atol(1e-8)
        .end_time(0.1)
        .output_times(&[0.07, 0.033, 0.1, 0.033])
        .output_every(1)
        .run()
        .unwrap();
    assert_eq!(sampled.states.len(), plain.states.len() + 3);
    assert_eq!(plain.last().velocity, sampled.last().velocity);
    let times: Vec<f64> = sampled.times().collect();
    assert!(times.is_sorted() && times.contains(&0.07));
}

#[test]
fn multipliers_of_full_order_at_output_points() {
    let (top, q, v) = top();
    let run = || Simulation::of(&top).initial(q, v).method(HalfExplicit::herk3()).step(1.0 / 4096.0).end_time(0.5);
    let exact = Simulation::of(&top).initial(q, v).step(1.0 / 16_384.0).end_time(0.5).run().unwrap();
    let exact = exact.last().multipliers;
    let error =
        |trajectory: &Trajectory<HeavyTop>| (trajectory.last().unwrap().multipliers - exact).norm() / exact.norm();
    let (own, full) = (run().run().unwrap(), run().full_order_multipliers().run().unwrap());
    assert_eq!(own.last().velocity, full.last().velocity);
    assert!(error(&full) < 0.5 * error(&own), "{:e} {:e}", error(&own), error(&full));
}

#[test]
fn a_simulation_goes_on_where_another_ended() {
    let (top, q, v) = top();
    let whole = Simulation::of(&top).initial(q, v).step(0.001).end_time(0.2).run().unwrap();
    let half = Simulation::of(&top).initial(q, v).step(0.001).end_time(0.1).run().unwrap();
    let rest = Simulation::of(&top).restart_from(half.last().clone()).step(0.001).end_time(0.2).run().unwrap();
    assert_eq!(rest.first().time, 0.1);
    let difference = rest.last().configuration.attitude - whole.last().configuration.attitude;
    assert!(difference.norm() < 1e-10, "{difference}");
    let later = Simulation::of(&top).initial(q, v).start_time(5.0).step(0.001).end_time(5.1).run().unwrap();
    assert!((later.last().velocity - half.last().velocity).norm() < 1e-9);
}

#[test]
fn trajectories_are_written_as_csv_and_npz() {
    let (top, q, v) = top();
    let trajectory = Simulation::of(&top).initial(q, v).step(0.01).end_time(0.05).run().unwrap();
    let mut bytes = Vec::new();
    trajectory.write_csv(&mut bytes).unwrap();
    let mut table = csv::Reader::from_reader(bytes.as_slice());
    let header = table.headers().unwrap().clone();
    let column = |name: &str| header.iter().position(|column| column == name).unwrap_or_else(|| panic!("{name}"));
    let rows: Vec<csv::StringRecord> = table.records().map(Result::unwrap).collect();
    assert_eq!(rows.len(), 6);
    let number = |row: usize, name: &str| rows[row][column(name)].parse::<f64>().unwrap();
    let last = trajectory.last();
    assert_eq!(number(5, "t"), 0.05);
    assert_eq!(number(5, "attitude[0][2]"), last.configuration.attitude[(0, 2)]);
    assert_eq!(number(5, "velocity.pose[1]"), last.velocity[1]);
    assert_eq!(number(5, "multipliers.fixed_point[2]"), last.multipliers[2]);
    assert!((number(0, "energy.kinetic") + number(0, "energy.potential") - 5435.69).abs() < 0.01);
    assert!(number(5, "residual.position") < 1e-13);

    let mut file = Vec::new();
    trajectory.write_npz(&mut file).unwrap();
    let (shape, numbers) = array(&file, "attitude.npy");
    assert_eq!(shape, "(6, 3, 3)");
    assert_eq!(Matrix3::from_row_slice(&numbers[45..]), last.configuration.attitude);
    let (shape, times) = array(&file, "t.npy");
    assert_eq!((shape.as_str(), times), ("(6,)", trajectory.times().collect()));
    let missing = trajectory.save_csv("/nowhere/at/all.csv").unwrap_err();
    assert!(missing.to_string().contains("could not be written"));
}

/// The shape and the numbers of an array of an NPZ archive, found through its directory as readers of ZIP do.
fn array(archive: &[u8], name: &str) -> (String, Vec<f64>) {
    let number = |at: usize, bytes: usize| -> usize {
        archive[at..at + bytes].iter().rev().fold(0, |number, &byte| 256 * number + usize::from(byte))
    };
    let end = archive.len() - 22;
    assert_eq!(archive[end..end + 4], *b"PK\x05\x06");
    let mut entry = number(end + 16, 4);
    for _ in 0..number(end + 10, 2) {
        assert_eq!(archive[entry..entry + 4], *b"PK\x01\x02");
        let (size, length, extra) = (number(entry + 24, 4), number(entry + 28, 2), number(entry + 30, 2));
        if &archive[entry + 46..entry + 46 + length] == name.as_bytes() {
            let local = number(entry + 42, 4);
            assert_eq!(archive[local..local + 4], *b"PK\x03\x04");
            let start = local + 30 + number(local + 26, 2) + number(local + 28, 2);
            let (head, numbers) = archive[start..start + size].split_at(10 + number(start + 8, 2));
            let head = String::from_utf8_lossy(&head[10..]);
            let shape = head.split("'shape': ").nth(1).unwrap().split(", }").next().unwrap().to_owned();
            let numbers = numbers.chunks(8).map(|bytes| f64::from_le_bytes(bytes.try_into().unwrap()));
            return (shape, numbers.collect());
        }
        entry += 46 + length + extra;
    }
    panic!("no {name}")
}
