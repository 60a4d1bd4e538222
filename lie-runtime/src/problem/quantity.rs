//! The first quantity with a value that is not finite.

use core::fmt;

use super::State;
use crate::group::TangentVector;
use crate::scalar::Scalar;
use crate::space::ConfigurationSpace;
use crate::system::{ConstraintRow, FunctionElement, Linearised, MechanicalSystem};

/// The first quantity with a value that is not finite.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Quantity {
    /// The state at the start of the step.
    Initial,
    /// The force on a member, in the state at the start of the step.
    Force {
        /// The member's name.
        member: &'static str,
        /// The function without a value or without a derivative; `None` if it is unknown, as for hand-written systems.
        function: Option<FunctionElement>,
    },
    /// The Jacobian of a constraint, in the state at the start of the step.
    Jacobian {
        /// The row of the constraint.
        row: ConstraintRow,
    },
    /// The derivative of a force, which implicit methods need, in the state at the start of the step.
    Derivative {
        /// The member's name.
        member: &'static str,
        /// The force without a derivative; `None` if it is unknown, as for hand-written systems.
        function: Option<FunctionElement>,
    },
    /// The mass matrix or its inverse, in the state at the start of the step.
    Mass,
    /// A later stage, while all quantities at the start of the step are finite.
    Stage,
}

impl Quantity {
    /// Finds the first quantity that is not finite in the state at the start of a step.
    #[cold]
    #[doc(hidden)]
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
                let member = description.member_of_component(component);
                return Quantity::Force { member, function: system.singular_function(t, q, v, false) };
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
                        return Quantity::Jacobian { row: description.row(row) };
                    }
                }
            }
        }
        Quantity::Stage
    }

    /// Finds a derivative of a force that is not finite in the state at the start of a step.
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
        let member = system.description().member_of_component(row);
        Some(Quantity::Derivative { member, function: system.singular_function(t, q, v, true) })
    }
}

/// `` by `spring[3]` ``, if the function is known.
fn by(function: Option<FunctionElement>) -> String {
    function.map_or_else(String::new, |function| format!(" by {function}"))
}

impl fmt::Display for Quantity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Quantity::Initial => f.write_str(
                "the state at the start of the step is not finite; check the initial values and the previous step",
            ),
            Quantity::Force { member, function } => write!(
                f,
                "the force on `{member}`{} is not finite. Possible causes: a parameter that is NaN or infinite, a division by zero, the root \
                 of a negative number, or two points that coincide. A norm or a root is not differentiable at zero: separate the points, or \
                 replace |x| by a smooth function such as (x² + ε²)^½",
                by(*function)
            ),
            Quantity::Jacobian { row } => write!(
                f,
                "the Jacobian of constraint {row} is not finite; check it for a division by zero or a norm of zero, such as the distance of \
                 two points that coincide"
            ),
            Quantity::Derivative { member, function } => write!(
                f,
                "the derivative of the force on `{member}`{} is not finite, although the force is. Check the force for a norm or a root at \
                 zero, such as |v| at rest, or use an explicit method, which needs no derivatives",
                by(*function)
            ),
            Quantity::Mass => {
                f.write_str("the mass matrix or its inverse is not finite; check the masses and inertias")
            }
            Quantity::Stage => {
                f.write_str("a stage of the step is not finite, although the state at its start is; use a smaller step")
            }
        }
    }
}
