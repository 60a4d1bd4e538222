//! Finite differences of functions of one variable.

use core::ops::{Div, Mul, Sub};

/// f'(0) by central differences of fourth order, of `one` = f(h) − f(−h) and `two` = f(2h) − f(−2h).
pub(crate) fn central<T>(one: T, two: T, h: f64) -> T
where
    T: Mul<f64, Output = T> + Sub<Output = T> + Div<f64, Output = T>,
{
    (one * 8.0 - two) / (12.0 * h)
}
