//! Models at run time: declarations as text, compiled in memory and executed without rustc.
//!
//! [`DynamicModel::from_text`] takes the very module that the macro takes, with the same messages.
//! [`DynamicModel::from_text_with`] takes declarations with lists and frames, and `DynamicModel::from_urdf` robot files. A
//! [`DynamicSystem`] implements the traits of generated systems: [`Simulation`](crate::simulate::Simulation), events, analyses and
//! sensitivities work as with generated code. Names select parameters, members, columns and methods.
//!
//! ```
//! use lie_runtime::dynamic::DynamicModel;
//! use lie_runtime::prelude::*;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let text = "
//!     #[mechanical_system]
//!     mod top {
//!         #[configuration] pub struct Pose { pub attitude: SO3 }
//!         #[parameters] pub struct Top { pub inertia: Matrix3<f64>, pub weight: f64 }
//!         #[kinetic_energy] fn kinetic(p: &Top, v: &Velocity) -> f64 { 0.5 * v.attitude.dot(&(p.inertia * v.attitude)) }
//!         #[potential] fn weight(p: &Top, q: &Pose) -> f64 { p.weight * (q.attitude * Vector3::z()).z }
//!     }";
//! let model = DynamicModel::from_text(text)?;
//! let inertia = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.5];
//! let system = model.system([("inertia", &inertia[..]), ("weight", &[2.0])])?;
//! let start = system.configuration([("attitude", &[0.98, 0.198_997_487_421_323_7, 0.0, 0.0][..])])?;
//! let spin = system.velocity([("attitude", &[0.0, 0.0, 20.0][..])])?;
//! let run = Simulation::of(&system).initial(start, spin).method_named("rkmk4")?.step(0.01).end_time(1.0).run()?;
//! assert_eq!(run.column("attitude[2][2]")?.len(), 101);
//! # Ok(())
//! # }
//! ```

mod compiled;
mod configuration;
mod contacts;
mod dense;
mod driven;
mod error;
mod group_element;
mod inputs;
mod lanes;
mod linearised;
mod model;
mod parameter_description;
mod parameters;
mod parametrised;
mod pullback;
mod report;
mod reverse;
#[cfg(feature = "robots")]
mod robots;
mod state_value;
mod system;
mod tape;
mod unilateral;

pub use configuration::DynamicConfiguration;
pub use error::DynamicError;
pub use inputs::InputScalar;
pub use lie_compiler::ModelLengths;
#[cfg(feature = "robots")]
pub use lie_compiler::robots::Options as RobotOptions;
#[doc(hidden)]
pub use linearised::DynamicIteration;
pub use model::DynamicModel;
pub use parameter_description::{DynamicParameterKind, ParameterDescription};
pub use parameters::DynamicParameters;
pub use state_value::StateValue;
#[doc(hidden)]
pub use system::DynamicMass;
pub use system::DynamicSystem;
pub use tape::CompiledKernel;
