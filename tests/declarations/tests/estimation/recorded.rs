//! Inverse dynamics of recorded motions: known torques, rotations, noise, and errors.

use fixtures::random::Random;
use lie_runtime::analysis::{DynamicsError, RecordedMotion, Regressor};
use lie_runtime::inputs::{Jet, TableError};
use lie_runtime::nalgebra::DVector;
use lie_runtime::prelude::*;

use super::bodies::{swimmer, thrown};
use super::noise::Noise;
use super::regressor::{arm, unpowered};

fn torques(t: f64) -> Vector2<f64> {
    Vector2::new(8.0 * (3.0 * t).sin(), 3.0 * (5.0 * t).cos())
}

/// The motion of the arm with these torques as a table.
fn table(count: u32) -> String {
    let powered = arm::System::new(arm()).unwrap().with_inputs_over_time(move |t| {
        let number = Jet::<f64>::from_f64;
        arm::Motors {
            torque: Vector2::new((t * number(3.0)).sin() * number(8.0), (t * number(5.0)).cos() * number(3.0)),
        }
    });
    let times: Vec<f64> = (0..=count).map(|k| f64::from(k) / f64::from(count)).collect();
    let run = Simulation::of(&powered).at_rest(arm::Joints { shoulder: 0.7, elbow: -1.1 });
    let run = run.method_named("hedop5").unwrap().step(1.0 / 800.0).end_time(1.0).output_times(&times).run().unwrap();
    let line = |state: &State<arm::System>| {
        let arm::Joints { shoulder, elbow } = state.configuration;
        format!("{elbow},{},{shoulder}\n", state.time)
    };
    "elbow,t,shoulder\n".to_owned() + &run.states.iter().map(line).collect::<String>()
}

/// The acceleration of centred polynomials of degree 4 has the order 4.
#[test]
fn a_recorded_motion_has_the_known_torques() {
    let system = unpowered(arm());
    let errors = [50, 100].map(|count| {
        let motion =
            RecordedMotion::from_csv(&system, &arm::Joints { shoulder: 0.0, elbow: 9.0 }, &table(count)).unwrap();
        let record = motion.inverse_dynamics().unwrap();
        let columns = ["t", "shoulder", "elbow"].map(|name| record.column(name).unwrap());
        let error = |at: usize| {
            let found = Vector2::new(columns[1][at], columns[2][at]);
            (found - torques(columns[0][at])).amax()
        };
        let all: Vec<f64> = (0..record.states.len()).map(error).collect();
        let largest = |errors: &[f64]| errors.iter().fold(0.0_f64, |most, error| most.max(*error));
        [largest(&all[3..all.len() - 3]), largest(&all)]
    });
    assert!(errors[1][0] < 5e-3 && errors[1][1] < 1e-2, "{errors:?}");
    assert!((12.0..20.0).contains(&(errors[0][0] / errors[1][0])), "{errors:?}");

    // The regressor identifies the arm from the table.
    let motion = RecordedMotion::from_csv(&system, &arm::Joints { shoulder: 0.0, elbow: 0.0 }, &table(100)).unwrap();
    let states = &motion.states().unwrap()[3..98];
    let mut regressor = Regressor::of(&system, ["inertias", "first_moments", "damping"]).unwrap();
    let (base, linear) = (regressor.base_parameters(states).unwrap(), regressor.stacked(states).unwrap());
    let forces = states.iter().flat_map(|state| torques(state.time).data.0[0]);
    let found = base.estimate(&linear, &DVector::from_iterator(2 * states.len(), forces)).unwrap();
    assert!((found - regressor.parameters()).amax() < 1e-4);
}

/// The thrust is a declared force, so that no other force acts on the body.
#[test]
fn a_recorded_motion_of_a_pose_needs_no_coordinates() {
    let body = super::bodies::body().log_cholesky().unwrap();
    let system = thrown::System::new(thrown::Body { body }).unwrap();
    let pose = thrown::Pose { pose: SE3::exp(&Vector6::new(2.0, -1.0, 0.5, 1.0, 2.0, 3.0)) };
    let [coarse, fine] = [50, 100].map(|count| {
        let times: Vec<f64> = (0..=count).map(|k| 0.5 * f64::from(k) / f64::from(count)).collect();
        let run = Simulation::of(&system).at_rest(pose).rtol(1e-11).atol(1e-12).end_time(0.5).output_times(&times);
        let run = run.run().unwrap();
        let configurations = run.states.iter().map(|state| state.configuration).collect();
        let record = RecordedMotion::new(&system, times, configurations).unwrap().inverse_dynamics().unwrap();
        let inner = 3..run.states.len() - 3;
        let most = |of: &dyn Fn(usize) -> Vector6<f64>| inner.clone().map(|at| of(at).amax()).fold(0.0, f64::max);
        let velocity = most(&|at| record.states[at].velocity - run.states[at].velocity);
        (most(&|at| record.forces[at]), velocity, record)
    });
    let (forces, record) = (fine.0, fine.2);
    assert!(forces < 1e-3 && fine.1 < 1e-4, "{forces} {}", fine.1);
    assert!((11.0..20.0).contains(&(coarse.0 / forces)), "{} {forces}", coarse.0);
    let mut text = Vec::new();
    record.write_csv(&mut text).unwrap();
    assert!(
        text.starts_with(b"t,pose[0],pose[1],pose[2],pose[3],pose[4],pose[5]\n0.0,"),
        "{}",
        String::from_utf8_lossy(&text)
    );
}

/// The deviation of the accelerations of noise is σ √(720 / (w (w² − 1) (w² − 4))) / h².
#[test]
fn a_window_smooths_noise() {
    let (system, mut noise, step, deviation) = (unpowered(arm()), Noise::new(4), 0.01, 1e-3);
    let times: Vec<f64> = (0..4000).map(|k| step * f64::from(k)).collect();
    let values: Vec<f64> = times.iter().map(|_| 0.4 + deviation * noise.normal()).collect();
    let configurations: Vec<_> = values.iter().map(|&shoulder| arm::Joints { shoulder, elbow: 0.0 }).collect();
    let motion = RecordedMotion::new(&system, times, configurations).unwrap().degree(3);
    for window in [9, 31] {
        let states = motion.clone().window(window).states().unwrap();
        let square: f64 = states.iter().map(|state| state.acceleration.x.powi(2)).sum();
        let (found, w) = ((square / 4000.0).sqrt(), window as f64);
        let expected = deviation * (720.0 / (w * (w * w - 1.0) * (w * w - 4.0))).sqrt() / (step * step);
        assert!((0.9..1.2).contains(&(found / expected)), "{window}: {found} {expected}");
        // The smoothed angles deviate less than the measured ones.
        let square: f64 = states.iter().map(|state| (state.configuration.shoulder - 0.4).powi(2)).sum();
        assert!((square / 4000.0).sqrt() < 0.8 * deviation, "{square}");
    }
}

#[test]
fn invalid_records_are_errors() {
    let system = unpowered(arm());
    let q = arm::Joints { shoulder: 0.0, elbow: 0.0 };
    let record = |result: Result<RecordedMotion<'_, arm::System>, DynamicsError>| match result {
        Err(DynamicsError::Record(error)) => error,
        other => panic!("{other:?}"),
    };
    assert_eq!(record(RecordedMotion::new(&system, vec![0.0], vec![])), TableError::Lengths { times: 1, rows: 0 });
    let unsorted = RecordedMotion::new(&system, vec![0.0, 1.0, 1.0], vec![q; 3]);
    assert_eq!(record(unsorted), TableError::NotSorted { row: 2, time: 1.0 });
    let broken = arm::Joints { shoulder: f64::NAN, ..q };
    let error = record(RecordedMotion::new(&system, vec![0.0, 1.0], vec![q, broken]));
    assert_eq!(error, TableError::NotFinite { row: 1, column: "q".to_owned() });
    let error = record(RecordedMotion::from_csv(&system, &q, "t,sholder,elbow\n0,0,0\n"));
    assert!(error.to_string().contains("unknown column `sholder` in the table; did you mean `shoulder`?"), "{error}");
    let motion = RecordedMotion::new(&system, vec![0.0, 1.0, 2.0], vec![q; 3]).unwrap();
    let error = motion.states().unwrap_err();
    assert_eq!(error, DynamicsError::Window { window: 7, degree: 4, samples: 3 });
    for (window, degree) in [(3, 1), (3, 3), (4, 2)] {
        let error = motion.clone().window(window).degree(degree).states().unwrap_err();
        assert_eq!(error, DynamicsError::Window { window, degree, samples: 3 });
    }
    let record = motion.window(3).degree(2).inverse_dynamics().unwrap();
    let error = record.column("shoulders").unwrap_err();
    assert!(error.to_string().contains("did you mean `shoulder`?"), "{error}");

    let system = super::bodies::swimmer(0.0);
    let (q, _) = super::bodies::state(&mut Random::new(1));
    let error = RecordedMotion::from_csv(&system, &q, "t\n0\n").unwrap_err();
    assert!(matches!(error, DynamicsError::NotACoordinate { member: "trunk" }), "{error}");
    let other = swimmer::Swimmer { joints: Vec::new(), ..q };
    assert!(matches!(RecordedMotion::new(&system, vec![0.0], vec![other]), Err(DynamicsError::ForeignState(_))));
}
