//! Benchmark problems of the IFToMM library of computational problems and of the test set for initial value problems, each in two
//! formulations, with references.

pub mod bicycle;
pub mod bricard;
pub mod governor;
pub mod n_four_bar;
pub mod pendulum;
pub mod squeezer;
