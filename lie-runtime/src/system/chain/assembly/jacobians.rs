//! Products with the Jacobian of the constraints.

use super::{Sizes, gather, gather_rows, jacobian_of, scatter, set_rows};
use crate::scalar::Scalar;
use crate::system::chain::{Block, Element, ElementSystem, Structure, Visitor};

/// B v, element by element.
pub(in crate::system::chain) struct Times<'a, M: ElementSystem> {
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
            let jacobian = jacobian_of::<M, E>(self.structure, self.jacobian, place.element);
            gather::<M, E>(&place, self.v, v.as_mut());
            for (out, row) in local.as_mut().iter_mut().zip(jacobian.chunks_exact(Sizes::<M, E>::COMPONENTS)) {
                *out = row.iter().zip(v.as_ref()).fold(M::Scalar::from_f64(0.0), |sum, (&a, &b)| sum + a * b);
            }
            set_rows::<M, E>(&place, local.as_ref(), self.out);
        }
    }
}

/// Adds factor Bᵀ λ, element by element.
pub(in crate::system::chain) struct TransposeTimes<'a, M: ElementSystem> {
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
            let jacobian = jacobian_of::<M, E>(self.structure, self.jacobian, place.element);
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
