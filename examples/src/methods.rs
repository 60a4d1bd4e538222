//! The methods an example can be run with: one file a family, one line in the list below.

mod blie_df;
mod generalized_alpha;
mod half_explicit;
mod on_fields;
mod rattlie;
mod rotation;
mod symplectic;
mod tr_bdf2;

use crate::example::{Model, Problem};
use crate::request::{Outcome, Request};
use crate::settings::{Settings, UsageError};
use lie_runtime::field::{FieldReport, FirstOrder};
use lie_runtime::integrator::{FieldIntegrator, Integrator};
use lie_runtime::system::Description;

/// What `--list-methods` says of a method.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MethodCard {
    /// The identifier.
    pub id: &'static str,
    /// The name.
    pub name: &'static str,
    /// The order of q and v.
    pub order: usize,
    /// The order of λ in general.
    pub multiplier_order: usize,
    /// True if it can control its step size.
    pub estimates: bool,
}

/// A family of methods.
pub trait Family {
    /// Its methods.
    fn cards() -> Vec<MethodCard>;
    /// True if its methods apply to a system with this description.
    fn applies(system: &Description) -> bool {
        let _ = system;
        true
    }
    /// Runs the method with that identifier, one of [`cards`](Family::cards).
    ///
    /// # Errors
    /// [`UsageError`] if a setting is wrong or the run cannot be started.
    fn solve<M: Model>(id: &str, job: Job<'_, M>) -> Result<Outcome, UsageError>;
}

/// A problem on its way to a method.
pub struct Job<'a, M: Model> {
    /// The system and its initial values.
    pub problem: Problem<M>,
    /// What is asked for.
    pub request: &'a Request,
    /// What the user has set and the problem has not used.
    pub settings: Settings,
}

impl<M: Model> Job<'_, M> {
    /// Integrates, after a check that nothing is set that nobody knows.
    ///
    /// # Errors
    /// [`UsageError`].
    pub fn run(self, integrator: impl Integrator<M>) -> Result<Outcome, UsageError> {
        self.settings.finish()?;
        self.request.integrate(self.problem, integrator)
    }
}

/// A field on its way to a method.
pub struct FieldJob<'a, F: FirstOrder<System: Sized>> {
    /// The system.
    pub system: F::System,
    /// y₀.
    pub point: F::Point,
    /// What is asked for.
    pub request: &'a Request,
    /// What the user has set and the problem has not used.
    pub settings: Settings,
}

impl<F: FirstOrder<System: Sized + FieldReport<F::Point>, Scalar = f64>> FieldJob<'_, F> {
    /// Integrates, after a check that nothing is set that nobody knows.
    ///
    /// # Errors
    /// [`UsageError`].
    pub fn run(self, integrator: impl FieldIntegrator<F>) -> Result<Outcome, UsageError> {
        self.settings.finish()?;
        self.request.integrate_field::<F, _>(&self.system, self.point, integrator)
    }
}

pub(crate) use on_fields::{cards as fields, solve as solve_field};
pub(crate) use symplectic::{cards as hamiltonian, solve as solve_hamiltonian};

/// Asks family after family.
macro_rules! families {
    ($($family:ty),* $(,)?) => {
        /// All methods for mechanical systems.
        pub(crate) fn all() -> Vec<MethodCard> {
            let mut cards = Vec::new();
            $(cards.extend(<$family>::cards());)*
            cards
        }

        /// The methods that apply to a system.
        pub(crate) fn applying_to(system: &Description) -> Vec<MethodCard> {
            let mut cards = Vec::new();
            $(if <$family>::applies(system) {
                cards.extend(<$family>::cards());
            })*
            cards
        }

        /// Runs the method that the request names.
        pub(crate) fn solve<M: Model>(job: Job<'_, M>) -> Result<Outcome, UsageError> {
            let id = job.request.method.as_str();
            $(if <$family>::cards().iter().any(|card| card.id == id) {
                return <$family>::solve(id, job);
            })*
            Err(unknown(id))
        }
    };
}

families! {
    half_explicit::HalfExplicitFamily,
    generalized_alpha::GeneralizedAlphaFamily,
    rattlie::RattlieFamily,
    blie_df::BLieDFFamily,
    tr_bdf2::TrBdf2Family,
    rotation::RotationFamily,
    on_fields::FieldFamily,
}

/// `id` is no method at all.
fn unknown(id: &str) -> UsageError {
    unknown_among(id, &all())
}

/// `id` is none of these methods.
fn unknown_among(id: &str, cards: &[MethodCard]) -> UsageError {
    let known: Vec<&str> = cards.iter().map(|card| card.id).collect();
    UsageError::unknown("method", id, &known)
}
