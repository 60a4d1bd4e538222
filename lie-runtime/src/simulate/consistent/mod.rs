//! Consistent values: projection of q and v onto the constraint manifold, λ and v', impacts, and inverse kinematics.

mod accelerations;
mod closure;
mod consistency;
mod consistent_velocity;
mod impact;
mod inverse_kinematics;
mod values;

pub use consistency::{Consistency, ConsistencyError, Projection};
pub use consistent_velocity::{ConsistentVelocity, ConsistentVelocityError};
pub use impact::ImpactError;
pub(in crate::simulate) use impact::{Collision, Law, Struck, collide, ensure_named};
pub use inverse_kinematics::{InverseKinematics, InverseKinematicsError};
pub use values::ConsistentValues;
