//! The comparison of declared functions and generated code at the start of a run.

use core::any::Any;

use super::declared::{Declared, EnergyContribution};
use super::function_values::FunctionValues;
use super::{kernels, opaque_derivatives, rounding, states, symmetry};
use crate::group::{LieGroup, TangentVector};
use crate::scalar::Scalar;
use crate::space::ConfigurationSpace;
use crate::system::{DeclarationError, MechanicalSystem, ParameterSet};

/// Compares all declared functions with their generated expressions at a state and close to it, and the derived kernels
/// with finite differences.
///
/// # Errors
/// [`DeclarationError`] with the first function that differs.
pub fn check<M: Declared>(system: &M, t: f64, q: &M::Configuration, v: &M::Velocity) -> Result<(), DeclarationError> {
    for state in states::nearby_states(system, t, q, v) {
        let evaluation = FunctionValues::of(system, &state);
        if let Some(panic) = evaluation.panic().filter(|_| state.is_given) {
            let state = Box::new(state.checked_state(system));
            return Err(DeclarationError::Panics {
                function: panic.function,
                element: panic.element,
                message: panic.message.clone(),
                state,
            });
        }
        let found = rounding::disagreement(system, &state, &evaluation)
            .or_else(|| opaque_derivatives::disagreement(&evaluation))
            .or_else(|| kernels::disagreement(system, &state, &evaluation));
        if let Some(disagreement) = found {
            return Err(DeclarationError::Disagrees { disagreement, state: Box::new(state.checked_state(system)) });
        }
        if let Some(changed) = symmetry::changed(system, &state) {
            return Err(DeclarationError::NotSymmetric(changed));
        }
    }
    Ok(())
}

/// Runs the check for a generated system on `f64`. Systems on other scalars have no declared functions that could be
/// called.
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

/// Returns the power of a force along a velocity; zero components of the velocity are skipped, so that NaN forces there
/// do not matter.
pub fn power_along(force: &[f64], velocity: &[f64]) -> f64 {
    let products = force.iter().zip(velocity).filter(|&(_, &velocity)| velocity != 0.0);
    products.map(|(force, velocity)| force * velocity).sum()
}

/// Calls `visit` with the powers of a generated system on `f64`; returns false for other systems.
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
        if let Some(power) = comparison.power.filter(|_| comparison.share != EnergyContribution::States) {
            visit(comparison.function, power());
        }
    });
    true
}

/// Returns ξ of a symmetry of a generated system on `f64`.
pub fn symmetry_in_f64<M, R>(system: &M, number: usize, t: M::Scalar, q: &M::Configuration) -> Option<M::Velocity>
where
    M: MechanicalSystem<Configuration: 'static, Velocity: 'static> + 'static,
    R: Declared<Configuration: 'static, Velocity: 'static> + 'static,
{
    let (system, q): (&R, &R::Configuration) = ((system as &dyn Any).downcast_ref()?, (q as &dyn Any).downcast_ref()?);
    let found = system.declared_symmetry(number, t.value(), q)?;
    (&found as &dyn Any).downcast_ref().cloned()
}

/// Returns a generated system and its state, if its scalar is `f64`.
pub(super) fn in_f64<'a, M, R>(
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

/// log(x₀⁻¹ x): the displacement from an element to a later one.
pub fn displacement_between<X: LieGroup<Scalar = f64>>(before: &X, after: &X) -> Vec<f64> {
    let displacement = before.inverse().compose(after).log();
    (0..displacement.component_count()).map(|index| displacement.component(index)).collect()
}

/// Replaces the value of every numerical parameter.
pub fn change_parameters<P: ParameterSet>(parameters: &mut P, change: &mut dyn FnMut(f64) -> f64) {
    for name in parameters.names() {
        let mut numbers = parameters.get(name).map(|value| value.numbers()).unwrap_or_default();
        for number in &mut numbers {
            *number = change(*number);
        }
        // A parameter accepts as many components as it has reported.
        let _ = parameters.set(name, &numbers);
    }
}
