//! [`Report`]: the names of all components of a state.

use super::value::is_within;
use super::{MechanicalSystem, Value};

/// A system that names its components, for tables, files and plots.
#[doc(hidden)]
pub trait Report: MechanicalSystem {
    /// Returns the members of q by name: rotations as 3×3 rows or [w, x, y, z].
    fn report_configuration(&self, q: &Self::Configuration) -> Value;
    /// Returns the members of v by name.
    fn report_velocity(&self, v: &Self::Velocity) -> Value;
    /// Returns the multipliers by the names of their constraints.
    fn report_multipliers(&self, multipliers: &Self::Multipliers) -> Value;
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
    /// Returns the declared observables by name.
    fn report_observables(&self, t: Self::Scalar, q: &Self::Configuration, v: &Self::Velocity) -> Value;

    /// Visits the components of [`report_states`](Report::report_states) in order.
    #[doc(hidden)]
    fn visit_states(&self, v: &Self::Velocity, visit: &mut dyn FnMut(f64)) {
        let _ = (v, visit);
    }
    /// Visits the components of [`report_configuration`](Report::report_configuration) in order. Generated
    /// implementations of this and the next three methods allocate neither names nor values.
    #[doc(hidden)]
    fn visit_configuration(&self, q: &Self::Configuration, visit: &mut dyn FnMut(f64)) {
        self.report_configuration(q).for_each_number(visit);
    }
    /// Visits the components of [`report_velocity`](Report::report_velocity).
    #[doc(hidden)]
    fn visit_velocity(&self, v: &Self::Velocity, visit: &mut dyn FnMut(f64)) {
        self.report_velocity(v).for_each_number(visit);
    }
    /// Visits the components of [`report_multipliers`](Report::report_multipliers).
    #[doc(hidden)]
    fn visit_multipliers(&self, multipliers: &Self::Multipliers, visit: &mut dyn FnMut(f64)) {
        self.report_multipliers(multipliers).for_each_number(visit);
    }
    /// Visits the components of [`report_observables`](Report::report_observables).
    #[doc(hidden)]
    fn visit_observables(
        &self,
        t: Self::Scalar,
        q: &Self::Configuration,
        v: &Self::Velocity,
        visit: &mut dyn FnMut(f64),
    ) {
        self.report_observables(t, q, v).for_each_number(visit);
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
