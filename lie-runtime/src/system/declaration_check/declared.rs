//! [`Declared`]: a generated system together with the functions that it was generated from.

use crate::group::TangentVector;
use crate::space::ConfigurationSpace;
use crate::system::{MechanicalSystem, Momentum, Report};

/// What a declared function contributes to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum EnergyContribution<'a> {
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
pub struct FunctionComparison<'a> {
    /// The name of the function.
    pub function: &'static str,
    /// The number of the member, if the function runs over many.
    pub element: Option<usize>,
    /// What it contributes to.
    pub share: EnergyContribution<'a>,
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
    fn compare(
        &self,
        t: f64,
        q: &Self::Configuration,
        v: &Self::Velocity,
        visit: &mut dyn FnMut(&FunctionComparison<'_>),
    );
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
