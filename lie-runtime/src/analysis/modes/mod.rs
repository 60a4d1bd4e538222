//! Modes: the eigenvalues of a linearisation and their shapes.

pub(super) mod pencil;
mod slow;

use nalgebra::{Complex, DMatrix, DVector};

use super::linearisation::Linearisation;
use crate::analysis::matrices::schur::eigenvalues;
use crate::system::KktError;

/// A squared frequency under this multiple of the largest one is zero.
const ZERO: f64 = 1e-13;
/// A stiffness is symmetric whose skew part is this much smaller than the stiffnesses of the two vibrations that it couples.
pub(super) const SYMMETRIC: f64 = 1e-9;
/// Vectors from the left and the right with a smaller cosine belong to an eigenvalue that is not simple.
const DEFECTIVE: f64 = 1e-7;
/// Larger changes of an eigenvalue, relative to it, lead to another one.
const NEAR: f64 = 1e-2;

/// A motion η = shape e^{st} near a steady one; of a pair s and s̄ the one with Im s > 0.
#[derive(Clone, Debug, PartialEq)]
pub struct Mode {
    /// s.
    pub eigenvalue: Complex<f64>,
    /// The deviation of all components, the largest one 1.
    pub shape: DVector<Complex<f64>>,
    /// ‖(s² M + s C + K) x + Bᵀ λ‖ of a shape of length one, both in the metric of M, in the units of s²: a change of K by so
    /// much has exactly this mode.
    pub residual: f64,
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

    fn of(eigenvalue: Complex<f64>, mut shape: DVector<Complex<f64>>, residual: f64) -> Self {
        let largest =
            shape.iter().fold(Complex::from(0.0), |m: Complex<f64>, x| if x.norm() > m.norm() { *x } else { m });
        if largest.norm() > 0.0 {
            shape /= largest;
        }
        Mode { eigenvalue, shape, residual }
    }

    /// Those of φ with ω².
    fn undamped(square: f64, shape: &DVector<f64>, residual: f64) -> Vec<Self> {
        let size = square.abs().sqrt();
        let shape = shape.map(Complex::from);
        // What grows has a twin that decays.
        let twins = if square < 0.0 {
            vec![Complex::new(size, 0.0), Complex::new(-size, 0.0)]
        } else {
            vec![Complex::new(0.0, size)]
        };
        twins.into_iter().map(|eigenvalue| Mode::of(eigenvalue, shape.clone(), residual)).collect()
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

    /// Those of z'' + K z = 0 with a symmetric K; `None` if the equations are others.
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
        // A follower force is small beside the stiffest vibrations, and may not be beside those that it drives.
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

    /// The eigenvalues of z' = P w + Q z, w' = −C w − K z.
    fn of_state_matrix(&self) -> Result<Vec<Mode>, KktError> {
        let (count, speeds) = (self.shapes.ncols(), self.speeds.ncols());
        let matrix = self.state_matrix();
        let transposed = matrix.transpose();
        let mut modes = Vec::new();
        for eigenvalue in eigenvalues(&matrix)? {
            if eigenvalue.im >= 0.0 {
                let (eigenvalue, vector) = refined(&matrix, &transposed, eigenvalue);
                let rest = matrix.map(Complex::from) * &vector - &vector * eigenvalue;
                // Of the rates, which are s times as large, both equations count.
                let residual = rest.rows(count, speeds).norm() + eigenvalue.norm() * rest.rows(0, count).norm();
                let deviations = vector.rows(0, count);
                let residual = if deviations.norm() == 0.0 { residual } else { residual / deviations.norm() };
                modes.push(Mode::of(eigenvalue, self.shapes.map(Complex::from) * deviations, residual));
            }
        }
        Ok(modes)
    }
}

/// An eigenvalue made more exact by its quotient zᵀ A x / zᵀ x, z from the left and x from the right, and x.
///
/// QR iteration spoils what drifts at a constant rate, zeros that are not simple, and that spoils the eigenvalues beside them; the
/// residual of the matrix as it is does not.
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
#[inline]
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
