//! The Legendre transform by dual numbers on the declared functions.

use crate::group::TangentVector;
use crate::scalar::Dual;
use crate::space::ConfigurationSpace;
use crate::system::dual_model::DeclaredKind;
use crate::system::{CheckPoint, DualModel, MechanicalSystem, TransformedPoint};

use super::reference::energy;

/// Returns the transformed point from the declared functions, term by term.
pub(super) fn reference<M: DualModel<Scalar = f64>>(
    system: &M,
    at: CheckPoint<'_, M>,
) -> TransformedPoint<M::Velocity> {
    let (once, terms) = (system.lift(), 0..system.terms().len());
    let (t, q, v) = (Dual::lift(at.t), system.lift_configuration(at.q), system.lift_velocity(at.v));
    let energy = |kind, q: &_, v: &_| {
        terms.clone().map(|term| energy::<M>(&once, kind, term, (t, q, v))).fold(Dual::lift(0.0), |a, b| a + b)
    };
    let kinetic = |q: &_, v: &_| energy(DeclaredKind::KineticEnergy, q, v);
    let potential = |q: &_| energy(DeclaredKind::PotentialEnergy, q, &v);
    let mut momentum = system.zero_velocity();
    let mut gradient = system.zero_velocity();
    for component in 0..system.dof() {
        let mut unit = system.zero_velocity();
        unit.set_component(component, 1.0);
        let mut direction = system.lift_velocity(&unit);
        direction.scale(Dual { re: 0.0, eps: 1.0 });
        let mut varied_velocity = v.clone();
        varied_velocity.axpy(Dual::lift(1.0), &direction);
        momentum.set_component(component, kinetic(&q, &varied_velocity).eps);
        let mut displaced = q.clone();
        once.space().compose_exp(&q, &direction, &mut displaced);
        gradient.set_component(component, kinetic(&displaced, &v).eps - potential(&displaced).eps);
    }
    let mut force = system.zero_velocity();
    system.space().coadjoint(at.v, &momentum, &mut force);
    force.axpy(1.0, &gradient);
    let energy = momentum.dot(at.v) - kinetic(&q, &v).re + potential(&q).re;
    TransformedPoint { energy, momentum, velocity: at.v.clone(), force }
}
