//! Modes: the eigenvalues of a linearisation and their shapes.

use nalgebra::linalg::Schur;
use nalgebra::{Complex, DMatrix, DVector};

use super::equilibrium::StaticState;
use super::linearisation::{Linearisation, LinearisationError};
use super::tangent::{Factors, Inverse, Matrices, StaticPoint};
use super::{dense, krylov};
use crate::integrator::{State, StepFailure};
use crate::system::{Linearised, SaddleError};

/// A squared frequency under this multiple of the largest one is zero.
const ZERO: f64 = 1e-13;
/// The same beside the mean of long systems.
const ZERO_OF_MEAN: f64 = 1e-11;
/// Vectors from the left and the right with a smaller cosine belong to an eigenvalue that is not simple.
const DEFECTIVE: f64 = 1e-7;
/// Larger changes of an eigenvalue, relative to it, lead to another one.
const NEAR: f64 = 1e-2;
/// QR iterations before eigenvalues are given up.
const ITERATIONS: usize = 10_000;

/// A motion η = shape e^{st} near a steady one; of a pair s and s̄ the one with Im s > 0.
#[derive(Clone, Debug, PartialEq)]
pub struct Mode {
    /// s.
    pub eigenvalue: Complex<f64>,
    /// The deviation of all components, the largest one 1.
    pub shape: DVector<Complex<f64>>,
}

impl Mode {
    /// The angular frequency of the oscillation, |Im s|.
    pub fn frequency(&self) -> f64 {
        self.eigenvalue.im.abs()
    }

    /// −Re s / |s|: 1 of what does not oscillate, negative of what grows; zero where s is.
    pub fn damping_ratio(&self) -> f64 {
        let size = self.eigenvalue.norm();
        if size == 0.0 { 0.0 } else { -self.eigenvalue.re / size }
    }

    fn of(eigenvalue: Complex<f64>, mut shape: DVector<Complex<f64>>) -> Self {
        let largest =
            shape.iter().fold(Complex::from(0.0), |m: Complex<f64>, x| if x.norm() > m.norm() { *x } else { m });
        if largest.norm() > 0.0 {
            shape /= largest;
        }
        Mode { eigenvalue, shape }
    }

    /// That of φ with ω².
    fn undamped(square: f64, shape: &DVector<f64>) -> Vec<Self> {
        let size = square.abs().sqrt();
        let shape = shape.map(Complex::from);
        // What grows has a twin that decays.
        let twins = if square < 0.0 {
            vec![Complex::new(size, 0.0), Complex::new(-size, 0.0)]
        } else {
            vec![Complex::new(0.0, size)]
        };
        twins.into_iter().map(|eigenvalue| Mode::of(eigenvalue, shape.clone())).collect()
    }
}

impl Linearisation {
    /// All modes, the slowest first: of each pair of complex ones the one with Im s > 0.
    ///
    /// At rest without damping they are those of the symmetric problem K φ = ω² φ, to full accuracy, each once, and rigid motions
    /// have s = 0. Otherwise they are the eigenvalues of the [state matrix](Self::state_matrix); where a motion can drift at a
    /// constant rate that has zeros which are not simple, and round-off leaves some 1e-8 of them (its root).
    ///
    /// # Errors
    /// [`SaddleError::NotFinite`] if the eigenvalues do not converge.
    pub fn modes(&self) -> Result<Vec<Mode>, SaddleError> {
        let count = self.shapes.ncols();
        let mut modes: Vec<Mode> = if self.is_undamped() && count > 0 {
            let eigen = ((&self.stiffness + self.stiffness.transpose()) * 0.5).symmetric_eigen();
            let largest = eigen.eigenvalues.amax();
            let square = |at: usize| Some(eigen.eigenvalues[at]).filter(|x| x.abs() > ZERO * largest).unwrap_or(0.0);
            let shape = |at: usize| &self.shapes * eigen.eigenvectors.column(at);
            (0..count).flat_map(|at| Mode::undamped(square(at), &shape(at))).collect()
        } else {
            let matrix = self.state_matrix();
            let transposed = matrix.transpose();
            let mut modes = Vec::new();
            for eigenvalue in eigenvalues(&matrix)? {
                if eigenvalue.im >= 0.0 {
                    let (eigenvalue, vector) = refined(&matrix, &transposed, eigenvalue);
                    modes.push(Mode::of(eigenvalue, self.shapes.map(Complex::from) * vector.rows(0, count)));
                }
            }
            modes
        };
        modes.sort_by(|one, other| one.eigenvalue.norm().total_cmp(&other.eigenvalue.norm()));
        Ok(modes)
    }

    /// z'' + K z = 0 with a symmetric K.
    fn is_undamped(&self) -> bool {
        let count = self.shapes.ncols();
        self.speeds.ncols() == count
            && self.damping.iter().all(|entry| *entry == 0.0)
            && self.rates_by_coordinates.iter().all(|entry| *entry == 0.0)
            && (&self.stiffness - self.stiffness.transpose()).amax() <= 1e-9 * self.stiffness.amax()
    }
}

/// The eigenvalues of a matrix.
pub(super) fn eigenvalues(matrix: &DMatrix<f64>) -> Result<Vec<Complex<f64>>, SaddleError> {
    if matrix.is_empty() {
        return Ok(Vec::new());
    }
    if !matrix.iter().all(|entry| entry.is_finite()) {
        return Err(SaddleError::NotFinite);
    }
    // The iteration compares entries with the diagonal beside them, and does not end where that is zero; a shift, which costs
    // digits of small eigenvalues, helps then.
    let size = core::f64::consts::FRAC_1_SQRT_2 * matrix.norm().max(f64::MIN_POSITIVE);
    for shift in [0.0, size] {
        let mut shifted = matrix.clone();
        for at in 0..matrix.nrows() {
            shifted[(at, at)] += shift;
        }
        if let Some(schur) = Schur::try_new(shifted, f64::EPSILON, ITERATIONS) {
            return Ok(schur.complex_eigenvalues().iter().map(|eigenvalue| eigenvalue - shift).collect());
        }
    }
    Err(SaddleError::NotFinite)
}

/// An eigenvalue made more exact by its quotient zᵀ A x / zᵀ x, z from the left and x from the right, and x.
///
/// QR iteration spoils what drifts at a constant rate, zeros that are not simple, and that spoils the eigenvalues beside them; the
/// residual of the matrix as it is does not.
fn refined(
    matrix: &DMatrix<f64>,
    transposed: &DMatrix<f64>,
    eigenvalue: Complex<f64>,
) -> (Complex<f64>, DVector<Complex<f64>>) {
    let complex = matrix.map(Complex::from);
    let mut found = eigenvalue;
    let mut right = eigenvector(matrix, found);
    for _ in 0..2 {
        let left = eigenvector(transposed, found);
        let (product, scale) = (left.dot(&right), left.norm() * right.norm());
        let change = left.dot(&(&complex * &right - &right * found)) / product;
        // Of zeros that are not simple both are orthogonal.
        let is_simple = product.norm() >= DEFECTIVE * scale && change.norm() < NEAR * eigenvalue.norm();
        if !is_simple {
            break;
        }
        found += change;
        right = eigenvector(matrix, found);
    }
    if eigenvalue.im == 0.0 {
        found.im = 0.0;
    }
    (found, right)
}

/// By inverse iteration.
fn eigenvector(matrix: &DMatrix<f64>, eigenvalue: Complex<f64>) -> DVector<Complex<f64>> {
    let size = matrix.nrows();
    // Beside the eigenvalue by round-off, so that there are factors.
    let beside = eigenvalue + Complex::from(1e-14 * (matrix.amax() + eigenvalue.norm()));
    let mut shifted = matrix.map(Complex::from);
    for at in 0..size {
        shifted[(at, at)] -= beside;
    }
    let factors = shifted.lu();
    let mut vector = DVector::from_fn(size, |at, _| Complex::new(1.0, 0.3 * (1.0 + at as f64).sin()));
    for _ in 0..3 {
        let Some(next) = factors.solve(&vector) else { break };
        let length = next.norm();
        if !(length > 0.0 && length.is_finite()) {
            break;
        }
        vector = next / Complex::from(length);
    }
    vector
}

impl<M: Linearised<Scalar = f64>> StaticState<M> {
    /// The `count` slowest vibrations about this equilibrium, without what damps them, the slowest first.
    ///
    /// Of long chains by block Lanczos iteration with the band of implicit methods: O(N) for each. Rigid motions have s = 0; what
    /// is unstable has two modes, one of which grows.
    ///
    /// # Errors
    /// [`LinearisationError`].
    pub fn vibrations(&self, system: &M, count: usize) -> Result<Vec<Mode>, LinearisationError> {
        let State { time, configuration: q, multipliers, .. } = &self.state;
        self.state.check(system).map_err(LinearisationError::ForeignState)?;
        let failed = |error| LinearisationError::Failed(StepFailure::of_saddle_at(error, system, *time, q));
        let at = StaticPoint { system, t: *time, q, multipliers };
        let mut matrices = Matrices::at(&at);
        let mean = matrices.mean_stiffness(system);
        let shift = 1e-7 * mean;
        let mut factors = Factors::of(system);
        factors.shifted(&at, shift).map_err(failed)?;
        let mut inverse = Inverse { at: &at, factors: &mut factors, mass: &matrices.mass };
        let found = krylov::nearest(system, &mut inverse, shift, count).map_err(failed)?;
        let mut squares: Vec<(f64, DVector<f64>)> = found
            .values
            .iter()
            .map(|value| if value.abs() <= ZERO_OF_MEAN * mean { 0.0 } else { *value })
            .zip(found.vectors.iter().map(dense::components))
            .collect();
        squares.sort_by(|(one, _), (other, _)| one.total_cmp(other));
        Ok(squares.into_iter().flat_map(|(square, shape)| Mode::undamped(square, &shape)).collect())
    }
}
