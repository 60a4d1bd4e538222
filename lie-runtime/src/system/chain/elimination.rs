//! [`Elimination`]: the linear algebra that a structure uses.

use super::Structure;
use super::frames::loop_counts;
use super::system_matrix::MatrixPattern;
use crate::scalar::Scalar;

/// An elimination of a linear system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(alias = "linear solver")]
pub enum Elimination {
    /// Block by block along the elements, each of which shares its last member with the next one.
    BlockTridiagonal,
    /// A backward pass along a tree of joints, in O(N); constraint rows are eliminated at the frame where their
    /// ancestor paths meet.
    Tree {
        /// The number of elements that are eliminated at frames.
        loops: usize,
        /// The bandwidth of the rows that are eliminated at the base.
        bandwidth: usize,
    },
    /// A banded LU factorisation ([`BandedLu`](crate::solve::BandedLu)).
    Band {
        /// The largest distance between unknowns of one equation.
        bandwidth: usize,
    },
    /// Sparse triangular factors (`SparseLu` of [`solve`](crate::solve), feature `sparse`).
    Sparse {
        /// The number of entries of the matrix.
        entries: usize,
    },
}

impl<S: Scalar> Structure<S> {
    /// Returns the eliminations of the linear systems: KKT system, iteration, and stabilised iteration.
    pub fn eliminations(&self) -> [Elimination; 3] {
        let of = |pattern: &MatrixPattern| match pattern.sparse_entries() {
            Some(entries) => Elimination::Sparse { entries },
            None => Elimination::Band { bandwidth: pattern.bandwidth() },
        };
        let [kkt, stabilised] = self.iteration_orders().map(|order| of(&order.pattern));
        let multipliers = if !self.tree().links().is_empty() {
            let (loops, bandwidth) = loop_counts(self);
            Elimination::Tree { loops, bandwidth }
        } else if self.eliminates_jointly {
            kkt
        } else if self.block_tridiagonal.is_some() {
            Elimination::BlockTridiagonal
        } else {
            Elimination::Band { bandwidth: self.schur.reach.iter().copied().max().unwrap_or(0) }
        };
        [multipliers, kkt, stabilised]
    }
}
