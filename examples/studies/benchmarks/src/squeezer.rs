//! Andrews' squeezing mechanism: seven bodies in a plane, a spring and a motor, from rest through 0.03 s; of the test set for initial
//! value problems (E. Hairer, G. Wanner, Solving ordinary differential equations II, section VII.7, has the drawing and the data).

use lie_runtime::prelude::*;

/// The seven angles at t = 0.03, as the test set has them.
pub const ANGLES: [f64; 7] = [
    15.810_771_196_299_04,
    -15.756_371_059_842_98,
    0.040_822_240_130_731_01,
    -0.534_730_116_322_694_8,
    0.524_409_965_880_530_4,
    0.534_730_116_322_694_8,
    1.048_080_741_042_263,
];

/// The seven angles: absolute for the crank and the three bodies on the ground, relative to the parent body for the others.
#[mechanical_system]
pub mod angles {
    /// The angles, by the letters of the test set.
    #[configuration]
    pub struct Angles {
        /// Angle of the crank.
        pub beta: f64,
        /// Angle of the rod relative to the crank.
        pub theta: f64,
        /// Angle of the lever with the spring.
        pub gamma: f64,
        /// Angle of the upper link relative to its arm.
        pub phi: f64,
        /// Angle of the upper arm.
        pub delta: f64,
        /// Angle of the lower link relative to its arm.
        pub omega: f64,
        /// Angle of the lower arm.
        pub epsilon: f64,
    }

    /// kg, of K₁ to K₇.
    const M: [f64; 7] = [0.04325, 0.00365, 0.02373, 0.00706, 0.07050, 0.00706, 0.05498];
    /// kg m², in their centres of mass.
    const I: [f64; 7] = [2.194e-6, 4.410e-7, 5.255e-6, 5.667e-7, 1.169e-5, 5.667e-7, 1.912e-5];
    /// The point on the ground that carries both arms.
    const A: [f64; 2] = [-0.06934, -0.00227];
    /// The point on the ground that carries the lever.
    const B: [f64; 2] = [-0.03635, 0.03273];
    /// The point on the ground that carries the spring.
    const C: [f64; 2] = [0.014, 0.072];
    const D: f64 = 0.028;
    const E: f64 = 0.02;
    const RR: f64 = 0.007;
    const SS: f64 = 0.035;
    const ZT: f64 = 0.04;
    const ZF: f64 = 0.02;
    const U: f64 = 0.04;

    fn along(angle: f64) -> Vector2<f64> {
        Vector2::new(angle.cos(), angle.sin())
    }

    fn across(angle: f64) -> Vector2<f64> {
        Vector2::new(-angle.sin(), angle.cos())
    }

    fn ground(point: [f64; 2]) -> Vector2<f64> {
        Vector2::new(point[0], point[1])
    }

    /// The centre of mass of the crank.
    #[quantity]
    pub fn crank(q: &Angles) -> Vector2<f64> {
        0.00092 * along(q.beta)
    }

    /// The centre of mass of the rod on the crank.
    #[quantity]
    pub fn rod(q: &Angles) -> Vector2<f64> {
        RR * along(q.beta) - 0.0115 * along(q.beta + q.theta)
    }

    /// The centre of mass of the upper link.
    #[quantity]
    pub fn upper(q: &Angles) -> Vector2<f64> {
        ZT * along(q.delta) - (E - 0.01421) * across(q.phi + q.delta)
    }

    /// The centre of mass of the lower link.
    #[quantity]
    pub fn lower(q: &Angles) -> Vector2<f64> {
        (ZF - 0.01421) * along(q.omega + q.epsilon) - U * across(q.epsilon)
    }

    #[kinetic_energy]
    fn kinetic(q: &Angles, v: &Velocity) -> f64 {
        let on_the_ground = (I[2] + M[2] * (0.01874 * 0.01874 + 0.01043 * 0.01043)) * v.gamma * v.gamma
            + (I[4] + M[4] * (0.02308 * 0.02308 + 0.00916 * 0.00916)) * v.delta * v.delta
            + (I[6] + M[6] * (0.01228 * 0.01228 + 0.00449 * 0.00449)) * v.epsilon * v.epsilon;
        let turning = I[0] * v.beta * v.beta
            + I[1] * (v.beta + v.theta).powi(2)
            + I[3] * (v.phi + v.delta).powi(2)
            + I[5] * (v.omega + v.epsilon).powi(2);
        let moving = M[0] * crank_rate(q, v).norm_squared()
            + M[1] * rod_rate(q, v).norm_squared()
            + M[3] * upper_rate(q, v).norm_squared()
            + M[5] * lower_rate(q, v).norm_squared();
        0.5 * (on_the_ground + turning + moving)
    }

    #[potential]
    fn spring(q: &Angles) -> f64 {
        let end = ground(B) + 0.02 * along(q.gamma) - 0.018 * across(q.gamma);
        0.5 * 4530.0 * ((end - ground(C)).norm() - 0.07785).powi(2)
    }

    /// N m.
    #[force(on = beta)]
    fn motor() -> f64 {
        0.033
    }

    /// The pin that four bodies share, as the rod has it.
    fn pin(q: &Angles) -> Vector2<f64> {
        RR * along(q.beta) - D * along(q.beta + q.theta)
    }

    #[constraint]
    fn lever(q: &Angles) -> Vector2<f64> {
        ground(B) - SS * across(q.gamma) - pin(q)
    }

    #[constraint]
    fn upper_link(q: &Angles) -> Vector2<f64> {
        ground(A) + ZT * along(q.delta) - E * across(q.phi + q.delta) - pin(q)
    }

    #[constraint]
    fn lower_link(q: &Angles) -> Vector2<f64> {
        ground(A) + ZF * along(q.omega + q.epsilon) - U * across(q.epsilon) - pin(q)
    }
}

/// Seven bodies in ten pins.
#[mechanical_system]
pub mod bodies {
    /// The crank, its rod and both links by their centres of mass, the bodies on the ground by their pins.
    #[configuration]
    pub struct Bodies {
        /// K₁.
        pub crank: SE2,
        /// K₂.
        pub rod: SE2,
        /// K₃.
        pub lever: SE2,
        /// K₄.
        pub upper_link: SE2,
        /// K₅.
        pub upper_arm: SE2,
        /// K₆.
        pub lower_link: SE2,
        /// K₇.
        pub lower_arm: SE2,
    }

    const A: [f64; 2] = [-0.06934, -0.00227];
    const B: [f64; 2] = [-0.03635, 0.03273];
    const C: [f64; 2] = [0.014, 0.072];

    fn energy(v: Vector3<f64>, mass: f64, inertia: f64) -> f64 {
        0.5 * (mass * (v.y * v.y + v.z * v.z) + inertia * v.x * v.x)
    }

    /// About a pin that stands still the centre of mass moves on a circle.
    fn turning(v: Vector3<f64>, mass: f64, inertia: f64, [x, y]: [f64; 2]) -> f64 {
        energy(v + Vector3::new(0.0, -v.x * y, v.x * x), mass, inertia)
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        energy(v.crank, 0.04325, 2.194e-6)
            + energy(v.rod, 0.00365, 4.410e-7)
            + turning(v.lever, 0.02373, 5.255e-6, [0.01874, 0.01043])
            + energy(v.upper_link, 0.00706, 5.667e-7)
            + turning(v.upper_arm, 0.07050, 1.169e-5, [0.02308, 0.00916])
            + energy(v.lower_link, 0.00706, 5.667e-7)
            + turning(v.lower_arm, 0.05498, 1.912e-5, [0.01228, 0.00449])
    }

    fn ground(point: [f64; 2]) -> Vector2<f64> {
        Vector2::new(point[0], point[1])
    }

    #[potential]
    fn spring(q: &Bodies) -> f64 {
        let end = q.lever * Vector2::new(0.02, -0.018);
        0.5 * 4530.0 * ((end - ground(C)).norm() - 0.07785).powi(2)
    }

    #[force(on = crank)]
    fn motor() -> Vector3<f64> {
        Vector3::new(0.033, 0.0, 0.0)
    }

    #[constraint]
    fn axle(q: &Bodies) -> Vector2<f64> {
        q.crank * Vector2::new(-0.00092, 0.0)
    }

    #[constraint]
    fn crank_pin(q: &Bodies) -> Vector2<f64> {
        q.crank * Vector2::new(0.007 - 0.00092, 0.0) - q.rod * Vector2::new(0.0115, 0.0)
    }

    /// The pin that four bodies share, as the rod has it.
    fn pin(q: &Bodies) -> Vector2<f64> {
        q.rod * Vector2::new(0.0115 - 0.028, 0.0)
    }

    #[constraint]
    fn pin_of_lever(q: &Bodies) -> Vector2<f64> {
        q.lever * Vector2::new(0.0, -0.035) - pin(q)
    }

    #[constraint]
    fn pin_of_upper_link(q: &Bodies) -> Vector2<f64> {
        q.upper_link * Vector2::new(0.0, -0.01421) - pin(q)
    }

    #[constraint]
    fn pin_of_lower_link(q: &Bodies) -> Vector2<f64> {
        q.lower_link * Vector2::new(0.01421, 0.0) - pin(q)
    }

    #[constraint]
    fn upper_elbow(q: &Bodies) -> Vector2<f64> {
        q.upper_arm * Vector2::new(0.04, 0.0) - q.upper_link * Vector2::new(0.0, 0.02 - 0.01421)
    }

    #[constraint]
    fn lower_elbow(q: &Bodies) -> Vector2<f64> {
        q.lower_arm * Vector2::new(0.0, -0.04) - q.lower_link * Vector2::new(0.01421 - 0.02, 0.0)
    }

    #[constraint]
    fn lever_on_the_ground(q: &Bodies) -> Vector2<f64> {
        q.lever.translation - ground(B)
    }

    #[constraint]
    fn arms_on_the_ground(q: &Bodies) -> Vector4<f64> {
        let (upper, lower) = (q.upper_arm.translation - ground(A), q.lower_arm.translation - ground(A));
        Vector4::new(upper.x, upper.y, lower.x, lower.y)
    }
}

/// The angles at the start, of the test set.
pub fn start() -> angles::Angles {
    angles::Angles {
        beta: -0.061_713_890_014_276_45,
        theta: 0.0,
        gamma: 0.455_279_819_163_070_4,
        phi: 0.222_668_390_165_885_9,
        delta: 0.487_364_979_543_842_55,
        omega: -0.222_668_390_165_885_9,
        epsilon: 1.230_547_444_549_821_2,
    }
}

/// The bodies at these angles.
pub fn placed(q: &angles::Angles) -> bodies::Bodies {
    let at = |angle: f64, place: Vector2<f64>| SE2::new(SO2::from_angle(angle), place);
    let (a, b) = (Vector2::new(-0.06934, -0.00227), Vector2::new(-0.03635, 0.03273));
    bodies::Bodies {
        crank: at(q.beta, angles::crank(q)),
        rod: at(q.beta + q.theta, angles::rod(q)),
        lever: at(q.gamma, b),
        upper_link: at(q.phi + q.delta, a + angles::upper(q)),
        upper_arm: at(q.delta, a),
        lower_link: at(q.omega + q.epsilon, a + angles::lower(q)),
        lower_arm: at(q.epsilon, a),
    }
}
