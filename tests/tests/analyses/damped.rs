//! Modes of chains with damping, rotation or follower forces: closed forms and all modes at once.

use core::f64::consts::PI;

use lie_runtime::analysis::{Continuation, Equilibrium, Linearisation, LinearisationError, Mode, StaticState, input};
use lie_runtime::inputs::Constant;
use lie_runtime::prelude::*;
use lie_runtime::system::Linearised;
use lie_runtime::system::Report;
use nalgebra::Complex;

use super::modes::{DENSITY, LENGTH, PLANES, discrete, timoshenko};

models::declared_rod! {
    [],
    /// A rod whose damping is τ times its stiffness, held nowhere.
    free, [],

    #[dissipation(over = nodes.windows(2))]
    fn viscous(rod: &Section, length: usize, [a, b]: [&S3R3; 2], [va, vb]: [&Vector6<f64>; 2]) -> f64 {
        let rate = strain_rate(rod, length, [a, b], [va, vb]);
        let (bending, stretching) = (rate.angular(), rate.linear());
        0.5 * rod.damping * rod.length / (length - 1) as f64
            * (bending.dot(&rod.bending.component_mul(&bending))
                + stretching.dot(&rod.stretching.component_mul(&stretching)))
    }
}

models::declared_rod! {
    [],
    /// On hinges, with the same damping and a drag that is a multiple of the momenta.
    hinged, [],

    #[inputs]
    pub struct Surroundings { pub drag: f64 }

    #[dissipation(over = nodes.windows(2))]
    fn viscous(rod: &Section, length: usize, [a, b]: [&S3R3; 2], [va, vb]: [&Vector6<f64>; 2]) -> f64 {
        let rate = strain_rate(rod, length, [a, b], [va, vb]);
        let (bending, stretching) = (rate.angular(), rate.linear());
        0.5 * rod.damping * rod.length / (length - 1) as f64
            * (bending.dot(&rod.bending.component_mul(&bending))
                + stretching.dot(&rod.stretching.component_mul(&stretching)))
    }

    #[dissipation(over = nodes)]
    fn drag(rod: &Section, around: &Surroundings, index: usize, length: usize, v: &Vector6<f64>) -> f64 {
        let edge = rod.length / (length - 1) as f64;
        let share = if index == 0 || index + 1 == length { 0.5 * edge } else { edge };
        let (angular, linear) = (v.angular(), v.linear());
        0.5 * around.drag * share
            * (rod.density * linear.norm_squared() + angular.dot(&rod.inertia.component_mul(&angular)))
    }

    #[constraint(over = nodes.first())]
    fn hinge(q: &S3R3) -> Vector4<f64> {
        let axis = q.rotation * Vector3::x();
        Vector4::new(q.translation.x, q.translation.y, q.translation.z, axis.y)
    }

    #[constraint(over = nodes.last())]
    fn slide(q: &S3R3) -> Vector2<f64> {
        Vector2::new(q.translation.x, q.translation.y)
    }
}

models::declared_rod! {
    [],
    /// Held at its first node, pushed at its last one along itself.
    column, [#[clamped(first)]],

    #[inputs]
    pub struct Thrust { pub thrust: f64 }

    #[force(over = nodes.last())]
    fn push(of: &Thrust) -> Vector6<f64> {
        Vector6::new(0.0, 0.0, 0.0, 0.0, 0.0, -of.thrust)
    }
}

/// Masses between springs without length, in axes that rotate at a rate about e₃.
#[mechanical_system]
pub mod whirling_string {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Rope {
        #[clamped(first, last)]
        pub masses: Vec<R3>,
    }

    #[parameters]
    pub struct Spin {
        pub stiffness: f64,
        pub rate: f64,
    }

    #[kinetic_energy(over = masses)]
    fn kinetic(v: &Vector3<f64>) -> f64 {
        0.5 * v.norm_squared()
    }

    #[potential(over = masses.windows(2))]
    fn tension(of: &Spin, [a, b]: [&R3; 2]) -> f64 {
        0.5 * of.stiffness * (b - a).norm_squared()
    }

    #[force(over = masses)]
    fn turning(of: &Spin, q: &R3, v: &Vector3<f64>) -> Vector3<f64> {
        let axis = Vector3::new(0.0, 0.0, of.rate);
        axis.cross(q).cross(&axis) - 2.0 * axis.cross(v)
    }
}

fn straight(edges: usize) -> Vec<S3R3> {
    let node = |k: usize| S3R3::new(S3::identity(), Vector3::new(0.0, 0.0, LENGTH * k as f64 / edges as f64));
    (0..=edges).map(node).collect()
}

macro_rules! section {
    ($of:ident, $damping:expr) => {
        $of::Section {
            length: LENGTH,
            bending: Vector3::new(30.0, 50.0, 70.0),
            stretching: Vector3::new(1100.0, 1300.0, 1700.0),
            density: DENSITY,
            inertia: Vector3::new(0.3, 0.5, 0.7),
            damping: $damping,
        }
    };
}

/// The roots of s² + (c + τ ω²) s + ω² for each ω, of pairs the one above, the slowest first.
fn roots(frequencies: &[f64], drag: f64, lag: f64) -> Vec<Complex<f64>> {
    let mut roots = Vec::new();
    for square in frequencies.iter().map(|omega| omega * omega) {
        let half = 0.5 * (drag + lag * square);
        let root = Complex::from(half * half - square).sqrt();
        if root.re > 0.0 {
            // The smaller one without cancellation.
            roots.extend([-square / (root + half), -(root + half)]);
        } else {
            roots.push(-half + root);
        }
    }
    roots.sort_by(|one, other| one.norm().total_cmp(&other.norm()));
    roots
}

fn assert_close(found: &[Mode], expected: &[Complex<f64>], tolerance: f64) {
    for mode in found {
        let s = mode.eigenvalue;
        let error = expected.iter().map(|root| (root - s).norm() / root.norm()).fold(f64::INFINITY, f64::min);
        assert!(error < tolerance, "{s}: {error:.1e}, residual {:.1e}; of {expected:?}", mode.residual);
    }
    for (mode, root) in found.iter().zip(expected) {
        let (size, wanted) = (mode.eigenvalue.norm(), root.norm());
        assert!((size / wanted - 1.0).abs() < tolerance, "{size} {wanted}");
    }
}

fn slowest<M: Linearised<Scalar = f64> + Report>(system: &M, q: M::Configuration, count: usize) -> Vec<Mode> {
    let found = Equilibrium::of(system).guess(q).solve().expect("at rest");
    let modes = found.modes(system, count).expect("modes");
    assert_eq!(modes.len(), count);
    modes
}

/// s of all modes that a dense linearisation has, the slowest first.
fn all<M: Linearised<Scalar = f64> + Report>(system: &M, q: &M::Configuration) -> Vec<Complex<f64>> {
    let at_rest = Linearisation::of(system).at(0.0, q, &system.zero_velocity()).expect("at rest");
    at_rest.modes().expect("modes").iter().map(|mode| mode.eigenvalue).collect()
}

#[test]
fn a_damped_rod_on_hinges_has_the_roots_of_its_vibrations() {
    let edges = 6;
    for (drag, lag) in [(0.1, 0.003), (3.0, 0.0), (0.0, 0.05)] {
        let system = hinged::System::new(section!(hinged, lag), hinged::Lengths { nodes: edges + 1 }).expect("a rod");
        let system = system.with_inputs_from(Constant(hinged::Surroundings { drag }));
        let found = slowest(&system, hinged::Rod { nodes: straight(edges) }, 6);
        let expected = roots(&discrete(edges), drag, lag);
        assert_close(&found, &expected, 1e-9);
        if drag == 0.1 {
            assert_close(&found, &all(&system, &hinged::Rod { nodes: straight(edges) }), 1e-9);
        }
    }
}

/// The lowest twelve of four hundred and eighty.
#[test]
fn long_damped_rods_have_the_roots_of_their_vibrations() {
    let (edges, drag, lag) = (80, 0.05, 1e-3);
    let system = hinged::System::new(section!(hinged, lag), hinged::Lengths { nodes: edges + 1 }).expect("a rod");
    let system = system.with_inputs_from(Constant(hinged::Surroundings { drag }));
    let rest = Equilibrium::of(&system).guess(hinged::Rod { nodes: straight(edges) }).solve().expect("at rest");
    let clock = std::time::Instant::now();
    let modes = rest.modes(&system, 12).expect("modes");
    println!("{} components: {:.1} s", system.dof(), clock.elapsed().as_secs_f64());
    assert_eq!(modes.len(), 12);
    // Round-off beside the stiffest motions, as without damping.
    assert_close(&modes, &roots(&discrete(edges), drag, lag), 1e-6);
    // The damping of the first one of the continuum, by an error of second order in the length of an edge.
    let square = PLANES.map(|plane| timoshenko(plane, [PI / LENGTH, 1.0])[0]).into_iter().fold(f64::INFINITY, f64::min);
    let first = modes.iter().find(|mode| mode.frequency() > 0.0).expect("a vibration");
    assert!(
        (first.damping_ratio() / (0.5 * (drag / square.sqrt() + lag * square.sqrt())) - 1.0).abs()
            < 0.2 / (edges * edges) as f64
    );
}

#[test]
fn a_free_damped_rod_has_six_rigid_motions() {
    let edges = 6;
    let system = free::System::new(section!(free, 0.002), free::Lengths { nodes: edges + 1 }).expect("a rod");
    let q = free::Rod { nodes: straight(edges) };
    let state = State::at_rest(&system, 0.0, q.clone());
    let rest = StaticState { state, iterations: 0, corrections: Vec::new(), force: 0.0, constraint: 0.0 };
    let modes = rest.modes(&system, 10).expect("modes");
    let (rigid, bent) = modes.split_at(6);
    assert!(
        rigid.iter().all(|mode| mode.eigenvalue.norm() == 0.0),
        "{:?}",
        rigid.iter().map(|m| m.eigenvalue).collect::<Vec<_>>()
    );
    assert!(
        bent.iter().all(|mode| mode.damping_ratio() > 0.0),
        "{:?}",
        bent.iter().map(|m| m.eigenvalue).collect::<Vec<_>>()
    );
    // Among all modes these motions are twelve zeros that are not simple, and round-off leaves its root of them.
    let all: Vec<_> = all(&system, &q).into_iter().filter(|s| s.norm() > 1e-3).collect();
    assert_close(bent, &all, 1e-9);
}

/// In axes that turn, s = i (ω ± Ω), and i ω along the axis.
#[test]
fn a_whirling_string_has_its_frequencies_split() {
    let (masses, rate) = (60, 0.02);
    let system = whirling_string::System::new(
        whirling_string::Spin { stiffness: 1.0, rate },
        whirling_string::Lengths { masses: masses + 2 },
    )
    .expect("a string");
    let place = |k: usize| Vector3::new(0.0, 0.0, k as f64);
    let found = slowest(&system, whirling_string::Rope { masses: (0..masses + 2).map(place).collect() }, 18);
    let mut expected = Vec::new();
    for k in 1..=masses {
        let omega = 2.0 * (0.5 * PI * k as f64 / (masses + 1) as f64).sin();
        expected.extend([omega - rate, omega, omega + rate].map(|s| Complex::new(0.0, s)));
    }
    expected.sort_by(|one, other| one.norm().total_cmp(&other.norm()));
    assert_close(&found, &expected, 1e-9);
}

/// A column of length one, straight.
fn upright(edges: usize) -> (column::System, column::Rod) {
    let section = column::Section {
        length: 1.0,
        bending: Vector3::new(1.0, 9.0, 9.0),
        stretching: Vector3::from_element(1e7),
        density: 1.0,
        inertia: Vector3::from_element(1e-7),
        damping: 0.0,
    };
    let column = column::System::new(section, column::Lengths { nodes: edges + 1 }).expect("a column");
    let node = |k: usize| S3R3::new(S3::identity(), Vector3::new(0.0, 0.0, k as f64 / edges as f64));
    (column, column::Rod { nodes: (0..=edges).map(node).collect() })
}

/// Under a force that follows the column K has no symmetry: along the branch of its thrust the slowest vibrations agree with the full set
/// of modes, by directions and by factors. No buckling is reported where two frequencies coincide.
#[test]
fn a_branch_under_a_force_that_follows_has_its_vibrations() {
    for edges in [3, 24] {
        let (column, straight) = upright(edges);
        let branch = Continuation::of(input(&column, |thrust| column::Thrust { thrust }))
            .guess(0.0, straight.clone())
            .parameter_end(24.0)
            .step(0.2)
            .run()
            .expect("a branch");
        assert!(branch.special.is_empty() && branch.points.len() > 5);
        for point in &branch.points {
            assert_eq!(point.unstable, 0, "{:?}", point.lowest);
            let system = column.clone().with_inputs_from(Constant(column::Thrust { thrust: point.parameter }));
            let modes = slowest(&system, point.state.configuration.clone(), 3);
            let mut squares: Vec<f64> = modes.iter().map(|mode| mode.eigenvalue.norm_sqr()).collect();
            // The pair that grows and the one that decays have the same size.
            squares.sort_by(f64::total_cmp);
            for (found, square) in point.lowest.iter().zip(&squares) {
                assert!((found / square - 1.0).abs() < 1e-6, "at {}: {:?} {squares:?}", point.parameter, point.lowest);
            }
        }
    }
}

/// A follower force makes a column flutter, Beck's load: 20.0509 EI/L², where two vibrations become one.
#[test]
fn a_column_flutters_under_the_load_of_beck() {
    let load = |edges: usize| {
        let (column, straight) = upright(edges);
        let flutters = |thrust: f64| {
            let system = column.clone().with_inputs_from(Constant(column::Thrust { thrust }));
            let modes = slowest(&system, straight.clone(), 3);
            modes.iter().any(|mode| mode.eigenvalue.re > 1e-4 * mode.eigenvalue.norm())
        };
        let (mut below, mut above) = (19.5, 20.5);
        while above - below > 1e-4 {
            let middle = 0.5 * (below + above);
            *(if flutters(middle) { &mut above } else { &mut below }) = middle;
        }
        0.5 * (below + above)
    };
    let [coarse, fine] = [12, 24].map(load);
    let limit = fine + (fine - coarse) / 3.0;
    println!("{coarse} {fine} {limit}");
    assert!((limit / 20.05095 - 1.0).abs() < 2e-5, "{coarse} {fine} {limit}");
}

/// All that is stiff decays alike: beyond s = −1/τ there is no next one.
#[test]
fn modes_that_do_not_lie_apart_are_not_told() {
    let edges = 30;
    let system = hinged::System::new(section!(hinged, 0.2), hinged::Lengths { nodes: edges + 1 }).expect("a rod");
    let still = system.clone().with_inputs_from(Constant(hinged::Surroundings { drag: 0.0 }));
    let rest = Equilibrium::of(&still).guess(hinged::Rod { nodes: straight(edges) }).solve().expect("at rest");
    let refused = rest.modes(&still, 20).expect_err("too many");
    assert!(matches!(refused, LinearisationError::ModesNotFound { count: 20 }), "{refused}");
    let fed_back = system.with_inputs(|_, q: &hinged::Rod, _| hinged::Surroundings { drag: q.nodes[1].translation.x });
    let state = State::at_rest(&fed_back, 0.0, rest.state.configuration.clone());
    let rest = StaticState { state, iterations: 0, corrections: Vec::new(), force: 0.0, constraint: 0.0 };
    assert!(matches!(rest.modes(&fed_back, 2), Err(LinearisationError::Feedback { .. })));
}
