//! The helpers that role functions call, directly or indirectly. Other helpers need no dual-number version.

use syn::visit::{self, Visit};
use syn::{ExprMethodCall, ItemFn, Path};

use crate::model::{Kinematics, Model, Within, path_within};

/// Returns these helpers, in order of declaration.
pub(super) fn helpers(model: &Model) -> Vec<&Within<ItemFn>> {
    let mut reachable = Reachable { model, found: vec![false; model.helpers.len()], waiting: vec![] };
    let kinematics = model.kinematics.iter().flat_map(Kinematics::functions);
    for function in model.functions.iter().chain(kinematics).filter(|function| !function.role.is_called()) {
        reachable.visit_block(&function.body);
    }
    for constant in &model.constants {
        reachable.visit_expr(&constant.item.expr);
    }
    for base in model.kinematics.iter().filter_map(|kinematics| kinematics.base.as_ref()) {
        reachable.find(|helper| base.name == helper.path);
    }
    while let Some(at) = reachable.waiting.pop() {
        reachable.visit_block(&model.helpers[at].item.block);
    }
    let found = reachable.found;
    model.helpers.iter().zip(found).filter(|(_, found)| *found).map(|(helper, _)| helper).collect()
}

struct Reachable<'a> {
    model: &'a Model,
    /// True for each reachable helper.
    found: Vec<bool>,
    waiting: Vec<usize>,
}

impl Reachable<'_> {
    fn find(&mut self, is_called: impl Fn(&Within<ItemFn>) -> bool) {
        for (at, helper) in self.model.helpers.iter().enumerate() {
            if !self.found[at] && is_called(helper) {
                self.found[at] = true;
                self.waiting.push(at);
            }
        }
    }
}

impl<'ast> Visit<'ast> for Reachable<'_> {
    fn visit_path(&mut self, path: &'ast Path) {
        if let Some(path) = path_within(path) {
            self.find(|helper| helper.path == path);
        }
        visit::visit_path(self, path);
    }

    /// Finds all methods with this name: the type of the receiver is unknown.
    fn visit_expr_method_call(&mut self, call: &'ast ExprMethodCall) {
        self.find(|helper| helper.owner.is_some() && helper.item.sig.ident == call.method);
        visit::visit_expr_method_call(self, call);
    }

    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        if let Some(rows) = crate::syntax::rows(call) {
            rows.iter().flat_map(|row| &row.0).for_each(|entry| self.visit_expr(entry));
        }
        if let Some((value, _, guard)) = crate::interp::matched(call) {
            [Some(value), guard].iter().flatten().for_each(|part| self.visit_expr(part));
        }
    }
}
