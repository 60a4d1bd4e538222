//! The methods with a reverse pass.

use super::adjoint_step::{AdjointStep, Trace};
use super::explicit::{Explicit, MultiplierDefinition, Scheme, scheme};
use super::implicit::{BLieDFBack, CollocationBack, GeneralizedAlphaBack, RattlieBack, TrBdf2Back};
use crate::gradient::error::GradientError;
use crate::integrator::{
    AnyMethod, BLieDF, Collocation, Differential, GeneralizedAlpha, HalfExplicit, Integrator, MuntheKaas, OnMechanical,
    Rattlie, State, TrBdf2,
};
use crate::space::ConfigurationSpace;
use crate::system::{Liftable, Momentum, MomentumRate, Redundancy, Reverse};

/// The methods with a reverse pass for systems with spheres.
const WITH_SPHERES: &str =
    "`HalfExplicit::hedop5()`, `GeneralizedAlpha::lie_alpha()`, `TrBdf2::new()` or `Rattlie::new()`";

/// A method whose steps can be differentiated in reverse.
#[diagnostic::on_unimplemented(
    message = "the method `{Self}` has no reverse pass",
    label = "not a method with a reverse pass",
    note = "use `.method(HalfExplicit::hedop5())`, any half-explicit method, `.method(OnMechanical(MuntheKaas::rkmk4()))`, \
            `.method(GeneralizedAlpha::lie_alpha())`, `.method(Collocation::gauss4())`, `.method(BLieDF::bliedf2())`, \
            `.method(TrBdf2::new())` or `.method(Rattlie::new())`; \
            `.with_sensitivities([…])` supports every method"
)]
pub trait Adjoint<M: Reverse>: Integrator<M> + Clone {
    /// Returns the reverse pass of the method, with its buffers; `state` is a state of the run.
    ///
    /// # Errors
    /// [`GradientError::Method`] if the method has no reverse pass for the system.
    fn retraced(&self, system: &M, state: &State<M>) -> Result<Box<dyn AdjointStep<M>>, GradientError<M>>;
    /// The numbers of vectors and multipliers that a step stores for its reverse pass.
    fn traced(&self, system: &M) -> [usize; 2] {
        let _ = system;
        [0, 0]
    }
    /// The stored data of the last step with this workspace.
    fn trace<'w>(&self, system: &M, workspace: &'w Self::Workspace) -> Trace<'w, M> {
        let _ = (system, workspace);
        Trace { vectors: &[], multipliers: &[] }
    }
    /// True if the method computes states between two steps by shorter steps, through which the reverse pass can go.
    fn steps_to_events(&self) -> bool {
        true
    }
}

impl<M: Reverse + 'static> Adjoint<M> for HalfExplicit {
    fn retraced(&self, system: &M, state: &State<M>) -> Result<Box<dyn AdjointStep<M>>, GradientError<M>> {
        Ok(Box::new(Explicit::of(system, state, scheme(self))))
    }
    fn traced(&self, system: &M) -> [usize; 2] {
        let count = stages(self, system) - 1;
        [count, if system.constraint_rows() > 0 { count } else { 0 }]
    }
    fn trace<'w>(&self, system: &M, workspace: &'w Self::Workspace) -> Trace<'w, M> {
        let (vectors, multipliers) = workspace.stages(stages(self, system));
        Trace { vectors, multipliers: if system.constraint_rows() > 0 { multipliers } else { &[] } }
    }
}

/// The stages of a step.
fn stages<M: Reverse>(method: &HalfExplicit, system: &M) -> usize {
    let tableau = method.tableau();
    if system.constraint_rows() > 0 { tableau.constrained_stages } else { tableau.stages }
}

impl<M: Reverse + 'static> Adjoint<M> for BLieDF {
    fn retraced(&self, system: &M, state: &State<M>) -> Result<Box<dyn AdjointStep<M>>, GradientError<M>> {
        ensure_independent_rows(system, self.id())?;
        if system.space().moves_velocities() {
            let why = "computes logarithms between points of spheres, without the rotation about them";
            return Err(GradientError::Method { method: self.id(), why, instead: WITH_SPHERES });
        }
        Ok(Box::new(BLieDFBack::of(system, state, *self)))
    }
    fn steps_to_events(&self) -> bool {
        false
    }
}

impl<M: Reverse + 'static> Adjoint<M> for GeneralizedAlpha {
    fn retraced(&self, system: &M, state: &State<M>) -> Result<Box<dyn AdjointStep<M>>, GradientError<M>> {
        ensure_independent_rows(system, self.id())?;
        Ok(Box::new(GeneralizedAlphaBack::of(system, state, *self)))
    }
}

impl<M: Reverse + 'static> Adjoint<M> for Collocation {
    fn retraced(&self, system: &M, state: &State<M>) -> Result<Box<dyn AdjointStep<M>>, GradientError<M>> {
        ensure_independent_rows(system, Integrator::<M>::id(self))?;
        Ok(Box::new(CollocationBack::of(system, state, *self)))
    }
}

impl<M: Reverse + 'static> Adjoint<M> for TrBdf2 {
    fn retraced(&self, system: &M, state: &State<M>) -> Result<Box<dyn AdjointStep<M>>, GradientError<M>> {
        ensure_independent_rows(system, self.id())?;
        Ok(Box::new(TrBdf2Back::of(system, state, *self)))
    }
}

impl<M: Reverse + MomentumRate + Liftable<Lifted: Reverse + Momentum> + 'static> Adjoint<M> for Rattlie {
    fn retraced(&self, system: &M, state: &State<M>) -> Result<Box<dyn AdjointStep<M>>, GradientError<M>> {
        ensure_independent_rows(system, Rattlie::ID)?;
        Ok(Box::new(RattlieBack::of(system, state)))
    }
    fn traced(&self, _: &M) -> [usize; 2] {
        [1, 2]
    }
    fn trace<'w>(&self, _: &M, workspace: &'w Self::Workspace) -> Trace<'w, M> {
        let (theta, impulses) = workspace.found();
        Trace { vectors: core::slice::from_ref(theta), multipliers: impulses }
    }
}

/// Returns an error for implicit methods with multipliers of least norm, which have no reverse pass.
fn ensure_independent_rows<M: Reverse>(system: &M, method: &'static str) -> Result<(), GradientError<M>> {
    match system.redundancy() {
        Redundancy::Refused => Ok(()),
        Redundancy::MinimumNorm => Err(GradientError::Method {
            method,
            why: "uses multipliers of least norm",
            instead: "`OnMechanical(MuntheKaas::rkmk4())` or `HalfExplicit::hedop5()`",
        }),
    }
}

impl<M: Reverse + 'static> Adjoint<M> for OnMechanical<MuntheKaas> {
    fn retraced(&self, system: &M, state: &State<M>) -> Result<Box<dyn AdjointStep<M>>, GradientError<M>> {
        let method = self.0.method();
        if method.differential != Differential::Exact {
            let (why, instead) =
                ("uses a commutator series for dexp⁻¹", "`OnMechanical(MuntheKaas::rkmk4())` with the exact dexp⁻¹");
            return Err(GradientError::Method { method: method.id, why, instead });
        }
        if system.space().moves_velocities() {
            let why = "moves points of spheres together with their velocities";
            return Err(GradientError::Method { method: method.id, why, instead: WITH_SPHERES });
        }
        let tableau = method.tableau;
        let stages = tableau.stages() - usize::from(tableau.first_same_as_last());
        let mut rows: Vec<Vec<f64>> = (1..stages).map(|stage| tableau.a[stage][..stage].to_vec()).collect();
        rows.push(tableau.b[..stages].to_vec());
        let mut nodes = tableau.c[..stages].to_vec();
        nodes.push(1.0);
        let scheme = Scheme { rows, nodes, end: stages, multipliers: MultiplierDefinition::IndexOne };
        Ok(Box::new(Explicit::of(system, state, scheme)))
    }
}

/// A method by name has the reverse pass of its type. The stages of its steps are computed again.
impl<M> Adjoint<M> for AnyMethod<M>
where
    M: Reverse + MomentumRate + Liftable<Lifted: Reverse + Momentum> + 'static,
{
    fn retraced(&self, system: &M, state: &State<M>) -> Result<Box<dyn AdjointStep<M>>, GradientError<M>> {
        let types: [ReversePass<M>; 7] = [
            pass_of::<M, HalfExplicit>,
            pass_of::<M, OnMechanical<MuntheKaas>>,
            pass_of::<M, GeneralizedAlpha>,
            pass_of::<M, Collocation>,
            pass_of::<M, BLieDF>,
            pass_of::<M, TrBdf2>,
            pass_of::<M, Rattlie>,
        ];
        types.iter().find_map(|pass| pass(self, system, state)).unwrap_or_else(|| {
            let (why, instead) = ("is not differentiated in reverse", "`hedop5`, `rkmk4`, `lie_alpha` or `tr_bdf2`");
            Err(GradientError::Method { method: self.id(), why, instead })
        })
    }
    fn steps_to_events(&self) -> bool {
        self.typed::<BLieDF>().is_none()
    }
}

/// Returns the reverse pass if the method has a certain type.
type ReversePass<M> = fn(&AnyMethod<M>, &M, &State<M>) -> Option<Result<Box<dyn AdjointStep<M>>, GradientError<M>>>;

fn pass_of<M: Reverse + 'static, I: Adjoint<M> + 'static>(
    method: &AnyMethod<M>,
    system: &M,
    state: &State<M>,
) -> Option<Result<Box<dyn AdjointStep<M>>, GradientError<M>>> {
    method.typed::<I>().map(|method| method.retraced(system, state))
}
