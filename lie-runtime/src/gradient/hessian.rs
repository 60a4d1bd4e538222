//! Second derivatives: the reverse pass on dual numbers.
//!
//! The gradient g of an objective is a function of the parameters and initial values. The run and its reverse pass on dual numbers along
//! d have H d as the dual part of g. It needs no additional kernels: the reverse-mode kernels are generic over the scalar type.
//!
//! The coordinates of configurations are x in q₀ exp(x). The gradient at q₀ exp(ε d) is g(ε) in the algebra, and T(ε d)ᵀ g(ε) with
//! respect to x. The Hessian H in these coordinates at x = 0 is symmetric.

use core::ops::ControlFlow;

use nalgebra::DMatrix;

use super::adjoint::{Adjoint, Derivatives, Gradient, gone_back, names_of, recorded};
use super::adjoint_state::AdjointState;
use super::direction::Moves;
use super::error::GradientError;
use super::lifting::{lowered, moved, turn};
use super::{Direction, Objective, Variable};
use crate::integrator::State;
use crate::scalar::Dual;
use crate::simulate::{DualToPlain, Simulation};
use crate::space::ReverseSpace;
use crate::system::{MechanicalSystem, Reverse, TangentSystem};

/// A gradient and its directional derivative.
pub struct HessianProduct<M: TangentSystem> {
    /// ∂J.
    pub gradient: Gradient<M>,
    /// ∂²J times the direction, with the accessors of the gradient.
    pub product: Derivatives<M>,
}

/// A gradient and its derivatives with respect to a few variables.
pub struct Hessian<M: TangentSystem> {
    /// The names of the variables, by components.
    pub names: Vec<String>,
    /// ∂J.
    pub gradient: Gradient<M>,
    /// ∂²J with respect to each of the names and to all variables: one gradient for each name.
    pub columns: Vec<Derivatives<M>>,
    /// ∂²J with respect to the names; symmetric up to round-off.
    pub matrix: DMatrix<f64>,
}

impl<M: TangentSystem, I, O> Simulation<'_, M, I, O> {
    /// Computes the gradient of an objective and a Hessian-vector product, for Newton's method and trust-region methods. It costs a run
    /// and its reverse pass [on dual numbers](crate::scalar::Dual), for any number of parameters.
    ///
    /// The objective is an objective of the system on dual numbers, `Objective::<rod::System<Dual<f64>>>`, and its states are dual
    /// numbers over these. Closures need no change; constants are `Dual::constant(0.3)`. The conditions of
    /// [`gradient_of`](Simulation::gradient_of) apply. Directions need not satisfy the constraints: moved initial values are projected.
    ///
    /// # Errors
    /// [`GradientError`] if a part of the run has no second derivatives, or the run did not reach its end.
    pub fn hessian_times(
        mut self,
        objective: &Objective<'_, M::Lifted>,
        along: &Direction,
    ) -> Result<HessianProduct<M>, Box<GradientError<M>>>
    where
        M: Reverse<Scalar = f64> + TangentSystem<Lifted: Reverse> + 'static,
        I: Adjoint<M> + Adjoint<M::Lifted> + Clone,
        O: FnMut(&State<M>) -> ControlFlow<()>,
    {
        let moves = along.moves(self.system).map_err(|error| Box::new(GradientError::Direction(error)))?;
        self.product(objective, &moves, false)
    }

    /// Computes the gradient of an objective and its second derivatives with respect to a few variables. The names are as for
    /// [`with_sensitivities`](Simulation::with_sensitivities). Each component costs one [product](Self::hessian_times).
    ///
    /// # Errors
    /// [`GradientError`], as for [`hessian_times`](Self::hessian_times).
    pub fn hessian_of<N: AsRef<str>>(
        mut self,
        objective: &Objective<'_, M::Lifted>,
        names: impl IntoIterator<Item = N>,
    ) -> Result<Hessian<M>, Box<GradientError<M>>>
    where
        M: Reverse<Scalar = f64> + TangentSystem<Lifted: Reverse> + 'static,
        I: Adjoint<M> + Adjoint<M::Lifted> + Clone,
        O: FnMut(&State<M>) -> ControlFlow<()>,
    {
        let system = self.system;
        let names: Vec<N> = names.into_iter().collect();
        let refused = |error| Box::new(GradientError::Direction(error));
        let directions = Variable::named(system, &names).map_err(refused)?;
        let (mut gradient, mut columns) = (None, Vec::new());
        for (_, direction) in &directions {
            let moves = Moves { numbers: vec![(direction.clone(), 1.0)], inputs: None };
            let HessianProduct { gradient: own, product } = self.product(objective, &moves, gradient.is_some())?;
            gradient.get_or_insert(own);
            columns.push(product);
        }
        let Some(gradient) = gradient else { return Err(refused(super::DirectionError::Nothing)) };
        let places: Vec<usize> = directions.iter().map(|(_, direction)| direction.place(system)).collect();
        let entry = |at: usize, column: usize| Derivatives::along(&columns[column], &directions[at].1, places[at]);
        let matrix = DMatrix::from_fn(places.len(), places.len(), entry);
        let names = directions.into_iter().map(|(name, _)| name).collect();
        Ok(Hessian { names, gradient, columns, matrix })
    }
}

impl<M, I, O> Simulation<'_, M, I, O>
where
    M: Reverse<Scalar = f64> + TangentSystem<Lifted: Reverse> + 'static,
    I: Adjoint<M> + Adjoint<M::Lifted> + Clone,
    O: FnMut(&State<M>) -> ControlFlow<()>,
{
    /// Computes a product; the observer is called for the first one only.
    fn product(
        &mut self,
        objective: &Objective<'_, M::Lifted>,
        moves: &Moves,
        was_shown: bool,
    ) -> Result<HessianProduct<M>, Box<GradientError<M>>> {
        let system = self.system;
        if let Some(refused) = self.refused() {
            return Err(Box::new(refused));
        }
        if !self.initial.memory.is_empty() {
            return Err(Box::new(GradientError::Remembers { time: self.initial.time }));
        }
        let model = |error| Box::new(GradientError::Model(error));
        self.initial.check(system).map_err(model)?;
        let slopes = Variable::of_parameters(&moves.numbers, system.parameters());
        let mut by = system.varied(&slopes).map_err(model)?;
        if let Some(slopes) = &moves.inputs {
            by = system.with_input_slopes(by, slopes);
        }
        let given = moved(system, &by, &self.initial, &moves.numbers);
        let told = |error: GradientError<M::Lifted>| {
            Box::new(error.into_plain(&mut |state| lowered(system, &state), &|cotangent| {
                AdjointState::lowered(cotangent, system)
            }))
        };
        let method = self.integrator.retraced(&by, &given).map_err(told)?;
        let observer = &mut self.observer;
        let shown = |state: &State<M::Lifted>| {
            if was_shown { ControlFlow::Continue(()) } else { observer(&lowered(system, state)) }
        };
        let run = Simulation {
            system: &by,
            initial: given.clone(),
            integrator: self.integrator.clone(),
            settings: self.settings.clone(),
            options: self.options.clone(),
            observer: shown,
            controller: None,
            events: Vec::new(),
            audit: None,
        };
        let (run, checkpoints) = recorded(run).map_err(|error| told(*error))?;
        let (value, mut cotangent) =
            gone_back(&by, objective, method, &given, (&run, &checkpoints)).map_err(|error| told(*error))?;
        if let Some(turn) = turn(&by, &moves.numbers) {
            let (end, mut start) = (cotangent.configuration.clone(), by.zero_velocity());
            cotangent.configuration = by.zero_velocity();
            by.space().motion_pullback(&turn, &end, &mut start, &mut cotangent.configuration);
        }
        let trajectory =
            run.into_plain(&mut DualToPlain { states: &mut |state| lowered(system, &state), systems: &|_| None });
        let (names, times) = (names_of(system), &checkpoints.times);
        let product = Derivatives::of(system, &names, &cotangent, times, |number: Dual<f64>| number.eps);
        let slopes = Derivatives::of(system, &names, &cotangent, times, |number: Dual<f64>| number.re);
        Ok(HessianProduct { gradient: Gradient { value: value.re, slopes, trajectory }, product })
    }
}
