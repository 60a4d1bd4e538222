//! The groups of the language, and the sphere: one file for each kind of group, one line in the list for each group.
//!
//! An element is a list of *parts*: typed expressions, for example a rotation or a vector. A velocity is a list of *blocks*, the angular
//! block first. [`GroupRules`] defines the mathematics of a group, [`Storage`] the storage of an element as scalars.
//! Isomorphic groups share their rules and differ in storage. Other modules never depend on a specific group.

mod definition;
mod direct;
mod dual_quaternions;
mod placements;
mod product;
mod rotations;
mod semidirect;
mod sphere;
mod storage;
mod structure;
mod vectors;

pub(crate) use definition::{Element, Group, GroupRules, Operand, Storage, Structure};
use definition::{one, two};
pub(crate) use structure::{Atomic, integral_of, velocity_name};
pub(crate) use vectors::LARGEST;

use crate::expr::{Expressions, Rotation};

/// All named groups. `Rn<N>` is made by [`Group::vector_space`].
pub(crate) const GROUPS: &[Group] = &[
    vectors::R1,
    vectors::R2,
    vectors::R3,
    vectors::R4,
    vectors::R5,
    vectors::R6,
    rotations::SO2,
    rotations::SO3,
    rotations::S3,
    semidirect::SE2,
    semidirect::SE3,
    semidirect::S3R3,
    dual_quaternions::DQ,
    direct::SO3_X_R3,
    direct::S3_X_R3,
    sphere::S2,
];

impl Element {
    /// A single part.
    pub fn part(&self, at: usize, e: &Expressions) -> Operand {
        let part = self.parts[at];
        match e.rotation(part) {
            Some(kind) => Group::of_rotations(kind).operand(vec![part]),
            None => Operand::Matrix(part),
        }
    }
}

impl Group {
    /// The real line as users write it: a scalar with a scalar velocity.
    pub const NUMBER: Group = vectors::NUMBER;

    /// The group of a struct of groups.
    pub fn of_struct(name: &str, fields: Vec<(String, Group)>) -> Group {
        structure::group(name, fields)
    }

    /// The group with the given name.
    pub fn named(name: &str) -> Option<Group> {
        GROUPS.iter().copied().find(|group| group.name == name)
    }

    /// R^n, for n up to the largest dimension of a configuration.
    pub fn vector_space(n: usize) -> Group {
        vectors::of_dimension(n)
    }

    /// The group that `name` is mistaken for, as users write it, and the actual meaning of the name.
    pub fn like(name: &str) -> Option<(&'static str, &'static str)> {
        let others = [(vectors::NUMBER, "f64"), (vectors::of_dimension(1), "Rn<N>")];
        let groups = GROUPS.iter().map(|group| (*group, group.name)).chain(others);
        groups.into_iter().find_map(|(group, written)| {
            let (_, what) = group.lookalikes.iter().find(|(lookalike, _)| *lookalike == name)?;
            Some((written, *what))
        })
    }

    /// The group of one kind of rotations.
    pub fn of_rotations(kind: Rotation) -> Group {
        rotations::group(kind)
    }
}
