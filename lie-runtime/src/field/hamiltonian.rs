//! Canonical Hamiltonian systems on the cotangent bundle of a Lie group (paper 3, section 3).

use core::marker::PhantomData;

use super::FieldState;
use super::FirstOrder;
use crate::group::TangentVector;
use crate::problem::{Problem, StepFailure};
use crate::scalar::{Dual, Scalar};
use crate::space::{AlgebraOf, Cotangent, HomogeneousSpace, LeftAction, LeftSpace, TransitiveAction, length};
use crate::system::chain::Coupling;
use crate::system::{DeclarationError, Liftable, MechanicalSystem};

/// A Hamiltonian H(q, μ) on T*G, trivialised from the right: μ is the spatial momentum.
///
/// The spatial momentum of a left-trivialised (body) momentum Π is μ = Ad*_{q⁻¹} Π; on SO(3), π = Q Π. A conservative declared system has
/// a Hamiltonian by the [`LegendreTransform`](super::LegendreTransform). The same equations hold with q' = f₁~ q on a space on which G
/// acts, like [`S2`](crate::space::S2).
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no Hamiltonian on T*G",
    label = "no Hamiltonian system",
    note = "a declared system has a Hamiltonian if it has no constraints, forces, dissipation, explicit time and frames; the \
            documentation of its `System` states the reason"
)]
pub trait HamiltonianSystem {
    /// The scalar type.
    type Scalar: Scalar;
    /// Configurations: elements of a group, or points of a homogeneous space.
    type Point: LeftAction<Scalar = Self::Scalar>;

    /// The zero of the algebra and of its dual.
    fn zero(&self) -> AlgebraOf<Self::Point>;
    /// H(q, μ).
    fn hamiltonian(&self, q: &Self::Point, mu: &AlgebraOf<Self::Point>) -> Self::Scalar;
    /// f₁ = ∂H/∂μ, the spatial velocity: q' = f₁~ q (paper 3, eq. 14).
    fn velocity(&self, q: &Self::Point, mu: &AlgebraOf<Self::Point>, out: &mut AlgebraOf<Self::Point>);
    /// f₂ = −R_q* ∂H/∂q at fixed μ: minus the derivative of H with respect to q along η~ q (paper 3, eq. 14).
    fn force(&self, q: &Self::Point, mu: &AlgebraOf<Self::Point>, out: &mut AlgebraOf<Self::Point>);
    /// Computes f₁ and f₂ together, for systems in which they share operations.
    ///
    /// # Errors
    /// [`StepFailure`] where they are undefined; [`velocity`](Self::velocity) and [`force`](Self::force) are NaN there.
    #[inline]
    #[doc(hidden)]
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
    /// True if a formula gives the momentum of a velocity, as for a [`LegendreTransform`](super::LegendreTransform). Implicit methods
    /// then solve for velocities: the number of unknowns is halved, and no mass matrix is inverted.
    const KNOWS_MOMENTA: bool = false;
    /// Computes μ with f₁(q, μ) = `velocity`, and f₂ at (q, μ). The results are NaN unless [`KNOWS_MOMENTA`](Self::KNOWS_MOMENTA) is
    /// true.
    #[doc(hidden)]
    fn at_velocity(
        &self,
        q: &Self::Point,
        velocity: &AlgebraOf<Self::Point>,
        mu: &mut AlgebraOf<Self::Point>,
        force: &mut AlgebraOf<Self::Point>,
    ) {
        let _ = (q, velocity);
        let nan = Self::Scalar::from_f64(f64::NAN);
        mu.fill(nan);
        force.fill(nan);
    }
    /// Compares the declared functions of a generated system with the generated code, at and near (q, μ).
    ///
    /// # Errors
    /// [`DeclarationError`], see
    /// [`check_against_declaration`](crate::system::MechanicalSystem::check_against_declaration).
    #[doc(hidden)]
    fn check_declaration(&self, q: &Self::Point, mu: &AlgebraOf<Self::Point>) -> Result<(), DeclarationError> {
        let _ = (q, mu);
        Ok(())
    }
}

/// A Hamiltonian system that can be evaluated on dual numbers: implicit methods compute their exact Jacobians with it.
pub trait LiftedHamiltonian: HamiltonianSystem {
    /// The system on dual numbers.
    type Lifted: OnCotangent<Scalar = Dual<Self::Scalar>>;

    /// Converts the system to dual numbers, with constant parameters.
    #[doc(hidden)]
    fn lift(&self) -> Self::Lifted;
    /// Converts a configuration to dual numbers, without derivative.
    #[doc(hidden)]
    fn lift_configuration(&self, q: &Self::Point) -> <Self::Lifted as HamiltonianSystem>::Point;
    /// Converts a configuration into `out`, without allocating.
    #[inline]
    #[doc(hidden)]
    fn lift_configuration_into(&self, q: &Self::Point, out: &mut <Self::Lifted as HamiltonianSystem>::Point) {
        *out = self.lift_configuration(q);
    }
}

impl<H> LiftedHamiltonian for H
where
    H: Liftable + HamiltonianSystem<Scalar = <H as MechanicalSystem>::Scalar>,
    H: HamiltonianSystem<Point = <H as MechanicalSystem>::Configuration>,
    <H as Liftable>::Lifted: OnCotangent
        + HamiltonianSystem<
            Scalar = Dual<<H as MechanicalSystem>::Scalar>,
            Point = <<H as Liftable>::Lifted as MechanicalSystem>::Configuration,
        >,
{
    type Lifted = <H as Liftable>::Lifted;

    fn lift(&self) -> <H as Liftable>::Lifted {
        Liftable::lift(self)
    }
    #[inline]
    fn lift_configuration(&self, q: &Self::Point) -> <Self::Lifted as HamiltonianSystem>::Point {
        Liftable::lift_configuration(self, q)
    }
    #[inline]
    fn lift_configuration_into(&self, q: &Self::Point, out: &mut <Self::Lifted as HamiltonianSystem>::Point) {
        Liftable::lift_configuration_onto(self, q, out);
    }
}

/// A [`HamiltonianSystem`] as the vector field (q', μ') = (f₁~ q, f₂ − ad*_{f₁} μ) on G × g* (paper 3, eqs. 12 and 14).
pub struct HamiltonianProblem<H: ?Sized>(PhantomData<fn(&H)>);

/// A velocity or momentum of a Hamiltonian system: a vector of the algebra of G, or of its dual.
pub(crate) type AlgebraVector<H> = AlgebraOf<<H as HamiltonianSystem>::Point>;

/// A Hamiltonian system with the group operations of its space and the buffers of an evaluation: the interface of the methods.
///
/// Implemented by every system whose configurations are a [`HomogeneousSpace`], and by systems with chains, whose space has the lengths.
#[doc(hidden)]
pub trait OnCotangent: HamiltonianSystem {
    /// The space of configurations.
    type Space: LeftSpace<Scalar = Self::Scalar, Point = Self::Point, Algebra = AlgebraOf<Self::Point>>;
    /// The buffers; `()` if it needs none.
    type Workspace;

    /// The space of the configurations.
    #[doc(hidden)]
    fn left_space(&self) -> &Self::Space;
    /// Allocates the buffers.
    #[doc(hidden)]
    fn workspace(&self) -> Self::Workspace;
    /// Discards data that depend on parameters; called at the start of a run, see [`FirstOrder::forget`].
    #[doc(hidden)]
    fn forget(workspace: &mut Self::Workspace) {
        let _ = workspace;
    }
    /// Computes f₁ and f₂; allocates nothing.
    ///
    /// # Errors
    /// [`StepFailure`] where they are undefined.
    #[doc(hidden)]
    fn evaluate(
        &self,
        q: &Self::Point,
        mu: &AlgebraOf<Self::Point>,
        workspace: &mut Self::Workspace,
        velocity: &mut AlgebraOf<Self::Point>,
        force: &mut AlgebraOf<Self::Point>,
    ) -> Result<(), StepFailure>;
    /// As [`at_velocity`](HamiltonianSystem::at_velocity); allocates nothing.
    #[doc(hidden)]
    fn evaluate_at_velocity(
        &self,
        q: &Self::Point,
        velocity: &AlgebraOf<Self::Point>,
        workspace: &mut Self::Workspace,
        mu: &mut AlgebraOf<Self::Point>,
        force: &mut AlgebraOf<Self::Point>,
    );
    /// The solver for the linear systems of implicit methods, with the pattern of the components that f₁ and f₂ couple.
    #[doc(hidden)]
    fn coupling(&self) -> Coupling;
}

impl<H: HamiltonianSystem> OnCotangent for H
where
    H::Point: HomogeneousSpace<Scalar = H::Scalar>,
{
    type Space = TransitiveAction<H::Point>;
    type Workspace = ();

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn left_space(&self) -> &Self::Space {
        const { &TransitiveAction::NEW }
    }
    fn workspace(&self) {}
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn evaluate(
        &self,
        q: &Self::Point,
        mu: &AlgebraOf<Self::Point>,
        (): &mut (),
        velocity: &mut AlgebraOf<Self::Point>,
        force: &mut AlgebraOf<Self::Point>,
    ) -> Result<(), StepFailure> {
        self.derivatives(q, mu, velocity, force)
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn evaluate_at_velocity(
        &self,
        q: &Self::Point,
        velocity: &AlgebraOf<Self::Point>,
        (): &mut (),
        mu: &mut AlgebraOf<Self::Point>,
        force: &mut AlgebraOf<Self::Point>,
    ) {
        self.at_velocity(q, velocity, mu, force);
    }
    fn coupling(&self) -> Coupling {
        Coupling::dense()
    }
}

impl<H: OnCotangent + ?Sized> Problem for HamiltonianProblem<H> {
    type System = H;
    type State = FieldState<Self>;
}

impl<H: OnCotangent + ?Sized> FirstOrder for HamiltonianProblem<H> {
    type Scalar = H::Scalar;
    type Point = Cotangent<H::Point>;
    type Algebra = (AlgebraVector<H>, AlgebraVector<H>);
    type Workspace = H::Workspace;

    fn zero(system: &H) -> Self::Algebra {
        (system.zero(), system.zero())
    }
    fn workspace(system: &H) -> Self::Workspace {
        system.workspace()
    }
    fn forget(workspace: &mut Self::Workspace) {
        H::forget(workspace);
    }
    #[inline]
    fn evaluate(
        system: &H,
        _: H::Scalar,
        y: &Self::Point,
        workspace: &mut Self::Workspace,
        out: &mut Self::Algebra,
    ) -> Result<(), StepFailure> {
        let (q, mu) = (&y.configuration, &y.momentum);
        system.evaluate(q, mu, workspace, &mut out.0, &mut out.1)?;
        system.left_space().add_coadjoint(-1.0, &out.0, mu, &mut out.1);
        Ok(())
    }
    // Inlined: a call would pass all arguments in memory.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn flow(system: &H, y: &Self::Point, xi: &Self::Algebra, out: &mut Self::Point) {
        system.left_space().move_along(&y.configuration, &xi.0, &mut out.configuration);
        out.momentum.assign_sum(&y.momentum, num_traits::One::one(), &xi.1);
    }
    #[inline]
    fn rate(system: &H, sigma: &Self::Algebra, v: &Self::Algebra, out: &mut Self::Algebra) {
        system.left_space().dexp_inverse(&sigma.0, &v.0, &mut out.0);
        out.1.assign(&v.1);
    }
    #[inline]
    fn bracket(system: &H, v: &Self::Algebra, w: &Self::Algebra, _: &mut Self::Workspace, out: &mut Self::Algebra) {
        system.left_space().bracket(&v.0, &w.0, &mut out.0);
        out.1.fill(num_traits::Zero::zero());
    }
    fn distance(system: &H, a: &Self::Point, b: &Self::Point, _: &mut Self::Workspace) -> f64 {
        let mut difference = a.momentum.clone();
        difference.axpy(-<H::Scalar as num_traits::One>::one(), &b.momentum);
        system.left_space().distance(&a.configuration, &b.configuration).hypot(length(&difference))
    }
    fn membership_defect(system: &H, y: &Self::Point) -> f64 {
        system.left_space().membership_defect(&y.configuration)
    }
    fn renormalize(system: &H, y: &mut Self::Point) {
        system.left_space().renormalize(&mut y.configuration);
    }
    fn is_finite(system: &H, y: &Self::Point) -> bool {
        system.left_space().is_finite(&y.configuration) && y.momentum.all_finite()
    }
    fn check_declaration(system: &H, _: H::Scalar, y: &Self::Point) -> Result<(), DeclarationError> {
        system.check_declaration(&y.configuration, &y.momentum)
    }
}
