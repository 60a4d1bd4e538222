//! Gradients of systems on spheres against dual numbers through whole runs, kernel by kernel.

use fixtures::systems::linkages::pendulum;
use fixtures::systems::spheres::{direction, double_pendulum, plain_pendulum, rotors, slung_load};
use lie_runtime::gradient::{GradientError, Objective, pullback_check};
use lie_runtime::nalgebra::DVector;
use lie_runtime::nalgebra::SVector;
use lie_runtime::prelude::*;

use crate::case::Case;

fn two_masses() -> (double_pendulum::System, double_pendulum::Links, Vector6<f64>) {
    let data = double_pendulum::Pendulum { masses: [1.3, 0.7], lengths: [0.9, 1.2], gravity: 9.81 };
    let start = double_pendulum::Links { links: [direction(1.0, 0.2, -0.3), direction(-0.1, 0.4, -1.0)] };
    // Not orthogonal to the directions: what turns about them goes.
    (double_pendulum::System::new(data).unwrap(), start, Vector6::new(0.3, -0.8, 0.5, 0.9, 0.4, -0.2))
}

/// On its leash, which moves, and on its blade.
fn load() -> (slung_load::System, slung_load::Carrier, SVector<f64, 9>) {
    let inertia = Matrix3::new(0.5, 0.02, 0.0, 0.02, 0.4, 0.01, 0.0, 0.01, 0.3);
    let data = slung_load::Load { mass: 2.0, inertia, load: 0.5, length: 1.5, hook: Vector3::new(0.1, -0.2, -0.3) };
    let rod = direction(0.3, 0.4, -1.0);
    let below = Vector3::new(1.0, 0.0, 2.0 - 2.0_f64.sqrt());
    let start =
        slung_load::Carrier { attitude: SO3::identity(), rod, position: below - data.hook - rod.direction() * 1.5 };
    let (turn, swing) = (Vector3::new(0.3, -0.2, 0.1), Vector3::new(0.2, 0.4, 0.1));
    let swing = swing - rod.direction() * swing.dot(&rod.direction());
    let load = turn.cross(&data.hook) + swing.cross(&rod.direction()) * 1.5;
    let position = Vector3::new(-rod.direction().dot(&turn), 0.3, -load.z);
    let v = SVector::<f64, 9>::from_iterator(turn.iter().chain(&swing).chain(&position).copied());
    (slung_load::System::new(data).unwrap(), start, v)
}

/// J constant.
fn plain() -> (plain_pendulum::System, plain_pendulum::Link, Vector3<f64>) {
    let data = plain_pendulum::Pendulum { inertia: 1.7, weight: 3.0, friction: 0.2 };
    let start = plain_pendulum::Link { link: direction(1.0, 0.2, 0.3) };
    (plain_pendulum::System::new(data).unwrap(), start, Vector3::new(0.2, 0.7, -0.4))
}

fn chain() -> (rotors::System, rotors::Rotors, DVector<f64>) {
    let data = rotors::Data { inertia: 0.8, stiffness: 3.0 };
    let wave = |at: usize| (1.7 * at as f64 + 0.3).sin();
    let start = rotors::Rotors { rotors: (0..4).map(|at| direction(wave(at), wave(at + 2), 0.5)).collect() };
    let system = rotors::System::new(data, rotors::Lengths { rotors: 4 }).unwrap();
    (system, start, DVector::from_fn(12, |at, _| wave(at + 5)))
}

/// Frames whose joints are directions.
fn hanging() -> (pendulum::System, pendulum::Pendulum, DVector<f64>) {
    let data = pendulum::Data { mass: 0.9, length: 0.7, growth: 0.2, gravity: 9.81 };
    let wave = |at: usize| (2.1 * at as f64 + 0.7).cos();
    let start = pendulum::Pendulum { links: (0..3).map(|at| direction(wave(at), wave(at + 3), -0.8)).collect() };
    let system = pendulum::System::new(data, pendulum::Lengths { links: 3 }).unwrap();
    (system, start, DVector::from_fn(9, |at, _| 0.5 * wave(at + 7)))
}

/// All gradients, with every method that has a reverse pass.
macro_rules! by_all {
    ($given:ident, $step:literal, $end:literal, [$($collocation:ident)*]) => {{
        let (system, q, v) = $given();
        let case = Case::new(&system, q, v, $step, $end);
        case.check(HalfExplicit::hedop5());
        case.check(HalfExplicit::herk4());
        case.check(GeneralizedAlpha::lie_alpha());
        case.check(GeneralizedAlpha::ul_crv());
        case.check(TrBdf2::new());
        case.check(TrBdf2::third_order());
        case.check(crate::implicit::rattlie());
        $(case.check(Collocation::$collocation());)*
    }};
}

#[test]
fn of_two_masses() {
    by_all!(two_masses, 0.02, 0.2, [gauss4 radau_iia3]);
}

#[test]
fn of_a_slung_load() {
    by_all!(load, 0.02, 0.2, [radau_iia3]);
    let (system, q, v) = load();
    Case::new(&system, q, v, 0.02, 0.1).check(GeneralizedAlpha::lie_alpha_stab2());
}

#[test]
fn of_a_chain_and_of_frames() {
    by_all!(chain, 0.02, 0.16, [gauss4]);
    by_all!(hanging, 0.02, 0.16, [gauss4]);
}

#[test]
fn of_a_constant_inertia() {
    by_all!(plain, 0.02, 0.2, [gauss4]);
}

/// In Munthe-Kaas methods a group moves directions together with their velocities; a logarithm between directions leaves turns about
/// them out.
#[test]
fn of_other_methods_are_refused() {
    let (system, q, v) = plain();
    let run = || Simulation::of(&system).initial(q, v).step(0.02).end_time(0.1);
    let objective = Objective::<plain_pendulum::System>::new().at_end(|state| state.configuration.link.direction().z);
    let by_group = run().method(OnMechanical(MuntheKaas::rkmk4())).gradient_of(&objective).map(|_| ());
    let by_logarithms = run().method(BLieDF::bliedf2()).gradient_of(&objective).map(|_| ());
    for (id, refused) in [("rkmk4", by_group), ("bliedf2", by_logarithms)] {
        match refused.map_err(|error| *error) {
            Err(error @ GradientError::Method { method, why, .. }) => {
                assert!(method == id && why.contains("spheres"), "{why}");
                // What it says to take instead goes back, as the other tests here say.
                let told = error.to_string();
                assert!(told.contains("`HalfExplicit::hedop5()`") && !told.contains("MuntheKaas"), "{told}");
            }
            other => panic!("{id}: {other:?}"),
        }
    }
}

#[test]
fn of_each_kernel() {
    macro_rules! each {
        ($($given:ident)*) => {$({
            let (system, q, v) = $given();
            let mut state = State::at_rest(&system, 0.7, q);
            state.velocity.assign(&v);
            for at in 0..system.dof() {
                state.acceleration.set_component(at, 1.0 - (at as f64).sin());
            }
            for at in 0..system.constraint_rows() {
                state.multipliers.set_component(at, 0.8 - 0.3 * at as f64);
            }
            for kernel in pullback_check(&system, &state).unwrap() {
                assert!(kernel.deviation < 1e-13, "{}: {kernel:?}", system.description().name);
            }
        })*};
    }
    each! { two_masses load plain chain hanging }
}
