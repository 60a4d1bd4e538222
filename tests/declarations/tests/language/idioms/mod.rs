//! Families of idioms in which engineers write numerical functions: the interpretation of the macro equals the value of Rust.
//!
//! Each idiom is a helper with a weight of its own in one potential. With one weight 1 and the others 0, the generated potential energy
//! must equal the value of the function, and its generated derivatives must equal the derivatives with dual numbers.

// They are written as users write them, not as lints want it.
#![allow(dead_code, missing_docs, unused, irrefutable_let_patterns, clippy::all, clippy::pedantic)]

mod arrays;
mod choices;
mod closures;
mod doubtful;
mod everyday;
mod functions;
mod integers;
mod iterators;
mod loops;
mod matching;
mod matrices;
mod odd;
mod order;
mod place_expressions;
mod tangled;
mod unseen;

use fixtures::random::Random;
use lie_runtime::nalgebra::SVector;
use lie_runtime::prelude::*;
use lie_runtime::system::{CheckPoint, DualModel};

/// A family of idioms: the module, its functions, and the test.
macro_rules! family {
    ($name:ident: $($idiom:ident)*; $($items:tt)*) => {
        #[lie_runtime::mechanical_system(derivative_check)]
        pub mod $name {
            use lie_runtime::prelude::*;

            #[configuration]
            pub struct Pose {
                pub attitude: SO3,
                pub position: R3,
                pub wheel: SO2,
            }

            #[parameters]
            pub struct Data {
                pub k: f64,
                pub lengths: [f64; 3],
                pub points: [Vector3<f64>; 2],
                pub inertia: Matrix3<f64>,
                $(pub $idiom: f64,)*
            }

            #[kinetic_energy]
            fn kinetic(v: &Velocity) -> f64 {
                0.5 * (v.attitude.dot(&v.attitude) + v.position.dot(&v.position) + v.wheel * v.wheel)
            }

            #[potential]
            fn total(p: &Data, q: &Pose) -> f64 {
                0.0 $(+ p.$idiom * $idiom(p, q))*
            }

            $($items)*
        }

        #[test]
        fn generated_and_declared_agree() {
            use lie_runtime::prelude::*;
            let plain = $name::Data {
                k: 1.7,
                lengths: [0.8, 1.3, 0.45],
                points: [Vector3::new(0.3, -0.7, 1.1), Vector3::new(-1.2, 0.4, 0.6)],
                inertia: Matrix3::new(2.0, 0.3, -0.1, 0.3, 1.5, 0.2, -0.1, 0.2, 1.1),
                $($idiom: 0.0,)*
            };
            $(
                let mut data = plain.clone();
                data.$idiom = 1.0;
                let system = $name::System::new(data.clone()).unwrap();
                let state = |random: &mut fixtures::random::Random| $name::Pose {
                    attitude: SO3::exp(&random.rotation_vector()),
                    position: random.vector::<3>() * 1.5,
                    wheel: SO2::from_angle(3.0 * random.number()),
                };
                super::check(stringify!($idiom), &system, |q| $name::$idiom(&data, q), state);
            )*
        }
    };
}
pub(crate) use family;

/// Compares the generated energy with the declared function, and its value and all of its derivatives with dual numbers.
pub(crate) fn check<M: DualModel<Scalar = f64, Velocity = SVector<f64, 7>>>(
    name: &str,
    system: &M,
    declared: impl Fn(&M::Configuration) -> f64,
    state: impl Fn(&mut Random) -> M::Configuration,
) {
    let mut random = Random::new(17);
    for number in 0..40 {
        let q = state(&mut random);
        let (value, expected) = (system.potential_energy(0.0, &q), declared(&q));
        let scale = 1.0 + expected.abs();
        assert!((value - expected).abs() < 1e-12 * scale, "{name}: {value} is generated, {expected} declared");
        if number < 6 {
            let (v, acceleration, multipliers) = (random.vector(), random.vector(), system.zero_multipliers());
            let at = CheckPoint { t: 0.0, q: &q, v: &v, acceleration: &acceleration, multipliers: &multipliers };
            for kernel in derivative_check(system, at) {
                assert!(kernel.deviation < 1e-10, "{name}: {kernel:?}");
            }
        }
    }
}
