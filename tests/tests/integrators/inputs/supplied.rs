//! Supplied inputs: missing, wrong, and from tables.

use lie_runtime::inputs::{InputError, Interpolation, OverTime, Table, TableError};
use lie_runtime::prelude::*;
use lie_runtime::simulate::SetupError;

use super::sampled::{free, free_start};
use super::{bare, body, driven, order, run, start};

#[test]
fn what_is_missing_is_said() {
    let failure = |system: &body::System, end: f64| {
        let (q, v) = start();
        match Simulation::of(system).initial(q, v).step(0.01).end_time(end).run().expect_err("it cannot run").failure {
            Failure::Setup(SetupError::Inputs(error)) | Failure::Inputs(error) => error,
            other => panic!("{other}"),
        }
    };
    let inputs = driven().inputs_at(0.0, &start().0, &start().1);
    assert!(matches!(failure(&bare(), 1.0), InputError::Missing { inputs: "Inputs", .. }));
    let of_state = bare().with_inputs(move |_, _, _| inputs);
    assert_eq!(failure(&of_state, 1.0), InputError::NotOverTime { function: "hinge" });
    let table = |interpolation| Table::new(vec![0.0, 0.4, 1.0], vec![inputs; 3], interpolation).unwrap();
    let linear = bare().with_inputs_from(table(Interpolation::Linear));
    assert_eq!(failure(&linear, 1.0), InputError::NotSmooth { function: "hinge" });
    let short = bare().with_inputs_from(table(Interpolation::Cubic));
    let range = [0.0, 1.0];
    assert_eq!(failure(&short, 1.5), InputError::OutOfRange { time: 1.5, range, inputs: "Inputs" });
    let undefined = driven().with_feedback(|t, _, _, u| body::Inputs {
        torque: Vector3::new(0.0, if t > 0.5 { f64::NAN } else { 0.0 }, 0.0),
        ..u
    });
    match failure(&undefined, 1.0) {
        InputError::NotFinite { field: "torque", time } => assert!((0.49..0.52).contains(&time), "{time}"),
        other => panic!("{other}"),
    }
    let (q, v) = start();
    let jumping = bare();
    let jumping = Simulation::of(&jumping).initial(q, v).controller(0.1, |_, _, _| inputs);
    let failed = jumping.step(0.01).end_time(1.0).run().expect_err("a constraint cannot jump").failure;
    assert_eq!(failed, Failure::Setup(SetupError::Inputs(InputError::NotSmooth { function: "hinge" })));
    for period in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let system = driven();
        let run =
            Simulation::of(&system).initial(q, v).controller(period, |_, _, _| inputs).step(0.01).end_time(1.0).run();
        let failed = run.expect_err("no period").failure;
        assert!(matches!(failed, Failure::Setup(SetupError::Inputs(InputError::Period { .. }))), "{failed}");
    }
    let (system, (q, v)) = (free::System::new().unwrap(), free_start());
    let nan = |t: f64, _: &free::Pose, _: &free::Velocity| free::Inputs { torque: Vector3::repeat((0.35 - t).sqrt()) };
    let run = Simulation::of(&system).initial(q, v).controller(0.1, nan).step(0.01).end_time(1.0).run();
    let failed = run.expect_err("NaN").failure;
    assert!(matches!(failed, Failure::Inputs(InputError::NotFinite { field: "torque", .. })), "{failed}");
}

#[test]
fn tables_are_checked_and_read() {
    type Rows = Table<body::Inputs>;
    let row = driven().inputs_at(0.0, &start().0, &start().1);
    let table = |times: Vec<f64>, rows| Rows::new(times, rows, Interpolation::Cubic).map(|_| ());
    assert_eq!(table(vec![0.0], vec![row]), Err(TableError::TooShort { rows: 1 }));
    assert_eq!(table(vec![0.0], vec![row; 2]), Err(TableError::Lengths { times: 1, rows: 2 }));
    assert_eq!(table(vec![0.0, 0.0], vec![row; 2]), Err(TableError::NotSorted { row: 1, time: 0.0 }));
    assert_eq!(table(vec![0.0, f64::NAN], vec![row; 2]), Err(TableError::NotFinite { row: 1, column: "t".to_owned() }));
    let bad = body::Inputs { gravity: f64::INFINITY, ..row };
    assert_eq!(
        table(vec![0.0, 1.0], vec![row, bad]),
        Err(TableError::NotFinite { row: 1, column: "gravity".to_owned() })
    );

    let text = "gravity,t,base[0],base[1],base[2],torque[2],torque[1],torque[0],gains[0],gains[1]\n\
                1,0, 2,3,4, 7,6,5, 8,9\n\n2,1, 2,3,4, 7,6,5, 8,9\n";
    let read = Rows::from_csv(text, Interpolation::Linear).unwrap();
    let at = read.at(0.25);
    assert_eq!((at.gravity, at.torque, at.gains), (1.25, Vector3::new(5.0, 6.0, 7.0), [8.0, 9.0]));
    assert!(read.at(-0.1).gravity.is_nan() && read.clone().constant_extrapolation().at(-0.1).gravity == 1.0);
    let read = |text: &str| Rows::from_csv(text, Interpolation::Linear).map(|_| ());
    assert!(matches!(read("t,gravity\n"), Err(TableError::MissingColumn { column, .. }) if column == "torque[0]"));
    assert!(
        matches!(read(&text.replace("gains[1]", "gain")), Err(TableError::UnknownColumn { column, .. }) if column == "gain")
    );
    assert!(matches!(read(&text.replace("2,1,", "two,1,")), Err(TableError::NoNumber { line: 4, .. })));
}

/// A cubic spline of smooth data: the method's order as long as its rows are dense.
#[test]
fn a_table_of_a_smooth_signal_drives_a_constraint() {
    let exact = run(&driven(), HalfExplicit::hedop5(), 1.0 / 1024.0, 1.0);
    let (q, v) = start();
    let error = |rows: u32| {
        let times: Vec<f64> = (0..=rows).map(|at| f64::from(at) / f64::from(rows)).collect();
        let signal = driven();
        let rows = times.iter().map(|&t| signal.inputs_at(t, &q, &v)).collect();
        let system = bare().with_inputs_from(Table::new(times, rows, Interpolation::Cubic).unwrap());
        (run(&system, HalfExplicit::hedop5(), 1.0 / 320.0, 1.0).configuration.position - exact.configuration.position)
            .norm()
    };
    let [a, b] = [20, 40].map(error);
    assert!(order(a, b) > 3.5 && b < 1e-6, "{a:e}, {b:e}");
}
