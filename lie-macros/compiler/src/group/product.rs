//! Direct products: the parts and blocks of the factors one after the other, and every rule applied factor by factor.
//!
//! exp, T and ad are block-diagonal; a sphere does not couple with other factors.

use super::Structure;
use super::{Group, GroupRules};
use crate::expr::{Expressions, Node, Type};

/// A rule of a factor, applied to the entries of that factor in two lists.
type Rule = fn(&(dyn GroupRules + 'static), &mut Expressions, &[Node], &[Node]) -> Vec<Node>;

/// The kind of a list.
#[derive(Clone, Copy)]
enum ListKind {
    Parts,
    Blocks,
}

impl ListKind {
    fn count(self, factor: &Group) -> usize {
        match self {
            ListKind::Parts => factor.rules.parts().len(),
            ListKind::Blocks => factor.rules.blocks().len(),
        }
    }
}

impl Structure {
    /// Splits a list into the entries of each factor.
    fn shares<'n>(&self, of: ListKind, list: &'n [Node]) -> impl Iterator<Item = &'n [Node]> + use<'_, 'n> {
        let mut rest = list;
        self.factors().map(move |factor| {
            let (own, further) = rest.split_at(of.count(&factor));
            rest = further;
            own
        })
    }

    /// Applies a rule to two lists, factor by factor.
    fn each(
        &self,
        e: &mut Expressions,
        (of_a, a): (ListKind, &[Node]),
        (of_b, b): (ListKind, &[Node]),
        rule: Rule,
    ) -> Vec<Node> {
        let shares = self.shares(of_a, a).zip(self.shares(of_b, b));
        self.factors().zip(shares).flat_map(|(factor, (a, b))| rule(factor.rules, e, a, b)).collect()
    }
}

impl GroupRules for Structure {
    fn parts(&self) -> Vec<Type> {
        self.factors().flat_map(|factor| factor.rules.parts()).collect()
    }
    fn blocks(&self) -> Vec<usize> {
        self.factors().flat_map(|factor| factor.rules.blocks()).collect()
    }
    fn is_group(&self) -> bool {
        self.factors().all(|factor| factor.rules.is_group())
    }
    fn is_commutative(&self) -> bool {
        self.factors().all(|factor| factor.rules.is_commutative())
    }
    /// The bracket of the factor of both components; zero for different factors.
    fn bracket(&self, j: usize, i: usize) -> Option<(usize, bool)> {
        let mut first = 0;
        self.factors().find_map(|factor| {
            let own = first..first + factor.dimension();
            first = own.end;
            if !own.contains(&j) || !own.contains(&i) {
                return None;
            }
            let (k, sign) = factor.rules.bracket(j - own.start, i - own.start)?;
            Some((own.start + k, sign))
        })
    }

    fn rates(&self, e: &mut Expressions, parts: &[Node], velocity: &[Node]) -> Vec<Node> {
        self.each(e, (ListKind::Parts, parts), (ListKind::Blocks, velocity), GroupRules::rates)
    }
    fn velocity(&self, e: &mut Expressions, parts: &[Node], rates: &[Node]) -> Vec<Node> {
        self.each(e, (ListKind::Parts, parts), (ListKind::Parts, rates), GroupRules::velocity)
    }
    fn covector(&self, e: &mut Expressions, parts: &[Node], cotangents: &[Node]) -> Vec<Node> {
        self.each(e, (ListKind::Parts, parts), (ListKind::Parts, cotangents), GroupRules::covector)
    }
    fn coadjoint(&self, e: &mut Expressions, velocity: &[Node], momentum: &[Node]) -> Vec<Node> {
        self.each(e, (ListKind::Blocks, velocity), (ListKind::Blocks, momentum), GroupRules::coadjoint)
    }
    fn adjoint(&self, e: &mut Expressions, parts: &[Node], velocity: &[Node]) -> Vec<Node> {
        self.each(e, (ListKind::Parts, parts), (ListKind::Blocks, velocity), GroupRules::adjoint)
    }
    fn inverse_adjoint(&self, e: &mut Expressions, parts: &[Node], velocity: &[Node]) -> Vec<Node> {
        self.each(e, (ListKind::Parts, parts), (ListKind::Blocks, velocity), GroupRules::inverse_adjoint)
    }
    fn adjoint_transpose(&self, e: &mut Expressions, parts: &[Node], covector: &[Node]) -> Vec<Node> {
        self.each(e, (ListKind::Parts, parts), (ListKind::Blocks, covector), GroupRules::adjoint_transpose)
    }
    fn inverse_adjoint_transpose(&self, e: &mut Expressions, parts: &[Node], covector: &[Node]) -> Vec<Node> {
        self.each(e, (ListKind::Parts, parts), (ListKind::Blocks, covector), GroupRules::inverse_adjoint_transpose)
    }
    fn idle(&self, parts: &[Node], velocity: &[Node]) -> Vec<(Node, Node)> {
        let shares = self.shares(ListKind::Parts, parts).zip(self.shares(ListKind::Blocks, velocity));
        self.factors().zip(shares).flat_map(|(factor, (parts, velocity))| factor.rules.idle(parts, velocity)).collect()
    }
}
