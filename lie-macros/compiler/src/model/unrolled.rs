//! Declarations with lists, frames and terms over members for known lengths: one function for each element, and one frame for each joint.
//!
//! The unrolled declaration is one term over the whole configuration. Its functions are the declared functions, each with the members of
//! its [`TermElement`].

use std::collections::BTreeMap;
use std::rc::Rc;

use super::{
    Configuration, ElementMember, ForceTarget, Kinematics, Model, ParameterForm, ParameterKind, Role, RoleFunction,
    Selection, SharedModel, SlotMembers, TermElement, UnrolledFrames, is_of_states, parameter_entries,
};
use crate::diagnostics::{LengthRemedy, error_with_help};

/// The lengths of the lists of a declaration, for models at run time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ModelLengths {
    lengths: BTreeMap<String, usize>,
    parents: BTreeMap<String, Vec<Option<usize>>>,
    connections: BTreeMap<String, Vec<Vec<usize>>>,
}

impl ModelLengths {
    /// Creates an empty set, for a declaration without lists.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the length of a chain of the configuration, or of a list of the parameters.
    #[must_use]
    pub fn length(mut self, name: &str, length: usize) -> Self {
        self.lengths.insert(name.to_owned(), length);
        self
    }

    /// Sets the parent of each frame; `None` for frames on the base. `name` is the list in `#[kinematics(parents = name)]`.
    #[must_use]
    pub fn parents(mut self, name: &str, parents: impl IntoIterator<Item = Option<usize>>) -> Self {
        self.parents.insert(name.to_owned(), parents.into_iter().collect());
        self
    }

    /// Sets the tuples of members that a list connects: `over = (nodes, nodes).by(name)`.
    #[must_use]
    pub fn connections<T: IntoIterator<Item = usize>>(
        mut self,
        name: &str,
        tuples: impl IntoIterator<Item = T>,
    ) -> Self {
        self.connections.insert(name.to_owned(), tuples.into_iter().map(|tuple| tuple.into_iter().collect()).collect());
        self
    }

    fn names(&self) -> impl Iterator<Item = &String> {
        self.lengths.keys().chain(self.parents.keys()).chain(self.connections.keys())
    }
}

impl Model {
    /// Makes an unrolled declaration of a declaration with lists or frames.
    ///
    /// # Errors
    /// Missing or wrong lengths.
    pub fn unroll(&mut self, lengths: &ModelLengths) -> syn::Result<()> {
        self.ensure_known(lengths)?;
        self.set_chains(lengths)?;
        self.set_lists(lengths)?;
        let kinematics = Rc::make_mut(&mut self.shared).kinematics.take();
        let name = kinematics.as_ref().map(|kinematics| kinematics.name().to_string());
        let mut spans: Vec<usize> = self.configuration.members.iter().map(|member| member.count.unwrap_or(1)).collect();
        if let Some(kinematics) = kinematics {
            let frames = self.unrolled_frames(&kinematics, lengths)?;
            spans.push(frames.functions.len());
            self.others.extend(kinematics.joints.into_iter().map(|joint| joint.function));
            Rc::make_mut(&mut self.shared).frames = frames;
        }
        let tuples = self.tuples(lengths, &spans)?;
        let selected = SelectedLengths {
            configuration: &self.configuration,
            frames: name.unwrap_or_default(),
            lengths: spans,
            tuples,
        };
        let targets = self.functions.iter().filter_map(|function| match &function.role {
            Role::Force(ForceTarget::Quantity(name)) => Some(name.to_string()),
            _ => None,
        });
        let targets: Vec<String> = targets.collect();
        let (mut functions, mut others) = (vec![], vec![]);
        for function in &self.functions {
            let Some(over) = &function.over else {
                functions.push(function.clone());
                continue;
            };
            // Quantities are read where functions use them.
            if matches!(function.role, Role::Quantity) && !targets.contains(&function.name.to_string()) {
                others.push(function.clone());
                continue;
            }
            let elements = selected.elements(over, function)?;
            functions.extend(
                elements.into_iter().map(|element| RoleFunction { element: Some(element), ..function.clone() }),
            );
        }
        self.functions = functions;
        self.others.extend(others);
        Rc::make_mut(&mut self.shared).is_expanded = true;
        Ok(())
    }

    fn set_chains(&mut self, lengths: &ModelLengths) -> syn::Result<()> {
        for (field, member) in self.configuration.members.iter_mut().enumerate() {
            let name = &member.name;
            if member.is_chain && !is_of_states(member) {
                member.count = Some(known_length(lengths, name, &name.to_string(), "chain")?);
                member.is_chain = false;
            }
            let ends = [0, member.count.unwrap_or(1).saturating_sub(1)];
            let held = ends.into_iter().zip(member.clamped).filter(|(_, is_clamped)| *is_clamped);
            Rc::make_mut(&mut self.shared).held.extend(held.map(|(element, _)| [field, element]));
            member.clamped = [false; 2];
        }
        Rc::make_mut(&mut self.shared).held.dedup();
        // The states of elements have the number of the elements.
        if let Some(Selection { field, part }) = self.configuration.states_over {
            let length = self.configuration.members[field].count.unwrap_or(1);
            let states = self.configuration.members.iter_mut().find(|member| is_of_states(member));
            if let Some(states) = states {
                (states.count, states.is_chain) = (Some(count(part, length)), false);
            }
        }
        Ok(())
    }

    fn set_lists(&mut self, lengths: &ModelLengths) -> syn::Result<()> {
        let SharedModel { parameters, structs, .. } = Rc::make_mut(&mut self.shared);
        let Some(parameters) = parameters else { return Ok(()) };
        for field in &mut parameters.fields {
            let name = field.name.to_string();
            if let ParameterForm::List(item) = &field.form {
                let length = known_length(lengths, &field.ty, &name, "list")?;
                field.form = match **item {
                    ParameterForm::Entry(ParameterKind::Scalar) => {
                        ParameterForm::Entry(ParameterKind::ScalarArray(length))
                    }
                    ParameterForm::Entry(ParameterKind::Vector(rows)) => {
                        ParameterForm::Entry(ParameterKind::VectorArray(rows, length))
                    }
                    _ => ParameterForm::Array(item.clone(), length),
                };
            }
            if field.form.has_lists(structs) {
                let message = format!("the list in a struct of the parameter `{name}` is not supported on a tape");
                return Err(error_with_help(&field.ty, message, "declare the list as a field of the parameters"));
            }
        }
        (parameters.entries, parameters.lists) = parameter_entries(&parameters.fields, structs);
        Ok(())
    }

    /// Reports lengths of names that the declaration does not have.
    fn ensure_known(&self, lengths: &ModelLengths) -> syn::Result<()> {
        let Configuration { members, connections, parents, .. } = &self.configuration;
        let fields = self.parameters.iter().flat_map(|parameters| &parameters.fields);
        let fields = fields.filter(|field| matches!(field.form, ParameterForm::List(_))).map(|field| &field.name);
        let lists = connections.iter().map(|list| &list.name);
        let members = members.iter().filter(|member| member.is_chain && !is_of_states(member));
        let known = members.map(|member| &member.name).chain(fields).chain(lists).chain(parents);
        let known: Vec<String> = known.map(ToString::to_string).collect();
        match lengths.names().find(|name| !known.contains(name)) {
            None => Ok(()),
            Some(name) => {
                let message = format!("the declaration has no list `{name}`");
                Err(error_with_help(&self.name, message, "give the lengths of the lists of the declaration"))
            }
        }
    }

    fn unrolled_frames(&self, kinematics: &Kinematics, lengths: &ModelLengths) -> syn::Result<UnrolledFrames> {
        let joints = kinematics.joints.iter().flat_map(|joint| {
            let count = self.configuration.members[joint.field].count.unwrap_or(1);
            (0..count).map(move |index| (joint, index, count))
        });
        let joints: Vec<_> = joints.collect();
        let list = self.configuration.parents.as_ref();
        let wrong = |message: String| {
            let list = list.unwrap_or(kinematics.name());
            let name = list.to_string();
            let help = LengthRemedy::Parents { list: &name };
            error_with_help(list, message, format!("give {help} with a parent for each frame"))
        };
        let parents: Vec<Option<usize>> = match list {
            None => (0..joints.len()).map(|frame: usize| frame.checked_sub(1)).collect(),
            Some(list) => {
                let given = lengths.parents.get(&list.to_string());
                let given = given.ok_or_else(|| wrong(format!("the parents `{list}` of the frames are missing")))?;
                if given.len() != joints.len() {
                    let (given, frames) = (given.len(), joints.len());
                    return Err(wrong(format!("the list `{list}` has {given} parents, and there are {frames} frames")));
                }
                if let Some(parent) = given.iter().flatten().find(|parent| **parent >= joints.len()) {
                    return Err(wrong(format!("the list `{list}` contains the frame {parent}, which does not exist")));
                }
                given.clone()
            }
        };
        let mut order: Vec<usize> = vec![];
        while order.len() < joints.len() {
            let is_next =
                |frame: &usize| !order.contains(frame) && parents[*frame].is_none_or(|parent| order.contains(&parent));
            let next = (0..joints.len()).find(is_next);
            order.push(next.ok_or_else(|| wrong("the parents of the frames form a circle".to_owned()))?);
        }
        let functions = joints.into_iter().zip(parents).map(|((joint, index, length), parent)| {
            let above = parent.map_or(ElementMember::Base, ElementMember::Frame);
            let slots = vec![vec![above], vec![ElementMember::Member(joint.field, index)]];
            let element = TermElement { slots, is_window: vec![false; 2], index, length, number: None };
            RoleFunction { element: Some(element), ..joint.function.clone() }
        });
        let functions = functions.collect();
        Ok(UnrolledFrames { base: kinematics.base.clone(), functions, order })
    }

    /// The tuples of each connection list.
    fn tuples(&self, lengths: &ModelLengths, spans: &[usize]) -> syn::Result<Vec<Vec<Vec<usize>>>> {
        let lists = self.configuration.connections.iter().map(|list| {
            let name = &list.name;
            let wrong = |message: String| {
                let list_name = name.to_string();
                let help = LengthRemedy::Connections { list: &list_name, size: list.fields.len() };
                error_with_help(name, message, format!("give {help}"))
            };
            let given = lengths.connections.get(&name.to_string());
            let given = given.ok_or_else(|| wrong(format!("the connections `{name}` are missing")))?;
            for tuple in given {
                let is_right = tuple.len() == list.fields.len()
                    && tuple.iter().zip(&list.fields).all(|(&member, &field)| member < spans[field])
                    && (1..tuple.len()).all(|at| {
                        (0..at).all(|other| tuple[other] != tuple[at] || list.fields[other] != list.fields[at])
                    });
                if !is_right {
                    return Err(wrong(format!(
                        "the connection {tuple:?} of `{name}` is not a tuple of different members"
                    )));
                }
            }
            Ok(given.clone())
        });
        lists.collect()
    }
}

/// The largest length of a list. Matrices of a model at run time are dense, and elements are unrolled.
const LONGEST: usize = 10_000;

fn known_length(lengths: &ModelLengths, at: impl quote::ToTokens, name: &str, what: &str) -> syn::Result<usize> {
    match lengths.lengths.get(name) {
        Some(0) => Err(error_with_help(at, format!("the {what} `{name}` is empty"), "give a positive length")),
        Some(&length) if length > LONGEST => {
            let message = format!("the length {length} of the {what} `{name}` exceeds {LONGEST}");
            Err(error_with_help(
                at,
                message,
                "compile the declaration with `#[mechanical_system]`: its chains have no limit",
            ))
        }
        Some(&length) => Ok(length),
        None => {
            let help = LengthRemedy::Length { list: name, example: 5 };
            let message = format!("the length of the {what} `{name}` is missing");
            Err(error_with_help(at, message, format!("give the length: {help}")))
        }
    }
}

/// The lengths of all fields, and the tuples of all lists.
struct SelectedLengths<'a> {
    configuration: &'a Configuration,
    /// The name of the frames, which come after the fields.
    frames: String,
    lengths: Vec<usize>,
    tuples: Vec<Vec<Vec<usize>>>,
}

impl SelectedLengths<'_> {
    fn member(&self, field: usize, at: usize) -> ElementMember {
        if field < self.configuration.members.len() {
            ElementMember::Member(field, at)
        } else {
            ElementMember::Frame(at)
        }
    }

    /// The elements of a term.
    fn elements(&self, over: &[Selection], function: &RoleFunction) -> syn::Result<Vec<TermElement>> {
        if let Some(Selection { part: SlotMembers::Listed(list), .. }) = over.first() {
            let (tuples, is_window) = (&self.tuples[*list], vec![false; over.len()]);
            let elements = tuples.iter().enumerate().map(|(index, tuple)| {
                let slots = tuple.iter().zip(over).map(|(&at, selection)| vec![self.member(selection.field, at)]);
                let (slots, is_window) = (slots.collect(), is_window.clone());
                TermElement { slots, is_window, index, length: tuples.len(), number: Some(index) }
            });
            return Ok(elements.collect());
        }
        for selection in over {
            self.ensure_length(selection, function)?;
        }
        // The selection that runs over a chain, otherwise the first single member.
        let running = over.iter().find(|selection| selection.part.runs());
        let single = over.iter().find(|selection| !matches!(selection.part, SlotMembers::Whole(_)));
        let length = running.or(single).map_or(1, |selection| self.lengths[selection.field]);
        let count = running.map_or(1, |selection| count(selection.part, length));
        let index_of_single = single.map_or(0, |selection| first_member(selection.part, 0, length));
        let elements = (0..count).map(|number| {
            let slots = over.iter().map(|Selection { field, part }| {
                let first = first_member(*part, number, self.lengths[*field]);
                (first..first + part.slots()).map(|at| self.member(*field, at)).collect()
            });
            let is_window = over.iter().map(|selection| matches!(selection.part, SlotMembers::Windows { .. }));
            let (index, of_run) = match running {
                Some(_) => (number, Some(number)),
                None => (index_of_single, None),
            };
            TermElement { slots: slots.collect(), is_window: is_window.collect(), index, length, number: of_run }
        });
        Ok(elements.collect())
    }

    /// Checks that a field has the members of a selection.
    fn ensure_length(&self, selection: &Selection, function: &RoleFunction) -> syn::Result<()> {
        let length = self.lengths[selection.field];
        let name = self.configuration.members.get(selection.field).map(|member| member.name.to_string());
        let (name, own) = (name.unwrap_or_else(|| self.frames.clone()), &function.name);
        let needed = match selection.part {
            SlotMembers::Windows { size, .. } => size,
            SlotMembers::At(index) => index + 1,
            _ => 1,
        };
        if length < needed {
            let message = format!("`{own}` needs {needed} members of `{name}`, which has {length}");
            return Err(error_with_help(own, message, format!("give a length of at least {needed}")));
        }
        if let SlotMembers::Windows { size, stride } = selection.part
            && stride <= size
            && !(length - size).is_multiple_of(stride)
        {
            let rest = (length - size) % stride;
            let message =
                format!("the windows of `{own}` do not contain the last {rest} of the {length} members of `{name}`");
            return Err(error_with_help(own, message, format!("give the length {}", length - rest)));
        }
        Ok(())
    }
}

/// The number of elements of a selection that runs over a field with this length.
fn count(part: SlotMembers, length: usize) -> usize {
    match part {
        SlotMembers::Windows { size, stride } => (length + 1).saturating_sub(size).div_ceil(stride),
        _ => length,
    }
}

/// The first member of an element in a field with this length.
fn first_member(part: SlotMembers, number: usize, length: usize) -> usize {
    match part {
        SlotMembers::Each | SlotMembers::Parallel => number,
        SlotMembers::Windows { stride, .. } => number * stride,
        SlotMembers::First | SlotMembers::Whole(_) | SlotMembers::Listed(_) => 0,
        SlotMembers::Last => length - 1,
        SlotMembers::At(member) => member,
    }
}
