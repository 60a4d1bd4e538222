//! Constants of the declaration, which are folded, and of the standard library.

use super::{Interpreted, Reported, SymbolicInterpreter, Value};
use crate::diagnostics::source;

impl SymbolicInterpreter<'_> {
    /// Returns the value of the constant of the declaration with this path, folded at its first use; `None` if there is none.
    ///
    /// A constant that cannot be folded is reported once, at its definition.
    pub(super) fn constant(&mut self, path: &str) -> Option<Interpreted> {
        if let Some(value) = self.constants.get(path) {
            return Some(value.clone().ok_or(Reported));
        }
        let model = self.model;
        let constant = &model.constants.iter().find(|constant| constant.path == path)?.item;
        if self.folding.iter().any(|open| open == path) {
            let message = format!("cycle in the definition of the constant `{path}`");
            return Some(self.error_with_help(
                &constant.expr,
                message,
                "define one constant of the cycle by a literal",
            ));
        }
        self.folding.push(path.to_owned());
        let outer = std::mem::replace(&mut self.scopes, vec![std::collections::HashMap::new()]);
        let value = self
            .expression(&constant.expr)
            .and_then(|value| self.of_declared_type(constant, value))
            .and_then(|value| self.typed(value, &constant.ty));
        self.scopes = outer;
        self.folding.pop();
        self.constants.insert(path.to_owned(), value.as_ref().ok().cloned());
        Some(value)
    }

    /// Rejects constants of `f32`, which would be evaluated with another precision, and strings.
    fn of_declared_type(&mut self, constant: &syn::ItemConst, value: Value) -> Interpreted {
        let (name, declared) = (&constant.ident, source(&constant.ty));
        match (&value, declared.as_str()) {
            (Value::Unknown, _) => Err(Reported),
            (Value::Text, _) => self.error_with_help(
                &constant.expr,
                format_args!("the constant `{name}` is a string, which is not supported in a formula"),
                "use strings only in messages of assertions and in observables",
            ),
            (Value::Scalar(_) | Value::Matrix(_) | Value::Array(_), declared) if declared.contains("f32") => self
                .error_with_help(
                    &constant.ty,
                    format_args!("the type `f32` of `{name}` is not supported: all scalars are `f64`"),
                    format_args!("write `const {name}: {}`", declared.replace("f32", "f64")),
                ),
            _ => Ok(value),
        }
    }

    /// Reports a path outside of the module.
    pub(super) fn report_outside(&mut self, path: &syn::ExprPath, what: &str) -> Interpreted {
        let written = source(path);
        let written = written.trim_start_matches("::");
        if path.qself.is_some() {
            return self.error_with_help(
                path,
                format_args!("the trait method `{written}` is not supported"),
                "call the inherent method, as in `x.sin()`",
            );
        }
        let mut names = path.path.segments.iter().rev().map(|segment| segment.ident.to_string());
        let (name, owner) = (names.next().unwrap_or_default(), names.next().unwrap_or_default());
        let help = match what {
            "function" if let Some(here) = of_nalgebra(&owner) => here.to_owned(),
            "function" if owner.starts_with(char::is_uppercase) => {
                format!("write a function inside this module that computes `{owner}::{name}`")
            }
            "function" => format!(
                "declare `fn {name}(…)` inside this module, or a wrapper `#[opaque] fn {name}<S: \
                 Scalar>(…)` that calls it"
            ),
            _ if owner == "consts"
                && standard_constant(&["core", "f64", "consts", &name].map(str::to_owned)).is_some() =>
            {
                format!("write `std::f64::consts::{name}`")
            }
            _ => format!("declare the constant inside this module: `const {name}: f64 = …;`"),
        };
        self.error_with_help(path, format_args!("`{written}` is outside the module of the declaration"), help)
    }
}

/// Returns the replacement of an nalgebra type by a group or a plain vector.
fn of_nalgebra(owner: &str) -> Option<&'static str> {
    Some(match owner {
        "Unit" | "UnitVector3" | "UnitVector2" => "use a plain vector: `axis.normalize()`",
        "Rotation3" => "use an element of SO(3): `SO3::exp(&(axis * angle))`",
        "UnitQuaternion" => "use an element of S³: `S3::exp(&(axis * angle))`",
        "Rotation2" | "UnitComplex" => "use an element of SO(2): `SO2::from_angle(angle)`",
        "Isometry3" | "Translation3" => "use an element of SE(3): `SE3::new(rotation, position)`",
        "Isometry2" | "Translation2" => "use an element of SE(2): `SE2::new(rotation, position)`",
        _ => return None,
    })
}

/// Returns `core::f64::consts::PI`, `f64::EPSILON`, and other constants of the standard library.
pub(super) fn standard_constant(segments: &[String]) -> Option<f64> {
    let segments: Vec<&str> = segments.iter().map(String::as_str).collect();
    crate::syntax::standard_constant(&segments)
}
