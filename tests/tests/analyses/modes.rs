//! Vibrations in closed form: rods on hinges and free ones, tops that precess.

use core::f64::consts::PI;

use lie_runtime::analysis::{Equilibrium, Linearisation, Mode};
use lie_runtime::prelude::*;

use super::buckling::free_rod;

/// A rod between two hinges, all stiffnesses and inertias different.
#[mechanical_system]
pub mod hinged_rod {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Rod {
        pub nodes: Vec<S3R3>,
    }

    #[parameters]
    pub struct Section {
        pub length: f64,
        pub bending: Vector3<f64>,
        pub stretching: Vector3<f64>,
        pub density: f64,
        pub inertia: Vector3<f64>,
    }

    #[kinetic_energy(over = nodes)]
    fn kinetic(rod: &Section, index: usize, length: usize, v: &Vector6<f64>) -> f64 {
        let edge = rod.length / (length - 1) as f64;
        let share = if index == 0 || index + 1 == length { 0.5 * edge } else { edge };
        let (angular, linear) = (v.angular(), v.linear());
        0.5 * share * (rod.density * linear.norm_squared() + angular.dot(&rod.inertia.component_mul(&angular)))
    }

    #[potential(over = nodes.windows(2))]
    fn elastic(rod: &Section, length: usize, [a, b]: [&S3R3; 2]) -> f64 {
        let edge = rod.length / (length - 1) as f64;
        let strain = (a.inverse() * b).log() / edge;
        let (curvature, stretch) = (strain.angular(), strain.linear() - Vector3::new(0.0, 0.0, 1.0));
        0.5 * edge
            * (curvature.dot(&rod.bending.component_mul(&curvature))
                + stretch.dot(&rod.stretching.component_mul(&stretch)))
    }

    /// Held, and from turning about the rod.
    #[constraint(over = nodes.first())]
    fn hinge(q: &S3R3) -> Vector4<f64> {
        let axis = q.rotation * Vector3::x();
        Vector4::new(q.translation.x, q.translation.y, q.translation.z, axis.y)
    }

    /// Free to slide.
    #[constraint(over = nodes.last())]
    fn slide(q: &S3R3) -> Vector2<f64> {
        Vector2::new(q.translation.x, q.translation.y)
    }
}

pub const LENGTH: f64 = 3.0;
pub const DENSITY: f64 = 2.0;

fn hinged(edges: usize) -> (hinged_rod::System, hinged_rod::Rod) {
    let section = hinged_rod::Section {
        length: LENGTH,
        bending: Vector3::new(30.0, 50.0, 70.0),
        stretching: Vector3::new(1100.0, 1300.0, 1700.0),
        density: DENSITY,
        inertia: Vector3::new(0.3, 0.5, 0.7),
    };
    let nodes =
        (0..=edges).map(|k| S3R3::new(S3::identity(), Vector3::new(0.0, 0.0, LENGTH * k as f64 / edges as f64)));
    let nodes = nodes.collect();
    (
        hinged_rod::System::new(section, hinged_rod::Lengths { nodes: edges + 1 }).expect("a rod"),
        hinged_rod::Rod { nodes },
    )
}

/// ω² of Timoshenko's beam on hinges: [GA s², −GA s c; −GA s c, GA c² + EI s²] against diag(ρA, ρI), where the rod of edges
/// has s = (2/ds) sin(kπ/2N), c = cos(kπ/2N) and the continuum s = kπ/L, c = 1.
pub fn timoshenko([shear, bending, inertia]: [f64; 3], [s, c]: [f64; 2]) -> [f64; 2] {
    let (a, b, d) = (shear * s * s, -shear * s * c, shear * c * c + bending * s * s);
    let half = 0.5 * (a / DENSITY + d / inertia);
    let root = (half * half - (a * d - b * b) / (DENSITY * inertia)).sqrt();
    [half - root, half + root]
}

/// A beam along e₁ bent about e₂, and the reverse.
pub const PLANES: [[f64; 3]; 2] = [[1100.0, 50.0, 0.5], [1300.0, 30.0, 0.3]];

/// All frequencies of a rod on hinges: two planes, torsion (held at one end) and stretch (the same).
pub fn discrete(edges: usize) -> Vec<f64> {
    let n = edges as f64;
    let wave = |k: f64| [2.0 * n / LENGTH * (0.5 * k * PI / n).sin(), (0.5 * k * PI / n).cos()];
    let mut squares = Vec::new();
    for k in 1..edges {
        squares.extend(PLANES.iter().flat_map(|plane| timoshenko(*plane, wave(k as f64))));
    }
    for plane in PLANES {
        // s = 0: every section turns by the same angle. c = 0: from one to the next by the opposite one.
        squares.extend([plane[0] / plane[2], plane[1] * (2.0 * n / LENGTH).powi(2) / plane[2]]);
    }
    for k in 0..edges {
        let s = wave(k as f64 + 0.5)[0];
        squares.extend([s * s * 70.0 / 0.7, s * s * 1700.0 / DENSITY]);
    }
    squares.sort_by(f64::total_cmp);
    squares.into_iter().map(f64::sqrt).collect()
}

fn frequencies(modes: &[Mode]) -> Vec<f64> {
    modes.iter().map(Mode::frequency).collect()
}

#[test]
fn a_rod_on_hinges_has_the_frequencies_of_timoshenko() {
    let edges = 8;
    let (system, rest) = hinged(edges);
    let found = Equilibrium::of(&system).guess(rest).solve().expect("at rest");
    let expected = discrete(edges);
    // By iteration, and all of them at once.
    let lowest = frequencies(&found.modes(&system, 12).expect("modes"));
    let rest = system.zero_velocity();
    let all = Linearisation::of(&system).at(0.0, &found.state.configuration, &rest).expect("an equilibrium");
    let all = frequencies(&all.modes().expect("modes"));
    assert_eq!((lowest.len(), all.len()), (12, expected.len()));
    for (known, wanted) in lowest.iter().chain(&all).zip(expected[..12].iter().chain(&expected)) {
        assert!((known / wanted - 1.0).abs() < 1e-9, "{known} {wanted}: {lowest:?} {all:?}");
    }
    // The first one of the continuum is approached at second order.
    let continuum = PLANES.map(|plane| timoshenko(plane, [PI / LENGTH, 1.0])[0].sqrt());
    let continuum = continuum[0].min(continuum[1]);
    let errors = [8, 16, 32].map(|edges| {
        let (system, rest) = hinged(edges);
        let found = Equilibrium::of(&system).guess(rest).solve().expect("at rest");
        (found.modes(&system, 1).expect("a mode")[0].frequency() / continuum - 1.0).abs()
    });
    let observed = super::rod::order(&errors);
    assert!((1.95..2.05).contains(&observed), "order {observed}: {errors:?}");
}

/// The lowest twenty of three thousand.
#[test]
fn long_rods_on_hinges_have_the_frequencies_of_timoshenko() {
    let edges = 500;
    let (system, rest) = hinged(edges);
    let found = Equilibrium::of(&system).guess(rest).solve().expect("at rest");
    let clock = std::time::Instant::now();
    let lowest = frequencies(&found.modes(&system, 20).expect("modes"));
    println!("{} components: {:.1} s", system.dof(), clock.elapsed().as_secs_f64());
    assert_eq!(lowest.len(), 20);
    // The highest frequencies are some 3 · 10³ times the lowest: round-off is 10⁻⁹ of the square of the lowest.
    for (known, wanted) in lowest.iter().zip(discrete(edges)) {
        assert!((known / wanted - 1.0).abs() < 1e-6, "{known} {wanted}: {lowest:?}");
    }
}

#[test]
fn a_free_rod_has_six_rigid_motions() {
    for edges in [3, 30] {
        let system = free_rod::System::new(free_rod::Lengths { nodes: edges + 1 }).expect("a rod");
        let nodes = (0..=edges).map(|k| S3R3::new(S3::identity(), Vector3::new(0.0, 0.0, k as f64))).collect();
        let q = free_rod::Rod { nodes };
        if edges == 3 {
            let modes = Linearisation::of(&system)
                .at(0.0, &q, &system.zero_velocity())
                .expect("at rest")
                .modes()
                .expect("modes");
            let zeros = modes.iter().filter(|mode| mode.eigenvalue.norm() == 0.0).count();
            assert_eq!((modes.len(), zeros), (24, 6));
        }
        let state = lie_runtime::analysis::StaticState {
            state: State::at_rest(&system, 0.0, q),
            iterations: 0,
            corrections: Vec::new(),
            force: 0.0,
            constraint: 0.0,
        };
        let modes = state.modes(&system, 10).expect("modes");
        let zeros = modes.iter().filter(|mode| mode.eigenvalue.norm() == 0.0).count();
        assert_eq!(zeros, 6, "{edges} edges: {:?}", frequencies(&modes));
    }
}

/// A symmetric top on SO(3) about its fixed point, 2 sleeping upright: s² ± i (C/A) Ω s − m g l/A in axes that do not spin.
#[mechanical_system]
pub mod sleeping_top {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Attitude {
        pub attitude: SO3,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * v.attitude.dot(&Vector3::new(2.0, 2.0, 1.0).component_mul(&v.attitude))
    }

    #[potential]
    fn weight(q: &Attitude) -> f64 {
        3.0 * (q.attitude * Vector3::z()).z
    }
}

/// In axes that do not spin: A ξ'' − i (C/A − 2)… written for the spatial tilt, s = i (CΩ ± √(C²Ω² − 4 A m g l)) / 2A.
#[test]
fn a_sleeping_top_wakes_below_its_critical_spin() {
    let system = sleeping_top::System::new().expect("a top");
    let upright = sleeping_top::Attitude { attitude: SO3::identity() };
    for spin in [6.0, 4.0] {
        let v = Vector3::new(0.0, 0.0, spin);
        let turning = Linearisation::of(&system).spin(v).at(0.0, &upright, &v).expect("a steady spin");
        let modes = turning.modes().expect("modes");
        let discriminant: f64 = spin * spin - 4.0 * 2.0 * 3.0;
        let expected = if discriminant > 0.0 {
            [(0.0, 0.25 * (spin + discriminant.sqrt())), (0.0, 0.25 * (spin - discriminant.sqrt()))]
        } else {
            [(0.25 * (-discriminant).sqrt(), 0.25 * spin), (-0.25 * (-discriminant).sqrt(), 0.25 * spin)]
        };
        for (re, im) in expected {
            let nearest = modes
                .iter()
                .map(|mode| (mode.eigenvalue.re - re).hypot(mode.eigenvalue.im - im))
                .fold(f64::INFINITY, f64::min);
            assert!(
                nearest < 1e-12,
                "{spin}: {re} {im} in {:?}",
                modes.iter().map(|m| m.eigenvalue).collect::<Vec<_>>()
            );
        }
    }
}
