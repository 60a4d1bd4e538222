//! Ensembles by name.

use super::{AnySystem, ByNameError, InitialValueProblem, RunRequest};
use crate::ensemble::{Ensemble, MemberFailure, Results, Samples};
use crate::gradient::Variable;
use crate::integrator::State;
use crate::simulate::Methods;
use crate::system::MultibodySystem;

/// A mechanical system without its type that runs ensembles. The trait is object-safe.
///
/// ```
/// use lie_runtime::by_name::{AnyEnsemble, InitialValueProblem, RunRequest};
/// use lie_runtime::ensemble::Samples;
/// use lie_runtime::prelude::*;
///
/// #[mechanical_system]
/// pub mod oscillator {
///     #[configuration]
///     pub struct Position { pub x: f64 }
///     #[parameters]
///     pub struct Oscillator { pub stiffness: f64 }
///     #[kinetic_energy]
///     fn kinetic(v: &Velocity) -> f64 { 0.5 * v.x * v.x }
///     #[potential]
///     fn spring(p: &Oscillator, q: &Position) -> f64 { 0.5 * p.stiffness * q.x * q.x }
/// }
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let system = oscillator::System::new(oscillator::Oscillator { stiffness: 1.0 })?;
/// let problem: Box<dyn AnyEnsemble> = Box::new(InitialValueProblem::at_rest(system, oscillator::Position { x: 1.0 }));
/// let samples = Samples::listed(["stiffness", "q.x"], [[1.0, 0.5], [4.0, 0.5]]);
/// let request = RunRequest::new().method("hedop5").step(0.01).end_time(1.0).output_times(&[1.0]);
/// let results = problem.ensemble(&request, samples, &["x"])?;
/// let x = results.column("x").ok_or("no column")?;
/// assert!(results.failures().is_empty() && (x.value(1, 0) - 0.5 * 2.0_f64.cos()).abs() < 1e-9);
/// # Ok(())
/// # }
/// ```
#[doc(alias = "Monte Carlo")]
#[doc(alias = "parameter sweep")]
pub trait AnyEnsemble: AnySystem {
    /// Runs the simulation of the request for each member, on all cores, and returns the values of the `outputs` in all recorded states.
    ///
    /// The names of the samples are scalar variables of the system: `mass`, `inertia[0][0]`, `q.arm`, `v.attitude[2]`. Outputs have the
    /// names of [`Ensemble::outputs`]; an empty list selects all columns. [`Results::failures`] contains the members that failed, with
    /// their errors, and their values are NaN.
    ///
    /// # Errors
    /// [`ByNameError::Variable`] for an unknown name, [`ByNameError::Count`] for a variable that is not a scalar, [`ByNameError::Method`],
    /// and [`ByNameError::Ensemble`] for invalid samples and unknown outputs.
    fn ensemble(&self, request: &RunRequest, samples: Samples, outputs: &[&str]) -> Result<Results, ByNameError>;
}

impl<M> AnyEnsemble for InitialValueProblem<M>
where
    M: MultibodySystem + Sync,
    State<M>: Sync,
{
    fn ensemble(&self, request: &RunRequest, samples: Samples, outputs: &[&str]) -> Result<Results, ByNameError> {
        let names = samples.names();
        let variables = if names.is_empty() { Vec::new() } else { Variable::named(self.system(), &names)? };
        if variables.len() != names.len() {
            for name in names {
                let expected = Variable::named(self.system(), &[name])?.len();
                if expected != 1 {
                    return Err(ByNameError::Count { name: name.to_owned(), expected, given: 1 });
                }
            }
        }
        let (id, options) = request.method_of::<M>();
        let methods = Methods::all();
        // Errors of the method and its options are not failures of members.
        self.simulation(request).method_from(&methods, id, &options)?;
        let is_parameter = |at: usize| matches!(variables[at].1, Variable::Parameter { .. });
        let samples = samples.with_parameters(is_parameter);
        let results =
            Ensemble::of(self.system()).samples(samples).outputs(outputs.iter().copied()).run(|system, member| {
                let values = variables.iter().map(|(_, variable)| variable).zip(member.values().iter().copied());
                let simulation = self.simulation_of(system, self.initial_with(values), request);
                let simulation = simulation.method_from(&Methods::all(), id, &options);
                Ok(simulation.map_err(|error| MemberFailure::Other(Box::new(error)))?.run()?)
            });
        results.map_err(|error| ByNameError::Ensemble(Box::new(error)))
    }
}
