//! Short forms are equivalent to their long forms: loops, constants, helpers, conditions, rates of quantities, dissipation.

use fixtures::measure::Kernels;
use fixtures::random::Random;
use fixtures::systems::spelled::{compact, matrices, points, spelled};
use lie_runtime::nalgebra::{SVector, Vector4};
use lie_runtime::prelude::*;
use lie_runtime::system::{CheckPoint, DualModel, Linearised, derivative_check};

/// Round-off of formulas in different order.
const TOLERANCE: f64 = 1e-13;

/// A system of the module `compact` or `spelled`, and its state.
macro_rules! row {
    ($module:ident, $stretches:expr, $random:expr) => {{
        let data = $module::Data { lengths: [1.0, 0.7], damping: 0.4, lever: Vector2::new(0.3, -0.8) };
        let first = $random.number();
        let second = first + data.lengths[0] + $stretches[0];
        let third = second + data.lengths[1] + $stretches[1];
        let table = SO2::from_angle(3.0 * $random.number());
        let q = $module::Row { places: Vector3::new(first, second, third), table };
        ($module::System::new(data).unwrap(), q, $random.vector::<4>())
    }};
}

/// A system of the module `points` or `matrices`, and its state.
macro_rules! linkage {
    ($module:ident, $random:expr) => {{
        let data =
            $module::Data { masses: [1.5, 0.8], lengths: [0.6, 0.9], mass: 0.7, size: Vector3::new(0.4, 0.25, 0.3) };
        let bars = [SO2::from_angle(3.0 * $random.number()), SO2::from_angle(3.0 * $random.number())];
        let body = SE3::new(SO3::exp(&$random.rotation_vector()), $random.vector::<3>());
        ($module::System::new(data).unwrap(), $module::Linkage { bars, body }, $random.vector::<8>())
    }};
}

fn assert_same(a: &Kernels, b: &Kernels) {
    let (kernel, deviation) = a.deviation(b);
    assert!(deviation < TOLERANCE, "{kernel} deviates by {deviation:e}");
}

/// All nine pairs of sides of the two springs.
#[test]
fn loops_constants_helpers_conditions_and_dissipation() {
    for seed in 0..50 {
        for first in [-0.8, 0.2, 0.9] {
            for second in [-0.6, -0.1, 0.7] {
                let stretches = [first, second];
                let a = row!(compact, stretches, Random::new(seed));
                let b = row!(spelled, stretches, Random::new(seed));
                assert_same(&Kernels::of(&a.0, 0.3, &a.1, &a.2), &Kernels::of(&b.0, 0.3, &b.1, &b.2));
            }
        }
    }
}

/// Both sides of a condition by their own closed forms: force, stiffness, and the jump of neither at the limit.
#[test]
fn both_sides_of_a_condition_are_differentiated() {
    // d/dx of 6 x² + (x − ½)³ beyond, − 2 (x + ½)³ below, and its derivative.
    let slope = |x: f64| {
        12.0 * x
            + if x > 0.5 {
                3.0 * (x - 0.5).powi(2)
            } else if x < -0.5 {
                -6.0 * (x + 0.5).powi(2)
            } else {
                0.0
            }
    };
    let curvature = |x: f64| {
        12.0 + if x > 0.5 {
            6.0 * (x - 0.5)
        } else if x < -0.5 {
            -12.0 * (x + 0.5)
        } else {
            0.0
        }
    };
    for x in [-1.5, -0.75, -0.5 - 1e-9, -0.5 + 1e-9, 0.0, 0.25, 0.5 - 1e-9, 0.5 + 1e-9, 0.75, 2.0] {
        let (system, q, _) = row!(compact, [x, 0.0], Random::new(3));
        let rest = Vector4::zeros();
        let kernels = Kernels::of(&system, 0.0, &q, &rest);
        // The first mass is pulled by the first spring.
        assert!((kernels.numbers("force")[0] - slope(x)).abs() < 1e-12, "{x}");
        assert!((kernels.numbers("tangent stiffness")[0] - curvature(x)).abs() < 1e-12, "{x}");
    }
}

/// −∂R/∂v, C_t and the power −2 R.
#[test]
fn dissipation_is_the_damping_force() {
    let mut random = Random::new(5);
    for _ in 0..50 {
        let (system, q, v) = row!(compact, [0.1, -0.2], random);
        let moving = Kernels::of(&system, 0.0, &q, &v);
        let resting = Kernels::of(&system, 0.0, &q, &Vector4::zeros());
        let force: Vec<f64> =
            moving.numbers("force").iter().zip(resting.numbers("force")).map(|(a, b)| a - b).collect();
        let (left, right) = (0.4 * (v[1] - v[0]), 0.4 * (v[2] - v[1]));
        for (force, expected) in force.iter().zip([left, right - left, -right, 0.0]) {
            assert!((force - expected).abs() < 1e-13, "{force} {expected}");
        }
        let power: f64 = force.iter().zip(&v).map(|(force, v)| force * v).sum();
        assert!((power + left * (v[1] - v[0]) + right * (v[2] - v[1])).abs() < 1e-13 && power < 0.0);
    }
}

#[test]
fn inertia_declared_by_rates_is_the_inertia() {
    for seed in 0..200 {
        let a = linkage!(points, Random::new(seed));
        let b = linkage!(matrices, Random::new(seed));
        assert_same(&Kernels::of(&a.0, 0.3, &a.1, &a.2), &Kernels::of(&b.0, 0.3, &b.1, &b.2));
    }
}

/// Central differences along q exp(ε v), t + ε, of fourth order: errors of ε⁴ and of round-off / ε.
fn difference<M: MechanicalSystem<Scalar = f64>, const N: usize>(
    system: &M,
    quantity: impl Fn(&M::Configuration, f64) -> SVector<f64, N>,
    (q, v, t): (&M::Configuration, &M::Velocity, f64),
) -> SVector<f64, N> {
    let at = |epsilon: f64| {
        let (mut theta, mut moved) = (v.clone(), q.clone());
        lie_runtime::group::TangentVector::scale(&mut theta, epsilon);
        system.space().compose_exp(q, &theta, &mut moved);
        quantity(&moved, t + epsilon)
    };
    let h = 1e-3;
    (8.0 * (at(h) - at(-h)) - (at(2.0 * h) - at(-2.0 * h))) / (12.0 * h)
}

#[test]
fn rates_of_quantities_are_differences() {
    let mut random = Random::new(11);
    for _ in 0..200 {
        let (system, q, v) = linkage!(points, random);
        let t = random.number();
        let data = system.parameters();
        let velocity = points::Velocity::from(v);
        let close = |name: &str, rate: &[f64], difference: &[f64]| {
            for (rate, difference) in rate.iter().zip(difference) {
                assert!((rate - difference).abs() < 1e-10, "{name}: {rate} {difference}");
            }
        };
        let here = (&q, &v, t);
        let elbow = difference(&system, |q, _| points::elbow(data, q), here);
        close("elbow", points::elbow_rate(data, &q, &velocity).as_slice(), elbow.as_slice());
        let hand = difference(&system, |q, _| points::hand(data, q), here);
        close("hand", points::hand_rate(data, &q, &velocity).as_slice(), hand.as_slice());
        let right = difference(&system, |q, _| points::right(data, q), here);
        close("right", points::right_rate(data, &q, &velocity).as_slice(), right.as_slice());
        // With t as an argument the rate counts it, too.
        let top = difference(&system, |q, t| points::top(data, q, t), here);
        close("top", points::top_rate(data, &q, t, &velocity).as_slice(), top.as_slice());
        assert!(top.norm() > 0.0);
    }
}

#[test]
fn generated_kernels_are_derivatives_of_what_was_declared() {
    fn check<M: DualModel<Scalar = f64> + Linearised>((system, q, v): (M, M::Configuration, M::Velocity)) {
        let multipliers = system.zero_multipliers();
        let at = CheckPoint { t: 0.3, q: &q, v: &v, acceleration: &v, multipliers: &multipliers };
        for entry in derivative_check(&system, at) {
            assert!(entry.deviation < TOLERANCE, "{}: {entry:?}", system.description().name);
        }
    }
    for seed in 0..100 {
        check(row!(compact, [0.6, -0.7], Random::new(seed)));
        check(row!(spelled, [0.6, -0.7], Random::new(seed)));
        check(linkage!(points, Random::new(seed)));
        check(linkage!(matrices, Random::new(seed)));
    }
}
