//! The attribute macro [`macro@mechanical_system`]: a small symbolic compiler for mechanics on Lie groups.
//!
//! Use this crate through `lie_runtime`, which re-exports the macro. The generated code refers to `lie_runtime`.
//!
//! Each stage of the compiler is a module:
//!
//! * `parse`: tokens → items with roles
//! * `model`: the checked declaration
//! * `interp`: function bodies → typed expressions (symbolic interpreter)
//! * `derive`: expressions → equations of motion, by differentiation
//! * `graph`: expressions → scalar graph, with common subexpression elimination
//! * `plan`: scalar graph → kernels and their shared results
//! * `emit`: kernels → Rust
//!
//! The rules of each Lie group are in `group`. Errors of all stages are reported together before `emit`, which cannot fail.

#[macro_use]
mod bug;
mod diagnostics;
mod differentiate;
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

/// The system around a role interprets it. Each role is also a macro, so that editors show its documentation, and a role outside of a
/// system is an error with a help.
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
    /// The parameters: a struct of scalars, vectors and matrices, `struct Body { mass: f64, inertia: Matrix3<f64> }`. They are constant
    /// during a run, except for changes by events.
    parameters,
    /// The inputs: a struct of scalars, vectors and matrices, `struct Inputs { torque: f64 }`. A function of time, a table or a controller
    /// sets them at run time. Forces, dissipation, potentials, constraints, observables and events can depend on them.
    inputs,
    /// A kinetic energy, quadratic in the velocity: `fn kinetic(body: &Body, q: &Pose, v: &Velocity) -> f64`. The total is the sum of all
    /// kinetic energies.
    kinetic_energy,
    /// The mass matrix, in place of a kinetic energy: `fn mass(body: &Body, q: &Pose) -> Matrix6<f64>`.
    mass_matrix,
    /// A potential energy: `fn gravity(body: &Body, q: &Pose) -> f64`.
    potential,
    /// A Rayleigh dissipation function, `fn friction(v: &Velocity) -> f64`. Its force is the negative derivative with respect to the
    /// velocity.
    dissipation,
    /// A generalised force: `#[force]` on the whole velocity, `#[force(on = field)]` on a member, `#[force(at = quantity)]` as the force
    /// dual to the rate of a quantity, for example at a point.
    force,
    /// A holonomic constraint Φ(t, q) = 0: `fn fixed_point(body: &Body, q: &Pose) -> Vector3<f64>`.
    constraint,
    /// A nonholonomic constraint, linear in the velocity: `fn rolls(q: &Pose, v: &Velocity) -> Vector2<f64>`.
    velocity_constraint,
    /// An observable: a function of time, configuration and velocity that trajectories record.
    observable,
    /// A function of the configuration, for example a point, a strain or an angle: `fn tip(arm: &Arm, q: &Pose) -> Vector3<f64>`. The macro
    /// generates its rate `tip_rate`.
    quantity,
    /// An infinitesimal symmetry: the velocity of a motion that leaves the system unchanged, at each configuration: `fn
    /// about_the_vertical(q: &Pose) -> Velocity`. Runs monitor its momentum (Noether's theorem).
    symmetry,
    /// An event function, whose sign changes are events with its name: `fn height(ball: &Ball, q: &Place) -> f64`.
    event,
    /// Forward kinematics: the frame of each joint from the frame of its parent, `#[kinematics(over = links)] fn mass(above: &R3, link:
    /// &S2) -> R3`. Terms can run over the frames.
    kinematics,
    /// An opaque function, which the compiler calls without interpretation: `fn f<S: Scalar>(x: S) -> S`. Its derivative is the function in
    /// `#[opaque(derivative = df)]`, or comes from dual numbers.
    opaque,
}

/// Runs the compiler on `proc_macro2` tokens. A panic becomes an error together with the user's items.
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

/// Adds a placeholder system to an expansion with errors, so that uses of the system cause no further errors.
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

/// Returns the expansion of the placeholder of a declaration with errors.
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

/// Parses and derives the placeholder and applies `make`; `None` if it has errors.
fn with_derived<T>(
    arguments: &TokenStream,
    input: &TokenStream,
    make: impl FnOnce(&model::Model, differentiate::Derived) -> T,
) -> Option<T> {
    let parsed = parse::parse(arguments.clone(), input.clone()).ok()?;
    let model = model::Model { redundancy: model::Redundancy::Unasked, ..parsed.model };
    let mut diagnostics = diagnostics::Diagnostics::new();
    let derived = differentiate::derive_all(&model, &mut diagnostics);
    let errors = diagnostics.finish();
    Some(make(&model, derived.filter(|_| errors.is_none())?))
}

/// Runs the compiler for tests: a panic remains a panic.
#[cfg(test)]
fn expand(arguments: TokenStream, input: TokenStream) -> TokenStream {
    expand_into(&OnceCell::new(), arguments, input)
}

/// Runs the compiler and stores the parsed declaration in `parsed` as soon as it is available.
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

/// Interprets, derives, plans and emits a checked declaration. If `diagnostics` has errors of structure and signature, the other functions
/// are still interpreted and derived, so that their errors are also reported.
fn compile(
    parse::Parsed { model, recovery }: &parse::Parsed,
    mut diagnostics: diagnostics::Diagnostics,
) -> TokenStream {
    let derived = if diagnostics.is_empty() {
        differentiate::derive_all(model, &mut diagnostics)
    } else {
        // The reported errors can break assumptions of the derivation. A panic is then not a bug.
        std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| differentiate::derive_all(model, &mut diagnostics)))
            .unwrap_or_default()
    };
    match derived {
        Some(derived) => emit::emit(&plan::Plan::new(model, derived)),
        None => recovery.emit(diagnostics.finish().as_ref()),
    }
}
