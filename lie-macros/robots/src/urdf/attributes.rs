//! The attributes and elements of a URDF: parts that are read, parts that are listed as ignored, and parts that need a decision.
//!
//! Programs add their own attributes and elements to URDF files, and every reader ignores unknown ones. Such a part is listed, unless its name
//! belongs to mechanics or is close to a name that is read here.

use roxmltree::Node;

use crate::xml::{Read, Skipping, in_list, mistake, tag};

/// Names of mechanics: of this format in another place, or of its extensions.
const MECHANICAL: [&str; 29] = [
    "link",
    "joint",
    "inertial",
    "mass",
    "inertia",
    "axis",
    "axis2",
    "dynamics",
    "damping",
    "friction",
    "coulomb_friction",
    "mimic",
    "parent",
    "child",
    "loop_joint",
    "spring",
    "stiffness",
    "spring_stiffness",
    "spring_reference",
    "spring_rest_position",
    "armature",
    "rotor_inertia",
    "gear_ratio",
    "ball_constraint",
    "linear_spring_damper",
    "linear_bushing_rpy",
    "controller_gains",
    "quat_xyzw",
    "screw_thread_pitch",
];

/// The number of insertions, deletions, substitutions and swaps of adjacent characters between two words (restricted Damerau-Levenshtein distance).
fn distance(one: &str, other: &str) -> usize {
    let (one, other): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    let mut rows = vec![(0..=other.len()).collect::<Vec<usize>>()];
    for i in 1..=one.len() {
        let mut row = vec![i; other.len() + 1];
        for k in 1..=other.len() {
            let substitution = rows[i - 1][k - 1] + usize::from(one[i - 1] != other[k - 1]);
            row[k] = (rows[i - 1][k] + 1).min(row[k - 1] + 1).min(substitution);
            if i > 1 && k > 1 && one[i - 1] == other[k - 2] && one[i - 2] == other[k - 1] {
                row[k] = row[k].min(rows[i - 2][k - 2] + 1);
            }
        }
        rows.push(row);
    }
    rows[one.len()][other.len()]
}

/// The name that is read here and that was probably meant.
fn meant<'n>(name: &str, known: &[&'n str]) -> Option<&'n str> {
    let limit = |known: &str| if known.len() < 7 { 1 } else { 2 };
    known.iter().copied().find(|known| {
        let lower = name.to_lowercase();
        known.len() > 2 && lower.len() > 2 && lower.len() < 40 && distance(&lower, known) <= limit(known)
    })
}

/// Lists an attribute or element that is not read, or refuses it.
fn ignore(skipping: &Skipping, at: Node, name: &str, of: &str, known: &[&str]) -> Read<()> {
    let local = name.rsplit(':').next().unwrap_or(name);
    let skip = format!("`skip = [{}]`", in_list(name));
    if skipping.is_skipped(name) {
        skipping.note(format!("`{name}` of `{of}` ({skip})"));
    } else if name.starts_with("xacro:") {
        let help = "expand the macros first: `xacro robot.xacro > robot.urdf`";
        return mistake(at, format!("`{name}` is a macro"), help);
    } else if let Some(meant) = meant(name, known) {
        let help = format!("did you mean `{meant}`? {skip} leaves it out");
        return mistake(at, format!("`{name}` is not understood in `{of}`"), help);
    } else if MECHANICAL.contains(&local) {
        let help = format!("write {skip}, and declare in the module the motion that it describes");
        return mistake(at, format!("`{name}` in `{of}` changes the motion and is not read"), help);
    } else {
        skipping.note(format!("`{name}` of `{of}`"));
    }
    Ok(())
}

/// Returns the child elements that are read. All other attributes and elements are listed or refused.
pub(super) fn parts<'a, 'i>(
    skipping: &Skipping,
    node: Node<'a, 'i>,
    attributes: &[&str],
    elements: &[&str],
) -> Read<Vec<Node<'a, 'i>>> {
    let of = tag(node);
    for attribute in node.attributes() {
        let prefix = attribute.namespace().and_then(|space| node.lookup_prefix(space));
        let name =
            prefix.map_or_else(|| attribute.name().to_owned(), |prefix| format!("{prefix}:{}", attribute.name()));
        if !attributes.contains(&name.as_str()) || skipping.is_skipped(&name) {
            ignore(skipping, node, &name, &of, attributes)?;
        }
    }
    let mut found = vec![];
    for child in node.children().filter(Node::is_element) {
        let name = tag(child);
        if elements.contains(&name.as_str()) && !skipping.is_skipped(&name) {
            found.push(child);
        } else {
            ignore(skipping, child, &name, &of, elements)?;
        }
    }
    Ok(found)
}
