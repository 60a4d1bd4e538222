//! Operators of every group type: `*` between values and references, and the identity as default.

/// `g * h` is the product, for all four combinations of values and references.
macro_rules! composition {
    ($group:ident) => {
        composition!(@impl $group, $group<S>, $group<S>);
        composition!(@impl $group, $group<S>, &$group<S>);
        composition!(@impl $group, &$group<S>, $group<S>);
        composition!(@impl $group, &$group<S>, &$group<S>);

        impl<S: $crate::scalar::Scalar> Default for $group<S> {
            /// The identity.
            #[inline]
            fn default() -> Self {
                Self::identity()
            }
        }
    };
    (@impl $group:ident, $left:ty, $right:ty) => {
        impl<S: $crate::scalar::Scalar> core::ops::Mul<$right> for $left {
            type Output = $group<S>;
            #[inline]
            fn mul(self, other: $right) -> $group<S> {
                $crate::group::LieGroup::compose(&self, &other)
            }
        }
    };
}

/// `g * x` is the action of the group on a vector, for all four combinations of values and references.
macro_rules! action {
    ($group:ident on $vector:ident by $act:ident) => {
        $crate::group::operators::moves!($group on $vector by $act);

        impl<S: $crate::scalar::Scalar> $crate::group::GroupAction<$vector<S>> for $group<S> {
            #[inline]
            fn act(&self, point: &$vector<S>) -> $vector<S> {
                self.$act(point)
            }
        }
    };
}

/// `g * x` is the image of a vector, for all four combinations of values and references.
macro_rules! moves {
    ($group:ident on $vector:ident by $act:ident) => {
        $crate::group::operators::moves!(@impl $act, $vector, $group<S>, $vector<S>);
        $crate::group::operators::moves!(@impl $act, $vector, $group<S>, &$vector<S>);
        $crate::group::operators::moves!(@impl $act, $vector, &$group<S>, $vector<S>);
        $crate::group::operators::moves!(@impl $act, $vector, &$group<S>, &$vector<S>);
    };
    (@impl $act:ident, $vector:ident, $left:ty, $right:ty) => {
        impl<S: $crate::scalar::Scalar> core::ops::Mul<$right> for $left {
            type Output = $vector<S>;
            #[inline]
            #[allow(clippy::needless_borrow)] // Needed for two of the four combinations.
            fn mul(self, vector: $right) -> $vector<S> {
                self.$act(&vector)
            }
        }
    };
}

pub(super) use {action, composition, moves};
