//! Gradients of systems with frames against dual numbers through whole runs, kernel by kernel and step by step.

mod declarations;

use lie_runtime::gradient::{Objective, pullback_check};
use lie_runtime::inputs::Constant;
use lie_runtime::nalgebra::DVector;
use lie_runtime::prelude::*;
use lie_runtime::simulate::InverseKinematics;

use crate::case::Case;
use declarations::{bars, pendulum, tree};

fn wave(at: usize, phase: f64) -> f64 {
    (1.3 * at as f64 + phase).sin()
}

/// Frames: the trunk, four hinges, two slides, the last of which stands on the base.
pub fn branched() -> (tree::System, tree::Tree, DVector<f64>) {
    let parents = vec![None, Some(0), Some(1), Some(0), Some(3), Some(2), None];
    let (pins, springs) = (vec![[2, 4], [5, 6]], vec![[6, 0], [1, 4]]);
    let lengths = tree::Lengths { hinges: 4, slides: 2, parents, pins, springs };
    let body = |at: usize| tree::Inertia {
        mass: 1.5 + 0.3 * wave(at, 0.1),
        center: Vector3::new(0.1, 0.05 * wave(at, 0.7), -0.1),
        moments: Matrix3::new(0.3, 0.01, 0.02, 0.01, 0.25, 0.0, 0.02, 0.0, 0.2 + 0.05 * wave(at, 1.1)),
    };
    let data = tree::Data {
        bodies: (0..7).map(body).collect(),
        places: (0..4).map(|at| Vector3::new(0.5, 0.1 + 0.03 * wave(at, 0.4), 0.0)).collect(),
        stiffness: vec![10.0, 20.0],
        friction: (0..4).map(|at| 0.1 + 0.02 * wave(at, 0.9)).collect(),
        rest: 0.3,
        damping: 0.3,
        slope: 0.4,
        slot: Vector3::new(0.1, 0.2, 0.0),
        gravity: Vector3::new(0.3, 0.0, -9.81),
        shake: 0.3,
    };
    let system = tree::System::new(data, lengths).unwrap();
    let system = system.with_inputs_from(Constant(tree::Inputs { push: Vector3::new(0.2, -0.1, 0.4), torque: 0.3 }));
    let guess = tree::Tree {
        trunk: SE3::new(SO3::exp(&Vector3::new(0.1, -0.2, 0.3)), Vector3::new(0.4, 0.1, -0.3)),
        hinges: [0.3, -0.7, 1.1, 0.2].map(SO2::from_angle).to_vec(),
        slides: vec![0.6, -0.4],
    };
    let v = DVector::from_fn(system.dof(), |at, _| 0.3 * wave(at, 2.0));
    let q = InverseKinematics::of(&system).guess(&guess).solve().unwrap();
    let start = Simulation::of(&system).initial(q, v).max_initial_correction(10.0);
    let first = start.step(1e-3).end_time(1e-3).run().unwrap().first().clone();
    (system, first.configuration, first.velocity)
}

/// A four-bar; with other lengths, a chain of as many bars whose end is held.
pub fn linkage(lengths: &[f64], angles: &[f64]) -> (bars::System, bars::Bars, DVector<f64>) {
    let data = bars::Data {
        lengths: lengths.to_vec(),
        masses: (0..lengths.len()).map(|at| 1.0 + 0.2 * wave(at, 0.3)).collect(),
        foot: Vector2::new(1.7, 0.1),
        friction: 0.05,
        gravity: 9.81,
    };
    let system = bars::System::new(data, bars::Lengths { hinges: lengths.len() }).unwrap();
    let guess = bars::Bars { hinges: angles.iter().map(|&angle| SO2::from_angle(angle)).collect() };
    let q = InverseKinematics::of(&system).guess(&guess).solve().unwrap();
    let v = DVector::from_element(system.dof(), 0.0);
    (system, q, v)
}

/// A number of links, rotated about various axes.
pub fn hung_links(count: usize) -> (pendulum::System, pendulum::Chain, DVector<f64>) {
    let data = pendulum::Data {
        lengths: (0..count).map(|at| 0.8 + 0.1 * wave(at, 0.2)).collect(),
        masses: (0..count).map(|at| 1.0 + 0.1 * wave(at, 0.5)).collect(),
        moments: Vector3::new(0.1, 0.12, 0.05),
        friction: 0.05,
        gravity: 9.81,
    };
    let system = pendulum::System::new(data, pendulum::Lengths { joints: count }).unwrap();
    let joint = |at: usize| SO3::exp(&Vector3::new(0.3 * wave(at, 0.1), 0.2 * wave(at, 1.0), 0.4));
    let v = DVector::from_fn(system.dof(), |at, _| 0.4 * wave(at, 1.5));
    (system, pendulum::Chain { joints: (0..count).map(joint).collect() }, v)
}

/// At accelerations and multipliers that are no solution, off the constraints.
#[test]
fn of_each_kernel() {
    macro_rules! each {
        ($($system:expr),*) => {$({
            let (system, q, _) = $system;
            let mut state = State::at_rest(&system, 0.7, q);
            for at in 0..system.dof() {
                state.velocity[at] = 0.4 + (at as f64).cos();
                state.acceleration[at] = 1.0 - (at as f64).sin();
            }
            for at in 0..system.constraint_rows() {
                state.multipliers[at] = 0.8 - 0.3 * at as f64;
            }
            for kernel in pullback_check(&system, &state).unwrap() {
                assert!(kernel.deviation < 1e-13, "{}: {kernel:?}", system.description().name);
            }
        })*};
    }
    each!(branched(), linkage(&[0.6, 1.5, 1.1], &[1.2, -0.9, -1.0]), hung_links(4));
}

#[test]
fn of_a_four_bar_with_a_loop() {
    let (system, q, v) = linkage(&[0.6, 1.5, 1.1], &[1.2, -0.9, -1.0]);
    let case = Case::new(&system, q, v, 0.01, 0.15);
    case.check(HalfExplicit::hedop5());
    case.check(OnMechanical(MuntheKaas::rkmk4()));
    case.check(GeneralizedAlpha::lie_alpha_stab2());
    case.check(GeneralizedAlpha::lie_alpha());
    case.check(TrBdf2::new());
    case.check(TrBdf2::third_order());
    case.check(Collocation::radau_iia5());
}

#[test]
fn of_a_pendulum_of_many_links() {
    let (system, q, v) = hung_links(6);
    let names = ["lengths", "masses[0]", "masses[5]", "moments", "friction", "gravity", "q.joints[7]", "v.joints[14]"];
    let case = Case::new(&system, q, v, 0.01, 0.06).compared_by(&names);
    case.check(HalfExplicit::hedop5());
    case.check(OnMechanical(MuntheKaas::rkmk4()));
    case.check(GeneralizedAlpha::lie_alpha_stab2());
    case.check(TrBdf2::new());
    case.check(TrBdf2::third_order());
    let (system, q, v) = hung_links(3);
    let case =
        Case::new(&system, q, v, 0.01, 0.05).compared_by(&["lengths", "masses[2]", "q.joints[7]", "v.joints[5]"]);
    case.check(Collocation::gauss4());
    case.check(Collocation::gauss6());
}

/// Loops, a slot, a point that is led and a rolling condition, on a base that moves, under inputs.
#[test]
fn of_a_tree_with_all_that_there_is() {
    let (system, q, v) = branched();
    let names = [
        "bodies[2].moments",
        "bodies[4].mass",
        "bodies[6].center",
        "places",
        "stiffness",
        "friction[1]",
        "rest",
        "damping",
        "slope",
        "slot",
        "gravity",
        "shake",
        "q",
        "v",
    ];
    let case = Case::new(&system, q, v, 0.005, 0.02).compared_by(&names);
    case.check(HalfExplicit::hedop5());
    case.check(OnMechanical(MuntheKaas::rkmk4()));
    case.check(GeneralizedAlpha::lie_alpha_stab2());
    case.check(TrBdf2::new());
}

/// The effect of the inputs of a term of one frame, against differences of the inputs.
#[test]
fn by_inputs() {
    let (_, q, v) = branched();
    let gradient_at = |push: Vector3<f64>| {
        let system = branched().0.with_inputs_from(Constant(tree::Inputs { push, torque: 0.3 }));
        let run = Simulation::of(&system)
            .initial(q.clone(), v.clone())
            .method(HalfExplicit::hedop5())
            .step(0.005)
            .end_time(0.05);
        let objective = Objective::<tree::System>::new().at_end(|state| state.configuration.trunk.translation.x);
        let gradient = run.gradient_of(&objective).unwrap();
        (gradient.value, gradient.by_inputs(&[0.0]).map(|pieces| pieces[0].clone()))
    };
    let push = Vector3::new(0.2, -0.1, 0.4);
    let derivatives = gradient_at(push).1.unwrap();
    for at in 0..3 {
        let moved = |sign: f64| gradient_at(push + Vector3::ith(at, sign * 1e-2)).0;
        let difference = (moved(1.0) - moved(-1.0)) / 2e-2;
        assert!(
            (derivatives[at] - difference).abs() < 1e-7 * derivatives[at].abs().max(1e-3),
            "{derivatives:?}, {at}: {difference}"
        );
    }
}
