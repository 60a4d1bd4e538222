//! Collisions: impulses, restitution, energy.

use approx::assert_relative_eq;
use lie_runtime::integrator::{AnyMethod, Integrator};
use lie_runtime::prelude::*;

#[mechanical_system(redundant = minimum_norm)]
pub mod ball {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Height {
        pub z: f64,
    }

    #[parameters]
    pub struct Ball {
        pub touches: bool,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        v.z * v.z
    }

    #[potential]
    fn weight(q: &Height) -> f64 {
        20.0 * q.z
    }

    #[constraint]
    fn floor(p: &Ball, q: &Height) -> f64 {
        if p.touches { q.z } else { 0.0 }
    }
}

/// A brick with one corner that may touch a plate, and a string from its centre to a nail.
#[mechanical_system(redundant = minimum_norm)]
pub mod brick {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Pose {
        pub r: SO3,
        pub x: R3,
    }

    #[parameters]
    pub struct Brick {
        pub mass: f64,
        pub inertia: Vector3<f64>,
        pub corner: Vector3<f64>,
        pub touches: bool,
        pub tied: bool,
    }

    #[kinetic_energy]
    fn kinetic(p: &Brick, v: &Velocity) -> f64 {
        0.5 * (p.mass * v.x.norm_squared() + v.r.dot(&p.inertia.component_mul(&v.r)))
    }

    #[potential]
    fn weight(p: &Brick, q: &Pose) -> f64 {
        9.81 * p.mass * q.x.z
    }

    #[observable]
    fn gap(p: &Brick, q: &Pose) -> f64 {
        q.x.z + q.r.rotate(&p.corner).z
    }

    #[constraint]
    fn plate(p: &Brick, q: &Pose) -> f64 {
        if p.touches { q.x.z + (q.r * p.corner).z } else { 0.0 }
    }

    #[constraint]
    fn string(p: &Brick, q: &Pose) -> f64 {
        if p.tied { 0.5 * (q.x.norm_squared() - 4.0) } else { 0.0 }
    }
}

#[test]
fn a_ball_bounces_as_it_should_by_every_kind_of_method() {
    let system = ball::System::new(ball::Ball { touches: false }).unwrap();
    for method in [
        AnyMethod::of(HalfExplicit::hedop5()),
        AnyMethod::of(GeneralizedAlpha::lie_alpha()),
        AnyMethod::of(Rattlie::new()),
        AnyMethod::of(TrBdf2::new()),
    ] {
        let run = Simulation::of(&system)
            .initial(ball::Height { z: 5.0 }, Vector1::new(0.0))
            .method(method.clone())
            .event("strikes", |_, state| state.configuration.z)
            .falling()
            .apply(|at| {
                at.set(|p| p.touches = true);
                at.impact(["floor"], 0.5);
                at.set(|p| p.touches = false);
            })
            .step(0.02)
            .end_time(2.6)
            .run()
            .unwrap();
        let times: Vec<f64> = run.events.iter().map(|event| event.time).collect();
        assert_eq!(times.len(), 3, "{}: {times:?}", method.id());
        for (time, expected) in times.iter().zip([1.0, 2.0, 2.5]) {
            // Every one of them is exact on a parabola.
            assert!((time - expected).abs() < 1e-11, "{}: {times:?}", method.id());
        }
        let strike = &run.events[0];
        let after = strike.after.as_ref().unwrap();
        assert_relative_eq!(strike.before.velocity.x, -10.0, epsilon = 1e-10);
        assert_relative_eq!(after.velocity.x, 5.0, epsilon = 1e-10);
        assert_eq!(strike.impulses[0].constraint, "floor");
        // 2 kg from −10 to 5 m/s: v jumps by −M⁻¹ Bᵀ Λ.
        assert_relative_eq!(strike.impulses[0].rows[0], -30.0, epsilon = 1e-9);
        assert_relative_eq!(after.acceleration.x, -10.0, epsilon = 1e-9);
    }
}

/// A brick that falls, spinning, on its corner, tied or not; at its first impact with this restitution, the velocity jump.
fn blow(tied: bool, restitution: f64) -> (brick::System, State<brick::System>, State<brick::System>, f64) {
    let corner = Vector3::new(0.3, -0.2, -0.1);
    let inertia = Vector3::new(0.4, 0.7, 0.9);
    let system = brick::System::new(brick::Brick { mass: 2.0, inertia, corner, touches: false, tied }).unwrap();
    let pose = brick::Pose { r: SO3::exp(&Vector3::new(0.3, 0.2, -0.4)), x: Vector3::new(1.6, 0.0, 1.2) };
    let velocity = brick::Velocity { r: Vector3::new(1.0, -2.0, 0.5), x: Vector3::new(-0.3, 0.2, 0.4) };
    let run = Simulation::of(&system)
        .initial(pose, velocity)
        .event("strikes", |system, state| {
            let (p, q) = (system.parameters(), &state.configuration);
            q.x.z + q.r.rotate(&p.corner).z
        })
        .falling()
        .apply(move |at| {
            at.set(|p| p.touches = true);
            at.impact(["plate"], restitution);
            at.set(|p| p.touches = false);
            at.stop();
        })
        .step(1e-3)
        .end_time(3.0)
        .run()
        .unwrap();
    assert_eq!((run.events.len(), run.stopped.is_some()), (1, true));
    let strike = run.events[0].clone();
    (system, strike.before, strike.after.unwrap(), strike.impulses[0].rows[0])
}

#[test]
fn a_free_body_jumps_as_the_law_of_impact_says() {
    for restitution in [0.0, 0.4, 1.0] {
        let (system, before, after, impulse) = blow(false, restitution);
        let p = system.parameters();
        let lever = before.configuration.r.inverse() * Vector3::z();
        // n·v of the corner in the coordinates of the body, and what an impulse of one changes it by.
        let arm = p.corner.cross(&lever);
        let turn = arm.component_div(&p.inertia);
        let [before, after] = [&before, &after].map(|state| brick::Velocity::from(state.velocity));
        let rate = |v: &brick::Velocity| v.x.z + arm.dot(&v.r);
        assert_relative_eq!(rate(&after), -restitution * rate(&before), epsilon = 1e-12);
        let expected = -(1.0 + restitution) * rate(&before) / (1.0 / p.mass + arm.dot(&turn));
        assert_relative_eq!(-impulse, expected, epsilon = 1e-11);
        assert_relative_eq!(after.r, before.r + turn * expected, epsilon = 1e-11);
        assert_relative_eq!(after.x, before.x + Vector3::z() * (expected / p.mass), epsilon = 1e-11);
    }
}

#[test]
fn constraints_hold_after_a_blow_and_energy_never_rises() {
    for tied in [false, true] {
        let mut lost = f64::INFINITY;
        for restitution in [0.0, 0.3, 0.9, 1.0] {
            let (system, before, after, _) = blow(tied, restitution);
            let energy =
                |state: &State<brick::System>| system.kinetic_energy(0.0, &state.configuration, &state.velocity);
            let now = energy(&before) - energy(&after);
            // Less is lost the larger it is, and nothing at one: the string stands still.
            assert!(now < lost && now > -1e-12, "{now} lost with {restitution}");
            assert!(restitution < 1.0 || now.abs() < 1e-11, "{now} lost");
            lost = now;
            if tied {
                let v = brick::Velocity::from(after.velocity);
                assert!(after.configuration.x.dot(&v.x).abs() < 1e-13);
            }
        }
    }
}
