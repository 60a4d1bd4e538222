//! The input struct: values that are set at run time.
//!
//! Invariant: every field is a scalar, a vector, a matrix or an array of scalars or vectors, so that inputs can be tabulated, sampled and
//! differentiated by component. The struct and its fields are public.

use proc_macro2::Ident;
use syn::{Fields, Type, Visibility};

use super::fields::{named_fields, without_generics};
use super::parameters;
use crate::diagnostics::{ErrorCollector, error_with_help, source};
use crate::model::{Group, ParameterField, ParameterForm, ParameterKind, Parameters, parameter_entries};
use crate::syntax::module::collect::Declaration;
use crate::syntax::rust::constants::Constants;
use crate::syntax::rust::items::{cfg, conditional_error};
use crate::syntax::rust::shape::{bare, library_segment};
use crate::syntax::scope::{ModuleScopes, Rewriter};

/// Reads the inputs, if there are any.
pub(in crate::syntax) fn read(
    declaration: &Declaration,
    scope: &ModuleScopes,
    constants: &Constants,
    sink: &mut ErrorCollector,
) -> Option<Parameters> {
    let item = declaration.inputs.as_ref()?;
    let _ = named_fields(item, "struct of inputs", "torque: f64", sink)?;
    if matches!(item.fields, Fields::Unit) || item.fields.is_empty() {
        let name = &item.ident;
        let help = format!("write `struct {name} {{ pub torque: f64 }}`");
        sink.error_with_help(name, format_args!("the inputs `{name}` have no fields"), help);
        return None;
    }
    ensure_public(&item.vis, &item.ident, &format!("pub struct {} {{ … }}", item.ident), sink);
    let mut fields = vec![];
    for field in &without_generics(item).fields {
        let name = field.ident.clone()?;
        if let Some(attribute) = cfg(&field.attrs) {
            sink.push(conditional_error(attribute));
        }
        ensure_public(&field.vis, &name, &format!("pub {name}: {}", source(&field.ty)), sink);
        let canonical = Rewriter::new(scope, 0).ty(&field.ty);
        let kind = parameters::kind(&canonical, constants);
        match kind.filter(|kind| kind.is_real() && !matches!(kind, ParameterKind::Group(_))) {
            Some(kind) => fields.push(ParameterField { name, form: ParameterForm::Entry(kind), ty: field.ty.clone() }),
            None => sink.push(error_with_help(
                &field.ty,
                format_args!("the input `{name}` must be a scalar, a vector or a matrix"),
                instead(&name, &canonical, &|ty| parameters::kind(ty, constants)),
            )),
        }
    }
    let (entries, lists) = parameter_entries(&fields, &[]);
    Some(Parameters { item: item.clone(), fields, entries, lists })
}

fn ensure_public(visibility: &Visibility, name: &Ident, written: &str, sink: &mut ErrorCollector) {
    if matches!(visibility, Visibility::Inherited) {
        let message = format!("the input `{name}` is private");
        sink.error_with_help(name, message, format_args!("write `{written}`"));
    }
}

/// Suggests a declaration for a field of an unsupported type.
fn instead(name: &Ident, ty: &Type, kind: &dyn Fn(&Type) -> Option<ParameterKind>) -> String {
    let group = library_segment(ty).and_then(|segment| Group::named(&segment.ident.to_string()));
    match (kind(ty), group) {
        (_, Some(group)) if group.has_scalar_velocity() => {
            format!("declare its angle, `{name}: f64`, and use `{}::from_angle(u.{name})`", group.name)
        }
        (_, Some(group)) => {
            let dimension = group.dimension();
            format!(
                "declare its logarithm, `{name}: SVector<f64, {dimension}>`, and use `{}::exp(&u.{name})`",
                group.name
            )
        }
        (Some(ParameterKind::Flag), _) => format!("declare `{name}: f64`, and compare `u.{name} > 0.5`"),
        (Some(ParameterKind::Whole(_)), _) => format!("declare `{name}: f64`"),
        _ => match bare(ty) {
            Type::Reference(reference) if kind(&reference.elem).is_some_and(ParameterKind::is_real) => {
                format!("write `{name}: {}`: inputs cannot be references", source(&reference.elem))
            }
            Type::Reference(reference) => instead(name, &reference.elem, kind),
            _ => format!(
                "write `{name}: f64`, `{name}: Vector3<f64>` or `{name}: [f64; 4]`; declare constant data as parameters"
            ),
        },
    }
}
