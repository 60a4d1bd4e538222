//! What becomes of constraints that depend on one another.

/// What a system does where a row of its constraints follows from others.
///
/// Declarations choose by `#[mechanical_system(redundant = minimum_norm)]`, equations by hand by
/// [`Equations::REDUNDANCY`](super::Equations::REDUNDANCY).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Redundancy {
    /// A typed error that names the row and those that it follows from.
    #[default]
    Refused,
    /// The motion does not depend on the redundant rows; their multipliers are those of least norm λᵀ D λ, D the diagonal of
    /// B M⁻¹ Bᵀ: every row counts by the acceleration that its multiplier causes.
    MinimumNorm,
}

impl Redundancy {
    /// True of [`MinimumNorm`](Self::MinimumNorm): asked in a `const` block, what multipliers of least norm take is not even
    /// compiled for other systems.
    pub const fn is_minimum_norm(self) -> bool {
        matches!(self, Redundancy::MinimumNorm)
    }
}
