//! Bodies: structs of groups that are members of the configuration.
//!
//! A struct is a body if a member has its type, or an array or a chain of it.
//!
//! Invariant: every field of a body is a group or another body, and the body is at least as visible as the configuration.

use syn::{Item, ItemStruct, Type, Visibility};

use super::fields::{CLAMPED, group, group_fields};
use crate::diagnostics::ErrorCollector;
use crate::group::velocity_name;
use crate::model::{Body, Configuration, Group, Member};
use crate::syntax::module::collect::Declaration;
use crate::syntax::rust::constants::Constants;
use crate::syntax::rust::items::{self, cfg, conditional_error};
use crate::syntax::rust::shape::{bare, generic_arguments, is_named, item_of_list, library_segment, own_segment};
use crate::syntax::scope::{ModuleScopes, Rewriter, is_known};

/// The bodies of a declaration.
pub(in crate::syntax) struct Bodies {
    /// Bodies by name; `None` for a struct with errors.
    known: Vec<(String, Option<Body>)>,
}

/// Returns a type without enclosing arrays, chains and parentheses.
fn innermost(ty: &Type) -> &Type {
    match bare(ty) {
        Type::Array(array) => innermost(&array.elem),
        ty => item_of_list(ty).map_or(ty, innermost),
    }
}

/// Returns the name of a declared type, in canonical form.
fn own_name(ty: &Type) -> Option<String> {
    let segment = own_segment(ty)?;
    let name = segment.ident.to_string();
    (library_segment(ty).is_none() || !is_known(&name)).then_some(name)
}

/// Returns true for `Body<SO3>`, and false for `Body<f64>`.
fn has_arguments(ty: &Type) -> bool {
    own_segment(innermost(ty)).is_some_and(|segment| match generic_arguments(segment).as_slice() {
        [] => !segment.arguments.is_none(),
        [syn::GenericArgument::Type(scalar)] => !is_named(scalar, "f64"),
        _ => true,
    })
}

/// Returns the item that declares a type.
fn declared<'a>(declaration: &'a Declaration, name: &str) -> Option<&'a Item> {
    let is_type = |item: &&Item| matches!(item, Item::Struct(_) | Item::Enum(_) | Item::Union(_));
    let mut types = declaration.items.iter().filter(is_type);
    types.find(|item| items::name(item).is_some_and(|ident| ident == name))
}

/// The names of the generated velocity structs.
pub(in crate::syntax) fn velocity_names(declaration: &Declaration, scope: &ModuleScopes) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    let mut waiting: Vec<&ItemStruct> = declaration.configuration.iter().collect();
    while let Some(item) = waiting.pop() {
        for field in &item.fields {
            let ty = Rewriter::new(scope, 0).ty(&field.ty);
            let Some(name) = own_name(innermost(&ty)) else { continue };
            let Some(Item::Struct(inner)) = declared(declaration, &name) else { continue };
            let velocity = velocity_name(&name);
            if !names.contains(&velocity) {
                names.push(velocity);
                waiting.push(inner);
            }
        }
    }
    names
}

impl Bodies {
    /// Reads all bodies and reports their errors.
    pub fn read(
        declaration: &Declaration,
        scope: &ModuleScopes,
        constants: &Constants,
        sink: &mut ErrorCollector,
    ) -> Self {
        let mut reading = BodyReader { declaration, scope, constants, bodies: Self { known: vec![] }, open: vec![] };
        if let Some(configuration) = &declaration.configuration {
            reading.open.push(configuration.ident.to_string());
            for field in &configuration.fields {
                reading.see(&field.ty, sink);
            }
        }
        reading.bodies
    }

    /// Returns the group of a body of that type.
    pub fn group(&self, ty: &Type) -> Option<Group> {
        let name = own_name(ty)?;
        let (_, body) = self.known.iter().find(|(known, _)| *known == name)?;
        Some(body.as_ref()?.group)
    }

    /// Returns true if the type of a member is a struct with reported errors.
    pub fn is_wrong(&self, ty: &Type) -> bool {
        let Some(name) = own_name(innermost(ty)) else { return false };
        self.known.iter().any(|(known, body)| *known == name && body.is_none())
    }

    /// The names of the structs and of their velocities, including structs with errors.
    pub fn type_names(&self) -> Vec<String> {
        self.known.iter().flat_map(|(name, _)| [name.clone(), velocity_name(name)]).collect()
    }

    /// Returns all bodies without errors.
    pub fn into_all(self) -> Vec<Body> {
        self.known.into_iter().filter_map(|(_, body)| body).collect()
    }
}

struct BodyReader<'a> {
    declaration: &'a Declaration,
    scope: &'a ModuleScopes,
    constants: &'a Constants,
    bodies: Bodies,
    /// The structs that enclose the current one, from the configuration.
    open: Vec<String>,
}

impl BodyReader<'_> {
    /// Reads the struct in the type of a field, unless it is known.
    fn see(&mut self, written: &Type, sink: &mut ErrorCollector) {
        let ty = Rewriter::new(self.scope, 0).ty(written);
        let Some(name) = own_name(innermost(&ty)) else { return };
        if self.open.contains(&name) {
            let message = format!("`{name}` contains itself");
            let help = format!("remove the field; several bodies are a member `Vec<{name}>` of the configuration");
            sink.error_with_help(written, message, help);
            self.forget(&name);
            return;
        }
        if self.bodies.known.iter().any(|(known, _)| *known == name) {
            return;
        }
        let declaration = self.declaration;
        if declaration.parameter_names.iter().any(|parameters| *parameters == name) {
            sink.error_with_help(
                written,
                format_args!("`{name}` is the struct of parameters, not a group"),
                "declare a struct of groups: `struct Body { attitude: SO3, position: R3 }`",
            );
            self.forget(&name);
            return;
        }
        match declared(declaration, &name) {
            Some(Item::Struct(item)) if has_arguments(&ty) && item.generics.lt_token.is_none() => {
                let message = format!("unexpected generic arguments of `{name}`");
                let help = format!("write `{name}`; the macro makes the struct generic over the scalar");
                sink.error_with_help(innermost(written), message, help);
                self.forget(&name);
            }
            Some(Item::Struct(item)) => {
                self.open.push(name.clone());
                let body = self.body(item, sink);
                self.open.pop();
                self.bodies.known.retain(|(known, _)| *known != name);
                self.bodies.known.push((name, body));
            }
            Some(item) => {
                let what = if let Item::Enum(_) = item { "an enum" } else { "a union" };
                let help = format!("write `struct {name} {{ attitude: SO3, position: R3 }}`");
                sink.error_with_help(written, format_args!("`{name}` is {what}, not a struct of groups"), help);
                self.forget(&name);
            }
            None => {}
        }
    }

    /// Suppresses further errors about the struct.
    fn forget(&mut self, name: &str) {
        self.bodies.known.push((name.to_owned(), None));
    }

    fn body(&mut self, item: &ItemStruct, sink: &mut ErrorCollector) -> Option<Body> {
        let name = &item.ident;
        let mut is_good = true;
        if let Some(attribute) = cfg(&item.attrs) {
            sink.push(conditional_error(attribute));
            is_good = false;
        }
        let fields = group_fields(item, "body", sink)?;
        if item.generics.lt_token.is_some() || item.generics.where_clause.is_some() {
            return None;
        }
        is_good &= self.is_seen(item, sink) & self.is_free(item, sink);
        let members: Vec<Option<Member>> = fields.map(|field| self.field(name, field, sink)).collect();
        let members = members.into_iter().collect::<Option<Vec<Member>>>().filter(|_| is_good)?;
        let fields = members.iter().map(|member| (member.name.to_string(), member.group)).collect();
        let group = Group::of_struct(&name.to_string(), fields);
        let velocity = quote::format_ident!("{}", velocity_name(&name.to_string()));
        Some(Body { factors: Configuration::of(item.clone(), members), group, velocity })
    }

    fn field(&mut self, body: &syn::Ident, field: &syn::Field, sink: &mut ErrorCollector) -> Option<Member> {
        let name = field.ident.clone()?;
        if let Some(attribute) = cfg(&field.attrs) {
            sink.push(conditional_error(attribute));
            return None;
        }
        if let Some(attribute) = field.attrs.iter().find(|attribute| attribute.path().is_ident(CLAMPED)) {
            let help = format!("clamp the member of type `{body}`, or make `{name}` a separate member");
            sink.error_with_help(attribute, "a single field of a body cannot be clamped", help);
            return None;
        }
        let ty = Rewriter::new(self.scope, 0).ty(&field.ty);
        let is_chain = library_segment(&ty).is_some_and(|segment| segment.ident == "Vec");
        if is_chain || matches!(bare(&ty), Type::Array(_)) {
            let help = if is_chain {
                "declare the chain as a field of the configuration".to_owned()
            } else {
                "declare one field for each element".to_owned()
            };
            let what = if is_chain { "a chain" } else { "an array" };
            sink.error_with_help(&field.ty, format_args!("{what} cannot be a field of the body `{body}`"), help);
            return None;
        }
        self.see(&field.ty, sink);
        if self.bodies.is_wrong(&ty) {
            return None;
        }
        let group = match self.bodies.group(&ty) {
            Some(group) => group,
            None => sink.take(group(&ty, self.constants))?,
        };
        Some(Member { name, group, count: None, is_chain: false, clamped: [false; 2] })
    }

    /// Returns true if the body is at least as visible as the configuration.
    fn is_seen(&self, item: &ItemStruct, sink: &mut ErrorCollector) -> bool {
        let Some(configuration) = &self.declaration.configuration else { return true };
        let is_hidden = match (&configuration.vis, &item.vis) {
            (Visibility::Inherited, _) | (_, Visibility::Public(_)) => false,
            (Visibility::Public(_), _) => true,
            (Visibility::Restricted(_), inner) => matches!(inner, Visibility::Inherited),
        };
        if is_hidden {
            let (name, vis) = (&item.ident, crate::diagnostics::source(&configuration.vis));
            sink.error_with_help(
                name,
                format_args!("`{name}` is more private than the configuration `{}`", configuration.ident),
                format_args!("write `{vis} struct {name} {{ … }}`"),
            );
        }
        !is_hidden
    }

    /// Returns true if the names of the body and of its velocity are not used otherwise.
    fn is_free(&self, item: &ItemStruct, sink: &mut ErrorCollector) -> bool {
        let name = &item.ident;
        if is_known(&name.to_string()) {
            let message = format!("`{name}` is the name of a library type");
            sink.error_with_help(name, message, "rename the body");
            return false;
        }
        let velocity = velocity_name(&name.to_string());
        let taken = |item: &Item| match item {
            Item::Fn(_) | Item::Const(_) | Item::Static(_) => None,
            item => items::name(item).filter(|ident| **ident == velocity).cloned(),
        };
        let roles = self.declaration.configuration_names.iter().chain(&self.declaration.parameter_names);
        let mut roles = roles.filter(|ident| **ident == velocity).cloned();
        let Some(other) = self.declaration.items.iter().find_map(taken).or_else(|| roles.next()) else { return true };
        let message = format_args!("`{velocity}` is generated: it is the velocity of `{name}`");
        let help = "rename your type; the generated type has the fields of the body";
        sink.error_with_note(&other, message, help, (name, format_args!("`{name}` is declared here")));
        false
    }
}
