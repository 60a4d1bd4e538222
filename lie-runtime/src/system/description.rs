//! The card of a generated system: names, structure, counts.

use std::borrow::Cow;

/// What is known of a system before anything is computed: at compile time, of chains once their lengths are known.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools)] // What is true of a system is no state of one.
pub struct Description {
    /// The name of the module.
    pub name: &'static str,
    /// The group in the field's notation, such as `SO(3) × R³`.
    pub group: &'static str,
    /// The dimension of the group.
    pub dof: usize,
    /// The factors of the group, in order.
    pub members: Cow<'static, [MemberDescription]>,
    /// The constraints, in the order of their rows: holonomic ones first.
    pub constraints: Cow<'static, [ConstraintDescription]>,
    /// The names of the observables.
    pub observables: &'static [&'static str],
    /// The names of the symmetries.
    pub symmetries: &'static [&'static str],
    /// The names of the events.
    pub events: &'static [&'static str],
    /// Structural nonzeros of the mass matrix.
    pub mass_nonzeros: usize,
    /// Structural nonzeros of the constraint Jacobian.
    pub jacobian_nonzeros: usize,
    /// Structural nonzeros of the tangent stiffness.
    pub stiffness_nonzeros: usize,
    /// True if the mass matrix depends on parameters only and is factorised once.
    pub mass_is_constant: bool,
    /// False if the mass matrix is constant and −g − ad_vᵀ M v, what acts besides the Euler-Poincaré term, is known to be the same at every
    /// velocity: nothing is damped, and no force or input is given that might follow it.
    pub forces_depend_on_velocity: bool,
    /// True if energy is conserved: there are no forces, no dissipation and no inputs, nothing depends on time and no velocity is
    /// prescribed. Runs are held to it, see [`Failure::EnergyGained`](crate::simulate::Failure::EnergyGained).
    pub conserves_energy: bool,
    /// True if the potential energy may jump while the system moves, as that of a spring does which takes an angle at half a turn.
    pub potential_jumps: bool,
    /// The generated kernels.
    pub kernels: &'static [KernelDescription],
}

/// One factor of the configuration group; of bodies, whose number is known at compile time, each field is one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemberDescription {
    /// The field's name; of bodies the path of one of their fields, such as `bodies[1].attitude`.
    pub name: &'static str,
    /// The group in the field's notation.
    pub group: &'static str,
    /// Its first component in a velocity.
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
    /// The rows of one of its elements, if it runs over members.
    pub rows_of_element: Option<usize>,
    /// True for constraints on the configuration, false for those on the velocity.
    pub holonomic: bool,
    /// True if its value may jump while the system moves, as that of an angle does at half a turn.
    pub jumps: bool,
}

/// One generated kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KernelDescription {
    /// What it computes.
    pub name: &'static str,
    /// Scalar operations; an elementary function counts as one.
    pub operations: usize,
}

impl Description {
    /// The name of the constraint that row `row` belongs to.
    pub fn constraint_of_row(&self, row: usize) -> &'static str {
        self.constraints
            .iter()
            .find(|constraint| (constraint.offset..constraint.offset + constraint.rows).contains(&row))
            .map_or("constraint", |constraint| constraint.name)
    }

    /// The name of the member that component `index` of a velocity belongs to.
    pub fn member_of_component(&self, index: usize) -> &'static str {
        self.members
            .iter()
            .find(|member| (member.offset..member.offset + member.dof).contains(&index))
            .map_or("configuration", |member| member.name)
    }
}
