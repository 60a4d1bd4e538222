//! Errors of models: invalid parameters, chains and states.

use crate::messages::{counted, listed, see, suggested};
use crate::space::{ForeignLength, MemberDefect};

/// An error in a parameter, a chain or an initial value; no simulation can start.
#[derive(Clone, PartialEq, thiserror::Error)]
pub enum ModelError {
    /// The constraints of hand-written equations do not cover the rows from 0 on in order, holonomic constraints first.
    #[error(
        "constraint `{constraint}` is out of order: `constraints()` must list all {rows} rows from row 0 on, holonomic constraints first. \
         Set the `offset` of each constraint to the end of the previous one {}",
        see("hand-written-systems")
    )]
    ConstraintRows {
        /// The first constraint at a wrong position; the last one if the number of rows is wrong.
        constraint: &'static str,
        /// The number of rows.
        rows: usize,
    },
    /// A parameter is NaN or infinite.
    #[error("parameter `{parameter}` is {value}; set a finite value {}", see("parameters"))]
    NonFiniteParameter {
        /// The parameter's name; for an item of a list such as `masses[17]`.
        parameter: String,
        /// Its value.
        value: f64,
    },
    /// The mass matrix is not positive definite.
    #[error(
        "the mass matrix is not positive definite in the block of `{member}`; set a positive mass or inertia {}",
        see("mass-matrix")
    )]
    MassNotPositiveDefinite {
        /// The member of the configuration whose block is not positive definite.
        member: &'static str,
    },
    /// Unknown parameter name.
    #[error("{} {}", unknown_parameter(.name, .known), see("parameters"))]
    UnknownParameter {
        /// The unknown name.
        name: String,
        /// The known names.
        known: &'static [&'static str],
    },
    /// Wrong number of components for a parameter.
    #[error("parameter `{parameter}` has {expected} components, found {given}; pass {expected} {}", see("parameters"))]
    ParameterShape {
        /// The parameter's name.
        parameter: &'static str,
        /// The number of components of the parameter.
        expected: usize,
        /// The number of components that were passed.
        given: usize,
    },
    /// A list parameter has a wrong number of items.
    #[error(
        "parameter `{parameter}` has {}, and `{text}` in `{function}` reads {needed}: pass {}{needed} {}",
        counted(*.length, "item"),
        if *.exactly { "" } else { "at least " },
        see("parameters")
    )]
    ListLength {
        /// The list's name.
        parameter: &'static str,
        /// The number of items.
        length: usize,
        /// The number of items that functions read.
        needed: usize,
        /// True if elements read one item after the other up to the last: more items are an error as well.
        exactly: bool,
        /// The function that reads the last item.
        function: &'static str,
        /// The expression that reads it.
        text: &'static str,
    },
    /// A list or table does not have an item.
    #[error(
        "`{text}` in `{function}` is out of bounds at index {index}: `{list}` has {}. Read it under a condition, `if index > 0 {{ … }}` \
         or `if index + 1 < length {{ … }}` {}",
        counted(*.items, "item"),
        see("parameters")
    )]
    ItemMissing {
        /// The list's name.
        list: &'static str,
        /// The number of items.
        items: usize,
        /// The function that reads the item.
        function: &'static str,
        /// The expression that reads it.
        text: &'static str,
        /// The number of the element that reads the missing item.
        index: usize,
    },
    /// A tuple of a connection list contains a member that does not exist.
    #[error(
        "`{list}[{connection}]` connects `{member}[{index}]`, but `{member}` has {}, numbered from 0; use an existing index {}",
        counted(*.length, "member"),
        see("parameters")
    )]
    ConnectionMember {
        /// The list.
        list: &'static str,
        /// The number of the tuple.
        connection: usize,
        /// The field of the configuration.
        member: &'static str,
        /// The number of the member.
        index: usize,
        /// The number of members.
        length: usize,
    },
    /// A tuple of a connection list contains a member twice.
    #[error(
        "`{list}[{connection}]` connects `{member}[{index}]` with itself; remove this connection {}",
        see("parameters")
    )]
    ConnectionTwice {
        /// The list.
        list: &'static str,
        /// The number of the tuple.
        connection: usize,
        /// The field of the configuration.
        member: &'static str,
        /// The number of the member.
        index: usize,
    },
    /// The list of parents does not have one item per frame.
    #[error(
        "`{list}` has {}, and there are {frames} frames: set the parent of each frame, `None` for the base {}",
        counted(*.given, "item"),
        see("parameters")
    )]
    ParentCount {
        /// The list.
        list: &'static str,
        /// The number of items.
        given: usize,
        /// The number of frames.
        frames: usize,
    },
    /// The parent of a frame does not exist.
    #[error(
        "`{list}[{frame}]` is frame {parent}, but there are {frames} frames, numbered from 0; use an existing frame {}",
        see("parameters")
    )]
    ParentMissing {
        /// The list.
        list: &'static str,
        /// The frame.
        frame: usize,
        /// Its parent.
        parent: usize,
        /// The number of frames.
        frames: usize,
    },
    /// A frame is its own ancestor.
    #[error(
        "frame {frame} is its own ancestor in `{list}`: change the parent of one of its ancestors, `None` for the base {}",
        see("parameters")
    )]
    ParentCircle {
        /// The list.
        list: &'static str,
        /// The frame.
        frame: usize,
    },
    /// A chain has fewer members than a function over it needs.
    #[error("{} {}", chain_too_short(.member, *.length, *.needed, .functions), see("chain-lengths"))]
    ChainTooShort {
        /// The field of the configuration.
        member: &'static str,
        /// The number of members.
        length: usize,
        /// The number of members that are needed.
        needed: usize,
        /// The functions that need them.
        functions: &'static [&'static str],
    },
    /// The windows over a chain do not cover its last members.
    #[error(
        "chain `{member}` has {}, and no window of `{}` contains the last {}: use {} or {} {}",
        counted(*.length, "member"),
        .functions.join("`, `"),
        counted(*.rest, "member"),
        .length - .rest,
        .length - .rest + .stride,
        see("chain-lengths")
    )]
    ChainRemainder {
        /// The field of the configuration.
        member: &'static str,
        /// The number of members.
        length: usize,
        /// The number of uncovered members.
        rest: usize,
        /// The distance from one window to the next.
        stride: usize,
        /// The functions that run over the windows.
        functions: &'static [&'static str],
    },
    /// A chain is so long that the system would exceed the largest number of components.
    #[error(
        "chain `{member}` with {} leads to a system of {components} degrees of freedom, and the maximum is {largest}; use a shorter chain {}",
        counted(*.length, "member"),
        see("chain-lengths")
    )]
    TooLarge {
        /// The field of the configuration.
        member: &'static str,
        /// The number of members.
        length: usize,
        /// The number of velocity components up to the end of this chain.
        components: usize,
        /// The largest number of components.
        largest: usize,
    },
    /// A chain of a configuration does not have the length of the system.
    #[error(
        "chain `{member}` has {} in the configuration, and the system has {expected}; pass a chain of {expected} {}",
        counted(*.given, "member"),
        see("chain-lengths")
    )]
    ChainLength {
        /// The field of the configuration.
        member: &'static str,
        /// The number of members of the system.
        expected: usize,
        /// The number of members of the configuration.
        given: usize,
    },
    /// The components of a member of a configuration do not represent an element of its group.
    #[error(
        "`{}` is not an element of its group: its components deviate by {:.1e}. Create it with `S3::from_coordinates`, \
         `SO2::from_coordinates`, `SO3::nearest` or `S2::new`, which normalise their argument {}",
        .0.name(),
        .0.defect,
        see("group-elements")
    )]
    NotAnElement(MemberDefect),
    /// A vector of a state does not have the number of components of the system.
    #[error(
        "the {vector} has {given} components, and the system has {expected}; pass a vector of {expected} {}",
        see("chain-lengths")
    )]
    VectorLength {
        /// The name of the vector.
        vector: &'static str,
        /// The number of components of the system.
        expected: usize,
        /// The number of components of the vector.
        given: usize,
    },
}

impl From<ForeignLength> for ModelError {
    fn from(ForeignLength { member, expected, given }: ForeignLength) -> Self {
        ModelError::ChainLength { member, expected, given }
    }
}

crate::messages::debug_is_the_message!(ModelError);

/// The message of an unknown parameter.
fn unknown_parameter(name: &str, known: &[&str]) -> String {
    match known {
        [] => format!("unknown parameter `{name}`: the system has no parameters"),
        _ => format!("unknown parameter `{name}`; the parameters are {}{}", listed(known), suggested(name, known)),
    }
}

/// The message of a chain with too few members.
fn chain_too_short(member: &str, length: usize, needed: usize, functions: &[&str]) -> String {
    let length = counted(length, "member");
    match functions {
        [] => format!("chain `{member}` has {length}; use at least {needed}"),
        _ => format!(
            "chain `{member}` has {length}, and `{}` require{} {}; use at least {needed}",
            functions.join("`, `"),
            if functions.len() == 1 { "s" } else { "" },
            counted(needed, "member")
        ),
    }
}
