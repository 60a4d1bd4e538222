//! Declared functions against what the macro has read of them: no run starts from a declaration that was misunderstood.
//!
//! The functions of a declaration stay functions, and beside each of them the macro leaves the expression that all kernels
//! were derived from, as straight-line code. Both are evaluated at a state and at a few near it ([`states`]), and the sums of
//! the energies are compared with the kernels that a run uses. What counts as agreement follows from how much a
//! function changes when its arguments change by round-off ([`rounding`]), so that functions with large cancellation pass and
//! whatever else differs does not. What was derived from the expressions is held to the energies and the constraints by differences
//! ([`kernels`]).

mod differences;
mod error;
mod evaluate;
mod kernels;
mod rounding;
mod slope;
mod states;
mod symmetry;

use core::any::Any;

pub use error::{CheckedState, DeclarationError, Disagreement, What};
pub use symmetry::Changed;

use self::evaluate::Evaluation;
use super::{MechanicalSystem, Momentum, Report};
use crate::group::{LieGroup, TangentVector};
use crate::scalar::Scalar;
use crate::space::ConfigurationSpace;

/// What a declared function contributes to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Share<'a> {
    /// A kinetic energy.
    Kinetic,
    /// A mass matrix, at this velocity.
    Mass(&'a [f64]),
    /// A potential.
    Potential,
    /// Neither energy.
    Other,
}

/// A declared function and what was read of it, with the arguments of one element.
pub struct Comparison<'a> {
    /// The name of the function.
    pub function: &'static str,
    /// The number of the member, if the function runs over many.
    pub element: Option<usize>,
    /// What it contributes to.
    pub share: Share<'a>,
    /// The components of what the function returns after this time along the motion t' = 1, q' = q v~, v' = v.
    pub declared: &'a dyn Fn(f64) -> Vec<f64>,
    /// The components of what was read; it calls opaque functions as well.
    pub generated: &'a dyn Fn() -> Vec<f64>,
    /// Their rates along that motion, if an opaque function takes part.
    pub rate: Option<&'a dyn Fn() -> Vec<f64>>,
    /// Of a force and of a dissipation what it gives to the energy in a unit of time: v·F, −v·∂R/∂v.
    pub power: Option<&'a dyn Fn() -> f64>,
}

/// A system with the declaration it was generated from.
pub trait Declared: Momentum + MechanicalSystem<Scalar = f64> + Report + Sized {
    /// Shows every declared function to `visit`, always in the same order.
    fn compare(&self, t: f64, q: &Self::Configuration, v: &Self::Velocity, visit: &mut dyn FnMut(&Comparison<'_>));
    /// The system with other numbers as parameters, for [`compare`](Self::compare) alone: nothing is computed from them.
    fn with_parameters(&self, change: &mut dyn FnMut(f64) -> f64) -> Self;
    /// The value of the event of this number among those of the description; NaN of others.
    fn declared_event(
        &self,
        number: usize,
        t: f64,
        q: &Self::Configuration,
        v: &Self::Velocity,
        multipliers: &Self::Multipliers,
    ) -> f64 {
        let _ = (number, t, q, v, multipliers);
        f64::NAN
    }
    /// ξ(t, q) of the symmetry of this number among those of the description; `None` of others.
    fn declared_symmetry(&self, number: usize, t: f64, q: &Self::Configuration) -> Option<Self::Velocity> {
        let _ = (number, t, q);
        None
    }
}

/// Compares all declared functions with what was read of them, at a state and near it, and there what was derived of them with
/// differences.
///
/// # Errors
/// [`DeclarationError`] with the first function that differs.
pub fn check<M: Declared>(system: &M, t: f64, q: &M::Configuration, v: &M::Velocity) -> Result<(), DeclarationError> {
    for state in states::around(system, t, q, v) {
        let evaluation = Evaluation::of(system, &state);
        if let Some(panic) = evaluation.panic().filter(|_| state.is_given) {
            let state = Box::new(state.told(system));
            return Err(DeclarationError::Panics {
                function: panic.function,
                element: panic.element,
                message: panic.message.clone(),
                state,
            });
        }
        let found = rounding::disagreement(system, &state, &evaluation)
            .or_else(|| slope::disagreement(&evaluation))
            .or_else(|| kernels::disagreement(system, &state, &evaluation));
        if let Some(disagreement) = found {
            return Err(DeclarationError::Disagrees { disagreement, state: Box::new(state.told(system)) });
        }
        if let Some(changed) = symmetry::changed(system, &state) {
            return Err(DeclarationError::NotSymmetric(changed));
        }
    }
    Ok(())
}

/// The comparison of a generated system whose numbers are `f64`; others have no declared functions that could be called.
///
/// # Errors
/// `DeclarationError`, as `check_against_declaration` of the system.
pub fn check_in_f64<M, R>(
    system: &M,
    t: M::Scalar,
    q: &M::Configuration,
    v: &M::Velocity,
) -> Result<(), DeclarationError>
where
    M: MechanicalSystem<Configuration: 'static, Velocity: 'static> + 'static,
    R: Declared<Configuration: 'static, Velocity: 'static> + 'static,
{
    match in_f64::<M, R>(system, q, v) {
        Some((system, q, v)) => check(system, t.value(), q, v),
        None => Ok(()),
    }
}

/// What a force gives to the energy in a unit of time along a velocity; nothing where that is zero.
pub fn power_along(force: &[f64], velocity: &[f64]) -> f64 {
    let products = force.iter().zip(velocity).filter(|&(_, &velocity)| velocity != 0.0);
    products.map(|(force, velocity)| force * velocity).sum()
}

/// Shows the powers of a generated system whose numbers are `f64`; true if it has been one.
pub fn powers_in_f64<M, R>(
    system: &M,
    (t, q, v): (M::Scalar, &M::Configuration, &M::Velocity),
    visit: &mut dyn FnMut(&'static str, f64),
) -> bool
where
    M: MechanicalSystem<Configuration: 'static, Velocity: 'static> + 'static,
    R: Declared<Configuration: 'static, Velocity: 'static> + 'static,
{
    let Some((system, q, v)) = in_f64::<M, R>(system, q, v) else { return false };
    system.compare(t.value(), q, v, &mut |comparison| {
        if let Some(power) = comparison.power {
            visit(comparison.function, power());
        }
    });
    true
}

/// ξ of a symmetry of a generated system whose numbers are `f64`.
pub fn symmetry_in_f64<M, R>(system: &M, number: usize, t: M::Scalar, q: &M::Configuration) -> Option<M::Velocity>
where
    M: MechanicalSystem<Configuration: 'static, Velocity: 'static> + 'static,
    R: Declared<Configuration: 'static, Velocity: 'static> + 'static,
{
    let (system, q): (&R, &R::Configuration) = ((system as &dyn Any).downcast_ref()?, (q as &dyn Any).downcast_ref()?);
    let found = system.declared_symmetry(number, t.value(), q)?;
    (&found as &dyn Any).downcast_ref().cloned()
}

/// A generated system and a state of it, if its numbers are `f64`.
fn in_f64<'a, M, R>(
    system: &'a M,
    q: &'a M::Configuration,
    v: &'a M::Velocity,
) -> Option<(&'a R, &'a R::Configuration, &'a R::Velocity)>
where
    M: MechanicalSystem<Configuration: 'static, Velocity: 'static> + 'static,
    R: Declared<Configuration: 'static, Velocity: 'static> + 'static,
{
    let system: &R = (system as &dyn Any).downcast_ref()?;
    let (q, v) = ((q as &dyn Any).downcast_ref()?, (v as &dyn Any).downcast_ref()?);
    system.space().check(q).is_ok().then_some((system, q, v))
}

/// (t, q, v) after the time `step` along t' = 1, q' = q v~, v' = v.
pub fn moved_along<M: MechanicalSystem<Scalar = f64>>(
    system: &M,
    (t, q, v): (f64, &M::Configuration, &M::Velocity),
    step: f64,
) -> (f64, M::Configuration, M::Velocity) {
    let (mut increment, mut velocity, mut configuration) = (v.clone(), v.clone(), q.clone());
    increment.scale(step);
    velocity.scale(1.0 + step);
    system.space().compose_exp(q, &increment, &mut configuration);
    (t + step, configuration, velocity)
}

/// log(x₀⁻¹ x): what brings an element to where it is later.
pub fn displacement_between<X: LieGroup<Scalar = f64>>(before: &X, after: &X) -> Vec<f64> {
    let displacement = before.inverse().compose(after).log();
    (0..displacement.component_count()).map(|index| displacement.component(index)).collect()
}

/// Other numbers in the place of all parameters that are numbers.
pub fn change_parameters<P: super::ParameterSet>(parameters: &mut P, change: &mut dyn FnMut(f64) -> f64) {
    for name in P::names() {
        let numbers = parameters.get(name).map(|value| value.numbers()).unwrap_or_default();
        let changed: Vec<f64> = numbers.into_iter().map(&mut *change).collect();
        // A parameter takes as many components as it has given.
        let _ = parameters.set(name, &changed);
    }
}
