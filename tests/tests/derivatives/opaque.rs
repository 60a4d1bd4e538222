//! Opaque functions and hand-written derivatives agree with the same formula read symbolically, and a wrong
//! derivative does not go unnoticed.

use fixtures::measure::Kernels;
use fixtures::random::Random;
use fixtures::systems::opaque::{by_hand, dual, symbolic, wrong};
use lie_runtime::prelude::*;
use lie_runtime::system::{CheckPoint, DerivativeDeviation, DualModel, Linearised, derivative_check};

/// Round-off of formulas in different order.
const TOLERANCE: f64 = 1e-13;

/// A random state of the four systems, and the system.
macro_rules! state {
    ($module:ident, $random:expr) => {{
        let system = $module::System::new($module::Data { width: 0.8, friction: 0.3 }).unwrap();
        let place = $random.vector::<3>();
        let q = $module::Pair { place, wheel: SO2::from_angle(3.0 * $random.number()) };
        (system, q, $random.vector::<4>(), $random.number())
    }};
}

macro_rules! kernels {
    ($module:ident, $random:expr) => {{
        let (system, q, v, t) = state!($module, $random);
        Kernels::of(&system, t, &q, &v)
    }};
}

#[test]
fn three_ways_to_declare_a_function_agree() {
    for seed in 0..200 {
        let symbolic = kernels!(symbolic, Random::new(seed));
        for (name, other) in
            [("dual", kernels!(dual, Random::new(seed))), ("by hand", kernels!(by_hand, Random::new(seed)))]
        {
            let (kernel, deviation) = symbolic.deviation(&other);
            assert!(deviation < TOLERANCE, "{name}: {kernel} deviates by {deviation:e}");
        }
        // The kernels say something.
        assert!(symbolic.numbers("force").iter().any(|force| force.abs() > 1e-3));
        assert!(symbolic.numbers("tangent stiffness").iter().any(|entry| entry.abs() > 1e-3));
    }
}

fn check<M: DualModel<Scalar = f64> + Linearised>(
    (system, q, v, t): (M, M::Configuration, M::Velocity, f64),
) -> Vec<DerivativeDeviation> {
    let mut multipliers = system.zero_multipliers();
    multipliers.fill(0.7);
    let at = CheckPoint { t, q: &q, v: &v, acceleration: &v, multipliers: &multipliers };
    derivative_check(&system, at)
}

#[test]
fn the_check_passes_what_is_right() {
    for seed in 0..100 {
        let reports = [
            check(state!(symbolic, Random::new(seed))),
            check(state!(dual, Random::new(seed))),
            check(state!(by_hand, Random::new(seed))),
        ];
        for entry in reports.concat() {
            assert!(entry.deviation < TOLERANCE, "{entry:?}");
        }
    }
}

/// A tenth of one entry is wrong; where that entry is not small, nothing that it goes into passes.
#[test]
fn the_check_finds_a_wrong_derivative() {
    for seed in 0..20 {
        let (system, mut q, v, t) = state!(wrong, Random::new(seed));
        q.place.z = 0.6;
        let report = check((system, q, v, t));
        let deviation =
            |kernel| report.iter().find(|entry| entry.kernel == kernel).map(|entry| entry.deviation).unwrap();
        for kernel in ["residual", "force", "constraint_jacobian", "tangent_stiffness"] {
            assert!(deviation(kernel) > 1e-3, "{kernel}: {report:?}");
        }
        // What does not depend on it is right.
        assert!(deviation("mass_matrix") < TOLERANCE && deviation("tangent_damping") < TOLERANCE, "{report:?}");
    }
}
