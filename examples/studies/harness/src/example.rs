//! The description of an example for the harness.

use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use lie_runtime::field::{
    FirstOrder, HamiltonianProblem, HamiltonianSystem, MechanicalField, VectorField, VectorFieldProblem,
};
use lie_runtime::integrator::{FieldState, State};
use lie_runtime::picture::{DrawSchematic, Schematic};
use lie_runtime::simulate::{MethodError, MethodInfo, Methods, Registered, Registry, Sampled, Simulated, Simulation};
use lie_runtime::space::Cotangent;
use lie_runtime::system::{Linearised, MechanicalSystem, MomentumRate, Report};

use crate::request::{Outcome, Request};
use crate::settings::{Settings, UsageError};

/// The systems that examples run.
pub trait Model: Linearised<Scalar = f64> + MomentumRate + Report + 'static {}
impl<M: Linearised<Scalar = f64> + MomentumRate + Report + 'static> Model for M {}

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

/// The action of a run without flags: it computes, draws into the folder, and writes a report.
pub type Study = fn(&Example, &Path, &mut dyn Write) -> Result<(), Box<dyn core::error::Error>>;

/// Runs a request on the group that it belongs to, with settings that are not yet used.
type Runner = Box<dyn Fn(&Request, Settings) -> Result<Outcome, UsageError> + Send + Sync>;
/// Draws the mechanism with these settings at its start.
type Drawer = Box<dyn Fn(Settings) -> Result<Schematic, UsageError> + Send + Sync>;

/// One formulation of the model, chosen by `--group`.
pub struct Variant {
    /// The name on the command line.
    pub id: &'static str,
    /// The methods that apply.
    pub methods: Vec<MethodInfo>,
    runner: Runner,
    /// `None` for systems that are not mechanical.
    drawer: Option<Drawer>,
}

impl Variant {
    /// A mechanical system. `build` takes its settings and leaves the others, which are for the method.
    pub fn new<M: Model>(
        id: &'static str,
        build: impl Fn(&mut Settings) -> Result<Problem<M>, UsageError> + Send + Sync + 'static,
    ) -> Self {
        Self::beginning(id, build, |simulation| simulation)
    }

    /// The same; `begin` adds events to its simulations.
    pub fn beginning<M: Model>(
        id: &'static str,
        build: impl Fn(&mut Settings) -> Result<Problem<M>, UsageError> + Send + Sync + 'static,
        begin: for<'a> fn(Simulation<'a, M>) -> Simulation<'a, M>,
    ) -> Self {
        let all = Methods::<M>::all();
        let mut methods = infos(&all);
        // With all defaults: what applies does not depend on parameters.
        if let Ok(problem) = build(&mut Settings::default()) {
            methods.retain(|info| info.needs.are_met_by(problem.system.description()));
        }
        let build = Arc::new(build);
        let drawn = Arc::clone(&build);
        let drawer: Drawer = Box::new(move |mut settings| {
            let Problem { system, configuration, .. } = drawn(&mut settings)?;
            settings.finish()?;
            Ok(system.schematic(&configuration))
        });
        let begun = move |settings: &mut Settings| {
            let Problem { system, configuration, velocity } = build(settings)?;
            let mut state = State::at_rest(&system, 0.0, configuration);
            state.velocity = velocity;
            Ok((system, state))
        };
        let running = Self::running(id, all, begun, move |system, state: State<M>| {
            // Samples tell the residuals, and studies measure errors however large.
            let simulation = Simulation::of(system).initial(state.configuration, state.velocity);
            begin(simulation.constraint_tolerance(f64::INFINITY))
        });
        Variant { methods, drawer: Some(drawer), ..running }
    }

    /// Several systems on one group, of which the setting `option` names one; the first one is the default.
    pub fn choice(id: &'static str, option: &'static str, systems: Vec<Self>) -> Self {
        // Those that apply to all of them.
        let mut methods = systems.first().map_or_else(Vec::new, |system| system.methods.clone());
        methods.retain(|info| systems.iter().all(|system| system.methods.contains(info)));
        let systems = Arc::new(systems);
        let drawn = Arc::clone(&systems);
        Variant {
            id,
            methods,
            runner: Box::new(move |request, mut settings| {
                (chosen(&systems, option, &mut settings)?.runner)(request, settings)
            }),
            drawer: Some(Box::new(move |mut settings| chosen(&drawn, option, &mut settings)?.schematic(settings))),
        }
    }

    /// A vector field on a homogeneous space.
    pub fn field<V: VectorField + Sampled<VectorFieldProblem<V>> + 'static>(
        id: &'static str,
        build: impl Fn(&mut Settings) -> Result<FieldProblem<V, V::Point>, UsageError> + Send + Sync + 'static,
    ) -> Self {
        Self::reading::<VectorFieldProblem<V>>(id, build)
    }

    /// A mechanical system for the methods of vector fields alone, which need no linearisation.
    pub fn mechanical_field<M: MechanicalSystem + Sampled<MechanicalField<M>> + 'static>(
        id: &'static str,
        build: impl Fn(&mut Settings) -> Result<FieldProblem<M, (M::Configuration, M::Velocity)>, UsageError>
        + Send
        + Sync
        + 'static,
    ) -> Self {
        Self::reading::<MechanicalField<M>>(id, build)
    }

    /// A Hamiltonian system on T*G, for symplectic methods and for methods of vector fields.
    pub fn hamiltonian<H>(
        id: &'static str,
        build: impl Fn(&mut Settings) -> Result<FieldProblem<H, Cotangent<H::Point>>, UsageError> + Send + Sync + 'static,
    ) -> Self
    where
        H: HamiltonianSystem + Sampled<HamiltonianProblem<H>> + 'static,
        HamiltonianProblem<H>: FirstOrder<System = H, Point = Cotangent<H::Point>> + Registered,
    {
        Self::reading::<HamiltonianProblem<H>>(id, build)
    }

    /// An equation of first order.
    fn reading<F>(
        id: &'static str,
        build: impl Fn(&mut Settings) -> Result<FieldProblem<F::System, F::Point>, UsageError> + Send + Sync + 'static,
    ) -> Self
    where
        F: FirstOrder<System: Sized + Sampled<F>> + Registered + 'static,
    {
        let begun = move |settings: &mut Settings| {
            let FieldProblem { system, point } = build(settings)?;
            let state = FieldState::at(&system, 0.0, point);
            Ok((system, state))
        };
        Self::running(id, Methods::<F>::all(), begun, |system, state| {
            Simulation::<F>::reading(system).restart_from(state)
        })
    }

    /// Any problem: a system and its state, and how a simulation begins there.
    fn running<P: Simulated<System: Sized + Sampled<P>> + 'static>(
        id: &'static str,
        methods: Methods<P>,
        build: impl Fn(&mut Settings) -> Result<(P::System, P::State), UsageError> + Send + Sync + 'static,
        begin: impl for<'a> Fn(&'a P::System, P::State) -> Simulation<'a, P> + Send + Sync + 'static,
    ) -> Self {
        Variant {
            id,
            methods: infos(&methods),
            runner: Box::new(move |request, mut settings| {
                let (system, state) = build(&mut settings)?;
                let simulation = choose(&methods, request, settings, |options| {
                    begin(&system, state).method_from(&methods, &request.method, options)
                })?;
                request.integrate(&system, simulation)
            }),
            drawer: None,
        }
    }

    /// Makes a run.
    ///
    /// # Errors
    /// [`UsageError`] if it cannot be started.
    pub fn run(&self, request: &Request) -> Result<Outcome, UsageError> {
        (self.runner)(request, request.settings.clone())
    }

    /// Draws the mechanism at the start.
    ///
    /// # Errors
    /// [`UsageError`] for wrong settings, and for systems that are not mechanical.
    pub fn schematic(&self, settings: Settings) -> Result<Schematic, UsageError> {
        let unknown = || UsageError::new(format!("`{}` is a vector field; select another `--group`", self.id));
        self.drawer.as_ref().ok_or_else(unknown)?(settings)
    }
}

/// The system that the setting `option` names.
fn chosen<'a>(
    systems: &'a [Variant],
    option: &'static str,
    settings: &mut Settings,
) -> Result<&'a Variant, UsageError> {
    let names: Vec<&'static str> = systems.iter().map(|system| system.id).collect();
    let name = settings.choice(option, &names, names.first().copied().unwrap_or_default())?;
    systems.iter().find(|system| system.id == name).ok_or_else(|| UsageError::unknown(option, name, &names))
}

/// The contents of a registry.
fn infos<T>(methods: &Registry<T>) -> Vec<MethodInfo> {
    methods.infos().cloned().collect()
}

/// Passes the settings that the problem has not used to the method, after a check for unknown settings.
fn choose<T, S>(
    methods: &Registry<T>,
    request: &Request,
    mut settings: Settings,
    with: impl FnOnce(&[(&str, &str)]) -> Result<S, MethodError>,
) -> Result<S, UsageError> {
    let options = settings.options_of(methods.info(&request.method)?);
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
    /// The action of a run without flags; the default is a run with all defaults.
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
