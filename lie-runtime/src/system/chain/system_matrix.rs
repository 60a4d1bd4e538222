//! The matrix of a linear system over a chain, as a band or sparse.

use super::panels::{Panel, Panels};
use crate::scalar::Scalar;
use crate::solve::{BandedLu, PivotError};
#[cfg(feature = "sparse")]
use crate::solve::{SparseLu, SparsePattern};

/// Bands up to this width are kept whatever the graph is.
#[cfg(feature = "sparse")]
const NARROW_BAND: usize = 48;
/// How many multiplications within a band take the time of one of sparse elimination, where each is counted in a minimum
/// degree order without interchanges: measured of lattices, see the bench `lattices`.
#[cfg(feature = "sparse")]
const SPARSE_COST: f64 = 10.0;

/// Where a matrix has entries, and how it is stored.
#[derive(Clone, Debug, Default)]
pub(super) struct MatrixPattern {
    /// How far the entries of each column reach below the diagonal.
    reach: Vec<usize>,
    /// If the band is too wide.
    #[cfg(feature = "sparse")]
    sparse: Option<std::sync::Arc<SparsePattern>>,
    work: f64,
}

impl MatrixPattern {
    /// The pattern of unknowns at those positions; a clique is a list of blocks, first position and length, that
    /// share an equation. Sparse if `may_be_sparse` and that is less work.
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

    /// A matrix of this pattern.
    pub(super) fn matrix<S: Scalar>(&self) -> SystemMatrix<S> {
        #[cfg(feature = "sparse")]
        if let Some(pattern) = &self.sparse {
            return SystemMatrix::Sparse(SparseLu::new(pattern.clone()));
        }
        SystemMatrix::Band(self.band())
    }

    /// The same as a band.
    pub(super) fn band<S: Scalar>(&self) -> BandedLu<S> {
        BandedLu::new(&self.reach)
    }

    /// How far the entries of each column reach below the diagonal.
    pub(super) fn reach(&self) -> &[usize] {
        &self.reach
    }

    /// The largest distance between unknowns of one equation.
    pub(super) fn bandwidth(&self) -> usize {
        self.reach.iter().copied().max().unwrap_or(0)
    }

    /// The multiplications of an elimination, in those within a band.
    pub(super) fn work(&self) -> f64 {
        self.work
    }

    /// The number of entries, if it is sparse.
    #[cfg(feature = "sparse")]
    pub(super) fn sparse_entries(&self) -> Option<usize> {
        self.sparse.as_ref().map(|pattern| pattern.entries())
    }

    /// Without sparse factors there are none.
    #[cfg(not(feature = "sparse"))]
    #[allow(clippy::unused_self)] // Of the same form as with them.
    pub(super) fn sparse_entries(&self) -> Option<usize> {
        None
    }
}

/// The multiplications of an elimination within an envelope.
pub(super) fn band_work(reach: &[usize]) -> f64 {
    let mut end = 0;
    let columns = reach.iter().enumerate().map(|(k, &reach)| {
        end = end.max(k + reach);
        (end - k) as f64
    });
    columns.map(|reach| reach * (reach + 1.0)).sum()
}

/// A matrix to be filled and its factors.
#[derive(Clone, Debug)]
pub(super) enum SystemMatrix<S> {
    Band(BandedLu<S>),
    #[cfg(feature = "sparse")]
    Sparse(SparseLu),
}

/// The entries of a matrix that is being filled.
#[derive(Debug)]
pub(super) enum MatrixEntries<'a, S> {
    Band(&'a mut BandedLu<S>),
    #[cfg(feature = "sparse")]
    Sparse(&'a mut SparseLu),
}

impl<S: Scalar> SystemMatrix<S> {
    /// Factorises the matrix that `assemble` adds to zeros; it may be called twice.
    #[inline]
    pub(super) fn factorise(&mut self, assemble: impl Fn(&mut MatrixEntries<'_, S>)) -> Result<(), PivotError> {
        match self {
            SystemMatrix::Band(band) => band.factorise(|band| assemble(&mut MatrixEntries::Band(band))),
            #[cfg(feature = "sparse")]
            SystemMatrix::Sparse(sparse) => sparse.factorise(|sparse| assemble(&mut MatrixEntries::Sparse(sparse))),
        }
    }

    /// The same where `assemble` adds one stretch after the other.
    #[inline]
    pub(super) fn factorise_in_panels(
        &mut self,
        panels: &Panels,
        mut assemble: impl FnMut(Panel<'_>, &mut MatrixEntries<'_, S>),
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

/// A rectangle of a matrix.
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

    /// The absolute value of an entry as it is so far.
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

    /// Adds a block of which `entry(i, j)` is the entry in row i and column j; all of it is of the declared pattern.
    #[inline]
    pub(super) fn add_block(&mut self, at: BlockPosition, entry: impl Fn(usize, usize) -> S) {
        // A block without rows may stand behind the last one.
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

/// True of the numbers that sparse factors are made for: not of dual numbers.
pub(super) fn is_real<S: Scalar>() -> bool {
    use core::any::TypeId;
    [TypeId::of::<f64>(), TypeId::of::<f32>()].contains(&TypeId::of::<S>())
}
