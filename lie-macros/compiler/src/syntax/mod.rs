//! Parses the tokens of a declaration to a [`Model`], without the function bodies.
//!
//! Invariant: parsing never panics, and reports all errors of structure and signature at once. The returned model fulfils the invariants of
//! [`crate::model`].

mod data;
mod errors;
mod functions;
mod module;
mod role;
mod rust;
mod scope;
#[cfg(test)]
#[path = "../../tests/unit/syntax.rs"]
mod tests;

use std::rc::Rc;

use proc_macro2::TokenStream;
use syn::{Fields, Ident, Item};

use self::data::bodies::{self, Bodies};
use self::data::{configuration, inputs, parameters};
use self::functions::argument_types::ArgumentTypes;
use self::functions::context::{Context, quantities};
use self::functions::{connections, kinematics, opaque};
use self::module::{collect, names, reserved, states, unilateral};
use self::role::Keyword;
use self::rust::constants::Constants;
use self::rust::split_expressions;
use self::scope::ModuleScopes;
use crate::diagnostics::{Code, ErrorCollector, Rejection};
use crate::model::{Gaps, Kinematics, Model, OutputShape, Redundancy, SharedModel, UnrolledFrames};

pub(crate) use self::errors::placeholder::{placeholder, with_right_roles};
pub(crate) use self::errors::recovery::Recovery;
pub(crate) use self::functions::element::{half_square, velocity_type};
pub(crate) use self::module::orphan_roles::outside;
pub(crate) use self::module::{right_arguments, stub};
pub(crate) use self::rust::items::mentions;
pub(crate) use self::rust::lists::{Rows, rows};
pub(crate) use self::rust::shape::named as shape_named;
pub(crate) use self::rust::suggest::nearest as closest;
pub(crate) use self::scope::{absolute, standard_constant};

/// The parts of a declaration without errors.
pub(crate) struct Parsed {
    pub model: Model,
    /// The output if a later stage finds errors.
    pub recovery: Recovery,
}

/// Returns the shape of the type that a called function returns; [`OutputShape::Other`] for types that expressions do not have.
pub(crate) fn returned_shape(model: &Model, ty: &syn::Type) -> OutputShape {
    rust::shape::read(ty, "f64", &rust::constants::Constants::of(&model.constants)).unwrap_or(OutputShape::Other)
}

/// Parses a declaration. Returns all errors of structure and signature together with the items that can be kept.
pub(crate) fn parse(arguments: TokenStream, input: TokenStream) -> Result<Parsed, Rejection> {
    let (parsed, sink) = parse_sound(arguments, input)?;
    let errors = sink.finish();
    if errors.is_empty() { Ok(parsed) } else { Err(Rejection { errors, items: parsed.recovery.items() }) }
}

/// Parses the parts of a declaration without errors of structure and signature, and collects these errors. Without a configuration only the
/// errors and the items that can be kept are returned.
#[allow(clippy::too_many_lines)] // The stages of parsing, in order.
pub(crate) fn parse_sound(arguments: TokenStream, input: TokenStream) -> Result<(Parsed, ErrorCollector), Rejection> {
    let mut sink = ErrorCollector::new(Code::Arguments);
    let mut options = module::options(arguments, &mut sink);
    let mut ignored = vec![];
    if !sink.is_empty() {
        // The wrong argument can be the one that permits a part of the declaration.
        options.redundant = true;
        options.max_operations = Some(usize::MAX);
    }
    sink.begin(Code::Module);
    let mut module = match module::read(split_expressions::cut(input.clone()), &mut sink) {
        Ok(mut module) => {
            crate::components::include(&mut module.items, options.runtime.as_ref());
            if let Some((language, path)) = &options.robot {
                let parameters = unilateral::parameters(&module.items).map(|item| item.ident.clone());
                match robot(language, path, &options.robot_choices, parameters.as_ref()) {
                    Ok((items, parts)) => {
                        module.items.extend(items);
                        ignored = parts;
                    }
                    Err(error) => {
                        sink.begin(Code::RobotFile);
                        sink.push(error);
                        return Err(Rejection { errors: sink.finish(), items: module::stub(input) });
                    }
                }
            }
            module
        }
        Err(items) => return Err(Rejection { errors: sink.finish(), items }),
    };
    sink.begin(Code::Signature);
    let contacts = unilateral::expand(&mut module.items, options.gradients.as_ref(), &mut sink);
    // The row of an open contact has no gradient.
    options.redundant |= contacts.is_some();
    let states = states::expand(&mut module.items, options.runtime.as_ref(), &mut sink);
    sink.begin(Code::Names);
    reserved::ensure_unreserved(input, &mut sink);
    sink.begin(Code::Module);
    let mut declaration = collect::collect(module.items, &mut sink);
    let mut states_over = None;
    if let Some(states::ExpandedStates { item, role, over }) = states {
        declaration.states = Some(item);
        declaration.roles.push(role);
        states_over = over;
    }
    sink.begin(Code::Names);
    names::ensure_distinct(&declaration, &mut sink);

    let mut types = declaration.type_names();
    let scope = |types: &[String]| {
        ModuleScopes::of(&declaration.items, types.iter().map(String::as_str), &options.runtime_name())
    };
    // The types of members determine the generated types.
    types.extend(bodies::velocity_names(&declaration, &scope(&types)));
    let scope = scope(&types);
    declaration.canonicalise(&scope);
    let constants = Constants::of(&declaration.constants);
    sink.begin(Code::Configuration);
    let bodies = Bodies::read(&declaration, &scope, &constants, &mut sink);
    let (mut configuration, sound_members) = configuration::read(&declaration, &scope, &constants, &bodies, &mut sink);
    if let Some(configuration) = &mut configuration {
        configuration.connections = connections::all(&declaration.functions, configuration);
        sink.begin(Code::Signature);
        let states = states_over.as_ref().map(|over| functions::states::elements(over, configuration, &constants));
        configuration.states_over = states.and_then(|states| sink.take(states));
        sink.begin(Code::Kinematics);
        configuration.parents = kinematics::parents(&declaration.functions, configuration, &mut sink);
    }
    sink.begin(Code::Parameters);
    let (parameters, structs) = parameters::read(&declaration, &scope, &constants, &mut sink);
    sink.begin(Code::Inputs);
    let inputs = inputs::read(&declaration, &scope, &constants, &mut sink);

    sink.begin(Code::Signature);
    let names = ArgumentTypes::of(&declaration, bodies.type_names(), &mut sink);
    sink.begin(Code::Inertia);
    functions::ensure_inertia(&declaration.functions, &declaration.attempted, &names, &module.name, &mut sink);
    let mut functions = vec![];
    let mut recursion = None;
    if declaration.configuration_names.is_empty() {
        sink.begin(Code::Configuration);
        // Arguments cannot be checked without the type of the configuration.
        if !declaration.attempted.contains(&role::Keyword::Configuration) {
            let help = match configuration::unmarked(&declaration.items) {
                Some(meant) => format!("mark the struct: `#[configuration] pub struct {} {{ … }}`", meant.ident),
                None => "declare `#[configuration] struct Pose { attitude: SO3, position: R3 }`".to_owned(),
            };
            sink.error_with_help(&module.name, format_args!("`{}` has no configuration", module.name), help);
        }
    } else if !names::share_generated(declaration.struct_names()) {
        if let Some(configuration) = &configuration {
            let context =
                kinematics::KinematicsContext { names: &names, constants: &constants, configuration, bodies: &bodies };
            sink.begin(Code::Kinematics);
            recursion = kinematics::read(&declaration.functions, &declaration.helpers, &context, &mut sink);
        }
        if let (Some(configuration), Some(_)) = (&mut configuration, &recursion) {
            // Lists can contain frames.
            let with_frames = configuration.with_frames(recursion.as_ref());
            configuration.connections = connections::all(&declaration.functions, &with_frames);
        }
        let with_frames = configuration.as_ref().map(|configuration| configuration.with_frames(recursion.as_ref()));
        sink.begin(Code::Signature);
        let context = Context {
            names: &names,
            constants: &constants,
            fields: members_as_written(&declaration),
            configuration: configuration.as_ref(),
            with_frames: with_frames.as_ref(),
            wrong_frames: if recursion.is_none() { kinematics::names(&declaration.functions) } else { vec![] },
            quantities: quantities(&declaration.functions, &constants),
        };
        for declared in declaration.functions.iter().filter(|declared| declared.keyword != Keyword::Kinematics) {
            functions.extend(functions::read(declared, &context, &mut sink));
        }
        if let Some(configuration) = &configuration {
            functions::states::extend_quantities(&mut functions, configuration);
        }
        functions::states::ensure_one_rate(&declaration, states_over.as_ref(), &names, &mut sink);
        if let Some(configuration) = configuration.as_ref().filter(|_| !options.redundant) {
            // The total number of rows is reported once; a report of each redundant row would repeat it.
            options.redundant = !functions::ensure_rows_fit(&functions, configuration, &mut sink);
        }
    }
    sink.begin(Code::Opaque);
    let all = &declaration.opaques;
    let opaque = |declared| opaque::read(declared, all, &declaration.helpers, &constants, &mut sink);
    let opaques: Vec<_> = all.iter().filter_map(opaque).collect();

    let kept = [
        configuration.as_ref().map(|configuration| Item::Struct(configuration.as_written().item)),
        declaration.states.clone().map(Item::Struct),
        parameters.as_ref().map(|parameters| Item::Struct(parameters.item.clone())),
        inputs.as_ref().map(|inputs| Item::Struct(inputs.item.clone())),
    ];
    let recovery = Recovery::new(
        module.attributes.clone(),
        module.visibility.clone(),
        module.name.clone(),
        options.runtime.as_ref(),
        &declaration.items,
        kept.into_iter().flatten(),
    );
    // Frames need a configuration without errors.
    let recursion = recursion.filter(|_| configuration.is_some());
    let is_whole = configuration.is_some();
    let Some(configuration) = configuration.or(sound_members).filter(|_| !declaration.is_ambiguous()) else {
        return Err(Rejection { errors: sink.finish(), items: recovery.items() });
    };
    let gaps = if sink.is_empty() {
        Gaps::default()
    } else {
        let fields = configuration.members.iter().map(|member| &member.name);
        let data = parameters.iter().chain(&inputs).flat_map(|data| &data.fields).map(|field| &field.name);
        let read = functions.iter().map(|function| &function.name);
        let frames = recursion.iter().flat_map(Kinematics::functions).map(|function| &function.name);
        let opaque = opaques.iter().map(|opaque| &opaque.name);
        let gaps = declaration.gaps(&fields.chain(data).chain(read).chain(frames).chain(opaque).collect::<Vec<_>>());
        // The sizes of return values are checked only with a complete configuration.
        Gaps { inertia: gaps.inertia || !is_whole, ..gaps }
    };
    let shared = SharedModel {
        attributes: module.attributes,
        visibility: module.visibility,
        name: module.name,
        bodies: bodies.into_all(),
        parameters,
        structs,
        inputs,
        states: declaration.states,
        kinematics: recursion,
        frames: UnrolledFrames::default(),
        held: vec![],
        is_expanded: false,
        helpers: declaration.helpers,
        opaques,
        constants: declaration.constants,
        assumed: scope.assumed(),
        items: declaration.items,
        roles: declaration.roles,
        ignored,
        derivative_check: options.derivative_check,
        gradients: options.gradients,
        max_operations: options.max_operations,
        redundancy: if options.redundant { Redundancy::MinimumNorm } else { Redundancy::Reported },
        runtime: options.runtime,
        unilateral: contacts.unwrap_or_default(),
        gaps,
    };
    let model = Model { shared: Rc::new(shared), configuration, functions, others: vec![], is_part: false };
    sink.begin(Code::Body);
    Ok((Parsed { model, recovery }, sink))
}

/// Returns the items of a robot file, and the parts of the file that the items do not contain.
#[cfg(feature = "robots")]
fn robot(
    language: &Ident,
    path: &syn::LitStr,
    options: &[(Ident, syn::Expr)],
    parameters: Option<&Ident>,
) -> syn::Result<(Vec<Item>, Vec<String>)> {
    crate::robot::items(language, path, options, parameters)
}

/// Robot files need the feature `robots`.
#[cfg(not(feature = "robots"))]
fn robot(
    _: &Ident,
    path: &syn::LitStr,
    _: &[(Ident, syn::Expr)],
    _: Option<&Ident>,
) -> syn::Result<(Vec<Item>, Vec<String>)> {
    let message = "robot files need the feature `robots` of `lie-runtime`";
    let help = "write `lie-runtime = { …, features = [\"robots\"] }` in Cargo.toml";
    Err(crate::diagnostics::error_with_help(path, message, help))
}

/// The names of the members of the configuration as written.
fn members_as_written(declaration: &collect::Declaration) -> Vec<Ident> {
    let all = declaration.configuration.iter().flat_map(|item| field_names(&item.fields));
    let mut names: Vec<Ident> = all.collect();
    if declaration.states.is_some() && names.last().is_some_and(|name| name == states::MEMBER) {
        names.pop();
    }
    names
}

fn field_names(fields: &Fields) -> impl Iterator<Item = Ident> {
    fields.iter().filter_map(|field| field.ident.clone())
}
