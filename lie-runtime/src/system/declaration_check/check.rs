//! The comparison of declared functions and generated code, called at the start of every run.

use core::any::Any;

use super::declared::Declared;
use super::function_values::FunctionValues;
use super::{kernels, opaque_derivatives, rounding, states, symmetry};
use crate::group::{LieGroup, TangentVector};
use crate::scalar::Scalar;
use crate::space::ConfigurationSpace;
use crate::system::{DeclarationError, MechanicalSystem, ParameterSet};

/// Compares all declared functions with what was read of them, at a state and near it, and there what was derived of them with
/// differences.
///
/// # Errors
/// [`DeclarationError`] with the first function that differs.
pub fn check<M: Declared>(system: &M, t: f64, q: &M::Configuration, v: &M::Velocity) -> Result<(), DeclarationError> {
    for state in states::around(system, t, q, v) {
        let evaluation = FunctionValues::of(system, &state);
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
            .or_else(|| opaque_derivatives::disagreement(&evaluation))
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

/// log(x₀⁻¹ x): what brings an element to where it is later.
pub fn displacement_between<X: LieGroup<Scalar = f64>>(before: &X, after: &X) -> Vec<f64> {
    let displacement = before.inverse().compose(after).log();
    (0..displacement.component_count()).map(|index| displacement.component(index)).collect()
}

/// Other numbers in the place of all parameters that are numbers.
pub fn change_parameters<P: ParameterSet>(parameters: &mut P, change: &mut dyn FnMut(f64) -> f64) {
    for name in P::names() {
        let numbers = parameters.get(name).map(|value| value.numbers()).unwrap_or_default();
        let changed: Vec<f64> = numbers.into_iter().map(&mut *change).collect();
        // A parameter takes as many components as it has given.
        let _ = parameters.set(name, &changed);
    }
}
