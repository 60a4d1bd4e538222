//! [`Coupling`]: linear systems whose matrix is computed column by column, with a coloring of the columns.

use super::ElementSystem;
use super::element_shape::{FreeMember, free_members, graph};
use super::elimination_order::Unknown;
use super::system_matrix::{BlockPosition, SystemMatrix};
use crate::solve::{PivotError, solve_dense};

/// A square matrix that is computed by its columns, all columns of one colour at once (compressed differentiation), and
/// its solver.
///
/// No equation depends on two components of one colour, so that one directional derivative yields all columns of a
/// colour. Over chains the number of colours is the number of components of a member and its adjacent members,
/// independent of the length of the chain. The elimination is the banded or sparse elimination of implicit methods.
#[derive(Clone, Debug)]
pub struct Coupling {
    colours: Vec<Vec<usize>>,
    form: CouplingMatrix,
}

#[derive(Clone, Debug)]
enum CouplingMatrix {
    /// By rows.
    Dense(Vec<f64>),
    Sparse(Box<SparseCoupling>),
}

#[derive(Clone, Debug)]
struct SparseCoupling {
    members: Vec<FreeMember>,
    member_of: Vec<usize>,
    /// The members that share an element with each member, itself included.
    neighbours: Vec<Vec<usize>>,
    /// The start of the entries of each column: one block for each adjacent member.
    starts: Vec<usize>,
    entries: Vec<f64>,
    /// The position of each member in the matrix.
    positions: Vec<usize>,
    labels: Vec<Unknown>,
    matrix: SystemMatrix<f64>,
    unknowns: Vec<f64>,
}

impl Coupling {
    /// Creates the coupling of components that all depend on each other.
    pub fn dense() -> Self {
        Coupling { colours: Vec::new(), form: CouplingMatrix::Dense(Vec::new()) }
    }

    /// Creates the coupling by the elements of a system.
    pub fn of_elements<M: ElementSystem>(system: &M) -> Self {
        let structure = system.structure();
        let (members, member_of) = (structure.members.clone(), structure.member_of.clone());
        let kinds = structure.layout().kinds.iter();
        let cliques = kinds.flat_map(|kind| kind.places().map(|place| free_members(&place, &member_of).collect()));
        let mut neighbours = graph(members.len(), cliques);
        for (member, list) in neighbours.iter_mut().enumerate() {
            list.insert(list.partition_point(|&other| other < member), member);
        }
        let mut starts = Vec::with_capacity(member_of.len());
        let mut length = 0;
        for &member in &member_of {
            starts.push(length);
            length += neighbours[member].iter().map(|&row| members[row].dimension).sum::<usize>();
        }
        let order = &structure.kkt;
        let colours = coloured(&members, &neighbours);
        let elements = SparseCoupling {
            starts,
            entries: vec![0.0; length],
            positions: order.members.clone(),
            labels: order.unknowns.clone(),
            matrix: order.pattern.matrix(),
            unknowns: vec![0.0; member_of.len()],
            members,
            member_of,
            neighbours,
        };
        Coupling { colours, form: CouplingMatrix::Sparse(Box::new(elements)) }
    }

    /// Sets the number of unknowns of a dense coupling.
    #[must_use]
    pub fn of_size(self, size: usize) -> Self {
        match self.form {
            CouplingMatrix::Dense(_) => Coupling {
                colours: (0..size).map(|at| vec![at]).collect(),
                form: CouplingMatrix::Dense(vec![0.0; size * size]),
            },
            CouplingMatrix::Sparse(_) => self,
        }
    }

    /// Returns the number of colours.
    pub fn colours(&self) -> usize {
        self.colours.len()
    }

    /// Returns the components of a colour.
    pub fn colour(&self, colour: usize) -> &[usize] {
        &self.colours[colour]
    }

    /// Sets the columns of a colour: `entry` returns the derivative of each equation along all its components at once.
    pub fn set(&mut self, colour: usize, entry: impl Fn(usize) -> f64) {
        for &column in &self.colours[colour] {
            match &mut self.form {
                CouplingMatrix::Dense(jacobian) => {
                    let size = self.colours.len();
                    for row in 0..size {
                        jacobian[row * size + column] = entry(row);
                    }
                }
                CouplingMatrix::Sparse(elements) => {
                    let SparseCoupling { members, member_of, neighbours, starts, entries, .. } = &mut **elements;
                    let mut at = starts[column];
                    for &row in &neighbours[member_of[column]] {
                        let FreeMember { offset, dimension, .. } = members[row];
                        for (out, row) in entries[at..at + dimension].iter_mut().zip(offset..) {
                            *out = entry(row);
                        }
                        at += dimension;
                    }
                }
            }
        }
    }

    /// Factorises the matrix and solves.
    ///
    /// # Errors
    /// [`PivotError`] for a singular matrix.
    pub fn solve(&mut self, right_hand_side: &mut [f64]) -> Result<(), PivotError> {
        match &mut self.form {
            CouplingMatrix::Dense(jacobian) => {
                solve_dense(jacobian, right_hand_side).map_err(|row| PivotError::Singular { row })
            }
            CouplingMatrix::Sparse(elements) => elements.solve(right_hand_side),
        }
    }
}

impl SparseCoupling {
    fn solve(&mut self, right_hand_side: &mut [f64]) -> Result<(), PivotError> {
        let SparseCoupling { members, neighbours, starts, entries, positions, labels, matrix, unknowns, .. } = self;
        matrix.factorise(|matrix| {
            for (member, neighbours) in neighbours.iter().enumerate() {
                let FreeMember { offset, dimension: columns, .. } = members[member];
                let mut first = 0;
                for &row in neighbours {
                    let at = BlockPosition {
                        row: positions[row],
                        column: positions[member],
                        rows: members[row].dimension,
                        columns,
                    };
                    matrix.add_block(at, |i, j| entries[starts[offset + j] + first + i]);
                    first += members[row].dimension;
                }
            }
        })?;
        let component = |label: &Unknown| match label {
            Unknown::Component(component) => Some(*component),
            _ => None,
        };
        for (unknown, label) in unknowns.iter_mut().zip(&*labels) {
            *unknown = component(label).map_or(0.0, |component| right_hand_side[component]);
        }
        matrix.solve(unknowns);
        for (unknown, label) in unknowns.iter().zip(&*labels) {
            if let Some(component) = component(label) {
                right_hand_side[component] = *unknown;
            }
        }
        Ok(())
    }
}

/// Returns sets of components such that no equation contains two components of one set: greedy coloring of the members.
fn coloured(members: &[FreeMember], neighbours: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let mut used_colours: Vec<Vec<bool>> = vec![Vec::new(); members.len()];
    let mut colours: Vec<Vec<usize>> = Vec::new();
    for (member, around) in neighbours.iter().enumerate() {
        let is_free = |colour: usize| around.iter().all(|&row| used_colours[row].get(colour) != Some(&true));
        let colour = (0..=members.len()).find(|&colour| is_free(colour)).unwrap_or(0);
        for &row in around {
            if used_colours[row].len() <= colour {
                used_colours[row].resize(colour + 1, false);
            }
            used_colours[row][colour] = true;
        }
        if colours.len() <= colour {
            colours.resize(colour + 1, Vec::new());
        }
        colours[colour].push(member);
    }
    let largest = members.iter().map(|member| member.dimension).max().unwrap_or(0);
    let components = colours.iter().flat_map(|colour| {
        (0..largest).map(|at| {
            let own = colour.iter().map(|&member| &members[member]).filter(|member| at < member.dimension);
            own.map(|member| member.offset + at).collect::<Vec<usize>>()
        })
    });
    components.filter(|components| !components.is_empty()).collect()
}
