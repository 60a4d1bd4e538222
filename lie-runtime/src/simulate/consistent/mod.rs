//! Values that the constraints admit: q and v next to given ones, the λ and v' that go with them, and configurations by what is to be
//! where.

mod accelerations;
mod closure;
mod consistency;
mod placement;
mod values;

pub use consistency::{Consistency, ConsistencyError, Projection};
pub use placement::{Placement, PlacementError};
pub use values::ConsistentValues;
