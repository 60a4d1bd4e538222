//! Common reciprocals: a / x + b / x is (a + b) / x, and what is divided by data is multiplied by what is known of them.

use rustc_hash::{FxHashMap, FxHashSet};

use super::{Given, factor, hoist, share};
use crate::expr::Function;
use crate::graph::{Graph, Kernel, Scalar, ScalarOp};

/// The same results with one division for each divisor of several quotients, and none by given values; sums and products
/// then share the reciprocal. A quotient that is a product has one rounding more, which what [jumps](jumping) does not forgive.
pub(super) fn common(graph: &mut Graph, outputs: &[Scalar], given: Given) -> Vec<Scalar> {
    let kernel = Kernel::new(graph, outputs, |node| given(graph, node));
    let mut quotients: FxHashMap<Scalar, usize> = FxHashMap::default();
    let kept = jumping(graph, &kernel);
    for &node in kernel.nodes.iter().filter(|&&node| !given(graph, node) && !kept.contains(&node)) {
        if let ScalarOp::Div(_, divisor) = *graph.op(node) {
            *quotients.entry(divisor).or_default() += 1;
        }
    }
    quotients.retain(|&divisor, count| *count > 1 || given(graph, divisor) && graph.as_number(divisor).is_none());
    if quotients.is_empty() {
        return outputs.to_vec();
    }
    let products = graph.rewritten(&kernel, outputs, given, |graph, node, known| match *graph.op(node) {
        ScalarOp::Div(a, divisor) if quotients.contains_key(&divisor) && !kept.contains(&node) => {
            let one = graph.number(1.0);
            let reciprocal = graph.div(one, known[divisor]);
            Some(graph.mul(known[a], reciprocal))
        }
        _ => None,
    });
    // By itself it only exchanges operations: what is gained shows in sums and products.
    let shared = graph.improved(&products, given, &[factor::factored, hoist::hoisted, share::products]);
    divided(graph, &shared, given)
}

/// Quotients that are rounded to whole numbers or compared: 49 / 49 is 1, and 49 (1 / 49) is not.
fn jumping(graph: &Graph, kernel: &Kernel) -> FxHashSet<Scalar> {
    let mut kept = FxHashSet::default();
    for &node in &kernel.nodes {
        let mut rounded = match *graph.op(node) {
            ScalarOp::Function(Function::Floor | Function::Ceil | Function::Round | Function::Trunc, a) => vec![a],
            ScalarOp::Remainder(a, b) => vec![a, b],
            ScalarOp::Compare(_, a, b) => {
                kept.extend([a, b].into_iter().filter(|&side| matches!(graph.op(side), ScalarOp::Div(..))));
                continue;
            }
            _ => continue,
        };
        // Quotients in a sum as well.
        while let Some(node) = rounded.pop() {
            match *graph.op(node) {
                ScalarOp::Div(..) => {
                    kept.insert(node);
                }
                ScalarOp::Add(a, b) | ScalarOp::Sub(a, b) => rounded.extend([a, b]),
                ScalarOp::Neg(a) => rounded.push(a),
                _ => {}
            }
        }
    }
    kept
}

/// The same results with a division where a reciprocal is needed once: a (1 / x) is a / x.
fn divided(graph: &mut Graph, outputs: &[Scalar], given: Given) -> Vec<Scalar> {
    let kernel = Kernel::new(graph, outputs, |node| given(graph, node));
    let divisor = |graph: &Graph, node: Scalar| match *graph.op(node) {
        ScalarOp::Div(one, divisor)
            if graph.as_number(one) == Some(1.0) && !given(graph, node) && kernel.uses_of(node) == 1 =>
        {
            Some(divisor)
        }
        _ => None,
    };
    graph.rewritten(&kernel, outputs, given, |graph, node, known| {
        let ScalarOp::Mul(a, b) = *graph.op(node) else { return None };
        let (factor, divisor) = divisor(graph, b).map(|x| (a, x)).or_else(|| divisor(graph, a).map(|x| (b, x)))?;
        Some(graph.div(known[factor], known[divisor]))
    })
}
