//! Output with the errors of a declaration.
//!
//! Invariant: the output adds no errors, whether from reported faults or from missing generated code. Functions need the generated types,
//! so they are emitted only for editors, which do not report follow-up errors.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::visit::Visit;
use syn::{Attribute, Ident, Item, Visibility};

use crate::identifier::declaration_names;
use crate::syntax::data::fields::CLAMPED;
use crate::syntax::module::reserved::GENERATED_TYPES;
use crate::syntax::rust::items;

/// The items that do not need generated code.
#[derive(Clone)]
pub(crate) struct Recovery {
    pub attributes: Vec<Attribute>,
    pub visibility: Visibility,
    pub name: Ident,
    /// The import of the names that declarations use.
    names: TokenStream,
    /// Items that compile without generated code.
    kept: Vec<Item>,
    /// Items that can refer to generated types.
    rest: Vec<Item>,
}

impl Recovery {
    /// Sorts the items of a module; `structs` are the configuration and the parameters, if they have no errors.
    pub fn new(
        attributes: Vec<Attribute>,
        visibility: Visibility,
        name: Ident,
        runtime: Option<&syn::Path>,
        items: &[Item],
        structs: impl IntoIterator<Item = Item>,
    ) -> Self {
        let names = declaration_names(runtime);
        let mut recovery = Self { attributes, visibility, name, names, kept: vec![], rest: vec![] };
        let mut names: Vec<Ident> = vec![];
        for item in structs.into_iter().chain(items.iter().cloned()) {
            // The second item with the same name is reported elsewhere, or shadowed by the first.
            if let Some(name) = items::name(&item).filter(|name| *name != "_") {
                if names.contains(name) {
                    continue;
                }
                names.push(name.clone());
            }
            // The attribute is unknown outside of a configuration.
            let mut item = item;
            if let Item::Struct(item) = &mut item {
                for field in &mut item.fields {
                    field.attrs.retain(|attribute| !attribute.path().is_ident(CLAMPED));
                }
            }
            let list = if stands_alone(&item) { &mut recovery.kept } else { &mut recovery.rest };
            list.push(item);
        }
        recovery
    }

    /// Returns the items that can be kept.
    pub fn items(&self) -> TokenStream {
        let Self { attributes, visibility, name, names, kept, rest } = self;
        let stubs = GENERATED_TYPES.iter().map(|(generated, _)| format_ident!("{generated}")).filter(|generated| {
            kept.iter().all(|item| items::name(item) != Some(generated) && !imports(item, generated))
        });
        quote! {
            #(#attributes)*
            #[allow(dead_code, unused_imports, unexpected_cfgs, missing_docs)]
            #visibility mod #name {
                #names
                #(#kept)*
                #(pub struct #stubs;)*
                #(#[cfg(rust_analyzer)] #rest)*
            }
        }
    }
}

/// Returns true for imports, plain types and constants without calls.
fn stands_alone(item: &Item) -> bool {
    struct Calls(bool);
    impl Visit<'_> for Calls {
        fn visit_expr_call(&mut self, _: &syn::ExprCall) {
            self.0 = true;
        }
        fn visit_expr_method_call(&mut self, _: &syn::ExprMethodCall) {
            self.0 = true;
        }
        fn visit_macro(&mut self, _: &syn::Macro) {
            self.0 = true;
        }
    }
    match item {
        Item::Use(_) => true,
        // Imports from the module can be missing.
        Item::Mod(_) => GENERATED_TYPES.iter().all(|(generated, _)| !items::mentions(item, generated)),
        Item::Struct(_) | Item::Enum(_) | Item::Union(_) | Item::Type(_) => !items::mentions(item, "Velocity"),
        Item::Const(constant) => {
            let mut calls = Calls(false);
            calls.visit_expr(&constant.expr);
            !calls.0
        }
        _ => false,
    }
}

fn imports(item: &Item, name: &Ident) -> bool {
    matches!(item, Item::Use(_)) && items::mentions(item, &name.to_string())
}
