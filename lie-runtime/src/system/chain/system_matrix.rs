//! The matrix of a linear system over a chain, banded or sparse.

use super::panels::{MatrixPanel, MatrixPanels};
use crate::scalar::Scalar;
use crate::solve::{BandedLu, PivotError};
#[cfg(feature = "sparse")]
use crate::solve::{SparseLu, SparsePattern};

/// A narrower band is never replaced by sparse factors.
#[cfg(feature = "sparse")]
const NARROW_BAND: usize = 48;
/// The cost of a multiplication in sparse elimination relative to a band, counted in a minimum degree order without
/// pivoting; measured with the bench `lattices`.
#[cfg(feature = "sparse")]
const SPARSE_COST: f64 = 10.0;

/// The sparsity pattern of a matrix, and its storage.
#[derive(Clone, Debug, Default)]
pub(super) struct MatrixPattern {
    /// The number of entries of each column below the diagonal.
    reach: Vec<usize>,
    /// The sparse pattern, if the band is too wide.
    #[cfg(feature = "sparse")]
    sparse: Option<std::sync::Arc<SparsePattern>>,
    work: f64,
}

impl MatrixPattern {
    /// Creates the pattern of a graph of cliques. A clique is a list of blocks (first position, length) that share an
    /// equation. The pattern is sparse if `may_be_sparse` and the sparse elimination is cheaper.
    pub(super) fn new(size: usize, cliques: &[Vec<(usize, usize)>], may_be_sparse: bool) -> Self {
        let mut reach = vec![0; size];
        for clique in cliques {
            let end = clique.iter().map(|&(start, length)| start + length).max().unwrap_or(0);
            for &(start, length) in clique {
                for (position, reach) in (start..).zip(&mut reach[start..start + length]) {
                    *reach = (*reach).max(end - 1 - position);
                }
            }
        }
        let pattern = MatrixPattern {
            work: band_work(&reach),
            reach,
            #[cfg(feature = "sparse")]
            sparse: None,
        };
        #[cfg(feature = "sparse")]
        if may_be_sparse
            && pattern.bandwidth() > NARROW_BAND
            && let Some(sparse) = SparsePattern::new(size, cliques.iter().cloned())
        {
            let work = sparse.work().map_or(f64::INFINITY, |work| SPARSE_COST * work);
            if work < pattern.work {
                return MatrixPattern { sparse: Some(sparse), work, ..pattern };
            }
        }
        #[cfg(not(feature = "sparse"))]
        let _ = may_be_sparse;
        pattern
    }

    /// Allocates a matrix with this pattern.
    pub(super) fn matrix<S: Scalar>(&self) -> SystemMatrix<S> {
        #[cfg(feature = "sparse")]
        if let Some(pattern) = &self.sparse {
            return SystemMatrix::Sparse(SparseLu::new(pattern.clone()));
        }
        SystemMatrix::Band(self.band())
    }

    /// Allocates a banded matrix with this pattern.
    pub(super) fn band<S: Scalar>(&self) -> BandedLu<S> {
        BandedLu::new(&self.reach)
    }

    /// Returns the number of entries of each column below the diagonal.
    pub(super) fn reach(&self) -> &[usize] {
        &self.reach
    }

    /// Returns the bandwidth, the largest distance between unknowns of one equation.
    pub(super) fn bandwidth(&self) -> usize {
        self.reach.iter().copied().max().unwrap_or(0)
    }

    /// Returns the cost of an elimination, in multiplications within a band.
    pub(super) fn work(&self) -> f64 {
        self.work
    }

    /// Returns the number of entries of a sparse pattern.
    #[cfg(feature = "sparse")]
    pub(super) fn sparse_entries(&self) -> Option<usize> {
        self.sparse.as_ref().map(|pattern| pattern.entries())
    }

    /// Without the feature `sparse` there are no sparse patterns.
    #[cfg(not(feature = "sparse"))]
    #[allow(clippy::unused_self)] // Of the same form as with them.
    pub(super) fn sparse_entries(&self) -> Option<usize> {
        None
    }
}

/// Returns the number of multiplications of an elimination within an envelope.
pub(super) fn band_work(reach: &[usize]) -> f64 {
    let mut end = 0;
    let columns = reach.iter().enumerate().map(|(k, &reach)| {
        end = end.max(k + reach);
        (end - k) as f64
    });
    columns.map(|reach| reach * (reach + 1.0)).sum()
}

/// A matrix and its factors.
#[derive(Clone, Debug)]
pub(super) enum SystemMatrix<S> {
    Band(BandedLu<S>),
    #[cfg(feature = "sparse")]
    Sparse(SparseLu),
}

/// The entries of a matrix during assembly.
#[derive(Debug)]
pub(super) enum MatrixEntries<'a, S> {
    Band(&'a mut BandedLu<S>),
    #[cfg(feature = "sparse")]
    Sparse(&'a mut SparseLu),
}

impl<S: Scalar> SystemMatrix<S> {
    /// Factorises the matrix that `assemble` adds to zeros; it may call `assemble` twice.
    #[inline]
    pub(super) fn factorise(&mut self, assemble: impl Fn(&mut MatrixEntries<'_, S>)) -> Result<(), PivotError> {
        match self {
            SystemMatrix::Band(band) => band.factorise(|band| assemble(&mut MatrixEntries::Band(band))),
            #[cfg(feature = "sparse")]
            SystemMatrix::Sparse(sparse) => sparse.factorise(|sparse| assemble(&mut MatrixEntries::Sparse(sparse))),
        }
    }

    /// Factorises the matrix while `assemble` adds panel after panel.
    #[inline]
    pub(super) fn factorise_in_panels(
        &mut self,
        panels: &MatrixPanels,
        mut assemble: impl FnMut(MatrixPanel<'_>, &mut MatrixEntries<'_, S>),
    ) -> Result<(), PivotError> {
        match self {
            SystemMatrix::Band(band) => band.factorise_in_panels(&panels.ends, |band, number| {
                assemble(panels.at(number), &mut MatrixEntries::Band(band));
            }),
            #[cfg(feature = "sparse")]
            SystemMatrix::Sparse(sparse) => sparse.factorise(|sparse| {
                panels.each().for_each(|panel| assemble(panel, &mut MatrixEntries::Sparse(sparse)));
            }),
        }
    }

    /// Solves for one right-hand side.
    #[inline]
    pub(super) fn solve(&mut self, right_hand_side: &mut [S]) {
        match self {
            SystemMatrix::Band(band) => band.solve(right_hand_side),
            #[cfg(feature = "sparse")]
            SystemMatrix::Sparse(sparse) => sparse.solve(right_hand_side),
        }
    }

    /// Solves the transposed system for one right-hand side.
    #[inline]
    pub(super) fn solve_transposed(&mut self, right_hand_side: &mut [S]) {
        match self {
            SystemMatrix::Band(band) => band.solve_transposed(right_hand_side),
            #[cfg(feature = "sparse")]
            SystemMatrix::Sparse(sparse) => sparse.solve_transposed(right_hand_side),
        }
    }
}

/// The position of a block in a matrix.
#[derive(Clone, Copy, Debug)]
pub(super) struct BlockPosition {
    /// The first row.
    pub row: usize,
    /// The first column.
    pub column: usize,
    pub rows: usize,
    pub columns: usize,
}

impl<S: Scalar> MatrixEntries<'_, S> {
    /// Adds to an entry.
    #[inline]
    pub(super) fn add(&mut self, row: usize, column: usize, value: S) {
        self.add_block(BlockPosition { row, column, rows: 1, columns: 1 }, |_, _| value);
    }

    /// Returns the current absolute value of an entry.
    pub(super) fn size_of(&mut self, row: usize, column: usize) -> S {
        match self {
            MatrixEntries::Band(band) => {
                let position = band.position(row, column);
                band.values_mut()[position].abs()
            }
            #[cfg(feature = "sparse")]
            MatrixEntries::Sparse(sparse) => S::from_f64(sparse.column_mut(column, row, 1)[0].abs()),
        }
    }

    /// Adds a block whose entry in row i and column j is `entry(i, j)`; all of it must be in the pattern.
    #[inline]
    pub(super) fn add_block(&mut self, at: BlockPosition, entry: impl Fn(usize, usize) -> S) {
        // A block without rows may be positioned after the last row.
        if at.rows == 0 {
            return;
        }
        match self {
            MatrixEntries::Band(band) => {
                let (step, position) = (band.stride(), band.position(at.row, at.column));
                let out = &mut band.values_mut()[position..];
                for i in 0..at.rows {
                    for (j, sum) in out[i * step..][..at.columns].iter_mut().enumerate() {
                        *sum += entry(i, j);
                    }
                }
            }
            #[cfg(feature = "sparse")]
            MatrixEntries::Sparse(sparse) => {
                for j in 0..at.columns {
                    for (i, sum) in sparse.column_mut(at.column + j, at.row, at.rows).iter_mut().enumerate() {
                        *sum += entry(i, j).value();
                    }
                }
            }
        }
    }
}

/// Returns true for scalars that sparse factors support, `f64` and `f32`; false for dual numbers.
pub(super) fn is_real<S: Scalar>() -> bool {
    use core::any::TypeId;
    [TypeId::of::<f64>(), TypeId::of::<f32>()].contains(&TypeId::of::<S>())
}
