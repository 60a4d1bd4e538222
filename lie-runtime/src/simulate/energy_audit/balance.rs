//! What the audit tell at one time.

use crate::system::Value;

/// The audit of a motion at one time.
#[derive(Clone, Debug, PartialEq)]
pub struct Balance {
    /// E = v·∂L/∂v − L: T + V, where T is quadratic in v.
    pub energy: f64,
    /// What has been given to it since the start, by declared forces and, mostly negative, dissipations under their names; by
    /// constraints that move, by time, and by the jumps of events and controllers under [`CONSTRAINTS`](Self::CONSTRAINTS),
    /// [`TIME`](Self::TIME) and [`JUMPS`](Self::JUMPS), if the declaration does not exclude them. Integrated over the steps with an
    /// error of O(h⁴). Empty of runs that were not asked for the balance, and of systems that cannot tell: those written by hand and those
    /// on other numbers than `f64`.
    pub work: Vec<(&'static str, f64)>,
    /// The momenta that are audit, those of declared symmetries last, under their names.
    pub momenta: Vec<(&'static str, f64)>,
}

impl Balance {
    /// What constraints that move have given.
    pub const CONSTRAINTS: &'static str = "moving constraints";
    /// What kinetic and potential energies that depend on time by themselves have given.
    pub const TIME: &'static str = "passing time";
    /// What events and controllers have given at once.
    pub const JUMPS: &'static str = "jumps";

    /// What a force or dissipation of this name has given since the start.
    pub fn work_of(&self, name: &str) -> Option<f64> {
        find(&self.work, name)
    }

    /// The momentum of this name.
    pub fn momentum(&self, name: &str) -> Option<f64> {
        find(&self.momenta, name)
    }

    /// What all together have given since the start.
    pub fn supplied(&self) -> f64 {
        self.work.iter().map(|(_, work)| work).sum()
    }

    /// The numbers under their names.
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
