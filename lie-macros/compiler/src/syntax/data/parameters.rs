//! The parameter struct and its nested structs: the form of each field in an expression.

use syn::{Fields, Item, ItemStruct, Type};

use super::fields::{group, named_fields, without_generics};
use crate::diagnostics::{ErrorCollector, source};
use crate::model::{
    Group, OutputShape, ParameterField, ParameterForm, ParameterKind, ParameterStruct, Parameters, parameter_entries,
};
use crate::syntax::module::collect::Declaration;
use crate::syntax::rust::constants::Constants;
use crate::syntax::rust::items::{cfg, conditional_error};
use crate::syntax::rust::shape::{self, MAXIMUM, library_segment, own_segment};
use crate::syntax::scope::{ModuleScopes, Rewriter};

/// The integer types of parameters.
const WHOLE: &[&str] = &["usize", "isize", "u8", "u16", "u32", "u64", "i8", "i16", "i32", "i64"];

/// Larger tables are available only to opaque functions.
const MAXIMUM_ENTRIES: usize = 4096;

/// Reads the parameters, if there are any, and their nested structs.
pub(in crate::syntax) fn read(
    declaration: &Declaration,
    scope: &ModuleScopes,
    constants: &Constants,
    sink: &mut ErrorCollector,
) -> (Option<Parameters>, Vec<ParameterStruct>) {
    let mut structs = vec![];
    let Some(item) = declaration.parameters.as_ref() else { return (None, structs) };
    let mut reading =
        ParameterReader { items: &declaration.items, scope, constants, structs: &mut structs, open: vec![] };
    let Some(fields) = reading.fields(item, true, sink) else { return (None, structs) };
    let (entries, lists) = parameter_entries(&fields, &structs);
    (Some(Parameters { item: item.clone(), fields, entries, lists }), structs)
}

struct ParameterReader<'a> {
    items: &'a [Item],
    scope: &'a ModuleScopes,
    constants: &'a Constants,
    structs: &'a mut Vec<ParameterStruct>,
    /// The structs that enclose the current one.
    open: Vec<String>,
}

impl ParameterReader<'_> {
    fn fields(&mut self, item: &ItemStruct, is_role: bool, sink: &mut ErrorCollector) -> Option<Vec<ParameterField>> {
        let mut fields = vec![];
        let what = if is_role { "struct of parameters" } else { "struct" };
        let _ = named_fields(item, what, "mass: f64", sink)?;
        for field in &without_generics(item).fields {
            let name = field.ident.clone()?;
            if let Some(attribute) = field.attrs.iter().find(|attribute| attribute.path().is_ident("cfg")) {
                sink.push(conditional_error(attribute));
            }
            let mut ty = field.ty.clone();
            if let Type::Reference(reference) = shape::bare(&field.ty) {
                ty = owned(&reference.elem);
                sink.error_with_help(
                    &field.ty,
                    format_args!("the parameter `{name}` is a reference"),
                    format_args!("write `{}`: parameters cannot be references", source(&ty)),
                );
            }
            let canonical = Rewriter::new(self.scope, 0).ty(&ty);
            fields.push(ParameterField { form: self.form(&canonical, sink).0, name, ty: field.ty.clone() });
        }
        Some(fields)
    }

    /// Returns the form of a field and its number of entries. Unsupported types, and tables that are too large to unroll, remain available
    /// where nothing is differentiated.
    fn form(&mut self, ty: &Type, sink: &mut ErrorCollector) -> (ParameterForm, usize) {
        let none = (ParameterForm::Opaque, 0);
        if let Some(kind) = kind(ty, self.constants) {
            return (ParameterForm::Entry(kind), 1);
        }
        if let Type::Array(array) = shape::bare(ty) {
            let Some(count) = self.constants.length(&array.len).ok().filter(|count| *count <= MAXIMUM) else {
                return none;
            };
            let (element, entries) = self.form(&array.elem, sink);
            if element == ParameterForm::Opaque || entries.saturating_mul(count) > MAXIMUM_ENTRIES {
                return none;
            }
            return (ParameterForm::Array(Box::new(element), count), (entries * count).max(1));
        }
        if let Some(item) = shape::item_of_list(ty) {
            let (item, entries) = self.form(item, sink);
            // A list of lists has no single length.
            return match item {
                ParameterForm::Opaque => none,
                item if item.has_lists(self.structs) => none,
                item => (ParameterForm::List(Box::new(item)), entries),
            };
        }
        let Some(name) = own_segment(ty).filter(|segment| segment.arguments.is_none()) else { return none };
        let name = name.ident.to_string();
        self.read_struct(&name, sink);
        match self.structs.iter().find(|known| known.item.ident == name) {
            Some(known) => match parameter_entries(&known.fields, self.structs).0.len() {
                entries @ ..=MAXIMUM_ENTRIES => (ParameterForm::Struct(name), entries.max(1)),
                _ => none,
            },
            None => none,
        }
    }

    /// Reads a declared struct with named fields and without generics, once.
    fn read_struct(&mut self, name: &str, sink: &mut ErrorCollector) {
        if self.open.iter().any(|open| open == name) || self.structs.iter().any(|known| known.item.ident == name) {
            return;
        }
        let item = self.items.iter().find_map(|item| match item {
            Item::Struct(item) if item.ident == name => Some(item),
            _ => None,
        });
        let plain = |item: &&ItemStruct| {
            item.generics.lt_token.is_none()
                && cfg(&item.attrs).is_none()
                && matches!(&item.fields, Fields::Named(fields) if !fields.named.is_empty())
        };
        let Some(item) = item.filter(plain) else { return };
        self.open.push(name.to_owned());
        let fields = self.fields(item, false, sink);
        self.open.pop();
        if let Some(fields) = fields {
            self.structs.push(ParameterStruct { item: item.clone(), fields });
        }
    }
}

/// Returns the owned type of a reference to `ty`.
fn owned(ty: &Type) -> Type {
    match shape::bare(ty) {
        Type::Slice(slice) => {
            let item = &slice.elem;
            syn::parse_quote!(Vec<#item>)
        }
        Type::Path(path) if path.path.is_ident("str") => syn::parse_quote!(String),
        _ => ty.clone(),
    }
}

/// Returns the entry of a type that is not a struct or a list.
pub(in crate::syntax) fn kind(ty: &Type, constants: &Constants) -> Option<ParameterKind> {
    if let Type::Array(array) = shape::bare(ty) {
        let count = constants.length(&array.len).ok().filter(|count| *count <= MAXIMUM)?;
        return match shape::read(&array.elem, "f64", constants) {
            Ok(OutputShape::Scalar) => Some(ParameterKind::ScalarArray(count)),
            Ok(OutputShape::Vector(n)) => Some(ParameterKind::VectorArray(n, count)),
            _ => None,
        };
    }
    if let Some(name) = WHOLE.iter().find(|name| shape::is_named(ty, name)) {
        return Some(ParameterKind::Whole(name));
    }
    if shape::is_named(ty, "bool") {
        return Some(ParameterKind::Flag);
    }
    match shape::read(ty, "f64", constants) {
        Ok(OutputShape::Scalar) => Some(ParameterKind::Scalar),
        Ok(OutputShape::Vector(n)) => Some(ParameterKind::Vector(n)),
        Ok(OutputShape::Matrix(rows, columns)) => Some(ParameterKind::Matrix(rows, columns)),
        Ok(OutputShape::Other) if is_group(ty) => {
            let group = group(ty, constants).ok()?;
            Some(if group.is_vector_space() {
                ParameterKind::Vector(group.dimension())
            } else {
                ParameterKind::Group(group)
            })
        }
        Ok(OutputShape::Other | OutputShape::Element(_)) | Err(_) => None,
    }
}

fn is_group(ty: &Type) -> bool {
    library_segment(ty)
        .is_some_and(|segment| segment.ident == "Rn" || Group::named(&segment.ident.to_string()).is_some())
}
