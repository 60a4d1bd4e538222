//! Mechanical systems of second order as first-order equations for (q, v).

use core::marker::PhantomData;

use super::FieldState;
use super::FirstOrder;
use crate::group::{CacheAligned, TangentVector};
use crate::inputs::{InputError, SmoothStretch};
use crate::problem::{Problem, StepFailure};
use crate::space::ConfigurationSpace;
use crate::system::{DeclarationError, Evaluation, MassFactorisation, MechanicalSystem};

/// A [`MechanicalSystem`] as a vector field on G × R^n: q' = q v~, v' = M⁻¹(−g − Bᵀ λ).
///
/// The multipliers satisfy the index-1 equation B v' + curvature = 0. Constraints therefore hold as well as the method conserves
/// invariants, and drift with the order of the method. The group acts by (θ, w): (q, v) ↦ (q exp(θ), v + w). This is a right
/// multiplication: dexp⁻¹ is T(θ)⁻¹, and the bracket has the sign of the opposite group.
///
/// On [spheres](crate::space::S2) SE(3) acts on (q, ω) instead, with f = (ω, q × ω') (paper 3, section 5.1): |q| = 1 and
/// q · ω = 0 hold to round-off.
pub struct MechanicalField<M: ?Sized>(PhantomData<fn(&M)>);

/// The buffers of an evaluation.
#[doc(hidden)]
pub struct MechanicalWorkspace<M: MechanicalSystem + ?Sized> {
    inertia: MassFactorisation<M>,
    /// The point of the last evaluation.
    here: Evaluation<M>,
    /// Temporary velocities.
    scratch: M::Velocity,
    others: [M::Velocity; 3],
    /// v' of the last evaluation.
    pub(crate) acceleration: M::Velocity,
    curvature: M::Multipliers,
    /// λ of the last evaluation.
    pub(crate) multipliers: M::Multipliers,
    /// The number of solved KKT systems.
    pub(crate) linear_solves: u64,
}

impl<M: MechanicalSystem + ?Sized> Problem for MechanicalField<M> {
    type System = M;
    type State = FieldState<Self>;
}

impl<M: MechanicalSystem + ?Sized> FirstOrder for MechanicalField<M> {
    type Scalar = M::Scalar;
    type Point = (M::Configuration, M::Velocity);
    /// The rate of q is stored separately: the next stage of a method can use it before the rate of v is computed.
    type Algebra = (CacheAligned<M::Velocity>, M::Velocity);
    type Workspace = MechanicalWorkspace<M>;

    fn zero(system: &M) -> Self::Algebra {
        (CacheAligned(system.zero_velocity()), system.zero_velocity())
    }
    fn workspace(system: &M) -> Self::Workspace {
        MechanicalWorkspace {
            inertia: MassFactorisation::of(system),
            here: Evaluation::of(system),
            scratch: system.zero_velocity(),
            others: core::array::from_fn(|_| system.zero_velocity()),
            acceleration: system.zero_velocity(),
            curvature: system.zero_multipliers(),
            multipliers: system.zero_multipliers(),
            linear_solves: 0,
        }
    }
    fn forget(workspace: &mut Self::Workspace) {
        workspace.inertia.forget();
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn evaluate(
        system: &M,
        t: M::Scalar,
        (q, v): &Self::Point,
        workspace: &mut Self::Workspace,
        out: &mut Self::Algebra,
    ) -> Result<(), StepFailure> {
        out.0.0.assign(v);
        let MechanicalWorkspace { inertia, here, curvature, acceleration, multipliers, .. } = workspace;
        let is_constrained = here
            .accelerations(system, (t, q, v), inertia, curvature, acceleration, multipliers)
            .map_err(|error| StepFailure::of_kkt_at(error, system, t, q))?;
        workspace.linear_solves += u64::from(is_constrained);
        system.space().state_direction(q, &workspace.acceleration, &mut out.1);
        Ok(())
    }
    // Inlined: a call would pass all arguments in memory.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn flow(system: &M, (q, v): &Self::Point, xi: &Self::Algebra, out: &mut Self::Point) {
        system.space().move_state((q, v), (&xi.0, &xi.1), (&mut out.0, &mut out.1));
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn rate(system: &M, sigma: &Self::Algebra, v: &Self::Algebra, out: &mut Self::Algebra) {
        system.space().state_rate((&sigma.0, &sigma.1), (&v.0, &v.1), (&mut out.0, &mut out.1));
    }
    /// T(θ)⁻¹ has one odd term, ½ ad_θ: the bracket of the opposite group is T(−v)⁻¹ w − T(v)⁻¹ w.
    fn bracket(
        system: &M,
        v: &Self::Algebra,
        w: &Self::Algebra,
        workspace: &mut Self::Workspace,
        out: &mut Self::Algebra,
    ) {
        let minus_one = -<M::Scalar as num_traits::One>::one();
        let MechanicalWorkspace { scratch, others: [other, first, second], .. } = workspace;
        scratch.assign(&v.0);
        scratch.scale(minus_one);
        other.assign(&v.1);
        other.scale(minus_one);
        system.space().state_rate((scratch, other), (&w.0, &w.1), (&mut out.0, &mut out.1));
        system.space().state_rate((&v.0, &v.1), (&w.0, &w.1), (first, second));
        out.0.0.axpy(minus_one, first);
        out.1.axpy(minus_one, second);
    }
    fn distance(system: &M, a: &Self::Point, b: &Self::Point, workspace: &mut Self::Workspace) -> f64 {
        let scratch = &mut workspace.scratch;
        system.space().log_difference(&a.0, &b.0, scratch);
        let position = crate::space::length(scratch);
        scratch.assign(&a.1);
        scratch.axpy(-<M::Scalar as num_traits::One>::one(), &b.1);
        position.hypot(crate::space::length(scratch))
    }
    fn is_finite(system: &M, (q, v): &Self::Point) -> bool {
        system.space().is_finite(q) && v.all_finite()
    }
    fn check_declaration(system: &M, t: M::Scalar, (q, v): &Self::Point) -> Result<(), DeclarationError> {
        system.check_against_declaration(t, q, v)
    }
    fn ensure_inputs(system: &M, start: f64, end: f64) -> Result<(), InputError> {
        system.ensure_inputs(start, end)
    }
    fn smooth_until(system: &M, from: f64, end: f64, tolerance: f64) -> SmoothStretch {
        system.smooth_until(from, end, tolerance)
    }
    fn noted_input(system: &M) -> Option<InputError> {
        system.noted_input()
    }
    fn ensure_finite_inputs(system: &M, t: M::Scalar, (q, v): &Self::Point) -> Result<(), InputError> {
        system.ensure_finite_inputs(t, q, v)
    }
    fn membership_defect(system: &M, (q, _): &Self::Point) -> f64 {
        system.space().worst_member(q).map_or(0.0, |member| member.defect)
    }
    fn renormalize(system: &M, (q, _): &mut Self::Point) {
        system.space().renormalize(q);
    }
}
