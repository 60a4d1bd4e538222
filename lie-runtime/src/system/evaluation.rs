//! The terms of the equations of motion at one point (t, q, v), with their common subexpressions evaluated once.
//!
//! A half-explicit stage needs B at its end point before the velocity there is known. So a point is evaluated in two
//! steps, [`place`](Evaluation::place) at (t, q) and [`complete`](Evaluation::complete) at v. The second step reuses
//! the results of the first: strains and relative poses that B and −g have in common, and the positions of frames. The
//! factors of M are a separate [`MassFactorisation`], which all points of a run share.
//!
//! The code contains no closures: a dense system is inlined into a step that keeps B and −g in registers, and captured
//! variables would be in memory (measured: one sixth of the time of a step).

use core::fmt;

use super::{KktError, MassFactorisation, MechanicalSystem};
use crate::group::TangentVector;

/// The terms of M v' + Bᵀ λ = −g at one point (t, q, v).
///
/// ```
/// use lie_runtime::prelude::*;
/// use lie_runtime::system::{Evaluation, MassFactorisation};
///
/// #[mechanical_system]
/// mod pendulum {
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
/// let (mut inertia, mut here) = (MassFactorisation::of(&system), Evaluation::of(&system));
/// let [mut curvature, mut multipliers] = [system.zero_multipliers(), system.zero_multipliers()];
/// let mut acceleration = system.zero_velocity();
/// let (q, v) = (pendulum::Bob { place: Vector2::new(0.0, -1.0) }, Vector2::new(2.0, 0.0));
/// here.accelerations(&system, (0.0, &q, &v), &mut inertia, &mut curvature, &mut acceleration, &mut multipliers)?;
/// // At the lowest point the rod carries the weight and v²: v' = −g − λ x.
/// assert!((acceleration - Vector2::new(0.0, 4.0)).norm() < 1e-14 && (multipliers[0] - 13.81).abs() < 1e-14);
/// # Ok(())
/// # }
/// ```
#[doc(alias = "forward dynamics")]
pub struct Evaluation<M: MechanicalSystem + ?Sized> {
    /// B at a point that has been [placed](Self::place).
    pub jacobian: M::Jacobian,
    /// −g at a [complete](Self::complete) point; before, the part of −g that is computed together with B.
    pub force: M::Velocity,
}

impl<M: MechanicalSystem + ?Sized> Evaluation<M> {
    /// Allocates B and −g.
    pub fn of(system: &M) -> Self {
        Evaluation { jacobian: system.zero_jacobian(), force: system.zero_velocity() }
    }

    /// Computes B(t, q), and the part of −g that is computed together with it.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn place(&mut self, system: &M, t: M::Scalar, q: &M::Configuration) {
        system.jacobian_and_force(t, q, &mut self.jacobian, Some(&mut self.force));
    }

    /// Computes B(t, q) of a point that will not be [completed](Self::complete).
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn place_rows(&mut self, system: &M, t: M::Scalar, q: &M::Configuration) {
        system.jacobian_and_force(t, q, &mut self.jacobian, None);
    }

    /// Computes −g and M of a point that has been [placed](Self::place) at the same (t, q) and not been completed
    /// since: M consumes the intermediate results.
    ///
    /// # Errors
    /// The errors of [`MechanicalSystem::mass`].
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn complete(
        &mut self,
        system: &M,
        at: (M::Scalar, &M::Configuration, &M::Velocity),
        inertia: &mut MassFactorisation<M>,
    ) -> Result<(), KktError> {
        self.complete_with(system, at, inertia, None)
    }

    /// Computes −g, M and the curvature of the constraints.
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

    /// Solves the index-1 system M v' + Bᵀ λ = −g, B v' = −curvature for v' and λ. Returns true if there are
    /// constraints.
    ///
    /// B, M and −g of the point are available afterwards; without constraints M and −g only.
    ///
    /// # Errors
    /// [`KktError`] if M is not positive definite or the constraints depend on each other.
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

    /// Solves the index-1 system with constraints, at a point that has been [placed](Self::place) and whose M has been
    /// computed.
    ///
    /// # Errors
    /// [`KktError`] if the constraints depend on each other.
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

    /// Computes v' = M⁻¹(−g − Bᵀ λ) for given λ; `reaction` is Bᵀ λ afterwards, and `force` the sum of both.
    ///
    /// # Errors
    /// The errors of [`MechanicalSystem::mass`].
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn accelerations_under(
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

    /// Computes v' = −M⁻¹ g without constraints.
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
