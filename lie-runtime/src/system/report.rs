//! [`Report`]: the names of all components of a state.

use super::{MechanicalSystem, Value};

/// A system that names its components, for tables, files and plots.
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
    /// Returns the declared observables by name.
    fn report_observables(&self, t: Self::Scalar, q: &Self::Configuration, v: &Self::Velocity) -> Value;

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
