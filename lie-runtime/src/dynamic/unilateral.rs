//! The contacts and the frictions of a system from text.

use super::{DynamicParameters, DynamicSystem};
use crate::scalar::Scalar;
use crate::system::{DryFriction, UnilateralContact, UnilateralContacts};

impl<S: Scalar> DynamicSystem<S> {
    /// Returns the names of the constraints with contacts or stops, for [`Simulation::contact`](crate::simulate::Simulation::contact).
    pub fn contact_names(&self) -> Vec<&'static str> {
        let mut names: Vec<&'static str> = self.contacts().iter().map(|contact| contact.constraint).collect();
        names.dedup();
        names
    }

    /// Returns true for a system with dry friction of joints, see [`Simulation::dry_friction`](crate::simulate::Simulation::dry_friction).
    pub fn has_dry_friction(&self) -> bool {
        self.frictions().iter().any(|friction| friction.normal.is_none())
    }
}

impl<S: Scalar> UnilateralContacts for DynamicSystem<S> {
    fn contacts(&self) -> &[UnilateralContact<DynamicParameters<S>, S>] {
        &self.unilateral.contacts
    }
    fn frictions(&self) -> &[DryFriction<DynamicParameters<S>, S>] {
        &self.unilateral.frictions
    }
}
