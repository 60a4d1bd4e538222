//! Methods by name: list, requirements, and registration of further methods.
//!
//! ```
//! use lie_runtime::prelude::*;
//! use lie_runtime::simulate::{MethodError, methods};
//! # #[mechanical_system]
//! # pub mod oscillator {
//! #     #[configuration]
//! #     pub struct Position { pub x: R1 }
//! #     #[kinetic_energy]
//! #     fn kinetic(v: &Velocity) -> f64 { 0.5 * v.x.norm_squared() }
//! #     #[potential]
//! #     fn spring(q: &Position) -> f64 { 0.5 * q.x.norm_squared() }
//! # }
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! for info in methods() {
//!     println!("{:24} order {}: {}", info.id, info.order, info.name);
//! }
//! let system = oscillator::System::new()?;
//! let start = || Simulation::of(&system).initial(oscillator::Position { x: Vector1::new(1.0) }, Vector1::new(0.0));
//! let run = start().method_named("rkmk4")?.step(0.01).end_time(1.0).run()?;
//! assert_eq!(run.method, "rkmk4");
//! let Err(MethodError::Unknown { nearest, .. }) = start().method_named("hedop") else { unreachable!() };
//! assert_eq!(nearest, Some("hedop5"));
//! # Ok(())
//! # }
//! ```
//!
//! You can create a [`Registry`] with other methods. It accepts the options of methods as texts:
//!
//! ```
//! # use lie_runtime::prelude::*;
//! # #[mechanical_system]
//! # pub mod oscillator {
//! #     #[configuration]
//! #     pub struct Position { pub x: R1 }
//! #     #[kinetic_energy]
//! #     fn kinetic(v: &Velocity) -> f64 { 0.5 * v.x.norm_squared() }
//! # }
//! use lie_runtime::integrator::{AnyMethod, Differential, tableau};
//! use lie_runtime::simulate::{MethodInfo, Methods};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let method = MuntheKaas::new("rkmk_bs", &tableau::BOGACKI_SHAMPINE, Differential::Exact)?;
//! let mine = MethodInfo::new("rkmk_bs", "after Bogacki and Shampine", "mine", 3);
//! let methods = Methods::all().and([mine], move |_| Ok(AnyMethod::of(OnMechanical(method))));
//!
//! let system = oscillator::System::new()?;
//! let start = || Simulation::of(&system).initial(oscillator::Position { x: Vector1::new(1.0) }, Vector1::new(0.0));
//! let run = start().method_from(&methods, "rkmk_bs", &[])?.step(0.1).end_time(1.0).run()?;
//! assert_eq!(run.method, "rkmk_bs");
//! let run = start().method_from(&methods, "lie_alpha", &[("rho_inf", "0.8")])?.step(0.1).end_time(1.0).run()?;
//! assert_eq!(run.method, "lie_alpha");
//! # Ok(())
//! # }
//! ```

mod choices;
mod error;
mod families;
mod info;
mod registered;
mod registry;

pub use choices::Choices;
pub use error::MethodError;
pub use families::methods;
pub use info::{MethodInfo, MethodOption, MethodRequirement};
pub use registered::Registered;
pub use registry::{Methods, Registry};
