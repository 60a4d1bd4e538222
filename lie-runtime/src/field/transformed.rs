//! The results of a generated Hamiltonian system in the variables of the declaration.
//!
//! The generated kernels use spatial momenta. The operations of the group transform their results to the frames of the declared
//! velocities. These are body-fixed frames, except for spheres. The results are then compared with p = ∂T/∂v, H = p · v − T + V, v, and
//! D_q (T − V) + ad_vᵀ p.

use super::{HamiltonianSystem, LegendreTransform};
use crate::group::operations::{AdjointTranspose, InverseAdjoint};
use crate::space::{FramedSpace, LeftAction, LeftSpace};
use crate::system::{MechanicalSystem, TransformedPoint};

/// Evaluates the Hamiltonian system at the momentum of v; `None` if M(q) has no inverse.
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
            Point: LeftAction<Algebra = <H as MechanicalSystem>::Velocity>,
        >,
{
    let (mu, space) = (LegendreTransform::momentum(system, q, v), system.space());
    let [mut turned, mut turning, mut momentum, mut velocity] = core::array::from_fn(|_| system.zero());
    let mut force = system.zero();
    system.derivatives(q, &mu, &mut turned, &mut force).ok()?;
    space.frame_velocity(&turned, &mut turning);
    // p = Ad_frameᵀ μ. The transformed force is μ' + ad_uᵀ μ with the velocity u of the frame and μ' = f₂ − ad_{f₁}ᵀ μ.
    space.add_coadjoint(-1.0, &turned, &mu, &mut force);
    space.add_coadjoint(1.0, &turning, &mu, &mut force);
    space.framed::<AdjointTranspose>(q, &mu, &mut momentum);
    space.framed::<InverseAdjoint>(q, &turned, &mut velocity);
    space.framed::<AdjointTranspose>(q, &force, &mut turned);
    Some(TransformedPoint { energy: system.hamiltonian(q, &mu), momentum, velocity, force: turned })
}
