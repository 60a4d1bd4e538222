//! The recursion of frames: velocities, accelerations, and how inertias and covectors go from a frame to the one above.
//!
//! With u = A u₋ + J v + b the rate of x = k(x₋, q), left-trivialised, everything is a tangent or a gradient of u:
//! u' is its rate, A and J its tangents along unit velocities, Aᵀ w and Jᵀ w its gradient for the cotangent w. Derivatives of all of
//! these along x₋ and q make the linearisation.

use super::frame_gradients::FrameParts;
use super::jacobian::{Along, EVERY};
use super::{Derivation, FramePullback, ListRead};
use crate::expr::{Leaf, Node, Type, position};
use crate::graph::{Graph, Scalar};
use crate::model::{Group, RoleFunction};
use crate::read::Reader;

/// Everything that is computed of a recursion, as scalars of one graph. n components of a frame's velocity, m of a
/// member's.
pub(crate) struct Recursion {
    pub graph: Graph,
    /// x: the numbers of its parts, one part after the other.
    pub frame: Vec<Scalar>,
    /// u.
    pub velocity: Vec<Scalar>,
    /// u'.
    pub acceleration: Vec<Scalar>,
    /// A u₋ + J v.
    pub push: Vec<Scalar>,
    /// Aᵀ w and Jᵀ w.
    pub pull: Vec<Scalar>,
    /// Aᵀ I A (n × n), Aᵀ I J (n × m), Jᵀ I J (m × m) and [A J] (n × (n + m)), one after the other.
    pub transport: Vec<Scalar>,
    /// [A J], the derivatives of u along x₋ and q, of u' along u₋ and v, of u' along x₋ and q (n × (n + m) each), and those of Aᵀ w
    /// and Jᵀ w along x₋ and q ((n + m) × (n + m)), one after the other, by rows.
    pub tangents: Vec<Scalar>,
    /// Of declarations that ask for gradients.
    pub pullback: Option<FramePullback>,
    /// The items of lists that k reads.
    pub reads: Vec<ListRead>,
}

/// Derives the recursion that `reader` is a model of; `None` if an error was reported.
pub(super) fn derive(reader: &mut Reader<'_>, group: Group, function: &RoleFunction) -> Option<Recursion> {
    let mut derivation = Derivation::new(reader);
    let frame = derivation.reader.read(function)?;
    let motion = derivation.reader.motion();
    let velocity = derivation.reader.velocity_of(group, &frame, &motion);
    let mut seeds = motion;
    for leaf in derivation.reader.leaves.velocity_leaves() {
        let acceleration = derivation.acceleration_of(leaf);
        seeds.insert(leaf, acceleration);
    }
    let rate = derivation.reader.expressions.tangents(&velocity, &seeds);
    // Without what time alone moves: linear in u₋ and v.
    let moving = derivation.reader.leaves.along(&mut derivation.reader.expressions);
    let push = derivation.reader.velocity_of(group, &frame, &moving);
    let pull = derivation.pulled(&push);
    let transport = derivation.transported(&push, group.dimension());
    let tangents = [
        (&push, Along::Velocity),
        (&velocity, Along::Configuration),
        (&rate, Along::Velocity),
        (&rate, Along::Configuration),
        (&pull, Along::Configuration),
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
    Some(Recursion { graph, frame, velocity, acceleration, push, pull, transport, tangents, pullback, reads })
}

/// What roots hang on, as scalars of one graph.
pub(crate) struct Base {
    pub graph: Graph,
    /// x: the numbers of its parts, one part after the other.
    pub frame: Vec<Scalar>,
    /// u.
    pub velocity: Vec<Scalar>,
    /// u'.
    pub acceleration: Vec<Scalar>,
    /// Of declarations that ask for gradients.
    pub pullback: Option<FramePullback>,
}

/// Derives the base, which moves with time alone; `None` if an error was reported.
pub(super) fn derive_base(reader: &mut Reader<'_>, group: Group, function: &RoleFunction) -> Option<Base> {
    let mut derivation = Derivation::new(reader);
    let frame = derivation.reader.read(function)?;
    let motion = derivation.reader.motion();
    let velocity = derivation.reader.velocity_of(group, &frame, &motion);
    let acceleration = derivation.reader.expressions.tangents(&velocity, &motion);
    let parts = FrameParts { group, frame: &frame, velocity: &velocity, acceleration: &acceleration, push: None };
    let pullback = derivation.frame_pullback(&parts);
    let [frame, velocity, acceleration] = [frame, velocity, acceleration].map(|parts| derivation.flatten(&parts));
    derivation.ensure_kinematics_size(function, &acceleration)?;
    Some(Base { graph: derivation.graph, frame, velocity, acceleration, pullback })
}

impl Derivation<'_, '_> {
    /// Jᵀ w: the gradient of w · u with respect to the velocity, for the covector w that the leaves of covectors are.
    pub(super) fn pulled(&mut self, velocity: &[Node]) -> Vec<Node> {
        let e = &mut self.reader.expressions;
        let mut work = e.number(0.0);
        let mut at = 0;
        for &part in velocity {
            let rows = e.shape(part).0;
            let entries = (at..at + rows).map(|row| e.leaf(Leaf::Covector(position(row)), Type::SCALAR)).collect();
            let covector = e.stack(entries, rows, 1);
            let term = e.dot(covector, part);
            work = e.add(work, term);
            at += rows;
        }
        self.velocity_gradient(work)
    }

    /// [A J]ᵀ I [A J] in its three parts, with I given by its upper triangle, and [A J] itself.
    fn transported(&mut self, velocity: &[Node], n: usize) -> Vec<Scalar> {
        let dof = self.reader.leaves.dof;
        let columns: Vec<Vec<Scalar>> = (0..dof)
            .map(|column| {
                let seeds = self.reader.leaves.velocity_direction(&mut self.reader.expressions, column);
                let tangents = self.reader.expressions.tangents(velocity, &seeds);
                self.flatten(&tangents)
            })
            .collect();
        let inertia: Vec<Vec<Scalar>> = (0..n)
            .map(|row| {
                let entry = |column: usize| Leaf::Symmetric(position(row.min(column) * n + row.max(column)));
                (0..n).map(|column| self.graph.leaf(entry(column), 0)).collect()
            })
            .collect();
        let graph = &mut self.graph;
        // I [A J] by columns.
        let weighted: Vec<Vec<Scalar>> =
            columns.iter().map(|column| inertia.iter().map(|row| graph.dot(row, column)).collect()).collect();
        let mut entry = |row: usize, column: usize| {
            let (row, column) = (row.min(column), row.max(column));
            graph.dot(&columns[row], &weighted[column])
        };
        let mut all = Vec::new();
        for (rows, columns) in [(0..n, 0..n), (0..n, n..dof), (n..dof, n..dof)] {
            for row in rows {
                all.extend(columns.clone().map(|column| entry(row, column)));
            }
        }
        all.extend((0..n).flat_map(|row| columns.iter().map(move |column| column[row])));
        all
    }

    /// Reports a recursion that expands to more scalar operations than the limit.
    fn ensure_kinematics_size(&mut self, function: &RoleFunction, outputs: &[Scalar]) -> Option<()> {
        let limit = self.reader.model.max_operations.unwrap_or(super::MAX_OPERATIONS);
        let operations = self.cost(outputs);
        if operations <= limit {
            return self.reader.is_clean().then_some(());
        }
        let (name, enough) = (&function.name, operations.next_power_of_two());
        self.reader.report(
            name,
            format_args!("`{name}` expands to {operations} scalar operations; the limit is {limit}"),
            format_args!("make it smaller, or raise the limit: #[mechanical_system(max_operations = {enough})]"),
        );
        None
    }
}
