use lie_runtime::prelude::*;

#[mechanical_system(redundant = minimum_norm)]
pub mod gripper {
    /// The joints of `gripper`.
    #[configuration]
    pub struct Joints {
        /// `drive` [rad].
        pub drive: f64,
        /// `knuckle` [rad].
        pub knuckle: f64,
        /// `follower` [rad].
        pub follower: f64,
        /// `left` [m].
        pub left: f64,
    }

    /// The configuration with all coordinates zero.
    pub fn zero() -> Joints {
        Joints { drive: 0.0, knuckle: 0.0, follower: 0.0, left: 0.0 }
    }

    /// The reference configuration of the file, with the loops closed.
    pub fn reference() -> Joints {
        Joints { drive: 0.0, knuckle: 0.0, follower: 0.0, left: 0.0 }
    }

    /// The reference configuration with the given values of hinges and slides, identified by joint name. Loops may be open then: `InverseKinematics` closes them.
    ///
    /// # Errors
    /// [`UnknownJoint`]: no hinge or slide with a coordinate of its own has this name.
    pub fn from_joints(values: &[(&str, f64)]) -> Result<Joints, UnknownJoint> {
        let mut q = reference();
        for &(name, value) in values {
            match name {
                "drive" => q.drive = value,
                "knuckle" => q.knuckle = value,
                "follower" => q.follower = value,
                "left" => q.left = value,
                _ => return Err(UnknownJoint::new(name, &["drive", "knuckle", "follower", "left"])),
            }
        }
        Ok(q)
    }

    /// The fixed frame of `world`.
    pub fn world() -> SE3 {
        SE3::identity()
    }

    /// The frame of `crank`.
    #[quantity]
    pub fn crank(q: &Joints) -> SE3 {
        world() * SE3::new(SO3::exp(&(Vector3::new(0.0, 0.0, 1.0) * q.drive)), Vector3::zeros())
    }

    #[kinetic_energy]
    fn kinetic_energy_of_crank(q: &Joints, v: &Velocity) -> f64 {
        let twist = crank_rate(q, v);
        let turn = twist.angular();
        let center = twist.linear() + turn.cross(&Vector3::new(0.03, 0.0, 0.0));
        0.5 * 0.1 * center.norm_squared() + 0.5 * turn.dot(&(Matrix3::new(1e-5, 0.0, 0.0, 0.0, 4e-5, 0.0, 0.0, 0.0, 4e-5) * turn))
    }

    #[potential]
    fn weight_of_crank(q: &Joints) -> f64 {
        9.81 * 0.1 * (crank(q) * Vector3::new(0.03, 0.0, 0.0)).z
    }

    /// The frame of `finger`.
    #[quantity]
    pub fn finger(q: &Joints) -> SE3 {
        crank(q) * SE3::new(SO3::identity(), Vector3::new(0.06, 0.0, 0.0)) * SE3::new(SO3::exp(&(Vector3::new(0.0, 0.0, 1.0) * q.knuckle)), Vector3::zeros())
    }

    #[kinetic_energy]
    fn kinetic_energy_of_finger(q: &Joints, v: &Velocity) -> f64 {
        let twist = finger_rate(q, v);
        let turn = twist.angular();
        let center = twist.linear() + turn.cross(&Vector3::new(0.01, 0.02, 0.0));
        0.5 * 0.05 * center.norm_squared() + 0.5 * turn.dot(&(Matrix3::new(1e-5, 0.0, 0.0, 0.0, 1e-5, 0.0, 0.0, 0.0, 2e-5) * turn))
    }

    #[potential]
    fn weight_of_finger(q: &Joints) -> f64 {
        9.81 * 0.05 * (finger(q) * Vector3::new(0.01, 0.02, 0.0)).z
    }

    /// The frame of `rocker`.
    #[quantity]
    pub fn rocker(q: &Joints) -> SE3 {
        world() * SE3::new(SO3::identity(), Vector3::new(0.0, 0.04, 0.0)) * SE3::new(SO3::exp(&(Vector3::new(0.0, 0.0, 1.0) * q.follower)), Vector3::zeros())
    }

    #[kinetic_energy]
    fn kinetic_energy_of_rocker(q: &Joints, v: &Velocity) -> f64 {
        let twist = rocker_rate(q, v);
        let turn = twist.angular();
        let center = twist.linear() + turn.cross(&Vector3::new(0.03, 0.0, 0.0));
        0.5 * 0.08 * center.norm_squared() + 0.5 * turn.dot(&(Matrix3::new(1e-5, 0.0, 0.0, 0.0, 3e-5, 0.0, 0.0, 0.0, 3e-5) * turn))
    }

    #[potential]
    fn weight_of_rocker(q: &Joints) -> f64 {
        9.81 * 0.08 * (rocker(q) * Vector3::new(0.03, 0.0, 0.0)).z
    }

    /// The frame of `left_jaw`.
    #[quantity]
    pub fn left_jaw(q: &Joints) -> SE3 {
        world() * SE3::new(SO3::identity(), Vector3::new(0.0, 0.0, 0.1)) * SE3::new(SO3::identity(), Vector3::new(0.0, 0.0, 1.0) * q.left)
    }

    #[kinetic_energy]
    fn kinetic_energy_of_left_jaw(q: &Joints, v: &Velocity) -> f64 {
        let twist = left_jaw_rate(q, v);
        let turn = twist.angular();
        let center = twist.linear() + turn.cross(&Vector3::zeros());
        0.5 * 0.06 * center.norm_squared() + 0.5 * turn.dot(&(Matrix3::new(1e-6, 0.0, 0.0, 0.0, 1e-6, 0.0, 0.0, 0.0, 1e-6) * turn))
    }

    #[potential]
    fn weight_of_left_jaw(q: &Joints) -> f64 {
        9.81 * 0.06 * (left_jaw(q) * Vector3::zeros()).z
    }

    /// The frame of `right_jaw`.
    #[quantity]
    pub fn right_jaw(q: &Joints) -> SE3 {
        world() * SE3::new(SO3::identity(), Vector3::new(1.0, 0.0, 0.0) * (-2.0 * q.left + 0.01))
    }

    #[kinetic_energy]
    fn kinetic_energy_of_right_jaw(q: &Joints, v: &Velocity) -> f64 {
        let twist = right_jaw_rate(q, v);
        let turn = twist.angular();
        let center = twist.linear() + turn.cross(&Vector3::zeros());
        0.5 * 0.06 * center.norm_squared() + 0.5 * turn.dot(&(Matrix3::new(1e-6, 0.0, 0.0, 0.0, 1e-6, 0.0, 0.0, 0.0, 1e-6) * turn))
    }

    #[potential]
    fn weight_of_right_jaw(q: &Joints) -> f64 {
        9.81 * 0.06 * (right_jaw(q) * Vector3::zeros()).z
    }

    /// A common point of `finger` and `rocker`.
    #[constraint]
    fn closed(q: &Joints) -> Vector2<f64> {
        let gap = finger(q) * Vector3::new(0.0, 0.04, 0.0) - rocker(q) * Vector3::new(0.06, 0.0, 0.0);
        Vector2::new(gap[0], gap[1])
    }
}
