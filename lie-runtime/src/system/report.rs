//! [`Report`]: the names of all components of a state.

use super::codegen_runtime::{FieldVisitor, record_of};
use super::value::is_within;
use super::{MechanicalSystem, Value};

/// A system that names its components, for tables, files and plots.
///
/// Records and their components derive from one visit of the fields. Generated visits allocate neither names nor values.
#[doc(hidden)]
pub trait Report: MechanicalSystem {
    /// Visits the members of q: rotations as 3×3 rows or [w, x, y, z].
    fn visit_configuration_fields(&self, q: &Self::Configuration, visit: FieldVisitor<'_>);
    /// Visits the members of v.
    fn visit_velocity_fields(&self, v: &Self::Velocity, visit: FieldVisitor<'_>);
    /// Visits the multipliers by the names of their constraints.
    fn visit_multiplier_fields(&self, multipliers: &Self::Multipliers, visit: FieldVisitor<'_>);
    /// Visits the declared observables.
    fn visit_observable_fields(
        &self,
        t: Self::Scalar,
        q: &Self::Configuration,
        v: &Self::Velocity,
        visit: FieldVisitor<'_>,
    );
    /// Returns the inputs by name; an empty record without inputs.
    fn report_inputs(&self, t: Self::Scalar, q: &Self::Configuration, v: &Self::Velocity) -> Value {
        let _ = (t, q, v);
        Value::Record(Vec::new())
    }
    /// Returns the auxiliary states by name; an empty record without states.
    fn report_states(&self, v: &Self::Velocity) -> Value {
        let _ = v;
        Value::Record(Vec::new())
    }

    /// Returns the members of q by name.
    fn report_configuration(&self, q: &Self::Configuration) -> Value {
        record_of(|visit| self.visit_configuration_fields(q, visit))
    }
    /// Returns the members of v by name.
    fn report_velocity(&self, v: &Self::Velocity) -> Value {
        record_of(|visit| self.visit_velocity_fields(v, visit))
    }
    /// Returns the multipliers by the names of their constraints.
    fn report_multipliers(&self, multipliers: &Self::Multipliers) -> Value {
        record_of(|visit| self.visit_multiplier_fields(multipliers, visit))
    }
    /// Returns the declared observables by name.
    fn report_observables(&self, t: Self::Scalar, q: &Self::Configuration, v: &Self::Velocity) -> Value {
        record_of(|visit| self.visit_observable_fields(t, q, v, visit))
    }
    /// Visits the components of q in order.
    fn visit_configuration(&self, q: &Self::Configuration, visit: &mut dyn FnMut(f64)) {
        self.visit_configuration_fields(q, &mut |_, field| field.visit(visit));
    }
    /// Visits the components of v in order.
    fn visit_velocity(&self, v: &Self::Velocity, visit: &mut dyn FnMut(f64)) {
        self.visit_velocity_fields(v, &mut |_, field| field.visit(visit));
    }
    /// Visits the components of the multipliers in order.
    fn visit_multipliers(&self, multipliers: &Self::Multipliers, visit: &mut dyn FnMut(f64)) {
        self.visit_multiplier_fields(multipliers, &mut |_, field| field.visit(visit));
    }
    /// Visits the components of the observables in order.
    fn visit_observables(
        &self,
        t: Self::Scalar,
        q: &Self::Configuration,
        v: &Self::Velocity,
        visit: &mut dyn FnMut(f64),
    ) {
        self.visit_observable_fields(t, q, v, &mut |_, field| field.visit(visit));
    }
}

/// Returns the coordinate that each component of a velocity is the rate of: angles, displacements and the components of vectors. `None` for
/// the components of rotations in space, directions and poses, and for clamped chains.
pub(crate) fn scalar_coordinates<M: Report>(system: &M, q: &M::Configuration) -> Vec<Option<f64>> {
    let mut named = Vec::new();
    system.report_configuration(q).for_each("", &mut |name, value| named.push((name.to_owned(), value)));
    let mut coordinates = vec![None; system.dof()];
    for member in &*system.description().members {
        let of_member = named.iter().filter(|(name, _)| is_within(name, member.name));
        let values: Vec<f64> = of_member.map(|(_, value)| *value).collect();
        // Poses of the plane and directions have as many coordinates as components, but other ones.
        let is_flat = !(member.group.contains("SE(2)") || member.group.contains("S²"));
        if is_flat && values.len() == member.dof {
            for (at, value) in values.into_iter().enumerate() {
                coordinates[member.offset + at] = Some(value);
            }
        }
    }
    coordinates
}
