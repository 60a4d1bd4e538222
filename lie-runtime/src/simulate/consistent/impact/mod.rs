//! Impacts: the jump of the velocity and the impulses of all constraints that are struck at one instant.
//!
//! With the rates u = B v + b before the impact and u⁺ after it, M (v⁺ − v) = −Bᵀ Λ gives u⁺ = u − G Λ, G = B M⁻¹ Bᵀ. The law of each row:
//!
//! ```text
//! struck with the coefficient of restitution e      u⁺ = −e u                                    (Newton)
//! the same, of a row that can only push             u⁺ + e u beyond zero ⊥ Λ of the sign of u    (Moreau 1988)
//! tangential, with the coefficient of friction μ    |Λ_t| ≤ μ |Λ_n|, u_t⁺ = 0 or Λ_t along u_t⁺  (Coulomb)
//! not struck                                        u⁺ = u
//! ```
//!
//! The kinetic energy relative to the motion of the constraints changes by −½ Σ Λ (u⁺ + u). Newton's law with one coefficient e ≤ 1 for all
//! rows makes that at most zero; with different coefficients, or with friction that is coupled to the normal direction, it may be positive
//! (Kane 1984), which is an error here.

mod contacts;
mod error;
mod law;
mod problem;
mod rows;
mod solve;

pub use error::ImpactError;
pub(in crate::simulate) use law::{Collision, Law, Struck};
pub(in crate::simulate) use solve::{collide, ensure_named};
