//! The elementary functions of dual numbers, each with its derivative.

use super::{Dual, Scalar, Singular};

impl<S: Scalar> Scalar for Dual<S> {
    type Mask = S::Mask;

    #[inline]
    fn epsilon() -> f64 {
        S::epsilon()
    }
    fn from_f64(value: f64) -> Self {
        Self::constant(value)
    }
    #[inline]
    fn value(self) -> f64 {
        self.re.value()
    }
    #[inline]
    fn lane(self, lane: usize) -> f64 {
        self.re.lane(lane)
    }
    #[inline]
    fn magnitude(self) -> f64 {
        self.re.magnitude()
    }
    #[inline]
    fn least_magnitude(self) -> f64 {
        self.re.least_magnitude()
    }

    const HAS_DERIVATIVES: bool = true;
    const LANES: usize = S::LANES;
    #[inline]
    fn derivatives(self) -> Self {
        Self { re: self.re.derivatives(), eps: self.eps }
    }
    fn slope(self) -> f64 {
        self.eps.value()
    }
    fn with_slope(value: f64, slope: f64) -> Self {
        Self { re: S::from_f64(value), eps: S::from_f64(slope) }
    }
    fn variation(self) -> f64 {
        [self.eps.variation(), self.re.variation()]
            .into_iter()
            .fold(self.eps.magnitude(), |largest, size| if size > largest || size.is_nan() { size } else { largest })
    }

    /// The derivative at 0 is infinite. A zero derivative of the argument stays zero, as for the norm of a vector at rest.
    #[inline]
    fn sqrt(self) -> Self {
        let root = self.re.sqrt();
        let resting = root.abs().le(S::zero()) & self.eps.abs().le(S::zero());
        let denominator = S::select(resting, S::one(), root + root);
        Self { re: root, eps: self.eps / denominator }
    }
    #[inline]
    fn sin_cos(self) -> (Self, Self) {
        let (sin, cos) = self.re.sin_cos();
        (self.chain(sin, cos), self.chain(cos, -sin))
    }
    #[inline]
    fn tan(self) -> Self {
        let tan = self.re.tan();
        self.chain(tan, S::one() + tan * tan)
    }
    #[inline]
    fn asin(self) -> Self {
        self.chain(self.re.asin(), S::one() / ((S::one() - self.re) * (S::one() + self.re)).sqrt())
    }
    #[inline]
    fn acos(self) -> Self {
        self.chain(self.re.acos(), -S::one() / ((S::one() - self.re) * (S::one() + self.re)).sqrt())
    }
    #[inline]
    fn atan(self) -> Self {
        self.chain(self.re.atan(), S::one() / (S::one() + self.re * self.re))
    }
    #[inline]
    fn atan2(self, other: Self) -> Self {
        let square = self.re * self.re + other.re * other.re;
        Self { re: self.re.atan2(other.re), eps: (self.eps * other.re - self.re * other.eps) / square }
    }
    #[inline]
    fn exp(self) -> Self {
        let exp = self.re.exp();
        self.chain(exp, exp)
    }
    #[inline]
    fn ln(self) -> Self {
        self.chain(self.re.ln(), S::one() / self.re)
    }
    #[inline]
    fn sinh(self) -> Self {
        self.chain(self.re.sinh(), self.re.cosh())
    }
    #[inline]
    fn cosh(self) -> Self {
        self.chain(self.re.cosh(), self.re.sinh())
    }
    #[inline]
    fn tanh(self) -> Self {
        let cosh = self.re.cosh();
        self.chain(self.re.tanh(), S::one() / (cosh * cosh))
    }
    #[inline]
    fn asinh(self) -> Self {
        self.chain(self.re.asinh(), S::one() / (S::one() + self.re * self.re).sqrt())
    }
    #[inline]
    fn acosh(self) -> Self {
        self.chain(self.re.acosh(), S::one() / ((self.re - S::one()) * (self.re + S::one())).sqrt())
    }
    #[inline]
    fn atanh(self) -> Self {
        self.chain(self.re.atanh(), S::one() / ((S::one() - self.re) * (S::one() + self.re)))
    }
    #[inline]
    fn exp_m1(self) -> Self {
        self.chain(self.re.exp_m1(), self.re.exp())
    }
    #[inline]
    fn ln_1p(self) -> Self {
        self.chain(self.re.ln_1p(), S::one() / (S::one() + self.re))
    }
    #[inline]
    fn cbrt(self) -> Self {
        let root = self.re.cbrt();
        self.chain(root, S::one() / (S::from_f64(3.0) * root * root))
    }
    #[inline]
    fn floor(self) -> Self {
        Self { re: self.re.floor(), eps: S::zero() }
    }
    #[inline]
    fn ceil(self) -> Self {
        Self { re: self.re.ceil(), eps: S::zero() }
    }
    #[inline]
    fn round(self) -> Self {
        Self { re: self.re.round(), eps: S::zero() }
    }
    #[inline]
    fn trunc(self) -> Self {
        Self { re: self.re.trunc(), eps: S::zero() }
    }
    #[inline]
    fn remainder(self, other: Self) -> Self {
        let whole = (self.re / other.re).trunc();
        Self { re: self.re.remainder(other.re), eps: self.eps - whole * other.eps }
    }
    #[inline]
    fn div_euclid(self, other: Self) -> Self {
        Self { re: self.re.div_euclid(other.re), eps: S::zero() }
    }
    #[inline]
    fn copysign(self, sign: Self) -> Self {
        // 1 or −1, also for signed zeros.
        let turn = S::one().copysign(self.re) * S::one().copysign(sign.re);
        Self { re: self.re * turn, eps: self.eps * turn }
    }
    #[inline]
    fn powi(self, exponent: i32) -> Self {
        if exponent == 0 {
            return Self::constant(1.0); // Also at 0, where 0 · 0⁻¹ would be no number.
        }
        self.chain(self.re.powi(exponent), S::from_f64(f64::from(exponent)) * self.re.powi(exponent - 1))
    }
    /// The derivative with respect to the exponent is used only if the exponent has a derivative, because ln x needs x > 0.
    #[inline]
    fn powf(self, exponent: Self) -> Self {
        let value = self.re.powf(exponent.re);
        let base_term = exponent.re * self.re.powf(exponent.re - S::one()) * self.eps;
        let fixed = exponent.eps.abs().le(S::zero());
        let exponent_term = S::choose(fixed, S::zero, || value * self.re.ln() * exponent.eps);
        let still = self.eps.abs().le(S::zero());
        Self { re: value, eps: S::select(still, S::zero(), base_term) + exponent_term }
    }
    #[inline]
    fn abs(self) -> Self {
        let negative = self.re.lt(S::zero());
        Self::select(negative, -self, self)
    }

    #[inline]
    fn lt(self, other: Self) -> Self::Mask {
        self.re.lt(other.re)
    }
    #[inline]
    fn le(self, other: Self) -> Self::Mask {
        self.re.le(other.re)
    }
    #[inline]
    fn is_finite(self) -> bool {
        self.re.is_finite() && self.eps.is_finite()
    }
    #[inline]
    fn select(mask: Self::Mask, if_true: Self, if_false: Self) -> Self {
        Self { re: S::select(mask, if_true.re, if_false.re), eps: S::select(mask, if_true.eps, if_false.eps) }
    }
    /// Each branch is evaluated once for values and derivatives. SIMD lanes evaluate both branches.
    #[inline]
    fn choose_all<const N: usize>(
        mask: Self::Mask,
        if_true: impl FnOnce() -> [Self; N],
        if_false: impl FnOnce() -> [Self; N],
    ) -> [Self; N] {
        use super::Mask;
        if mask.all() {
            if_true()
        } else if mask.any() {
            let (true_side, false_side) = (if_true(), if_false());
            core::array::from_fn(|at| Self::select(mask, true_side[at], false_side[at]))
        } else {
            if_false()
        }
    }

    /// The family is closed under differentiation, nesting included.
    #[inline]
    fn singular(function: Singular, order: usize, z: Self) -> Self {
        z.chain(S::singular(function, order, z.re), S::singular(function, order + 1, z.re))
    }
}

/// The functions under the names they have on `f64`, for bodies that do not import [`Scalar`], which documents them.
macro_rules! inherent {
    ($($(#[$doc:meta])* $name:ident($($argument:ident: $type:ty),*) -> $result:ty;)*) => {
        impl<S: Scalar> Dual<S> {
            $(
                $(#[$doc])*
                #[inline]
                #[doc(hidden)]
                pub fn $name(self $(, $argument: $type)*) -> $result {
                    Scalar::$name(self $(, $argument)*)
                }
            )*
        }
    };
}

inherent! {
    /// The square root.
    sqrt() -> Self;
    /// Sine and cosine of the same angle.
    sin_cos() -> (Self, Self);
    /// The sine.
    sin() -> Self;
    /// The cosine.
    cos() -> Self;
    /// The tangent.
    tan() -> Self;
    /// The arc sine.
    asin() -> Self;
    /// The arc cosine.
    acos() -> Self;
    /// The arc tangent.
    atan() -> Self;
    /// The angle of the point (`other`, `self`).
    atan2(other: Self) -> Self;
    /// The exponential.
    exp() -> Self;
    /// The natural logarithm.
    ln() -> Self;
    /// The hyperbolic sine.
    sinh() -> Self;
    /// The hyperbolic cosine.
    cosh() -> Self;
    /// The hyperbolic tangent.
    tanh() -> Self;
    /// The inverse of the hyperbolic sine.
    asinh() -> Self;
    /// The inverse of the hyperbolic cosine.
    acosh() -> Self;
    /// The inverse of the hyperbolic tangent.
    atanh() -> Self;
    /// exp(self) − 1.
    exp_m1() -> Self;
    /// ln(1 + self).
    ln_1p() -> Self;
    /// The cube root.
    cbrt() -> Self;
    /// The logarithm to the base 10.
    log10() -> Self;
    /// The logarithm to the base 2.
    log2() -> Self;
    /// The logarithm to any base.
    log(base: Self) -> Self;
    /// 2 to the power of `self`.
    exp2() -> Self;
    /// The largest integer that is not greater.
    floor() -> Self;
    /// The smallest integer that is not less.
    ceil() -> Self;
    /// The nearest integer.
    round() -> Self;
    /// The integer part.
    trunc() -> Self;
    /// The fractional part.
    fract() -> Self;
    /// The non-negative remainder.
    rem_euclid(other: Self) -> Self;
    /// The Euclidean quotient.
    div_euclid(other: Self) -> Self;
    /// The absolute value with the sign of another number.
    copysign(sign: Self) -> Self;
    /// The value, limited to the interval.
    clamp(low: Self, high: Self) -> Self;
    /// Degrees in radians.
    to_radians() -> Self;
    /// Radians in degrees.
    to_degrees() -> Self;
    /// An integer power.
    powi(exponent: i32) -> Self;
    /// A real power.
    powf(exponent: Self) -> Self;
    /// The absolute value.
    abs() -> Self;
    /// 1 or −1, the sign of the value; its derivative is 0.
    signum() -> Self;
    /// The smaller of two numbers.
    min(other: Self) -> Self;
    /// The larger of two numbers.
    max(other: Self) -> Self;
    /// √(self² + other²).
    hypot(other: Self) -> Self;
    /// 1 / self.
    recip() -> Self;
    /// self · factor + term.
    mul_add(factor: Self, term: Self) -> Self;
    /// True if the value and all derivatives are finite.
    is_finite() -> bool;
}

impl<S: Scalar> Dual<S> {
    /// True for values with a negative sign, including −0.
    #[doc(hidden)]
    pub fn is_sign_negative(self) -> bool {
        self.value().is_sign_negative()
    }
    /// True for values without a negative sign.
    #[doc(hidden)]
    pub fn is_sign_positive(self) -> bool {
        self.value().is_sign_positive()
    }
}
