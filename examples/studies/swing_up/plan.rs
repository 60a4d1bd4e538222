//! The result of a search and its quality, by separate runs of the whole motion that do not depend on the pieces of the search.

use lie_runtime::nalgebra::DVector;
use lie_runtime::prelude::*;
use lie_runtime::system::Liftable;

use super::error::PlanError;
use super::pieces::{axes, difference};
use super::search::{Progress, effort, largest, weight};
use super::task::{Knot, Steered, Task};

/// Steps of another method on a step of the search.
const FINER: usize = 4;
/// Inputs this close to their bound are at it.
const AT_BOUND: f64 = 1e-6;
/// How far inputs are moved for a difference.
const ASIDE: f64 = 1e-3;

/// Inputs that lead from one end to the other at the least cost.
#[derive(Debug)]
pub struct Plan<M: Steered> {
    /// Inputs of each piece.
    pub inputs: Vec<Vec<f64>>,
    /// The search.
    pub progress: Vec<Progress>,
    /// Between the pieces.
    pub knots: Vec<Knot<M>>,
    /// The multipliers of where it has to end, in coordinates along the axes there.
    end: Vec<f64>,
}

impl<M: Steered> Plan<M> {
    pub(super) fn new(inputs: Vec<Vec<f64>>, progress: Vec<Progress>, (knots, end): (Vec<Knot<M>>, Vec<f64>)) -> Self {
        Plan { inputs, progress, knots, end }
    }

    /// ∫ |u|² dt.
    pub fn effort(&self, task: &impl Task<System = M>) -> f64 {
        effort(&self.inputs, task.grid().piece())
    }

    /// ½ ∫ |u|² + |r|² dt, as it was searched for.
    pub fn cost(&self) -> f64 {
        self.progress.last().map_or(f64::NAN, |last| last.cost)
    }

    /// The used fraction of each bound in each piece.
    pub fn used(&self, task: &impl Task<System = M>) -> Vec<Vec<f64>> {
        used(task, &self.inputs)
    }

    /// Pieces with inputs at a bound.
    pub fn at_bounds(&self, task: &impl Task<System = M>) -> usize {
        self.used(task).iter().filter(|piece| piece.iter().any(|&used| used > 1.0 - AT_BOUND)).count()
    }

    /// The motion of the plan from the beginning to the end, by another method and in a quarter of the steps.
    ///
    /// # Errors
    /// [`PlanError::Run`].
    pub fn flown(&self, task: &impl Task<System = M>) -> Result<Vec<State<M>>, PlanError> {
        flown(task, &self.inputs)
    }

    /// How far this motion ends from where it has to: the largest coordinate.
    ///
    /// # Errors
    /// [`PlanError::Run`].
    pub fn missed(&self, task: &impl Task<System = M>, flown: &[State<M>]) -> Result<f64, PlanError> {
        Ok(largest(&self.missed_by(task, flown)?))
    }

    fn missed_by(&self, task: &impl Task<System = M>, flown: &[State<M>]) -> Result<DVector<f64>, PlanError> {
        let system = task.driven(&self.inputs[0]).map_err(PlanError::run)?;
        let (Some(goal), Some(last)) = (self.knots.last(), flown.last()) else {
            return Err(PlanError::run("a run without states"));
        };
        let reached = Knot { configuration: last.configuration.clone(), velocity: last.velocity.clone() };
        Ok(difference(&system, goal, &reached, &axes(&system, &goal.configuration)))
    }

    /// The largest derivative of the Lagrangian of the reduced problem, ½ ∫ |u|² + |r|² dt + ν · (final error of the whole motion). Inputs
    /// of every n-th piece are varied if their bound is not active; the derivatives are central differences of whole motions.
    ///
    /// # Errors
    /// [`PlanError::Run`].
    pub fn slope(&self, task: &impl Task<System = M>, every: usize) -> Result<f64, PlanError> {
        let nu = DVector::from_column_slice(&self.end);
        let value = |inputs: &[Vec<f64>]| -> Result<f64, PlanError> {
            let states = flown(task, inputs)?;
            Ok(cost(task, inputs, &states)? + nu.dot(&self.missed_by(task, &states)?))
        };
        let mut most = 0.0_f64;
        for (piece, used) in self.used(task).iter().enumerate().step_by(every) {
            let mut first = 0;
            for (bound, used) in task.bounds().iter().zip(used) {
                for input in (first..first + bound.numbers).filter(|_| *used < 1.0 - AT_BOUND) {
                    let aside = |by: f64| {
                        let mut inputs = self.inputs.clone();
                        inputs[piece][input] += by;
                        value(&inputs)
                    };
                    most = most.max(((aside(ASIDE)? - aside(-ASIDE)?) / (2.0 * ASIDE)).abs());
                }
                first += bound.numbers;
            }
        }
        Ok(most)
    }

    /// The largest derivative of the effort alone.
    pub fn steepness(&self, task: &impl Task<System = M>) -> f64 {
        task.grid().piece() * largest(self.inputs.iter().flatten())
    }
}

/// The fraction of each bound that these inputs use in each piece.
pub fn used(task: &impl Task, inputs: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let of = |inputs: &Vec<f64>| {
        let mut first = 0;
        let mut norms = vec![];
        for bound in task.bounds() {
            norms.push(DVector::from_column_slice(&inputs[first..first + bound.numbers]).norm() / bound.norm);
            first += bound.numbers;
        }
        norms
    };
    inputs.iter().map(of).collect()
}

/// ½ ∫ |u|² + |r|² dt of a motion, r by the trapezoidal rule on the ends of the pieces.
///
/// # Errors
/// [`PlanError::Run`].
pub fn cost<T: Task>(task: &T, inputs: &[Vec<f64>], states: &[State<T::System>]) -> Result<f64, PlanError> {
    let (grid, system) = (task.grid(), task.driven(&inputs[0]).map_err(PlanError::run)?);
    let residuals = states.iter().step_by(FINER * grid.steps).enumerate().map(|(number, state)| {
        let time = number as f64 * grid.piece();
        let found = task.residuals(time, &system.lift_configuration(&state.configuration));
        weight(number, grid.pieces, grid.piece()) * found.iter().map(|r| r.re * r.re).sum::<f64>()
    });
    Ok(0.5 * (effort(inputs, grid.piece()) + residuals.sum::<f64>()))
}

/// The motion under these inputs, from the first knot of the guess on.
///
/// # Errors
/// [`PlanError::Run`].
pub fn flown<T: Task>(task: &T, inputs: &[Vec<f64>]) -> Result<Vec<State<T::System>>, PlanError> {
    let grid = task.grid();
    let mut all: Vec<State<T::System>> = vec![];
    let mut from = task.guess().knots.swap_remove(0);
    for (number, inputs) in inputs.iter().enumerate() {
        let system = task.driven(inputs).map_err(PlanError::run)?;
        let run = Simulation::of(&system).initial(from.configuration, from.velocity).method(HalfExplicit::hedop5());
        let run = run.without_declaration_check().step(grid.step() / FINER as f64).end_time(grid.piece()).run();
        // Where a piece ends the next one begins.
        let mut states = run.map_err(PlanError::run)?.into_trajectory().states.split_off(usize::from(number > 0));
        for state in &mut states {
            state.time += number as f64 * grid.piece();
        }
        let last = states.last().ok_or_else(|| PlanError::run("a run without states"))?;
        from = Knot { configuration: last.configuration.clone(), velocity: last.velocity.clone() };
        all.extend(states);
    }
    Ok(all)
}
