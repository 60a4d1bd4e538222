//! The equations of motion of a model, executed from its tapes.

use std::sync::Arc;

use nalgebra::{DMatrix, DVector};

use super::configuration::DynamicConfiguration;
use super::contacts::DynamicContacts;
use super::dense::{Cholesky, times, times_transpose, transpose_times};
use super::group_element::element;
use super::inputs::DynamicInputs;
use super::model::{KernelName, ModelData};
use super::tape::{Arguments, Kernel, KernelData};
use super::{DynamicError, DynamicParameters};
use crate::inputs::{InputError, SmoothStretch};
use crate::scalar::{Dual, Scalar};
use crate::solve::{PivotedLu, solve_least_norm_of_size};
use crate::space::ChainSpace;
use crate::system::over_scalars::{lift, lift_onto, lowered};
use crate::system::{
    Description, ImposedLaws, KktError, LawRows, LawViolation, Liftable, MechanicalSystem, ModelError, Momentum,
    OneSidedLaw, Redundancy, Sliding, law_rows, law_violation, one_sided_laws,
};

/// A system from text: the declaration is compiled at run time, and its kernels are executed from lists of operations.
///
/// It implements the same traits as a generated system, so that every integrator, event and analysis runs it. A step takes several times
/// as long as with generated code.
///
/// ```
/// use lie_runtime::dynamic::DynamicModel;
/// use lie_runtime::prelude::*;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let model = DynamicModel::from_text("
///     #[mechanical_system]
///     mod pendulum {
///         #[configuration] pub struct Angle { pub arm: SO2 }
///         #[parameters] pub struct Pendulum { pub gravity: f64 }
///         #[kinetic_energy] fn kinetic(v: &Velocity) -> f64 { 0.5 * v.arm * v.arm }
///         #[potential] fn weight(p: &Pendulum, q: &Angle) -> f64 { -p.gravity * (q.arm * Vector2::x()).x }
///     }")?;
/// let system = model.system([("gravity", &[9.81][..])])?;
/// let start = system.configuration([("arm", &[0.5][..])])?;
/// let run = Simulation::of(&system).at_rest(start).end_time(1.0).run()?;
/// let energy = run.energy();
/// assert!((energy[0] - energy[energy.len() - 1]).abs() < 1e-5);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct DynamicSystem<S: Scalar = f64> {
    pub(super) parameters: DynamicParameters<S>,
    pub(super) inputs: DynamicInputs<S>,
    pub(super) unilateral: DynamicContacts<S>,
    /// The frictions that slide with these parameters.
    sliding: Option<Arc<Sliding<Self>>>,
    space: ChainSpace<DynamicConfiguration<S>>,
    /// The values of each kernel that depend on parameters only.
    pub(super) data: Vec<KernelData<S>>,
}

/// A factorised mass matrix.
#[derive(Clone, Debug)]
pub struct DynamicMass<S: Scalar> {
    cholesky: Cholesky<S>,
    schur: PivotedLu<S>,
    /// B M⁻¹.
    moved: DMatrix<S>,
    /// The right-hand side for λ.
    right: DVector<S>,
}

impl<S: Scalar> DynamicSystem<S> {
    /// Returns the system with these parameters.
    pub(super) fn new(parameters: DynamicParameters<S>) -> Result<Self, ModelError> {
        let model = &parameters.model;
        if let Some(at) = parameters.values.iter().position(|value| !value.is_finite()) {
            let entry = model.parameters.iter().rev().find(|parameter| parameter.first <= at);
            let parameter = entry.map_or_else(String::new, |entry| entry.name.clone());
            return Err(ModelError::NonFiniteParameter { parameter, value: parameters.values[at].value() });
        }
        let prepare = &model.kernels.prepare;
        let mut hoisted = vec![S::zero(); prepare.output_count()];
        prepare.run(&prepare.data(&parameters.values, &[]), None, |at, value| hoisted[at] = value);
        let data = model.kernels.all.iter().map(|kernel| kernel.data(&parameters.values, &hoisted)).collect();
        let inputs = DynamicInputs::none(model.inputs.as_ref());
        let unilateral = DynamicContacts::of(model);
        let space = ChainSpace::new(model.spans.iter().cloned());
        let system = DynamicSystem { space, data, inputs, unilateral, sliding: None, parameters };
        Ok(system.with_sliding_frictions())
    }

    /// Returns the system with these inputs.
    pub(super) fn driven_by(self, inputs: DynamicInputs<S>) -> Self {
        DynamicSystem { inputs, ..self }.with_sliding_frictions()
    }

    /// Determines the frictions that slide; they depend on the parameters, and their tangents on the inputs.
    fn with_sliding_frictions(mut self) -> Self {
        self.sliding = Sliding::of(&self).map(Arc::new);
        self
    }

    pub(super) fn data(&self) -> &ModelData {
        &self.parameters.model
    }

    pub(super) fn kernel_at(&self, at: usize) -> &Kernel {
        &self.data().kernels.all[at]
    }

    pub(super) fn run_at(&self, at: usize, arguments: Arguments<'_, S>, store: impl FnMut(usize, S)) {
        self.kernel_at(at).run(&self.data[at], Some(Arguments { inputs: Some(&self.inputs), ..arguments }), store);
    }

    fn number(&self, kernel: KernelName, arguments: Arguments<'_, S>) -> S {
        let mut number = S::zero();
        self.run_at(kernel as usize, arguments, |_, value| number = value);
        number
    }

    /// A vector as long as a velocity.
    pub(super) fn vector(&self, kernel: KernelName, arguments: Arguments<'_, S>, out: &mut DVector<S>) {
        let components = &self.data().components;
        self.run_at(kernel as usize, arguments, |at, value| out[components[at]] = value);
    }

    /// The force without the friction of sliding contacts.
    fn smooth_force(&self, t: S, q: &DynamicConfiguration<S>, v: &DVector<S>, out: &mut DVector<S>) {
        self.vector(KernelName::Force, Arguments::moving(t, q, v), out);
    }

    /// Subtracts the friction of sliding contacts from a residual.
    pub(super) fn subtract_friction(&self, at: (S, &DynamicConfiguration<S>, &DVector<S>), residual: &mut DVector<S>) {
        if let Some(sliding) = &self.sliding {
            let mut force = self.zero_velocity();
            self.smooth_force(at.0, at.1, at.2, &mut force);
            sliding.visit(self, at, &force, &mut |_, _, friction| residual.axpy(-S::one(), friction, S::one()));
        }
    }

    fn rows(&self, kernel: KernelName, arguments: Arguments<'_, S>, out: &mut DVector<S>) {
        self.run_at(kernel as usize, arguments, |at, value| out[at] = value);
    }

    /// A matrix with a row and a column for each component of a velocity.
    pub(super) fn matrix(&self, kernel: KernelName, arguments: Arguments<'_, S>, out: &mut DMatrix<S>) {
        let (entries, out) = (&self.data().matrix_entries, out.as_mut_slice());
        self.run_at(kernel as usize, arguments, |at, value| out[entries[at]] = value);
    }

    /// A matrix with a row for each constraint row.
    pub(super) fn jacobian(&self, kernel: KernelName, arguments: Arguments<'_, S>, out: &mut DMatrix<S>) {
        let (entries, out) = (&self.data().jacobian_entries, out.as_mut_slice());
        self.run_at(kernel as usize, arguments, |at, value| out[entries[at]] = value);
    }
}

impl DynamicSystem {
    /// Returns a configuration from the scalars of its elements, by their paths (see
    /// [`DynamicModel::member_names`](super::DynamicModel::member_names)). Elements that are not given are the identity, zero, or e₃ for a
    /// direction. For a robot file they have the values of the reference configuration.
    ///
    /// | group | scalars |
    /// |---|---|
    /// | `f64`, R^n | the components |
    /// | `SO2` | the angle in rad, or cosine and sine |
    /// | `SO3` | the rotation matrix by rows, or a unit quaternion w, x, y, z |
    /// | `S3` | w, x, y, z |
    /// | `SE2`, `SE3`, `S3R3`, `SO3xR3`, `S3xR3` | the rotation in one of these forms, then the position |
    /// | `DQ` | w, x, y, z of the rotation, then the position; or the real part and the dual part |
    /// | `S2` | a unit vector |
    ///
    /// # Errors
    /// [`DynamicError::UnknownName`], [`DynamicError::WrongSize`], and [`DynamicError::NotInGroup`] for a distance above 10⁻⁶.
    pub fn configuration<'n>(
        &self,
        elements: impl IntoIterator<Item = (&'n str, &'n [f64])>,
    ) -> Result<DynamicConfiguration, DynamicError> {
        let mut q = self.space.origin();
        let mut set = |name: &str, scalars: &[f64]| -> Result<(), DynamicError> {
            let atom = self.atom(name)?;
            for (index, scalars) in element(name, atom.group, scalars)?.chunks(atom.kind.scalars()).enumerate() {
                q.set(atom.kind, atom.index + index, scalars);
            }
            Ok(())
        };
        for (name, scalars) in self.data().configurations.first().into_iter().flat_map(|(_, values)| values) {
            set(name, scalars)?;
        }
        for (name, scalars) in elements {
            set(name, scalars)?;
        }
        Ok(q)
    }

    /// Returns a velocity from the components of its elements, by their paths; the other components are zero. Angular velocities are
    /// body-fixed, and come before linear velocities.
    ///
    /// # Errors
    /// [`DynamicError::UnknownName`] and [`DynamicError::WrongSize`].
    pub fn velocity<'n>(
        &self,
        elements: impl IntoIterator<Item = (&'n str, &'n [f64])>,
    ) -> Result<DVector<f64>, DynamicError> {
        let mut v = self.zero_velocity();
        for (name, components) in elements {
            let atom = self.atom(name)?;
            let expected = atom.dof();
            if components.len() != expected {
                let (name, given) = (name.to_owned(), components.len());
                let order = if atom.is_held { "clamped members are at rest" } else { "angular components first" };
                return Err(DynamicError::WrongSize { name, expected, order, given });
            }
            v.as_mut_slice()[atom.component..atom.component + expected].copy_from_slice(components);
        }
        Ok(v)
    }

    fn atom(&self, name: &str) -> Result<&super::model::Atom, DynamicError> {
        let atoms = &self.data().atoms;
        atoms.iter().find(|atom| atom.name == name).ok_or_else(|| DynamicError::UnknownName {
            what: "member",
            name: name.to_owned(),
            known: atoms.iter().map(|atom| atom.name.to_owned()).collect(),
        })
    }
}

impl<S: Scalar> MechanicalSystem for DynamicSystem<S> {
    type Scalar = S;
    type Configuration = DynamicConfiguration<S>;
    type Velocity = DVector<S>;
    type Space = ChainSpace<DynamicConfiguration<S>>;
    type Multipliers = DVector<S>;
    type Jacobian = DMatrix<S>;
    type Mass = DynamicMass<S>;

    /// The type contains the code for both treatments.
    const REDUNDANCY: Redundancy = Redundancy::MinimumNorm;

    fn redundancy(&self) -> Redundancy {
        if self.data().is_redundant { Redundancy::MinimumNorm } else { Redundancy::Refused }
    }
    fn one_sided_laws(&self) -> Vec<OneSidedLaw> {
        one_sided_laws(self)
    }
    fn law_rows(&self, laws: &ImposedLaws) -> Result<Option<LawRows<Self>>, ModelError> {
        law_rows(self, laws).map(Some)
    }
    fn law_violation(
        &self,
        t: S,
        q: &DynamicConfiguration<S>,
        v: &DVector<S>,
        multipliers: &DVector<S>,
        round_off: f64,
    ) -> Option<LawViolation> {
        law_violation(self, t, q, v, multipliers, round_off)
    }
    fn is_sliding(&self) -> bool {
        self.sliding.is_some()
    }

    fn description(&self) -> &Description {
        &self.data().description
    }
    fn space(&self) -> &Self::Space {
        &self.space
    }
    fn constraint_rows(&self) -> usize {
        self.data().rows
    }
    fn holonomic_rows(&self) -> usize {
        self.data().holonomic_rows
    }
    fn zero_multipliers(&self) -> DVector<S> {
        DVector::from_element(self.data().rows, S::zero())
    }
    fn zero_jacobian(&self) -> DMatrix<S> {
        DMatrix::from_element(self.data().rows, self.dof(), S::zero())
    }
    fn zero_mass(&self) -> DynamicMass<S> {
        DynamicMass {
            cholesky: Cholesky::zeros(self.dof()),
            schur: PivotedLu::zeros(self.data().rows),
            moved: self.zero_jacobian(),
            right: self.zero_multipliers(),
        }
    }

    fn ensure_inputs(&self, start: f64, end: f64) -> Result<(), InputError> {
        self.ensure_declared_inputs(start, end)
    }
    fn smooth_until(&self, from: f64, end: f64, tolerance: f64) -> SmoothStretch {
        self.smooth_until_of_inputs(from, end, tolerance)
    }
    fn noted_input(&self) -> Option<InputError> {
        self.noted_input_error()
    }
    fn ensure_finite_inputs(&self, t: S, _: &DynamicConfiguration<S>, _: &DVector<S>) -> Result<(), InputError> {
        self.ensure_finite_scalars(t)
    }
    fn mass(&self, t: S, q: &DynamicConfiguration<S>, out: &mut DynamicMass<S>) -> Result<(), KktError> {
        self.matrix(KernelName::MassMatrix, Arguments::at(t, q), out.cholesky.matrix_mut());
        out.cholesky.factorise().map_err(|component| KktError::MassNotPositiveDefinite { component })
    }
    fn solve_mass(&self, mass: &mut DynamicMass<S>, force: &DVector<S>, acceleration: &mut DVector<S>) {
        acceleration.copy_from(force);
        mass.cholesky.solve(1, acceleration.as_mut_slice());
    }
    fn force(&self, t: S, q: &DynamicConfiguration<S>, v: &DVector<S>, out: &mut DVector<S>) {
        self.smooth_force(t, q, v, out);
        if let Some(sliding) = &self.sliding {
            let others = out.clone();
            sliding.visit(self, (t, q, v), &others, &mut |_, _, friction| out.axpy(S::one(), friction, S::one()));
        }
    }
    fn constraint(&self, t: S, q: &DynamicConfiguration<S>, out: &mut DVector<S>) {
        self.rows(KernelName::Constraint, Arguments::at(t, q), out);
    }
    fn constraint_jacobian(&self, t: S, q: &DynamicConfiguration<S>, out: &mut DMatrix<S>) {
        self.jacobian(KernelName::ConstraintJacobian, Arguments::at(t, q), out);
    }
    fn constraint_drift(&self, t: S, q: &DynamicConfiguration<S>, out: &mut DVector<S>) {
        self.rows(KernelName::ConstraintDrift, Arguments::at(t, q), out);
    }
    fn constraint_curvature(&self, t: S, q: &DynamicConfiguration<S>, v: &DVector<S>, out: &mut DVector<S>) {
        self.rows(KernelName::ConstraintCurvature, Arguments::moving(t, q, v), out);
    }
    fn jacobian_times(&self, jacobian: &DMatrix<S>, v: &DVector<S>, out: &mut DVector<S>) {
        times(jacobian, v, out);
    }
    fn jacobian_transpose_times(&self, jacobian: &DMatrix<S>, multipliers: &DVector<S>, out: &mut DVector<S>) {
        transpose_times(jacobian, multipliers, out);
    }
    /// Solves B₂ M⁻¹ B₁ᵀ λ = B₂ M⁻¹ f − c for λ, then computes v'.
    fn solve_kkt(
        &self,
        mass: &mut DynamicMass<S>,
        force_jacobian: &DMatrix<S>,
        constraint_jacobian: &DMatrix<S>,
        force: &DVector<S>,
        constraint: &DVector<S>,
        acceleration: &mut DVector<S>,
        multipliers: &mut DVector<S>,
    ) -> Result<(), KktError> {
        let rows = multipliers.len();
        let DynamicMass { cholesky, schur, moved, right } = mass;
        acceleration.copy_from(force);
        cholesky.solve(1, acceleration.as_mut_slice());
        // The columns of B₁ are the rows of B₁ᵀ.
        moved.as_mut_slice().copy_from_slice(force_jacobian.as_slice());
        cholesky.solve(rows, moved.as_mut_slice());
        times(constraint_jacobian, acceleration, right);
        for (row, constraint) in right.iter_mut().zip(constraint.iter()) {
            *row -= *constraint;
        }
        times_transpose(rows, constraint_jacobian.as_slice(), moved.as_slice(), schur.entries_mut());
        if self.data().is_redundant {
            let matrix = DMatrix::from_row_slice(rows, rows, schur.entries_mut());
            solve_least_norm_of_size(&matrix, right, schur, multipliers)?;
        } else {
            if !S::all_finite(schur.entries_mut().iter().copied()) {
                return Err(KktError::NotFinite);
            }
            schur.factorise().map_err(|row| KktError::SingularConstraints { row })?;
            schur.solve(right.as_slice(), multipliers.as_mut_slice());
        }
        for (a, entries) in acceleration.iter_mut().zip(moved.as_slice().chunks_exact(rows.max(1))) {
            entries.iter().zip(multipliers.iter()).for_each(|(&entry, &multiplier)| *a -= entry * multiplier);
        }
        Ok(())
    }
    fn kinetic_energy(&self, t: S, q: &DynamicConfiguration<S>, v: &DVector<S>) -> S {
        self.number(KernelName::KineticEnergy, Arguments::moving(t, q, v))
    }
    fn potential_energy(&self, t: S, q: &DynamicConfiguration<S>) -> S {
        self.number(KernelName::PotentialEnergy, Arguments::at(t, q))
    }
}

impl<S: Scalar> Momentum for DynamicSystem<S> {
    fn momentum(&self, t: S, q: &DynamicConfiguration<S>, v: &DVector<S>, out: &mut DVector<S>) {
        let n = self.dof();
        let mut mass = DMatrix::from_element(n, n, S::zero());
        self.matrix(KernelName::MassMatrix, Arguments::at(t, q), &mut mass);
        times(&mass, v, out);
    }
}

impl<S: Scalar> Liftable for DynamicSystem<S> {
    type Lifted = DynamicSystem<Dual<S>>;

    fn lift(&self) -> DynamicSystem<Dual<S>> {
        let lifted = DynamicSystem {
            parameters: DynamicParameters {
                model: Arc::clone(&self.parameters.model),
                values: lift::<S, _>(&self.parameters.values),
            },
            inputs: self.inputs.lift(),
            space: self.space.on(),
            data: self.data.iter().map(|data| KernelData::new(lift::<S, _>(&data.values))).collect(),
            unilateral: DynamicContacts::of(self.data()),
            sliding: None,
        };
        lifted.with_sliding_frictions()
    }
    fn lift_configuration(&self, q: &DynamicConfiguration<S>) -> DynamicConfiguration<Dual<S>> {
        lift(q)
    }
    fn lift_configuration_onto(&self, q: &DynamicConfiguration<S>, out: &mut DynamicConfiguration<Dual<S>>) {
        lift_onto(q, out);
    }
    fn lowered_configuration(&self, q: &DynamicConfiguration<Dual<S>>) -> DynamicConfiguration<S> {
        lowered(q)
    }
}
