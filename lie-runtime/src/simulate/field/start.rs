//! Where a simulation of an equation of first order starts.

use super::FieldSimulation;
use crate::field::{Canonical, FirstOrder, HamiltonianSystem, Intrinsic, LegendreTransform, VectorField};
use crate::group::LieGroup;
use crate::integrator::{FieldState, MuntheKaas};
use crate::simulate::limits::unobserved;
use crate::simulate::settings::Settings;
use crate::space::{CoordinateMap, Cotangent};

/// An equation of first order of which it is not yet said where it starts.
pub struct FieldStart<'a, F: FirstOrder> {
    system: &'a F::System,
}

impl<'a, F: FirstOrder> FieldSimulation<'a, F> {
    /// Begins the description of a simulation of a system that is read as `F`.
    pub fn reading(system: &'a F::System) -> FieldStart<'a, F> {
        FieldStart { system }
    }
}

impl<'a, V: VectorField> FieldSimulation<'a, Intrinsic<V>> {
    /// Begins the description of a simulation of a vector field.
    #[allow(clippy::new_ret_no_self)] // Where it starts has to be said next.
    pub fn of(field: &'a V) -> FieldStart<'a, Intrinsic<V>> {
        FieldStart { system: field }
    }
}

impl<'a, V: VectorField> FieldStart<'a, Intrinsic<V>> {
    /// Takes local coordinates by the map `C` instead of exp.
    pub fn in_coordinates<C: CoordinateMap<V::Point>>(self, _: C) -> FieldStart<'a, Intrinsic<V, C>> {
        FieldStart { system: self.system }
    }
}

impl<'a, H: HamiltonianSystem> FieldSimulation<'a, Canonical<H>>
where
    <H::Group as LieGroup>::Tangent: LieGroup<Scalar = H::Scalar, Tangent = <H::Group as LieGroup>::Tangent>,
{
    /// Begins the description of a simulation of a Hamiltonian system on T*G.
    pub fn of_hamiltonian(system: &'a H) -> FieldStart<'a, Canonical<H>> {
        FieldStart { system }
    }
}

impl<'a, H: HamiltonianSystem> FieldStart<'a, Canonical<H>>
where
    <H::Group as LieGroup>::Tangent: LieGroup<Scalar = H::Scalar, Tangent = <H::Group as LieGroup>::Tangent>,
{
    /// Starts from a configuration and its momentum as seen from space.
    pub fn starting_from(
        self,
        configuration: H::Group,
        momentum: <H::Group as LieGroup>::Tangent,
    ) -> FieldSimulation<'a, Canonical<H>> {
        self.starting_at(Cotangent { configuration, momentum })
    }
}

impl<'a, H: LegendreTransform> FieldStart<'a, Canonical<H>>
where
    <H::Group as LieGroup>::Tangent: LieGroup<Scalar = H::Scalar, Tangent = <H::Group as LieGroup>::Tangent>,
{
    /// Starts from a configuration and its body velocity; the momentum is that of the Legendre transform.
    pub fn starting_with_velocity(
        self,
        configuration: H::Group,
        velocity: impl Into<<H::Group as LieGroup>::Tangent>,
    ) -> FieldSimulation<'a, Canonical<H>> {
        let momentum = self.system.momentum(&configuration, &velocity.into());
        self.starting_from(configuration, momentum)
    }
}

impl<'a, F: FirstOrder> FieldStart<'a, F> {
    /// Starts from this point.
    pub fn starting_at(self, point: F::Point) -> FieldSimulation<'a, F> {
        FieldSimulation {
            system: self.system,
            initial: FieldState::at(self.system, 0.0, point),
            integrator: MuntheKaas::rkmk54(),
            settings: Settings::none(),
            observer: unobserved,
        }
    }
}
