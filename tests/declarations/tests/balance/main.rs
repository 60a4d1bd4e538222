//! What a run tells besides its states: accounts of energy and momenta, against closed forms, and states in between.

mod between;
mod carried;
mod momenta;
mod work;
