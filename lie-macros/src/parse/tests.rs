//! Good declarations give the model they should, bad ones the messages.

use proc_macro2::TokenStream;

use super::parse;
use crate::model::{ArgumentKind, ForceTarget, Model, Output, ParameterForm, ParameterKind, Role};
use crate::samples;

fn model(source: &str) -> Model {
    parse(TokenStream::new(), source.parse().expect("the sample lexes"))
        .unwrap_or_else(|errors| panic!("the sample is good: {errors}"))
        .model
}

/// The messages of a bad declaration, and the tokens emitted with them.
fn messages(arguments: &str, source: &str) -> (Vec<String>, String) {
    let Err(tokens) = parse(arguments.parse().expect("lexes"), source.parse().expect("lexes")) else {
        panic!("the declaration is bad");
    };
    let file: syn::File = syn::parse2(tokens.clone()).expect("what is emitted parses");
    let messages = file
        .items
        .iter()
        .filter_map(|item| match item {
            syn::Item::Macro(item) => Some(item.mac.parse_body::<syn::LitStr>().expect("a message").value()),
            _ => None,
        })
        .collect();
    (messages, tokens.to_string())
}

#[test]
fn heavy_top() {
    let model = model(samples::HEAVY_TOP);
    assert_eq!(model.name, "heavy_top");
    assert_eq!(model.attributes.len(), 2);
    let members: Vec<_> = model.configuration.members.iter().map(|member| (member.group.name, member.count)).collect();
    assert_eq!(members, [("SO3", None), ("R3", None)]);
    assert_eq!(model.offsets(), (vec![0, 3], 6));
    let parameters = model.parameters.as_ref().expect("parameters");
    let kinds: Vec<_> = parameters.fields.iter().map(|field| field.form.clone()).collect();
    assert_eq!(
        kinds,
        [ParameterKind::Scalar, ParameterKind::Matrix(3, 3), ParameterKind::Vector(3), ParameterKind::Vector(3)]
            .map(ParameterForm::Entry)
    );
    assert_eq!(parameters.item.attrs.len(), 1, "the role is removed, the derive is kept");
    let outputs: Vec<_> = model.functions.iter().map(|function| function.output).collect();
    assert_eq!(outputs, [Output::Scalar, Output::Scalar, Output::Vector(3), Output::Vector(3)]);
    assert_eq!(
        model.functions[0].arguments.iter().map(|argument| argument.kind).collect::<Vec<_>>(),
        [ArgumentKind::Parameters, ArgumentKind::Velocity]
    );
    assert!(model.items.iter().all(|item| !quote::quote!(#item).to_string().contains("potential")));
}

#[test]
fn heavy_top_as_frame() {
    let model = model(samples::HEAVY_TOP_SE3);
    assert_eq!(model.functions[0].output, Output::Matrix(6, 6));
    assert_eq!(model.offsets(), (vec![0], 6));
}

#[test]
fn double_pendulum() {
    let model = model(samples::DOUBLE_PENDULUM);
    assert_eq!(model.offsets(), (vec![0], 2));
    assert_eq!(model.helpers.len(), 2);
    assert_eq!(model.constants.len(), 2);
    let parameters = model.parameters.as_ref().expect("parameters");
    let kinds: Vec<_> = parameters.fields.iter().map(|field| field.form.clone()).collect();
    assert_eq!(
        kinds,
        [
            ParameterForm::Entry(ParameterKind::ScalarArray(2)),
            ParameterForm::Entry(ParameterKind::ScalarArray(2)),
            ParameterForm::Entry(ParameterKind::VectorArray(2, 2)),
            ParameterForm::Opaque
        ]
    );
    let forces: Vec<_> = model.with_role(|role| matches!(role, Role::Force(_))).collect();
    assert!(matches!(&forces[0].role, Role::Force(ForceTarget::Quantity(name)) if name == "tip"));
    assert!(matches!(&forces[1].role, Role::Force(ForceTarget::Member(0, _))));
    assert_eq!(forces[1].arguments[0].name, "_");
}

#[test]
fn powers_and_opaques() {
    let model = model(samples::LINKS);
    assert_eq!(model.offsets(), (vec![0, 6, 8, 11, 14], 15));
    assert_eq!(model.opaques.len(), 3);
    assert_eq!(model.opaques[0].arguments, [Output::Scalar, Output::Vector(3)]);
    assert!(model.opaques[1].derivative.as_ref().is_some_and(|name| name == "bump_derivative"));
    assert_eq!(model.with_role(|role| matches!(role, Role::VelocityConstraint)).count(), 1);
}

#[test]
fn limits_are_read() {
    let limit = |arguments: &str| {
        parse(arguments.parse().expect("lexes"), samples::HEAVY_TOP.parse().expect("lexes"))
            .ok()
            .and_then(|parsed| parsed.model.max_operations)
    };
    assert_eq!(limit("max_operations = 20_000"), Some(20_000));
    assert_eq!(limit("max_operations = 20_000,"), Some(20_000));
    let (messages, _) = messages("max_operation = 20_000", samples::HEAVY_TOP);
    assert_eq!(
        messages,
        ["`#[mechanical_system]` has no argument `max_operation`\n\n  = help: did you mean `max_operations`?"]
    );
}

#[test]
fn all_mistakes_at_once_without_functions() {
    let (messages, tokens) = messages(
        "",
        "mod top {
            #[configuration] struct Pose { attitude: SO4, position: Vector3<f64> }
            #[parameters] struct Top { mass: f64 }
            #[potental] fn a(q: &Pose) -> f64 { 0.0 }
            #[potential] fn b(q: &Pose, top: &Top) -> f64 { 0.0 }
            #[constraint] fn c(q: &Pose, v: &Velocity) -> f64 { 0.0 }
            fn __d() {}
        }",
    );
    assert_eq!(messages.len(), 7, "{messages:#?}");
    assert!(messages.iter().any(|message| message.ends_with("fn b(top: &Top, q: &Pose) -> f64")), "{messages:#?}");
    let file: syn::File = syn::parse_str(&tokens).expect("parses");
    let module = file.items.iter().find_map(|item| match item {
        syn::Item::Mod(module) => module.content.as_ref(),
        _ => None,
    });
    let kept = &module.expect("the module is kept").1;
    let editors = kept.iter().filter(|item| matches!(item, syn::Item::Fn(function) if !function.attrs.is_empty()));
    assert_eq!(editors.count(), 4);
    assert!(kept.iter().all(|item| !matches!(item, syn::Item::Fn(function) if function.attrs.is_empty())));
}

#[test]
fn types_print_as_written() {
    for text in ["&Vector3<f64>", "[SO3; N]", "nalgebra::Vector3<f64>", "(f64, f64)", "fn(x: f64) -> f64", "&mut Pose"]
    {
        let ty: syn::Type = syn::parse_str(text).expect("a type");
        assert_eq!(crate::diagnostics::source(&ty), text);
    }
}
