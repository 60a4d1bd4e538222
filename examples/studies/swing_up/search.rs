//! Direct multiple shooting: knots, pieces between them, and Gauss-Newton steps with bounds (H. G. Bock, K. J. Plitt, IFAC World Congress
//! 1984).

use harness::study::in_parallel;
use lie_runtime::nalgebra::{DMatrix, DVector};
use lie_runtime::prelude::*;
use lie_runtime::system::Liftable;

use super::error::PlanError;
use super::pieces::{Piece, aside, axes, defect_of, moved, piece};
use super::plan::Plan;
use super::quadratic::{Residual, Step, step};
use super::task::{Guess, Task};

/// The search has ended where no defect is longer, and no change of an input greater, in parts of the widest bound.
const ENOUGH: f64 = 1e-10;
const ENOUGH_CHANGE: f64 = 1e-6;
const ITERATIONS: usize = 200;
/// The penalty of a unit of a defect: more than any of its multipliers, so that the least value has no defect (S.-P. Han, J. Optim. Theory
/// Appl. 22, 1977).
const PENALTY: f64 = 1e3;
/// A step that leaves more than this part of the defects counts as a failure. After `WAITED` failures in a row the penalty grows by the
/// factor `DEARER`, and after `PATIENCE` failures the search ends.
const OPEN: f64 = 0.9;
const WAITED: usize = 3;
const DEARER: f64 = 3.0;
const PATIENCE: usize = 20;
/// The part of the promised descent that a step has to keep (L. Armijo 1966), and the shortest one.
const KEPT: f64 = 1e-4;
const SHORTEST: f64 = 1e-6;
/// Damping after a step that is too long for its linearised pieces (K. Levenberg 1944), relative to the weight of the inputs: its initial
/// value, its growth, its decrease after full steps, and its maximum.
const DAMPED: f64 = 0.1;
const MORE: f64 = 4.0;
const LESS: f64 = 0.5;
const DAMPEST: f64 = 1e4;

/// A step of the search, before it is made.
#[derive(Clone, Debug)]
pub struct Progress {
    /// ∫ |u|² dt.
    pub effort: f64,
    /// ½ ∫ |u|² + |r|² dt.
    pub cost: f64,
    /// The length of the longest defect.
    pub defect: f64,
    /// The largest change of an input that the quadratic problem asks for.
    pub change: f64,
    /// The part of the step that is made.
    pub length: f64,
}

/// The largest size of a number.
pub fn largest<'a>(numbers: impl IntoIterator<Item = &'a f64>) -> f64 {
    numbers.into_iter().fold(0.0, |most: f64, number| most.max(number.abs()))
}

/// The sum of |u|² over all pieces, times the length of a piece.
pub fn effort(inputs: &[Vec<f64>], h: f64) -> f64 {
    h * inputs.iter().flatten().map(|input| input * input).sum::<f64>()
}

/// The time that a knot stands for in an integral: by the trapezoidal rule.
pub fn weight(number: usize, pieces: usize, h: f64) -> f64 {
    if number.is_multiple_of(pieces) { 0.5 * h } else { h }
}

/// The current state of a search.
struct Search<'t, T: Task> {
    task: &'t T,
    system: T::System,
    lifted: <T::System as Liftable>::Lifted,
    at: Guess<T::System>,
}

impl<T: Task> Search<'_, T> {
    /// r of a knot.
    fn residual(&self, number: usize, q: &<T::System as MechanicalSystem>::Configuration) -> DVector<f64> {
        let time = self.task.grid().piece() * number as f64;
        let found = self.task.residuals(time, &self.system.lift_configuration(q));
        DVector::from_iterator(found.len(), found.iter().map(|number| number.re))
    }

    /// ½ ∫ |u|² + |r|² dt.
    fn cost(&self, Guess { knots, inputs }: &Guess<T::System>) -> f64 {
        let h = self.task.grid().piece();
        let residuals = knots.iter().enumerate().map(|(number, knot)| {
            weight(number, inputs.len(), h) * self.residual(number, &knot.configuration).norm_squared()
        });
        0.5 * (effort(inputs, h) + residuals.sum::<f64>())
    }

    /// The residual at a knot, with its derivative.
    fn residuals_at(&self, number: usize, axes: &[<T::System as MechanicalSystem>::Velocity]) -> Residual {
        let grid = self.task.grid();
        let q = &self.at.knots[number].configuration;
        let value = self.residual(number, q);
        let mut slope = DMatrix::zeros(value.len(), 2 * axes.len());
        for (column, axis) in axes.iter().enumerate() {
            let aside = aside(&self.system, &self.lifted, q, axis);
            let found = self.task.residuals(grid.piece() * number as f64, &aside);
            found.iter().enumerate().for_each(|(row, number)| slope[(row, column)] = number.eps);
        }
        Residual { value, slope, weight: weight(number, grid.pieces, grid.piece()) }
    }

    /// All pieces, with their derivatives.
    fn pieces(&self, axes: &[Vec<<T::System as MechanicalSystem>::Velocity>]) -> Result<Vec<Piece>, PlanError> {
        let Guess { knots, inputs } = &self.at;
        in_parallel(inputs.len(), |at| {
            piece(self.task, (&knots[at], &axes[at]), &inputs[at], (&knots[at + 1], &axes[at + 1]))
        })
    }

    /// A part of a step, made.
    fn moved(
        &self,
        step: &Step,
        length: f64,
        axes: &[Vec<<T::System as MechanicalSystem>::Velocity>],
    ) -> Guess<T::System> {
        let part = |change: &[f64]| change.iter().map(|x| length * x).collect::<Vec<f64>>();
        let Guess { knots, inputs } = &self.at;
        let knots = (0..knots.len())
            .map(|number| moved(&self.system, &knots[number], &axes[number], &part(&step.knots[number])))
            .collect();
        let changed = |(inputs, change): (&Vec<f64>, &Vec<f64>)| {
            inputs.iter().zip(part(change)).map(|(input, change)| input + change).collect()
        };
        Guess { knots, inputs: inputs.iter().zip(&step.inputs).map(changed).collect() }
    }

    /// The sum of the lengths of all defects.
    fn missed(&self, Guess { knots, inputs }: &Guess<T::System>) -> Result<f64, PlanError> {
        let task = self.task;
        let lengths =
            in_parallel(inputs.len(), |at| Ok(defect_of(task, &knots[at], &inputs[at], &knots[at + 1])?.norm()));
        Ok(lengths?.iter().sum())
    }

    /// The derivative of the cost along a step.
    fn slope(&self, step: &Step, residuals: &[Residual]) -> f64 {
        let h = self.task.grid().piece();
        let numbers = |inputs: &[Vec<f64>]| DVector::from_vec(inputs.concat());
        let along_inputs = h * numbers(&self.at.inputs).dot(&numbers(&step.inputs));
        let along_knots = residuals.iter().zip(&step.knots).map(|(residual, change)| {
            residual.weight * residual.value.dot(&(&residual.slope * DVector::from_column_slice(change)))
        });
        along_inputs + along_knots.sum::<f64>()
    }
}

/// Checks that a task is one.
fn checked<T: Task>(task: &T) -> Result<Guess<T::System>, PlanError> {
    let (grid, guess, bounds) = (task.grid(), task.guess(), task.bounds());
    let wrong = |what: String| Err(PlanError::Task(what));
    if !(grid.end > 0.0 && grid.end.is_finite() && grid.pieces > 0 && grid.steps > 0) {
        return wrong(format!("{grid:?} has no time, no pieces or no steps"));
    }
    if guess.knots.len() != grid.pieces + 1 || guess.inputs.len() != grid.pieces {
        let (knots, inputs) = (guess.knots.len(), guess.inputs.len());
        return wrong(format!("{} pieces have {knots} knots and inputs for {inputs}", grid.pieces));
    }
    let numbers: usize = bounds.iter().map(|bound| bound.numbers).sum();
    if let Some(inputs) = guess.inputs.iter().find(|inputs| inputs.len() != numbers) {
        return wrong(format!("its bounds have {numbers} inputs, a piece of the guess has {}", inputs.len()));
    }
    if let Some(bound) = bounds.iter().find(|bound| !(bound.norm > 0.0 && bound.norm.is_finite())) {
        return wrong(format!("a bound of {} leaves no inputs; give a positive number", bound.norm));
    }
    Ok(guess)
}

/// Looks for the inputs of least cost.
///
/// # Errors
/// [`PlanError`].
pub fn search<T: Task>(task: &T) -> Result<Plan<T::System>, PlanError> {
    let at = checked(task)?;
    let system = task.driven(&at.inputs[0]).map_err(PlanError::run)?;
    let lifted = system.lift();
    let mut search = Search { task, system, lifted, at };
    let (bounds, h) = (task.bounds(), task.grid().piece());
    let widest = bounds.iter().map(|bound| bound.norm).fold(0.0, f64::max);
    let (mut progress, mut penalty): (Vec<Progress>, f64) = (vec![], PENALTY);
    let (mut damping, mut open): (f64, usize) = (0.0, 0);
    for _ in 0..ITERATIONS {
        let axes: Vec<_> = search.at.knots.iter().map(|knot| axes(&search.system, &knot.configuration)).collect();
        let pieces = search.pieces(&axes)?;
        let residuals: Vec<Residual> =
            axes.iter().enumerate().map(|(number, axes)| search.residuals_at(number, axes)).collect();
        let step = match step(&pieces, &residuals, &search.at.inputs, &bounds, (h, penalty, damping)) {
            Ok(step) => step,
            // A problem that is too hard for its solver is easier where it is damped.
            Err(PlanError::Quadratic(_)) if damping < DAMPEST => {
                damping = f64::max(MORE * damping, DAMPED);
                continue;
            }
            Err(error) => return Err(error),
        };
        let lengths: Vec<f64> = pieces.iter().map(|piece| piece.defect.norm()).collect();
        let (defect, missed) = (largest(&lengths), lengths.iter().sum::<f64>());
        let change = largest(step.inputs.iter().flatten());
        let (effort, cost) = (effort(&search.at.inputs, h), search.cost(&search.at));
        let made = |length: f64| Progress { effort, cost, defect, change, length };
        if defect < ENOUGH && change < ENOUGH_CHANGE * widest {
            progress.push(made(0.0));
            return Ok(Plan::new(search.at.inputs, progress, (search.at.knots, step.end)));
        }
        let promised = search.slope(&step, &residuals) + penalty * (step.left - missed);
        let merit = cost + penalty * missed;
        // Near the end all that is left to gain is rounding.
        let rounding = 1e-12 * merit.abs();
        let mut length = 1.0;
        let next = loop {
            let next = search.moved(&step, length, &axes);
            let reached = search.cost(&next) + penalty * search.missed(&next)?;
            if reached <= merit + KEPT * length * promised + rounding {
                break Some(next);
            }
            length *= 0.5;
            if length < SHORTEST {
                break None;
            }
        };
        // The penalty of defects that no inputs close may be too small.
        open = if defect > ENOUGH && step.left > OPEN * missed { open + 1 } else { 0 };
        if open == PATIENCE {
            let worst = lengths.iter().position(|&length| length == defect).unwrap_or_default();
            return Err(PlanError::Infeasible { time: (worst + 1) as f64 * h, defect });
        }
        if open > 0 && open.is_multiple_of(WAITED) {
            penalty *= DEARER;
        }
        damping = if length < 1.0 { f64::max(MORE * damping, DAMPED) } else { LESS * damping };
        progress.push(made(if next.is_some() { length } else { 0.0 }));
        match next {
            Some(next) => search.at = next,
            None if open > 0 => {}
            None => break,
        }
    }
    let (defect, change) = progress.last().map_or((f64::NAN, f64::NAN), |last| (last.defect, last.change));
    Err(PlanError::Unfinished { steps: progress.len(), defect, change })
}
