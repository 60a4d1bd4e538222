//! Common factors: a x + a y + b is a (x + y) + b, the factor that saves most first.

use std::collections::BTreeMap;

use super::reassociate::{Chains, LinearTerm, is_sum, sum};
use super::replacement::{ArgumentTest, Known};
use crate::scalar::{Graph, Scalar, ScalarOp};

/// A term as a product: coefficient and factors. A term that is not split has one factor.
#[derive(Clone)]
struct Product {
    coefficient: f64,
    factors: Vec<Scalar>,
    /// True if splitting it saves its multiplication: no other node needs the product.
    is_free: bool,
}

/// A common factor of terms.
#[derive(Clone, Copy)]
enum Common {
    /// A constant factor, up to its sign.
    Number(f64),
    Factor(Scalar),
}

/// The gain of a common factor.
struct Gain {
    common: Common,
    /// The terms with this factor.
    members: Vec<usize>,
    operations: usize,
}

/// Takes common factors out of sums if no other result needs the products; the results do not change. Sums of given values cost nothing, so
/// one free product is sufficient for them.
pub(super) fn factored(graph: &mut Graph, outputs: &[Scalar], given: ArgumentTest) -> Vec<Scalar> {
    let chains = Chains::new(graph, outputs, given);
    graph.rewritten(&chains.kernel, outputs, given, |graph, node, known| {
        if !is_sum(graph, node) || !chains.is_whole(node) {
            return None;
        }
        let terms = chains.terms(graph, node);
        let products: Vec<Product> = terms.iter().map(|term| product(graph, &chains, term)).collect();
        best(graph, &products, given)?;
        Some(built(graph, products, known, given))
    })
}

fn product(graph: &Graph, chains: &Chains, term: &LinearTerm) -> Product {
    let Some(node) = term.node else {
        return Product { coefficient: term.coefficient, factors: vec![], is_free: false };
    };
    let mut factors = chains.factors(graph, node);
    let is_free = factors.len() > 1 && chains.is_used_once(node);
    let mut coefficient = term.coefficient;
    if is_free {
        // A constant factor is part of the coefficient.
        factors.retain(|&factor| match graph.op(factor) {
            ScalarOp::Number(bits) if (coefficient * f64::from_bits(*bits)).is_normal() => {
                coefficient *= f64::from_bits(*bits);
                false
            }
            _ => true,
        });
    }
    Product { coefficient, factors, is_free }
}

/// The factor that saves most operations; the first of equal ones.
fn best(graph: &Graph, products: &[Product], given: ArgumentTest) -> Option<Gain> {
    let mut having: BTreeMap<Scalar, Vec<usize>> = BTreeMap::new();
    for (at, product) in products.iter().enumerate().filter(|(_, product)| product.factors.len() > 1) {
        for &factor in &product.factors {
            let members = having.entry(factor).or_default();
            if members.last() != Some(&at) {
                members.push(at);
            }
        }
    }
    let gain = |(factor, members): (Scalar, Vec<usize>)| {
        let rest_is_given =
            |&at: &usize| without(&products[at].factors, factor).iter().all(|&other| given(graph, other));
        let is_free = |&at: &usize| products[at].is_free;
        let all_given = members.iter().all(rest_is_given) && members.iter().any(is_free) && !given(graph, factor);
        let free: Vec<usize> = members.iter().copied().filter(|at| is_free(at)).collect();
        // One multiplication instead of many, and no addition if the sum is given.
        let (members, operations) = if all_given {
            let operations = free.len() + members.len() - 2;
            (members, operations)
        } else {
            let operations = free.len().saturating_sub(1);
            (free, operations)
        };
        let common = Common::Factor(factor);
        (members.len() > 1 && operations > 0).then_some(Gain { common, members, operations })
    };
    let factors = having.into_iter().filter_map(gain);
    factors.chain(numbers(products)).reduce(|best, next| if next.operations > best.operations { next } else { best })
}

/// The constant factors of several terms.
fn numbers(products: &[Product]) -> impl Iterator<Item = Gain> {
    let mut having: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
    for (at, product) in products.iter().enumerate().filter(|(_, product)| !product.factors.is_empty()) {
        let number = product.coefficient.abs();
        if number.is_normal() && number != 1.0 {
            having.entry(number.to_bits()).or_default().push(at);
        }
    }
    let several = having.into_iter().filter(|(_, members)| members.len() > 1);
    several.map(|(bits, members)| {
        let operations = members.len() - 1;
        Gain { common: Common::Number(f64::from_bits(bits)), members, operations }
    })
}

/// The factors without one occurrence of `factor`.
fn without(factors: &[Scalar], factor: Scalar) -> Vec<Scalar> {
    let at = factors.iter().position(|&other| other == factor).unwrap_or(factors.len());
    factors.iter().enumerate().filter(|&(other, _)| other != at).map(|(_, &factor)| factor).collect()
}

/// The sum of the products, with the best factor taken out first.
fn built(graph: &mut Graph, mut products: Vec<Product>, known: &Known, given: ArgumentTest) -> Scalar {
    let mut terms: Vec<LinearTerm> = Vec::new();
    while let Some(Gain { common, members, .. }) = best(graph, &products, given) {
        let mut group: Vec<Product> = members.iter().map(|&at| products[at].clone()).collect();
        for product in &mut group {
            match common {
                Common::Number(number) => product.coefficient /= number,
                Common::Factor(factor) => product.factors = without(&product.factors, factor),
            }
        }
        // The sign of the whole sum moves outside: the sum starts with a positive term.
        let sign = if group[0].coefficient < 0.0 { -1.0 } else { 1.0 };
        for product in &mut group {
            product.coefficient *= sign;
        }
        let inner = built(graph, group, known, given);
        let factor = match common {
            Common::Number(number) => graph.number(number),
            Common::Factor(factor) => known[factor],
        };
        let value = graph.mul(factor, inner);
        terms.push(LinearTerm { coefficient: sign, node: Some(value) });
        let mut at = 0;
        products.retain(|_| {
            at += 1;
            !members.contains(&(at - 1))
        });
    }
    for Product { coefficient, factors, .. } in products {
        let node = factors.iter().map(|&factor| known[factor]).reduce(|product, factor| graph.mul(product, factor));
        terms.push(LinearTerm { coefficient, node });
    }
    sum(graph, &terms)
}
