//! A single factor as a configuration, for hand-written systems: the product with one field.

use core::slice;

use nalgebra::SVector;

use super::{EachField, Field, Fields, FixedFields, S2, Span};
use crate::group::{self, LocalCoordinates, placements_of_space};
use crate::scalar::Scalar;

/// Implements the traits of configurations for factors, each with its dimension.
macro_rules! single_factor {
    ($([$($parameters:tt)*] $factor:ty, $n:expr;)*) => {
        $(
            impl<S: Scalar, $($parameters)*> Fields for $factor {
                type Scalar = S;

                #[cfg_attr(not(debug_assertions), inline(always))]
                fn visit<V: EachField<Self>>(visitor: &mut V) {
                    visitor.field::<0, $n>();
                }
                fn origins(_: &[Span]) -> Self {
                    LocalCoordinates::<S, $n>::origin()
                }
            }

            impl<S: Scalar, $($parameters)*> FixedFields for $factor {
                const SPANS: &'static [Span] = &[Span::new("configuration", $n, 1, [false, false])];
            }

            impl<S: Scalar, $($parameters)*> Field<0, $n> for $factor {
                type Group = Self;
                const IS_ONE: bool = true;

                #[cfg_attr(not(debug_assertions), inline(always))]
                fn members(&self) -> &[Self] {
                    slice::from_ref(self)
                }
                #[cfg_attr(not(debug_assertions), inline(always))]
                fn members_mut(&mut self) -> &mut [Self] {
                    slice::from_mut(self)
                }
            }
        )*
    };
}

/// The groups of poses in space.
macro_rules! single_placements {
    ($($group:ident)*) => {
        single_factor! { $([] group::$group<S>, 6;)* }
    };
}

single_factor! {
    [] S, 1;
    [const N: usize] SVector<S, N>, N;
    [] group::SO2<S>, 1;
    [] group::SO3<S>, 3;
    [] group::S3<S>, 3;
    [] group::SE2<S>, 3;
    [] S2<S>, 3;
}
placements_of_space!(single_placements);
