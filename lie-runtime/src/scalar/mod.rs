//! The scalar type of every kernel: `f64`, `f32`, dual numbers, and SIMD lanes with the feature `lanes`.
//!
//! Every branch on a value uses [`Scalar::choose`] or [`Scalar::select`]: a scalar branches, SIMD lanes evaluate both branches and select.
//! A decision for all lanes (a pivot, the end of an iteration, a step size) follows the worst lane, see [`Scalar::magnitude`] and
//! [`Scalar::least_magnitude`].

pub(crate) mod difference;
mod dual;
mod dual_functions;
pub(crate) mod fused;
#[cfg(feature = "lanes")]
mod lanes;
mod matrix;
mod pairs;
mod real;
#[doc(hidden)]
pub mod singular;

use core::fmt::Debug;
use core::ops::{Add, AddAssign, BitAnd, BitOr, Div, DivAssign, Mul, MulAssign, Neg, Not, Sub, SubAssign};

pub use dual::Dual;
#[cfg(feature = "lanes")]
#[doc(hidden)]
pub use lanes::LaneMask;
#[cfg(feature = "lanes")]
pub use lanes::{F64x2, F64x4, F64x8};
#[doc(hidden)]
pub use matrix::DualMatrix;
pub(crate) use matrix::zeros;
pub(crate) use pairs::pairs;

/// The outcome of a comparison: one truth value, or one for each lane.
#[doc(hidden)]
pub trait Mask: Copy + BitAnd<Output = Self> + BitOr<Output = Self> + Not<Output = Self> {
    /// The same truth value in every lane.
    fn splat(value: bool) -> Self;
    /// True if it holds in every lane.
    fn all(self) -> bool;
    /// True if it holds in some lane.
    fn any(self) -> bool;
}

/// Several `f64` values in SIMD lanes.
#[doc(hidden)]
pub trait Lanes: Scalar {}

/// The scalar type of the kernels.
pub trait Scalar:
    Copy
    + Debug
    + Default
    + PartialEq
    + Send
    + Sync
    + 'static
    + num_traits::Zero
    + num_traits::One
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
    + AddAssign
    + SubAssign
    + MulAssign
    + DivAssign
{
    /// The type of a comparison.
    type Mask: Mask;
    /// True for scalars with derivatives.
    #[doc(hidden)]
    const HAS_DERIVATIVES: bool = false;
    /// The number of SIMD lanes.
    #[doc(hidden)]
    const LANES: usize = 1;
    /// True for `f64`. Large algorithms are compiled for `f64` in this crate, and not again in every crate with a system.
    #[doc(hidden)]
    const IS_F64: bool = false;

    /// The distance from 1 to the next larger number.
    #[must_use]
    #[doc(hidden)]
    fn epsilon() -> f64 {
        f64::EPSILON
    }
    /// The constant with the given value (in every lane, with zero derivative).
    fn from_f64(value: f64) -> Self;
    /// The value without derivatives; the first lane.
    fn value(self) -> f64;
    /// Makes a scalar from the values of a function of the lane; derivatives are zero.
    #[doc(hidden)]
    fn of_lanes(mut number: impl FnMut(usize) -> f64) -> Self {
        Self::from_f64(number(0))
    }
    /// The value in a lane, without derivatives.
    #[doc(hidden)]
    fn lane(self, lane: usize) -> f64 {
        let _ = lane;
        self.value()
    }
    /// Returns the values for `f64`, and an empty slice for other scalars.
    #[inline(always)]
    #[doc(hidden)]
    fn as_f64(values: &[Self]) -> &[f64] {
        let _ = values;
        &[]
    }
    /// Returns the values for `f64`, mutably, and an empty slice for other scalars.
    #[inline(always)]
    #[doc(hidden)]
    fn as_f64_mut(values: &mut [Self]) -> &mut [f64] {
        let _ = values;
        &mut []
    }
    /// The largest absolute value of all lanes; NaN if one is.
    #[inline(always)]
    #[doc(hidden)]
    fn magnitude(self) -> f64 {
        self.value().abs()
    }
    /// The least absolute value of all lanes; NaN if one is.
    #[inline(always)]
    #[doc(hidden)]
    fn least_magnitude(self) -> f64 {
        self.value().abs()
    }

    /// The derivatives with a value of zero.
    #[must_use]
    #[doc(hidden)]
    fn derivatives(self) -> Self {
        Self::zero()
    }
    /// The largest absolute derivative; zero if there are none, NaN if one is.
    #[doc(hidden)]
    fn variation(self) -> f64 {
        0.0
    }

    /// The value of the derivative; zero for scalars without derivatives.
    #[doc(hidden)]
    fn slope(self) -> f64 {
        0.0
    }
    /// Sets the derivative, for scalars with derivatives.
    #[must_use]
    #[doc(hidden)]
    fn with_slope(value: f64, slope: f64) -> Self {
        let _ = slope;
        Self::from_f64(value)
    }

    /// The square root.
    fn sqrt(self) -> Self;
    /// Sine and cosine of the same angle.
    fn sin_cos(self) -> (Self, Self);
    /// The sine.
    fn sin(self) -> Self {
        self.sin_cos().0
    }
    /// The cosine.
    fn cos(self) -> Self {
        self.sin_cos().1
    }
    /// The tangent.
    fn tan(self) -> Self {
        let (sin, cos) = self.sin_cos();
        sin / cos
    }
    /// The arc sine.
    fn asin(self) -> Self;
    /// The arc cosine.
    fn acos(self) -> Self;
    /// The arc tangent.
    fn atan(self) -> Self;
    /// The angle of the point (`other`, `self`), in (-π, π].
    fn atan2(self, other: Self) -> Self;
    /// The exponential.
    fn exp(self) -> Self;
    /// The natural logarithm.
    fn ln(self) -> Self;
    /// The hyperbolic sine.
    fn sinh(self) -> Self;
    /// The hyperbolic cosine.
    fn cosh(self) -> Self;
    /// The hyperbolic tangent.
    fn tanh(self) -> Self;
    /// The inverse of the hyperbolic sine.
    fn asinh(self) -> Self;
    /// The inverse of the hyperbolic cosine.
    fn acosh(self) -> Self;
    /// The inverse of the hyperbolic tangent.
    fn atanh(self) -> Self;
    /// exp(self) − 1, accurate near 0.
    fn exp_m1(self) -> Self;
    /// ln(1 + self), accurate near 0.
    fn ln_1p(self) -> Self;
    /// The cube root.
    fn cbrt(self) -> Self;
    /// The largest integer that is not greater; its derivative is 0, as for the next three functions.
    fn floor(self) -> Self;
    /// The smallest integer that is not less.
    fn ceil(self) -> Self;
    /// The nearest integer; halves are rounded away from 0.
    fn round(self) -> Self;
    /// The integer part, towards 0.
    fn trunc(self) -> Self;
    /// self % other, with the sign of `self`.
    #[doc(hidden)]
    fn remainder(self, other: Self) -> Self;
    /// An integer power.
    fn powi(self, exponent: i32) -> Self;
    /// A real power.
    fn powf(self, exponent: Self) -> Self;
    /// The absolute value.
    fn abs(self) -> Self;

    /// `self < other`.
    fn lt(self, other: Self) -> Self::Mask;
    /// `self <= other`.
    fn le(self, other: Self) -> Self::Mask;
    /// True if the value and all derivatives are finite in every lane.
    fn is_finite(self) -> bool;
    /// True if all values are finite.
    #[inline]
    #[doc(hidden)]
    fn all_finite(numbers: impl IntoIterator<Item = Self>) -> bool {
        numbers.into_iter().all(Self::is_finite)
    }
    /// `if_true` where the mask holds, `if_false` elsewhere; both have been evaluated.
    fn select(mask: Self::Mask, if_true: Self, if_false: Self) -> Self;
    /// Like [`select`](Scalar::select), but a scalar evaluates only the selected branch.
    #[inline(always)]
    #[doc(hidden)]
    fn choose(mask: Self::Mask, if_true: impl FnOnce() -> Self, if_false: impl FnOnce() -> Self) -> Self {
        let [chosen] = Self::choose_all(mask, || [if_true()], || [if_false()]);
        chosen
    }
    /// Like [`choose`](Scalar::choose), for several values that are computed together.
    #[doc(hidden)]
    fn choose_all<const N: usize>(
        mask: Self::Mask,
        if_true: impl FnOnce() -> [Self; N],
        if_false: impl FnOnce() -> [Self; N],
    ) -> [Self; N];

    /// 1 or −1 by the sign; 1 at 0.
    #[inline]
    fn signum(self) -> Self {
        Self::select(self.lt(Self::zero()), -Self::one(), Self::one())
    }
    /// The smaller of two numbers; `self` if they are equal.
    #[inline]
    fn min(self, other: Self) -> Self {
        Self::select(other.lt(self), other, self)
    }
    /// The larger of two numbers; `self` if they are equal.
    #[inline]
    fn max(self, other: Self) -> Self {
        Self::select(self.lt(other), other, self)
    }
    /// √(self² + other²).
    #[inline]
    fn hypot(self, other: Self) -> Self {
        (self * self + other * other).sqrt()
    }
    /// 1 / self.
    #[inline]
    fn recip(self) -> Self {
        Self::one() / self
    }
    /// self · factor + term, with a fused multiply-add where the target has it (x86 with the feature `fma`, aarch64).
    #[inline]
    fn mul_add(self, factor: Self, term: Self) -> Self {
        self * factor + term
    }
    /// The logarithm to the base 10.
    #[inline]
    fn log10(self) -> Self {
        self.ln() / Self::from_f64(core::f64::consts::LN_10)
    }
    /// The logarithm to the base 2.
    #[inline]
    fn log2(self) -> Self {
        self.ln() / Self::from_f64(core::f64::consts::LN_2)
    }
    /// The logarithm to any base.
    #[inline]
    fn log(self, base: Self) -> Self {
        self.ln() / base.ln()
    }
    /// 2 to the power of `self`.
    #[inline]
    fn exp2(self) -> Self {
        (self * Self::from_f64(core::f64::consts::LN_2)).exp()
    }
    /// The fractional part.
    #[inline]
    fn fract(self) -> Self {
        self - self.trunc()
    }
    /// The non-negative remainder.
    #[inline]
    fn rem_euclid(self, other: Self) -> Self {
        let remainder = self.remainder(other);
        Self::select(remainder.lt(Self::zero()), remainder + other.abs(), remainder)
    }
    /// The Euclidean quotient; its derivative is 0.
    #[inline]
    fn div_euclid(self, other: Self) -> Self {
        let whole = (self / other).trunc();
        let short = Self::select(Self::zero().lt(other), whole - Self::one(), whole + Self::one());
        Self::select(self.remainder(other).lt(Self::zero()), short, whole)
    }
    /// The absolute value with the sign of another number.
    #[inline]
    fn copysign(self, sign: Self) -> Self {
        let magnitude = self.abs();
        Self::select(sign.lt(Self::zero()), -magnitude, magnitude)
    }
    /// The value, limited to the interval.
    #[inline]
    fn clamp(self, low: Self, high: Self) -> Self {
        Self::select(self.lt(low), low, Self::select(high.lt(self), high, self))
    }
    /// Degrees in radians.
    #[inline]
    fn to_radians(self) -> Self {
        self * Self::from_f64(core::f64::consts::PI / 180.0)
    }
    /// Radians in degrees.
    #[inline]
    fn to_degrees(self) -> Self {
        self * Self::from_f64(180.0 / core::f64::consts::PI)
    }
    /// Derivative `order` of a singular function at `z`; see [`singular`].
    #[doc(hidden)]
    fn singular(function: Singular, order: usize, z: Self) -> Self;
}

/// The larger of two norms; NaN if one is.
#[inline]
pub(crate) fn larger<S: Scalar>(norm: S, other: S) -> S {
    // Every comparison with NaN is false, so that a NaN in `a` is kept.
    S::select(other.le(other), norm.max(other), other)
}

/// True for single precision.
pub(crate) fn is_single<S: Scalar>() -> bool {
    S::epsilon() > 1e-10
}

/// A function of the family [`singular`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(hidden)]
pub enum Singular {
    /// c_k.
    Stumpff(usize),
    /// γ.
    Gamma,
    /// A.
    Arctangent,
}
