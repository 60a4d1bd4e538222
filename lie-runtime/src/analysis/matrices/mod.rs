//! Matrices of analyses and their eigenvalues: dense ones, triangular forms, maps that are known by what they do to a vector.

pub(super) mod dense;
pub(super) mod krylov;
pub(super) mod null_space;
pub(super) mod schur;
