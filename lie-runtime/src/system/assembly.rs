//! Assemblies: implementations of the system traits from generated terms.
//!
//! A declaration generates [`Term`](super::Term)s and selects the assembly that combines them:
//! [`FixedSizeAssembly`](super::FixedSizeAssembly) for a single term over all members,
//! [`ElementAssembly`](super::chain::ElementAssembly) for a sum over the elements of chains and frames. One list of
//! signatures implements each of [`MechanicalSystem`], [`Linearised`] and [`Momentum`] for all declared systems.

use core::fmt::Debug;

use num_traits::One;

use super::one_sided_law::{ImposedLaws, LawRows, LawViolation, OneSidedLaw};
use super::unilateral_contact::Sliding;
use super::{
    Cotangents, DeclarationError, Description, FunctionElement, IterationCoefficients, IterationCorrection,
    IterationPoint, IterationResidual, KktError, Linearised, MechanicalSystem, ModelError, Momentum, Redundancy,
    Reverse,
};
use crate::group::TangentVector;
use crate::inputs::{InputError, SmoothStretch};
use crate::scalar::Scalar;
use crate::space::{Fields, ReverseSpace};

/// The velocity of a system.
type AssembledVelocity<M> = <M as MechanicalSystem>::Velocity;
/// The multipliers of a system.
type AssembledMultipliers<M> = <M as MechanicalSystem>::Multipliers;
/// The Jacobian of a system.
type AssembledJacobian<M> = <M as MechanicalSystem>::Jacobian;

/// A state (t, q, v) of a system.
type AssembledState<'a, M> =
    (<M as MechanicalSystem>::Scalar, &'a <M as MechanicalSystem>::Configuration, &'a AssembledVelocity<M>);

/// A declared system: its description, and the assembly that makes a [`MechanicalSystem`] of its terms.
pub trait Assembled: Sized {
    /// The scalar type.
    type Scalar: Scalar;
    /// A point q of the configuration space: fields of members.
    type Configuration: Fields<Scalar = Self::Scalar>;
    /// The assembly of the terms.
    type Assembly: Assembly<Self> + LinearisedAssembly<Self>;

    /// Treatment of dependent constraint rows.
    const REDUNDANCY: Redundancy = Redundancy::Refused;

    /// [`MechanicalSystem::one_sided_laws`].
    fn one_sided_laws(&self) -> Vec<OneSidedLaw> {
        Vec::new()
    }
    /// [`MechanicalSystem::law_rows`].
    ///
    /// # Errors
    /// [`ModelError`].
    fn law_rows(&self, laws: &ImposedLaws) -> Result<Option<LawRows<Self>>, ModelError> {
        let _ = laws;
        Ok(None)
    }
    /// True for declarations with friction, which implement [`sliding`](Self::sliding). The code of sliding frictions is not compiled
    /// for others.
    const HAS_FRICTION: bool = false;

    /// [`MechanicalSystem::law_violation`].
    fn law_violation(
        &self,
        t: Self::Scalar,
        q: &Self::Configuration,
        v: &AssembledVelocity<Self>,
        multipliers: &AssembledMultipliers<Self>,
        round_off: f64,
    ) -> Option<LawViolation> {
        let _ = (t, q, v, multipliers, round_off);
        None
    }
    /// Returns the sliding frictions; `None` if all stick.
    fn sliding(&self) -> Option<&Sliding<Self>> {
        None
    }
    /// Names, group, dimensions, counts.
    fn description(&self) -> &Description;

    /// [`MechanicalSystem::ensure_inputs`].
    ///
    /// # Errors
    /// [`InputError`].
    fn ensure_inputs(&self, start: f64, end: f64) -> Result<(), InputError> {
        let _ = (start, end);
        Ok(())
    }
    /// [`MechanicalSystem::smooth_until`].
    fn smooth_until(&self, from: f64, end: f64, tolerance: f64) -> SmoothStretch {
        let _ = (from, tolerance);
        SmoothStretch::to(end)
    }
    /// [`MechanicalSystem::noted_input`].
    fn noted_input(&self) -> Option<InputError> {
        None
    }
    /// [`MechanicalSystem::ensure_finite_inputs`].
    ///
    /// # Errors
    /// [`InputError`].
    fn ensure_finite_inputs(
        &self,
        t: Self::Scalar,
        q: &Self::Configuration,
        v: &AssembledVelocity<Self>,
    ) -> Result<(), InputError> {
        let _ = (t, q, v);
        Ok(())
    }
    /// [`MechanicalSystem::check_against_declaration`].
    ///
    /// # Errors
    /// [`DeclarationError`].
    fn check_against_declaration(
        &self,
        t: Self::Scalar,
        q: &Self::Configuration,
        v: &AssembledVelocity<Self>,
    ) -> Result<(), DeclarationError> {
        let _ = (t, q, v);
        Ok(())
    }
    /// [`MechanicalSystem::powers`].
    fn powers(
        &self,
        t: Self::Scalar,
        q: &Self::Configuration,
        v: &AssembledVelocity<Self>,
        visit: &mut dyn FnMut(&'static str, f64),
    ) -> bool {
        let _ = (t, q, v, visit);
        false
    }
    /// [`MechanicalSystem::singular_function`].
    fn singular_function(
        &self,
        t: Self::Scalar,
        q: &Self::Configuration,
        v: &AssembledVelocity<Self>,
        of_forces: bool,
    ) -> Option<FunctionElement> {
        let _ = (t, q, v, of_forces);
        None
    }
    /// [`MechanicalSystem::symmetry`].
    fn symmetry(&self, number: usize, t: Self::Scalar, q: &Self::Configuration) -> Option<AssembledVelocity<Self>> {
        let _ = (number, t, q);
        None
    }
}

/// Adds the sliding friction to the other forces −g.
fn add_sliding_friction<M: Assembled>(system: &M, at: AssembledState<'_, M>, force: &mut AssembledVelocity<M>) {
    if const { M::HAS_FRICTION }
        && let Some(sliding) = system.sliding()
    {
        let others = force.clone();
        sliding.visit(system, at, &others, &mut |_, _, friction| force.axpy(M::Scalar::one(), friction));
    }
}

/// Calls `visit` with the name, the power and the force of each sliding friction.
fn sliding_friction<M: Assembled>(
    system: &M,
    at: AssembledState<'_, M>,
    visit: &mut dyn FnMut(&'static str, f64, &AssembledVelocity<M>),
) {
    if const { M::HAS_FRICTION }
        && let Some(sliding) = system.sliding()
    {
        let (t, q, v) = at;
        let mut others = MechanicalSystem::zero_velocity(system);
        <M::Assembly as Assembly<M>>::force(system, t, q, v, &mut others);
        sliding.visit(system, at, &others, visit);
    }
}

/// A declared system with reverse-mode differentiation: the sizes of its parameters and inputs.
pub trait Reversible: Assembled<Assembly: ReverseAssembly<Self>> {
    /// [`Reverse::parameter_count`].
    fn parameter_count(&self) -> usize;
    /// [`Reverse::input_count`].
    fn input_count(&self) -> usize;
    /// [`Reverse::reads_rates_of_inputs`].
    fn reads_rates_of_inputs(&self) -> bool;
}

/// Defines, from one list of signatures, a trait of assemblies and the trait of systems that forwards to it.
macro_rules! by_assembly {
    (
        $(#[$documentation:meta])*
        trait $assembly:ident { $($types:tt)* }
        impl $system:ident for $assembled:ident { $($own:tt)* }
        $(fn $name:ident($($argument:ident: $type:ty),*) $(-> $output:ty)?;)*
    ) => {
        $(#[$documentation])*
        #[allow(clippy::missing_errors_doc, clippy::too_many_arguments)] // As the methods of the other trait.
        pub trait $assembly<M: Assembled> {
            $($types)*
            $(
                #[doc = concat!("[`", stringify!($system), "::", stringify!($name), "`].")]
                fn $name(system: &M, $($argument: $type),*) $(-> $output)?;
            )*
        }

        impl<M: $assembled> $system for M {
            $($own)*
            $(
                #[cfg_attr(not(debug_assertions), inline(always))]
                fn $name(&self, $($argument: $type),*) $(-> $output)? {
                    <M::Assembly as $assembly<M>>::$name(self, $($argument),*)
                }
            )*
        }
    };
}

by_assembly! {
    /// Assembles a [`MechanicalSystem`] from terms: its types, and each of its methods of the same name.
    trait Assembly {
        /// [`MechanicalSystem::Velocity`].
        type Velocity: TangentVector<Scalar = M::Scalar>;
        /// [`MechanicalSystem::Space`].
        type Space: ReverseSpace<Scalar = M::Scalar, Configuration = M::Configuration, Velocity = Self::Velocity>;
        /// [`MechanicalSystem::Multipliers`].
        type Multipliers: TangentVector<Scalar = M::Scalar>;
        /// [`MechanicalSystem::Jacobian`].
        type Jacobian: Clone + Debug;
        /// [`MechanicalSystem::Mass`].
        type Mass: Clone + Debug;

        /// [`Momentum::momentum`].
        fn momentum(system: &M, t: M::Scalar, q: &M::Configuration, v: &Self::Velocity, out: &mut Self::Velocity);
        /// [`MechanicalSystem::force`] without the friction of sliding contacts.
        fn force(system: &M, t: M::Scalar, q: &M::Configuration, v: &Self::Velocity, out: &mut Self::Velocity);
        /// [`MechanicalSystem::complete_force`] without the friction of sliding contacts.
        fn complete_force(system: &M, t: M::Scalar, q: &M::Configuration, v: &Self::Velocity, out: &mut Self::Velocity);
        /// [`MechanicalSystem::mass_and_force`] without the friction of sliding contacts.
        fn mass_and_force(
            system: &M,
            t: M::Scalar,
            q: &M::Configuration,
            v: &Self::Velocity,
            jacobian: &mut Self::Jacobian,
            mass: &mut Self::Mass,
            force: &mut Self::Velocity,
            curvature: Option<&mut Self::Multipliers>,
        ) -> Result<(), KktError>;
    }
    impl MechanicalSystem for Assembled {
        type Scalar = M::Scalar;
        type Configuration = M::Configuration;
        type Velocity = <M::Assembly as Assembly<M>>::Velocity;
        type Space = <M::Assembly as Assembly<M>>::Space;
        type Multipliers = <M::Assembly as Assembly<M>>::Multipliers;
        type Jacobian = <M::Assembly as Assembly<M>>::Jacobian;
        type Mass = <M::Assembly as Assembly<M>>::Mass;

        const REDUNDANCY: Redundancy = <M as Assembled>::REDUNDANCY;

        #[inline]
        fn description(&self) -> &Description {
            Assembled::description(self)
        }
        fn ensure_inputs(&self, start: f64, end: f64) -> Result<(), InputError> {
            Assembled::ensure_inputs(self, start, end)
        }
        fn smooth_until(&self, from: f64, end: f64, tolerance: f64) -> SmoothStretch {
            Assembled::smooth_until(self, from, end, tolerance)
        }
        fn noted_input(&self) -> Option<InputError> {
            Assembled::noted_input(self)
        }
        fn ensure_finite_inputs(
            &self,
            t: M::Scalar,
            q: &M::Configuration,
            v: &Self::Velocity,
        ) -> Result<(), InputError> {
            Assembled::ensure_finite_inputs(self, t, q, v)
        }
        fn check_against_declaration(
            &self,
            t: M::Scalar,
            q: &M::Configuration,
            v: &Self::Velocity,
        ) -> Result<(), DeclarationError> {
            // The friction of sliding contacts is not a declared function.
            match Assembled::sliding(self) {
                Some(sliding) => Assembled::check_against_declaration(sliding.sticking(), t, q, v),
                None => Assembled::check_against_declaration(self, t, q, v),
            }
        }
        fn powers(
            &self,
            t: M::Scalar,
            q: &M::Configuration,
            v: &Self::Velocity,
            visit: &mut dyn FnMut(&'static str, f64),
        ) -> bool {
            let is_known = Assembled::powers(self, t, q, v, visit);
            if is_known {
                sliding_friction(self, (t, q, v), &mut |name, power, _| visit(name, power));
            }
            is_known
        }
        fn one_sided_laws(&self) -> Vec<OneSidedLaw> {
            Assembled::one_sided_laws(self)
        }
        fn law_rows(&self, laws: &ImposedLaws) -> Result<Option<LawRows<Self>>, ModelError> {
            Assembled::law_rows(self, laws)
        }
        fn law_violation(
            &self,
            t: M::Scalar,
            q: &M::Configuration,
            v: &Self::Velocity,
            multipliers: &Self::Multipliers,
            round_off: f64,
        ) -> Option<LawViolation> {
            Assembled::law_violation(self, t, q, v, multipliers, round_off)
        }
        fn is_sliding(&self) -> bool {
            Assembled::sliding(self).is_some()
        }
        fn singular_function(
            &self,
            t: M::Scalar,
            q: &M::Configuration,
            v: &Self::Velocity,
            of_forces: bool,
        ) -> Option<FunctionElement> {
            Assembled::singular_function(self, t, q, v, of_forces)
        }
        fn symmetry(&self, number: usize, t: M::Scalar, q: &M::Configuration) -> Option<Self::Velocity> {
            Assembled::symmetry(self, number, t, q)
        }
        #[cfg_attr(not(debug_assertions), inline(always))]
        fn force(&self, t: M::Scalar, q: &M::Configuration, v: &Self::Velocity, out: &mut Self::Velocity) {
            <M::Assembly as Assembly<M>>::force(self, t, q, v, out);
            add_sliding_friction(self, (t, q, v), out);
        }
        #[cfg_attr(not(debug_assertions), inline(always))]
        fn complete_force(&self, t: M::Scalar, q: &M::Configuration, v: &Self::Velocity, out: &mut Self::Velocity) {
            <M::Assembly as Assembly<M>>::complete_force(self, t, q, v, out);
            add_sliding_friction(self, (t, q, v), out);
        }
        #[cfg_attr(not(debug_assertions), inline(always))]
        fn mass_and_force(
            &self,
            t: M::Scalar,
            q: &M::Configuration,
            v: &Self::Velocity,
            jacobian: &mut Self::Jacobian,
            mass: &mut Self::Mass,
            force: &mut Self::Velocity,
            curvature: Option<&mut Self::Multipliers>,
        ) -> Result<(), KktError> {
            <M::Assembly as Assembly<M>>::mass_and_force(self, t, q, v, jacobian, mass, force, curvature)?;
            add_sliding_friction(self, (t, q, v), force);
            Ok(())
        }
    }
    fn space() -> &Self::Space;
    fn dof() -> usize;
    fn constraint_rows() -> usize;
    fn holonomic_rows() -> usize;
    fn zero_multipliers() -> Self::Multipliers;
    fn zero_jacobian() -> Self::Jacobian;
    fn zero_mass() -> Self::Mass;
    fn mass(t: M::Scalar, q: &M::Configuration, out: &mut Self::Mass) -> Result<(), KktError>;
    fn solve_mass(mass: &mut Self::Mass, force: &Self::Velocity, acceleration: &mut Self::Velocity);
    fn accelerate(
        t: M::Scalar, q: &M::Configuration, v: &Self::Velocity, mass: &mut Self::Mass, force: &mut Self::Velocity,
        acceleration: &mut Self::Velocity
    ) -> Result<(), KktError>;
    fn constraint(t: M::Scalar, q: &M::Configuration, out: &mut Self::Multipliers);
    fn constraint_jacobian(t: M::Scalar, q: &M::Configuration, out: &mut Self::Jacobian);
    fn jacobian_and_force(
        t: M::Scalar, q: &M::Configuration, jacobian: &mut Self::Jacobian, force: Option<&mut Self::Velocity>
    );
    fn constraint_drift(t: M::Scalar, q: &M::Configuration, out: &mut Self::Multipliers);
    fn constraint_curvature(t: M::Scalar, q: &M::Configuration, v: &Self::Velocity, out: &mut Self::Multipliers);
    fn jacobian_times(jacobian: &Self::Jacobian, v: &Self::Velocity, out: &mut Self::Multipliers);
    fn jacobian_transpose_times(
        jacobian: &Self::Jacobian, multipliers: &Self::Multipliers, out: &mut Self::Velocity
    );
    fn solve_kkt(
        mass: &mut Self::Mass, force_jacobian: &Self::Jacobian, constraint_jacobian: &Self::Jacobian,
        force: &Self::Velocity, constraint: &Self::Multipliers, acceleration: &mut Self::Velocity,
        multipliers: &mut Self::Multipliers
    ) -> Result<(), KktError>;
    fn solve_kkt_end_velocity(
        mass: &mut Self::Mass, force_jacobian: &Self::Jacobian, constraint_jacobian: &Self::Jacobian,
        force: &Self::Velocity, ahead: (&Self::Velocity, f64), drift: &mut Self::Multipliers,
        acceleration: &mut Self::Velocity, multipliers: &mut Self::Multipliers
    ) -> Result<(), KktError>;
    fn solve_kkt_again(
        mass: &mut Self::Mass, jacobian: &Self::Jacobian, zero: &Self::Velocity, constraint: &Self::Multipliers,
        acceleration: &mut Self::Velocity, multipliers: &mut Self::Multipliers
    ) -> Result<(), KktError>;
    fn kinetic_energy(t: M::Scalar, q: &M::Configuration, v: &Self::Velocity) -> M::Scalar;
    fn potential_energy(t: M::Scalar, q: &M::Configuration) -> M::Scalar;
}

impl<M: Assembled> Momentum for M {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn momentum(&self, t: M::Scalar, q: &M::Configuration, v: &AssembledVelocity<M>, out: &mut AssembledVelocity<M>) {
        <M::Assembly as Assembly<M>>::momentum(self, t, q, v, out);
    }
}

by_assembly! {
    /// Assembles a [`Linearised`] system from terms: its types, and each of its methods of the same name.
    trait LinearisedAssembly {
        /// [`Linearised::Matrix`].
        type Matrix: Clone + Debug;
        /// [`Linearised::Factorisation`].
        type Factorisation: Clone + Debug;

        /// [`Linearised::residual`] without the friction of sliding contacts.
        fn residual(
            system: &M,
            t: M::Scalar,
            q: &M::Configuration,
            v: &AssembledVelocity<M>,
            acceleration: &AssembledVelocity<M>,
            multipliers: &AssembledMultipliers<M>,
            out: &mut AssembledVelocity<M>,
        );
        /// [`Linearised::residual_and_constraint`] without the friction of sliding contacts.
        fn residual_and_constraint(
            system: &M,
            t: M::Scalar,
            q: &M::Configuration,
            v: &AssembledVelocity<M>,
            acceleration: &AssembledVelocity<M>,
            multipliers: &AssembledMultipliers<M>,
            residual: &mut AssembledVelocity<M>,
            constraint: &mut AssembledMultipliers<M>,
        );
    }
    impl Linearised for Assembled {
        type Matrix = <M::Assembly as LinearisedAssembly<M>>::Matrix;
        type Factorisation = <M::Assembly as LinearisedAssembly<M>>::Factorisation;

        #[cfg_attr(not(debug_assertions), inline(always))]
        fn residual(
            &self,
            t: M::Scalar,
            q: &M::Configuration,
            v: &AssembledVelocity<M>,
            acceleration: &AssembledVelocity<M>,
            multipliers: &AssembledMultipliers<M>,
            out: &mut AssembledVelocity<M>,
        ) {
            <M::Assembly as LinearisedAssembly<M>>::residual(self, t, q, v, acceleration, multipliers, out);
            sliding_friction(self, (t, q, v), &mut |_, _, force| out.axpy(-M::Scalar::one(), force));
        }
        #[cfg_attr(not(debug_assertions), inline(always))]
        fn residual_and_constraint(
            &self,
            t: M::Scalar,
            q: &M::Configuration,
            v: &AssembledVelocity<M>,
            acceleration: &AssembledVelocity<M>,
            multipliers: &AssembledMultipliers<M>,
            residual: &mut AssembledVelocity<M>,
            constraint: &mut AssembledMultipliers<M>,
        ) {
            <M::Assembly as LinearisedAssembly<M>>::residual_and_constraint(
                self, t, q, v, acceleration, multipliers, residual, constraint,
            );
            sliding_friction(self, (t, q, v), &mut |_, _, force| residual.axpy(-M::Scalar::one(), force));
        }
    }
    fn zero_matrix() -> Self::Matrix;
    fn matrix_entry(matrix: &Self::Matrix, row: usize, column: usize) -> M::Scalar;
    fn matrix_times(matrix: &Self::Matrix, x: &AssembledVelocity<M>, out: &mut AssembledVelocity<M>);
    fn matrix_transpose_times(matrix: &Self::Matrix, x: &AssembledVelocity<M>, out: &mut AssembledVelocity<M>);
    fn mass_matrix(t: M::Scalar, q: &M::Configuration, out: &mut Self::Matrix);
    fn tangent_stiffness(
        t: M::Scalar, q: &M::Configuration, v: &AssembledVelocity<M>, acceleration: &AssembledVelocity<M>, multipliers: &AssembledMultipliers<M>,
        out: &mut Self::Matrix
    );
    fn tangent_damping(t: M::Scalar, q: &M::Configuration, v: &AssembledVelocity<M>, out: &mut Self::Matrix);
    fn zero_factorisation() -> Self::Factorisation;
    fn factorise_iteration(
        point: &IterationPoint<'_, M>, coefficients: &IterationCoefficients<M::Scalar>,
        projection: Option<&AssembledJacobian<M>>, out: &mut Self::Factorisation
    ) -> Result<(), KktError>;
    fn solve_iteration(
        factorisation: &mut Self::Factorisation, residual: &IterationResidual<M>,
        correction: &mut IterationCorrection<M>
    );
    fn correct_iteration(
        point: &IterationPoint<'_, M>, coefficients: &IterationCoefficients<M::Scalar>,
        residual: &IterationResidual<M>, correction: &mut IterationCorrection<M>
    ) -> bool;
}

by_assembly! {
    /// Assembles the cotangents of a [`Reverse`] system from terms: each of its methods of the same name.
    trait ReverseAssembly {}
    impl Reverse for Reversible {
        fn parameter_count(&self) -> usize {
            Reversible::parameter_count(self)
        }
        fn input_count(&self) -> usize {
            Reversible::input_count(self)
        }
        fn reads_rates_of_inputs(&self) -> bool {
            Reversible::reads_rates_of_inputs(self)
        }
    }
    fn residual_pullback(
        t: M::Scalar, q: &M::Configuration, v: &AssembledVelocity<M>, acceleration: &AssembledVelocity<M>, multipliers: &AssembledMultipliers<M>,
        weights: &AssembledVelocity<M>, out: &mut Cotangents<'_, AssembledVelocity<M>, M::Scalar>
    );
    fn constraint_pullback(
        t: M::Scalar, q: &M::Configuration, weights: &AssembledMultipliers<M>,
        out: &mut Cotangents<'_, AssembledVelocity<M>, M::Scalar>
    );
    fn rate_pullback(
        t: M::Scalar, q: &M::Configuration, v: &AssembledVelocity<M>, weights: &AssembledMultipliers<M>,
        out: &mut Cotangents<'_, AssembledVelocity<M>, M::Scalar>
    );
    fn curvature_pullback(
        t: M::Scalar, q: &M::Configuration, v: &AssembledVelocity<M>, weights: &AssembledMultipliers<M>,
        out: &mut Cotangents<'_, AssembledVelocity<M>, M::Scalar>
    );
    fn solve_iteration_transposed(
        factorisation: &mut <M as Linearised>::Factorisation, correction: &IterationCorrection<M>,
        residual: &mut IterationResidual<M>
    );
}
