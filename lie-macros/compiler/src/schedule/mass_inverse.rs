//! M⁻¹ as it is stored, block by block: entries, or the factors of a sparse elimination.
//!
//! A block that is not constant is eliminated component by component, M = Lᵀ D L, the tips of a tree first. This elimination has no
//! fill-in, and the cost of factors and solutions is proportional to the number of couplings.
//!
//! Source: R. Featherstone, Efficient factorization of the joint-space inertia matrix for branched kinematic trees, 2005.

use std::collections::{BTreeMap, BTreeSet};

use crate::diff::Inertia;
use crate::expr::{Leaf, position};
use crate::scalar::{Graph, Scalar};

/// Up to this size the inverse has hardly more entries than its factors, and all operations of its product are independent.
const SMALL: usize = 4;

/// Up to this number of updates an elimination is written out. A loop saves more compile time than it loses beyond this number.
const WRITTEN_OUT: usize = 2000;

/// M⁻¹.
pub(crate) struct MassInverse {
    pub blocks: Vec<MassBlockInverse>,
    /// The stored scalars, as kernels read them.
    kept: Vec<Scalar>,
}

/// The inverse of one block of M.
pub(crate) struct MassBlockInverse {
    /// The components in ascending order.
    pub components: Vec<usize>,
    pub kept: BlockStorage,
}

/// The storage of a block.
pub(crate) enum BlockStorage {
    /// Entries (row, column) with row ≤ column, and their positions.
    Entries(BTreeMap<(usize, usize), usize>),
    /// Factors, in the order of the elimination.
    Factors(Vec<EliminationStep>),
}

/// One step of an elimination.
pub(crate) struct EliminationStep {
    /// The eliminated component.
    pub component: usize,
    /// The position of 1/d.
    pub reciprocal: usize,
    /// The remaining components that are coupled to it, and the positions of their entries of L.
    pub coupled: Vec<(usize, usize)>,
}

/// The outputs of the kernel `mass_blocks`, in this order.
#[derive(Default)]
pub(crate) struct MassBlocks {
    /// The entries of M, by row and column, in blocks that the runtime inverts.
    pub entries: Vec<(usize, usize)>,
    /// The stored factors of the other blocks, in the order of their positions.
    pub factors: Vec<Scalar>,
    /// Each pivot, and its diagonal entry before the elimination: a pivot that is lost in the round-off of this entry is an error.
    pub pivots: Vec<[Scalar; 2]>,
}

impl MassBlocks {
    /// All outputs.
    pub fn all(&self, inertia: &Inertia) -> Vec<Scalar> {
        let entries = self.entries.iter().map(|&(row, column)| inertia.mass[row][column]);
        entries.chain(self.factors.iter().copied()).chain(self.pivots.iter().flatten().copied()).collect()
    }
}

impl MassInverse {
    /// Returns the inverse of the blocks of `inertia`.
    pub fn new(inertia: &Inertia, graph: &mut Graph) -> MassInverse {
        let orders = inertia.blocks.iter().map(|block| {
            let is_large = block.len() > SMALL && !inertia.is_constant;
            is_large
                .then(|| order(block, |i, j| !graph.is_zero(inertia.mass[i][j])))
                .filter(|order| updates(order) <= WRITTEN_OUT)
        });
        let orders: Vec<_> = orders.collect();
        // Entries are stored in the order of the kernel `mass_blocks`: blocks can interleave.
        let by_entries = inertia.blocks.iter().zip(&orders).filter(|(_, order)| order.is_none());
        let places: BTreeMap<(usize, usize), usize> =
            by_entries.flat_map(|(block, _)| pairs(block)).collect::<BTreeSet<_>>().into_iter().zip(0..).collect();
        let mut size = places.len();
        let mut next = || {
            size += 1;
            size - 1
        };
        let blocks = inertia.blocks.iter().zip(orders).map(|(block, order)| {
            let kept = match order {
                None => BlockStorage::Entries(pairs(block).map(|pair| (pair, places[&pair])).collect()),
                Some(order) => BlockStorage::Factors(
                    order
                        .into_iter()
                        .map(|(component, coupled)| EliminationStep {
                            component,
                            reciprocal: next(),
                            coupled: coupled.into_iter().map(|other| (other, next())).collect(),
                        })
                        .collect(),
                ),
            };
            MassBlockInverse { components: block.clone(), kept }
        });
        let blocks = blocks.collect();
        let kept = (0..size).map(|place| graph.leaf(Leaf::MassInverse(position(place)), 0)).collect();
        MassInverse { blocks, kept }
    }

    /// The number of stored scalars.
    pub fn size(&self) -> usize {
        self.kept.len()
    }

    /// The outputs of the kernel from which M⁻¹ is stored.
    pub fn outputs(&self, inertia: &Inertia, graph: &mut Graph) -> MassBlocks {
        let mut outputs = MassBlocks::default();
        for MassBlockInverse { components, kept } in &self.blocks {
            match kept {
                BlockStorage::Entries(_) => outputs.entries.extend(pairs(components)),
                BlockStorage::Factors(pivots) => eliminate(graph, pivots, &inertia.mass, &mut outputs),
            }
        }
        outputs.entries.sort_unstable();
        outputs
    }

    /// M⁻¹ times a vector.
    pub fn times(&self, graph: &mut Graph, vector: &[Scalar]) -> Vec<Scalar> {
        let mut result = vector.to_vec();
        for MassBlockInverse { components, kept } in &self.blocks {
            match kept {
                BlockStorage::Entries(places) => {
                    let right: Vec<Scalar> = components.iter().map(|&component| vector[component]).collect();
                    for &row in components {
                        let entry = |&column: &usize| self.kept[places[&(row.min(column), row.max(column))]];
                        let line: Vec<Scalar> = components.iter().map(entry).collect();
                        result[row] = graph.dot(&line, &right);
                    }
                }
                BlockStorage::Factors(pivots) => solve(graph, pivots, &self.kept, &mut result),
            }
        }
        result
    }
}

/// Eliminates a block of `mass`: M = Lᵀ D L.
fn eliminate(graph: &mut Graph, pivots: &[EliminationStep], mass: &[Vec<Scalar>], outputs: &mut MassBlocks) {
    let pair = |i: usize, j: usize| (i.min(j), i.max(j));
    let components = || pivots.iter().map(|step| step.component);
    let places = components().flat_map(|i| components().map(move |j| (i, j)));
    let mut rest: BTreeMap<(usize, usize), Scalar> = places.map(|(i, j)| ((i, j), mass[i][j])).collect();
    let one = graph.number(1.0);
    for EliminationStep { component, coupled, .. } in pivots {
        let pivot = rest[&(*component, *component)];
        let reciprocal = graph.div(one, pivot);
        outputs.pivots.push([pivot, mass[*component][*component]]);
        outputs.factors.push(reciprocal);
        for (at, &(i, _)) in coupled.iter().enumerate() {
            let factor = graph.mul(rest[&pair(i, *component)], reciprocal);
            outputs.factors.push(factor);
            for &(j, _) in &coupled[at..] {
                let part = graph.mul(factor, rest[&pair(j, *component)]);
                let updated = graph.sub(rest[&pair(i, j)], part);
                rest.insert(pair(i, j), updated);
            }
        }
    }
}

/// Solves Lᵀ D L x = `x` in place.
fn solve(graph: &mut Graph, pivots: &[EliminationStep], kept: &[Scalar], x: &mut [Scalar]) {
    for EliminationStep { component, coupled, .. } in pivots {
        for &(other, place) in coupled {
            let part = graph.mul(kept[place], x[*component]);
            x[other] = graph.sub(x[other], part);
        }
    }
    for EliminationStep { component, reciprocal, coupled } in pivots.iter().rev() {
        x[*component] = graph.mul(kept[*reciprocal], x[*component]);
        for &(other, place) in coupled {
            let part = graph.mul(kept[place], x[other]);
            x[*component] = graph.sub(x[*component], part);
        }
    }
}

/// The pairs (row, column) of a block with row ≤ column.
fn pairs(block: &[usize]) -> impl Iterator<Item = (usize, usize)> {
    block.iter().enumerate().flat_map(|(at, &row)| block[at..].iter().map(move |&column| (row, column)))
}

/// An elimination order, and the components that each one is then coupled to: always a component with the fewest couplings, and the last of
/// equals.
fn order(block: &[usize], is_coupled: impl Fn(usize, usize) -> bool) -> Vec<(usize, Vec<usize>)> {
    let neighbours = |&i: &usize| block.iter().copied().filter(|&j| j != i && is_coupled(i, j)).collect();
    let mut left: BTreeMap<usize, BTreeSet<usize>> = block.iter().map(|i| (*i, neighbours(i))).collect();
    let mut order = Vec::with_capacity(block.len());
    while let Some(next) = left.iter().rev().min_by_key(|(_, coupled)| coupled.len()).map(|(&next, _)| next) {
        let coupled = left.remove(&next).unwrap_or_default();
        for i in &coupled {
            if let Some(others) = left.get_mut(i) {
                others.remove(&next);
                others.extend(coupled.iter().filter(|&other| other != i));
            }
        }
        order.push((next, coupled.into_iter().collect()));
    }
    order
}

/// The number of entries that change in an elimination.
fn updates(order: &[(usize, Vec<usize>)]) -> usize {
    order.iter().map(|(_, coupled)| coupled.len() * (coupled.len() + 1) / 2).sum()
}

#[cfg(test)]
#[path = "../../tests/unit/mass_inverse.rs"]
mod tests;
