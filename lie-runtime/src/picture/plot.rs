//! Figures of a run; their data are identified by declared names.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use super::{Axis, EventMark, Figure, FigureError, Panel, Series};
use crate::integrator::Problem;
use crate::simulate::{ColumnError, Columns, Motion, Run, Sampled, Simulated, Trajectory};

/// The number of lines of a panel whose name is not given. Rotation matrices have nine values.
const MOST_LINES: usize = 6;

/// A figure of a run, to be described and saved.
///
/// Without [`lines`](Self::lines), it has a panel for the energy and for each name with at most six values. Rotation matrices have nine.
///
/// ```
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
/// # let file = folder.join("ball.svg");
/// let system = ball::System::new()?;
/// let start = ball::Flight { position: Vector3::zeros() };
/// let run = Simulation::of(&system).initial(start, Vector3::new(3.0, 0.0, 5.0)).step(0.01).end_time(1.0).run()?;
/// run.plot().save(&file)?;
/// let titles: Vec<String> = run.plot().panels()?.into_iter().map(|panel| panel.title).collect();
/// assert_eq!(titles, ["position", "energy.total"]);
/// run.plot().lines(["energy", "position.z z [m]"]).save(&file)?;
/// run.plot().lines(["position.z z [m]"]).x_axis("position.x x [m]").title("A ball").save(&file)?;
///
/// let error = run.plot().lines(["positoin.z"]).save(&file).unwrap_err();
/// assert!(error.to_string().contains("did you mean `position`?"));
/// # std::fs::remove_dir_all(&folder)?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
#[must_use = "nothing is drawn before `save`"]
#[doc(alias = "figure")]
#[doc(alias = "chart")]
pub struct Plot {
    columns: Result<Columns, FigureError>,
    /// The declared unit of each column.
    units: Vec<Option<&'static str>>,
    /// The label of each panel, which starts with the name; the flag is true for absolute values on a logarithmic axis.
    wanted: Vec<(String, bool)>,
    against: Option<String>,
    title: String,
    caption: String,
}

impl<P: Simulated + Problem<System: Sampled<P>>> Trajectory<P> {
    /// Starts the description of a figure of the run.
    pub(crate) fn plot(&self, system: &P::System) -> Plot {
        let shown = self.shown(system).map_err(ColumnError::ForeignState);
        let columns = shown.and_then(|shown| Columns::of_samples(self.samples_at(system, &shown)));
        let description = P::State::description(system);
        let unit = |name: &String| description.and_then(|description| description.unit_of(name));
        Plot {
            units: columns.iter().flat_map(|columns| columns.names.iter().map(unit)).collect(),
            columns: columns.map_err(FigureError::from),
            wanted: Vec::new(),
            against: None,
            title: String::new(),
            caption: String::new(),
        }
    }
}

impl<P: Simulated + Problem<System: Sampled<P>>> Run<'_, P> {
    /// Starts the description of a figure of the run. Between recorded states that are far apart, lines follow the interpolated states of
    /// [`at`](Run::at).
    pub fn plot(&self) -> Plot {
        Trajectory::plot(self, self.system())
    }
}

impl Plot {
    /// Adds a panel for each of these names, with a line for each value of the name.
    ///
    /// Lines are interrupted at events, which a figure over time marks with dotted vertical lines.
    ///
    /// The full names are column names of tables, for example `configuration.attitude[0][2]`. Unique parts of them are accepted as well:
    /// `attitude`, `position.z`, `energy`, or the name of an observable or of an input. The name of a constraint selects its multipliers.
    ///
    /// A symbol and a unit can follow the name after a space: `position.z [m]` or `velocity.angle ω [rad/s]`. They complete the label of
    /// the axis. Without them, the label contains the unit of the declaration, see [`Description::unit_of`](crate::system::Description::unit_of).
    pub fn lines<N: Into<String>>(mut self, names: impl IntoIterator<Item = N>) -> Self {
        self.wanted.extend(names.into_iter().map(|name| (name.into(), false)));
        self
    }

    /// Adds panels of absolute values with a logarithmic axis, for errors and residuals.
    pub fn log_lines<N: Into<String>>(mut self, names: impl IntoIterator<Item = N>) -> Self {
        self.wanted.extend(names.into_iter().map(|name| (name.into(), true)));
        self
    }

    /// Sets the name of the value on the horizontal axis, for example `position.x [m]`; the default is the time.
    pub fn x_axis(mut self, name: &str) -> Self {
        self.against = Some(name.to_owned());
        self
    }

    /// Sets the title.
    pub fn title(mut self, title: &str) -> Self {
        title.clone_into(&mut self.title);
        self
    }

    /// Sets the caption below the panels: the parameters, and the result that the figure shows.
    pub fn caption(mut self, caption: &str) -> Self {
        caption.clone_into(&mut self.caption);
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
            Some(label) => {
                let (name, unit) = name_and_unit(label);
                let column = columns.names.find_one(name)?;
                (Axis::linear(&format!("{name}{}", self.unit(unit, &[column]))), finite(columns, column)?)
            }
        };
        let wanted = if self.wanted.is_empty() { Self::all(columns) } else { self.wanted.clone() };
        // An event has two states at one time.
        let is_after_event: Vec<bool> =
            (0..columns.times.len()).map(|at| at > 0 && columns.times[at] == columns.times[at - 1]).collect();
        let panel = |(label, log_lines): &(String, bool)| {
            let (name, unit) = name_and_unit(label);
            let line = |(style, column): (usize, usize)| {
                let numbers = finite(columns, column)?.into_iter();
                let points = places.iter().copied().zip(numbers.map(|y| if *log_lines { y.abs() } else { y }));
                let mut line: Vec<(f64, f64)> = Vec::new();
                for (point, is_after_event) in points.zip(&is_after_event) {
                    if *is_after_event && line.last() != Some(&point) {
                        // The line is interrupted between the two states at the time of an event.
                        line.push((f64::NAN, f64::NAN));
                    }
                    line.push(point);
                }
                Ok::<_, FigureError>(Series::line(columns.names.label(column), style, line))
            };
            let found = columns.names.find(name)?;
            let unit = self.unit(unit, &found);
            let series = found.into_iter().enumerate().map(line).collect::<Result<_, _>>()?;
            let y =
                if *log_lines { Axis::log(&format!("|{name}|{unit}")) } else { Axis::linear(&format!("{name}{unit}")) };
            let mut panel = Panel::new(name, x.clone(), y, series);
            if self.against.is_none() {
                let events = columns.times.iter().zip(&is_after_event).filter(|(_, is_after_event)| **is_after_event);
                panel.events = events.map(|(time, _)| EventMark { x: *time, text: String::new() }).collect();
            }
            Ok(panel)
        };
        wanted.iter().map(panel).collect()
    }

    /// Returns the end of a label: the text of the user, or the common declared unit of the columns.
    fn unit<'s>(&self, given: &'s str, columns: &[usize]) -> Cow<'s, str> {
        let unit = |column: &usize| self.units.get(*column).copied().flatten();
        match columns.first().and_then(unit) {
            Some(first) if given.is_empty() && columns.iter().all(|column| unit(column) == Some(first)) => {
                Cow::Owned(format!(" [{first}]"))
            }
            _ => Cow::Borrowed(given),
        }
    }

    /// Returns the names that are drawn if no name is given: the members, multipliers, quantities and observables of few values, and the energy.
    fn all(columns: &Columns) -> Vec<(String, bool)> {
        let is_drawn = |name: &String| {
            let is_checked = name == "t" || name.starts_with("residual.") || name.starts_with("energy.");
            let values = columns.names.find(name).map_or(0, |columns| columns.len());
            name == "energy.total" || (!is_checked && (1..=MOST_LINES).contains(&values))
        };
        columns.names.known().into_iter().filter(is_drawn).map(|name| (name, false)).collect()
    }

    /// Writes the figure to a file. The extension of the name selects the format: `.svg`; `.png` with the feature `png`; or `.csv` for
    /// the points.
    ///
    /// # Errors
    /// [`FigureError`], as for [`panels`](Self::panels), or if the figure cannot be drawn or written.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<PathBuf, FigureError> {
        Figure::new(self.panels()?).title(&self.title).caption(&self.caption).save(path)
    }
}

/// Splits a label, such as `velocity.angle ω [rad/s]`, after the name of the values.
fn name_and_unit(label: &str) -> (&str, &str) {
    label.split_at(label.find(' ').unwrap_or(label.len()))
}

/// The values of a column.
///
/// # Errors
/// [`FigureError::NotFinite`].
pub(super) fn finite(columns: &Columns, column: usize) -> Result<Vec<f64>, FigureError> {
    let value = |(value, time): (f64, &f64)| match value {
        value if value.is_finite() => Ok(value),
        _ => Err(FigureError::NotFinite { name: columns.names.label(column).to_owned(), time: *time }),
    };
    columns.values(column).zip(&columns.times).map(value).collect()
}
