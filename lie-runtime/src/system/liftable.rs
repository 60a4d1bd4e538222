//! Systems on dual numbers.

use super::MechanicalSystem;
use crate::scalar::Dual;

/// A system that there is on dual numbers too, and on dual numbers of these: every declared one, on numbers of any type.
pub trait Liftable: MechanicalSystem {
    /// The system on dual numbers.
    type Lifted: Liftable<Scalar = Dual<Self::Scalar>> + 'static;

    /// The same system, whose parameters have no derivatives by the dual part.
    fn lift(&self) -> Self::Lifted;
    /// The same configuration, without such derivatives.
    fn lift_configuration(&self, q: &Self::Configuration) -> <Self::Lifted as MechanicalSystem>::Configuration;
    /// The same in place of one that has been lifted; allocates nothing where members are numbers and groups.
    fn lift_configuration_onto(
        &self,
        q: &Self::Configuration,
        out: &mut <Self::Lifted as MechanicalSystem>::Configuration,
    );
    /// The values of a configuration.
    fn lowered_configuration(&self, q: &<Self::Lifted as MechanicalSystem>::Configuration) -> Self::Configuration;
}
