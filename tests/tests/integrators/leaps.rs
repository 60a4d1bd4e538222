//! Discontinuous constraints: no method continues after the discontinuity as if it were a motion.

use lie_runtime::prelude::*;
use lie_runtime::simulate::{Failure, MethodInfo, Methods, Registered};

/// Two gears in mesh, which a motor turns, by angles that jump at half a turn, and by a number that counts turns.
#[mechanical_system]
mod gears {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Gears {
        pub driver: SO2,
        pub driven: SO2,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * (v.driver * v.driver + v.driven * v.driven)
    }

    #[constraint]
    fn mesh(q: &Gears) -> f64 {
        2.5 * q.driver.angle() + q.driven.angle()
    }

    #[force(on = driver)]
    fn motor() -> f64 {
        1.0
    }
}

/// A bead on two circular arcs that join smoothly, by a branch: its condition changes during the run, its value is continuous.
#[mechanical_system]
mod rail {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Bead {
        pub position: R2,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * v.position.norm_squared()
    }

    #[potential]
    fn weight(q: &Bead) -> f64 {
        9.81 * q.position.y
    }

    #[constraint]
    fn arcs(q: &Bead) -> f64 {
        let x = q.position.x;
        if x < 0.0 { q.position.y - 0.5 * x * x } else { q.position.y - 2.0 * x * x }
    }
}

/// The methods that a system may be run by.
fn of<M: MechanicalSystem + Registered>(system: &M) -> Vec<MethodInfo> {
    Methods::<M>::all().infos().filter(|info| info.needs.are_met_by(system.description())).cloned().collect()
}

#[test]
fn no_method_leaps_to_where_an_angle_has_wrapped() {
    let system = gears::System::new().expect("a system");
    let start = || gears::Gears { driver: SO2::identity(), driven: SO2::identity() };
    let mut leapt = 0;
    for info in of(&system) {
        let run = Simulation::of(&system).initial(start(), system.zero_velocity()).method_named(info.id);
        let error = run.expect("applies").step(0.01).end_time(10.0).run().expect_err(info.id);
        match &error.failure {
            Failure::ConstraintJumps { time, row, jump } => {
                leapt += 1;
                assert!(row.to_string().contains("mesh") && (jump - core::f64::consts::TAU).abs() < 0.1, "{error}");
                // The driven gear is at half a turn after √(2 · 7.25 π / 2.5) s; nothing from behind is kept.
                assert!((time - (5.8 * core::f64::consts::PI).sqrt()).abs() < 0.02, "{}: {error}", info.id);
                assert!(error.last.as_ref().is_some_and(|last| last.time < *time));
            }
            Failure::OffConstraints { .. } => {}
            other => panic!("{}: {other}", info.id),
        }
    }
    assert!(leapt > 10, "{leapt}");
}

/// Methods that follow velocities do not mind: v' = 1 / 7.25 of the driver.
#[test]
fn what_goes_along_velocities_may_be_let_through() {
    let system = gears::System::new().expect("a system");
    let start = gears::Gears { driver: SO2::identity(), driven: SO2::identity() };
    let run = Simulation::of(&system).initial(start, system.zero_velocity()).step(0.01).end_time(10.0);
    let run = run.constraint_tolerance(f64::INFINITY).run().expect("runs");
    let last = run.last();
    let turned = last.configuration.driver.inverse() * SO2::from_angle(50.0 / 7.25);
    assert!(turned.angle().abs() < 1e-10 && (last.velocity.x - 10.0 / 7.25).abs() < 1e-10);
}

#[test]
fn a_choice_that_is_continuous_is_no_jump() {
    let system = rail::System::new().expect("a system");
    let start = || rail::Bead { position: Vector2::new(-1.0, 0.5) };
    let mut through = 0;
    for info in of(&system) {
        let run = Simulation::of(&system).initial(start(), system.zero_velocity()).method_named(info.id);
        match run.expect("applies").step(0.005).end_time(4.0).run() {
            Ok(run) => {
                through += 1;
                assert!(run.states.iter().any(|state| state.configuration.position.x > 0.3), "{}", info.id);
            }
            // Methods of order one drift, and multipliers without damping swing up; none leaps.
            Err(error) => assert!(
                matches!(error.failure, Failure::OffConstraints { .. } | Failure::EnergyGained { .. }),
                "{}: {error}",
                info.id
            ),
        }
    }
    assert!(through > 20, "{through}");
}

/// Two wheels on one axle with a spring between them, by the difference of two angles and by the angle of the difference.
#[mechanical_system]
mod wheels {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Wheels {
        pub a: SO2,
        pub b: SO2,
    }

    #[parameters]
    pub struct Spring {
        pub stiffness: f64,
        pub of_the_difference: f64,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * (v.a * v.a + v.b * v.b)
    }

    #[potential]
    fn between(p: &Spring, q: &Wheels) -> f64 {
        let (relative, difference) = ((q.a.inverse() * q.b).angle(), q.b.angle() - q.a.angle());
        0.5 * p.stiffness * (p.of_the_difference * difference.powi(2) + (1.0 - p.of_the_difference) * relative.powi(2))
    }

    #[dissipation]
    fn bearings(v: &Velocity) -> f64 {
        0.01 * (v.a * v.a + v.b * v.b)
    }
}

#[test]
fn a_potential_that_jumps_is_told_with_what_to_write_instead() {
    let run = |of_the_difference: f64| {
        let system = wheels::System::new(wheels::Spring { stiffness: 4.0, of_the_difference }).expect("a system");
        let start = wheels::Wheels { a: SO2::identity(), b: SO2::from_angle(0.3) };
        Simulation::of(&system)
            .initial(start, Vector2::new(2.0, 2.0))
            .step(0.01)
            .end_time(8.0)
            .run()
            .map(Run::into_trajectory)
    };
    let error = run(1.0).expect_err("angles wrap").to_string();
    assert!(error.contains("the potential energy jumps") && error.contains("(a.inverse() * b).angle()"), "{error}");
    run(0.0).expect("the angle between them does not");
}
