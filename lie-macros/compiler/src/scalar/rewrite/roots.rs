//! Derivatives of roots at zeros of the root.
//!
//! Differentiation turns a root s = √u into s⁻¹, which is infinite at the zero of a norm, although the product with its other factors can
//! have a limit there. For example, |v| v has the derivative |v| I + v vᵀ/|v|, which vanishes with v. The pass therefore analyses each
//! result for s → 0. If u = Σ xᵢ², then |xᵢ| ≤ s. Each factor of a product has an order o with |factor| = O(sᵒ): 1 for s and xᵢ, 2 for u,
//! −k for s⁻ᵏ, 0 for bounded factors. If all products with a factor s⁻ᵏ have a positive order, their limit is 0. The pass sets s⁻ᵏ to 0 at
//! s = 0, which gives this limit and changes nothing elsewhere. All other derivatives stay infinite: the result has no limit there, or the
//! orders do not determine it.

use std::collections::BTreeSet;

use rustc_hash::{FxBuildHasher, FxHashMap};

use super::replacement::{ArgumentTest, Known};
use crate::expr::{Function, Modulus, Relation};
use crate::scalar::{Graph, Kernel, Scalar, ScalarOp, each_operand};

/// A settled result has no given nodes.
const NOTHING: ArgumentTest = |_, _| false;

/// The order of a node as s → 0.
#[derive(Clone, Copy)]
struct VanishingOrder {
    /// A lower bound for the whole node.
    whole: f64,
    /// A lower bound for the products in it with a factor s⁻ᵏ; `None` without such products.
    slopes: Option<f64>,
}

impl VanishingOrder {
    const BOUNDED: VanishingOrder = VanishingOrder { whole: 0.0, slopes: None };
    const UNKNOWN: VanishingOrder = VanishingOrder { whole: f64::NEG_INFINITY, slopes: Some(f64::NEG_INFINITY) };

    fn sum(self, other: VanishingOrder) -> VanishingOrder {
        VanishingOrder { whole: self.whole.min(other.whole), slopes: least(self.slopes, other.slopes) }
    }

    fn product(self, other: VanishingOrder) -> VanishingOrder {
        let (here, there) = (self.slopes.map(|a| a + other.whole), other.slopes.map(|b| b + self.whole));
        VanishingOrder { whole: self.whole + other.whole, slopes: least(here, there) }
    }

    /// The order of f(a) for |f(a + δ) − f(a)| = O(δʰ), and f(a) = O(aʰ) if `vanishes`.
    fn under(self, h: f64, vanishes: bool) -> VanishingOrder {
        match self.slopes {
            Some(slopes) if slopes <= 0.0 => VanishingOrder::UNKNOWN,
            slopes => VanishingOrder {
                whole: if vanishes { h * self.whole.max(0.0) } else { 0.0 },
                slopes: slopes.map(|slopes| h * slopes),
            },
        }
    }

    /// True if s⁻ᵏ may be 0 at s = 0.
    fn is_settled(self) -> bool {
        self.slopes.is_none_or(|slopes| slopes > 0.0)
    }
}

/// A limit: the radicands that go to zero, and the orders of the nodes that go to zero with them.
struct Limit {
    radicands: Vec<Scalar>,
    small: FxHashMap<Scalar, f64>,
}

/// The smaller of two optional values.
fn least(a: Option<f64>, b: Option<f64>) -> Option<f64> {
    a.zip(b).map(|(a, b)| a.min(b)).or(a).or(b)
}

impl Graph {
    /// Replaces negative powers of roots by quotients; each output is analysed separately.
    pub fn settled(&mut self, outputs: &[Scalar]) -> Vec<Scalar> {
        outputs.iter().map(|&output| self.settle(output)).collect()
    }

    /// True if an unsettled output has no known limit when `small` and all `radicands` go to zero together.
    pub fn is_lost(&self, output: Scalar, small: &[Scalar], radicands: &[Scalar]) -> bool {
        let mut limit = Limit { radicands: radicands.to_vec(), small: FxHashMap::default() };
        for &radicand in radicands {
            limit.small.extend(self.bounded_by(radicand));
        }
        limit.small.extend(small.iter().map(|&leaf| (leaf, 1.0)));
        !self.order(&Kernel::new(self, &[output], |_| false), output, &limit).is_settled()
    }

    fn settle(&mut self, output: Scalar) -> Scalar {
        let kernel = Kernel::new(self, &[output], |_| false);
        let radicands: BTreeSet<Scalar> =
            kernel.nodes.iter().filter_map(|&node| self.as_slope(node)).map(|(radicand, _)| radicand).collect();
        // The output, and the remaining radicands: operands first.
        let mut open: Vec<Scalar> = std::iter::once(output).chain(radicands).collect();
        while open.len() > 1 {
            let radicand = open.remove(1);
            let kernel = Kernel::new(self, &open[..1], |_| false);
            let limit = Limit { radicands: vec![radicand], small: self.bounded_by(radicand) };
            let is_settled = self.order(&kernel, open[0], &limit).is_settled();
            let kernel = Kernel::new(self, &open, |_| false);
            open = self.rewritten(&kernel, &open, NOTHING, |graph, node, known| {
                let (of, exponent) = graph.as_slope(node).filter(|(of, _)| *of == radicand)?;
                Some(graph.slope(known, of, exponent, is_settled))
            });
        }
        open[0]
    }

    /// The radicand and the negative power of it that a node is, for roots and for real powers.
    fn as_slope(&self, node: Scalar) -> Option<(Scalar, f64)> {
        match *self.op(node) {
            ScalarOp::Power(root, -1) => match *self.op(root) {
                ScalarOp::Function(Function::Sqrt, radicand) => Some((radicand, -0.5)),
                _ => None,
            },
            ScalarOp::RealPower(radicand, exponent) => {
                self.as_number(exponent).filter(|exponent| *exponent < 0.0).map(|exponent| (radicand, exponent))
            }
            _ => None,
        }
    }

    /// u^(−k), or 0 where u = 0.
    fn slope(&mut self, known: &Known, radicand: Scalar, exponent: f64, is_settled: bool) -> Scalar {
        let radicand = known[radicand];
        let (zero, one, exponent) = (self.number(0.0), self.number(1.0), self.number(-exponent));
        let power = self.real_power(radicand, exponent);
        let quotient = self.div(one, power);
        if !is_settled {
            return quotient;
        }
        let is_moving = self.compare(Relation::Less, zero, power);
        self.select(is_moving, quotient, zero)
    }

    /// The order of an output of a kernel in a limit.
    fn order(&self, kernel: &Kernel, output: Scalar, limit: &Limit) -> VanishingOrder {
        let mut known: FxHashMap<Scalar, VanishingOrder> =
            FxHashMap::with_capacity_and_hasher(kernel.nodes.len(), FxBuildHasher);
        for &node in &kernel.nodes {
            let mut order = self.order_of(node, limit, &known);
            if let Some(&at_least) = limit.small.get(&node) {
                order.whole = order.whole.max(at_least);
            }
            known.insert(node, order);
        }
        known[&output]
    }

    #[allow(clippy::match_same_arms)] // A quotient is of the order of its numerator under a condition alone.
    fn order_of(&self, node: Scalar, limit: &Limit, known: &FxHashMap<Scalar, VanishingOrder>) -> VanishingOrder {
        let of = |operand: &Scalar| known[operand];
        if let Some((radicand, exponent)) = self.as_slope(node)
            && limit.radicands.contains(&radicand)
        {
            return VanishingOrder { whole: 2.0 * exponent, slopes: Some(2.0 * exponent) };
        }
        match self.op(node) {
            ScalarOp::Number(_) | ScalarOp::Leaf(..) => VanishingOrder::BOUNDED,
            ScalarOp::Add(a, b) | ScalarOp::Sub(a, b) => of(a).sum(of(b)),
            ScalarOp::Mul(a, b) => of(a).product(of(b)),
            ScalarOp::Neg(a) => of(a),
            // A denominator that vanishes with s is not a derivative of a root: the result is the Rust value.
            ScalarOp::Div(a, b) if of(b).slopes.is_none() && of(b).whole <= 0.0 => of(a),
            ScalarOp::Power(a, exponent) if *exponent > 0 => {
                let (a, n) = (of(a), f64::from(*exponent));
                VanishingOrder { whole: n * a.whole, slopes: a.slopes.map(|slopes| slopes + (n - 1.0) * a.whole) }
            }
            ScalarOp::RealPower(a, b) if let Some(exponent) = self.as_number(*b).filter(|b| *b > 0.0) => {
                of(a).under(exponent.min(1.0), true)
            }
            ScalarOp::Function(function, a) => match function.modulus() {
                Modulus::Vanishing(h) => of(a).under(h, true),
                Modulus::Bounded(h) => of(a).under(h, false),
                Modulus::Pieces => self.of_operands(node, known),
            },
            ScalarOp::Singular(_, _, z) => of(z).under(1.0, false),
            ScalarOp::Select(condition, a, b) if of(condition).slopes.is_none() => of(a).sum(of(b)),
            ScalarOp::Div(..)
            | ScalarOp::Power(..)
            | ScalarOp::RealPower(..)
            | ScalarOp::Atan2(..)
            | ScalarOp::Remainder(..)
            | ScalarOp::Compare(..)
            | ScalarOp::And(..)
            | ScalarOp::Or(..)
            | ScalarOp::Not(_)
            | ScalarOp::Select(..)
            | ScalarOp::Output(..) => self.of_operands(node, known),
        }
    }

    /// Bounded, unless a factor s⁻ᵏ is among the operands.
    fn of_operands(&self, node: Scalar, known: &FxHashMap<Scalar, VanishingOrder>) -> VanishingOrder {
        let mut order = VanishingOrder::BOUNDED;
        each_operand(self.op(node), |operand| {
            if known[&operand].slopes.is_some() {
                order = VanishingOrder::UNKNOWN;
            }
        });
        order
    }

    /// The nodes that go to zero with √u, and their orders: u, and the xᵢ if u is the sum of their squares.
    fn bounded_by(&self, radicand: Scalar) -> FxHashMap<Scalar, f64> {
        let mut small = FxHashMap::default();
        let mut open = vec![radicand];
        while let Some(term) = open.pop() {
            match *self.op(term) {
                ScalarOp::Add(a, b) => open.extend([a, b]),
                ScalarOp::Mul(x, y) if x == y => {
                    small.insert(x, 1.0);
                    // 2x has the order of x.
                    if let ScalarOp::Mul(number, x) = *self.op(x)
                        && self.as_number(number).is_some()
                    {
                        small.insert(x, 1.0);
                    }
                }
                ScalarOp::Mul(number, term) if self.as_number(number).is_some_and(|number| number > 0.0) => {
                    open.push(term);
                }
                ScalarOp::Number(bits) if f64::from_bits(bits) >= 0.0 => {}
                _ => {
                    // A term with an unknown sign: the other terms need not be small.
                    small.clear();
                    break;
                }
            }
        }
        small.insert(radicand, 2.0);
        small
    }
}
