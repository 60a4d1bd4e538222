//! Energy audit: balance of energy and work of a run, and conserved momenta.
//!
//! Let L = T − V be the Lagrangian. The energy E = v·∂L/∂v − L changes along M v' = −g − Bᵀ λ by
//!
//! ```text
//! E' = Σ v·F − Σ v·∂R/∂v + λᵀ b − ∂L/∂t,    B v + b = 0,
//! ```
//!
//! the powers of the declared forces, of the dissipations, of moving constraints, and of the explicit dependence on time. A one-parameter
//! group that moves q along q ξ(q)~ and leaves L invariant has the momentum (Noether)
//!
//! ```text
//! J = ⟨∂L/∂v, ξ(q)⟩ = (T(v + ξ) − T(v − ξ)) / 2,
//! ```
//!
//! This momentum is conserved if forces and constraints do no work along ξ. The audit computes both during a run without influence on the
//! motion:
//!
//! ```
//! use lie_runtime::prelude::*;
//!
//! #[mechanical_system]
//! pub mod puck {
//!     #[configuration]
//!     pub struct Table { pub position: R2 }
//!
//!     #[kinetic_energy]
//!     fn kinetic(v: &Velocity) -> f64 { 0.5 * v.position.norm_squared() }
//!
//!     #[potential]
//!     fn spring(q: &Table) -> f64 { 0.5 * q.position.norm_squared() }
//!
//!     #[dissipation]
//!     fn felt(v: &Velocity) -> f64 { 0.05 * v.position.norm_squared() }
//! }
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let system = puck::System::new()?;
//! let run = Simulation::of(&system)
//!     .initial(puck::Table { position: Vector2::x() }, Vector2::y())
//!     .monitor_energy()
//!     .monitor_momentum("about the middle", |_, q| Vector2::new(-q.position.y, q.position.x))
//!     .step(0.01).end_time(5.0).run()?;
//! let [first, .., last] = run.balances.as_slice() else { unreachable!() };
//! // The missing energy is the work of the dissipation `felt`.
//! assert!((last.energy - first.energy - last.work_of("felt").unwrap()).abs() < 1e-9);
//! assert!(run.statistics.energy_defect.unwrap() < 1e-9);
//! // The dissipation also reduces the angular momentum: J' = −0.1 J.
//! assert!((last.momentum("about the middle").unwrap() - (-0.5_f64).exp()).abs() < 1e-8);
//! println!("{}", run.summary());
//! # Ok(())
//! # }
//! ```

mod audit;
mod balance;
mod energy;

pub use audit::AuditRequest;
pub(super) use audit::EnergyAudit;
pub use balance::Balance;
pub(super) use energy::suppliers;
