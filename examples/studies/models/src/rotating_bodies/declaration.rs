//! The common part of all declarations of rotating bodies.

/// Declares a rotating body twice, in the modules `so3` and `s3`: with further data, and with further functions.
macro_rules! rotating_body {
    ($(#[$documentation:meta])* { $($fields:tt)* } $($rest:item)*) => {
        rotating_body! { @on so3, SO3, matrix, [$(#[$documentation])*], { $($fields)* } $($rest)* }
        rotating_body! { @on s3, S3, rotation_matrix, [$(#[$documentation])*], { $($fields)* } $($rest)* }
    };
    (
        @on $name:ident, $rotation:ident, $matrix:ident, [$(#[$documentation:meta])*],
        { $($(#[$about:meta])* $field:ident)* } $($rest:item)*
    ) => {
        $(#[$documentation])*
        #[mechanical_system]
        pub mod $name {
            use lie_runtime::prelude::*;

            /// The body.
            #[configuration]
            pub struct Body {
                /// Body to space.
                pub attitude: $rotation,
            }

            /// Data of the body.
            #[parameters]
            pub struct Data {
                /// Principal moments of inertia about the fixed point.
                pub moments: Vector3<f64>,
                $($(#[$about])* pub $field: f64,)*
            }

            #[kinetic_energy]
            fn rotation(body: &Data, v: &Velocity) -> f64 {
                0.5 * v.attitude.dot(&body.moments.component_mul(&v.attitude))
            }

            #[observable]
            fn attitude(q: &Body) -> Matrix3<f64> {
                q.attitude.$matrix()
            }

            /// In the body.
            #[observable]
            fn angular_momentum(body: &Data, v: &Velocity) -> Vector3<f64> {
                body.moments.component_mul(&v.attitude)
            }

            $($rest)*
        }

        impl $name::Data {
            /// The system, and the body turned by the rotation vector `turn`.
            ///
            /// # Errors
            /// The system's: data that are not finite, moments that are not positive.
            pub fn turned(self, turn: &Vector3<f64>) -> Result<($name::System, $name::Body), ModelError> {
                Ok(($name::System::new(self)?, $name::Body { attitude: $rotation::exp(turn) }))
            }
        }
    };
}
