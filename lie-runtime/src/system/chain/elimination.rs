//! Which linear algebra a system gets.

use super::Structure;
use super::frames::closing;
use super::system_matrix::MatrixPattern;
use crate::scalar::Scalar;

/// How a linear system is eliminated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Elimination {
    /// Block by block along the elements, each of which shares its last member with the next one.
    BlockTridiagonal,
    /// With the joints of a tree, in O(N): rows of constraints at the frame where all that they act on comes together.
    Tree {
        /// How many elements close at frames, and are eliminated there.
        loops: usize,
        /// The bandwidth of the rows that are left at the base.
        bandwidth: usize,
    },
    /// Within a band ([`BandedLu`](crate::solve::BandedLu)).
    Band {
        /// The largest distance between unknowns of one equation.
        bandwidth: usize,
    },
    /// By sparse triangular factors (`SparseLu` of [`solve`](crate::solve), feature `sparse`).
    Sparse {
        /// The entries of the matrix.
        entries: usize,
    },
}

impl<S: Scalar> Structure<S> {
    /// How the linear systems are eliminated: that of the accelerations and multipliers, that of an iteration, and
    /// that of a stabilised one.
    pub fn eliminations(&self) -> [Elimination; 3] {
        let of = |pattern: &MatrixPattern| match pattern.sparse_entries() {
            Some(entries) => Elimination::Sparse { entries },
            None => Elimination::Band { bandwidth: pattern.bandwidth() },
        };
        let [kkt, stabilised] = self.iteration_orders().map(|order| of(&order.pattern));
        let multipliers = if !self.tree().links().is_empty() {
            let (loops, bandwidth) = closing(self);
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
