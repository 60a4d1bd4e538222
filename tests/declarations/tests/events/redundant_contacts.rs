//! Impacts on more contacts than a body has degrees of freedom, and impacts that have no result.

use approx::assert_relative_eq;
use lie_runtime::prelude::*;
use lie_runtime::simulate::event::{Change, EventError};
use lie_runtime::simulate::{Failure, ImpactError};

/// A plate of 1 kg with six legs, which falls with small rotations about two axes.
#[mechanical_system(redundant = minimum_norm)]
pub mod plate {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Plate {
        pub height: f64,
        pub tilt: R2,
    }

    #[parameters]
    pub struct Legs {
        pub inertia: f64,
        pub touch: bool,
        pub clamped: bool,
    }

    #[kinetic_energy]
    fn kinetic(p: &Legs, v: &Velocity) -> f64 {
        0.5 * v.height * v.height + 0.5 * p.inertia * v.tilt.norm_squared()
    }

    #[velocity_constraint]
    fn leg_0(p: &Legs, v: &Velocity) -> f64 {
        if p.touch { v.height - 0.5 * v.tilt.x - 0.3 * v.tilt.y } else { 0.0 }
    }

    #[velocity_constraint]
    fn leg_1(p: &Legs, v: &Velocity) -> f64 {
        if p.touch { v.height - 0.3 * v.tilt.y } else { 0.0 }
    }

    #[velocity_constraint]
    fn leg_2(p: &Legs, v: &Velocity) -> f64 {
        if p.touch { v.height + 0.5 * v.tilt.x - 0.3 * v.tilt.y } else { 0.0 }
    }

    #[velocity_constraint]
    fn leg_3(p: &Legs, v: &Velocity) -> f64 {
        if p.touch { v.height - 0.5 * v.tilt.x + 0.3 * v.tilt.y } else { 0.0 }
    }

    #[velocity_constraint]
    fn leg_4(p: &Legs, v: &Velocity) -> f64 {
        if p.touch { v.height + 0.3 * v.tilt.y } else { 0.0 }
    }

    #[velocity_constraint]
    fn leg_5(p: &Legs, v: &Velocity) -> f64 {
        if p.touch { v.height + 0.5 * v.tilt.x + 0.3 * v.tilt.y } else { 0.0 }
    }

    /// Two equal rows.
    #[velocity_constraint]
    fn clamp(p: &Legs, v: &Velocity) -> Vector2<f64> {
        if p.clamped { Vector2::new(v.height, v.height) } else { Vector2::zeros() }
    }
}

const LEGS: [&str; 6] = ["leg_0", "leg_1", "leg_2", "leg_3", "leg_4", "leg_5"];
const PLACES: [[f64; 2]; 6] = [[-0.5, -0.3], [0.0, -0.3], [0.5, -0.3], [-0.5, 0.3], [0.0, 0.3], [0.5, 0.3]];

/// The velocity after an impact with this velocity before, and the impulses.
fn land(
    inertia: f64,
    velocity: [f64; 3],
    mut act: impl FnMut(&mut Change<'_, plate::System>) + Send,
) -> Result<([f64; 3], Vec<f64>), EventError> {
    let system = plate::System::new(plate::Legs { inertia, touch: false, clamped: false }).unwrap();
    let run = Simulation::of(&system)
        .initial(plate::Plate { height: 1.0, tilt: Vector2::zeros() }, velocity)
        .event("lands", |_, state| state.configuration.height)
        .falling()
        .apply(|at| {
            act(at);
            at.set(|p| (p.touch, p.clamped) = (false, false));
            at.stop();
        })
        .step(0.1)
        .end_time(2.0)
        .run();
    let run = run.map_err(|error| match error.failure {
        Failure::Event { error, .. } => *error,
        other => panic!("{other:?}"),
    })?;
    let after = &run.last().velocity;
    Ok(([after[0], after[1], after[2]], run.events[0].impulses.iter().flat_map(|own| own.rows.clone()).collect()))
}

fn on_all_legs(restitution: f64) -> impl FnMut(&mut Change<'_, plate::System>) + Send {
    move |at| {
        at.set(|p| p.touch = true);
        at.impact(LEGS, restitution);
    }
}

/// All rates, of which three are independent, are reversed where legs that push can do so: their resultant has to be inside of the legs.
#[test]
fn redundant_legs_rebound_as_one_and_only_push() {
    // It is at (I ω / m v): in the middle, close to an edge, and close to a corner, where the impulses of least norm would pull.
    for (inertia, tilt) in [(0.24, [0.0, 0.0]), (0.24, [1.0, -0.5]), (0.24, [1.9, 0.0]), (0.24, [-1.2, 1.2])] {
        let before = [-1.0, tilt[0], tilt[1]];
        let (after, impulses) = land(inertia, before, on_all_legs(0.5)).unwrap();
        for (before, after) in before.into_iter().zip(after) {
            assert_relative_eq!(after, -0.5 * before, epsilon = 1e-7);
        }
        assert!(impulses.iter().all(|impulse| *impulse <= 1e-9), "{tilt:?}: {impulses:?}");
        // M (v⁺ − v⁻) = −Bᵀ Λ.
        assert_relative_eq!(-impulses.iter().sum::<f64>(), 1.5, epsilon = 1e-7);
        for axis in 0..2 {
            let moment: f64 = impulses.iter().zip(PLACES).map(|(impulse, place)| -impulse * place[axis]).sum();
            assert_relative_eq!(moment, -1.5 * inertia * tilt[axis], epsilon = 1e-7);
        }
    }
}

/// The resultant would be outside of the legs on one side: these carry all of it, and the others separate faster.
#[test]
fn redundant_legs_that_are_driven_away_have_no_impulse() {
    let (inertia, before) = (0.4, [-1.0, 1.8, 0.0]);
    let (after, impulses) = land(inertia, before, on_all_legs(0.5)).unwrap();
    let rate = |v: [f64; 3], place: [f64; 2]| v[0] + place[0] * v[1] + place[1] * v[2];
    for (place, impulse) in PLACES.into_iter().zip(impulses) {
        let (before, after) = (rate(before, place), rate(after, place));
        if place[0] < 0.0 {
            // Λ = (1 + e) u / (1 / m + x² / I), shared by two legs.
            assert_relative_eq!(after, -0.5 * before, epsilon = 1e-7);
            assert_relative_eq!(impulse, 0.5 * 1.5 * before / (1.0 + 0.25 / inertia), epsilon = 1e-7);
        } else {
            assert!(after > -0.5 * before + 0.1 && impulse.abs() < 1e-9, "{place:?}: {after} {impulse}");
        }
    }
}

/// The clamp is to rebound, and the legs, which depend on it, are not.
#[test]
fn dependent_rows_with_different_coefficients_are_an_error_with_both_rates() {
    let struck = |of_legs: f64, of_clamp: f64| {
        land(0.24, [-10.0, 0.0, 0.0], move |at| {
            at.set(|p| (p.touch, p.clamped) = (true, true));
            let legs =
                LEGS.into_iter().skip(1).fold(Impact::on(LEGS[0], of_legs), |impact, leg| impact.and(leg, of_legs));
            at.collide(legs.and("clamp", of_clamp));
        })
        .unwrap_err()
    };
    let error = struck(0.0, 0.5);
    let EventError::Impact(ImpactError::NotMet { row, required, rate }) = &error else { panic!("{error}") };
    assert_eq!(row.constraint, "clamp", "{error}");
    assert_relative_eq!(*required, 5.0, epsilon = 1e-9);
    // In the least-squares sense, with weights 1 / (B M⁻¹ Bᵀ): the legs require 0.
    let legs: f64 = PLACES.iter().map(|[x, y]| 1.0 / (1.0 + (x * x + y * y) / 0.24)).sum();
    assert_relative_eq!(*rate, 5.0 * 2.0 / (2.0 + legs), epsilon = 1e-4);
    assert!(error.to_string().contains("linearly dependent. Set equal coefficients"), "{error}");
    // Legs that only push against a clamp that holds.
    let error = struck(0.5, 0.0);
    let EventError::Impact(ImpactError::NotMet { row, required: 0.0, rate }) = &error else { panic!("{error}") };
    assert_eq!(row.constraint, "clamp", "{error}");
    assert_relative_eq!(*rate, 5.0 * legs / (2.0 + legs), epsilon = 1e-4);
}

/// A constraint whose rows are zero cannot be struck.
#[test]
fn a_named_constraint_that_does_not_act_is_an_error() {
    for (name, act) in [("clamp", [true, false]), ("leg_3", [false, true])] {
        let error = land(0.24, [-1.0, 0.0, 0.0], |at| {
            at.set(|p| (p.touch, p.clamped) = (act[0], act[1]));
            at.impact(["leg_3", "clamp"], 0.0);
        })
        .unwrap_err();
        assert_eq!(error, EventError::Impact(ImpactError::NotActing { constraint: name }));
        assert!(error.to_string().contains("`at.set(|p| …)`"), "{error}");
    }
    // Friction changes nothing: either of the two constraints is reported if it does not act.
    let error = land(0.24, [-1.0, 0.0, 0.0], |at| {
        at.set(|p| p.clamped = true);
        at.collide(Impact::on("leg_3", 0.5).friction("clamp", 0.1));
    });
    assert_eq!(error.unwrap_err(), EventError::Impact(ImpactError::NotActing { constraint: "leg_3" }));
}
