//! The kernels of a term, of a system with one term, and of the recursion of frames.

use std::collections::BTreeMap;
use std::ops::Range;

use super::{Hoisted, KernelId, Solve, iteration};
use crate::diff::{BaseFrameScalars, Equations, Gradients, RecursionScalars};
use crate::expr::Leaf;
use crate::model::Model;
use crate::scalar::{Dependence, Graph, Kernel, Scalar, ScalarOp};

/// The outputs of all kernels.
pub(crate) struct Kernels {
    all: BTreeMap<KernelId, Vec<Scalar>>,
    /// Kernels that are a part of a joint kernel: the joint kernel, and the range of its outputs.
    within: BTreeMap<KernelId, (KernelId, Range<usize>)>,
}

/// The arguments of a kernel of terms, in addition to time and configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Inputs {
    Nothing,
    /// v.
    Velocity,
    /// v, v' and λ.
    State,
}

/// The shape of the result of a kernel of terms, with n degrees of freedom and m constraint rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum KernelOutput {
    Number,
    /// n.
    Vector,
    /// m.
    Rows,
    /// n × n.
    Matrix,
    /// m × n.
    Jacobian,
    /// n, n, and the number of scalar parameters: cotangents that are accumulated.
    Cotangents,
}

/// The kernels of every term.
pub(crate) const OF_TERMS: [KernelId; 12] = [
    KernelId::MassMatrix,
    KernelId::Force,
    KernelId::Constraint,
    KernelId::ConstraintJacobian,
    KernelId::ConstraintDrift,
    KernelId::ConstraintCurvature,
    KernelId::KineticEnergy,
    KernelId::PotentialEnergy,
    KernelId::Residual,
    KernelId::TangentStiffness,
    KernelId::TangentDamping,
    KernelId::RateGradient,
];

/// Joint kernels of quantities that methods evaluate at one point, so that common subexpressions, for example the logarithm of a relative
/// pose, are computed once. The first part has no kernel of its own: a call for this part discards the others.
pub(crate) const JOINT: [(KernelId, &[KernelId]); 3] = [
    (KernelId::ForceAndJacobian, &[KernelId::Force, KernelId::ConstraintJacobian]),
    (KernelId::ResidualAndConstraint, &[KernelId::Residual, KernelId::Constraint]),
    (KernelId::Linearise, &[KernelId::TangentStiffness, KernelId::TangentDamping, KernelId::ConstraintJacobian]),
];

/// The kernels of reverse-mode differentiation.
pub(crate) const PULLBACKS: [KernelId; 4] =
    [KernelId::ResidualPullback, KernelId::ConstraintPullback, KernelId::RatePullback, KernelId::CurvaturePullback];

/// The kernels of a term over a frame that recursions along frames use.
const OF_FRAMES: [KernelId; 6] = [
    KernelId::MassMatrix,
    KernelId::Residual,
    KernelId::KineticEnergy,
    KernelId::PotentialEnergy,
    KernelId::TangentStiffness,
    KernelId::TangentDamping,
];

impl KernelId {
    /// The arguments and the result of a kernel of terms.
    pub fn signature(self) -> (Inputs, KernelOutput) {
        match self {
            KernelId::MassMatrix => (Inputs::Nothing, KernelOutput::Matrix),
            KernelId::Force => (Inputs::Velocity, KernelOutput::Vector),
            KernelId::Constraint | KernelId::ConstraintDrift => (Inputs::Nothing, KernelOutput::Rows),
            KernelId::ConstraintJacobian => (Inputs::Nothing, KernelOutput::Jacobian),
            KernelId::ConstraintCurvature => (Inputs::Velocity, KernelOutput::Rows),
            KernelId::KineticEnergy => (Inputs::Velocity, KernelOutput::Number),
            KernelId::PotentialEnergy => (Inputs::Nothing, KernelOutput::Number),
            KernelId::Residual => (Inputs::State, KernelOutput::Vector),
            KernelId::TangentStiffness => (Inputs::State, KernelOutput::Matrix),
            KernelId::TangentDamping => (Inputs::Velocity, KernelOutput::Matrix),
            KernelId::RateGradient => (Inputs::Velocity, KernelOutput::Jacobian),
            KernelId::ResidualPullback => (Inputs::State, KernelOutput::Cotangents),
            KernelId::RatePullback | KernelId::CurvaturePullback => (Inputs::Velocity, KernelOutput::Cotangents),
            KernelId::ConstraintPullback => (Inputs::Nothing, KernelOutput::Cotangents),
            other => bug!("the kernel `{}` is not a kernel of terms", other.name()),
        }
    }

    /// The outputs of a kernel of terms.
    fn of(self, equations: &Equations) -> Vec<Scalar> {
        let Equations { inertia, constraints, linearisation, .. } = equations;
        match self {
            KernelId::MassMatrix => inertia.mass.concat(),
            KernelId::Force => equations.force.clone(),
            KernelId::Constraint => constraints.residual.clone(),
            KernelId::ConstraintJacobian => constraints.jacobian.concat(),
            KernelId::ConstraintDrift => constraints.drift.clone(),
            KernelId::ConstraintCurvature => constraints.curvature.clone(),
            KernelId::KineticEnergy => vec![equations.kinetic_energy],
            KernelId::PotentialEnergy => vec![equations.potential_energy],
            KernelId::Residual => linearisation.residual.clone(),
            KernelId::TangentStiffness => linearisation.stiffness.concat(),
            KernelId::TangentDamping => linearisation.damping.concat(),
            KernelId::RateGradient => linearisation.rate_gradient.concat(),
            other => bug!("the kernel `{}` is not a kernel of terms", other.name()),
        }
    }
}

impl Kernels {
    fn list(ids: &[KernelId], equations: &Equations) -> Vec<(KernelId, Vec<Scalar>)> {
        ids.iter().map(|&id| (id, id.of(equations))).collect()
    }

    /// The kernels of reverse-mode differentiation, if the declaration requests them.
    fn pullbacks(equations: &Equations) -> Vec<(KernelId, Vec<Scalar>)> {
        let all = equations.gradients.iter().flat_map(Gradients::all);
        PULLBACKS.into_iter().zip(all).map(|(id, pullback)| (id, pullback.flat())).collect()
    }

    /// The kernels of a term over members; joint kernels are made only for parts with common subexpressions.
    pub fn of_members(equations: &mut Equations, is_conservative: bool) -> Kernels {
        let mut list = Self::list(&OF_TERMS, equations);
        if let Some(lagrangian) = equations.lagrangian().filter(|_| is_conservative) {
            list.push((KernelId::Lagrangian, [&lagrangian.momentum[..], &lagrangian.gradient].concat()));
        }
        list.extend(Self::pullbacks(equations));
        let mut within = BTreeMap::new();
        for (joint, parts) in JOINT {
            if !Self::is_joint(joint, parts, equations) {
                continue;
            }
            let outputs: Vec<Vec<Scalar>> = parts.iter().map(|part| part.of(equations)).collect();
            within.insert(parts[0], (joint, 0..outputs[0].len()));
            list.retain(|(id, _)| *id != parts[0]);
            list.push((joint, outputs.concat()));
        }
        Kernels { within, ..Kernels::optimised(&mut equations.graph, list) }
    }

    /// True if a term uses this joint kernel: the first part and some other part are not zero. A force in a joint kernel with B must not
    /// depend on v or on inputs, because it is evaluated with q only.
    fn is_joint(joint: KernelId, parts: &[KernelId], equations: &Equations) -> bool {
        let graph = &equations.graph;
        let is_there = |part: &KernelId| part.of(equations).iter().any(|&output| !graph.is_zero(output));
        let is_of_configuration = || {
            let kernel = Kernel::new(graph, &equations.force, |_| false);
            !kernel.nodes.iter().any(|&node| match graph.op(node) {
                ScalarOp::Leaf(Leaf::Input { .. }, _) => true,
                ScalarOp::Leaf(leaf, _) => Dependence::of(*leaf).meets(Dependence::VELOCITY),
                _ => false,
            })
        };
        is_there(&parts[0])
            && parts[1..].iter().any(is_there)
            && (joint != KernelId::ForceAndJacobian || is_of_configuration())
    }

    /// The kernels of a term over a frame.
    pub fn of_frames(equations: &mut Equations) -> Kernels {
        let mut list = Self::list(&OF_FRAMES, equations);
        list.extend(Self::pullbacks(equations).into_iter().filter(|(id, _)| *id == KernelId::ResidualPullback));
        Kernels::optimised(&mut equations.graph, list)
    }

    /// The kernels of a term that is the whole system, and of its solution.
    pub fn unrolled(equations: &mut Equations, solve: &Solve, model: &Model) -> Kernels {
        let mut list = Self::list(&OF_TERMS, equations);
        list.extend([
            (KernelId::MassBlocks, solve.mass_blocks.all(&equations.inertia)),
            (KernelId::Momentum, solve.momentum.clone()),
            (KernelId::StoredJacobian, solve.jacobian.clone()),
            (KernelId::Schur, [solve.schur.clone(), solve.schur_right.clone()].concat()),
            (KernelId::SolveMass, solve.free.clone()),
            (KernelId::Acceleration, solve.acceleration.clone()),
            (KernelId::JacobianTimes, solve.times.clone()),
            (KernelId::JacobianTransposeTimes, solve.transpose_times.clone()),
        ]);
        list.extend(Self::pullbacks(equations));
        if let Some(legendre) = equations.legendre() {
            list.extend([
                (KernelId::BodyVelocity, solve.body_velocity.clone()),
                (KernelId::SpatialMomentum, legendre.momentum.clone()),
                (KernelId::Hamiltonian, vec![legendre.hamiltonian]),
                (KernelId::HamiltonianDerivatives, [legendre.velocity.clone(), legendre.force.clone()].concat()),
            ]);
        }
        let mut kernels = Kernels::optimised(&mut equations.graph, list);
        if !model.is_redundant() {
            let outputs = |id| kernels.outputs(id).to_vec();
            let correction = iteration::correction(equations, &model.configuration, outputs);
            kernels.all.extend(correction.map(|outputs| (KernelId::Correction, outputs)));
        }
        kernels
    }

    /// The kernels of a term that is the whole system, for a runtime that solves the equations.
    pub fn of_whole(equations: &mut Equations) -> Kernels {
        let list = Self::list(&OF_TERMS, equations);
        Kernels::optimised(&mut equations.graph, list)
    }

    /// The kernels of the recursion of frames.
    pub fn of_recursion(recursion: &mut RecursionScalars) -> Kernels {
        let motion = [&recursion.frame[..], &recursion.velocity, &recursion.acceleration].concat();
        let mut list = vec![
            (KernelId::Frame, recursion.frame.clone()),
            (KernelId::FrameMotion, motion),
            (KernelId::FramePush, recursion.push.clone()),
            (KernelId::FramePull, recursion.pull.clone()),
            (KernelId::FrameTransport, recursion.transport.clone()),
            (KernelId::FramePushAlong, recursion.products.push.clone()),
            (KernelId::FramePullAlong, recursion.products.pull.clone()),
            (KernelId::FrameTurnAlong, recursion.products.turn.clone()),
            (KernelId::FrameTangents, recursion.tangents.clone()),
        ];
        list.extend(recursion.pullback.iter().map(|pullback| (KernelId::FramePullback, pullback.flat())));
        Kernels::optimised(&mut recursion.graph, list)
    }

    /// The kernels of the frame of the base.
    pub fn of_base(base: &mut BaseFrameScalars) -> Kernels {
        let motion = [&base.frame[..], &base.velocity, &base.acceleration].concat();
        let mut list = vec![(KernelId::FrameMotion, motion)];
        list.extend(base.pullback.iter().map(|pullback| (KernelId::FramePullback, pullback.flat())));
        Kernels::optimised(&mut base.graph, list)
    }

    /// Optimises each kernel separately by the passes of `graph::rewrite`.
    fn optimised(graph: &mut Graph, list: Vec<(KernelId, Vec<Scalar>)>) -> Kernels {
        let all = list.into_iter().map(|(id, outputs)| (id, graph.optimised(&outputs, Graph::is_hoisted))).collect();
        Kernels { all, within: BTreeMap::new() }
    }

    /// The outputs of a kernel.
    pub fn outputs(&self, id: KernelId) -> &[Scalar] {
        self.planned(id).unwrap_or_else(|| bug!("the kernel `{}` is not planned", id.name()))
    }

    /// The outputs of a kernel; `None` if it is not planned.
    pub fn planned(&self, id: KernelId) -> Option<&[Scalar]> {
        match self.within.get(&id) {
            Some((joint, range)) => self.all.get(joint).map(|outputs| &outputs[range.clone()]),
            None => self.all.get(&id).map(Vec::as_slice),
        }
    }

    /// The joint kernel that contains a kernel without code of its own.
    pub fn joint_of(&self, id: KernelId) -> Option<KernelId> {
        self.within.get(&id).map(|(joint, _)| *joint)
    }

    /// True if there is such a kernel.
    pub fn has(&self, id: KernelId) -> bool {
        self.all.contains_key(&id)
    }

    /// The outputs of all kernels.
    pub fn all(&self) -> impl Iterator<Item = &Vec<Scalar>> {
        self.all.values()
    }

    /// Scalar operations of each kernel, hoisted values given.
    pub fn operations(&self, graph: &Graph, hoisted: &Hoisted) -> Vec<(KernelId, usize)> {
        self.all.keys().map(|&id| (id, self.operations_of(id, graph, hoisted))).collect()
    }

    /// Scalar operations of one kernel.
    pub fn operations_of(&self, id: KernelId, graph: &Graph, hoisted: &Hoisted) -> usize {
        let given = |node: Scalar| hoisted.position(node).is_some();
        Kernel::new(graph, self.outputs(id), given).operations(graph, given)
    }
}
