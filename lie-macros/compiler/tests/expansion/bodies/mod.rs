//! Rejected function bodies: the error, its position, and that the suggested correction is accepted.
//!
//! Accepted bodies and their values are tested in `tests/declarations/tests/language/idioms`.

mod language;
mod side_effects;
mod type_help;

use proc_macro2::TokenStream;

/// The members of the configuration, and the kinetic energies of their velocities.
const MEMBERS: [(&str, &str, &str); 7] = [
    ("attitude", "SO3", "v.attitude.norm_squared()"),
    ("position", "R3", "v.position.norm_squared()"),
    ("wheel", "SO2", "v.wheel * v.wheel"),
    ("frame", "SE3", "v.frame.norm_squared()"),
    ("beta", "f64", "v.beta * v.beta"),
    ("turn", "S3", "v.turn.norm_squared()"),
    ("link", "S2", "v.link.norm_squared()"),
];

/// Returns a declaration with this body of a potential and these additional items. It has the members that `text` names: a declaration
/// with all members takes several times as long to compile.
fn declaration(items: &str, body: &str, text: &str) -> TokenStream {
    let words: Vec<&str> = text.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
    let is_used = |name: &str| name == "position" || words.contains(&name) || words.contains(&"Pose");
    let members: Vec<_> = MEMBERS.iter().filter(|(name, ..)| is_used(name)).collect();
    let fields: Vec<String> = members.iter().map(|(name, group, _)| format!("pub {name}: {group}")).collect();
    let energies: Vec<&str> = members.iter().map(|(_, _, energy)| *energy).collect();
    let (fields, energies) = (fields.join(", "), energies.join(" + "));
    let text = format!(
        "mod body {{
            use lie_runtime::prelude::*;
            #[configuration] pub struct Pose {{ {fields} }}
            #[parameters] pub struct Data {{ pub k: f64, pub lengths: [f64; 3], pub points: [Vector3<f64>; 2], pub inertia: Matrix3<f64>, pub name: String, pub table: Vec<f64> }}
            #[kinetic_energy] fn kinetic(v: &Velocity) -> f64 {{ {energies} }}
            {items}
            #[potential] fn height(p: &Data, q: &Pose) -> f64 {{ {body} }}
        }}"
    );
    text.parse().unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// Returns the messages of all errors of a declaration with all members.
fn errors(items: &str, body: &str) -> Vec<String> {
    errors_of(declaration(items, body, "Pose"))
}

/// Returns the messages of all errors of a declaration.
fn errors_of(declaration: TokenStream) -> Vec<String> {
    let expansion = crate::expand(TokenStream::new(), declaration);
    let file: syn::File = syn::parse2(expansion).unwrap_or_else(|error| panic!("{error}"));
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
    for case in language::REFUSED.iter().chain(side_effects::REFUSED).chain(type_help::REFUSED) {
        let Refused { items, body, words, instead } = case;
        let text = [*items, *words, *body, *instead].join(" ");
        let found = errors_of(declaration(items, body, &text));
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
        let left = errors_of(declaration(items, instead, &text));
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
