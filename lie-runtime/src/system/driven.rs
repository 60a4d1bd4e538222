//! Systems that are given inputs.

use super::MechanicalSystem;
use crate::inputs::InputSet;

/// A system that takes inputs: what a declaration with `#[inputs]` generates.
pub trait Driven: MechanicalSystem + Clone {
    /// The struct of inputs.
    type Inputs: InputSet<Scalar = Self::Scalar>;
    /// The velocity with named members.
    type NamedVelocity;

    /// The velocity with named members.
    fn named(&self, v: &Self::Velocity) -> Self::NamedVelocity;
    /// Holds the inputs from now on, as far as they are not prescribed by a function of time.
    fn hold(&mut self, inputs: Self::Inputs);
    /// Gives it these inputs for all times, whatever gave them before, also those that constraints and potentials read.
    fn fix(&mut self, inputs: Self::Inputs);
}
