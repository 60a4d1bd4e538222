//! Terms: the generated kernels of all energies, forces and constraints over one selection of members.

use core::fmt::Debug;

use nalgebra::SMatrix;
use num_traits::Zero;

use super::{Assembled, Cotangents, ElementLocation};
use crate::scalar::{self, Scalar};

/// A vector or matrix of a term: an array, or a matrix of nalgebra.
pub trait Block<S>: Copy + Debug {
    /// Returns zeros.
    fn zeros() -> Self;
    /// Returns the entries.
    fn as_slice(&self) -> &[S];
    /// Returns the entries for writing.
    fn as_mut_slice(&mut self) -> &mut [S];
}

impl<S: Scalar, const N: usize> Block<S> for [S; N] {
    #[inline]
    fn zeros() -> Self {
        [S::zero(); N]
    }
    #[inline]
    fn as_slice(&self) -> &[S] {
        self
    }
    #[inline]
    fn as_mut_slice(&mut self) -> &mut [S] {
        self
    }
}

impl<S: Scalar, const R: usize, const C: usize> Block<S> for SMatrix<S, R, C> {
    #[inline]
    fn zeros() -> Self {
        scalar::zeros()
    }
    #[inline]
    fn as_slice(&self) -> &[S] {
        self.as_slice()
    }
    #[inline]
    fn as_mut_slice(&mut self) -> &mut [S] {
        self.as_mut_slice()
    }
}

/// The contributions of a term; assemblies skip the other kernels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools)] // Each says whether a kernel is called.
pub struct Contributions {
    /// A kinetic energy or a mass matrix.
    pub inertia: bool,
    /// True if the inertia depends on parameters, index and length only.
    pub inertia_is_constant: bool,
    /// A contribution to −g.
    pub force: bool,
    /// A contribution to D_q r, including the constraint forces.
    pub stiffness: bool,
    /// A contribution to D_v r.
    pub damping: bool,
}

/// The equations of one term: a small system whose configuration consists of a few members of the configuration of `M`,
/// its *slots*.
///
/// A term over members of chains has one *element* per [`ElementLocation`]. A system without chains is one term over
/// all members. An element has n velocity components (the slots in order) and m constraint rows (holonomic ones first,
/// functions in the order of declaration). Every kernel overwrites `out`; the default is zero. Matrices that are arrays
/// are stored by rows.
///
/// `Q` contains the members of the slots: the configuration, or the frames of
/// [`FrameKinematics`](super::chain::FrameKinematics).
#[allow(unused_variables)] // Those that a term without such a part does not read.
pub trait Term<M: Assembled, Q: ?Sized = <M as Assembled>::Configuration> {
    /// n scalars.
    type Vector: Block<M::Scalar>;
    /// m scalars.
    type Rows: Block<M::Scalar>;
    /// n × n scalars.
    type Matrix: Block<M::Scalar>;
    /// m × n scalars.
    type Jacobian: Block<M::Scalar>;

    /// The position among the terms of the system.
    const KIND: usize;
    /// The dimension of each slot.
    const SLOTS: &'static [usize];
    /// The rows of each constraint function.
    const SEGMENTS: &'static [usize];
    /// The number of holonomic rows; they come first.
    const HOLONOMIC_ROWS: usize;
    /// The contributions of the term.
    const CONTRIBUTIONS: Contributions;
    /// True if −g depends on (t, q) only and [`force_and_jacobian`](Self::force_and_jacobian) computes it together with
    /// B.
    const FORCE_WITH_JACOBIAN: bool = false;

    /// The contribution to M(q).
    #[inline]
    fn mass_matrix(system: &M, place: &ElementLocation<'_>, t: M::Scalar, q: &Q, out: &mut Self::Matrix) {
        *out = Block::zeros();
    }
    /// The contribution to −g(t, q, v).
    #[inline]
    fn force(system: &M, place: &ElementLocation<'_>, t: M::Scalar, q: &Q, v: &Self::Vector, out: &mut Self::Vector) {
        *out = Block::zeros();
    }
    /// Φ(t, q); zero in the rows of velocity constraints.
    #[inline]
    fn constraint(system: &M, place: &ElementLocation<'_>, t: M::Scalar, q: &Q, out: &mut Self::Rows) {
        *out = Block::zeros();
    }
    /// B(t, q).
    #[inline]
    fn constraint_jacobian(system: &M, place: &ElementLocation<'_>, t: M::Scalar, q: &Q, out: &mut Self::Jacobian) {
        *out = Block::zeros();
    }
    /// b(t, q).
    #[inline]
    fn constraint_drift(system: &M, place: &ElementLocation<'_>, t: M::Scalar, q: &Q, out: &mut Self::Rows) {
        *out = Block::zeros();
    }
    /// The terms of d/dt (B v + b) that are free of v'.
    #[inline]
    fn constraint_curvature(
        system: &M,
        place: &ElementLocation<'_>,
        t: M::Scalar,
        q: &Q,
        v: &Self::Vector,
        out: &mut Self::Rows,
    ) {
        *out = Block::zeros();
    }
    /// The kinetic energy.
    #[inline]
    fn kinetic_energy(system: &M, place: &ElementLocation<'_>, t: M::Scalar, q: &Q, v: &Self::Vector) -> M::Scalar {
        M::Scalar::zero()
    }
    /// The potential energy.
    #[inline]
    fn potential_energy(system: &M, place: &ElementLocation<'_>, t: M::Scalar, q: &Q) -> M::Scalar {
        M::Scalar::zero()
    }
    /// The contribution to r = M v' + g + Bᵀ λ.
    #[allow(clippy::too_many_arguments)] // r has five arguments.
    #[inline]
    fn residual(
        system: &M,
        place: &ElementLocation<'_>,
        t: M::Scalar,
        q: &Q,
        v: &Self::Vector,
        acceleration: &Self::Vector,
        multipliers: &Self::Rows,
        out: &mut Self::Vector,
    ) {
        *out = Block::zeros();
    }
    /// D_q r along q w~.
    #[allow(clippy::too_many_arguments)] // r has five arguments.
    #[inline]
    fn tangent_stiffness(
        system: &M,
        place: &ElementLocation<'_>,
        t: M::Scalar,
        q: &Q,
        v: &Self::Vector,
        acceleration: &Self::Vector,
        multipliers: &Self::Rows,
        out: &mut Self::Matrix,
    ) {
        *out = Block::zeros();
    }
    /// D_v r.
    #[inline]
    fn tangent_damping(
        system: &M,
        place: &ElementLocation<'_>,
        t: M::Scalar,
        q: &Q,
        v: &Self::Vector,
        out: &mut Self::Matrix,
    ) {
        *out = Block::zeros();
    }
    /// D_q (B v + b) along q w~.
    #[inline]
    fn rate_gradient(
        system: &M,
        place: &ElementLocation<'_>,
        t: M::Scalar,
        q: &Q,
        v: &Self::Vector,
        out: &mut Self::Jacobian,
    ) {
        *out = Block::zeros();
    }

    /// Computes −g, if it is free of v, and B; generated kernels share their common subexpressions.
    fn force_and_jacobian(
        system: &M,
        place: &ElementLocation<'_>,
        t: M::Scalar,
        q: &Q,
        force: &mut Self::Vector,
        jacobian: &mut Self::Jacobian,
    ) {
        Self::force(system, place, t, q, &Self::Vector::zeros(), force);
        Self::constraint_jacobian(system, place, t, q, jacobian);
    }
    /// Computes the contribution to r, and Φ.
    #[allow(clippy::too_many_arguments)] // r has five arguments.
    fn residual_and_constraint(
        system: &M,
        place: &ElementLocation<'_>,
        t: M::Scalar,
        q: &Q,
        v: &Self::Vector,
        acceleration: &Self::Vector,
        multipliers: &Self::Rows,
        residual: &mut Self::Vector,
        constraint: &mut Self::Rows,
    ) {
        Self::residual(system, place, t, q, v, acceleration, multipliers, residual);
        Self::constraint(system, place, t, q, constraint);
    }
    /// Computes D_q r, D_v r and B; matrices without a contribution in [`CONTRIBUTIONS`](Self::CONTRIBUTIONS) are not
    /// written.
    #[allow(clippy::too_many_arguments)] // r has five arguments.
    fn linearise(
        system: &M,
        place: &ElementLocation<'_>,
        t: M::Scalar,
        q: &Q,
        v: &Self::Vector,
        acceleration: &Self::Vector,
        multipliers: &Self::Rows,
        stiffness: &mut Self::Matrix,
        damping: &mut Self::Matrix,
        jacobian: &mut Self::Jacobian,
    ) {
        if Self::CONTRIBUTIONS.stiffness {
            Self::tangent_stiffness(system, place, t, q, v, acceleration, multipliers, stiffness);
        }
        if Self::CONTRIBUTIONS.damping {
            Self::tangent_damping(system, place, t, q, v, damping);
        }
        Self::constraint_jacobian(system, place, t, q, jacobian);
    }
}

/// A term with vector-Jacobian products; every method adds to `out`.
///
/// `Q` contains the members of the slots, see [`Term`].
pub trait ReverseTerm<M: Assembled, Q: ?Sized = <M as Assembled>::Configuration>: Term<M, Q> {
    /// The gradient of w · r, see [`Reverse::residual_pullback`](super::Reverse::residual_pullback).
    #[allow(clippy::too_many_arguments)] // r has five arguments.
    fn residual_pullback(
        system: &M,
        place: &ElementLocation<'_>,
        t: M::Scalar,
        q: &Q,
        v: &Self::Vector,
        acceleration: &Self::Vector,
        multipliers: &Self::Rows,
        weights: &Self::Vector,
        out: &mut Cotangents<'_, Self::Vector, M::Scalar>,
    );
    /// The gradient of μ · Φ.
    fn constraint_pullback(
        system: &M,
        place: &ElementLocation<'_>,
        t: M::Scalar,
        q: &Q,
        weights: &Self::Rows,
        out: &mut Cotangents<'_, Self::Vector, M::Scalar>,
    );
    /// The gradient of μ · (B v + b).
    fn rate_pullback(
        system: &M,
        place: &ElementLocation<'_>,
        t: M::Scalar,
        q: &Q,
        v: &Self::Vector,
        weights: &Self::Rows,
        out: &mut Cotangents<'_, Self::Vector, M::Scalar>,
    );
    /// The gradient of μ · curvature.
    fn curvature_pullback(
        system: &M,
        place: &ElementLocation<'_>,
        t: M::Scalar,
        q: &Q,
        v: &Self::Vector,
        weights: &Self::Rows,
        out: &mut Cotangents<'_, Self::Vector, M::Scalar>,
    );
}
