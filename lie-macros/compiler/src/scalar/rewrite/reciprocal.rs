//! Common reciprocals: a / x + b / x is (a + b) / x, and a quotient with a given divisor becomes a product with its reciprocal.

use rustc_hash::{FxHashMap, FxHashSet};

use super::replacement::ArgumentTest;
use super::{factor, hoist, shared_pairs};
use crate::expr::Function;
use crate::scalar::{Graph, Kernel, Scalar, ScalarOp};

/// Uses one division for each divisor of several quotients, and none for given divisors; sums and products then share the reciprocal. A
/// quotient as a product has one more rounding; [discontinuous](jumping) operations do not tolerate it.
pub(super) fn common(graph: &mut Graph, outputs: &[Scalar], given: ArgumentTest) -> Vec<Scalar> {
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
    // This pass alone only exchanges operations; the gain appears in sums and products.
    let shared = graph.improved(&products, given, &[factor::factored, hoist::hoisted, shared_pairs::products]);
    divided(graph, &shared, given)
}

/// Quotients that are rounded to integers or compared: 49 / 49 is 1, but 49 (1 / 49) is not.
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
        // Quotients in a sum are included.
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

/// Uses a division for a reciprocal with one use: a (1 / x) is a / x.
fn divided(graph: &mut Graph, outputs: &[Scalar], given: ArgumentTest) -> Vec<Scalar> {
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
