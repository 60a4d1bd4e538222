//! The Legendre transform: the Hamiltonian on T*G, trivialised from the right, and its derivatives (paper 3, section 3).
//!
//! The body-fixed momentum is p = ∂L/∂v, and H = p · v − L. The spatial momentum is μ = Ad*_{q⁻¹} p, so that p = Ad_qᵀ μ. The energy T = ½
//! vᵀ M v + bᵀ v + c gives
//!
//! ```text
//! v = M⁻¹ (Ad_qᵀ μ − b),    H = T − bᵀ v − 2 c + V    at (q, v),    f₁ = ∂H/∂μ = Ad_q v.
//! ```
//!
//! Consider q' = η~ q, which is q ξ~ with ξ = Ad_{q⁻¹} η. The derivative of H at constant p is −ξ · D_q L. At constant μ, the rate p' =
//! ad_ξᵀ p adds v · ad_ξᵀ p = −ξ · ad_vᵀ p. Therefore
//!
//! ```text
//! f₂ = Ad_{q⁻¹}ᵀ (D_q L + ad_vᵀ p) = Ad_{q⁻¹}ᵀ D_q L + ad_{f₁}ᵀ μ.
//! ```
//!
//! Velocities of a sphere are spatial already: p is μ, v is f₁, and f₂ = D_q L.

use core::fmt;

use super::{DeclaredExpressions, Derivation, Inertia};
use crate::expr::{Leaf, Node, Op, Type, position};
use crate::model::{Group, Role};
use crate::scalar::Scalar;

/// The functions that define a Hamiltonian.
pub(crate) enum Canonical {
    /// The Hamiltonian of a system with one term.
    Whole(Legendre),
    /// The Lagrangian of one of several terms, which the runtime adds up.
    Part(Lagrangian),
}

/// The derivatives of L as functions of q and v.
pub(crate) struct Lagrangian {
    /// p = ∂L/∂v.
    pub momentum: Vec<Scalar>,
    /// D_q L.
    pub gradient: Vec<Scalar>,
}

/// The Hamiltonian system.
pub(crate) struct Legendre {
    /// Ad_qᵀ μ − b = M v as a function of q and μ.
    pub quadratic_momentum: Vec<Scalar>,
    /// H as a function of q and v.
    pub hamiltonian: Scalar,
    /// f₁ as a function of q and v.
    pub velocity: Vec<Scalar>,
    /// f₂ as a function of q, v and μ.
    pub force: Vec<Scalar>,
    /// μ as a function of q and v.
    pub momentum: Vec<Scalar>,
}

/// The reason why a declaration has no Hamiltonian on its cotangent bundle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Obstacle {
    /// The equations are a recursion over frames.
    Frames,
    /// The type of the member is a body that contains a sphere.
    Body(String),
    /// The function is a constraint.
    Constraint(String),
    /// The function is a force.
    Force(String),
    /// The function is a dissipation.
    Dissipation(String),
    /// The energy depends on time.
    Time(String),
    /// The energy depends on inputs.
    Inputs(String),
}

impl fmt::Display for Obstacle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Obstacle::Frames => f.write_str("it has frames"),
            Obstacle::Body(member) => write!(f, "`{member}` is a body with a direction"),
            Obstacle::Constraint(name) => write!(f, "`{name}` is a constraint"),
            Obstacle::Force(name) => write!(f, "`{name}` is a force"),
            Obstacle::Dissipation(name) => write!(f, "`{name}` dissipates"),
            Obstacle::Inputs(name) => write!(f, "`{name}` uses inputs"),
            Obstacle::Time(name) => write!(f, "`{name}` depends on time"),
        }
    }
}

impl Obstacle {
    /// The obstacle of a role, for any function.
    fn by_role(role: &Role, name: &syn::Ident) -> Option<Obstacle> {
        match role {
            Role::Constraint | Role::VelocityConstraint => Some(Obstacle::Constraint(name.to_string())),
            Role::Force(_) => Some(Obstacle::Force(name.to_string())),
            Role::Dissipation => Some(Obstacle::Dissipation(name.to_string())),
            Role::KineticEnergy
            | Role::MassMatrix
            | Role::Potential
            | Role::Kinematics
            | Role::Quantity
            | Role::Observable
            | Role::Symmetry
            | Role::Event => None,
        }
    }
}

impl Derivation<'_, '_> {
    /// Derives the functions that define a Hamiltonian.
    pub fn canonical(&mut self, declared: &DeclaredExpressions, inertia: &Inertia) -> Result<Canonical, Obstacle> {
        if let Some(obstacle) = self.obstacle(declared) {
            return Err(obstacle);
        }
        Ok(if self.interpreter.model.is_part {
            let gradient = self.lagrangian_gradient(declared, inertia);
            let (momentum, gradient) = (self.flatten(&inertia.momentum), self.flatten(&gradient));
            Canonical::Part(Lagrangian { momentum, gradient })
        } else {
            Canonical::Whole(self.legendre(declared, inertia))
        })
    }

    /// D_q L.
    fn lagrangian_gradient(&mut self, declared: &DeclaredExpressions, inertia: &Inertia) -> Vec<Node> {
        let kinetic = self.configuration_gradient(inertia.kinetic_energy);
        let potential = self.configuration_gradient(declared.potential);
        self.minus(&kinetic, &potential)
    }

    /// H and its derivatives.
    fn legendre(&mut self, declared: &DeclaredExpressions, inertia: &Inertia) -> Legendre {
        let spatial = self.spatial_momentum();
        let pulled_back = self.adjoint_transpose(&spatial);
        let linear: Vec<Node> = inertia.momentum.iter().map(|&part| self.at_rest(part)).collect();
        let quadratic = self.minus(&pulled_back, &linear);
        let hamiltonian = self.energy_of_velocity(declared, inertia, &linear);
        let velocity = self.spatial_velocity();
        let gradient = self.lagrangian_gradient(declared, inertia);
        let moved = self.inverse_adjoint_transpose(&gradient);
        let turning = self.coadjoint_along(&velocity, &spatial);
        let atoms = self.interpreter.leaves.atoms.clone();
        let e = &mut self.interpreter.expressions;
        let of_groups = atoms.iter().zip(moved.iter().zip(&turning));
        let force: Vec<Node> = of_groups
            .map(|(atom, (&moved, &turning))| if atom.group.rules.is_group() { e.add(moved, turning) } else { moved })
            .collect();
        let momentum = self.inverse_adjoint_transpose(&inertia.momentum);
        Legendre {
            quadratic_momentum: self.flatten(&quadratic),
            hamiltonian: self.scalar(hamiltonian),
            velocity: self.flatten(&velocity),
            force: self.flatten(&force),
            momentum: self.flatten(&momentum),
        }
    }

    /// The first obstacle of the declaration.
    fn obstacle(&self, declared: &DeclaredExpressions) -> Option<Obstacle> {
        let model = self.interpreter.model;
        if model.kinematics.is_some() {
            return Some(Obstacle::Frames);
        }
        let of_others = model.others.iter().find_map(|function| Obstacle::by_role(&function.role, &function.name));
        if of_others.is_some() {
            return of_others;
        }
        let is_mixed = |group: Group| group.has_sphere() && group.structure().is_some();
        let mixed = model.configuration.members.iter().find(|member| is_mixed(member.group));
        if let Some(member) = mixed.filter(|_| !model.is_part) {
            return Some(Obstacle::Body(member.name.to_string()));
        }
        let time = self.interpreter.leaves.time;
        declared.functions.iter().find_map(|(index, parts)| {
            let function = &model.functions[*index];
            let name = || function.name.to_string();
            match &function.role {
                Role::KineticEnergy | Role::MassMatrix | Role::Potential => {
                    let expressions = &self.interpreter.expressions;
                    let reached = expressions.reachable(parts);
                    let is_input = |node: &Node| matches!(expressions.op(*node), Op::Leaf(Leaf::Input { .. }));
                    if reached.contains(&time) {
                        return Some(Obstacle::Time(name()));
                    }
                    reached.iter().any(is_input).then(|| Obstacle::Inputs(name()))
                }
                role => Obstacle::by_role(role, &function.name),
            }
        })
    }

    /// T − bᵀ v − 2 c + V.
    fn energy_of_velocity(&mut self, declared: &DeclaredExpressions, inertia: &Inertia, linear: &[Node]) -> Node {
        let velocity = self.velocity();
        let constant = self.at_rest(inertia.kinetic_energy);
        let e = &mut self.interpreter.expressions;
        let mut energy = inertia.kinetic_energy;
        for (&v, &b) in velocity.iter().zip(linear) {
            let mixed = e.dot(v, b);
            energy = e.sub(energy, mixed);
        }
        let two = e.number(2.0);
        let twice = e.scale(two, constant);
        let energy = e.sub(energy, twice);
        e.add(energy, declared.potential)
    }

    /// μ by atoms.
    fn spatial_momentum(&mut self) -> Vec<Node> {
        let atoms = self.interpreter.leaves.atoms.clone();
        let e = &mut self.interpreter.expressions;
        atoms
            .iter()
            .map(|atom| {
                let entries = (atom.offset..atom.offset + atom.dof())
                    .map(|at| e.leaf(Leaf::Momentum(position(at)), Type::SCALAR))
                    .collect();
                e.stack(entries, atom.dof(), 1)
            })
            .collect()
    }
}
