//! A symbolic compiler for mechanics on Lie groups: a module `#[mechanical_system] mod name { … }` becomes the kernels of its equations
//! of motion.
//!
//! The attribute macro of `lie-macros` calls [`compile`] with tokens; programs and tests call it with text:
//!
//! ```
//! let pendulum = "
//!     #[mechanical_system]
//!     mod pendulum {
//!         #[configuration] pub struct Angle { pub arm: SO2 }
//!         #[kinetic_energy] fn kinetic(v: &Velocity) -> f64 { 0.5 * v.arm * v.arm }
//!         #[potential] fn weight(q: &Angle) -> f64 { -9.81 * q.angle.cos() }
//!     }";
//! let errors = lie_compiler::compile(pendulum).unwrap_err();
//! assert_eq!(errors.errors()[0].code, lie_compiler::Code::Body);
//! assert!(errors.to_string().starts_with("error[body]: the configuration has no field `angle`"), "{errors}");
//! ```
//!
//! Each stage of the compiler is a module:
//!
//! * `syntax`: tokens → items with roles
//! * `model`: the checked declaration
//! * `interp`: function bodies → typed expressions (symbolic interpreter)
//! * `diff`: expressions → equations of motion, by differentiation
//! * `scalar`: expressions → scalar graph, with common subexpression elimination
//! * `schedule`: scalar graph → kernels and their shared results
//! * `backend`: kernels → Rust, C, tape, text
//!
//! The rules of each Lie group are in `group`. Errors of all stages are reported together before `backend`, which cannot fail.

#[macro_use]
mod bug;
mod backend;
mod components;
mod diagnostics;
mod diff;
mod expr;
mod group;
mod identifier;
mod interp;
mod model;
mod notation;
#[cfg(feature = "robots")]
mod robot;
mod scalar;
mod schedule;
mod source;
mod syntax;

use std::cell::OnceCell;
use std::rc::Rc;

use proc_macro2::TokenStream;
use quote::ToTokens;

use crate::backend::{c, rust, text};
use crate::diagnostics::{ErrorCollector, Rejection};

pub use crate::backend::tape;
pub use crate::components::component_modules;
pub use crate::diagnostics::{
    Code, Diagnostic, Diagnostics, LengthRemedy, LengthWords, SourcePosition, set_length_words,
};
pub use crate::model::ModelLengths;
#[cfg(feature = "robots")]
pub use crate::robot::{RobotModule, robot_module};
pub use crate::source::{DeclaredSystem, Source};
#[cfg(feature = "robots")]
pub use lie_robots as robots;

#[cfg(test)]
#[path = "../tests/expansion/samples/mod.rs"]
#[allow(dead_code, unused_imports)] // The tests of expansions use all of it.
mod samples;

/// A compiled declaration.
#[derive(Clone, Debug)]
pub struct Compiled {
    tokens: TokenStream,
    /// The arguments of the attribute and the module.
    declaration: (TokenStream, TokenStream),
    /// The text of the declaration, whose lines are shown in errors.
    text: Option<String>,
}

impl Compiled {
    /// The module with the generated items, which refers to `lie_runtime`.
    pub fn into_tokens(self) -> TokenStream {
        self.tokens
    }

    /// Returns the kernels as C99: a header of `static inline` functions of arrays with fixed sizes, which needs `<math.h>` only.
    ///
    /// The comment at its beginning describes the arrays. The scalar type is `double`, or `float` with `-DLIEMECH_REAL=float`.
    ///
    /// # Errors
    /// Declarations with lists (`Vec`), frames, inputs or opaque functions. The code is [`Code::BackEnd`].
    pub fn c_source(&self) -> Result<String, Diagnostics> {
        self.printed(c::emit)
    }

    /// Returns the equations of motion as text: configuration, parameters, energies, mass matrix, forces and constraints.
    ///
    /// # Errors
    /// [`Code::Internal`] only.
    pub fn equations(&self) -> Result<String, Diagnostics> {
        self.printed(|plan, _| Ok(text::emit(plan)))
    }

    /// Derives the equations again, and prints them.
    fn printed(
        &self,
        print: impl Fn(&schedule::Plan<'_>, &TokenStream) -> Result<String, diagnostics::Report>,
    ) -> Result<String, Diagnostics> {
        let (arguments, module) = &self.declaration;
        let print =
            || with_derived(arguments, module, |model, derived| print(&schedule::Plan::new(model, derived), module));
        let source =
            bug::guarded(print).and_then(|source| source.unwrap_or_else(|| bug!("the declaration has been compiled")));
        source.map_err(|report| {
            let rejection = Rejection { errors: vec![report], items: TokenStream::new() };
            located(Diagnostics::new(&rejection), self.text.as_deref())
        })
    }
}

/// Adds the lines of a declaration that is given as text.
fn located(diagnostics: Diagnostics, text: Option<&str>) -> Diagnostics {
    match text {
        Some(text) => diagnostics.with_text(text).in_file("declaration"),
        None => diagnostics,
    }
}

/// Returns the declarations of a Rust file, also inside of other modules, in the order of the file. Other items are ignored.
///
/// [`compile`] accepts each of them. Its errors have the lines and columns of the file; pass the text to [`Diagnostics::with_text`] and the
/// name of the file to [`Diagnostics::in_file`].
///
/// # Errors
/// [`Code::Tokens`] for a text that is not a sequence of Rust tokens.
pub fn declared_systems(text: &str) -> Result<Vec<DeclaredSystem>, Diagnostics> {
    source::declared_systems(text).map_err(|rejection| located(Diagnostics::new(&rejection), Some(text)))
}

/// Compiles a declaration.
///
/// # Errors
/// All errors of the declaration. A panic of the compiler is an error with [`Code::Internal`].
pub fn compile<'s>(source: impl Into<Source<'s>>) -> Result<Compiled, Diagnostics> {
    let source = source.into();
    let text = match source {
        Source::Text(text) => Some(text),
        Source::Tokens { .. } => None,
    };
    let compiled = source.tokens().and_then(|declaration| {
        let tokens = compile_tokens(&declaration.0, &declaration.1)?;
        Ok(Compiled { tokens, declaration, text: text.map(str::to_owned) })
    });
    compiled.map_err(|rejection| located(Diagnostics::new(&rejection), text))
}

/// Compiles a declaration to data, for a program that executes them.
///
/// # Errors
/// All errors of the declaration; [`Code::BackEnd`] for lists (`Vec`) and opaque functions, and for observables that return other
/// values than numbers and vectors.
pub fn compile_to_tape<'s>(source: impl Into<Source<'s>>) -> Result<tape::TapeModel, Diagnostics> {
    compile_to_tape_with(source, &ModelLengths::new())
}

/// Compiles a declaration with these lengths of its lists to data. Terms over members and frames are unrolled.
///
/// # Errors
/// The errors of [`compile_to_tape`]; [`Code::BackEnd`] for missing or wrong lengths.
pub fn compile_to_tape_with<'s>(
    source: impl Into<Source<'s>>,
    lengths: &ModelLengths,
) -> Result<tape::TapeModel, Diagnostics> {
    let source = source.into();
    let text = match source {
        Source::Text(text) => Some(text),
        Source::Tokens { .. } => None,
    };
    let compiled = source.tokens().and_then(|(arguments, module)| {
        let rejected = |report| Rejection { errors: vec![report], items: TokenStream::new() };
        let parsed = OnceCell::new();
        let derived = bug::guarded(|| {
            let (mut called, mut counted, mut documentation) = (vec![], vec![], vec![]);
            let derived = derive_into(&parsed, arguments, module, |model, errors| {
                documentation = backend::documentation(model);
                counted = unroll(model, lengths, errors);
                called = tape::prepare(model);
            });
            derived.map(|(model, derived)| tape::emit(model, derived, &called, &counted, documentation))
        });
        derived.map_err(rejected)??.map_err(rejected)
    });
    compiled.map_err(|rejection| located(Diagnostics::new(&rejection), text))
}

/// Unrolls lists and frames. The declaration is derived before, so that its errors are the errors of the macro. Returns the lists with an
/// item for each element.
fn unroll(model: &mut model::Model, lengths: &ModelLengths, errors: &mut ErrorCollector) -> Vec<String> {
    if !errors.is_empty() || (model.is_unrolled() && *lengths == ModelLengths::new()) {
        return vec![];
    }
    let mut counted = vec![];
    if !model.is_unrolled()
        && let Some(derived) = diff::derive_all(model, errors)
    {
        let lists = model.parameters.iter().flat_map(|parameters| &parameters.lists).map(|list| list.name.clone());
        let lists: Vec<String> = lists.collect();
        counted = derived.counted_lists().into_iter().map(|list| lists[list].clone()).collect();
    }
    if errors.is_empty() {
        errors.begin(Code::BackEnd);
        errors.take(model.unroll(lengths));
        errors.begin(Code::Body);
    }
    counted
}

/// Returns the error for an item with the attribute `role` outside of a system.
pub fn role_outside_system(role: &str, item: TokenStream) -> Diagnostics {
    let items = item.clone();
    let rejection =
        bug::guarded(|| syntax::outside(role, item)).unwrap_or_else(|report| Rejection { errors: vec![report], items });
    Diagnostics::new(&rejection)
}

/// Runs the compiler. A panic becomes an error together with the user's items.
fn compile_tokens(arguments: &TokenStream, module: &TokenStream) -> Result<TokenStream, Rejection> {
    let parsed = OnceCell::new();
    match bug::guarded(|| expand_into(&parsed, arguments.clone(), module.clone())) {
        Ok(Ok(expansion)) => Ok(expansion),
        Ok(Err(rejection)) => {
            // Uses of the system cause no further errors beside its placeholder.
            let placeholder = bug::guarded(|| placeholder(arguments, module)).ok().flatten();
            Err(Rejection { items: placeholder.unwrap_or(rejection.items), ..rejection })
        }
        Err(report) => {
            let kept = |parsed: &syntax::Parsed| parsed.recovery.items();
            let items = parsed.get().map_or_else(|| syntax::stub(module.clone()), kept);
            Err(Rejection { errors: vec![report], items })
        }
    }
}

/// Returns the expansion of the placeholder of a declaration with errors.
fn placeholder(arguments: &TokenStream, input: &TokenStream) -> Option<TokenStream> {
    let arguments = syntax::right_arguments(arguments.clone());
    let module = syntax::with_right_roles(input)?;
    let (syntax::Parsed { model, .. }, errors) =
        syntax::parse_sound(arguments.clone(), module.to_token_stream()).ok()?;
    errors.finish();
    [true, false].into_iter().find_map(|keeps_functions| {
        let simple = syntax::placeholder(module.clone(), &model, diff::unit_inertia(&model), keeps_functions);
        with_derived(&arguments, &simple, emit)
    })
}

/// Parses and derives the placeholder and applies `make`; `None` if it has errors.
fn with_derived<T>(
    arguments: &TokenStream,
    input: &TokenStream,
    make: impl FnOnce(&model::Model, diff::Derived) -> T,
) -> Option<T> {
    let parsed = syntax::parse(arguments.clone(), input.clone()).ok()?;
    let mut model = parsed.model;
    Rc::make_mut(&mut model.shared).redundancy = model::Redundancy::Unasked;
    let mut errors = ErrorCollector::new(Code::Body);
    let derived = diff::derive_all(&model, &mut errors);
    let errors = errors.finish();
    Some(make(&model, derived.filter(|_| errors.is_empty())?))
}

/// Prints the equations of a declaration in Rust.
fn emit(model: &model::Model, derived: diff::Derived) -> TokenStream {
    let expansion = rust::emit(&schedule::Plan::new(model, derived));
    match &model.runtime {
        Some(runtime) => rust::with_runtime(expansion, runtime),
        None => expansion,
    }
}

/// Runs the compiler and stores the parsed declaration in `parsed` as soon as it is available.
fn expand_into(
    parsed: &OnceCell<syntax::Parsed>,
    arguments: TokenStream,
    input: TokenStream,
) -> Result<TokenStream, Rejection> {
    derive_into(parsed, arguments, input, |_, _| ()).map(|(model, derived)| emit(model, derived))
}

/// Parses a declaration, changes its model by `prepare`, stores it in `parsed`, and derives the equations.
///
/// If a declaration has errors of structure and signature, its other functions are still interpreted and derived, so that their errors are
/// also reported.
fn derive_into(
    parsed: &OnceCell<syntax::Parsed>,
    arguments: TokenStream,
    input: TokenStream,
    prepare: impl FnOnce(&mut model::Model, &mut ErrorCollector),
) -> Result<(&model::Model, diff::Derived<'_>), Rejection> {
    let (mut sound, mut errors) = syntax::parse_sound(arguments, input)?;
    prepare(&mut sound.model, &mut errors);
    let syntax::Parsed { model, recovery } = parsed.get_or_init(|| sound);
    let derived = if errors.is_empty() {
        diff::derive_all(model, &mut errors)
    } else {
        // The reported errors can break assumptions of the derivation. A panic is then not a bug.
        std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| diff::derive_all(model, &mut errors)))
            .unwrap_or_default()
    };
    match derived {
        Some(derived) => Ok((model, derived)),
        None => Err(Rejection { errors: errors.finish(), items: rejected_items(model, recovery) }),
    }
}

/// Returns the items of a declaration with errors, with the paths of its runtime.
fn rejected_items(model: &model::Model, recovery: &syntax::Recovery) -> TokenStream {
    let items = recovery.items();
    match &model.runtime {
        Some(runtime) => rust::with_runtime(items, runtime),
        None => items,
    }
}
