//! Initial values of a simulation.

use super::simulation::{Simulation, unobserved};
use crate::field::{
    FirstOrder, HamiltonianProblem, LegendreTransform, MechanicalField, OnCotangent, VectorField, VectorFieldProblem,
};
use crate::integrator::{FieldState, State};
use crate::simulate::motion::{Motion, Simulated};
use crate::simulate::setup::{Options, Settings};
use crate::space::{AlgebraOf, Cotangent, LeftSpace, Retraction};
use crate::system::MechanicalSystem;

/// A simulation builder that still needs initial values.
pub struct Start<'a, P: Simulated> {
    system: &'a P::System,
}

impl<'a, M: MechanicalSystem> Simulation<'a, M> {
    /// Begins a simulation of a mechanical system.
    #[allow(clippy::new_ret_no_self)] // Initial values are required next.
    pub fn of(system: &'a M) -> Start<'a, M> {
        Start { system }
    }
}

impl<'a, P: Simulated> Simulation<'a, P> {
    /// Begins a simulation of any problem, for a mechanical system from the consistent values that are closest to this state.
    pub(crate) fn from_state(system: &'a P::System, initial: P::State) -> Self {
        let mut simulation = Start { system }.restart_from(initial);
        simulation.options.project = true;
        simulation
    }
}

impl<'a, V: VectorField> Simulation<'a, VectorFieldProblem<V>> {
    /// Begins a simulation of a vector field.
    pub fn of_field(field: &'a V) -> Start<'a, VectorFieldProblem<V>> {
        Start { system: field }
    }
}

impl<'a, H: OnCotangent> Simulation<'a, HamiltonianProblem<H>> {
    /// Begins a simulation of a Hamiltonian system on T*G.
    pub fn of_hamiltonian(system: &'a H) -> Start<'a, HamiltonianProblem<H>> {
        Start { system }
    }
}

impl<'a, F: FirstOrder> Simulation<'a, F> {
    /// Begins a simulation of a system in the form of the first-order equations `F`.
    pub fn reading(system: &'a F::System) -> Start<'a, F> {
        Start { system }
    }
}

impl<'a, P: Simulated> Start<'a, P> {
    /// Continues from a state at its time, including λ, as if the run had not been interrupted.
    ///
    /// The constraint residuals of a recorded state may be as large as its run permitted
    /// ([`constraint_tolerance`](Simulation::constraint_tolerance)). Any other state, and a state that was changed or belongs to other
    /// parameters, must be within [`max_initial_correction`](Simulation::max_initial_correction) of the constraint manifold. Otherwise the
    /// run fails with [`ConsistencyError::OffToGoOn`](crate::simulate::ConsistencyError::OffToGoOn).
    ///
    /// The method continues with its [history](crate::integrator::MethodHistory) in the state. If v' and λ are inconsistent with the
    /// system, for example after a change of parameters or in a manually created state, they are computed from the index-1 system and the
    /// method restarts. A change without effect on them in this state, for example of an unloaded spring, is not detected. Call
    /// `state.memory.forget()` in this case.
    pub fn restart_from(self, state: P::State) -> Simulation<'a, P> {
        Simulation {
            system: self.system,
            initial: state,
            integrator: P::State::method(),
            settings: Settings::none(),
            options: Options::none(),
            observer: unobserved,
            controller: None,
            events: Vec::new(),
            audit: None,
        }
    }
}

impl<'a, M: MechanicalSystem> Start<'a, M> {
    /// Sets the initial configuration; all velocities and auxiliary states are zero. See [`initial`](Self::initial).
    pub fn at_rest(self, configuration: impl Into<M::Configuration>) -> Simulation<'a, M> {
        let velocity = self.system.zero_velocity();
        self.initial(configuration, velocity)
    }

    /// Sets the initial configuration and velocity. The run starts from the closest consistent values.
    ///
    /// [`ConsistentValues`](crate::simulate::ConsistentValues) computes the projection. A correction above
    /// [`max_initial_correction`](Simulation::max_initial_correction) is an error.
    #[doc(alias("initial conditions", "initial values", "u0", "y0"))]
    pub fn initial(
        self,
        configuration: impl Into<M::Configuration>,
        velocity: impl Into<M::Velocity>,
    ) -> Simulation<'a, M> {
        let mut state = State::at_rest(self.system, 0.0, configuration.into());
        state.velocity = velocity.into();
        Simulation::from_state(self.system, state)
    }
}

impl<'a, V: VectorField> Start<'a, VectorFieldProblem<V>> {
    /// Sets the map `C` of the local coordinates. Default: exp.
    pub fn in_coordinates<C: Retraction<V::Point>>(self, _: C) -> Start<'a, VectorFieldProblem<V, C>> {
        Start { system: self.system }
    }
}

impl<'a, V: VectorField, C: Retraction<V::Point>> Start<'a, VectorFieldProblem<V, C>> {
    /// Sets the initial point.
    pub fn initial(self, point: V::Point) -> Simulation<'a, VectorFieldProblem<V, C>> {
        let state = FieldState::at(self.system, 0.0, point);
        self.restart_from(state)
    }
}

impl<'a, M: MechanicalSystem> Start<'a, MechanicalField<M>> {
    /// Sets the initial values (q, v) without a projection.
    pub fn initial(
        self,
        configuration: M::Configuration,
        velocity: impl Into<M::Velocity>,
    ) -> Simulation<'a, MechanicalField<M>> {
        let state = FieldState::at(self.system, 0.0, (configuration, velocity.into()));
        self.restart_from(state)
    }
}

impl<'a, H: OnCotangent> Start<'a, HamiltonianProblem<H>> {
    /// Sets the initial configuration and momentum, in spatial components.
    pub fn initial_momentum(
        self,
        configuration: H::Point,
        momentum: AlgebraOf<H::Point>,
    ) -> Simulation<'a, HamiltonianProblem<H>> {
        let state = FieldState::at(self.system, 0.0, Cotangent { configuration, momentum });
        self.restart_from(state)
    }
}

impl<'a, H: LegendreTransform + OnCotangent> Start<'a, HamiltonianProblem<H>> {
    /// Sets the initial configuration and body velocity. The Legendre transform computes the momentum. The rotation of a
    /// [sphere](crate::space::S2) member about its own direction is removed.
    pub fn initial_velocity(
        self,
        configuration: H::Point,
        velocity: impl Into<AlgebraOf<H::Point>>,
    ) -> Simulation<'a, HamiltonianProblem<H>> {
        let mut velocity = velocity.into();
        self.system.left_space().remove_spins(&configuration, &mut velocity);
        let momentum = self.system.momentum(&configuration, &velocity);
        self.initial_momentum(configuration, momentum)
    }
}
