//! Slopes of roots, where the root is zero.
//!
//! Differentiation turns a root s = √u into s⁻¹, infinite where a norm is zero, though what it is a factor of may well have
//! a limit there: |v| v has the slope |v| I + v vᵀ/|v|, which vanishes with v. So each result is looked at as s → 0. If
//! u = Σ xᵢ², then |xᵢ| ≤ s, and each factor of a product has an order o with |factor| = O(sᵒ): 1 of s and xᵢ, 2 of u, −k of
//! s⁻ᵏ, 0 of what is only known to be bounded. Where the order of all products with a slope is positive, they have the limit
//! 0; this is their value if s⁻ᵏ is set to 0 at s = 0, and nothing is changed elsewhere. Other slopes stay infinite: the
//! result has no limit there, or none that the orders tell.

use std::collections::BTreeSet;

use rustc_hash::{FxBuildHasher, FxHashMap};

use super::{Given, Known};
use crate::expr::{Function, Modulus, Relation};
use crate::graph::{Graph, Kernel, Scalar, ScalarOp, each_operand};

/// Nothing is handed to what is settled.
const NOTHING: Given = |_, _| false;

/// How a node behaves as s → 0.
#[derive(Clone, Copy)]
struct Order {
    /// Of the whole, at least.
    whole: f64,
    /// Of the products in it with a slope s⁻ᵏ, at least; none if there are no such products.
    slopes: Option<f64>,
}

impl Order {
    const BOUNDED: Order = Order { whole: 0.0, slopes: None };
    const UNKNOWN: Order = Order { whole: f64::NEG_INFINITY, slopes: Some(f64::NEG_INFINITY) };

    fn sum(self, other: Order) -> Order {
        Order { whole: self.whole.min(other.whole), slopes: least(self.slopes, other.slopes) }
    }

    fn product(self, other: Order) -> Order {
        let (here, there) = (self.slopes.map(|a| a + other.whole), other.slopes.map(|b| b + self.whole));
        Order { whole: self.whole + other.whole, slopes: least(here, there) }
    }

    /// Of a function with |f(a + δ) − f(a)| = O(δʰ) that is O(aʰ) itself if `vanishes`.
    fn under(self, h: f64, vanishes: bool) -> Order {
        match self.slopes {
            Some(slopes) if slopes <= 0.0 => Order::UNKNOWN,
            slopes => Order {
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

/// Roots that go to zero, by their radicands, and what goes with them, by its order.
struct Limit {
    radicands: Vec<Scalar>,
    small: FxHashMap<Scalar, f64>,
}

/// The smaller one of those that there are.
fn least(a: Option<f64>, b: Option<f64>) -> Option<f64> {
    a.zip(b).map(|(a, b)| a.min(b)).or(a).or(b)
}

impl Graph {
    /// The outputs with quotients in the place of negative powers of roots; each is looked at by itself.
    pub fn settled(&mut self, outputs: &[Scalar]) -> Vec<Scalar> {
        outputs.iter().map(|&output| self.settle(output)).collect()
    }

    /// True if an output that is not settled has no limit, or none that is known, where `small` and all `radicands` go to zero
    /// together.
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
        // The output, and the radicands that are still to come: operands first.
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

    /// The radicand and the negative power of it that a node is: of roots, and real ones.
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
    fn order(&self, kernel: &Kernel, output: Scalar, limit: &Limit) -> Order {
        let mut known: FxHashMap<Scalar, Order> =
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
    fn order_of(&self, node: Scalar, limit: &Limit, known: &FxHashMap<Scalar, Order>) -> Order {
        let of = |operand: &Scalar| known[operand];
        if let Some((radicand, exponent)) = self.as_slope(node)
            && limit.radicands.contains(&radicand)
        {
            return Order { whole: 2.0 * exponent, slopes: Some(2.0 * exponent) };
        }
        match self.op(node) {
            ScalarOp::Number(_) | ScalarOp::Leaf(..) => Order::BOUNDED,
            ScalarOp::Add(a, b) | ScalarOp::Sub(a, b) => of(a).sum(of(b)),
            ScalarOp::Mul(a, b) => of(a).product(of(b)),
            ScalarOp::Neg(a) => of(a),
            // A denominator that vanishes with s is no slope: the result is what Rust makes of it.
            ScalarOp::Div(a, b) if of(b).slopes.is_none() && of(b).whole <= 0.0 => of(a),
            ScalarOp::Power(a, exponent) if *exponent > 0 => {
                let (a, n) = (of(a), f64::from(*exponent));
                Order { whole: n * a.whole, slopes: a.slopes.map(|slopes| slopes + (n - 1.0) * a.whole) }
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

    /// Bounded, unless slopes are among the operands.
    fn of_operands(&self, node: Scalar, known: &FxHashMap<Scalar, Order>) -> Order {
        let mut order = Order::BOUNDED;
        each_operand(self.op(node), |operand| {
            if known[&operand].slopes.is_some() {
                order = Order::UNKNOWN;
            }
        });
        order
    }

    /// What is small with √u, and its order: u, and the xᵢ if u is the sum of their squares.
    fn bounded_by(&self, radicand: Scalar) -> FxHashMap<Scalar, f64> {
        let mut small = FxHashMap::default();
        let mut open = vec![radicand];
        while let Some(term) = open.pop() {
            match *self.op(term) {
                ScalarOp::Add(a, b) => open.extend([a, b]),
                ScalarOp::Mul(x, y) if x == y => {
                    small.insert(x, 1.0);
                    // 2x is as small as x.
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
                    // A term of either sign: the others need not be small.
                    small.clear();
                    break;
                }
            }
        }
        small.insert(radicand, 2.0);
        small
    }
}
