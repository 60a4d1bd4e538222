//! States, vectors and lengths of other systems are answered, not panicked on.

use lie_runtime::nalgebra::DVector;
use lie_runtime::prelude::*;
use lie_runtime::simulate::ColumnError;
use lie_runtime::system::ModelError;

use crate::models::beads;

fn line(length: usize) -> (beads::System, beads::Line) {
    let system = beads::System::new(beads::Lengths { beads: length }).unwrap();
    let beads = (0..length).map(|i| Vector3::new(i as f64, 0.0, 0.0)).collect();
    (system, beads::Line { beads })
}

#[test]
fn what_is_computed_from_another_systems_state_is_no_number() {
    let (system, good) = line(5);
    let v = system.zero_velocity();
    assert!(system.potential_energy(0.0, &good).is_finite() && system.kinetic_energy(0.0, &good, &v) == 0.0);
    for other in [0, 1, 4, 6] {
        let q = beads::Line { beads: vec![Vector3::zeros(); other] };
        assert!(system.space().check(&q).is_err());
        assert!(system.potential_energy(0.0, &q).is_nan() && system.kinetic_energy(0.0, &q, &v).is_nan());
        let mut out = system.zero_velocity();
        system.force(0.0, &q, &v, &mut out);
        assert!(out.iter().all(|x| x.is_nan()));
        let mut residual = system.zero_multipliers();
        system.constraint(0.0, &q, &mut residual);
        assert!(residual[0].is_nan());
        system.constraint_drift(0.0, &q, &mut residual);
        system.constraint_curvature(0.0, &q, &v, &mut residual);
        assert!(residual[0].is_nan());
        let mut jacobian = system.zero_jacobian();
        system.constraint_jacobian(0.0, &q, &mut jacobian);
        assert!(jacobian.entries.iter().any(|x| x.is_nan()));
        assert!(system.mass(0.0, &q, &mut system.zero_mass()).is_err());
        system.space().log_difference(&q, &good, &mut out);
        assert!(out.iter().all(|x| x.is_nan()));
        let error = Simulation::of(&system).initial(q, v.clone()).step(0.1).end_time(1.0).run().unwrap_err();
        assert!(error.to_string().contains("chain `beads`"), "{error}");
    }
    for length in [0, 11, 13] {
        let short = DVector::zeros(length);
        let mut out = system.zero_velocity();
        system.force(0.0, &good, &short, &mut out);
        assert!(out.iter().all(|x| x.is_nan()) && system.kinetic_energy(0.0, &good, &short).is_nan());
        let mut wrong = short.clone();
        system.force(0.0, &good, &v, &mut wrong);
        system.constraint(0.0, &good, &mut wrong);
        let jacobian = system.zero_jacobian();
        system.jacobian_times(&jacobian, &short, &mut system.zero_multipliers());
        system.jacobian_transpose_times(&jacobian, &short, &mut out);
        system.space().tangent(&short, &v, &mut out);
        system.space().tangent_inverse(&v, &short, &mut out);
        assert!(out.iter().all(|x| x.is_nan()));
        let error = Simulation::of(&system).initial(good.clone(), short).step(0.1).end_time(1.0).run().unwrap_err();
        assert!(error.to_string().contains("velocity has"), "{error}");
    }
}

#[test]
fn lengths_beyond_memory_are_refused() {
    for length in [usize::MAX, usize::MAX / 3, usize::MAX / 24, 1 << 40, 1 << 29] {
        let error = beads::System::new(beads::Lengths { beads: length }).unwrap_err();
        assert!(matches!(error, ModelError::TooLarge { member: "beads", .. }), "{error}");
    }
    for length in [0, 1] {
        let error = beads::System::new(beads::Lengths { beads: length }).unwrap_err();
        assert!(matches!(error, ModelError::ChainTooShort { .. }), "{error}");
    }
}

#[test]
fn trajectories_of_other_systems_are_not_written() {
    let (system, q) = line(5);
    let run = Simulation::of(&system).initial(q, system.zero_velocity()).step(0.1).end_time(0.3).run().unwrap();
    let (other, _) = line(7);
    let mut trajectory = run.into_trajectory();
    let error = trajectory.clone().with_system(&other).unwrap_err();
    assert!(error.to_string().contains("another system: chain `beads`"), "{error}");
    let mut bytes = Vec::new();
    let run = trajectory.clone().with_system(&system).unwrap();
    assert!(run.write_csv(&mut bytes).is_ok() && !bytes.is_empty());
    assert_eq!(run.at(0.2).unwrap().time, 0.2);
    trajectory.states.clear();
    assert!(matches!(trajectory.with_system(&system), Err(ColumnError::Empty)));
}
