//! Regions: the parts of the state space in which a part of an expression is used.
//!
//! One side of a selection is used only if the condition selects it. Elsewhere its value or its derivative can be infinite. Reverse mode
//! therefore keeps the region of every cotangent; the value of a cotangent outside of its region is arbitrary. When a cotangent leaves its
//! region, one selection replaces it by zero outside. Products 0·∞ therefore cannot occur, and the size of a gradient is proportional to
//! the size of the expression.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;

use super::{Expressions, Node};

/// A region, by its position among the known regions; a part comes after the whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Region(usize);

/// All states.
pub(super) const EVERYWHERE: Region = Region(0);

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Extent {
    Everywhere,
    /// The states of `whole` for which the condition holds, or does not hold.
    Side {
        whole: Region,
        condition: Node,
        holds: bool,
    },
    /// The union of these regions. None of them is a part of another one, and none is a union.
    Union(Vec<Region>),
}

/// The regions of one gradient.
pub(super) struct Regions {
    extents: Vec<Extent>,
    known: FxHashMap<Extent, Region>,
    /// The conditions under which a state of the second region is in the first one; `None` if all of its states are.
    conditions: FxHashMap<(Region, Region), Option<Node>>,
}

/// The contributions to a cotangent, by region.
pub(super) type Parts = BTreeMap<Region, Node>;

impl Regions {
    /// Only the region of all states.
    pub fn new() -> Self {
        Self {
            extents: vec![Extent::Everywhere],
            known: FxHashMap::from_iter([(Extent::Everywhere, EVERYWHERE)]),
            conditions: FxHashMap::default(),
        }
    }

    fn intern(&mut self, extent: Extent) -> Region {
        let next = Region(self.extents.len());
        let region = *self.known.entry(extent.clone()).or_insert(next);
        if region == next {
            self.extents.push(extent);
        }
        region
    }

    /// The states of `whole` for which `condition` holds, or does not hold.
    pub fn side(&mut self, whole: Region, condition: Node, holds: bool) -> Region {
        self.intern(Extent::Side { whole, condition, holds })
    }

    /// The complement of a side in its whole.
    fn other_side(&self, region: Region) -> Option<Region> {
        let Extent::Side { whole, condition, holds } = self.extents[region.0] else { return None };
        self.known.get(&Extent::Side { whole, condition, holds: !holds }).copied()
    }

    fn whole_of(&self, region: Region) -> Option<Region> {
        match self.extents[region.0] {
            Extent::Side { whole, .. } => Some(whole),
            Extent::Everywhere | Extent::Union(_) => None,
        }
    }

    /// The union of the given regions.
    pub fn union<'r>(&mut self, regions: impl IntoIterator<Item = &'r Region>) -> Region {
        let mut set = BTreeSet::new();
        for &region in regions {
            self.insert(&mut set, region);
        }
        // A part is contained in its whole. Two sides form their whole, which can contain other parts.
        let mut open: Vec<Region> = set.iter().copied().collect();
        while let Some(region) = open.pop() {
            let is_covered = self.wholes_of(region).any(|whole| set.contains(&whole));
            let other = self.other_side(region).filter(|other| set.contains(other));
            if is_covered {
                set.remove(&region);
            } else if let (Some(other), Some(whole)) = (other, self.whole_of(region)) {
                set.remove(&region);
                set.remove(&other);
                self.insert(&mut set, whole);
                open = set.iter().copied().collect();
            }
        }
        // Two sides can form all states; a part that is cut from a union is then not recognised as contained.
        match set.len() {
            _ if set.contains(&EVERYWHERE) => EVERYWHERE,
            1 => set.pop_first().unwrap_or(EVERYWHERE),
            _ => self.intern(Extent::Union(set.into_iter().collect())),
        }
    }

    fn insert(&self, set: &mut BTreeSet<Region>, region: Region) {
        match &self.extents[region.0] {
            Extent::Union(members) => set.extend(members),
            _ => {
                set.insert(region);
            }
        }
    }

    /// The region that the region is cut from, the next region above, and so on, up to a union.
    fn wholes_of(&self, region: Region) -> impl Iterator<Item = Region> {
        std::iter::successors(self.whole_of(region), |&whole| self.whole_of(whole))
    }

    /// The condition under which a state of `whole` is in `region`; `None` if all are.
    fn condition(&mut self, e: &mut Expressions, region: Region, whole: Region) -> Option<Node> {
        let mut needed = BTreeSet::new();
        let mut open = vec![region];
        while let Some(at) = open.pop() {
            let is_all = at == whole || at == EVERYWHERE;
            if !is_all && !self.conditions.contains_key(&(at, whole)) && needed.insert(at) {
                match &self.extents[at.0] {
                    Extent::Everywhere => {}
                    Extent::Side { whole: above, .. } => open.push(*above),
                    Extent::Union(members) => open.extend(members),
                }
            }
        }
        // The regions that define a region come before it.
        for at in needed {
            let known = |part: &Region| self.conditions.get(&(*part, whole)).copied().flatten();
            let condition = match &self.extents[at.0] {
                Extent::Everywhere => None,
                Extent::Side { whole: above, condition, holds } => {
                    let own = if *holds { *condition } else { e.not(*condition) };
                    Some(known(above).map_or(own, |above| e.and(above, own)))
                }
                // All states, if any member has all of them.
                Extent::Union(members) => {
                    let all: Option<Vec<Node>> = members.iter().map(known).collect();
                    all.and_then(|all| all.into_iter().reduce(|any, next| e.or(any, next)))
                }
            };
            self.conditions.insert((at, whole), condition);
        }
        self.conditions.get(&(region, whole)).copied().flatten()
    }

    /// The sum of the contributions to a cotangent, correct in all of `whole`, which contains their union.
    pub fn merge(&mut self, e: &mut Expressions, mut parts: Parts, whole: Region, zero: Node) -> Node {
        // The innermost region first, which is the last one; `whole` is left.
        while let Some((&region, &part)) = parts.iter().rev().find(|&(&region, _)| region != whole) {
            parts.remove(&region);
            let others = parts.keys().any(|&other| other != whole);
            let (into, sum) = match self.extents[region.0] {
                Extent::Side { whole: above, condition, holds } => {
                    let other = self.other_side(region).and_then(|other| parts.remove(&other));
                    if other.is_some() || above == whole || (others && !self.is_union(above)) {
                        let other = other.unwrap_or(zero);
                        let (x, y) = if holds { (part, other) } else { (other, part) };
                        (above, e.select(condition, x, y))
                    } else {
                        (whole, self.within(e, region, whole, part, zero))
                    }
                }
                // Correct everywhere, and therefore in the whole.
                Extent::Everywhere => (whole, part),
                Extent::Union(_) => (whole, self.within(e, region, whole, part, zero)),
            };
            let sum = parts.get(&into).map_or(sum, |&before| e.add(before, sum));
            parts.insert(into, sum);
        }
        parts.remove(&whole).unwrap_or(zero)
    }

    /// A contribution for states of `whole` in its region, zero for all other states.
    fn within(&mut self, e: &mut Expressions, region: Region, whole: Region, part: Node, zero: Node) -> Node {
        match self.condition(e, region, whole) {
            Some(condition) => e.select(condition, part, zero),
            None => part,
        }
    }

    fn is_union(&self, region: Region) -> bool {
        matches!(self.extents[region.0], Extent::Union(_))
    }
}
