//! The helpers that functions with a role call, directly or not: others are ordinary Rust, and need no twin.

use syn::visit::{self, Visit};
use syn::{ExprMethodCall, ItemFn, Path};

use crate::model::{Kinematics, Model, Within, path_within};

/// These helpers, in the order of their declaration.
pub(super) fn helpers(model: &Model) -> Vec<&Within<ItemFn>> {
    let mut reached = Reached { model, found: vec![false; model.helpers.len()], waiting: vec![] };
    let kinematics = model.kinematics.iter().flat_map(Kinematics::functions);
    for function in model.functions.iter().chain(kinematics).filter(|function| !function.role.is_called()) {
        reached.visit_block(&function.body);
    }
    for constant in &model.constants {
        reached.visit_expr(&constant.item.expr);
    }
    for base in model.kinematics.iter().filter_map(|kinematics| kinematics.base.as_ref()) {
        reached.find(|helper| base.name == helper.path);
    }
    while let Some(at) = reached.waiting.pop() {
        reached.visit_block(&model.helpers[at].item.block);
    }
    let found = reached.found;
    model.helpers.iter().zip(found).filter(|(_, found)| *found).map(|(helper, _)| helper).collect()
}

struct Reached<'a> {
    model: &'a Model,
    /// For each helper.
    found: Vec<bool>,
    waiting: Vec<usize>,
}

impl Reached<'_> {
    fn find(&mut self, is_called: impl Fn(&Within<ItemFn>) -> bool) {
        for (at, helper) in self.model.helpers.iter().enumerate() {
            if !self.found[at] && is_called(helper) {
                self.found[at] = true;
                self.waiting.push(at);
            }
        }
    }
}

impl<'ast> Visit<'ast> for Reached<'_> {
    fn visit_path(&mut self, path: &'ast Path) {
        if let Some(path) = path_within(path) {
            self.find(|helper| helper.path == path);
        }
        visit::visit_path(self, path);
    }

    /// Whose method it is the call does not tell.
    fn visit_expr_method_call(&mut self, call: &'ast ExprMethodCall) {
        self.find(|helper| helper.owner.is_some() && helper.item.sig.ident == call.method);
        visit::visit_expr_method_call(self, call);
    }

    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        if let Some(rows) = crate::parse::rows(call) {
            rows.iter().flat_map(|row| &row.0).for_each(|entry| self.visit_expr(entry));
        }
        if let Some((value, _, guard)) = crate::interp::matched(call) {
            [Some(value), guard].iter().flatten().for_each(|part| self.visit_expr(part));
        }
    }
}
