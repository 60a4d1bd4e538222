//! The kinds of arguments, identified by their types.

use std::fmt::Display;

use syn::punctuated::Punctuated;
use syn::{FnArg, Ident, ItemFn, Pat, ReturnType, Token, Type};

use crate::diagnostics::{ErrorCollector, error_with_help, source};
use crate::model::ArgumentKind;
use crate::syntax::module::collect::Declaration;
use crate::syntax::module::reserved::GENERATED_TYPES;
use crate::syntax::role::Keyword;
use crate::syntax::rust::items;
use crate::syntax::rust::shape::{bare, generic_arguments, is_named, own_segment};

/// The types that identify arguments, and the user's names of such arguments.
pub(in crate::syntax) struct ArgumentTypes {
    configurations: Vec<Ident>,
    pub parameters: Vec<Ident>,
    /// Bodies and their velocities.
    pub bodies: Vec<String>,
    pub inputs: Vec<Ident>,
    /// The struct of auxiliary states.
    pub states: Option<Ident>,
    /// Structs with generics, which are reported where they are declared.
    generic: Vec<Ident>,
    /// Only systems with constraints have multipliers.
    pub has_constraints: bool,
    bindings: Vec<(ArgumentKind, String)>,
}

/// The fault of an argument type.
pub(in crate::syntax) enum Miss {
    ByValue(ArgumentKind),
    Mutable(ArgumentKind),
    /// `t: &f64`.
    TimeByReference,
    Unknown,
}

impl ArgumentTypes {
    /// Collects the names of a declaration. A struct that functions have as an argument, without the role of parameters or inputs, is
    /// reported.
    pub fn of(declaration: &Declaration, bodies: Vec<String>, sink: &mut ErrorCollector) -> Self {
        let mut names = Self {
            configurations: declaration.configuration_names.clone(),
            parameters: declaration.parameter_names.clone(),
            bodies,
            inputs: declaration.input_names.clone(),
            states: declaration.states.as_ref().map(|item| item.ident.clone()),
            generic: [&declaration.configuration, &declaration.parameters, &declaration.inputs]
                .into_iter()
                .flatten()
                .filter(|item| item.generics.lt_token.is_some())
                .map(|item| item.ident.clone())
                .collect(),
            has_constraints: declaration
                .functions
                .iter()
                .any(|function| matches!(function.keyword, Keyword::Constraint | Keyword::VelocityConstraint)),
            bindings: vec![],
        };
        names.understand_unmarked(declaration, sink);
        for function in &declaration.functions {
            for input in &function.item.sig.inputs {
                let FnArg::Typed(typed) = input else { continue };
                let (Ok(kind), Pat::Ident(binding)) = (names.classify(&typed.ty), typed.pat.as_ref()) else { continue };
                let binding = binding.ident.to_string();
                if !binding.starts_with('_') && !names.bindings.iter().any(|(known, _)| *known == kind) {
                    names.bindings.push((kind, binding));
                }
            }
        }
        names
    }

    /// Treats a struct without a role as the parameters, or as the inputs if parameters are declared; reports this once.
    fn understand_unmarked(&mut self, declaration: &Declaration, sink: &mut ErrorCollector) {
        // Arguments cannot be checked without a configuration.
        if self.configurations.is_empty() {
            return;
        }
        let (known, keyword) = match (&mut self.parameters, &mut self.inputs) {
            (parameters, _) if parameters.is_empty() => (parameters, Keyword::Parameters),
            (_, inputs) if inputs.is_empty() => (inputs, Keyword::Inputs),
            _ => return,
        };
        let types = declaration.functions.iter().flat_map(|function| argument_types(&function.item));
        let frames = declaration.functions.iter().filter(|function| function.keyword == Keyword::Kinematics);
        let frames: Vec<&Ident> = frames.filter_map(|function| returned(&function.item)).collect();
        let structs: Vec<String> = items::structs(&declaration.items).map(|item| item.ident.to_string()).collect();
        let is_told = |name: &Ident| {
            let is_generated = GENERATED_TYPES.iter().any(|(generated, _)| name == generated);
            let is_group = self.configurations.contains(name) || self.bodies.iter().any(|body| name == body);
            is_generated || is_group || frames.contains(&name)
        };
        let Some((ty, name)) = unmarked(types, &structs, is_told) else { return };
        if !declaration.attempted.contains(&keyword) {
            let role = keyword.name();
            let help = format!("mark the struct: `#[{role}] pub struct {name} {{ … }}`");
            sink.error_with_help(ty, format_args!("`{name}` is not declared as {role}"), help);
        }
        known.push(name.clone());
    }

    /// Returns the kind of an argument of type `ty`.
    pub fn classify(&self, ty: &Type) -> Result<ArgumentKind, Miss> {
        match bare(ty) {
            Type::Reference(reference) => match self.referenced(&reference.elem) {
                Some(kind) if reference.mutability.is_some() => Err(Miss::Mutable(kind)),
                Some(kind) => Ok(kind),
                None if is_named(bare(&reference.elem), "f64") => Err(Miss::TimeByReference),
                None => Err(Miss::Unknown),
            },
            ty if is_named(ty, "f64") => Ok(ArgumentKind::Time),
            ty => Err(self.referenced(ty).map_or(Miss::Unknown, Miss::ByValue)),
        }
    }

    /// Checks that a scalar argument has the name of the time.
    pub fn ensure_time(&self, typed: &syn::PatType) -> syn::Result<()> {
        let name = match &*typed.pat {
            Pat::Ident(binding) => binding.ident.to_string(),
            _ => return Ok(()),
        };
        if matches!(name.trim_start_matches('_'), "t" | "time" | "") {
            return Ok(());
        }
        let message = format!(
            "unexpected argument `{}`: the only `f64` argument of a role function is the time `t`",
            source(typed)
        );
        let help = match self.parameters.first() {
            Some(parameters) => format!(
                "declare a field, `struct {parameters} {{ {name}: f64, … }}`, and use `{}`; if it is the time, rename it to `t`",
                self.argument(ArgumentKind::Parameters)
            ),
            None => format!(
                "declare `#[parameters] struct Parameters {{ {name}: f64 }}` and use `p: &Parameters`; if it is the time, \
                 rename it to `t`"
            ),
        };
        Err(error_with_help(typed, message, help))
    }

    fn referenced(&self, ty: &Type) -> Option<ArgumentKind> {
        let segment = own_segment(ty)?;
        match generic_arguments(segment).as_slice() {
            [] => {}
            [syn::GenericArgument::Type(scalar)] if is_named(scalar, "f64") => {}
            _ if self.generic.contains(&segment.ident) => {}
            _ => return None,
        }
        if self.configurations.contains(&segment.ident) {
            Some(ArgumentKind::Configuration)
        } else if self.parameters.contains(&segment.ident) {
            Some(ArgumentKind::Parameters)
        } else if self.inputs.contains(&segment.ident) {
            Some(ArgumentKind::Inputs)
        } else if self.states.as_ref() == Some(&segment.ident) {
            Some(ArgumentKind::States)
        } else if segment.ident == "Velocity" {
            Some(ArgumentKind::Velocity)
        } else if segment.ident == "Multipliers" {
            Some(ArgumentKind::Multipliers)
        } else {
            None
        }
    }

    /// Formats an argument: `top: &HeavyTop`.
    pub fn argument(&self, kind: ArgumentKind) -> String {
        let usual = match kind {
            ArgumentKind::Parameters => "p",
            ArgumentKind::Inputs => "u",
            ArgumentKind::Time => "t",
            ArgumentKind::Configuration => "q",
            ArgumentKind::Velocity => "v",
            ArgumentKind::States => "z",
            ArgumentKind::Multipliers => "lambda",
            ArgumentKind::Index => "index",
            ArgumentKind::Length => "length",
            // Formatted where the element is known.
            ArgumentKind::Members(_) | ArgumentKind::Velocities(_) => return String::new(),
        };
        let binding = self.bindings.iter().find(|(known, _)| *known == kind).map(|(_, binding)| binding.as_str());
        format!("{}: {}", binding.unwrap_or(usual), self.type_of(kind))
    }

    /// Formats the type of an argument.
    pub fn type_of(&self, kind: ArgumentKind) -> String {
        let name = |names: &[Ident]| names.first().map_or("_".to_owned(), Ident::to_string);
        match kind {
            ArgumentKind::Parameters => format!("&{}", name(&self.parameters)),
            ArgumentKind::Inputs => format!("&{}", name(&self.inputs)),
            ArgumentKind::Time => "f64".to_owned(),
            ArgumentKind::Configuration => format!("&{}", name(&self.configurations)),
            ArgumentKind::Velocity => "&Velocity".to_owned(),
            ArgumentKind::States => self.states.as_ref().map_or("&_".to_owned(), |states| format!("&{states}")),
            ArgumentKind::Multipliers => "&Multipliers".to_owned(),
            ArgumentKind::Members(_) | ArgumentKind::Velocities(_) => "the members".to_owned(),
            ArgumentKind::Index | ArgumentKind::Length => "usize".to_owned(),
        }
    }

    /// Formats the arguments other than the state.
    pub fn common(&self, keyword: Keyword, inputs: &[&FnArg]) -> Vec<String> {
        let given = |kind: ArgumentKind| {
            inputs.iter().any(
                |input| matches!(input, FnArg::Typed(typed) if self.classify(&typed.ty).is_ok_and(|known| known == kind)),
            )
        };
        let kinds = [
            (ArgumentKind::Parameters, !self.parameters.is_empty()),
            (ArgumentKind::Inputs, given(ArgumentKind::Inputs) && keyword.takes_inputs()),
            (ArgumentKind::Time, given(ArgumentKind::Time)),
        ];
        kinds.into_iter().filter(|(_, wanted)| *wanted).map(|(kind, _)| self.argument(kind)).collect()
    }

    /// Formats the correct signature of a function with these arguments.
    pub fn expected(
        &self,
        keyword: Keyword,
        name: &impl Display,
        inputs: &Punctuated<FnArg, Token![,]>,
        output: &str,
    ) -> String {
        let given = |kind| {
            inputs.iter().any(|input| {
                matches!(input, FnArg::Typed(typed) if match self.classify(&typed.ty) {
                    Ok(known) | Err(Miss::ByValue(known) | Miss::Mutable(known)) => known == kind,
                    Err(Miss::TimeByReference) => kind == ArgumentKind::Time,
                    Err(Miss::Unknown) => false,
                })
            })
        };
        let arguments: Vec<String> = [
            (ArgumentKind::Parameters, !self.parameters.is_empty()),
            (ArgumentKind::Inputs, given(ArgumentKind::Inputs) && keyword.takes_inputs()),
            (ArgumentKind::Time, given(ArgumentKind::Time)),
            (
                ArgumentKind::Configuration,
                keyword.needs().contains(&ArgumentKind::Configuration) || given(ArgumentKind::Configuration),
            ),
            (
                ArgumentKind::Velocity,
                keyword.needs().contains(&ArgumentKind::Velocity)
                    || (keyword.takes_velocity() && given(ArgumentKind::Velocity)),
            ),
            (ArgumentKind::States, keyword.takes_states() && given(ArgumentKind::States)),
            (ArgumentKind::Multipliers, keyword.takes_multipliers() && given(ArgumentKind::Multipliers)),
        ]
        .into_iter()
        .filter(|(_, wanted)| *wanted)
        .map(|(kind, _)| self.argument(kind))
        .collect();
        format!("fn {name}({}) -> {output}", arguments.join(", "))
    }
}

/// The types of the arguments of a function.
pub(in crate::syntax) fn argument_types(function: &ItemFn) -> impl Iterator<Item = &Type> {
    function.sig.inputs.iter().filter_map(|input| match input {
        FnArg::Typed(typed) => Some(&*typed.ty),
        FnArg::Receiver(_) => None,
    })
}

/// Returns the declared type that a function returns.
pub(in crate::syntax) fn returned(function: &ItemFn) -> Option<&Ident> {
    match &function.sig.output {
        ReturnType::Type(_, ty) => own_segment(ty).map(|segment| &segment.ident),
        ReturnType::Default => None,
    }
}

/// Finds a struct without a role among the types of `arguments`, as the struct of parameters or inputs. `known` types already have a
/// meaning.
pub(in crate::syntax) fn unmarked<'a>(
    arguments: impl IntoIterator<Item = &'a Type>,
    structs: &[String],
    known: impl Fn(&Ident) -> bool,
) -> Option<(&'a Type, &'a Ident)> {
    arguments.into_iter().find_map(|ty| {
        let Type::Reference(reference) = bare(ty) else { return None };
        let segment = own_segment(&reference.elem)?;
        let is_unmarked = structs.contains(&segment.ident.to_string()) && !known(&segment.ident);
        is_unmarked.then_some((ty, &segment.ident))
    })
}
