//! Regressors of a planar arm and of frames, base parameters and least squares.

use fixtures::random::Random;
use lie_runtime::analysis::{DynamicsError, Regressor, StateDynamics};
use lie_runtime::inputs::Jet;
use lie_runtime::nalgebra::{DMatrix, DVector, dmatrix};
use lie_runtime::prelude::*;
use lie_runtime::system::Parametrised;

use super::bodies::{state, swimmer};

/// Two links in the plane: inertias about the joints, first moments along the links, and the mass of the second link.
#[mechanical_system]
pub mod arm {
    #[configuration]
    pub struct Joints {
        pub shoulder: f64,
        pub elbow: f64,
    }

    #[parameters]
    pub struct Arm {
        pub inertias: Vector2<f64>,
        pub first_moments: Vector2<f64>,
        pub mass: f64,
        pub damping: f64,
        pub length: f64,
        pub unused: f64,
    }

    #[inputs]
    pub struct Motors {
        pub torque: Vector2<f64>,
    }

    #[quantity]
    fn elbow(arm: &Arm, q: &Joints) -> Vector2<f64> {
        Vector2::new(q.shoulder.cos(), q.shoulder.sin()) * arm.length
    }

    #[kinetic_energy]
    fn kinetic(arm: &Arm, q: &Joints, v: &Velocity) -> f64 {
        let (speed, spin, angle) = (elbow_rate(arm, q, v), v.shoulder + v.elbow, q.shoulder + q.elbow);
        let across = Vector2::new(-angle.sin(), angle.cos());
        0.5 * arm.inertias.x * v.shoulder.powi(2)
            + 0.5 * arm.inertias.y * spin.powi(2)
            + 0.5 * arm.mass * speed.norm_squared()
            + arm.first_moments.y * spin * speed.dot(&across)
    }

    #[potential]
    fn weight(arm: &Arm, q: &Joints) -> f64 {
        let tip = (q.shoulder + q.elbow).sin();
        9.81 * (arm.first_moments.x * q.shoulder.sin() + arm.mass * elbow(arm, q).y + arm.first_moments.y * tip)
    }

    #[potential]
    fn known_spring(q: &Joints) -> f64 {
        0.5 * q.elbow * q.elbow
    }

    #[dissipation]
    fn damping(arm: &Arm, v: &Velocity) -> f64 {
        0.5 * arm.damping * (v.shoulder.powi(2) + v.elbow.powi(2))
    }

    #[force]
    fn motors(u: &Motors) -> Vector2<f64> {
        u.torque
    }
}

const LENGTH: f64 = 0.6;

pub fn arm() -> arm::Arm {
    let (inertias, first_moments) = (Vector2::new(0.4, 0.15), Vector2::new(0.9, 0.35));
    arm::Arm { inertias, first_moments, mass: 2.0, damping: 0.3, length: LENGTH, unused: 1.0 }
}

pub fn unpowered(arm: arm::Arm) -> arm::System {
    arm::System::new(arm).unwrap().with_inputs_over_time(|_| arm::Motors { torque: Vector2::zeros() })
}

const NAMES: [&str; 5] = ["inertias", "first_moments", "mass", "damping", "unused"];

/// The regressor of the textbook, and its base parameters.
#[test]
fn a_planar_arm_has_the_regressor_of_the_textbook() {
    let system = unpowered(arm());
    let mut regressor = Regressor::of(&system, NAMES).unwrap();
    let (q, v, a) = (arm::Joints { shoulder: 0.7, elbow: -1.1 }, Vector2::new(1.3, -0.8), Vector2::new(2.0, 0.5));
    let linear = regressor.at(0.0, &q, &v, &a).unwrap();
    let (s, c, l, g) = (q.elbow.sin(), q.elbow.cos(), LENGTH, 9.81);
    let both = g * (q.shoulder + q.elbow).cos();
    let first = l * (c * (2.0 * a.x + a.y) - s * (2.0 * v.x * v.y + v.y * v.y)) + both;
    let second = l * (c * a.x + s * v.x * v.x) + both;
    let gravity = g * q.shoulder.cos();
    let expected = dmatrix![
        a.x, a.x + a.y, gravity, first, l * l * a.x + l * gravity, v.x, 0.0;
        0.0, a.x + a.y, 0.0, second, 0.0, v.y, 0.0
    ];
    assert!((&linear.matrix - expected).amax() < 1e-13, "{}", linear.matrix);
    assert!((&linear.offset - DVector::from_vec(vec![0.0, q.elbow])).amax() < 1e-13, "{}", linear.offset);

    // One state has at most two base parameters, and a motion has all of them.
    let motors = |t: f64| arm::Motors { torque: Vector2::new(8.0 * (3.0 * t).sin(), 3.0 * (5.0 * t).cos()) };
    let powered = arm::System::new(arm()).unwrap().with_inputs_over_time(move |t| {
        let number = Jet::<f64>::from_f64;
        arm::Motors {
            torque: Vector2::new((t * number(3.0)).sin() * number(8.0), (t * number(5.0)).cos() * number(3.0)),
        }
    });
    let run = Simulation::of(&powered).at_rest(q).step(0.01).end_time(2.0).run().unwrap();
    assert_eq!(regressor.base_parameters(&run.states[..1]).unwrap().columns.len(), 2);
    let base = regressor.base_parameters(&run.states).unwrap();
    assert_eq!(base.columns, [0, 1, 2, 3, 5]);
    let mut expected = DMatrix::zeros(5, 7);
    for (row, column) in [0, 1, 2, 3, 5].into_iter().enumerate() {
        expected[(row, column)] = 1.0;
    }
    (expected[(0, 4)], expected[(2, 4)]) = (l * l, l);
    assert!((&base.matrix - &expected).amax() < 1e-9, "{base}");
    assert!(base.to_string().starts_with("1 inertias[0] + 0.360000 mass\n1 inertias[1]\n"), "{base}");

    // Least squares with the torques of the motors.
    let linear = regressor.stacked(&run.states).unwrap();
    let torques = run.states.iter().flat_map(|state| motors(state.time).torque.data.0[0]);
    let found = base.estimate(&linear, &DVector::from_iterator(2 * run.states.len(), torques)).unwrap();
    assert!((&found - &base.matrix * regressor.parameters()).amax() < 1e-9, "{found}");
    let error = base.estimate(&linear, &DVector::zeros(3)).unwrap_err().to_string();
    assert!(error.contains("402 rows") && error.contains("3 forces"), "{error}");
    let one = regressor.stacked(&run.states[..1]).unwrap();
    let error = base.estimate(&one, &DVector::zeros(2)).unwrap_err();
    assert_eq!(error, DynamicsError::NotDetermined { rows: 2, parameters: 5 });
    let error = Regressor::of(&system, [""; 0]).unwrap_err().to_string();
    assert!(error.starts_with("missing names of variables"), "{error}");
}

#[test]
fn nonlinear_parameters_are_named() {
    let system = unpowered(arm());
    let (q, v, a) = (arm::Joints { shoulder: 0.7, elbow: -1.1 }, Vector2::new(1.3, -0.8), Vector2::new(2.0, 0.5));
    let names = |names: &[&str]| match Regressor::of(&system, names).unwrap().at(0.0, &q, &v, &a) {
        Err(DynamicsError::NonlinearParameters { names }) => names,
        other => panic!("{other:?}"),
    };
    assert_eq!(names(&["inertias", "length"]), ["length"]);
    // A product of two parameters.
    assert_eq!(names(&["length", "first_moments", "damping"]), ["length", "first_moments[1]"]);
    let error = Regressor::of(&system, ["mass", "q.elbow"]).unwrap_err();
    assert!(error.to_string().starts_with("`q.elbow[0]` is not a parameter; the parameters are `inertias`"), "{error}");
    let error = Regressor::of(&system, ["masses"]).unwrap_err();
    assert!(error.to_string().contains("`masses`"), "{error}");
    let driven =
        arm::System::new(arm()).unwrap().with_inputs(|_, _, v| arm::Motors { torque: Vector2::new(-v.shoulder, 0.0) });
    assert!(matches!(Regressor::of(&driven, ["mass"]), Err(DynamicsError::Inputs(_))));
}

/// Columns are differences of inverse dynamics: exact for any step, because the forces are linear.
#[test]
fn a_regressor_of_frames_is_a_difference() {
    let (mut random, system) = (Random::new(3), swimmer(9.81));
    let (q, v) = state(&mut random);
    let a = DVector::from_fn(15, |_, _| random.number());
    let names = ["mass", "first_moment", "inertia"];
    let mut regressor = Regressor::of(&system, names).unwrap();
    let linear = regressor.at(0.0, &q, &v, &a).unwrap();
    let forces = |system: &swimmer::System| StateDynamics::of(system).inverse(0.0, &q, &v, &a).unwrap().clone();
    let before = forces(&system);
    assert!((&linear.matrix * regressor.parameters() + &linear.offset - &before).amax() < 1e-13);
    for column in 0..13 {
        let mut changed = system.parameters().clone();
        match column {
            0 => changed.mass += 1.0,
            1..=3 => changed.first_moment[column - 1] += 1.0,
            _ => changed.inertia[((column - 4) / 3, (column - 4) % 3)] += 1.0,
        }
        let difference = forces(&system.with_parameters(changed).unwrap()) - &before;
        assert!((linear.matrix.column(column) - difference).amax() < 1e-12, "{}", regressor.names()[column]);
    }
    // The offset is the force without the bodies.
    assert!(linear.offset.amax() < 1e-12);
    // The off-diagonal entries of the inertia are not distinguishable.
    let states: Vec<State<swimmer::System>> = (0..10)
        .map(|_| {
            let (q, v) = state(&mut random);
            let mut state = State::at_rest(&system, 0.0, q);
            (state.velocity, state.acceleration) = (v, DVector::from_fn(15, |_, _| random.number()));
            state
        })
        .collect();
    let base = regressor.base_parameters(&states).unwrap();
    assert_eq!(base.columns, [0, 1, 2, 3, 4, 5, 6, 8, 9, 12]);
    let pairs = [(5, 7), (6, 10), (9, 11)];
    let pair = |row: usize, column: usize| pairs.iter().any(|&(a, b)| base.columns[row] == a && column == b);
    let expected =
        DMatrix::from_fn(10, 13, |row, column| f64::from(u8::from(base.columns[row] == column || pair(row, column))));
    assert!((&base.matrix - expected).amax() < 1e-9, "{base}");
}
