//! Mass matrix and momenta.

use std::collections::HashMap;

use super::jacobian::{DifferentiationVariable, UPPER};
use super::{DeclaredExpressions, Derivation};
use crate::expr::{Leaf, Node, Type, position};
use crate::interp::Value;
use crate::model::is_of_states;
use crate::scalar::{Dependence, Scalar, ScalarOp};

/// The kinetic energy and the inertia that follows from it.
pub(crate) struct Inertia {
    /// M by rows; structural zeros are the constant 0.
    pub mass: Vec<Vec<Scalar>>,
    /// True if M depends on parameters only.
    pub is_constant: bool,
    /// p = ∂T/∂v by atoms; for auxiliary states p = z.
    pub momentum: Vec<Node>,
    /// T.
    pub kinetic_energy: Node,
    /// T + z · z / 2 with the auxiliary states z, whose derivative with respect to the velocity is `momentum`.
    pub energy_of_momentum: Node,
    /// T and p as functions of the parameters, also if M is constant and its entries are leaves above.
    pub of_parameters: (Node, Vec<Node>),
    /// The additional energy of spins about the directions of spheres.
    pub axial_energy: Option<Scalar>,
    /// The components of the velocity in independent blocks of M, each in ascending order.
    pub blocks: Vec<Vec<usize>>,
}

impl Derivation<'_, '_> {
    /// Derives M and p; `None` if an error was reported.
    pub fn inertia(&mut self, declared: &DeclaredExpressions) -> Option<Inertia> {
        let declared_energy = self.declared_kinetic_energy(declared);
        self.refuse_spins(declared, declared_energy);
        let axial = self.axial_energy(declared_energy);
        let energy = match axial {
            Some(axial) => self.interpreter.expressions.add(declared_energy, axial),
            None => declared_energy,
        };
        let axial_energy = axial.map(|axial| self.scalar(axial));
        let of_states = self.energy_of_states();
        let total = self.interpreter.expressions.add(energy, of_states);
        let momentum = self.velocity_gradient(total);
        let mass = self.mass_matrix(total, &momentum);
        self.check_mass(declared, &mass)?;
        let entries: Vec<Scalar> = mass.concat();
        let dependence = self.dependence(&entries);
        if dependence.meets(Dependence::VELOCITY) {
            for (index, _) in &declared.kinetic {
                let function = &self.interpreter.model.functions[*index];
                self.interpreter.report(
                    &function.name,
                    format_args!("the kinetic energy `{}` is not quadratic in the velocity", function.name),
                    "terms of second, first and zeroth degree in the velocity are allowed",
                );
            }
            return None;
        }
        let is_constant = dependence.within(Dependence::PARAMETERS.with(Dependence::INDEX));
        let blocks = blocks(self, &mass);
        let of_parameters = (energy, momentum.clone());
        let (kinetic_energy, momentum) =
            if is_constant { self.constant_inertia(energy, &momentum, &mass) } else { (energy, momentum) };
        let energy_of_momentum = self.interpreter.expressions.add(kinetic_energy, of_states);
        Some(Inertia {
            mass,
            is_constant,
            momentum,
            kinetic_energy,
            energy_of_momentum,
            of_parameters,
            axial_energy,
            blocks,
        })
    }

    /// z · z / 2. Auxiliary states are velocities of coordinates with unit inertia on which nothing depends, so that the rows of their
    /// equations are z' = f.
    fn energy_of_states(&mut self) -> Node {
        let model = self.interpreter.model;
        let at = model.configuration.members.iter().position(is_of_states);
        // In an assembled system a term without functions contains their inertia.
        let at = at.filter(|_| !model.is_part || model.functions.is_empty());
        let atoms = at.map_or(&[][..], |at| self.interpreter.leaves.atoms_of(at));
        let leaves: Vec<Node> = atoms.iter().flat_map(|atom| atom.velocity.iter().copied()).collect();
        let e = &mut self.interpreter.expressions;
        let half = e.number(0.5);
        let zero = e.number(0.0);
        leaves.into_iter().fold(zero, |sum, leaf| {
            let square = e.dot(leaf, leaf);
            let energy = e.scale(half, square);
            e.add(sum, energy)
        })
    }

    fn declared_kinetic_energy(&mut self, declared: &DeclaredExpressions) -> Node {
        let velocity = self.interpreter.leaves.velocity_leaves();
        let e = &mut self.interpreter.expressions;
        if let Some((_, mass)) = declared.mass_matrix {
            let v = e.concat(velocity);
            let p = e.product(mass, v);
            let twice = e.dot(v, p);
            let half = e.number(0.5);
            return e.scale(half, twice);
        }
        // An element can be without inertia of its own.
        let mut terms = declared.kinetic.iter().map(|(_, node)| *node);
        let first = terms.next().unwrap_or_else(|| e.number(0.0));
        terms.fold(first, |sum, term| e.add(sum, term))
    }

    /// M = ∂p/∂v by its upper triangle, or ∂²T/∂v², depending on the number of operations.
    fn mass_matrix(&mut self, energy: Node, momentum: &[Node]) -> Vec<Vec<Scalar>> {
        let dof = self.interpreter.leaves.dof;
        let half = self.jacobian(momentum, DifferentiationVariable::Velocity, UPPER);
        let by_momentum: Vec<Vec<Scalar>> =
            (0..dof).map(|row| (0..dof).map(|column| half[row.min(column)][row.max(column)]).collect()).collect();
        match self.composite_mass(energy) {
            Some(composite) if self.cost(&composite.concat()) < self.cost(&by_momentum.concat()) => composite,
            _ => by_momentum,
        }
    }

    /// Reports degenerate and unsymmetric declarations.
    fn check_mass(&mut self, declared: &DeclaredExpressions, mass: &[Vec<Scalar>]) -> Option<()> {
        let model = self.interpreter.model;
        if let Some((index, node)) = declared.mass_matrix {
            let function = &model.functions[index];
            let n = mass.len();
            let entries = self.lower(node);
            for row in 0..n {
                for column in 0..row {
                    let (a, b) = (entries[row * n + column], entries[column * n + row]);
                    if self.graph.is_zero(a) != self.graph.is_zero(b) {
                        self.interpreter.report(
                            &function.output_type,
                            format_args!("the mass matrix is not symmetric: entry ({row}, {column})"),
                            format_args!("M[({row}, {column})] and M[({column}, {row})] must be equal"),
                        );
                        return None;
                    }
                }
            }
        }
        if model.is_part {
            // Other elements can provide the missing inertia.
            return Some(());
        }
        let mut clean = true;
        let (offsets, _) = model.offsets();
        for ((at, member), first) in model.configuration.members.iter().enumerate().zip(offsets) {
            let atoms = self.interpreter.leaves.atoms_of(at);
            let size = member.group.dimension();
            // Clamped members do not move.
            let is_free = |row: &usize| !model.held.contains(&[at, (row - first) / size]);
            let all = atoms.iter().flat_map(|atom| atom.offset..atom.offset + atom.dof()).filter(is_free);
            let all: Vec<usize> = all.collect();
            if all.iter().any(|&row| self.graph.as_number(mass[row][row]).is_some_and(|entry| entry < 0.0)) {
                clean = false;
                let name = &member.name;
                self.interpreter.report(
                    name,
                    format_args!("the inertia of `{name}` is negative"),
                    "write the kinetic energy as 0.5 * mass * v², without a minus",
                );
            }
            let is_idle = |row: &usize| mass[*row].iter().all(|&entry| self.graph.is_zero(entry));
            let rows: Vec<usize> = all.into_iter().filter(is_idle).collect();
            if !rows.is_empty() {
                clean = false;
                let name = &member.name;
                let what = match declared.mass_matrix {
                    Some(_) => "mass matrix has zero rows",
                    None => "kinetic energy does not depend on all of its velocity",
                };
                self.interpreter.report(
                    name,
                    format_args!(
                        "`{name}` has no inertia: the {what} ({} of its components{})",
                        rows.len(),
                        super::coverage::fields(member, rows.iter().map(|row| row - first))
                    ),
                    match declared.mass_matrix {
                        Some(_) => format!("give it positive entries on the diagonal, in the rows of `{name}`"),
                        None => super::coverage::with_inertia(&super::coverage::example(member, false)),
                    },
                );
            }
        }
        clean.then_some(())
    }

    /// T and p with the entries of a constant M as arguments, so that all kernels share them.
    fn constant_inertia(&mut self, energy: Node, momentum: &[Node], mass: &[Vec<Scalar>]) -> (Node, Vec<Node>) {
        let at_rest = self.at_rest(energy);
        let linear: Vec<Node> = momentum.iter().map(|&part| self.at_rest(part)).collect();
        let product = self.mass_times_velocity(mass);
        let velocity = self.velocity();
        // The kinetic energy does not contain auxiliary states.
        let at = self.interpreter.model.configuration.members.iter().position(is_of_states);
        let leaves = &self.interpreter.leaves;
        let offsets: Vec<usize> =
            at.map_or_else(Vec::new, |at| leaves.atoms_of(at).iter().map(|atom| atom.offset).collect());
        let is_of_states: Vec<bool> = leaves.atoms.iter().map(|atom| offsets.contains(&atom.offset)).collect();
        let e = &mut self.interpreter.expressions;
        let half = e.number(0.5);
        let mut kinetic = at_rest;
        let mut total = Vec::new();
        for (((&v, &p), &extra), is_of_states) in velocity.iter().zip(&product).zip(&linear).zip(is_of_states) {
            if is_of_states {
                total.push(p);
                continue;
            }
            let twice = e.dot(v, p);
            let quadratic = e.scale(half, twice);
            let mixed = e.dot(v, extra);
            kinetic = e.add(kinetic, quadratic);
            kinetic = e.add(kinetic, mixed);
            total.push(e.add(p, extra));
        }
        (kinetic, total)
    }

    /// M v by atoms; blocks that are multiples of the identity scale.
    fn mass_times_velocity(&mut self, mass: &[Vec<Scalar>]) -> Vec<Node> {
        let mut leaves: HashMap<Scalar, Node> = HashMap::new();
        // The blocks of the velocity with their first components.
        let mut parts = Vec::new();
        for atom in self.interpreter.leaves.atoms.clone() {
            let mut offset = atom.offset;
            for &leaf in &atom.velocity {
                parts.push((leaf, offset));
                offset += self.interpreter.expressions.shape(leaf).0;
            }
        }
        let mut products = HashMap::new();
        for &(row_leaf, row) in &parts {
            let rows = self.interpreter.expressions.shape(row_leaf).0;
            let mut sum = self.interpreter.expressions.zeros(rows, 1);
            for &(column_leaf, column) in &parts {
                let columns = self.interpreter.expressions.shape(column_leaf).0;
                let block: Vec<Scalar> =
                    (0..rows * columns).map(|at| mass[row + at / columns][column + at % columns]).collect();
                let scalars: Vec<Node> = block
                    .iter()
                    .enumerate()
                    .map(|(at, &entry)| self.mass_leaf(&mut leaves, entry, row + at / columns, column + at % columns))
                    .collect();
                let is_multiple = rows == columns
                    && (0..rows * columns).all(|at| {
                        if at / columns == at % columns { block[at] == block[0] } else { self.graph.is_zero(block[at]) }
                    });
                let e = &mut self.interpreter.expressions;
                let term = if is_multiple {
                    e.scale(scalars[0], column_leaf)
                } else {
                    let matrix = e.stack(scalars, rows, columns);
                    e.product(matrix, column_leaf)
                };
                sum = e.add(sum, term);
            }
            products.insert(row_leaf, sum);
        }
        self.by_atoms(|_, atom| atom.velocity.iter().map(|leaf| products[leaf]).collect())
    }

    /// The leaf of an entry of M.
    fn mass_leaf(&mut self, leaves: &mut HashMap<Scalar, Node>, entry: Scalar, row: usize, column: usize) -> Node {
        if let Some(value) = self.graph.as_number(entry) {
            return self.interpreter.expressions.number(value);
        }
        if let Some(&leaf) = leaves.get(&entry) {
            return leaf;
        }
        // An entry that is equal to a parameter is this parameter in every expression.
        if let Some(parameter) = self.parameter_node(entry) {
            leaves.insert(entry, parameter);
            return parameter;
        }
        let name = Leaf::Mass(position(row.min(column)), position(row.max(column)));
        let leaf = self.interpreter.expressions.leaf(name, Type::SCALAR);
        self.define(leaf, vec![entry]);
        leaves.insert(entry, leaf);
        leaf
    }
}

impl Derivation<'_, '_> {
    /// The expression of a scalar that is a component of a parameter.
    fn parameter_node(&mut self, entry: Scalar) -> Option<Node> {
        let ScalarOp::Leaf(Leaf::Parameter { field, element }, component) = *self.graph.op(entry) else { return None };
        let value = match self.interpreter.leaves.entry(field as usize) {
            Value::Array(items) => items.get(element as usize)?.clone(),
            value => value,
        };
        match value {
            Value::Scalar(node) => Some(node),
            Value::Matrix(node) => {
                let columns = self.interpreter.expressions.shape(node).1;
                let component = component as usize;
                Some(self.interpreter.expressions.entry(node, component / columns, component % columns))
            }
            _ => None,
        }
    }
}

/// The connected components of the sparsity graph of M.
fn blocks(derivation: &Derivation<'_, '_>, mass: &[Vec<Scalar>]) -> Vec<Vec<usize>> {
    let n = mass.len();
    let mut seen = vec![false; n];
    let mut blocks = Vec::new();
    for start in 0..n {
        if seen[start] {
            continue;
        }
        let (mut block, mut open) = (Vec::new(), vec![start]);
        seen[start] = true;
        while let Some(row) = open.pop() {
            block.push(row);
            for column in 0..n {
                if !seen[column] && !derivation.graph.is_zero(mass[row][column]) {
                    seen[column] = true;
                    open.push(column);
                }
            }
        }
        block.sort_unstable();
        blocks.push(block);
    }
    blocks
}
