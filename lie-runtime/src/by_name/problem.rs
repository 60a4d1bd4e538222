//! Systems with initial values, and the implementation of the traits without types.

use super::{AnyProblem, AnySystem, ByNameError, RunRecord, RunRequest, Schema};
use crate::analysis::{Equilibrium, Linearisation};
use crate::field::FirstOrder;
use crate::gradient::{SensitivityError, StateColumn, Variable};
use crate::group::TangentVector;
use crate::inputs::InputSignal;
use crate::integrator::{FieldState, Integrator, State};
use crate::simulate::{Columns, MethodInfo, Methods, Motion, Registered, Sample, Sampled, Simulated, Simulation};
use crate::space::ConfigurationSpace;
use crate::system::{Description, MechanicalSystem, MultibodySystem, ParameterSet, Value, scalar_coordinates};

/// Adds options and events to a simulation.
type Setup<P> = Box<dyn for<'a> Fn(Simulation<'a, P>) -> Simulation<'a, P> + Send + Sync>;

/// A system with its initial values: a problem that implements [`AnyProblem`], and [`AnySystem`] for a mechanical system.
#[doc(alias = "initial conditions")]
pub struct InitialValueProblem<P: Simulated<System: Sized>> {
    system: P::System,
    initial: P::State,
    /// The origin of the displacements of a configuration.
    reference: P::State,
    setups: Vec<Setup<P>>,
}

impl<P: Simulated<System: Sized>> InitialValueProblem<P> {
    /// Creates a problem of any kind from a state.
    pub fn from_state(system: P::System, initial: P::State) -> Self {
        InitialValueProblem { system, reference: initial.clone(), initial, setups: Vec::new() }
    }

    /// Applies a function to each simulation after the settings of the request, for example to add events and contacts. Several functions
    /// are applied in order.
    #[must_use]
    pub fn with_setup(
        mut self,
        setup: impl for<'a> Fn(Simulation<'a, P>) -> Simulation<'a, P> + Send + Sync + 'static,
    ) -> Self {
        self.setups.push(Box::new(setup));
        self
    }

    /// Returns the system.
    pub fn system(&self) -> &P::System {
        &self.system
    }

    /// Returns the initial state.
    pub fn initial(&self) -> &P::State {
        &self.initial
    }

    pub(super) fn simulation(&self, request: &RunRequest) -> Simulation<'_, P> {
        self.simulation_of(&self.system, self.initial.clone(), request)
    }

    /// Returns the simulation of this system with this initial state.
    pub(super) fn simulation_of<'s>(
        &self,
        system: &'s P::System,
        initial: P::State,
        request: &RunRequest,
    ) -> Simulation<'s, P> {
        let mut simulation = Simulation::from_state(system, initial);
        simulation.settings = request.settings.clone();
        self.setups.iter().fold(simulation, |simulation, setup| setup(simulation))
    }
}

impl<M: MechanicalSystem> InitialValueProblem<M> {
    /// Creates a problem with this initial configuration and velocity.
    pub fn new(system: M, configuration: impl Into<M::Configuration>, velocity: impl Into<M::Velocity>) -> Self {
        let mut initial = State::at_rest(&system, 0.0, configuration.into());
        initial.velocity = velocity.into();
        Self::from_state(system, initial)
    }

    /// Creates a problem with this initial configuration and without velocity.
    pub fn at_rest(system: M, configuration: impl Into<M::Configuration>) -> Self {
        let initial = State::at_rest(&system, 0.0, configuration.into());
        Self::from_state(system, initial)
    }
}

impl<F: FirstOrder<System: Sized>> InitialValueProblem<F> {
    /// Creates a problem of first order with this initial point.
    pub fn from_point(system: F::System, point: F::Point) -> Self {
        let initial = FieldState::at(&system, 0.0, point);
        Self::from_state(system, initial)
    }
}

impl RunRequest {
    /// Returns the method and its options.
    pub(super) fn method_of<P>(&self) -> (&str, Vec<(&str, &str)>)
    where
        P: Simulated<State: Motion<Method: Integrator<P>>>,
    {
        let id = self.method.as_deref().unwrap_or_else(|| <P::State as Motion>::method().id());
        (id, self.options.iter().map(|(name, value)| (&name[..], &value[..])).collect())
    }
}

impl<P> AnyProblem for InitialValueProblem<P>
where
    P: Registered + Simulated<System: Sampled<P> + Sized, State: Motion<Method: Integrator<P>>> + 'static,
{
    fn notation(&self) -> String {
        self.system.notation()
    }
    fn dimension(&self) -> usize {
        self.system.dimension()
    }
    fn constraint_rows(&self) -> usize {
        self.system.rows()
    }
    fn methods(&self) -> Vec<MethodInfo> {
        let description = P::State::description(&self.system);
        let applies = |info: &&MethodInfo| description.is_none_or(|system| info.needs.are_met_by(system));
        Methods::<P>::all().infos().filter(applies).cloned().collect()
    }
    fn initial_values(&self) -> Sample {
        self.system.sample(&self.initial)
    }
    fn run(&self, request: &RunRequest) -> Result<RunRecord, ByNameError> {
        let (id, options) = request.method_of::<P>();
        let simulation = self.simulation(request).method_from(&Methods::all(), id, &options)?;
        match RunRecord::of(&self.system, simulation.run()) {
            (record, None) => Ok(record),
            (record, Some((failure, message))) => {
                Err(ByNameError::Run { failure: Box::new(failure), message, record: Box::new(record) })
            }
        }
    }
}

impl<M: MultibodySystem> InitialValueProblem<M> {
    /// Returns the displacement θ of the initial configuration q exp(θ) from the configuration q of the problem.
    fn displacement(&self) -> M::Velocity {
        let mut displacement = self.system.zero_velocity();
        let (from, to) = (&self.reference.configuration, &self.initial.configuration);
        self.system.space().log_difference(from, to, &mut displacement);
        displacement
    }

    /// Returns the initial state with these values of configurations and velocities; parameters have no effect.
    pub(super) fn initial_with<'v>(&self, values: impl Iterator<Item = (&'v Variable, f64)>) -> State<M> {
        let (mut displacement, origin) = (self.displacement(), self.origin());
        let (mut initial, mut is_moved) = (self.initial.clone(), false);
        for (variable, value) in values {
            match *variable {
                Variable::Parameter { .. } => {}
                Variable::Configuration(component) => {
                    displacement.set_component(component, value - origin[component]);
                    is_moved = true;
                }
                Variable::Velocity(component) => initial.velocity.set_component(component, value),
            }
        }
        if is_moved {
            let (from, to) = (&self.reference.configuration, &mut initial.configuration);
            self.system.space().compose_exp(from, &displacement, to);
        }
        initial
    }

    /// Returns the value of each component of a displacement of zero.
    fn origin(&self) -> Vec<f64> {
        let coordinates = scalar_coordinates(&self.system, &self.reference.configuration);
        coordinates.into_iter().map(Option::unwrap_or_default).collect()
    }
}

impl<M: MultibodySystem> AnySystem for InitialValueProblem<M> {
    fn description(&self) -> &Description {
        self.system.description()
    }
    fn schema(&self) -> Schema {
        Schema::of(self.system.description(), self.system.parameters(), &self.initial_values())
    }
    fn get(&self, name: &str) -> Result<Vec<f64>, ByNameError> {
        let (parameters, displacement, origin) = (self.system.parameters(), self.displacement(), self.origin());
        let value = |variable: &Variable| match *variable {
            Variable::Parameter { name, component } => {
                parameters.get(name).map_or(f64::NAN, |value| value.numbers()[component])
            }
            Variable::Configuration(component) => origin[component] + displacement.component(component),
            Variable::Velocity(component) => self.initial.velocity.component(component),
        };
        Ok(Variable::named(&self.system, &[name])?.iter().map(|(_, variable)| value(variable)).collect())
    }
    fn set(&mut self, name: &str, values: &[f64]) -> Result<(), ByNameError> {
        let mut parameters = self.system.parameters().clone();
        if parameters.names().contains(&name) {
            parameters.set(name, values)?;
            self.system = self.system.with_parameters(parameters)?;
            return Ok(());
        }
        let variables = Variable::named(&self.system, &[name])?;
        if variables.len() != values.len() {
            let (name, expected, given) = (name.to_owned(), variables.len(), values.len());
            return Err(ByNameError::Count { name, expected, given });
        }
        self.initial = self.initial_with(variables.iter().map(|(_, variable)| variable).zip(values.iter().copied()));
        for ((_, variable), &value) in variables.iter().zip(values) {
            if let Variable::Parameter { name, component } = *variable {
                let mut numbers = parameters.get(name).map(|value| value.numbers()).unwrap_or_default();
                numbers[component] = value;
                parameters.set(name, &numbers)?;
            }
        }
        if let Variable::Parameter { .. } = variables[0].1 {
            self.system = self.system.with_parameters(parameters)?;
        }
        Ok(())
    }
    fn set_input(&mut self, name: &str, signal: &InputSignal) -> Result<(), ByNameError> {
        let inputs = self.initial_values().inputs;
        let Some(value) = inputs.get(name) else {
            let known = if let Value::Record(fields) = &inputs { &fields[..] } else { &[] };
            let known = known.iter().map(|(name, _)| (*name).to_owned()).collect();
            return Err(ByNameError::UnknownInput { name: name.to_owned(), known });
        };
        let expected = value.numbers().len();
        if let Some(row) = signal.rows().iter().find(|row| row.len() != expected) {
            return Err(ByNameError::Count { name: name.to_owned(), expected, given: row.len() });
        }
        self.system.ensure_inputs_over_time().map_err(|error| ByNameError::Input(Box::new(error)))?;
        self.system = self.system.with_signal(name, signal)?;
        Ok(())
    }
    fn move_to_equilibrium(&mut self) -> Result<Sample, ByNameError> {
        let State { time, configuration, velocity, .. } = self.initial.clone();
        let search = Equilibrium::of(&self.system).guess(configuration).guess_states(velocity).at_time(time);
        self.initial = search.solve().map_err(|error| ByNameError::Equilibrium(Box::new(error)))?.state;
        Ok(self.initial_values())
    }
    fn linearise(&self, outputs: &[&str]) -> Result<Linearisation, ByNameError> {
        let State { time, configuration, velocity, .. } = &self.initial;
        let mut builder = Linearisation::of(&self.system);
        if !outputs.is_empty() {
            builder = builder.outputs(outputs.iter().copied());
        }
        builder.at(*time, configuration, velocity).map_err(|error| ByNameError::Linearisation(Box::new(error)))
    }
    fn gradient(
        &self,
        request: &RunRequest,
        column: &str,
        variables: &[&str],
    ) -> Result<Vec<(String, f64)>, ByNameError> {
        let (id, options) = request.method_of::<M>();
        let mut simulation = self.simulation(request);
        // The last state only.
        (simulation.settings.samples, simulation.settings.output_every) = (Some(Vec::new()), None);
        let simulation = simulation.with_sensitivities(variables.iter().copied());
        let run = simulation.method_from(&Methods::all(), id, &options)?.run().map_err(|error| match *error {
            SensitivityError::Direction(error) => ByNameError::Variable(error),
            error => ByNameError::Sensitivity { message: error.to_string() },
        })?;
        let column = StateColumn::of(&Columns::of(&run.trajectory, &self.system)?, column)?;
        let (Some(state), Some(variations)) = (run.trajectory.last(), run.variations.last()) else {
            return Ok(Vec::new());
        };
        let derivatives = Variable::named(&self.system, variables)?.into_iter().zip(variations);
        let derivative = |((name, variable), variation)| {
            let derivative = column.derivative(&self.system, state, variation, &variable);
            (name, derivative)
        };
        Ok(derivatives.map(derivative).collect())
    }
}
