//! Known names from outside of a declaration: of the language, the standard library, nalgebra and the runtime. Each has one canonical path.

use std::f64::consts;

use proc_macro2::{Ident, TokenStream};
use quote::{quote, quote_spanned};

use super::names::Space;
use crate::model::Group;
use crate::syntax::rust::shape;

/// Types of the language and of its prelude.
const AMBIENT: &[&str] = &[
    "f64", "f32", "bool", "char", "str", "usize", "isize", "u8", "u16", "u32", "u64", "u128", "i8", "i16", "i32",
    "i64", "i128", "Vec", "Option", "Box", "String", "Result",
];

/// Names of the runtime's prelude other than groups, vectors and matrices.
const OTHERS: &[&str] = &["Rn", "TS2", "TSO3", "SVector", "SMatrix", "Scalar", "LieGroup", "Placement", "TwistParts"];

/// Modules of the runtime that export these names.
const RUNTIME_MODULES: &[&str] = &["prelude", "group", "space", "scalar", "nalgebra", "roles"];

/// Returns true for the names of groups, vectors and matrices, and of related types.
pub(in crate::syntax) fn is_type(name: &str) -> bool {
    Group::named(name).is_some() || shape::named(name).is_some() || OTHERS.contains(&name)
}

/// Returns true for types that need no import.
pub(super) fn is_ambient(name: &str) -> bool {
    AMBIENT.contains(&name)
}

/// Returns true for the names of all known types.
pub(in crate::syntax) fn is_known(name: &str) -> bool {
    is_type(name) || is_ambient(name)
}

/// Returns true for known crates; `runtime` is the local name of the runtime.
pub(super) fn is_crate(name: &str, runtime: &str) -> bool {
    matches!(name, "std" | "core" | "alloc" | "nalgebra") || name == runtime
}

/// Modules of the standard library with supported functions.
const MODULES: &[&str] = &["array", "cmp", "f64", "iter"];

/// Supported functions of these modules, by canonical path.
const FUNCTIONS: &[[&str; 2]] =
    &[["array", "from_fn"], ["cmp", "max"], ["cmp", "min"], ["iter", "once"], ["iter", "repeat_n"]];

/// The values of `std::f64::consts`.
const CONSTANTS: &[(&str, f64)] = &[
    ("PI", consts::PI),
    ("TAU", consts::TAU),
    ("E", consts::E),
    ("SQRT_2", consts::SQRT_2),
    ("FRAC_1_SQRT_2", consts::FRAC_1_SQRT_2),
    ("FRAC_PI_2", consts::FRAC_PI_2),
    ("FRAC_PI_3", consts::FRAC_PI_3),
    ("FRAC_PI_4", consts::FRAC_PI_4),
    ("FRAC_PI_6", consts::FRAC_PI_6),
    ("FRAC_PI_8", consts::FRAC_PI_8),
    ("FRAC_1_PI", consts::FRAC_1_PI),
    ("FRAC_2_PI", consts::FRAC_2_PI),
    ("FRAC_2_SQRT_PI", consts::FRAC_2_SQRT_PI),
    ("LN_2", consts::LN_2),
    ("LN_10", consts::LN_10),
    ("LOG2_E", consts::LOG2_E),
    ("LOG2_10", consts::LOG2_10),
    ("LOG10_E", consts::LOG10_E),
    ("LOG10_2", consts::LOG10_2),
    ("GOLDEN_RATIO", consts::GOLDEN_RATIO),
    ("EULER_GAMMA", consts::EULER_GAMMA),
];

/// The limits of `f64`: constants of the type, and of the module of that name.
const LIMITS: &[(&str, f64)] = &[
    ("EPSILON", f64::EPSILON),
    ("MAX", f64::MAX),
    ("MIN", f64::MIN),
    ("MIN_POSITIVE", f64::MIN_POSITIVE),
    ("INFINITY", f64::INFINITY),
    ("NEG_INFINITY", f64::NEG_INFINITY),
];

/// Returns the value of a constant of the standard library by its canonical path: `core::f64::consts::PI`, `f64::EPSILON`.
pub(crate) fn standard_constant(path: &[&str]) -> Option<f64> {
    let (list, name) = match path {
        ["core", "f64", "consts", name] => (CONSTANTS, *name),
        ["f64", name] => (LIMITS, *name),
        _ => return None,
    };
    list.iter().find(|(known, _)| *known == name).map(|(_, value)| *value)
}

/// Returns true if a glob import of the module in `path` imports the last name.
pub(super) fn is_exported(path: &[&str], space: Space) -> bool {
    match (path, space) {
        (["core", module, name], Space::Values) if FUNCTIONS.contains(&[*module, *name]) => true,
        (path, Space::Values) => path == ["f64", "NAN"] || standard_constant(path).is_some(),
        (["core", name], Space::Types) => MODULES.contains(name),
        (path, Space::Types) => matches!(
            path,
            ["f64", "consts"] | ["nalgebra", _] | ["lie_runtime", "prelude" | "group" | "space" | "scalar", _]
        ),
    }
}

/// Returns the canonical form of an absolute path: a single name for types, and `core::…` for other items of the standard library. Returns
/// `None` for unknown paths.
///
/// `std::f64` is both a module and a type. It is taken as the type unless `consts` follows.
pub(super) fn canonical(path: &[&str], runtime: &str) -> Option<Vec<String>> {
    let owned = |path: &[&str]| Some(path.iter().map(ToString::to_string).collect());
    match path {
        ["f64", "consts", rest @ ..] | ["std" | "core", "f64", "consts", rest @ ..] => {
            owned(&[&["core", "f64", "consts"], rest].concat())
        }
        ["std" | "core", "f64", rest @ ..] => owned(&[&["f64"], rest].concat()),
        ["std" | "core", "primitive", name, rest @ ..] if is_ambient(name) => owned(&[&[*name], rest].concat()),
        ["std" | "alloc", "vec", "Vec", rest @ ..] => owned(&[&["Vec"], rest].concat()),
        ["std" | "core" | "alloc", rest @ ..] => owned(&[&["core"], rest].concat()),
        [first, rest @ ..] if *first == runtime => match rest {
            ["nalgebra", rest @ ..] => canonical(&[&["nalgebra"], rest].concat(), runtime),
            [module, name, rest @ ..] if RUNTIME_MODULES.contains(module) && is_type(name) => {
                owned(&[&[*name], rest].concat())
            }
            [] => owned(&["lie_runtime"]),
            [module] if RUNTIME_MODULES.contains(module) => owned(&["lie_runtime", module]),
            _ => None,
        },
        ["nalgebra", "base", rest @ ..] => canonical(&[&["nalgebra"], rest].concat(), runtime),
        ["nalgebra", name, rest @ ..] if shape::named(name).is_some() || matches!(*name, "SVector" | "SMatrix") => {
            owned(&[&[*name], rest].concat())
        }
        ["nalgebra"] => owned(&["nalgebra"]),
        [name, ..] if is_type(name) || is_ambient(name) => owned(path),
        _ => None,
    }
}

/// The absolute path of the module of a type.
fn place_of(name: &str) -> Option<TokenStream> {
    Some(match name {
        "Vec" => quote!(::std::vec),
        "S2" | "TS2" | "TSO3" => quote!(::lie_runtime::space),
        "SVector" | "SMatrix" => quote!(::lie_runtime::nalgebra),
        "f64" | "usize" | "bool" => quote!(::core::primitive),
        _ if name == "Rn" || Group::named(name).is_some() => quote!(::lie_runtime::group),
        _ if shape::named(name).is_some() => quote!(::lie_runtime::nalgebra),
        _ => return None,
    })
}

/// A type by its name in a declaration and by its absolute path, with entries `f64`. The compiler compares the two.
pub(crate) fn absolute(ident: &Ident) -> Option<(TokenStream, TokenStream)> {
    let name = ident.to_string();
    let name = name.as_str();
    // All tokens have the span of the name, so that errors are reported there and not at the attribute.
    let at = ident.span();
    let real = quote_spanned!(at=> ::core::primitive::f64);
    let arguments = match name {
        "f64" | "usize" | "bool" => quote!(),
        "Rn" => quote_spanned!(at=> <1, #real>),
        "SVector" => quote_spanned!(at=> <#real, 1>),
        "SMatrix" => quote_spanned!(at=> <#real, 1, 1>),
        _ => quote_spanned!(at=> <#real>),
    };
    let place = place_of(name)?;
    Some((quote!(#ident #arguments), quote!(#place::#ident #arguments)))
}
