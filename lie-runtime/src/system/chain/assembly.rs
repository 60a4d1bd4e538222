//! Loops over the elements: gather the local velocity, call the kernel, add what it gives.

use core::marker::PhantomData;

use super::layout::CLAMPED;
use super::{Block, Element, ElementSystem, Place, Structure, Visitor};
use crate::scalar::Scalar;

/// The sizes of a kind of elements, as constants.
pub(super) struct Sizes<M, E>(PhantomData<(M, E)>);

const fn sum(terms: &[usize]) -> usize {
    let (mut total, mut at) = (0, 0);
    while at < terms.len() {
        total += terms[at];
        at += 1;
    }
    total
}

impl<M: ElementSystem, E: Element<M>> Sizes<M, E> {
    /// Components of a local velocity.
    pub const COMPONENTS: usize = sum(E::SLOTS);
    /// Constraint rows.
    pub const ROWS: usize = sum(E::SEGMENTS);
}

/// The components of the slots; zeros of clamped ones.
#[inline]
pub(super) fn gather<M: ElementSystem, E: Element<M>>(
    place: &Place<'_>,
    global: &[M::Scalar],
    local: &mut [M::Scalar],
) {
    let mut at = 0;
    for (&size, &offset) in E::SLOTS.iter().zip(place.offsets) {
        let slot = &mut local[at..at + size];
        if offset == CLAMPED {
            slot.fill(num_traits::Zero::zero());
        } else {
            slot.copy_from_slice(&global[offset..offset + size]);
        }
        at += size;
    }
}

/// Adds the components of the free slots.
#[inline]
pub(super) fn scatter<M: ElementSystem, E: Element<M>>(
    place: &Place<'_>,
    local: &[M::Scalar],
    global: &mut [M::Scalar],
) {
    let mut at = 0;
    for (&size, &offset) in E::SLOTS.iter().zip(place.offsets) {
        if offset != CLAMPED {
            for (sum, &term) in global[offset..offset + size].iter_mut().zip(&local[at..at + size]) {
                *sum += term;
            }
        }
        at += size;
    }
}

/// The constraint rows of an element.
#[inline]
pub(super) fn gather_rows<M: ElementSystem, E: Element<M>>(
    place: &Place<'_>,
    global: &[M::Scalar],
    local: &mut [M::Scalar],
) {
    let mut at = 0;
    for (&rows, &start) in E::SEGMENTS.iter().zip(place.starts) {
        let first = start + place.index * rows;
        local[at..at + rows].copy_from_slice(&global[first..first + rows]);
        at += rows;
    }
}

/// Sets the constraint rows of an element: they are its own.
#[inline]
pub(super) fn set_rows<M: ElementSystem, E: Element<M>>(
    place: &Place<'_>,
    local: &[M::Scalar],
    global: &mut [M::Scalar],
) {
    let mut at = 0;
    for (&rows, &start) in E::SEGMENTS.iter().zip(place.starts) {
        let first = start + place.index * rows;
        global[first..first + rows].copy_from_slice(&local[at..at + rows]);
        at += rows;
    }
}

/// The Jacobian of an element in the flat list.
#[inline]
pub(super) fn jacobian_of<'a, M: ElementSystem, E: Element<M>>(
    structure: &Structure<M::Scalar>,
    jacobian: &'a [M::Scalar],
    element: usize,
) -> &'a [M::Scalar] {
    let size = Sizes::<M, E>::ROWS * Sizes::<M, E>::COMPONENTS;
    &jacobian[structure.jacobian_starts[E::KIND] + element * size..][..size]
}

/// What an element is evaluated at.
pub(super) struct Point<'a, M: ElementSystem> {
    pub system: &'a M,
    pub t: M::Scalar,
    pub q: &'a M::Configuration,
}

impl<M: ElementSystem> Clone for Point<'_, M> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<M: ElementSystem> Copy for Point<'_, M> {}

impl<'a, M: ElementSystem> Point<'a, M> {
    /// The elements of a kind.
    #[inline]
    pub fn places<E: Element<M>>(&self) -> impl Iterator<Item = Place<'a>> + use<'a, M, E> {
        self.system.structure().layout().kinds[E::KIND].places()
    }
}

/// Defines a visitor that holds a [`Point`] and slices.
macro_rules! visitor {
    (
        $(#[$doc:meta])*
        $name:ident { $($field:ident: $type:ty),* } ($self:ident, $E:ident) $body:block
    ) => {
        $(#[$doc])*
        pub(super) struct $name<'a, M: ElementSystem> {
            pub point: Point<'a, M>,
            $(pub $field: $type,)*
        }
        impl<M: ElementSystem> Visitor<M> for $name<'_, M> {
            #[inline]
            fn element<$E: Element<M>>(&mut $self) $body
        }
    };
}

visitor! {
    /// Adds −g.
    Force { v: &'a [M::Scalar], out: &'a mut [M::Scalar] } (self, E) {
        if !E::TERMS.force {
            return;
        }
        let Point { system, t, q } = self.point;
        let (mut v, mut local) = (E::Vector::zeros(), E::Vector::zeros());
        for place in self.point.places::<E>() {
            gather::<M, E>(&place, self.v, v.as_mut());
            E::force(system, &place, t, q, &v, &mut local);
            scatter::<M, E>(&place, local.as_ref(), self.out);
        }
    }
}

visitor! {
    /// Adds M v.
    Momentum { v: &'a [M::Scalar], out: &'a mut [M::Scalar] } (self, E) {
        if !E::TERMS.inertia {
            return;
        }
        let Point { system, t, q } = self.point;
        let (mut v, mut local, mut mass) = (E::Vector::zeros(), E::Vector::zeros(), E::Matrix::zeros());
        for place in self.point.places::<E>() {
            gather::<M, E>(&place, self.v, v.as_mut());
            E::mass(system, &place, t, q, &mut mass);
            for (out, row) in local.as_mut().iter_mut().zip(mass.as_ref().chunks_exact(Sizes::<M, E>::COMPONENTS)) {
                *out = row.iter().zip(v.as_ref()).fold(M::Scalar::from_f64(0.0), |sum, (&a, &b)| sum + a * b);
            }
            scatter::<M, E>(&place, local.as_ref(), self.out);
        }
    }
}

visitor! {
    /// Adds r.
    Residual {
        v: &'a [M::Scalar], acceleration: &'a [M::Scalar], multipliers: &'a [M::Scalar], out: &'a mut [M::Scalar]
    } (self, E) {
        if !(E::TERMS.force || E::TERMS.inertia || Sizes::<M, E>::ROWS > 0) {
            return;
        }
        let Point { system, t, q } = self.point;
        let (mut v, mut acceleration, mut local) = (E::Vector::zeros(), E::Vector::zeros(), E::Vector::zeros());
        let mut multipliers = E::Rows::zeros();
        for place in self.point.places::<E>() {
            gather::<M, E>(&place, self.v, v.as_mut());
            gather::<M, E>(&place, self.acceleration, acceleration.as_mut());
            gather_rows::<M, E>(&place, self.multipliers, multipliers.as_mut());
            E::residual(system, &place, t, q, &v, &acceleration, &multipliers, &mut local);
            scatter::<M, E>(&place, local.as_ref(), self.out);
        }
    }
}

visitor! {
    /// Sets Φ.
    Constraint { out: &'a mut [M::Scalar] } (self, E) {
        if Sizes::<M, E>::ROWS == 0 {
            return;
        }
        let Point { system, t, q } = self.point;
        let mut local = E::Rows::zeros();
        for place in self.point.places::<E>() {
            E::constraint(system, &place, t, q, &mut local);
            set_rows::<M, E>(&place, local.as_ref(), self.out);
        }
    }
}

visitor! {
    /// Sets b.
    Drift { out: &'a mut [M::Scalar] } (self, E) {
        if Sizes::<M, E>::ROWS == 0 {
            return;
        }
        let Point { system, t, q } = self.point;
        let mut local = E::Rows::zeros();
        for place in self.point.places::<E>() {
            E::constraint_drift(system, &place, t, q, &mut local);
            set_rows::<M, E>(&place, local.as_ref(), self.out);
        }
    }
}

visitor! {
    /// Sets the curvature terms.
    Curvature { v: &'a [M::Scalar], out: &'a mut [M::Scalar] } (self, E) {
        if Sizes::<M, E>::ROWS == 0 {
            return;
        }
        let Point { system, t, q } = self.point;
        let (mut v, mut local) = (E::Vector::zeros(), E::Rows::zeros());
        for place in self.point.places::<E>() {
            gather::<M, E>(&place, self.v, v.as_mut());
            E::constraint_curvature(system, &place, t, q, &v, &mut local);
            set_rows::<M, E>(&place, local.as_ref(), self.out);
        }
    }
}

visitor! {
    /// Sets the list of Jacobians.
    Jacobian { out: &'a mut [M::Scalar] } (self, E) {
        if Sizes::<M, E>::ROWS == 0 {
            return;
        }
        let Point { system, t, q } = self.point;
        let size = Sizes::<M, E>::ROWS * Sizes::<M, E>::COMPONENTS;
        let out = &mut self.out[system.structure().jacobian_starts[E::KIND]..];
        let mut local = E::Jacobian::zeros();
        for (place, out) in self.point.places::<E>().zip(out.chunks_exact_mut(size)) {
            E::constraint_jacobian(system, &place, t, q, &mut local);
            out.copy_from_slice(local.as_ref());
        }
    }
}

visitor! {
    /// Adds up both energies.
    Energies { v: Option<&'a [M::Scalar]>, sum: M::Scalar } (self, E) {
        let Point { system, t, q } = self.point;
        let mut local = E::Vector::zeros();
        for place in self.point.places::<E>() {
            match self.v {
                Some(v) if E::TERMS.inertia => {
                    gather::<M, E>(&place, v, local.as_mut());
                    self.sum += E::kinetic_energy(system, &place, t, q, &local);
                }
                Some(_) => {}
                None => self.sum += E::potential_energy(system, &place, t, q),
            }
        }
    }
}

/// B v, element by element.
pub(super) struct Times<'a, M: ElementSystem> {
    pub structure: &'a Structure<M::Scalar>,
    pub jacobian: &'a [M::Scalar],
    pub v: &'a [M::Scalar],
    pub out: &'a mut [M::Scalar],
}

impl<M: ElementSystem> Visitor<M> for Times<'_, M> {
    #[inline]
    fn element<E: Element<M>>(&mut self) {
        if Sizes::<M, E>::ROWS == 0 {
            return;
        }
        let (mut v, mut local) = (E::Vector::zeros(), E::Rows::zeros());
        for place in self.structure.layout().kinds[E::KIND].places() {
            let jacobian = jacobian_of::<M, E>(self.structure, self.jacobian, place.index);
            gather::<M, E>(&place, self.v, v.as_mut());
            for (out, row) in local.as_mut().iter_mut().zip(jacobian.chunks_exact(Sizes::<M, E>::COMPONENTS)) {
                *out = row.iter().zip(v.as_ref()).fold(M::Scalar::from_f64(0.0), |sum, (&a, &b)| sum + a * b);
            }
            set_rows::<M, E>(&place, local.as_ref(), self.out);
        }
    }
}

/// Adds factor Bᵀ λ, element by element.
pub(super) struct TransposeTimes<'a, M: ElementSystem> {
    pub structure: &'a Structure<M::Scalar>,
    pub jacobian: &'a [M::Scalar],
    pub multipliers: &'a [M::Scalar],
    pub factor: M::Scalar,
    pub out: &'a mut [M::Scalar],
}

impl<M: ElementSystem> Visitor<M> for TransposeTimes<'_, M> {
    #[inline]
    fn element<E: Element<M>>(&mut self) {
        if Sizes::<M, E>::ROWS == 0 {
            return;
        }
        let mut multipliers = E::Rows::zeros();
        for place in self.structure.layout().kinds[E::KIND].places() {
            let jacobian = jacobian_of::<M, E>(self.structure, self.jacobian, place.index);
            gather_rows::<M, E>(&place, self.multipliers, multipliers.as_mut());
            let mut local = E::Vector::zeros();
            for (&multiplier, row) in multipliers.as_ref().iter().zip(jacobian.chunks_exact(Sizes::<M, E>::COMPONENTS))
            {
                let multiplier = multiplier * self.factor;
                for (out, &entry) in local.as_mut().iter_mut().zip(row) {
                    *out += multiplier * entry;
                }
            }
            scatter::<M, E>(&place, local.as_ref(), self.out);
        }
    }
}

/// Which matrix of the elements.
pub(super) enum Matrix<'a, S, P> {
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
    /// Sets the list of matrices; zeros of elements that have no such term.
    Matrices { matrix: Matrix<'a, M::Scalar, M>, starts: &'a [usize], out: &'a mut [M::Scalar] } (self, E) {
        let Point { system, t, q } = self.point;
        let size = Sizes::<M, E>::COMPONENTS * Sizes::<M, E>::COMPONENTS;
        if size == 0 {
            return;
        }
        let out = &mut self.out[self.starts[E::KIND]..self.starts[E::KIND + 1]];
        let is_there = match self.matrix {
            Matrix::Mass => E::TERMS.inertia,
            Matrix::Stiffness { .. } => E::TERMS.stiffness,
            Matrix::Damping { .. } => E::TERMS.damping,
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
                Matrix::Mass => E::mass(system, &place, t, q, &mut local),
                Matrix::Stiffness { v, acceleration, multipliers } => {
                    gather::<M, E>(&place, v, local_v.as_mut());
                    gather::<M, E>(&place, acceleration, local_a.as_mut());
                    gather_rows::<M, E>(&place, multipliers, local_m.as_mut());
                    E::stiffness(system, &place, t, q, &local_v, &local_a, &local_m, &mut local);
                }
                Matrix::Damping { v } => {
                    gather::<M, E>(&place, v, local_v.as_mut());
                    E::damping(system, &place, t, q, &local_v, &mut local);
                }
                Matrix::Of(_) => {}
            }
            out.copy_from_slice(local.as_ref());
        }
    }
}

/// The masses of the elements.
pub(super) fn mass<M: ElementSystem>(
    system: &M,
    structure: &Structure<M::Scalar>,
    t: M::Scalar,
    q: &M::Configuration,
    out: &mut [M::Scalar],
) {
    let point = Point { system, t, q };
    system.visit(&mut Matrices { point, matrix: Matrix::Mass, starts: &structure.matrix_starts, out });
}

/// Adds the masses of the elements to the blocks of their members, where no element couples two.
struct MemberMass<'a, M: ElementSystem> {
    point: Point<'a, M>,
    structure: &'a Structure<M::Scalar>,
    out: &'a mut [M::Scalar],
}

impl<M: ElementSystem> Visitor<M> for MemberMass<'_, M> {
    #[inline]
    fn element<E: Element<M>>(&mut self) {
        if !E::TERMS.inertia {
            return;
        }
        let Point { system, t, q } = self.point;
        let components = Sizes::<M, E>::COMPONENTS;
        let mut local = E::Matrix::zeros();
        for place in self.structure.layout().kinds[E::KIND].places() {
            E::mass(system, &place, t, q, &mut local);
            let local = local.as_ref();
            // Slots of one member, as the ends of a chain of one, count together.
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

/// The blocks of the mass matrix, one a member, where no element couples two.
pub(super) fn member_mass<M: ElementSystem>(
    system: &M,
    structure: &Structure<M::Scalar>,
    t: M::Scalar,
    q: &M::Configuration,
    out: &mut [M::Scalar],
) {
    out.fill(num_traits::Zero::zero());
    system.visit(&mut MemberMass { point: Point { system, t, q }, structure, out });
}
