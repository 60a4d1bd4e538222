//! Functions that generated code calls.

#![allow(clippy::missing_errors_doc)] // Called by generated code alone.

use nalgebra::{SMatrix, SVector};

use super::{KktError, MechanicalSystem, ModelError, Value};
use crate::group::{self, Placement, S3, SO2, SO3, placements};
use crate::scalar::{Dual, Scalar};
use crate::solve::{inverse_spd, is_positive_pivot, solve_least_norm, solve_lu};
use crate::space::S2;

/// Calls `work` in a function that is not inlined: the optimiser handles long kernels piece by piece.
#[inline(never)]
pub fn outlined<R>(work: impl FnOnce() -> R) -> R {
    work()
}

/// Returns a vector or matrix of zeros.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn zeros<S: Scalar, const R: usize, const C: usize>() -> SMatrix<S, R, C> {
    crate::scalar::zeros()
}

/// Returns the components from `offset` on.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn part<S: Scalar, const D: usize, const N: usize>(vector: &SVector<S, D>, offset: usize) -> SVector<S, N> {
    SVector::from_fn(|row, _| vector[offset + row])
}

/// Sets the components from `offset` on.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn set_part<S: Scalar, const D: usize, const N: usize>(
    vector: &mut SVector<S, D>,
    offset: usize,
    part: &SVector<S, N>,
) {
    for row in 0..N {
        vector[offset + row] = part[row];
    }
}

/// Returns a vector of these components.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn vector<S: Scalar, const N: usize>(components: [S; N]) -> SVector<S, N> {
    SVector::from_fn(|row, _| components[row])
}

/// Returns the components of a vector.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn array<S: Scalar, const N: usize>(vector: SVector<S, N>) -> [S; N] {
    core::array::from_fn(|row| vector[row])
}

/// Multiplies the columns from `offset` on by a block of T(θ), or by a block of the same form: its first `angular` rows
/// are zero after the first `angular` columns.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn times_block<S: Scalar, const R: usize, const D: usize, const N: usize>(
    matrix: &mut SMatrix<S, R, D>,
    offset: usize,
    block: &SMatrix<S, N, N>,
    angular: usize,
) {
    let columns: SMatrix<S, R, N> = SMatrix::from_fn(|row, column| matrix[(row, offset + column)]);
    for column in 0..N {
        let first = if column < angular { 0 } else { angular };
        for row in 0..R {
            matrix[(row, offset + column)] = columns[(row, first)] * block[(first, column)];
        }
        for k in first + 1..N {
            for row in 0..R {
                matrix[(row, offset + column)] += columns[(row, k)] * block[(k, column)];
            }
        }
    }
}

/// Returns Bᵀ as a matrix.
#[inline]
pub fn transposed<M, S: Scalar, const D: usize, const R: usize>(system: &M, jacobian: &M::Jacobian) -> SMatrix<S, D, R>
where
    M: MechanicalSystem<Scalar = S, Velocity = SVector<S, D>, Multipliers = SVector<S, R>>,
{
    let mut transposed: SMatrix<S, D, R> = zeros();
    for row in 0..R {
        let (mut unit, mut column): (SVector<S, R>, SVector<S, D>) = (zeros(), zeros());
        unit[row] = S::one();
        system.jacobian_transpose_times(jacobian, &unit, &mut column);
        transposed.set_column(row, &column);
    }
    transposed
}

/// Returns the rotation vector of a rotation matrix, given by rows.
#[inline]
pub fn log_rotation<S: Scalar>(entries: [S; 9]) -> [S; 3] {
    array(SO3::from_matrix_unchecked(SMatrix::from_fn(|row, column| entries[3 * row + column])).log())
}

/// Returns the rotation vector of a unit quaternion.
#[inline]
pub fn log_quaternion<S: Scalar>(coordinates: [S; 4]) -> [S; 3] {
    array(S3::from_coordinates_unchecked(coordinates).log())
}

/// Returns the inverse of a block of the mass matrix, or the first component without a positive pivot.
#[inline]
pub fn inverse_of_block<S: Scalar, const N: usize>(block: [[S; N]; N]) -> Result<[[S; N]; N], usize> {
    match inverse_spd::<S, N>(&SMatrix::from_fn(|row, column| block[row][column])) {
        Ok(inverse) => Ok(core::array::from_fn(|row| core::array::from_fn(|column| inverse[(row, column)]))),
        Err(KktError::MassNotPositiveDefinite { component }) => Err(component),
        Err(_) => Err(0),
    }
}

/// Returns an error if `inverse_spd` would reject a pivot of a block: each pivot with its component and its diagonal entry.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn check_pivots<S: Scalar, const N: usize>(pivots: &[(usize, S, S); N]) -> Result<(), KktError> {
    match pivots.iter().find(|(_, pivot, diagonal)| !is_positive_pivot::<S, N>(*pivot, *diagonal)) {
        Some(&(component, ..)) => Err(KktError::MassNotPositiveDefinite { component }),
        None => Ok(()),
    }
}

/// Solves the Schur complement for the multipliers.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn solve_multipliers<S: Scalar, const M: usize>(
    matrix: [[S; M]; M],
    right: [S; M],
) -> Result<SVector<S, M>, KktError> {
    solve_lu::<S, M>(&SMatrix::from_fn(|row, column| matrix[row][column]), &vector(right))
}

/// Solves the Schur complement of redundant constraints for the multipliers of least norm.
pub fn solve_redundant_multipliers<S: Scalar, const M: usize>(
    matrix: [[S; M]; M],
    right: [S; M],
) -> Result<SVector<S, M>, KktError> {
    solve_least_norm::<S, M>(&SMatrix::from_fn(|row, column| matrix[row][column]), &vector(right))
}

/// Converts an integer to a scalar.
#[inline]
pub fn number<S: Scalar>(value: usize) -> S {
    #[allow(clippy::cast_precision_loss)] // Chains are shorter than 2^53.
    S::from_f64(value as f64)
}

/// Returns a record of named values.
pub fn record<const N: usize>(entries: [(&'static str, Value); N]) -> Value {
    Value::Record(entries.into())
}

/// Returns the error for an unknown parameter name.
pub(crate) fn unknown_parameter(name: &str, known: &'static [&'static str]) -> ModelError {
    ModelError::UnknownParameter { name: name.to_owned(), known }
}

/// A value that can be written to tables and files under a name.
#[diagnostic::on_unimplemented(
    message = "an observable of type `{Self}` cannot be written to tables and files",
    label = "expected a scalar, a vector, a matrix, a group element or an array of these",
    note = "return `f64`: convert a boolean by `f64::from(x > 0.0)`, and an integer by `n as f64`"
)]
pub trait ToValue {
    /// Converts to a value.
    fn to_value(&self) -> Value;
    /// Visits the components of the value in order, without allocating the value.
    fn visit(&self, visit: &mut dyn FnMut(f64));
}

impl ToValue for Value {
    fn to_value(&self) -> Value {
        self.clone()
    }
    fn visit(&self, visit: &mut dyn FnMut(f64)) {
        self.for_each_number(visit);
    }
}

/// Receives the fields of a record, each with its name.
pub type FieldVisitor<'a> = &'a mut dyn FnMut(&'static str, &dyn ToValue);

/// Returns the record of the fields that `visit_fields` visits.
pub(crate) fn record_of(visit_fields: impl FnOnce(FieldVisitor<'_>)) -> Value {
    let mut entries = Vec::new();
    visit_fields(&mut |name, field| entries.push((name, field.to_value())));
    Value::Record(entries)
}

/// A struct with fields that can be written.
pub trait VisitFields {
    /// Visits the fields in order.
    fn visit_fields(&self, visit: FieldVisitor<'_>);
}

impl<T: VisitFields> ToValue for T {
    fn to_value(&self) -> Value {
        record_of(|visit| self.visit_fields(visit))
    }
    fn visit(&self, visit: &mut dyn FnMut(f64)) {
        self.visit_fields(&mut |_, field| field.visit(visit));
    }
}

impl ToValue for f64 {
    fn to_value(&self) -> Value {
        Value::Scalar(*self)
    }
    fn visit(&self, visit: &mut dyn FnMut(f64)) {
        visit(*self);
    }
}

impl<const R: usize, const C: usize> ToValue for SMatrix<f64, R, C> {
    fn to_value(&self) -> Value {
        value_of_columns(self.as_slice(), [R, C])
    }
    fn visit(&self, visit: &mut dyn FnMut(f64)) {
        visit_by_rows(self.as_slice(), [R, C], visit);
    }
}

/// Returns a matrix that is stored by columns.
fn value_of_columns(entries: &[f64], [rows, columns]: [usize; 2]) -> Value {
    if columns == 1 {
        return Value::Vector(entries.to_vec());
    }
    Value::Matrix((0..rows).map(|row| (0..columns).map(|column| entries[column * rows + row]).collect()).collect())
}

/// Visits a matrix that is stored by columns.
fn visit_by_rows(entries: &[f64], [rows, columns]: [usize; 2], visit: &mut dyn FnMut(f64)) {
    for row in 0..rows {
        for column in 0..columns {
            visit(entries[column * rows + row]);
        }
    }
}

/// Returns a vector if all values are scalars.
fn list(values: Vec<Value>) -> Value {
    let numbers: Option<Vec<f64>> =
        values.iter().map(|value| if let Value::Scalar(x) = value { Some(*x) } else { None }).collect();
    numbers.map_or(Value::List(values), Value::Vector)
}

impl<T: ToValue, const N: usize> ToValue for [T; N] {
    fn to_value(&self) -> Value {
        list(self.iter().map(ToValue::to_value).collect())
    }
    fn visit(&self, visit: &mut dyn FnMut(f64)) {
        for value in self {
            value.visit(visit);
        }
    }
}

impl<T: ToValue> ToValue for Vec<T> {
    fn to_value(&self) -> Value {
        list(self.iter().map(ToValue::to_value).collect())
    }
    fn visit(&self, visit: &mut dyn FnMut(f64)) {
        for value in self {
            value.visit(visit);
        }
    }
}

impl<A: ToValue, B: ToValue> ToValue for (A, B) {
    fn to_value(&self) -> Value {
        Value::List(vec![self.0.to_value(), self.1.to_value()])
    }
    fn visit(&self, visit: &mut dyn FnMut(f64)) {
        self.0.visit(visit);
        self.1.visit(visit);
    }
}

impl ToValue for SO2 {
    fn to_value(&self) -> Value {
        Value::Scalar(self.angle())
    }
    fn visit(&self, visit: &mut dyn FnMut(f64)) {
        visit(self.angle());
    }
}

impl ToValue for SO3 {
    fn to_value(&self) -> Value {
        self.matrix().to_value()
    }
    fn visit(&self, visit: &mut dyn FnMut(f64)) {
        self.matrix().visit(visit);
    }
}

impl ToValue for S3 {
    fn to_value(&self) -> Value {
        Value::Vector(self.coordinates().into())
    }
    fn visit(&self, visit: &mut dyn FnMut(f64)) {
        self.coordinates().iter().for_each(|number| visit(*number));
    }
}

impl ToValue for S2 {
    fn to_value(&self) -> Value {
        self.direction().to_value()
    }
    fn visit(&self, visit: &mut dyn FnMut(f64)) {
        self.direction().visit(visit);
    }
}

/// Implements the conversion of poses to records of rotation and translation.
macro_rules! pose {
    ($($group:ident)*) => {
        $(
            impl ToValue for group::$group {
                fn to_value(&self) -> Value {
                    record([
                        ("rotation", self.rotation().to_value()),
                        ("translation", self.position().to_value()),
                    ])
                }
                fn visit(&self, visit: &mut dyn FnMut(f64)) {
                    self.rotation().visit(visit);
                    self.position().visit(visit);
                }
            }
        )*
    };
}

placements!(pose);

/// Returns a dual number with a derivative along one direction.
pub fn lift_once<S: Scalar, const N: usize>(value: [S; N], first: [S; N]) -> [Dual<S>; N] {
    core::array::from_fn(|at| Dual { re: value[at], eps: first[at] })
}

/// Returns nested dual numbers with derivatives along two directions.
pub fn lift_twice<S: Scalar, const N: usize>(value: [S; N], first: [S; N], second: [S; N]) -> [Dual<Dual<S>>; N] {
    let zero = S::from_f64(0.0);
    lift_once(lift_once(value, first), lift_once(second, [zero; N]))
}

/// Returns nested dual numbers with derivatives along three directions.
pub fn lift_thrice<S: Scalar, const N: usize>(
    value: [S; N],
    first: [S; N],
    second: [S; N],
    third: [S; N],
) -> [Dual<Dual<Dual<S>>>; N] {
    let zero = [S::from_f64(0.0); N];
    lift_once(lift_twice(value, first, second), lift_twice(third, zero, zero))
}

/// Returns the derivative along the direction.
pub fn lower_once<S: Scalar, const N: usize>(value: [Dual<S>; N]) -> [S; N] {
    core::array::from_fn(|at| value[at].eps)
}

/// Returns the derivative along both directions.
pub fn lower_twice<S: Scalar, const N: usize>(value: [Dual<Dual<S>>; N]) -> [S; N] {
    core::array::from_fn(|at| value[at].eps.eps)
}

/// Returns the derivative along all three directions.
pub fn lower_thrice<S: Scalar, const N: usize>(value: [Dual<Dual<Dual<S>>>; N]) -> [S; N] {
    core::array::from_fn(|at| value[at].eps.eps.eps)
}

/// Type equality: `Self` is `T`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has the name of another type of the library",
    label = "a type of the same name is in scope here",
    note = "import the type of the library by name, `use lie_runtime::prelude::{{SO3, Vector3}};`, or rename the other type"
)]
pub trait IsType<T: ?Sized> {}

impl<T: ?Sized> IsType<T> for T {}

/// Compiles only if both types are equal.
pub fn expect_type<T: IsType<G>, G>() {}
