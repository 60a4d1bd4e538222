//! Hand-written equations of motion, as a system for all explicit methods.

use std::borrow::Cow;

use nalgebra::{SMatrix, SVector};

use super::{
    ConstraintDescription, Description, KktError, MechanicalSystem, MemberDescription, ModelError, Redundancy,
};
use crate::group::LocalCoordinates;
use crate::solve::{inverse_spd, solve_least_norm, solve_lu};
use crate::space::{Factor, FixedFields, FixedSpace};

/// The equations of motion of a system on a Lie group of dimension `N` with `C` constraint rows, as dense matrices:
///
/// ```text
/// q' = q v~,    M(t, q) v' = f(t, q, v) - B(t, q)^T λ,    B(t, q) v + b(t, q) = 0.
/// ```
///
/// Use it for systems that [`mechanical_system`](macro@crate::mechanical_system) cannot declare, and for existing force
/// functions. Velocities are left-trivialised. [`HandWritten`] makes it a [`MechanicalSystem`] for explicit methods.
/// Implicit methods need the exact [linearisation](super::Linearised), which is not approximated by finite differences.
///
/// Systems with constraints, C > 0, must implement the residual, B and the curvature as well; otherwise a program that
/// runs the system does not compile.
///
/// ```
/// use lie_runtime::nalgebra::{Matrix2, SMatrix};
/// use lie_runtime::prelude::*;
/// use lie_runtime::system::{HandWritten, EquationsOfMotion};
///
/// /// A bob of unit mass on a rod of unit length in the plane: Φ = (|x|² − 1) / 2.
/// struct Pendulum;
///
/// impl EquationsOfMotion<2, 1> for Pendulum {
///     type Group = R2;
///
///     fn mass(&self, _: f64, _: &R2) -> Matrix2<f64> { Matrix2::identity() }
///     fn force(&self, _: f64, _: &R2, _: &Vector2<f64>) -> Vector2<f64> { Vector2::new(0.0, -9.81) }
///     fn potential_energy(&self, _: f64, x: &R2) -> f64 { 9.81 * x.y }
///
///     fn constraint(&self, _: f64, x: &R2) -> Vector1<f64> { Vector1::new(0.5 * (x.norm_squared() - 1.0)) }
///     fn constraint_jacobian(&self, _: f64, x: &R2) -> SMatrix<f64, 1, 2> { x.transpose() }
///     /// B' v = v · v
///     fn constraint_curvature(&self, _: f64, _: &R2, v: &Vector2<f64>) -> Vector1<f64> { Vector1::new(v.norm_squared()) }
/// }
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let system = HandWritten::new(Pendulum)?;
/// let (x0, v0) = (Vector2::new(0.6, -0.8), Vector2::zeros());
/// let run = Simulation::of(&system).initial(x0, v0).rtol(1e-8).atol(1e-10).end_time(2.0).run()?;
/// let end = run.last();
/// let energy = 0.5 * end.velocity.norm_squared() + 9.81 * (end.configuration.y - x0.y);
/// assert!(energy.abs() < 1e-6 && (end.configuration.norm() - 1.0).abs() < 1e-7);
/// // The force in the rod, λ x.
/// assert!(end.multipliers.x > 0.0);
/// # Ok(())
/// # }
/// ```
#[doc(alias = "custom system")]
#[doc(alias = "user-defined system")]
pub trait EquationsOfMotion<const N: usize, const C: usize = 0> {
    /// The group of q, from the groups of the library.
    type Group: Factor<Scalar = f64, Tangent = SVector<f64, N>> + LocalCoordinates<f64, N> + FixedFields<Scalar = f64>;

    /// Treatment of dependent constraint rows: by default an error that names the rows.
    const REDUNDANCY: Redundancy = Redundancy::Refused;

    /// Returns M(t, q), symmetric and positive definite; only the lower triangle is read.
    fn mass(&self, t: f64, q: &Self::Group) -> SMatrix<f64, N, N>;
    /// Returns the generalised forces f(t, q, v), including the Euler-Poincaré terms, for example J ω × ω of a rigid
    /// body.
    fn force(&self, t: f64, q: &Self::Group, v: &SVector<f64, N>) -> SVector<f64, N>;
    /// Returns the potential energy of the conservative forces; the energy serves to detect diverging runs.
    fn potential_energy(&self, t: f64, q: &Self::Group) -> f64;

    /// Returns Φ(t, q); rows of velocity constraints are not read.
    fn constraint(&self, t: f64, q: &Self::Group) -> SVector<f64, C> {
        const { assert!(C == 0, "equations with constraints must implement `constraint`, Φ(t, q)") };
        let _ = (t, q);
        SVector::zeros()
    }
    /// Returns B(t, q): B w is the derivative of Φ along q w~.
    fn constraint_jacobian(&self, t: f64, q: &Self::Group) -> SMatrix<f64, C, N> {
        const { assert!(C == 0, "equations with constraints must implement `constraint_jacobian`, B(t, q)") };
        let _ = (t, q);
        SMatrix::zeros()
    }
    /// Returns the terms of d/dt (B v + b) that are free of v'.
    fn constraint_curvature(&self, t: f64, q: &Self::Group, v: &SVector<f64, N>) -> SVector<f64, C> {
        const { assert!(C == 0, "equations with constraints must implement `constraint_curvature`, B' v + b'") };
        let _ = (t, q, v);
        SVector::zeros()
    }
    /// Returns b(t, q), the derivative of Φ with respect to t; zero by default.
    fn constraint_drift(&self, t: f64, q: &Self::Group) -> SVector<f64, C> {
        let _ = (t, q);
        SVector::zeros()
    }
    /// Returns the names of the constraints in the order of their rows, holonomic ones first; by default all rows
    /// belong to one holonomic `constraint`.
    fn constraints(&self) -> Vec<ConstraintDescription> {
        let all = ConstraintDescription {
            name: "constraint",
            offset: 0,
            rows: C,
            rows_of_element: None,
            holonomic: true,
            jumps: false,
        };
        if C == 0 { Vec::new() } else { vec![all] }
    }
}

/// A [`MechanicalSystem`] with hand-written [`EquationsOfMotion`].
#[derive(Clone, Debug)]
pub struct HandWritten<E, const N: usize, const C: usize = 0> {
    equations: E,
    description: Description,
    holonomic: usize,
}

impl<E: EquationsOfMotion<N, C>, const N: usize, const C: usize> HandWritten<E, N, C> {
    /// Creates the system of these equations.
    ///
    /// # Errors
    /// [`ModelError::ConstraintRows`] if the constraints do not cover the rows from 0 to C in order, holonomic ones
    /// first.
    pub fn new(equations: E) -> Result<Self, ModelError> {
        let constraints = equations.constraints();
        let (mut row, mut holonomic) = (0, 0);
        for constraint in &constraints {
            if constraint.offset != row || (constraint.holonomic && holonomic < row) {
                return Err(ModelError::ConstraintRows { constraint: constraint.name, rows: C });
            }
            row += constraint.rows;
            holonomic += if constraint.holonomic { constraint.rows } else { 0 };
        }
        if row != C {
            let last = constraints.last().map_or("constraint", |constraint| constraint.name);
            return Err(ModelError::ConstraintRows { constraint: last, rows: C });
        }
        // Valid for any equations: no structural zeros, and a mass matrix that may change.
        let description = Description {
            name: "by_hand",
            group: "G",
            dof: N,
            members: vec![MemberDescription { name: "configuration", group: "G", offset: 0, dof: N }].into(),
            constraints: constraints.into(),
            observables: &[],
            symmetries: &[],
            events: &[],
            ignored: &[],
            documentation: Cow::Borrowed(&[]),
            mass_nonzeros: N * N,
            jacobian_nonzeros: C * N,
            stiffness_nonzeros: N * N,
            mass_is_constant: false,
            forces_depend_on_velocity: true,
            conserves_energy: false,
            never_gains_energy: false,
            states: 0,
            potential_jumps: false,
            kernels: &[],
        };
        Ok(HandWritten { equations, description, holonomic })
    }

    /// Returns the equations.
    pub fn equations(&self) -> &E {
        &self.equations
    }
}

impl<E: EquationsOfMotion<N, C>, const N: usize, const C: usize> MechanicalSystem for HandWritten<E, N, C> {
    type Scalar = f64;
    type Configuration = E::Group;
    type Velocity = SVector<f64, N>;
    type Space = FixedSpace<E::Group, N>;
    type Multipliers = SVector<f64, C>;
    type Jacobian = SMatrix<f64, C, N>;
    /// M⁻¹.
    type Mass = SMatrix<f64, N, N>;

    const REDUNDANCY: Redundancy = E::REDUNDANCY;

    fn description(&self) -> &Description {
        &self.description
    }
    fn space(&self) -> &Self::Space {
        const { &FixedSpace::NEW }
    }
    fn constraint_rows(&self) -> usize {
        C
    }
    fn holonomic_rows(&self) -> usize {
        self.holonomic
    }

    fn zero_multipliers(&self) -> SVector<f64, C> {
        SVector::zeros()
    }
    fn zero_jacobian(&self) -> SMatrix<f64, C, N> {
        SMatrix::zeros()
    }
    fn zero_mass(&self) -> SMatrix<f64, N, N> {
        SMatrix::zeros()
    }

    fn mass(&self, t: f64, q: &E::Group, out: &mut SMatrix<f64, N, N>) -> Result<(), KktError> {
        *out = inverse_spd(&self.equations.mass(t, q))?;
        Ok(())
    }
    fn solve_mass(&self, mass: &mut SMatrix<f64, N, N>, force: &SVector<f64, N>, acceleration: &mut SVector<f64, N>) {
        *acceleration = *mass * force;
    }
    fn force(&self, t: f64, q: &E::Group, v: &SVector<f64, N>, out: &mut SVector<f64, N>) {
        *out = self.equations.force(t, q, v);
    }
    fn constraint(&self, t: f64, q: &E::Group, out: &mut SVector<f64, C>) {
        *out = self.equations.constraint(t, q);
        for row in self.holonomic..C {
            out[row] = 0.0;
        }
    }
    fn constraint_jacobian(&self, t: f64, q: &E::Group, out: &mut SMatrix<f64, C, N>) {
        *out = self.equations.constraint_jacobian(t, q);
    }
    fn constraint_drift(&self, t: f64, q: &E::Group, out: &mut SVector<f64, C>) {
        *out = self.equations.constraint_drift(t, q);
    }
    fn constraint_curvature(&self, t: f64, q: &E::Group, v: &SVector<f64, N>, out: &mut SVector<f64, C>) {
        *out = self.equations.constraint_curvature(t, q, v);
    }
    fn jacobian_times(&self, jacobian: &SMatrix<f64, C, N>, v: &SVector<f64, N>, out: &mut SVector<f64, C>) {
        *out = jacobian * v;
    }
    fn jacobian_transpose_times(
        &self,
        jacobian: &SMatrix<f64, C, N>,
        multipliers: &SVector<f64, C>,
        out: &mut SVector<f64, N>,
    ) {
        *out = jacobian.tr_mul(multipliers);
    }
    /// Solves B₂ M⁻¹ B₁ᵀ λ = B₂ M⁻¹ f − c for λ, then computes v'.
    fn solve_kkt(
        &self,
        mass: &mut SMatrix<f64, N, N>,
        force_jacobian: &SMatrix<f64, C, N>,
        constraint_jacobian: &SMatrix<f64, C, N>,
        force: &SVector<f64, N>,
        constraint: &SVector<f64, C>,
        acceleration: &mut SVector<f64, N>,
        multipliers: &mut SVector<f64, C>,
    ) -> Result<(), KktError> {
        let moved = *mass * force_jacobian.transpose();
        let free = *mass * force;
        let (schur, right) = (constraint_jacobian * moved, constraint_jacobian * free - constraint);
        *multipliers = match E::REDUNDANCY {
            Redundancy::Refused => solve_lu(&schur, &right)?,
            Redundancy::MinimumNorm => solve_least_norm(&schur, &right)?,
        };
        *acceleration = free - moved * *multipliers;
        Ok(())
    }

    fn kinetic_energy(&self, t: f64, q: &E::Group, v: &SVector<f64, N>) -> f64 {
        // Only the lower triangle of a mass matrix is read.
        let mut mass = self.equations.mass(t, q);
        mass.fill_upper_triangle_with_lower_triangle();
        0.5 * v.dot(&(mass * v))
    }
    fn potential_energy(&self, t: f64, q: &E::Group) -> f64 {
        self.equations.potential_energy(t, q)
    }
}
