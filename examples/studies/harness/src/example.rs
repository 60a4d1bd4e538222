//! The description of an example for the harness.

use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use lie_runtime::by_name::{AnyProblem, InitialValueProblem};
use lie_runtime::picture::{DrawSchematic, Schematic};
use lie_runtime::simulate::{MethodInfo, Simulated};
use lie_runtime::system::{Linearised, MomentumRate, Report};

use crate::request::{Outcome, Request};
use crate::settings::{Settings, UsageError};

/// The systems that examples run.
pub trait Model: Linearised<Scalar = f64> + MomentumRate + Report + 'static {}
impl<M: Linearised<Scalar = f64> + MomentumRate + Report + 'static> Model for M {}

/// The action of a run without flags: it computes, draws into the folder, and writes a report.
pub type Study = fn(&Example, &Path, &mut dyn Write) -> Result<(), Box<dyn core::error::Error>>;

/// Builds the problem from its settings, and leaves the others for the method.
type Builder = Box<dyn Fn(&mut Settings) -> Result<Box<dyn AnyProblem>, UsageError> + Send + Sync>;
/// Draws the mechanism with these settings at its start.
type Drawer = Box<dyn Fn(Settings) -> Result<Schematic, UsageError> + Send + Sync>;

/// One formulation of the model, chosen by `--group`.
pub struct Variant {
    /// The name on the command line.
    pub id: &'static str,
    /// The methods that apply.
    pub methods: Vec<MethodInfo>,
    builder: Builder,
    /// `None` for systems that are not mechanical.
    drawer: Option<Drawer>,
}

impl Variant {
    /// A mechanical system. `build` takes its settings and leaves the others, which are for the method.
    pub fn new<M: Model>(
        id: &'static str,
        build: impl Fn(&mut Settings) -> Result<InitialValueProblem<M>, UsageError> + Send + Sync + 'static,
    ) -> Self {
        let build = Arc::new(build);
        let drawn = Arc::clone(&build);
        let drawer: Drawer = Box::new(move |mut settings| {
            let problem = drawn(&mut settings)?;
            settings.finish()?;
            Ok(problem.system().schematic(&problem.initial().configuration))
        });
        // Samples contain the residuals, and studies measure errors of any size.
        let tolerant = move |settings: &mut Settings| {
            Ok(build(settings)?.with_setup(|simulation| simulation.constraint_tolerance(f64::INFINITY)))
        };
        Variant { drawer: Some(drawer), ..Self::of(id, tolerant) }
    }

    /// Any problem. `build` takes its settings and leaves the others, which are for the method.
    pub fn of<P: Simulated<System: Sized> + 'static>(
        id: &'static str,
        build: impl Fn(&mut Settings) -> Result<InitialValueProblem<P>, UsageError> + Send + Sync + 'static,
    ) -> Self
    where
        InitialValueProblem<P>: AnyProblem,
    {
        // With all defaults: the methods that apply do not depend on parameters.
        let methods = build(&mut Settings::default()).map_or_else(|_| Vec::new(), |problem| problem.methods());
        Variant { id, methods, builder: Box::new(move |settings| Ok(Box::new(build(settings)?))), drawer: None }
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
            builder: Box::new(move |settings| (chosen(&systems, option, settings)?.builder)(settings)),
            drawer: Some(Box::new(move |mut settings| chosen(&drawn, option, &mut settings)?.schematic(settings))),
        }
    }

    /// Makes a run.
    ///
    /// # Errors
    /// [`UsageError`] if it cannot be started.
    pub fn run(&self, request: &Request) -> Result<Outcome, UsageError> {
        let mut settings = request.settings.clone();
        let problem = (self.builder)(&mut settings)?;
        let options = match self.methods.iter().find(|info| info.id == request.method) {
            Some(info) => {
                let options = settings.options_of(info);
                settings.finish()?;
                options
            }
            // The run reports the error of the name.
            None => Vec::new(),
        };
        request.run(&*problem, options)
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
