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

/// The configuration is normalised several times.
#[test]
fn long_runs_are_equal() {
    let system = top::System::new().expect("a system");
    let start = || spinning(&system).step(0.002);
    let typed = start().method(HalfExplicit::hedop5()).run().expect("a run");
    let named = start().method_named("hedop5").expect("a method").run().expect("a run");
    let precompiled = start().run_precompiled("hedop5").expect("a run");
    assert!(typed.states.len() > 100, "{} states", typed.states.len());
    for run in [&named, &precompiled] {
        ensure_equal(&system, typed.last(), run.last());
        assert_eq!(typed.last().configuration.attitude, run.last().configuration.attitude);
    }
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
    let option = spinning(&system).step(0.01).run_precompiled_with("lie_alpha", &[("rho", "0.8")]);
    let option = option.expect_err("no such option").to_string();
    assert!(option.contains("did you mean `rho_inf`?"), "{option}");
    let system = blocks::System::new(blocks::Data::default()).expect("a system");
    let run = falling(&system).contact("left", 0.5).step(0.01).end_time(0.5).run_precompiled("moreau_jean");
    let run = run.expect_err("a law of contact").to_string();
    assert!(run.contains("do not support contacts and dry friction with a time-stepping method"), "{run}");
}

/// Two blocks above a floor; the right one is driven along the floor.
#[mechanical_system]
mod blocks {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Blocks {
        pub left: f64,
        pub right: R2,
    }

    #[parameters]
    #[derive(Default)]
    pub struct Data {
        pub gain: f64,
        pub on_left: bool,
        pub on_right: bool,
        pub slip: i32,
    }

    #[inputs]
    pub struct Drive {
        pub push: f64,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * v.left * v.left + 0.5 * v.right.norm_squared()
    }

    #[potential]
    fn weight(q: &Blocks) -> f64 {
        10.0 * (q.left + q.right.y)
    }

    #[force(on = right)]
    fn drive(p: &Data, u: &Drive) -> Vector2<f64> {
        Vector2::new(u.push + p.gain, 0.0)
    }

    #[constraint(active = p.on_left)]
    fn left(p: &Data, q: &Blocks) -> f64 {
        q.left
    }

    #[constraint(active = p.on_right)]
    fn right(p: &Data, q: &Blocks) -> f64 {
        q.right.y
    }

    #[velocity_constraint(contact = right, friction = 0.3, slip = p.slip)]
    fn sliding(p: &Data, v: &Velocity) -> f64 {
        v.right.x
    }
}

/// The blocks reach the floor at the same time.
fn falling(system: &blocks::System) -> Simulation<'_, blocks::System> {
    let start = blocks::Blocks { left: 0.2, right: Vector2::new(0.0, 0.2) };
    let mut calls = 0.0;
    Simulation::of(system).initial(start, blocks::Velocity { left: 0.0, right: Vector2::new(0.4, 0.0) }).controller(
        0.05,
        move |t, q, v| {
            calls += 1.0;
            blocks::Drive { push: calls * (0.1 - v.right.x) + t * q.right.y }
        },
    )
}

fn ensure_equal_results(typed: &Run<'_, blocks::System>, named: &Run<'_, blocks::System>) {
    let columns = ["t", "left", "right", "velocity", "multipliers", "inputs.push", "energy.total"];
    let [one, other] = [typed, named].map(|run| run.table(columns).expect("the columns"));
    assert_eq!((one.names, one.rows), (other.names, other.rows));
    assert_eq!(typed.sampled_inputs(), named.sampled_inputs());
    assert!(typed.sampled_inputs().len() > 5);
    let events = |run: &Run<'_, blocks::System>| -> Vec<_> {
        let events = run.events.iter();
        events
            .map(|event| (event.event.clone(), event.time, event.impulses.clone(), event.simultaneous.clone()))
            .collect()
    };
    assert_eq!(events(typed), events(named));
}

#[test]
fn contacts_friction_controllers_and_simultaneous_impacts_are_equal() {
    let system = blocks::System::new(blocks::Data::default()).expect("a system");
    for id in ["hedop5", "lie_alpha", "tr_bdf2"] {
        let start = || falling(&system).contact("left", 0.4).contact("right", 0.4).step(0.005).end_time(1.0);
        let typed = start().method_named(id).expect("a method").run().expect("a run");
        let named = start().run_precompiled(id).expect("a run");
        ensure_equal_results(&typed, &named);
        let names: Vec<&str> = typed.events.iter().map(|event| &event.event[..]).collect();
        assert!(names.contains(&"left") && names.contains(&"right") && names.len() > 6, "{names:?}");
    }
}

#[test]
fn changes_of_the_state_and_of_parameters_are_equal() {
    let system = blocks::System::new(blocks::Data::default()).expect("a system");
    let start = || {
        let run = falling(&system).event("low", |_, state| state.configuration.left - 0.1).apply(|at| {
            at.state().velocity[0] = 2.0;
            at.set(|data| data.gain = 0.7);
        });
        let run =
            run.event("fast", |_, state| state.velocity[0] - 1.0).falling().apply(|at| at.set(|data| data.gain = 0.2));
        run.event("end", |_, state| state.time - 0.605).stop().step(0.01).end_time(0.8)
    };
    let typed = start().method_named("hedop5").expect("a method").run().expect("a run");
    let named = start().run_precompiled("hedop5").expect("a run");
    ensure_equal_results(&typed, &named);
    assert_eq!(typed.stopped, named.stopped);
    assert!(typed.stopped.is_some_and(|time| (time - 0.605).abs() < 1e-12), "{:?}", typed.stopped);
    assert!(typed.events.len() >= 4, "{}", typed.events.len());
    // An invalid change is an error of the run.
    let failed = falling(&system).event("low", |_, state| state.configuration.left - 0.1).apply(|at| {
        at.collide(lie_runtime::simulate::event::Impact::on("roof", 0.5));
    });
    let failed = failed.step(0.01).end_time(0.8).run_precompiled("hedop5").expect_err("no such constraint").to_string();
    assert!(failed.contains("`roof`"), "{failed}");
}

#[test]
fn options_of_methods_are_equal() {
    let system = top::System::new().expect("a system");
    let options = [("rho_inf", "0.8")];
    let methods = lie_runtime::simulate::Methods::all();
    let typed = spinning(&system).step(0.01).method_from(&methods, "lie_alpha", &options).expect("a method").run();
    let named = spinning(&system).step(0.01).run_precompiled_with("lie_alpha", &options).expect("a run");
    ensure_equal(&system, typed.expect("a run").last(), named.last());
    let other = spinning(&system).step(0.01).run_precompiled("lie_alpha").expect("a run");
    assert_ne!(other.last().velocity, named.last().velocity);
}

/// A ring of links with one row too many.
#[mechanical_system(redundant = minimum_norm)]
mod twice {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Place {
        pub bob: R2,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * v.bob.norm_squared()
    }

    #[potential]
    fn weight(q: &Place) -> f64 {
        9.81 * q.bob.y
    }

    #[constraint]
    fn rods(q: &Place) -> Vector2<f64> {
        let stretch = q.bob.norm_squared() - 1.0;
        Vector2::new(stretch, 2.0 * stretch)
    }
}

#[test]
fn multipliers_of_least_norm_are_equal() {
    let system = twice::System::new().expect("a system");
    let start = || Simulation::of(&system).at_rest(twice::Place { bob: Vector2::new(1.0, 0.0) });
    ensure_equal_runs(&system, start, &HalfExplicit::hedop5(), Some(0.01));
    ensure_equal_runs(&system, start, &TrBdf2::new(), Some(0.01));
    let run = start().step(0.01).end_time(0.1).run_precompiled("hedop5").expect("a run");
    let [one, other] = [0, 1].map(|row| run.last().multipliers[row]);
    // The least norm of 4 λ₁² + 16 λ₂² for a given λ₁ + 2 λ₂, up to the regularisation.
    assert!((one - 2.0 * other).abs() < f64::EPSILON.sqrt() * one.abs(), "{one} and {other}");
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
