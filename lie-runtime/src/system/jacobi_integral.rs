//! Jacobi's integral, the conserved energy of a system without external power.
//!
//! With the kinetic energy T = T₂ + T₁ + T₀ by degrees in v,
//!
//! ```text
//! E = v · ∂T/∂v − T + V = T₂ + U,    U = V − T₀,    T₂ = (T(v) + T(−v)) / 2 − T(0),    T₀ = T(0).
//! ```

use num_traits::Zero;

use super::MechanicalSystem;
use crate::group::TangentVector;
use crate::scalar::Scalar;

/// Returns T₂ and U, whose sum is E; `reversed` is scratch memory for a velocity.
pub(crate) fn jacobi_integral<M: MechanicalSystem>(
    system: &M,
    (t, q, v): (M::Scalar, &M::Configuration, &M::Velocity),
    reversed: &mut M::Velocity,
) -> [M::Scalar; 2] {
    let ahead = system.kinetic_energy(t, q, v);
    reversed.assign(v);
    reversed.scale(M::Scalar::from_f64(-1.0));
    let back = system.kinetic_energy(t, q, reversed);
    reversed.fill(M::Scalar::zero());
    let at_rest = system.kinetic_energy(t, q, reversed);
    [M::Scalar::from_f64(0.5) * (ahead + back) - at_rest, system.potential_energy(t, q) - at_rest]
}
