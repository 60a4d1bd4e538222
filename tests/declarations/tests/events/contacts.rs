//! Impacts with coefficients of their own, friction, and rows that only push.

use approx::assert_relative_eq;
use lie_runtime::prelude::*;
use lie_runtime::simulate::event::{Change, EventError};
use lie_runtime::simulate::{Failure, ImpactError};

use super::simultaneous::{corners, energy, plank};

/// A ball of 1 kg that lands with spin.
#[mechanical_system(redundant = minimum_norm)]
pub mod ball {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Ball {
        pub x: R3,
        pub angle: f64,
    }

    #[parameters]
    pub struct Contact {
        pub touches: bool,
        pub rubs: bool,
        pub drags: bool,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * v.x.norm_squared() + 0.5 * 0.4 * 0.01 * v.angle * v.angle
    }

    #[potential]
    fn weight(q: &Ball) -> f64 {
        9.81 * q.x.z
    }

    #[velocity_constraint]
    fn floor(p: &Contact, v: &Velocity) -> f64 {
        if p.touches { v.x.z } else { 0.0 }
    }

    #[velocity_constraint]
    fn slip(p: &Contact, v: &Velocity) -> f64 {
        if p.rubs { v.x.x - 0.1 * v.angle } else { 0.0 }
    }

    /// The contact of a body that does not rotate.
    #[velocity_constraint]
    fn drag(p: &Contact, v: &Velocity) -> Vector2<f64> {
        if p.drags { Vector2::new(v.x.x, v.x.y) } else { Vector2::zeros() }
    }
}

type Ball = ball::System;

/// The velocities before and after an impact, and the impulses by constraint.
type Bounce = (ball::Velocity, ball::Velocity, Vec<(&'static str, Vec<f64>)>);

/// The velocities before and after the first impact, and the impulses, of a ball with these velocities along x and y and this spin.
fn land([x, y, spin]: [f64; 3], mut act: impl FnMut(&mut Change<'_, Ball>) + Send) -> Result<Bounce, EventError> {
    let system = Ball::new(ball::Contact { touches: false, rubs: false, drags: false }).unwrap();
    let run = Simulation::of(&system)
        .initial(ball::Ball { x: Vector3::new(0.0, 0.0, 1.0), angle: 0.0 }, [x, y, 0.0, spin])
        .event("lands", |_, state| state.configuration.x.z)
        .falling()
        .apply(|at| {
            act(at);
            at.stop();
        })
        .rtol(1e-9)
        .atol(1e-9)
        .end_time(0.6)
        .run();
    let run = run.map_err(|error| match error.failure {
        Failure::Event { error, .. } => *error,
        other => panic!("{other:?}"),
    })?;
    let event = &run.events[0];
    let impulses = event.impulses.iter().map(|impulse| (impulse.constraint, impulse.rows.clone())).collect();
    let after = event.after.as_ref().unwrap();
    let kinetic = |state: &State<Ball>| system.kinetic_energy(0.0, &state.configuration, &state.velocity);
    assert!(kinetic(after) <= kinetic(&event.before) + 1e-12);
    Ok((event.before.velocity.into(), after.velocity.into(), impulses))
}

/// e = 0.5 along the normal and 0 along the floor, in one impact and in two, in both orders and with one constraint at a time.
#[test]
fn a_ball_that_lands_with_spin_follows_both_coefficients_in_any_order() {
    let ways: [fn(&mut Change<'_, Ball>); 4] = [
        |at| {
            at.set(|p| (p.touches, p.rubs) = (true, true));
            at.impact(["floor"], 0.5);
            at.impact(["slip"], 0.0);
        },
        |at| {
            at.set(|p| (p.touches, p.rubs) = (true, true));
            at.impact(["slip"], 0.0);
            at.impact(["floor"], 0.5);
        },
        |at| {
            at.set(|p| p.rubs = true);
            at.impact(["slip"], 0.0);
            at.set(|p| (p.touches, p.rubs) = (true, false));
            at.impact(["floor"], 0.5);
        },
        |at| {
            at.set(|p| (p.touches, p.rubs) = (true, true));
            at.collide(Impact::on("floor", 0.5).and("slip", 0.0));
        },
    ];
    for way in ways {
        let (before, after, impulses) = land([1.0, 0.0, -20.0], |at| {
            way(at);
            assert_eq!(at.impulses().len(), 2);
            at.set(|p| (p.touches, p.rubs) = (false, false));
        })
        .unwrap();
        // A solid ball: 5/7 of its velocity and 2/7 of that of its surface.
        let common = (5.0 * 1.0 + 2.0 * 0.1 * -20.0) / 7.0;
        assert_relative_eq!(after.x.x, common, epsilon = 1e-12);
        assert_relative_eq!(after.angle, 10.0 * common, epsilon = 1e-11);
        assert_relative_eq!(after.x.z, -0.5 * before.x.z, epsilon = 1e-12);
        for (constraint, rows) in impulses {
            let expected = if constraint == "floor" { 1.5 * before.x.z } else { 1.0 - common };
            assert_relative_eq!(rows[0], expected, epsilon = 1e-11);
        }
    }
}

#[test]
fn friction_stops_the_sliding_or_is_at_its_bound() {
    let rub = |restitution: f64, friction: f64| {
        move |at: &mut Change<'_, Ball>| {
            at.set(|p| (p.touches, p.rubs) = (true, true));
            at.collide(Impact::on("floor", restitution).friction("slip", friction));
            at.set(|p| (p.touches, p.rubs) = (false, false));
        }
    };
    for restitution in [0.0, 0.5, 1.0] {
        for spin in [-20.0, 40.0] {
            let slip: f64 = 1.0 - 0.1 * spin;
            // To stop it takes 2/7 of the mass.
            let stop = slip / 3.5;
            let (before, after, impulses) = land([1.0, 0.0, spin], rub(restitution, 10.0)).unwrap();
            assert_relative_eq!(after.x.x, 1.0 - stop, epsilon = 1e-12);
            assert_relative_eq!(after.x.x, 0.1 * after.angle, epsilon = 1e-12);
            assert_relative_eq!(after.x.z, -restitution * before.x.z, epsilon = 1e-12);
            assert_relative_eq!(impulses[1].1[0], stop, epsilon = 1e-12);
            let (before, after, impulses) = land([1.0, 0.0, spin], rub(restitution, 0.03)).unwrap();
            let bound = 0.03 * (1.0 + restitution) * before.x.z.abs() * slip.signum();
            assert!(bound.abs() < stop.abs());
            assert_relative_eq!(after.x.x, 1.0 - bound, epsilon = 1e-12);
            assert_relative_eq!(after.angle, spin + 0.1 * bound / 0.004, epsilon = 1e-11);
            assert_relative_eq!(impulses[1].1[0], bound, epsilon = 1e-12);
        }
    }
    for coefficient in [-0.1, f64::NAN, f64::INFINITY] {
        let error = land([1.0, 0.0, 0.0], rub(0.5, coefficient)).unwrap_err();
        assert!(matches!(error, EventError::Friction { .. }), "{error:?}");
    }
    let error = land([1.0, 0.0, 0.0], |at| at.collide(Impact::on("drag", 0.0).friction("slip", 0.1))).unwrap_err();
    assert_eq!(error, EventError::NormalRows { constraint: "drag", rows: 2 });
}

/// Two tangential rows: the friction is along the velocity.
#[test]
fn friction_in_a_plane_is_against_the_sliding() {
    for (friction, sticks) in [(0.05, false), (2.0, true)] {
        let (before, after, impulses) = land([0.8, -0.6, 0.0], |at| {
            at.set(|p| (p.touches, p.drags) = (true, true));
            at.collide(Impact::on("floor", 0.25).friction("drag", friction));
            at.set(|p| (p.touches, p.drags) = (false, false));
        })
        .unwrap();
        let bound = friction * 1.25 * before.x.z.abs();
        let kept = if sticks { 0.0 } else { 1.0 - bound };
        assert_relative_eq!(after.x.x, 0.8 * kept, epsilon = 1e-12);
        assert_relative_eq!(after.x.y, -0.6 * kept, epsilon = 1e-12);
        assert_relative_eq!(
            impulses[1].1[0].hypot(impulses[1].1[1]),
            if sticks { 1.0 } else { bound },
            epsilon = 1e-12
        );
    }
}

/// The states before and after an impact, and the impulses.
type Landing = (State<plank::System>, State<plank::System>, Vec<f64>);

/// The states on both sides of the first impact of the left corner of a plank with this inertia, this angle and these velocities, and the
/// impulses.
fn tumble(
    inertia: f64,
    angle: f64,
    velocity: [f64; 3],
    mut act: impl FnMut(&mut Change<'_, plank::System>) + Send,
) -> Result<Landing, EventError> {
    let system = corners(inertia);
    let (sin, cos) = f64::sin_cos(angle);
    let pose = plank::Plank { pose: SE2::new(SO2::from_angle(angle), Vector2::new(0.0, 0.5 * sin + 0.1 * cos + 1e-6)) };
    let run = Simulation::of(&system)
        .initial(pose, velocity)
        .event("lands", |_, state| plank::left_height(&state.configuration))
        .falling()
        .apply(|at| {
            act(at);
            at.stop();
        })
        .step(1e-3)
        .end_time(0.01)
        .run()
        .map_err(|error| match error.failure {
            Failure::Event { error, .. } => *error,
            other => panic!("{other:?}"),
        })?;
    let event = &run.events[0];
    let after = event.after.clone().unwrap();
    assert!(energy(&system, &after) <= energy(&system, &event.before) + 1e-12);
    Ok((event.before.clone(), after, event.impulses.iter().map(|impulse| impulse.rows[0]).collect()))
}

/// A heavy impact of one corner drives the other one away faster than it would rebound: the floor does not pull it.
#[test]
fn a_corner_that_is_driven_away_is_not_pulled() {
    let (inertia, e) = (3.0, 0.5);
    let both = |at: &mut Change<'_, plank::System>| {
        at.set(|p| (p.left, p.right) = (true, true));
        at.collide(Impact::on("left", 0.5).friction("sliding", 0.0).and("right", 0.5));
        at.set(|p| (p.left, p.right) = (false, false));
    };
    // Rates −1 and −0.1 of corners that are 1 m apart.
    let (before, after, impulses) = tumble(inertia, 0.0, [0.9, 0.0, -0.55], both).unwrap();
    let rates = |state: &State<plank::System>| {
        let v = state.velocity.into();
        [plank::left_height_rate(&state.configuration, &v), plank::right_height_rate(&state.configuration, &v)]
    };
    let ([left, right], [left_after, right_after]) = (rates(&before), rates(&after));
    assert!(left < -0.9 && right < -0.05);
    let (own, other) = (0.5 + 0.25 / inertia, 0.5 - 0.25 / inertia);
    assert_relative_eq!(left_after, -e * left, epsilon = 1e-10);
    assert_relative_eq!(right_after, right - (1.0 + e) * left * other / own, epsilon = 1e-5);
    assert!(right_after > -e * right);
    assert_relative_eq!(impulses[0], (1.0 + e) * left / own, epsilon = 1e-5);
    assert!(impulses[2].abs() < 1e-12);
}

/// Velocities in the body frame of a plank with this angle that does not turn.
fn along_and_up(angle: f64, along: f64, up: f64) -> [f64; 3] {
    let (sin, cos) = f64::sin_cos(angle);
    [0.0, cos * along + sin * up, cos * up - sin * along]
}

/// G of the left corner of a plank with this angle: the rows of its height and of its place along the floor.
fn coupled(inertia: f64, angle: f64) -> [[f64; 2]; 2] {
    let (sin, cos) = f64::sin_cos(angle);
    // r = R (−0.5, −0.1): the corner moves by (−r_y, r_x) with the angle.
    let (x, y) = (-0.5 * cos + 0.1 * sin, -0.5 * sin - 0.1 * cos);
    [[0.5 + x * x / inertia, -x * y / inertia], [-x * y / inertia, 0.5 + y * y / inertia]]
}

/// A case in which the normal impulse moves the corner along the floor, and friction changes the normal rate.
#[test]
fn friction_is_solved_together_with_the_normal_impulse() {
    let (inertia, angle, e) = (0.3, 1.0, 0.3);
    let [[nn, nt], [_, tt]] = coupled(inertia, angle);
    let rates = |state: &State<plank::System>| {
        let v = state.velocity.into();
        [plank::left_height_rate(&state.configuration, &v), plank::left_place_rate(&state.configuration, &v)]
    };
    let rub = |friction: f64| {
        move |at: &mut Change<'_, plank::System>| {
            at.set(|p| p.left = true);
            at.collide(Impact::on("left", 0.3).friction("sliding", friction));
            at.set(|p| p.left = false);
        }
    };
    let velocity = along_and_up(angle, 3.0, -2.0);
    let (before, after, impulses) = tumble(inertia, angle, velocity, rub(0.2)).unwrap();
    let ([n, t], [n_after, t_after]) = (rates(&before), rates(&after));
    // It slides on: Λ_t = μ |Λ_n| along u_t.
    let normal = (1.0 + e) * n / (nn - 0.2 * nt);
    assert_relative_eq!(impulses[0], normal, max_relative = 1e-5);
    assert_relative_eq!(impulses[1], -0.2 * normal, max_relative = 1e-5);
    assert_relative_eq!(n_after, -e * n, epsilon = 1e-12);
    assert_relative_eq!(t_after, t - nt * impulses[0] - tt * impulses[1], epsilon = 1e-5);
    assert!(t_after > 0.0);
    let (before, after, impulses) = tumble(inertia, angle, velocity, rub(5.0)).unwrap();
    let ([n, t], [n_after, t_after]) = (rates(&before), rates(&after));
    // It sticks: both rates are given.
    let determinant = nn * tt - nt * nt;
    assert_relative_eq!(n_after, -e * n, epsilon = 1e-12);
    assert!(t_after.abs() < 1e-12);
    assert_relative_eq!(impulses[0], ((1.0 + e) * n * tt - t * nt) / determinant, max_relative = 1e-5);
    assert_relative_eq!(impulses[1], (t * nn - (1.0 + e) * n * nt) / determinant, max_relative = 1e-5);
}

/// Newton's law with e = 1 and friction: where the normal impulse reverses the sliding, the tangential impulse would give energy.
#[test]
fn an_impact_that_would_give_energy_is_an_error() {
    let (inertia, angle) = (0.3, 1.0);
    let [[nn, nt], _] = coupled(inertia, angle);
    // The tangential rate that the normal impulse alone takes is 2 u_n nt / nn; half of it is left to be stopped, in the other direction.
    let slide = |restitution: f64| {
        move |at: &mut Change<'_, plank::System>| {
            at.set(|p| p.left = true);
            at.collide(Impact::on("left", restitution).friction("sliding", 5.0));
            at.set(|p| p.left = false);
        }
    };
    let velocity = along_and_up(angle, -2.0 * nt / nn, -2.0);
    let error = tumble(inertia, angle, velocity, slide(1.0)).unwrap_err();
    assert!(matches!(error, EventError::Impact(ImpactError::EnergyGain { .. })), "{error:?}");
    assert!(error.to_string().contains("would increase the kinetic energy by "), "{error}");
    assert!(tumble(inertia, angle, velocity, slide(0.0)).is_ok());
}
