//! Figures of a run; their data are identified by declared names.

use std::path::{Path, PathBuf};

use super::columns::PlotColumns;
use super::save::medium;
use super::{Axis, FigureError, Panel, Series};
use crate::integrator::Problem;
use crate::simulate::{Sampled, Simulated, Trajectory};

/// A figure of a run, to be described and saved.
///
/// ```
/// use lie_runtime::picture::FigureError;
/// use lie_runtime::prelude::*;
///
/// #[mechanical_system]
/// pub mod ball {
///     #[configuration]
///     pub struct Flight { pub position: R3 }
///
///     #[kinetic_energy]
///     fn kinetic(v: &Velocity) -> f64 { 0.5 * v.position.norm_squared() }
///
///     #[potential]
///     fn weight(q: &Flight) -> f64 { 9.81 * q.position.z }
/// }
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let folder = std::env::temp_dir().join(format!("plot-{}", std::process::id()));
/// # std::fs::create_dir_all(&folder)?;
/// # let file = folder.join(if cfg!(feature = "plot") { "ball.svg" } else { "ball.csv" });
/// let system = ball::System::new()?;
/// let start = ball::Flight { position: Vector3::zeros() };
/// let run = Simulation::of(&system).initial(start, Vector3::new(3.0, 0.0, 5.0)).step(0.01).end_time(1.0).run()?;
/// run.plot(&system).lines(["energy", "position.z"]).save(&file)?;
/// run.plot(&system).lines(["position.z"]).x_axis("position.x").title("A ball").save(&file)?;
///
/// let error = run.plot(&system).lines(["positoin.z"]).save(&file).unwrap_err();
/// assert!(matches!(&error, FigureError::Unknown { nearest: Some(nearest), .. } if nearest == "position"));
/// # std::fs::remove_dir_all(&folder)?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
#[must_use = "nothing is drawn before `save`"]
#[doc(alias = "figure")]
#[doc(alias = "chart")]
pub struct Plot {
    columns: Result<PlotColumns, FigureError>,
    /// The names of each panel; the flag is true for absolute values on a logarithmic axis.
    wanted: Vec<(String, bool)>,
    against: Option<String>,
    title: Option<String>,
}

impl<P: Simulated + Problem<System: Sampled<P>>> Trajectory<P> {
    /// Starts the description of a figure of the run.
    pub fn plot(&self, system: &P::System) -> Plot {
        Plot { columns: PlotColumns::of(self, system), wanted: Vec::new(), against: None, title: None }
    }
}

impl Plot {
    /// Adds a panel for each of these names, with a line for each value of the name.
    ///
    /// The full names are column names of tables, for example `configuration.attitude[0][2]`. Unique parts of them are accepted as well:
    /// `attitude`, `position.z`, `energy`, or the name of an observable or of an input. The name of a constraint selects its multipliers.
    pub fn lines<N: Into<String>>(mut self, names: impl IntoIterator<Item = N>) -> Self {
        self.wanted.extend(names.into_iter().map(|name| (name.into(), false)));
        self
    }

    /// Adds panels of absolute values with a logarithmic axis, for errors and residuals.
    pub fn log_lines<N: Into<String>>(mut self, names: impl IntoIterator<Item = N>) -> Self {
        self.wanted.extend(names.into_iter().map(|name| (name.into(), true)));
        self
    }

    /// Sets the name of the value on the horizontal axis; the default is the time.
    pub fn x_axis(mut self, name: &str) -> Self {
        self.against = Some(name.to_owned());
        self
    }

    /// Sets the title.
    pub fn title(mut self, title: &str) -> Self {
        self.title = Some(title.to_owned());
        self
    }

    /// Returns the panels, to be combined with other panels.
    ///
    /// # Errors
    /// [`FigureError`] for unknown names, for values that are not finite, and for runs without states.
    pub fn panels(&self) -> Result<Vec<Panel>, FigureError> {
        let columns = self.columns.as_ref().map_err(Clone::clone)?;
        let (x, places) = match &self.against {
            None => (Axis::linear("time t [s]"), columns.times.clone()),
            Some(name) => match columns.find(name)?.as_slice() {
                [column] => (Axis::linear(name), columns.numbers(*column)?),
                all => return Err(FigureError::Several { name: name.clone(), numbers: all.len() }),
            },
        };
        if self.wanted.is_empty() {
            return Err(FigureError::NothingNamed { known: columns.known() });
        }
        let panel = |(name, log_lines): &(String, bool)| {
            let line = |(style, column): (usize, usize)| {
                let numbers = columns.numbers(column)?.into_iter();
                let points = places.iter().copied().zip(numbers.map(|y| if *log_lines { y.abs() } else { y }));
                Ok(Series::line(columns.label(column), style, points.collect()))
            };
            let series = columns.find(name)?.into_iter().enumerate().map(line).collect::<Result<_, _>>()?;
            let y = if *log_lines { Axis::log(&format!("|{name}|")) } else { Axis::linear(name) };
            Ok(Panel::new(name, x.clone(), y, series))
        };
        self.wanted.iter().map(panel).collect()
    }

    /// Writes the figure to a file. The extension of the name selects the format: `.svg`; `.png` with the feature `png`; or `.csv` for
    /// the points. The format `.csv` needs only the feature `pictures`.
    ///
    /// # Errors
    /// [`FigureError`], as for [`panels`](Self::panels), or if the figure cannot be drawn or written.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<PathBuf, FigureError> {
        medium::save(self.title.as_deref(), &self.panels()?, path.as_ref())
    }
}
