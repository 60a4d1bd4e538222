//! Powers of roots: (√u)ᵏ becomes u^(k/2), also if its factors are separated in a product.
//!
//! A norm is the root of a sum of squares. Its derivative ½ u^(−1/2) du is infinite at zero, but the derivatives (k/2) u^(k/2−1) du of its
//! powers with k ≥ 2 are finite. The factors of such a power are therefore collected before differentiation. Derivatives produce u^(−1/2),
//! which cancels with powers of u in the same product.

use std::collections::BTreeSet;

use super::{Expressions, Function, Node, Op, Type};

/// Largest depth of the search for factors in a product.
const DEPTH: u32 = 8;

/// Larger half powers are left as written.
const MOST: i32 = 128;

/// A power u^(k/2) with odd k.
#[derive(Clone, Copy)]
struct RootPower {
    radicand: Node,
    halves: i32,
}

impl Expressions {
    /// u^(k/2).
    pub(super) fn half_power(&mut self, radicand: Node, halves: i32) -> Node {
        if halves % 2 == 0 {
            return self.power(radicand, halves / 2);
        }
        if halves == 1 {
            return self.function(Function::Sqrt, radicand);
        }
        let exponent = self.number(0.5 * f64::from(halves));
        self.intern(Op::RealPower(radicand, exponent), Type::SCALAR)
    }

    /// The tangent of s⁻ᵏ with s = √u, for a given tangent of u: −k s⁻ᵏ s⁻¹ ds with ds = ½ s⁻¹ du, which usually exists already.
    pub(super) fn reciprocal_tangent(&mut self, power: Node, radicand_tangent: Node) -> Option<Node> {
        let RootPower { radicand, halves } = self.as_root_power(power).filter(|power| power.halves < 0)?;
        let (reciprocal, half) = (self.half_power(radicand, -1), self.number(0.5));
        let slope = self.scale(half, reciprocal);
        let root_tangent = self.scale(slope, radicand_tangent);
        let (factor, lower) = (self.number(f64::from(halves)), self.scale(power, reciprocal));
        let product = self.scale(lower, root_tangent);
        Some(self.scale(factor, product))
    }

    /// (√u)ⁿ as a power of u, for n ≥ 2.
    pub(super) fn power_of_root(&mut self, root: Node, exponent: i32) -> Option<Node> {
        let RootPower { radicand, halves } = self.as_root_power(root)?;
        let halves = halves.checked_mul(exponent).filter(|halves| (2..=MOST).contains(halves))?;
        Some(self.half_power(radicand, halves))
    }

    /// The product of two scalars that both have a power of one root among their factors.
    pub(super) fn joined(&mut self, a: Node, b: Node) -> Option<Node> {
        for (first, second) in [(a, b), (b, a)] {
            if let Some((rest, root)) = self.root_among(first, DEPTH)
                && let Some(product) = self.times(second, root, DEPTH)
            {
                return Some(rest.map_or(product, |rest| self.scale(rest, product)));
            }
        }
        None
    }

    /// The radicands of the negative powers in `nodes`, which come from derivatives of roots.
    pub fn radicands_of_slopes(&self, nodes: &[Node]) -> BTreeSet<Node> {
        let slopes = self.reachable(nodes).into_iter().filter_map(|node| match *self.op(node) {
            Op::RealPower(radicand, exponent) if self.as_number(exponent)? < 0.0 => Some(radicand),
            _ => None,
        });
        slopes.collect()
    }

    fn as_root_power(&self, node: Node) -> Option<RootPower> {
        match *self.op(node) {
            Op::Function(Function::Sqrt, radicand) => Some(RootPower { radicand, halves: 1 }),
            Op::RealPower(radicand, exponent) => {
                let halves = half_integer(self.as_number(exponent)?)?;
                Some(RootPower { radicand, halves })
            }
            _ => None,
        }
    }

    /// A power of a root among the factors of a product, and the product of the other factors.
    fn root_among(&mut self, product: Node, depth: u32) -> Option<(Option<Node>, RootPower)> {
        if let Some(root) = self.as_root_power(product) {
            return Some((None, root));
        }
        let Op::Scale(a, b) = *self.op(product) else { return None };
        for (factor, other) in [(a, b), (b, a)] {
            if depth > 0
                && let Some((rest, root)) = self.root_among(factor, depth - 1)
            {
                return Some((Some(rest.map_or(other, |rest| self.scale(rest, other))), root));
            }
        }
        None
    }

    /// A product times a power of a root, if the product has a power of the same root as a factor.
    fn times(&mut self, product: Node, root: RootPower, depth: u32) -> Option<Node> {
        let halves = match *self.op(product) {
            _ if product == root.radicand => Some(2),
            Op::Power(base, exponent) if base == root.radicand => exponent.checked_mul(2),
            _ => self.as_root_power(product).filter(|other| other.radicand == root.radicand).map(|other| other.halves),
        };
        if let Some(halves) = halves {
            // Reciprocals stay separate: each exists already.
            let sum =
                halves.checked_add(root.halves).filter(|sum| sum.abs() <= MOST && (halves > 0 || root.halves > 0))?;
            return Some(self.half_power(root.radicand, sum));
        }
        let Op::Scale(a, b) = *self.op(product) else { return None };
        for (factor, other) in [(a, b), (b, a)] {
            if depth > 0
                && let Some(joined) = self.times(factor, root, depth - 1)
            {
                return Some(self.scale(joined, other));
            }
        }
        None
    }
}

/// k for an odd k/2.
#[allow(clippy::cast_possible_truncation)] // Small integers only.
pub(crate) fn half_integer(exponent: f64) -> Option<i32> {
    let halves = 2.0 * exponent;
    (halves.abs() <= f64::from(MOST) && halves % 2.0 != 0.0 && halves.fract() == 0.0).then_some(halves as i32)
}
