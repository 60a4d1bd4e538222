//! The largest eigenvalues of a matrix-free linear map, by a block Krylov–Schur iteration.
//!
//! For an orthonormal basis V and the next directions F, S V = V H + F G. The eigenvalues of H approximate eigenvalues of S with errors
//! from G. A full basis is replaced by a basis of the invariant space of H for its largest eigenvalues (Stewart, SIAM J. Matrix Anal. Appl.
//! 23, 2002), and F is kept. The iteration uses spaces, not vectors, so that multiple eigenvalues (for example of drifting motions) cause
//! no difficulty.

use nalgebra::{Complex, DMatrix, DVector};

use crate::analysis::matrices::schur::Ordered;
use crate::system::KktError;

/// The number of start vectors, larger than the multiplicity of any eigenvalue of a free body or of a round rod.
pub(in crate::analysis) const BLOCK: usize = 8;
/// A remainder below this multiple of a vector is round-off.
const VANISHED: f64 = 1e-13;
/// A squared length below this multiple of its terms is negative beyond round-off.
const INDEFINITE: f64 = 1e-9;
/// Eigenvalues of sizes that differ by less than this fraction are kept or dropped together: pairs and multiple eigenvalues.
const TOGETHER: f64 = 1e-6;
/// The maximum number of restarts; three are usual.
const RESTARTS: usize = 12;

/// A linear map S on a space with an inner product.
pub(in crate::analysis) trait LinearMap {
    /// The number of components of a vector.
    fn size(&self) -> usize;
    /// S x.
    fn apply(&mut self, x: &DVector<f64>) -> DVector<f64>;
    /// W x with the inner product xᵀ W y.
    fn weigh(&mut self, x: &DVector<f64>) -> DVector<f64>;
    /// Projects x onto the space.
    fn admit(&mut self, x: DVector<f64>) -> DVector<f64>;
    /// True if xᵀ W S y is symmetric.
    fn is_symmetric(&self) -> bool;
}

/// The requested eigenvalues, as a function of the known eigenvalues in descending order.
pub(in crate::analysis) enum Wanted {
    /// This number of the largest eigenvalues; pairs and multiple eigenvalues are complete.
    Leading(usize),
    /// No eigenvalues of this map.
    Nothing,
}

/// Eigenvalues and eigenvectors.
#[derive(Debug)]
pub(in crate::analysis) struct Eigen {
    /// The eigenvalues in descending order.
    pub values: Vec<Complex<f64>>,
    /// The eigenvectors of length one.
    pub vectors: Vec<DVector<Complex<f64>>>,
}

/// The reasons for missing eigenvalues.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::analysis) enum Unfound {
    /// A value is not finite, or a matrix of the map has no factors.
    Kkt(KktError),
    /// The inner product is indefinite: a vector has a negative square.
    Indefinite,
    /// Some requested eigenvalues did not converge to the tolerance.
    NotConverged,
}

impl From<KktError> for Unfound {
    fn from(error: KktError) -> Self {
        Unfound::Kkt(error)
    }
}

/// Computes the largest eigenvalues of S with the relative tolerance `tolerance`; `expected` is an estimate of their number.
///
/// # Errors
/// [`Unfound`].
#[inline]
pub(in crate::analysis) fn largest(
    map: &mut dyn LinearMap,
    tolerance: f64,
    expected: usize,
    wanted: &mut dyn FnMut(&[Complex<f64>]) -> Wanted,
) -> Result<Eigen, Unfound> {
    let mut capacity = 2 * expected + 5 * BLOCK;
    let mut basis = Basis::start(map, capacity)?;
    for _ in 0..=RESTARTS {
        basis.fill(map, capacity)?;
        let known = basis.applied;
        let schur = Ordered::of(&basis.projected.view((0, 0), (known, known)).into_owned(), map.is_symmetric())?;
        let values = schur.values();
        let is_complete = known == basis.vectors.len();
        let Wanted::Leading(count) = wanted(&values) else {
            return Ok(Eigen { values, vectors: Vec::new() });
        };
        let leading = schur.whole(together(&values, count));
        let rest = basis.coupling() * schur.vectors.columns(0, leading);
        let is_exact =
            (0..leading).all(|at| rest.column(at).norm() <= tolerance * values[at].norm()) && count <= values.len();
        if is_complete || is_exact {
            let (values, shares) = schur.eigenvectors(leading)?;
            let vectors = shares.column_iter().map(|share| basis.combined(&share.into())).collect();
            return Ok(Eigen { values, vectors });
        }
        capacity = if count > values.len() { capacity + 4 * BLOCK } else { capacity.max(2 * leading + 5 * BLOCK) };
        let kept = schur.whole(together(&values, (leading + 2 * BLOCK).min(known / 2).max(leading)));
        basis.restart(&schur.vectors.columns(0, kept).into_owned(), capacity);
    }
    Err(Unfound::NotConverged)
}

/// Returns `count`, or more if `count` separates eigenvalues of equal size.
fn together(values: &[Complex<f64>], count: usize) -> usize {
    let mut count = count.min(values.len());
    while count > 0 && count < values.len() && values[count].norm() >= (1.0 - TOGETHER) * values[count - 1].norm() {
        count += 1;
    }
    count
}

/// V and F, with H and G.
struct Basis {
    /// V, then F.
    vectors: Vec<DVector<f64>>,
    /// The number of columns of V, for which S is known.
    applied: usize,
    /// H, and G below it.
    projected: DMatrix<f64>,
    /// No direction is left.
    is_exhausted: bool,
    random: u64,
}

impl Basis {
    fn start(map: &mut dyn LinearMap, capacity: usize) -> Result<Self, Unfound> {
        let mut basis = Basis {
            vectors: Vec::new(),
            applied: 0,
            projected: DMatrix::zeros(capacity, capacity),
            is_exhausted: false,
            random: 0x9E37_79B9_7F4A_7C15,
        };
        for _ in 0..BLOCK {
            // Away from small values.
            let start = basis.arbitrary(map);
            let start = map.apply(&start);
            basis.append(map, start, None)?;
        }
        Ok(basis)
    }

    /// A vector without a pattern.
    fn arbitrary(&mut self, map: &mut dyn LinearMap) -> DVector<f64> {
        let random = &mut self.random;
        let vector = DVector::from_fn(map.size(), |_, _| {
            *random ^= *random << 13;
            *random ^= *random >> 7;
            *random ^= *random << 17;
            (*random >> 11) as f64 / 4_503_599_627_370_496.0 - 1.0
        });
        map.admit(vector)
    }

    /// Adds the new part of a vector, which is S of vector `source` if given; returns false if there is no new part.
    #[inline]
    fn append(
        &mut self,
        map: &mut dyn LinearMap,
        mut vector: DVector<f64>,
        source: Option<usize>,
    ) -> Result<bool, Unfound> {
        let known = self.vectors.len();
        let (mut before, mut length) = (None, 0.0);
        // A second orthogonalisation removes the round-off of the first one.
        for _ in 0..2 {
            let weighted = map.weigh(&vector);
            let mut square = vector.dot(&weighted);
            if !square.is_finite() {
                return Err(KktError::NotFinite.into());
            }
            if square < -INDEFINITE * vector.norm() * weighted.norm() {
                return Err(Unfound::Indefinite);
            }
            before.get_or_insert(square.max(0.0).sqrt());
            for (row, own) in self.vectors.iter().enumerate() {
                let share = own.dot(&weighted);
                vector.axpy(-share, own, 1.0);
                square -= share * share;
                if let Some(column) = source {
                    self.projected[(row, column)] += share;
                }
            }
            length = square.max(0.0).sqrt();
        }
        let before = before.unwrap_or(length);
        if length <= VANISHED * before || known == map.size() {
            return Ok(false);
        }
        if let Some(column) = source {
            self.projected[(known, column)] = length;
        }
        self.vectors.push(vector / length);
        Ok(true)
    }

    /// Applies S to the vectors in sequence until the basis is full or no direction is left.
    fn fill(&mut self, map: &mut dyn LinearMap, capacity: usize) -> Result<(), Unfound> {
        while self.applied < self.vectors.len() && self.vectors.len() < capacity {
            let image = map.apply(&self.vectors[self.applied]);
            if !self.append(map, image, Some(self.applied))? && !self.is_exhausted {
                // An invariant space: another vector replaces the vanished one.
                let other = self.arbitrary(map);
                self.is_exhausted = !self.append(map, other, None)?;
            }
            self.applied += 1;
        }
        Ok(())
    }

    /// G.
    fn coupling(&self) -> DMatrix<f64> {
        self.projected.view((self.applied, 0), (self.vectors.len() - self.applied, self.applied)).into_owned()
    }

    /// V u.
    #[inline]
    fn combined(&self, shares: &DVector<Complex<f64>>) -> DVector<Complex<f64>> {
        let part = |of: fn(&Complex<f64>) -> f64| self.sum(shares.iter().map(of));
        let (re, im) = (part(|share| share.re), part(|share| share.im));
        re.zip_map(&im, Complex::new)
    }

    fn sum(&self, shares: impl Iterator<Item = f64>) -> DVector<f64> {
        let mut sum = DVector::zeros(self.vectors[0].len());
        for (vector, share) in self.vectors.iter().zip(shares) {
            sum.axpy(share, vector, 1.0);
        }
        sum
    }

    /// Replaces V by V W, with W an orthonormal basis of an invariant space of H.
    fn restart(&mut self, by: &DMatrix<f64>, capacity: usize) {
        let (known, kept) = (self.applied, by.ncols());
        let projected = by.tr_mul(&(self.projected.view((0, 0), (known, known)) * by));
        let coupling = self.coupling() * by;
        let mut vectors: Vec<DVector<f64>> = by.column_iter().map(|column| self.sum(column.iter().copied())).collect();
        vectors.extend(self.vectors.drain(known..));
        self.vectors = vectors;
        self.applied = kept;
        self.projected = DMatrix::zeros(capacity, capacity);
        self.projected.view_mut((0, 0), (kept, kept)).copy_from(&projected);
        self.projected.view_mut((kept, 0), coupling.shape()).copy_from(&coupling);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A diagonal map with a diagonal inner product.
    struct Diagonal {
        values: DVector<f64>,
        weights: DVector<f64>,
    }

    impl LinearMap for Diagonal {
        fn size(&self) -> usize {
            self.values.len()
        }
        fn apply(&mut self, x: &DVector<f64>) -> DVector<f64> {
            self.values.component_mul(x)
        }
        fn weigh(&mut self, x: &DVector<f64>) -> DVector<f64> {
            self.weights.component_mul(x)
        }
        fn admit(&mut self, x: DVector<f64>) -> DVector<f64> {
            x
        }
        fn is_symmetric(&self) -> bool {
            true
        }
    }

    fn found(values: impl Fn(usize) -> f64, weight: f64) -> Result<Eigen, Unfound> {
        let values = DVector::from_fn(400, |at, _| values(at));
        let weights = DVector::from_fn(400, |at, _| if at == 7 { weight } else { 1.0 });
        largest(&mut Diagonal { values, weights }, 1e-10, 3, &mut |_| Wanted::Leading(3))
    }

    #[test]
    fn what_is_no_inner_product_is_told() {
        let values = found(|at| 1.0 / (1.0 + at as f64), 1.0).unwrap().values;
        let expected = [1.0, 0.5, 1.0 / 3.0];
        assert!(values.iter().zip(expected).all(|(value, wanted)| (value.re - wanted).abs() < 1e-12), "{values:?}");
        assert_eq!(found(|at| 1.0 / (1.0 + at as f64), -100.0).unwrap_err(), Unfound::Indefinite);
        assert_eq!(found(|_| f64::NAN, 1.0).unwrap_err(), Unfound::Kkt(KktError::NotFinite));
    }

    /// These eigenvalues are too close to be separated within the iteration limit, and no wrong value is returned.
    #[test]
    fn what_does_not_converge_is_told() {
        let dense = |at: usize| 1.0 + 2e-6 * at as f64 + if at.is_multiple_of(2) { 0.0 } else { 1e-7 };
        assert_eq!(found(dense, 1.0).unwrap_err(), Unfound::NotConverged);
    }
}
