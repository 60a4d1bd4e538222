//! The solution of a map that continues the motion.
//!
//! The function F(ω; h) of an implicit map is J ω plus what is bounded, so that it has a zero at every h; but where a torque
//! varies much within the step it has several, and Newton's iteration from ω₀ may end at any of them. Before the soft wall
//! of paper 5, section 5.4, AKW and BBTRAP meet this once in some hundred steps, and each wrong solution throws the body over
//! the hill. What stands for the motion is the branch that starts with ω = ω₀ at h = 0, where ∂F/∂ω is J or 2 J: along it
//! det ∂F/∂ω stays positive, and where the determinant gets to zero the branch turns back and no solution of a longer step
//! belongs to it.

use nalgebra::{Matrix3, Vector3};

use super::body::correction;
use super::step::Motion;
use super::workspace::Work;
use crate::integrator::implicit::{Corrections, Unsolved, angle};
use crate::scalar::{Mask, Scalar};
use crate::system::Linearised;

/// Corrections above this angle have to reduce the residual; smaller ones are left to converge.
const GUARDED: f64 = 1e-6;
/// The largest correction within a branch, as an angle.
const LONGEST: f64 = 0.5;
/// The part of h by which a continuation starts.
const FIRST_PART: f64 = 0.25;
/// A branch that cannot be followed by this part of h ends there.
const LEAST_PART: f64 = 1.0 / 1024.0;

impl<M: Linearised> Work<M> {
    /// The zero ω of the function that `linearise` returns with its derivative, at (h, ω), on the branch of ω₀.
    ///
    /// Newton's iteration from ω₀ where it stays within the branch, else from zero to zero for steps that grow to h.
    #[inline]
    pub(super) fn solve(
        &mut self,
        from: &Motion<'_, M>,
        h: f64,
        linearise: impl Fn(&mut Self, f64, &Vector3<M::Scalar>) -> (Vector3<M::Scalar>, Matrix3<M::Scalar>),
    ) -> Result<Vector3<M::Scalar>, Unsolved> {
        match self.solve_from(from.velocity, h, &linearise) {
            Ok(omega) => Ok(omega),
            Err(_) => self.follow(from.velocity, h, &linearise),
        }
    }

    /// Continuation in h.
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

    /// Newton's iteration, which is given up where it leaves the branch: a correction that is long or enlarges the residual,
    /// or a determinant that is not positive.
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
