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

use super::{DeclaredExpressions, Derivation, Inertia};
use crate::expr::{Leaf, Node, Op};
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

/// The reason why a declaration has no Hamiltonian on its cotangent bundle, as a part of a sentence.
pub(crate) type Obstacle = String;

/// The obstacle of a declaration with frames, whose equations are a recursion.
pub(crate) fn obstacle_of_frames() -> Obstacle {
    "it has frames".to_owned()
}

/// The obstacle of a role, for any function.
fn obstacle_of_role(role: &Role, name: &syn::Ident) -> Option<Obstacle> {
    match role {
        Role::Constraint | Role::VelocityConstraint => Some(format!("`{name}` is a constraint")),
        Role::Force(_) => Some(format!("`{name}` is a force")),
        Role::Dissipation => Some(format!("`{name}` dissipates")),
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
        let spatial = self.leaves_of_atoms(Leaf::Momentum);
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
            return Some(obstacle_of_frames());
        }
        let of_others = model.others.iter().find_map(|function| obstacle_of_role(&function.role, &function.name));
        if of_others.is_some() {
            return of_others;
        }
        let is_mixed = |group: Group| group.has_sphere() && group.structure().is_some();
        let mixed = model.configuration.members.iter().find(|member| is_mixed(member.group));
        if let Some(member) = mixed.filter(|_| !model.is_part) {
            return Some(format!("`{}` is a body with a direction", member.name));
        }
        let time = self.interpreter.leaves.time;
        declared.functions.iter().find_map(|(index, parts)| {
            let function = &model.functions[*index];
            let name = &function.name;
            match &function.role {
                Role::KineticEnergy | Role::MassMatrix | Role::Potential => {
                    let expressions = &self.interpreter.expressions;
                    let reached = expressions.reachable(parts);
                    let is_input = |node: &Node| matches!(expressions.op(*node), Op::Leaf(Leaf::Input { .. }));
                    if reached.contains(&time) {
                        return Some(format!("`{name}` depends on time"));
                    }
                    reached.iter().any(is_input).then(|| format!("`{name}` uses inputs"))
                }
                role => obstacle_of_role(role, name),
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
}
