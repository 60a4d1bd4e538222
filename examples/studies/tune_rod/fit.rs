//! A film of the motion, and the stiffness that fits it best.

use core::cell::RefCell;
use core::fmt;

use argmin::core::{CostFunction, Executor, Gradient, State as _};
use argmin::solver::linesearch::MoreThuenteLineSearch;
use argmin::solver::quasinewton::LBFGS;
use lie_runtime::ensemble::{Distribution, Samples};
use lie_runtime::gradient::Objective;
use lie_runtime::nalgebra::DMatrix;
use lie_runtime::prelude::*;
use lie_runtime::scalar::Dual;

use super::{EDGES, rod, section, start, true_stiffness};

/// Every so many nodes there is a mark.
const MARKS_EVERY: usize = 3;
/// Steps between two pictures.
const EVERY: usize = 4;
const STEP: f64 = 5e-3;
const END: f64 = 1.0;
/// The deviation of a coordinate of a mark [m].
const DEVIATION: f64 = 5e-4;
/// The prior: standard deviation of the difference of adjacent logarithms.
const ROUGHNESS: f64 = 0.3;
/// Correction pairs that the method keeps.
const MEMORY: usize = 12;
const ITERATIONS: u64 = 80;
/// The length of the first step, before anything is known of the curvature.
const FIRST_STEP: f64 = 0.3;
/// The change of a logarithm for the differences of gradients.
const DIFFERENCE: f64 = 1e-3;
/// Steps that better the scaled J by less are the last ones.
const ENOUGH: f64 = 1e-12;

/// The reason for a missing fit.
#[derive(Debug, thiserror::Error)]
pub enum FitError {
    /// The motion of a rod could not be computed.
    #[error("{0}")]
    Run(String),
    /// The search did not converge.
    #[error("the search for the stiffness ended: {0}; start closer to the stiffness")]
    Search(String),
}

fn told(error: impl fmt::Display) -> FitError {
    FitError::Run(error.to_string())
}

/// Positions of the marks at one time.
#[derive(Clone, Debug)]
struct Picture {
    time: f64,
    marks: Vec<Vector3<f64>>,
}

/// The measurements.
#[derive(Clone, Debug)]
pub struct Film {
    pictures: Vec<Picture>,
}

/// The motion of a rod of these stiffnesses, but for its step.
fn system(bending: &[f64]) -> Result<rod::System, FitError> {
    rod::System::new(section(bending.to_vec()), rod::Lengths { nodes: EDGES + 1 }).map_err(told)
}

/// The height of the free end of a rod of these stiffnesses over time.
///
/// # Errors
/// [`FitError::Run`].
pub fn tip_of(bending: &[f64]) -> Result<Vec<(f64, f64)>, FitError> {
    let system = system(bending)?;
    let (q0, v0) = start(system.parameters().length);
    let run = Simulation::of(&system).initial(q0, v0).method(GeneralizedAlpha::lie_alpha());
    let run = run.step(STEP).end_time(END).run().map_err(told)?;
    Ok(run.states.iter().map(|state| (state.time, state.configuration.nodes[EDGES].translation.z)).collect())
}

/// The nodes with marks.
fn marked() -> impl Iterator<Item = usize> {
    (MARKS_EVERY..=EDGES).step_by(MARKS_EVERY)
}

impl Film {
    /// The film of the true rod with a quarter of the step size of the fit, plus noise.
    ///
    /// # Errors
    /// [`FitError::Run`].
    pub fn made(seed: u64) -> Result<Self, FitError> {
        let system = system(&true_stiffness())?;
        let (q0, v0) = start(system.parameters().length);
        let run = Simulation::of(&system).initial(q0, v0).method(GeneralizedAlpha::lie_alpha());
        let run = run.step(STEP / 4.0).end_time(END).run().map_err(told)?;
        let states: Vec<_> = run.states.iter().skip(4 * EVERY).step_by(4 * EVERY).collect();
        let normal = Distribution::Normal { mean: 0.0, deviation: DEVIATION };
        let count = 3 * marked().count();
        let noise = Samples::random(count * states.len(), seed).variable("noise", normal).rows().map_err(told)?;
        let noise: Vec<f64> = noise.into_iter().flatten().collect();
        let pictures = states.iter().zip(noise.chunks_exact(count)).map(|(state, noise)| {
            let places = marked().map(|node| state.configuration.nodes[node].translation);
            let marks =
                places.zip(noise.chunks_exact(3)).map(|(place, noise)| place + Vector3::from_column_slice(noise));
            Picture { time: state.time, marks: marks.collect() }
        });
        Ok(Film { pictures: pictures.collect() })
    }

    /// How many numbers were measured.
    pub fn count(&self) -> usize {
        self.pictures.iter().map(|picture| 3 * picture.marks.len()).sum()
    }

    /// The height of the free end over time.
    pub fn tip(&self) -> Vec<(f64, f64)> {
        self.pictures.iter().filter_map(|picture| Some((picture.time, picture.marks.last()?.z))).collect()
    }

    /// Half of the sum of squared residuals of a picture, in standard deviations.
    fn left(&self, number: usize, state: &State<rod::System<Dual<f64>>>) -> Dual<f64> {
        let squares = marked().zip(&self.pictures[number].marks).map(|(node, mark)| {
            let difference = state.configuration.nodes[node].translation - mark.map(Dual::lift);
            difference.dot(&difference)
        });
        let scale = Dual::lift(0.5 / (DEVIATION * DEVIATION));
        squares.fold(Dual::lift(0.0), |sum, square| sum + square) * scale
    }
}

/// The best fit of the film.
#[derive(Clone, Debug)]
pub struct Fit {
    /// The bending stiffness of each edge.
    pub stiffness: Vec<f64>,
    /// The mean square of the residuals, in standard deviations: about 1.
    pub left: f64,
    /// How many runs there were, each with its gradient.
    pub evaluations: usize,
    /// The standard deviation of the logarithm of each stiffness.
    pub deviations: Vec<f64>,
    /// The mean square after so many of them.
    pub progress: Vec<(f64, f64)>,
}

/// The guess that the search begins with: the same everywhere.
pub fn guess() -> Vec<f64> {
    vec![0.8; EDGES]
}

/// A place in the search with the value and the gradient there.
#[derive(Clone, Debug)]
struct Evaluated {
    logarithms: Vec<f64>,
    value: f64,
    slopes: Vec<f64>,
    /// The residual part of the value.
    left: f64,
}

/// J as a function of the logarithms of the stiffnesses, which keeps the stiffnesses positive.
struct Search<'a> {
    film: &'a Film,
    /// Scaling factor of J, so that its gradient has the length of the first step.
    scale: f64,
    /// The last place: value and gradient are asked for one after the other.
    last: RefCell<Option<Evaluated>>,
    progress: RefCell<Vec<f64>>,
}

impl Search<'_> {
    fn at(&self, logarithms: &[f64]) -> Result<Evaluated, FitError> {
        if let Some(last) = self.last.borrow().as_ref().filter(|last| last.logarithms == logarithms) {
            return Ok(last.clone());
        }
        let found = self.evaluate(logarithms)?;
        self.progress.borrow_mut().push(found.left);
        *self.last.borrow_mut() = Some(found.clone());
        Ok(found)
    }

    fn evaluate(&self, logarithms: &[f64]) -> Result<Evaluated, FitError> {
        let stiffness: Vec<f64> = logarithms.iter().map(|logarithm| logarithm.exp()).collect();
        let system = system(&stiffness)?;
        let (q0, v0) = start(system.parameters().length);
        let times: Vec<f64> = self.film.pictures.iter().map(|picture| picture.time).collect();
        let objective = Objective::<rod::System>::new().at_times(times, |number, state| self.film.left(number, state));
        let run = Simulation::of(&system).initial(q0, v0).method(GeneralizedAlpha::lie_alpha());
        let run = run.without_declaration_check().step(STEP).end_time(END);
        let gradient = run.gradient_of(&objective).map_err(told)?;
        let slopes = gradient.all_of("bending").map_err(told)?;
        let mut slopes: Vec<f64> = slopes.iter().zip(&stiffness).map(|(slope, stiffness)| slope * stiffness).collect();
        let mut value = gradient.value;
        for edge in 1..EDGES {
            let change = (logarithms[edge] - logarithms[edge - 1]) / ROUGHNESS;
            value += 0.5 * change * change;
            slopes[edge] += change / ROUGHNESS;
            slopes[edge - 1] -= change / ROUGHNESS;
        }
        Ok(Evaluated { logarithms: logarithms.to_vec(), value, slopes, left: 2.0 * gradient.value })
    }
}

impl Search<'_> {
    /// The standard deviations of the logarithms at a minimum of J: the inverse of the second derivatives, which are central differences of
    /// the gradient (Laplace's approximation; the penalty on changes along the rod is the logarithm of a prior density).
    fn deviations(&self, best: &[f64]) -> Result<Vec<f64>, FitError> {
        let mut second = DMatrix::<f64>::zeros(EDGES, EDGES);
        for edge in 0..EDGES {
            let slopes = |sign: f64| -> Result<Vec<f64>, FitError> {
                let mut moved = best.to_vec();
                moved[edge] += sign * DIFFERENCE;
                Ok(self.evaluate(&moved)?.slopes)
            };
            let (above, below) = (slopes(1.0)?, slopes(-1.0)?);
            for other in 0..EDGES {
                let half = 0.25 * (above[other] - below[other]) / DIFFERENCE;
                second[(edge, other)] += half;
                second[(other, edge)] += half;
            }
        }
        let factor = second.cholesky().ok_or_else(|| FitError::Search("the result is not a minimum".to_owned()))?;
        Ok(factor.inverse().diagonal().iter().map(|variance| variance.sqrt()).collect())
    }
}

impl CostFunction for &Search<'_> {
    type Param = Vec<f64>;
    type Output = f64;

    fn cost(&self, logarithms: &Vec<f64>) -> Result<f64, argmin::core::Error> {
        Ok(self.scale * self.at(logarithms)?.value)
    }
}

impl Gradient for &Search<'_> {
    type Param = Vec<f64>;
    type Gradient = Vec<f64>;

    fn gradient(&self, logarithms: &Vec<f64>) -> Result<Vec<f64>, argmin::core::Error> {
        Ok(self.at(logarithms)?.slopes.iter().map(|slope| self.scale * slope).collect())
    }
}

/// Finds the stiffness that fits a film best.
///
/// # Errors
/// [`FitError`].
pub fn fit(film: &Film) -> Result<Fit, FitError> {
    let told = |error: argmin::core::Error| FitError::Search(error.to_string());
    let mut search = Search { film, scale: 1.0, last: RefCell::default(), progress: RefCell::default() };
    let first: Vec<f64> = guess().iter().map(|stiffness| stiffness.ln()).collect();
    let steepness = search.at(&first)?.slopes.iter().map(|slope| slope * slope).sum::<f64>().sqrt();
    search.scale = FIRST_STEP / steepness;
    let solver = LBFGS::new(MoreThuenteLineSearch::new(), MEMORY);
    let solver = solver.with_tolerance_cost(ENOUGH).map_err(told)?;
    let result = Executor::new(&search, solver)
        .configure(|state| state.param(first).max_iters(ITERATIONS))
        .run()
        .map_err(told)?;
    let best = result.state().get_best_param().cloned();
    let Some(best) = best else { return Err(FitError::Search("no minimum was found".to_owned())) };
    let left = search.at(&best)?.left / film.count() as f64;
    let deviations = search.deviations(&best)?;
    let progress: Vec<f64> = search.progress.borrow().clone();
    let points = progress.iter().enumerate().map(|(run, left)| ((run + 1) as f64, left / film.count() as f64));
    Ok(Fit {
        stiffness: best.iter().map(|logarithm| logarithm.exp()).collect(),
        left,
        evaluations: progress.len(),
        deviations,
        progress: points.collect(),
    })
}
