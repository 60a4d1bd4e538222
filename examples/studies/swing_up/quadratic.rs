//! The step from a quadratic problem over cones, with bounded norms of inputs and a penalty on the remaining defects.

use clarabel::algebra::CscMatrix;
use clarabel::solver::{DefaultSettings, DefaultSolver, IPSolver, SolverStatus, SupportedConeT};
use lie_runtime::nalgebra::{DMatrix, DVector};

use super::error::PlanError;
use super::pieces::Piece;
use super::task::Bound;

/// The solver ends at errors of this size.
const EXACT: f64 = 1e-12;

/// A further residual at a knot with its derivative, and its quadrature weight.
pub struct Residual {
    /// r.
    pub value: DVector<f64>,
    /// By the knot, in coordinates.
    pub slope: DMatrix<f64>,
    /// The weight of ½ |r|².
    pub weight: f64,
}

/// The step that the quadratic problem asks for.
pub struct Step {
    /// The change of each knot, in its coordinates.
    pub knots: Vec<Vec<f64>>,
    /// Step of the inputs of each piece.
    pub inputs: Vec<Vec<f64>>,
    /// The sum of the norms of the remaining linearised defects.
    pub left: f64,
    /// The multipliers of the end.
    pub end: Vec<f64>,
}

/// A matrix as it is filled, with right-hand sides.
#[derive(Default)]
struct Sparse {
    rows: Vec<usize>,
    columns: Vec<usize>,
    values: Vec<f64>,
    right: Vec<f64>,
}

impl Sparse {
    fn put(&mut self, column: usize, value: f64) {
        self.rows.push(self.right.len());
        self.columns.push(column);
        self.values.push(value);
    }

    fn end(&mut self, right: f64) {
        self.right.push(right);
    }
}

/// min Σ h/2 |u + δu|² + w/2 |r + r' δx|² + h damping/2 |δx, δu|² + penalty Σ |remaining linearised defect|, with fixed ends and bounded
/// norms of u + δu. The penalty is needed because, far from a solution, no inputs within the bounds may close the linearised defects (R.
/// Fletcher, Practical Methods of Optimization, 1987, 14.4).
pub fn step(
    pieces: &[Piece],
    residuals: &[Residual],
    inputs: &[Vec<f64>],
    bounds: &[Bound],
    (h, penalty, damping): (f64, f64, f64),
) -> Result<Step, PlanError> {
    let (state, control) = (pieces[0].by_inputs.nrows(), pieces[0].by_inputs.ncols());
    let count = pieces.len();
    let knot = |number: usize| state * number;
    let input = |piece: usize| state * (count + 1) + control * piece;
    // A length, and what has at most this length.
    let slack = |piece: usize| input(count) + (1 + state) * piece;
    let unknowns = slack(count);

    let mut matrix = Sparse::default();
    for (number, piece) in pieces.iter().enumerate() {
        for row in 0..state {
            (0..state).for_each(|k| matrix.put(knot(number) + k, piece.by_knot[(row, k)]));
            (0..state).for_each(|k| matrix.put(knot(number + 1) + k, piece.by_next[(row, k)]));
            (0..control).for_each(|k| matrix.put(input(number) + k, piece.by_inputs[(row, k)]));
            matrix.put(slack(number) + 1 + row, -1.0);
            matrix.end(-piece.defect[row]);
        }
    }
    for column in (0..state).chain(knot(count)..knot(count + 1)) {
        matrix.put(column, 1.0);
        matrix.end(0.0);
    }
    let equations = matrix.right.len();
    let mut cones = vec![SupportedConeT::ZeroConeT(equations)];
    for (number, piece) in inputs.iter().enumerate() {
        let mut at = 0;
        for bound in bounds {
            matrix.end(bound.norm);
            for (k, u) in piece.iter().enumerate().skip(at).take(bound.numbers) {
                matrix.put(input(number) + k, -1.0);
                matrix.end(*u);
            }
            at += bound.numbers;
            cones.push(SupportedConeT::SecondOrderConeT(1 + bound.numbers));
        }
    }
    for number in 0..count {
        for k in 0..=state {
            matrix.put(slack(number) + k, -1.0);
            matrix.end(0.0);
        }
        cones.push(SupportedConeT::SecondOrderConeT(1 + state));
    }

    // The upper triangle alone.
    let mut curvature = Sparse::default();
    let mut slope = vec![0.0; unknowns];
    for (number, residual) in residuals.iter().enumerate() {
        let mut square = residual.weight * residual.slope.tr_mul(&residual.slope);
        (0..state).for_each(|k| square[(k, k)] += h * damping);
        let linear = residual.weight * residual.slope.tr_mul(&residual.value);
        for row in 0..state {
            (row..state).for_each(|column| curvature.put(knot(number) + column, square[(row, column)]));
            curvature.end(0.0);
            slope[knot(number) + row] = linear[row];
        }
    }
    for (number, piece) in inputs.iter().enumerate() {
        for (k, u) in piece.iter().enumerate() {
            curvature.put(input(number) + k, h * (1.0 + damping));
            curvature.end(0.0);
            slope[input(number) + k] = h * u;
        }
    }
    (0..count).for_each(|number| slope[slack(number)] = penalty);

    let curvature =
        CscMatrix::new_from_triplets(unknowns, unknowns, curvature.rows, curvature.columns, curvature.values);
    let Sparse { rows, columns, values, right } = matrix;
    let matrix = CscMatrix::new_from_triplets(right.len(), unknowns, rows, columns, values);
    let settings = DefaultSettings {
        verbose: false,
        tol_gap_abs: EXACT,
        tol_gap_rel: EXACT,
        tol_feas: EXACT,
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
    let part = |from: usize, to: usize| numbers[from..to].to_vec();
    Ok(Step {
        knots: (0..=count).map(|number| part(knot(number), knot(number + 1))).collect(),
        inputs: (0..count).map(|piece| part(input(piece), input(piece + 1))).collect(),
        left: (0..count).map(|piece| DVector::from(part(slack(piece) + 1, slack(piece + 1))).norm()).sum(),
        end: solution.z[equations - state..equations].to_vec(),
    })
}
