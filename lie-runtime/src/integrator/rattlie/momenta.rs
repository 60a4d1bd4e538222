//! Momenta and forces at the ends of a step.

use num_traits::One;

use super::workspace::RattlieBuffers;
use crate::group::TangentVector;
use crate::integrator::State;
use crate::scalar::Scalar;
use crate::space::ConfigurationSpace;
use crate::system::{Linearised, MomentumRate};

/// Writes F(t, q, v) = −g − ad_vᵀ M v to `force`.
#[inline]
pub(super) fn applied_force<M: MomentumRate + Linearised>(
    system: &M,
    t: M::Scalar,
    q: &M::Configuration,
    v: &M::Velocity,
    work: &mut RattlieBuffers<M>,
) {
    system.force(t, q, v, &mut work.force);
    system.momentum(t, q, v, &mut work.product);
    system.space().coadjoint(v, &work.product, &mut work.reaction);
    work.force.axpy(-M::Scalar::one(), &work.reaction);
}

/// Writes G(t, q, v) = −g − ad_vᵀ M v + Ṁ v of a variable mass matrix to `force`.
#[inline]
pub(super) fn supplied_force<M: MomentumRate + Linearised>(
    system: &M,
    t: M::Scalar,
    q: &M::Configuration,
    v: &M::Velocity,
    work: &mut RattlieBuffers<M>,
) {
    applied_force(system, t, q, v, work);
    if let Some(rates) = &mut work.rates {
        system.momentum_rate(rates, t, q, v, &mut work.reaction);
        work.force.axpy(M::Scalar::one(), &work.reaction);
    }
}

/// Writes Δ to the velocity at the end, which is not known yet.
#[inline]
pub(super) fn rate_of_step<M: MomentumRate + Linearised>(h: f64, to: &mut State<M>, work: &RattlieBuffers<M>) {
    to.velocity.assign(&work.theta);
    to.velocity.scale(M::Scalar::from_f64(1.0 / h));
}

/// Writes M̄ θ to `product`.
#[inline]
pub(super) fn mean_momentum<M: MomentumRate + Linearised>(
    system: &M,
    from: &State<M>,
    h: f64,
    to: &State<M>,
    work: &mut RattlieBuffers<M>,
) {
    let real = M::Scalar::from_f64;
    system.momentum(real(from.time + h), &to.configuration, &work.theta, &mut work.product);
    if work.rates.is_some() {
        system.momentum(real(from.time), &from.configuration, &work.theta, &mut work.reaction);
        work.product.axpy(M::Scalar::one(), &work.reaction);
        work.product.scale(real(0.5));
    }
}
