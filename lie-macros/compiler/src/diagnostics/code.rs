//! Codes of errors.

/// The part of a declaration that an error concerns. Codes are stable: the text of a message can change, its code does not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Code {
    /// Text that is not a sequence of Rust tokens.
    Tokens,
    /// Arguments of `#[mechanical_system]`.
    Arguments,
    /// The module, its items and the places of their roles.
    Module,
    /// Reserved and duplicate names.
    Names,
    /// The configuration, its bodies and their groups.
    Configuration,
    /// The parameters.
    Parameters,
    /// The inputs.
    Inputs,
    /// Kinetic energies and mass matrices that are missing or contradict each other.
    Inertia,
    /// Forward kinematics and the tree of its joints.
    Kinematics,
    /// Signatures and roles of functions.
    Signature,
    /// Opaque functions and their derivatives.
    Opaque,
    /// Bodies of functions: expressions outside of the supported subset of Rust, types and dimensions.
    Body,
    /// Declarations that a back end does not support.
    BackEnd,
    /// Files of robots.
    RobotFile,
    /// Errors of the compiler itself.
    Internal,
}

impl Code {
    /// The code in messages: `error[kinematics]: …`.
    pub fn id(self) -> &'static str {
        match self {
            Self::Tokens => "tokens",
            Self::Arguments => "arguments",
            Self::Module => "module",
            Self::Names => "names",
            Self::Configuration => "configuration",
            Self::Parameters => "parameters",
            Self::Inputs => "inputs",
            Self::Inertia => "inertia",
            Self::Kinematics => "kinematics",
            Self::Signature => "signature",
            Self::Opaque => "opaque",
            Self::Body => "body",
            Self::BackEnd => "back-end",
            Self::RobotFile => "robot-file",
            Self::Internal => "internal",
        }
    }
}
