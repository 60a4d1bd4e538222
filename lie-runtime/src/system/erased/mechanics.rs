//! The equations of motion of a system without its type, its names and its declared functions.

use core::any::Any;
use core::fmt;

use super::arguments::{InputVector, OutputVector};
use super::erasable::Erasable;
use super::iteration::{FactorisedIteration, TypedPoint, load_residual, store_correction};
use super::space::ErasedSpace;
use super::value::{ErasedValue, same_system};
use super::vector::ErasedVector;
use crate::group::TangentVector;
use crate::inputs::{InputError, SmoothStretch};
use crate::system::declaration_check::{FunctionComparison, check_in_f64, singular_function_in_f64};
use crate::system::{
    DeclarationError, Declared, Description, FieldVisitor, FunctionElement, IterationCoefficients, IterationCorrection,
    IterationPoint, IterationResidual, KktError, LawViolation, Linearised, MechanicalSystem, Momentum, MomentumRate,
    OneSidedLaw, Redundancy, Report, Value,
};

/// A system without its type.
///
/// It has the equations of motion of the system that it contains. A step of an integrator computes the same values as with the
/// type.
pub struct ErasedSystem {
    object: Box<dyn SystemObject>,
    space: ErasedSpace,
    zero_multipliers: ErasedVector,
    holonomic_rows: usize,
    redundancy: Redundancy,
}

/// A system with its type.
#[derive(Clone)]
pub(super) struct TypedSystem<M>(pub M);

/// The buffers of the derivatives of momenta.
pub struct ErasedRates(Box<dyn Any>);

/// The functions of a system that differ from the functions of the traits in their signatures, virtual.
trait SystemObject: Mechanics + Linearisation + Momenta + Declaration + Any {
    fn boxed_clone(&self) -> Box<dyn SystemObject>;
    fn perturbed(&self, change: &mut dyn FnMut(f64) -> f64) -> Box<dyn SystemObject>;
    fn zero_jacobian(&self) -> ErasedValue;
    fn zero_mass(&self) -> ErasedValue;
    fn zero_matrix(&self) -> ErasedValue;
    fn zero_factorisation(&self) -> ErasedValue;
    fn rates(&self, q: &ErasedValue) -> ErasedRates;
    fn momentum_rate(&self, rates: &mut ErasedRates, t: f64, q: &ErasedValue, v: &ErasedVector, out: &mut ErasedVector);
    fn symmetry(&self, number: usize, t: f64, q: &ErasedValue) -> Option<ErasedVector>;
    fn factorise_iteration(
        &self,
        point: &IterationPoint<'_, ErasedSystem>,
        coefficients: &IterationCoefficients<f64>,
        projection: Option<&ErasedValue>,
        out: &mut ErasedValue,
    ) -> Result<(), KktError>;
    fn solve_iteration(
        &self,
        factorisation: &mut ErasedValue,
        residual: &IterationResidual<ErasedSystem>,
        correction: &mut IterationCorrection<ErasedSystem>,
    );
    fn correct_iteration(
        &self,
        point: &IterationPoint<'_, ErasedSystem>,
        coefficients: &IterationCoefficients<f64>,
        residual: &IterationResidual<ErasedSystem>,
        correction: &mut IterationCorrection<ErasedSystem>,
    ) -> bool;
}

impl<M: Erasable> TypedSystem<M> {
    #[inline]
    fn input<'a>(&self, vector: &'a ErasedVector) -> InputVector<'a, M::Velocity> {
        InputVector::of(vector, || self.0.zero_velocity())
    }
    #[inline]
    fn output<'a>(&self, vector: &'a mut ErasedVector) -> OutputVector<'a, M::Velocity> {
        OutputVector::of(vector, || self.0.zero_velocity())
    }
}

impl<M: Erasable> SystemObject for TypedSystem<M> {
    fn boxed_clone(&self) -> Box<dyn SystemObject> {
        Box::new(self.clone())
    }
    fn perturbed(&self, change: &mut dyn FnMut(f64) -> f64) -> Box<dyn SystemObject> {
        Box::new(TypedSystem(self.0.perturbed(change)))
    }
    fn zero_jacobian(&self) -> ErasedValue {
        ErasedValue::of(self.0.zero_jacobian())
    }
    fn zero_mass(&self) -> ErasedValue {
        ErasedValue::of(self.0.zero_mass())
    }
    fn zero_matrix(&self) -> ErasedValue {
        ErasedValue::of(self.0.zero_matrix())
    }
    fn zero_factorisation(&self) -> ErasedValue {
        ErasedValue::of(FactorisedIteration::<M> {
            factors: self.0.zero_factorisation(),
            residual: IterationResidual::zero(&self.0),
            correction: IterationCorrection::zero(&self.0),
        })
    }
    fn rates(&self, q: &ErasedValue) -> ErasedRates {
        ErasedRates(Box::new(self.0.rates(q.get())))
    }
    fn momentum_rate(
        &self,
        rates: &mut ErasedRates,
        t: f64,
        q: &ErasedValue,
        v: &ErasedVector,
        out: &mut ErasedVector,
    ) {
        let rates = same_system(rates.0.downcast_mut());
        self.0.momentum_rate(rates, t, q.get(), &self.input(v), &mut self.output(out));
    }
    fn symmetry(&self, number: usize, t: f64, q: &ErasedValue) -> Option<ErasedVector> {
        self.0.symmetry(number, t, q.get()).map(|xi| ErasedVector::of(&xi))
    }
    fn factorise_iteration(
        &self,
        point: &IterationPoint<'_, ErasedSystem>,
        coefficients: &IterationCoefficients<f64>,
        projection: Option<&ErasedValue>,
        out: &mut ErasedValue,
    ) -> Result<(), KktError> {
        let out = out.get_mut::<FactorisedIteration<M>>();
        let typed = TypedPoint::of(&self.0, point);
        let projection = projection.map(ErasedValue::get);
        self.0.factorise_iteration(&typed.point(point), coefficients, projection, &mut out.factors)
    }
    fn solve_iteration(
        &self,
        factorisation: &mut ErasedValue,
        residual: &IterationResidual<ErasedSystem>,
        correction: &mut IterationCorrection<ErasedSystem>,
    ) {
        let own = factorisation.get_mut::<FactorisedIteration<M>>();
        load_residual(residual, &mut own.residual);
        self.0.solve_iteration(&mut own.factors, &own.residual, &mut own.correction);
        store_correction(&own.correction, correction);
    }
    fn correct_iteration(
        &self,
        point: &IterationPoint<'_, ErasedSystem>,
        coefficients: &IterationCoefficients<f64>,
        residual: &IterationResidual<ErasedSystem>,
        correction: &mut IterationCorrection<ErasedSystem>,
    ) -> bool {
        // Only systems of fixed size have an elimination with a fixed order. Their vectors need no allocation.
        if const { <M::Velocity as TangentVector>::COMPONENTS.is_none() } {
            return false;
        }
        let (mut own, mut solution) = (IterationResidual::zero(&self.0), IterationCorrection::zero(&self.0));
        load_residual(residual, &mut own);
        let typed = TypedPoint::of(&self.0, point);
        let is_solved = self.0.correct_iteration(&typed.point(point), coefficients, &own, &mut solution);
        store_correction(&solution, correction);
        is_solved
    }
}

impl ErasedSystem {
    /// Hides the type of a copy of a system.
    #[inline(never)]
    pub fn of<M: Erasable>(system: &M) -> Self {
        ErasedSystem {
            space: ErasedSpace::of(system.space()),
            zero_multipliers: ErasedVector::of(&system.zero_multipliers()),
            holonomic_rows: system.holonomic_rows(),
            redundancy: system.redundancy(),
            object: Box::new(TypedSystem(system.clone())),
        }
    }

    /// Returns the system with its type.
    ///
    /// # Panics
    /// If the system has another type.
    pub fn typed<M: Erasable>(&self) -> &M {
        let system: &dyn Any = &*self.object;
        &same_system(system.downcast_ref::<TypedSystem<M>>()).0
    }

    /// Returns the system with its type, mutably. A change must keep the space and the number of constraint rows.
    ///
    /// # Panics
    /// If the system has another type.
    pub fn typed_mut<M: Erasable>(&mut self) -> &mut M {
        let system: &mut dyn Any = &mut *self.object;
        &mut same_system(system.downcast_mut::<TypedSystem<M>>()).0
    }

    fn with_object(&self, object: Box<dyn SystemObject>) -> Self {
        let (space, zero_multipliers) = (self.space.clone(), self.zero_multipliers.clone());
        ErasedSystem { object, space, zero_multipliers, ..*self }
    }
}

impl Clone for ErasedSystem {
    fn clone(&self) -> Self {
        self.with_object(self.object.boxed_clone())
    }
}

impl fmt::Debug for ErasedSystem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ErasedSystem").field("name", &self.object.description().name).finish_non_exhaustive()
    }
}

by_object! {
    /// The functions of a [`MechanicalSystem`], virtual.
    trait Mechanics;
    impl<M: Erasable> for TypedSystem;
    impl MechanicalSystem for ErasedSystem {
        type Scalar = f64;
        type Configuration = ErasedValue;
        type Velocity = ErasedVector;
        type Space = ErasedSpace;
        type Multipliers = ErasedVector;
        type Jacobian = ErasedValue;
        type Mass = ErasedValue;

        /// The type contains the code for both treatments.
        const REDUNDANCY: Redundancy = Redundancy::MinimumNorm;

        #[inline]
        fn redundancy(&self) -> Redundancy {
            self.redundancy
        }
        #[inline]
        fn space(&self) -> &ErasedSpace {
            &self.space
        }
        #[inline]
        fn constraint_rows(&self) -> usize {
            self.zero_multipliers.component_count()
        }
        #[inline]
        fn holonomic_rows(&self) -> usize {
            self.holonomic_rows
        }
        fn zero_multipliers(&self) -> ErasedVector {
            self.zero_multipliers.clone()
        }
        fn zero_jacobian(&self) -> ErasedValue {
            self.object.zero_jacobian()
        }
        fn zero_mass(&self) -> ErasedValue {
            self.object.zero_mass()
        }
        fn check_against_declaration(&self, t: f64, q: &ErasedValue, v: &ErasedVector) -> Result<(), DeclarationError> {
            // Systems from text have no functions beside their kernels. The friction of sliding contacts is not a declared function.
            let mut has_functions = false;
            self.compare(t, q, v, &mut |_| has_functions = true);
            if !has_functions || self.is_sliding() { Ok(()) } else { check_in_f64::<Self, Self>(self, t, q, v) }
        }
        fn singular_function(
            &self,
            t: f64,
            q: &ErasedValue,
            v: &ErasedVector,
            of_forces: bool,
        ) -> Option<FunctionElement> {
            singular_function_in_f64::<Self, Self>(self, (t, q, v), of_forces)
        }
        fn symmetry(&self, number: usize, t: f64, q: &ErasedValue) -> Option<ErasedVector> {
            self.object.symmetry(number, t, q)
        }
    }
    fn description() -> &Description;
    fn powers(
        t: (f64), q: value, v: vector, visit: (&mut dyn FnMut(&'static str, f64))
    ) -> bool;
    fn one_sided_laws() -> Vec<OneSidedLaw>;
    fn is_sliding() -> bool;
    fn ensure_inputs(start: (f64), end: (f64)) -> Result<(), InputError>;
    fn smooth_until(from: (f64), end: (f64), tolerance: (f64)) -> SmoothStretch;
    fn noted_input() -> Option<InputError>;
    fn ensure_finite_inputs(t: (f64), q: value, v: vector) -> Result<(), InputError>;
    fn mass(t: (f64), q: value, out: value_mut) -> Result<(), KktError>;
    fn solve_mass(mass: value_mut, force: vector, acceleration: vector_mut);
    fn accelerate(
        t: (f64), q: value, v: vector, mass: value_mut, force: vector_mut, acceleration: vector_mut
    ) -> Result<(), KktError>;
    fn force(t: (f64), q: value, v: vector, out: vector_mut);
    fn constraint(t: (f64), q: value, out: rows_mut);
    fn constraint_jacobian(t: (f64), q: value, out: value_mut);
    fn complete_force(t: (f64), q: value, v: vector, out: vector_mut);
    fn constraint_drift(t: (f64), q: value, out: rows_mut);
    fn constraint_curvature(t: (f64), q: value, v: vector, out: rows_mut);
    fn jacobian_times(jacobian: value, v: vector, out: rows_mut);
    fn jacobian_transpose_times(jacobian: value, multipliers: rows, out: vector_mut);
    fn solve_kkt(
        mass: value_mut, force_jacobian: value, constraint_jacobian: value, force: vector, constraint: rows,
        acceleration: vector_mut, multipliers: rows_mut
    ) -> Result<(), KktError>;
    fn mass_and_force(
        t: (f64), q: value, v: vector, jacobian: value_mut, mass: value_mut, force: vector_mut,
        curvature: rows_option
    ) -> Result<(), KktError>;
    fn jacobian_and_force(t: (f64), q: value, jacobian: value_mut, force: vector_option);
    fn solve_kkt_end_velocity(
        mass: value_mut, force_jacobian: value, constraint_jacobian: value, force: vector, ahead: velocity_and_step,
        drift: rows_mut, acceleration: vector_mut, multipliers: rows_mut
    ) -> Result<(), KktError>;
    fn solve_kkt_again(
        mass: value_mut, jacobian: value, zero: vector, constraint: rows, acceleration: vector_mut,
        multipliers: rows_mut
    ) -> Result<(), KktError>;
    fn kinetic_energy(t: (f64), q: value, v: vector) -> f64;
    fn potential_energy(t: (f64), q: value) -> f64;
    fn energy(t: (f64), q: value, v: vector) -> f64;
    fn law_violation(t: (f64), q: value, v: vector, multipliers: rows, round_off: (f64)) -> Option<LawViolation>;
}

by_object! {
    /// The functions of a [`Linearised`] system, virtual.
    trait Linearisation;
    impl<M: Erasable> for TypedSystem;
    impl Linearised for ErasedSystem {
        type Matrix = ErasedValue;
        type Factorisation = ErasedValue;

        fn zero_matrix(&self) -> ErasedValue {
            self.object.zero_matrix()
        }
        fn zero_factorisation(&self) -> ErasedValue {
            self.object.zero_factorisation()
        }
        #[inline]
        fn factorise_iteration(
            &self,
            point: &IterationPoint<'_, Self>,
            coefficients: &IterationCoefficients<f64>,
            projection: Option<&ErasedValue>,
            out: &mut ErasedValue,
        ) -> Result<(), KktError> {
            self.object.factorise_iteration(point, coefficients, projection, out)
        }
        #[inline]
        fn solve_iteration(
            &self,
            factorisation: &mut ErasedValue,
            residual: &IterationResidual<Self>,
            correction: &mut IterationCorrection<Self>,
        ) {
            self.object.solve_iteration(factorisation, residual, correction);
        }
        #[inline]
        fn correct_iteration(
            &self,
            point: &IterationPoint<'_, Self>,
            coefficients: &IterationCoefficients<f64>,
            residual: &IterationResidual<Self>,
            correction: &mut IterationCorrection<Self>,
        ) -> bool {
            self.object.correct_iteration(point, coefficients, residual, correction)
        }
    }
    fn matrix_entry(matrix: value, row: (usize), column: (usize)) -> f64;
    fn matrix_times(matrix: value, x: vector, out: vector_mut);
    fn matrix_transpose_times(matrix: value, x: vector, out: vector_mut);
    fn residual(t: (f64), q: value, v: vector, acceleration: vector, multipliers: rows, out: vector_mut);
    fn residual_and_constraint(
        t: (f64), q: value, v: vector, acceleration: vector, multipliers: rows, residual: vector_mut,
        constraint: rows_mut
    );
    fn mass_matrix(t: (f64), q: value, out: value_mut);
    fn tangent_stiffness(t: (f64), q: value, v: vector, acceleration: vector, multipliers: rows, out: value_mut);
    fn tangent_damping(t: (f64), q: value, v: vector, out: value_mut);
}

by_object! {
    /// The momenta of a system, virtual.
    trait Momenta;
    impl<M: Erasable> for TypedSystem;
    impl Momentum for ErasedSystem {}
    fn momentum(t: (f64), q: value, v: vector, out: vector_mut);
}

impl MomentumRate for ErasedSystem {
    type Rates = ErasedRates;

    fn rates(&self, q: &ErasedValue) -> ErasedRates {
        self.object.rates(q)
    }
    fn momentum_rate(
        &self,
        rates: &mut ErasedRates,
        t: f64,
        q: &ErasedValue,
        v: &ErasedVector,
        out: &mut ErasedVector,
    ) {
        self.object.momentum_rate(rates, t, q, v, out);
    }
}

by_object! {
    /// The functions of a [`Report`], virtual.
    trait Names;
    impl<M: Erasable> for TypedSystem;
    impl Report for ErasedSystem {}
    fn visit_configuration_fields(q: value, visit: (FieldVisitor<'_>));
    fn visit_velocity_fields(v: vector, visit: (FieldVisitor<'_>));
    fn visit_multiplier_fields(multipliers: rows, visit: (FieldVisitor<'_>));
    fn visit_observable_fields(t: (f64), q: value, v: vector, visit: (FieldVisitor<'_>));
    fn report_inputs(t: (f64), q: value, v: vector) -> Value;
    fn report_states(v: vector) -> Value;
}

by_object! {
    /// The functions of a [`Declared`] system, virtual.
    trait Declaration: Names;
    impl<M: Erasable> for TypedSystem;
    impl Declared for ErasedSystem {
        fn perturbed(&self, change: &mut dyn FnMut(f64) -> f64) -> Self {
            self.with_object(self.object.perturbed(change))
        }
        fn declared_symmetry(&self, number: usize, t: f64, q: &ErasedValue) -> Option<ErasedVector> {
            self.symmetry(number, t, q)
        }
    }
    fn compare(t: (f64), q: value, v: vector, visit: (&mut dyn FnMut(&FunctionComparison<'_>)));
    fn declared_event(number: (usize), t: (f64), q: value, v: vector, multipliers: rows) -> f64;
}
