//! The configuration space of a system without its type.

use core::any::Any;
use core::fmt;
use core::ops::Range;
use std::sync::Arc;

use super::arguments::{InputVector, OutputVector};
use super::value::ErasedValue;
use super::vector::ErasedVector;
use crate::group::TangentVector;
use crate::space::{ConfigurationSpace, ForeignLength, LocalPoint, LocalSpace, MemberDefect};

/// A configuration space without its type.
#[derive(Clone)]
pub struct ErasedSpace {
    object: Arc<dyn SpaceObject>,
    zero_velocity: ErasedVector,
}

/// A space with its type.
struct TypedSpace<T>(T);

/// The functions of a space, virtual.
trait SpaceObject: Configurations + Any {
    fn move_state(
        &self,
        state: (&ErasedValue, &ErasedVector),
        xi: (&ErasedVector, &ErasedVector),
        out: (&mut ErasedValue, &mut ErasedVector),
    );
    fn state_rate(
        &self,
        sigma: (&ErasedVector, &ErasedVector),
        direction: (&ErasedVector, &ErasedVector),
        out: (&mut ErasedVector, &mut ErasedVector),
    );
    fn local_motion(&self, point: &LocalPoint<'_, ErasedVector>, out: [&mut ErasedVector; 3]);
}

/// The space of a system.
pub trait TypedConfigurationSpace: LocalSpace<Scalar = f64> + 'static {}

impl<T: LocalSpace<Scalar = f64> + 'static> TypedConfigurationSpace for T {}

impl<T: TypedConfigurationSpace> TypedSpace<T> {
    #[inline]
    fn input<'a>(&self, vector: &'a ErasedVector) -> InputVector<'a, T::Velocity> {
        InputVector::of(vector, || self.0.zero_velocity())
    }
    #[inline]
    fn output<'a>(&self, vector: &'a mut ErasedVector) -> OutputVector<'a, T::Velocity> {
        OutputVector::of(vector, || self.0.zero_velocity())
    }
}

impl<T: TypedConfigurationSpace> SpaceObject for TypedSpace<T> {
    fn move_state(
        &self,
        (q, v): (&ErasedValue, &ErasedVector),
        xi: (&ErasedVector, &ErasedVector),
        out: (&mut ErasedValue, &mut ErasedVector),
    ) {
        let xi = (&*self.input(xi.0), &*self.input(xi.1));
        self.0.move_state((q.get(), &self.input(v)), xi, (out.0.get_mut(), &mut self.output(out.1)));
    }
    fn state_rate(
        &self,
        sigma: (&ErasedVector, &ErasedVector),
        direction: (&ErasedVector, &ErasedVector),
        out: (&mut ErasedVector, &mut ErasedVector),
    ) {
        self.0.state_rate(
            (&self.input(sigma.0), &self.input(sigma.1)),
            (&self.input(direction.0), &self.input(direction.1)),
            (&mut self.output(out.0), &mut self.output(out.1)),
        );
    }
    fn local_motion(&self, point: &LocalPoint<'_, ErasedVector>, out: [&mut ErasedVector; 3]) {
        let [x, rate, second] = [point.x, point.rate, point.second].map(|vector| self.input(vector));
        let point = LocalPoint { map: point.map, x: &*x, rate: &*rate, second: &*second };
        self.0.local_motion(&point, out.map(|vector| self.output(vector)).each_mut().map(|vector| &mut **vector));
    }
}

impl ErasedSpace {
    pub(super) fn of<T: TypedConfigurationSpace>(space: &T) -> Self {
        ErasedSpace {
            object: Arc::new(TypedSpace(space.clone())),
            zero_velocity: ErasedVector::of(&space.zero_velocity()),
        }
    }
}

impl fmt::Debug for ErasedSpace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ErasedSpace").field("dof", &self.dof()).finish_non_exhaustive()
    }
}

by_object! {
    /// The functions of a [`ConfigurationSpace`], virtual.
    trait Configurations;
    impl<T: TypedConfigurationSpace> for TypedSpace;
    impl ConfigurationSpace for ErasedSpace {
        type Scalar = f64;
        type Configuration = ErasedValue;
        type Velocity = ErasedVector;

        #[inline]
        fn dof(&self) -> usize {
            self.zero_velocity.component_count()
        }
        fn zero_velocity(&self) -> ErasedVector {
            self.zero_velocity.clone()
        }
        #[inline]
        fn move_state(
            &self,
            state: (&ErasedValue, &ErasedVector),
            xi: (&ErasedVector, &ErasedVector),
            out: (&mut ErasedValue, &mut ErasedVector),
        ) {
            self.object.move_state(state, xi, out);
        }
        #[inline]
        fn state_rate(
            &self,
            sigma: (&ErasedVector, &ErasedVector),
            direction: (&ErasedVector, &ErasedVector),
            out: (&mut ErasedVector, &mut ErasedVector),
        ) {
            self.object.state_rate(sigma, direction, out);
        }
    }
    fn compose_exp(q: value, theta: vector, out: value_mut);
    fn compose_exp_at(component: (usize), q: value, theta: vector, out: value_mut);
    fn log_difference(from: value, to: value, out: vector_mut);
    fn tangent(theta: vector, v: vector, out: vector_mut);
    fn tangent_inverse(theta: vector, v: vector, out: vector_mut);
    fn tangent_inverse_transpose(theta: vector, p: vector, out: vector_mut);
    fn coadjoint(v: vector, p: vector, out: vector_mut);
    fn state_direction(q: value, acceleration: vector, out: vector_mut);
    fn extent(q: value) -> f64;
    fn distance(from: value, to: value) -> f64;
    fn remove_spins(q: value, v: vector_mut) -> f64;
    fn renormalize(q: value_mut);
    fn components_of(name: (&str)) -> Option<Range<usize>>;
    fn worst_member(q: value) -> Option<MemberDefect>;
    fn check(q: value) -> Result<(), ForeignLength>;
    fn moves_velocities() -> bool;
    fn is_finite(q: value) -> bool;
}

impl LocalSpace for ErasedSpace {
    fn local_motion(&self, point: &LocalPoint<'_, ErasedVector>, out: [&mut ErasedVector; 3]) {
        self.object.local_motion(point, out);
    }
}
