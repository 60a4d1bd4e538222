//! Matrices of analyses and their eigenvalues: dense matrices, triangular forms, matrix-free maps.

pub(super) mod dense;
pub(super) mod krylov;
pub(super) mod null_space;
pub(super) mod schur;
