//! Values over scalars: maps between a value on `f64` and the same value on dual numbers or SIMD lanes.
//!
//! A struct lists its fields once, in [`OverScalars::map_scalars`]. All conversions between scalar types follow from this map.

use nalgebra::SMatrix;

use super::ModelError;
use crate::group::{self, Placement, S3, SO2, SO3, placements};
use crate::scalar::{Dual, Lanes, Scalar};
use crate::space::S2;

/// A value with scalars of type `S`: a vector, a group element, a struct of these.
#[doc(hidden)]
pub trait OverScalars<S: Scalar> {
    /// The same value with scalars of type `T`.
    type On<T: Scalar>;
    /// The entry of the parameters that the value is.
    const ENTRY: EntryShape = EntryShape::Several;

    /// Maps the scalars, always in the same order.
    fn map_scalars<T: Scalar>(&self, map: &mut impl ScalarMap<S, T>) -> Self::On<T>;

    /// Overwrites `out`; allocates nothing if all lists have the same length.
    #[inline]
    fn map_scalars_onto<T: Scalar>(&self, out: &mut Self::On<T>, map: &mut impl ScalarMap<S, T>) {
        *out = self.map_scalars(map);
    }
}

/// The shape of an entry of the parameters.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryShape {
    /// Not one entry: a struct, or an array or a list of entries.
    Several,
    /// A group element, an integer or a flag: an entry that is not set by its scalars.
    Fixed,
    Scalar,
    /// n scalars in an array.
    Scalars(usize),
    /// A vector with n components.
    Vector(usize),
    /// A matrix with this number of rows and columns; its scalars are in column-major order.
    Matrix(usize, usize),
    /// n vectors, each with this number of components.
    Vectors(usize, usize),
}

/// A map from scalars to scalars. A function of one scalar is such a map.
#[doc(hidden)]
pub trait ScalarMap<S: Scalar, T: Scalar> {
    /// Maps a scalar.
    fn scalar(&mut self, value: S) -> T;
    /// Maps a component of a group element, which has no derivative with respect to parameters.
    #[inline]
    fn component(&mut self, value: S) -> T {
        self.scalar(value)
    }
    /// Maps an integer or a flag.
    #[inline]
    fn integer(&mut self, value: i128) -> i128 {
        value
    }
    /// Receives the length of a list before its items.
    #[inline]
    fn length(&mut self, _: usize) {}
    /// Maps a field.
    #[inline]
    fn field<V: OverScalars<S>>(&mut self, _: &'static str, value: &V) -> V::On<T>
    where
        Self: Sized,
    {
        value.map_scalars(self)
    }
    /// Maps an item of an array or of a list.
    #[inline]
    fn item<V: OverScalars<S>>(&mut self, _: usize, _is_in_list: bool, value: &V) -> V::On<T>
    where
        Self: Sized,
    {
        value.map_scalars(self)
    }
    /// Maps a field whose type the compiler does not know.
    #[inline]
    fn opaque<V: Clone + core::fmt::Debug + 'static>(&mut self, _: &'static str, value: &V) -> V
    where
        Self: Sized,
    {
        value.clone()
    }
}

impl<S: Scalar, T: Scalar, F: FnMut(S) -> T> ScalarMap<S, T> for F {
    #[inline]
    fn scalar(&mut self, value: S) -> T {
        self(value)
    }
}

impl<S: Scalar> OverScalars<S> for () {
    type On<T: Scalar> = ();

    fn map_scalars<T: Scalar>(&self, _: &mut impl ScalarMap<S, T>) {}
}

impl<S: Scalar> OverScalars<S> for S {
    type On<T: Scalar> = T;
    const ENTRY: EntryShape = EntryShape::Scalar;

    #[inline]
    fn map_scalars<T: Scalar>(&self, map: &mut impl ScalarMap<S, T>) -> T {
        map.scalar(*self)
    }
}

impl<S: Scalar, const R: usize, const C: usize> OverScalars<S> for SMatrix<S, R, C> {
    type On<T: Scalar> = SMatrix<T, R, C>;
    const ENTRY: EntryShape = if C == 1 { EntryShape::Vector(R) } else { EntryShape::Matrix(R, C) };

    #[inline]
    fn map_scalars<T: Scalar>(&self, map: &mut impl ScalarMap<S, T>) -> SMatrix<T, R, C> {
        self.map(|entry| map.scalar(entry))
    }
}

impl<S: Scalar, V: OverScalars<S>, const N: usize> OverScalars<S> for [V; N] {
    type On<T: Scalar> = [V::On<T>; N];
    const ENTRY: EntryShape = match V::ENTRY {
        EntryShape::Scalar => EntryShape::Scalars(N),
        EntryShape::Vector(rows) => EntryShape::Vectors(N, rows),
        _ => EntryShape::Several,
    };

    #[inline]
    fn map_scalars<T: Scalar>(&self, map: &mut impl ScalarMap<S, T>) -> Self::On<T> {
        match Self::ENTRY {
            EntryShape::Several => core::array::from_fn(|at| map.item(at, false, &self[at])),
            _ => core::array::from_fn(|at| self[at].map_scalars(map)),
        }
    }
}

impl<S: Scalar, V: OverScalars<S>> OverScalars<S> for Vec<V> {
    type On<T: Scalar> = Vec<V::On<T>>;

    fn map_scalars<T: Scalar>(&self, map: &mut impl ScalarMap<S, T>) -> Self::On<T> {
        map.length(self.len());
        self.iter().enumerate().map(|(at, item)| map.item(at, true, item)).collect()
    }
    #[inline]
    fn map_scalars_onto<T: Scalar>(&self, out: &mut Self::On<T>, map: &mut impl ScalarMap<S, T>) {
        if out.len() != self.len() {
            *out = self.map_scalars(map);
            return;
        }
        for (out, item) in out.iter_mut().zip(self) {
            item.map_scalars_onto(out, map);
        }
    }
}

/// Implements values without scalars.
macro_rules! without_scalars {
    ($($ty:ty: $back:expr;)*) => {
        $(
            impl<S: Scalar> OverScalars<S> for $ty {
                type On<T: Scalar> = $ty;
                const ENTRY: EntryShape = EntryShape::Fixed;

                #[inline]
                #[allow(
                    clippy::cast_lossless,
                    clippy::cast_possible_truncation,
                    clippy::cast_sign_loss,
                    clippy::redundant_closure_call
                )]
                fn map_scalars<T: Scalar>(&self, map: &mut impl ScalarMap<S, T>) -> $ty {
                    ($back)(map.integer(*self as i128))
                }
            }
        )*
    };
    (integers $($ty:ty)*) => { without_scalars! { $($ty: |value| value as $ty;)* } };
}

without_scalars! { bool: |value| value != 0; }
without_scalars! { integers usize isize u8 u16 u32 u64 i8 i16 i32 i64 }

/// Maps the scalars of a group element as its components.
struct ElementComponents<'m, M>(&'m mut M);

impl<S: Scalar, T: Scalar, M: ScalarMap<S, T>> ScalarMap<S, T> for ElementComponents<'_, M> {
    #[inline]
    fn scalar(&mut self, value: S) -> T {
        self.0.component(value)
    }
}

/// Implements group elements by their components.
macro_rules! element {
    ($($group:ident: $make:ident($numbers:ident);)*) => {
        $(
            impl<S: Scalar> OverScalars<S> for $group<S> {
                type On<T: Scalar> = $group<T>;
                const ENTRY: EntryShape = EntryShape::Fixed;

                #[inline]
                fn map_scalars<T: Scalar>(&self, map: &mut impl ScalarMap<S, T>) -> $group<T> {
                    $group::$make(self.$numbers().map_scalars(&mut ElementComponents(map)))
                }
            }
        )*
    };
}

element! {
    SO2: from_coordinates_unchecked(coordinates);
    SO3: from_matrix_unchecked(matrix);
    S3: from_coordinates_unchecked(coordinates);
    S2: new_unchecked(direction);
}

/// Implements poses by their parts.
macro_rules! pose {
    ($($group:ident)*) => {
        $(
            impl<S: Scalar> OverScalars<S> for group::$group<S> {
                type On<T: Scalar> = group::$group<T>;
                const ENTRY: EntryShape = EntryShape::Fixed;

                #[inline]
                fn map_scalars<T: Scalar>(&self, map: &mut impl ScalarMap<S, T>) -> Self::On<T> {
                    let rotation = self.rotation().map_scalars(map);
                    group::$group::new(rotation, self.position().map_scalars(&mut ElementComponents(map)))
                }
            }
        )*
    };
}

placements!(pose);

/// Returns the value on dual numbers with zero derivatives.
#[inline]
pub fn lift<S: Scalar, V: OverScalars<S>>(value: &V) -> V::On<Dual<S>> {
    value.map_scalars::<Dual<S>>(&mut Dual::lift)
}

/// Overwrites a value on dual numbers, with zero derivatives.
#[inline]
pub fn lift_onto<S: Scalar, V: OverScalars<S>>(value: &V, out: &mut V::On<Dual<S>>) {
    value.map_scalars_onto::<Dual<S>>(out, &mut Dual::lift);
}

/// Returns the value without its derivatives.
#[inline]
pub fn lowered<S: Scalar, V: OverScalars<Dual<S>>>(lifted: &V) -> V::On<S> {
    lifted.map_scalars::<S>(&mut |scalar: Dual<S>| scalar.re)
}

/// Returns the derivatives of a value; group elements, integers and flags are unchanged.
#[inline]
pub fn derivatives_of<S: Scalar, V: OverScalars<Dual<S>>>(lifted: &V) -> V::On<S> {
    lifted.map_scalars::<S>(&mut DerivativeMap)
}

/// The map to derivatives.
struct DerivativeMap;

impl<S: Scalar> ScalarMap<Dual<S>, S> for DerivativeMap {
    #[inline]
    fn scalar(&mut self, value: Dual<S>) -> S {
        value.eps
    }
    #[inline]
    fn component(&mut self, value: Dual<S>) -> S {
        value.re
    }
}

/// Returns the value on dual numbers with the derivatives `direction`; group elements have zero derivatives.
///
/// # Errors
/// [`ModelError::ParameterShape`] if the lists of `direction` have other lengths.
pub fn varied<S: Scalar, V: OverScalars<S>>(value: &V, direction: &V) -> Result<V::On<Dual<S>>, ModelError> {
    let (own, direction) = (Flattened::of(value), Flattened::of(direction));
    if own.lengths != direction.lengths {
        let (expected, given) = (own.scalars.len(), direction.scalars.len());
        return Err(ModelError::ParameterShape { parameter: "direction", expected, given });
    }
    Ok(value.map_scalars::<Dual<S>>(&mut DirectionMap(direction.scalars.into_iter())))
}

/// The map to dual numbers with these derivatives.
struct DirectionMap<S>(std::vec::IntoIter<S>);

impl<S: Scalar> ScalarMap<S, Dual<S>> for DirectionMap<S> {
    fn scalar(&mut self, re: S) -> Dual<S> {
        Dual { re, eps: self.0.next().unwrap_or(S::zero()) }
    }
    fn component(&mut self, value: S) -> Dual<S> {
        self.0.next();
        Dual::lift(value)
    }
}

/// The scalars, integers and lengths of lists of a value, in order.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Flattened<S> {
    pub scalars: Vec<S>,
    pub integers: Vec<i128>,
    pub lengths: Vec<usize>,
}

impl<S: Scalar> Flattened<S> {
    pub fn of<V: OverScalars<S>>(value: &V) -> Self {
        let mut flattened = Flattened { scalars: Vec::new(), integers: Vec::new(), lengths: Vec::new() };
        value.map_scalars::<S>(&mut flattened);
        flattened
    }
}

impl<S: Scalar> ScalarMap<S, S> for Flattened<S> {
    fn scalar(&mut self, value: S) -> S {
        self.scalars.push(value);
        value
    }
    fn integer(&mut self, value: i128) -> i128 {
        self.integers.push(value);
        value
    }
    fn length(&mut self, length: usize) {
        self.lengths.push(length);
    }
}

/// Returns the values of all lanes as one value; `None` if they differ in an integer, a flag or the length of a list.
pub fn batch<L: Lanes, V: OverScalars<f64>>(values: &[&V]) -> Option<V::On<L>> {
    let lanes: Vec<Flattened<f64>> = values.iter().map(|value| Flattened::of(*value)).collect();
    let first = lanes.first()?;
    if lanes.iter().any(|lane| lane.integers != first.integers || lane.lengths != first.lengths) {
        return None;
    }
    Some(combined(values[0], &lanes))
}

/// Returns the values of all lanes, which differ in real numbers only, as one value.
pub fn in_lanes<L: Lanes, V: OverScalars<f64>>(value: &dyn Fn(usize) -> V) -> V::On<L> {
    let values: Vec<V> = (0..L::LANES).map(value).collect();
    combined(&values[0], &values.iter().map(Flattened::of).collect::<Vec<_>>())
}

fn combined<L: Lanes, V: OverScalars<f64>>(first: &V, lanes: &[Flattened<f64>]) -> V::On<L> {
    let mut at = 0;
    first.map_scalars::<L>(&mut |_: f64| {
        at += 1;
        L::of_lanes(|lane| lanes[lane].scalars[at - 1])
    })
}

/// Returns the value of one lane.
#[inline]
pub fn of_lane<L: Lanes, V: OverScalars<L>>(together: &V, lane: usize) -> V::On<f64> {
    together.map_scalars::<f64>(&mut |scalar: L| scalar.lane(lane))
}

#[cfg(test)]
mod tests {
    use nalgebra::{Matrix2, Vector3};

    use super::*;
    use crate::group::{SE2, SE3};
    #[cfg(feature = "lanes")]
    use crate::scalar::F64x4;

    impl<S: Scalar, A: OverScalars<S>, B: OverScalars<S>> OverScalars<S> for (A, B) {
        type On<T: Scalar> = (A::On<T>, B::On<T>);

        fn map_scalars<T: Scalar>(&self, map: &mut impl ScalarMap<S, T>) -> Self::On<T> {
            (self.0.map_scalars(map), self.1.map_scalars(map))
        }
    }

    /// A value of every kind.
    type Everything<S> = ([S; 2], (SMatrix<S, 2, 2>, (Vec<group::SE3<S>>, (SO2<S>, usize))));

    fn value(x: f64, count: usize) -> Everything<f64> {
        let turn = SO3::exp(&Vector3::new(0.3, x, -0.2));
        let poses = vec![SE3::new(turn, Vector3::new(x, 1.0, 2.0)); 2];
        ([x, 2.0 * x], (Matrix2::new(x, 1.0, 2.0, 3.0), (poses, (SO2::from_angle(x), count))))
    }

    #[test]
    fn dual_numbers_have_value_and_derivative() {
        let (value, direction) = (value(0.4, 3), value(0.7, 5));
        assert_eq!(lowered::<f64, _>(&lift::<f64, _>(&value)), value);
        let varied = varied::<f64, _>(&value, &direction).unwrap();
        assert_eq!(lowered::<f64, _>(&varied), value);
        // Group elements and integers are those of the value.
        let (scalars, (matrix, rest)) = derivatives_of::<f64, _>(&varied);
        assert_eq!((scalars, matrix), (direction.0, direction.1.0));
        assert_eq!(rest, value.1.1);
        let other = (direction.0, (direction.1.0, (vec![], direction.1.1.1)));
        assert!(matches!(super::varied::<f64, _>(&value, &other), Err(ModelError::ParameterShape { .. })));
    }

    #[cfg(feature = "lanes")]
    #[test]
    fn lanes_have_their_own_scalars_and_equal_integers() {
        let values = [0.1, 0.2, 0.3, 0.4].map(|x| value(x, 3));
        let together = batch::<F64x4, _>(&values.each_ref()).unwrap();
        for (lane, value) in values.iter().enumerate() {
            assert_eq!(of_lane(&together, lane), *value);
        }
        let with = |changed: Everything<f64>| {
            let [a, b, c, _] = values.clone();
            batch::<F64x4, _>(&[&a, &b, &c, &changed]).is_none()
        };
        assert!(with(value(0.4, 4)));
        let mut shorter = value(0.4, 3);
        shorter.1.1.0.pop();
        assert!(with(shorter));
        assert!(batch::<F64x4, ([f64; 0], bool)>(&[&([], true), &([], true), &([], false), &([], true)]).is_none());
    }

    #[test]
    fn lists_keep_their_memory() {
        let list = vec![SE2::identity(), SE2::exp(&Vector3::new(0.1, 0.2, 0.3))];
        let mut out = lift::<f64, _>(&vec![SE2::identity(); 2]);
        let start = out.as_ptr();
        lift_onto::<f64, _>(&list, &mut out);
        assert_eq!((lowered::<f64, _>(&out), out.as_ptr()), (list.clone(), start));
        out.pop();
        lift_onto::<f64, _>(&list, &mut out);
        assert_eq!(lowered::<f64, _>(&out), list);
    }
}
