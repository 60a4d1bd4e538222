//! The blocks of the linearised recursion of a frame.

use crate::scalar::Scalar;

/// The tangents of a frame by blocks: the columns of x₋ or u₋ come first, then the columns of the joint.
pub(super) struct RecursionTangents<'a, S> {
    pub numbers: &'a [S],
    pub frame: usize,
    pub columns: usize,
}

impl<S: Scalar> RecursionTangents<'_, S> {
    #[inline]
    fn at(&self, part: usize, row: usize, column: usize) -> S {
        self.numbers[(part * self.frame + row) * self.columns + column]
    }
    /// A.
    #[inline]
    pub(super) fn a(&self, row: usize, column: usize) -> S {
        self.at(0, row, column)
    }
    /// J.
    #[inline]
    pub(super) fn j(&self, row: usize, column: usize) -> S {
        self.at(0, row, self.frame + column)
    }
    /// [U_x U_q].
    #[inline]
    pub(super) fn u(&self, row: usize, column: usize) -> S {
        self.at(1, row, column)
    }
    /// [V_u V_v].
    #[inline]
    pub(super) fn v(&self, row: usize, column: usize) -> S {
        self.at(2, row, column)
    }
    /// [Y_x Y_q].
    #[inline]
    pub(super) fn y(&self, row: usize, column: usize) -> S {
        self.at(3, row, column)
    }
    /// [P_xx P_xq; P_qx P_qq].
    #[inline]
    pub(super) fn p(&self, row: usize, column: usize) -> S {
        self.at(4, row, column)
    }
}
