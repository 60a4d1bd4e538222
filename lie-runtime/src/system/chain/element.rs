//! Elements: what generated code says of one term over the members of a chain.

use core::fmt::Debug;

use nalgebra::DVector;

use super::{Dynamics, Place, Structure};
use crate::inputs::InputError;
use crate::scalar::Scalar;
use crate::space::{ChainSpace, Fields};
use crate::system::{DeclarationError, Description, Redundancy};

/// A local vector or matrix of an element: an array.
pub trait Block<S>: AsRef<[S]> + AsMut<[S]> + Copy + Debug {
    /// All zero.
    fn zeros() -> Self;
}

impl<S: Scalar, const N: usize> Block<S> for [S; N] {
    #[inline]
    fn zeros() -> Self {
        [S::zero(); N]
    }
}

/// Which terms an element contributes: loops skip what is never there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools)] // Each says whether a kernel is called.
pub struct Terms {
    /// A kinetic energy or a mass matrix.
    pub inertia: bool,
    /// True if the inertia depends on parameters, index and length only.
    pub inertia_is_constant: bool,
    /// Anything in −g.
    pub force: bool,
    /// Anything in D_q r, that of the multipliers' forces included.
    pub stiffness: bool,
    /// Anything in D_v r.
    pub damping: bool,
}

/// The equations of one kind of element: a small system whose configuration is a few members of the chains, its *slots*.
///
/// n components of velocity (those of the slots in order), m constraint rows (holonomic ones first, the functions in the
/// order of declaration). Every kernel overwrites `out`; matrices are stored by rows.
///
/// `Q` is what its slots are looked up in: the configuration, or the frames that [`Seen`](super::Seen) are.
pub trait Element<M: ElementSystem, Q: ?Sized = <M as ElementSystem>::Configuration> {
    /// n numbers.
    type Vector: Block<M::Scalar>;
    /// m numbers.
    type Rows: Block<M::Scalar>;
    /// n × n numbers.
    type Matrix: Block<M::Scalar>;
    /// m × n numbers.
    type Jacobian: Block<M::Scalar>;

    /// The position among the kinds of elements of the system.
    const KIND: usize;
    /// The dimension of each slot.
    const SLOTS: &'static [usize];
    /// The rows of each constraint function.
    const SEGMENTS: &'static [usize];
    /// How many of the rows, the first ones, are holonomic.
    const HOLONOMIC_ROWS: usize;
    /// What is there.
    const TERMS: Terms;
    /// True if −g is a function of (t, q) that [`force_and_jacobian`](Self::force_and_jacobian) gives along with B.
    const FORCE_WITH_JACOBIAN: bool = false;

    /// The element's part of M(q).
    fn mass_matrix(system: &M, place: &Place<'_>, t: M::Scalar, q: &Q, out: &mut Self::Matrix);
    /// The element's part of −g(t, q, v).
    fn force(system: &M, place: &Place<'_>, t: M::Scalar, q: &Q, v: &Self::Vector, out: &mut Self::Vector);
    /// Φ(t, q); zero in the rows of velocity constraints.
    fn constraint(system: &M, place: &Place<'_>, t: M::Scalar, q: &Q, out: &mut Self::Rows);
    /// B(t, q).
    fn constraint_jacobian(system: &M, place: &Place<'_>, t: M::Scalar, q: &Q, out: &mut Self::Jacobian);
    /// b(t, q).
    fn constraint_drift(system: &M, place: &Place<'_>, t: M::Scalar, q: &Q, out: &mut Self::Rows);
    /// The terms of d/dt (B v + b) that are free of v'.
    fn constraint_curvature(system: &M, place: &Place<'_>, t: M::Scalar, q: &Q, v: &Self::Vector, out: &mut Self::Rows);
    /// The kinetic energy.
    fn kinetic_energy(system: &M, place: &Place<'_>, t: M::Scalar, q: &Q, v: &Self::Vector) -> M::Scalar;
    /// The potential energy.
    fn potential_energy(system: &M, place: &Place<'_>, t: M::Scalar, q: &Q) -> M::Scalar;
    /// The element's part of r = M v' + g + Bᵀ λ.
    #[allow(clippy::too_many_arguments)] // r has five arguments.
    fn residual(
        system: &M,
        place: &Place<'_>,
        t: M::Scalar,
        q: &Q,
        v: &Self::Vector,
        acceleration: &Self::Vector,
        multipliers: &Self::Rows,
        out: &mut Self::Vector,
    );
    /// D_q r along q w~.
    #[allow(clippy::too_many_arguments)] // r has five arguments.
    fn tangent_stiffness(
        system: &M,
        place: &Place<'_>,
        t: M::Scalar,
        q: &Q,
        v: &Self::Vector,
        acceleration: &Self::Vector,
        multipliers: &Self::Rows,
        out: &mut Self::Matrix,
    );
    /// D_v r.
    fn tangent_damping(system: &M, place: &Place<'_>, t: M::Scalar, q: &Q, v: &Self::Vector, out: &mut Self::Matrix);
    /// D_q (B v + b) along q w~.
    fn rate_gradient(system: &M, place: &Place<'_>, t: M::Scalar, q: &Q, v: &Self::Vector, out: &mut Self::Jacobian);

    /// −g where it is free of v, and B: one after the other here, in less where they have something to share.
    fn force_and_jacobian(
        system: &M,
        place: &Place<'_>,
        t: M::Scalar,
        q: &Q,
        force: &mut Self::Vector,
        jacobian: &mut Self::Jacobian,
    ) {
        Self::force(system, place, t, q, &Self::Vector::zeros(), force);
        Self::constraint_jacobian(system, place, t, q, jacobian);
    }
    /// The element's part of r, and Φ.
    #[allow(clippy::too_many_arguments)] // r has five arguments.
    fn residual_and_constraint(
        system: &M,
        place: &Place<'_>,
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
    /// D_q r, D_v r and B; where [`TERMS`](Self::TERMS) says that there is nothing, the numbers stay as they are.
    #[allow(clippy::too_many_arguments)] // r has five arguments.
    fn linearise(
        system: &M,
        place: &Place<'_>,
        t: M::Scalar,
        q: &Q,
        v: &Self::Vector,
        acceleration: &Self::Vector,
        multipliers: &Self::Rows,
        stiffness: &mut Self::Matrix,
        damping: &mut Self::Matrix,
        jacobian: &mut Self::Jacobian,
    ) {
        if Self::TERMS.stiffness {
            Self::tangent_stiffness(system, place, t, q, v, acceleration, multipliers, stiffness);
        }
        if Self::TERMS.damping {
            Self::tangent_damping(system, place, t, q, v, damping);
        }
        Self::constraint_jacobian(system, place, t, q, jacobian);
    }
}

/// Something to be done with every kind of element.
pub trait Visitor<M: ElementSystem> {
    /// Does it with the elements of kind `E`.
    fn element<E: Element<M>>(&mut self);
}

/// A system that is the sum of its elements: what the macro generates for a declaration over chains.
///
/// It is a [`MechanicalSystem`](crate::system::MechanicalSystem) and [`Linearised`](crate::system::Linearised):
/// assembly and linear algebra are those of this module.
pub trait ElementSystem: Sized {
    /// The number type.
    type Scalar: Scalar;
    /// A point q of the configuration space: fields of members.
    type Configuration: Fields<Scalar = Self::Scalar>;
    /// What is added to the elements and solves with the mass matrix: [`MemberByMember`](super::MemberByMember), or
    /// frames [`AlongTree`](super::AlongTree).
    type Dynamics: Dynamics<Self>;

    /// What happens where constraints depend on one another.
    const REDUNDANCY: Redundancy = Redundancy::Refused;

    /// Where members, elements and rows stand.
    fn structure(&self) -> &Structure<Self::Scalar>;
    /// The configuration space.
    fn chain_space(&self) -> &ChainSpace<Self::Configuration>;
    /// Names, group, dimensions, counts.
    fn description(&self) -> &Description;
    /// Shows every kind of element to `visitor`, in the order of their numbers.
    fn visit<V: Visitor<Self>>(&self, visitor: &mut V);

    /// The system with the inputs that it has in a state, for elements do not see the state; `None` if that is the system
    /// itself.
    fn in_state(&self, t: Self::Scalar, q: &Self::Configuration, v: &DVector<Self::Scalar>) -> Option<Self> {
        let _ = (t, q, v);
        None
    }
    /// [`ensure_inputs`](crate::system::MechanicalSystem::ensure_inputs).
    ///
    /// # Errors
    /// [`InputError`].
    fn ensure_inputs(&self, start: f64, end: f64) -> Result<(), InputError> {
        let _ = (start, end);
        Ok(())
    }
    /// [`ensure_finite_inputs`](crate::system::MechanicalSystem::ensure_finite_inputs).
    ///
    /// # Errors
    /// [`InputError`].
    fn ensure_finite_inputs(
        &self,
        t: Self::Scalar,
        q: &Self::Configuration,
        v: &DVector<Self::Scalar>,
    ) -> Result<(), InputError> {
        let _ = (t, q, v);
        Ok(())
    }
    /// [`check_against_declaration`](crate::system::MechanicalSystem::check_against_declaration).
    ///
    /// # Errors
    /// [`DeclarationError`].
    fn check_declaration(
        &self,
        t: Self::Scalar,
        q: &Self::Configuration,
        v: &DVector<Self::Scalar>,
    ) -> Result<(), DeclarationError> {
        let _ = (t, q, v);
        Ok(())
    }
    /// [`powers`](crate::system::MechanicalSystem::powers).
    fn powers_of_terms(
        &self,
        t: Self::Scalar,
        q: &Self::Configuration,
        v: &DVector<Self::Scalar>,
        visit: &mut dyn FnMut(&'static str, f64),
    ) -> bool {
        let _ = (t, q, v, visit);
        false
    }
    /// [`symmetry`](crate::system::MechanicalSystem::symmetry).
    fn symmetry_of_all(
        &self,
        number: usize,
        t: Self::Scalar,
        q: &Self::Configuration,
    ) -> Option<DVector<Self::Scalar>> {
        let _ = (number, t, q);
        None
    }
}
