//! The doc comments of a declaration by the names of its values, for the schema of a system.

use syn::ext::IdentExt;

use crate::model::{Model, ParameterField, ParameterForm, Role};

/// Returns the doc comments by name, in the order of the declaration: `parameters.mass`, `configuration.attitude`, `states.current`,
/// `inputs.torque`, `multipliers.pivot`, `observables.tilt`, `events.lift_off`. Items of lists have no index: `parameters.links.mass`.
pub(crate) fn documentation(model: &Model) -> Vec<(String, String)> {
    let mut all = Documented { model, found: vec![] };
    if let Some(parameters) = &model.parameters {
        all.parameters("parameters", &parameters.item, &parameters.fields);
    }
    let configuration = model.configuration.as_written();
    all.fields("configuration", &configuration.item);
    for member in &configuration.members {
        let structure = member.group.structure().map(|structure| &structure.name);
        if let Some(body) =
            model.bodies.iter().find(|body| structure.is_some_and(|name| body.factors.item.ident == name))
        {
            all.fields(&format!("configuration.{}", member.name.unraw()), &body.factors.item);
        }
    }
    if let Some(states) = &model.states {
        all.fields("states", states);
    }
    if let Some(inputs) = &model.inputs {
        all.parameters("inputs", &inputs.item, &inputs.fields);
    }
    for function in &model.functions {
        let section = match function.role {
            Role::Constraint | Role::VelocityConstraint => "multipliers",
            Role::Observable => "observables",
            Role::Event => "events",
            _ => continue,
        };
        let written = model.items.iter().find_map(|item| match item {
            syn::Item::Fn(item) if item.sig.ident == function.name => Some(&item.attrs),
            _ => None,
        });
        all.push(section, &function.name, written.map_or(&[], |attributes| attributes));
    }
    all.found
}

/// The doc comments of a declaration.
struct Documented<'m> {
    model: &'m Model,
    found: Vec<(String, String)>,
}

impl Documented<'_> {
    fn push(&mut self, section: &str, name: &syn::Ident, attributes: &[syn::Attribute]) {
        let text = text(attributes);
        if !text.is_empty() {
            self.found.push((format!("{section}.{}", name.unraw()), text));
        }
    }

    fn fields(&mut self, section: &str, item: &syn::ItemStruct) {
        for field in &item.fields {
            if let Some(name) = &field.ident {
                self.push(section, name, &field.attrs);
            }
        }
    }

    /// The fields of parameters and, after each, the fields of the struct that it contains.
    fn parameters(&mut self, section: &str, item: &syn::ItemStruct, fields: &[ParameterField]) {
        for (parameter, field) in fields.iter().zip(&item.fields) {
            self.push(section, &parameter.name, &field.attrs);
            let mut form = &parameter.form;
            while let ParameterForm::Array(inner, _) | ParameterForm::List(inner) = form {
                form = inner;
            }
            let ParameterForm::Struct(name) = form else { continue };
            if let Some(inner) = self.model.structs.iter().find(|inner| inner.item.ident == *name) {
                self.parameters(&format!("{section}.{}", parameter.name.unraw()), &inner.item, &inner.fields);
            }
        }
    }
}

/// Returns the text of a doc comment.
fn text(attributes: &[syn::Attribute]) -> String {
    let lines = attributes.iter().filter_map(|attribute| match &attribute.meta {
        syn::Meta::NameValue(syn::MetaNameValue { path, value: syn::Expr::Lit(literal), .. })
            if path.is_ident("doc") =>
        {
            match &literal.lit {
                syn::Lit::Str(line) => Some(line.value().trim().to_owned()),
                _ => None,
            }
        }
        _ => None,
    });
    lines.collect::<Vec<_>>().join("\n").trim().to_owned()
}
