use lie_runtime::prelude::*;

#[mechanical_system]
pub mod awkward {
    /// The joints of `awkward \"robot\"`.
    ///
    /// Ignored parts of the file: `axis` of fixed joints; `visual` of `link`; the inertia of `base_link`: fixed to `base_link`, which stands still.
    ///
    /// Assumption: the base `base_link` stands still, and its mass of 5 kg has no effect: write `base = fixed`, or `base = floating` for a robot that is not mounted.
    #[configuration]
    pub struct Joints {
        /// `the_self`.
        pub the_self: SE2,
        /// `v` [rad].
        pub v: f64,
        /// `the_gen` [rad].
        pub the_gen: f64,
        /// `c` [m].
        pub c: f64,
    }

    /// The largest effort of `the_gen`.
    pub const THE_GEN_EFFORT: f64 = 7.0;

    /// The lower and the upper limit of the value of `c`.
    pub const C_LIMITS: [f64; 2] = [-0.1, 0.1];

    /// The configuration with all coordinates zero.
    pub fn zero() -> Joints {
        Joints { the_self: SE2::identity(), v: 0.0, the_gen: 0.0, c: 0.0 }
    }

    /// The reference configuration of the file.
    pub fn reference() -> Joints {
        Joints { the_self: SE2::identity(), v: 0.0, the_gen: 0.0, c: 0.0 }
    }

    /// The reference configuration with the given values of hinges and slides, identified by joint name.
    ///
    /// # Errors
    /// [`UnknownJoint`]: no hinge or slide with a coordinate of its own has this name.
    pub fn from_joints(values: &[(&str, f64)]) -> Result<Joints, UnknownJoint> {
        let mut q = reference();
        for &(name, value) in values {
            match name {
                "v" => q.v = value,
                "gen" | "the_gen" => q.the_gen = value,
                "c" => q.c = value,
                _ => return Err(UnknownJoint::new(name, &["v", "gen", "c"])),
            }
        }
        Ok(q)
    }

    /// The fixed frame of `base_link`.
    pub fn base_link() -> SE3 {
        SE3::identity()
    }

    /// The frame of `the_type`.
    pub fn the_type() -> SE3 {
        base_link() * SE3::new(SO3::exp(&Vector3::new(0.3, 0.0, 0.0)), Vector3::new(0.1, 0.0, 0.2))
    }

    /// The frame of `the_q`.
    pub fn the_q() -> SE3 {
        the_type() * SE3::new(SO3::exp(&Vector3::new(0.009999988869033085, -0.19983308311514886, 0.09966633329420303)), Vector3::new(0.0, 0.3, 0.0))
    }

    /// The frame of `the_2nd_link`.
    #[quantity]
    pub fn the_2nd_link(q: &Joints) -> SE3 {
        the_q() * SE3::new(SO3::identity(), Vector3::new(0.0, 0.0, 0.5)) * SE3::new(SO3::exp(&(Vector3::new(0.0, 0.6, 0.8) * q.the_self.rotation.angle())), Vector3::new(1.0, 0.0, 0.0) * q.the_self.translation.x + Vector3::new(0.0, 0.8, -0.6) * q.the_self.translation.y)
    }

    #[kinetic_energy]
    fn kinetic_energy_of_the_2nd_link(q: &Joints, v: &Velocity) -> f64 {
        let twist = the_2nd_link_rate(q, v);
        let turn = twist.angular();
        let center = twist.linear() + turn.cross(&Vector3::new(0.1, 0.2, -0.1));
        0.5 * 2.0 * center.norm_squared() + 0.5 * turn.dot(&(Matrix3::new(0.03816835492544262, -0.004010160485868412, 0.00819569264826003, -0.004010160485868412, 0.037596530403243233, 0.001793137435447617, 0.00819569264826003, 0.001793137435447617, 0.04423511467131416) * turn))
    }

    #[potential]
    fn weight_of_the_2nd_link(q: &Joints) -> f64 {
        9.81 * 2.0 * (the_2nd_link(q) * Vector3::new(0.1, 0.2, -0.1)).z
    }

    /// The frame of `fl_hip`.
    #[quantity]
    pub fn fl_hip(q: &Joints) -> SE3 {
        the_2nd_link(q) * SE3::new(SO3::identity(), Vector3::new(0.2, 0.0, 0.0)) * SE3::new(SO3::exp(&(Vector3::new(1.0, 0.0, 0.0) * q.v)), Vector3::zeros())
    }

    /// The frame of `the_center`.
    #[quantity]
    pub fn the_center(q: &Joints) -> SE3 {
        fl_hip(q) * SE3::new(SO3::exp(&Vector3::new(0.0, 0.0, 1.5707963267948963)), Vector3::zeros()) * SE3::new(SO3::exp(&(Vector3::new(0.0, 0.0, -1.0) * q.the_gen)), Vector3::zeros())
    }

    #[kinetic_energy]
    fn kinetic_energy_of_the_center(q: &Joints, v: &Velocity) -> f64 {
        let twist = the_center_rate(q, v);
        let turn = twist.angular();
        let center = twist.linear() + turn.cross(&Vector3::new(0.0, 0.0, -0.2));
        0.5 * 1.5 * center.norm_squared() + 0.5 * turn.dot(&(Matrix3::new(0.02, 0.0, 0.0, 0.0, 0.02, 0.0, 0.0, 0.0, 0.001) * turn))
    }

    #[potential]
    fn weight_of_the_center(q: &Joints) -> f64 {
        9.81 * 1.5 * (the_center(q) * Vector3::new(0.0, 0.0, -0.2)).z
    }

    /// The frame of `nameless`.
    #[quantity]
    pub fn nameless(q: &Joints) -> SE3 {
        the_center(q) * SE3::new(SO3::exp(&Vector3::new(1.0, 0.0, 0.0)), Vector3::new(0.0, 0.05, -0.4))
    }

    #[kinetic_energy]
    fn kinetic_energy_of_nameless(q: &Joints, v: &Velocity) -> f64 {
        let twist = nameless_rate(q, v);
        let turn = twist.angular();
        let center = twist.linear() + turn.cross(&Vector3::zeros());
        0.5 * 0.4 * center.norm_squared() + 0.5 * turn.dot(&(Matrix3::new(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0) * turn))
    }

    #[potential]
    fn weight_of_nameless(q: &Joints) -> f64 {
        9.81 * 0.4 * (nameless(q) * Vector3::zeros()).z
    }

    /// The frame of `left`.
    #[quantity]
    pub fn left(q: &Joints) -> SE3 {
        the_center(q) * SE3::new(SO3::identity(), Vector3::new(1.0, 0.0, 0.0) * (-1.0 * q.c + 0.7))
    }

    #[kinetic_energy]
    fn kinetic_energy_of_left(q: &Joints, v: &Velocity) -> f64 {
        let twist = left_rate(q, v);
        let turn = twist.angular();
        let center = twist.linear() + turn.cross(&Vector3::zeros());
        0.5 * 0.3 * center.norm_squared() + 0.5 * turn.dot(&(Matrix3::new(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0) * turn))
    }

    #[potential]
    fn weight_of_left(q: &Joints) -> f64 {
        9.81 * 0.3 * (left(q) * Vector3::zeros()).z
    }

    /// The frame of `middle`.
    #[quantity]
    pub fn middle(q: &Joints) -> SE3 {
        the_center(q) * SE3::new(SO3::identity(), Vector3::new(0.0, 1.0, 0.0) * (-0.5 * q.c + 0.3))
    }

    #[kinetic_energy]
    fn kinetic_energy_of_middle(q: &Joints, v: &Velocity) -> f64 {
        let twist = middle_rate(q, v);
        let turn = twist.angular();
        let center = twist.linear() + turn.cross(&Vector3::zeros());
        0.5 * 0.2 * center.norm_squared() + 0.5 * turn.dot(&(Matrix3::new(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0) * turn))
    }

    #[potential]
    fn weight_of_middle(q: &Joints) -> f64 {
        9.81 * 0.2 * (middle(q) * Vector3::zeros()).z
    }

    /// The frame of `right`.
    #[quantity]
    pub fn right(q: &Joints) -> SE3 {
        the_center(q) * SE3::new(SO3::identity(), Vector3::new(0.0, 0.0, 1.0) * q.c)
    }

    #[kinetic_energy]
    fn kinetic_energy_of_right(q: &Joints, v: &Velocity) -> f64 {
        let twist = right_rate(q, v);
        let turn = twist.angular();
        let center = twist.linear() + turn.cross(&Vector3::zeros());
        0.5 * 0.1 * center.norm_squared() + 0.5 * turn.dot(&(Matrix3::new(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0) * turn))
    }

    #[potential]
    fn weight_of_right(q: &Joints) -> f64 {
        9.81 * 0.1 * (right(q) * Vector3::zeros()).z
    }

    #[dissipation]
    fn damping_of_a(v: &Velocity) -> f64 {
        0.5 * 0.2 * (-1.0 * v.c) * (-1.0 * v.c)
    }
}
