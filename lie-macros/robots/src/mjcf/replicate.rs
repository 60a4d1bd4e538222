//! `replicate`: copies of the enclosed elements, each in a frame of its own and with a number after its names.
//!
//! Copy i is rotated by i times the angle. Its position is the sum of i offsets, each in the axes of the copy before. An `equality` between
//! replicated elements is replicated as well. The numbers of the innermost copies come first.

use std::collections::BTreeSet;
use std::ops::Range;

use roxmltree::Node;

use super::compiler::Compiler;
use super::source::{Source, Writer};
use crate::Mistake;
use crate::frame::{Rotation, Vector, direction, norm, plus};
use crate::xml::{Read, Skipping, ensure_known, mistake, numbers, parse, tag, text};

/// Copies of one element, at most.
const MANY: usize = 10_000;
/// Bytes of the whole, at most.
const LONG: usize = 16 << 20;

/// The attributes by which equalities name elements of each kind.
const TIES: [(&str, &[&str]); 3] =
    [("body", &["body1", "body2"]), ("joint", &["joint1", "joint2"]), ("site", &["site1", "site2"])];

/// The file with all copies written out.
pub(super) fn replicated(mut source: Source) -> Result<Source, Mistake> {
    loop {
        match next(&source).map_err(|mistake| source.told(mistake))? {
            Some(next) => source = next,
            None => return Ok(source),
        }
    }
}

/// One `replicate` less; the innermost comes first.
fn next(source: &Source) -> Read<Option<Source>> {
    let document = parse(&source.text)?;
    let is_one = |node: &Node| tag(*node) == "replicate";
    let innermost = |node: &Node| is_one(node) && node.descendants().skip(1).all(|inner| !is_one(&inner));
    let Some(node) = document.descendants().find(innermost) else { return Ok(None) };
    let compilers: Vec<Node> =
        document.root_element().children().filter(|child| child.has_tag_name("compiler")).collect();
    let copies = Copies::of(node, &Compiler::read(&compilers, &[], &Skipping::new(&[]))?)?;
    let (inside, mut ranges) = (named(node), vec![node.range()]);
    let sections = document.root_element().children().filter(|child| child.has_tag_name("equality"));
    let tied: Vec<Node> = sections.flat_map(|section| section.children().filter(Node::is_element)).collect();
    let tied: Vec<Node> = tied.into_iter().filter_map(|tie| within(tie, &inside).transpose()).collect::<Read<_>>()?;
    ranges.extend(tied.iter().map(Node::range));
    let mut order: Vec<usize> = (0..ranges.len()).collect();
    order.sort_by_key(|&at| ranges[at].start);
    let sorted: Vec<Range<usize>> = order.iter().map(|&at| ranges[at].clone()).collect();
    let written = source.replaced(&sorted, |writer, number| match order[number].checked_sub(1) {
        None => copies.bodies(source, node, writer),
        Some(tie) => copies.ties(source, tied[tie], writer),
    });
    if written.text.len() > LONG {
        return mistake(
            node,
            "the copies are too many to be written out",
            "declare them by `Vec` in a module of your own",
        );
    }
    Ok(Some(written))
}

/// The kinds and names of the enclosed elements.
fn named<'a>(node: Node<'a, '_>) -> BTreeSet<(&'static str, &'a str)> {
    let kind = |node: Node| match node.tag_name().name() {
        "body" => Some("body"),
        "joint" | "freejoint" => Some("joint"),
        "site" => Some("site"),
        _ => None,
    };
    node.descendants().filter_map(|inner| Some((kind(inner)?, inner.attribute("name")?))).collect()
}

/// An equality, if it ties enclosed elements.
fn within<'a, 'i>(tie: Node<'a, 'i>, inside: &BTreeSet<(&'static str, &'a str)>) -> Read<Option<Node<'a, 'i>>> {
    let (mut yes, mut no) = (None, None);
    for (kind, attributes) in TIES {
        for name in attributes.iter().filter_map(|attribute| tie.attribute(*attribute)) {
            if inside.contains(&(kind, name)) {
                yes = Some(name);
            } else if (kind, name) != ("body", "world") {
                no = Some(name);
            }
        }
    }
    match (yes, no) {
        (None, _) => Ok(None),
        (Some(_), None) => Ok(Some(tie)),
        (Some(yes), Some(no)) => {
            let message = format!("`{yes}` is replicated with others than `{no}`");
            mistake(tie, message, "tie elements of one `replicate`, or write out the copies and their equalities")
        }
    }
}

/// Suffixes, places and class of the copies.
struct Copies {
    suffixes: Vec<String>,
    places: Vec<(Vector, Rotation)>,
    /// The attribute, if it is there.
    class: String,
}

impl Copies {
    fn of(node: Node, compiler: &Compiler) -> Read<Self> {
        ensure_known(node, &["count", "sep", "offset", "euler", "childclass"])?;
        let count = text(node, "count")?;
        let Some(count) = count.trim().parse().ok().filter(|count| (1..=MANY).contains(count)) else {
            return mistake(
                node,
                format!("`count=\"{count}\"` is not a number of copies"),
                format!("write one from 1 to {MANY}"),
            );
        };
        let plain = |name: &str| match node.attribute(name).unwrap_or_default() {
            text if text.contains(['"', '\'', '&', '<', '\n']) => {
                mistake(node, format!("`{name}=\"{text}\"` has letters that names have not"), "write others, sep=\"-\"")
            }
            text => Ok(text),
        };
        let (separator, class) = (plain("sep")?, plain("childclass")?);
        let angles = numbers(node, "euler", [0.0; 3])?;
        if angles.iter().filter(|angle| **angle != 0.0).count() > 1 {
            let help = "write one angle, and a `frame` around it where the axis is another one: MuJoCo's documentation adds up the turns, \
                        its program the angles";
            return mistake(node, "copies that are rotated about several axes", help);
        }
        let (turn, way) = (compiler.rotation(&[node])?.vector(), numbers(node, "offset", [0.0; 3])?);
        let axis = direction(turn);
        let (digits, mut position) = (count.to_string().len(), [0.0; 3]);
        let (mut suffixes, mut places) = (vec![], vec![]);
        for number in 0..count {
            let angle = number as f64 * norm(turn);
            let rotation = axis.map_or(Rotation::IDENTITY, |axis| Rotation::about(axis, angle));
            suffixes.push(format!("{separator}{number:0digits$}"));
            places.push((position, rotation));
            position = plus(position, rotation.rotate(way));
        }
        let class = if class.is_empty() { String::new() } else { format!(" childclass=\"{class}\"") };
        Ok(Self { suffixes, places, class })
    }

    /// The copies of a node's elements, in frames.
    fn bodies(&self, source: &Source, node: Node, writer: &mut Writer) {
        let (Some(first), Some(last)) = (node.first_child(), node.last_child()) else { return };
        let all = first.range().start..last.range().end;
        let named = node.descendants().skip(1).filter_map(|inner| inner.attribute_node("name"));
        let ends: Vec<usize> = named.map(|name| name.range_value().end).collect();
        for (suffix, ([x, y, z], Rotation([w, i, j, k]))) in self.suffixes.iter().zip(&self.places) {
            let class = &self.class;
            writer.insert(&format!("<frame pos=\"{x:?} {y:?} {z:?}\" quat=\"{w:?} {i:?} {j:?} {k:?}\"{class}>"));
            suffixed(source, all.clone(), &ends, suffix, writer);
            writer.insert("</frame>");
        }
    }

    /// The copies of an equality.
    fn ties(&self, source: &Source, node: Node, writer: &mut Writer) {
        let is_name = |name: &str| name == "name" || TIES.iter().any(|(_, attributes)| attributes.contains(&name));
        let named = node.attributes().filter(|attribute| is_name(attribute.name()) && attribute.value() != "world");
        let mut ends: Vec<usize> = named.map(|name| name.range_value().end).collect();
        ends.sort_unstable();
        for suffix in &self.suffixes {
            suffixed(source, node.range(), &ends, suffix, writer);
        }
    }
}

/// A part of a source with a suffix at these places.
fn suffixed(source: &Source, range: Range<usize>, ends: &[usize], suffix: &str, writer: &mut Writer) {
    let mut from = range.start;
    for &end in ends {
        writer.copy(source, from..end);
        writer.insert(suffix);
        from = end;
    }
    writer.copy(source, from..range.end);
}
