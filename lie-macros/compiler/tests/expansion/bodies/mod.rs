//! Rejected function bodies: the error, its position, and that the suggested correction is accepted.
//!
//! Accepted bodies and their values are tested in `tests/declarations/tests/language/idioms`.

mod language;
mod side_effects;
mod type_help;

use proc_macro2::TokenStream;

/// Returns a declaration with this body of a potential and these additional items.
fn declaration(items: &str, body: &str) -> TokenStream {
    let text = format!(
        "mod body {{
            use lie_runtime::prelude::*;
            #[configuration] pub struct Pose {{
                pub attitude: SO3, pub position: R3, pub wheel: SO2, pub frame: SE3, pub beta: f64, pub turn: S3, pub link: S2
            }}
            #[parameters] pub struct Data {{ pub k: f64, pub lengths: [f64; 3], pub points: [Vector3<f64>; 2], pub inertia: Matrix3<f64>, pub name: String, pub table: Vec<f64> }}
            #[kinetic_energy] fn kinetic(v: &Velocity) -> f64 {{
                v.attitude.norm_squared() + v.position.norm_squared() + v.wheel * v.wheel + v.frame.norm_squared() + v.beta * v.beta
                    + v.turn.norm_squared() + v.link.norm_squared()
            }}
            {items}
            #[potential] fn height(p: &Data, q: &Pose) -> f64 {{ {body} }}
        }}"
    );
    text.parse().unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// Returns the messages of all errors.
fn errors(items: &str, body: &str) -> Vec<String> {
    let expansion = crate::expand(TokenStream::new(), declaration(items, body));
    let file: syn::File = syn::parse2(expansion).unwrap_or_else(|error| panic!("{error}: {body}"));
    let calls = file.items.iter().filter_map(|item| if let syn::Item::Macro(call) = item { Some(call) } else { None });
    calls.map(|call| call.mac.tokens.to_string()).collect()
}

/// A rejected body, a part of its message, and a corrected body according to the help.
struct Refused {
    items: &'static str,
    body: &'static str,
    words: &'static str,
    instead: &'static str,
}

const fn refused(body: &'static str, words: &'static str, instead: &'static str) -> Refused {
    Refused { items: "", body, words, instead }
}

#[test]
fn refused_with_a_fix_that_is_accepted() {
    let mut wrong = Vec::new();
    for Refused { items, body, words, instead } in
        language::REFUSED.iter().chain(side_effects::REFUSED).chain(type_help::REFUSED)
    {
        let found = errors(items, body);
        if !found.iter().any(|message| message.contains(words)) {
            wrong.push(format!("`{body}` has no error with \"{words}\" but {found:?}"));
        }
        // The corrected body contains the text that the help suggests.
        if let Some(text) = found.iter().find_map(|message| message.split_once("write `")?.1.split('`').next())
            && !text.contains('…')
            && found.len() == 1
            && type_help::REFUSED.iter().any(|case| case.body == *body)
            && !instead.contains(&text.replace('\\', ""))
        {
            wrong.push(format!("`{body}` suggests `{text}`, which `{instead}` does not contain"));
        }
        let left = errors(items, instead);
        if !left.is_empty() {
            wrong.push(format!("`{instead}` has the errors {left:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The generated rate belongs to the arguments of the rate function, not to a state that the caller changes.
#[test]
fn rates_of_other_states_are_refused() {
    let text = "mod body {
        #[configuration] pub struct Pose { pub position: R1 }
        #[quantity] fn tip(q: &Pose, t: f64) -> f64 { q.position.x.powi(2) + t }
        #[kinetic_energy] fn kinetic(q: &Pose, t: f64, v: &Velocity) -> f64 { tip_rate(q, 2.0 * t, v).powi(2) }
    }";
    let expansion = crate::expand(TokenStream::new(), text.parse().expect("it lexes"));
    assert!(expansion.to_string().contains("available only for the arguments of this function"));
}
