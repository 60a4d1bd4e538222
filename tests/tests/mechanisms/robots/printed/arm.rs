use lie_runtime::prelude::*;

#[mechanical_system]
pub mod arm {
    /// The joints of `arm`.
    ///
    /// Ignored parts of the file: `visual` of `link`.
    #[configuration]
    pub struct Joints {
        /// `waist` [rad].
        pub waist: f64,
        /// `shoulder_pitch` [rad].
        pub shoulder_pitch: f64,
        /// `elbow` [rad].
        pub elbow: f64,
        /// `wrist_1` [rad].
        pub wrist_1: f64,
        /// `wrist_2` [rad].
        pub wrist_2: f64,
        /// `wrist_3` [rad].
        pub wrist_3: f64,
    }

    /// The lower and the upper limit of the value of `waist`.
    pub const WAIST_LIMITS: [f64; 2] = [-3.1, 3.1];

    /// The largest effort of `waist`.
    pub const WAIST_EFFORT: f64 = 150.0;

    /// The largest speed of `waist`.
    pub const WAIST_SPEED: f64 = 3.2;

    /// The lower and the upper limit of the value of `shoulder_pitch`.
    pub const SHOULDER_PITCH_LIMITS: [f64; 2] = [-3.1, 3.1];

    /// The largest effort of `shoulder_pitch`.
    pub const SHOULDER_PITCH_EFFORT: f64 = 150.0;

    /// The largest speed of `shoulder_pitch`.
    pub const SHOULDER_PITCH_SPEED: f64 = 3.2;

    /// The lower and the upper limit of the value of `elbow`.
    pub const ELBOW_LIMITS: [f64; 2] = [-3.1, 3.1];

    /// The largest effort of `elbow`.
    pub const ELBOW_EFFORT: f64 = 150.0;

    /// The largest speed of `elbow`.
    pub const ELBOW_SPEED: f64 = 3.2;

    /// The lower and the upper limit of the value of `wrist_1`.
    pub const WRIST_1_LIMITS: [f64; 2] = [-3.1, 3.1];

    /// The largest effort of `wrist_1`.
    pub const WRIST_1_EFFORT: f64 = 150.0;

    /// The largest speed of `wrist_1`.
    pub const WRIST_1_SPEED: f64 = 3.2;

    /// The lower and the upper limit of the value of `wrist_2`.
    pub const WRIST_2_LIMITS: [f64; 2] = [-3.1, 3.1];

    /// The largest effort of `wrist_2`.
    pub const WRIST_2_EFFORT: f64 = 150.0;

    /// The largest speed of `wrist_2`.
    pub const WRIST_2_SPEED: f64 = 3.2;

    /// The lower and the upper limit of the value of `wrist_3`.
    pub const WRIST_3_LIMITS: [f64; 2] = [-3.1, 3.1];

    /// The largest effort of `wrist_3`.
    pub const WRIST_3_EFFORT: f64 = 150.0;

    /// The largest speed of `wrist_3`.
    pub const WRIST_3_SPEED: f64 = 3.2;

    /// The configuration with all coordinates zero.
    pub fn zero() -> Joints {
        Joints { waist: 0.0, shoulder_pitch: 0.0, elbow: 0.0, wrist_1: 0.0, wrist_2: 0.0, wrist_3: 0.0 }
    }

    /// The reference configuration of the file.
    pub fn reference() -> Joints {
        Joints { waist: 0.0, shoulder_pitch: 0.0, elbow: 0.0, wrist_1: 0.0, wrist_2: 0.0, wrist_3: 0.0 }
    }

    /// The reference configuration with the given values of hinges and slides, identified by joint name.
    ///
    /// # Errors
    /// [`UnknownJoint`]: no hinge or slide with a coordinate of its own has this name.
    pub fn from_joints(values: &[(&str, f64)]) -> Result<Joints, UnknownJoint> {
        let mut q = reference();
        for &(name, value) in values {
            match name {
                "waist" => q.waist = value,
                "shoulder_pitch" => q.shoulder_pitch = value,
                "elbow" => q.elbow = value,
                "wrist-1" | "wrist_1" => q.wrist_1 = value,
                "wrist-2" | "wrist_2" => q.wrist_2 = value,
                "wrist-3" | "wrist_3" => q.wrist_3 = value,
                _ => return Err(UnknownJoint::new(name, &["waist", "shoulder_pitch", "elbow", "wrist-1", "wrist-2", "wrist-3"])),
            }
        }
        Ok(q)
    }

    /// The fixed frame of `ground`.
    pub fn ground() -> SE3 {
        SE3::identity()
    }

    /// The frame of `shoulder`.
    #[quantity]
    pub fn shoulder(q: &Joints) -> SE3 {
        ground() * SE3::new(SO3::exp(&Vector3::new(0.0, 0.0, 0.3)), Vector3::new(0.0, 0.0, 0.1)) * SE3::new(SO3::exp(&(Vector3::new(0.0, 0.0, 1.0) * q.waist)), Vector3::zeros())
    }

    #[kinetic_energy]
    fn kinetic_energy_of_shoulder(q: &Joints, v: &Velocity) -> f64 {
        let twist = shoulder_rate(q, v);
        let turn = twist.angular();
        let center = twist.linear() + turn.cross(&Vector3::new(0.01, -0.02, 0.05));
        0.5 * 3.7 * center.norm_squared() + 0.5 * turn.dot(&(Matrix3::new(0.014, 0.0002, -0.0001, 0.0002, 0.013, 0.0003, -0.0001, 0.0003, 0.01) * turn))
    }

    #[potential]
    fn weight_of_shoulder(q: &Joints) -> f64 {
        9.81 * 3.7 * (shoulder(q) * Vector3::new(0.01, -0.02, 0.05)).z
    }

    /// The frame of `upper_arm`.
    #[quantity]
    pub fn upper_arm(q: &Joints) -> SE3 {
        shoulder(q) * SE3::new(SO3::exp(&Vector3::new(0.1, 0.0, 0.0)), Vector3::new(0.0, 0.06, 0.09)) * SE3::new(SO3::exp(&(Vector3::new(0.0, 1.0, 0.0) * q.shoulder_pitch)), Vector3::zeros())
    }

    #[kinetic_energy]
    fn kinetic_energy_of_upper_arm(q: &Joints, v: &Velocity) -> f64 {
        let twist = upper_arm_rate(q, v);
        let turn = twist.angular();
        let center = twist.linear() + turn.cross(&Vector3::new(0.0, 0.02, 0.21));
        0.5 * 8.4 * center.norm_squared() + 0.5 * turn.dot(&(Matrix3::new(0.13075761165991234, -0.002321455064383317, 0.0019274727179420293, -0.002321455064383317, 0.12821237277091785, 0.026034249530363998, 0.0019274727179420293, 0.026034249530363998, 0.02103001556916983) * turn))
    }

    #[potential]
    fn weight_of_upper_arm(q: &Joints) -> f64 {
        9.81 * 8.4 * (upper_arm(q) * Vector3::new(0.0, 0.02, 0.21)).z
    }

    /// The frame of `forearm`.
    #[quantity]
    pub fn forearm(q: &Joints) -> SE3 {
        upper_arm(q) * SE3::new(SO3::exp(&Vector3::new(0.0, -0.19999999999999998, 0.0)), Vector3::new(0.0, 0.0, 0.42)) * SE3::new(SO3::exp(&(Vector3::new(0.0, 1.0, 0.0) * q.elbow)), Vector3::zeros())
    }

    #[kinetic_energy]
    fn kinetic_energy_of_forearm(q: &Joints, v: &Velocity) -> f64 {
        let twist = forearm_rate(q, v);
        let turn = twist.angular();
        let center = twist.linear() + turn.cross(&Vector3::new(0.01, 0.0, 0.19));
        0.5 * 2.3 * center.norm_squared() + 0.5 * turn.dot(&(Matrix3::new(0.03, 0.0, 0.0, 0.0, 0.03, 0.0004, 0.0, 0.0004, 0.004) * turn))
    }

    #[potential]
    fn weight_of_forearm(q: &Joints) -> f64 {
        9.81 * 2.3 * (forearm(q) * Vector3::new(0.01, 0.0, 0.19)).z
    }

    /// The frame of `wrist_1_link`.
    #[quantity]
    pub fn wrist_1_link(q: &Joints) -> SE3 {
        forearm(q) * SE3::new(SO3::identity(), Vector3::new(0.0, -0.02, 0.39)) * SE3::new(SO3::exp(&(Vector3::new(0.0, 1.0, 0.0) * q.wrist_1)), Vector3::zeros())
    }

    #[kinetic_energy]
    fn kinetic_energy_of_wrist_1_link(q: &Joints, v: &Velocity) -> f64 {
        let twist = wrist_1_link_rate(q, v);
        let turn = twist.angular();
        let center = twist.linear() + turn.cross(&Vector3::new(0.0, 0.01, 0.02));
        0.5 * 1.2 * center.norm_squared() + 0.5 * turn.dot(&(Matrix3::new(0.0026, 0.0, 0.0, 0.0, 0.0025, 0.0, 0.0, 0.0, 0.0022) * turn))
    }

    #[potential]
    fn weight_of_wrist_1_link(q: &Joints) -> f64 {
        9.81 * 1.2 * (wrist_1_link(q) * Vector3::new(0.0, 0.01, 0.02)).z
    }

    /// The frame of `wrist_2_link`.
    #[quantity]
    pub fn wrist_2_link(q: &Joints) -> SE3 {
        wrist_1_link(q) * SE3::new(SO3::exp(&Vector3::new(0.0, 0.0, 1.1)), Vector3::new(0.0, 0.09, 0.0)) * SE3::new(SO3::exp(&(Vector3::new(0.0, 0.0, 1.0) * q.wrist_2)), Vector3::zeros())
    }

    #[kinetic_energy]
    fn kinetic_energy_of_wrist_2_link(q: &Joints, v: &Velocity) -> f64 {
        let twist = wrist_2_link_rate(q, v);
        let turn = twist.angular();
        let center = twist.linear() + turn.cross(&Vector3::new(0.0, 0.0, 0.03));
        0.5 * 1.2 * center.norm_squared() + 0.5 * turn.dot(&(Matrix3::new(0.0026, 0.0, 0.0, 0.0, 0.0025, 0.0, 0.0, 0.0, 0.0022) * turn))
    }

    #[potential]
    fn weight_of_wrist_2_link(q: &Joints) -> f64 {
        9.81 * 1.2 * (wrist_2_link(q) * Vector3::new(0.0, 0.0, 0.03)).z
    }

    /// The frame of `flange`.
    #[quantity]
    pub fn flange(q: &Joints) -> SE3 {
        wrist_2_link(q) * SE3::new(SO3::exp(&Vector3::new(0.6758350759508651, 0.39664444631765833, -0.8148649470309096)), Vector3::new(0.0, 0.0, 0.09)) * SE3::new(SO3::exp(&(Vector3::new(0.3333333333333333, 0.6666666666666666, 0.6666666666666666) * q.wrist_3)), Vector3::zeros())
    }

    #[kinetic_energy]
    fn kinetic_energy_of_flange(q: &Joints, v: &Velocity) -> f64 {
        let twist = flange_rate(q, v);
        let turn = twist.angular();
        let center = twist.linear() + turn.cross(&Vector3::new(0.02, 0.01, 0.0));
        0.5 * 0.3 * center.norm_squared() + 0.5 * turn.dot(&(Matrix3::new(0.00039126678074548387, 9.55336489125606e-6, -2.823212366975179e-5, 9.55336489125606e-6, 0.0004, -2.9552020666133956e-6, -2.823212366975179e-5, -2.9552020666133956e-6, 0.000308733219254516) * turn))
    }

    #[potential]
    fn weight_of_flange(q: &Joints) -> f64 {
        9.81 * 0.3 * (flange(q) * Vector3::new(0.02, 0.01, 0.0)).z
    }

    #[dissipation]
    fn damping_of_waist(v: &Velocity) -> f64 {
        0.5 * 0.4 * v.waist * v.waist
    }

    #[dissipation]
    fn damping_of_shoulder_pitch(v: &Velocity) -> f64 {
        0.5 * 0.4 * v.shoulder_pitch * v.shoulder_pitch
    }

    #[dissipation]
    fn damping_of_elbow(v: &Velocity) -> f64 {
        0.5 * 0.3 * v.elbow * v.elbow
    }

    #[dissipation]
    fn damping_of_wrist_1(v: &Velocity) -> f64 {
        0.5 * 0.1 * v.wrist_1 * v.wrist_1
    }

    #[dissipation]
    fn damping_of_wrist_2(v: &Velocity) -> f64 {
        0.5 * 0.1 * v.wrist_2 * v.wrist_2
    }
}
