//! Mechanical systems of second order as equations of first order for (q, v).

use core::marker::PhantomData;

use super::FieldState;
use super::FirstOrder;
use crate::group::{Apart, TangentVector};
use crate::inputs::InputError;
use crate::problem::{Problem, StepFailure};
use crate::space::ConfigurationSpace;
use crate::system::index_one::index_one;
use crate::system::{DeclarationError, MechanicalSystem, SaddleError};

/// A [`MechanicalSystem`] as a vector field on G × R^n: q' = q v~, v' = M⁻¹(−g − Bᵀ λ).
///
/// The multipliers are those of the index-1 form, B v' + curvature = 0: constraints hold as well as the method keeps
/// invariants, and drift with its order. The group acts by (θ, w): (q, v) ↦ (q exp(θ), v + w). That is a right
/// multiplication, so that dexp⁻¹ is T(θ)⁻¹ and the bracket has the sign of the opposite group.
///
/// On [spheres](crate::space::S2) SE(3) acts on (q, ω) instead, with f = (ω, q × ω') (paper 3, section 5.1): |q| = 1 and
/// q · ω = 0 hold to round-off.
pub struct Mechanical<M: ?Sized>(PhantomData<fn(&M)>);

/// The buffers of an evaluation.
pub struct MechanicalWorkspace<M: MechanicalSystem + ?Sized> {
    force: M::Velocity,
    /// Velocities that are needed for a moment.
    scratch: M::Velocity,
    others: [M::Velocity; 3],
    /// v' of the last evaluation.
    pub(crate) acceleration: M::Velocity,
    mass: M::Mass,
    mass_is_factorised: bool,
    jacobian: M::Jacobian,
    residual: M::Multipliers,
    /// λ of the last evaluation.
    pub(crate) multipliers: M::Multipliers,
    /// Saddle-point systems solved.
    pub(crate) linear_solves: u64,
}

impl<M: MechanicalSystem + ?Sized> MechanicalWorkspace<M> {
    /// v' and λ at (t, q, v).
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn accelerations(
        &mut self,
        system: &M,
        t: M::Scalar,
        q: &M::Configuration,
        v: &M::Velocity,
    ) -> Result<(), SaddleError> {
        let Self { mass, mass_is_factorised, jacobian, force, residual, acceleration, multipliers, .. } = self;
        let (at, mass) = ((t, q, v), (mass, mass_is_factorised));
        let is_constrained = index_one(system, at, mass, jacobian, force, residual, acceleration, multipliers)?;
        self.linear_solves += u64::from(is_constrained);
        Ok(())
    }
}

impl<M: MechanicalSystem + ?Sized> Problem for Mechanical<M> {
    type System = M;
    type State = FieldState<Self>;
}

impl<M: MechanicalSystem + ?Sized> FirstOrder for Mechanical<M> {
    type Scalar = M::Scalar;
    type Point = (M::Configuration, M::Velocity);
    /// The rate of q is known before that of v, which the next stage of a method need not wait for.
    type Algebra = (Apart<M::Velocity>, M::Velocity);
    type Workspace = MechanicalWorkspace<M>;

    fn zero(system: &M) -> Self::Algebra {
        (Apart(system.zero_velocity()), system.zero_velocity())
    }
    fn workspace(system: &M) -> Self::Workspace {
        MechanicalWorkspace {
            force: system.zero_velocity(),
            scratch: system.zero_velocity(),
            others: core::array::from_fn(|_| system.zero_velocity()),
            acceleration: system.zero_velocity(),
            mass: system.zero_mass(),
            mass_is_factorised: false,
            jacobian: system.zero_jacobian(),
            residual: system.zero_multipliers(),
            multipliers: system.zero_multipliers(),
            linear_solves: 0,
        }
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
        workspace.accelerations(system, t, q, v).map_err(|error| StepFailure::of_saddle_at(error, system, t, q))?;
        system.space().state_direction(q, &workspace.acceleration, &mut out.1);
        Ok(())
    }
    // A call would hand everything over in memory.
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
