//! The Legendre transform against dual numbers on the declared functions.
//!
//! The generated kernels see momenta from space. Their results are taken back to where velocities are declared, to the body but
//! for spheres, by the operations of the group, and compared with p = ∂T/∂v, H = p · v − T + V, v, and D_q (T − V) + ad_vᵀ p.

use super::{CheckPoint, MechanicalSystem, Twin};
use crate::field::{HamiltonianSystem, LegendreTransform};
use crate::group::TangentVector;
use crate::scalar::Dual;
use crate::space::operations::{AdjointTranspose, InverseAdjoint};
use crate::space::{ConfigurationSpace, FramedSpace, LeftSpace, Moved};

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
pub fn legendre_transformed<H>(
    system: &H,
    q: &H::Configuration,
    v: &H::Velocity,
) -> Option<TransformedPoint<H::Velocity>>
where
    H: MechanicalSystem<Space: FramedSpace>,
    H: LegendreTransform<Point = <H as MechanicalSystem>::Configuration>,
    H: HamiltonianSystem<
            Scalar = <H as MechanicalSystem>::Scalar,
            Point: Moved<Algebra = <H as MechanicalSystem>::Velocity>,
        >,
{
    let (mu, space) = (LegendreTransform::momentum(system, q, v), system.space());
    let [mut turned, mut turning, mut momentum, mut velocity] = core::array::from_fn(|_| system.zero());
    let mut force = system.zero();
    system.derivatives(q, &mu, &mut turned, &mut force).ok()?;
    space.frame_velocity(&turned, &mut turning);
    // p = Ad_frameᵀ μ: what is left is μ' + ad_uᵀ μ with u the velocity of the frame, μ' = f₂ − ad_{f₁}ᵀ μ.
    space.add_coadjoint(-1.0, &turned, &mu, &mut force);
    space.add_coadjoint(1.0, &turning, &mu, &mut force);
    space.framed::<AdjointTranspose>(q, &mu, &mut momentum);
    space.framed::<InverseAdjoint>(q, &turned, &mut velocity);
    space.framed::<AdjointTranspose>(q, &force, &mut turned);
    Some(TransformedPoint { energy: system.hamiltonian(q, &mu), momentum, velocity, force: turned })
}

/// The same from the declared functions on dual numbers, term by term.
pub(super) fn reference<M: Twin<Scalar = f64>>(system: &M, at: CheckPoint<'_, M>) -> TransformedPoint<M::Velocity> {
    let (once, terms) = (system.lift(), 0..system.terms().len());
    let (t, q, v) = (Dual::lift(at.t), system.lift_configuration(at.q), system.lift_velocity(at.v));
    let kinetic = |q: &_, v: &_| -> Dual<f64> {
        terms.clone().map(|term| M::declared_kinetic_energy(&once, term, t, q, v)).fold(Dual::lift(0.0), |a, b| a + b)
    };
    let potential = |q: &_| -> Dual<f64> {
        terms.clone().map(|term| M::declared_potential_energy(&once, term, t, q)).fold(Dual::lift(0.0), |a, b| a + b)
    };
    let mut momentum = system.zero_velocity();
    let mut gradient = system.zero_velocity();
    for component in 0..system.dof() {
        let mut unit = system.zero_velocity();
        unit.set_component(component, 1.0);
        let mut direction = system.lift_velocity(&unit);
        direction.scale(Dual { re: 0.0, eps: 1.0 });
        let mut faster = v.clone();
        faster.axpy(Dual::lift(1.0), &direction);
        momentum.set_component(component, kinetic(&q, &faster).eps);
        let mut turned = q.clone();
        once.space().compose_exp(&q, &direction, &mut turned);
        gradient.set_component(component, kinetic(&turned, &v).eps - potential(&turned).eps);
    }
    let mut force = system.zero_velocity();
    system.space().coadjoint(at.v, &momentum, &mut force);
    force.axpy(1.0, &gradient);
    let energy = momentum.dot(at.v) - kinetic(&q, &v).re + potential(&q).re;
    TransformedPoint { energy, momentum, velocity: at.v.clone(), force }
}
