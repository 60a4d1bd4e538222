//! The elements and frames of unrolled declarations.

use super::integers::Integer;
use super::leaves::{FrameNodes, velocity_of};
use super::{SymbolicInterpreter, Value};
use crate::expr::{Expressions, Node};
use crate::model::{ArgumentKind, ElementMember, Group, OutputShape, TermElement};

impl SymbolicInterpreter<'_> {
    /// Evaluates all frames of an unrolled declaration.
    pub(super) fn evaluate_frames(&mut self) {
        let model = self.model;
        let frames = &model.frames;
        let Some(OutputShape::Element(group)) = frames.functions.first().map(|function| function.output) else {
            return;
        };
        let parts = match &frames.base {
            Some(base) => self.interpret(base),
            None => identity(&mut self.expressions, group),
        };
        let Some(parts) = parts else { return };
        let base = self.moving(group, parts);
        self.tree.frames = vec![None; frames.functions.len()];
        self.tree.base = Some(base);
        for &frame in &frames.order {
            let Some(parts) = self.interpret(&frames.functions[frame]) else { continue };
            self.tree.frames[frame] = Some(self.moving(group, parts));
        }
    }

    fn moving(&mut self, group: Group, parts: Vec<Node>) -> FrameNodes {
        let motion = self.motion();
        let velocity = self.velocity_of(group, &parts, &motion);
        FrameNodes { group, parts, velocity }
    }

    /// Returns the parts of all frames.
    pub fn frame_parts(&self) -> Vec<Node> {
        self.tree.frames.iter().flatten().flat_map(|frame| frame.parts.iter().copied()).collect()
    }

    /// Returns a frame; `None` after an error.
    pub fn frame(&self, member: ElementMember) -> Option<FrameNodes> {
        match member {
            ElementMember::Frame(at) => self.tree.frames.get(at).cloned().flatten(),
            _ => self.tree.base.clone(),
        }
    }

    /// Returns the value of an argument of a function of one element; `None` for arguments of the whole system.
    pub(super) fn element_argument(&mut self, kind: ArgumentKind) -> Option<Value> {
        let element = self.tree.element.clone()?;
        Some(match kind {
            ArgumentKind::Index => Value::Integer(Integer::length(element.index)),
            ArgumentKind::Length => Value::Integer(Integer::length(element.length)),
            ArgumentKind::Members(at) => self.slots(&element, at, Self::position),
            ArgumentKind::Velocities(at) => self.slots(&element, at, Self::velocity),
            // The last slot, if the function runs over members.
            ArgumentKind::States => self.slots(&element, element.slots.len() - 1, Self::velocity),
            _ => return None,
        })
    }

    fn slots(&mut self, element: &TermElement, at: usize, value: fn(&mut Self, ElementMember) -> Value) -> Value {
        let mut values: Vec<Value> = element.slots[at].iter().map(|&member| value(self, member)).collect();
        if element.is_window[at] { Value::Array(values) } else { values.pop().unwrap_or(Value::Unknown) }
    }

    fn position(&mut self, member: ElementMember) -> Value {
        match member {
            ElementMember::Member(field, at) => self.leaves.atoms_of(field)[at].position(),
            frame => self.frame(frame).map_or(Value::Unknown, |frame| frame.position()),
        }
    }

    fn velocity(&mut self, member: ElementMember) -> Value {
        match member {
            ElementMember::Member(field, at) => {
                let atom = self.leaves.atoms_of(field)[at].clone();
                atom.velocity(&mut self.expressions)
            }
            frame => match self.frame(frame) {
                Some(frame) => velocity_of(frame.group, &frame.velocity, &mut self.expressions),
                None => Value::Unknown,
            },
        }
    }

    /// Returns the blocks of the velocity of a member of an element.
    pub fn velocity_blocks(&self, member: ElementMember) -> Vec<Node> {
        match member {
            ElementMember::Member(field, at) => self.leaves.atoms_of(field)[at].velocity.clone(),
            frame => self.frame(frame).map_or_else(Vec::new, |frame| frame.velocity),
        }
    }

    /// Returns the velocity of a member, of a frame, or of an array of them, given the position.
    pub(super) fn velocity_at(&mut self, value: &Value) -> Option<Value> {
        if let Value::Array(items) = value {
            return items.iter().map(|item| self.velocity_at(item)).collect::<Option<Vec<Value>>>().map(Value::Array);
        }
        let frame = self.tree.frames.iter().flatten().find(|frame| frame.position() == *value).cloned();
        match frame {
            Some(frame) => Some(velocity_of(frame.group, &frame.velocity, &mut self.expressions)),
            None => self.leaves.velocity_of(value, &mut self.expressions),
        }
    }
}

/// The identity of a group, or of a struct of groups.
fn identity(e: &mut Expressions, group: Group) -> Option<Vec<Node>> {
    match group.structure() {
        None => group.rules.identity(e),
        Some(body) => {
            let fields = body.fields.iter().map(|(_, group)| identity(e, *group));
            fields.collect::<Option<Vec<_>>>().map(|fields| fields.concat())
        }
    }
}
