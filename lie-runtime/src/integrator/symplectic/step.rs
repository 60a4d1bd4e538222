//! One step.

use crate::field::{Canonical, HamiltonianSystem, LiftedHamiltonian};
use crate::group::{LieGroup, TangentVector};
use crate::integrator::{FieldState, StepError, StepFailure};
use crate::scalar::{Dual, Scalar};
use crate::solve::solve_dense;
use crate::space::{AlgebraOf, HomogeneousSpace};

/// Newton's iterations before a step gives up.
const MAXIMUM_ITERATIONS: usize = 40;
/// A correction under this multiple of ξ and μ is the last: the next one would be of its square.
const LAST_CORRECTION: f64 = 1e-9;

type Tangent<H> = AlgebraOf<<H as HamiltonianSystem>::Point>;
type GroupOf<H> = <<H as HamiltonianSystem>::Point as HomogeneousSpace>::Group;

/// The buffers of a step; allocated once.
pub struct Workspace<H: LiftedHamiltonian<Scalar = f64>> {
    /// ξ and n̄.
    xi: Tangent<H>,
    n: Tangent<H>,
    lifted: H::Lifted,
    lifted_xi: Tangent<H::Lifted>,
    lifted_n: Tangent<H::Lifted>,
    lifted_mu: Tangent<H::Lifted>,
    /// f₁ and f₂ on dual numbers.
    lifted_values: [Tangent<H::Lifted>; 2],
    /// The Jacobian of the equations by rows, and their residual.
    jacobian: Vec<f64>,
    residual: Vec<f64>,
    steps: u64,
    iterations: u64,
}

impl<H: LiftedHamiltonian<Scalar = f64>> Workspace<H>
where
    Tangent<H>: LieGroup<Scalar = f64, Tangent = Tangent<H>>,
{
    pub(super) fn of(system: &H) -> Self {
        let lifted = system.lift();
        let zero = || lifted.zero();
        let size = 2 * system.zero().component_count();
        Workspace {
            xi: system.zero(),
            n: system.zero(),
            lifted_xi: zero(),
            lifted_n: zero(),
            lifted_mu: zero(),
            lifted_values: [zero(), zero()],
            lifted,
            jacobian: vec![0.0; size * size],
            residual: vec![0.0; size],
            steps: 0,
            iterations: 0,
        }
    }

    pub(super) fn mean_iterations(&self) -> f64 {
        self.iterations as f64 / self.steps.max(1) as f64
    }
}

/// μ₀ + Ad*_{exp(θξ)} n̄, exp(θξ) and M_θ (paper 3, eq. 15); dexp*_{−ξ} is T(ξ)ᵀ.
fn momentum<G: LieGroup>(theta: f64, mu: &G::Tangent, xi: &G::Tangent, n: &G::Tangent) -> (G::Tangent, G, G::Tangent) {
    let theta = G::Scalar::from_f64(theta);
    let mut part = xi.clone();
    part.scale(theta);
    let element = G::exp(&part);
    let moved = element.adjoint_transpose(n);
    let mut total = mu.clone();
    total.axpy(num_traits::One::one(), &moved);
    let mut intermediate = G::tangent_transpose(xi, &total);
    intermediate.axpy(-theta, &G::tangent_transpose(&part, &moved));
    (total, element, intermediate)
}

/// f₁ and f₂ at (exp(θξ) q₀, M_θ) (eq. 16).
fn values<H: HamiltonianSystem>(
    system: &H,
    theta: f64,
    (q, mu): (&H::Point, &Tangent<H>),
    (xi, n): (&Tangent<H>, &Tangent<H>),
    [first, second]: &mut [Tangent<H>; 2],
) -> Result<(), StepFailure> {
    let (_, element, intermediate) = momentum::<GroupOf<H>>(theta, mu, xi, n);
    let q = q.moved_by(&element);
    system.derivatives(&q, &intermediate, first, second)
}

/// A step up to the evaluation of f at its end.
pub(super) fn step<H: LiftedHamiltonian<Scalar = f64>>(
    theta: f64,
    system: &H,
    from: &FieldState<Canonical<H>>,
    h: f64,
    to: &mut FieldState<Canonical<H>>,
    workspace: &mut Workspace<H>,
) -> Result<(), StepError>
where
    Tangent<H>: LieGroup<Scalar = f64, Tangent = Tangent<H>>,
{
    let (q, mu) = (&from.point.configuration, &from.point.momentum);
    let lifted_q = system.lift_configuration(q);
    let Workspace { xi, n, lifted, lifted_xi, lifted_n, lifted_mu, lifted_values, jacobian, residual, .. } =
        &mut *workspace;
    let count = xi.component_count();
    xi.assign(&from.direction.0);
    xi.scale(h);
    system.force(q, mu, n);
    n.scale(h);
    for i in 0..count {
        lifted_mu.set_component(i, Dual::lift(mu.component(i)));
    }
    let mut iterations = 0;
    loop {
        for i in 0..count {
            lifted_xi.set_component(i, Dual::lift(xi.component(i)));
            lifted_n.set_component(i, Dual::lift(n.component(i)));
        }
        // One column at a time: the derivative of (ξ, n̄) − h f along one unknown.
        for column in 0..2 * count {
            let (unknown, index) =
                if column < count { (&mut *lifted_xi, column) } else { (&mut *lifted_n, column - count) };
            let value = unknown.component(index).re;
            unknown.set_component(index, Dual::variable(value, 1.0));
            values(lifted, theta, (&lifted_q, lifted_mu), (lifted_xi, lifted_n), lifted_values)
                .map_err(|failure| StepError { time: from.time, step: h, failure })?;
            let unknown = if column < count { &mut *lifted_xi } else { &mut *lifted_n };
            unknown.set_component(index, Dual::lift(value));
            for row in 0..2 * count {
                let value = lifted_values[row / count].component(row % count);
                let unit = if row == column { 1.0 } else { 0.0 };
                jacobian[row * 2 * count + column] = unit - h * value.eps;
                if column == 0 {
                    let unknown = if row < count { xi.component(row) } else { n.component(row - count) };
                    residual[row] = unknown - h * value.re;
                }
            }
        }
        let left = residual.iter().fold(0.0_f64, |largest, entry| largest.max(entry.abs()));
        iterations += 1;
        let failed = |residual| StepError {
            time: from.time,
            step: h,
            failure: StepFailure::NewtonNotConverged { iterations, residual, constraint: 0.0 },
        };
        if solve_dense(jacobian, residual).is_err() {
            return Err(failed(left));
        }
        let (mut change, mut change_of_momentum) = (0.0_f64, 0.0_f64);
        for i in 0..count {
            xi.set_component(i, xi.component(i) - residual[i]);
            n.set_component(i, n.component(i) - residual[count + i]);
            change = change.max(residual[i].abs());
            change_of_momentum = change_of_momentum.max(residual[count + i].abs());
        }
        if change <= (LAST_CORRECTION * xi.max_norm()).max(f64::EPSILON)
            && change_of_momentum <= LAST_CORRECTION * mu.max_norm().max(n.max_norm())
        {
            break;
        }
        if iterations == MAXIMUM_ITERATIONS || !left.is_finite() {
            return Err(failed(left));
        }
    }
    // Eq. (17): Ad*_{exp((θ−1)ξ)} n̄ + Ad*_{exp(−ξ)} μ₀ = Ad*_{exp(−ξ)} (μ₀ + Ad*_{exp(θξ)} n̄).
    let (total, ..) = momentum::<GroupOf<H>>(theta, mu, xi, n);
    let element = GroupOf::<H>::exp(xi);
    to.point.configuration = q.moved_by(&element);
    to.point.momentum = element.inverse().adjoint_transpose(&total);
    to.time = from.time + h;
    workspace.steps += 1;
    workspace.iterations += iterations as u64;
    Ok(())
}
