//! The declaration: a pose and a line of energy a link.

use lie_runtime::prelude::*;

/// An arm of six hinges, about z, y, y, z, y and z, whose motors follow a given motion.
#[mechanical_system]
pub mod links {
    /// From link to link.
    #[configuration]
    pub struct Joints {
        /// Angles of the hinges [rad].
        pub angles: R6,
    }

    /// A rigid body on its hinge, in the frame of that.
    pub struct Link {
        /// m [kg].
        pub mass: f64,
        /// c, the centre of mass [m].
        pub center: Vector3<f64>,
        /// The logarithms of the diagonal of L, a lower triangle of metres: L Lᵀ is the mean of (x − c)(x − c)ᵀ over the mass [m²]. The
        /// moments of inertia are physical for all values and unique for L. An entry of the diagonal that passes through zero would make
        /// them ambiguous (C. Rucker, P. M. Wensing, IEEE Robot. Autom. Lett. 7, 2022).
        pub extent: Vector3<f64>,
        /// L below its diagonal, by rows [m].
        pub skew: Vector3<f64>,
        /// Damping of the hinge: torque per angular velocity [N m s].
        pub friction: f64,
    }

    /// The links from the base outward, and the known data of the arm.
    #[parameters]
    pub struct Arm {
        /// The unknown data.
        pub links: [Link; 6],
        /// Position of each hinge in the frame of the previous hinge [m].
        pub places: [Vector3<f64>; 6],
        /// Torque per deviation from the reference angle [N m].
        pub stiffness: Vector6<f64>,
        /// Torque per deviation from the reference rate [N m s].
        pub damping: Vector6<f64>,
    }

    /// The references of the motors.
    #[inputs]
    pub struct Inputs {
        /// [rad].
        pub angles: Vector6<f64>,
        /// Their derivatives.
        pub rates: Vector6<f64>,
    }

    fn about_y(angle: f64, place: Vector3<f64>) -> SE3 {
        SE3::new(SO3::exp(&(Vector3::y() * angle)), place)
    }

    fn about_z(angle: f64, place: Vector3<f64>) -> SE3 {
        SE3::new(SO3::exp(&(Vector3::z() * angle)), place)
    }

    #[quantity]
    fn base(arm: &Arm, q: &Joints) -> SE3 {
        about_z(q.angles[0], arm.places[0])
    }
    #[quantity]
    fn shoulder(arm: &Arm, q: &Joints) -> SE3 {
        base(arm, q) * about_y(q.angles[1], arm.places[1])
    }
    #[quantity]
    fn elbow(arm: &Arm, q: &Joints) -> SE3 {
        shoulder(arm, q) * about_y(q.angles[2], arm.places[2])
    }
    #[quantity]
    fn forearm(arm: &Arm, q: &Joints) -> SE3 {
        elbow(arm, q) * about_z(q.angles[3], arm.places[3])
    }
    #[quantity]
    fn wrist(arm: &Arm, q: &Joints) -> SE3 {
        forearm(arm, q) * about_y(q.angles[4], arm.places[4])
    }
    #[quantity]
    fn hand(arm: &Arm, q: &Joints) -> SE3 {
        wrist(arm, q) * about_z(q.angles[5], arm.places[5])
    }

    /// L.
    fn spread(link: &Link) -> Matrix3<f64> {
        let (extent, skew) = (link.extent, link.skew);
        Matrix3::new(extent.x.exp(), 0.0, 0.0, skew.x, extent.y.exp(), 0.0, skew.y, skew.z, extent.z.exp())
    }

    /// ½ ∫ |v + ω × x|² dm.
    fn energy(link: &Link, twist: &Vector6<f64>) -> f64 {
        let (turn, spread) = (twist.angular(), spread(link));
        let of_center = twist.linear() + turn.cross(&link.center);
        0.5 * link.mass
            * (of_center.norm_squared() + spread.norm_squared() * turn.norm_squared()
                - (spread.transpose() * turn).norm_squared())
    }

    #[kinetic_energy]
    fn kinetic(arm: &Arm, q: &Joints, v: &Velocity) -> f64 {
        energy(&arm.links[0], &base_rate(arm, q, v))
            + energy(&arm.links[1], &shoulder_rate(arm, q, v))
            + energy(&arm.links[2], &elbow_rate(arm, q, v))
            + energy(&arm.links[3], &forearm_rate(arm, q, v))
            + energy(&arm.links[4], &wrist_rate(arm, q, v))
            + energy(&arm.links[5], &hand_rate(arm, q, v))
    }

    fn height(link: &Link, pose: &SE3) -> f64 {
        9.81 * link.mass * (pose * link.center).z
    }

    #[potential]
    fn weight(arm: &Arm, q: &Joints) -> f64 {
        height(&arm.links[0], &base(arm, q))
            + height(&arm.links[1], &shoulder(arm, q))
            + height(&arm.links[2], &elbow(arm, q))
            + height(&arm.links[3], &forearm(arm, q))
            + height(&arm.links[4], &wrist(arm, q))
            + height(&arm.links[5], &hand(arm, q))
    }

    #[dissipation]
    fn bearings(arm: &Arm, v: &Velocity) -> f64 {
        let mut power = 0.0;
        for at in 0..6 {
            power += arm.links[at].friction * v.angles[at] * v.angles[at];
        }
        0.5 * power
    }

    fn commanded(arm: &Arm, q: &Joints, v: &Velocity, u: &Inputs) -> Vector6<f64> {
        arm.stiffness.component_mul(&(u.angles - q.angles)) + arm.damping.component_mul(&(u.rates - v.angles))
    }

    #[force(on = angles)]
    fn motors(arm: &Arm, q: &Joints, v: &Velocity, u: &Inputs) -> Vector6<f64> {
        commanded(arm, q, v, u)
    }

    /// The torques of the motors [N m].
    #[observable]
    pub fn torques(arm: &Arm, q: &Joints, v: &Velocity, u: &Inputs) -> Vector6<f64> {
        commanded(arm, q, v, u)
    }
}
