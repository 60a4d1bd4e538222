//! Methods whose type is known at run time only, for mechanical systems and for equations of first order.
//!
//! ```
//! use lie_runtime::integrator::{AnyMethod, Integrator, Rattlie};
//! # use lie_runtime::prelude::*;
//! # #[mechanical_system]
//! # pub mod oscillator {
//! #     use lie_runtime::prelude::*;
//! #     #[configuration]
//! #     pub struct Position { pub x: R1 }
//! #     #[kinetic_energy]
//! #     fn kinetic(v: &Velocity) -> f64 { 0.5 * v.x.norm_squared() }
//! # }
//!
//! let both: [AnyMethod<oscillator::System>; 2] = [AnyMethod::of(HalfExplicit::hedop5()), AnyMethod::of(Rattlie::new())];
//! assert_eq!(both.map(|method| method.id()), ["hedop5", "rattlie"]);
//! ```

mod field;
mod mechanical;

/// In a run the numbers of a configuration are brought back to its group after so many steps: a defect of some 1e-16 a step
/// stays under 1e-14, and what it costs is divided by this number.
const STEPS_OF_ROUND_OFF: u32 = 32;

pub(crate) use field::ErasedField;
pub(crate) use field::FieldWork;
pub use field::{AnyFieldMethod, AnyFieldWorkspace};
pub use mechanical::{AnyMethod, AnyWorkspace};
pub(crate) use mechanical::{Erased, Work};
