//! [`MechanicalSystem`]: the equations of motion of a constrained mechanical system, as integrators evaluate them.

use super::one_sided_law::{ImposedLaws, LawRows, LawViolation, OneSidedLaw};
use core::fmt::Debug;

use super::{DeclarationError, Description, FunctionElement, KktError, ModelError};
use crate::group::TangentVector;
use crate::inputs::{InputError, SmoothStretch};
use crate::scalar::Scalar;
use crate::space::ConfigurationSpace;

/// Treatment of constraint rows that depend on other rows.
///
/// Declarations choose it with `#[mechanical_system(redundant = minimum_norm)]`, hand-written equations with
/// [`EquationsOfMotion::REDUNDANCY`](super::EquationsOfMotion::REDUNDANCY).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[doc(alias = "overconstrained")]
#[doc(alias = "redundant constraints")]
pub enum Redundancy {
    /// A typed error names the row and the rows that it depends on.
    #[default]
    Refused,
    /// The motion does not depend on the redundant rows. The Lagrange multipliers have the least norm λᵀ D λ, with D
    /// the diagonal of B M⁻¹ Bᵀ: every row counts by the acceleration that its multiplier causes.
    MinimumNorm,
}

impl Redundancy {
    /// Returns true for [`MinimumNorm`](Self::MinimumNorm). In a `const` block the test removes the code for
    /// multipliers of least norm from all other systems at compile time.
    #[doc(hidden)]
    pub const fn is_minimum_norm(self) -> bool {
        matches!(self, Redundancy::MinimumNorm)
    }
}

/// A constrained mechanical system of second order on a Lie group.
///
/// The `System` that [`mechanical_system`](macro@crate::mechanical_system) generates implements this trait through its
/// [assembly](super::Assembled). [`HandWritten`](super::HandWritten) implements it for hand-written
/// [`EquationsOfMotion`](super::EquationsOfMotion). Every method writes into buffers of the caller and allocates
/// nothing.
///
/// Shapes: velocities, accelerations, forces and θ have n = [`dof`](Self::dof) components; multipliers and residuals
/// have m = [`constraint_rows`](Self::constraint_rows) components. B is m × n. M is n × n, symmetric and positive
/// definite.
///
/// The [`space`](Self::space) moves configurations. Energies, forces, constraints and their derivatives are NaN if a
/// configuration does not belong to that space or a vector has another length. Methods that solve linear systems may
/// panic then; [`State::check`](crate::integrator::State::check) checks a whole state.
#[doc(alias = "multibody system")]
#[doc(alias = "equations of motion")]
pub trait MechanicalSystem {
    /// The scalar type.
    type Scalar: Scalar;
    /// A point q of the configuration space.
    type Configuration: Clone + Debug;
    /// Velocities, accelerations, forces and the local coordinates θ: `dof` components.
    type Velocity: TangentVector<Scalar = Self::Scalar>;
    /// The configuration space.
    type Space: ConfigurationSpace<Scalar = Self::Scalar, Configuration = Self::Configuration, Velocity = Self::Velocity>;
    /// Multipliers and constraint residuals: one component a constraint row.
    type Multipliers: TangentVector<Scalar = Self::Scalar>;
    /// The structural nonzeros of B, and the intermediate results at the same point that M and −g share with B.
    type Jacobian: Clone + Debug;
    /// The factorised mass matrix together with the scratch space of [`solve_kkt`](Self::solve_kkt).
    type Mass: Clone + Debug;

    /// Treatment of dependent constraint rows; an error by default.
    const REDUNDANCY: Redundancy = Redundancy::Refused;

    /// Returns the treatment of dependent constraint rows of this system: [`REDUNDANCY`](Self::REDUNDANCY), or refused. Systems
    /// from text have one type for both.
    #[doc(hidden)]
    #[inline]
    fn redundancy(&self) -> Redundancy {
        Self::REDUNDANCY
    }
    /// Returns true for multipliers of least norm.
    #[doc(hidden)]
    #[inline]
    fn has_least_norm(&self) -> bool {
        let is_possible = const { Self::REDUNDANCY.is_minimum_norm() };
        is_possible && self.redundancy().is_minimum_norm()
    }

    /// Names, group, dimensions, structure and operation counts.
    fn description(&self) -> &Description;
    /// The manifold of the configurations, with its group operations.
    fn space(&self) -> &Self::Space;
    /// Degrees of freedom before constraints, the dimension of the group.
    #[inline]
    fn dof(&self) -> usize {
        self.space().dof()
    }
    /// Rows of B.
    fn constraint_rows(&self) -> usize;
    /// The number of holonomic constraint rows; they come first.
    fn holonomic_rows(&self) -> usize;

    /// Returns a velocity of zeros.
    #[inline]
    fn zero_velocity(&self) -> Self::Velocity {
        self.space().zero_velocity()
    }
    /// Returns multipliers of zeros.
    #[doc(alias = "Lagrange multiplier")]
    fn zero_multipliers(&self) -> Self::Multipliers;
    /// Allocates a Jacobian.
    #[doc(hidden)]
    fn zero_jacobian(&self) -> Self::Jacobian;
    /// Allocates a mass factorisation.
    #[doc(hidden)]
    fn zero_mass(&self) -> Self::Mass;

    /// Compares the declared functions with the generated code, at (t, q, v) and at three states close to it.
    ///
    /// Every simulation starts with this check. Values must agree up to the effect of round-off in the arguments.
    /// Derivatives of functions that call opaque functions must agree with finite differences. Close to the state, the
    /// power of all forces, the mass matrix, B v + b and the curvature terms are compared as well. Hand-written systems
    /// and systems on scalars other than `f64` have no declared functions to call and always pass.
    ///
    /// # Errors
    /// [`DeclarationError`] with the function, the member, the component, both values and the state.
    fn check_against_declaration(
        &self,
        t: Self::Scalar,
        q: &Self::Configuration,
        v: &Self::Velocity,
    ) -> Result<(), DeclarationError> {
        let _ = (t, q, v);
        Ok(())
    }

    /// Calls `visit` with the power of every declared force and dissipation, v·F and −v·∂R/∂v, element by element,
    /// under the name of its function. Returns false without a call for hand-written systems and for systems on scalars
    /// other than `f64`.
    #[doc(hidden)]
    fn powers(
        &self,
        t: Self::Scalar,
        q: &Self::Configuration,
        v: &Self::Velocity,
        visit: &mut dyn FnMut(&'static str, f64),
    ) -> bool {
        let _ = (t, q, v, visit);
        false
    }

    /// Returns the unilateral contacts and the frictions of joints.
    #[doc(hidden)]
    fn one_sided_laws(&self) -> Vec<OneSidedLaw> {
        Vec::new()
    }

    /// Returns the rows of these contacts and frictions; `None` for a system without contacts, stops and dry friction.
    ///
    /// # Errors
    /// [`ModelError`] for invalid parameters.
    #[doc(hidden)]
    fn law_rows(&self, laws: &ImposedLaws) -> Result<Option<LawRows<Self>>, ModelError>
    where
        Self: Sized,
    {
        let _ = laws;
        Ok(None)
    }

    /// Returns the first law of a contact, of a stop or of dry friction that a state violates. Forces up to `round_off` count as zero.
    #[doc(hidden)]
    fn law_violation(
        &self,
        t: Self::Scalar,
        q: &Self::Configuration,
        v: &Self::Velocity,
        multipliers: &Self::Multipliers,
        round_off: f64,
    ) -> Option<LawViolation> {
        let _ = (t, q, v, multipliers, round_off);
        None
    }

    /// Returns true if a dry friction slides. Its friction is part of [`force`](Self::force), and not of its derivatives.
    #[doc(hidden)]
    fn is_sliding(&self) -> bool {
        false
    }

    /// Finds the first declared function without a value or without a derivative at a state. Energies are examined first unless `of_forces` is
    /// set, then forces and dissipations. Returns `None` for hand-written systems and for systems on scalars other than `f64`.
    #[doc(hidden)]
    fn singular_function(
        &self,
        t: Self::Scalar,
        q: &Self::Configuration,
        v: &Self::Velocity,
        of_forces: bool,
    ) -> Option<FunctionElement> {
        let _ = (t, q, v, of_forces);
        None
    }

    /// Returns the velocity ξ(t, q) of a declared symmetry, by its position in the [description](Self::description).
    /// Returns `None` for an unknown position, for hand-written systems and for systems on scalars other than `f64`.
    #[doc(hidden)]
    fn symmetry(&self, number: usize, t: Self::Scalar, q: &Self::Configuration) -> Option<Self::Velocity> {
        let _ = (number, t, q);
        None
    }

    /// Checks that all [inputs](crate::inputs) of the system are available from `start` to `end`.
    ///
    /// # Errors
    /// [`InputError`] names the missing input.
    #[doc(hidden)]
    fn ensure_inputs(&self, start: f64, end: f64) -> Result<(), InputError> {
        let _ = (start, end);
        Ok(())
    }
    /// Returns how far from a time the system changes smoothly with time: until the [inputs](crate::inputs) bend, see
    /// [`OverTime::smooth_until`](crate::inputs::OverTime::smooth_until).
    #[doc(hidden)]
    fn smooth_until(&self, from: f64, end: f64, tolerance: f64) -> SmoothStretch {
        let _ = (from, tolerance);
        SmoothStretch::to(end)
    }
    /// Returns the latest evaluation of the inputs that gave a value which is not finite, if there was one.
    #[doc(hidden)]
    fn noted_input(&self) -> Option<InputError> {
        None
    }
    /// Checks that the inputs are finite in a state.
    ///
    /// # Errors
    /// [`InputError::NotFinite`].
    #[doc(hidden)]
    fn ensure_finite_inputs(
        &self,
        t: Self::Scalar,
        q: &Self::Configuration,
        v: &Self::Velocity,
    ) -> Result<(), InputError> {
        let _ = (t, q, v);
        Ok(())
    }

    /// Factorises M(q).
    ///
    /// # Errors
    /// [`KktError::MassNotPositiveDefinite`] with the member whose block fails.
    fn mass(&self, t: Self::Scalar, q: &Self::Configuration, out: &mut Self::Mass) -> Result<(), KktError>;
    /// Solves M v' = `force` with the factorised mass matrix.
    fn solve_mass(&self, mass: &mut Self::Mass, force: &Self::Velocity, acceleration: &mut Self::Velocity);
    /// Factorises M(q) and solves M v' = −g at one point without constraints; `force` is a buffer.
    ///
    /// Systems with common subexpressions of M and g evaluate them once: the frames along a tree move once, and the
    /// bias forces take part in the backward pass of the inertias.
    ///
    /// # Errors
    /// The errors of [`mass`](Self::mass).
    #[cfg_attr(not(debug_assertions), inline(always))]
    #[doc(alias = "forward dynamics")]
    #[doc(alias = "ABA")]
    fn accelerate(
        &self,
        t: Self::Scalar,
        q: &Self::Configuration,
        v: &Self::Velocity,
        mass: &mut Self::Mass,
        force: &mut Self::Velocity,
        acceleration: &mut Self::Velocity,
    ) -> Result<(), KktError> {
        self.mass(t, q, mass)?;
        self.force(t, q, v, force);
        self.solve_mass(mass, force, acceleration);
        Ok(())
    }
    /// Computes [`mass`](Self::mass), [`complete_force`](Self::complete_force) and optionally
    /// [`constraint_curvature`](Self::constraint_curvature) at one point.
    ///
    /// `jacobian` and `force` must come from [`jacobian_and_force`](Self::jacobian_and_force) at the same (t, q): the
    /// frames along a tree move once for all of them. The intermediate results in `jacobian`, except B, are consumed.
    ///
    /// # Errors
    /// The errors of [`mass`](Self::mass).
    #[cfg_attr(not(debug_assertions), inline(always))]
    #[allow(clippy::too_many_arguments)] // The point, what is known of it, and what is to be.
    #[doc(hidden)]
    fn mass_and_force(
        &self,
        t: Self::Scalar,
        q: &Self::Configuration,
        v: &Self::Velocity,
        jacobian: &mut Self::Jacobian,
        mass: &mut Self::Mass,
        force: &mut Self::Velocity,
        curvature: Option<&mut Self::Multipliers>,
    ) -> Result<(), KktError> {
        let _ = jacobian;
        self.complete_force(t, q, v, force);
        if let Some(curvature) = curvature {
            self.constraint_curvature(t, q, v, curvature);
        }
        self.mass(t, q, mass)
    }
    /// The generalised forces −g(t, q, v): applied, potential, dissipative and Euler-Poincaré terms.
    #[doc(alias = "generalized force")]
    #[doc(alias = "bias force")]
    fn force(&self, t: Self::Scalar, q: &Self::Configuration, v: &Self::Velocity, out: &mut Self::Velocity);
    /// The holonomic residual Φ(t, q); zero in the rows of velocity constraints.
    #[doc(alias = "position-level constraint")]
    fn constraint(&self, t: Self::Scalar, q: &Self::Configuration, out: &mut Self::Multipliers);
    /// B(t, q), the derivatives of the constraints along q w~ (paper 1, eq. 2).
    #[doc(alias = "constraint Jacobian")]
    fn constraint_jacobian(&self, t: Self::Scalar, q: &Self::Configuration, out: &mut Self::Jacobian);
    /// Computes B(t, q) and the part of −g(t, q, v) that depends on (t, q) only and shares subexpressions with B, such
    /// as the strain of an edge. [`complete_force`](Self::complete_force) adds the other terms when v is known.
    ///
    /// Without `force` it is equal to [`constraint_jacobian`](Self::constraint_jacobian).
    #[cfg_attr(not(debug_assertions), inline(always))]
    #[doc(hidden)]
    fn jacobian_and_force(
        &self,
        t: Self::Scalar,
        q: &Self::Configuration,
        jacobian: &mut Self::Jacobian,
        force: Option<&mut Self::Velocity>,
    ) {
        let _ = force;
        self.constraint_jacobian(t, q, jacobian);
    }
    /// Completes [`force`](Self::force) from the partial sums that [`jacobian_and_force`](Self::jacobian_and_force) at
    /// the same (t, q) has left in `out`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    #[doc(hidden)]
    fn complete_force(&self, t: Self::Scalar, q: &Self::Configuration, v: &Self::Velocity, out: &mut Self::Velocity) {
        self.force(t, q, v, out);
    }
    /// b(t, q), the part of the velocity constraints that is free of v (Φ_t for holonomic constraints).
    fn constraint_drift(&self, t: Self::Scalar, q: &Self::Configuration, out: &mut Self::Multipliers);
    /// The terms of d/dt (B v + b) that are free of v', so that B v' + curvature = 0.
    fn constraint_curvature(
        &self,
        t: Self::Scalar,
        q: &Self::Configuration,
        v: &Self::Velocity,
        out: &mut Self::Multipliers,
    );
    /// Computes B v.
    fn jacobian_times(&self, jacobian: &Self::Jacobian, v: &Self::Velocity, out: &mut Self::Multipliers);
    /// Computes Bᵀ λ.
    fn jacobian_transpose_times(
        &self,
        jacobian: &Self::Jacobian,
        multipliers: &Self::Multipliers,
        out: &mut Self::Velocity,
    );
    /// Solves the KKT system M v' + B₁ᵀ λ = `force`, B₂ v' = `constraint` (paper 1, eq. 14); B₁ and B₂ may differ.
    ///
    /// For redundant rows with [`REDUNDANCY`](Self::REDUNDANCY) = [`Redundancy::MinimumNorm`], λ has the least norm,
    /// and contradictory rows are satisfied in the least-squares sense.
    ///
    /// # Errors
    /// [`KktError::SingularConstraints`] with the row where the elimination found no pivot.
    #[allow(clippy::too_many_arguments)] // The six blocks of one linear system.
    #[doc(alias = "saddle point")]
    #[doc(alias = "Lagrange multiplier")]
    #[doc(alias = "constrained dynamics")]
    fn solve_kkt(
        &self,
        mass: &mut Self::Mass,
        force_jacobian: &Self::Jacobian,
        constraint_jacobian: &Self::Jacobian,
        force: &Self::Velocity,
        constraint: &Self::Multipliers,
        acceleration: &mut Self::Velocity,
        multipliers: &mut Self::Multipliers,
    ) -> Result<(), KktError>;
    /// Solves the KKT system M v' + B₁ᵀ λ = `force`, B₂ (w + h v') + b = 0: the accelerations that bring a `velocity` w
    /// onto the constraint manifold after a time step h. b is in `drift`, which is scratch afterwards.
    ///
    /// # Errors
    /// The errors of [`solve_kkt`](Self::solve_kkt).
    #[allow(clippy::too_many_arguments)] // The blocks of one linear system.
    #[cfg_attr(not(debug_assertions), inline(always))]
    #[doc(hidden)]
    fn solve_kkt_end_velocity(
        &self,
        mass: &mut Self::Mass,
        force_jacobian: &Self::Jacobian,
        constraint_jacobian: &Self::Jacobian,
        force: &Self::Velocity,
        (velocity, h): (&Self::Velocity, f64),
        drift: &mut Self::Multipliers,
        acceleration: &mut Self::Velocity,
        multipliers: &mut Self::Multipliers,
    ) -> Result<(), KktError> {
        end_velocity_right_hand_side(self, constraint_jacobian, (velocity, h), drift, multipliers);
        self.solve_kkt(mass, force_jacobian, constraint_jacobian, force, drift, acceleration, multipliers)
    }
    /// Solves the KKT system for a new right-hand side, reusing the last factorisation.
    ///
    /// M and B₁ = B₂ = `jacobian` must be those of the last [`solve_kkt`](Self::solve_kkt) with this `mass`. The
    /// right-hand side of the forces is zero: `zero`.
    ///
    /// # Errors
    /// The errors of [`solve_kkt`](Self::solve_kkt).
    #[cfg_attr(not(debug_assertions), inline(always))]
    #[doc(hidden)]
    fn solve_kkt_again(
        &self,
        mass: &mut Self::Mass,
        jacobian: &Self::Jacobian,
        zero: &Self::Velocity,
        constraint: &Self::Multipliers,
        acceleration: &mut Self::Velocity,
        multipliers: &mut Self::Multipliers,
    ) -> Result<(), KktError> {
        self.solve_kkt(mass, jacobian, jacobian, zero, constraint, acceleration, multipliers)
    }

    /// The kinetic energy.
    fn kinetic_energy(&self, t: Self::Scalar, q: &Self::Configuration, v: &Self::Velocity) -> Self::Scalar;
    /// The potential energy, the sum of all declared potentials.
    fn potential_energy(&self, t: Self::Scalar, q: &Self::Configuration) -> Self::Scalar;
    /// The total energy, kinetic plus potential.
    fn energy(&self, t: Self::Scalar, q: &Self::Configuration, v: &Self::Velocity) -> Self::Scalar {
        self.kinetic_energy(t, q, v) + self.potential_energy(t, q)
    }
}

/// Replaces b by −(B w + b) / h.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn end_velocity_right_hand_side<M: MechanicalSystem + ?Sized>(
    system: &M,
    jacobian: &M::Jacobian,
    (velocity, h): (&M::Velocity, f64),
    drift: &mut M::Multipliers,
    scratch: &mut M::Multipliers,
) {
    system.jacobian_times(jacobian, velocity, scratch);
    drift.axpy(num_traits::One::one(), scratch);
    drift.scale(M::Scalar::from_f64(-1.0 / h));
}
