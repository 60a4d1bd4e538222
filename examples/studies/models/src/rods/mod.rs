//! Geometrically exact rods on (S³ ⋉ R³)^N (paper 1, section 3), with the loads of its two experiments.
//!
//! Nodes q_i are equidistant in arc length, the third axis of their frames is along the rod. Adjacent nodes have the strain
//! w = log(q_{i−1}⁻¹ q_i)/ds, curvature first (eq. 23); the energy is summed over edges, the inertia by the trapezoidal
//! rule over nodes. Kirchhoff rods have no shear: Γ₁ = Γ₂ = 0 on every edge (eq. 25).

#[macro_use]
mod declaration;
#[cfg(feature = "studies")]
pub mod studies;

use lie_runtime::prelude::*;
use lie_runtime::system::ModelError;
use lie_runtime::system::ParameterSet;

/// The data of a rod, independent of its ends, loads and constraints.
pub trait RodSection: ParameterSet + Sized {
    /// The rod.
    type System: MechanicalSystem<Scalar = f64>;

    /// The section of paper 1, Table 3, with the damping of strains.
    fn of_paper_1(damping: f64) -> Self;

    /// The length of the rod.
    fn length(&self) -> f64;

    /// The system of a rod with these nodes.
    ///
    /// # Errors
    /// [`ModelError`] if there is no such rod.
    fn through(
        self,
        nodes: Vec<S3R3>,
    ) -> Result<(Self::System, <Self::System as MechanicalSystem>::Configuration), ModelError>;
}

/// A rod with these ends, loads and constraints.
macro_rules! rod {
    ($(#[$documentation:meta])* $name:ident, [$($clamped:tt)*], $($rest:item)*) => {
        declared_rod! { [], $(#[$documentation])* $name, [$($clamped)*], $($rest)* }

        impl RodSection for $name::Section {
            type System = $name::System;

            fn of_paper_1(damping: f64) -> Self {
                $name::Section {
                    length: 10.0,
                    bending: Vector3::repeat(500.0),
                    stretching: Vector3::repeat(1e4),
                    density: 1.0,
                    inertia: Vector3::repeat(10.0),
                    damping,
                }
            }

            fn length(&self) -> f64 {
                self.length
            }

            fn through(self, nodes: Vec<S3R3>) -> Result<($name::System, $name::Rod), ModelError> {
                let system = $name::System::new(self, $name::Lengths { nodes: nodes.len() })?;
                Ok((system, $name::Rod { nodes }))
            }
        }
    };
}

/// A free rod that is thrown by a force and a moment on its first node, both fixed in space (eq. 24).
macro_rules! spaghetti {
    ($(#[$documentation:meta])* $name:ident, $($rest:item)*) => {
        rod! {
            $(#[$documentation])*
            $name, [],

            /// g(t): up to 200 and back to nothing in five seconds.
            fn pulse(t: f64) -> f64 {
                if t < 2.5 { 80.0 * t } else if t < 5.0 { 80.0 * (5.0 - t) } else { 0.0 }
            }

            #[force(over = nodes.first())]
            fn throw(t: f64, q: &S3R3) -> Vector6<f64> {
                let g = pulse(t);
                let back = q.rotation.inverse();
                let moment = back * Vector3::new(0.0, -0.5 * g, -g);
                let force = back * Vector3::new(0.1 * g, 0.0, 0.0);
                Vector6::new(moment[0], moment[1], moment[2], force[0], force[1], force[2])
            }

            $($rest)*
        }
    };
}

/// A damped rod, clamped at its first node, that a moment on its last node rolls up to a ring.
macro_rules! roll_up {
    ($(#[$documentation:meta])* $name:ident, $($rest:item)*) => {
        rod! {
            $(#[$documentation])*
            $name, [#[clamped(first)]],

            #[dissipation(over = nodes.windows(2))]
            fn viscous(
                rod: &Section, length: usize, [a, b]: [&S3R3; 2], [va, vb]: [&Vector6<f64>; 2],
            ) -> f64 {
                let edge = rod.length / (length - 1) as f64;
                let rate = strain_rate(rod, length, [a, b], [va, vb]);
                0.5 * edge * rod.damping * rate.norm_squared()
            }

            /// 2 π EI/L about e₂.
            #[force(over = nodes.last())]
            fn roll(rod: &Section, q: &S3R3) -> Vector6<f64> {
                let moment =
                    q.rotation.inverse() * Vector3::new(0.0, 2.0 * std::f64::consts::PI * rod.bending[1] / rod.length, 0.0);
                Vector6::new(moment[0], moment[1], moment[2], 0.0, 0.0, 0.0)
            }

            $($rest)*
        }
    };
}

spaghetti! {
    /// The flying spaghetti with shear.
    flying_spaghetti,
}

spaghetti! {
    /// The flying spaghetti of Kirchhoff: no shear.
    flying_spaghetti_kirchhoff,

    /// ds (Γ₁, Γ₂): λ is the shear force in the frame of the section.
    #[constraint(over = nodes.windows(2))]
    fn unsheared(rod: &Section, length: usize, [a, b]: [&S3R3; 2]) -> Vector2<f64> {
        let strain = strain(rod, length, [a, b]);
        let edge = rod.length / (length - 1) as f64;
        Vector2::new(edge * strain[3], edge * strain[4])
    }
}

roll_up! {
    /// The roll-up with shear.
    roll_up,
}

roll_up! {
    /// The roll-up of Kirchhoff: no shear.
    roll_up_kirchhoff,

    /// ds (Γ₁, Γ₂): λ is the shear force in the frame of the section.
    #[constraint(over = nodes.windows(2))]
    fn unsheared(rod: &Section, length: usize, [a, b]: [&S3R3; 2]) -> Vector2<f64> {
        let strain = strain(rod, length, [a, b]);
        let edge = rod.length / (length - 1) as f64;
        Vector2::new(edge * strain[3], edge * strain[4])
    }
}

/// Nodes on the straight line from `start` to `end`, their third axis along it.
///
/// The frames are turned from the space frame by the shortest rotation that takes e₃ to the line; there is none for a
/// line along −e₃.
///
/// # Errors
/// [`GroupError`](lie_runtime::group::GroupError) if the points coincide or the line is along −e₃.
pub fn straight(
    start: Vector3<f64>,
    end: Vector3<f64>,
    elements: usize,
) -> Result<Vec<S3R3>, lie_runtime::group::GroupError> {
    let direction = (end - start).normalize();
    let axis = Vector3::z().cross(&direction);
    let scale = 1.0 / (2.0 * (1.0 + direction.z)).sqrt();
    let rotation = S3::from_coordinates([(1.0 + direction.z) * scale, axis.x * scale, axis.y * scale, axis.z * scale])?;
    Ok((0..=elements)
        .map(|node| {
            let share = node as f64 / elements as f64;
            S3R3 { rotation, translation: start + (end - start) * share }
        })
        .collect())
}
