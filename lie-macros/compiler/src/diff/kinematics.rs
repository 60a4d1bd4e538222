//! The recursion of frames: velocities, accelerations, and the propagation of inertias and covectors to the parent frame.
//!
//! Let u = A u₋ + J v + b be the left-trivialised rate of x = k(x₋, q). All results are tangents or gradients of u: u' is its rate, A and J
//! are its tangents along unit velocities, and Aᵀ w and Jᵀ w its gradient for the cotangent w. The linearisation consists of the
//! derivatives of these results along x₋ and q.

use super::frame_gradients::FrameParts;
use super::frame_products::Products;
use super::jacobian::{DifferentiationVariable, EVERY};
use super::{Derivation, FramePullback, ListRead};
use crate::expr::Node;
use crate::interp::SymbolicInterpreter;
use crate::model::{Group, RoleFunction};
use crate::scalar::{Graph, Scalar};

/// All results of a recursion, as scalars of one graph. A frame has n velocity components, a member m.
pub(crate) struct RecursionScalars {
    pub graph: Graph,
    /// x: the scalars of its parts, one part after the other.
    pub frame: Vec<Scalar>,
    /// u.
    pub velocity: Vec<Scalar>,
    /// u'.
    pub acceleration: Vec<Scalar>,
    /// A u₋ + J v.
    pub push: Vec<Scalar>,
    /// Aᵀ w and Jᵀ w.
    pub pull: Vec<Scalar>,
    /// Aᵀ I A (n × n), Aᵀ I J (n × m), Jᵀ I J (m × m) and the stored scalars of [A J], one after the other; for a point of the sphere in
    /// its own coordinates (see [`Products`]).
    pub transport: Vec<Scalar>,
    /// The products with the stored scalars.
    pub products: Products,
    /// The derivatives for the linearisation, by rows and one after the other: [A J]; u along x₋ and q; u' along u₋ and v; u' along x₋ and
    /// q (n × (n + m) each); Aᵀ w and Jᵀ w along x₋ and q ((n + m) × (n + m)).
    pub tangents: Vec<Scalar>,
    /// The cotangents, if the declaration requests gradients.
    pub pullback: Option<FramePullback>,
    /// The items of lists that k reads.
    pub reads: Vec<ListRead>,
}

/// Derives the recursion of the model of `reader`; `None` if an error was reported.
pub(super) fn derive(
    interpreter: &mut SymbolicInterpreter<'_>,
    group: Group,
    function: &RoleFunction,
) -> Option<RecursionScalars> {
    let mut derivation = Derivation::new(interpreter);
    let frame = derivation.interpreter.interpret(function)?;
    let motion = derivation.interpreter.motion();
    let velocity = derivation.interpreter.velocity_of(group, &frame, &motion);
    let mut seeds = motion;
    seeds.extend(derivation.acceleration_seeds());
    let rate = derivation.interpreter.expressions.tangents(&velocity, &seeds);
    // Without the part that depends on time alone: linear in u₋ and v.
    let moving = derivation.interpreter.leaves.along(&mut derivation.interpreter.expressions);
    let push = derivation.interpreter.velocity_of(group, &frame, &moving);
    let pull = derivation.pulled(&push);
    let jacobian = derivation.frame_jacobian(group, &frame, &push);
    let products = derivation.products(&jacobian, group.dimension());
    let transport = [derivation.transported(&jacobian, group.dimension()), products.numbers.clone()].concat();
    let tangents = [
        (&push, DifferentiationVariable::Velocity),
        (&velocity, DifferentiationVariable::Configuration),
        (&rate, DifferentiationVariable::Velocity),
        (&rate, DifferentiationVariable::Configuration),
        (&pull, DifferentiationVariable::Configuration),
    ]
    .map(|(parts, along)| derivation.jacobian(parts, along, EVERY).concat())
    .concat();
    let parts = FrameParts { group, frame: &frame, velocity: &velocity, acceleration: &rate, push: Some(&push) };
    let pullback = derivation.frame_pullback(&parts);
    let [frame, velocity, acceleration, push, pull] =
        [frame, velocity, rate, push, pull].map(|parts| derivation.flatten(&parts));
    derivation.ensure_kinematics_size(function, &[&transport[..], &tangents].concat())?;
    let reads = derivation.list_reads();
    let graph = derivation.graph;
    Some(RecursionScalars {
        graph,
        frame,
        velocity,
        acceleration,
        push,
        pull,
        transport,
        products,
        tangents,
        pullback,
        reads,
    })
}

/// The frame of the base, as scalars of one graph.
pub(crate) struct BaseFrameScalars {
    pub graph: Graph,
    /// x: the scalars of its parts, one part after the other.
    pub frame: Vec<Scalar>,
    /// u.
    pub velocity: Vec<Scalar>,
    /// u'.
    pub acceleration: Vec<Scalar>,
    /// The cotangents, if the declaration requests gradients.
    pub pullback: Option<FramePullback>,
}

/// Derives the base, which depends on time alone; `None` if an error was reported.
pub(super) fn derive_base(
    interpreter: &mut SymbolicInterpreter<'_>,
    group: Group,
    function: &RoleFunction,
) -> Option<BaseFrameScalars> {
    let mut derivation = Derivation::new(interpreter);
    let frame = derivation.interpreter.interpret(function)?;
    let motion = derivation.interpreter.motion();
    let velocity = derivation.interpreter.velocity_of(group, &frame, &motion);
    let acceleration = derivation.interpreter.expressions.tangents(&velocity, &motion);
    let parts = FrameParts { group, frame: &frame, velocity: &velocity, acceleration: &acceleration, push: None };
    let pullback = derivation.frame_pullback(&parts);
    let [frame, velocity, acceleration] = [frame, velocity, acceleration].map(|parts| derivation.flatten(&parts));
    derivation.ensure_kinematics_size(function, &acceleration)?;
    Some(BaseFrameScalars { graph: derivation.graph, frame, velocity, acceleration, pullback })
}

impl Derivation<'_, '_> {
    /// Jᵀ w: the gradient of w · u with respect to the velocity, with the covector leaves as w.
    pub(super) fn pulled(&mut self, velocity: &[Node]) -> Vec<Node> {
        let work = self.work(0, velocity);
        self.velocity_gradient(work)
    }

    /// Reports a recursion that expands to more scalar operations than the limit.
    fn ensure_kinematics_size(&mut self, function: &RoleFunction, outputs: &[Scalar]) -> Option<()> {
        let limit = self.interpreter.model.max_operations.unwrap_or(super::derivation::MAX_OPERATIONS);
        let operations = self.cost(outputs);
        if operations <= limit {
            return self.interpreter.is_clean().then_some(());
        }
        let (name, enough) = (&function.name, operations.next_power_of_two());
        self.interpreter.report(
            name,
            format_args!("`{name}` expands to {operations} scalar operations; the limit is {limit}"),
            format_args!("make it smaller, or raise the limit: #[mechanical_system(max_operations = {enough})]"),
        );
        None
    }
}
