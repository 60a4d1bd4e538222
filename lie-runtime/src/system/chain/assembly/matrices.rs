//! Mass, tangent stiffness and damping matrices, element by element.

use core::marker::PhantomData;

use super::{ElementSizes, EvaluationPoint, gather, gather_rows, visitor};
use crate::system::chain::layout::CLAMPED;
use crate::system::chain::{ElementSystem, ElementVisitor, Structure};
use crate::system::{Block, Term};

/// A matrix of the elements.
pub(in crate::system::chain) enum Matrix<'a, S, P> {
    Mass,
    Stiffness {
        v: &'a [S],
        acceleration: &'a [S],
        multipliers: &'a [S],
    },
    Damping {
        v: &'a [S],
    },
    #[allow(dead_code)] // Ties the type to the system.
    Of(PhantomData<P>),
}

visitor! {
    /// Sets the list of matrices; zeros for elements without a contribution.
    Matrices { matrix: Matrix<'a, M::Scalar, M>, starts: &'a [usize], out: &'a mut [M::Scalar] } (self, E) {
        let EvaluationPoint { system, t, q } = self.point;
        let size = ElementSizes::<M, E>::COMPONENTS * ElementSizes::<M, E>::COMPONENTS;
        if size == 0 {
            return;
        }
        let out = &mut self.out[self.starts[E::KIND]..self.starts[E::KIND + 1]];
        let is_there = match self.matrix {
            Matrix::Mass => E::CONTRIBUTIONS.inertia,
            Matrix::Stiffness { .. } => E::CONTRIBUTIONS.stiffness,
            Matrix::Damping { .. } => E::CONTRIBUTIONS.damping,
            Matrix::Of(_) => false,
        };
        if !is_there {
            out.fill(num_traits::Zero::zero());
            return;
        }
        let (mut local_v, mut local_a) = (E::Vector::zeros(), E::Vector::zeros());
        let (mut local_m, mut local) = (E::Rows::zeros(), E::Matrix::zeros());
        for (place, out) in self.point.places::<E>().zip(out.chunks_exact_mut(size)) {
            match &self.matrix {
                Matrix::Mass => E::mass_matrix(system, &place, t, q, &mut local),
                Matrix::Stiffness { v, acceleration, multipliers } => {
                    gather::<M, E>(&place, v, local_v.as_mut_slice());
                    gather::<M, E>(&place, acceleration, local_a.as_mut_slice());
                    gather_rows::<M, E>(&place, multipliers, local_m.as_mut_slice());
                    E::tangent_stiffness(system, &place, t, q, &local_v, &local_a, &local_m, &mut local);
                }
                Matrix::Damping { v } => {
                    gather::<M, E>(&place, v, local_v.as_mut_slice());
                    E::tangent_damping(system, &place, t, q, &local_v, &mut local);
                }
                Matrix::Of(_) => {}
            }
            out.copy_from_slice(local.as_slice());
        }
    }
}

/// Computes the mass matrices of the elements.
pub(in crate::system::chain) fn mass<M: ElementSystem>(
    system: &M,
    structure: &Structure<M::Scalar>,
    t: M::Scalar,
    q: &M::Configuration,
    out: &mut [M::Scalar],
) {
    let point = EvaluationPoint { system, t, q };
    system.visit(&mut Matrices { point, matrix: Matrix::Mass, starts: &structure.matrix_starts, out });
}

/// Adds the mass matrices of the elements to the blocks of their members, without coupling between members.
struct MemberMass<'a, M: ElementSystem> {
    point: EvaluationPoint<'a, M>,
    structure: &'a Structure<M::Scalar>,
    out: &'a mut [M::Scalar],
}

impl<M: ElementSystem> ElementVisitor<M> for MemberMass<'_, M> {
    #[inline]
    fn element<E: Term<M>>(&mut self) {
        if const { !E::CONTRIBUTIONS.inertia } {
            return;
        }
        let EvaluationPoint { system, t, q } = self.point;
        let components = ElementSizes::<M, E>::COMPONENTS;
        let mut local = E::Matrix::zeros();
        for place in self.structure.layout().kinds[E::KIND].places() {
            E::mass_matrix(system, &place, t, q, &mut local);
            let local = local.as_slice();
            // Slots of one member, such as the ends of a closed chain with one member, add up.
            let mut row_start = 0;
            for (&rows, &row_offset) in E::SLOTS.iter().zip(place.offsets) {
                let mut column_start = 0;
                for (&columns, &column_offset) in E::SLOTS.iter().zip(place.offsets) {
                    if row_offset == column_offset && row_offset != CLAMPED {
                        let block = self.structure.members[self.structure.member_of[row_offset]].block;
                        for row in 0..rows {
                            let from = (row_start + row) * components + column_start;
                            let to = block + row * columns;
                            for (sum, &term) in self.out[to..to + columns].iter_mut().zip(&local[from..from + columns])
                            {
                                *sum += term;
                            }
                        }
                    }
                    column_start += columns;
                }
                row_start += rows;
            }
        }
    }
}

/// Computes the blocks of a mass matrix without coupling between members.
pub(in crate::system::chain) fn member_mass<M: ElementSystem>(
    system: &M,
    structure: &Structure<M::Scalar>,
    t: M::Scalar,
    q: &M::Configuration,
    out: &mut [M::Scalar],
) {
    out.fill(num_traits::Zero::zero());
    system.visit(&mut MemberMass { point: EvaluationPoint { system, t, q }, structure, out });
}
