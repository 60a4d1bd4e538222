//! Numbers among the parameters of a system, found, read and set by their names.

use lie_runtime::gradient::{DirectionError, Variable};
use lie_runtime::system::ParameterSet;
use lie_runtime::system::{ModelError, TangentSystem};

/// Parameters and components of them.
pub struct Unknowns(Vec<(&'static str, usize)>);

impl Unknowns {
    /// Those that are meant by `names`, as they are in [sensitivities](lie_runtime::gradient).
    ///
    /// # Errors
    /// [`DirectionError`] with the name that means nothing or is there twice.
    pub fn named<M: TangentSystem>(system: &M, names: &[String]) -> Result<Self, DirectionError> {
        let directions = Variable::named(system, names)?.into_iter();
        let of_parameter = |(_, direction)| match direction {
            Variable::Parameter { name, component } => Some((name, component)),
            _ => None,
        };
        Ok(Unknowns(directions.filter_map(of_parameter).collect()))
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// The same parameters with these values of them.
    ///
    /// # Errors
    /// [`ModelError`] of a value that its parameter does not take.
    pub fn put<P: ParameterSet + Clone>(&self, parameters: &P, values: &[f64]) -> Result<P, ModelError> {
        let mut changed = parameters.clone();
        for (&(name, component), value) in self.0.iter().zip(values) {
            let mut numbers = changed.get(name).map(|value| value.numbers()).unwrap_or_default();
            numbers[component] = *value;
            changed.set(name, &numbers)?;
        }
        Ok(changed)
    }

    /// The direction in which the one with this number changes by one and nothing else does.
    ///
    /// # Errors
    /// [`ModelError`] of a parameter that takes no zeros.
    pub fn direction<P: ParameterSet + Clone>(&self, parameters: &P, number: usize) -> Result<P, ModelError> {
        let mut direction = parameters.clone();
        for &name in parameters.names() {
            let mut numbers = parameters.get(name).map(|value| value.numbers()).unwrap_or_default();
            numbers.fill(0.0);
            direction.set(name, &numbers)?;
        }
        let unit: Vec<f64> = (0..self.count()).map(|at| f64::from(u8::from(at == number))).collect();
        self.put(&direction, &unit)
    }
}
