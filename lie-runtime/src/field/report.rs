//! What the numbers of a field are called.

use crate::system::Value;

/// A system that can say what the numbers of a point are called: for tables, files and plots.
///
/// The parameter is the point, so that one system may be told in more than one formulation.
pub trait FieldReport<P> {
    /// The space in the field's notation.
    fn notation(&self) -> String;
    /// The dimension of the space.
    fn dimension(&self) -> usize;
    /// The members of the configuration under their names.
    fn report_configuration(&self, y: &P) -> Value;
    /// The velocities or momenta under their names.
    fn report_velocity(&self, y: &P) -> Value;
    /// Whatever else is of interest, under names.
    fn report_observables(&self, t: f64, y: &P) -> Value {
        let _ = (t, y);
        Value::Record(Vec::new())
    }
    /// The kinetic energy.
    fn kinetic_energy(&self, t: f64, y: &P) -> f64;
    /// The potential energy.
    fn potential_energy(&self, t: f64, y: &P) -> f64;
    /// How far y is from the space in the numbers that represent it, in configuration and in velocity: round-off, unless
    /// the method leaves the space.
    fn defect(&self, y: &P) -> [f64; 2] {
        let _ = y;
        [0.0; 2]
    }
}
