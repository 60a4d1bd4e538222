//! Sorts the items of the module by role.
//!
//! Invariant: no item has a role attribute any more. Each item has at most one role, and the role is valid for the kind of item. The
//! contents of items are not checked here.

use syn::visit_mut::VisitMut;
use syn::{Attribute, Ident, Item, ItemConst, ItemFn, ItemStruct};

use super::lifetimes;
use super::reserved::{GENERATED_TYPES, rate};
use crate::diagnostics::{ErrorCollector, source};
use crate::model::{Gaps, Within};
use crate::syntax::role::{self, Keyword, On, Recognised};
use crate::syntax::rust::items::{attributes, cfg, conditional, conditional_error, kind, mentions, name};
use crate::syntax::scope::{ModuleScopes, Rewriter, is_known};

/// A function and the attribute that gives its role.
pub(in crate::syntax) struct AttributedFunction {
    pub keyword: Keyword,
    pub attribute: Attribute,
    pub item: ItemFn,
}

/// The items of the module by role, in the order of declaration.
#[derive(Default)]
pub(in crate::syntax) struct Declaration {
    /// Names of configurations, including items of the wrong kind.
    pub configuration_names: Vec<Ident>,
    pub configuration: Option<ItemStruct>,
    /// Names of parameter structs, including items of the wrong kind.
    pub parameter_names: Vec<Ident>,
    pub parameters: Option<ItemStruct>,
    /// Names of input structs, including items of the wrong kind.
    pub input_names: Vec<Ident>,
    pub inputs: Option<ItemStruct>,
    /// The struct of auxiliary states as written, without its role.
    pub states: Option<ItemStruct>,
    pub functions: Vec<AttributedFunction>,
    pub opaques: Vec<AttributedFunction>,
    pub helpers: Vec<Within<ItemFn>>,
    pub constants: Vec<Within<ItemConst>>,
    /// Structs without a role.
    pub structs: Vec<ItemStruct>,
    /// Attempted roles: misspelt, or on an item of the wrong kind.
    pub attempted: Vec<Keyword>,
    /// Functions with a misspelt role.
    pub misspelt: Vec<Ident>,
    /// The names of role attributes as they are written.
    pub roles: Vec<Ident>,
    /// The items to emit: all except the structs with a role, without role attributes.
    pub items: Vec<Item>,
}

/// Sorts `items`.
pub(in crate::syntax) fn collect(items: Vec<Item>, sink: &mut ErrorCollector) -> Declaration {
    let mut declaration = Declaration::default();
    for mut item in items {
        let attempted = declaration.attempted.len();
        let role = take_role(&mut item, &mut declaration.attempted, sink);
        if role.is_none() && declaration.attempted.len() > attempted {
            declaration.misspelt.extend(name(&item).cloned());
        }
        Misplaced { attempted: &mut declaration.attempted, sink }.visit_item_mut(&mut item);
        if let Some(attribute) = conditional(&item, role.is_some()) {
            sink.push(conditional_error(attribute));
        }
        ensure_explicit(&item, sink);
        match role {
            Some((keyword, attribute)) => declaration.add_role(keyword, attribute, item, sink),
            None => declaration.add_plain(item),
        }
    }
    declaration
}

/// Reports items that determine the meaning of function bodies without a visible call.
fn ensure_explicit(item: &Item, sink: &mut ErrorCollector) {
    match item {
        Item::Trait(item) if item.items.iter().any(|item| matches!(item, syn::TraitItem::Fn(_))) => {
            sink.error_with_help(
                &item.ident,
                format_args!(
                    "the trait `{}` is not supported in a declaration: the types determine which method is called",
                    item.ident
                ),
                "declare the methods in an `impl` block of the type, or move the trait out of this module",
            );
        }
        Item::Impl(block) => {
            let Some((_, path, _)) = &block.trait_ else { return };
            let Some(name) = ["Clone", "Drop", "PartialEq"].into_iter().find(|name| path.is_ident(name)) else {
                return;
            };
            let help = if name == "Drop" {
                "remove it, and call a function in its place".to_owned()
            } else {
                format!("write `#[derive({name})]`, or declare a method with another name")
            };
            let message =
                format!("`impl {name}` is not supported in a declaration: function bodies call it implicitly");
            sink.error_with_help(path, message, help);
        }
        _ => {}
    }
}

/// Removes the role attribute from an item and returns it.
fn take_role(item: &mut Item, attempted: &mut Vec<Keyword>, sink: &mut ErrorCollector) -> Option<(Keyword, Attribute)> {
    let mut role: Option<(Keyword, Attribute)> = None;
    let is_struct = matches!(item, Item::Struct(_));
    attributes(item)?.retain(|attribute| match role::recognise(attribute) {
        Recognised::Foreign => true,
        Recognised::Misspelt(keyword) => {
            attempted.push(keyword);
            sink.push(role::misspelt(attribute, keyword));
            // Functions with the struct as an argument must not cause further errors.
            if is_struct && keyword.is_struct() && role.is_none() {
                role = Some((keyword, attribute.clone()));
            }
            false
        }
        Recognised::Role(keyword) => {
            match &role {
                None => role = Some((keyword, attribute.clone())),
                Some((first, _)) if *first == keyword => sink.error_with_help(
                    attribute,
                    format_args!("duplicate `#[{}]`", keyword.name()),
                    "remove the second attribute",
                ),
                Some((first, _)) => {
                    attempted.push(keyword);
                    sink.error_with_help(
                        attribute,
                        format_args!("an item has one role, and this one is already `#[{}]`", first.name()),
                        "declare a second item for the second role",
                    );
                }
            }
            false
        }
    });
    role
}

/// Reports and removes role attributes that are not on items of the module itself.
struct Misplaced<'a> {
    attempted: &'a mut Vec<Keyword>,
    sink: &'a mut ErrorCollector,
}

impl VisitMut for Misplaced<'_> {
    fn visit_attributes_mut(&mut self, attributes: &mut Vec<Attribute>) {
        attributes.retain(|attribute| match role::recognise(attribute) {
            Recognised::Role(keyword) => {
                self.attempted.push(keyword);
                self.sink.error_with_help(
                    attribute,
                    format_args!("`#[{}]` cannot be used here", keyword.name()),
                    format_args!(
                        "move the item into the module of the system: roles are for its {}",
                        if keyword.is_struct() { "structs" } else { "functions" }
                    ),
                );
                false
            }
            _ => true,
        });
    }
}

/// Converts `self` to an ordinary argument; `None` for `&mut self` and other forms.
fn argument_of(receiver: &syn::Receiver) -> Option<syn::FnArg> {
    let ty = match source(receiver).as_str() {
        "&self" => syn::parse_quote!(&Self),
        "self" | "mut self" => syn::parse_quote!(Self),
        _ => return None,
    };
    let mut argument: syn::PatType = syn::parse_quote!(receiver: f64);
    *argument.ty = ty;
    if let syn::Pat::Ident(binding) = &mut *argument.pat {
        binding.ident = Ident::new("self", receiver.self_token.span);
        binding.mutability = receiver.mutability.filter(|_| receiver.reference.is_none());
    }
    Some(syn::FnArg::Typed(argument))
}

/// Returns true if a field has this type, or an array or chain of it.
fn has_members_of(item: &ItemStruct, name: &Ident) -> bool {
    item.fields.iter().any(|field| mentions(&field.ty, &name.to_string()))
}

/// Returns the rewriter for an item in its module.
fn rewriter<'a, T>(scope: &'a ModuleScopes, item: &Within<T>) -> Rewriter<'a> {
    let module = scope.module(&item.modules());
    match &item.owner {
        Some(owner) => Rewriter::of_type(scope, module, owner),
        None => Rewriter::new(scope, module),
    }
}

impl Declaration {
    fn add_plain(&mut self, item: Item) {
        self.add_readable(&item, &[]);
        self.items.push(item);
    }

    /// Adds functions and constants, including items of nested modules.
    fn add_readable(&mut self, item: &Item, modules: &[String]) {
        match item {
            Item::Fn(function) => self.helpers.push(Within::new(modules, &function.sig.ident, function.clone())),
            Item::Const(constant) => self.constants.push(Within::new(modules, &constant.ident, constant.clone())),
            Item::Struct(item) if modules.is_empty() => self.structs.push(item.clone()),
            Item::Impl(block) if modules.is_empty() => self.add_methods(block),
            Item::Mod(inner) if cfg(&inner.attrs).is_none() => {
                let modules = [modules, &[inner.ident.to_string()]].concat();
                for item in inner.content.iter().flat_map(|(_, items)| items) {
                    self.add_readable(item, &modules);
                }
            }
            _ => {}
        }
    }

    /// Adds functions and constants of an `impl` block of a declared type, except for methods with `&mut self`.
    fn add_methods(&mut self, block: &syn::ItemImpl) {
        let owner = match &*block.self_ty {
            syn::Type::Path(path) if block.trait_.is_none() && block.generics.lt_token.is_none() => {
                path.path.get_ident()
            }
            _ => None,
        };
        // Paths do not distinguish methods of a declared type from methods of a library type with the same name.
        let Some(owner) = owner.filter(|owner| !is_known(&owner.to_string())) else { return };
        for item in &block.items {
            match item {
                syn::ImplItem::Fn(method) => {
                    let mut function: ItemFn = syn::parse_quote!(
                        fn method() {}
                    );
                    function.sig = method.sig.clone();
                    *function.block = method.block.clone();
                    if let Some(first) = function.sig.inputs.first_mut()
                        && let syn::FnArg::Receiver(receiver) = first
                    {
                        let Some(argument) = argument_of(receiver) else { continue };
                        *first = argument;
                    }
                    self.helpers.push(Within::of_type(owner, &method.sig.ident, function));
                }
                syn::ImplItem::Const(constant) => {
                    let (name, ty, value) = (&constant.ident, &constant.ty, &constant.expr);
                    let item: ItemConst = syn::parse_quote!(const #name: #ty = #value;);
                    self.constants.push(Within::of_type(owner, name, item));
                }
                _ => {}
            }
        }
    }

    /// Returns the gaps of a model whose items have these `names`.
    pub fn gaps(&self, names: &[&Ident]) -> Gaps {
        let structs = [&self.configuration, &self.parameters, &self.inputs].into_iter().flatten();
        let fields = structs.flat_map(|item| item.fields.iter().filter_map(|field| field.ident.as_ref()));
        let functions = self.functions.iter().chain(&self.opaques).map(|declared| &declared.item.sig.ident);
        let missing = fields.chain(functions).filter(|name| !names.contains(name)).chain(&self.misspelt);
        let is_helper = |name: &String| self.helpers.iter().any(|helper| helper.path == *name);
        let rates = self.helpers.iter().map(|helper| format!("{}_rate", helper.path)).filter(|name| !is_helper(name));
        let is_missing = |declared: &&AttributedFunction| !names.contains(&&declared.item.sig.ident);
        let inertia = self.functions.iter().filter(is_missing).map(|declared| declared.keyword);
        Gaps {
            names: missing.flat_map(|name| [name.to_string(), rate(name)]).chain(rates).collect(),
            // `#[kinematics]` gives its joints the inertia of the frames.
            inertia: inertia
                .chain(self.attempted.iter().copied())
                .any(|keyword| keyword.is_inertia() || keyword == Keyword::Kinematics)
                || !self.functions.iter().any(|declared| declared.keyword.is_inertia()),
        }
    }

    /// Returns true if several structs have the same role. Types of arguments are then ambiguous.
    pub fn is_ambiguous(&self) -> bool {
        [&self.configuration_names, &self.parameter_names, &self.input_names].iter().any(|names| names.len() > 1)
    }

    /// The names of the structs with a role.
    pub fn struct_names(&self) -> impl Iterator<Item = &Ident> {
        self.configuration_names.iter().chain(&self.parameter_names).chain(&self.input_names)
    }

    /// The names of the structs with a role and of the generated types.
    pub fn type_names(&self) -> Vec<String> {
        let generated = GENERATED_TYPES.iter().map(|(name, _)| (*name).to_owned());
        generated.chain(self.struct_names().map(Ident::to_string)).collect()
    }

    /// Converts items for the compiler to canonical form; items to emit are unchanged.
    pub fn canonicalise(&mut self, scope: &ModuleScopes) {
        for declared in self.functions.iter_mut().chain(&mut self.opaques) {
            declared.item = Rewriter::new(scope, 0).function(&declared.item);
        }
        for helper in &mut self.helpers {
            helper.item = rewriter(scope, helper).function(&helper.item);
        }
        for constant in &mut self.constants {
            let mut rewriter = rewriter(scope, constant);
            *constant.item.ty = rewriter.ty(&constant.item.ty);
            *constant.item.expr = rewriter.expression(&constant.item.expr);
        }
        for item in &mut self.structs {
            for field in &mut item.fields {
                field.ty = Rewriter::new(scope, 0).ty(&field.ty);
            }
        }
    }

    fn add_role(&mut self, keyword: Keyword, attribute: Attribute, item: Item, sink: &mut ErrorCollector) {
        let written = attribute.path().segments.last().map(|segment| segment.ident.clone());
        self.roles.extend(written.filter(|name| name == keyword.name()));
        match item {
            Item::Struct(item) if keyword.is_struct() => {
                role::arguments(keyword, &attribute, sink);
                self.add_struct(keyword, item, sink);
            }
            Item::Fn(mut item) if !keyword.is_struct() => {
                lifetimes::elide(&mut item);
                self.items.push(Item::Fn(item.clone()));
                let declared = AttributedFunction { keyword, attribute, item };
                if keyword == Keyword::Opaque {
                    self.opaques.push(declared);
                } else {
                    self.functions.push(declared);
                }
            }
            item => self.wrong_kind(keyword, &attribute, item, sink),
        }
    }

    fn add_struct(&mut self, keyword: Keyword, item: ItemStruct, sink: &mut ErrorCollector) {
        let On::Struct { what, .. } = keyword.rules().on else { return self.items.push(Item::Struct(item)) };
        let (names, place) = match keyword {
            Keyword::Configuration => (&mut self.configuration_names, &mut self.configuration),
            Keyword::Inputs => (&mut self.input_names, &mut self.inputs),
            // The states of a system with a configuration are expanded before.
            Keyword::States => return self.items.push(Item::Struct(item)),
            _ => (&mut self.parameter_names, &mut self.parameters),
        };
        if let Some(first) = names.first() {
            let body = match place {
                Some(place) if has_members_of(place, &item.ident) => Some(&item.ident),
                Some(place) if has_members_of(&item, &place.ident) => Some(&place.ident),
                _ => None,
            };
            let help = match body {
                Some(body) => format!("remove the attribute of `{body}`: the type of a member has no role"),
                None => format!("put the fields of `{}` into `{first}`", item.ident),
            };
            let message = format_args!("a system has one {what}, and `{first}` is already declared");
            sink.error_with_note(&item.ident, message, help, (first, format_args!("the first {what} is here")));
        }
        names.push(item.ident.clone());
        if place.is_none() {
            *place = Some(item);
        } else {
            self.items.push(Item::Struct(item));
        }
    }

    fn wrong_kind(&mut self, keyword: Keyword, attribute: &Attribute, item: Item, sink: &mut ErrorCollector) {
        self.attempted.push(keyword);
        let role = keyword.name();
        let declared = name(&item);
        let message = match declared {
            Some(name) => format!("`#[{role}]` cannot be on `{name}`, which is {}", kind(&item)),
            None => format!("`#[{role}]` cannot be on {}", kind(&item)),
        };
        let help = match keyword.rules().on {
            On::Struct { form, .. } => form,
            On::Function(_) => "write it before a function",
        };
        match declared {
            Some(name) => sink.error_with_help(name, message, help),
            None => sink.error_with_help(attribute, message, help),
        }
        let names = match keyword {
            Keyword::Configuration => &mut self.configuration_names,
            Keyword::Parameters => &mut self.parameter_names,
            Keyword::Inputs => &mut self.input_names,
            _ => return self.add_plain(item),
        };
        names.extend(name(&item).cloned());
        self.add_plain(item);
    }
}
