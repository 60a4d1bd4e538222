//! `f64` and `f32`.

use super::{Mask, Scalar, Singular};

impl Mask for bool {
    #[inline(always)]
    fn splat(value: bool) -> Self {
        value
    }
    #[inline(always)]
    fn all(self) -> bool {
        self
    }
    #[inline(always)]
    fn any(self) -> bool {
        self
    }
}

/// Forwards the functions that have the same name on the primitive type.
macro_rules! real {
    ($type:ident $({ $($own:tt)* })?) => {
        impl Scalar for $type {
            type Mask = bool;
            $($($own)*)?

            #[inline(always)]
            fn epsilon() -> f64 {
                f64::from($type::EPSILON)
            }
            #[inline(always)]
            #[allow(clippy::cast_possible_truncation)] // Rounding to f32 is what is asked for.
            fn from_f64(value: f64) -> Self {
                value as $type
            }
            #[inline(always)]
            fn value(self) -> f64 {
                f64::from(self)
            }
            real!(@unary $type: sqrt sin cos tan asin acos atan exp ln sinh cosh tanh asinh acosh atanh
                exp_m1 ln_1p cbrt abs floor ceil round trunc log10 log2 exp2);
            #[inline(always)]
            fn sin_cos(self) -> (Self, Self) {
                $type::sin_cos(self)
            }
            #[inline(always)]
            fn atan2(self, other: Self) -> Self {
                $type::atan2(self, other)
            }
            #[inline(always)]
            fn powi(self, exponent: i32) -> Self {
                $type::powi(self, exponent)
            }
            #[inline(always)]
            fn powf(self, exponent: Self) -> Self {
                $type::powf(self, exponent)
            }
            #[inline(always)]
            fn copysign(self, sign: Self) -> Self {
                $type::copysign(self, sign)
            }
            #[inline]
            fn singular(function: Singular, order: usize, z: Self) -> Self {
                function.evaluate(order, z)
            }
            #[inline(always)]
            fn remainder(self, other: Self) -> Self {
                self % other
            }
            #[inline(always)]
            fn lt(self, other: Self) -> bool {
                self < other
            }
            #[inline(always)]
            fn le(self, other: Self) -> bool {
                self <= other
            }
            #[inline(always)]
            fn is_finite(self) -> bool {
                $type::is_finite(self)
            }
            // Without a branch: adding one to an exponent of all ones reaches the sign bit.
            #[inline(always)]
            fn all_finite(numbers: impl IntoIterator<Item = Self>) -> bool {
                let exponent = $type::INFINITY.to_bits();
                let unit = exponent & exponent.wrapping_neg();
                // A loop: `fold` would be a call (see `pairs`) with operands in memory.
                let mut carried = 0;
                for x in numbers {
                    carried |= (x.to_bits() & exponent) + unit;
                }
                carried.leading_zeros() > 0
            }
            // A machine instruction, also in unoptimised builds.
            #[inline(always)]
            fn mul_add(self, factor: Self, term: Self) -> Self {
                if cfg!(any(target_feature = "fma", target_arch = "aarch64")) {
                    $type::mul_add(self, factor, term)
                } else {
                    self * factor + term
                }
            }
            #[inline(always)]
            fn select(mask: bool, if_true: Self, if_false: Self) -> Self {
                if mask { if_true } else { if_false }
            }
            #[inline(always)]
            fn choose_all<const N: usize>(
                mask: bool,
                if_true: impl FnOnce() -> [Self; N],
                if_false: impl FnOnce() -> [Self; N],
            ) -> [Self; N] {
                if mask { if_true() } else { if_false() }
            }
        }
    };
    (@unary $type:ident: $($name:ident)*) => {
        $(
            #[inline(always)]
            fn $name(self) -> Self {
                $type::$name(self)
            }
        )*
    };
}

real!(f64 {
    const IS_F64: bool = true;

    #[inline(always)]
    fn as_f64(values: &[f64]) -> &[f64] {
        values
    }
    #[inline(always)]
    fn as_f64_mut(values: &mut [f64]) -> &mut [f64] {
        values
    }
});
real!(f32);
