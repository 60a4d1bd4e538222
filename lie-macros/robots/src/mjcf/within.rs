//! The elements of a body, directly or in frames.

use roxmltree::Node;

use super::classes::Classes;
use super::compiler::{Compiler, ORIENTATIONS};
use super::mesh::Meshes;
use crate::frame::Frame;
use crate::xml::{Read, Skipping, mistake, tag};

/// An element, its frame in the body, and its default class.
#[derive(Clone, Copy)]
pub(super) struct Placed<'a, 'i> {
    pub node: Node<'a, 'i>,
    pub frame: Frame,
    pub class: Option<&'a str>,
}

/// Refuses unknown attributes; notes attributes that do not change the motion, and those that `skip` names.
pub(super) fn attributes(node: Node, read: &[&str], ignored: &[&str], skipping: &Skipping) -> Read<()> {
    for attribute in node.attributes().filter(|attribute| attribute.namespace().is_none()) {
        let name = attribute.name();
        if read.contains(&name) {
            continue;
        }
        if !ignored.contains(&name) && !skipping.is_skipped(name) {
            let known = [read, ignored].concat().join(", ");
            let help = format!("known are {known}; `skip = [{name}]` ignores it");
            return mistake(node, format!("`{name}` is not understood at `{}`", tag(node)), help);
        }
        skipping.note(format!("`{name}` of `{}`", tag(node)));
    }
    Ok(())
}

/// How elements of a file are read.
#[derive(Clone, Copy)]
pub(super) struct Reading<'r, 'a> {
    pub compiler: &'r Compiler,
    pub classes: &'r Classes<'a, 'a>,
    pub meshes: &'r Meshes<'a>,
    pub skipping: &'r Skipping<'r>,
}

impl<'a> Reading<'_, 'a> {
    /// The elements of a body with these names, in the order of the file, also in its frames. A frame adds its pose to its elements. The names in
    /// `only` are read in the body itself.
    pub fn elements(
        &self,
        body: Node<'a, 'a>,
        class: Option<&'a str>,
        read: &[&str],
        only: &[&str],
        beside: &[&str],
    ) -> Read<Vec<Placed<'a, 'a>>> {
        let (mut found, mut open) = (vec![], vec![Placed { node: body, frame: Frame::IDENTITY, class }]);
        while let Some(at) = open.pop() {
            if at.node != body && !at.node.has_tag_name("frame") {
                found.push(at);
                continue;
            }
            let Placed { node, frame, class } = if at.node == body { at } else { self.frame(at)? };
            let own = if node == body { only } else { &[] };
            let known = [read, &["frame"], own].concat();
            let inner = self.skipping.children(node, &known, beside)?;
            open.extend(inner.into_iter().rev().map(|node| Placed { node, frame, class }));
        }
        Ok(found)
    }

    /// Applies the pose and the class of a frame to its elements.
    fn frame(&self, at: Placed<'a, 'a>) -> Read<Placed<'a, 'a>> {
        attributes(at.node, &[&["name", "childclass", "pos"], &ORIENTATIONS[..]].concat(), &[], self.skipping)?;
        let class = at.node.attribute("childclass").or(at.class);
        self.classes.ensure(at.node, class)?;
        Ok(Placed { frame: at.frame.then(self.compiler.frame(at.node)?), class, ..at })
    }
}
