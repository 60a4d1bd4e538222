//! Errors of all stages in one declaration.

use proc_macro2::TokenStream;

/// The first lines of all messages of the whole compiler.
fn reported(source: &str) -> Vec<String> {
    let expansion = crate::expand(TokenStream::new(), source.parse().expect("lexes"));
    let file: syn::File = syn::parse2(expansion).expect("what is emitted parses");
    let message = |item: &syn::Item| match item {
        syn::Item::Macro(item) => Some(item.mac.parse_body::<syn::LitStr>().expect("a message").value()),
        _ => None,
    };
    let first = |text: String| text.lines().next().unwrap_or_default().to_owned();
    file.items.iter().filter_map(message).map(first).collect()
}

#[test]
fn errors_of_all_stages_are_reported_together() {
    let found = reported(
        "mod top {
            #[configuration] pub struct Pose { pub attitude: SO3, pub position: R3, pub idle: f64 }
            #[parameters] pub struct Data { pub mass: f64 }
            #[kinetic_energy] fn kinetic(d: &Data, v: &Velocity) -> f64 {
                d.mass * v.position.norm_squared() + v.attitude.norm_squared()
            }
            #[potential] fn weight(d: &Data, q: &Pose) -> f64 { d.mass * q.position.w }
            #[constraint] fn swapped(q: &Pose, d: &Data) -> f64 { q.position.x - d.mass }
            #[velocity_constraint] fn curved(v: &Velocity) -> f64 { v.position.x * v.position.y }
            #[dissipation] fn dry(v: &Velocity) -> f64 { v.position.norm() }
            #[force(on = positon)] fn push() -> Vector3<f64> { Vector3::x() }
        }",
    );
    let wanted = [
        "the arguments of `swapped`",
        "`positon`",
        "no field `w`",
        "`dry`",
        "`idle` has no inertia",
        "`curved` is not linear",
    ];
    assert_eq!(found.len(), wanted.len(), "{found:#?}");
    assert!(wanted.iter().all(|words| found.iter().any(|message| message.contains(words))), "{found:#?}");
}

#[test]
fn a_term_with_errors_does_not_hide_a_chain_without_inertia() {
    let found = reported(
        "mod rod {
            #[configuration] pub struct Rod { pub nodes: Vec<R3>, pub ends: Vec<R3> }
            #[kinetic_energy(over = nodes)] fn kinetic(v: &Vector3<f64>) -> f64 { v.norm_squared() }
            #[potential(over = nodes)] fn weight(x: &R3) -> f64 { x.w }
            #[dissipation(over = nodes)] fn dry(v: &Vector3<f64>) -> f64 { -v.norm_squared() }
        }",
    );
    assert_eq!(found.len(), 3, "{found:#?}");
    assert!(found.iter().any(|message| message.starts_with("`ends` has no inertia")), "{found:#?}");
}

#[test]
fn follow_up_errors_are_not_reported() {
    for (source, first) in [
        // A member, a quantity and its rate, a role, and the struct of parameters have errors.
        (
            "mod top {
                #[configuration] pub struct Pose { pub attitude: SO4, pub position: R3 }
                #[mass_matrix] fn mass(q: &Pose) -> Matrix6<f64> { Matrix6::identity() * q.attitude.log().x }
                #[potential] fn weight(q: &Pose) -> f64 { q.position.z + q.attitude.log().x }
            }",
            "unknown group `SO4`",
        ),
        (
            "mod top {
                #[configuration] pub struct Pose { pub position: R3 }
                #[kinetic_energy] fn kinetic(q: &Pose, v: &Velocity) -> f64 { v.position.norm_squared() + tip_rate(q, v) }
                #[quantity] fn tip(q: &Pose, v: &Velocity) -> f64 { q.position.z }
                #[potential] fn weight(q: &Pose) -> f64 { tip(q) + 1.0 }
            }",
            "a `#[quantity]` does not depend on the velocity",
        ),
        (
            "mod top {
                #[configuration] pub struct Pose { pub x: f64 }
                #[kinetic_energy] fn kinetic(v: &Velocity) -> f64 { v.x * v.x }
                #[opaqe] fn f<S: Scalar>(x: S) -> S { if x.value() > 0.0 { x } else { x * x } }
                #[potential] fn weight(q: &Pose) -> f64 { f(q.x) }
            }",
            "`#[opaqe]` is not a role",
        ),
        (
            "mod top {
                #[configuration] pub struct Pose { pub x: f64 }
                pub struct Data { pub mass: f64 }
                impl Data { fn twice(&self) -> f64 { 2.0 * self.mass } }
                #[kinetic_energy] fn kinetic(d: &Data, v: &Velocity) -> f64 { d.mass * d.twice() * v.x * v.x }
            }",
            "`Data` is not declared as parameters",
        ),
        (
            "mod top {
                #[configuration] pub struct Velocity { pub x: f64 }
                #[kinetic_energy] fn kinetic(v: &Velocity) -> f64 { v.x * v.x }
                #[potential] fn weight(q: &Velocity) -> f64 { q.x }
            }",
            "`Velocity` is generated",
        ),
        (
            "mod top {
                #[configuration] pub struct Pose { pub position: R3 }
                #[parameters] pub struct Data<T> where T: Copy { pub mass: T, pub axis: Vector3<T>, pub rows: [T; 2] }
                #[kinetic_energy] fn kinetic(d: &Data<f64>, v: &Velocity) -> f64 { d.mass * v.position.norm_squared() }
                #[potential] fn weight(d: &Data, q: &Pose) -> f64 { d.rows[1] * d.axis.dot(&q.position) }
                #[observable] fn mass(d: &Data<T>, q: &Pose) -> f64 { d.mass }
            }",
            "the struct of parameters `Data` cannot be generic",
        ),
        (
            "mod top {
                #[configuration] pub struct Pose { pub x: f64 }
                #[inputs] pub struct Drive<const N: usize> { pub push: SVector<f64, N> }
                #[kinetic_energy] fn kinetic(v: &Velocity) -> f64 { v.x * v.x }
                #[force(on = x)] fn push(u: &Drive<1>) -> f64 { u.push[0] }
            }",
            "the struct of inputs `Drive` cannot be generic",
        ),
    ] {
        let found = reported(source);
        assert!(found.len() == 1 && found[0].starts_with(first), "{found:#?}");
    }
}

/// The placeholder declares the system: its uses have no further errors after an error in a body or a signature.
#[test]
fn systems_with_errors_have_a_placeholder() {
    let declaration = |role: &str, kinetic: &str, arguments: &str, body: &str| {
        let text = format!(
            "mod cart {{
                #[{role}] pub struct Cart {{ pub position: R3, pub wheels: [SO2; 2] }}
                #[parameters] pub struct Data {{ pub mass: f64 }}
                {kinetic} fn kinetic(data: &Data, v: &Velocity) -> f64 {{
                    data.mass * v.position.norm_squared() + v.wheels[0].powi(2) + v.wheels[1].powi(2)
                }}
                #[constraint] fn rails(q: &Cart) -> Vector2<f64> {{ Vector2::new(q.position.x, q.position.y) }}
                #[quantity] fn height(q: &Cart) -> f64 {{ q.position.z }}
                #[potential] fn weight({arguments}) -> f64 {{ {body} }}
            }}"
        );
        crate::expand(TokenStream::new(), text.parse().expect("lexes")).to_string()
    };
    let (given, inertia) = ("data: &Data, q: &Cart", "#[kinetic_energy]");
    for output in [
        declaration("configuration", inertia, given, "data.mass * q.position.w"),
        declaration("configuration", inertia, "q: &Cart, q: &Velocity", "q.position.z"),
        declaration("config", inertia, given, "data.mass * q.position.z"),
        declaration("configuration", "#[kinetic]", given, "data.mass * q.position.z"),
        declaration("configuration", "", given, "data.mass * q.position.z"),
    ] {
        assert!(output.contains("compile_error"), "{output}");
        for part in ["Assembled for System", "pub struct Multipliers", "pub rails :", "height_rate"] {
            assert!(output.contains(part), "{part} in {output}");
        }
    }
}
