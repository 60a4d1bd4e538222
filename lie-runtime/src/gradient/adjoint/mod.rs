//! Discrete adjoints: the gradient of an objective with respect to everything at once, backwards in time.
//!
//! A run records its steps; then the cotangent of the state, ∂J/∂(q, v, λ, v'), goes back from each to the one before, through
//! the very formulas of the method, whose stages are computed once more. What that costs does not depend on the number of
//! parameters.

mod cotangent;
mod explicit;
mod implicit;
mod initial;
mod methods;

pub use cotangent::Cotangent;
pub use methods::Adjoint;

use core::ops::ControlFlow;

use super::error::GradientError;
use super::objective::{Objective, When};
use super::{Direction, forward};
use crate::group::TangentVector;
use crate::integrator::{State, StepError};
use crate::scalar::Dual;
use crate::simulate::{Simulation, Trajectory};
use crate::space::ConfigurationSpace;
use crate::system::lists::name_among_items;
use crate::system::value::is_within;
use crate::system::{MechanicalSystem, ParameterSet, Reverse, Varied};

/// Corrections of initial values under this size are round-off.
const CONSISTENT: f64 = 1e-10;
/// Times that differ by less than this part of a step are the same.
const SAME_TIME: f64 = 1e-6;

/// A method on its way back through a run, with its buffers.
pub trait Retraced<M: Reverse> {
    /// From the cotangent of `to` to that of `from`, the step before; adds to those of the parameters.
    ///
    /// # Errors
    /// [`StepError`] if a linear system of the step has no solution.
    fn step_back(
        &mut self,
        system: &M,
        from: &State<M>,
        to: &State<M>,
        cotangent: &mut Cotangent<M>,
    ) -> Result<(), StepError>;
    /// From the cotangent of the first state to those of the initial values that were consistent with the constraints.
    ///
    /// # Errors
    /// [`StepError`] if the constraints have lost rank.
    fn start_back(&mut self, system: &M, state: &State<M>, cotangent: &mut Cotangent<M>) -> Result<(), StepError>;
}

/// A number with its gradient.
pub struct Gradient<M: MechanicalSystem> {
    /// J.
    pub value: f64,
    /// The names of the numbers of the parameters.
    pub names: Vec<String>,
    /// ∂J by each of them.
    pub parameters: Vec<f64>,
    /// ∂J by the inputs at each time at which the method has evaluated the equations, in order: the numbers of the inputs in the order
    /// of their declaration.
    inputs: Vec<(f64, Vec<f64>)>,
    /// How many numbers the inputs have.
    input_count: usize,
    /// True if constraints read rates of inputs.
    reads_rates: bool,
    /// ∂J by q₀, in the algebra: along q₀ exp(ε eᵢ).
    pub configuration: M::Velocity,
    /// ∂J by v₀.
    pub velocity: M::Velocity,
    /// The run.
    pub trajectory: Trajectory<M>,
}

impl<M: MechanicalSystem> Gradient<M> {
    /// The derivative by a number of the parameters: `mass`, `inertia[0][1]`, `sections[3].area`.
    ///
    /// # Errors
    /// [`DirectionError::NoNumber`](super::DirectionError::NoNumber) with the names there are.
    pub fn by(&self, name: &str) -> Result<f64, super::DirectionError> {
        let among_items = name_among_items(name);
        match self.names.iter().position(|known| known == name || Some(known) == among_items.as_ref()) {
            Some(at) => Ok(self.parameters[at]),
            None => Err(self.unknown(name)),
        }
    }

    /// The derivatives by all numbers of a parameter, in order: of `inertia` nine, of `stiffness` one for each item of a list, of
    /// `sections[3].size` those of an item.
    ///
    /// # Errors
    /// [`DirectionError::NoNumber`](super::DirectionError::NoNumber) with the names there are.
    pub fn all_of(&self, name: &str) -> Result<Vec<f64>, super::DirectionError> {
        let among_items = name_among_items(name);
        let is_meant = |known: &str| {
            is_within(known, name) || among_items.as_deref().is_some_and(|among_items| is_within(known, among_items))
        };
        let numbers = self.names.iter().zip(&self.parameters).filter(|(known, _)| is_meant(known));
        let found: Vec<f64> = numbers.map(|(_, &slope)| slope).collect();
        if found.is_empty() { Err(self.unknown(name)) } else { Ok(found) }
    }

    fn unknown(&self, name: &str) -> super::DirectionError {
        super::DirectionError::NoNumber { name: name.to_owned(), known: self.names.clone() }
    }
}

impl<M: MechanicalSystem> Gradient<M> {
    /// The derivatives by inputs that are constant from each of these times to the next, and after the last: for every piece the numbers
    /// of the inputs in the order of their declaration, matrices by rows.
    ///
    /// An instant within a millionth of a step of a time is at it, and belongs to the piece that begins there.
    ///
    /// # Errors
    /// [`DirectionError::Rates`](super::DirectionError::Rates) if constraints read the inputs, and with them their rates, which pieces do not have.
    pub fn by_inputs(&self, times: &[f64]) -> Result<Vec<Vec<f64>>, super::DirectionError> {
        if self.reads_rates {
            return Err(super::DirectionError::Rates);
        }
        let run: Vec<f64> = self.trajectory.times().collect();
        let smallest = run.windows(2).map(|pair| pair[1] - pair[0]).fold(f64::INFINITY, f64::min);
        let mut pieces = vec![vec![0.0; self.input_count]; times.len()];
        for (time, slopes) in &self.inputs {
            // Before all pieces there is none.
            if let Some(piece) = times.iter().rposition(|&begin| begin <= time + SAME_TIME * smallest) {
                for (sum, slope) in pieces[piece].iter_mut().zip(slopes) {
                    *sum += slope;
                }
            }
        }
        Ok(pieces)
    }
}

impl<M: MechanicalSystem> core::fmt::Debug for Gradient<M> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Gradient")
            .field("value", &self.value)
            .field("names", &self.names)
            .field("parameters", &self.parameters)
            .field("configuration", &self.configuration)
            .field("velocity", &self.velocity)
            .finish_non_exhaustive()
    }
}

impl<M, I, O> Simulation<'_, M, I, O>
where
    M: Reverse<Scalar = f64> + Varied + 'static,
    I: Adjoint<M>,
    O: FnMut(&State<M>) -> ControlFlow<()>,
{
    /// Runs the simulation, and goes back through it for the gradient of an objective with respect to all parameters and the
    /// initial values.
    ///
    /// Every step is recorded. The initial values have to be consistent: what they are projected onto is differentiated, how
    /// far they were from it is not. Sizes of error-controlled steps are taken as they were.
    ///
    /// # Errors
    /// [`GradientError`] says what has no gradient, or why the run did not come to its end.
    pub fn gradient_of(mut self, objective: &Objective<'_, M>) -> Result<Gradient<M>, Box<GradientError<M>>> {
        let system = self.system;
        if let Some(refused) = self.refused() {
            return Err(Box::new(refused));
        }
        let mut method = self.integrator.retraced(system, &self.initial).map_err(Box::new)?;
        self.settings.record_every = Some(1);
        let trajectory = self.run().map_err(|error| Box::new(GradientError::Run(error)))?;
        let initial = trajectory.initial;
        let moved = initial.configuration.distance.max(initial.velocity.distance);
        if moved > CONSISTENT {
            return Err(Box::new(GradientError::Inconsistent { moved }));
        }
        let zero = Direction::Velocity(0).of_parameters(system.parameters());
        let lifted = system.varied(&zero).map_err(|error| Box::new(GradientError::Model(error)))?;
        let weights = weights(objective, &trajectory).map_err(Box::new)?;
        let states = &trajectory.states;
        let (mut cotangent, mut value) = (Cotangent::zero(system), 0.0);
        for (at, state) in states.iter().enumerate().rev() {
            let mut here = 0.0;
            for &(term, number, weight) in &weights[at] {
                let function = |state: &State<M::Lifted>| (objective.terms[term].function)(number, state);
                here += weight * differentiate(system, &lifted, state, function, weight, &mut cotangent);
            }
            if !(here.is_finite() && cotangent.is_finite()) {
                return Err(Box::new(GradientError::Objective { time: state.time, value: here }));
            }
            value += here;
            let back = match at.checked_sub(1) {
                Some(before) => method.step_back(system, &states[before], state, &mut cotangent),
                None => method.start_back(system, state, &mut cotangent),
            };
            if let Err(error) = back {
                return Err(Box::new(GradientError::Back { time: state.time, error, cotangent: Box::new(cotangent) }));
            }
            if !cotangent.is_finite() {
                return Err(Box::new(GradientError::NotFinite { time: state.time }));
            }
        }
        let mut names = Vec::new();
        for &name in M::Parameters::names() {
            if let Some(parameter) = system.parameters().get(name) {
                parameter.for_each(name, &mut |name, _| names.push(name.to_owned()));
            }
        }
        let Cotangent { configuration, velocity, mut parameters, mut inputs, .. } = cotangent;
        parameters.truncate(system.parameter_count());
        inputs.reverse();
        let (input_count, reads_rates) = (system.input_count(), system.reads_rates_of_inputs());
        Ok(Gradient { value, names, parameters, inputs, input_count, reads_rates, configuration, velocity, trajectory })
    }

    /// What has no gradient, known before the run.
    fn refused(&self) -> Option<GradientError<M>> {
        if self.controller.is_some() {
            return Some(GradientError::Controlled);
        }
        if !self.events.is_empty() {
            return Some(GradientError::Events);
        }
        if let Err(error) = self.system.ensure_inputs_over_time() {
            return Some(GradientError::Inputs(error));
        }
        let said = [
            (self.settings.samples.is_some(), "sample_at"),
            (self.options.full_order_multipliers, "full_order_multipliers"),
            (!self.options.project, "continuing_from"),
            (!self.options.held.is_empty(), "holding"),
        ];
        said.into_iter().find(|(is_said, _)| *is_said).map(|(_, said)| GradientError::Refused { said })
    }
}

/// For each state the terms that are evaluated there: which, the number of the time, and the weight.
type Weights = Vec<Vec<(usize, usize, f64)>>;

fn weights<M: Reverse<Scalar = f64> + Varied>(
    objective: &Objective<'_, M>,
    trajectory: &Trajectory<M>,
) -> Result<Weights, GradientError<M>> {
    let times: Vec<f64> = trajectory.times().collect();
    let mut weights: Weights = vec![Vec::new(); times.len()];
    let last = times.len().saturating_sub(1);
    let step = |at: usize| times.get(at + 1).map_or(0.0, |next| next - times[at]);
    for (term, when) in objective.terms.iter().map(|term| &term.when).enumerate() {
        match when {
            When::End => weights[last].push((term, 0, 1.0)),
            When::Integral => {
                for (at, weights) in weights.iter_mut().enumerate() {
                    let before = at.checked_sub(1).map_or(0.0, step);
                    weights.push((term, 0, 0.5 * (before + step(at))));
                }
            }
            When::Times(wanted) => {
                for (number, &time) in wanted.iter().enumerate() {
                    let at = times.partition_point(|&other| other < time);
                    let near = [at.saturating_sub(1), at.min(last)];
                    let is_there = |&&at: &&usize| {
                        let size = step(at).max(at.checked_sub(1).map_or(0.0, step));
                        (times[at] - time).abs() <= SAME_TIME * size
                    };
                    match near.iter().find(is_there) {
                        Some(&at) => weights[at].push((term, number, 1.0)),
                        None => return Err(GradientError::Time { time, near: near.map(|at| times[at]) }),
                    }
                }
            }
        }
    }
    Ok(weights)
}

/// The value of a function in a state; adds its gradient, times a weight, to the cotangent.
fn differentiate<M: Reverse<Scalar = f64> + Varied>(
    system: &M,
    lifted: &M::Lifted,
    state: &State<M>,
    function: impl Fn(&State<M::Lifted>) -> Dual<f64>,
    weight: f64,
    cotangent: &mut Cotangent<M>,
) -> f64 {
    let mut here = forward::lifted(system, lifted, state);
    let value = function(&here).re;
    let (start, mut turn) = (here.configuration.clone(), lifted.zero_velocity());
    let add = |out: f64, slope: Dual<f64>| out + weight * slope.eps;
    for at in 0..system.dof() {
        turn.set_component(at, Dual { re: 0.0, eps: 1.0 });
        lifted.space().compose_exp_at(at, &start, &turn, &mut here.configuration);
        let sum = add(cotangent.configuration.component(at), function(&here));
        cotangent.configuration.set_component(at, sum);
        turn.set_component(at, Dual::lift(0.0));
        lifted.space().compose_exp_at(at, &start, &turn, &mut here.configuration);
    }
    for at in 0..system.dof() {
        let own = here.velocity.component(at);
        here.velocity.set_component(at, Dual { eps: 1.0, ..own });
        cotangent.velocity.set_component(at, add(cotangent.velocity.component(at), function(&here)));
        here.velocity.set_component(at, own);
    }
    for at in 0..system.constraint_rows() {
        let own = here.multipliers.component(at);
        here.multipliers.set_component(at, Dual { eps: 1.0, ..own });
        cotangent.multipliers.set_component(at, add(cotangent.multipliers.component(at), function(&here)));
        here.multipliers.set_component(at, own);
    }
    value
}
