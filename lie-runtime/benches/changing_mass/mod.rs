//! Two rods on ball joints in joint coordinates: their mass matrix depends on the attitudes, where RATTLie is the variational method.

use lie_runtime::gradient::Objective;
use lie_runtime::prelude::*;

use super::Case;

/// The rods.
#[mechanical_system(gradients)]
pub mod rods {
    use lie_runtime::prelude::*;

    /// Attitudes relative to the previous body.
    #[configuration]
    pub struct Joints {
        /// The attitude of the upper rod, which is attached to a fixed point.
        pub upper: SO3,
        /// The attitude of the lower rod, which is attached to the end of the upper rod.
        pub lower: SO3,
    }

    /// Data of each rod.
    #[parameters]
    pub struct Rods {
        /// The masses.
        pub masses: Vector2<f64>,
        /// The lengths.
        pub lengths: Vector2<f64>,
        /// Principal moments of inertia of the upper rod about its centre.
        pub of_upper: Vector3<f64>,
        /// Principal moments of inertia of the lower rod about its centre.
        pub of_lower: Vector3<f64>,
        /// The friction coefficient of the joint between the rods: moment per angular velocity.
        pub friction: f64,
    }

    /// The centre of the upper rod.
    #[quantity]
    pub fn upper_center(rods: &Rods, q: &Joints) -> Vector3<f64> {
        q.upper * Vector3::new(0.0, 0.0, -0.5 * rods.lengths[0])
    }

    /// The centre of the lower rod.
    #[quantity]
    pub fn lower_center(rods: &Rods, q: &Joints) -> Vector3<f64> {
        let own = q.lower * Vector3::new(0.0, 0.0, -0.5 * rods.lengths[1]);
        q.upper * (Vector3::new(0.0, 0.0, -rods.lengths[0]) + own)
    }

    #[kinetic_energy]
    fn kinetic(rods: &Rods, q: &Joints, v: &Velocity) -> f64 {
        let lower = q.lower.inverse() * v.upper + v.lower;
        0.5 * rods.masses[0] * upper_center_rate(rods, q, v).norm_squared()
            + 0.5 * rods.masses[1] * lower_center_rate(rods, q, v).norm_squared()
            + 0.5 * v.upper.dot(&rods.of_upper.component_mul(&v.upper))
            + 0.5 * lower.dot(&rods.of_lower.component_mul(&lower))
    }

    #[potential]
    fn weight(rods: &Rods, q: &Joints) -> f64 {
        9.81 * (rods.masses[0] * upper_center(rods, q).z + rods.masses[1] * lower_center(rods, q).z)
    }

    #[dissipation]
    fn friction(rods: &Rods, v: &Velocity) -> f64 {
        0.5 * rods.friction * v.lower.norm_squared()
    }
}

/// Creates rods of 1 m and 1 kg each.
pub fn system() -> rods::System {
    let moments = Vector3::new(1.0 / 12.0, 1.0 / 12.0, 1e-3);
    let (masses, lengths) = (Vector2::new(1.0, 1.0), Vector2::new(1.0, 1.0));
    rods::System::new(rods::Rods { masses, lengths, of_upper: moments, of_lower: moments, friction: 0.05 })
        .expect("rods")
}

/// Releases the rods from an inclined position; returns the position of the lower rod after one second.
pub fn case(system: &rods::System) -> Case<'_, rods::System> {
    let (upper, lower) = (SO3::exp(&Vector3::new(0.8, 0.2, 0.0)), SO3::exp(&Vector3::new(-0.3, 0.4, 0.1)));
    let start = (rods::Joints { upper, lower }, Vector6::new(0.5, 0.0, 0.3, 0.0, -0.4, 0.2));
    let objective = Objective::<rods::System>::new().at_end(|state| (state.configuration.upper * Vector3::z()).x);
    Case { name: "rods, M(q)", system, start, step: 2e-3, end: 1.0, objective }
}
