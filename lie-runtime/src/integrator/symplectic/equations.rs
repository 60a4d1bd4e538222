//! The equations of a step, and their residual.
//!
//! For θ, exp(θξ) and M_θ as in paper 3, eq. (15), a step solves for ξ and n̄
//!
//! ```text
//! ξ = h f₁(q, M_θ),    n̄ = h f₂(q, M_θ),    q = exp(θξ) q₀,    M_θ = T(ξ)ᵀ (μ₀ + Ad*_{exp θξ} n̄) − θ T(θξ)ᵀ Ad*_{exp θξ} n̄.
//! ```
//!
//! If the momentum FL(q, w) of a velocity w is known, the first equation is M_θ = FL(q, ξ/h), and n̄ = h f₂ is a function of ξ. The number
//! of unknowns is then halved, no inertia is inverted, and components are coupled only within a term.

use crate::field::{AlgebraVector, OnCotangent};
use crate::group::TangentVector;
use crate::integrator::StepFailure;
use crate::scalar::Scalar;
use crate::space::LeftSpace;

/// The unknowns and the values computed from them.
pub(super) struct SymplecticEquations<H: OnCotangent> {
    /// ξ.
    pub xi: AlgebraVector<H>,
    /// n̄: an unknown or a function of ξ.
    pub n: AlgebraVector<H>,
    /// μ₀ + Ad*_{exp θξ} n̄.
    pub total: AlgebraVector<H>,
    /// The residual of the equations for ξ and, for an unknown n̄, of the equations for n̄; scratch space before.
    pub residual: [AlgebraVector<H>; 2],
    /// q.
    point: H::Point,
    /// θ ξ, then velocities.
    part: AlgebraVector<H>,
    /// Ad*_{exp θξ} n̄.
    moved: AlgebraVector<H>,
    /// M_θ.
    intermediate: AlgebraVector<H>,
    workspace: H::Workspace,
}

impl<H: OnCotangent> SymplecticEquations<H> {
    pub fn new(system: &H, point: H::Point) -> Self {
        let zero = || system.zero();
        SymplecticEquations {
            xi: zero(),
            n: zero(),
            total: zero(),
            residual: [zero(), zero()],
            point,
            part: zero(),
            moved: zero(),
            intermediate: zero(),
            workspace: system.workspace(),
        }
    }

    /// Starts a run; parameters may have changed.
    pub fn forget(&mut self) {
        H::forget(&mut self.workspace);
    }

    /// Returns the unknown at a position: components of ξ, then of n̄.
    pub fn unknown(&mut self, at: usize) -> (&mut AlgebraVector<H>, usize) {
        let count = self.xi.component_count();
        if at < count { (&mut self.xi, at) } else { (&mut self.n, at - count) }
    }

    /// Computes q and μ₀ + Ad*_{exp θξ} n̄; for known momenta also FL(q, ξ/h), n̄ and then the first residual.
    pub fn place(&mut self, system: &H, (theta, h): (f64, f64), (q, mu): (&H::Point, &AlgebraVector<H>)) {
        let space = system.left_space();
        let [of_xi, of_n] = &mut self.residual;
        self.part.assign_scaled(H::Scalar::from_f64(theta), &self.xi);
        if H::KNOWS_MOMENTA {
            space.move_along(q, &self.part, &mut self.point);
            of_n.assign_scaled(H::Scalar::from_f64(h.recip()), &self.xi);
            system.evaluate_at_velocity(&self.point, of_n, &mut self.workspace, of_xi, &mut self.n);
            self.n.scale(H::Scalar::from_f64(h));
            space.pull_back(&self.part, &self.n, &mut self.moved);
        } else {
            space.move_and_pull_back((q, &self.n), &self.part, (&mut self.point, &mut self.moved));
        }
        self.total.assign_sum(mu, num_traits::One::one(), &self.moved);
    }

    /// Computes the residual at (ξ, n̄).
    pub fn evaluate(
        &mut self,
        system: &H,
        (theta, h): (f64, f64),
        start: (&H::Point, &AlgebraVector<H>),
    ) -> Result<(), StepFailure> {
        self.place(system, (theta, h), start);
        let (space, one) = (system.left_space(), <H::Scalar as num_traits::One>::one());
        let [of_xi, of_n] = &mut self.residual;
        space.tangent_transpose(&self.xi, &self.total, &mut self.intermediate);
        // T(0) = I needs no product.
        if theta != 0.0 {
            space.tangent_transpose(&self.part, &self.moved, of_n);
            self.intermediate.axpy(H::Scalar::from_f64(-theta), of_n);
        }
        if H::KNOWS_MOMENTA {
            of_xi.axpy(-one, &self.intermediate);
            return Ok(());
        }
        system.evaluate(&self.point, &self.intermediate, &mut self.workspace, of_xi, of_n)?;
        for (residual, unknown) in [(of_xi, &self.xi), (of_n, &self.n)] {
            residual.scale(H::Scalar::from_f64(-h));
            residual.axpy(one, unknown);
        }
        Ok(())
    }
}
