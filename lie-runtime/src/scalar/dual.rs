//! Dual numbers: a value and its derivative along one direction.

/// `re + eps ε` with ε² = 0; nested for higher derivatives.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Dual<S> {
    /// The value.
    pub re: S,
    /// The derivative.
    pub eps: S,
}
