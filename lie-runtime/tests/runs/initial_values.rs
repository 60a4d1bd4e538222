//! Initial values are corrected a little, more only when asked, and held where they are known.

use lie_runtime::prelude::*;
use lie_runtime::simulate::{ConsistencyError, SetupError};

use crate::models::{held_body, linkage};

fn body() -> (held_body::System, held_body::Body) {
    let system = held_body::System::new(held_body::Data { stiffness: 1.0 }).unwrap();
    (system, held_body::Body { attitude: SO3::identity(), position: Vector3::new(0.0, 1.0, 0.0) })
}

#[test]
fn values_far_from_the_constraints_are_not_moved_in_silence() {
    let (system, good) = body();
    let far = held_body::Body { position: Vector3::new(0.0, 31.8, 0.0), ..good };
    let run = |q, v: Vector6<f64>| Simulation::of(&system).initial(q, v).step(1e-3).end_time(0.1);
    let error = run(far, Vector6::zeros()).run().unwrap_err();
    let Failure::InitialValues(ConsistencyError::TooFar { value, projection, limit }) = &error.failure else {
        panic!("{error}")
    };
    assert_eq!(
        (*value, projection.constraint, projection.member, *limit),
        ("configuration", "hinge", "position", 0.01)
    );
    assert!((projection.largest - 30.8).abs() < 1e-6 && (projection.residual_before - 30.8).abs() < 1e-12, "{error}");
    assert!(error.to_string().contains("`position`") && error.to_string().contains("max_initial_correction"));
    let allowed = run(far, Vector6::zeros()).max_initial_correction(31.0).run().unwrap();
    assert!((allowed.initial.configuration.distance - 30.8).abs() < 1e-6, "{:?}", allowed.initial);
    // A velocity 50 off.
    let error = run(good, Vector6::new(0.0, 0.0, 0.0, 50.0, 0.0, 0.0)).run().unwrap_err();
    assert!(
        matches!(error.failure, Failure::InitialValues(ConsistencyError::TooFar { value: "velocity", .. })),
        "{error}"
    );
    // Digits of a table are.
    let near = held_body::Body { position: Vector3::new(0.0, 1.000_3, 0.0), ..good };
    let run = run(near, Vector6::zeros()).run().unwrap();
    assert!((run.initial.configuration.largest - 3e-4).abs() < 1e-9, "{:?}", run.initial);
}

/// Angles of crank, coupler and rocker of a linkage that is closed with this crank.
fn closed(lengths: &linkage::Lengths, crank: f64) -> [f64; 3] {
    // The triangle of coupler, rocker and the diagonal from the crank's tip to the far pivot.
    let diagonal = Vector2::new(lengths.ground - lengths.crank * crank.cos(), -lengths.crank * crank.sin());
    let d = diagonal.norm();
    let at_tip = ((lengths.coupler.powi(2) + d * d - lengths.rocker.powi(2)) / (2.0 * lengths.coupler * d)).acos();
    let coupler = diagonal.y.atan2(diagonal.x) + at_tip;
    let tip = Vector2::new(lengths.crank * crank.cos(), lengths.crank * crank.sin());
    let joint = tip + lengths.coupler * Vector2::new(coupler.cos(), coupler.sin()) - Vector2::new(lengths.ground, 0.0);
    [crank, coupler, joint.y.atan2(joint.x)]
}

#[test]
fn what_is_held_stays_and_the_rest_follows_from_closure() {
    let lengths = linkage::Lengths { crank: 1.0, coupler: 3.0, rocker: 2.5, ground: 3.2 };
    let expected = closed(&lengths, 0.7);
    let system = linkage::System::new(lengths.clone()).unwrap();
    let guess =
        linkage::Bars { crank: SO2::from_angle(0.7), coupler: SO2::from_angle(0.2), rocker: SO2::from_angle(1.5) };
    let rate = Vector3::new(2.0, 0.3, -0.1);
    let run = || Simulation::of(&system).initial(guess, rate).step(1e-3).end_time(0.01);
    let held = run().fix_initial(["crank"]).run().unwrap();
    let first = held.first();
    let q = &first.configuration;
    for (angle, expected) in [q.crank, q.coupler, q.rocker].iter().zip(expected) {
        assert!((angle.angle() - expected).abs() < 1e-12, "{} {expected}", angle.angle());
    }
    assert_eq!(first.velocity[0], 2.0);
    // The rates are those of the closed form, by differences.
    let (before, after) = (closed(&lengths, 0.7 - 1e-5), closed(&lengths, 0.7 + 1e-5));
    for i in 1..3 {
        assert!((first.velocity[i] - 2.0 * (after[i] - before[i]) / 2e-5).abs() < 1e-8, "{}", first.velocity);
    }
    // Without a word the guess is refused, and unheld the crank moves.
    assert!(run().run().is_err());
    let moved = run().max_initial_correction(2.0).run().unwrap();
    assert!((moved.first().configuration.crank.angle() - 0.7).abs() > 1e-2);
    // A limit holds for the others, if it is said.
    let error = run().fix_initial(["crank"]).max_initial_correction(1e-3).run().unwrap_err();
    assert!(matches!(error.failure, Failure::InitialValues(ConsistencyError::TooFar { .. })), "{error}");
}

#[test]
fn what_cannot_be_closed_says_so() {
    // The rocker is out of reach with the crank at 3.
    let long = linkage::Lengths { crank: 1.0, coupler: 1.0, rocker: 1.0, ground: 2.8 };
    let system = linkage::System::new(long).unwrap();
    let angles =
        |a, b, c| linkage::Bars { crank: SO2::from_angle(a), coupler: SO2::from_angle(b), rocker: SO2::from_angle(c) };
    let hold = |q, members: &[&str]| {
        let run = Simulation::of(&system).initial(q, Vector3::zeros()).fix_initial(members.iter().copied());
        run.step(0.01).end_time(0.1).run().unwrap_err()
    };
    let error = hold(angles(3.0, 0.5, 2.0), &["crank"]);
    let Failure::InitialValues(ConsistencyError::NoClosure { held, row, residual, .. }) = &error.failure else {
        panic!("{error}")
    };
    assert_eq!((held.as_slice(), row.constraint), (["crank".to_owned()].as_slice(), "closed"));
    assert!(residual.abs() > 0.1, "{error}");
    // Everything held, and not closed.
    let error = hold(angles(0.3, 0.5, 2.0), &["crank", "coupler", "rocker"]);
    assert!(matches!(error.failure, Failure::InitialValues(ConsistencyError::NoClosure { .. })), "{error}");
    assert!(error.to_string().contains("with `crank`, `coupler` and `rocker` fixed"), "{error}");
    // A name that is none.
    let error = hold(angles(0.3, 0.5, 2.0), &["crnk"]);
    assert!(matches!(error.failure, Failure::Setup(SetupError::UnknownMember { .. })), "{error}");
    assert!(error.to_string().contains("`crank`, `coupler` and `rocker`"), "{error}");
}

/// `fn main() -> Result<…>` with `run()?` shows the output of `Debug`.
#[test]
fn errors_are_as_short_as_their_message() {
    let (system, good) = body();
    let error = Simulation::of(&system).initial(good, Vector6::zeros()).step(-1.0).end_time(1.0).run().unwrap_err();
    assert_eq!(format!("{error:?}"), error.to_string());
    assert!(error.to_string().starts_with("the step size is -1; it must be finite and positive"));
}
