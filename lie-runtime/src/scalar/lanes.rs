//! SIMD lanes: several `f64` values in one register.
//!
//! Arithmetic, square roots and comparisons are SIMD instructions. Elementary functions are evaluated lane by lane with the functions of
//! `f64`. Each lane equals the scalar result bit for bit.

use core::ops::{Add, AddAssign, BitAnd, BitOr, Div, DivAssign, Mul, MulAssign, Neg, Not, Sub, SubAssign};

use num_traits::{One, Zero};

use super::{Lanes, Mask, Scalar, Singular};

/// The outcome of a comparison in every lane.
#[derive(Clone, Copy, Debug)]
#[doc(hidden)]
pub struct LaneMask<W>(W);

/// The operators of a type over those of the one within, by value and assigning.
macro_rules! operators {
    ($name:ident: $($operator:ident $method:ident $assign:ident $assign_method:ident;)*) => {
        $(
            impl $operator for $name {
                type Output = Self;
                #[inline(always)]
                fn $method(self, other: Self) -> Self {
                    Self($operator::$method(self.0, other.0))
                }
            }
            impl $assign for $name {
                #[inline(always)]
                fn $assign_method(&mut self, other: Self) {
                    *self = $operator::$method(*self, other);
                }
            }
        )*
    };
}

macro_rules! lanes {
    ($(#[$doc:meta])* $name:ident($wide:ident), $lanes:literal) => {
        impl BitAnd for LaneMask<wide::$wide> {
            type Output = Self;
            #[inline(always)]
            fn bitand(self, other: Self) -> Self {
                Self(self.0 & other.0)
            }
        }
        impl BitOr for LaneMask<wide::$wide> {
            type Output = Self;
            #[inline(always)]
            fn bitor(self, other: Self) -> Self {
                Self(self.0 | other.0)
            }
        }
        impl Not for LaneMask<wide::$wide> {
            type Output = Self;
            #[inline(always)]
            fn not(self) -> Self {
                Self(!self.0)
            }
        }
        impl Mask for LaneMask<wide::$wide> {
            #[inline(always)]
            fn splat(value: bool) -> Self {
                let none = Self(wide::$wide::splat(0.0));
                if value { !none } else { none }
            }
            #[inline(always)]
            fn all(self) -> bool {
                self.0.all()
            }
            #[inline(always)]
            fn any(self) -> bool {
                self.0.any()
            }
        }

        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default)]
        pub struct $name(wide::$wide);

        operators! { $name:
            Add add AddAssign add_assign;
            Sub sub SubAssign sub_assign;
            Mul mul MulAssign mul_assign;
            Div div DivAssign div_assign;
        }

        impl $name {
            /// These numbers.
            #[inline(always)]
            pub const fn new(numbers: [f64; $lanes]) -> Self {
                Self(wide::$wide::new(numbers))
            }
            /// The numbers of all lanes.
            #[inline(always)]
            pub const fn to_array(self) -> [f64; $lanes] {
                self.0.to_array()
            }
            /// A function of `f64` in every lane.
            #[inline(always)]
            fn each(self, function: impl Fn(f64) -> f64) -> Self {
                let mut numbers = self.to_array();
                for number in &mut numbers {
                    *number = function(*number);
                }
                Self::new(numbers)
            }
            /// A function of two numbers in every lane.
            #[inline(always)]
            fn with(self, other: Self, function: impl Fn(f64, f64) -> f64) -> Self {
                let (mut numbers, others) = (self.to_array(), other.to_array());
                for (number, other) in numbers.iter_mut().zip(others) {
                    *number = function(*number, other);
                }
                Self::new(numbers)
            }
        }

        impl Neg for $name {
            type Output = Self;
            #[inline(always)]
            fn neg(self) -> Self {
                Self(-self.0)
            }
        }

        /// Equality in all lanes; a term that equals zero may be omitted from a sum.
        impl PartialEq for $name {
            #[inline(always)]
            fn eq(&self, other: &Self) -> bool {
                self.0.simd_eq(other.0).all()
            }
        }

        impl Zero for $name {
            #[inline(always)]
            fn zero() -> Self {
                Self(wide::$wide::splat(0.0))
            }
            #[inline(always)]
            fn is_zero(&self) -> bool {
                *self == Self::zero()
            }
        }

        impl One for $name {
            #[inline(always)]
            fn one() -> Self {
                Self(wide::$wide::splat(1.0))
            }
        }

        impl Lanes for $name {}

        impl Scalar for $name {
            type Mask = LaneMask<wide::$wide>;

            const LANES: usize = $lanes;

            #[inline(always)]
            fn from_f64(value: f64) -> Self {
                Self(wide::$wide::splat(value))
            }
            #[inline]
            fn singular(function: Singular, order: usize, z: Self) -> Self {
                function.evaluate(order, z)
            }
            #[inline]
            fn of_lanes(number: impl FnMut(usize) -> f64) -> Self {
                Self::new(core::array::from_fn(number))
            }
            #[inline(always)]
            fn value(self) -> f64 {
                self.to_array()[0]
            }
            #[inline]
            fn lane(self, lane: usize) -> f64 {
                self.to_array()[lane]
            }
            #[inline]
            fn magnitude(self) -> f64 {
                self.to_array().into_iter().fold(0.0, |largest, number| super::larger(largest, number.abs()))
            }
            #[inline]
            fn least_magnitude(self) -> f64 {
                let smaller = |least: f64, size: f64| if size < least || size.is_nan() { size } else { least };
                self.to_array().into_iter().fold(f64::INFINITY, |least, number| smaller(least, number.abs()))
            }

            #[inline(always)]
            fn sqrt(self) -> Self {
                Self(self.0.sqrt())
            }
            #[inline(always)]
            fn abs(self) -> Self {
                Self(self.0.abs())
            }
            #[inline]
            fn sin_cos(self) -> (Self, Self) {
                (self.each(f64::sin), self.each(f64::cos))
            }
            lanes!(@each f64: sin cos tan asin acos atan exp ln sinh cosh tanh asinh acosh atanh
                exp_m1 ln_1p cbrt floor ceil round trunc log10 log2 exp2);
            #[inline]
            fn atan2(self, other: Self) -> Self {
                self.with(other, f64::atan2)
            }
            #[inline]
            fn powi(self, exponent: i32) -> Self {
                self.each(|number| number.powi(exponent))
            }
            #[inline]
            fn powf(self, exponent: Self) -> Self {
                self.with(exponent, f64::powf)
            }
            #[inline]
            fn remainder(self, other: Self) -> Self {
                self.with(other, |number, other| number % other)
            }
            #[inline(always)]
            fn mul_add(self, factor: Self, term: Self) -> Self {
                if cfg!(any(target_feature = "fma", target_arch = "aarch64")) {
                    Self(self.0.mul_add(factor.0, term.0))
                } else {
                    self * factor + term
                }
            }

            // The x86 instruction makes the same choice, also for NaN and signed zeros: the first operand if it is beyond the second,
            // else the second.
            #[inline(always)]
            fn min(self, other: Self) -> Self {
                if cfg!(target_feature = "sse2") {
                    Self(other.0.fast_min(self.0))
                } else {
                    Self::select(other.lt(self), other, self)
                }
            }
            #[inline(always)]
            fn max(self, other: Self) -> Self {
                if cfg!(target_feature = "sse2") {
                    Self(other.0.fast_max(self.0))
                } else {
                    Self::select(self.lt(other), other, self)
                }
            }
            #[inline(always)]
            fn lt(self, other: Self) -> Self::Mask {
                LaneMask(self.0.simd_lt(other.0))
            }
            #[inline(always)]
            fn le(self, other: Self) -> Self::Mask {
                LaneMask(self.0.simd_le(other.0))
            }
            // x - x is 0, or NaN if x is not finite.
            #[inline(always)]
            fn is_finite(self) -> bool {
                (self - self) == Self::zero()
            }
            #[inline(always)]
            fn all_finite(numbers: impl IntoIterator<Item = Self>) -> bool {
                numbers.into_iter().fold(Self::zero(), |probe, number| probe + (number - number)) == Self::zero()
            }
            #[inline(always)]
            fn select(mask: Self::Mask, if_true: Self, if_false: Self) -> Self {
                Self(mask.0.select(if_true.0, if_false.0))
            }
            /// Evaluates both branches if the lanes differ.
            #[inline(always)]
            fn choose_all<const N: usize>(
                mask: Self::Mask,
                if_true: impl FnOnce() -> [Self; N],
                if_false: impl FnOnce() -> [Self; N],
            ) -> [Self; N] {
                if mask.all() {
                    if_true()
                } else if mask.any() {
                    let (mut chosen, other) = (if_true(), if_false());
                    for (chosen, other) in chosen.iter_mut().zip(other) {
                        *chosen = Self::select(mask, *chosen, other);
                    }
                    chosen
                } else {
                    if_false()
                }
            }
        }
    };
    (@each f64: $($function:ident)*) => {
        $(
            #[inline]
            fn $function(self) -> Self {
                self.each(f64::$function)
            }
        )*
    };
}

lanes! {
    /// Two lanes.
    F64x2(f64x2), 2
}
lanes! {
    /// Four lanes: one AVX register, or two SSE2 or NEON registers.
    F64x4(f64x4), 4
}
lanes! {
    /// Eight lanes: one AVX-512 register, two AVX registers, or four SSE2 or NEON registers. Systems from text need this number, because
    /// one operation of a tape then computes eight values.
    F64x8(f64x8), 8
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scalar::singular::{arctangent, gamma, stumpff};

    const NUMBERS: [f64; 4] = [0.3, -1.7, 2.5e-3, 41.0];

    /// Bit patterns that distinguish signed zeros; all NaN are equal.
    fn bits(number: f64) -> u64 {
        if number.is_nan() { f64::NAN.to_bits() } else { number.to_bits() }
    }

    /// Compares every lane with the scalar function; the lanes repeat the numbers.
    fn assert_lanes<L: Lanes>(lanes: impl Fn(L) -> L, scalar: impl Fn(f64) -> f64, numbers: [f64; 4]) {
        let found = lanes(L::of_lanes(|lane| numbers[lane % 4]));
        for lane in 0..L::LANES {
            let number = numbers[lane % 4];
            assert_eq!(bits(found.lane(lane)), bits(scalar(number)), "lane {lane} of {number}");
        }
    }

    fn assert_that_lanes_are_what_scalars_are<L: Lanes>() {
        assert_lanes(|x: L| -x / (x + x * x), |x| -x / (x + x * x), NUMBERS);
        assert_lanes(|x: L| x.abs().sqrt(), |x| x.abs().sqrt(), NUMBERS);
        assert_lanes::<L>(Scalar::sin, f64::sin, NUMBERS);
        assert_lanes(|x: L| x.atan2(x * x), |x| x.atan2(x * x), NUMBERS);
        assert_lanes::<L>(Scalar::signum, Scalar::signum, [0.0, -0.0, -3.0, 4.0]);
        assert_lanes(|x: L| x.mul_add(x, x), |x| Scalar::mul_add(x, x, x), NUMBERS);
        assert_lanes(|x: L| -x, |x| -x, [0.0, -0.0, 1.0, -1.0]);
        for bound in [0.0, -0.0, 2.5e-3, f64::NAN] {
            for numbers in [NUMBERS, [0.0, -0.0, f64::NAN, f64::NEG_INFINITY]] {
                assert_lanes(|x: L| x.max(L::from_f64(bound)), |x| Scalar::max(x, bound), numbers);
                assert_lanes(|x: L| L::from_f64(bound).min(x), |x| Scalar::min(bound, x), numbers);
            }
        }
        for numbers in
            [[0.0, 0.2, 0.3, 9.0], [30.0, 0.1, 5.0, 0.25], [0.01, 0.02, 0.03, 0.04], [11.0, 12.0, 13.0, 14.0]]
        {
            for n in 0..3 {
                for k in 0..4 {
                    assert_lanes(|z: L| stumpff(k, n, z), |z| stumpff(k, n, z), numbers);
                }
                assert_lanes(|z: L| gamma(n, z), |z| gamma(n, z), numbers);
                assert_lanes(|y: L| arctangent(n, y), |y| arctangent(n, y), numbers.map(|y| y + 0.5));
            }
        }
    }

    #[test]
    fn lanes_are_what_scalars_are() {
        assert_that_lanes_are_what_scalars_are::<F64x2>();
        assert_that_lanes_are_what_scalars_are::<F64x4>();
        assert_that_lanes_are_what_scalars_are::<F64x8>();
        // Each lane has a value of its own.
        let eight = [0.3, -1.7, 2.5e-3, 41.0, -0.0, 7.0, 1e-9, -5.5];
        let x = F64x8::new(eight);
        assert_eq!((x * x - x).to_array(), eight.map(|x| x * x - x));
        assert_eq!(F64x8::of_lanes(|lane| eight[lane]).to_array().map(bits), eight.map(bits));
        let is_negative = Scalar::lt(x, F64x8::zero());
        assert_eq!(
            F64x8::select(is_negative, F64x8::one(), x).to_array(),
            eight.map(|x| if x < 0.0 { 1.0 } else { x })
        );
        assert_eq!((x.magnitude(), x.least_magnitude()), (41.0, 0.0));
    }

    #[test]
    fn what_is_not_finite_in_one_lane_is_not() {
        for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            let lanes = F64x4::new([1.0, f64::MAX, bad, 0.0]);
            assert!(!Scalar::is_finite(lanes) && !F64x4::all_finite([F64x4::one(), lanes]));
            assert!(!lanes.magnitude().is_finite());
        }
        assert!(F64x4::all_finite([F64x4::new([f64::MAX; 4]), F64x4::new([f64::MIN; 4])]));
        assert_eq!(F64x4::new(NUMBERS).magnitude(), 41.0);
        assert_eq!(F64x4::new(NUMBERS).least_magnitude(), 2.5e-3);
        assert!(F64x4::new([1.0, f64::NAN, 0.5, 2.0]).least_magnitude().is_nan());
    }

    #[test]
    fn masks_are_of_lanes() {
        let mask = Scalar::lt(F64x4::new([1.0, 2.0, 3.0, 4.0]), F64x4::from_f64(2.5));
        assert!(mask.any() && !mask.all() && (mask | !mask).all() && !(mask & !mask).any());
        assert_eq!(F64x4::select(mask, F64x4::one(), F64x4::zero()).to_array(), [1.0, 1.0, 0.0, 0.0]);
        assert!(<F64x4 as Scalar>::Mask::splat(true).all() && !<F64x4 as Scalar>::Mask::splat(false).any());
    }
}
