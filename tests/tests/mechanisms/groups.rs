//! Poses of every group as quantities: rates, forces at them, constraints and conversions, against dual numbers.

use fixtures::derivatives::worst_deviations;
use fixtures::random::Random;
use lie_runtime::group::{S3xR3, SO3xR3};
use lie_runtime::prelude::*;
use lie_runtime::system::DualModel;

/// A hand on a turning, sliding arm whose foot moves freely; its pose is an element of `$pose`.
macro_rules! hand {
    ($name:ident, $pose:ident, $other:ident, $constraint:item) => {
        #[mechanical_system(derivative_check)]
        pub mod $name {
            use lie_runtime::prelude::*;

            #[configuration]
            pub struct Joints {
                pub swing: SO2,
                pub wrist: S3,
                pub slide: f64,
                pub tool: SO3xR3,
            }

            #[parameters]
            pub struct Arm {
                pub axis: Vector3<f64>,
                pub length: f64,
                pub spread: Vector6<f64>,
                pub place: $pose,
            }

            #[quantity]
            fn upper(arm: &Arm, t: f64, q: &Joints) -> SE3 {
                let shake = Vector3::new(0.0, 0.2 * (1.3 * t).sin(), 0.0);
                SE3::new(SO3::exp(&(arm.axis * q.swing.angle())), shake)
            }

            #[quantity]
            fn hand(arm: &Arm, t: f64, q: &Joints) -> $pose {
                let wrist = $other::from(S3R3::new(q.wrist, Vector3::x() * (arm.length + q.slide)));
                $pose::from($other::from(upper(arm, t, q)) * wrist) * arm.place
            }

            #[quantity]
            fn between(arm: &Arm, t: f64, q: &Joints) -> $pose {
                hand(arm, t, q).inverse() * $pose::from(q.tool)
            }

            #[kinetic_energy]
            fn kinetic(arm: &Arm, t: f64, q: &Joints, v: &Velocity) -> f64 {
                let twist = hand_rate(arm, t, q, v);
                let upper = upper_rate(arm, t, q, v);
                0.5 * twist.component_mul(&arm.spread).dot(&twist)
                    + 0.05 * upper.norm_squared()
                    + 0.5 * v.tool.norm_squared()
                    + 0.01 * (v.wrist.norm_squared() + v.slide * v.slide)
            }

            #[dissipation]
            fn drag(arm: &Arm, t: f64, q: &Joints, v: &Velocity) -> f64 {
                0.05 * between_rate(arm, t, q, v).norm_squared()
            }

            /// A wrench that follows the hand, against its motion and towards the place.
            #[force(at = hand)]
            fn wrench(arm: &Arm, t: f64, q: &Joints, v: &Velocity) -> Vector6<f64> {
                let twist = hand_rate(arm, t, q, v);
                Vector6::new(0.3, -0.2, 0.1, 0.5, 0.0, t) - 0.2 * twist * twist.norm_squared()
                    - 0.7 * hand(arm, t, q).log()
            }

            $constraint
        }
    };
}

hand!(
    matrices,
    SE3,
    SE3,
    #[constraint]
    fn meets(arm: &Arm, t: f64, q: &Joints) -> Vector3<f64> {
        between(arm, t, q).position()
    }
);
hand!(
    quaternions,
    S3R3,
    S3R3,
    #[velocity_constraint]
    fn rolls(arm: &Arm, t: f64, q: &Joints, v: &Velocity) -> Vector2<f64> {
        between_rate(arm, t, q, v).fixed_rows::<2>(1).into_owned()
    }
);
hand!(
    duals,
    DQ,
    S3R3,
    #[constraint]
    fn meets(arm: &Arm, t: f64, q: &Joints) -> Vector3<f64> {
        between(arm, t, q) * Vector3::x() - Vector3::y()
    }
);
hand!(
    products,
    SO3xR3,
    SE3,
    #[constraint]
    fn turns(arm: &Arm, t: f64, q: &Joints) -> Vector3<f64> {
        between(arm, t, q).rotation().log()
    }
);
hand!(
    mixed,
    S3xR3,
    SE3,
    #[constraint]
    fn meets(arm: &Arm, t: f64, q: &Joints) -> Vector3<f64> {
        hand(arm, t, q).position() - q.tool.position()
    }
);

fn check<M: DualModel<Scalar = f64>>(system: &M, place: impl FnMut(&mut Random) -> M::Configuration) {
    for entry in worst_deviations(system, 6, place) {
        assert!(entry.deviation < 1e-11, "{}: {entry:?}", system.description().name);
    }
}

fn rotation(random: &mut Random) -> S3 {
    S3::exp(&(random.vector() * 1.2))
}

macro_rules! agrees {
    ($name:ident, $place:expr) => {{
        let arm = $name::Arm {
            axis: Vector3::new(0.6, 0.0, 0.8),
            length: 0.7,
            spread: Vector6::new(0.1, 0.2, 0.3, 1.0, 1.0, 1.1),
            place: $place,
        };
        let system = $name::System::new(arm).unwrap();
        check(&system, |random| $name::Joints {
            swing: SO2::from_angle(3.0 * random.number()),
            wrist: rotation(random),
            slide: random.number(),
            tool: SO3xR3::new(rotation(random).into(), random.vector()),
        });
    }};
}

#[test]
fn poses_of_every_group() {
    let place = SE3::new(SO3::exp(&Vector3::new(0.2, -0.4, 0.1)), Vector3::new(0.1, 0.0, 0.3));
    agrees!(matrices, place);
    agrees!(quaternions, S3R3::from(place));
    agrees!(duals, DQ::from(place));
    agrees!(products, SO3xR3::from(place));
    agrees!(mixed, S3xR3::from(place));
}
