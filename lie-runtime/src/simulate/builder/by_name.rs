//! Methods that are said by name.

use core::ops::ControlFlow;

use super::simulation::Simulation;
use crate::integrator::AnyMethod;
use crate::simulate::methods::{MethodError, Methods, Registered};
use crate::simulate::motion::{Motion, Simulated};

impl<'a, P: Simulated + 'static, I, O: FnMut(&P::State) -> ControlFlow<()>> Simulation<'a, P, I, O> {
    /// Integrates by the method of this name, one of [`methods`](crate::simulate::methods()).
    ///
    /// # Errors
    /// [`MethodError`] if there is none, with the nearest name, or if it does not apply to the system.
    pub fn method_named(self, id: &str) -> Result<Simulation<'a, P, AnyMethod<P>, O>, MethodError>
    where
        P: Registered,
    {
        self.method_from(&Methods::all(), id, &[])
    }

    /// Integrates by the method of this name in a registry, with these options: names and values.
    ///
    /// # Errors
    /// [`MethodError`] if there is no such method or option, a value cannot be used, or the method does not apply to the
    /// system.
    pub fn method_from(
        self,
        methods: &Methods<P>,
        id: &str,
        options: &[(&str, &str)],
    ) -> Result<Simulation<'a, P, AnyMethod<P>, O>, MethodError> {
        let card = methods.card(id)?;
        if P::State::description(self.system).is_some_and(|description| !card.needs.are_met_by(description)) {
            return Err(MethodError::NotApplicable { method: card.id, needs: card.needs });
        }
        let method = methods.find(id, options)?;
        Ok(self.method(method))
    }
}
