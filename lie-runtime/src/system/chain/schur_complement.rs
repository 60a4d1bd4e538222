//! The Schur complement B₂ M⁻¹ B₁ᵀ for a mass matrix without coupling between members.

use super::Layout;
use super::element_shape::{ElementShape, free_members, graph};
use super::layout::CLAMPED;
use crate::scalar::Scalar;
use crate::solve::{BandedLu, reverse_cuthill_mckee};

/// Two elements that share a member, in slots of two kinds.
#[derive(Clone, Copy, Debug)]
struct BlockPair {
    /// The start of the slot's columns in the list of Jacobians B₂.
    row: u32,
    /// The start of the other slot's columns in the list of rows B₁ M⁻¹.
    column: u32,
    /// The position of the rows.
    row_position: u32,
    /// The position of the columns.
    column_position: u32,
}

/// All pairs of elements of two kinds, in one slot of each.
#[derive(Clone, Debug)]
struct BlockPairs {
    /// The number of rows and of components of an element of the first kind.
    rows: [usize; 2],
    /// The number of rows and of components of an element of the second kind.
    columns: [usize; 2],
    /// The dimension of the slot.
    dimension: usize,
    list: Vec<BlockPair>,
}

/// The plan of the Schur complement: the products of blocks, and the order of its rows.
#[derive(Clone, Debug, Default)]
pub(super) struct SchurPlan {
    /// The global row at each position.
    pub rows: Vec<usize>,
    /// The envelope.
    pub reach: Vec<usize>,
    pairs: Vec<BlockPairs>,
}

/// A slot of an element with constraints, at its member.
#[derive(Clone, Copy)]
struct SlotIncidence {
    kind: usize,
    slot: usize,
    /// The start of its columns in the list of Jacobians.
    start: usize,
    /// The number of the element among the elements with constraints.
    instance: usize,
}

impl SchurPlan {
    pub(super) fn new(layout: &Layout, shapes: &[ElementShape], member_of: &[usize], starts: &[usize]) -> Self {
        let members = member_of.last().map_or(0, |last| last + 1);
        let mut incidence: Vec<Vec<SlotIncidence>> = vec![Vec::new(); members];
        // (kind, element) of each instance.
        let mut instances = Vec::new();
        for (number, (kind, shape)) in layout.kinds.iter().zip(shapes).enumerate() {
            for place in kind.places().filter(|_| shape.rows > 0) {
                let mut start = starts[number] + place.element * shape.rows * shape.components;
                for (slot, (&offset, &size)) in place.offsets.iter().zip(shape.slots).enumerate() {
                    if offset != CLAMPED {
                        let instance = instances.len();
                        incidence[member_of[offset]].push(SlotIncidence { kind: number, slot, start, instance });
                    }
                    start += size;
                }
                instances.push((number, place.element));
            }
        }
        let cliques = incidence.iter().map(|list| {
            let mut clique: Vec<usize> = list.iter().map(|incidence| incidence.instance).collect();
            clique.dedup();
            clique
        });
        let sequence = reverse_cuthill_mckee(&graph(instances.len(), cliques));
        let mut plan = SchurPlan::default();
        let mut positions = vec![0; instances.len()];
        for &instance in &sequence {
            let (kind, element) = instances[instance];
            positions[instance] = plan.rows.len();
            plan.rows.extend(shapes[kind].global_rows(&layout.kinds[kind].place(element)));
        }
        plan.reach = vec![0; plan.rows.len()];
        for (instance, &(kind, element)) in instances.iter().enumerate() {
            // An element without free members has no pair.
            let rows = shapes[kind].rows;
            let own = free_members(&layout.kinds[kind].place(element), member_of);
            let end = own
                .flat_map(|member| &incidence[member])
                .map(|other| positions[other.instance] + shapes[other.kind].rows)
                .max()
                .unwrap_or(0)
                .max(positions[instance] + rows);
            for position in positions[instance]..positions[instance] + rows {
                plan.reach[position] = plan.reach[position].max(end - 1 - position);
            }
        }
        plan.collect(&incidence, shapes, &positions);
        plan
    }

    fn collect(&mut self, incidence: &[Vec<SlotIncidence>], shapes: &[ElementShape], positions: &[usize]) {
        let number = |value: usize| u32::try_from(value).unwrap_or(u32::MAX);
        let mut groups: Vec<([usize; 4], BlockPairs)> = Vec::new();
        for list in incidence {
            for row in list {
                for column in list {
                    let key = [row.kind, row.slot, column.kind, column.slot];
                    let at = groups.iter().position(|(known, _)| *known == key).unwrap_or_else(|| {
                        let sizes = |kind: usize| [shapes[kind].rows, shapes[kind].components];
                        let (rows, columns) = (sizes(row.kind), sizes(column.kind));
                        let dimension = shapes[row.kind].slots[row.slot];
                        groups.push((key, BlockPairs { rows, columns, dimension, list: Vec::new() }));
                        groups.len() - 1
                    });
                    groups[at].1.list.push(BlockPair {
                        row: number(row.start),
                        column: number(column.start),
                        row_position: number(positions[row.instance]),
                        column_position: number(positions[column.instance]),
                    });
                }
            }
        }
        self.pairs = groups.into_iter().map(|(_, pairs)| pairs).collect();
    }

    /// Adds B₂ Zᵀ to the band, Z = B₁ M⁻¹.
    #[inline]
    pub(super) fn assemble<S: Scalar>(&self, jacobian: &[S], weighted: &[S], band: &mut BandedLu<S>) {
        for pairs in &self.pairs {
            match (pairs.rows[0], pairs.columns[0], pairs.dimension) {
                (1, 1, 3) => pairs.add::<S, 1, 1, 3>(jacobian, weighted, band),
                (1, 1, 6) => pairs.add::<S, 1, 1, 6>(jacobian, weighted, band),
                (2, 2, 6) => pairs.add::<S, 2, 2, 6>(jacobian, weighted, band),
                (3, 3, 3) => pairs.add::<S, 3, 3, 3>(jacobian, weighted, band),
                (3, 3, 6) => pairs.add::<S, 3, 3, 6>(jacobian, weighted, band),
                (5, 5, 6) => pairs.add::<S, 5, 5, 6>(jacobian, weighted, band),
                (6, 6, 6) => pairs.add::<S, 6, 6, 6>(jacobian, weighted, band),
                _ => pairs.add_any(jacobian, weighted, band),
            }
        }
    }
}

impl BlockPairs {
    /// Adds products of R × D and D × C blocks.
    #[inline]
    fn add<S: Scalar, const R: usize, const C: usize, const D: usize>(
        &self,
        jacobian: &[S],
        weighted: &[S],
        band: &mut BandedLu<S>,
    ) {
        let (row_step, column_step, stride) = (self.rows[1], self.columns[1], band.stride());
        for pair in &self.list {
            let rows = &jacobian[pair.row as usize..][..(R - 1) * row_step + D];
            let columns = &weighted[pair.column as usize..][..(C - 1) * column_step + D];
            let position = band.position(pair.row_position as usize, pair.column_position as usize);
            let out = &mut band.values_mut()[position..][..(R - 1) * stride + C];
            for row in 0..R {
                let a = &rows[row * row_step..][..D];
                for column in 0..C {
                    let b = &columns[column * column_step..][..D];
                    let mut sum = a[0] * b[0];
                    for k in 1..D {
                        sum += a[k] * b[k];
                    }
                    out[row * stride + column] += sum;
                }
            }
        }
    }

    /// Adds products of blocks of any size.
    fn add_any<S: Scalar>(&self, jacobian: &[S], weighted: &[S], band: &mut BandedLu<S>) {
        let dimension = self.dimension;
        for pair in &self.list {
            for row in 0..self.rows[0] {
                let a = &jacobian[pair.row as usize + row * self.rows[1]..][..dimension];
                for column in 0..self.columns[0] {
                    let b = &weighted[pair.column as usize + column * self.columns[1]..][..dimension];
                    let sum = a.iter().zip(b).fold(S::zero(), |sum, (&a, &b)| sum + a * b);
                    band.add(pair.row_position as usize + row, pair.column_position as usize + column, sum);
                }
            }
        }
    }
}
