//! The attribute macro [`macro@mechanical_system`]: a small symbolic compiler for mechanics on Lie groups.
//!
//! This crate is used through `lie_runtime`, which re-exports the macro and whose paths the generated code names.
//!
//! Stages, each a module: `parse` (tokens → items with roles) → `model` (checked declaration) → `read` (bodies →
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
mod model;
mod parse;
mod plan;
mod read;

use std::cell::OnceCell;

use proc_macro2::TokenStream;

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
    expand_guarded(arguments.into(), input.into()).into()
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
    /// The frame of each member of a chain from the one before it, for terms to run over:
    /// `#[kinematics(over = links)] fn mass(above: &R3, link: &S2) -> R3`.
    kinematics,
    /// A function that is called, not read: `fn f<S: Scalar>(x: S) -> S`, with `#[opaque(derivative = df)]` or
    /// differentiated by dual numbers.
    opaque,
}

/// The whole compiler on `proc_macro2` tokens; a panic becomes an error beside the user's items.
fn expand_guarded(arguments: TokenStream, input: TokenStream) -> TokenStream {
    let (declared, model) = (input.clone(), OnceCell::new());
    bug::guarded(
        || expand_into(&model, arguments, input),
        |error| match model.get() {
            Some(model) => model.recovery.emit(Some(error)),
            None => parse::stub(declared, error),
        },
    )
}

/// The same, as tests want it: a panic is a panic.
#[cfg(test)]
fn expand(arguments: TokenStream, input: TokenStream) -> TokenStream {
    expand_into(&OnceCell::new(), arguments, input)
}

/// Keeps the declaration in `model` as soon as it is understood.
fn expand_into(model: &OnceCell<model::Model>, arguments: TokenStream, input: TokenStream) -> TokenStream {
    match parse::parse(arguments, input) {
        Ok(parsed) => {
            let model = model.get_or_init(|| parsed);
            match &model.runtime {
                Some(runtime) => emit::with_runtime(compile(model), runtime),
                None => compile(model),
            }
        }
        Err(errors) => errors,
    }
}

/// Reading, derivation and emission of a checked declaration.
fn compile(model: &model::Model) -> TokenStream {
    if model.has_elements() {
        return compile_elements(model);
    }
    let mut diagnostics = diagnostics::Diagnostics::new();
    let equations = derive::derive(&mut read::Reader::new(model, &mut diagnostics));
    match equations {
        Some(mut equations) if diagnostics.is_empty() => emit::emit(model, &mut equations, &diagnostics.warnings()),
        _ => model.recovery.emit(diagnostics.finish().as_ref()),
    }
}

/// The same for a system that is a sum of elements: each kind of elements is a small system of its own.
fn compile_elements(model: &model::Model) -> TokenStream {
    let mut diagnostics = diagnostics::Diagnostics::new();
    if let Some(kinematics) = model.kinematics.as_ref().filter(|_| model.derivative_check) {
        let name = &kinematics.function.name;
        diagnostics.error_with_help(
            name,
            format_args!("`derivative_check` does not see the frames `{name}`"),
            "check the same terms over a power `[G; 3]`, with the positions as a `#[quantity]`, and compare the two in a test",
        );
    }
    let kinds = model.elements();
    let derived: Vec<_> =
        kinds.iter().map(|kind| derive::derive(&mut read::Reader::new(&kind.model, &mut diagnostics))).collect();
    let equations: Option<Vec<derive::Equations>> = derived.into_iter().collect();
    let terms = model.frame_elements();
    let recursion = model.kinematics.as_ref().map(|kinematics| (kinematics, model.recursion(kinematics)));
    let frames = recursion
        .as_ref()
        .map(|(kinematics, recursion)| derive_frames(kinematics, recursion, &terms, &mut diagnostics));
    match (equations, frames) {
        (Some(mut equations), frames @ (None | Some(Some(_)))) => {
            let mut frames = frames.flatten();
            let of_frames = frames.as_ref().map(|frames| (&terms[..], &frames.equations[..]));
            derive::ensure_inertia(model, (&kinds, &equations), of_frames, &mut diagnostics);
            if diagnostics.is_empty() {
                let warnings = diagnostics.warnings();
                return emit::emit_elements(model, &kinds, &mut equations, frames.as_mut(), &warnings);
            }
            model.recovery.emit(diagnostics.finish().as_ref())
        }
        _ => model.recovery.emit(diagnostics.finish().as_ref()),
    }
}

/// The recursion of frames and the terms over them; `None` if an error was reported.
fn derive_frames<'a>(
    kinematics: &'a model::Kinematics,
    recursion: &'a model::Model,
    terms: &'a [model::ElementModel],
    diagnostics: &mut diagnostics::Diagnostics,
) -> Option<emit::DerivedFrames<'a>> {
    let derived = derive::derive_kinematics(&mut read::Reader::new(recursion, diagnostics), kinematics);
    let equations: Vec<_> =
        terms.iter().map(|kind| derive::derive(&mut read::Reader::new(&kind.model, diagnostics))).collect();
    let equations = equations.into_iter().collect::<Option<Vec<_>>>()?;
    Some(emit::DerivedFrames { kinematics, model: recursion, recursion: derived?, elements: terms, equations })
}
