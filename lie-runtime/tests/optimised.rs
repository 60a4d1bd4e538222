//! Programs on which a compiler failed, reduced. They have to compile and to be right in the release profile: `.ci/run --thorough` runs them in it.

use lie_runtime::nalgebra::SVector;
use lie_runtime::prelude::*;
use lie_runtime::scalar::Dual;
use lie_runtime::space::{ConfigurationSpace, FixedSpace};

/// Two rotations.
#[mechanical_system]
mod rotations {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Pair {
        pub upper: SO3,
        pub lower: SO3,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * (v.upper.norm_squared() + v.lower.norm_squared())
    }
}

type Number = Dual<f64>;

/// The members are selected at run time and moved by the same code on dual numbers. LLVM 22.1.2 (rustc 1.95.0) joined both into one function
/// whose vectors were used before they were loaded, and ended with SIGSEGV.
#[test]
fn one_member_of_dual_numbers_moves_alone() {
    let space = FixedSpace::<rotations::Pair<Number>, 6>::NEW;
    let attitudes = [Vector3::new(0.3, -0.2, 0.5), Vector3::new(-0.1, 0.4, 0.2)];
    let theta = [Vector3::new(0.1, 0.2, 0.3), Vector3::new(1.1, -0.6, 0.2)];
    let rate = [Vector3::new(1.0, -2.0, 0.5), Vector3::new(0.3, 0.7, -1.0)];
    let [upper, lower] = attitudes.map(|vector| SO3::exp(&vector.map(Number::constant)));
    let q = rotations::Pair { upper, lower };
    let turn = SVector::<Number, 6>::from_fn(|at, _| Dual::variable(theta[at / 3][at % 3], rate[at / 3][at % 3]));
    for component in 0..6 {
        let mut moved = q;
        space.compose_exp_at(component, &q, &turn, &mut moved);
        for (member, result) in [moved.upper, moved.lower].iter().enumerate() {
            let at = |h: f64| {
                let theta = if member == component / 3 { theta[member] + rate[member] * h } else { Vector3::zeros() };
                (SO3::exp(&attitudes[member]) * SO3::exp(&theta)).matrix()
            };
            let (value, slope) = (at(0.0), (at(1e-5) - at(-1e-5)) / 2e-5);
            let error = (result.matrix().map(|entry| entry.re) - value).norm();
            assert!(error < 1e-15, "value of member {member} along component {component}: {error:e}");
            let error = (result.matrix().map(|entry| entry.eps) - slope).norm();
            assert!(error < 1e-9, "derivative of member {member} along component {component}: {error:e}");
        }
    }
}
