//! Random function bodies: what Rust makes of them, what the macro has read, and its derivatives against differences.
//!
//! The bodies are written by the build script. One that the macro refuses does not compile; a value that was misread is what
//! the check of every run finds; rates are compared with differences of the functions themselves.

use tests::random::Random;

/// The share of rates that may be left out, for a jump or a kink nearby.
const LEFT_OUT: f64 = 0.05;

/// Values above are left out: what waves faster than a difference is long is smoothed away by all of the differences alike.
const LARGE: f64 = 1e6;

/// A rate against central differences of three steps; `None` where those disagree with each other, or of values too large.
fn agrees(function: impl Fn(f64) -> f64, rate: f64) -> Option<bool> {
    let slopes = [4e-5, 2e-5, 1e-5].map(|h| (function(h) - function(-h)) / (2.0 * h));
    let size = function(0.0).abs().max(slopes[2].abs()).max(1.0);
    let error = (slopes[2] - slopes[1]).abs().max((slopes[1] - slopes[0]).abs());
    (size <= LARGE && error <= 1e-5 * size).then(|| (slopes[2] - rate).abs() <= 10.0 * error + 1e-7 * size)
}

/// A test for each declaration.
macro_rules! every_module {
    ($($module:ident: $($body:ident $rate:ident),*;)*) => {$(
        #[test]
        fn $module() {
            use $module::{Data, Pose, System, Velocity};

            let data = Data {
                stiffness: 0.7,
                list: [0.4, -1.1, 0.9],
                offset: Vector3::new(0.3, -0.5, 0.8),
                shape: Matrix3::new(0.9, 0.1, -0.2, 0.4, -0.7, 0.3, 0.2, 0.5, 1.1),
            };
            let system = System::new(data.clone()).unwrap();
            let mut random = super::Random::new(7);
            let (mut tried, mut left_out) = (0, 0);
            for _ in 0..6 {
                let t = random.number();
                let q = Pose {
                    place: random.vector(),
                    turn: SO3::exp(&random.vector()),
                    wheel: SO2::from_angle(random.number()),
                };
                let v = random.vector::<7>();
                if let Err(error) = system.check_against_declaration(t, &q, &v) {
                    panic!("{error}; see {}", concat!(env!("OUT_DIR"), "/bodies.rs"));
                }
                let moved = |direction: &SVector<f64, 7>, by: f64| {
                    let mut moved = q.clone();
                    system.space().compose_exp(&q, &(direction * by), &mut moved);
                    moved
                };
                $(
                    let rate = $module::$rate(&data, &q, t, &Velocity::from(v));
                    let along = |by: f64| $module::$body(&data, &moved(&v, by), t + by);
                    let agrees = super::agrees(along, rate);
                    assert_ne!(agrees, Some(false), "{}: {rate}", stringify!($body));
                    tried += 1;
                    left_out += usize::from(agrees.is_none());
                )*
                // At rest the forces are the gradient of the potential, by the other mode of differentiation.
                let mut force = system.zero_velocity();
                system.force(t, &q, &system.zero_velocity(), &mut force);
                for component in 0..7 {
                    let unit = SVector::<f64, 7>::ith(component, 1.0);
                    let along = |by: f64| system.potential_energy(t, &moved(&unit, by));
                    assert_ne!(super::agrees(along, -force[component]), Some(false), "force {component}");
                }
            }
            assert!(f64::from(left_out as u32) <= super::LEFT_OUT * f64::from(tried as u32), "{left_out} of {tried}");
        }
    )*};
}

#[allow(warnings, clippy::all, clippy::pedantic)]
mod generated {
    use lie_runtime::nalgebra::SVector;
    use lie_runtime::prelude::*;

    include!(concat!(env!("OUT_DIR"), "/bodies.rs"));
}
