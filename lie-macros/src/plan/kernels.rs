//! The kernels of a system, of a kind of elements, of the terms over frames, and of the recursion of frames.

use std::collections::BTreeMap;

use super::solve::Structure;
use crate::derive::{Equations, Recursion};
use crate::graph::{Graph, Kernel, Scalar};

macro_rules! kernels {
    ($($(#[$documentation:meta])* $id:ident = $name:literal,)*) => {
        /// A kernel; the name is the one that users read.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub(crate) enum KernelId {
            $($(#[$documentation])* $id,)*
        }

        impl KernelId {
            /// As descriptions at run time spell it.
            pub fn name(self) -> &'static str {
                match self {
                    $(KernelId::$id => $name,)*
                }
            }
        }
    };
}

kernels! {
    /// The structural nonzeros of M that are inverted; of elements all entries.
    Mass = "mass",
    /// −g(t, q, v).
    Force = "force",
    /// Φ.
    Constraint = "constraint",
    /// The entries of B that change; of elements all.
    ConstraintJacobian = "constraint_jacobian",
    /// The part of the velocity constraints that is free of v.
    ConstraintDrift = "constraint_drift",
    /// The terms of d/dt (B v + b) that are free of v'.
    ConstraintCurvature = "constraint_curvature",
    /// T.
    KineticEnergy = "kinetic_energy",
    /// V.
    PotentialEnergy = "potential_energy",
    /// M v' + g + Bᵀ λ.
    Residual = "residual",
    /// All entries of M.
    MassMatrix = "mass_matrix",
    /// D_q of the residual.
    TangentStiffness = "tangent_stiffness",
    /// D_v of the residual.
    TangentDamping = "tangent_damping",
    /// All entries of B.
    JacobianMatrix = "jacobian_matrix",
    /// D_q (B v + b).
    RateGradient = "rate_gradient",
    /// The Schur complement and its right-hand side.
    Schur = "schur",
    /// M⁻¹ f.
    SolveMass = "solve_mass",
    /// v' from force and multipliers.
    Acceleration = "acceleration",
    /// B v.
    JacobianTimes = "jacobian_times",
    /// Bᵀ λ.
    JacobianTransposeTimes = "jacobian_transpose_times",
    /// The velocity of a momentum.
    BodyVelocity = "body_velocity",
    /// The momentum as seen from space.
    SpatialMomentum = "spatial_momentum",
    /// H.
    Hamiltonian = "hamiltonian",
    /// ∂H/∂μ and the force on μ.
    HamiltonianDerivatives = "hamiltonian_derivatives",
    /// The frame of a member.
    Frame = "frame",
    /// The frame, its velocity and its acceleration.
    FrameMotion = "motion of a frame",
    /// A u₋ + J v.
    FramePush = "velocity of a frame",
    /// Aᵀ w and Jᵀ w.
    FramePull = "covector of a frame",
    /// Aᵀ I A, Aᵀ I J and Jᵀ I J.
    FrameTransport = "inertia of a frame",
}

/// The outputs of every kernel that there is.
pub(crate) struct Kernels {
    all: BTreeMap<KernelId, Vec<Scalar>>,
}

impl Kernels {
    /// Those of a system that is one term over everything.
    pub fn of_system(equations: &mut Equations, structure: &Structure) -> Kernels {
        let mass: Vec<Scalar> =
            structure.mass_inverse.keys().map(|&(row, column)| equations.inertia.mass[row][column]).collect();
        let linearisation = &equations.linearisation;
        let mut list = Self::common(equations);
        list.extend([
            (KernelId::Mass, mass),
            (KernelId::ConstraintJacobian, structure.jacobian.clone()),
            (KernelId::MassMatrix, equations.inertia.mass.concat()),
            (KernelId::TangentStiffness, linearisation.stiffness.concat()),
            (KernelId::TangentDamping, linearisation.damping.concat()),
            (KernelId::JacobianMatrix, equations.constraints.jacobian.concat()),
            (KernelId::RateGradient, linearisation.rate_gradient.concat()),
            (KernelId::Schur, [structure.schur.clone(), structure.schur_right.clone()].concat()),
            (KernelId::SolveMass, structure.free.clone()),
            (KernelId::Acceleration, structure.acceleration.clone()),
            (KernelId::JacobianTimes, structure.times.clone()),
            (KernelId::JacobianTransposeTimes, structure.transpose_times.clone()),
        ]);
        if let Ok(legendre) = &equations.legendre {
            list.extend([
                (KernelId::BodyVelocity, structure.body_velocity.clone()),
                (KernelId::SpatialMomentum, legendre.momentum.clone()),
                (KernelId::Hamiltonian, vec![legendre.hamiltonian]),
                (KernelId::HamiltonianDerivatives, [legendre.velocity.clone(), legendre.force.clone()].concat()),
            ]);
        }
        Kernels::optimised(&mut equations.graph, list)
    }

    /// Those of one kind of elements.
    pub fn of_element(equations: &mut Equations) -> Kernels {
        let linearisation = &equations.linearisation;
        let mut list = Self::common(equations);
        list.extend([
            (KernelId::Mass, equations.inertia.mass.concat()),
            (KernelId::ConstraintJacobian, equations.constraints.jacobian.concat()),
            (KernelId::TangentStiffness, linearisation.stiffness.concat()),
            (KernelId::TangentDamping, linearisation.damping.concat()),
            (KernelId::RateGradient, linearisation.rate_gradient.concat()),
        ]);
        Kernels::optimised(&mut equations.graph, list)
    }

    /// Those of one kind of terms over frames.
    pub fn of_frames(equations: &mut Equations) -> Kernels {
        let list = vec![
            (KernelId::Mass, equations.inertia.mass.concat()),
            (KernelId::Residual, equations.linearisation.residual.clone()),
            (KernelId::KineticEnergy, vec![equations.kinetic_energy]),
            (KernelId::PotentialEnergy, vec![equations.potential_energy]),
        ];
        Kernels::optimised(&mut equations.graph, list)
    }

    /// Those of the recursion of frames.
    pub fn of_recursion(recursion: &mut Recursion) -> Kernels {
        let motion = [&recursion.frame[..], &recursion.velocity, &recursion.acceleration].concat();
        let list = vec![
            (KernelId::Frame, recursion.frame.clone()),
            (KernelId::FrameMotion, motion),
            (KernelId::FramePush, recursion.push.clone()),
            (KernelId::FramePull, recursion.pull.clone()),
            (KernelId::FrameTransport, recursion.transport.clone()),
        ];
        Kernels::optimised(&mut recursion.graph, list)
    }

    /// What systems and elements have alike.
    fn common(equations: &Equations) -> Vec<(KernelId, Vec<Scalar>)> {
        let constraints = &equations.constraints;
        vec![
            (KernelId::Force, equations.force.clone()),
            (KernelId::Constraint, constraints.residual.clone()),
            (KernelId::ConstraintDrift, constraints.drift.clone()),
            (KernelId::ConstraintCurvature, constraints.curvature.clone()),
            (KernelId::KineticEnergy, vec![equations.kinetic_energy]),
            (KernelId::PotentialEnergy, vec![equations.potential_energy]),
            (KernelId::Residual, equations.linearisation.residual.clone()),
        ]
    }

    /// Each kernel by itself, of as few operations as the passes of `graph::rewrite` find.
    fn optimised(graph: &mut Graph, list: Vec<(KernelId, Vec<Scalar>)>) -> Kernels {
        let all = list.into_iter().map(|(id, outputs)| (id, graph.optimised(&outputs, Graph::is_hoisted))).collect();
        Kernels { all }
    }

    /// The outputs of a kernel.
    pub fn outputs(&self, id: KernelId) -> &[Scalar] {
        self.all.get(&id).unwrap_or_else(|| bug!("the kernel `{}` is not planned", id.name()))
    }

    /// The outputs of all kernels.
    pub fn all(&self) -> impl Iterator<Item = &Vec<Scalar>> {
        self.all.values()
    }

    /// True if an output of a kernel is something else than zero.
    pub fn has(&self, graph: &Graph, id: KernelId) -> bool {
        self.nonzeros(graph, id) > 0
    }

    /// How many outputs of a kernel are something else than zero.
    pub fn nonzeros(&self, graph: &Graph, id: KernelId) -> usize {
        self.outputs(id).iter().filter(|&&output| !graph.is_zero(output)).count()
    }

    /// Scalar operations of each kernel, hoisted values given.
    pub fn operations(&self, graph: &Graph, given: impl Fn(Scalar) -> bool + Copy) -> Vec<(KernelId, usize)> {
        let count = |outputs: &[Scalar]| Kernel::new(graph, outputs, given).operations(graph, given);
        self.all.iter().map(|(&id, outputs)| (id, count(outputs))).collect()
    }
}
