//! The Legendre transform against dual numbers on the declared functions.
//!
//! The generated kernels see momenta from space. Their results are taken back to where velocities are declared, to the body but
//! for spheres, by the operations of the group, and compared with p = ∂T/∂v, H = p · v − T + V, v, and D_q (T − V) + ad_vᵀ p.

use super::{CheckPoint, MechanicalSystem, Twin};
use crate::field::{HamiltonianSystem, LegendreTransform};
use crate::group::{LieGroup, TangentVector};
use crate::scalar::Dual;
use crate::space::{AlgebraOf, ConfigurationSpace, HomogeneousSpace};

/// The group that moves the configurations.
type GroupOf<H> = <<H as HamiltonianSystem>::Point as HomogeneousSpace>::Group;

/// What the generated Hamiltonian says of the motion with a velocity v, as velocities are declared.
#[derive(Clone, Debug)]
pub struct TransformedPoint<V: TangentVector> {
    /// H at the momentum of v.
    pub energy: V::Scalar,
    /// p, in a group Ad_qᵀ μ.
    pub momentum: V,
    /// v, in a group Ad_{q⁻¹} f₁.
    pub velocity: V,
    /// p', in a group Ad_qᵀ f₂.
    pub force: V,
}

/// Evaluates the Hamiltonian system at the momentum of v; `None` where M(q) has no inverse.
pub fn legendre_transformed<H: LegendreTransform>(
    system: &H,
    q: &H::Point,
    v: &AlgebraOf<H::Point>,
) -> Option<TransformedPoint<AlgebraOf<H::Point>>> {
    let mu = system.momentum(q, v);
    let (mut velocity, mut force) = (system.zero(), system.zero());
    system.derivatives(q, &mu, &mut velocity, &mut force).ok()?;
    let (frame, turning) = (system.frame(q), system.frame_velocity(&velocity));
    // p = Ad_frameᵀ μ: what is left is μ' + ad_uᵀ μ with u the velocity of the frame, μ' = f₂ − ad_{f₁}ᵀ μ.
    force.axpy(-<H::Scalar as num_traits::One>::one(), &GroupOf::<H>::coadjoint(&velocity, &mu));
    force.axpy(num_traits::One::one(), &GroupOf::<H>::coadjoint(&turning, &mu));
    Some(TransformedPoint {
        energy: system.hamiltonian(q, &mu),
        momentum: frame.adjoint_transpose(&mu),
        velocity: frame.inverse().adjoint(&velocity),
        force: frame.adjoint_transpose(&force),
    })
}

/// The same from the declared functions on dual numbers.
pub(super) fn reference<M: Twin<Scalar = f64>>(system: &M, at: CheckPoint<'_, M>) -> TransformedPoint<M::Velocity> {
    let once = system.lift();
    let (t, q, v) = (Dual::lift(at.t), system.lift_configuration(at.q), system.lift_velocity(at.v));
    let mut momentum = system.zero_velocity();
    let mut gradient = system.zero_velocity();
    for component in 0..system.dof() {
        let mut unit = system.zero_velocity();
        unit.set_component(component, 1.0);
        let mut direction = system.lift_velocity(&unit);
        direction.scale(Dual { re: 0.0, eps: 1.0 });
        let mut faster = v.clone();
        faster.axpy(Dual::lift(1.0), &direction);
        momentum.set_component(component, M::declared_kinetic_energy(&once, 0, t, &q, &faster).eps);
        let mut turned = q.clone();
        once.space().compose_exp(&q, &direction, &mut turned);
        let lagrangian =
            M::declared_kinetic_energy(&once, 0, t, &turned, &v) - M::declared_potential_energy(&once, 0, t, &turned);
        gradient.set_component(component, lagrangian.eps);
    }
    let mut force = system.zero_velocity();
    system.space().coadjoint(at.v, &momentum, &mut force);
    force.axpy(1.0, &gradient);
    let kinetic = M::declared_kinetic_energy(&once, 0, t, &q, &v).re;
    let potential = M::declared_potential_energy(&once, 0, t, &q).re;
    TransformedPoint { energy: momentum.dot(at.v) - kinetic + potential, momentum, velocity: at.v.clone(), force }
}
