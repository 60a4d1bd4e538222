//! The common part of all declarations of rods.

/// Declares a rod in a module: with arguments of the macro, with these ends, and with further functions.
///
/// `lie_runtime::prelude::*` must be in scope at the call.
#[macro_export]
macro_rules! declared_rod {
    ([$($option:tt)*], $(#[$documentation:meta])* $name:ident, [$($clamped:tt)*], $($rest:item)*) => {
        $(#[$documentation])*
        #[mechanical_system($($option)*)]
        pub mod $name {
            use lie_runtime::prelude::*;

            /// The frames of the nodes.
            #[configuration]
            pub struct Rod {
                /// Cross-section frames, the third axis along the rod.
                $($clamped)*
                pub nodes: Vec<S3R3>,
            }

            /// Data of the rod.
            #[parameters]
            pub struct Section {
                /// The length of the rod.
                pub length: f64,
                /// Bending and torsional stiffness C^K.
                pub bending: Vector3<f64>,
                /// Shear and axial stiffness C^Γ.
                pub stretching: Vector3<f64>,
                /// Mass per length.
                pub density: f64,
                /// Rotary inertia per length.
                pub inertia: Vector3<f64>,
                /// The stress that a unit of strain rate adds.
                pub damping: f64,
            }

            /// The trapezoidal rule: half an edge at both ends.
            #[kinetic_energy(over = nodes)]
            fn kinetic(rod: &Section, index: usize, length: usize, v: &Vector6<f64>) -> f64 {
                let edge = rod.length / (length - 1) as f64;
                let share = if index == 0 || index + 1 == length { 0.5 * edge } else { edge };
                let (angular, linear) = (v.angular(), v.linear());
                0.5 * share * (rod.density * linear.norm_squared() + angular.dot(&rod.inertia.component_mul(&angular)))
            }

            /// The strain of an edge.
            #[quantity(over = nodes.windows(2))]
            pub fn strain(rod: &Section, length: usize, [a, b]: [&S3R3; 2]) -> Vector6<f64> {
                let edge = rod.length / (length - 1) as f64;
                (a.inverse() * b).log() / edge
            }

            #[potential(over = nodes.windows(2))]
            fn elastic(rod: &Section, length: usize, [a, b]: [&S3R3; 2]) -> f64 {
                let edge = rod.length / (length - 1) as f64;
                let strain = strain(rod, length, [a, b]);
                let (curvature, stretch) = (strain.angular(), strain.linear() - Vector3::new(0.0, 0.0, 1.0));
                0.5 * edge
                    * (curvature.dot(&rod.bending.component_mul(&curvature))
                        + stretch.dot(&rod.stretching.component_mul(&stretch)))
            }

            /// The pose of the first node.
            #[observable]
            pub fn first_position(q: &Rod) -> Vector3<f64> {
                q.nodes[0].translation
            }

            /// The pose of the last node.
            #[observable]
            pub fn last_position(q: &Rod) -> Vector3<f64> {
                q.nodes[q.nodes.len() - 1].translation
            }

            $($rest)*
        }
    };
}
