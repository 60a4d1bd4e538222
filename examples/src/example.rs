//! What an example tells the harness.

use std::io::Write;
use std::path::Path;

use lie_runtime::field::{Canonical, FieldReport, FirstOrder, Intrinsic, LiftedHamiltonian, Mechanical, VectorField};
use lie_runtime::integrator::{FieldState, Integrator, SymplecticLieGroup};
use lie_runtime::simulate::{MethodCard, MethodError, Methods, Registry, Simulation};
use lie_runtime::space::{Cotangent, HomogeneousSpace};
use lie_runtime::system::{Covectors, Linearised, MechanicalSystem, Report};

use crate::request::{Outcome, Request};
use crate::settings::{Settings, UsageError};

/// The systems that examples run.
pub trait Model: Linearised<Scalar = f64> + Covectors + Report + 'static {}
impl<M: Linearised<Scalar = f64> + Covectors + Report + 'static> Model for M {}

/// A system and where it starts.
pub struct Problem<M: Model> {
    /// The system.
    pub system: M,
    /// q₀.
    pub configuration: M::Configuration,
    /// v₀.
    pub velocity: M::Velocity,
}

/// A field and where it starts.
pub struct FieldProblem<S, P> {
    /// The system.
    pub system: S,
    /// y₀.
    pub point: P,
}

/// What a run without flags does: computes, draws into the folder, and tells on the writer.
pub type Study = fn(&Example, &Path, &mut dyn Write) -> Result<(), Box<dyn core::error::Error>>;

/// Runs a request on the group that it belongs to, with settings that are not yet used.
type Runner = Box<dyn Fn(&Request, Settings) -> Result<Outcome, UsageError> + Send + Sync>;

/// One formulation of the model, chosen by `--group`.
pub struct Variant {
    /// The name on the command line.
    pub id: &'static str,
    /// The methods that apply.
    pub methods: Vec<MethodCard>,
    runner: Runner,
}

impl Variant {
    /// A mechanical system. `build` takes its settings and leaves the others, which are for the method.
    pub fn new<M: Model>(
        id: &'static str,
        build: impl Fn(&mut Settings) -> Result<Problem<M>, UsageError> + Send + Sync + 'static,
    ) -> Self {
        let all = Methods::<M>::all();
        let mut methods = cards(&all);
        // With all defaults: what applies does not depend on parameters.
        if let Ok(problem) = build(&mut Settings::default()) {
            methods.retain(|card| card.needs.are_met_by(problem.system.description()));
        }
        Variant {
            id,
            methods,
            runner: Box::new(move |request, mut settings| {
                let Problem { system, configuration, velocity } = build(&mut settings)?;
                let simulation = Simulation::of(&system).starting_at(configuration, velocity);
                let simulation = choose(&all, request, settings, |options| {
                    simulation.with_method_from(&all, &request.method, options)
                })?;
                request.integrate(&system, simulation)
            }),
        }
    }

    /// Several systems on one group, of which the setting `option` names one; the first one is the default.
    pub fn choice(id: &'static str, option: &'static str, systems: Vec<Self>) -> Self {
        // Those that apply to all of them.
        let mut methods = systems.first().map_or_else(Vec::new, |system| system.methods.clone());
        methods.retain(|card| systems.iter().all(|system| system.methods.contains(card)));
        Variant {
            id,
            methods,
            runner: Box::new(move |request, mut settings| {
                let names: Vec<&'static str> = systems.iter().map(|system| system.id).collect();
                let name = settings.choice(option, &names, names.first().copied().unwrap_or_default())?;
                match systems.iter().find(|system| system.id == name) {
                    Some(system) => (system.runner)(request, settings),
                    None => Err(UsageError::unknown(option, name, &names)),
                }
            }),
        }
    }

    /// A vector field on a homogeneous space.
    pub fn field<V: VectorField<Point: HomogeneousSpace<Scalar = f64>> + FieldReport<V::Point> + 'static>(
        id: &'static str,
        build: impl Fn(&mut Settings) -> Result<FieldProblem<V, V::Point>, UsageError> + Send + Sync + 'static,
    ) -> Self {
        Self::first_order::<Intrinsic<V>>(id, Methods::all(), build)
    }

    /// A mechanical system for the methods of vector fields alone, which need no linearisation.
    pub fn mechanical_field<M>(
        id: &'static str,
        build: impl Fn(&mut Settings) -> Result<FieldProblem<M, (M::Configuration, M::Velocity)>, UsageError>
        + Send
        + Sync
        + 'static,
    ) -> Self
    where
        M: MechanicalSystem<Scalar = f64> + FieldReport<(M::Configuration, M::Velocity)> + 'static,
    {
        Self::first_order::<Mechanical<M>>(id, Methods::all(), build)
    }

    /// A Hamiltonian system on T*G, for symplectic methods and for those of vector fields.
    pub fn hamiltonian<H>(
        id: &'static str,
        build: impl Fn(&mut Settings) -> Result<FieldProblem<H, Cotangent<H::Group>>, UsageError> + Send + Sync + 'static,
    ) -> Self
    where
        H: LiftedHamiltonian<Scalar = f64> + FieldReport<Cotangent<H::Group>> + 'static,
        Canonical<H>: FirstOrder<System = H, Scalar = f64, Point = Cotangent<H::Group>>,
        SymplecticLieGroup: Integrator<Canonical<H>>,
    {
        Self::first_order::<Canonical<H>>(id, Methods::all(), build)
    }

    /// An equation of first order for these methods.
    fn first_order<F>(
        id: &'static str,
        methods: Methods<F>,
        build: impl Fn(&mut Settings) -> Result<FieldProblem<F::System, F::Point>, UsageError> + Send + Sync + 'static,
    ) -> Self
    where
        F: FirstOrder<System: Sized + FieldReport<F::Point>, Scalar = f64> + 'static,
    {
        Variant {
            id,
            methods: cards(&methods),
            runner: Box::new(move |request, mut settings| {
                let FieldProblem { system, point } = build(&mut settings)?;
                let start = FieldState::at(&system, 0.0, point);
                let simulation = Simulation::<F>::reading(&system).continuing_from(start);
                let simulation = choose(&methods, request, settings, |options| {
                    simulation.with_method_from(&methods, &request.method, options)
                })?;
                request.integrate_field::<F>(&system, simulation)
            }),
        }
    }

    /// Makes a run.
    ///
    /// # Errors
    /// [`UsageError`] if it cannot be started.
    pub fn run(&self, request: &Request) -> Result<Outcome, UsageError> {
        (self.runner)(request, request.settings.clone())
    }
}

/// What there is in a registry.
fn cards<T>(methods: &Registry<T>) -> Vec<MethodCard> {
    methods.cards().cloned().collect()
}

/// Gives the method of the request what the user has set and the problem has not used, after a check that nothing is set
/// that nobody knows.
fn choose<T, S>(
    methods: &Registry<T>,
    request: &Request,
    mut settings: Settings,
    with: impl FnOnce(&[(&str, &str)]) -> Result<S, MethodError>,
) -> Result<S, UsageError> {
    let options = settings.options_of(methods.card(&request.method)?);
    settings.finish()?;
    let options: Vec<(&str, &str)> = options.iter().map(|(name, value)| (*name, value.as_str())).collect();
    Ok(with(&options)?)
}

/// A model in its formulations.
pub struct Example {
    /// The name of the example.
    pub name: &'static str,
    /// One sentence about it.
    pub about: &'static str,
    /// The formulations; the first one is the default.
    pub variants: Vec<Variant>,
    /// The default method.
    pub method: &'static str,
    /// The default step size.
    pub step: f64,
    /// The default end time.
    pub end: f64,
    /// Flags of this example alone: name and help. They are settings under their name.
    pub options: &'static [(&'static str, &'static str)],
    /// What a run without flags does; without a study it is a run with all defaults.
    pub study: Option<Study>,
}

impl Example {
    /// The formulation with that name.
    ///
    /// # Errors
    /// [`UsageError`] with the names there are.
    pub fn variant(&self, id: &str) -> Result<&Variant, UsageError> {
        self.variants.iter().find(|variant| variant.id == id).ok_or_else(|| {
            let known: Vec<&str> = self.variants.iter().map(|variant| variant.id).collect();
            UsageError::unknown("group", id, &known)
        })
    }
}
