//! Identified devices and their measurements.

use core::fmt;

use lie_runtime::ensemble::{Distribution, Samples};
use lie_runtime::integrator::Integrator;
use lie_runtime::prelude::*;
use lie_runtime::scalar::Dual;
use lie_runtime::system::{Liftable, ModelError, Report, TangentSystem};

use super::fit::{FitError, told};

/// A moving device, its measurements, and the data that they determine.
pub trait Device {
    /// The device, with its data as parameters.
    type System: TangentSystem + Report + Sync + 'static;
    /// The method by which it is simulated.
    type Method: Integrator<Self::System> + Integrator<<Self::System as Liftable>::Lifted> + Clone;
    /// The measured values of a state.
    type Reading: Clone + fmt::Debug + Send + Sync;

    /// The step that it is simulated with [s].
    const STEP: f64;
    /// Steps from one measurement to the next.
    const EVERY: usize;
    /// How long it is measured [s].
    const END: f64;
    /// How many numbers a reading has.
    const NUMBERS: usize;

    /// The true device.
    ///
    /// # Errors
    /// [`ModelError`] of invalid data.
    fn truth() -> Result<Self::System, ModelError>;
    /// The device at the start of the search.
    ///
    /// # Errors
    /// [`ModelError`] of invalid data.
    fn guess() -> Result<Self::System, ModelError>;
    /// The names of the data that are searched for.
    fn unknowns() -> Vec<String>;
    /// A simulation, but for its step and its end.
    fn begun(system: &Self::System) -> Simulation<'_, Self::System, Self::Method>;
    /// The readings of a state, with noise in units of the standard deviation of each value.
    fn read(system: &Self::System, state: &State<Self::System>, noise: &[f64]) -> Self::Reading;
    /// The residuals between the values of a state on dual numbers and the measured values, in standard deviations.
    fn left(
        system: &<Self::System as Liftable>::Lifted,
        state: &State<<Self::System as Liftable>::Lifted>,
        measured: &Self::Reading,
    ) -> Vec<Dual<f64>>;
    /// The numbers that the motion depends on, by their names: functions of the data.
    fn determined(system: &<Self::System as Liftable>::Lifted) -> Vec<(String, Dual<f64>)>;
}

/// The measured values and their times.
pub struct Experiment<D: Device> {
    /// The measurements.
    pub readings: Vec<(f64, D::Reading)>,
}

impl<D: Device> Experiment<D> {
    /// The motion of the true device in steps of a quarter of those that it is fitted with, and noise.
    ///
    /// # Errors
    /// [`FitError::Run`].
    pub fn made(seed: u64) -> Result<Self, FitError> {
        let system = D::truth().map_err(told)?;
        let run = D::begun(&system).step(D::STEP / 4.0).end_time(D::END).run().map_err(told)?;
        let states: Vec<_> = run.states.iter().skip(4 * D::EVERY).step_by(4 * D::EVERY).collect();
        let normal = Distribution::Normal { mean: 0.0, deviation: 1.0 };
        let noise = Samples::random(D::NUMBERS * states.len(), seed).variable("noise", normal).rows().map_err(told)?;
        let noise: Vec<f64> = noise.into_iter().flatten().collect();
        let noise = noise.chunks_exact(D::NUMBERS);
        let readings = states.iter().zip(noise).map(|(state, noise)| (state.time, D::read(&system, state, noise)));
        Ok(Experiment { readings: readings.collect() })
    }

    /// How many numbers were measured.
    pub fn count(&self) -> usize {
        D::NUMBERS * self.readings.len()
    }
}
