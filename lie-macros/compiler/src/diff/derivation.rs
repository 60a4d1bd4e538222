//! The workspace of a derivation, and the declared functions as expressions.

use crate::expr::{Node, Seeds};
use crate::interp::SymbolicInterpreter;
use crate::model::{ElementMember, OutputShape, Role, RoleFunction};
use crate::scalar::{Dependence, Graph, Kernel, Lowering, Scalar};

/// Default for the largest number of scalar operations of one function.
pub(super) const MAX_OPERATIONS: usize = 20_000;

/// A power with at least this number of members should not be unrolled.
const LONG: usize = 8;

/// The limit of the linearisation, in multiples of the limit of a function.
const LINEARISED_FACTOR: usize = 40;

/// The workspace of a derivation.
pub(crate) struct Derivation<'a, 'm> {
    pub interpreter: &'a mut SymbolicInterpreter<'m>,
    pub graph: Graph,
    lowering: Lowering,
}

/// The declared functions as expressions, by their index in the model.
pub(crate) struct DeclaredExpressions {
    pub kinetic: Vec<(usize, Node)>,
    pub mass_matrix: Option<(usize, Node)>,
    pub potential: Node,
    pub dissipation: Node,
    pub forces: Vec<(usize, Node)>,
    pub constraints: Vec<(usize, Node)>,
    pub velocity_constraints: Vec<(usize, Node)>,
    /// The quantities; elements of groups by their parts.
    pub quantities: Vec<(usize, Vec<Node>)>,
    /// All functions.
    pub functions: Vec<(usize, Vec<Node>)>,
}

impl<'a, 'm> Derivation<'a, 'm> {
    /// Returns an empty derivation.
    pub(super) fn new(interpreter: &'a mut SymbolicInterpreter<'m>) -> Self {
        Self { interpreter, graph: Graph::new(), lowering: Lowering::new() }
    }
}

impl Derivation<'_, '_> {
    /// True if every differentiated function was read.
    pub(super) fn has_all(&self, declared: &DeclaredExpressions) -> bool {
        let is_read = |role: &Role| !role.is_called() && !matches!(role, Role::Kinematics);
        let functions = self.interpreter.model.functions.iter().filter(|function| is_read(&function.role));
        functions.count() == declared.functions.len()
    }

    /// True if every kinetic energy or mass matrix was read.
    pub(super) fn has_all_inertia(&self, declared: &DeclaredExpressions) -> bool {
        let model = self.interpreter.model;
        let is_inertia = |role: &Role| matches!(role, Role::KineticEnergy | Role::MassMatrix);
        let read = declared.kinetic.len() + usize::from(declared.mass_matrix.is_some());
        !model.gaps.inertia && model.with_role(is_inertia).count() == read
    }

    /// Reads every function that is differentiated.
    pub(super) fn read_all(&mut self) -> DeclaredExpressions {
        let zero = self.interpreter.expressions.number(0.0);
        let mut declared = DeclaredExpressions {
            kinetic: Vec::new(),
            mass_matrix: None,
            potential: zero,
            dissipation: zero,
            forces: Vec::new(),
            constraints: Vec::new(),
            velocity_constraints: Vec::new(),
            quantities: Vec::new(),
            functions: Vec::new(),
        };
        let model = self.interpreter.model;
        for (index, function) in model.functions.iter().enumerate() {
            if function.role.is_called() || matches!(function.role, Role::Kinematics) {
                continue;
            }
            let Some(parts) = self.interpreter.interpret(function) else { continue };
            declared.functions.push((index, parts.clone()));
            if matches!(function.role, Role::Quantity) {
                declared.quantities.push((index, parts));
                continue;
            }
            let [node] = parts[..] else { continue };
            match function.role {
                Role::KineticEnergy => declared.kinetic.push((index, node)),
                Role::MassMatrix if function.element.is_some() => {
                    let energy = self.element_energy(index, node);
                    declared.kinetic.push((index, energy));
                }
                Role::MassMatrix => declared.mass_matrix = Some((index, node)),
                Role::Potential => declared.potential = self.interpreter.expressions.add(declared.potential, node),
                Role::Dissipation => {
                    declared.dissipation = self.interpreter.expressions.add(declared.dissipation, node);
                }
                Role::Force(_) => declared.forces.push((index, node)),
                Role::Constraint => declared.constraints.push((index, node)),
                Role::VelocityConstraint => declared.velocity_constraints.push((index, node)),
                Role::Quantity | Role::Observable | Role::Kinematics | Role::Symmetry | Role::Event => {}
            }
        }
        declared.dissipation = self.without_spins(declared.dissipation);
        for (_, constraint) in &mut declared.velocity_constraints {
            *constraint = self.without_spins(*constraint);
        }
        declared
    }

    /// Reports functions with more scalar operations than the limit, and systems whose linearisation has too many.
    pub(super) fn ensure_size(&mut self, declared: &DeclaredExpressions) -> Option<()> {
        let model = self.interpreter.model;
        let limit = model.max_operations.unwrap_or(MAX_OPERATIONS);
        let raise = |operations: usize| {
            if model.is_expanded {
                return "give smaller lengths, or compile the declaration with the macro, which derives one element"
                    .to_owned();
            }
            // A term over the members is derived and compiled once, unlike an unrolled loop.
            let power =
                model.configuration.members.iter().find(|member| member.count.is_some_and(|count| count >= LONG));
            if let Some(member) = power {
                let name = &member.name;
                return format!(
                    "a loop over `{name}` is unrolled: declare its summand as a term over its members, `over = {name}` or \
                     `over = {name}.windows(2)`, which is derived once"
                );
            }
            let enough = operations.next_power_of_two();
            format!("make it smaller, or raise the limit: #[mechanical_system(max_operations = {enough})]")
        };
        let (mut total, mut linearised, mut is_small) = (0_usize, 0_usize, true);
        for (index, parts) in &declared.functions {
            let nodes = self.interpreter.expressions.reachable(parts).len();
            let operations = if nodes > limit {
                nodes
            } else {
                let scalars = self.flatten(parts);
                self.cost(&scalars)
            };
            total = total.saturating_add(operations);
            let along = self.dof_of(&model.functions[*index]);
            linearised = linearised.saturating_add(operations.saturating_mul(along));
            if operations > limit {
                is_small = false;
                let name = &model.functions[*index].name;
                self.interpreter.report(
                    name,
                    format_args!("`{name}` expands to {operations} scalar operations; the limit is {limit}"),
                    raise(operations),
                );
            }
        }
        let large = limit.saturating_mul(LINEARISED_FACTOR);
        if linearised > large && is_small {
            is_small = false;
            let dof = self.interpreter.leaves.dof;
            self.interpreter.report(
                &model.name,
                format_args!(
                    "`{}` is too large to unroll: {total} scalar operations, each along {dof} degrees of freedom",
                    model.name
                ),
                raise(linearised / LINEARISED_FACTOR),
            );
        }
        is_small.then_some(())
    }

    /// True if a value can be discontinuous during a motion.
    pub(super) fn may_jump(&self, node: Node) -> bool {
        self.interpreter.expressions.may_jump(node, &self.interpreter.frame_parts())
    }

    /// The number of velocity components on which a function depends: all, or the components of the members of an element.
    fn dof_of(&self, function: &RoleFunction) -> usize {
        let leaves = &self.interpreter.leaves;
        let members = function.element.iter().flat_map(|element| element.slots.iter().flatten());
        let own = members.map(|member| match *member {
            ElementMember::Member(field, at) => Some(leaves.atoms_of(field)[at].dof()),
            _ => None,
        });
        match function.element {
            Some(_) => own.sum::<Option<usize>>().unwrap_or(leaves.dof),
            None => leaves.dof,
        }
    }

    /// The rate of a returned value along `seeds`; for an element its left-trivialised velocity.
    pub(super) fn rate_of(&mut self, function: usize, parts: &[Node], seeds: &Seeds) -> Node {
        let rates = match self.interpreter.model.functions[function].output {
            OutputShape::Element(group) => self.interpreter.velocity_of(group, parts, seeds),
            _ => self.interpreter.expressions.tangents(parts, seeds),
        };
        self.interpreter.expressions.concat(rates)
    }

    /// The scalars of an expression, with settled derivatives of roots.
    pub fn lower(&mut self, node: Node) -> Vec<Scalar> {
        let scalars = self.unsettled(node);
        self.graph.settled(&scalars)
    }

    /// The scalars of an expression, with derivatives of roots as powers.
    pub(super) fn unsettled(&mut self, node: Node) -> Vec<Scalar> {
        self.interpreter.leaves.define(&mut self.graph, &mut self.lowering);
        self.lowering.lower(&self.interpreter.expressions, &mut self.graph, node)
    }

    /// The scalar of a 1×1 expression.
    pub fn scalar(&mut self, node: Node) -> Scalar {
        self.lower(node)[0]
    }

    /// The scalars of a velocity-sized vector that is given by atoms.
    pub fn flatten(&mut self, parts: &[Node]) -> Vec<Scalar> {
        parts.iter().flat_map(|&part| self.lower(part)).collect()
    }

    /// Sets the scalars of an expression (a leaf).
    pub fn define(&mut self, node: Node, scalars: Vec<Scalar>) {
        self.lowering.define(node, scalars);
    }

    /// The union of the dependences of scalars.
    pub fn dependence(&self, scalars: &[Scalar]) -> Dependence {
        scalars.iter().fold(Dependence::NONE, |sum, &scalar| sum.with(self.graph.dependence(scalar)))
    }

    /// The number of scalar operations of `outputs`.
    pub fn cost(&self, outputs: &[Scalar]) -> usize {
        Kernel::new(&self.graph, outputs, |_| false).operations(&self.graph, |_| false)
    }
}
