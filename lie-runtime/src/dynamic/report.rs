//! The names of all components of a state of a system from text, and its declared functions.

use lie_compiler::tape::TapeGroup;
use nalgebra::DVector;

use super::configuration::{Kind, ScalarLocation};
use super::model::{Atom, KernelName, MemberFields};
use super::parameters::value;
use super::tape::Arguments;
use super::{DynamicConfiguration, DynamicSystem};
use crate::system::FieldVisitor;
use crate::system::declaration_check::FunctionComparison;
use crate::system::{Declared, Report, Value};

/// Builds the value of members from the values of their elements, in order.
fn of_members(members: &[MemberFields], next: &mut dyn FnMut() -> Value) -> Value {
    Value::Record(members.iter().map(|member| (member.name, of_member(member, next))).collect())
}

fn of_member(member: &MemberFields, next: &mut dyn FnMut() -> Value) -> Value {
    let mut element = || if member.fields.is_empty() { next() } else { of_members(&member.fields, next) };
    let Some(count) = member.count else { return element() };
    let values: Vec<Value> = (0..count).map(|_| element()).collect();
    let scalar = |value: &Value| if let Value::Scalar(scalar) = value { Some(*scalar) } else { None };
    values.iter().map(scalar).collect::<Option<Vec<f64>>>().map_or(Value::List(values), Value::Vector)
}

/// Returns an element as generated systems report it.
pub(super) fn of_element(group: TapeGroup, scalars: &[f64]) -> Value {
    let matrix = |scalars: &[f64]| Value::Matrix(scalars.chunks(3).map(<[f64]>::to_vec).collect());
    let vector = |scalars: &[f64]| Value::Vector(scalars.to_vec());
    let angle = |scalars: &[f64]| Value::Scalar(scalars[1].atan2(scalars[0]));
    let pose = |rotation, position| Value::Record(vec![("rotation", rotation), ("translation", position)]);
    match group {
        TapeGroup::Number => Value::Scalar(scalars[0]),
        TapeGroup::SO2 => angle(scalars),
        TapeGroup::SO3 => matrix(scalars),
        TapeGroup::SE2 => pose(angle(&scalars[..2]), vector(&scalars[2..])),
        TapeGroup::SE3 | TapeGroup::SO3xR3 => pose(matrix(&scalars[..9]), vector(&scalars[9..])),
        TapeGroup::S3R3 | TapeGroup::S3xR3 => pose(vector(&scalars[..4]), vector(&scalars[4..])),
        _ => vector(scalars),
    }
}

/// The components of a velocity at an element.
fn components(atom: &Atom, v: &DVector<f64>) -> Value {
    let zeros = vec![0.0; atom.entries * atom.kind.dof()];
    let components = if atom.is_held { &zeros[..] } else { &v.as_slice()[atom.component..atom.component + atom.dof()] };
    match atom.group {
        TapeGroup::Number | TapeGroup::SO2 => Value::Scalar(components[0]),
        _ => Value::Vector(components.to_vec()),
    }
}

impl DynamicSystem<f64> {
    /// The record of the members, or of the auxiliary states.
    fn report(&self, is_of_states: bool, mut of_atom: impl FnMut(&Atom) -> Value) -> Value {
        let data = self.data();
        let is_wanted = |member: &&MemberFields| member.is_of_states == is_of_states;
        let mut atoms = data.atoms.iter().filter(|atom| (atom.kind == Kind::State) == is_of_states);
        let mut next = || atoms.next().map_or(Value::Vector(vec![]), &mut of_atom);
        let members: Vec<(&'static str, Value)> =
            data.members.iter().filter(is_wanted).map(|member| (member.name, of_member(member, &mut next))).collect();
        match <[(&'static str, Value); 1]>::try_from(members) {
            Ok([(_, states)]) if is_of_states => states,
            Ok(one) => Value::Record(one.into()),
            Err(members) => Value::Record(members),
        }
    }

    /// The value of the observable or event at a position among the functions.
    fn function(&self, at: usize, arguments: Arguments<'_, f64>) -> Vec<f64> {
        let mut values = vec![0.0; self.kernel_at(KernelName::Functions as usize + at).output_count()];
        self.run_at(KernelName::Functions as usize + at, arguments, |at, value| values[at] = value);
        values
    }
}

/// Visits the entries of a record.
fn visit_entries(record: &Value, visit: FieldVisitor<'_>) {
    if let Value::Record(entries) = record {
        for (name, value) in entries {
            visit(name, value);
        }
    }
}

impl Report for DynamicSystem<f64> {
    fn visit_configuration_fields(&self, q: &DynamicConfiguration, visit: FieldVisitor<'_>) {
        let record = self.report(false, |atom| {
            let mut scalars = vec![];
            for index in atom.index..atom.index + atom.entries {
                let at = |component| q.scalar(ScalarLocation { kind: atom.kind, index, component });
                scalars.extend((0..atom.kind.scalars()).map(at));
            }
            if atom.group == TapeGroup::DQ {
                // By rotation and position, like all poses.
                let pose = crate::group::DQ::from_coordinates_unchecked(core::array::from_fn(|at| scalars[at]));
                return crate::system::codegen_runtime::ToValue::to_value(&pose);
            }
            of_element(atom.group, &scalars)
        });
        visit_entries(&record, visit);
    }
    fn visit_velocity_fields(&self, v: &DVector<f64>, visit: FieldVisitor<'_>) {
        visit_entries(&self.report(false, |atom| components(atom, v)), visit);
    }
    fn report_states(&self, v: &DVector<f64>) -> Value {
        self.report(true, |atom| components(atom, v))
    }
    fn visit_multiplier_fields(&self, multipliers: &DVector<f64>, visit: FieldVisitor<'_>) {
        for constraint in self.data().description.constraints.iter() {
            let rows = &multipliers.as_slice()[constraint.offset..constraint.offset + constraint.rows];
            let value = match (rows, constraint.rows_of_element) {
                (_, Some(of_element)) if of_element > 1 => {
                    Value::List(rows.chunks(of_element).map(|rows| Value::Vector(rows.to_vec())).collect())
                }
                ([row], None) => Value::Scalar(*row),
                _ => Value::Vector(rows.to_vec()),
            };
            visit(constraint.name, &value);
        }
    }
    fn report_inputs(&self, t: f64, _: &DynamicConfiguration, _: &DVector<f64>) -> Value {
        self.input_values(t)
    }
    fn visit_observable_fields(&self, t: f64, q: &DynamicConfiguration, v: &DVector<f64>, visit: FieldVisitor<'_>) {
        for (at, observable) in self.data().observables.iter().enumerate() {
            let values = self.function(at, Arguments::moving(t, q, v));
            visit(observable.name, &value(observable.shape, &values));
        }
    }
}

/// The functions exist as tapes only, so that there is nothing to compare.
impl Declared for DynamicSystem<f64> {
    fn compare(&self, _: f64, _: &DynamicConfiguration, _: &DVector<f64>, _: &mut dyn FnMut(&FunctionComparison<'_>)) {}
    fn perturbed(&self, _: &mut dyn FnMut(f64) -> f64) -> Self {
        self.clone()
    }
    fn declared_event(
        &self,
        number: usize,
        t: f64,
        q: &DynamicConfiguration,
        v: &DVector<f64>,
        multipliers: &DVector<f64>,
    ) -> f64 {
        let data = self.data();
        if number >= data.events.len() {
            return f64::NAN;
        }
        let arguments = Arguments { multipliers: Some(multipliers), ..Arguments::moving(t, q, v) };
        self.function(data.observables.len() + number, arguments)[0]
    }
}
