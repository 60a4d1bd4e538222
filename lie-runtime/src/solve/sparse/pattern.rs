//! The positions of the entries of a sparse matrix, and the quantities that depend only on them.

use std::sync::Arc;

use faer::dyn_stack::{MemBuffer, MemStack, StackReq};
use faer::sparse::linalg::amd;
use faer::sparse::linalg::lu::{LuSymbolicParams, SymbolicLu, factorize_symbolic_lu};
use faer::sparse::{SymbolicSparseColMat, SymbolicSparseColMatRef};
use faer::{Par, Spec};

/// The pattern of a sparse matrix, the same for rows and columns, and its symbolic factorisation.
pub struct SparsePattern {
    columns: SymbolicSparseColMat<usize>,
    symbolic: SymbolicLu<usize>,
    /// The position of each diagonal entry.
    diagonal: Vec<usize>,
}

impl core::fmt::Debug for SparsePattern {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{} entries in {} columns", self.entries(), self.size())
    }
}

impl SparsePattern {
    /// Returns the pattern of a matrix of `size` unknowns in which all unknowns of a clique share equations. A clique is a list of
    /// blocks; a block is its first unknown and its length. The unknowns of a block must occur together in every clique.
    ///
    /// `None` if the pattern is too large for the memory.
    ///
    /// # Panics
    /// If a block ends beyond the unknowns.
    pub fn new(size: usize, cliques: impl IntoIterator<Item = Vec<(usize, usize)>>) -> Option<Arc<Self>> {
        // Blocks that share an equation with the block of an unknown, by first unknown.
        let mut beside: Vec<Vec<(usize, usize)>> = (0..size).map(|unknown| vec![(unknown, 1)]).collect();
        for clique in cliques {
            for &(start, length) in &clique {
                for list in &mut beside[start..start + length] {
                    list.extend_from_slice(&clique);
                }
            }
        }
        let mut starts = Vec::with_capacity(size + 1);
        let (mut rows, mut diagonal) = (Vec::new(), Vec::with_capacity(size));
        starts.push(0);
        let mut column_rows = Vec::new();
        for (column, list) in beside.iter_mut().enumerate() {
            list.sort_unstable();
            list.dedup();
            column_rows.clear();
            column_rows.extend(list.iter().flat_map(|&(start, length)| start..start + length));
            column_rows.sort_unstable();
            column_rows.dedup();
            diagonal.push(rows.len() + column_rows.partition_point(|&row| row < column));
            rows.extend_from_slice(&column_rows);
            starts.push(rows.len());
        }
        let columns = SymbolicSparseColMat::new_checked(size, size, starts, None, rows);
        let symbolic = factorize_symbolic_lu(columns.as_ref(), LuSymbolicParams::default()).ok()?;
        Some(Arc::new(SparsePattern { columns, symbolic, diagonal }))
    }

    /// The number of unknowns.
    pub fn size(&self) -> usize {
        self.diagonal.len()
    }

    /// The number of entries.
    pub fn entries(&self) -> usize {
        self.columns.row_idx().len()
    }

    /// The number of multiplications for elimination in an approximate minimum degree order without interchanges.
    pub fn work(&self) -> Option<f64> {
        let size = self.size();
        let (mut forward, mut inverse) = (vec![0; size], vec![0; size]);
        let mut memory = MemBuffer::try_new(amd::order_scratch::<usize>(size, self.entries())).ok()?;
        let stack = MemStack::new(&mut memory);
        amd::order(&mut forward, &mut inverse, self.columns.as_ref(), amd::Control::default(), stack)
            .ok()
            .map(|count| count.n_mult_subs_lu)
    }

    pub(super) fn columns(&self) -> SymbolicSparseColMatRef<'_, usize> {
        self.columns.as_ref()
    }

    pub(super) fn symbolic(&self) -> &SymbolicLu<usize> {
        &self.symbolic
    }

    pub(super) fn diagonal(&self) -> &[usize] {
        &self.diagonal
    }

    /// The scratch space for numerical factorisations and solutions.
    pub(super) fn scratch(&self) -> StackReq {
        StackReq::or(
            self.symbolic.factorize_numeric_lu_scratch::<f64>(Par::Seq, Spec::default()),
            self.symbolic.solve_in_place_scratch::<f64>(1, Par::Seq),
        )
    }

    /// The position of an entry.
    #[inline]
    pub(super) fn find(&self, column: usize, row: usize) -> Option<usize> {
        let range = self.columns.col_range(column);
        let rows = &self.columns.row_idx()[range.clone()];
        rows.binary_search(&row).ok().map(|at| range.start + at)
    }
}
