//! Systems without their type: parameters, runs and analyses by name, for programs whose model is selected at run time.
//!
//! An [`InitialValueProblem`] is a system with its initial values. It implements two object-safe traits: [`AnyProblem`] for every kind of
//! problem, and [`AnySystem`] for mechanical systems, generated or from text. A list of `Box<dyn AnySystem>` can contain both.
//!
//! ```
//! use lie_runtime::by_name::{AnySystem, InitialValueProblem, RunRequest};
//! use lie_runtime::prelude::*;
//!
//! #[mechanical_system]
//! pub mod pendulum {
//!     #[configuration]
//!     pub struct Angle { pub arm: f64 }
//!     #[parameters]
//!     pub struct Pendulum { pub length: f64 }
//!     #[kinetic_energy]
//!     fn kinetic(p: &Pendulum, v: &Velocity) -> f64 { 0.5 * p.length * p.length * v.arm * v.arm }
//!     #[potential]
//!     fn weight(p: &Pendulum, q: &Angle) -> f64 { -9.81 * p.length * q.arm.cos() }
//! }
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let system = pendulum::System::new(pendulum::Pendulum { length: 2.0 })?;
//! let problem = InitialValueProblem::at_rest(system, pendulum::Angle { arm: 0.1 });
//! let mut systems: Vec<Box<dyn AnySystem>> = vec![Box::new(problem)];
//! for system in &mut systems {
//!     system.set("length", &[1.0])?;
//!     system.set("q.arm", &[0.2])?;
//!     let request = RunRequest::new().method("hedop5").end_time(1.0);
//!     let run = system.run(&request)?;
//!     println!("{run}\n{}", run.table(["t", "arm", "energy.total"])?);
//!     // A longer pendulum is slower: it has the larger angle before the first minimum.
//!     assert!(system.gradient(&request, "arm", &["length"])?[0].1 > 0.0);
//!     system.move_to_equilibrium()?;
//!     let frequency = system.linearise(&[])?.modes()?[0].frequency();
//!     assert!((frequency - 9.81_f64.sqrt()).abs() < 1e-9);
//! }
//! # Ok(())
//! # }
//! ```
//!
//! Your crate compiles all methods for each system that it converts to a `dyn AnyProblem`, and twice for a `dyn AnySystem`: on `f64` and on
//! dual numbers. A program that does not use this module has no cost.

#[cfg(feature = "ensemble")]
mod ensemble;
mod error;
mod problem;
mod record;
mod request;
mod schema;

#[cfg(feature = "ensemble")]
pub use ensemble::AnyEnsemble;
pub use error::ByNameError;
pub use problem::InitialValueProblem;
pub use record::RunRecord;
pub use request::RunRequest;
pub use schema::{QuantityDescription, Schema};

pub use crate::messages::{Remedy, Words, set_words};

use crate::analysis::Linearisation;
use crate::inputs::InputSignal;
use crate::simulate::{MethodInfo, Sample};
use crate::system::Description;

/// An initial value problem of any kind without its type. The trait is object-safe.
pub trait AnyProblem {
    /// Returns the symbol of the state space, such as `SO(3) × R³`.
    fn notation(&self) -> String;
    /// Returns the dimension of the state space; the degrees of freedom of a mechanical system.
    fn dimension(&self) -> usize;
    /// Returns the number of constraint rows.
    fn constraint_rows(&self) -> usize;
    /// Returns the methods that apply to the problem.
    fn methods(&self) -> Vec<MethodInfo>;
    /// Returns the initial values by name, before their projection onto the constraints.
    fn initial_values(&self) -> Sample;
    /// Runs a simulation.
    ///
    /// # Errors
    /// [`ByNameError::Method`] for the name or an option of the method, and [`ByNameError::Run`] with the computed results.
    fn run(&self, request: &RunRequest) -> Result<RunRecord, ByNameError>;
}

/// A mechanical system with initial values, without its type. The trait is object-safe.
///
/// Names of variables are the names of [sensitivities](crate::gradient): a parameter or a component (`mass`, `inertia[0][1]`), a
/// member of the initial configuration (`q.attitude`) or of the initial velocity (`v.attitude[2]`). The names `q` and `v` select all members.
#[doc(alias = "DynSystem")]
#[doc(alias = "object-safe")]
#[doc(alias = "type erasure")]
pub trait AnySystem: AnyProblem {
    /// Returns the names of members, constraints, observables and events, and the structure of the system.
    fn description(&self) -> &Description;
    /// Returns the names, shapes, units and documentation of parameters, members, inputs, observables and all other columns.
    fn schema(&self) -> Schema;
    /// Returns the values of a variable.
    ///
    /// # Errors
    /// [`ByNameError::Variable`] for an unknown name, with the most similar name.
    fn get(&self, name: &str) -> Result<Vec<f64>, ByNameError>;
    /// Sets the values of a variable. A matrix is given by rows, a square matrix also by its diagonal.
    ///
    /// Angles, displacements and vectors of the initial configuration have their values. Rotations, poses and directions are given by
    /// body-fixed displacements θ from the configuration q of the [`InitialValueProblem`], q exp(θ).
    ///
    /// # Errors
    /// [`ByNameError::Variable`] for an unknown name, [`ByNameError::Count`] for a wrong number of values, and [`ByNameError::Model`] for
    /// invalid parameters.
    fn set(&mut self, name: &str, values: &[f64]) -> Result<(), ByNameError>;
    /// Sets an input to a constant, or to a table over time.
    ///
    /// # Errors
    /// [`ByNameError::UnknownInput`] with the most similar name, [`ByNameError::Count`] for a wrong number of values,
    /// [`ByNameError::InputTable`] for an invalid table, and [`ByNameError::Input`] for a system whose inputs are functions of its state.
    fn set_input(&mut self, name: &str, signal: &InputSignal) -> Result<(), ByNameError>;
    /// Replaces the initial values by the static equilibrium close to the initial configuration, and returns its values.
    ///
    /// # Errors
    /// [`ByNameError::Equilibrium`].
    fn move_to_equilibrium(&mut self) -> Result<Sample, ByNameError>;
    /// Returns the linearised equations about the initial values, which must be an equilibrium or a steady motion. Their
    /// [modes](Linearisation::modes) are vibrations. `outputs` are the names of [`Linearise::outputs`](crate::analysis::Linearise::outputs).
    ///
    /// # Errors
    /// [`ByNameError::Linearisation`].
    fn linearise(&self, outputs: &[&str]) -> Result<Linearisation, ByNameError>;
    /// Returns the derivatives of the final value of a column with respect to variables, each with the full name of its component.
    ///
    /// The derivatives of the final state are exact for the numerical solution. Derivatives of observables and energies with respect to the
    /// state are finite differences of fourth order.
    ///
    /// # Errors
    /// [`ByNameError::Variable`], [`ByNameError::Column`], [`ByNameError::Method`], and [`ByNameError::Sensitivity`] for a run that fails or
    /// has no derivatives, for example because of a contact.
    fn gradient(
        &self,
        request: &RunRequest,
        column: &str,
        variables: &[&str],
    ) -> Result<Vec<(String, f64)>, ByNameError>;
}
