//! Momenta as covectors, for variational integrators.

use num_traits::One;

use super::{Liftable, MechanicalSystem};
use crate::group::TangentVector;
use crate::scalar::{Dual, Scalar};
use crate::space::ConfigurationSpace;

/// Momenta as left-trivialised covectors with [`dof`](MechanicalSystem::dof) components.
#[doc(alias = "generalized momentum")]
pub trait Momentum: MechanicalSystem {
    /// Computes the momentum M(t, q) v, left-trivialised.
    fn momentum(&self, t: Self::Scalar, q: &Self::Configuration, v: &Self::Velocity, out: &mut Self::Velocity);
}

/// Momenta, and their rates due to a changing mass matrix.
pub trait MomentumRate: Momentum {
    /// The workspace of the rates.
    type Rates: 'static;

    /// Allocates the workspace of the rates for this system with its current parameters; `q` is any configuration.
    #[doc(hidden)]
    fn rates(&self, q: &Self::Configuration) -> Self::Rates;
    /// Computes Ṁ v = d/dt (M(t, q) v) along q' = q v~ at constant v: ∂M/∂t v + D_q M(t, q)\[v\] v. Allocates nothing.
    #[doc(hidden)]
    fn momentum_rate(
        &self,
        rates: &mut Self::Rates,
        t: Self::Scalar,
        q: &Self::Configuration,
        v: &Self::Velocity,
        out: &mut Self::Velocity,
    );
}

/// The system on dual numbers: its momentum at (t + ε, q exp(ε v)) contains the rate.
#[derive(Debug)]
pub struct DualMomentum<L: MechanicalSystem> {
    lifted: L,
    start: L::Configuration,
    moved: L::Configuration,
    /// v.
    velocity: L::Velocity,
    /// ε v.
    step: L::Velocity,
    momentum: L::Velocity,
}

impl<M: Momentum + Liftable<Lifted: Momentum>> MomentumRate for M {
    type Rates = DualMomentum<M::Lifted>;

    fn rates(&self, q: &M::Configuration) -> Self::Rates {
        let (lifted, start) = (self.lift(), self.lift_configuration(q));
        let zero = || lifted.zero_velocity();
        let (velocity, step, momentum) = (zero(), zero(), zero());
        DualMomentum { moved: start.clone(), lifted, start, velocity, step, momentum }
    }

    fn momentum_rate(
        &self,
        rates: &mut Self::Rates,
        t: M::Scalar,
        q: &M::Configuration,
        v: &M::Velocity,
        out: &mut M::Velocity,
    ) {
        let DualMomentum { lifted, start, moved, velocity, step, momentum } = rates;
        self.lift_configuration_onto(q, start);
        let zero = M::Scalar::from_f64(0.0);
        for at in 0..v.component_count() {
            let component = v.component(at);
            velocity.set_component(at, Dual { re: component, eps: zero });
            step.set_component(at, Dual { re: zero, eps: component });
        }
        lifted.space().compose_exp(start, step, moved);
        lifted.momentum(Dual { re: t, eps: M::Scalar::one() }, moved, velocity, momentum);
        for at in 0..out.component_count() {
            out.set_component(at, momentum.component(at).eps);
        }
    }
}
