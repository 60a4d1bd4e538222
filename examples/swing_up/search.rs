//! Direct multiple shooting: knots, pieces between them, and Gauss-Newton steps with bounds (H. G. Bock, K. J. Plitt, IFAC World Congress 1984).

use core::fmt;

use clarabel::algebra::CscMatrix;
use clarabel::solver::{DefaultSettings, DefaultSolver, IPSolver, SolverStatus, SupportedConeT};
use lie_runtime::gradient::Objective;
use lie_runtime::inputs::Constant;
use lie_runtime::prelude::*;
use lie_runtime::scalar::Dual;

use super::cart_pole::{CartPole, Inputs, Pose, System};
use super::{BOUND, END, WAY, start};

/// Pieces on which the force is constant.
const PIECES: usize = 50;
/// Steps on each of them.
const STEPS: usize = 16;
/// Numbers of a knot: two of the pose, two of the velocity.
const STATE: usize = 4;
/// The search has ended where no defect is greater, and no change of a force [N].
const ENOUGH: f64 = 1e-10;
const ENOUGH_CHANGE: f64 = 1e-6;
const ITERATIONS: usize = 400;
/// What a unit of a defect costs: more than any of its multipliers, so that the least value has no defect (S.-P. Han, J. Optim. Theory Appl. 22, 1977).
const PENALTY: f64 = 1e3;
/// The part of the promised descent that a step has to keep (L. Armijo 1966), and the shortest one.
const KEPT: f64 = 1e-4;
const SHORTEST: f64 = 1e-6;

/// Why there is no plan.
#[derive(Debug)]
pub enum PlanError {
    /// A motion could not be computed.
    Run(String),
    /// A quadratic problem has no solution, with what its solver says.
    Quadratic(String),
    /// The search has not ended: the defect and the change of a force that are left.
    Unfinished(f64, f64),
}

impl fmt::Display for PlanError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlanError::Run(error) => f.write_str(error),
            PlanError::Quadratic(status) => {
                write!(f, "no step was found ({status}): give the motion more time, or the force a wider bound")
            }
            PlanError::Unfinished(defect, change) => {
                write!(
                    f,
                    "the search has not ended after {ITERATIONS} steps: a defect of {defect:.1e} and a change of {change:.1e} N are left; give \
                     the motion more time, or the force a wider bound"
                )
            }
        }
    }
}

impl core::error::Error for PlanError {}

fn told(error: impl fmt::Display) -> PlanError {
    PlanError::Run(error.to_string())
}

/// Pose and velocity between two pieces.
#[derive(Clone, Copy, Debug)]
struct Knot {
    pose: Pose,
    velocity: Vector2<f64>,
}

impl Knot {
    /// q exp(δθ), v + δv.
    fn moved(&self, change: &[f64]) -> Self {
        let pole = self.pose.pole * SO2::exp(&Vector1::new(change[1]));
        let pose = Pose { cart: self.pose.cart + change[0], pole };
        Knot { pose, velocity: self.velocity + Vector2::new(change[2], change[3]) }
    }

    /// log(q⁻¹ q'), v' − v: how far another state is from this one.
    fn to(&self, pose: &Pose, velocity: &Vector2<f64>) -> [f64; STATE] {
        let turn = (self.pose.pole.inverse() * pose.pole).angle();
        let rate = velocity - self.velocity;
        [pose.cart - self.pose.cart, turn, rate[0], rate[1]]
    }
}

/// A step of the search, before it is made.
#[derive(Clone, Debug)]
pub struct Progress {
    /// ∫ u² dt.
    pub effort: f64,
    /// The largest component of all defects.
    pub defect: f64,
    /// The largest change of a force that the quadratic problem asks for.
    pub change: f64,
    /// The part of the step that is made.
    pub length: f64,
}

/// Forces that swing the pole up.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Of each piece.
    pub forces: Vec<f64>,
    /// The search.
    pub progress: Vec<Progress>,
    /// The multipliers of where it has to end.
    end: [f64; STATE],
}

/// The end of a piece, and its derivatives by the knot before it and its force.
struct Piece {
    defect: [f64; STATE],
    by_knot: [[f64; STATE]; STATE],
    by_force: [f64; STATE],
}

const fn piece_length() -> f64 {
    END / PIECES as f64
}

fn driven(data: &CartPole, force: f64) -> Result<System, PlanError> {
    let system = System::new(data.clone()).map_err(told)?;
    Ok(system.with_inputs_from(Constant(Inputs { motor: force })))
}

/// What a piece leaves open to the knot behind it.
fn defect_of(data: &CartPole, from: &Knot, force: f64, next: &Knot) -> Result<[f64; STATE], PlanError> {
    let system = driven(data, force)?;
    let run = Simulation::of(&system).starting_at(from.pose, from.velocity).with(OnMechanical(MuntheKaas::rkmk4()));
    let run = run.without_declaration_check().step(piece_length() / STEPS as f64).until(piece_length()).run();
    let run = run.map_err(told)?;
    let end = run.last().ok_or_else(|| told("a run without states"))?;
    Ok(next.to(&end.configuration, &end.velocity))
}

/// The same with its derivatives: a way back through the run for each component.
fn piece(data: &CartPole, from: &Knot, force: f64, next: &Knot) -> Result<Piece, PlanError> {
    let system = driven(data, force)?;
    let mut found = Piece { defect: [0.0; STATE], by_knot: [[0.0; STATE]; STATE], by_force: [0.0; STATE] };
    for component in 0..STATE {
        let objective = Objective::<System>::new().at_end(|state| match component {
            0 => state.configuration.cart - Dual::lift(next.pose.cart),
            1 => (SO2::from_angle(Dual::lift(-next.pose.pole.angle())) * state.configuration.pole).angle(),
            rate => state.velocity[rate - 2] - Dual::lift(next.velocity[rate - 2]),
        });
        let run = Simulation::of(&system).starting_at(from.pose, from.velocity).with(OnMechanical(MuntheKaas::rkmk4()));
        let run = run.without_declaration_check().step(piece_length() / STEPS as f64).until(piece_length());
        let gradient = run.gradient_of(&objective).map_err(told)?;
        let (q, v) = (gradient.configuration, gradient.velocity);
        found.defect[component] = gradient.value;
        found.by_knot[component] = [q[0], q[1], v[0], v[1]];
        found.by_force[component] = gradient.by_inputs(&[0.0]).map_err(told)?[0][0];
    }
    Ok(found)
}

/// The step that the quadratic problem asks for.
struct Step {
    knots: Vec<f64>,
    forces: Vec<f64>,
    /// The sum of what is left of the linearised defects.
    left: f64,
    /// The multipliers of the end.
    end: [f64; STATE],
}

/// min ∑ h/2 (u + δu)² + the penalty of what is left of the linearised defects, where both ends stay and |u + δu| is bounded: far from a solution
/// no forces within the bounds may let the linearised pieces meet (R. Fletcher, Practical Methods of Optimization, 1987, 14.4).
fn step(pieces: &[Piece], forces: &[f64]) -> Result<Step, PlanError> {
    let (knots, h) = (STATE * (PIECES + 1), piece_length());
    let slacks = knots + PIECES;
    let unknowns = slacks + 2 * STATE * PIECES;
    let (mut rows, mut columns, mut values, mut right) = (vec![], vec![], vec![], vec![]);
    let mut put = |row: usize, column: usize, value: f64| {
        rows.push(row);
        columns.push(column);
        values.push(value);
    };
    for (number, piece) in pieces.iter().enumerate() {
        for component in 0..STATE {
            let row = right.len();
            // On SO(2) T is one: the derivative by the next knot is minus one.
            put(row, STATE * (number + 1) + component, 1.0);
            for (k, slope) in piece.by_knot[component].iter().enumerate() {
                put(row, STATE * number + k, -slope);
            }
            put(row, knots + number, -piece.by_force[component]);
            put(row, slacks + row, 1.0);
            put(row, slacks + STATE * PIECES + row, -1.0);
            right.push(piece.defect[component]);
        }
    }
    for component in (0..STATE).chain(STATE * PIECES..knots) {
        put(right.len(), component, 1.0);
        right.push(0.0);
    }
    let equations = right.len();
    for (number, force) in forces.iter().enumerate() {
        for side in [1.0, -1.0] {
            put(right.len(), knots + number, side);
            right.push(BOUND - side * force);
        }
    }
    for slack in slacks..unknowns {
        put(right.len(), slack, -1.0);
        right.push(0.0);
    }
    let diagonal: Vec<usize> = (knots..slacks).collect();
    let curvature = CscMatrix::new_from_triplets(unknowns, unknowns, diagonal.clone(), diagonal, vec![h; PIECES]);
    let matrix = CscMatrix::new_from_triplets(right.len(), unknowns, rows, columns, values);
    let mut slope = vec![PENALTY; unknowns];
    slope[..knots].fill(0.0);
    slope[knots..slacks].iter_mut().zip(forces).for_each(|(slope, force)| *slope = h * force);
    let cones = [SupportedConeT::ZeroConeT(equations), SupportedConeT::NonnegativeConeT(right.len() - equations)];
    let exact = 1e-12;
    let settings = DefaultSettings {
        verbose: false,
        tol_gap_abs: exact,
        tol_gap_rel: exact,
        tol_feas: exact,
        ..DefaultSettings::default()
    };
    let mut solver = DefaultSolver::new(&curvature, &slope, &matrix, &right, &cones, settings)
        .map_err(|error| PlanError::Quadratic(error.to_string()))?;
    solver.solve();
    let solution = &solver.solution;
    if !matches!(solution.status, SolverStatus::Solved | SolverStatus::AlmostSolved) {
        return Err(PlanError::Quadratic(format!("{:?}", solution.status)));
    }
    let numbers = &solution.x;
    Ok(Step {
        knots: numbers[..knots].to_vec(),
        forces: numbers[knots..slacks].to_vec(),
        left: numbers[slacks..].iter().sum(),
        end: core::array::from_fn(|component| solution.z[equations - STATE + component]),
    })
}

fn largest<'a>(numbers: impl IntoIterator<Item = &'a f64>) -> f64 {
    numbers.into_iter().fold(0.0, |most: f64, number| most.max(number.abs()))
}

fn half_effort(forces: &[f64]) -> f64 {
    0.5 * piece_length() * forces.iter().map(|force| force * force).sum::<f64>()
}

/// The first guess: it turns evenly and is pushed by nothing, so that no piece meets the next one.
fn guess() -> Vec<Knot> {
    let turning = core::f64::consts::PI / END;
    let knot = |number: usize| {
        let part = number as f64 / PIECES as f64;
        let pole = start().pole * SO2::from_angle(part * core::f64::consts::PI);
        let velocity = if number.is_multiple_of(PIECES) { Vector2::zeros() } else { Vector2::new(WAY / END, turning) };
        Knot { pose: Pose { cart: part * WAY, pole }, velocity }
    };
    (0..=PIECES).map(knot).collect()
}

/// Looks for the forces of least effort.
///
/// # Errors
/// [`PlanError`].
pub fn search(data: &CartPole) -> Result<Plan, PlanError> {
    let (mut knots, mut forces, mut progress) = (guess(), vec![0.0; PIECES], vec![]);
    for _ in 0..ITERATIONS {
        let pieces = (0..PIECES).map(|at| piece(data, &knots[at], forces[at], &knots[at + 1]));
        let pieces = pieces.collect::<Result<Vec<Piece>, PlanError>>()?;
        let step = step(&pieces, &forces)?;
        let defects = || pieces.iter().flat_map(|piece| &piece.defect);
        let (defect, change) = (largest(defects()), largest(&step.forces));
        let effort = 2.0 * half_effort(&forces);
        if defect < ENOUGH && change < ENOUGH_CHANGE {
            progress.push(Progress { effort, defect, change, length: 0.0 });
            return Ok(Plan { forces, progress, end: step.end });
        }
        let missed: f64 = defects().map(|defect| defect.abs()).sum();
        let merit = half_effort(&forces) + PENALTY * missed;
        let descent = piece_length() * forces.iter().zip(&step.forces).map(|(u, du)| u * du).sum::<f64>()
            + PENALTY * (step.left - missed);
        let mut length = 1.0;
        loop {
            let moved: Vec<Knot> = knots
                .iter()
                .zip(step.knots.chunks(STATE))
                .map(|(knot, change)| {
                    let change: Vec<f64> = change.iter().map(|x| length * x).collect();
                    knot.moved(&change)
                })
                .collect();
            let pushed: Vec<f64> = forces.iter().zip(&step.forces).map(|(u, du)| u + length * du).collect();
            let mut reached = half_effort(&pushed);
            for at in 0..PIECES {
                let left = defect_of(data, &moved[at], pushed[at], &moved[at + 1])?;
                reached += PENALTY * left.iter().map(|x| x.abs()).sum::<f64>();
            }
            // Near the end all that is left to gain is rounding.
            let rounding = 1e-12 * merit.abs();
            if reached <= merit + KEPT * length * descent + rounding || length < SHORTEST {
                progress.push(Progress { effort, defect, change, length });
                (knots, forces) = (moved, pushed);
                break;
            }
            length *= 0.5;
        }
    }
    let last = progress.last().map_or((f64::NAN, f64::NAN), |last| (last.defect, last.change));
    Err(PlanError::Unfinished(last.0, last.1))
}

impl Plan {
    /// ∫ u² dt.
    pub fn effort(&self) -> f64 {
        2.0 * half_effort(&self.forces)
    }

    /// How long a piece is.
    pub fn piece() -> f64 {
        piece_length()
    }

    /// The motion of the plan from the beginning to the end, by another method and in a quarter of the steps.
    ///
    /// # Errors
    /// [`PlanError::Run`].
    pub fn flown(&self, data: &CartPole) -> Result<Vec<State<System>>, PlanError> {
        flown(data, &self.forces)
    }

    /// How far a state is from upright and at rest where it has to be.
    pub fn missed(state: &State<System>) -> f64 {
        largest(&missed(state))
    }

    /// The largest slope of the Lagrangian of the reduced problem, ½ ∫ u² dt + ν · (what the whole motion misses), by a force that is not at its
    /// bound: by central differences of whole motions, on which the derivatives of the search have no influence.
    ///
    /// # Errors
    /// [`PlanError::Run`].
    pub fn slope(&self, data: &CartPole) -> Result<f64, PlanError> {
        let value = |forces: &[f64]| -> Result<f64, PlanError> {
            let states = flown(data, forces)?;
            let last = states.last().ok_or_else(|| told("a run without states"))?;
            Ok(half_effort(forces) + missed(last).iter().zip(&self.end).map(|(x, nu)| x * nu).sum::<f64>())
        };
        let mut most = 0.0_f64;
        for piece in (0..PIECES).filter(|&piece| self.forces[piece].abs() < BOUND - 1e-6) {
            let aside = |by: f64| {
                let mut forces = self.forces.clone();
                forces[piece] += by;
                value(&forces)
            };
            most = most.max(((aside(1e-3)? - aside(-1e-3)?) / 2e-3).abs());
        }
        Ok(most)
    }

    /// The largest slope of the effort alone.
    pub fn steepness(&self) -> f64 {
        piece_length() * largest(&self.forces)
    }
}

fn missed(state: &State<System>) -> [f64; STATE] {
    let goal = Knot { pose: Pose { cart: WAY, pole: SO2::identity() }, velocity: Vector2::zeros() };
    goal.to(&state.configuration, &state.velocity)
}

/// The motion under these forces.
fn flown(data: &CartPole, forces: &[f64]) -> Result<Vec<State<System>>, PlanError> {
    let mut all: Vec<State<System>> = vec![];
    let mut from = Knot { pose: start(), velocity: Vector2::zeros() };
    for (number, &force) in forces.iter().enumerate() {
        let system = driven(data, force)?;
        let run = Simulation::of(&system).starting_at(from.pose, from.velocity).with(HalfExplicit::hedop5());
        let run = run.without_declaration_check().step(piece_length() / (4 * STEPS) as f64).until(piece_length()).run();
        // Where a piece ends the next one begins.
        let mut states = run.map_err(told)?.states.split_off(usize::from(number > 0));
        for state in &mut states {
            state.time += number as f64 * piece_length();
        }
        if let Some(last) = states.last() {
            from = Knot { pose: last.configuration, velocity: last.velocity };
        }
        all.extend(states);
    }
    Ok(all)
}
