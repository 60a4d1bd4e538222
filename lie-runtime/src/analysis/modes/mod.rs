//! Modes: eigenvalues and mode shapes of a linearisation.

mod slow;

use nalgebra::{Complex, DMatrix, DVector};

use super::linearisation::Linearisation;
use crate::analysis::matrices::schur::eigenvalues;
use crate::analysis::pencil::SYMMETRIC;
use crate::system::KktError;

/// A squared frequency below this multiple of the largest one is zero.
const ZERO: f64 = 1e-13;

/// Left and right eigenvectors with a smaller cosine indicate a multiple eigenvalue.
const DEFECTIVE: f64 = 1e-7;
/// A larger relative change of an eigenvalue leads to another eigenvalue.
const NEAR: f64 = 1e-2;

/// A mode η = shape e^{st} of a steady motion; a pair s and s̄ is represented by the value with Im s > 0.
#[derive(Clone, Debug, PartialEq)]
#[doc(alias = "natural frequency")]
#[doc(alias = "eigenfrequency")]
#[doc(alias = "mode shape")]
pub struct Mode {
    /// s.
    pub eigenvalue: Complex<f64>,
    /// The deviation of all components, scaled to a largest component of 1: displacements, and changes of auxiliary states.
    pub shape: DVector<Complex<f64>>,
    /// The residual ‖(s² M + s C + K) x + Bᵀ λ‖ of a shape of length one, both in the metric of M, in the units of s². This mode is exact
    /// for a change of K of this size.
    pub residual: f64,
}

impl Mode {
    /// Returns the angular frequency of the oscillation, |Im s|.
    pub fn frequency(&self) -> f64 {
        self.eigenvalue.im.abs()
    }

    /// Returns the damping ratio −Re s / |s|: 1 without oscillation, negative for growth, 0 for s = 0.
    pub fn damping_ratio(&self) -> f64 {
        let size = self.eigenvalue.norm();
        if size == 0.0 { 0.0 } else { -self.eigenvalue.re / size }
    }

    fn of(eigenvalue: Complex<f64>, mut shape: DVector<Complex<f64>>, residual: f64) -> Self {
        let largest =
            shape.iter().fold(Complex::from(0.0), |m: Complex<f64>, x| if x.norm() > m.norm() { *x } else { m });
        if largest.norm() > 0.0 {
            shape /= largest;
        }
        Mode { eigenvalue, shape, residual }
    }

    /// Creates the modes of φ with ω².
    fn undamped(square: f64, shape: &DVector<f64>, residual: f64) -> Vec<Self> {
        let size = square.abs().sqrt();
        let shape = shape.map(Complex::from);
        // A growing mode has a decaying counterpart.
        let twins = if square < 0.0 {
            vec![Complex::new(size, 0.0), Complex::new(-size, 0.0)]
        } else {
            vec![Complex::new(0.0, size)]
        };
        twins.into_iter().map(|eigenvalue| Mode::of(eigenvalue, shape.clone(), residual)).collect()
    }
}

impl Linearisation {
    /// Returns all modes in ascending order of |s|; complex pairs are represented by Im s > 0.
    ///
    /// At rest without damping, the modes are solutions of the symmetric problem K φ = ω² φ, to full accuracy, each once, and rigid motions
    /// have s = 0. Otherwise they are the eigenvalues of the [state matrix](Self::state_matrix). A motion that drifts at a constant rate
    /// gives multiple zero eigenvalues, with an error of about 1e-8 (the square root of round-off).
    ///
    /// # Errors
    /// [`KktError::NotFinite`] if the eigenvalues do not converge.
    #[inline]
    pub fn modes(&self) -> Result<Vec<Mode>, KktError> {
        let mut modes = match self.vibrations()? {
            Some(modes) => modes,
            None => self.of_state_matrix()?,
        };
        modes.sort_by(|one, other| one.eigenvalue.norm().total_cmp(&other.eigenvalue.norm()));
        Ok(modes)
    }

    /// Computes the modes of z'' + K z = 0 with a symmetric K; `None` for other equations.
    fn vibrations(&self) -> Result<Option<Vec<Mode>>, KktError> {
        let (count, stiffness) = (self.shapes.ncols(), &self.stiffness);
        let is_still = |matrix: &DMatrix<f64>| matrix.iter().all(|entry| *entry == 0.0);
        if count == 0
            || self.speeds.ncols() != count
            || !is_still(&self.damping)
            || !is_still(&self.rates_by_coordinates)
        {
            return Ok(None);
        }
        if !stiffness.iter().all(|entry| entry.is_finite()) {
            return Err(KktError::NotFinite);
        }
        let eigen = ((stiffness + stiffness.transpose()) * 0.5).symmetric_eigen();
        let (squares, vectors) = (eigen.eigenvalues, eigen.eigenvectors);
        let round_off = ZERO * squares.amax();
        // A follower force is small relative to the stiffest vibrations, but can be large relative to the vibrations that it drives.
        let coupling = vectors.tr_mul(&((stiffness - stiffness.transpose()) * &vectors));
        let is_small = |i: usize, k: usize| {
            coupling[(i, k)].abs() <= SYMMETRIC * (squares[i] * squares[k]).abs().sqrt() + round_off
        };
        if !(0..count).all(|i| (0..i).all(|k| is_small(i, k))) {
            return Ok(None);
        }
        let mode = |at: usize| {
            let square = if squares[at].abs() > round_off { squares[at] } else { 0.0 };
            let vector = vectors.column(at);
            let residual = (stiffness * vector - vector * square).norm();
            Mode::undamped(square, &(&self.shapes * vector), residual)
        };
        Ok(Some((0..count).flat_map(mode).collect()))
    }

    /// Computes the eigenvalues of z' = P w + Q z, w' = −C w − K z.
    fn of_state_matrix(&self) -> Result<Vec<Mode>, KktError> {
        let (count, speeds) = (self.shapes.ncols(), self.speeds.ncols());
        let matrix = self.state_matrix();
        let transposed = matrix.transpose();
        let mut modes = Vec::new();
        for eigenvalue in eigenvalues(&matrix)? {
            if eigenvalue.im >= 0.0 {
                let (eigenvalue, vector) = refined(&matrix, &transposed, eigenvalue);
                let rest = matrix.map(Complex::from) * &vector - &vector * eigenvalue;
                // Both equations contribute to the rates, which are larger by the factor s.
                let residual = rest.rows(count, speeds).norm() + eigenvalue.norm() * rest.rows(0, count).norm();
                let states = self.states.len();
                let size = vector.rows(0, count).norm().hypot(vector.rows(vector.len() - states, states).norm());
                let residual = if size == 0.0 { residual } else { residual / size };
                modes.push(Mode::of(eigenvalue, self.shape(&vector), residual));
            }
        }
        Ok(modes)
    }
}

/// Refines an eigenvalue by the quotient zᵀ A x / zᵀ x of the left vector z and the right vector x; returns it with x.
///
/// QR iteration has large errors in multiple zero eigenvalues (motions that drift at a constant rate), and these affect adjacent
/// eigenvalues. The residual of the original matrix does not.
#[inline]
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
        // For multiple zeros both vectors are orthogonal.
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

/// Inverse iteration.
#[inline]
fn eigenvector(matrix: &DMatrix<f64>, eigenvalue: Complex<f64>) -> DVector<Complex<f64>> {
    let size = matrix.nrows();
    // A shift from the eigenvalue by round-off, so that factors exist.
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
