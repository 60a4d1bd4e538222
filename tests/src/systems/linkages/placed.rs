//! Bodies along chains whose joints and frames are of every group.

use lie_runtime::prelude::*;

/// Bodies on joints of any kind: with weight, drag, a thrust that turns with the last body, a wind at one of them, and a
/// base that shakes.
macro_rules! placed {
    (
        $(#[$doc:meta])*
        $name:ident, $frame:ident, $joint:ident, $point:ident, $size:literal,
        |$t:ident, $index:ident, $above:ident, $link:ident| $next:expr,
        |$x:ident| $place:expr
    ) => {
        $(#[$doc])*
        #[mechanical_system(derivative_check)]
        pub mod $name {
            use lie_runtime::prelude::*;

            /// From the fixed point on.
            #[configuration]
            pub struct Chain {
                /// The joints.
                pub joints: Vec<$joint>,
            }

            /// The body after a joint.
            #[kinematics(over = joints)]
            pub fn body($t: f64, $index: usize, $above: &$frame, $link: &$joint) -> $frame {
                $next
            }

            #[kinetic_energy(over = body)]
            fn kinetic(index: usize, v: &SVector<f64, $size>) -> f64 {
                let mut sum = 0.0;
                for i in 0..$size {
                    sum += (0.4 + 0.1 * i as f64 + 0.2 * index as f64) * v[i] * v[i];
                }
                sum + 0.1 * v[0] * v[$size - 1]
            }

            #[potential(over = body)]
            fn weight($x: &$frame) -> f64 {
                let place: $point<f64> = $place;
                9.81 * 0.7 * place[1] + 0.2 * place[0] * place[0]
            }

            #[dissipation(over = body)]
            fn drag(v: &SVector<f64, $size>) -> f64 {
                0.15 * v.norm_squared()
            }

            #[force(over = body.last())]
            fn thrust(t: f64, v: &SVector<f64, $size>) -> SVector<f64, $size> {
                v * (0.3 + 0.1 * t)
            }

            /// Where the wind blows.
            #[quantity(over = body[1])]
            pub fn sail($x: &$frame) -> $point<f64> {
                $place
            }

            #[force(at = sail)]
            fn wind(t: f64) -> $point<f64> {
                let mut all = $point::<f64>::zeros();
                all[0] = t.sin();
                all[1] = 0.4;
                all
            }
        }
    };
}

placed! {
    /// Dual quaternions on dual quaternions.
    duals, DQ, DQ, Vector3, 6,
    |t, _index, above, link| *above * *link * DQ::new(S3::identity(), Vector3::new(0.1, 0.2 * t.sin(), 0.3)),
    |x| *x * Vector3::new(0.1, -0.3, 0.2)
}

placed! {
    /// Rigid motions on rigid motions.
    rigid, SE3, SE3, Vector3, 6,
    |t, index, above, link| {
        let shake = if index == 0 { 0.1 * (2.0 * t).sin() } else { 0.0 };
        *above * *link * SE3::new(SO3::exp(&Vector3::new(0.1, shake, 0.3)), Vector3::new(0.1, 0.2, 0.3))
    },
    |x| *x * Vector3::new(0.1, -0.3, 0.2)
}

placed! {
    /// Direct products with matrices, on ball joints: positions add up in space.
    matrices, SO3xR3, SO3, Vector3, 6,
    |t, index, above, link| {
        let turn = above.rotation() * *link;
        let reach = Vector3::new(0.1 * index as f64, 0.2, 0.3 + 0.1 * t.cos());
        SO3xR3::new(turn, above.position() + turn * reach)
    },
    |x| x.position() + x.rotation() * Vector3::new(0.1, -0.3, 0.2)
}

placed! {
    /// Direct products with quaternions, on themselves.
    quaternions, S3xR3, S3xR3, Vector3, 6,
    |t, _index, above, link| {
        let reach = above.rotation() * (link.position() + Vector3::new(0.1, 0.2 * t, 0.3));
        S3xR3::new(above.rotation() * link.rotation(), above.position() + reach)
    },
    |x| x.position() + x.rotation() * Vector3::new(0.1, -0.3, 0.2)
}

placed! {
    /// Planar motions on planar motions.
    planar, SE2, SE2, Vector2, 3,
    |t, _index, above, link| *above * *link * SE2::new(SO2::from_angle(0.1 * t), Vector2::new(0.3, 0.1)),
    |x| *x * Vector2::new(0.2, -0.1)
}

placed! {
    /// Rotations alone, by quaternions on directions.
    turns, S3, S2, Vector3, 3,
    |t, _index, above, link| *above * S3::exp(&(link.direction() * (0.8 + 0.1 * t))),
    |x| *x * Vector3::new(0.2, -0.1, 0.5)
}
