//! Dual numbers: a value and its derivative along one direction.
//!
//! `Dual<Dual<f64>>` carries second derivatives, and so on. Constants are plain numbers, `2.0 * x`, or
//! [`Dual::constant`]. Comparisons, `==` included, use the value only, so that a branch is the same as for
//! plain numbers.

use core::cmp::Ordering;
use core::iter::{Product, Sum};
use core::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Rem, RemAssign, Sub, SubAssign};

use num_traits::{One, Zero};

use super::Scalar;

/// `re + eps ε` with ε² = 0; nested for higher derivatives. The functions `sqrt`, `sin`, `powi`, … are methods of [`Scalar`].
#[derive(Clone, Copy, Debug, Default)]
pub struct Dual<S> {
    /// The value.
    pub re: S,
    /// The derivative.
    pub eps: S,
}

impl<S: Scalar> Dual<S> {
    /// A variable: its value and its derivative along the direction of differentiation.
    #[inline]
    pub const fn variable(re: S, eps: S) -> Self {
        Self { re, eps }
    }

    /// A constant: its derivative is zero.
    #[inline]
    pub fn constant(value: f64) -> Self {
        Self { re: S::from_f64(value), eps: S::zero() }
    }

    /// A dual number with a zero derivative.
    #[inline]
    #[doc(hidden)]
    pub fn lift(re: S) -> Self {
        Self { re, eps: S::zero() }
    }

    /// The chain rule: f(`self`) from the value f(re) and the derivative f'(re).
    #[inline]
    pub(super) fn chain(self, value: S, slope: S) -> Self {
        Self { re: value, eps: slope * self.eps }
    }
}

impl<S: Scalar> From<f64> for Dual<S> {
    #[inline]
    fn from(value: f64) -> Self {
        Self::constant(value)
    }
}

/// Integer types that convert to `f64` exactly.
macro_rules! from_whole {
    ($($type:ident)*) => {
        $(
            impl<S: Scalar> From<$type> for Dual<S> {
                #[inline]
                fn from(value: $type) -> Self {
                    Self::constant(f64::from(value))
                }
            }
        )*
    };
}

from_whole!(bool u8 u16 u32 i8 i16 i32);

/// Equality of values, whatever the derivatives: a branch on `x == y` is a branch on values.
impl<S: PartialEq> PartialEq for Dual<S> {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.re == other.re
    }
}

impl<S: Scalar> PartialEq<f64> for Dual<S> {
    #[inline]
    fn eq(&self, other: &f64) -> bool {
        self.re == S::from_f64(*other)
    }
}

impl<S: Scalar> PartialOrd<f64> for Dual<S> {
    #[inline]
    fn partial_cmp(&self, other: &f64) -> Option<Ordering> {
        self.partial_cmp(&Self::from_f64(*other))
    }
}

impl<S: Scalar> PartialOrd for Dual<S> {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        self.re.value().partial_cmp(&other.re.value())
    }
}

impl<S: Scalar> Zero for Dual<S> {
    #[inline]
    fn zero() -> Self {
        Self { re: S::zero(), eps: S::zero() }
    }
    /// True if the value and the derivative are zero, so that the term may be omitted from a sum.
    #[inline]
    fn is_zero(&self) -> bool {
        self.re.is_zero() && self.eps.is_zero()
    }
}

impl<S: Scalar> One for Dual<S> {
    #[inline]
    fn one() -> Self {
        Self { re: S::one(), eps: S::zero() }
    }
    #[inline]
    fn is_one(&self) -> bool {
        self.re.is_one() && self.eps.is_zero()
    }
}

impl<S: Scalar> Neg for Dual<S> {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        Self { re: -self.re, eps: -self.eps }
    }
}

impl<S: Scalar> Neg for &Dual<S> {
    type Output = Dual<S>;
    #[inline]
    fn neg(self) -> Dual<S> {
        -*self
    }
}

impl<S: Scalar> Add for Dual<S> {
    type Output = Self;
    #[inline]
    fn add(self, other: Self) -> Self {
        Self { re: self.re + other.re, eps: self.eps + other.eps }
    }
}

impl<S: Scalar> Sub for Dual<S> {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        Self { re: self.re - other.re, eps: self.eps - other.eps }
    }
}

impl<S: Scalar> Mul for Dual<S> {
    type Output = Self;
    #[inline]
    fn mul(self, other: Self) -> Self {
        Self { re: self.re * other.re, eps: self.re * other.eps + self.eps * other.re }
    }
}

impl<S: Scalar> Rem for Dual<S> {
    type Output = Self;
    #[inline]
    fn rem(self, other: Self) -> Self {
        self.remainder(other)
    }
}

impl<S: Scalar> Div for Dual<S> {
    type Output = Self;
    #[inline]
    fn div(self, other: Self) -> Self {
        let quotient = self.re / other.re;
        Self { re: quotient, eps: (self.eps - quotient * other.eps) / other.re }
    }
}

/// The assigning operators and the operators with a reference, from those between values.
macro_rules! assign {
    ($($operator:ident $method:ident $assign:ident $assign_method:ident;)*) => {
        $(
            impl<S: Scalar> $assign for Dual<S> {
                #[inline]
                fn $assign_method(&mut self, other: Self) {
                    *self = $operator::$method(*self, other);
                }
            }
            /// Operators with a constant.
            impl<S: Scalar> $operator<f64> for Dual<S> {
                type Output = Self;
                #[inline]
                fn $method(self, other: f64) -> Self {
                    $operator::$method(self, Self::from_f64(other))
                }
            }
            impl<S: Scalar> $operator<Dual<S>> for f64 {
                type Output = Dual<S>;
                #[inline]
                fn $method(self, other: Dual<S>) -> Dual<S> {
                    $operator::$method(Dual::from_f64(self), other)
                }
            }
            impl<S: Scalar> $operator<&Dual<S>> for Dual<S> {
                type Output = Self;
                #[inline]
                fn $method(self, other: &Self) -> Self {
                    $operator::$method(self, *other)
                }
            }
            impl<S: Scalar> $operator<Dual<S>> for &Dual<S> {
                type Output = Dual<S>;
                #[inline]
                fn $method(self, other: Dual<S>) -> Dual<S> {
                    $operator::$method(*self, other)
                }
            }
            impl<S: Scalar> $operator<&Dual<S>> for &Dual<S> {
                type Output = Dual<S>;
                #[inline]
                fn $method(self, other: &Dual<S>) -> Dual<S> {
                    $operator::$method(*self, *other)
                }
            }
            impl<S: Scalar> $assign<&Dual<S>> for Dual<S> {
                #[inline]
                fn $assign_method(&mut self, other: &Dual<S>) {
                    *self = $operator::$method(*self, *other);
                }
            }
        )*
    };
}

assign! {
    Add add AddAssign add_assign;
    Sub sub SubAssign sub_assign;
    Mul mul MulAssign mul_assign;
    Div div DivAssign div_assign;
    Rem rem RemAssign rem_assign;
}

/// Sums and products, of references as well.
macro_rules! total {
    ($($total:ident $method:ident $start:ident $operator:tt;)*) => {
        $(
            impl<S: Scalar> $total for Dual<S> {
                #[inline]
                fn $method<I: Iterator<Item = Self>>(items: I) -> Self {
                    items.fold(Self::$start(), |total, item| total $operator item)
                }
            }
            impl<'a, S: Scalar> $total<&'a Dual<S>> for Dual<S> {
                #[inline]
                fn $method<I: Iterator<Item = &'a Self>>(items: I) -> Self {
                    items.copied().$method()
                }
            }
        )*
    };
}

total! {
    Sum sum zero +;
    Product product one *;
}
