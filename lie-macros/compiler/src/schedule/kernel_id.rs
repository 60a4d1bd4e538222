//! The kernels with their names.

macro_rules! kernels {
    ($($(#[$documentation:meta])* $id:ident = $name:literal,)*) => {
        /// A kernel, with the name that users read.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub(crate) enum KernelId {
            $($(#[$documentation])* $id,)*
        }

        impl KernelId {
            /// The name in descriptions at run time.
            pub fn name(self) -> &'static str {
                match self {
                    $(KernelId::$id => $name,)*
                }
            }
        }
    };
}

kernels! {
    /// M.
    MassMatrix = "mass_matrix",
    /// The independent blocks of M as they are inverted: entries of small blocks, factors of the others.
    MassBlocks = "mass_blocks",
    /// M v.
    Momentum = "momentum",
    /// −g(t, q, v).
    Force = "force",
    /// Φ.
    Constraint = "constraint",
    /// All entries of B.
    ConstraintJacobian = "constraint_jacobian",
    /// The non-constant entries of B.
    StoredJacobian = "stored_jacobian",
    /// The part of the velocity constraints that does not depend on v.
    ConstraintDrift = "constraint_drift",
    /// The terms of d/dt (B v + b) that do not depend on v'.
    ConstraintCurvature = "constraint_curvature",
    /// T.
    KineticEnergy = "kinetic_energy",
    /// V.
    PotentialEnergy = "potential_energy",
    /// M v' + g + Bᵀ λ.
    Residual = "residual",
    /// D_q of the residual.
    TangentStiffness = "tangent_stiffness",
    /// D_v of the residual.
    TangentDamping = "tangent_damping",
    /// D_q (B v + b).
    RateGradient = "rate_gradient",
    /// −g, if it does not depend on v, and B.
    ForceAndJacobian = "force_and_jacobian",
    /// M v' + g + Bᵀ λ, and Φ.
    ResidualAndConstraint = "residual_and_constraint",
    /// D_q and D_v of the residual, and B.
    Linearise = "linearise",
    /// The cotangents of q, v and the parameters through the residual, for the weights w.
    ResidualPullback = "residual_pullback",
    /// The cotangents through Φ.
    ConstraintPullback = "constraint_pullback",
    /// The cotangents through B v + b.
    RatePullback = "rate_pullback",
    /// The cotangents through the curvature.
    CurvaturePullback = "curvature_pullback",
    /// The Schur complement and its right-hand side.
    Schur = "schur",
    /// M⁻¹ f.
    SolveMass = "solve_mass",
    /// v' from force and multipliers.
    Acceleration = "acceleration",
    /// B v.
    JacobianTimes = "jacobian_times",
    /// Bᵀ λ.
    JacobianTransposeTimes = "jacobian_transpose_times",
    /// ζ and λ̂ of an iteration, and true if its pivots are safe.
    Correction = "correction",
    /// ∂L/∂v and D_q L.
    Lagrangian = "lagrangian",
    /// The velocity of a momentum.
    BodyVelocity = "body_velocity",
    /// The spatial momentum.
    SpatialMomentum = "spatial_momentum",
    /// H.
    Hamiltonian = "hamiltonian",
    /// ∂H/∂μ and the force on μ.
    HamiltonianDerivatives = "hamiltonian_derivatives",
    /// The frame of a member.
    Frame = "frame",
    /// The frame, its velocity and its acceleration.
    FrameMotion = "motion of a frame",
    /// A u₋ + J v.
    FramePush = "velocity of a frame",
    /// Aᵀ w and Jᵀ w.
    FramePull = "covector of a frame",
    /// Aᵀ I A, Aᵀ I J, Jᵀ I J and the stored scalars of [A J].
    FrameTransport = "inertia of a frame",
    /// A u₋ + J v, from the stored scalars.
    FramePushAlong = "velocity of a frame by its Jacobian",
    /// Aᵀ w and Jᵀ w.
    FramePullAlong = "covector of a frame by its Jacobian",
    /// Aᵀ K A, Aᵀ K J and Jᵀ K J.
    FrameTurnAlong = "skew-symmetric matrix of a frame by its Jacobian",
    /// [A J], and the derivatives of u, u', Aᵀ w and Jᵀ w.
    FrameTangents = "tangents of a frame",
    /// The cotangents of the operands, for given cotangents of a frame, its velocity, its acceleration and its weights.
    FramePullback = "cotangents of a frame",
}
