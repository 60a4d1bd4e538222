//! Sparse matrices by triangular factors: the linear systems of trees with many branches and of lattices.

mod pattern;
mod singular;

use std::sync::Arc;

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::sparse::SparseColMatRef;
use faer::sparse::linalg::lu::{LuRef, NumericLu};
use faer::{Conj, MatMut, Par, Spec};

use super::PivotError;
use crate::scalar::Scalar;
pub use pattern::SparsePattern;

/// The L U factors of a sparse matrix, computed by `faer`. The column order keeps the factors sparse (COLAMD); the rows are chosen by
/// partial pivoting of the matrix scaled by its diagonal.
///
/// Order, elimination tree and supernodes are computed once for a [`SparsePattern`], which many matrices can share. The first
/// factorisation allocates the factors, and later factorisations use their memory again. An exception is the working blocks of
/// supernodes: `faer` allocates them if the factors are dense enough for block operations. The scalar type is `f64`.
///
/// ```
/// use lie_runtime::solve::{SparseLu, SparsePattern};
///
/// // A star: unknown 0 is coupled to the unknowns 1 to 3.
/// let pattern = SparsePattern::new(4, (1..4).map(|arm| vec![(0, 1), (arm, 1)])).ok_or("a pattern")?;
/// let mut factors = SparseLu::new(pattern);
/// factors.factorise(|matrix| {
///     for i in 0..4 {
///         matrix.column_mut(i, i, 1)[0] += 3.0;
///     }
///     for arm in 1..4 {
///         matrix.column_mut(arm, 0, 1)[0] += 1.0;
///         matrix.column_mut(0, arm, 1)[0] += 1.0;
///     }
/// }).map_err(|_| "regular")?;
/// let mut x = [6.0, 4.0, 4.0, 4.0];
/// factors.solve(&mut x);
/// assert!(x.iter().all(|x: &f64| (x - 1.0).abs() < 1e-15));
/// # Ok::<(), &str>(())
/// ```
#[derive(Debug)]
pub struct SparseLu {
    pattern: Arc<SparsePattern>,
    /// The entries, column by column.
    values: Vec<f64>,
    /// The factors by which rows and columns are multiplied.
    scales: Vec<f64>,
    numeric: NumericLu<usize, f64>,
    /// A right-hand side.
    unknowns: Vec<f64>,
    memory: ScratchMemory,
}

/// The scratch space of the library.
struct ScratchMemory(MemBuffer);

impl core::fmt::Debug for ScratchMemory {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{} bytes", self.0.len())
    }
}

impl Clone for SparseLu {
    fn clone(&self) -> Self {
        SparseLu {
            pattern: self.pattern.clone(),
            values: self.values.clone(),
            scales: self.scales.clone(),
            numeric: self.numeric.clone(),
            unknowns: self.unknowns.clone(),
            memory: ScratchMemory(MemBuffer::new(self.pattern.scratch())),
        }
    }
}

impl SparseLu {
    /// Returns an empty matrix with this pattern.
    pub fn new(pattern: Arc<SparsePattern>) -> Self {
        let size = pattern.size();
        SparseLu {
            values: vec![0.0; pattern.entries()],
            scales: vec![0.0; size],
            numeric: NumericLu::new(),
            unknowns: vec![0.0; size],
            memory: ScratchMemory(MemBuffer::new(pattern.scratch())),
            pattern,
        }
    }

    /// Returns the entries of a column in `rows` rows from `row` on, for additions. All of them must be in one block of the pattern.
    ///
    /// # Panics
    /// If the entries are not in the pattern.
    #[inline]
    pub fn column_mut(&mut self, column: usize, row: usize, rows: usize) -> &mut [f64] {
        let start = self.pattern.find(column, row).expect("an entry of the pattern");
        &mut self.values[start..start + rows]
    }

    /// Factorises the matrix that `assemble` adds to zeros.
    ///
    /// # Errors
    /// [`PivotError`] if the matrix is singular or an entry is not finite.
    pub fn factorise(&mut self, assemble: impl FnOnce(&mut Self)) -> Result<(), PivotError> {
        self.values.fill(0.0);
        assemble(self);
        if !self.values.iter().all(|value| value.is_finite()) {
            return Err(PivotError::NotFinite);
        }
        self.scale()?;
        self.factorise_scaled()?;
        if self.is_regular() { Ok(()) } else { Err(self.explain()) }
    }

    /// Triangular factors of the scaled matrix.
    fn factorise_scaled(&mut self) -> Result<(), PivotError> {
        let matrix = SparseColMatRef::new(self.pattern.columns(), &self.values[..]);
        let stack = MemStack::new(&mut self.memory.0);
        let symbolic = self.pattern.symbolic();
        match symbolic.factorize_numeric_lu(&mut self.numeric, matrix, Par::Seq, stack, Spec::default()) {
            Ok(_) => Ok(()),
            Err(_) => Err(PivotError::NotFinite),
        }
    }

    /// Solves with the scaled matrix, or with its transpose.
    fn solve_scaled(&mut self, is_transposed: bool) {
        let factors = LuRef::new_unchecked(self.pattern.symbolic(), &self.numeric);
        let size = self.unknowns.len();
        let unknowns = MatMut::from_column_major_slice_mut(&mut self.unknowns, size, 1);
        let stack = MemStack::new(&mut self.memory.0);
        if is_transposed {
            factors.solve_transpose_in_place_with_conj(Conj::No, unknowns, Par::Seq, stack);
        } else {
            factors.solve_in_place_with_conj(Conj::No, unknowns, Par::Seq, stack);
        }
    }

    /// Solves for one right-hand side.
    pub fn solve<S: Scalar>(&mut self, right_hand_side: &mut [S]) {
        self.solve_either(right_hand_side, false);
    }

    /// Solves the transposed system for one right-hand side.
    pub fn solve_transposed<S: Scalar>(&mut self, right_hand_side: &mut [S]) {
        self.solve_either(right_hand_side, true);
    }

    /// Scales rows and columns by the same factors.
    fn solve_either<S: Scalar>(&mut self, right_hand_side: &mut [S], is_transposed: bool) {
        for ((unknown, term), scale) in self.unknowns.iter_mut().zip(&*right_hand_side).zip(&self.scales) {
            *unknown = term.value() * scale;
        }
        self.solve_scaled(is_transposed);
        for ((out, unknown), scale) in right_hand_side.iter_mut().zip(&self.unknowns).zip(&self.scales) {
            *out = S::from_f64(unknown * scale);
        }
    }
}
