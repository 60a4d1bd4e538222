//! Hamiltonians of systems that are assembled from elements: the Legendre transform of the sum of their Lagrangians.
//!
//! Elements compute p = ∂L/∂v and D_q L in the frames of the declared velocities; members transform both to spatial components. For a
//! spatial velocity w of q,
//!
//! ```text
//! v = Ad_{q⁻¹} w,    μ = Ad_{q⁻¹}ᵀ p,    f₂ = Ad_{q⁻¹}ᵀ D_q L + ad_uᵀ μ,
//! ```
//!
//! where u is the velocity of these frames: w for groups, zero for spheres.

use core::fmt;

use nalgebra::DVector;

use super::{HamiltonianSystem, LegendreTransform};
use crate::group::operations::{Adjoint, AdjointTranspose, InverseAdjoint, InverseAdjointTranspose};
use crate::problem::StepFailure;
use crate::scalar::Scalar;
use crate::space::{ConfigurationSpace, FramedSpace, LeftSpace};
use crate::system::Assembled;
use crate::system::chain::{Conservative, ElementSystem, lagrangian};
use crate::system::{DeclarationError, KktError, MassFactorisation, MechanicalSystem};

type Number<M> = <M as Assembled>::Scalar;
type AssembledConfiguration<M> = <M as Assembled>::Configuration;
type ElementVector<M> = DVector<Number<M>>;

/// The buffers of an evaluation.
#[doc(hidden)]
pub struct ElementMomenta<M: ElementSystem> {
    inertia: MassFactorisation<M>,
    v: ElementVector<M>,
    momentum: ElementVector<M>,
    gradient: ElementVector<M>,
    other: ElementVector<M>,
}

impl<M: ElementSystem> fmt::Debug for ElementMomenta<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ElementMomenta").field("inertia", &self.inertia).finish_non_exhaustive()
    }
}

/// Allocates the buffers.
pub fn element_momenta<M: ElementSystem>(system: &M) -> ElementMomenta<M> {
    let zero = || system.chain_space().zero_velocity();
    ElementMomenta {
        inertia: MassFactorisation::of(system),
        v: zero(),
        momentum: zero(),
        gradient: zero(),
        other: zero(),
    }
}

impl<M: ElementSystem> ElementMomenta<M> {
    /// Discards data that depend on parameters; called at the start of a run, whose parameters may differ.
    pub fn forget(&mut self) {
        self.inertia.forget();
    }
}

/// Computes μ and f₂ for the spatial velocity `velocity` of q.
pub fn at_velocity_of_elements<M: Conservative>(
    system: &M,
    q: &AssembledConfiguration<M>,
    velocity: &ElementVector<M>,
    workspace: &mut ElementMomenta<M>,
    mu: &mut ElementVector<M>,
    force: &mut ElementVector<M>,
) {
    let space = system.chain_space();
    space.framed::<InverseAdjoint>(q, velocity, &mut workspace.v);
    let ElementMomenta { v, momentum, gradient, .. } = workspace;
    lagrangian(system, q, v.as_slice(), momentum.as_mut_slice(), gradient.as_mut_slice());
    space.framed::<InverseAdjointTranspose>(q, momentum, mu);
    space.framed::<InverseAdjointTranspose>(q, gradient, force);
    space.frame_velocity(velocity, v);
    space.add_coadjoint(1.0, v, mu, force);
}

/// Computes f₁ and f₂ at (q, μ).
///
/// # Errors
/// [`StepFailure`] if M(q) has no inverse, with the names of the declaration.
pub fn derivatives_of_elements<M: Conservative>(
    system: &M,
    q: &AssembledConfiguration<M>,
    mu: &ElementVector<M>,
    workspace: &mut ElementMomenta<M>,
    velocity: &mut ElementVector<M>,
    force: &mut ElementVector<M>,
) -> Result<(), StepFailure> {
    body_velocity(system, q, mu, workspace)
        .map_err(|error| StepFailure::of_kkt(error, Assembled::description(system)))?;
    system.chain_space().framed::<Adjoint>(q, &workspace.v, velocity);
    let mut own = core::mem::replace(&mut workspace.other, DVector::from_element(0, Number::<M>::from_f64(0.0)));
    at_velocity_of_elements(system, q, velocity, workspace, &mut own, force);
    workspace.other = own;
    Ok(())
}

/// Computes v = M⁻¹ (Ad_qᵀ μ − b) in the buffers, where b = ∂L/∂v at rest.
fn body_velocity<M: Conservative>(
    system: &M,
    q: &AssembledConfiguration<M>,
    mu: &ElementVector<M>,
    workspace: &mut ElementMomenta<M>,
) -> Result<(), KktError> {
    let zero = Number::<M>::from_f64(0.0);
    let ElementMomenta { inertia, v, momentum, gradient, other, .. } = workspace;
    v.fill(zero);
    lagrangian(system, q, v.as_slice(), momentum.as_mut_slice(), gradient.as_mut_slice());
    system.chain_space().framed::<AdjointTranspose>(q, mu, other);
    *other -= &*momentum;
    system.solve_mass(inertia.at(system, zero, q)?, other, v);
    Ok(())
}

impl<M: Conservative> HamiltonianSystem for M {
    type Scalar = Number<M>;
    type Point = AssembledConfiguration<M>;

    const KNOWS_MOMENTA: bool = true;

    fn zero(&self) -> ElementVector<M> {
        self.chain_space().zero_velocity()
    }
    /// p · v − L.
    fn hamiltonian(&self, q: &AssembledConfiguration<M>, mu: &ElementVector<M>) -> Number<M> {
        let (t, mut workspace) = (Number::<M>::from_f64(0.0), element_momenta(self));
        if body_velocity(self, q, mu, &mut workspace).is_err() {
            return Number::<M>::from_f64(f64::NAN);
        }
        let ElementMomenta { v, other, .. } = &mut workspace;
        self.chain_space().framed::<AdjointTranspose>(q, mu, other);
        other.dot(v) - self.kinetic_energy(t, q, v) + self.potential_energy(t, q)
    }
    fn velocity(&self, q: &AssembledConfiguration<M>, mu: &ElementVector<M>, out: &mut ElementVector<M>) {
        let mut force = self.zero();
        if self.derivatives(q, mu, out, &mut force).is_err() {
            out.fill(Number::<M>::from_f64(f64::NAN));
        }
    }
    fn force(&self, q: &AssembledConfiguration<M>, mu: &ElementVector<M>, out: &mut ElementVector<M>) {
        let mut velocity = self.zero();
        if self.derivatives(q, mu, &mut velocity, out).is_err() {
            out.fill(Number::<M>::from_f64(f64::NAN));
        }
    }
    fn derivatives(
        &self,
        q: &AssembledConfiguration<M>,
        mu: &ElementVector<M>,
        velocity: &mut ElementVector<M>,
        force: &mut ElementVector<M>,
    ) -> Result<(), StepFailure> {
        derivatives_of_elements(self, q, mu, &mut element_momenta(self), velocity, force)
    }
    fn at_velocity(
        &self,
        q: &AssembledConfiguration<M>,
        velocity: &ElementVector<M>,
        mu: &mut ElementVector<M>,
        force: &mut ElementVector<M>,
    ) {
        at_velocity_of_elements(self, q, velocity, &mut element_momenta(self), mu, force);
    }
    fn check_declaration(&self, q: &AssembledConfiguration<M>, mu: &ElementVector<M>) -> Result<(), DeclarationError> {
        let v = super::legendre::velocity_or_nan(self, q, mu);
        self.check_against_declaration(Number::<M>::from_f64(0.0), q, &v)
    }
}

impl<M: Conservative> LegendreTransform for M {
    fn momentum(&self, q: &AssembledConfiguration<M>, v: &ElementVector<M>) -> ElementVector<M> {
        let [mut momentum, mut gradient, mut mu] = core::array::from_fn(|_| self.zero());
        if v.len() != mu.len() || self.chain_space().check(q).is_err() {
            mu.fill(Number::<M>::from_f64(f64::NAN));
            return mu;
        }
        lagrangian(self, q, v.as_slice(), momentum.as_mut_slice(), gradient.as_mut_slice());
        self.chain_space().framed::<InverseAdjointTranspose>(q, &momentum, &mut mu);
        mu
    }
    fn body_velocity(
        &self,
        q: &AssembledConfiguration<M>,
        mu: &ElementVector<M>,
    ) -> Result<ElementVector<M>, KktError> {
        if mu.len() != self.dof() {
            return Err(KktError::NotFinite);
        }
        let mut workspace = element_momenta(self);
        body_velocity(self, q, mu, &mut workspace)?;
        Ok(workspace.v)
    }
}
