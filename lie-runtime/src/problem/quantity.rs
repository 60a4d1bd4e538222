//! Where a number that is not finite was met first.

use core::fmt;

use super::State;
use crate::group::TangentVector;
use crate::scalar::Scalar;
use crate::space::ConfigurationSpace;
use crate::system::{Linearised, MechanicalSystem};

/// Where a number that is not finite was met first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Quantity {
    /// The state the step started from.
    Initial,
    /// The force on a member, in the state the step started from.
    Force {
        /// The member's name.
        member: &'static str,
    },
    /// The Jacobian of a constraint, in the state the step started from.
    Jacobian {
        /// The constraint's name.
        constraint: &'static str,
    },
    /// The derivative of a force, which implicit methods ask for, in the state the step started from.
    Derivative {
        /// The member's name.
        member: &'static str,
    },
    /// The mass matrix or its inverse, in the state the step started from.
    Mass,
    /// A later stage, although everything is finite where the step started.
    Stage,
}

impl Quantity {
    /// Looks for the number that is not finite in the state a step starts from.
    #[cold]
    pub fn find<M: MechanicalSystem>(system: &M, state: &State<M>) -> Self {
        let description = system.description();
        let t = M::Scalar::from_f64(state.time);
        let (q, v) = (&state.configuration, &state.velocity);
        if !(system.space().is_finite(q) && v.all_finite() && state.multipliers.all_finite() && t.is_finite()) {
            return Quantity::Initial;
        }
        let mut force = system.zero_velocity();
        system.force(t, q, v, &mut force);
        for component in 0..force.component_count() {
            if !force.component(component).is_finite() {
                return Quantity::Force { member: description.member_of_component(component) };
            }
        }
        let mut mass = system.zero_mass();
        let mut acceleration = system.zero_velocity();
        if system.mass(t, q, &mut mass).is_err() {
            return Quantity::Mass;
        }
        system.solve_mass(&mut mass, &force, &mut acceleration);
        if !acceleration.all_finite() {
            return Quantity::Mass;
        }
        if system.constraint_rows() > 0 {
            let mut jacobian = system.zero_jacobian();
            let mut residual = system.zero_multipliers();
            system.constraint_jacobian(t, q, &mut jacobian);
            let mut direction = system.zero_velocity();
            for component in 0..direction.component_count() {
                direction.fill(num_traits::Zero::zero());
                direction.set_component(component, num_traits::One::one());
                system.jacobian_times(&jacobian, &direction, &mut residual);
                for row in 0..residual.component_count() {
                    if !residual.component(row).is_finite() {
                        return Quantity::Jacobian { constraint: description.constraint_of_row(row) };
                    }
                }
            }
        }
        Quantity::Stage
    }

    /// Looks for a derivative of a force that is not finite in the state a step starts from.
    #[cold]
    pub(crate) fn find_derivative<M: Linearised>(system: &M, state: &State<M>) -> Option<Self> {
        let t = M::Scalar::from_f64(state.time);
        let (q, v) = (&state.configuration, &state.velocity);
        let mut matrix = system.zero_matrix();
        let bad_row = |matrix: &M::Matrix| {
            let dof = v.component_count();
            (0..dof).find(|&row| (0..dof).any(|column| !system.matrix_entry(matrix, row, column).is_finite()))
        };
        system.tangent_damping(t, q, v, &mut matrix);
        let row = bad_row(&matrix).or_else(|| {
            system.tangent_stiffness(t, q, v, &state.acceleration, &state.multipliers, &mut matrix);
            bad_row(&matrix)
        })?;
        Some(Quantity::Derivative { member: system.description().member_of_component(row) })
    }
}

impl fmt::Display for Quantity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Quantity::Initial => f.write_str("the state the step starts from is not finite"),
            Quantity::Force { member } => write!(
                f,
                "the force on `{member}` is not finite; look for a parameter that is NaN or infinite, a division by \
                 zero, the root of a negative number, or the slope of a norm or a root where it is zero: |x| has none there, \
                 (x² + ε²)^½ and |x|³ have"
            ),
            Quantity::Jacobian { constraint } => write!(
                f,
                "the Jacobian of constraint `{constraint}` is not finite; look for a division by zero or a norm of zero"
            ),
            Quantity::Derivative { member } => write!(
                f,
                "the derivative of the force on `{member}` is not finite, although the force is; look for a norm or a root at \
                 zero, such as |v| at rest, or take an explicit method, which needs no derivatives"
            ),
            Quantity::Mass => f.write_str("the mass matrix or its inverse is not finite; look at masses and inertias"),
            Quantity::Stage => f.write_str(
                "a stage of the step is not finite although the state it starts from is; the step is too large for \
                 this motion: take a smaller one",
            ),
        }
    }
}
