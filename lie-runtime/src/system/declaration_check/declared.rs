//! [`Declared`]: a generated system together with the functions that it was generated from.

use crate::group::TangentVector;
use crate::space::ConfigurationSpace;
use crate::system::{MechanicalSystem, Momentum, Report};

/// The energy that a declared function contributes to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum EnergyContribution<'a> {
    /// A kinetic energy.
    Kinetic,
    /// A mass matrix, evaluated at this velocity.
    Mass(&'a [f64]),
    /// A potential.
    Potential,
    /// The derivatives of auxiliary states: their product with the states is not a power.
    States,
    /// No energy.
    Other,
}

/// A declared function and its generated expression, with the arguments of one element.
pub struct FunctionComparison<'a> {
    /// The name of the function.
    pub function: &'static str,
    /// The number of the member, if the function runs over many members.
    pub element: Option<usize>,
    /// The energy that it contributes to.
    pub share: EnergyContribution<'a>,
    /// The components of the function's result after this time along the motion t' = 1, q' = q v~, v' = v.
    pub declared: &'a dyn Fn(f64) -> Vec<f64>,
    /// The components of the generated expression, which calls opaque functions as well.
    pub generated: &'a dyn Fn() -> Vec<f64>,
    /// Their rates along that motion, if the expression contains an opaque function.
    pub rate: Option<&'a dyn Fn() -> Vec<f64>>,
    /// The power of a force or dissipation, v·F or −v·∂R/∂v.
    pub power: Option<&'a dyn Fn() -> f64>,
}

/// A system together with the declaration that it was generated from.
pub trait Declared: Momentum + MechanicalSystem<Scalar = f64> + Report + Sized {
    /// Calls `visit` with every declared function, always in the same order.
    fn compare(
        &self,
        t: f64,
        q: &Self::Configuration,
        v: &Self::Velocity,
        visit: &mut dyn FnMut(&FunctionComparison<'_>),
    );
    /// Returns the system with other parameter values, for [`compare`](Self::compare) only: nothing is computed from
    /// them.
    fn perturbed(&self, change: &mut dyn FnMut(f64) -> f64) -> Self;
    /// Returns the value of an event by its position in the description; NaN for an unknown position.
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
    /// Returns ξ(t, q) of a symmetry by its position in the description; `None` for an unknown position.
    fn declared_symmetry(&self, number: usize, t: f64, q: &Self::Configuration) -> Option<Self::Velocity> {
        let _ = (number, t, q);
        None
    }
}

/// Returns (t, q, v) after the time `step` along t' = 1, q' = q v~, v' = v.
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
