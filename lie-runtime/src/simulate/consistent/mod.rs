//! Values that the constraints admit: q and v next to given ones, the λ and v' that go with them, and configurations by what is to be
//! where.

mod accelerations;
mod closure;
mod consistency;
mod impact;
mod inverse_kinematics;
mod values;

pub use consistency::{Consistency, ConsistencyError, Projection};
pub use impact::ImpactError;
pub(in crate::simulate) use impact::{Collision, Law, Struck, collide, ensure_named};
pub use inverse_kinematics::{InverseKinematics, InverseKinematicsError};
pub use values::ConsistentValues;
