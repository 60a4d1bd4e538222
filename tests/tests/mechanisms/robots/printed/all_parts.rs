use lie_runtime::prelude::*;

#[mechanical_system]
pub mod parts {
    /// The joints of `parts`.
    ///
    /// Ignored parts of the file: `asset` except meshes that give inertia; settings of the solver in `option`; stops at the limits of joints.
    #[configuration]
    pub struct Joints {
        /// `free`.
        pub free: SE3,
        /// `pan` [rad].
        pub pan: f64,
        /// `tilt` [rad].
        pub tilt: f64,
        /// `lift` [m].
        pub lift: f64,
        /// `ball`.
        pub ball: SO3,
        /// `body_6_joint` [rad].
        pub body_6_joint: f64,
    }

    /// The lower and the upper limit of the value of `tilt`.
    pub const TILT_LIMITS: [f64; 2] = [-0.5235987755982988, 0.5235987755982988];

    /// The lower and the upper limit of the angle of `ball`.
    pub const BALL_LIMITS: [f64; 2] = [0.0, 1.0471975511965976];

    /// The configuration with all coordinates zero.
    pub fn zero() -> Joints {
        Joints { free: SE3::identity(), pan: 0.0, tilt: 0.0, lift: 0.0, ball: SO3::identity(), body_6_joint: 0.0 }
    }

    /// The reference configuration of the file.
    pub fn reference() -> Joints {
        Joints { free: SE3::new(SO3::exp(&Vector3::new(2.214297435588181, 0.0, 0.0)), Vector3::new(0.3, 0.2, 1.0)), pan: 0.4363323129985824, tilt: 0.0, lift: 0.05, ball: SO3::identity(), body_6_joint: 0.0 }
    }

    /// The reference configuration with the given values of hinges and slides, identified by joint name.
    ///
    /// # Errors
    /// [`UnknownJoint`]: no hinge or slide with a coordinate of its own has this name.
    pub fn from_joints(values: &[(&str, f64)]) -> Result<Joints, UnknownJoint> {
        let mut q = reference();
        for &(name, value) in values {
            match name {
                "pan" => q.pan = value,
                "tilt" => q.tilt = value,
                "lift" => q.lift = value,
                "body_6_joint" => q.body_6_joint = value,
                _ => return Err(UnknownJoint::new(name, &["pan", "tilt", "lift", "body_6_joint"])),
            }
        }
        Ok(q)
    }

    /// The fixed frame of `world`.
    pub fn world() -> SE3 {
        SE3::identity()
    }

    /// The frame of `hull`.
    #[quantity]
    pub fn hull(q: &Joints) -> SE3 {
        world() * q.free
    }

    /// The initial pose of `hull` in the file.
    pub fn hull_start() -> SE3 {
        SE3::new(SO3::exp(&Vector3::new(2.214297435588181, 0.0, 0.0)), Vector3::new(0.3, 0.2, 1.0))
    }

    #[kinetic_energy]
    fn kinetic_energy_of_hull(q: &Joints, v: &Velocity) -> f64 {
        let twist = hull_rate(q, v);
        let turn = twist.angular();
        let center = twist.linear() + turn.cross(&Vector3::new(0.012224938875305624, 0.006112469437652812, 0.006112469437652812));
        0.5 * 40.9 * center.norm_squared() + 0.5 * turn.dot(&(Matrix3::new(0.9343111802086728, -0.18014954612293316, 0.2574808413959778, -0.18014954612293316, 1.4919635336696597, 0.2557491875889666, 0.2574808413959778, 0.2557491875889666, 1.5118878778087086) * turn))
    }

    #[potential]
    fn weight_of_hull(q: &Joints) -> f64 {
        40.9 * Vector3::new(-1.0, 2.0, 9.0).dot(&(hull(q) * Vector3::new(0.012224938875305624, 0.006112469437652812, 0.006112469437652812)))
    }

    /// The frame of `mast`.
    #[quantity]
    pub fn mast(q: &Joints) -> SE3 {
        hull(q) * SE3::new(SO3::exp(&Vector3::new(0.15498868416691114, -0.15498868416691114, 1.565233745787705)), Vector3::new(-2.2204460492503132e-17, 0.08825226081218283, 0.26864064729836445)) * SE3::new(SO3::exp(&(Vector3::new(0.0, 0.7071067811865475, 0.7071067811865475) * (q.pan - 0.4363323129985824))), Vector3::zeros()) * SE3::new(SO3::identity(), Vector3::new(-0.1, -0.1, 0.05)) * SE3::new(SO3::exp(&(Vector3::new(1.0, 0.0, 0.0) * q.tilt)), Vector3::zeros()) * SE3::new(SO3::identity(), Vector3::new(0.0, 0.1, -0.1)) * SE3::new(SO3::identity(), Vector3::new(0.2873478855663454, 0.0, 0.9578262852211513) * (q.lift - 0.05))
    }

    #[kinetic_energy]
    fn kinetic_energy_of_mast(q: &Joints, v: &Velocity) -> f64 {
        let twist = mast_rate(q, v);
        let turn = twist.angular();
        let center = twist.linear() + turn.cross(&Vector3::new(0.0761598383013121, 0.04768032339737583, 0.2));
        0.5 * 21.616596828039256 * center.norm_squared() + 0.5 * turn.dot(&(Matrix3::new(0.401965068640949, 0.004885571796652234, -0.11022273323586249, 0.004885571796652234, 0.37466746616123303, -0.08830806348169769, -0.11022273323586249, -0.08830806348169769, 0.20177466192469629) * turn))
    }

    #[potential]
    fn weight_of_mast(q: &Joints) -> f64 {
        21.616596828039256 * Vector3::new(-1.0, 2.0, 9.0).dot(&(mast(q) * Vector3::new(0.0761598383013121, 0.04768032339737583, 0.2)))
    }

    /// The frame of `wrist`.
    #[quantity]
    pub fn wrist(q: &Joints) -> SE3 {
        mast(q) * SE3::new(SO3::exp(&Vector3::new(0.4864792299807579, -0.29452857699864854, 0.2595646780476854)), Vector3::new(0.0873152035653428, 0.20228525434386577, 0.43367303894802417)) * SE3::new(q.ball, Vector3::zeros()) * SE3::new(SO3::identity(), Vector3::new(0.0, -0.02, -0.03))
    }

    #[kinetic_energy]
    fn kinetic_energy_of_wrist(q: &Joints, v: &Velocity) -> f64 {
        let twist = wrist_rate(q, v);
        let turn = twist.angular();
        let center = twist.linear() + turn.cross(&Vector3::new(0.02, 0.0, 0.1));
        0.5 * 1.3 * center.norm_squared() + 0.5 * turn.dot(&(Matrix3::new(0.02, 0.0, 0.0, 0.0, 0.009999999999999997, 1.110223024625156e-18, 0.0, 1.110223024625156e-18, 0.014999999999999993) * turn))
    }

    #[potential]
    fn weight_of_wrist(q: &Joints) -> f64 {
        1.3 * Vector3::new(-1.0, 2.0, 9.0).dot(&(wrist(q) * Vector3::new(0.02, 0.0, 0.1)))
    }

    /// The frame of `plate`.
    #[quantity]
    pub fn plate(q: &Joints) -> SE3 {
        wrist(q) * SE3::new(SO3::identity(), Vector3::new(0.0, 0.0, 0.2))
    }

    #[kinetic_energy]
    fn kinetic_energy_of_plate(q: &Joints, v: &Velocity) -> f64 {
        let twist = plate_rate(q, v);
        let turn = twist.angular();
        let center = twist.linear() + turn.cross(&Vector3::new(0.05, 0.05, 0.15));
        0.5 * 5.30659966456864 * center.norm_squared() + 0.5 * turn.dot(&(Matrix3::new(0.047309140039881625, -0.004164876706434173, -0.012494630119302522, -0.004164876706434173, 0.047309140039881625, -0.012494630119302522, -0.012494630119302522, -0.012494630119302522, 0.013990126388408231) * turn))
    }

    #[potential]
    fn weight_of_plate(q: &Joints) -> f64 {
        5.30659966456864 * Vector3::new(-1.0, 2.0, 9.0).dot(&(plate(q) * Vector3::new(0.05, 0.05, 0.15)))
    }

    /// The frame of `post`.
    pub fn post() -> SE3 {
        world() * SE3::new(SO3::exp(&Vector3::new(3.141592653589793, 0.0, 0.0)), Vector3::new(1.0, 0.0, 0.0))
    }

    /// The frame of `body_6`.
    #[quantity]
    pub fn body_6(q: &Joints) -> SE3 {
        post() * SE3::new(SO3::identity(), Vector3::new(0.0, 0.0, -0.3)) * SE3::new(SO3::exp(&(Vector3::new(0.7071067811865475, 0.7071067811865475, 0.0) * q.body_6_joint)), Vector3::zeros())
    }

    #[kinetic_energy]
    fn kinetic_energy_of_body_6(q: &Joints, v: &Velocity) -> f64 {
        let twist = body_6_rate(q, v);
        let turn = twist.angular();
        let center = twist.linear() + turn.cross(&Vector3::new(0.0, 0.0, 0.2));
        0.5 * 0.7 * center.norm_squared() + 0.5 * turn.dot(&(Matrix3::new(0.013225000000000004, 0.0, 0.0, 0.0, 0.013225000000000004, 0.0, 0.0, 0.0, 0.0008500000000000002) * turn))
    }

    #[potential]
    fn weight_of_body_6(q: &Joints) -> f64 {
        0.7 * Vector3::new(-1.0, 2.0, 9.0).dot(&(body_6(q) * Vector3::new(0.0, 0.0, 0.2)))
    }

    #[kinetic_energy]
    fn armature_of_free(v: &Velocity) -> f64 {
        0.5 * 0.05 * v.free.norm_squared()
    }

    #[dissipation]
    fn damping_of_free(v: &Velocity) -> f64 {
        0.5 * 0.3 * v.free.norm_squared()
    }

    #[kinetic_energy]
    fn armature_of_pan(v: &Velocity) -> f64 {
        0.5 * 0.02 * v.pan * v.pan
    }

    #[potential]
    fn spring_of_pan(q: &Joints) -> f64 {
        0.5 * 3.0 * (q.pan - 0.6981317007977318).powi(2)
    }

    #[dissipation]
    fn damping_of_pan(v: &Velocity) -> f64 {
        0.5 * 0.15 * v.pan * v.pan
    }

    #[kinetic_energy]
    fn armature_of_tilt(v: &Velocity) -> f64 {
        0.5 * 0.02 * v.tilt * v.tilt
    }

    #[dissipation]
    fn damping_of_tilt(v: &Velocity) -> f64 {
        0.5 * 0.15 * v.tilt * v.tilt
    }

    #[kinetic_energy]
    fn armature_of_lift(v: &Velocity) -> f64 {
        0.5 * 0.02 * v.lift * v.lift
    }

    #[potential]
    fn spring_of_lift(q: &Joints) -> f64 {
        0.5 * 20.0 * (q.lift - 0.1).powi(2)
    }

    #[dissipation]
    fn damping_of_lift(v: &Velocity) -> f64 {
        0.5 * 0.15 * v.lift * v.lift
    }

    #[kinetic_energy]
    fn armature_of_ball(v: &Velocity) -> f64 {
        0.5 * 0.02 * v.ball.norm_squared()
    }

    #[potential]
    fn spring_of_ball(q: &Joints) -> f64 {
        0.5 * 0.8 * q.ball.log().norm_squared()
    }

    #[dissipation]
    fn damping_of_ball(v: &Velocity) -> f64 {
        0.5 * 0.15 * v.ball.norm_squared()
    }

    #[dissipation]
    fn damping_of_body_6_joint(v: &Velocity) -> f64 {
        0.5 * 0.01 * v.body_6_joint * v.body_6_joint
    }
}
