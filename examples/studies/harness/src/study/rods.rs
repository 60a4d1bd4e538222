//! The study of a rod of paper 1: Figs. 8-11 and an animation.

use core::error::Error;
use std::io::Write;
use std::path::{Path, PathBuf};

use lie_runtime::simulate::Sample;

use super::steps::{self, TOLERANCES};
use super::{Curve, Ladder, errors_against, history, in_parallel, plain_table, table_of_errors};
use crate::chains::centreline;
use crate::example::Example;
use crate::figure::{self, Animation, FigureError, MovingLine, Panel, Snapshot, Snapshots};
use crate::request::{Outcome, Request};

/// The models of a rod: the values of `--model`.
pub const MODELS: [&str; 2] = ["shear_flexible", "kirchhoff"];

/// The differences between rods.
#[derive(Clone, Debug)]
pub struct RodStudy {
    /// The only group.
    pub group: &'static str,
    /// The name in titles.
    pub title: &'static str,
    /// The times at which errors are measured.
    pub end: f64,
    /// The steps of the reference as a power of two.
    pub reference: i32,
    /// The methods in the order of their orders.
    pub ladders: [Ladder; 4],
    /// h of the estimates.
    pub estimate_step: f64,
    /// The end time of the estimates.
    pub estimate_end: f64,
    /// The times of the snapshots.
    pub snapshots: &'static [f64],
    /// Azimuth and elevation of the view of the snapshots, and their content.
    pub eye: ([f64; 2], [&'static str; 2]),
    /// The names of the first and the last node in the snapshots; an empty name is not drawn.
    pub ends: [&'static str; 2],
    /// The last sentence of the caption of the snapshots.
    pub observation: &'static str,
    /// The number of the last frame of the animation and the time between frames.
    pub film: (u32, f64),
}

/// A failure on any of several processors.
fn told(error: Box<dyn Error + Send + Sync>) -> Box<dyn Error> {
    error
}

/// The end time of the runs with error control (Fig. 11).
const CONTROLLED_END: f64 = 5.0;

impl RodStudy {
    /// The errors of all methods for a model of [`MODELS`].
    ///
    /// # Errors
    /// An error if a run cannot be started or the reference fails.
    pub fn convergence(&self, example: &Example, model: &str) -> Result<Vec<Curve>, Box<dyn Error>> {
        let step = self.end * 0.5f64.powi(self.reference);
        let reference = Request::fixed("hedop5", step, self.end).with("model", model)?;
        errors_against(example, self.group, &reference, &self.ladders).map_err(told)
    }

    /// The estimates of hedop5 for a model of [`MODELS`].
    ///
    /// # Errors
    /// An error if a run cannot be started or fails.
    pub fn estimates(&self, example: &Example, model: &str) -> Result<Vec<steps::Estimates>, Box<dyn Error>> {
        let request = Request::fixed("hedop5", self.estimate_step, self.estimate_end).with("model", model)?;
        steps::estimates(example, self.group, &request, self.estimate_step).map_err(told)
    }

    /// A run with error control, Rtol = 1e-6 and Atol = 1e-8.
    ///
    /// # Errors
    /// An error if it cannot be started or fails.
    pub fn controlled(
        &self,
        example: &Example,
        settings: &[(&str, &str)],
        end: f64,
    ) -> Result<Outcome, Box<dyn Error + Send + Sync>> {
        let mut request = Request::controlled("hedop5", TOLERANCES.0, TOLERANCES.1, end);
        for (name, value) in settings {
            request = request.with(name, value)?;
        }
        history(example, self.group, &request)
    }

    /// Everything; returns the figures.
    ///
    /// # Errors
    /// An error if a run fails or a file cannot be written.
    pub fn run(&self, example: &Example, folder: &Path, out: &mut dyn Write) -> Result<Vec<PathBuf>, Box<dyn Error>> {
        let mut figures = Vec::new();
        let labels = ["p = 2", "p = 3", "p = 4", "p = 5"];
        let mut panels = Vec::new();
        for (model, quantities) in MODELS.iter().zip([&[(0, "q")][..], &[(0, "q"), (2, "λ")]]) {
            let curves = self.convergence(example, model)?;
            let curves: Vec<&Curve> = curves.iter().collect();
            writeln!(out, "\n{}, {model}: relative errors at t = {}", self.title, self.end)?;
            writeln!(out, "{}", table_of_errors(&curves))?;
            for (quantity, name) in quantities {
                panels.push(figure::convergence(&curves, &labels, *quantity, &format!("{model}: error of {name}")));
            }
        }
        figures.push(self.save(&panels, 9, folder, "convergence")?);

        let mut panels = Vec::new();
        let mut rows = Vec::new();
        for model in MODELS {
            let estimates = self.estimates(example, model)?;
            let ratios = steps::ratios(&estimates);
            rows.push(vec![model.to_owned(), format!("{:.1}", ratios[0]), format!("{:.1}", ratios[1])]);
            panels.push(steps::estimates_panel(&format!("{model}, h = {} s", self.estimate_step), &estimates));
        }
        writeln!(out, "\nMedian ratios of the estimated errors of hedop5, which are of fifth order")?;
        writeln!(out, "{}", plain_table(&["model", "err(2h) / err(h)", "err(h) / err(h/2)"], &rows))?;
        figures.push(self.save(&panels, 10, folder, "estimates")?);

        let runs =
            in_parallel(MODELS.len(), |index| self.controlled(example, &[("model", MODELS[index])], CONTROLLED_END))
                .map_err(told)?;
        let rows: Vec<Vec<String>> = MODELS.iter().zip(&runs).map(|(model, run)| step_row(model, run)).collect();
        writeln!(out, "\nError control with Rtol = 1e-6, Atol = 1e-8 up to t = {CONTROLLED_END}")?;
        writeln!(out, "{}", plain_table(&STEP_HEADER, &rows))?;
        let runs: Vec<(&str, &Outcome)> = MODELS.iter().copied().zip(&runs).collect();
        let title = format!("{}: both models (compare paper 1, Fig. 11)", self.title);
        figures.push(figure::save_titled(&title, &steps::history_panels(&runs), folder, "steps")?);
        figures.extend(self.motion(example, folder)?);
        Ok(figures)
    }

    /// Draws the content of a figure of paper 1.
    ///
    /// # Errors
    /// [`FigureError`].
    pub fn save(&self, panels: &[Panel], printed: u32, folder: &Path, name: &str) -> Result<PathBuf, FigureError> {
        figure::save_titled(&format!("{} (paper 1, Fig. {printed})", self.title), panels, folder, name)
    }

    /// Snapshots and the animation of the rod of Kirchhoff.
    fn motion(&self, example: &Example, folder: &Path) -> Result<[PathBuf; 2], Box<dyn Error>> {
        let (last, interval) = self.film;
        let times: Vec<f64> = (0..=last).map(|frame| f64::from(frame) * interval).collect();
        let end = times.iter().chain(self.snapshots).copied().fold(0.0, f64::max);
        let mut request = Request::controlled("hedop5", TOLERANCES.0, TOLERANCES.1, end).with("model", MODELS[1])?;
        request.recording = crate::request::Recording::Samples;
        request.samples = [self.snapshots, &times].concat();
        let run = history(example, self.group, &request).map_err(told)?;
        let (stills, frames) = run.samples.split_at(self.snapshots.len());
        let line = |sample: &Sample| centreline(&sample.configuration, "nodes");
        let points: Vec<Vec<[f64; 3]>> = frames.iter().map(line).collect();
        let ends = [points.first().and_then(|first| first.first()), points.first().and_then(|first| first.last())];
        let marks = ends.into_iter().zip(self.ends).filter(|(_, name)| !name.is_empty());
        let marks = marks.filter_map(|(end, name)| Some((name.to_owned(), *end?)));
        let snapshots = stills.iter().map(|sample| Snapshot { label: sample.t.to_string(), lines: vec![line(sample)] });
        let picture = Snapshots {
            title: self.title.to_owned(),
            caption: format!(
                "Kirchhoff rod of {} elements, hedop5 with relative tolerance 10⁻⁶ (paper 1, Fig. 8). The dots are the nodes; the lines \
                 between them are cubics. {}",
                points.first().map_or(0, |points| points.len().saturating_sub(1)),
                self.observation
            ),
            smooth: true,
            axes: self.eye.1.map(str::to_owned),
            eye: self.eye.0,
            marks: marks.collect(),
            snapshots: snapshots.collect(),
        };
        let trail = points.first().map(|points| points.len().saturating_sub(1));
        let film = Animation {
            title: self.title.to_owned(),
            eye: [self.eye.0[0] + 25.0, self.eye.0[1].clamp(-60.0, 60.0) + 15.0],
            times: frames.iter().map(|sample| sample.t).collect(),
            lines: vec![MovingLine { label: "rod".to_owned(), style: 0, trail, points }],
            ..Animation::default()
        };
        Ok([picture.save(folder, "snapshots")?, film.save(folder, "animation")?])
    }
}

/// The header of [`step_row`].
pub const STEP_HEADER: [&str; 6] =
    ["run", "accepted", "rejected", "largest err", "largest h, t < 1", "largest h, t > 1"];

/// The record of a run with error control.
pub fn step_row(name: &str, run: &Outcome) -> Vec<String> {
    let accepted = || run.steps.iter().filter(|step| step.accepted);
    let error = accepted().map(|step| step.error).fold(0.0, f64::max);
    let size =
        |late: bool| accepted().filter(|step| (step.time > 1.0) == late).map(|step| step.step).fold(0.0, f64::max);
    vec![
        name.to_owned(),
        run.accepted.to_string(),
        run.rejected.to_string(),
        format!("{error:.3}"),
        format!("{:.4}", size(false)),
        format!("{:.4}", size(true)),
    ]
}
