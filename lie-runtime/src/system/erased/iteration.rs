//! The linear systems of implicit methods for a system without its type.

use super::arguments::InputVector;
use super::erasable::Erasable;
use super::value::ErasedValue;
use super::vector::ErasedVector;
use crate::group::CoordinateMap;
use crate::space::LocalPoint;
use crate::system::{IterationCorrection, IterationPoint, IterationResidual, Linearised, MechanicalSystem};

/// A factorisation, with the vectors of its solutions as the system has them.
pub(super) struct FactorisedIteration<M: Linearised> {
    pub factors: M::Factorisation,
    pub residual: IterationResidual<M>,
    pub correction: IterationCorrection<M>,
}

impl<M: Linearised> Clone for FactorisedIteration<M> {
    fn clone(&self) -> Self {
        let IterationResidual { balance, position, velocity } = &self.residual;
        let IterationCorrection { acceleration, increment, multipliers, projection } = &self.correction;
        FactorisedIteration {
            factors: self.factors.clone(),
            residual: IterationResidual {
                balance: balance.clone(),
                position: position.clone(),
                velocity: velocity.clone(),
            },
            correction: IterationCorrection {
                acceleration: acceleration.clone(),
                increment: increment.clone(),
                multipliers: multipliers.clone(),
                projection: projection.clone(),
            },
        }
    }
}

/// The types of a system without its type.
pub(super) trait ErasedTypes:
    MechanicalSystem<
        Scalar = f64,
        Configuration = ErasedValue,
        Velocity = ErasedVector,
        Multipliers = ErasedVector,
        Jacobian = ErasedValue,
    >
{
}

impl<E> ErasedTypes for E where
    E: MechanicalSystem<
            Scalar = f64,
            Configuration = ErasedValue,
            Velocity = ErasedVector,
            Multipliers = ErasedVector,
            Jacobian = ErasedValue,
        >
{
}

pub(super) fn load_residual<E: ErasedTypes, M: Erasable>(from: &IterationResidual<E>, to: &mut IterationResidual<M>) {
    from.balance.load(&mut to.balance);
    from.position.load(&mut to.position);
    from.velocity.load(&mut to.velocity);
}

pub(super) fn store_correction<E: ErasedTypes, M: Erasable>(
    from: &IterationCorrection<M>,
    to: &mut IterationCorrection<E>,
) {
    to.acceleration.store(&from.acceleration);
    to.increment.store(&from.increment);
    to.multipliers.store(&from.multipliers);
    to.projection.store(&from.projection);
}

/// A point of linearisation as the system has it.
pub(super) struct TypedPoint<'a, M: MechanicalSystem> {
    v: InputVector<'a, M::Velocity>,
    acceleration: InputVector<'a, M::Velocity>,
    multipliers: InputVector<'a, M::Multipliers>,
    theta: InputVector<'a, M::Velocity>,
    local: Option<(&'a CoordinateMap, [InputVector<'a, M::Velocity>; 3])>,
}

impl<'a, M: Erasable> TypedPoint<'a, M> {
    pub fn of<E: ErasedTypes>(system: &M, point: &IterationPoint<'a, E>) -> Self {
        let vector = |vector: &'a ErasedVector| InputVector::of(vector, || system.zero_velocity());
        TypedPoint {
            v: vector(point.v),
            acceleration: vector(point.acceleration),
            multipliers: InputVector::of(point.multipliers, || system.zero_multipliers()),
            theta: vector(point.theta),
            local: point.local.map(|local| (local.map, [local.x, local.rate, local.second].map(vector))),
        }
    }

    pub fn point<'p, E: ErasedTypes>(&'p self, point: &'p IterationPoint<'a, E>) -> IterationPoint<'p, M> {
        IterationPoint {
            t: point.t,
            q: point.q.get(),
            v: &self.v,
            acceleration: &self.acceleration,
            multipliers: &self.multipliers,
            theta: &self.theta,
            local: self.local.as_ref().map(|(map, [x, rate, second])| LocalPoint {
                map,
                x: &**x,
                rate: &**rate,
                second: &**second,
            }),
            reactions: point.reactions.map(ErasedValue::get),
        }
    }
}
