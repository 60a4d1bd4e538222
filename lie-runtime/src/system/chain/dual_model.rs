//! Elements of systems with chains as the terms of the derivative check, with their names.

use nalgebra::SVector;

use super::layout::CLAMPED;
use super::{ElementKind, ElementLocation, ElementSystem, ElementVisitor, Layout};
use crate::scalar::Scalar;
use crate::system::Summand;
use crate::system::Term;

/// Collects the elements.
struct Terms<'a> {
    layout: &'a Layout,
    /// The functions and the selection of each kind.
    names: &'a [&'a str],
    list: Vec<Summand>,
}

impl<M: ElementSystem> ElementVisitor<M> for Terms<'_> {
    fn element<E: Term<M>>(&mut self) {
        let kind = &self.layout.kinds[E::KIND];
        let name = self.names.get(E::KIND).copied().unwrap_or_default();
        self.list.extend(kind.places().map(|place| {
            let slots = E::SLOTS.iter().zip(place.offsets);
            let components = slots.flat_map(|(&size, &offset)| {
                (0..size).map(move |at| if offset == CLAMPED { None } else { Some(offset + at) })
            });
            let functions = E::SEGMENTS.iter().zip(place.starts);
            let rows = functions.flat_map(|(&own, &start)| (0..own).map(move |row| start + place.element * own + row));
            Summand { name: numbered(name, kind, &place), components: components.collect(), rows: rows.collect() }
        }));
    }
}

/// Returns the name of an element.
fn numbered(name: &str, kind: &ElementKind, place: &ElementLocation<'_>) -> String {
    if kind.count > 1 { format!("{name}, element {}", place.element) } else { name.to_owned() }
}

/// Returns the elements of a system, kind by kind; elements over frames come last.
pub fn chain_terms<M: ElementSystem>(system: &M, names: &[&str]) -> Vec<Summand> {
    let mut terms = Terms { layout: system.structure().layout(), names, list: Vec::new() };
    system.visit(&mut terms);
    let mut list = terms.list;
    let structure = system.structure();
    let kinds = structure.layout().kinds.iter().zip(&structure.shapes).zip(names);
    for ((kind, shape), name) in kinds.filter(|((kind, _), _)| kind.over_frames) {
        list.extend(kind.places().map(|place| Summand {
            name: numbered(name, kind, &place),
            components: structure.joints(&place).flat_map(|(first, size)| (first..first + size).map(Some)).collect(),
            rows: shape.global_rows(&place).collect(),
        }));
    }
    list
}

/// Returns the kind and the location of a term.
pub fn chain_element(layout: &Layout, term: usize) -> Option<(usize, ElementLocation<'_>)> {
    let mut before = 0;
    for (number, kind) in layout.kinds.iter().enumerate() {
        if term < before + kind.count {
            return Some((number, kind.place(term - before)));
        }
        before += kind.count;
    }
    None
}

/// Returns the velocity components of the slots of an element; clamped slots have zeros. `sizes` are the dimensions of the slots.
pub fn element_velocity<S: Scalar, const N: usize>(
    place: &ElementLocation<'_>,
    sizes: &[usize],
    v: &[S],
) -> SVector<S, N> {
    let slots = sizes.iter().zip(place.offsets);
    let mut components = slots.flat_map(|(&size, &offset)| {
        (0..size).map(move |at| if offset == CLAMPED { S::zero() } else { v[offset + at] })
    });
    SVector::from_fn(|_, _| components.next().unwrap_or_else(S::zero))
}

/// Returns the name of a component such as ``component 2 of `frames[3]` ``.
pub fn chain_component_name(layout: &Layout, component: usize) -> String {
    for span in &layout.spans {
        let free = span.free();
        if (span.offset..span.offset + free.len() * span.dimension).contains(&component) {
            let (member, at) = ((component - span.offset) / span.dimension, (component - span.offset) % span.dimension);
            let member = match span.length {
                1 => span.name.to_owned(),
                _ => format!("{}[{}]", span.name, free.start + member),
            };
            let mut first = 0;
            for (part, dimension) in span.parts {
                if at < first + dimension {
                    return format!("component {} of `{member}.{part}`", at - first);
                }
                first += dimension;
            }
            return format!("component {at} of `{member}`");
        }
    }
    format!("component {component}")
}
