//! Columns and trusses beyond their critical load, in closed form.

use core::f64::consts::{FRAC_1_SQRT_2, PI};

use lie_runtime::analysis::{
    Branch, BranchPoint, Continuation, Equilibrium, EquilibriumError, LoadSteps, SpecialKind, parameter,
};
use lie_runtime::prelude::*;

use super::rod::{Lengths, Section, System, order, unloaded};

/// Two bars from (±1, h) to a node that moves up and down: springs of stiffness EA/l that do not buckle.
#[mechanical_system]
pub mod truss {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Apex {
        pub height: f64,
    }

    #[parameters]
    pub struct Bars {
        pub rise: f64,
        pub stiffness: f64,
        pub load: f64,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * v.height * v.height
    }

    #[potential]
    fn energy(bars: &Bars, q: &Apex) -> f64 {
        let natural = (1.0 + bars.rise * bars.rise).sqrt();
        let stretch = (1.0 + q.height * q.height).sqrt() - natural;
        bars.stiffness * stretch * stretch / natural + bars.load * q.height
    }
}

/// P = 2 EA y (1/l − 1/√(1 + y²)), whose extremes are where (1 + y²)^{3/2} = l.
#[test]
fn a_shallow_truss_snaps_at_the_load_of_von_mises() {
    let (rise, stiffness) = (0.3_f64, 100.0);
    let system = truss::System::new(truss::Bars { rise, stiffness, load: 0.0 }).expect("a truss");
    let natural = (1.0 + rise * rise).sqrt();
    let load = |y: f64| -2.0 * stiffness * y * (1.0 / natural - 1.0 / (1.0 + y * y).sqrt());
    let height = (natural.powf(2.0 / 3.0) - 1.0).sqrt();
    let largest = load(height);
    let branch = Continuation::of(parameter(&system, "load"))
        .guess(0.0, truss::Apex { height: rise })
        .parameter_end(1.5 * largest)
        .step(0.02)
        .run()
        .expect("a branch");
    for point in &branch.points {
        let y = point.state.configuration.height;
        assert!((point.parameter - load(y)).abs() < 1e-10 * largest, "{y}: {} {}", point.parameter, load(y));
        assert_eq!(point.unstable, usize::from(y.abs() < height), "{y}: {:?}", point.lowest);
    }
    let limits: Vec<(f64, f64)> =
        branch.of_kind(SpecialKind::Limit).map(|limit| (limit.state.configuration.height, limit.parameter)).collect();
    assert_eq!((limits.len(), branch.special.len()), (2, 2), "{:?}", branch.special);
    for ((y, found), sign) in limits.into_iter().zip([1.0, -1.0]) {
        assert!((found - sign * largest).abs() < 1e-11 * largest, "{found} {largest}");
        assert!((y - sign * height).abs() < 1e-6, "{y} {height}");
    }
    // Beyond the limit there is only the truss that has snapped through.
    let steps = LoadSteps::of(parameter(&system, "load")).guess(truss::Apex { height: rise });
    let states = steps.values(&[0.5 * largest, 0.99 * largest]).expect("under the limit");
    assert!(states[1].state.configuration.height > height);
}

/// A column of length 1, clamped below, with EI = 1 about one axis and 4 about the other; all but inextensible.
fn column() -> Section {
    Section {
        length: 1.0,
        bending: Vector3::new(1.0, 4.0, 3.0),
        stretching: Vector3::repeat(1e6),
        curvature: Vector3::zeros(),
        density: 1.0,
        inertia: Vector3::repeat(1e-3),
        force: Vector3::new(-1.0, 0.0, 0.0),
        moment: Vector3::zeros(),
        load: 0.0,
    }
}

const EULER: f64 = 0.25 * PI * PI;

fn along_x() -> S3R3 {
    S3R3::new(S3::from_coordinates([FRAC_1_SQRT_2, 0.0, FRAC_1_SQRT_2, 0.0]).expect("a rotation"), Vector3::zeros())
}

fn straight(system: &System, edges: usize) -> Branch<System> {
    Continuation::of(parameter(system, "load"))
        .guess(0.0, unloaded(&column(), along_x(), edges))
        .parameter_end(5.0 * EULER)
        .run()
        .expect("the straight column")
}

/// The load of the elastica whose tip has turned by `angle`, over Euler's: (2 K(sin(angle/2))/π)².
fn elastica(angle: f64) -> f64 {
    // K by the arithmetic-geometric mean.
    let (mut a, mut b) = (1.0, (0.5 * angle).cos());
    for _ in 0..40 {
        (a, b) = (0.5 * (a + b), (a * b).sqrt());
    }
    (1.0 / a).powi(2)
}

#[test]
fn columns_buckle_at_eulers_load_and_follow_the_elastica() {
    let mut errors = Vec::new();
    let mut bent = Vec::new();
    for edges in [4, 8, 16] {
        let system = System::new(column(), Lengths { nodes: edges + 1 }).expect("a column");
        let straight = straight(&system, edges);
        let loads: Vec<f64> = straight.of_kind(SpecialKind::Bifurcation).map(|point| point.parameter).collect();
        assert_eq!(loads.len(), 2, "{edges} edges: {loads:?}");
        // About the stiff axis at four times the load, of the same mode.
        assert!((loads[1] / loads[0] - 4.0).abs() < 1e-4, "{edges} edges: {loads:?}");
        let counts: Vec<usize> = straight.points.iter().map(|point| point.unstable).collect();
        assert!(counts.is_sorted() && counts.last() == Some(&2), "{counts:?}");
        errors.push((loads[0] / EULER - 1.0).abs());

        let first = straight.of_kind(SpecialKind::Bifurcation).next().expect("the first");
        let buckled = Continuation::of(parameter(&system, "load"))
            .branch_from(first, -1.0)
            .parameter_end(1.5 * EULER)
            .step(0.1)
            .run()
            .expect("the buckled column");
        let deviation = |point: &BranchPoint<System>| {
            let turned = along_x().inverse() * point.state.configuration.nodes[edges];
            let angle = turned.rotation.log().norm();
            assert!(point.unstable == 0, "{edges} edges at {angle}: {:?}", point.lowest);
            (point.parameter / EULER / elastica(angle) - 1.0).abs()
        };
        assert!(buckled.points.len() > 4, "{}", buckled.points.len());
        bent.push(buckled.points[1..].iter().map(deviation).fold(0.0, f64::max));
    }
    for errors in [errors, bent] {
        let observed = order(&errors);
        assert!((1.85..2.15).contains(&observed) && errors[2] < 2e-3, "order {observed}: {errors:?}");
    }
}

/// The stiffness vanishes at the critical load; the error reports it for small and for long systems.
#[test]
fn a_free_rod_floats() {
    for edges in [4, 20] {
        let free = free_rod::System::new(free_rod::Lengths { nodes: edges + 1 }).expect("a rod");
        let nodes = (0..=edges).map(|k| S3R3::new(S3::identity(), Vector3::new(0.0, 0.0, k as f64))).collect();
        let error = Equilibrium::of(&free).guess(free_rod::Rod { nodes }).solve().expect_err("floats");
        let EquilibriumError::Loose { directions, .. } = &error else { panic!("{error}") };
        assert_eq!(directions.len(), 6, "{edges} edges: {error}");
    }
}

#[mechanical_system]
pub mod free_rod {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Rod {
        pub nodes: Vec<S3R3>,
    }

    #[kinetic_energy(over = nodes)]
    fn kinetic(v: &Vector6<f64>) -> f64 {
        0.5 * v.norm_squared()
    }

    #[potential(over = nodes.windows(2))]
    fn elastic([a, b]: [&S3R3; 2]) -> f64 {
        let strain = (a.inverse() * b).log() - Vector6::new(0.0, 0.0, 0.0, 0.0, 0.0, 1.0);
        0.5 * (20.0 * strain.angular().norm_squared() + 300.0 * strain.linear().norm_squared())
    }
}
