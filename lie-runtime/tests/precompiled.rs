//! Runs with precompiled methods compute the same values as runs with the type of the system.

use lie_runtime::group::TangentVector;
use lie_runtime::integrator::generalized_alpha::Parameters;
use lie_runtime::integrator::{BLieDF, GeneralizedAlpha, Integrator, OnMechanical, Rattlie, State, TrBdf2};
use lie_runtime::nalgebra::{DVector, Matrix6};
use lie_runtime::prelude::*;
use lie_runtime::simulate::{PrecompiledError, Run};
use lie_runtime::space::ConfigurationSpace;
use lie_runtime::system::MechanicalSystem;
use lie_runtime::system::erased::Erasable;

#[mechanical_system]
mod top {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Pose {
        pub attitude: SO3,
        pub position: R3,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * v.position.norm_squared() + 0.5 * v.attitude.dot(&Vector3::new(0.2, 0.3, 0.1).component_mul(&v.attitude))
    }

    #[potential]
    fn weight(q: &Pose) -> f64 {
        9.81 * q.position.z
    }

    #[constraint]
    fn tip(q: &Pose) -> Vector3<f64> {
        q.position - q.attitude * Vector3::z()
    }
}

#[mechanical_system]
mod arm {
    use lie_runtime::nalgebra::Matrix6;
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Joints {
        pub hinges: Vec<SO2>,
    }

    #[parameters]
    pub struct Arm {
        pub inertia: Matrix6<f64>,
    }

    #[kinematics(over = hinges)]
    fn link(index: usize, above: &SE3, angle: &SO2) -> SE3 {
        let rotation = if index < 2 { SO3::about_z(angle.angle()) } else { SO3::about_y(angle.angle()) };
        *above * SE3::new(rotation, Vector3::new(0.5, 0.0, 0.0))
    }

    #[kinetic_energy(over = link)]
    fn kinetic(arm: &Arm, twist: &Vector6<f64>) -> f64 {
        0.5 * twist.dot(&(arm.inertia * twist))
    }

    #[potential(over = link)]
    fn weight(pose: &SE3) -> f64 {
        9.81 * pose.translation.z
    }
}

#[mechanical_system]
mod rope {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Beads {
        #[clamped(first)]
        pub beads: Vec<R3>,
    }

    #[kinetic_energy(over = beads)]
    fn kinetic(v: &Vector3<f64>) -> f64 {
        0.5 * v.norm_squared()
    }

    #[potential(over = beads)]
    fn weight(q: &R3) -> f64 {
        9.81 * q.z
    }

    #[constraint(over = beads.windows(2))]
    fn link([a, b]: [&R3; 2]) -> f64 {
        0.5 * ((b - a).norm_squared() - 1.0)
    }
}

/// A declaration with a symmetry that is not one: the weight acts along it.
#[mechanical_system]
mod stone {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Place {
        pub position: R2,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * v.position.norm_squared()
    }

    #[potential]
    fn weight(q: &Place) -> f64 {
        9.81 * q.position.y
    }

    #[symmetry]
    fn upwards(_q: &Place) -> Velocity {
        Velocity { position: Vector2::y() }
    }
}

fn spinning(system: &top::System) -> Simulation<'_, top::System> {
    let attitude = SO3::about_y(0.5);
    let start = top::Pose { attitude, position: attitude * Vector3::z() };
    let spin = top::Velocity { attitude: Vector3::new(0.0, 0.0, 20.0), position: Vector3::zeros() };
    Simulation::of(system).initial(start, spin).end_time(0.3)
}

fn hinged() -> arm::System {
    let inertia = Matrix6::from_diagonal(&Vector6::new(0.1, 0.2, 0.2, 1.0, 1.0, 1.0));
    arm::System::new(arm::Arm { inertia }, arm::Lengths { hinges: 4 }).expect("a system")
}

fn lifted(system: &arm::System) -> Simulation<'_, arm::System> {
    let start = arm::Joints { hinges: (0..4).map(|i| SO2::from_angle(0.2 * f64::from(i))).collect() };
    Simulation::of(system).at_rest(start).end_time(0.1)
}

fn hanging(system: &rope::System) -> Simulation<'_, rope::System> {
    let start = rope::Beads { beads: (0..6).map(|i| Vector3::new(f64::from(i), 0.0, 0.0)).collect() };
    Simulation::of(system).initial(start, DVector::zeros(15)).end_time(0.1)
}

/// Checks that two states have the same values, bit for bit.
fn ensure_equal<M: Erasable>(system: &M, one: &State<M>, other: &State<M>) {
    assert_eq!(one.time, other.time);
    assert!(system.space().distance(&one.configuration, &other.configuration) < 1e-15);
    for (one, other) in [(&one.velocity, &other.velocity), (&one.acceleration, &other.acceleration)] {
        assert!((0..system.dof()).all(|at| one.component(at) == other.component(at)), "{one:?} {other:?}");
    }
    let rows = 0..system.constraint_rows();
    assert!({ rows }.all(|row| one.multipliers.component(row) == other.multipliers.component(row)));
}

/// Checks that a run by type and a run by name are equal, also if they continue from their last states.
fn ensure_equal_runs<'a, M: Erasable>(
    system: &'a M,
    start: impl Fn() -> Simulation<'a, M>,
    method: &(impl Integrator<M> + Clone),
    step: Option<f64>,
) {
    let sized = |simulation: Simulation<'a, M>| match step {
        Some(h) => simulation.step(h),
        None => simulation.rtol(1e-7).atol(1e-7),
    };
    let [end, later] = [0.1, 0.15];
    let (typed, named) = (
        sized(start()).end_time(end).method(method.clone()).run().expect("a run"),
        sized(start()).end_time(end).run_precompiled(method.id()).expect("a run"),
    );
    assert_eq!((typed.states.len(), typed.method), (named.states.len(), named.method));
    assert!(typed.states.len() > 5, "{} states", typed.states.len());
    for (one, other) in typed.states.iter().zip(&named.states) {
        ensure_equal(system, one, other);
    }
    let restart = |run: &Run<'a, M>| sized(Simulation::of(system).restart_from(run.last().clone())).end_time(later);
    let (typed, named) =
        (restart(&typed).method(method.clone()).run().expect("a run"), restart(&named).run_precompiled(method.id()));
    ensure_equal(system, typed.last(), named.expect("a run").last());
}

#[test]
fn runs_of_a_top_are_equal() {
    let system = top::System::new().expect("a system");
    let start = || spinning(&system);
    ensure_equal_runs(&system, start, &HalfExplicit::hedop5(), None);
    ensure_equal_runs(&system, start, &GeneralizedAlpha::index3(Parameters::default()), Some(0.01));
    ensure_equal_runs(&system, start, &BLieDF::all().nth(1).expect("a method"), Some(0.01));
    ensure_equal_runs(&system, start, &Rattlie::new(), Some(0.01));
}

#[test]
fn runs_of_an_arm_with_frames_are_equal() {
    let system = hinged();
    ensure_equal_runs(&system, || lifted(&system), &OnMechanical(MuntheKaas::rkmk4()), Some(0.01));
    ensure_equal_runs(&system, || lifted(&system), &TrBdf2::new(), None);
}

#[test]
fn runs_of_a_chain_with_constraints_are_equal() {
    let system = rope::System::new(rope::Lengths { beads: 6 }).expect("a system");
    ensure_equal_runs(&system, || hanging(&system), &HalfExplicit::hedop5(), Some(0.01));
    ensure_equal_runs(&system, || hanging(&system), &TrBdf2::new(), Some(0.01));
}

#[test]
fn events_observers_and_monitors_see_the_states_of_the_system() {
    let system = top::System::new().expect("a system");
    let (mut typed, mut named) = (Vec::new(), Vec::new());
    let runs = [(&mut typed, false), (&mut named, true)].map(|(seen, is_named)| {
        let simulation = spinning(&system)
            .event("falls", |_, state| state.configuration.position.z - 0.87)
            .record()
            .event("has fallen", |_, state| state.time - 0.205)
            .stop()
            .monitor_energy()
            .monitor_momentum("vertical", |_, q| {
                let up = q.attitude.inverse() * Vector3::z();
                Vector6::new(up.x, up.y, up.z, -q.position.y, q.position.x, 0.0)
            })
            .on_step(|state: &State<top::System>| seen.push(state.configuration.position.z))
            .step(0.01);
        let run = if is_named {
            simulation.run_precompiled("hedop5").expect("a run")
        } else {
            simulation.method(HalfExplicit::hedop5()).run().expect("a run")
        };
        let events: Vec<_> = run.events.iter().map(|event| (event.event.clone(), event.time)).collect();
        (events, run.balances.clone(), run.stopped, run.column("energy.kinetic").expect("a column"))
    });
    assert_eq!(runs[0], runs[1]);
    assert!(runs[0].0.len() >= 2 && runs[0].2.is_some(), "{:?}", runs[0].0);
    assert_eq!(typed, named);
    assert!(typed.len() >= 20);
}

#[test]
fn unknown_methods_invalid_settings_and_unsupported_features_are_errors() {
    let system = top::System::new().expect("a system");
    let unknown = spinning(&system).step(0.01).run_precompiled("hedop6").expect_err("no such method");
    assert!(unknown.to_string().starts_with("unknown method `hedop6`"), "{unknown}");
    let step = spinning(&system).step(-0.01).run_precompiled("hedop5").expect_err("a negative step");
    let PrecompiledError::Run(step) = step else { panic!("{step}") };
    assert!(step.to_string().contains("step size is -0.01"), "{step}");
    let change = spinning(&system)
        .event("falls", |_, state| state.configuration.position.z - 0.87)
        .apply(|at| at.state().velocity[2] = 0.0);
    let change = change.step(0.01).run_precompiled("hedop5").expect_err("a change");
    assert!(change.to_string().contains("do not support events that change the motion"), "{change}");
}

#[test]
fn declarations_are_checked_before_the_first_step() {
    let system = stone::System::new().expect("a system");
    let (start, rest) = (Vector2::new(1.0, 2.0), Vector2::zeros());
    let place = stone::Place { position: start };
    let expected = system.check_against_declaration(0.0, &place, &rest).expect_err("no symmetry").to_string();
    assert!(expected.contains("`upwards`"), "{expected}");
    let found = Simulation::of(&system).at_rest(place).step(0.1).end_time(1.0).run_precompiled("hedop5");
    let found = found.expect_err("no symmetry").to_string();
    assert!(found.contains(&expected), "{found}\n{expected}");
}
