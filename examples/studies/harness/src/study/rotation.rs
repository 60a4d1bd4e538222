//! Common parts of the examples of paper 5: errors of Π and R over step sizes, and energies over time.
//!
//! A model has the observables `attitude` (by rows) and `angular_momentum` (in the body).

use std::io::Write;
use std::path::{Path, PathBuf};

use super::{Curve, in_parallel, norm, order, plain_table};
use crate::example::Example;
use crate::figure::{self, Axis, Figure};
use crate::request::Request;
use lie_runtime::simulate::Sample;

/// The methods that paper 5 compares, with their names there.
pub const METHODS: [(&str, &str); 7] = [
    ("akw", "AKW"),
    ("bbtrap", "BBTRAP"),
    ("swc1", "SWC1"),
    ("trap", "TRAP"),
    ("imid", "IMID"),
    ("trapm", "TRAPM"),
    ("imidm", "IMIDM"),
];

/// The method that the others are compared with, of order 6.
const REFERENCE: &str = "mkrk_gauss6";

/// Errors of R and Π at the end of a motion, for step sizes that halve.
pub struct Convergence<'a> {
    /// The settings, such as `case=fast`.
    pub setting: Option<(&'a str, &'a str)>,
    /// The end of the motion.
    pub end: f64,
    /// The numbers of steps as powers of two.
    pub steps: core::ops::RangeInclusive<i32>,
    /// The number of steps of the reference.
    pub reference_steps: u32,
    /// The title.
    pub title: &'a str,
    /// The last sentence of the caption.
    pub observation: &'a str,
    /// The figure of paper 5.
    pub printed: u32,
    /// The name of the figure.
    pub figure: &'a str,
}

/// ‖R − R*‖₂ and ‖Π − Π*‖₂; the difference of two rotations has two equal singular values.
fn errors(sample: &Sample, exact: &Sample) -> [f64; 2] {
    [("attitude", 2f64.sqrt()), ("angular_momentum", 1.0)].map(|(name, scale)| {
        let difference: Vec<f64> =
            sample.observable(name).iter().zip(exact.observable(name)).map(|(a, b)| a - b).collect();
        norm(&difference) / scale
    })
}

impl Convergence<'_> {
    /// The last sample of a run.
    ///
    /// # Errors
    /// A message if the run fails.
    fn last(&self, example: &Example, method: &str, steps: u32) -> Result<Sample, String> {
        let mut request = Request::fixed(method, self.end / f64::from(steps), self.end);
        if let Some((name, value)) = self.setting {
            request.settings.insert(name, value).map_err(|error| error.to_string())?;
        }
        let outcome = example.variants[0].run(&request).map_err(|error| error.to_string())?;
        match (outcome.failure, outcome.samples.into_iter().next()) {
            (None, Some(sample)) => Ok(sample),
            (failure, _) => Err(failure.unwrap_or_default()),
        }
    }

    /// The errors of every method.
    ///
    /// # Errors
    /// A message if the reference or a run fails.
    pub fn curves(&self, example: &Example) -> Result<Vec<Curve>, String> {
        let exact = self.last(example, REFERENCE, self.reference_steps)?;
        let powers: Vec<i32> = self.steps.clone().collect();
        let count = powers.len();
        let errors = in_parallel(METHODS.len() * count, |index| {
            let (method, steps) = (METHODS[index / count].0, 2f64.powi(powers[index % count]));
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // A power of two.
            let sample = self.last(example, method, steps as u32);
            let [attitude, momentum] = errors(&sample?, &exact);
            Ok::<_, String>((self.end / steps, [attitude, momentum, f64::NAN], 0.0))
        })?;
        Ok(METHODS
            .iter()
            .zip(errors.chunks(count))
            .map(|((_, label), points)| Curve { group: "", method: (*label).to_owned(), points: points.to_vec() })
            .collect())
    }

    /// Prints the errors on `out` and draws them into `folder`.
    ///
    /// # Errors
    /// Whatever fails.
    pub fn report(
        &self,
        example: &Example,
        folder: &Path,
        out: &mut dyn Write,
    ) -> Result<PathBuf, Box<dyn core::error::Error>> {
        let curves = self.curves(example)?;
        writeln!(out, "\n{}: errors at t = {}", self.title, self.end)?;
        let mut rows: Vec<Vec<String>> = curves
            .iter()
            .map(|curve| {
                let finest = curve.points.last().map_or([f64::NAN; 3], |point| point.1);
                vec![
                    curve.method.clone(),
                    format!("{:.2e}", finest[1]),
                    order(curve.order(1)),
                    format!("{:.2e}", finest[0]),
                    order(curve.order(0)),
                ]
            })
            .collect();
        rows.sort_by(|first, second| {
            first[3]
                .parse::<f64>()
                .ok()
                .partial_cmp(&second[3].parse::<f64>().ok())
                .unwrap_or(core::cmp::Ordering::Equal)
        });
        let finest = curves[0].points.last().map_or(f64::NAN, |point| point.0);
        let header = ["method", &format!("error of Π, h = {finest:.3e}"), "order", "error of R", "order"];
        writeln!(out, "{}", plain_table(&header, &rows))?;
        let curves: Vec<&Curve> = curves.iter().collect();
        let labels = METHODS.map(|(_, label)| label);
        let panels = [(1, "Π", "‖Π − Π*‖"), (0, "R", "‖R − R*‖")].map(|(quantity, name, axis)| {
            let mut panel =
                figure::convergence(&curves, &labels, quantity, &format!("Error of {name} at t = {} s", self.end));
            panel.y = Axis::log(axis);
            // One slope, under all curves.
            panel.triangles.sort_by(|first, second| first.y.total_cmp(&second.y));
            panel.triangles.truncate(1);
            panel
        });
        let caption = format!(
            "Errors of the momentum Π and of the attitude R at t = {} s against {REFERENCE} with {} steps (paper 5, Fig. {}). All methods \
             have order 2. {}",
            self.end, self.reference_steps, self.printed, self.observation
        );
        let figure = Figure::new(panels.to_vec()).title(self.title).caption(&caption);
        Ok(figure.save_in(folder, self.figure)?)
    }
}

/// H / H₀ over time, and the time at which the run broke off, if it did.
pub struct Energies {
    /// (t, H / H₀).
    pub points: Vec<(f64, f64)>,
    /// The last time of a run that has failed.
    pub broken_off: Option<f64>,
}

impl Energies {
    /// The energies of a run's recorded steps.
    ///
    /// # Errors
    /// A message if the run cannot be started.
    pub fn of(example: &Example, request: &Request) -> Result<Self, String> {
        let outcome = example.variants[0].run(request).map_err(|error| error.to_string())?;
        let total = |sample: &Sample| sample.energy.kinetic + sample.energy.potential;
        let start = outcome.history.first().map(total).ok_or("the run has no steps")?;
        let points: Vec<(f64, f64)> = outcome.history.iter().map(|sample| (sample.t, total(sample) / start)).collect();
        let broken_off = outcome.failure.and(points.last().map(|point| point.0));
        Ok(Energies { points, broken_off })
    }

    /// The lowest and the highest value, and the root mean square of H / H₀ − 1.
    pub fn spread(&self) -> [f64; 3] {
        let (mut low, mut high, mut squares) = (f64::INFINITY, f64::NEG_INFINITY, 0.0);
        for &(_, energy) in &self.points {
            (low, high) = (low.min(energy), high.max(energy));
            squares += (energy - 1.0) * (energy - 1.0);
        }
        [low, high, (squares / self.points.len().max(1) as f64).sqrt()]
    }
}
