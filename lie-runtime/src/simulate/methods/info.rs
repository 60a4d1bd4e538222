//! Information about a method.

use core::fmt;

use crate::integrator::rotation;
use crate::system::Description;

/// Information about a method.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MethodInfo {
    /// The identifier on command lines and in files.
    pub id: &'static str,
    /// Description in one line.
    pub name: &'static str,
    /// The family of the method.
    pub family: &'static str,
    /// The order of q and v.
    pub order: usize,
    /// The order of λ in the general case.
    pub multiplier_order: usize,
    /// True if the method can control its step size.
    pub estimates: bool,
    /// Requirements on the system.
    pub needs: MethodRequirement,
    /// The options of the method.
    pub options: &'static [MethodOption],
}

/// An option of a method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MethodOption {
    /// The name.
    pub name: &'static str,
    /// Meaning and default.
    pub meaning: &'static str,
}

/// Requirements of a method on the system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MethodRequirement {
    /// No requirement.
    Nothing,
    /// Derivatives of forces and constraints, which every declared system provides.
    Linearisation,
    /// [`Linearisation`](MethodRequirement::Linearisation) and no constraints.
    NoConstraints,
    /// A single rotation with constant inertia and without constraints; torques depend on time and attitude.
    OneRotation,
    /// A Hamiltonian on a cotangent bundle.
    Hamiltonian,
}

impl MethodInfo {
    /// Creates the information of a method without requirements, options and error estimate. The order of λ is `order`.
    pub fn new(id: &'static str, name: &'static str, family: &'static str, order: usize) -> Self {
        let (needs, options) = (MethodRequirement::Nothing, [].as_slice());
        MethodInfo { id, name, family, order, multiplier_order: order, estimates: false, needs, options }
    }
}

impl MethodRequirement {
    /// Returns false if a system with this description does not meet the requirement.
    #[doc(hidden)]
    pub fn are_met_by(self, system: &Description) -> bool {
        match self {
            MethodRequirement::Nothing | MethodRequirement::Linearisation | MethodRequirement::Hamiltonian => true,
            MethodRequirement::NoConstraints => system.constraints.is_empty(),
            MethodRequirement::OneRotation => rotation::applies_to(system),
        }
    }

    /// Returns similar methods without this requirement; empty if there are none.
    #[doc(hidden)]
    pub fn instead(self) -> &'static [&'static str] {
        match self {
            MethodRequirement::NoConstraints => &["radau_iia3", "radau_iia5", "lie_alpha_stab2"],
            MethodRequirement::OneRotation => &["rkmk4", "lie_alpha", "hedop5"],
            MethodRequirement::Nothing | MethodRequirement::Linearisation | MethodRequirement::Hamiltonian => &[],
        }
    }
}

impl fmt::Display for MethodRequirement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            MethodRequirement::Nothing => "no derivatives",
            MethodRequirement::Linearisation => "the derivatives of forces and constraints",
            MethodRequirement::NoConstraints => "the derivatives of forces and a system without constraints",
            MethodRequirement::OneRotation => {
                "a single rotation (SO3 or S3) with constant inertia and without constraints; torques may depend on time and attitude"
            }
            MethodRequirement::Hamiltonian => "a Hamiltonian on a cotangent bundle",
        })
    }
}
