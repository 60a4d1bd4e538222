//! One step: Newton's iteration for all stages together.

use num_traits::{One, Zero};

use super::matrix;
use super::method::Collocation;
use super::methods::Level;
use super::workspace::{CollocationBuffers, CollocationStep, CollocationWorkspace, StagePoint};
use crate::group::TangentVector;
use crate::integrator::implicit::{IterateEquations, Scales, Unsolved, leave};
use crate::integrator::{State, StepError};
use crate::scalar::{Scalar, larger};
use crate::space::ConfigurationSpace;
use crate::system::{KktError, Linearised};

/// Makes a step of size h.
pub(crate) fn attempt<M: Linearised>(
    method: &Collocation,
    system: &M,
    from: &State<M>,
    h: f64,
    to: &mut State<M>,
    workspace: &mut CollocationWorkspace<M>,
) -> Result<(), StepError> {
    let CollocationWorkspace { newton, buffers, .. } = workspace;
    let mut step = CollocationStep { method, system, from, h, work: buffers };
    step.predict();
    newton.solve(h, &mut step)?;
    step.conclude(to);
    workspace.complete(system, to, h)?;
    workspace.steps += 1;
    workspace.dependent_at = None;
    if to.velocity.all_finite() && system.space().is_finite(&to.configuration) {
        Ok(())
    } else {
        Err(StepError::of_iteration(KktError::NotFinite, system, from, h))
    }
}

impl<M: Linearised> CollocationStep<'_, M> {
    /// Computes the first iterates under the assumption of constant v'.
    #[inline]
    fn predict(&mut self) {
        let (from, h) = (self.from, self.h);
        for (stage, &c) in self.work.stages.iter_mut().zip(self.method.method.tableau.c) {
            stage.theta.assign(&from.velocity);
            stage.theta.scale(M::Scalar::from_f64(c * h));
            stage.theta.axpy(M::Scalar::from_f64(0.5 * c * c * h * h), &from.acceleration);
            stage.multipliers.assign(&from.multipliers);
        }
    }

    /// Computes the end of the step except v'; for a stiffly accurate method it is the last stage.
    #[inline]
    fn conclude(&mut self, to: &mut State<M>) {
        let CollocationStep { method, system, from, h, work } = self;
        let CollocationBuffers { coefficients, stages, vector, .. } = &mut **work;
        to.time = from.time + *h;
        to.memory.forget();
        if method.method.level == Level::Unconstrained {
            vector.fill(M::Scalar::zero());
            to.velocity.assign(&from.velocity);
            for (stage, &d) in stages.iter().zip(&coefficients.end) {
                vector.axpy(M::Scalar::from_f64(d), &stage.theta);
                to.velocity.axpy(M::Scalar::from_f64(d), &stage.velocity);
                to.velocity.axpy(M::Scalar::from_f64(-d), &from.velocity);
            }
            system.space().compose_exp(&from.configuration, vector, &mut to.configuration);
            to.multipliers.assign(&from.multipliers);
        } else if let Some(last) = stages.last() {
            to.configuration.clone_from(&last.configuration);
            to.velocity.assign(&last.velocity);
            to.multipliers.assign(&last.multipliers);
        }
    }
}

impl<M: Linearised> IterateEquations for CollocationStep<'_, M> {
    type Error = StepError;
    type Scalar = M::Scalar;

    /// Computes h Y, V, A and Q of all stages.
    #[inline]
    fn place(&mut self) {
        let real = M::Scalar::from_f64;
        let CollocationStep { system, from, h, work, .. } = self;
        let CollocationBuffers { coefficients, stages, vector, image, .. } = &mut **work;
        for i in 0..stages.len() {
            vector.fill(M::Scalar::zero());
            for (j, stage) in stages.iter().enumerate() {
                vector.axpy(real(coefficients.entry(i, j)), &stage.theta);
            }
            let stage = &mut stages[i];
            stage.rate.assign(vector);
            system.space().tangent(&stage.theta, &stage.rate, &mut stage.velocity);
            stage.velocity.scale(real(1.0 / *h));
            system.space().compose_exp(&from.configuration, &stage.theta, &mut stage.configuration);
        }
        for i in 0..stages.len() {
            image.fill(M::Scalar::zero());
            for (j, stage) in stages.iter().enumerate() {
                let weight = coefficients.entry(i, j) / *h;
                image.axpy(real(weight), &stage.velocity);
                image.axpy(real(-weight), &from.velocity);
            }
            stages[i].acceleration.assign(image);
        }
    }

    #[inline]
    fn residuals(&mut self, _: bool) -> Option<[M::Scalar; 2]> {
        let real = M::Scalar::from_f64;
        let (system, h, rows) = (self.system, self.h, self.system.constraint_rows());
        let mut largest = [M::Scalar::zero(); 2];
        for i in 0..self.work.stages.len() {
            let t = self.time(i);
            let positions = if self.is_position(0) { system.holonomic_rows() } else { 0 };
            let CollocationBuffers { stages, multipliers, drift, .. } = &mut *self.work;
            let StagePoint {
                configuration: q,
                velocity: v,
                acceleration,
                multipliers: reactions,
                balance,
                constraint,
                jacobian,
                ..
            } = &mut stages[i];
            system.residual(t, q, v, acceleration, reactions, balance);
            balance.scale(real(h * h));
            largest[0] = larger(largest[0], balance.lane_norm());
            if rows == 0 {
                continue;
            }
            system.constraint_jacobian(t, q, jacobian);
            if positions < rows {
                system.jacobian_times(jacobian, v, constraint);
                system.constraint_drift(t, q, drift);
                constraint.axpy(M::Scalar::one(), drift);
                constraint.scale(real(h));
            }
            if positions > 0 {
                system.constraint(t, q, multipliers);
                for row in 0..positions {
                    constraint.set_component(row, multipliers.component(row));
                }
            }
            largest[1] = larger(largest[1], constraint.lane_norm());
        }
        Some(largest)
    }

    /// Returns the forces and reactions at the start of the step, multiplied by h², and h² ‖v'‖.
    #[inline]
    fn scales(&mut self) -> Scales<M::Scalar> {
        let (system, from, h) = (self.system, self.from, self.h);
        let CollocationBuffers { vector, image, stages, .. } = &mut *self.work;
        system.force(M::Scalar::from_f64(from.time), &from.configuration, &from.velocity, vector);
        let mut forces = vector.lane_norm();
        if let Some(stage) = stages.first().filter(|_| system.constraint_rows() > 0) {
            system.jacobian_transpose_times(&stage.jacobian, &from.multipliers, image);
            forces = Scalar::max(forces, image.lane_norm());
        }
        let square = M::Scalar::from_f64(h * h);
        let residuals = [square * forces, square * from.acceleration.lane_norm()];
        let extent = system.space().extent(&from.configuration).min(1.0);
        Scales { residuals, corrections: M::Scalar::zero(), extent }
    }

    #[inline]
    fn factorise(&mut self) -> Result<(), StepError> {
        matrix::form(self);
        Ok(())
    }

    #[inline]
    fn correct(&mut self, resting: <M::Scalar as Scalar>::Mask) -> Result<M::Scalar, StepError> {
        let (n, rows, h) = (self.system.dof(), self.system.constraint_rows(), self.h);
        let CollocationBuffers { stages, equations, unknowns, vector, multipliers, .. } = &mut *self.work;
        for (stage, out) in stages.iter().zip(unknowns.chunks_exact_mut(n + rows)) {
            let (balance, constraint) = out.split_at_mut(n);
            for (component, out) in balance.iter_mut().enumerate() {
                *out = -stage.balance.component(component);
            }
            for (row, out) in constraint.iter_mut().enumerate() {
                *out = -stage.constraint.component(row);
            }
        }
        if let Err(column) = matrix::solve(equations, unknowns, [n, rows]) {
            let error = match (column % (n + rows)).checked_sub(n) {
                Some(row) => KktError::SingularConstraints { row },
                _ => KktError::NotFinite,
            };
            return Err(StepError::of_iteration(error, self.system, self.from, h));
        }
        let mut size = M::Scalar::zero();
        for (stage, change) in stages.iter_mut().zip(unknowns.chunks_exact(n + rows)) {
            for (component, &x) in change[..n].iter().enumerate() {
                vector.set_component(component, x);
            }
            for (row, &x) in change[n..].iter().enumerate() {
                multipliers.set_component(row, x);
            }
            leave(vector, resting);
            leave(multipliers, resting);
            stage.theta.axpy(M::Scalar::one(), vector);
            stage.multipliers.axpy(M::Scalar::from_f64(1.0 / (h * h)), multipliers);
            size = larger(size, vector.lane_norm());
        }
        Ok(size)
    }

    #[cold]
    fn unsolved(&self, why: Unsolved, [forces, constraints]: [f64; 2]) -> StepError {
        why.explained([forces / (self.h * self.h), constraints], self.system, self.from, self.h)
    }

    fn keep_derivatives(&mut self) {
        for stage in &mut self.work.stages {
            stage.balance.keep_derivatives();
            stage.constraint.keep_derivatives();
        }
    }

    fn variations(&mut self) -> Option<[f64; 2]> {
        let CollocationBuffers { stages, unknowns, .. } = &*self.work;
        let change = unknowns.iter().fold(0.0, |largest, x| larger(largest, x.variation()));
        let size = stages.iter().fold(0.0, |largest, stage| {
            let multipliers = self.h * self.h * stage.multipliers.variation();
            larger(largest, larger(stage.theta.variation(), multipliers))
        });
        Some([change, size])
    }
}
