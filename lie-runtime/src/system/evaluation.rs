//! The equations of motion at one point (t, q, v), and what is computed there once.
//!
//! What depends on (t, q) alone is known before v is: a half-explicit stage needs B where it will arrive to find the velocity that it arrives
//! with. So a point is evaluated in two steps, [`place`](Evaluation::place) and [`complete`](Evaluation::complete), and the second goes on from
//! what the first has left: strains and relative poses that B and −g have in common, where frames are. M, its factors at the last point that
//! asked for them, is an [`MassFactorisation`] by itself: the points of a run share one.
//!
//! Nothing here goes through a closure: of a dense system all is inlined into a step that keeps B and −g in registers, and what a closure
//! captures is in memory (measured: a sixth of a step).

use core::fmt;

use super::{KktError, MassFactorisation, MechanicalSystem};
use crate::group::TangentVector;

/// The terms of M v' + Bᵀ λ = −g at one point (t, q, v).
///
/// ```
/// use lie_runtime::prelude::*;
/// use lie_runtime::system::{Evaluation, Inertia};
///
/// #[mechanical_system]
/// mod pendulum {
///     use lie_runtime::prelude::*;
///
///     #[configuration]
///     pub struct Bob { pub place: R2 }
///
///     #[kinetic_energy]
///     fn kinetic(v: &Velocity) -> f64 { 0.5 * v.place.norm_squared() }
///
///     #[potential]
///     fn weight(q: &Bob) -> f64 { 9.81 * q.place.y }
///
///     #[constraint]
///     fn rod(q: &Bob) -> f64 { 0.5 * (q.place.norm_squared() - 1.0) }
/// }
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let system = pendulum::System::new()?;
/// let (mut inertia, mut here) = (Inertia::of(&system), Evaluation::of(&system));
/// let [mut curvature, mut multipliers] = [system.zero_multipliers(), system.zero_multipliers()];
/// let mut acceleration = system.zero_velocity();
/// let (q, v) = (pendulum::Bob { place: Vector2::new(0.0, -1.0) }, Vector2::new(2.0, 0.0));
/// here.accelerations(&system, (0.0, &q, &v), &mut inertia, &mut curvature, &mut acceleration, &mut multipliers)?;
/// // At the lowest point the rod carries the weight and v²: v' = −g − λ x.
/// assert!((acceleration - Vector2::new(0.0, 4.0)).norm() < 1e-14 && (multipliers[0] - 13.81).abs() < 1e-14);
/// # Ok(())
/// # }
/// ```
pub struct Evaluation<M: MechanicalSystem + ?Sized> {
    /// B, where a point has been [placed](Self::place).
    pub jacobian: M::Jacobian,
    /// −g where a point is [complete](Self::complete); before that of −g what comes with B.
    pub force: M::Velocity,
}

impl<M: MechanicalSystem + ?Sized> Evaluation<M> {
    /// Allocates B and −g.
    pub fn of(system: &M) -> Self {
        Evaluation { jacobian: system.zero_jacobian(), force: system.zero_velocity() }
    }

    /// B(t, q), and of −g what comes with it.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn place(&mut self, system: &M, t: M::Scalar, q: &M::Configuration) {
        system.jacobian_and_force(t, q, &mut self.jacobian, Some(&mut self.force));
    }

    /// B(t, q) of a point that nobody [completes](Self::complete).
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn place_rows(&mut self, system: &M, t: M::Scalar, q: &M::Configuration) {
        system.jacobian_and_force(t, q, &mut self.jacobian, None);
    }

    /// −g and M of a point that has been [placed](Self::place) at the same (t, q), and not been completed since: M takes over what it needs.
    ///
    /// # Errors
    /// Those of [`MechanicalSystem::mass`].
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn complete(
        &mut self,
        system: &M,
        at: (M::Scalar, &M::Configuration, &M::Velocity),
        inertia: &mut MassFactorisation<M>,
    ) -> Result<(), KktError> {
        self.complete_with(system, at, inertia, None)
    }

    /// The same, and the curvature of the constraints.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn complete_with(
        &mut self,
        system: &M,
        (t, q, v): (M::Scalar, &M::Configuration, &M::Velocity),
        inertia: &mut MassFactorisation<M>,
        curvature: Option<&mut M::Multipliers>,
    ) -> Result<(), KktError> {
        let Evaluation { jacobian, force } = self;
        if inertia.is_known {
            system.complete_force(t, q, v, force);
            if let Some(curvature) = curvature {
                system.constraint_curvature(t, q, v, curvature);
            }
        } else {
            system.mass_and_force(t, q, v, jacobian, &mut inertia.factors, force, curvature)?;
            inertia.is_known = system.description().mass_is_constant;
        }
        Ok(())
    }

    /// v' and λ of the index-1 system M v' + Bᵀ λ = −g, B v' = −curvature; both are of the order of q and v. True if there are constraints.
    /// Leaves all that it takes: B, without constraints M and −g alone.
    ///
    /// # Errors
    /// [`KktError`] if M is not definite or the constraints depend on one another.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn accelerations(
        &mut self,
        system: &M,
        at: (M::Scalar, &M::Configuration, &M::Velocity),
        inertia: &mut MassFactorisation<M>,
        curvature: &mut M::Multipliers,
        acceleration: &mut M::Velocity,
        multipliers: &mut M::Multipliers,
    ) -> Result<bool, KktError> {
        if system.constraint_rows() == 0 {
            self.free_accelerations(system, at, inertia, acceleration)?;
            return Ok(false);
        }
        self.place(system, at.0, at.1);
        self.complete_with(system, at, inertia, Some(&mut *curvature))?;
        self.solve(system, inertia, curvature, acceleration, multipliers)?;
        Ok(true)
    }

    /// The same of a system with constraints, at a point that has been [placed](Self::place) and where M has been asked for.
    ///
    /// # Errors
    /// [`KktError`] if the constraints depend on one another.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn accelerations_from_place(
        &mut self,
        system: &M,
        (t, q, v): (M::Scalar, &M::Configuration, &M::Velocity),
        inertia: &mut MassFactorisation<M>,
        curvature: &mut M::Multipliers,
        acceleration: &mut M::Velocity,
        multipliers: &mut M::Multipliers,
    ) -> Result<(), KktError> {
        system.complete_force(t, q, v, &mut self.force);
        system.constraint_curvature(t, q, v, curvature);
        self.solve(system, inertia, curvature, acceleration, multipliers)
    }

    /// M v' + Bᵀ λ = −g, B v' = −curvature.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn solve(
        &self,
        system: &M,
        inertia: &mut MassFactorisation<M>,
        curvature: &mut M::Multipliers,
        acceleration: &mut M::Velocity,
        multipliers: &mut M::Multipliers,
    ) -> Result<(), KktError> {
        let Evaluation { jacobian, force } = self;
        curvature.scale(-<M::Scalar as num_traits::One>::one());
        system.solve_kkt(inertia.factors(), jacobian, jacobian, force, curvature, acceleration, multipliers)
    }

    /// v' = M⁻¹(−g − Bᵀ λ) with these λ; `reaction` is left as Bᵀ λ, and `force` as the sum of both.
    ///
    /// # Errors
    /// Those of [`MechanicalSystem::mass`].
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn accelerations_under(
        &mut self,
        system: &M,
        at: (M::Scalar, &M::Configuration, &M::Velocity),
        inertia: &mut MassFactorisation<M>,
        multipliers: &M::Multipliers,
        reaction: &mut M::Velocity,
        acceleration: &mut M::Velocity,
    ) -> Result<(), KktError> {
        if system.constraint_rows() == 0 {
            return self.free_accelerations(system, at, inertia, acceleration);
        }
        self.place(system, at.0, at.1);
        self.complete(system, at, inertia)?;
        system.jacobian_transpose_times(&self.jacobian, multipliers, reaction);
        self.force.axpy(-<M::Scalar as num_traits::One>::one(), reaction);
        system.solve_mass(inertia.factors(), &self.force, acceleration);
        Ok(())
    }

    /// v' = −M⁻¹ g without constraints.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn free_accelerations(
        &mut self,
        system: &M,
        (t, q, v): (M::Scalar, &M::Configuration, &M::Velocity),
        inertia: &mut MassFactorisation<M>,
        acceleration: &mut M::Velocity,
    ) -> Result<(), KktError> {
        let (force, MassFactorisation { factors, is_known }) = (&mut self.force, inertia);
        if *is_known {
            system.force(t, q, v, force);
            system.solve_mass(factors, force, acceleration);
        } else {
            system.accelerate(t, q, v, factors, force, acceleration)?;
            *is_known = system.description().mass_is_constant;
        }
        Ok(())
    }
}

impl<M: MechanicalSystem + ?Sized> Clone for Evaluation<M> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn clone(&self) -> Self {
        Evaluation { jacobian: self.jacobian.clone(), force: self.force.clone() }
    }
}

impl<M: MechanicalSystem + ?Sized> fmt::Debug for Evaluation<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Evaluation").field("jacobian", &self.jacobian).field("force", &self.force).finish()
    }
}
