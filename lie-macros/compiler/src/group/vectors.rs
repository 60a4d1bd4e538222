//! R^n, with vectors as elements, and the real line as a scalar.

use super::{Group, GroupRules, Storage, one};
use crate::expr::{Expressions, Node, Type};

/// The largest dimension of a vector space.
pub(crate) const LARGEST: usize = 1024;

/// R^n by its dimension.
struct VectorSpace(usize);

/// All vector spaces, by dimension.
static SPACES: [VectorSpace; LARGEST + 1] = {
    let mut spaces = [const { VectorSpace(0) }; LARGEST + 1];
    let mut n = 0;
    while n <= LARGEST {
        spaces[n].0 = n;
        n += 1;
    }
    spaces
};

const POINT: &str = "a type of nalgebra";

const fn named(name: &'static str, notation: &'static str, n: usize, lookalike: &'static [(&str, &str)]) -> Group {
    Group::new(name, notation, &SPACES[n], Storage::Vector(n), lookalike)
}

pub(super) const R1: Group = named("R1", "R¹", 1, &[]);
pub(super) const R2: Group = named("R2", "R²", 2, &[("Point2", POINT)]);
pub(super) const R3: Group = named("R3", "R³", 3, &[("Point3", POINT), ("Translation3", POINT)]);
pub(super) const R4: Group = named("R4", "R⁴", 4, &[]);
pub(super) const R5: Group = named("R5", "R⁵", 5, &[]);
pub(super) const R6: Group = named("R6", "R⁶", 6, &[]);

/// The real line.
pub(super) const NUMBER: Group =
    Group::new("f64", "ℝ", &SPACES[1], Storage::Number, &[("f32", "a single-precision scalar")]);

/// `Rn<N>`.
pub(super) fn of_dimension(n: usize) -> Group {
    let Some(space) = SPACES.get(n) else { bug!("R^{n} is larger than any configuration") };
    Group::new("Rn", "Rⁿ", space, Storage::Vector(n), &[])
}

impl GroupRules for VectorSpace {
    fn parts(&self) -> Vec<Type> {
        vec![Type::vector(self.0)]
    }
    fn blocks(&self) -> Vec<usize> {
        vec![self.0]
    }
    fn is_commutative(&self) -> bool {
        true
    }
    fn bracket(&self, _: usize, _: usize) -> Option<(usize, bool)> {
        None
    }

    fn coadjoint(&self, e: &mut Expressions, _: &[Node], _: &[Node]) -> Vec<Node> {
        vec![e.zeros(self.0, 1)]
    }
    fn adjoint(&self, _: &mut Expressions, _: &[Node], velocity: &[Node]) -> Vec<Node> {
        velocity.to_vec()
    }
    fn inverse_adjoint(&self, _: &mut Expressions, _: &[Node], velocity: &[Node]) -> Vec<Node> {
        velocity.to_vec()
    }
    fn adjoint_transpose(&self, _: &mut Expressions, _: &[Node], covector: &[Node]) -> Vec<Node> {
        covector.to_vec()
    }
    fn inverse_adjoint_transpose(&self, _: &mut Expressions, _: &[Node], covector: &[Node]) -> Vec<Node> {
        covector.to_vec()
    }

    fn identity(&self, e: &mut Expressions) -> Option<Vec<Node>> {
        Some(vec![e.zeros(self.0, 1)])
    }
    fn compose(&self, e: &mut Expressions, a: &[Node], b: &[Node]) -> Option<Vec<Node>> {
        Some(vec![e.add(one(a), one(b))])
    }
    fn inverse(&self, e: &mut Expressions, a: &[Node]) -> Option<Vec<Node>> {
        Some(vec![e.neg(one(a))])
    }
    fn exp(&self, _: &mut Expressions, theta: Node) -> Option<Vec<Node>> {
        Some(vec![theta])
    }
    fn log(&self, _: &mut Expressions, a: &[Node]) -> Option<Node> {
        Some(one(a))
    }
    // Vectors and scalars have their own methods and constructors.
}
