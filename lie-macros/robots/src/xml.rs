//! XML with line numbers: checks of elements and attributes, parsing of numbers, and conversion of names to Rust identifiers.

use std::cell::RefCell;
use std::collections::BTreeSet;

use roxmltree::{Document, Node};

use super::Mistake;

pub(super) type Read<T> = Result<T, Mistake>;

/// Returns the line of a node.
pub(super) fn line(node: Node) -> u32 {
    // `Document::text_pos_at` decodes all characters before the node.
    let before = &node.document().input_text().as_bytes()[..node.range().start];
    before.iter().fold(1, |line, byte| line + u32::from(*byte == b'\n'))
}

pub(super) fn mistake<T>(node: Node, message: impl Into<String>, help: impl Into<String>) -> Read<T> {
    Err(Mistake { file: String::new(), line: line(node), message: message.into(), help: help.into() })
}

/// Returns an error with a line of the file.
pub(super) fn at<T>(line: u32, message: impl Into<String>, help: impl Into<String>) -> Read<T> {
    Err(Mistake { file: String::new(), line, message: message.into(), help: help.into() })
}

/// Parses the text of a file.
pub(super) fn parse(source: &str) -> Read<Document<'_>> {
    Document::parse(source).map_err(|error| Mistake {
        file: String::new(),
        line: error.pos().row,
        message: format!("the file is not valid XML: {error}"),
        help: "the root element is <robot name=\"…\"> in URDF and <mujoco> in MJCF".to_owned(),
    })
}

/// Returns the name of an element, with a prefix if its namespace is not the namespace of the file.
pub(super) fn tag(node: Node) -> String {
    let own = node.document().root_element().tag_name().namespace();
    let name = node.tag_name();
    match name.namespace() {
        Some(space) if Some(space) != own => {
            format!("{}:{}", node.lookup_prefix(space).unwrap_or(space), name.name())
        }
        _ => name.name().to_owned(),
    }
}

/// The ignored parts of a file: parts without influence on the motion, and parts that the option `skip` names.
pub(super) struct Skipping<'s> {
    skip: &'s [String],
    found: RefCell<BTreeSet<String>>,
}

impl<'s> Skipping<'s> {
    pub fn new(skip: &'s [String]) -> Self {
        Self { skip, found: RefCell::default() }
    }

    /// Adds a phrase to the list of ignored parts.
    pub fn note(&self, part: impl Into<String>) {
        self.found.borrow_mut().insert(part.into());
    }

    /// Returns true if the option `skip` names this element or attribute.
    pub fn is_skipped(&self, name: &str) -> bool {
        self.skip.iter().any(|skipped| skipped == name)
    }

    pub fn found(self) -> Vec<String> {
        self.found.into_inner().into_iter().collect()
    }

    /// Returns the child elements named in `read`. All others must be in `beside` or in `skip`, and are listed.
    pub fn children<'a, 'i>(&self, node: Node<'a, 'i>, read: &[&str], beside: &[&str]) -> Read<Vec<Node<'a, 'i>>> {
        let mut found = vec![];
        for child in node.children().filter(Node::is_element) {
            let name = tag(child);
            if beside.contains(&name.as_str()) || self.is_skipped(&name) {
                self.note(format!("`{name}`"));
            } else if read.contains(&name.as_str()) {
                found.push(child);
            } else {
                return mistake(
                    child,
                    format!("`{name}` is not understood in `{}`", tag(node)),
                    format!(
                        "known are {}; ignore it with `skip = [{}]`, and declare its effect in the module",
                        read.iter().chain(beside).copied().collect::<Vec<&str>>().join(", "),
                        in_list(&name)
                    ),
                );
            }
        }
        Ok(found)
    }
}

/// Formats a name for the list of the option `skip`: with quotation marks if it is not a Rust identifier.
pub(super) fn in_list(name: &str) -> String {
    if syn::parse_str::<syn::Ident>(name).is_ok() { name.to_owned() } else { format!("{name:?}") }
}

/// Rejects unknown attributes.
pub(super) fn ensure_known(node: Node, known: &[&str]) -> Read<()> {
    match node.attributes().find(|attribute| attribute.namespace().is_none() && !known.contains(&attribute.name())) {
        Some(unknown) => mistake(
            node,
            format!("`{}` is not understood at `{}`", unknown.name(), tag(node)),
            format!("known are {}", known.join(", ")),
        ),
        None => Ok(()),
    }
}

/// Returns the only element with that name, if there is one.
pub(super) fn child<'a, 'i>(all: &[Node<'a, 'i>], name: &str) -> Read<Option<Node<'a, 'i>>> {
    let mut found = all.iter().filter(|child| child.has_tag_name(name));
    match (found.next(), found.next()) {
        (_, Some(second)) => mistake(*second, format!("duplicate `{name}`"), "remove the second element"),
        (first, None) => Ok(first.copied()),
    }
}

/// Returns a mandatory attribute.
pub(super) fn text<'a>(node: Node<'a, '_>, name: &str) -> Read<&'a str> {
    match node.attribute(name) {
        Some(text) => Ok(text),
        None => {
            let tag = tag(node);
            mistake(node, format!("`{tag}` has no `{name}`"), format!("write <{tag} {name}=\"…\">"))
        }
    }
}

/// Parses `N` numbers, or returns the default if the attribute is missing.
pub(super) fn numbers<const N: usize>(node: Node, name: &str, default: [f64; N]) -> Read<[f64; N]> {
    let Some(text) = node.attribute(name) else { return Ok(default) };
    parsed(text).and_then(|all| <[f64; N]>::try_from(all).ok()).map_or_else(
        || {
            let many = if N == 1 { "a number".to_owned() } else { format!("{N} numbers") };
            mistake(node, format!("`{name}=\"{text}\"` is not {many}"), "write decimal numbers, separated by spaces")
        },
        Ok,
    )
}

/// Parses any number of numbers.
pub(super) fn list(node: Node, name: &str) -> Read<Vec<f64>> {
    let text = node.attribute(name).unwrap_or_default();
    let help = "write decimal numbers, separated by spaces";
    parsed(text).map_or_else(|| mistake(node, format!("`{name}=\"{text}\"` is not a list of numbers"), help), Ok)
}

fn parsed(text: &str) -> Option<Vec<f64>> {
    text.split_whitespace().map(|word| word.parse().ok().filter(|x: &f64| x.is_finite())).collect()
}

pub(super) fn number(node: Node, name: &str) -> Read<f64> {
    text(node, name)?;
    numbers(node, name, [0.0]).map(|[number]| number)
}

pub(super) fn optional(node: Option<Node>, name: &str) -> Read<Option<f64>> {
    match node.filter(|node| node.has_attribute(name)) {
        Some(node) => number(node, name).map(Some),
        None => Ok(None),
    }
}

/// Converts a name to a Rust identifier: `FL_hip-joint` becomes `fl_hip_joint`, `2nd link` becomes `the_2nd_link`, and `type` becomes
/// `the_type`.
pub(super) fn identifier(name: &str) -> String {
    let letters: String =
        name.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' }).collect();
    let words: Vec<&str> = letters.split('_').filter(|word| !word.is_empty()).collect();
    let written = if words.is_empty() { "nameless".to_owned() } else { words.join("_") };
    if syn::parse_str::<syn::Ident>(&written).is_err() || written == "gen" { format!("the_{written}") } else { written }
}

/// Converts a name to the name of a function. Names of variables in generated functions are avoided.
pub(super) fn function(name: &str) -> String {
    let written = identifier(name);
    let taken = ["q", "v", "twist", "turn", "center", "gap", "zero", "reference", "from_joints", "activation_rates"];
    let taken = taken.contains(&written.as_str());
    if taken { format!("the_{written}") } else { written }
}
