//! The heavy top on cotangent bundles: declared by Lagrangians, whose Legendre transforms are the Hamiltonians.

/// The top in its attitude: H = ½ π · Q I⁻¹ Qᵀ π + M l Γ₀ · Q X (paper 3, eqs. 21 and 22).
#[lie_runtime::mechanical_system]
pub mod cotangent {
    /// The attitude Q.
    #[configuration]
    pub struct Attitude {
        /// Body to space.
        pub attitude: SO3,
    }

    /// Data of the top about its fixed point.
    #[parameters]
    pub struct Top {
        /// Principal moments of inertia.
        pub moments: Vector3<f64>,
        /// M l.
        pub mass_length: f64,
        /// X, the direction of the centre of mass in the body.
        pub axis: Vector3<f64>,
        /// Γ₀, which holds g.
        pub gravity: Vector3<f64>,
    }

    #[kinetic_energy]
    fn rotation(top: &Top, v: &Velocity) -> f64 {
        0.5 * v.attitude.dot(&top.moments.component_mul(&v.attitude))
    }

    #[potential]
    fn weight(top: &Top, q: &Attitude) -> f64 {
        top.mass_length * top.gravity.dot(&(q.attitude * top.axis))
    }

    /// Γ = Q⁻¹ Γ₀, scaled as in Fig. 2.
    #[observable]
    fn body_gravity(top: &Top, q: &Attitude) -> Vector3<f64> {
        q.attitude.inverse() * top.gravity * top.mass_length
    }

    #[observable]
    fn axis(top: &Top, q: &Attitude) -> Vector3<f64> {
        q.attitude * top.axis
    }

    #[observable]
    fn body_momentum(top: &Top, v: &Velocity) -> Vector3<f64> {
        top.moments.component_mul(&v.attitude)
    }

    #[observable]
    fn vertical_momentum(top: &Top, q: &Attitude, v: &Velocity) -> f64 {
        (q.attitude * top.moments.component_mul(&v.attitude)).dot(&top.gravity) / top.gravity.norm()
    }
}

/// The top with a position q in R³ whose momentum p = −M l X is conserved: H is quadratic (paper 3, eqs. 29 to 32).
///
/// H = ½ π · ω + ½ |p − Qᵀ Γ₀|² − ½ |Γ₀|² up to a constant is the Legendre transform of L = ½ Ω · I Ω + ½ |q' + Qᵀ Γ₀|²,
/// whose kinetic energy has terms of first and of zeroth degree in q'. The constant −½ (M l)² in the potential makes the energy equal to
/// the energy of the top.
#[lie_runtime::mechanical_system]
pub mod extended {
    /// The attitude Q and the position q.
    #[configuration]
    pub struct Pose {
        /// Body to space.
        pub attitude: SO3,
        /// Conjugate to p.
        pub position: R3,
    }

    /// Data of the top about its fixed point.
    #[parameters]
    pub struct Top {
        /// Principal moments of inertia.
        pub moments: Vector3<f64>,
        /// M l.
        pub mass_length: f64,
        /// X, the direction of the centre of mass in the body.
        pub axis: Vector3<f64>,
        /// Γ₀, which holds g.
        pub gravity: Vector3<f64>,
    }

    #[kinetic_energy]
    fn rotation(top: &Top, v: &Velocity) -> f64 {
        0.5 * v.attitude.dot(&top.moments.component_mul(&v.attitude))
    }

    #[kinetic_energy]
    fn translation(top: &Top, q: &Pose, v: &Velocity) -> f64 {
        0.5 * (v.position + q.attitude.inverse() * top.gravity).norm_squared()
    }

    #[potential]
    fn of_the_momentum(top: &Top, _: &Pose) -> f64 {
        -0.5 * top.mass_length.powi(2)
    }

    /// Γ = Q⁻¹ Γ₀, scaled as in Fig. 2.
    #[observable]
    fn body_gravity(top: &Top, q: &Pose) -> Vector3<f64> {
        q.attitude.inverse() * top.gravity * top.mass_length
    }

    #[observable]
    fn axis(top: &Top, q: &Pose) -> Vector3<f64> {
        q.attitude * top.axis
    }

    #[observable]
    fn body_momentum(top: &Top, v: &Velocity) -> Vector3<f64> {
        top.moments.component_mul(&v.attitude)
    }

    #[observable]
    fn vertical_momentum(top: &Top, q: &Pose, v: &Velocity) -> f64 {
        (q.attitude * top.moments.component_mul(&v.attitude)).dot(&top.gravity) / top.gravity.norm()
    }
}
