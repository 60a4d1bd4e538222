//! What the numbers of a system are called.

use super::{MechanicalSystem, Value};

/// A system that can say what its numbers are called: for tables, files and plots.
pub trait Report: MechanicalSystem {
    /// The members of q under their names: rotations as 3×3 rows or [w, x, y, z].
    fn report_configuration(&self, q: &Self::Configuration) -> Value;
    /// The members of v under their names.
    fn report_velocity(&self, v: &Self::Velocity) -> Value;
    /// The multipliers under the names of their constraints.
    fn report_multipliers(&self, multipliers: &Self::Multipliers) -> Value;
    /// The inputs under their names; an empty record if there are none.
    fn report_inputs(&self, t: Self::Scalar, q: &Self::Configuration, v: &Self::Velocity) -> Value {
        let _ = (t, q, v);
        Value::Record(Vec::new())
    }
    /// The declared observables under their names.
    fn report_observables(&self, t: Self::Scalar, q: &Self::Configuration, v: &Self::Velocity) -> Value;

    /// Visits the numbers of [`report_configuration`](Report::report_configuration) in order. This and the next three do without the
    /// names and the room of the value where they are written for it.
    fn visit_configuration(&self, q: &Self::Configuration, visit: &mut dyn FnMut(f64)) {
        self.report_configuration(q).for_each_number(visit);
    }
    /// Visits the numbers of [`report_velocity`](Report::report_velocity).
    fn visit_velocity(&self, v: &Self::Velocity, visit: &mut dyn FnMut(f64)) {
        self.report_velocity(v).for_each_number(visit);
    }
    /// Visits the numbers of [`report_multipliers`](Report::report_multipliers).
    fn visit_multipliers(&self, multipliers: &Self::Multipliers, visit: &mut dyn FnMut(f64)) {
        self.report_multipliers(multipliers).for_each_number(visit);
    }
    /// Visits the numbers of [`report_observables`](Report::report_observables).
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
