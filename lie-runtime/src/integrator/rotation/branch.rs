//! The solution branch of a map that continues the motion.
//!
//! The function F(ω; h) of an implicit map is J ω plus a bounded term, so that it has a zero for every h. If a torque varies much within
//! the step, it has several zeros, and Newton's iteration from ω₀ can converge to any of them. At the soft wall of paper 5, section 5.4,
//! several zeros occur in about 1 % of the steps of AKW and BBTRAP. A wrong zero moves the body over the potential barrier. The correct
//! zero lies on the branch that starts with ω = ω₀ at h = 0, where ∂F/∂ω is J or 2 J. Along this branch det ∂F/∂ω is positive. A zero of
//! the determinant is a turning point of the branch, and no longer step has a solution on it.

use nalgebra::{Matrix3, Vector3};

use super::body::correction;
use super::workspace::MapStart;
use super::workspace::MapWorkspace;
use crate::integrator::implicit::{Corrections, Unsolved, angle};
use crate::scalar::{Mask, Scalar};
use crate::system::Linearised;

/// Corrections above this angle must reduce the residual; smaller ones are not tested.
const GUARDED: f64 = 1e-6;
/// The largest correction within a branch, as an angle.
const LONGEST: f64 = 0.5;
/// The first step of a continuation as a fraction of h.
const FIRST_PART: f64 = 0.25;
/// The smallest step of a continuation as a fraction of h; a failure at this step ends the branch.
const LEAST_PART: f64 = 1.0 / 1024.0;

impl<M: Linearised> MapWorkspace<M> {
    /// Returns the zero ω, on the branch of ω₀, of a function. `linearise` returns the function and its derivative at (h, ω).
    ///
    /// Uses Newton's iteration from ω₀ if the iterates stay on the branch. Otherwise continues the zero over steps that grow to h.
    #[inline]
    pub(super) fn solve(
        &mut self,
        from: &MapStart<'_, M>,
        h: f64,
        linearise: impl Fn(&mut Self, f64, &Vector3<M::Scalar>) -> (Vector3<M::Scalar>, Matrix3<M::Scalar>),
    ) -> Result<Vector3<M::Scalar>, Unsolved> {
        match self.solve_from(from.velocity, h, &linearise) {
            Ok(omega) => Ok(omega),
            Err(_) => self.follow(from.velocity, h, &linearise),
        }
    }

    /// Continues the zero in h.
    #[cold]
    fn follow(
        &mut self,
        start: Vector3<M::Scalar>,
        h: f64,
        linearise: &impl Fn(&mut Self, f64, &Vector3<M::Scalar>) -> (Vector3<M::Scalar>, Matrix3<M::Scalar>),
    ) -> Result<Vector3<M::Scalar>, Unsolved> {
        let (mut omega, mut done, mut part) = (start, 0.0, FIRST_PART);
        while done < 1.0 {
            let next = f64::min(done + part, 1.0);
            match self.solve_from(omega, next * h, linearise) {
                Ok(zero) => {
                    (omega, done) = (zero, next);
                    part *= 2.0;
                }
                Err(unsolved) => {
                    part *= 0.5;
                    if part < LEAST_PART {
                        return Err(unsolved);
                    }
                }
            }
        }
        Ok(omega)
    }

    /// Runs Newton's iteration until it converges or leaves the branch. A correction that is large or increases the residual, or a
    /// determinant that is not positive, means that it leaves the branch.
    #[inline]
    fn solve_from(
        &mut self,
        guess: Vector3<M::Scalar>,
        h: f64,
        linearise: &impl Fn(&mut Self, f64, &Vector3<M::Scalar>) -> (Vector3<M::Scalar>, Matrix3<M::Scalar>),
    ) -> Result<Vector3<M::Scalar>, Unsolved> {
        let mut omega = guess;
        let (mut size, mut smallest, mut count) = (0.0, f64::INFINITY, 0);
        let mut has_left = false;
        let mut newton = self.newton;
        let outcome = newton.solve(
            h,
            &mut Corrections::<M::Scalar, _>::of(|| {
                let (residual, jacobian) = linearise(self, h, &omega);
                let square = residual.dot(&residual).magnitude();
                self.residual = square.sqrt() / h.abs();
                let determinant = jacobian.column(0).dot(&jacobian.column(1).cross(&jacobian.column(2)));
                let change = correction(&jacobian, &residual).ok()?;
                has_left = determinant.le(M::Scalar::from_f64(0.0)).any() || (size > GUARDED && square >= smallest);
                size = angle(h, change.iter().copied());
                has_left |= size > LONGEST;
                if has_left {
                    return None;
                }
                (smallest, count) = (square, count + 1);
                omega -= change;
                Some(size)
            }),
        );
        self.newton = newton;
        match outcome {
            Ok(()) => Ok(omega),
            Err(_) if has_left => Err(Unsolved::Slow(count)),
            Err(unsolved) => Err(unsolved),
        }
    }
}
