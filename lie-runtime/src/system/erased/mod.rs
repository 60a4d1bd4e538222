//! Systems without their type: the integrators that this crate compiles once, for every declared system.
//!
//! Generic integrators are compiled again for each type of system. An [`ErasedSystem`] calls the equations of motion of any
//! system through virtual functions. Its vectors are [`ErasedVector`]s with a length at run time. Its configurations and
//! matrices are [`ErasedValue`]s, which only the contained system reads and writes: a factorisation keeps the structure that
//! the type of the system gives it, and nothing becomes dense.
//!
//! | file | |
//! |---|---|
//! | `value` | a configuration, matrix or factorisation of any type |
//! | `vector` | a velocity or multipliers of any type |
//! | `arguments` | the conversion of vectors |
//! | `by_object` | one list of signatures for the virtual functions and both sides of them |
//! | `space` | the configuration space |
//! | `mechanics` | the equations of motion, names, and the declared functions |
//! | `iteration` | the linear systems of implicit methods |

mod arguments;
#[macro_use]
mod by_object;
mod erasable;
mod iteration;
mod mechanics;
mod space;
mod value;
mod vector;

pub use erasable::Erasable;
pub use mechanics::{ErasedRates, ErasedSystem};
pub use space::ErasedSpace;
pub use value::ErasedValue;
pub use vector::ErasedVector;
