//! [`ElementDynamics`]: the mass matrix of a system without frames, the sum of the elements' mass matrices.

use nalgebra::DVector;

use super::inverse_mass::{InverseMass, invert_blocks};
use super::mass_matrix::{self, ChainMass, factorise_mass};
use super::reverse::{Contraction, ReverseDynamics};
use super::{Dynamics, ElementSystem, NoFrameMatrices, Structure, assembly, kkt};
use crate::scalar::Scalar;
use crate::system::{Cotangents, KktError};

/// The dynamics of a system without frames.
#[derive(Clone, Copy, Debug)]
pub struct ElementDynamics;

impl<M: ElementSystem> Dynamics<M> for ElementDynamics {
    type Mass = ChainMass<M::Scalar>;
    type Kinematics = ();
    type Linearisation = NoFrameMatrices;

    const HAS_FRAMES: bool = false;

    fn zero_mass(system: &M) -> Self::Mass {
        ChainMass::zeros(system.structure())
    }
    fn zero_kinematics(_: &M) {}
    fn spin_inertia(_: &M, _: &Structure<M::Scalar>) -> Vec<M::Scalar> {
        Vec::new()
    }
    #[inline]
    fn factorise(system: &M, t: M::Scalar, q: &M::Configuration, mass: &mut Self::Mass) -> Result<(), KktError> {
        prepare(system, t, q, mass)
    }
    #[inline]
    fn solve_mass(system: &M, mass: &mut Self::Mass, force: &[M::Scalar], acceleration: &mut [M::Scalar]) {
        mass_matrix::solve_mass(system.structure(), mass, force, acceleration);
    }
    #[inline]
    fn factorise_and_add_force(
        system: &M,
        (t, q, _): (M::Scalar, &M::Configuration, &[M::Scalar]),
        (): &mut (),
        mass: &mut Self::Mass,
        _: &mut [M::Scalar],
        _: Option<&mut [M::Scalar]>,
    ) -> Result<(), KktError> {
        prepare(system, t, q, mass)
    }
    #[inline]
    fn accelerate(
        system: &M,
        (t, q, _): (M::Scalar, &M::Configuration, &[M::Scalar]),
        mass: &mut Self::Mass,
        force: &mut [M::Scalar],
        acceleration: &mut [M::Scalar],
    ) -> Result<(), KktError> {
        prepare(system, t, q, mass)?;
        mass_matrix::solve_mass(system.structure(), mass, force, acceleration);
        Ok(())
    }
    #[inline]
    fn solve_kkt(
        system: &M,
        mass: &mut Self::Mass,
        epsilon: Option<f64>,
        force_jacobian: &[M::Scalar],
        constraint_jacobian: &[M::Scalar],
        force: &[M::Scalar],
        constraint: &[M::Scalar],
        acceleration: &mut [M::Scalar],
        multipliers: &mut [M::Scalar],
    ) -> Result<(), KktError> {
        let (first, second) = (force_jacobian, constraint_jacobian);
        kkt::solve(system, mass, epsilon, first, second, force, constraint, acceleration, multipliers)
    }
    fn of_members(mass: &mut Self::Mass) -> Option<&mut ChainMass<M::Scalar>> {
        Some(mass)
    }
    fn solve_kkt_again(
        system: &M,
        mass: &mut Self::Mass,
        force_jacobian: &[M::Scalar],
        force: Option<&[M::Scalar]>,
        constraint: &[M::Scalar],
        acceleration: &mut [M::Scalar],
        multipliers: &mut [M::Scalar],
    ) {
        kkt::solve_again(system, mass, force_jacobian, force, constraint, acceleration, multipliers);
    }
    fn residual_force(
        system: &M,
        mass: &Self::Mass,
        force_jacobian: &[M::Scalar],
        force: &[M::Scalar],
        solution: [&[M::Scalar]; 2],
        out: &mut [M::Scalar],
    ) -> Option<f64> {
        let kkt = mass.kkt.as_ref()?;
        Some(kkt::residual_force(system, kkt, force_jacobian, force, solution, out))
    }
    #[inline]
    fn add_force(_: &M, _: M::Scalar, _: &M::Configuration, _: &[M::Scalar], _: &mut [M::Scalar]) {}
    #[inline]
    fn add_momentum(_: &M, _: M::Scalar, _: &M::Configuration, _: &[M::Scalar], _: &mut [M::Scalar]) {}
    #[inline]
    fn add_residual(
        _: &M,
        _: M::Scalar,
        _: &M::Configuration,
        _: &[M::Scalar],
        _: &[M::Scalar],
        _: &[M::Scalar],
        _: &mut [M::Scalar],
    ) {
    }
    fn zero_linearisation(_: &M) -> NoFrameMatrices {
        NoFrameMatrices
    }
    #[inline]
    fn linearise(
        _: &M,
        _: M::Scalar,
        _: &M::Configuration,
        _: &[M::Scalar],
        _: &[M::Scalar],
        _: &[M::Scalar],
        _: &mut NoFrameMatrices,
    ) {
    }
    #[inline]
    fn kinetic_energy(_: &M, _: M::Scalar, _: &M::Configuration, _: &[M::Scalar]) -> M::Scalar {
        M::Scalar::from_f64(0.0)
    }
    #[inline]
    fn potential_energy(_: &M, _: M::Scalar, _: &M::Configuration) -> M::Scalar {
        M::Scalar::from_f64(0.0)
    }
}

/// Computes and factorises M(q).
fn prepare<M: ElementSystem>(
    system: &M,
    t: M::Scalar,
    q: &M::Configuration,
    mass: &mut ChainMass<M::Scalar>,
) -> Result<(), KktError> {
    let structure = system.structure();
    if let Some(kkt) = &mut mass.kkt {
        assembly::mass(system, structure, t, q, &mut kkt.elements);
        if let Some(coupled) = &mut mass.coupled {
            return factorise_mass(structure, &kkt.elements, coupled);
        }
    }
    if let Some(InverseMass::Blocks(blocks)) = &mut mass.inverse {
        assembly::member_mass(system, structure, t, q, blocks);
        return invert_blocks(&structure.members, blocks);
    }
    Ok(())
}

impl<M: ElementSystem> ReverseDynamics<M> for ElementDynamics {
    #[allow(private_interfaces)]
    fn pull_back(
        _: &M,
        _: (M::Scalar, &M::Configuration),
        _: Contraction<'_, M::Scalar>,
        _: &mut Cotangents<'_, DVector<M::Scalar>, M::Scalar>,
    ) {
    }
}
