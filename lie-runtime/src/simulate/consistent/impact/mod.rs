//! Impacts: the velocity jump and the impulses of simultaneously struck constraints.
//!
//! Let u = B v + b be the rates before the impact and u⁺ the rates after it. M (v⁺ − v) = −Bᵀ Λ gives u⁺ = u − G Λ, G = B M⁻¹ Bᵀ. Each row
//! has a law:
//!
//! ```text
//! struck with the coefficient of restitution e      u⁺ = −e u                                    (Newton)
//! the same, of a row that can only push             u⁺ + e u beyond zero ⊥ Λ of the sign of u    (Moreau 1988)
//! tangential, with the coefficient of friction μ    |Λ_t| ≤ μ |Λ_n|, u_t⁺ = 0 or Λ_t along u_t⁺  (Coulomb)
//! not struck                                        u⁺ = u
//! ```
//!
//! The kinetic energy relative to the motion of the constraints changes by −½ Σ Λ (u⁺ + u). Newton's law with the same coefficient e ≤ 1
//! for all rows makes it non-positive. Different coefficients, or friction with coupling to the normal direction, may increase the energy
//! (Kane 1984), which is an error.

mod contacts;
mod error;
mod law;
mod problem;
mod rows;
mod solve;

pub use error::ImpactError;
pub(in crate::simulate) use law::{Collision, Law, Struck};
pub(in crate::simulate) use solve::{collide, ensure_named};
