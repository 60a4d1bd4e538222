//! One step.

use super::equations::SymplecticEquations;
use crate::field::{AlgebraVector, HamiltonianProblem, HamiltonianSystem, LiftedHamiltonian, OnCotangent};
use crate::group::TangentVector;
use crate::integrator::{FieldState, Quantity, StepError, StepFailure};
use crate::scalar::{Dual, larger};
use crate::space::LeftSpace;
use crate::system::chain::Coupling;

/// The maximum number of Newton iterations of a step.
const MAXIMUM_ITERATIONS: usize = 40;
/// A correction below this multiple of ξ and μ is the last, because the next one would have the size of its square.
const LAST_CORRECTION: f64 = 1e-9;

/// The buffers of a step; allocated once.
#[doc(hidden)]
pub struct SymplecticWorkspace<H: LiftedHamiltonian<Scalar = f64> + OnCotangent> {
    equations: SymplecticEquations<H>,
    lifted: H::Lifted,
    lifted_equations: SymplecticEquations<H::Lifted>,
    lifted_q: <H::Lifted as HamiltonianSystem>::Point,
    lifted_mu: AlgebraVector<H::Lifted>,
    /// The Jacobian of the equations and its solver.
    coupling: Coupling,
    residual: Vec<f64>,
    /// The buffers of the last evaluation of f.
    pub(super) evaluation: H::Workspace,
    steps: u64,
    iterations: u64,
}

impl<H: LiftedHamiltonian<Scalar = f64> + OnCotangent> SymplecticWorkspace<H> {
    pub(super) fn of(system: &H, point: &H::Point) -> Self {
        let lifted = system.lift();
        let count = system.zero().component_count();
        let size = if H::KNOWS_MOMENTA { count } else { 2 * count };
        SymplecticWorkspace {
            equations: SymplecticEquations::new(system, point.clone()),
            lifted_equations: SymplecticEquations::new(&lifted, system.lift_configuration(point)),
            lifted_q: system.lift_configuration(point),
            lifted_mu: lifted.zero(),
            lifted,
            coupling: system.coupling().of_size(size),
            residual: vec![0.0; size],
            evaluation: system.workspace(),
            steps: 0,
            iterations: 0,
        }
    }

    /// Starts a run; parameters may have changed.
    pub(super) fn begin(&mut self, system: &H) {
        self.lifted = system.lift();
        self.equations.forget();
        self.lifted_equations.forget();
        H::forget(&mut self.evaluation);
    }

    pub(super) fn mean_iterations(&self) -> f64 {
        self.iterations as f64 / self.steps.max(1) as f64
    }
}

/// Makes a step without the evaluation of f at its end.
pub(super) fn step<H: LiftedHamiltonian<Scalar = f64> + OnCotangent>(
    theta: f64,
    system: &H,
    from: &FieldState<HamiltonianProblem<H>>,
    h: f64,
    to: &mut FieldState<HamiltonianProblem<H>>,
    workspace: &mut SymplecticWorkspace<H>,
) -> Result<(), StepError> {
    let (q, mu) = (&from.point.configuration, &from.point.momentum);
    let SymplecticWorkspace { equations, lifted, lifted_equations, lifted_q, lifted_mu, coupling, residual, .. } =
        &mut *workspace;
    system.lift_configuration_into(q, lifted_q);
    let (count, size) = (equations.xi.component_count(), residual.len());
    let at_start = |failure| StepError { time: from.time, step: h, failure };
    equations.xi.assign_scaled(h, &from.direction.0);
    if !H::KNOWS_MOMENTA {
        system.force(q, mu, &mut equations.n);
        equations.n.scale(h);
    }
    for i in 0..count {
        lifted_mu.set_component(i, Dual::lift(mu.component(i)));
    }
    let mut iterations = 0;
    loop {
        for at in 0..size {
            let value = equations.unknown(at);
            let value = value.0.component(value.1);
            let (unknown, index) = lifted_equations.unknown(at);
            unknown.set_component(index, Dual::lift(value));
        }
        // Computes the derivative of the residual with respect to several unknowns at once, no two of them in the same equation.
        for colour in 0..coupling.colours() {
            for derivative in [1.0, 0.0] {
                for &at in coupling.colour(colour) {
                    let (unknown, index) = lifted_equations.unknown(at);
                    unknown.set_component(index, Dual { re: unknown.component(index).re, eps: derivative });
                }
                if derivative == 1.0 {
                    lifted_equations.evaluate(lifted, (theta, h), (lifted_q, lifted_mu)).map_err(at_start)?;
                    let values = &lifted_equations.residual;
                    coupling.set(colour, |row| values[row / count].component(row % count).eps);
                }
            }
        }
        for (row, entry) in residual.iter_mut().enumerate() {
            *entry = lifted_equations.residual[row / count].component(row % count).re;
        }
        let left = residual.iter().fold(0.0, |most: f64, entry| larger(most, entry.abs()));
        iterations += 1;
        let failed = |residual| at_start(StepFailure::NewtonNotConverged { iterations, residual, constraint: 0.0 });
        let not_finite = || at_start(StepFailure::NotFinite { quantity: Quantity::Stage });
        if !left.is_finite() {
            return Err(not_finite());
        }
        if coupling.solve(residual).is_err() {
            return Err(failed(left));
        }
        let (mut change, mut change_of_momentum) = (0.0_f64, 0.0_f64);
        for (at, correction) in residual.iter().enumerate() {
            let (unknown, index) = equations.unknown(at);
            unknown.set_component(index, unknown.component(index) - correction);
            let change = if at < count { &mut change } else { &mut change_of_momentum };
            *change = larger(*change, correction.abs());
        }
        if !(change.is_finite() && change_of_momentum.is_finite()) {
            return Err(not_finite());
        }
        if change <= (LAST_CORRECTION * equations.xi.max_norm()).max(f64::EPSILON)
            && change_of_momentum <= LAST_CORRECTION * mu.max_norm().max(equations.n.max_norm())
        {
            break;
        }
        if iterations == MAXIMUM_ITERATIONS {
            return Err(failed(left));
        }
    }
    // Computes n̄ and the values that depend on it at the last ξ.
    equations.place(system, (theta, h), (q, mu));
    // Eq. (17): Ad*_{exp((θ−1)ξ)} n̄ + Ad*_{exp(−ξ)} μ₀ = Ad*_{exp(−ξ)} (μ₀ + Ad*_{exp(θξ)} n̄).
    let space = system.left_space();
    space.move_along(q, &equations.xi, &mut to.point.configuration);
    equations.xi.scale(-1.0);
    space.pull_back(&equations.xi, &equations.total, &mut to.point.momentum);
    to.time = from.time + h;
    workspace.steps += 1;
    workspace.iterations += iterations as u64;
    Ok(())
}
