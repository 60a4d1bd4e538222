//! Inertia of kinetic energies that are declared with the rates of quantities.
//!
//! Let the kinetic energy be E(t, q, v, w) with the rates w of quantities x(t, q), left-trivialised if x is an element of a group. A
//! variation q~⁻¹ δq = η of the motion is the variation ξ = (∂w/∂v) η of x. Since δv = η' + ad_v η and δw = ξ' + ad_w ξ for every x,
//!
//! ```text
//! d/dt ∂T/∂v − ad_vᵀ ∂T/∂v − D_q T = d/dt p − ad_vᵀ p − D_q E + Σ (∂w/∂v)ᵀ (d/dt μ − ad_wᵀ μ),    p = ∂E/∂v,  μ = ∂E/∂w.
//! ```
//!
//! Here D_q keeps w constant. For a kinematic tree with a quantity for each body this is the recursive Newton-Euler algorithm: a forward
//! pass for twists and their rates, a backward pass for forces. Differentiation of the energy as a function of q and v alone would instead
//! propagate momenta, their rates and the derivatives of the frames in the backward pass.
//!
//! Source: R. Featherstone, Rigid Body Dynamics Algorithms, 2008, chapter 5.

use rustc_hash::FxHashMap;

use super::Derivation;
use crate::expr::{Expressions, Leaf, Node, Op, Seeds, position};
use crate::group::Group;

/// The arguments that change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Change {
    /// q and t, with constant v.
    Motion,
    /// v with the rate v'.
    Velocity,
    /// All arguments.
    Both,
}

/// A kinetic energy as a function of the rates of quantities.
pub(super) struct Carried {
    /// E, with leaves for the rates.
    pub energy: Node,
    rates: Vec<InertiaRate>,
    /// The values of the leaves.
    values: FxHashMap<Node, Node>,
}

/// A rate that E depends on.
struct InertiaRate {
    group: Option<Group>,
    /// w by blocks, as functions of q and v.
    blocks: Vec<Node>,
    /// The nodes for the blocks in E: leaves, or the blocks themselves if there is no leaf.
    leaves: Vec<Node>,
}

impl Carried {
    /// True if E is T itself.
    pub fn is_empty(&self) -> bool {
        self.rates.is_empty()
    }

    /// The tangents of all leaves of E.
    pub fn along(&self, derivation: &mut Derivation<'_, '_>, change: Change) -> Seeds {
        let mut seeds = derivation.seeds(change);
        let (leaves, values): (Vec<Node>, Vec<Node>) = self.values.iter().map(|(&leaf, &value)| (leaf, value)).unzip();
        let rates = derivation.interpreter.expressions.tangents(&values, &seeds);
        seeds.extend(leaves.into_iter().zip(rates));
        seeds
    }

    /// Expressions of the rates as functions of q and v.
    pub fn in_motion(&self, derivation: &mut Derivation<'_, '_>, parts: &[Node]) -> Vec<Node> {
        let e = &mut derivation.interpreter.expressions;
        parts.iter().map(|&part| if self.is_empty() { part } else { e.substitute(part, &self.values) }).collect()
    }

    /// Σ (∂w/∂v)ᵀ (d/dt μ − ad_wᵀ μ) by atoms.
    pub fn back(&self, derivation: &mut Derivation<'_, '_>, change: Change) -> Vec<Node> {
        if self.is_empty() {
            return derivation.zero_covector();
        }
        let seeds = self.along(derivation, change);
        let e = &mut derivation.interpreter.expressions;
        let one = e.number(1.0);
        let gradient = e.gradient(self.energy, one);
        let mut seeded = Vec::new();
        for InertiaRate { group, blocks, leaves } in &self.rates {
            let mut momenta = Vec::new();
            for &stand_in in leaves {
                let (leaf, minus) = unsigned(e, stand_in);
                let own = self.values.get(&leaf).and_then(|_| gradient.get(&leaf)).copied();
                let momentum = own.unwrap_or_else(|| e.zero_tangent(stand_in));
                momenta.push(if minus { e.neg(momentum) } else { momentum });
            }
            let rates = e.tangents(&momenta, &seeds);
            let turned = match group {
                Some(group) => group.rules.coadjoint(e, leaves, &momenta),
                None => momenta.iter().map(|&momentum| e.zero_tangent(momentum)).collect(),
            };
            for ((&block, &rate), &turned) in blocks.iter().zip(&rates).zip(&turned) {
                let force = e.sub(rate, turned);
                seeded.push((block, e.substitute(force, &self.values)));
            }
        }
        let gradient = e.gradient_of_all(&seeded);
        derivation.velocity_part(&gradient)
    }
}

impl Derivation<'_, '_> {
    /// A kinetic energy as a function of the rates in its declaration.
    pub(super) fn carried(&mut self, declared: Node) -> Carried {
        let (mut stand_ins, mut candidates) = (FxHashMap::default(), Vec::new());
        let velocities = self.interpreter.leaves.velocity_leaves();
        for rate in self.interpreter.rates().to_vec() {
            if rate.group.is_some_and(|group| !group.rules.is_group()) {
                continue;
            }
            let e = &mut self.interpreter.expressions;
            // Components of a quantity without a group are separate quantities.
            let blocks = if rate.group.is_some() { rate.blocks } else { pieces(e, &rate.blocks) };
            for &block in &blocks {
                let (part, _) = unsigned(e, block);
                let moves = e.reachable(&[part]).iter().any(|node| velocities.contains(node));
                if moves && !stand_ins.contains_key(&part) {
                    let (number, ty) = (position(stand_ins.len()), e.type_of(part));
                    stand_ins.insert(part, e.leaf(Leaf::Rate(number), ty));
                }
            }
            candidates.push((rate.group, blocks));
        }
        let e = &mut self.interpreter.expressions;
        let energy = if stand_ins.is_empty() { declared } else { e.substitute(declared, &stand_ins) };
        let seen = e.reachable(&[energy]);
        let is_seen = |leaf: &Node| seen.binary_search(leaf).is_ok();
        stand_ins.retain(|_, leaf| is_seen(leaf));
        let values = stand_ins.iter().map(|(&block, &leaf)| (leaf, block)).collect();
        let mut rates = Vec::new();
        for (group, blocks) in candidates {
            // The first rate with a block owns its leaf.
            let stand_in = |&block: &Node| {
                let (part, minus) = unsigned(e, block);
                let leaf = stand_ins.remove(&part).unwrap_or(part);
                if minus { e.neg(leaf) } else { leaf }
            };
            let leaves: Vec<Node> = blocks.iter().map(stand_in).collect();
            if leaves != blocks {
                rates.push(InertiaRate { group, blocks, leaves });
            }
        }
        Carried { energy: if rates.is_empty() { declared } else { energy }, rates, values }
    }

    fn seeds(&mut self, change: Change) -> Seeds {
        let mut seeds = if change == Change::Velocity { Seeds::default() } else { self.interpreter.motion() };
        if change != Change::Motion {
            seeds.extend(self.acceleration_seeds());
        }
        seeds
    }
}

/// A node without its sign, and true if the sign was negative.
fn unsigned(e: &Expressions, node: Node) -> (Node, bool) {
    match *e.op(node) {
        Op::Neg(part) => (part, true),
        _ => (node, false),
    }
}

/// The parts of stacked vectors and matrices.
fn pieces(e: &Expressions, parts: &[Node]) -> Vec<Node> {
    let (mut pieces, mut open) = (Vec::new(), parts.to_vec());
    open.reverse();
    while let Some(node) = open.pop() {
        match e.op(node) {
            Op::Stack(inner) | Op::Concat(inner) => open.extend(inner.iter().rev()),
            _ => pieces.push(node),
        }
    }
    pieces
}
