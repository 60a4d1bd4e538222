//! The equations of motion, by differentiation of the declaration.
//!
//! Let L = T − V and p = ∂T/∂v. The left-trivialised (Euler-Poincaré) equations are
//!
//! ```text
//! d/dt p − ad_vᵀ p − D_q T + D_q V + ∂R/∂v − F + Bᵀ λ = 0,     B v + b = 0.
//! ```
//!
//! Here M = ∂p/∂v, and g is the sum of all terms without v' and λ (paper 1, eq. 1). All derivations are tangents (forward mode) or
//! gradients (reverse mode) of expressions.

mod composite;
mod constraints;
mod covector;
mod coverage;
mod declared_values;
mod derivation;
mod dissipation;
mod forces;
mod formulas;
mod frame_gradients;
mod frame_products;
mod frames;
mod gradients;
mod inertia;
mod jacobian;
mod kinematics;
mod legendre;
mod linearise;
mod lists;
mod quantity_inertia;
mod sphere_spin;
mod system;

pub(crate) use constraints::Constraints;
pub(crate) use coverage::unit_inertia;
pub(crate) use declared_values::DeclaredFunction;
pub(crate) use derivation::{DeclaredExpressions, Derivation};
use forces::Balance;
pub(crate) use formulas::Stated;
pub(crate) use frame_gradients::FramePullback;
pub(crate) use gradients::{Datum, Gradients};
pub(crate) use inertia::Inertia;
pub(crate) use kinematics::{BaseFrameScalars, RecursionScalars};
pub(crate) use legendre::{Canonical, Lagrangian, Legendre, Obstacle, obstacle_of_frames};
pub(crate) use linearise::Linearisation;
pub(crate) use lists::ListRead;
pub(crate) use system::{Derived, DerivedFrames, DerivedTerm, derive_all};

use crate::interp::SymbolicInterpreter;
use crate::scalar::{Graph, Scalar};

/// The functions that are computed at run time, as scalars of one graph.
pub(crate) struct Equations {
    pub graph: Graph,
    pub kinetic_energy: Scalar,
    pub potential_energy: Scalar,
    /// True if it can be discontinuous during a motion.
    pub potential_jumps: bool,
    pub inertia: Inertia,
    /// −g(t, q, v).
    pub force: Vec<Scalar>,
    /// See [`Balance`].
    pub force_is_of_velocity: bool,
    pub constraints: Constraints,
    pub linearisation: Linearisation,
    /// The gradients, if the declaration requests them.
    pub gradients: Option<Gradients>,
    /// The Hamiltonian or a part of it, or the reason why there is none.
    pub canonical: Result<Canonical, Obstacle>,
    /// The rate of each quantity, in the order of declaration.
    pub rates: Vec<QuantityRate>,
    /// The values of the declared functions.
    pub functions: Vec<DeclaredFunction>,
    /// The list items that they read.
    pub reads: Vec<ListRead>,
    /// The equations for the documentation, if they fit on a page.
    pub stated: Option<Stated>,
}

impl Equations {
    /// The Hamiltonian of a system with one term.
    pub fn legendre(&self) -> Option<&Legendre> {
        match &self.canonical {
            Ok(Canonical::Whole(legendre)) => Some(legendre),
            _ => None,
        }
    }

    /// The Lagrangian of one of several conservative terms.
    pub fn lagrangian(&self) -> Option<&Lagrangian> {
        match &self.canonical {
            Ok(Canonical::Part(lagrangian)) => Some(lagrangian),
            _ => None,
        }
    }
}

/// The rate of a declared quantity.
pub(crate) struct QuantityRate {
    /// The position of the quantity among the functions.
    pub function: usize,
    pub entries: Vec<Scalar>,
}

/// The results of a term, as far as it has no errors.
pub(super) struct Partial {
    /// True for the components of velocity that have inertia; `None` if an energy has errors.
    pub inertia: Option<Vec<bool>>,
    pub equations: Option<Equations>,
}

/// Derives the equations of motion of a term. All derivations without errors are done, to find further errors.
fn derive(interpreter: &mut SymbolicInterpreter<'_>) -> Partial {
    let mut derivation = Derivation::new(interpreter);
    let declared = derivation.read_all();
    if derivation.ensure_size(&declared).is_none() {
        return Partial { inertia: None, equations: None };
    }
    derivation.check_dissipation(&declared);
    let inertia = derivation.has_all_inertia(&declared).then(|| derivation.inertia(&declared)).flatten();
    let constraints = derivation.constraints(&declared);
    let is_complete = derivation.interpreter.is_clean() && derivation.has_all(&declared);
    Partial {
        inertia: inertia.as_ref().map(|inertia| {
            let is_zero = |entry: &Scalar| derivation.graph.is_zero(*entry);
            inertia.mass.iter().map(|row| !row.iter().all(is_zero)).collect()
        }),
        equations: match (inertia, constraints) {
            (Some(inertia), Some(constraints)) if is_complete => equations(derivation, &declared, inertia, constraints),
            _ => None,
        },
    }
}

/// The equations of motion of a term without errors so far; `None` if an error was reported.
fn equations(
    mut derivation: Derivation<'_, '_>,
    declared: &DeclaredExpressions,
    inertia: Inertia,
    constraints: Constraints,
) -> Option<Equations> {
    let momentum = inertia.momentum.clone();
    let terms = derivation.balance(declared, inertia.energy_of_momentum, &momentum);
    let force = derivation.flatten(&terms.force);
    let linearisation = derivation.linearise(&terms, &constraints);
    let gradients = derivation
        .interpreter
        .model
        .gradients
        .is_some()
        .then(|| derivation.gradients(declared, &inertia, &constraints));
    let kinetic_energy = derivation.scalar(inertia.kinetic_energy);
    let potential_energy = derivation.scalar(declared.potential);
    let potential_jumps = derivation.may_jump(declared.potential);
    let mut rates = Vec::new();
    let motion = derivation.interpreter.motion();
    for (function, parts) in &declared.quantities {
        let rate = derivation.rate_of(*function, parts, &motion);
        rates.push(QuantityRate { function: *function, entries: derivation.lower(rate) });
    }
    let canonical = derivation.canonical(declared, &inertia);
    let functions = derivation.declared_functions(declared);
    let reads = derivation.list_reads();
    let stated = derivation.stated(declared, &inertia, &constraints, &terms);
    derivation.interpreter.is_clean().then_some(Equations {
        graph: derivation.graph,
        kinetic_energy,
        potential_energy,
        potential_jumps,
        inertia,
        force,
        force_is_of_velocity: terms.is_of_velocity,
        constraints,
        linearisation,
        gradients,
        canonical,
        rates,
        functions,
        reads,
        stated,
    })
}
