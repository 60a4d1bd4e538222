//! Additional results of a run: audits of energy and momenta, against closed forms, and interpolated states.

mod interpolation;
mod momenta;
mod moving_base;
mod work;
