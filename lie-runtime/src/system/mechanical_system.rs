//! [`MechanicalSystem`]: the equations of motion of a constrained mechanical system, as integrators evaluate them.

use core::fmt::Debug;

use super::{DeclarationError, Description, KktError};
use crate::group::TangentVector;
use crate::inputs::InputError;
use crate::scalar::Scalar;
use crate::space::ConfigurationSpace;

/// What a system does where a row of its constraints follows from others.
///
/// Declarations choose by `#[mechanical_system(redundant = minimum_norm)]`, equations by hand by
/// [`EquationsOfMotion::REDUNDANCY`](super::EquationsOfMotion::REDUNDANCY).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Redundancy {
    /// A typed error that names the row and those that it follows from.
    #[default]
    Refused,
    /// The motion does not depend on the redundant rows; their multipliers are those of least norm λᵀ D λ, D the diagonal of
    /// B M⁻¹ Bᵀ: every row counts by the acceleration that its multiplier causes.
    MinimumNorm,
}

impl Redundancy {
    /// True of [`MinimumNorm`](Self::MinimumNorm): asked in a `const` block, what multipliers of least norm take is not even
    /// compiled for other systems.
    pub const fn is_minimum_norm(self) -> bool {
        matches!(self, Redundancy::MinimumNorm)
    }
}

/// A constrained mechanical system of second order on a Lie group.
///
/// The `System` that [`mechanical_system`](macro@crate::mechanical_system) generates is one, by its [assembly](Assembled);
/// [`EquationsOfMotion`] written by hand are made one by [`HandWritten`]. Every method writes into buffers of the caller and allocates nothing.
/// Shapes: n = [`dof`](Self::dof) components for velocities, accelerations, forces and θ, m =
/// [`constraint_rows`](Self::constraint_rows) for multipliers and residuals, B is m × n, M is n × n and symmetric positive definite.
/// How configurations move is known by their [`space`](Self::space); of a configuration that is not of that space, or of vectors of
/// other lengths, energies, forces, constraints and their derivatives are NaN, and what solves linear systems, which takes what these
/// have computed, may panic ([`State::check`](crate::integrator::State::check) looks at a whole state).
pub trait MechanicalSystem {
    /// The number type.
    type Scalar: Scalar;
    /// A point q of the configuration space.
    type Configuration: Clone + Debug;
    /// Velocities, accelerations, forces and the local coordinates θ: `dof` components.
    type Velocity: TangentVector<Scalar = Self::Scalar>;
    /// The configuration space.
    type Space: ConfigurationSpace<Scalar = Self::Scalar, Configuration = Self::Configuration, Velocity = Self::Velocity>;
    /// Multipliers and constraint residuals: one component a constraint row.
    type Multipliers: TangentVector<Scalar = Self::Scalar>;
    /// The structural nonzeros of B, and what else is known where they have been computed that M and −g there are made of.
    type Jacobian: Clone + Debug;
    /// The factorised mass matrix together with the scratch space of [`solve_kkt`](Self::solve_kkt).
    type Mass: Clone + Debug;

    /// What happens where rows depend on one another; an error unless something else is said.
    const REDUNDANCY: Redundancy = Redundancy::Refused;

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
    /// How many of the rows, the first ones, belong to holonomic constraints.
    fn holonomic_rows(&self) -> usize;

    /// A velocity of zeros.
    #[inline]
    fn zero_velocity(&self) -> Self::Velocity {
        self.space().zero_velocity()
    }
    /// Multipliers of zeros.
    fn zero_multipliers(&self) -> Self::Multipliers;
    /// A Jacobian to be filled.
    fn zero_jacobian(&self) -> Self::Jacobian;
    /// A mass factorisation to be filled.
    fn zero_mass(&self) -> Self::Mass;

    /// Compares the declared functions with the code that was generated from them, at (t, q, v) and at three states near it.
    ///
    /// Every simulation begins with it; those who call kernels by hand may do the same. Values have to agree up to what
    /// round-off in the arguments makes of them, the derivatives of functions that call opaque ones with differences. So have, near
    /// the state, the power of everything that acts, the mass matrix, B v + b and the curvature terms. Systems written by hand and systems on other numbers than `f64` have no
    /// declared functions to call, and agree.
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

    /// Shows what every declared force and dissipation gives to the energy in a unit of time, v·F and −v·∂R/∂v, element by element,
    /// under the name of its function. False, and nothing is shown, of systems that cannot tell: those written by hand and those on
    /// other numbers than `f64`.
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

    /// ξ(t, q) of the declared symmetry of this number among those of the [description](Self::description): the velocity with which it
    /// moves the configuration. `None` of systems without, of those written by hand and of those on other numbers than `f64`.
    fn symmetry(&self, number: usize, t: Self::Scalar, q: &Self::Configuration) -> Option<Self::Velocity> {
        let _ = (number, t, q);
        None
    }

    /// Checks that a run from `start` to `end` can be given the [inputs](crate::inputs) that the system takes.
    ///
    /// # Errors
    /// [`InputError`] says what is missing.
    fn ensure_inputs(&self, start: f64, end: f64) -> Result<(), InputError> {
        let _ = (start, end);
        Ok(())
    }
    /// Checks that the inputs are finite in a state.
    ///
    /// # Errors
    /// [`InputError::NotFinite`].
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
    /// Factorises M(q) and solves M v' = −g at one point, the constraints left out; `force` is a buffer.
    ///
    /// What M and g have in common at a point is computed once by systems that know of it: frames along a tree move once, and what they
    /// need goes inwards with their inertia.
    ///
    /// # Errors
    /// Those of [`mass`](Self::mass).
    #[cfg_attr(not(debug_assertions), inline(always))]
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
    /// [`mass`](Self::mass), [`complete_force`](Self::complete_force) and, where it is asked for,
    /// [`constraint_curvature`](Self::constraint_curvature) at one point, at whose (t, q) [`jacobian_and_force`](Self::jacobian_and_force) has
    /// left `jacobian` and `force`: frames along a tree move once for all. What it takes of `jacobian` besides B is gone afterwards.
    ///
    /// # Errors
    /// Those of [`mass`](Self::mass).
    #[cfg_attr(not(debug_assertions), inline(always))]
    #[allow(clippy::too_many_arguments)] // The point, what is known of it, and what is to be.
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
    fn force(&self, t: Self::Scalar, q: &Self::Configuration, v: &Self::Velocity, out: &mut Self::Velocity);
    /// The holonomic residual Φ(t, q); zero in the rows of velocity constraints.
    fn constraint(&self, t: Self::Scalar, q: &Self::Configuration, out: &mut Self::Multipliers);
    /// B(t, q), the derivatives of the constraints along q w~ (paper 1, eq. 2).
    fn constraint_jacobian(&self, t: Self::Scalar, q: &Self::Configuration, out: &mut Self::Jacobian);
    /// B(t, q), and of −g(t, q, v) into `force` what is a function of (t, q) and has something in common with B, as the strain of
    /// an edge has; [`complete_force`](Self::complete_force) adds the rest where v is known.
    ///
    /// Without `force` the same as [`constraint_jacobian`](Self::constraint_jacobian).
    #[cfg_attr(not(debug_assertions), inline(always))]
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
    /// Makes [`force`](Self::force) of what [`jacobian_and_force`](Self::jacobian_and_force) at the same (t, q) has left in `out`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn complete_force(&self, t: Self::Scalar, q: &Self::Configuration, v: &Self::Velocity, out: &mut Self::Velocity) {
        self.force(t, q, v, out);
    }
    /// b(t, q), the part of the velocity constraints that is free of v (Φ_t of holonomic ones).
    fn constraint_drift(&self, t: Self::Scalar, q: &Self::Configuration, out: &mut Self::Multipliers);
    /// The terms of d/dt (B v + b) that are free of v', so that B v' + curvature = 0.
    fn constraint_curvature(
        &self,
        t: Self::Scalar,
        q: &Self::Configuration,
        v: &Self::Velocity,
        out: &mut Self::Multipliers,
    );
    /// B v into `out`.
    fn jacobian_times(&self, jacobian: &Self::Jacobian, v: &Self::Velocity, out: &mut Self::Multipliers);
    /// Bᵀ λ into `out`.
    fn jacobian_transpose_times(
        &self,
        jacobian: &Self::Jacobian,
        multipliers: &Self::Multipliers,
        out: &mut Self::Velocity,
    );
    /// Solves M v' + B₁ᵀ λ = `force`, B₂ v' = `constraint` (paper 1, eq. 14); B₁ and B₂ may differ.
    ///
    /// Where rows are redundant and [`REDUNDANCY`](Self::REDUNDANCY) is [`Redundancy::MinimumNorm`], λ is that of least norm; rows that
    /// contradict each other are met as nearly as can be.
    ///
    /// # Errors
    /// [`KktError::SingularConstraints`] with the row where elimination found no pivot.
    #[allow(clippy::too_many_arguments)] // The six blocks of one linear system.
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
    /// Solves M v' + B₁ᵀ λ = `force`, B₂ (w + h v') + b = 0: the accelerations that bring a `velocity` w onto the constraints after a
    /// time h. b is in `drift`, which is scratch afterwards.
    ///
    /// # Errors
    /// Those of [`solve_kkt`](Self::solve_kkt).
    #[allow(clippy::too_many_arguments)] // The blocks of one linear system.
    #[cfg_attr(not(debug_assertions), inline(always))]
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
        towards(self, constraint_jacobian, (velocity, h), drift, multipliers);
        self.solve_kkt(mass, force_jacobian, constraint_jacobian, force, drift, acceleration, multipliers)
    }
    /// The same as [`solve_kkt`](Self::solve_kkt) of another right-hand side, with the M and the B₁ = B₂ = `jacobian` of the last [`solve_kkt`](Self::solve_kkt) with
    /// this `mass` and nothing on the side of the forces: `zero` is.
    ///
    /// # Errors
    /// Those of [`solve_kkt`](Self::solve_kkt).
    #[cfg_attr(not(debug_assertions), inline(always))]
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
}

/// −(B w + b) / h in the place of b.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn towards<M: MechanicalSystem + ?Sized>(
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
