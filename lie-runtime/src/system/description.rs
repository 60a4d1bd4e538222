//! The description of a generated system: names, structure and operation counts.

use core::fmt;
use std::borrow::Cow;

/// Static information on a system. It is known at compile time; for chains, once their lengths are known.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools)] // What is true of a system is no state of one.
pub struct Description {
    /// The name of the module.
    pub name: &'static str,
    /// The group in mathematical notation, such as `SO(3) × R³`.
    pub group: &'static str,
    /// The dimension of the group.
    pub dof: usize,
    /// The factors of the group, in order.
    pub members: Cow<'static, [MemberDescription]>,
    /// The constraints in the order of their rows; holonomic constraints come first.
    pub constraints: Cow<'static, [ConstraintDescription]>,
    /// The names of the observables.
    pub observables: &'static [&'static str],
    /// The names of the symmetries.
    pub symmetries: &'static [&'static str],
    /// The names of the events.
    pub events: &'static [&'static str],
    /// The parts of a robot file that the system does not contain, such as `` `visual` of `link` ``; empty without a robot file.
    pub ignored: &'static [&'static str],
    /// The doc comments by name: `parameters.mass`, `configuration.attitude`, `states.current`, `inputs.torque`, `multipliers.pivot`,
    /// `observables.tilt`, `events.lift_off`. Items of lists have no index.
    pub documentation: Cow<'static, [(&'static str, &'static str)]>,
    /// Structural nonzeros of the mass matrix.
    pub mass_nonzeros: usize,
    /// Structural nonzeros of the constraint Jacobian.
    pub jacobian_nonzeros: usize,
    /// Structural nonzeros of the tangent stiffness.
    pub stiffness_nonzeros: usize,
    /// True if the mass matrix depends on parameters only and is factorised once.
    pub mass_is_constant: bool,
    /// False if the mass matrix is constant and −g − ad_vᵀ M v, the forces without the Euler-Poincaré term, do not
    /// depend on the velocity: no dissipation, and no forces or inputs that may depend on it.
    #[doc(hidden)]
    pub forces_depend_on_velocity: bool,
    /// True if energy is conserved: no forces, no dissipation and no inputs, no dependence on time and no prescribed
    /// velocity. Runs check it, see [`Failure::EnergyGained`](crate::simulate::Failure::EnergyGained).
    pub conserves_energy: bool,
    /// True if energy cannot increase: conserved, or removed by dissipation alone. There are no forces and no inputs, nothing depends on
    /// time and no velocity is prescribed. Runs check it as well.
    pub never_gains_energy: bool,
    /// The number of auxiliary first-order states z. They are the last components of the velocity, and are not a part of the kinetic energy.
    pub states: usize,
    /// True if the potential energy may be discontinuous, for example a torsion spring at an angle of π.
    #[doc(hidden)]
    pub potential_jumps: bool,
    /// The generated kernels.
    pub kernels: &'static [KernelDescription],
}

/// One factor of the configuration group. For bodies, whose number is known at compile time, each field is a factor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemberDescription {
    /// The field's name; for bodies the path of one of their fields, such as `bodies[1].attitude`.
    pub name: &'static str,
    /// The group in mathematical notation.
    pub group: &'static str,
    /// Its first component in a velocity vector.
    pub offset: usize,
    /// Its dimension.
    pub dof: usize,
}

/// One declared constraint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConstraintDescription {
    /// The function's name.
    pub name: &'static str,
    /// Its first row.
    pub offset: usize,
    /// The number of its rows.
    pub rows: usize,
    /// The rows of one element, if the constraint runs over members.
    #[doc(hidden)]
    pub rows_of_element: Option<usize>,
    /// True for constraints on the configuration, false for constraints on the velocity.
    pub holonomic: bool,
    /// True if its value may be discontinuous, as an angle at π.
    #[doc(hidden)]
    pub jumps: bool,
}

/// One generated kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KernelDescription {
    /// The computed quantity.
    pub name: &'static str,
    /// Scalar operations; an elementary function counts as one operation.
    pub operations: usize,
}

/// A declared function, and the element if it runs over members of a chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FunctionElement {
    /// The name of the function.
    pub function: &'static str,
    /// The number of the element; for example, element 3 of a function over `masses.windows(2)` is between the nodes 3 and 4.
    pub element: Option<usize>,
}

impl fmt::Display for FunctionElement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.element {
            None => write!(f, "`{}`", self.function),
            Some(element) => write!(f, "`{}[{element}]`", self.function),
        }
    }
}

/// Returns the unit of a doc comment: the text in square brackets at the end of the first paragraph, such as `m` of `Length of the rod [m].`
pub(crate) fn unit(documentation: &str) -> Option<&str> {
    let paragraph = documentation.split("\n\n").next()?.trim_end().trim_end_matches('.');
    let (_, unit) = paragraph.strip_suffix(']')?.rsplit_once('[')?;
    // Links to items and intervals are not units.
    (!unit.is_empty() && !unit.contains(['`', ','])).then_some(unit)
}

impl Description {
    /// Returns the doc comment of a value by its name, such as `parameters.mass` or `configuration.nodes[2]`; empty without a comment.
    pub fn documentation_of(&self, name: &str) -> &'static str {
        let name: String = name.split('[').map(|part| part.rsplit(']').next().unwrap_or_default()).collect();
        self.documentation.iter().find(|(known, _)| *known == name).map_or("", |(_, text)| text)
    }

    /// Returns the unit of a column of a run: the text in square brackets at the end of the first paragraph of its doc comment. The section of
    /// members and observables can be omitted: `configuration.position[0]`, `position[0]`, `inputs.torque`.
    ///
    /// ```
    /// use lie_runtime::prelude::*;
    ///
    /// #[mechanical_system]
    /// pub mod slider {
    ///     #[configuration]
    ///     pub struct Place {
    ///         /// Displacement [m].
    ///         pub x: f64,
    ///     }
    ///     #[kinetic_energy]
    ///     fn kinetic(v: &Velocity) -> f64 { 0.5 * v.x * v.x }
    /// }
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let system = slider::System::new()?;
    /// assert_eq!(system.description().unit_of("x"), Some("m"));
    /// assert_eq!(system.description().unit_of("velocity.x"), None);
    /// # Ok(())
    /// # }
    /// ```
    pub fn unit_of(&self, column: &str) -> Option<&'static str> {
        let names = ["", "configuration.", "observables."].map(|section| format!("{section}{column}"));
        names.iter().find_map(|name| unit(self.documentation_of(name)))
    }

    /// Returns the name of the constraint that row `row` belongs to.
    #[doc(hidden)]
    pub fn constraint_of_row(&self, row: usize) -> &'static str {
        self.constraints
            .iter()
            .find(|constraint| (constraint.offset..constraint.offset + constraint.rows).contains(&row))
            .map_or("constraint", |constraint| constraint.name)
    }

    /// Returns the name of the member that component `index` of a velocity belongs to.
    #[doc(hidden)]
    pub fn member_of_component(&self, index: usize) -> &'static str {
        self.members
            .iter()
            .find(|member| (member.offset..member.offset + member.dof).contains(&index))
            .map_or("configuration", |member| member.name)
    }
}
