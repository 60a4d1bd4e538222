//! Momenta of systems of elements: what variational methods need.

use nalgebra::DVector;

use super::assembly::{Momentum, Point};
use super::{Dynamics, ElementSystem};
use crate::scalar::Scalar;
use crate::system::Covectors;

impl<M: ElementSystem> Covectors for M {
    fn momentum(
        &self,
        t: M::Scalar,
        q: &<M as ElementSystem>::Configuration,
        v: &DVector<M::Scalar>,
        out: &mut DVector<M::Scalar>,
    ) {
        out.fill(M::Scalar::from_f64(0.0));
        let point = Point { system: self, t, q };
        self.visit(&mut Momentum { point, v: v.as_slice(), out: out.as_mut_slice() });
        M::Dynamics::add_momentum(self, t, q, v.as_slice(), out.as_mut_slice());
    }
}
