//! The choices in addition to the parameters.

use crate::group::CoordinateMap;

/// The equations of a step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Formulation {
    /// On the group, Φ(q_{n+1}) = 0 (paper 2, eqs. 27-32).
    #[default]
    Index3,
    /// On the group, Φ(q_{n+1}) = 0 and B v_{n+1} + b = 0 (Gear, Gupta, Leimkuhler).
    StabilisedIndex2,
    /// In local coordinates that restart at every step, Φ(q_{n+1}) = 0 (paper 2, eqs. 71-79).
    UpdatedLagrangian(CoordinateMap),
}

impl Formulation {
    /// The coordinate map of an updated Lagrangian method.
    pub(crate) fn coordinates(&self) -> Option<&CoordinateMap> {
        match self {
            Formulation::UpdatedLagrangian(map) => Some(map),
            Formulation::Index3 | Formulation::StabilisedIndex2 => None,
        }
    }
}

/// An entry of the list of methods.
#[derive(Clone, Copy, Debug, PartialEq)]
#[doc(hidden)]
pub struct GeneralizedAlphaMethod {
    /// The identifier.
    pub id: &'static str,
    /// The name.
    pub name: &'static str,
    /// The equations.
    pub formulation: Formulation,
}

/// All listed methods. Another coordinate map needs one more line.
#[rustfmt::skip]
pub static METHODS: [GeneralizedAlphaMethod; 5] = {
    use Formulation::{Index3, StabilisedIndex2, UpdatedLagrangian};
    const fn method(id: &'static str, name: &'static str, formulation: Formulation) -> GeneralizedAlphaMethod {
        GeneralizedAlphaMethod { id, name, formulation }
    }
    [
        method("lie_alpha", "Lie group generalized-α, index 3", Index3),
        method("lie_alpha_stab2", "Lie group generalized-α, stabilised index 2", StabilisedIndex2),
        method("ul_crv", "Updated Lagrangian, conformal rotation vector", UpdatedLagrangian(CoordinateMap::CONFORMAL_ROTATION_VECTOR)),
        method("ul_rotation_vector", "Updated Lagrangian, rotation vector", UpdatedLagrangian(CoordinateMap::RotationVector)),
        method("ul_cayley", "Updated Lagrangian, Cayley transform", UpdatedLagrangian(CoordinateMap::CAYLEY)),
    ]
};

/// The starting values a_0 and v_0 of the method.
///
/// If a fast damped motion is excited, h |D_v v' v'_0| > |v'_0|, [`TrBdf2`](crate::integrator::TrBdf2) makes a first step of fixed size in
/// three parts, except with [`FirstOrder`](Self::FirstOrder). If a stiff motion is excited and not resolved, h² |D_q v' v_0| > |v_0|, then
/// a_0 = v'_0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StartingValues {
    /// a_0 = v'_0: of first order unless α_m = α_f (paper 2, remark 2 on eq. 32).
    FirstOrder,
    /// a_0 = v'_0 + (α_m − α_f) h v''_0, of second order.
    SecondOrder,
    /// The same, with a change of v by O(h²) at the start and after a change of the step size, if the formulation does not constrain
    /// velocities. The residual B v_n + b = O(h²) then has its stationary value from the first step on. Otherwise λ oscillates with the
    /// amplitude O(h) after the start and after every change of size.
    #[default]
    Settled,
}

/// The update rule of the iteration matrix.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NewtonUpdate {
    /// A new matrix in every iteration, which gives the fewest iterations. For small systems the compiler generates the elimination (see
    /// [`Linearised::correct_iteration`](crate::system::Linearised::correct_iteration)), and a step of a top costs as much as with a
    /// simplified iteration.
    #[default]
    Exact,
    /// A new matrix in the first iteration of a step, and when its factors no longer reduce the correction to a tenth. The iteration needs
    /// one or two iterations more, each with a fraction of the work. The iterates do not depend on previous steps. The final residual is at
    /// the tolerance, while exact iterations end at round-off.
    Simplified,
    /// A new matrix when the current factors, possibly from an earlier step, no longer reduce the correction to a tenth. A run that
    /// continues from a recorded state starts with new factors and agrees up to the tolerance of the iteration.
    Modified,
}

/// The first iterates of v'_{n+1} and λ_{n+1}.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum GeneralizedAlphaPredictor {
    /// Zero (paper 2, Table 1).
    #[default]
    Zero,
    /// The values of the previous step.
    Previous,
}

/// The choices of a [`GeneralizedAlpha`](super::GeneralizedAlpha) method in addition to its parameters.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct GeneralizedAlphaOptions {
    /// The equations.
    #[doc(hidden)]
    pub formulation: Formulation,
    /// The start.
    #[doc(hidden)]
    pub start: StartingValues,
    /// The matrix.
    #[doc(hidden)]
    pub newton: NewtonUpdate,
    /// The first iterate.
    pub(crate) predictor: GeneralizedAlphaPredictor,
    /// The relative tolerance of the iteration, 1e-10 by default. The residual r must fall to this multiple of the forces of the step, the
    /// constraints to this multiple of h² ‖v'‖. Corrections at the level of round-off end the iteration as well.
    #[doc(hidden)]
    pub tolerance: f64,
    /// The maximum number of iterations of a step, 20 by default.
    #[doc(hidden)]
    pub maximum_iterations: usize,
    /// The largest k, 4 by default, at most 16: a step of fixed size that does not converge is repeated in 2, 4, … 2ᵏ parts.
    pub(crate) maximum_halvings: u32,
}

impl Default for GeneralizedAlphaOptions {
    fn default() -> Self {
        GeneralizedAlphaOptions {
            formulation: Formulation::default(),
            start: StartingValues::default(),
            newton: NewtonUpdate::default(),
            predictor: GeneralizedAlphaPredictor::default(),
            tolerance: 1e-10,
            maximum_iterations: 20,
            maximum_halvings: 4,
        }
    }
}

crate::setters::setters! {
    GeneralizedAlphaOptions {
        /// Sets the equations.
        formulation: Formulation,
        /// Sets the starting values.
        start: StartingValues,
        /// Sets the update of the iteration matrix.
        newton: NewtonUpdate,
        /// Sets the first iterate.
        predictor: GeneralizedAlphaPredictor,
        /// Sets the relative tolerance of the iteration, 1e-10 by default. The residual r must fall to this multiple of the forces of the
        /// step, the constraints to this multiple of h² ‖v'‖. Corrections at the level of round-off end the iteration as well.
        tolerance: f64,
        /// Sets the maximum number of iterations of a step, 20 by default.
        maximum_iterations: usize,
        /// Sets the largest k, 4 by default, at most 16: a step of fixed size that does not converge is repeated in 2, 4, … 2ᵏ parts.
        maximum_halvings: u32,
    }
}
