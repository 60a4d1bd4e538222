//! The attribute macro [`macro@mechanical_system`]: a small symbolic compiler for mechanics on Lie groups.
//!
//! This crate is used through `lie_runtime`, which re-exports the macro and whose paths the generated code names.
//!
//! Stages, each a module: `parse` (tokens → items with roles) → `model` (checked declaration) → `interp` (bodies →
//! typed expressions) → `derive` (equations of motion by differentiation) → `graph` (scalar graph) → `plan` (kernels and
//! what is shared by them) → `emit` (Rust). What is particular to a group stands in `group`.
//! Errors are collected and reported together before `emit`, which cannot fail.

#[macro_use]
mod bug;
mod derive;
mod diagnostics;
mod emit;
mod expr;
mod graph;
mod group;
mod identifier;
mod interp;
mod model;
mod notation;
mod parse;
mod plan;
#[cfg(feature = "robots")]
mod robot;

use std::cell::OnceCell;

use proc_macro2::{TokenStream, TokenTree};

#[cfg(test)]
mod extremes;
#[cfg(test)]
mod mutation;
#[cfg(test)]
mod samples;
#[cfg(test)]
mod snapshots;

#[doc = include_str!("declaration.md")]
#[proc_macro_attribute]
pub fn mechanical_system(
    arguments: proc_macro::TokenStream,
    input: proc_macro::TokenStream,
) -> proc_macro::TokenStream {
    expand_guarded(&arguments.into(), &input.into()).into()
}

/// Roles are taken by the system around them. Their names are macros too, so that they are documented where they are
/// used and a role outside of a system gets an error that says so.
macro_rules! roles {
    ($($(#[$documentation:meta])* $role:ident),* $(,)?) => {$(
        $(#[$documentation])*
        #[proc_macro_attribute]
        pub fn $role(_: proc_macro::TokenStream, input: proc_macro::TokenStream) -> proc_macro::TokenStream {
            let input = TokenStream::from(input);
            bug::guarded(|| parse::outside(stringify!($role), input.clone()), TokenStream::clone).into()
        }
    )*};
}

roles! {
    /// The configuration q: a struct whose fields are groups, `struct Pose { attitude: SO3, position: R3 }`.
    configuration,
    /// The parameters: a struct of numbers, vectors and matrices, `struct Body { mass: f64, inertia: Matrix3<f64> }`.
    parameters,
    /// What is given at run time, by a closure, a table or a controller: a struct of numbers, vectors and matrices,
    /// `struct Inputs { torque: f64 }`, that forces, dissipation, potentials, constraints and observables may take.
    inputs,
    /// A kinetic energy, quadratic in the velocity: `fn kinetic(body: &Body, q: &Pose, v: &Velocity) -> f64`.
    kinetic_energy,
    /// The mass matrix, in the place of a kinetic energy: `fn mass(body: &Body, q: &Pose) -> Matrix6<f64>`.
    mass_matrix,
    /// A potential: `fn gravity(body: &Body, q: &Pose) -> f64`.
    potential,
    /// A Rayleigh function, whose negative velocity gradient is a force: `fn friction(v: &Velocity) -> f64`.
    dissipation,
    /// A force on the whole velocity, `#[force(on = field)]` on a member, or `#[force(at = quantity)]` in the space of
    /// a quantity.
    force,
    /// A holonomic constraint Φ(t, q) = 0: `fn fixed_point(body: &Body, q: &Pose) -> Vector3<f64>`.
    constraint,
    /// A nonholonomic constraint, linear in the velocity: `fn rolls(q: &Pose, v: &Velocity) -> Vector2<f64>`.
    velocity_constraint,
    /// A value that trajectories record, of the time, the configuration and the velocity.
    observable,
    /// A point, a strain, an angle: `fn tip(arm: &Arm, q: &Pose) -> Vector3<f64>`. Its rate `tip_rate` is generated.
    quantity,
    /// An infinitesimal motion that leaves the system as it is, at each configuration its velocity:
    /// `fn about_the_vertical(q: &Pose) -> Velocity`. Runs keep account of its momentum.
    symmetry,
    /// A function whose changes of sign are events, by its name: `fn height(ball: &Ball, q: &Place) -> f64`.
    event,
    /// The frame of each member of a chain from the one before it, for terms to run over:
    /// `#[kinematics(over = links)] fn mass(above: &R3, link: &S2) -> R3`.
    kinematics,
    /// A function that is called, not read: `fn f<S: Scalar>(x: S) -> S`, with `#[opaque(derivative = df)]` or
    /// differentiated by dual numbers.
    opaque,
}

/// The whole compiler on `proc_macro2` tokens; a panic becomes an error beside the user's items.
fn expand_guarded(arguments: &TokenStream, input: &TokenStream) -> TokenStream {
    let (declared, parsed) = (input.clone(), OnceCell::new());
    bug::guarded(
        || {
            let expansion = expand_into(&parsed, arguments.clone(), input.clone());
            beside_errors(expansion, arguments, input)
        },
        |error| match parsed.get() {
            Some(parsed) => parsed.recovery.emit(Some(error)),
            None => parse::stub(declared, error),
        },
    )
}

/// The expansion; if it has errors, these and the system of a declaration that stands in, so that its users see no others.
fn beside_errors(expansion: TokenStream, arguments: &TokenStream, input: &TokenStream) -> TokenStream {
    // `::core::compile_error!` comes first.
    let has_errors =
        matches!(expansion.clone().into_iter().next(), Some(TokenTree::Punct(punct)) if punct.as_char() == ':');
    if !has_errors {
        return expansion;
    }
    let Ok(file) = syn::parse2::<syn::File>(expansion.clone()) else { return expansion };
    let errors = file.items.iter().filter(|item| matches!(item, syn::Item::Macro(_)));
    bug::guarded(
        || match stand_in(arguments, input) {
            Some(system) => quote::quote!(#(#errors)* #system),
            None => expansion.clone(),
        },
        |_| expansion.clone(),
    )
}

/// The expansion of what stands in for a declaration with errors.
fn stand_in(arguments: &TokenStream, input: &TokenStream) -> Option<TokenStream> {
    let arguments = &parse::right_arguments(arguments.clone());
    let is_accepted = |simple: &TokenStream| with_derived(arguments, simple, |_, _| ()).is_some();
    let simple = parse::stand_in(input, is_accepted)?;
    with_derived(arguments, &simple, |model, derived| {
        let expansion = emit::emit(&plan::Plan::new(model, derived));
        match &model.runtime {
            Some(runtime) => emit::with_runtime(expansion, runtime),
            None => expansion,
        }
    })
}

/// Something of what stands in and all that is derived of it, if it has no errors itself.
fn with_derived<T>(
    arguments: &TokenStream,
    input: &TokenStream,
    make: impl FnOnce(&model::Model, derive::Derived) -> T,
) -> Option<T> {
    let parsed = parse::parse(arguments.clone(), input.clone()).ok()?;
    let model = model::Model { redundancy: model::Redundancy::Unasked, ..parsed.model };
    let mut diagnostics = diagnostics::Diagnostics::new();
    let derived = derive::derive_all(&model, &mut diagnostics);
    let errors = diagnostics.finish();
    Some(make(&model, derived.filter(|_| errors.is_none())?))
}

/// The same, as tests want it: a panic is a panic.
#[cfg(test)]
fn expand(arguments: TokenStream, input: TokenStream) -> TokenStream {
    expand_into(&OnceCell::new(), arguments, input)
}

/// Keeps the declaration in `parsed` as soon as it is understood.
fn expand_into(parsed: &OnceCell<parse::Parsed>, arguments: TokenStream, input: TokenStream) -> TokenStream {
    match parse::parse_sound(arguments, input) {
        Ok((sound, diagnostics)) => {
            let parsed = parsed.get_or_init(|| sound);
            let expansion = compile(parsed, diagnostics);
            match &parsed.model.runtime {
                Some(runtime) => emit::with_runtime(expansion, runtime),
                None => expansion,
            }
        }
        Err(errors) => errors,
    }
}

/// Reading, derivation, planning and emission of a checked declaration. After errors of structure and signature, which are in
/// `diagnostics`, what has none of them is read and derived for its own errors.
fn compile(
    parse::Parsed { model, recovery }: &parse::Parsed,
    mut diagnostics: diagnostics::Diagnostics,
) -> TokenStream {
    let derived = if diagnostics.is_empty() {
        derive::derive_all(model, &mut diagnostics)
    } else {
        // Derivation relies on what the reported errors break. A panic is then not a bug of its own.
        std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| derive::derive_all(model, &mut diagnostics)))
            .unwrap_or_default()
    };
    match derived {
        Some(derived) => emit::emit(&plan::Plan::new(model, derived)),
        None => recovery.emit(diagnostics.finish().as_ref()),
    }
}
