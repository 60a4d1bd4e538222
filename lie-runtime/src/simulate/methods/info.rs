//! What is known of a method before it is used.

use core::fmt;

use crate::integrator::rotation;
use crate::system::Description;

/// What is known of a method before it is used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MethodInfo {
    /// The identifier on command lines and in files.
    pub id: &'static str,
    /// What it is, in one line.
    pub name: &'static str,
    /// The family.
    pub family: &'static str,
    /// The order of q and v.
    pub order: usize,
    /// The order of λ in general.
    pub multiplier_order: usize,
    /// True if it can control its step size.
    pub estimates: bool,
    /// What a system has to have.
    pub needs: Needs,
    /// What can be chosen.
    pub options: &'static [MethodOption],
}

/// Something that can be chosen by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MethodOption {
    /// The name.
    pub name: &'static str,
    /// What it means and what it is unless it is said.
    pub meaning: &'static str,
}

/// What a system has to have for a method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Needs {
    /// Nothing besides.
    Nothing,
    /// The derivatives of forces and constraints, which every declared system has.
    Linearisation,
    /// [`Linearisation`](Needs::Linearisation), and no constraints.
    NoConstraints,
    /// One rotation with constant inertia and without constraints, under torques of time and attitude.
    OneRotation,
    /// A Hamiltonian on a cotangent bundle.
    Hamiltonian,
}

impl MethodInfo {
    /// The info of a method without error estimate, λ of the order of q, that needs nothing and has no options.
    pub fn new(id: &'static str, name: &'static str, family: &'static str, order: usize) -> Self {
        let (needs, options) = (Needs::Nothing, [].as_slice());
        MethodInfo { id, name, family, order, multiplier_order: order, estimates: false, needs, options }
    }
}

impl Needs {
    /// False if it is known that a system with this description does not have it.
    pub fn are_met_by(self, system: &Description) -> bool {
        match self {
            Needs::Nothing | Needs::Linearisation | Needs::Hamiltonian => true,
            Needs::NoConstraints => system.constraints.is_empty(),
            Needs::OneRotation => rotation::applies_to(system),
        }
    }

    /// Methods like those that need this, for systems that do not have it; empty where there are none.
    pub fn instead(self) -> &'static [&'static str] {
        match self {
            Needs::NoConstraints => &["radau_iia3", "radau_iia5", "lie_alpha_stab2"],
            Needs::OneRotation => &["rkmk4", "lie_alpha", "hedop5"],
            Needs::Nothing | Needs::Linearisation | Needs::Hamiltonian => &[],
        }
    }
}

impl fmt::Display for Needs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Needs::Nothing => "nothing besides a system",
            Needs::Linearisation => "the derivatives of forces and constraints",
            Needs::NoConstraints => "the derivatives of forces, and no constraints",
            Needs::OneRotation => {
                "one rotation (SO3 or S3) with constant inertia, without constraints, under torques of time and attitude"
            }
            Needs::Hamiltonian => "a Hamiltonian on a cotangent bundle",
        })
    }
}
