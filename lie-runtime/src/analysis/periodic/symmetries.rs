//! The action of declared symmetries on states: the flow of their ξ and its effect on velocities.

use core::marker::PhantomData;

use nalgebra::{DMatrix, DVector};

use crate::analysis::matrices::dense::{components, set_components, stacked};
use crate::field::FirstOrder;
use crate::gradient::differences::difference;
use crate::group::TangentVector;
use crate::integrator::{FieldState, Integrator, MuntheKaas, Problem, StepFailure};
use crate::space::ConfigurationSpace;
use crate::system::MechanicalSystem;

/// The number of steps of a flow.
const FEWEST: u32 = 4;
const MOST: u32 = 4096;
/// The size of log(q⁻¹ q̂) that counts as zero.
const NOTHING: f64 = 1e-12;

/// Symmetries of a system at a time, applied in sequence.
pub(in crate::analysis) struct Symmetries<'a, M> {
    pub system: &'a M,
    /// The indices in the [description](MechanicalSystem::description).
    pub numbers: &'a [usize],
    pub time: f64,
}

/// The displacement along a symmetry and the number of steps.
#[derive(Clone, Copy)]
struct SymmetryDisplacement {
    length: f64,
    steps: u32,
}

/// A state: q and v.
type PhasePoint<M> = (<M as MechanicalSystem>::Configuration, <M as MechanicalSystem>::Velocity);

impl<M: MechanicalSystem<Scalar = f64>> Symmetries<'_, M> {
    /// Applies the flows with these displacements; `None` if a ξ is not finite or has the wrong number of components.
    fn moved(&self, q: &M::Configuration, ways: &[SymmetryDisplacement]) -> Option<M::Configuration> {
        let mut q = q.clone();
        for (&number, way) in self.numbers.iter().zip(ways) {
            q = self.symmetry(number).flow(&q, way)?;
        }
        Some(q)
    }

    fn symmetry(&self, number: usize) -> Symmetry<'_, M> {
        Symmetry { system: self.system, number, time: self.time }
    }

    /// Returns flows with these displacements from a state; doubles the number of steps until the result does not change.
    fn ways(&self, q: &M::Configuration, lengths: &[f64]) -> Option<Vec<SymmetryDisplacement>> {
        let (mut q, mut ways) = (q.clone(), Vec::new());
        for (&number, &length) in self.numbers.iter().zip(lengths) {
            let mut way = SymmetryDisplacement { length, steps: FEWEST };
            let mut last = self.symmetry(number).flow(&q, &way)?;
            while way.steps < MOST {
                way.steps *= 2;
                let next = self.symmetry(number).flow(&q, &way)?;
                let change = self.system.space().distance(&last, &next);
                last = next;
                if change <= NOTHING {
                    break;
                }
            }
            q = last;
            ways.push(way);
        }
        Some(ways)
    }

    /// Returns the velocity at s = 0 of the moved motion q exp(s w).
    fn velocity(&self, q: &M::Configuration, w: &DVector<f64>, ways: &[SymmetryDisplacement]) -> Option<DVector<f64>> {
        let (space, size) = (self.system.space(), w.amax());
        if size == 0.0 {
            return Some(w.clone());
        }
        let arrived = self.moved(q, ways)?;
        let found = difference(&|s| {
            let (mut way, mut passed) = (self.system.zero_velocity(), q.clone());
            set_components(&mut way, &(w * (s / size)));
            space.compose_exp(q, &way, &mut passed);
            space.log_difference(&arrived, &self.moved(&passed, ways)?, &mut way);
            Some(components(&way))
        })?;
        Some(found * size)
    }

    /// Returns the moved state.
    pub fn carried(&self, (q, v): &PhasePoint<M>, lengths: &[f64]) -> Option<PhasePoint<M>> {
        if lengths.is_empty() {
            return Some((q.clone(), v.clone()));
        }
        self.along((q, v), &self.ways(q, lengths)?)
    }

    fn along(&self, (q, v): (&M::Configuration, &M::Velocity), ways: &[SymmetryDisplacement]) -> Option<PhasePoint<M>> {
        let mut velocity = self.system.zero_velocity();
        set_components(&mut velocity, &self.velocity(q, &components(v), ways)?);
        Some((self.moved(q, ways)?, velocity))
    }

    /// Returns the map of deviations (θ, δv) of a moved state.
    pub fn of_deviations(&self, (q, v): &PhasePoint<M>, lengths: &[f64]) -> Option<DMatrix<f64>> {
        let (dof, ways) = (self.system.dof(), &self.ways(q, lengths)?);
        let v = components(v);
        let mut all = DMatrix::zeros(2 * dof, 2 * dof);
        for at in 0..dof {
            let unit = DVector::from_fn(dof, |row, _| f64::from(u8::from(row == at)));
            let of_unit = self.velocity(q, &unit, ways)?;
            // Velocities are mapped like deviations, and a change of the configuration changes this map.
            let of_velocity = difference(&|s| {
                let (mut way, mut beside) = (self.system.zero_velocity(), q.clone());
                way.set_component(at, s);
                self.system.space().compose_exp(q, &way, &mut beside);
                self.velocity(&beside, &v, ways)
            })?;
            all.view_mut((0, at), (dof, 1)).copy_from(&of_unit);
            all.view_mut((dof, dof + at), (dof, 1)).copy_from(&of_unit);
            all.view_mut((dof, at), (dof, 1)).copy_from(&of_velocity);
        }
        Some(all)
    }

    /// Returns the derivatives of (q, v) with respect to the displacements, in left-trivialised components: one column per symmetry.
    pub fn of_ways(&self, (q, v): &PhasePoint<M>, lengths: &[f64]) -> Option<DMatrix<f64>> {
        let ways = self.ways(q, lengths)?;
        let arrived = self.moved(q, &ways)?;
        let mut all = DMatrix::zeros(2 * self.system.dof(), ways.len());
        for at in 0..ways.len() {
            let column = difference(&|s| {
                let mut longer = ways.clone();
                longer[at].length += s;
                let (q, v) = self.along((q, v), &longer)?;
                let mut way = self.system.zero_velocity();
                self.system.space().log_difference(&arrived, &q, &mut way);
                Some(stacked(&components(&way), &components(&v)))
            })?;
            all.set_column(at, &column);
        }
        Some(all)
    }
}

/// Applies one of the flows.
struct Symmetry<'a, M> {
    system: &'a M,
    number: usize,
    time: f64,
}

impl<M: MechanicalSystem<Scalar = f64>> Symmetry<'_, M> {
    /// Computes q(length) of q' = q ξ(q)~, q(0) = q.
    fn flow(&self, q: &M::Configuration, way: &SymmetryDisplacement) -> Option<M::Configuration> {
        let method = MuntheKaas::rkmk5();
        let mut state = FieldState::<SymmetryField<'_, M>>::at(self, 0.0, q.clone());
        let (mut next, mut workspace) =
            (state.clone(), Integrator::<SymmetryField<'_, M>>::workspace(&method, self, &state));
        method.start(self, &mut state, &mut workspace).ok()?;
        for _ in 0..way.steps {
            method.step(self, &state, way.length / f64::from(way.steps), &mut next, &mut workspace).ok()?;
            core::mem::swap(&mut state, &mut next);
        }
        Some(state.point)
    }
}

/// q' = q ξ(q)~.
struct SymmetryField<'a, M>(PhantomData<&'a M>);

impl<'a, M: MechanicalSystem<Scalar = f64>> Problem for SymmetryField<'a, M> {
    type System = Symmetry<'a, M>;
    type State = FieldState<Self>;
}

impl<'a, M: MechanicalSystem<Scalar = f64>> FirstOrder for SymmetryField<'a, M> {
    type Scalar = f64;
    type Point = M::Configuration;
    type Algebra = M::Velocity;
    /// Two elements of the algebra, for brackets and distances.
    type Workspace = [M::Velocity; 2];

    fn zero(symmetry: &Symmetry<'a, M>) -> M::Velocity {
        symmetry.system.zero_velocity()
    }
    fn workspace(symmetry: &Symmetry<'a, M>) -> Self::Workspace {
        core::array::from_fn(|_| symmetry.system.zero_velocity())
    }
    fn evaluate(
        symmetry: &Symmetry<'a, M>,
        _: f64,
        q: &M::Configuration,
        _: &mut Self::Workspace,
        out: &mut M::Velocity,
    ) -> Result<(), StepFailure> {
        let Symmetry { system, number, time } = symmetry;
        let found = system.symmetry(*number, *time, q).filter(|found| found.component_count() == system.dof());
        out.assign(&found.ok_or(StepFailure::FieldUndefined { reason: "of a symmetry" })?);
        Ok(())
    }
    fn flow(symmetry: &Symmetry<'a, M>, q: &M::Configuration, xi: &M::Velocity, out: &mut M::Configuration) {
        symmetry.system.space().compose_exp(q, xi, out);
    }
    // q is multiplied from the right.
    fn rate(symmetry: &Symmetry<'a, M>, sigma: &M::Velocity, v: &M::Velocity, out: &mut M::Velocity) {
        symmetry.system.space().tangent_inverse(sigma, v, out);
    }
    fn bracket(
        symmetry: &Symmetry<'a, M>,
        v: &M::Velocity,
        w: &M::Velocity,
        [back, ahead]: &mut Self::Workspace,
        out: &mut M::Velocity,
    ) {
        // T(θ)⁻¹ has one odd term, ½ ad_θ.
        back.assign(v);
        back.scale(-1.0);
        symmetry.system.space().tangent_inverse(back, w, out);
        symmetry.system.space().tangent_inverse(v, w, ahead);
        out.axpy(-1.0, ahead);
    }
    fn distance(
        symmetry: &Symmetry<'a, M>,
        a: &M::Configuration,
        b: &M::Configuration,
        _: &mut Self::Workspace,
    ) -> f64 {
        symmetry.system.space().distance(a, b)
    }
    fn is_finite(symmetry: &Symmetry<'a, M>, q: &M::Configuration) -> bool {
        symmetry.system.space().is_finite(q)
    }
}
