//! The equations of motion, by differentiation of the declaration.
//!
//! Let L = T − V and p = ∂T/∂v. The left-trivialised (Euler-Poincaré) equations are
//!
//! ```text
//! d/dt p − ad_vᵀ p − D_q T + D_q V + ∂R/∂v − F + Bᵀ λ = 0,     B v + b = 0.
//! ```
//!
//! Here M = ∂p/∂v, and g is the sum of all terms without v' and λ (paper 1, eq. 1). All derivations are tangents (forward mode) or
//! gradients (reverse mode) of expressions.

mod composite;
mod constraints;
mod covector;
mod coverage;
mod declared_values;
mod dissipation;
mod forces;
mod formulas;
mod frame_gradients;
mod frame_products;
mod frames;
mod gradients;
mod inertia;
mod jacobian;
mod kinematics;
mod legendre;
mod linearise;
mod lists;
mod quantity_inertia;
mod sphere_spin;
mod system;

pub(crate) use constraints::Constraints;
pub(crate) use declared_values::DeclaredFunction;
use forces::Balance;
pub(crate) use formulas::Stated;
pub(crate) use frame_gradients::FramePullback;
pub(crate) use gradients::{Datum, Gradients};
pub(crate) use inertia::Inertia;
pub(crate) use kinematics::{Base, Recursion};
pub(crate) use legendre::{Canonical, Lagrangian, Legendre, Obstacle};
pub(crate) use linearise::Linearisation;
pub(crate) use lists::ListRead;
pub(crate) use system::{Derived, DerivedFrames, DerivedTerm, derive_all};

use crate::expr::{Node, Seeds};
use crate::graph::{Dependence, Graph, Kernel, Lowering, Scalar};
use crate::interp::SymbolicInterpreter;
use crate::model::{Output, Role};

/// Default for the largest number of scalar operations of one function.
const MAX_OPERATIONS: usize = 20_000;

/// A power with at least this number of members should not be unrolled.
const LONG: usize = 8;

/// The limit of the linearisation, in multiples of the limit of a function.
const LINEARISED_FACTOR: usize = 40;

/// The functions that are computed at run time, as scalars of one graph.
pub(crate) struct Equations {
    pub graph: Graph,
    pub kinetic_energy: Scalar,
    pub potential_energy: Scalar,
    /// True if it can be discontinuous during a motion.
    pub potential_jumps: bool,
    pub inertia: Inertia,
    /// −g(t, q, v).
    pub force: Vec<Scalar>,
    /// See [`Balance`].
    pub force_is_of_velocity: bool,
    pub constraints: Constraints,
    pub linearisation: Linearisation,
    /// The gradients, if the declaration requests them.
    pub gradients: Option<Gradients>,
    /// The Hamiltonian or a part of it, or the reason why there is none.
    pub canonical: Result<Canonical, Obstacle>,
    /// The rate of each quantity, in the order of declaration.
    pub rates: Vec<Rate>,
    /// The values of the declared functions.
    pub functions: Vec<DeclaredFunction>,
    /// The list items that they read.
    pub reads: Vec<ListRead>,
    /// The equations for the documentation, if they fit on a page.
    pub stated: Option<Stated>,
}

impl Equations {
    /// The Hamiltonian of a system with one term.
    pub fn legendre(&self) -> Option<&Legendre> {
        match &self.canonical {
            Ok(Canonical::Whole(legendre)) => Some(legendre),
            _ => None,
        }
    }

    /// The Lagrangian of one of several conservative terms.
    pub fn lagrangian(&self) -> Option<&Lagrangian> {
        match &self.canonical {
            Ok(Canonical::Part(lagrangian)) => Some(lagrangian),
            _ => None,
        }
    }
}

/// The rate of a declared quantity.
pub(crate) struct Rate {
    /// The position of the quantity among the functions.
    pub function: usize,
    pub entries: Vec<Scalar>,
}

/// The workspace of a derivation.
pub(crate) struct Derivation<'a, 'm> {
    pub interpreter: &'a mut SymbolicInterpreter<'m>,
    pub graph: Graph,
    lowering: Lowering,
}

/// The results of a term, as far as it has no errors.
pub(super) struct Partial {
    /// True for the components of velocity that have inertia; `None` if an energy has errors.
    pub inertia: Option<Vec<bool>>,
    pub equations: Option<Equations>,
}

/// Derives the equations of motion of a term. All derivations without errors are done, to find further errors.
fn derive(interpreter: &mut SymbolicInterpreter<'_>) -> Partial {
    let mut derivation = Derivation::new(interpreter);
    let declared = derivation.read_all();
    if derivation.ensure_size(&declared).is_none() {
        return Partial { inertia: None, equations: None };
    }
    derivation.check_dissipation(&declared);
    let inertia = derivation.has_all_inertia(&declared).then(|| derivation.inertia(&declared)).flatten();
    let constraints = derivation.constraints(&declared);
    let is_complete = derivation.interpreter.is_clean() && derivation.has_all(&declared);
    Partial {
        inertia: inertia.as_ref().map(|inertia| {
            let is_zero = |entry: &Scalar| derivation.graph.is_zero(*entry);
            inertia.mass.iter().map(|row| !row.iter().all(is_zero)).collect()
        }),
        equations: match (inertia, constraints) {
            (Some(inertia), Some(constraints)) if is_complete => equations(derivation, &declared, inertia, constraints),
            _ => None,
        },
    }
}

/// The equations of motion of a term without errors so far; `None` if an error was reported.
fn equations(
    mut derivation: Derivation<'_, '_>,
    declared: &Declared,
    inertia: Inertia,
    constraints: Constraints,
) -> Option<Equations> {
    let momentum = inertia.momentum.clone();
    let terms = derivation.balance(declared, inertia.kinetic_energy, &momentum);
    let force = derivation.flatten(&terms.force);
    let linearisation = derivation.linearise(&terms, &constraints);
    let gradients = derivation
        .interpreter
        .model
        .gradients
        .is_some()
        .then(|| derivation.gradients(declared, &inertia, &constraints));
    let kinetic_energy = derivation.scalar(inertia.kinetic_energy);
    let potential_energy = derivation.scalar(declared.potential);
    let potential_jumps = derivation.interpreter.expressions.may_jump(declared.potential);
    let mut rates = Vec::new();
    let motion = derivation.interpreter.motion();
    for (function, parts) in &declared.quantities {
        let rate = derivation.rate_of(*function, parts, &motion);
        rates.push(Rate { function: *function, entries: derivation.lower(rate) });
    }
    let canonical = derivation.canonical(declared, &inertia);
    let functions = derivation.declared_functions(declared);
    let reads = derivation.list_reads();
    let stated = derivation.stated(declared, &inertia, &constraints, &terms);
    derivation.interpreter.is_clean().then_some(Equations {
        graph: derivation.graph,
        kinetic_energy,
        potential_energy,
        potential_jumps,
        inertia,
        force,
        force_is_of_velocity: terms.is_of_velocity,
        constraints,
        linearisation,
        gradients,
        canonical,
        rates,
        functions,
        reads,
        stated,
    })
}

/// The declared functions as expressions, by their index in the model.
pub(crate) struct Declared {
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
    fn new(interpreter: &'a mut SymbolicInterpreter<'m>) -> Self {
        Self { interpreter, graph: Graph::new(), lowering: Lowering::new() }
    }
}

impl Derivation<'_, '_> {
    /// True if every differentiated function was read.
    fn has_all(&self, declared: &Declared) -> bool {
        let is_read = |role: &Role| !role.is_called() && !matches!(role, Role::Kinematics);
        let functions = self.interpreter.model.functions.iter().filter(|function| is_read(&function.role));
        functions.count() == declared.functions.len()
    }

    /// True if every kinetic energy or mass matrix was read.
    fn has_all_inertia(&self, declared: &Declared) -> bool {
        let model = self.interpreter.model;
        let is_inertia = |role: &Role| matches!(role, Role::KineticEnergy | Role::MassMatrix);
        let read = declared.kinetic.len() + usize::from(declared.mass_matrix.is_some());
        !model.gaps.inertia && model.with_role(is_inertia).count() == read
    }

    /// Reads every function that is differentiated.
    fn read_all(&mut self) -> Declared {
        let zero = self.interpreter.expressions.number(0.0);
        let mut declared = Declared {
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
    fn ensure_size(&mut self, declared: &Declared) -> Option<()> {
        let model = self.interpreter.model;
        let limit = model.max_operations.unwrap_or(MAX_OPERATIONS);
        let raise = |operations: usize| {
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
        let (mut total, mut is_small) = (0_usize, true);
        for (index, parts) in &declared.functions {
            let nodes = self.interpreter.expressions.reachable(parts).len();
            let operations = if nodes > limit {
                nodes
            } else {
                let scalars = self.flatten(parts);
                self.cost(&scalars)
            };
            total = total.saturating_add(operations);
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
        let linearised = total.saturating_mul(self.interpreter.leaves.dof);
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

    /// The rate of a returned value along `seeds`; for an element its left-trivialised velocity.
    fn rate_of(&mut self, function: usize, parts: &[Node], seeds: &Seeds) -> Node {
        let rates = match self.interpreter.model.functions[function].output {
            Output::Element(group) => self.interpreter.velocity_of(group, parts, seeds),
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
    fn unsettled(&mut self, node: Node) -> Vec<Scalar> {
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
