//! A system over chains against the same system written out, whose derivatives dual numbers have checked.

use fixtures::random::Random;
use fixtures::systems::chained::{COUNT, chained, spelled_out};
use lie_runtime::group::TangentVector;
use lie_runtime::nalgebra::{DVector, SVector};
use lie_runtime::prelude::*;
use lie_runtime::system::{CheckPoint, Linearised, derivative_check};

const DOF: usize = 1 + 6 * COUNT;
const ROWS: usize = 5;

/// Both systems; the order of components and rows is the same.
fn systems() -> (chained::System, spelled_out::System) {
    macro_rules! data {
        ($module:ident) => {
            $module::Data {
                mass: 1.3,
                inertia: Matrix3::new(0.3, 0.02, -0.01, 0.02, 0.5, 0.03, -0.01, 0.03, 0.4),
                stiffness: Vector6::new(2.0, 3.0, 5.0, 7.0, 11.0, 13.0),
                damping: 0.4,
            }
        };
    }
    let chained = chained::System::new(data!(chained), chained::Lengths { frames: COUNT }).expect("a chain");
    (chained, spelled_out::System::new(data!(spelled_out)).expect("a system"))
}

/// A state at random.
struct Sample {
    t: f64,
    rail: R1,
    frames: [S3R3; COUNT],
    v: SVector<f64, DOF>,
    acceleration: SVector<f64, DOF>,
    multipliers: SVector<f64, ROWS>,
}

fn sample(random: &mut Random) -> Sample {
    let frames = core::array::from_fn(|_| S3R3 {
        rotation: S3::exp(&(0.5 * random.rotation_vector())),
        translation: random.vector::<3>(),
    });
    Sample {
        t: random.number(),
        rail: random.vector::<1>(),
        frames,
        v: random.vector(),
        acceleration: random.vector(),
        multipliers: random.vector(),
    }
}

fn dynamic<const N: usize>(vector: &SVector<f64, N>) -> DVector<f64> {
    DVector::from_column_slice(vector.as_slice())
}

/// The largest difference relative to the largest entry.
fn assert_close(what: &str, a: &[f64], b: &[f64]) {
    assert_eq!(a.len(), b.len(), "{what}");
    let scale = b.iter().fold(1e-3_f64, |largest, value| largest.max(value.abs()));
    for (at, (a, b)) in a.iter().zip(b).enumerate() {
        assert!((a - b).abs() < 1e-13 * scale, "{what}: component {at} is {a}, written out {b}");
    }
}

#[test]
#[allow(clippy::too_many_lines)] // Every method of two traits, one after the other.
fn elements_add_up_to_the_system_written_out() {
    let (chained, spelled) = systems();
    assert_eq!((chained.dof(), spelled.dof()), (DOF, DOF));
    assert_eq!((chained.constraint_rows(), chained.holonomic_rows()), (ROWS, ROWS - 1));
    let mut random = Random::new(3);
    for _ in 0..30 {
        let Sample { t, rail, frames, v, acceleration, multipliers } = sample(&mut random);
        let q = chained::Line { rail, frames: frames.to_vec() };
        let p = spelled_out::Line { rail, frames };
        let at = CheckPoint { t, q: &p, v: &v, acceleration: &acceleration, multipliers: &multipliers };
        for entry in derivative_check(&spelled, at) {
            assert!(entry.deviation < 1e-12, "{entry:?}");
        }
        let (dv, da, dm) = (dynamic(&v), dynamic(&acceleration), dynamic(&multipliers));

        let mut vectors = (chained.zero_velocity(), spelled.zero_velocity());
        let mut rows = (chained.zero_multipliers(), spelled.zero_multipliers());
        chained.force(t, &q, &dv, &mut vectors.0);
        spelled.force(t, &p, &v, &mut vectors.1);
        assert_close("force", vectors.0.as_slice(), vectors.1.as_slice());
        chained.residual(t, &q, &dv, &da, &dm, &mut vectors.0);
        spelled.residual(t, &p, &v, &acceleration, &multipliers, &mut vectors.1);
        assert_close("residual", vectors.0.as_slice(), vectors.1.as_slice());
        chained.constraint(t, &q, &mut rows.0);
        spelled.constraint(t, &p, &mut rows.1);
        assert_close("constraint", rows.0.as_slice(), rows.1.as_slice());
        chained.constraint_drift(t, &q, &mut rows.0);
        spelled.constraint_drift(t, &p, &mut rows.1);
        assert_close("constraint drift", rows.0.as_slice(), rows.1.as_slice());
        chained.constraint_curvature(t, &q, &dv, &mut rows.0);
        spelled.constraint_curvature(t, &p, &v, &mut rows.1);
        assert_close("constraint curvature", rows.0.as_slice(), rows.1.as_slice());
        assert_close(
            "energies",
            &[chained.kinetic_energy(t, &q, &dv), chained.potential_energy(t, &q)],
            &[spelled.kinetic_energy(t, &p, &v), spelled.potential_energy(t, &p)],
        );

        let mut jacobians = (chained.zero_jacobian(), spelled.zero_jacobian());
        chained.constraint_jacobian(t, &q, &mut jacobians.0);
        spelled.constraint_jacobian(t, &p, &mut jacobians.1);
        chained.jacobian_times(&jacobians.0, &dv, &mut rows.0);
        spelled.jacobian_times(&jacobians.1, &v, &mut rows.1);
        assert_close("B v", rows.0.as_slice(), rows.1.as_slice());
        chained.jacobian_transpose_times(&jacobians.0, &dm, &mut vectors.0);
        spelled.jacobian_transpose_times(&jacobians.1, &multipliers, &mut vectors.1);
        assert_close("Bᵀ λ", vectors.0.as_slice(), vectors.1.as_slice());

        let mut matrices = (chained.zero_matrix(), spelled.zero_matrix());
        let compare = |what: &str, matrices: &(_, _)| {
            for row in 0..DOF {
                let a: Vec<f64> = (0..DOF).map(|column| chained.matrix_entry(&matrices.0, row, column)).collect();
                let b: Vec<f64> = (0..DOF).map(|column| spelled.matrix_entry(&matrices.1, row, column)).collect();
                assert_close(&format!("{what}, row {row}"), &a, &b);
            }
        };
        chained.mass_matrix(t, &q, &mut matrices.0);
        spelled.mass_matrix(t, &p, &mut matrices.1);
        compare("mass matrix", &matrices);
        chained.tangent_stiffness(t, &q, &dv, &da, &dm, &mut matrices.0);
        spelled.tangent_stiffness(t, &p, &v, &acceleration, &multipliers, &mut matrices.1);
        compare("tangent stiffness", &matrices);
        chained.tangent_damping(t, &q, &dv, &mut matrices.0);
        spelled.tangent_damping(t, &p, &v, &mut matrices.1);
        compare("tangent damping", &matrices);

        let mut masses = (chained.zero_mass(), spelled.zero_mass());
        chained.mass(t, &q, &mut masses.0).expect("positive definite");
        spelled.mass(t, &p, &mut masses.1).expect("positive definite");
        let mut reactions = (chained.zero_multipliers(), spelled.zero_multipliers());
        chained
            .solve_kkt(&mut masses.0, &jacobians.0, &jacobians.0, &da, &dm, &mut vectors.0, &mut reactions.0)
            .expect("independent");
        spelled
            .solve_kkt(
                &mut masses.1,
                &jacobians.1,
                &jacobians.1,
                &acceleration,
                &multipliers,
                &mut vectors.1,
                &mut reactions.1,
            )
            .expect("independent");
        for (what, a, b) in [
            ("acceleration", vectors.0.as_slice(), vectors.1.as_slice()),
            ("multipliers", reactions.0.as_slice(), reactions.1.as_slice()),
        ] {
            let scale = b.iter().fold(1.0_f64, |largest, value| largest.max(value.abs()));
            for (a, b) in a.iter().zip(b) {
                assert!((a - b).abs() < 1e-9 * scale, "{what}: {a}, written out {b}");
            }
        }
    }
}

#[test]
fn short_chains_and_wrong_lengths_are_errors() {
    let (chained, _) = systems();
    let data = chained.parameters().clone();
    for frames in [0, 1, 2] {
        let error = chained::System::new(data.clone(), chained::Lengths { frames }).expect_err("too short").to_string();
        assert!(error.contains("`frames`"), "{error}");
    }
    let q = chained::Line { rail: R1::zeros(), frames: vec![S3R3::identity(); COUNT + 1] };
    let v = chained.zero_velocity();
    let error = Simulation::of(&chained).initial(q, v).step(0.1).end_time(1.0).run().expect_err("too long").to_string();
    assert!(error.contains("`frames`") && error.contains('5') && error.contains('4'), "{error}");
}

#[test]
fn velocities_have_names() {
    let (chained, _) = systems();
    let mut random = Random::new(5);
    let components = dynamic(&random.vector::<DOF>());
    let velocity = chained.velocity(&components);
    assert_eq!(velocity.rail[0], components.component(0));
    assert_eq!(velocity.frames[2][5], components.component(1 + 2 * 6 + 5));
    assert_eq!(lie_runtime::nalgebra::DVector::from(velocity), components);
}
