//! Bodies on hinges, slides and ball joints.

use lie_runtime::prelude::*;

/// Rigid bodies along a chain of joints, and three of them written out by four points of each.
///
/// A body moves with its centre x and the columns of R: ½ m |x'|² + Σ ½ s_k |R' e_k|², with the moments of inertia
/// s₂ + s₃ and so on. Everything that frames take part in is there: weight, a spring at the last body, drag, a wind
/// that changes with time, friction and a motor in the joints, springs between neighbours, and a fixed point that moves.
macro_rules! bodies {
    (
        $(#[$doc:meta])*
        $chain:ident, $three:ident, $frame:ident, $joint:ident, $velocity:ty, $own:ident,
        |$data:ident, $above:ident, $link:ident| $next:expr,
        |$rate:ident| $square:expr,
        |$one:ident, $other:ident| $gap:expr
    ) => {
        $(#[$doc])*
        #[mechanical_system(derivative_check)]
        pub mod $chain {
            use lie_runtime::prelude::*;

            /// From the fixed point on.
            #[configuration]
            pub struct Chain {
                /// The joints.
                pub joints: Vec<$joint>,
                /// A body elsewhere, on a spring.
                pub other: R1,
            }

            /// One body and one joint.
            #[parameters]
            pub struct Data {
                /// m.
                pub mass: f64,
                /// s.
                pub spread: Vector3<f64>,
                /// The axis of the joint.
                pub axis: Vector3<f64>,
                /// From joint to joint.
                pub arm: Vector3<f64>,
                /// Of everything viscous.
                pub friction: f64,
            }

            fn moment(data: &Data) -> Vector3<f64> {
                let s = data.spread;
                Vector3::new(s[1] + s[2], s[2] + s[0], s[0] + s[1])
            }

            /// The body after a joint; the first joint moves to and fro.
            #[kinematics(over = joints)]
            pub fn body($data: &Data, t: f64, index: usize, $above: &$frame, $link: &$joint) -> $frame {
                let shake = if index == 0 { 0.1 * (2.0 * t).sin() } else { 0.0 };
                let base = $frame::new($own::identity(), Vector3::new(0.0, 0.0, shake));
                *$above * base * $next
            }

            #[kinetic_energy(over = body)]
            fn kinetic(data: &Data, v: &Vector6<f64>) -> f64 {
                let (turn, move_) = (v.angular(), v.linear());
                0.5 * data.mass * move_.norm_squared() + 0.5 * turn.dot(&moment(data).component_mul(&turn))
            }

            #[kinetic_energy(over = joints)]
            fn rotor(index: usize, $rate: $velocity) -> f64 {
                0.05 * (1.0 + index as f64) * $square
            }

            #[kinetic_energy(over = other)]
            fn elsewhere(v: &Vector1<f64>) -> f64 {
                0.7 * v[0] * v[0]
            }

            #[potential(over = other)]
            fn spring(x: &R1) -> f64 {
                1.3 * x[0] * x[0]
            }

            #[potential(over = body)]
            fn weight(data: &Data, x: &$frame) -> f64 {
                9.81 * data.mass * x.translation[2]
            }

            #[potential(over = body.last())]
            fn leash(x: &$frame) -> f64 {
                2.0 * (x.translation - Vector3::new(0.3, -0.4, 0.5)).norm_squared()
            }

            #[dissipation(over = body)]
            fn drag(data: &Data, v: &Vector6<f64>) -> f64 {
                0.5 * data.friction * v.linear().norm_squared()
            }

            #[dissipation(over = joints)]
            fn friction(data: &Data, $rate: $velocity) -> f64 {
                0.3 * data.friction * $square
            }

            /// Where the wind blows.
            #[quantity(over = body[1])]
            pub fn sail(x: &$frame) -> Vector3<f64> {
                x.translation + x.rotation * Vector3::new(0.1, 0.0, -0.2)
            }

            #[force(at = sail)]
            fn wind(t: f64) -> Vector3<f64> {
                Vector3::new(t.sin(), 0.4, -t)
            }

            #[potential(over = joints.windows(2))]
            fn between([$one, $other]: [&$joint; 2]) -> f64 {
                0.8 * $gap
            }
        }

        /// Three bodies, written out.
        #[mechanical_system(max_operations = 200_000)]
        pub mod $three {
            use lie_runtime::prelude::*;

            /// From the fixed point on.
            #[configuration]
            pub struct Chain {
                /// The joints.
                pub joints: [$joint; 3],
                /// A body elsewhere, on a spring.
                pub other: R1,
            }

            /// One body and one joint.
            #[parameters]
            pub struct Data {
                /// m.
                pub mass: f64,
                /// s.
                pub spread: Vector3<f64>,
                /// The axis of the joint.
                pub axis: Vector3<f64>,
                /// From joint to joint.
                pub arm: Vector3<f64>,
                /// Of everything viscous.
                pub friction: f64,
            }

            fn moved($data: &Data, $above: &$frame, $link: &$joint) -> $frame {
                *$above * $next
            }

            /// Centre and columns of the bodies, and the sail.
            #[quantity]
            pub fn points(data: &Data, t: f64, q: &Chain) -> SVector<f64, 39> {
                let mut all = SVector::<f64, 39>::zeros();
                let mut frame = $frame::new($own::identity(), Vector3::new(0.0, 0.0, 0.1 * (2.0 * t).sin()));
                for i in 0..3 {
                    frame = moved(data, &frame, &q.joints[i]);
                    let turn = frame.rotation;
                    let turned = [turn * Vector3::x(), turn * Vector3::y(), turn * Vector3::z()];
                    for k in 0..3 {
                        all[12 * i + k] = frame.translation[k];
                        for j in 0..3 {
                            all[12 * i + 3 + 3 * j + k] = turned[j][k];
                        }
                    }
                    if i == 1 {
                        let sail = frame.translation + frame.rotation * Vector3::new(0.1, 0.0, -0.2);
                        for k in 0..3 {
                            all[36 + k] = sail[k];
                        }
                    }
                }
                all
            }

            #[kinetic_energy]
            fn kinetic(data: &Data, t: f64, q: &Chain, v: &Velocity) -> f64 {
                let rates = points_rate(data, t, q, v);
                let mut sum = 0.7 * v.other[0] * v.other[0];
                for i in 0..3 {
                    let $rate = &v.joints[i];
                    sum += 0.5 * data.mass * rates.fixed_rows::<3>(12 * i).norm_squared();
                    sum += 0.05 * (1.0 + i as f64) * $square;
                    for j in 0..3 {
                        sum += 0.5 * data.spread[j] * rates.fixed_rows::<3>(12 * i + 3 + 3 * j).norm_squared();
                    }
                }
                sum
            }

            #[potential]
            fn potential(data: &Data, t: f64, q: &Chain) -> f64 {
                let points = points(data, t, q);
                let end = points.fixed_rows::<3>(24) - Vector3::new(0.3, -0.4, 0.5);
                let mut sum = 1.3 * q.other[0] * q.other[0] + 2.0 * end.norm_squared();
                for i in 0..3 {
                    sum += 9.81 * data.mass * points[12 * i + 2];
                }
                for i in 0..2 {
                    let ($one, $other) = (q.joints[i], q.joints[i + 1]);
                    sum += 0.8 * $gap;
                }
                sum
            }

            #[dissipation]
            fn viscous(data: &Data, t: f64, q: &Chain, v: &Velocity) -> f64 {
                let rates = points_rate(data, t, q, v);
                let mut sum = 0.0;
                for i in 0..3 {
                    let $rate = &v.joints[i];
                    sum += 0.5 * data.friction * rates.fixed_rows::<3>(12 * i).norm_squared();
                    sum += 0.3 * data.friction * $square;
                }
                sum
            }

            #[force(at = points)]
            fn wind(t: f64) -> SVector<f64, 39> {
                let mut all = SVector::<f64, 39>::zeros();
                all[36] = t.sin();
                all[37] = 0.4;
                all[38] = -t;
                all
            }
        }
    };
}

bodies! {
    /// Hinges.
    hinges, three_hinges, SE3, SO2, &f64, SO3,
    |data, above, link| SE3::new(SO3::exp(&(data.axis * link.angle())), data.arm),
    |rate| rate * rate,
    |one, other| (one.angle() - other.angle()) * (one.angle() - other.angle())
}

bodies! {
    /// Slides along an axis that every body turns on.
    slides, three_slides, SE3, R1, &Vector1<f64>, SO3,
    |data, above, link| SE3::new(SO3::exp(&data.arm), data.axis * link[0] + data.arm),
    |rate| rate.norm_squared(),
    |one, other| (one - other).norm_squared()
}

bodies! {
    /// Ball joints, by quaternions.
    balls, three_balls, S3R3, S3, &Vector3<f64>, S3,
    |data, above, link| S3R3::new(*link, *link * data.arm),
    |rate| rate.norm_squared(),
    |one, other| (one * Vector3::x() - other * Vector3::x()).norm_squared()
}
