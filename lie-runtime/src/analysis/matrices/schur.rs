//! Schur forms of small matrices.

use nalgebra::linalg::Schur;
use nalgebra::{Complex, ComplexField, DMatrix, DVector};

use crate::system::KktError;

/// The maximum number of QR iterations.
const ITERATIONS: usize = 10_000;

/// The eigenvalues of a matrix.
#[inline]
pub(in crate::analysis) fn eigenvalues(matrix: &DMatrix<f64>) -> Result<Vec<Complex<f64>>, KktError> {
    let (schur, shift) = schur(matrix)?;
    Ok(schur.map_or_else(Vec::new, |schur| schur.complex_eigenvalues().iter().map(|value| value - shift).collect()))
}

/// Computes the form of the matrix plus this multiple of the identity; `None` for an empty matrix.
///
/// QR iteration compares entries with the adjacent diagonal entries and does not converge if these are zero. A shift helps, but reduces the
/// accuracy of small eigenvalues.
#[allow(clippy::type_complexity)] // A form and a scalar.
fn schur<T: ComplexField<RealField = f64>>(
    matrix: &DMatrix<T>,
) -> Result<(Option<Schur<T, nalgebra::Dyn>>, f64), KktError> {
    if matrix.is_empty() {
        return Ok((None, 0.0));
    }
    if !matrix.iter().all(|entry| entry.clone().is_finite()) {
        return Err(KktError::NotFinite);
    }
    let size = core::f64::consts::FRAC_1_SQRT_2 * matrix.norm().max(f64::MIN_POSITIVE);
    for shift in [0.0, size] {
        let mut shifted = matrix.clone();
        for at in 0..matrix.nrows() {
            shifted[(at, at)] += T::from_real(shift);
        }
        if let Some(schur) = Schur::try_new(shifted, f64::EPSILON, ITERATIONS) {
            return Ok((Some(schur), shift));
        }
    }
    Err(KktError::NotFinite)
}

/// Returns eigenvalues and eigenvectors, by columns.
type EigenPairs = (Vec<Complex<f64>>, DMatrix<Complex<f64>>);

/// The real Schur form A = Q T Qᵀ with an orthogonal Q and a triangular T, except blocks of two rows for pairs of eigenvalues, in
/// descending order.
///
/// All entries are real, so that round-off does not separate a pair. The first columns of Q span invariant spaces.
#[derive(Debug)]
pub(in crate::analysis) struct Ordered {
    /// Q.
    pub vectors: DMatrix<f64>,
    triangle: DMatrix<f64>,
    is_symmetric: bool,
}

impl Ordered {
    /// Computes the form of a matrix, or of its symmetric part if it `is_symmetric` except for round-off.
    ///
    /// # Errors
    /// [`KktError::NotFinite`] if a value is not finite or the iteration does not converge.
    #[inline]
    pub fn of(matrix: &DMatrix<f64>, is_symmetric: bool) -> Result<Self, KktError> {
        if !is_symmetric {
            let (schur, shift) = schur(matrix)?;
            let empty = || (DMatrix::zeros(0, 0), DMatrix::zeros(0, 0));
            let (vectors, mut triangle) = schur.map_or_else(empty, Schur::unpack);
            for at in 0..triangle.nrows() {
                triangle[(at, at)] -= shift;
            }
            let mut ordered = Ordered { vectors, triangle, is_symmetric };
            ordered.sort();
            return Ok(ordered);
        }
        if !matrix.iter().all(|entry| f64::is_finite(*entry)) {
            return Err(KktError::NotFinite);
        }
        let eigen = ((matrix + matrix.transpose()) * 0.5).symmetric_eigen();
        let mut order: Vec<usize> = (0..matrix.nrows()).collect();
        order.sort_by(|&i, &k| eigen.eigenvalues[k].abs().total_cmp(&eigen.eigenvalues[i].abs()));
        let values = DVector::from_fn(order.len(), |at, _| eigen.eigenvalues[order[at]]);
        let vectors = eigen.eigenvectors.select_columns(&order);
        Ok(Ordered { vectors, triangle: DMatrix::from_diagonal(&values), is_symmetric })
    }

    /// The first row and the number of rows of each block.
    fn blocks(&self) -> Vec<(usize, usize)> {
        let (size, mut at, mut blocks) = (self.triangle.nrows(), 0, Vec::new());
        while at < size {
            let rows = if at + 1 < size && self.triangle[(at + 1, at)] != 0.0 { 2 } else { 1 };
            blocks.push((at, rows));
            at += rows;
        }
        blocks
    }

    /// The eigenvalues of a block, the larger one first.
    fn of_block(&self, (at, rows): (usize, usize)) -> [Complex<f64>; 2] {
        let t = &self.triangle;
        if rows == 1 {
            return [Complex::from(t[(at, at)]); 2];
        }
        let (middle, half) = (0.5 * (t[(at, at)] + t[(at + 1, at + 1)]), 0.5 * (t[(at, at)] - t[(at + 1, at + 1)]));
        let root = Complex::from(half * half + t[(at, at + 1)] * t[(at + 1, at)]).sqrt();
        if middle < 0.0 { [middle - root, middle + root] } else { [middle + root, middle - root] }
    }

    /// The eigenvalues, the largest first.
    pub fn values(&self) -> Vec<Complex<f64>> {
        self.blocks().into_iter().flat_map(|block| self.of_block(block).into_iter().take(block.1)).collect()
    }

    /// Returns `count`, or one more if `count` separates a block.
    pub fn whole(&self, count: usize) -> usize {
        let parted = count > 0 && count < self.triangle.nrows() && self.triangle[(count, count - 1)] != 0.0;
        count + usize::from(parted)
    }

    /// Each block moves up before the smaller ones.
    fn sort(&mut self) {
        let mut blocks = self.blocks();
        for last in 1..blocks.len() {
            for number in (0..last).rev() {
                let [above, below] = [blocks[number], blocks[number + 1]];
                let [of_above, of_below] = [above, below].map(|block| self.of_block(block)[0].norm());
                if of_below <= (1.0 + 1e-12) * of_above || !self.exchange(above, below) {
                    break;
                }
                blocks[number] = (above.0, below.1);
                blocks[number + 1] = (above.0 + below.1, above.1);
            }
        }
    }

    /// Exchanges two blocks, A and C of [A B; 0 C], by an orthogonal basis that starts with the invariant space [−X; 1] of C, A X − X C = B
    /// (Bai and Demmel, Linear Algebra Appl. 186, 1993); false if they have an eigenvalue in common.
    fn exchange(&mut self, (at, p): (usize, usize), (_, q): (usize, usize)) -> bool {
        let t = &self.triangle;
        let of = |from: usize, rows: usize, to: usize, columns: usize| t.view((at + from, at + to), (rows, columns));
        let one = |size| DMatrix::<f64>::identity(size, size);
        let sylvester = one(q).kronecker(&of(0, p, 0, p)) - of(p, q, p, q).transpose().kronecker(&one(p));
        let right = DVector::from_iterator(p * q, of(0, p, p, q).iter().copied());
        let Some(x) = sylvester.full_piv_lu().solve(&right) else { return false };
        let mut basis = DMatrix::zeros(p + q, p + q);
        basis.view_mut((0, 0), (p, q)).copy_from(&-DMatrix::from_column_slice(p, q, x.as_slice()));
        basis.view_mut((p, 0), (q, q)).copy_from(&one(q));
        basis.view_mut((0, q), (p, p)).copy_from(&one(p));
        let turn = basis.qr().q();
        if !turn.iter().all(|entry| f64::is_finite(*entry)) {
            return false;
        }
        let rows = turn.tr_mul(&self.triangle.rows(at, p + q));
        self.triangle.rows_mut(at, p + q).copy_from(&rows);
        for matrix in [&mut self.triangle, &mut self.vectors] {
            let columns = matrix.columns(at, p + q) * &turn;
            matrix.columns_mut(at, p + q).copy_from(&columns);
        }
        self.triangle.view_mut((at + q, at), (p, q)).fill(0.0);
        true
    }

    /// The first `count` eigenvalues, whole blocks, and their vectors, of length one, by columns.
    ///
    /// # Errors
    /// [`KktError::NotFinite`].
    #[inline]
    pub fn eigenvectors(&self, count: usize) -> Result<EigenPairs, KktError> {
        let vectors = self.vectors.columns(0, count).map(Complex::from);
        let leading = self.triangle.view((0, 0), (count, count)).into_owned();
        if self.is_symmetric {
            return Ok((leading.diagonal().iter().map(|&value| Complex::from(value)).collect(), vectors));
        }
        // Solves (T − t) u = 0 from below in complex arithmetic.
        let (schur, shift) = schur(&leading.map(Complex::from))?;
        let Some((turn, t)) = schur.map(Schur::unpack) else { return Ok((Vec::new(), vectors)) };
        let mut shares = DMatrix::identity(count, count);
        let least = f64::EPSILON * leading.amax();
        for own in 0..count {
            for row in (0..own).rev() {
                let sum: Complex<f64> = (row + 1..=own).map(|k| t[(row, k)] * shares[(k, own)]).sum();
                let gap = t[(own, own)] - t[(row, row)];
                // For eigenvalues that are equal up to round-off, any such small gap is sufficient.
                let gap = if gap.norm() < least { Complex::from(least) } else { gap };
                shares[(row, own)] = if sum.norm() == 0.0 { sum } else { sum / gap };
            }
            let length = shares.column(own).norm();
            shares.column_mut(own).unscale_mut(length);
        }
        Ok((t.diagonal().iter().map(|value| value - shift).collect(), vectors * turn * shares))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An unsymmetric matrix with pairs and real eigenvalues of all sizes.
    fn matrix() -> DMatrix<f64> {
        DMatrix::from_fn(9, 9, |i, k| {
            (1.7 * i as f64 + 0.9 * (k * k) as f64).sin() * 10.0_f64.powf(0.5 * i as f64 - 2.0)
        })
    }

    #[test]
    fn ordered_forms_are_forms_of_the_matrix() {
        let matrix = matrix();
        let form = Ordered::of(&matrix, false).unwrap();
        let (q, t) = (&form.vectors, &form.triangle);
        let close = |one: &DMatrix<f64>, other: &DMatrix<f64>, size: f64| {
            assert!((one - other).amax() < 1e-12 * size, "{one} {other}");
        };
        close(&q.tr_mul(q), &DMatrix::identity(9, 9), 1.0);
        close(&(q * t * q.transpose()), &matrix, matrix.norm());
        let values = form.values();
        assert!(values.windows(2).all(|pair| pair[0].norm() >= pair[1].norm() * (1.0 - 1e-9)), "{values:?}");
        assert!(form.blocks().iter().any(|block| block.1 == 2) && form.blocks().iter().any(|block| block.1 == 1));
        let mut expected = eigenvalues(&matrix).unwrap();
        expected.sort_by(|one, other| other.norm().total_cmp(&one.norm()));
        for (value, wanted) in values.iter().zip(&expected) {
            assert!((value.norm() - wanted.norm()).abs() < 1e-10 * matrix.norm(), "{values:?} {expected:?}");
        }
        // The kept space is invariant and contains its eigenvectors.
        for count in (1..=9).filter(|&count| form.whole(count) == count) {
            let kept = q.columns(0, count);
            let image = &matrix * kept;
            assert!((&image - kept * kept.tr_mul(&image)).amax() < 1e-12 * matrix.norm());
            let (values, vectors) = form.eigenvectors(count).unwrap();
            for (value, vector) in values.iter().zip(vectors.column_iter()) {
                let rest = matrix.map(Complex::from) * vector - vector * *value;
                assert!(rest.norm() < 1e-11 * matrix.norm(), "{value}: {rest}");
            }
        }
    }
}
