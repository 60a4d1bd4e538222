//! A closed family of analytic functions with removable singularities, such as sin x / x.
//!
//! All are functions of a square (z = x² for an angle x ≥ 0, y = tan²), so that no square root is evaluated at 0. Each
//! derivative is a member of the family:
//!
//! | name | function | derivative |
//! |---|---|---|
//! | `stumpff(k, n, z)` | dⁿ/dzⁿ c_k(z), c_k(z) = Σ_j (−z)^j / (2j + k)! | `stumpff(k, n + 1, z)` |
//! | `gamma(n, z)` | dⁿ/dzⁿ γ(z), γ(x²) = (1 − (x/2) cot(x/2)) / x² | `gamma(n + 1, z)` |
//! | `arctangent(n, y)` | dⁿ/dyⁿ A(y), A(y) = arctan(√y) / √y | `arctangent(n + 1, y)` |
//!
//! For example, c₀ = cos x, c₁ = sin x / x, c₂ = (1 − cos x) / x², c₃ = (x − sin x) / x³, and on SO(3) with z = |Ω|²
//!
//! ```text
//! exp(Ω~) = I + c₁ Ω~ + c₂ Ω~²,    T(Ω) = I − c₂ Ω~ + c₃ Ω~²,    T(Ω)⁻¹ = I + ½ Ω~ + γ Ω~²
//! ```
//!
//! (paper 1, eqs. 16 and 19). Relations: c_k = 1/k! − z c_{k+2}, 2 c_k' = k c_{k+2} − c_{k+1},
//! 2z c_k' = c_{k−1} − k c_k, z γ' = (z γ² − 3γ + ¼) / 2, 2y A' = 1 / (1 + y) − A. The coefficients of the tangent
//! operator on SE(3) (eq. 20) are (2 − 2 cos ω − ω sin ω) / ω⁴ = −2 c₂' and −(ω (2 + cos ω) − 3 sin ω) / ω⁵ = 2 c₃'.
//!
//! The arguments are squares, z ≥ 0. For x ≤ π every value and its first derivatives are accurate to a few units in
//! the last place, also at the zeros of c₀ and c₁, without discontinuities between the formulas. For x > π the closed forms
//! determine the accuracy. Literals for `k` and `n` turn all tables into constants. `k` is at most [`MAX_INDEX`] and `n` at most
//! [`MAX_ORDER`]; larger values are a panic. Every function calls [`Scalar::singular`], which dual numbers differentiate.

mod arctangent;
mod gamma;
mod polynomial;
mod stumpff;

pub use self::polynomial::{MAX_INDEX, MAX_ORDER};
use crate::scalar::Scalar;
pub use crate::scalar::Singular;

impl Singular {
    /// Returns derivative `order` at `z` from series and closed forms.
    ///
    /// # Panics
    /// Beyond [`MAX_INDEX`] or [`MAX_ORDER`].
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn evaluate<S: Scalar>(self, order: usize, z: S) -> S {
        match self {
            Self::Stumpff(index) => stumpff::evaluate(index, order, z),
            Self::Gamma => gamma::evaluate(order, z),
            Self::Arctangent => arctangent::evaluate(order, z),
        }
    }
}

/// Derivative `n` of c_k(z) = Σ_j (−z)^j / (2j + k)!.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn stumpff<S: Scalar>(k: usize, n: usize, z: S) -> S {
    S::singular(Singular::Stumpff(k), n, z)
}

/// Derivative `n` of γ(z) = (1 − (x/2) cot(x/2)) / x² with x = √z, the coefficient of Ω~² in T(Ω)⁻¹; poles at (2πm)².
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn gamma<S: Scalar>(n: usize, z: S) -> S {
    S::singular(Singular::Gamma, n, z)
}

/// Derivative `n` of A(y) = arctan(√y) / √y, for logarithms: y = tan² of a quarter of the rotation angle.
#[inline]
pub fn arctangent<S: Scalar>(n: usize, y: S) -> S {
    S::singular(Singular::Arctangent, n, y)
}

/// (c₁, c₂, c₃) in one evaluation, for exp and T. The error of c₁ = 1 − z c₃ is one ulp of 1.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn rodrigues<S: Scalar>(z: S) -> (S, S, S) {
    let third = stumpff(3, 0, z);
    (S::one() - z * third, stumpff(2, 0, z), third)
}
