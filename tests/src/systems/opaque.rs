//! One potential, one force and one constraint, once read and three times not looked into.

/// A particle and a wheel in a landscape; what differs is how its functions are declared.
macro_rules! landscape {
    ($(#[$doc:meta])* $name:ident, { $($functions:item)* }) => {
        $(#[$doc])*
        #[mechanical_system(derivative_check)]
        pub mod $name {
            use lie_runtime::prelude::*;

            /// Particle and wheel.
            #[configuration]
            pub struct Pair {
                /// The particle.
                pub place: R3,
                /// The wheel.
                pub wheel: SO2,
            }

            /// Data.
            #[parameters]
            pub struct Data {
                /// The width of the hill.
                pub width: f64,
                /// Friction.
                pub friction: f64,
            }

            #[kinetic_energy]
            fn kinetic(v: &Velocity) -> f64 {
                0.5 * v.place.norm_squared() + 0.1 * v.wheel * v.wheel
            }

            #[potential]
            fn landscape(data: &Data, q: &Pair) -> f64 {
                2.0 * hill(q.wheel.angle().sin() + data.width, data.width * q.place)
            }

            #[force(on = wheel)]
            fn friction(data: &Data, q: &Pair, v: &Velocity) -> f64 {
                -data.friction * v.wheel * hill(v.wheel, q.place)
            }

            #[constraint]
            fn surface(q: &Pair, t: f64) -> f64 {
                hill(q.place.z - 0.1 * t, q.place) - 0.4
            }

            $($functions)*
        }
    };
}

use lie_runtime::prelude::*;

landscape!(
    /// Read symbolically.
    symbolic,
    {
        fn hill(x: f64, d: Vector3<f64>) -> f64 {
            (-x * x).exp() * (1.0 + d.dot(&d)).sqrt()
        }
    }
);

landscape!(
    /// By dual numbers.
    dual,
    {
        #[opaque]
        fn hill<S: Scalar>(x: S, d: Vector3<S>) -> S {
            let mut square = S::from_f64(1.0);
            let mut at = 0;
            while at < 3 {
                square += d[at] * d[at];
                at += 1;
            }
            (-x * x).exp() * square.sqrt()
        }
    }
);

landscape!(
    /// With its gradient by hand.
    by_hand,
    {
        #[opaque(derivative = hill_gradient)]
        fn hill<S: Scalar>(x: S, d: Vector3<S>) -> S {
            let square = S::from_f64(1.0) + d.x * d.x + d.y * d.y + d.z * d.z;
            (-x * x).exp() * square.sqrt()
        }

        #[opaque]
        fn hill_gradient<S: Scalar>(x: S, d: Vector3<S>) -> Vector4<S> {
            let root = (S::from_f64(1.0) + d.x * d.x + d.y * d.y + d.z * d.z).sqrt();
            let bell = (-x * x).exp();
            let factor = bell / root;
            Vector4::new(S::from_f64(-2.0) * x * bell * root, factor * d.x, factor * d.y, factor * d.z)
        }
    }
);

landscape!(
    /// With a gradient that is wrong by a tenth in its last entry.
    wrong,
    {
        #[opaque(derivative = hill_gradient)]
        fn hill<S: Scalar>(x: S, d: Vector3<S>) -> S {
            let square = S::from_f64(1.0) + d.x * d.x + d.y * d.y + d.z * d.z;
            (-x * x).exp() * square.sqrt()
        }

        #[opaque]
        fn hill_gradient<S: Scalar>(x: S, d: Vector3<S>) -> Vector4<S> {
            let root = (S::from_f64(1.0) + d.x * d.x + d.y * d.y + d.z * d.z).sqrt();
            let bell = (-x * x).exp();
            let factor = bell / root;
            let last = S::from_f64(1.1) * factor * d.z;
            Vector4::new(S::from_f64(-2.0) * x * bell * root, factor * d.x, factor * d.y, last)
        }
    }
);
