//! Configurations of systems whose groups are known at run time.

use nalgebra::{Matrix3, SVector, Vector2, Vector3};

use crate::group::{DQ, Factor, LocalCoordinates, Placement, S3, S3R3, S3xR3, SE2, SE3, SO2, SO3, SO3xR3};
use crate::scalar::{Dual, Scalar};
use crate::space::{EachField, Field, Fields, S2, Span};
use crate::system::over_scalars::{OverScalars, ScalarMap, lift};

/// An element as a list of scalars, in the order of the compiler.
trait Stored<S: Scalar>: Sized {
    /// Returns a scalar by its position.
    fn scalar(&self, at: usize) -> S;
    /// Returns the element with these scalars, which need not satisfy its equations.
    fn from_scalars(scalars: &[S]) -> Self;
}

fn vector<S: Scalar, const N: usize>(scalars: &[S]) -> SVector<S, N> {
    SVector::from_fn(|row, _| scalars[row])
}

impl<S: Scalar> Stored<S> for SVector<S, 1> {
    #[inline]
    fn scalar(&self, _: usize) -> S {
        self[0]
    }
    fn from_scalars(scalars: &[S]) -> Self {
        vector(scalars)
    }
}

impl<S: Scalar> Stored<S> for SO2<S> {
    #[inline]
    fn scalar(&self, at: usize) -> S {
        self.coordinates()[at]
    }
    fn from_scalars(scalars: &[S]) -> Self {
        SO2::from_coordinates_unchecked([scalars[0], scalars[1]])
    }
}

impl<S: Scalar> Stored<S> for SO3<S> {
    #[inline]
    fn scalar(&self, at: usize) -> S {
        // `nalgebra` stores columns.
        const POSITIONS: [usize; 9] = [0, 3, 6, 1, 4, 7, 2, 5, 8];
        self.matrix().as_slice()[POSITIONS[at]]
    }
    fn from_scalars(scalars: &[S]) -> Self {
        SO3::from_matrix_unchecked(Matrix3::from_fn(|row, column| scalars[3 * row + column]))
    }
}

impl<S: Scalar> Stored<S> for S3<S> {
    #[inline]
    fn scalar(&self, at: usize) -> S {
        self.coordinates()[at]
    }
    fn from_scalars(scalars: &[S]) -> Self {
        S3::from_coordinates_unchecked(core::array::from_fn(|at| scalars[at]))
    }
}

impl<S: Scalar> Stored<S> for DQ<S> {
    #[inline]
    fn scalar(&self, at: usize) -> S {
        self.coordinates()[at]
    }
    fn from_scalars(scalars: &[S]) -> Self {
        DQ::from_coordinates_unchecked(core::array::from_fn(|at| scalars[at]))
    }
}

impl<S: Scalar> Stored<S> for S2<S> {
    #[inline]
    fn scalar(&self, at: usize) -> S {
        self.direction()[at]
    }
    fn from_scalars(scalars: &[S]) -> Self {
        S2::new_unchecked(vector(scalars))
    }
}

/// Poses: the scalars of the rotation, then the position.
macro_rules! stored_poses {
    ($($pose:ident $rotation:ident $count:literal $vector:ident;)*) => {
        $(
            impl<S: Scalar> Stored<S> for $pose<S> {
                #[inline]
                fn scalar(&self, at: usize) -> S {
                    if at < $count { self.rotation().scalar(at) } else { self.position()[at - $count] }
                }
                fn from_scalars(scalars: &[S]) -> Self {
                    let position: $vector<S> = vector(&scalars[$count..]);
                    $pose::new($rotation::from_scalars(&scalars[..$count]), position)
                }
            }
        )*
    };
}

stored_poses! {
    SE2 SO2 2 Vector2;
    SE3 SO3 9 Vector3;
    S3R3 S3 4 Vector3;
    SO3xR3 SO3 9 Vector3;
    S3xR3 S3 4 Vector3;
}

/// Defines [`DynamicConfiguration`] and [`Kind`] by one row for each kind of elements: its number, its list, its type, the number of
/// scalars and the dimension.
macro_rules! kinds {
    ($($number:literal $list:ident $kind:ident $element:ty, $scalars:literal, $dof:literal;)*) => {
        /// A configuration whose groups are known at run time: one list of elements for each kind of group.
        ///
        /// [`DynamicSystem::configuration`](super::DynamicSystem::configuration) makes configurations by the names of the declaration.
        #[derive(Debug)]
        pub struct DynamicConfiguration<S: Scalar = f64> {
            $($list: Vec<$element>,)*
        }

        impl<S: Scalar> Clone for DynamicConfiguration<S> {
            fn clone(&self) -> Self {
                DynamicConfiguration { $($list: self.$list.clone(),)* }
            }
            // A step copies configurations: the lists are kept.
            fn clone_from(&mut self, source: &Self) {
                $(self.$list.clone_from(&source.$list);)*
            }
        }

        /// The kind of an element.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[allow(clippy::upper_case_acronyms)] // The names of the groups.
        pub(super) enum Kind {
            $($kind,)*
        }

        impl Kind {
            /// All kinds, in the order of the components of a velocity.
            pub const ALL: &'static [Kind] = &[$(Kind::$kind),*];

            /// The number of scalars of an element.
            pub fn scalars(self) -> usize {
                match self { $(Kind::$kind => $scalars,)* }
            }

            /// The dimension.
            pub fn dof(self) -> usize {
                match self { $(Kind::$kind => $dof,)* }
            }
        }

        impl<S: Scalar> Fields for DynamicConfiguration<S> {
            type Scalar = S;

            #[inline]
            fn visit<V: EachField<Self>>(visitor: &mut V) {
                $(visitor.field::<$number, $dof>();)*
            }
            fn origins(spans: &[Span]) -> Self {
                $(let $list = vec![<$element as LocalCoordinates<S, $dof>>::origin(); spans[$number].length];)*
                DynamicConfiguration { $($list,)* }
            }
        }

        $(
            impl<S: Scalar> Field<$number, $dof> for DynamicConfiguration<S> {
                type Group = $element;
                const IS_ONE: bool = false;

                #[inline]
                fn members(&self) -> &[$element] {
                    &self.$list
                }
                #[inline]
                fn members_mut(&mut self) -> &mut [$element] {
                    &mut self.$list
                }
            }
        )*

        impl<S: Scalar> DynamicConfiguration<S> {
            /// Returns a scalar of an element.
            #[inline(always)]
            pub(super) fn scalar(&self, at: ScalarLocation) -> S {
                match at.kind {
                    $(Kind::$kind => Stored::<S>::scalar(&self.$list[at.index], at.component),)*
                }
            }

            /// The number of scalars of all elements.
            pub(super) fn scalar_count(&self) -> usize {
                0 $(+ self.$list.len() * $scalars)*
            }

            /// The position of a scalar among the scalars of all elements.
            pub(super) fn position(&self, at: ScalarLocation) -> usize {
                let mut start = 0;
                $(
                    if at.kind == Kind::$kind {
                        return start + at.index * $scalars + at.component;
                    }
                    start += self.$list.len() * $scalars;
                )*
                start
            }

            /// Adds the derivatives along q exp(ε eᵢ) of a function with these derivatives with respect to the scalars of all elements.
            /// The spans contain the numbers of clamped elements.
            pub(super) fn pull_back(&self, spans: &[Span], scalars: &[S], out: &mut [S]) {
                let (mut scalars, mut first) = (scalars.iter().copied(), 0);
                $(for (at, element) in self.$list.iter().enumerate() {
                    let of_element: [S; $scalars] =
                        core::array::from_fn(|_| scalars.next().unwrap_or(S::zero()));
                    if at < spans[$number].clamped_first {
                        continue;
                    }
                    if of_element.iter().any(|derivative| !derivative.is_zero()) {
                        let lifted = lift::<S, _>(element);
                        for component in 0..$dof {
                            let eps = |at| if at == component { S::one() } else { S::zero() };
                            let direction = SVector::<Dual<S>, $dof>::from_fn(|at, _| Dual { re: S::zero(), eps: eps(at) });
                            let mut moved = lifted.clone();
                            Factor::compose_exp_into(&lifted, &direction, &mut moved);
                            for (at, &derivative) in of_element.iter().enumerate() {
                                out[first + component] += derivative * Stored::<Dual<S>>::scalar(&moved, at).eps;
                            }
                        }
                    }
                    first += $dof;
                })*
            }
        }

        impl<S: Scalar> OverScalars<S> for DynamicConfiguration<S> {
            type On<T: Scalar> = DynamicConfiguration<T>;

            fn map_scalars<T: Scalar>(&self, map: &mut impl ScalarMap<S, T>) -> DynamicConfiguration<T> {
                DynamicConfiguration { $($list: self.$list.map_scalars(map),)* }
            }
            fn map_scalars_onto<T: Scalar>(&self, out: &mut DynamicConfiguration<T>, map: &mut impl ScalarMap<S, T>) {
                $(self.$list.map_scalars_onto(&mut out.$list, map);)*
            }
        }

        impl Kind {
            /// Returns the scalars of an element without rounding errors, and the distance of the given element from the group.
            pub fn normalised(self, scalars: &[f64]) -> (Vec<f64>, f64) {
                // The scalar of the elements in the table.
                type S = f64;
                match self {
                    $(Kind::$kind => {
                        let mut element = <$element as Stored<f64>>::from_scalars(scalars);
                        let defect = Factor::membership_defect(&element);
                        Factor::renormalize(&mut element);
                        ((0..$scalars).map(|at| Stored::<f64>::scalar(&element, at)).collect(), defect)
                    })*
                }
            }
        }

        impl DynamicConfiguration<f64> {
            /// Sets an element.
            pub(super) fn set(&mut self, kind: Kind, index: usize, scalars: &[f64]) {
                match kind {
                    $(Kind::$kind => self.$list[index] = Stored::<f64>::from_scalars(scalars),)*
                }
            }
        }
    };
}

kinds! {
    0 numbers Number SVector<S, 1>, 1, 1;
    1 so2 SO2 SO2<S>, 2, 1;
    2 so3 SO3 SO3<S>, 9, 3;
    3 s3 S3 S3<S>, 4, 3;
    4 se2 SE2 SE2<S>, 4, 3;
    5 se3 SE3 SE3<S>, 12, 6;
    6 s3r3 S3R3 S3R3<S>, 7, 6;
    7 dq DQ DQ<S>, 8, 6;
    8 so3xr3 SO3xR3 SO3xR3<S>, 12, 6;
    9 s3xr3 S3xR3 S3xR3<S>, 7, 6;
    10 s2 S2 S2<S>, 3, 3;
    11 states State SVector<S, 1>, 1, 1;
}

/// The place of a scalar in a configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ScalarLocation {
    pub kind: Kind,
    pub index: usize,
    pub component: usize,
}
