//! The energy balance at one time.

use crate::system::Value;

/// The energy balance of a motion at one time.
#[derive(Clone, Debug, PartialEq)]
pub struct Balance {
    /// E = v·∂L/∂v − L, which is T + V if T is quadratic in v. Unit: energy.
    pub energy: f64,
    /// The work since the start by name. Declared forces and dissipations have their own names; dissipations are usually negative. Moving
    /// constraints, explicit time dependence, and jumps by events and controllers have the names [`CONSTRAINTS`](Self::CONSTRAINTS),
    /// [`TIME`](Self::TIME) and [`JUMPS`](Self::JUMPS), unless the declaration excludes them. The integration error is O(h⁴). Empty if the
    /// run has no energy audit, if the system is written by hand, or if its scalar type is not `f64`.
    pub work: Vec<(&'static str, f64)>,
    /// The monitored momenta by name; declared symmetries are last.
    pub momenta: Vec<(&'static str, f64)>,
}

impl Balance {
    /// Name of the work of moving constraints.
    pub const CONSTRAINTS: &'static str = "moving constraints";
    /// Name of the work by explicit time dependence of kinetic and potential energies.
    pub const TIME: &'static str = "passing time";
    /// Name of the energy changes by events and controllers.
    pub const JUMPS: &'static str = "jumps";

    /// Returns the work of a force or dissipation since the start.
    pub fn work_of(&self, name: &str) -> Option<f64> {
        find(&self.work, name)
    }

    /// Returns the momentum with this name.
    pub fn momentum(&self, name: &str) -> Option<f64> {
        find(&self.momenta, name)
    }

    /// Returns the total work since the start.
    pub fn supplied(&self) -> f64 {
        self.work.iter().map(|(_, work)| work).sum()
    }

    /// Returns the values with their names.
    pub(in crate::simulate) fn record(&self) -> Value {
        let record = |entries: &[(&'static str, f64)]| {
            Value::Record(entries.iter().map(|&(name, value)| (name, Value::Scalar(value))).collect())
        };
        Value::Record(vec![
            ("energy", Value::Scalar(self.energy)),
            ("work", record(&self.work)),
            ("momenta", record(&self.momenta)),
        ])
    }
}

fn find(entries: &[(&'static str, f64)], name: &str) -> Option<f64> {
    entries.iter().find(|(own, _)| *own == name).map(|(_, value)| *value)
}
