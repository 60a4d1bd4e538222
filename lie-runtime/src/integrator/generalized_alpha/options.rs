//! What can be chosen besides the parameters.

use crate::group::CoordinateMap;

/// Which equations a step fulfils.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Formulation {
    /// On the group, Φ(q_{n+1}) = 0 (paper 2, eqs. 27-32).
    #[default]
    Index3,
    /// On the group, Φ(q_{n+1}) = 0 and B v_{n+1} + b = 0 after Gear, Gupta and Leimkuhler.
    StabilisedIndex2,
    /// In local coordinates that start anew with every step, Φ(q_{n+1}) = 0 (paper 2, eqs. 71-79).
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

/// A method of the family as it is listed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Method {
    /// The identifier.
    pub id: &'static str,
    /// The name.
    pub name: &'static str,
    /// The equations.
    pub formulation: Formulation,
}

/// All listed methods; another coordinate map is one more line.
#[rustfmt::skip]
pub static METHODS: [Method; 5] = {
    use Formulation::{Index3, StabilisedIndex2, UpdatedLagrangian};
    const fn method(id: &'static str, name: &'static str, formulation: Formulation) -> Method {
        Method { id, name, formulation }
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
/// A first step of fixed size in which a fast damped motion is excited, h |D_v v' v'_0| > |v'_0|, is made with
/// [`TrBdf2`](crate::integrator::TrBdf2) in three parts instead, except with [`FirstOrder`](Self::FirstOrder). A stiff motion that is excited
/// and not resolved, h² |D_q v' v_0| > |v_0|, makes a_0 = v'_0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Start {
    /// a_0 = v'_0: of first order unless α_m = α_f (paper 2, remark 2 on eq. 32).
    FirstOrder,
    /// a_0 = v'_0 + (α_m − α_f) h v''_0, of second order.
    SecondOrder,
    /// The same, and where velocities are not constrained v changed by O(h²), at the start and where the step size
    /// changes, so that B v_n + b = O(h²) is at once what the method settles at; without it λ starts, and goes on after
    /// every change of size, with an oscillation of size O(h).
    #[default]
    Settled,
}

/// When the iteration matrix is formed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Newton {
    /// In every iteration: the fewest of them. Of small systems the elimination is written out (see
    /// [`Linearised::correct_iteration`](crate::system::Linearised::correct_iteration)), and a step of a top costs as much as a simplified one.
    #[default]
    Exact,
    /// In the first iteration of a step, and where its factors no longer reduce the correction to a tenth: an iteration or two
    /// more, each of a fraction of the work, and the same iterates whatever was computed before. It ends where the tolerance
    /// says, where the last of the exact iterations leaves round-off.
    Simplified,
    /// When the factors at hand, be they of an earlier step, no longer reduce the correction to a tenth. A run that goes on from
    /// a recorded state begins with factors of its own, and agrees as far as the iteration goes.
    Modified,
}

/// The values that v'_{n+1} and λ_{n+1} are iterated from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Predictor {
    /// Zero (paper 2, Table 1).
    #[default]
    Zero,
    /// Those of the step before.
    Previous,
}

/// The choices of a [`GeneralizedAlpha`](super::GeneralizedAlpha) method besides its parameters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// The equations.
    pub formulation: Formulation,
    /// The start.
    pub start: Start,
    /// The matrix.
    pub newton: Newton,
    /// The first iterate.
    pub predictor: Predictor,
    /// The residual r has to fall to this multiple of the forces of the step, the constraints to this multiple of
    /// h² ‖v'‖; 1e-10 by default. Corrections at the level of round-off end the iteration as well.
    pub tolerance: f64,
    /// Iterations before a step is given up, 20 by default.
    pub maximum_iterations: usize,
    /// A step of fixed size that does not converge is made in 2, 4, … 2ᵏ parts instead; the largest k, 4 by default, at most 16.
    pub maximum_halvings: u32,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            formulation: Formulation::default(),
            start: Start::default(),
            newton: Newton::default(),
            predictor: Predictor::default(),
            tolerance: 1e-10,
            maximum_iterations: 20,
            maximum_halvings: 4,
        }
    }
}
