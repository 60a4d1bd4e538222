//! Where in the space of states a part of an expression counts.
//!
//! A side of a choice counts only where the choice takes it; elsewhere its value, and all the more its slope, may be
//! infinite. Reverse mode therefore knows the region of every cotangent: within it the cotangent is what it is, outside
//! of it it is anything. Where a cotangent leaves its region it is chosen there against zero, once, so that 0·∞ cannot
//! arise and the size of a gradient is proportional to that of the expression.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;

use super::{Expressions, Node};

/// A region, by its position among those known; a part comes after the whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Region(usize);

/// All states.
pub(super) const EVERYWHERE: Region = Region(0);

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Extent {
    Everywhere,
    /// The states of `whole` where the condition holds, or those where it does not.
    Side {
        whole: Region,
        condition: Node,
        holds: bool,
    },
    /// The states of any of these, none of which is a part of another; none is a union itself.
    Union(Vec<Region>),
}

/// The regions of one gradient.
pub(super) struct Regions {
    extents: Vec<Extent>,
    known: FxHashMap<Extent, Region>,
    /// The conditions under which a state of the second region is in the first; `None` where all of them are.
    conditions: FxHashMap<(Region, Region), Option<Node>>,
}

/// The contributions to a cotangent by the regions they come from.
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

    /// The states of `whole` where `condition` holds, or where it does not.
    pub fn side(&mut self, whole: Region, condition: Node, holds: bool) -> Region {
        self.intern(Extent::Side { whole, condition, holds })
    }

    /// The rest of the whole that a side is cut from.
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

    /// The states that are in any of the given regions.
    pub fn union<'r>(&mut self, regions: impl IntoIterator<Item = &'r Region>) -> Region {
        let mut set = BTreeSet::new();
        for &region in regions {
            self.insert(&mut set, region);
        }
        // Parts go where their whole is; two sides make their whole, of which others may be parts.
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
        // Two sides may have made all states, of which a part that is cut from a union is not known to be one.
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

    /// What the region is cut from, that from what it is cut, and so on, as far as unions.
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
        // What a region is made of comes before it.
        for at in needed {
            let known = |part: &Region| self.conditions.get(&(*part, whole)).copied().flatten();
            let condition = match &self.extents[at.0] {
                Extent::Everywhere => None,
                Extent::Side { whole: above, condition, holds } => {
                    let own = if *holds { *condition } else { e.not(*condition) };
                    Some(known(above).map_or(own, |above| e.and(above, own)))
                }
                // All states, as soon as one member has all of them.
                Extent::Union(members) => {
                    let all: Option<Vec<Node>> = members.iter().map(known).collect();
                    all.and_then(|all| all.into_iter().reduce(|any, next| e.or(any, next)))
                }
            };
            self.conditions.insert((at, whole), condition);
        }
        self.conditions.get(&(region, whole)).copied().flatten()
    }

    /// The sum of the contributions to a cotangent, correct in all of `whole`, which is their union or more.
    pub fn merge(&mut self, e: &mut Expressions, mut parts: Parts, whole: Region, zero: Node) -> Node {
        // The innermost region first, that is the last; `whole` itself waits.
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
                // Correct everywhere, and so in the whole.
                Extent::Everywhere => (whole, part),
                Extent::Union(_) => (whole, self.within(e, region, whole, part, zero)),
            };
            let sum = parts.get(&into).map_or(sum, |&before| e.add(before, sum));
            parts.insert(into, sum);
        }
        parts.remove(&whole).unwrap_or(zero)
    }

    /// A contribution where a state of `whole` is in its region, else zero.
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
