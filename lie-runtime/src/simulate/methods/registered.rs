//! Registered methods of each kind of problem.

use super::families::{
    blie_df, collocation, generalized_alpha, half_explicit, moreau_jean, on_fields, rattlie, rotation, symplectic,
    tr_bdf2,
};
use super::registry::{Methods, Registry};
use crate::field::{
    FirstOrder, HamiltonianProblem, LiftedHamiltonian, MechanicalField, VectorField, VectorFieldProblem,
};
use crate::integrator::{Integrator, Problem, SymplecticLieGroup};
use crate::space::Retraction;
use crate::system::{Linearised, MechanicalSystem, MomentumRate};

impl<M: MechanicalSystem + 'static> Methods<M> {
    /// Returns the methods without a linearisation, for example for systems that are written by hand.
    pub fn explicit() -> Self {
        Registry::empty()
            .and(half_explicit::infos(), half_explicit::method)
            .and(moreau_jean::infos(), moreau_jean::method)
            .and(on_fields::infos(), on_fields::mechanical)
    }
}

impl<F: FirstOrder + 'static> Methods<F> {
    /// Returns the methods for first-order equations, for example for Hamiltonians without [dual numbers](crate::field::LiftedHamiltonian).
    pub fn first_order() -> Self {
        Registry::empty().and(on_fields::infos(), on_fields::first_order)
    }
}

/// A problem with registered methods.
#[diagnostic::on_unimplemented(
    message = "no methods are registered by name for `{Self}`",
    label = "use `.method(…)` with a method type",
    note = "for a generic declared system add the bound `{Self}: MultibodySystem` of `lie_runtime::system`"
)]
#[doc(hidden)]
pub trait Registered: Problem {
    /// Returns all methods of this crate for the problem.
    fn methods() -> Methods<Self>;
}

impl<P: Registered> Methods<P> {
    /// Returns all methods of this crate for the problem.
    pub fn all() -> Self {
        P::methods()
    }
}

impl<M: Linearised + MomentumRate + 'static> Registered for M {
    fn methods() -> Methods<M> {
        Registry::empty()
            .and(half_explicit::infos(), half_explicit::method)
            .and(generalized_alpha::infos(), generalized_alpha::method)
            .and(rattlie::infos(), rattlie::method)
            .and(blie_df::infos(), blie_df::method)
            .and(tr_bdf2::infos(), tr_bdf2::method)
            .and(collocation::infos(), collocation::method)
            .and(rotation::infos(), rotation::method)
            .and(moreau_jean::infos(), moreau_jean::method)
            .and(on_fields::infos(), on_fields::mechanical)
    }
}

impl<V: VectorField + 'static, C: Retraction<V::Point> + 'static> Registered for VectorFieldProblem<V, C> {
    fn methods() -> Methods<Self> {
        Methods::first_order()
    }
}

impl<M: MechanicalSystem + 'static> Registered for MechanicalField<M> {
    fn methods() -> Methods<Self> {
        Methods::first_order()
    }
}

/// The symplectic methods and all methods for first-order equations.
impl<H> Registered for HamiltonianProblem<H>
where
    H: LiftedHamiltonian<Scalar = f64> + 'static,
    Self: FirstOrder,
    SymplecticLieGroup: Integrator<Self>,
{
    fn methods() -> Methods<Self> {
        Registry::empty().and(symplectic::infos(), symplectic::method).and(on_fields::infos(), on_fields::first_order)
    }
}
