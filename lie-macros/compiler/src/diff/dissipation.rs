//! Requirements on a Rayleigh function: the force −∂R/∂v removes energy only if R is minimal at v = 0.

use rustc_hash::FxHashMap;

use syn::Ident;

use super::{DeclaredExpressions, Derivation};
use crate::expr::{Node, Seeds};
use crate::model::Role;
use crate::scalar::{Dependence, Scalar};

/// The reason why a function is not a dissipation, according to its expression.
enum Fault {
    /// ∂R/∂v = 0.
    NoVelocity,
    /// ∂R/∂v does not exist at v = 0, because of these roots.
    NoSlopeAtRest(Vec<Ident>),
    /// ∂R/∂v ≠ 0 at v = 0.
    PushesAtRest,
    /// R(−v) = −R(v).
    Odd,
    /// ∂²R/∂v² < 0 at v = 0.
    Greatest,
}

impl Derivation<'_, '_> {
    /// Reports dissipations that do not depend on the velocity, or that can supply energy.
    pub fn check_dissipation(&mut self, declared: &DeclaredExpressions) {
        for (index, parts) in &declared.functions {
            let model = self.interpreter.model;
            let function = &model.functions[*index];
            let (Role::Dissipation, &[node]) = (&function.role, parts.as_slice()) else { continue };
            let name = &function.name;
            let (message, help) = match self.fault(node, name) {
                None => continue,
                Some(Fault::NoVelocity) => (
                    "does not depend on the velocity, and has no effect",
                    "a Rayleigh function is, for example, 0.5 * damping * v²; energy of the configuration is a `#[potential]`",
                ),
                Some(Fault::NoSlopeAtRest(roots)) => {
                    for root in roots {
                        self.interpreter.report(
                            root,
                            format_args!("the dissipation `{name}` has no derivative at rest: this root is zero there, and its force is discontinuous"),
                            "write `(v.norm_squared() + 1e-6).sqrt()` instead of `v.norm()`, with the square of a small speed, or a \
                             power of the norm from the second on",
                        );
                    }
                    continue;
                }
                Some(Fault::PushesAtRest) => (
                    "is not of second degree at rest: its force −∂R/∂v is not zero there",
                    "write 0.5 * damping * v² for viscous damping, `(v² + 1e-6).sqrt()` instead of |v| for dry friction, \
                     and a `#[force]` for forces at rest",
                ),
                Some(Fault::Odd) => (
                    "changes its sign with the velocity: its force drives the motion in one direction",
                    "use a function with its minimum at rest, for example v², v⁴ or |v|³",
                ),
                Some(Fault::Greatest) => (
                    "is greatest at rest: its force drives the motion",
                    "write 0.5 * damping * v² without a minus: the force is −∂R/∂v",
                ),
            };
            self.interpreter.report(name, format_args!("the dissipation `{name}` {message}"), help);
        }
    }

    fn fault(&mut self, node: Node, name: &Ident) -> Option<Fault> {
        let slopes = self.dissipation_gradient(node);
        if self.is_zero(&slopes) {
            return Some(Fault::NoVelocity);
        }
        let roots = self.roots_without_slope(&slopes, name);
        if !roots.is_empty() {
            return Some(Fault::NoSlopeAtRest(roots));
        }
        let at_rest: Vec<Node> = slopes.iter().map(|&slope| self.without_motion(slope)).collect();
        let is_odd = self.is_odd(node);
        if !self.is_zero(&at_rest) {
            // A moving constraint or frame has a nonzero rate at rest, and is damped relative to this rate.
            let scalars = self.flatten(&at_rest);
            return (!self.dependence(&scalars).meets(Dependence::TIME)).then_some(Fault::PushesAtRest);
        }
        if is_odd {
            return Some(Fault::Odd);
        }
        let dof = self.interpreter.leaves.dof;
        let is_negative = (0..dof).any(|component| {
            let seeds = self.interpreter.leaves.velocity_direction(&mut self.interpreter.expressions, component);
            self.curvature_at_rest(&slopes, &seeds, component).is_some_and(|value| value < 0.0)
        });
        is_negative.then_some(Fault::Greatest)
    }

    /// The roots that vanish at v = 0 and make these derivatives infinite there; each is identified by its position in the source, or by
    /// the name of the function.
    fn roots_without_slope(&mut self, slopes: &[Node], name: &Ident) -> Vec<Ident> {
        let mut roots = self.interpreter.expressions.radicands_of_slopes(slopes);
        roots.retain(|&radicand| {
            let at_rest = self.without_motion(radicand);
            self.interpreter.expressions.is_zero(at_rest)
        });
        let velocity: Vec<Scalar> = self.motion_leaves().into_iter().flat_map(|leaf| self.unsettled(leaf)).collect();
        let radicands: Vec<Scalar> = roots.iter().flat_map(|&radicand| self.unsettled(radicand)).collect();
        let scalars: Vec<Scalar> = slopes.iter().flat_map(|&slope| self.unsettled(slope)).collect();
        if scalars.into_iter().any(|scalar| self.graph.is_lost(scalar, &velocity, &radicands)) {
            roots.into_iter().map(|radicand| self.interpreter.root(radicand).unwrap_or(name).clone()).collect()
        } else {
            Vec::new()
        }
    }

    /// An expression at v = 0, for all values of auxiliary states.
    fn without_motion(&mut self, node: Node) -> Node {
        self.without(node, self.motion_leaves())
    }

    fn is_zero(&mut self, parts: &[Node]) -> bool {
        let scalars = self.flatten(parts);
        scalars.iter().all(|&scalar| self.graph.is_zero(scalar))
    }

    /// True if R(−v) + R(v) = 0 in every state.
    fn is_odd(&mut self, node: Node) -> bool {
        let velocity = self.motion_leaves();
        let e = &mut self.interpreter.expressions;
        let turned: FxHashMap<Node, Node> = velocity.into_iter().map(|leaf| (leaf, e.neg(leaf))).collect();
        let mirrored = e.substitute(node, &turned);
        let (here, there) = (self.scalar(node), self.scalar(mirrored));
        let sum = self.graph.add(here, there);
        self.graph.is_zero(sum)
    }

    /// ∂²R/∂v² in the direction of one component at v = 0, if it is constant.
    fn curvature_at_rest(&mut self, slopes: &[Node], seeds: &Seeds, component: usize) -> Option<f64> {
        let tangents = self.interpreter.expressions.tangents(slopes, seeds);
        let at_rest: Vec<Node> = tangents.into_iter().map(|tangent| self.without_motion(tangent)).collect();
        let entries = self.flatten(&at_rest);
        self.graph.as_number(entries[component])
    }
}
