//! The inputs that functions read, and the requirements on them.

use syn::ext::IdentExt;

use crate::expr::Leaf;
use crate::model::Role;
use crate::scalar::{Graph, Kernel, Scalar, ScalarOp};
use crate::schedule::Term;

/// Returns the entries that the outputs read, each with the order of its derivative.
pub(crate) fn read(graph: &Graph, outputs: &[Scalar]) -> Vec<(u32, u8)> {
    let kernel = Kernel::new(graph, outputs, |_| false);
    let mut all: Vec<(u32, u8)> = kernel
        .nodes
        .iter()
        .filter_map(|&node| match graph.op(node) {
            ScalarOp::Leaf(Leaf::Input { field, order, .. }, _) => Some((*field, *order)),
            _ => None,
        })
        .collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// The requirements on inputs: the constraints and potentials with inputs, and their entries.
#[derive(Default)]
pub(crate) struct InputNeeds {
    /// A potential that uses the inputs.
    pub over_time: Option<String>,
    /// A constraint that uses the inputs.
    pub smooth: Option<String>,
    pub prescribed: Vec<u32>,
}

impl InputNeeds {
    pub fn of<'t>(terms: impl Iterator<Item = &'t Term>) -> Self {
        let mut needs = InputNeeds::default();
        for term in terms {
            for function in &term.equations.functions {
                let declared = &term.model.functions[function.function];
                let place = match declared.role {
                    Role::Potential => &mut needs.over_time,
                    Role::Constraint | Role::VelocityConstraint => &mut needs.smooth,
                    _ => continue,
                };
                let entries = read(&term.equations.graph, &function.entries);
                if !entries.is_empty() {
                    place.get_or_insert_with(|| declared.name.unraw().to_string());
                    needs.prescribed.extend(entries.into_iter().map(|(field, _)| field));
                }
            }
        }
        needs.prescribed.sort_unstable();
        needs.prescribed.dedup();
        needs
    }
}
