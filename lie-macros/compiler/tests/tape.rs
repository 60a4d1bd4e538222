//! Tapes of declarations: the values of their kernels.

use lie_compiler::tape::{Instruction, Tape, TapeDatum, TapeGroup, TapeInput};
use lie_compiler::{Code, ModelLengths, compile_to_tape, compile_to_tape_with};

/// Executes a tape without logarithms and singular functions.
fn run(tape: &Tape, parameters: &[f64], hoisted: &[f64], state: impl Fn(TapeInput) -> f64) -> Vec<f64> {
    let of_data = tape.data.iter().map(|datum| match *datum {
        TapeDatum::Number(value) => value,
        TapeDatum::Parameter(at) => parameters[at as usize],
        TapeDatum::Hoisted(at) => hoisted[at as usize],
    });
    let mut r: Vec<f64> = of_data.chain(tape.inputs.iter().map(|&input| state(input))).collect();
    let mut truths = vec![];
    for instruction in &tape.instructions {
        let at = |register: u32| r[register as usize];
        let value = match *instruction {
            Instruction::Negative(a) => -at(a),
            Instruction::Sum(a, b) => at(a) + at(b),
            Instruction::Difference(a, b) => at(a) - at(b),
            Instruction::Product(a, b) => at(a) * at(b),
            Instruction::Quotient(a, b) => at(a) / at(b),
            Instruction::MultiplyAdd(a, b, c) => at(a) * at(b) + at(c),
            Instruction::MultiplySubtract(a, b, c) => at(a) * at(b) - at(c),
            Instruction::SubtractProduct(a, b, c) => at(c) - at(a) * at(b),
            Instruction::Power(a, n) => at(a).powi(n),
            Instruction::Less(a, b) => {
                truths.push(at(a) < at(b));
                continue;
            }
            Instruction::Select(condition, a, b) => at(if truths[condition as usize] { a } else { b }),
            other => panic!("{other:?}"),
        };
        r.push(value);
    }
    tape.outputs.iter().map(|&register| r[register as usize]).collect()
}

#[test]
fn kernels_have_the_values_of_the_declaration() {
    let model = compile_to_tape(
        "#[mechanical_system]
        mod slider {
            /// The place.
            #[configuration] pub struct Place { pub slider: f64, /** The arm. */ pub arm: SO2 }
            #[parameters] pub struct Slider {
                /// In kilograms.
                pub mass: f64,
                pub stiffness: [f64; 2],
            }
            #[kinetic_energy] fn kinetic(p: &Slider, v: &Velocity) -> f64 { 0.5 * p.mass * (v.slider * v.slider + 3.0 * v.arm * v.arm) }
            #[potential] fn spring(p: &Slider, q: &Place) -> f64 {
                let x = q.slider;
                if x > 0.0 { 0.5 * p.stiffness[0] * x * x } else { 0.5 * p.stiffness[1] * x * x }
            }
            #[force(on = arm)] fn drive(q: &Place) -> f64 { 2.0 * (q.arm * Vector2::new(1.0, 0.0)).x }
            #[observable] fn speed(v: &Velocity) -> f64 { 2.0 * v.slider }
            #[event] fn middle(q: &Place) -> f64 { q.slider - 0.5 }
        }",
    );
    let model = model.unwrap_or_else(|errors| panic!("{errors}"));
    assert_eq!((model.dof, model.configuration_size, model.parameter_size), (2, 3, 3));
    assert_eq!(model.members[1].group, Some(TapeGroup::SO2));
    let documentation = [("parameters.mass", "In kilograms."), ("configuration.arm", "The arm.")];
    assert_eq!(model.documentation, documentation.map(|(name, text)| (name.to_owned(), text.to_owned())));
    assert_eq!(model.parameters[1].first, 1);
    let parameters = [2.0, 8.0, 10.0];
    let hoisted = run(&model.kernels.prepare, &parameters, &[], |_| f64::NAN);
    let at = |x: f64, tape: &Tape| {
        run(tape, &parameters, &hoisted, |input| match input {
            TapeInput::Configuration(at) => [x, 0.6, 0.8][at as usize],
            TapeInput::Velocity(at) => [3.0, 5.0][at as usize],
            _ => f64::NAN,
        })
    };
    assert_eq!(at(0.25, &model.kernels.mass_matrix), [2.0, 0.0, 0.0, 6.0]);
    assert_eq!(at(0.25, &model.kernels.force), [-2.0, 1.2]);
    assert_eq!(at(-0.25, &model.kernels.force), [2.5, 1.2]);
    assert_eq!(at(0.25, &model.kernels.tangent_stiffness), [8.0, 0.0, 0.0, 1.6]);
    assert_eq!(at(0.0, &model.observables[0].tape), [6.0]);
    assert_eq!(at(0.0, &model.events[0].tape), [-0.5]);
}

#[test]
fn errors_are_those_of_the_macro_and_of_the_tape() {
    let message = |text: &str| compile_to_tape(text).map(|_| ()).unwrap_err();
    let wrong = message("#[mechanical_system] mod a { #[configuration] pub struct Q { pub x: f64 } }");
    assert_eq!(
        wrong.to_string(),
        lie_compiler::compile("#[mechanical_system] mod a { #[configuration] pub struct Q { pub x: f64 } }")
            .unwrap_err()
            .to_string()
    );
    let chain = message(
        "#[mechanical_system]
        mod chain {
            #[configuration] pub struct Nodes { pub nodes: Vec<R3> }
            #[kinetic_energy(over = nodes)] fn kinetic(v: &Vector3<f64>) -> f64 { 0.5 * v.norm_squared() }
        }",
    );
    assert_eq!(chain.errors()[0].code, Code::BackEnd);
    assert!(chain.to_string().contains("the length of the chain `nodes` is missing"), "{chain}");
    let observed = message(
        "#[mechanical_system]
        mod observed {
            #[configuration] pub struct Nodes { pub nodes: Vec<R3> }
            #[kinetic_energy(over = nodes)] fn kinetic(v: &Vector3<f64>) -> f64 { 0.5 * v.norm_squared() }
            #[observable] fn first(q: &Nodes) -> Vector3<f64> { q.nodes[0] }
        }",
    );
    assert_eq!(observed.errors()[0].code, Code::BackEnd, "{observed}");
    let states = message(
        "#[mechanical_system]
        mod drive {
            #[configuration] pub struct Pose { pub x: f64 }
            #[states] pub struct Motor { pub current: f64 }
            #[kinetic_energy] fn kinetic(v: &Velocity) -> f64 { 0.5 * v.x * v.x }
            #[rate] fn circuit(z: &Motor) -> Motor { Motor { current: -z.current } }
            #[force(on = x)] fn pull(v: &Velocity) -> f64 { v.states.current }
        }",
    );
    assert!(states.to_string().contains("add the argument `z: &Motor` to a force"), "{states}");
    let text = message(
        "#[mechanical_system]
        mod named {
            #[configuration] pub struct Place { pub x: f64 }
            #[kinetic_energy] fn kinetic(v: &Velocity) -> f64 { 0.5 * v.x * v.x }
            #[observable] fn name(q: &Place) -> (f64, f64) { (q.x, 2.0) }
        }",
    );
    assert!(text.to_string().contains("the function `name` with a result of this type"), "{text}");
}

#[test]
fn doc_comments_have_the_names_of_the_values() {
    let model = compile_to_tape(
        "#[mechanical_system]
        mod crane {
            pub struct Body { /** Of the body. */ pub attitude: SO3, pub place: R3 }
            #[configuration] pub struct Crane { /** The load. */ pub load: Body, pub trolley: f64 }
            pub struct Link { /** Mass [kg]. */ pub mass: f64 }
            #[parameters] pub struct Data {
                /// The links.
                ///
                /// Two of them.
                pub links: [Link; 2],
            }
            #[inputs] pub struct Drive { /** Force [N]. */ pub force: f64 }
            #[states] pub struct Motor { /** Current [A]. */ pub current: f64 }
            /// Not a value.
            #[kinetic_energy] fn kinetic(p: &Data, v: &Velocity) -> f64 {
                0.5 * p.links[0].mass * (v.load.place.norm_squared() + v.load.attitude.norm_squared())
                    + 0.5 * p.links[1].mass * v.trolley * v.trolley
            }
            #[force(on = trolley)] fn drive(u: &Drive, z: &Motor) -> f64 { u.force + z.current }
            #[rate] fn rate(z: &Motor) -> Motor { Motor { current: -z.current } }
            /// Force of the rope [N].
            #[constraint] fn rope(q: &Crane) -> f64 { q.load.place.norm_squared() - 1.0 }
            /// Height [m].
            #[observable] fn height(q: &Crane) -> f64 { q.load.place.z }
            /// On the ground.
            #[event] fn ground(q: &Crane) -> f64 { q.load.place.z + 1.0 }
        }",
    );
    let model = model.unwrap_or_else(|errors| panic!("{errors}"));
    let found: Vec<(&str, &str)> = model.documentation.iter().map(|(name, text)| (&name[..], &text[..])).collect();
    let expected = [
        ("parameters.links", "The links.\n\nTwo of them."),
        ("parameters.links.mass", "Mass [kg]."),
        ("configuration.load", "The load."),
        ("configuration.load.attitude", "Of the body."),
        ("states.current", "Current [A]."),
        ("inputs.force", "Force [N]."),
        ("multipliers.rope", "Force of the rope [N]."),
        ("observables.height", "Height [m]."),
        ("events.ground", "On the ground."),
    ];
    assert_eq!(found, expected);
}

/// The declaration is correct with the macro: an observable reads the states of elements by the velocity.
#[test]
fn the_help_for_states_of_elements_names_their_columns() {
    let text = "#[mechanical_system] mod arm {
        #[configuration] pub struct Arm { pub joints: Vec<f64> }
        #[states(over = joints)] pub struct Motor { pub current: f64 }
        #[kinetic_energy(over = joints)] fn kinetic(v: &f64) -> f64 { 0.5 * v * v }
        #[rate(over = joints)] fn circuit(z: &Motor) -> Motor { Motor { current: -z.current } }
        #[observable] fn first(v: &Velocity) -> f64 { v.states[0].current }
    }";
    let error =
        compile_to_tape_with(text, &ModelLengths::new().length("joints", 2)).map(|_| ()).unwrap_err().to_string();
    assert!(error.contains("the columns `states[0]`, `states[1]`"), "{error}");
    assert!(!error.contains("an observable or an event"), "{error}");
}

/// A rope with both ends fixed, and its constraint: rows and columns of clamped members do not exist.
#[test]
fn clamped_members_have_no_components() {
    let text = "#[mechanical_system]
        mod rope {
            #[configuration] pub struct Rope { #[clamped(first, last)] pub nodes: Vec<R2>, #[clamped] pub anchor: f64 }
            #[parameters] pub struct Data { pub stiffness: f64 }
            #[kinetic_energy(over = nodes)] fn kinetic(v: &Vector2<f64>) -> f64 { 0.5 * 2.0 * v.norm_squared() }
            #[potential(over = nodes.windows(2))] fn spring(p: &Data, [a, b]: [&R2; 2]) -> f64 { 0.5 * p.stiffness * (b - a).norm_squared() }
            #[dissipation(over = nodes.windows(2))] fn damper(p: &Data, _x: [&R2; 2], [a, b]: [&Vector2<f64>; 2]) -> f64 { 0.5 * (b - a).norm_squared() }
            #[constraint(over = (nodes[1], anchor))] fn guide(x: &R2, anchor: &f64) -> f64 { x.x - anchor }
        }";
    let model =
        compile_to_tape_with(text, &ModelLengths::new().length("nodes", 3)).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!((model.dof, model.configuration_size), (2, 7));
    assert_eq!((&model.members[0].held[..], &model.members[1].held[..]), (&[0, 2][..], &[0][..]));
    assert_eq!(model.facts.nonzeros[..2], [2, 1]);
    let configuration = [0.0, 0.1, 1.0, 0.7, 3.0, 0.2, 1.0];
    let state = |input| match input {
        TapeInput::Configuration(at) => configuration[at as usize],
        TapeInput::Velocity(at) => [0.3, -0.4][at as usize],
        other => panic!("{other:?}"),
    };
    let hoisted = run(&model.kernels.prepare, &[5.0], &[], state);
    let of = |tape: &Tape| run(tape, &[5.0], &hoisted, state);
    assert_eq!(of(&model.kernels.mass_matrix), [2.0, 0.0, 0.0, 2.0]);
    // The springs pull to both ends, and both dampers act on the middle.
    let force = of(&model.kernels.force);
    let expected = [5.0 * (0.0 + 3.0 - 2.0) - 2.0 * 0.3, 5.0 * (0.1 + 0.2 - 1.4) + 2.0 * 0.4];
    assert!(force.len() == 2 && force.iter().zip(expected).all(|(x, y)| (x - y).abs() < 1e-14), "{force:?}");
    assert_eq!(of(&model.kernels.constraint_jacobian), [1.0, 0.0]);
    assert_eq!(of(&model.kernels.kinetic_energy), [0.25]);
}
