//! Systems on dual numbers (forward-mode automatic differentiation).

use super::MechanicalSystem;
use crate::scalar::Dual;

/// A system that can be evaluated on dual numbers, nested dual numbers included. All declared systems implement it.
#[doc(alias = "forward mode")]
#[doc(alias = "dual numbers")]
#[doc(alias = "JVP")]
pub trait Liftable: MechanicalSystem {
    /// The system on dual numbers.
    type Lifted: Liftable<Scalar = Dual<Self::Scalar>> + 'static;

    /// Returns the system on dual numbers with zero derivatives of the parameters.
    fn lift(&self) -> Self::Lifted;
    /// Returns the configuration on dual numbers with zero derivatives.
    #[doc(hidden)]
    fn lift_configuration(&self, q: &Self::Configuration) -> <Self::Lifted as MechanicalSystem>::Configuration;
    /// Overwrites a lifted configuration; allocates nothing if chains have the same length.
    #[doc(hidden)]
    fn lift_configuration_onto(
        &self,
        q: &Self::Configuration,
        out: &mut <Self::Lifted as MechanicalSystem>::Configuration,
    );
    /// Returns the values of a lifted configuration.
    #[doc(hidden)]
    fn lowered_configuration(&self, q: &<Self::Lifted as MechanicalSystem>::Configuration) -> Self::Configuration;
}
