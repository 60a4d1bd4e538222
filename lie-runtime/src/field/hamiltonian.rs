//! Canonical Hamiltonian systems on the cotangent bundle of a Lie group (paper 3, section 3).

use core::marker::PhantomData;

use super::FirstOrder;
use crate::group::{LieGroup, TangentVector};
use crate::integrator::{FieldState, Problem, StepFailure};
use crate::scalar::{Dual, Scalar};
use crate::space::{AlgebraOf, Cotangent, HomogeneousSpace};
use crate::system::DeclarationError;

/// A Hamiltonian H(q, μ) on T*G, trivialised from the right: μ is the momentum as seen from space.
///
/// With left-trivialised (body) momenta Π it is μ = Ad*_{q⁻¹} Π; on SO(3), π = Q Π. A conservative system that is declared has
/// one by the [`LegendreTransform`](super::LegendreTransform). On a space that G acts on, like [`S2`](crate::space::S2), the same
/// equations hold with q' = f₁~ q.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no Hamiltonian on T*G",
    label = "no Hamiltonian system",
    note = "a declared system has one without constraints, forces, dissipation, explicit time and terms over members; the \
            documentation of its `System` says what is in the way"
)]
pub trait HamiltonianSystem {
    /// The number type.
    type Scalar: Scalar;
    /// Configurations: elements of a group, or points of a space that one acts on.
    type Point: HomogeneousSpace<Scalar = Self::Scalar>;

    /// The zero of the algebra and of its dual.
    fn zero(&self) -> AlgebraOf<Self::Point>;
    /// H(q, μ).
    fn hamiltonian(&self, q: &Self::Point, mu: &AlgebraOf<Self::Point>) -> Self::Scalar;
    /// f₁ = ∂H/∂μ, the velocity as seen from space: q' = f₁~ q (paper 3, eq. 14).
    fn velocity(&self, q: &Self::Point, mu: &AlgebraOf<Self::Point>, out: &mut AlgebraOf<Self::Point>);
    /// f₂ = −R_q* ∂H/∂q at fixed μ, minus the derivative of H along η~ q (paper 3, eq. 14).
    fn force(&self, q: &Self::Point, mu: &AlgebraOf<Self::Point>, out: &mut AlgebraOf<Self::Point>);
    /// f₁ and f₂ at once, for systems where they have much in common.
    ///
    /// # Errors
    /// [`StepFailure`] where they have no value; by themselves they are NaN there.
    #[inline]
    fn derivatives(
        &self,
        q: &Self::Point,
        mu: &AlgebraOf<Self::Point>,
        velocity: &mut AlgebraOf<Self::Point>,
        force: &mut AlgebraOf<Self::Point>,
    ) -> Result<(), StepFailure> {
        self.velocity(q, mu, velocity);
        self.force(q, mu, force);
        Ok(())
    }
    /// Compares the declared functions of a generated system with the code that was generated from them, at and near (q, μ).
    ///
    /// # Errors
    /// [`DeclarationError`], see
    /// [`check_against_declaration`](crate::system::MechanicalSystem::check_against_declaration).
    fn check_declaration(&self, q: &Self::Point, mu: &AlgebraOf<Self::Point>) -> Result<(), DeclarationError> {
        let _ = (q, mu);
        Ok(())
    }
}

/// A Hamiltonian system that can be evaluated on dual numbers: implicit methods take their exact Jacobians from them.
pub trait LiftedHamiltonian: HamiltonianSystem {
    /// The same system on dual numbers.
    type Lifted: HamiltonianSystem<Scalar = Dual<Self::Scalar>>;

    /// The same system with constant parameters.
    fn lift(&self) -> Self::Lifted;
    /// The same configuration, without derivative.
    fn lift_configuration(&self, q: &Self::Point) -> <Self::Lifted as HamiltonianSystem>::Point;
}

/// A [`HamiltonianSystem`] as the vector field (q', μ') = (f₁~ q, f₂ − ad*_{f₁} μ) on G × g* (paper 3, eqs. 12 and 14).
pub struct Canonical<H: ?Sized>(PhantomData<fn(&H)>);

type Tangent<H> = AlgebraOf<<H as HamiltonianSystem>::Point>;

impl<H: HamiltonianSystem + ?Sized> Problem for Canonical<H>
where
    Tangent<H>: LieGroup<Scalar = H::Scalar, Tangent = Tangent<H>>,
{
    type System = H;
    type State = FieldState<Self>;
}

impl<H: HamiltonianSystem + ?Sized> FirstOrder for Canonical<H>
where
    Tangent<H>: LieGroup<Scalar = H::Scalar, Tangent = Tangent<H>>,
{
    type Scalar = H::Scalar;
    type Point = Cotangent<H::Point>;
    type Algebra = (Tangent<H>, Tangent<H>);
    type Workspace = ();

    fn zero(system: &H) -> Self::Algebra {
        (system.zero(), system.zero())
    }
    fn workspace(_: &H) -> Self::Workspace {}
    #[inline]
    fn evaluate(
        system: &H,
        _: H::Scalar,
        y: &Self::Point,
        (): &mut (),
        out: &mut Self::Algebra,
    ) -> Result<(), StepFailure> {
        let (q, mu) = (&y.configuration, &y.momentum);
        system.derivatives(q, mu, &mut out.0, &mut out.1)?;
        out.1.axpy(
            -<H::Scalar as num_traits::One>::one(),
            &<H::Point as HomogeneousSpace>::Group::coadjoint(&out.0, mu),
        );
        Ok(())
    }
    // A call would hand everything over in memory.
    #[inline(always)]
    fn flow(_: &H, y: &Self::Point, xi: &Self::Algebra, out: &mut Self::Point) {
        y.moved_along(xi, out);
    }
    #[inline]
    fn rate(_: &H, sigma: &Self::Algebra, v: &Self::Algebra, out: &mut Self::Algebra) {
        <Cotangent<H::Point> as HomogeneousSpace>::dexp_inverse(sigma, v, out);
    }
    #[inline]
    fn bracket(_: &H, v: &Self::Algebra, w: &Self::Algebra, (): &mut (), out: &mut Self::Algebra) {
        <Cotangent<H::Point> as HomogeneousSpace>::bracket(v, w, out);
    }
    fn distance(_: &H, a: &Self::Point, b: &Self::Point, (): &mut ()) -> f64 {
        a.distance(b)
    }
    fn membership_defect(_: &H, y: &Self::Point) -> f64 {
        y.membership_defect()
    }
    fn renormalize(_: &H, y: &mut Self::Point) {
        y.renormalize();
    }
    fn is_finite(_: &H, y: &Self::Point) -> bool {
        y.is_finite()
    }
    fn check_declaration(system: &H, _: H::Scalar, y: &Self::Point) -> Result<(), DeclarationError> {
        system.check_declaration(&y.configuration, &y.momentum)
    }
}
