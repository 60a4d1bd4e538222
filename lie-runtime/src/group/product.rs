//! Direct products and powers: tuples, arrays and `Vec`s of groups are groups; tuples, arrays and `Vec`s of tangent vectors are tangent
//! vectors.

use core::ops::{Add, BitAnd};

use num_traits::Zero;

use super::{LieGroup, TangentVector};
use crate::scalar::larger;

/// Implements a trait for pairs, triples, arrays and `Vec`s whose members implement it; the only implementation of such products.
///
/// Each line is a method with its signature and a rule for the results of the same method of the members:
///
/// | rule | result |
/// |---|---|
/// | `product(arguments)` | the product of the results |
/// | `each(arguments)` | none |
/// | `fold(arguments)[start, operation]` | the results combined with an operation |
/// | `locate(arguments)[whole, index]` | the result of the member with component `index` |
///
/// The arguments `&x` and `&mut x` of a rule are members of x, `*x` are the members of all terms of x, and `x` is the same for all members.
/// The names in brackets are the associated types of the trait: the scalar, and a type that is the product of the types of the members.
/// Methods of `powers` are for arrays and `Vec`s only.
macro_rules! by_members {
    ($trait:ident [$($scalar:ident)?; $($product:ident)?] { $($methods:tt)* } $(powers { $($of_powers:tt)* })?) => {
        $crate::group::by_members! { @tuple $trait [$($scalar)?; $($product)?] [A 0, B 1] $($methods)* }
        $crate::group::by_members! { @tuple $trait [$($scalar)?; $($product)?] [A 0, B 1, C 2] $($methods)* }
        $crate::group::by_members! {
            @power $trait [$($scalar)?; $($product)?] [const N: usize] array([M; N]) $($methods)* $($($of_powers)*)?
        }
        $crate::group::by_members! {
            @power $trait [$($scalar)?; $($product)?] [] vector(Vec<M>) $($methods)* $($($of_powers)*)?
        }
    };
    (@tuple $trait:ident $types:tt [$($M:ident $i:tt),*] $($methods:tt)*) => {
        impl<S: $crate::scalar::Scalar, $($M: $trait<Scalar = S>),*> $trait for ($($M,)*) {
            $crate::group::by_members! { @items $trait $types S, [tuple $($M $i),*] $($methods)* }
        }
    };
    (@power $trait:ident $types:tt [$($parameters:tt)*] $form:ident($type:ty) $($methods:tt)*) => {
        impl<M: $trait, $($parameters)*> $trait for $type {
            $crate::group::by_members! { @items $trait $types M::Scalar, [$form] $($methods)* }
        }
    };
    (
        @items $trait:ident [$($scalar:ident)?; $($product:ident)?] $number:ty, $form:tt
        $(fn $name:ident $(<$lifetime:lifetime>)? ($($signature:tt)*) $(-> $result:ty)? $(where Self: $bound:lifetime)? = $rule:ident $arguments:tt $([$($how:tt)*])?;)*
    ) => {
        $(type $scalar = $number;)?
        $(type $product = $crate::group::by_members!(@type $form $trait $product);)?
        $(
            #[inline]
            fn $name $(<$lifetime>)? ($($signature)*) $(-> $result)? $(where Self: $bound)? {
                $crate::group::by_members!(@$rule $form $trait $name $arguments $([$($how)*])?)
            }
        )*
    };

    (@type [tuple $($M:ident $i:tt),*] $trait:ident $product:ident) => { ($(<$M as $trait>::$product,)*) };
    (@type [array] $trait:ident $product:ident) => { [<M as $trait>::$product; N] };
    (@type [vector] $trait:ident $product:ident) => { Vec<<M as $trait>::$product> };

    (@product [tuple $($M:ident $i:tt),*] $trait:ident $name:ident $arguments:tt) => {
        ($($crate::group::by_members!(@call $M [.$i] $trait $name $arguments ()),)*)
    };
    (@product [array] $trait:ident $name:ident $arguments:tt) => {
        core::array::from_fn(|i| $crate::group::by_members!(@call M [[i]] $trait $name $arguments ()))
    };
    (@product [vector] $trait:ident $name:ident $arguments:tt) => {{
        let length = $crate::group::by_members!(@length $arguments);
        (0..length).map(|i| $crate::group::by_members!(@call M [[i]] $trait $name $arguments ())).collect()
    }};

    (@each [tuple $($M:ident $i:tt),*] $trait:ident $name:ident $arguments:tt) => {{
        $($crate::group::by_members!(@call $M [.$i] $trait $name $arguments ());)*
    }};
    (@each $power:tt $trait:ident $name:ident $arguments:tt) => {
        for i in 0..$crate::group::by_members!(@length $arguments) {
            $crate::group::by_members!(@call M [[i]] $trait $name $arguments ());
        }
    };

    (@fold [tuple $($M:ident $i:tt),*] $trait:ident $name:ident $arguments:tt [$start:expr, $operation:expr]) => {{
        let result = $start;
        $(let result = $operation(result, $crate::group::by_members!(@call $M [.$i] $trait $name $arguments ()));)*
        result
    }};
    (@fold $power:tt $trait:ident $name:ident $arguments:tt [$start:expr, $operation:expr]) => {
        (0..$crate::group::by_members!(@length $arguments)).fold($start, |result, i| {
            $operation(result, $crate::group::by_members!(@call M [[i]] $trait $name $arguments ()))
        })
    };

    (@locate [tuple $($M:ident $i:tt),*] $trait:ident $name:ident $arguments:tt [$whole:ident, $index:ident]) => {{
        let mut $index = $index;
        $(
            let count = $whole.$i.component_count();
            if $index < count {
                return $crate::group::by_members!(@call $M [.$i] $trait $name $arguments ());
            }
            $index -= count;
        )*
        panic!("component {} past the end of a product", $index)
    }};
    (@locate $power:tt $trait:ident $name:ident $arguments:tt [$whole:ident, $index:ident]) => {{
        let mut $index = $index;
        for i in 0..$whole.len() {
            let count = $whole[i].component_count();
            if $index < count {
                return $crate::group::by_members!(@call M [[i]] $trait $name $arguments ());
            }
            $index -= count;
        }
        panic!("component {} past the end of a power", $index)
    }};

    // The call for the member at a place such as `.0` or `[i]`; the arguments move one by one into the last parentheses.
    (@call $M:ident $at:tt $trait:ident $name:ident () ($($done:tt)*)) => { <$M as $trait>::$name($($done)*) };
    (@call $M:ident [$($at:tt)*] $trait:ident $name:ident (&mut $x:ident $(, $($rest:tt)*)?) ($($done:tt)*)) => {
        $crate::group::by_members!(@call $M [$($at)*] $trait $name ($($($rest)*)?) ($($done)* &mut $x $($at)*,))
    };
    (@call $M:ident [$($at:tt)*] $trait:ident $name:ident (& $x:ident $(, $($rest:tt)*)?) ($($done:tt)*)) => {
        $crate::group::by_members!(@call $M [$($at)*] $trait $name ($($($rest)*)?) ($($done)* &$x $($at)*,))
    };
    (@call $M:ident [$($at:tt)*] $trait:ident $name:ident (* $x:ident $(, $($rest:tt)*)?) ($($done:tt)*)) => {
        $crate::group::by_members!(
            @call $M [$($at)*] $trait $name ($($($rest)*)?)
            ($($done)* $x.clone().map(|(factor, term)| (factor, &term $($at)*)),)
        )
    };
    (@call $M:ident [$($at:tt)*] $trait:ident $name:ident ($x:ident $(, $($rest:tt)*)?) ($($done:tt)*)) => {
        $crate::group::by_members!(@call $M [$($at)*] $trait $name ($($($rest)*)?) ($($done)* $x,))
    };

    (@length (&mut $x:ident $($rest:tt)*)) => { $x.len() };
    (@length (& $x:ident $($rest:tt)*)) => { $x.len() };
}

pub(crate) use by_members;

by_members! { TangentVector [Scalar;] {
    fn component_count(&self) -> usize = fold(&self)[0, Add::add];
    fn component(&self, index: usize) -> Self::Scalar = locate(&self, index)[self, index];
    fn set_component(&mut self, index: usize, value: Self::Scalar) = locate(&mut self, index, value)[self, index];
    fn fill(&mut self, value: Self::Scalar) = each(&mut self, value);
    fn assign(&mut self, other: &Self) = each(&mut self, &other);
    fn scale(&mut self, factor: Self::Scalar) = each(&mut self, factor);
    fn axpy(&mut self, factor: Self::Scalar, other: &Self) = each(&mut self, factor, &other);
    fn assign_scaled(&mut self, factor: Self::Scalar, other: &Self) = each(&mut self, factor, &other);
    fn assign_sum(&mut self, base: &Self, factor: Self::Scalar, other: &Self) = each(&mut self, &base, factor, &other);
    fn dot(&self, other: &Self) -> Self::Scalar = fold(&self, &other)[Self::Scalar::zero(), Add::add];
    fn lane_norm(&self) -> Self::Scalar = fold(&self)[Self::Scalar::zero(), larger];
    fn all_finite(&self) -> bool = fold(&self)[true, BitAnd::bitand];
} powers {
    // The sum of a member stays in registers. Pairs are summed term by term, inlined.
    fn set_combination<'a>(&mut self, terms: impl Iterator<Item = (Self::Scalar, &'a Self)> + Clone)
    where Self: 'a
        = each(&mut self, *terms);
} }

by_members! { LieGroup [Scalar; Tangent] {
    fn dimension(&self) -> usize = fold(&self)[0, Add::add];
    fn identity_like(&self) -> Self = product(&self);
    fn compose(&self, other: &Self) -> Self = product(&self, &other);
    fn inverse(&self) -> Self = product(&self);
    fn exp(theta: &Self::Tangent) -> Self = product(&theta);
    fn log(&self) -> Self::Tangent = product(&self);
    fn compose_exp_into(&self, theta: &Self::Tangent, out: &mut Self) = each(&self, &theta, &mut out);
    fn tangent(theta: &Self::Tangent, v: &Self::Tangent) -> Self::Tangent = product(&theta, &v);
    fn tangent_transpose(theta: &Self::Tangent, p: &Self::Tangent) -> Self::Tangent = product(&theta, &p);
    fn tangent_inverse(theta: &Self::Tangent, v: &Self::Tangent) -> Self::Tangent = product(&theta, &v);
    fn tangent_inverse_transpose(theta: &Self::Tangent, p: &Self::Tangent) -> Self::Tangent = product(&theta, &p);
    fn adjoint(&self, v: &Self::Tangent) -> Self::Tangent = product(&self, &v);
    fn adjoint_transpose(&self, p: &Self::Tangent) -> Self::Tangent = product(&self, &p);
    fn bracket(v: &Self::Tangent, w: &Self::Tangent) -> Self::Tangent = product(&v, &w);
    fn coadjoint(v: &Self::Tangent, p: &Self::Tangent) -> Self::Tangent = product(&v, &p);
    fn is_finite(&self) -> bool = fold(&self)[true, BitAnd::bitand];
    fn membership_defect(&self) -> f64 = fold(&self)[0.0, larger];
    fn renormalize(&mut self) = each(&mut self);
} }
