//! The task of a search: a system, its inputs with their bounds, and a first guess.

use core::fmt;

use lie_runtime::prelude::*;
use lie_runtime::scalar::Dual;
use lie_runtime::system::{Liftable, ModelError, Reverse, TangentSystem};

/// A system that plans are made for: one with gradients.
pub trait Steered:
    MechanicalSystem<Scalar = f64, Configuration: Send + Sync, Velocity: Send + Sync> + Reverse + TangentSystem + 'static
{
}

impl<M> Steered for M where
    M: MechanicalSystem<Scalar = f64, Configuration: Send + Sync, Velocity: Send + Sync>
        + Reverse
        + TangentSystem
        + 'static
{
}

/// A configuration on dual numbers.
pub type Lifted<M> = <<M as Liftable>::Lifted as MechanicalSystem>::Configuration;

/// How time is divided.
#[derive(Clone, Copy, Debug)]
pub struct Grid {
    /// How long the motion takes [s].
    pub end: f64,
    /// Pieces on which the inputs are constant.
    pub pieces: usize,
    /// Steps on each of them.
    pub steps: usize,
}

impl Grid {
    /// How long a piece is.
    pub fn piece(&self) -> f64 {
        self.end / self.pieces as f64
    }

    /// How long a step is.
    pub fn step(&self) -> f64 {
        self.piece() / self.steps as f64
    }
}

/// The bound of the Euclidean norm of a group of inputs, which follows the group of the previous bound.
#[derive(Clone, Copy, Debug)]
pub struct Bound {
    /// How many numbers.
    pub numbers: usize,
    /// Their norm is at most this.
    pub norm: f64,
}

/// Configuration and velocity between two pieces.
pub struct Knot<M: MechanicalSystem> {
    /// q.
    pub configuration: M::Configuration,
    /// v.
    pub velocity: M::Velocity,
}

impl<M: MechanicalSystem> Clone for Knot<M> {
    fn clone(&self) -> Self {
        Knot { configuration: self.configuration.clone(), velocity: self.velocity.clone() }
    }
}

impl<M: MechanicalSystem> fmt::Debug for Knot<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Knot").field("configuration", &self.configuration).field("velocity", &self.velocity).finish()
    }
}

/// The initial guess of a search, which need not be a motion. Its first and its last knot stay as they are.
#[derive(Clone, Debug)]
pub struct Guess<M: MechanicalSystem> {
    /// One more than there are pieces.
    pub knots: Vec<Knot<M>>,
    /// Inputs of each piece.
    pub inputs: Vec<Vec<f64>>,
}

/// From one state to another in a given time, with the least ½ ∫ |u|² + |r(t, q)|² dt.
pub trait Task: Sync {
    /// The system.
    type System: Steered;

    /// Pieces and steps.
    fn grid(&self) -> Grid;
    /// The system under constant inputs.
    ///
    /// # Errors
    /// The error of invalid parameters.
    fn driven(&self, inputs: &[f64]) -> Result<Self::System, ModelError>;
    /// The bounds, which have all inputs between them.
    fn bounds(&self) -> Vec<Bound>;
    /// The first guess, and with it both ends.
    fn guess(&self) -> Guess<Self::System>;
    /// The residual r that is minimised in addition to the inputs; by default empty.
    fn residuals(&self, time: f64, configuration: &Lifted<Self::System>) -> Vec<Dual<f64>> {
        let _ = (time, configuration);
        Vec::new()
    }
}
