//! Tests of the models of valid declarations and of the messages for invalid ones.

use proc_macro2::TokenStream;

use super::parse;
use crate::backend::tape::TapeCoefficient;
use crate::model::{ArgumentKind, ForceTarget, Model, OutputShape, ParameterForm, ParameterKind, Role};
use crate::samples;

fn model(source: &str) -> Model {
    parse(TokenStream::new(), source.parse().expect("the sample lexes"))
        .unwrap_or_else(|rejection| panic!("the sample is good: {}", rejection.tokens()))
        .model
}

/// Returns the messages of an invalid declaration and the emitted tokens.
fn messages(arguments: &str, source: &str) -> (Vec<String>, String) {
    let Err(rejection) = parse(arguments.parse().expect("lexes"), source.parse().expect("lexes")) else {
        panic!("the declaration is bad");
    };
    let tokens = rejection.tokens();
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
    assert_eq!(outputs, [OutputShape::Scalar, OutputShape::Scalar, OutputShape::Vector(3), OutputShape::Vector(3)]);
    assert_eq!(
        model.functions[0].arguments.iter().map(|argument| argument.kind).collect::<Vec<_>>(),
        [ArgumentKind::Parameters, ArgumentKind::Velocity]
    );
    assert!(model.items.iter().all(|item| !quote::quote!(#item).to_string().contains("potential")));
}

#[test]
fn heavy_top_as_frame() {
    let model = model(samples::HEAVY_TOP_SE3);
    assert_eq!(model.functions[0].output, OutputShape::Matrix(6, 6));
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
    assert_eq!(model.opaques[0].arguments, [OutputShape::Scalar, OutputShape::Vector(3)]);
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
fn all_errors_are_reported_together() {
    let (messages, tokens) = messages(
        "",
        "mod top {
            #[configuration] struct Pose { attitude: SO4, position: Point3<f64> }
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
fn types_are_formatted_as_written() {
    for text in ["&Vector3<f64>", "[SO3; N]", "nalgebra::Vector3<f64>", "(f64, f64)", "fn(x: f64) -> f64", "&mut Pose"]
    {
        let ty: syn::Type = syn::parse_str(text).expect("a type");
        assert_eq!(crate::diagnostics::source(&ty), text);
    }
}

/// Returns the help of the only message for a system with one member and these items.
fn help(items: &str) -> String {
    let source = format!(
        "mod point {{
            #[configuration] pub struct Place {{ pub x: f64 }}
            #[kinetic_energy] fn kinetic(v: &Velocity) -> f64 {{ v.x * v.x }}
            {items}
        }}"
    );
    let (messages, _) = messages("", &source);
    let [message] = messages.as_slice() else { panic!("{messages:#?}") };
    message.split_once("= help: ").map(|(_, help)| help.to_owned()).expect("a help")
}

#[test]
fn helps_use_the_names_of_the_declaration() {
    let cases = [
        ("#[potential] fn pull(q: &Place, t: &f64) -> f64 { q.x * t }", "fn pull(t: f64, q: &Place) -> f64"),
        (
            "#[inputs] pub struct U { pub f: f64 } #[force(on = x)] fn push(u: &mut U) -> f64 { u.f }",
            "fn push(u: &U) -> f64",
        ),
        ("#[force(on = \"x\")] fn push(q: &Place) -> f64 { q.x }", "write `on = x`"),
        ("#[force(x)] fn push(q: &Place) -> f64 { q.x }", "write #[force(on = x)] for a member"),
        ("#[parameters] pub struct P(f64, Vector3<f64>);", "write `struct P { first: f64, second: Vector3<f64> }`"),
        (
            "#[constraint] fn c(q: &Place) -> Result<f64, String> { Ok(q.x) }",
            "write `f64`, and return the value itself",
        ),
        ("#[opaque] fn f(x: f64, v: &Vector3<f64>) -> f64 { x }", "write `fn f<S: Scalar>(x: S, v: Vector3<S>) -> S`"),
        ("#[parameters] pub struct P { pub name: &'static str }", "write `String`"),
    ];
    for (items, wanted) in cases {
        let found = help(items);
        assert!(found.starts_with(wanted), "{found}");
    }
}

/// A declaration of a ball with a contact.
fn ball_with_contact(flag: &str, attribute: &str, output: &str) -> String {
    format!(
        "mod ball {{
            #[configuration] struct Height {{ z: f64 }}
            #[parameters] struct Data {{ radius: f64, on_floor: {flag} }}
            #[kinetic_energy] fn kinetic(v: &Velocity) -> f64 {{ 0.5 * v.z * v.z }}
            #[constraint({attribute})] fn floor(p: &Data, q: &Height) -> {output} {{ q.z - p.radius }}
        }}"
    )
}

#[test]
fn a_contact_is_a_gated_constraint_and_an_event() {
    let model = model(&ball_with_contact("bool", "active = p.on_floor", "f64"));
    assert!(matches!(model.redundancy, crate::model::Redundancy::MinimumNorm));
    let constraint = model.with_role(|role| matches!(role, Role::Constraint)).next().expect("the constraint");
    let body = &constraint.body;
    assert_eq!(quote::quote!(#body).to_string(), "{ if p . on_floor { q . z - p . radius } else { 0.0 } }");
    assert!(model.functions.iter().any(|function| function.name == "floor_gap"));
}

#[test]
fn an_invalid_flag_of_a_contact_is_reported() {
    let headline = |flag: &str, attribute: &str, output: &str| {
        let (messages, _) = messages("", &ball_with_contact(flag, attribute, output));
        messages.into_iter().next().expect("a message")
    };
    let number = headline("f64", "active = p.on_floor", "f64");
    assert!(number.starts_with("`active` expects a `bool` of the parameters, and `on_floor` is `f64`"), "{number}");
    let misspelt = headline("bool", "active = p.on_flor", "f64");
    assert!(misspelt.starts_with("`Data` has no field `on_flor`"), "{misspelt}");
    assert!(misspelt.contains("did you mean `on_floor`?"), "{misspelt}");
    let foreign = headline("bool", "active = q.on_floor", "f64");
    assert!(foreign.starts_with("`q` is not the argument of `floor` with the parameters"), "{foreign}");
    let rows = headline("bool", "active = p.on_floor", "Vector2<f64>");
    assert!(rows.starts_with("a constraint with `active` is the gap of a contact"), "{rows}");
    let option = headline("bool", "activ = p.on_floor", "f64");
    assert!(option.contains("did you mean `active`?"), "{option}");
}

/// A declaration of a joint with stops.
fn joint_with_stops(stop: &str, arguments: &str) -> String {
    format!(
        "mod arm {{
            #[configuration] struct Angle {{ elbow: f64 }}
            #[parameters] struct Data {{ min: f64, range: f64, stop: {stop} }}
            #[kinetic_energy] fn kinetic(v: &Velocity) -> f64 {{ 0.5 * v.elbow * v.elbow }}
            #[constraint({arguments})] fn elbow(p: &Data, q: &Angle) -> f64 {{ q.elbow }}
        }}"
    )
}

#[test]
fn a_stop_is_a_constraint_with_two_gaps() {
    let model = model(&joint_with_stops("i32", "lower = p.min, upper = p.min + p.range, stop = p.stop"));
    let constraint = model.with_role(|role| matches!(role, Role::Constraint)).next().expect("the constraint");
    let body = &constraint.body;
    assert_eq!(
        quote::quote!(#body).to_string(),
        "{ if p . stop > 0 { (p . min + p . range) - ({ q . elbow }) } else { if p . stop < 0 { ({ q . elbow }) - (p . min) } \
         else { 0.0 } } }"
    );
    let has_event = |name: &str| model.functions.iter().any(|function| function.name == name);
    assert!(has_event("elbow_lower_gap") && has_event("elbow_upper_gap"));
    let one = self::model(&joint_with_stops("i32", "upper = 0.5, stop = p.stop"));
    assert!(one.functions.iter().all(|function| function.name != "elbow_lower_gap"));
}

#[test]
fn an_invalid_stop_is_reported() {
    let headline = |stop: &str, arguments: &str| {
        let (messages, _) = messages("", &joint_with_stops(stop, arguments));
        messages.into_iter().next().expect("a message")
    };
    for (stop, arguments, wanted) in [
        ("bool", "lower = p.min, stop = p.stop", "`stop` expects an `i32` of the parameters, and `stop` is `bool`"),
        ("i32", "lower = p.min", "a stop needs the argument `stop`"),
        ("i32", "stop = p.stop", "a stop needs `lower` or `upper`"),
        ("i32", "lower, stop = p.stop", "missing value of `lower`"),
        (
            "bool",
            "active = p.stop, lower = p.min, stop = p.stop",
            "`elbow` has `active`, and is a contact without stops",
        ),
    ] {
        let found = headline(stop, arguments);
        assert!(found.starts_with(wanted), "{found}");
    }
}

/// A declaration of a ball with a contact with friction.
fn ball_with_friction(slip: &str, arguments: &str, output: &str) -> String {
    format!(
        "mod ball {{
            #[configuration] struct Place {{ x: f64, z: f64 }}
            #[parameters] struct Data {{ mu: f64, on_floor: bool, slip: {slip} }}
            #[kinetic_energy] fn kinetic(v: &Velocity) -> f64 {{ 0.5 * (v.x * v.x + v.z * v.z) }}
            #[constraint(active = p.on_floor)] fn floor(p: &Data, q: &Place) -> f64 {{ q.z }}
            #[velocity_constraint({arguments})] fn sliding(p: &Data, v: &Velocity) -> {output} {{ v.x }}
        }}"
    )
}

#[test]
fn friction_is_a_gated_velocity_constraint_and_an_event() {
    let model = model(&ball_with_friction("i32", "contact = floor, friction = p.mu, slip = p.slip", "f64"));
    assert!(!model.unilateral.frictions.is_empty() && !model.conserves_energy());
    let constraint = model.with_role(|role| matches!(role, Role::VelocityConstraint)).next().expect("the constraint");
    let body = &constraint.body;
    assert_eq!(quote::quote!(#body).to_string(), "{ if p . on_floor && p . slip == 0 { v . x } else { 0.0 } }");
    assert!(model.functions.iter().any(|function| function.name == "sliding_speed"));
}

#[test]
fn invalid_friction_of_a_contact_is_reported() {
    let headline = |options: &str, slip: &str, arguments: &str, output: &str| {
        let (messages, _) = messages(options, &ball_with_friction(slip, arguments, output));
        messages.into_iter().next().expect("a message")
    };
    let whole = "contact = floor, friction = p.mu, slip = p.slip";
    let sign = headline("", "bool", whole, "f64");
    assert!(sign.starts_with("`slip` expects an `i32` of the parameters, and `slip` is `bool`"), "{sign}");
    let missing = headline("", "i32", "contact = floor, slip = p.slip", "f64");
    assert!(missing.starts_with("friction of a contact needs the argument `friction`"), "{missing}");
    let unknown = headline("", "i32", "contact = flor, friction = p.mu, slip = p.slip", "f64");
    assert!(unknown.starts_with("`flor` is not a constraint with `active`"), "{unknown}");
    assert!(unknown.contains("did you mean `floor`?"), "{unknown}");
    let plane = headline("", "i32", whole, "Vector2<f64>");
    assert!(plane.starts_with("the sliding velocity of friction has one direction and the type `f64`"), "{plane}");
    let gradients = headline("gradients", "i32", whole, "f64");
    assert!(gradients.starts_with("dry friction has no adjoint gradients"), "{gradients}");
}

/// A declaration of a joint with stops and dry friction.
fn joint_with_friction(arguments: &str) -> String {
    format!(
        "mod arm {{
            #[configuration] struct Angle {{ elbow: f64 }}
            #[parameters] struct Data {{ torque: f64, slip: i32, stop: i32 }}
            const BOUND: f64 = 0.5;
            #[kinetic_energy] fn kinetic(v: &Velocity) -> f64 {{ 0.5 * v.elbow * v.elbow }}
            #[constraint(upper = 1.0, stop = p.stop)] fn elbow(p: &Data, q: &Angle) -> f64 {{ q.elbow }}
            #[velocity_constraint({arguments})] fn bearing(p: &Data, v: &Velocity) -> f64 {{ v.elbow }}
        }}"
    )
}

#[test]
fn friction_of_a_joint_is_a_gated_velocity_constraint_and_an_event() {
    for (arguments, condition) in [
        ("bound = p.torque, slip = p.slip", "p . slip == 0"),
        ("bound = BOUND, slip = p.slip, stop = elbow", "p . stop == 0 && p . slip == 0"),
    ] {
        let model = model(&joint_with_friction(arguments));
        assert!(!model.unilateral.frictions.is_empty() && !model.conserves_energy());
        let constraint = model.with_role(|role| matches!(role, Role::VelocityConstraint)).next().expect("a constraint");
        let body = &constraint.body;
        let expected = format!("{{ if {condition} {{ v . elbow }} else {{ 0.0 }} }}");
        assert_eq!(quote::quote!(#body).to_string(), expected);
        assert!(model.functions.iter().any(|function| function.name == "bearing_speed"));
    }
}

#[test]
fn the_stribeck_law_is_a_force_while_the_joint_slides() {
    let arguments = "bound = p.torque, sliding = 0.25, stribeck = 0.1, slip = p.slip, stop = elbow";
    let model = model(&joint_with_friction(arguments));
    let force = model.with_role(|role| matches!(role, Role::Force(_))).next().expect("a force");
    assert_eq!(force.name, "bearing_sliding");
    let text = format!("#[mechanical_system] {}", joint_with_friction(arguments));
    let friction = &crate::compile_to_tape(text.as_str()).expect("a sound declaration").frictions[0];
    assert_eq!(friction.stribeck, Some([0.25, 0.1].map(TapeCoefficient::Number)));
    assert!(matches!(friction.coefficient, TapeCoefficient::Parameter(_)));
}

#[test]
fn invalid_friction_of_a_joint_is_reported() {
    for (arguments, wanted) in [
        ("bound = p.torque", "friction of a joint needs the argument `slip`"),
        ("stop = elbow, slip = p.slip", "friction of a joint needs the argument `bound`"),
        (
            "bound = p.torque, slip = p.slip, friction = p.torque",
            "friction acts at a contact or at a joint, not at both",
        ),
        ("bound = p.torque, slip = p.slip, stop = elbo", "`elbo` is not a constraint with stops"),
        ("bound = 1.0, sliding = 0.5, slip = p.slip", "the Stribeck law needs the arguments `sliding` and `stribeck`"),
        ("sliding = 0.5, stribeck = 0.1, slip = p.slip", "friction of a joint needs the argument `bound`"),
        (
            "bound = 1.0, sliding = p.slip, stribeck = 0.1, slip = p.slip",
            "`sliding` expects an `f64` of the parameters, and `slip` is `i32`",
        ),
        (
            "contact = elbow, friction = 0.5, stribeck = 0.1, slip = p.slip",
            "`stribeck` belongs to the friction of a joint",
        ),
        ("bound = p.slip, slip = p.slip", "`bound` expects an `f64` of the parameters, and `slip` is `i32`"),
        ("contact = elbow, friction = p.torque, slip = p.slip", "`elbow` is not a constraint with `active`"),
    ] {
        let (messages, _) = messages("", &joint_with_friction(arguments));
        let found = messages.into_iter().next().expect("a message");
        assert!(found.starts_with(wanted), "{found}");
    }
}

#[test]
fn c_code_refuses_dry_friction_and_tapes_contain_it() {
    let text = format!("#[mechanical_system] {}", joint_with_friction("bound = 0.5, slip = p.slip"));
    let c = crate::compile(text.as_str()).expect("a sound declaration").c_source().expect_err("friction").to_string();
    assert!(c.contains("C code of a system with dry friction"), "{c}");
    let friction = crate::compile_to_tape(text.as_str()).expect("a sound declaration").frictions;
    assert_eq!((friction[0].tangent.as_str(), friction[0].coefficient), ("bearing", TapeCoefficient::Number(0.5)));
    let text = format!("#[mechanical_system] {}", joint_with_friction("bound = HALF, slip = p.slip"));
    let constant = |value: &str| text.replacen('{', &format!("{{ const HALF: f64 = {value};"), 1);
    for (value, expected) in
        [("0.25", 0.25), ("0.5 * (1.0 - 0.25)", 0.375), ("std::f64::consts::PI / 8.0", core::f64::consts::PI / 8.0)]
    {
        let friction = crate::compile_to_tape(constant(value).as_str()).expect("a sound declaration").frictions;
        assert_eq!(friction[0].coefficient, TapeCoefficient::Number(expected), "{value}");
    }
    let of_library = text.replace("HALF", "std::f64::consts::FRAC_1_PI");
    let friction = crate::compile_to_tape(of_library.as_str()).expect("a sound declaration").frictions;
    assert_eq!(friction[0].coefficient, TapeCoefficient::Number(core::f64::consts::FRAC_1_PI));
    let outside = text.replace("HALF", "crate::HALF");
    let outside = crate::compile_to_tape(outside.as_str()).map(drop).expect_err("it has no value").to_string();
    assert!(outside.contains("`crate::HALF` is outside the module of the declaration"), "{outside}");
}

#[test]
fn vectors_of_nalgebra_are_members() {
    let text = |member: &str, list: &str| {
        format!(
            "mod block {{
                #[configuration] pub struct Pose {{ pub position: {member}, pub loads: [{list}; 2] }}
                #[kinetic_energy] fn kinetic(v: &Velocity) -> f64 {{
                    0.5 * v.position.norm_squared() + 0.5 * v.loads[0].norm_squared() + 0.5 * v.loads[1].norm_squared()
                }}
                #[potential] fn weight(q: &Pose) -> f64 {{ 9.81 * q.position.z + q.loads[1][6] }}
            }}"
        )
    };
    let [named, plain] = [text("R3", "Rn<7>"), text("Vector3<f64>", "SVector<f64, 7>")].map(|text| model(&text));
    let groups = |model: &Model| -> Vec<String> {
        model.configuration.members.iter().map(|member| member.group.written()).collect()
    };
    assert_eq!(groups(&plain), ["R3", "Rn<7>"]);
    assert_eq!(groups(&plain), groups(&named));
}
