//! Constants: those of the declaration, folded, and those of the standard library.

use super::{Interpreted, Reported, SymbolicInterpreter, Value};
use crate::diagnostics::source;

impl SymbolicInterpreter<'_> {
    /// The value of a constant of the declaration of that path, folded when it is first used; `None` if there is none.
    ///
    /// What cannot be folded is reported at the constant, once.
    pub(super) fn constant(&mut self, path: &str) -> Option<Interpreted> {
        if let Some(value) = self.constants.get(path) {
            return Some(value.clone().ok_or(Reported));
        }
        let model = self.model;
        let constant = &model.constants.iter().find(|constant| constant.path == path)?.item;
        if self.folding.iter().any(|open| open == path) {
            let message = format!("the constant `{path}` needs itself");
            return Some(self.error_with_help(&constant.expr, message, "give one of them a value of its own"));
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

    /// A constant of numbers other than `f64` and whole ones would be calculated with another precision.
    fn of_declared_type(&mut self, constant: &syn::ItemConst, value: Value) -> Interpreted {
        let (name, declared) = (&constant.ident, source(&constant.ty));
        match (&value, declared.as_str()) {
            (Value::Unknown, _) => Err(Reported),
            (Value::Text, _) => self.error_with_help(
                &constant.expr,
                format_args!("the constant `{name}` is a string, and a formula cannot contain one"),
                "strings are for the messages of assertions and for observables",
            ),
            (Value::Scalar(_) | Value::Matrix(_) | Value::Array(_), declared) if declared.contains("f32") => self
                .error_with_help(
                    &constant.ty,
                    format_args!("`{name}` is an `f32`; scalars are `f64` here"),
                    format_args!("write `const {name}: {}`", declared.replace("f32", "f64")),
                ),
            _ => Ok(value),
        }
    }

    /// Reports a path to where the macro does not look.
    pub(super) fn unseen(&mut self, path: &syn::ExprPath, what: &str) -> Interpreted {
        let written = source(path);
        let written = written.trim_start_matches("::");
        if path.qself.is_some() {
            return self.error_with_help(
                path,
                format_args!("`{written}` is a method of a trait, which cannot be read"),
                "write the method of the type itself, as in `x.sin()`",
            );
        }
        let mut names = path.path.segments.iter().rev().map(|segment| segment.ident.to_string());
        let (name, owner) = (names.next().unwrap_or_default(), names.next().unwrap_or_default());
        let help = match what {
            "function" if let Some(here) = of_nalgebra(&owner) => here.to_owned(),
            "function" if owner.starts_with(char::is_uppercase) => {
                format!("write out what `{owner}::{name}` calculates, as a function inside of the system's module")
            }
            "function" => format!(
                "declare `fn {name}(…)` inside of the system's module, where it is read; or `#[opaque] fn {name}<S: \
                 Scalar>(…)` there, which may call it"
            ),
            _ if owner == "consts"
                && standard_constant(&["core", "f64", "consts", &name].map(str::to_owned)).is_some() =>
            {
                format!("write `std::f64::consts::{name}`")
            }
            _ => format!("declare it inside of the system's module: `const {name}: f64 = …;`, with its value"),
        };
        self.error_with_help(
            path,
            format_args!("`{written}` is outside of the module of the system and cannot be read"),
            help,
        )
    }
}

/// What stands here for a type of nalgebra that keeps what a group or a plain vector does.
fn of_nalgebra(owner: &str) -> Option<&'static str> {
    Some(match owner {
        "Unit" | "UnitVector3" | "UnitVector2" => "a unit vector is a vector here: take `axis.normalize()`",
        "Rotation3" => "a rotation is an element of SO(3) here: take `SO3::exp(&(axis * angle))`",
        "UnitQuaternion" => "a unit quaternion is an element of S³ here: take `S3::exp(&(axis * angle))`",
        "Rotation2" | "UnitComplex" => {
            "a rotation of the plane is an element of SO(2) here: take `SO2::from_angle(angle)`"
        }
        "Isometry3" | "Translation3" => "a placement is an element of SE(3) here: take `SE3::new(rotation, position)`",
        "Isometry2" | "Translation2" => {
            "a placement in the plane is an element of SE(2) here: take `SE2::new(rotation, position)`"
        }
        _ => return None,
    })
}

/// `core::f64::consts::PI`, `f64::EPSILON`.
pub(super) fn standard_constant(segments: &[String]) -> Option<f64> {
    let segments: Vec<&str> = segments.iter().map(String::as_str).collect();
    crate::parse::standard_constant(&segments)
}
