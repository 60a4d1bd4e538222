//! Errors of models: invalid parameters, chains and states.

use core::fmt;

use crate::space::{ForeignLength, MemberDefect};

/// An error in a parameter, a chain or an initial value; no simulation can start.
#[derive(Clone, PartialEq)]
pub enum ModelError {
    /// The constraints of hand-written equations do not cover the rows from 0 on in order, holonomic constraints first.
    ConstraintRows {
        /// The first constraint at a wrong position; the last one if the number of rows is wrong.
        constraint: &'static str,
        /// The number of rows.
        rows: usize,
    },
    /// A parameter is NaN or infinite.
    NonFiniteParameter {
        /// The parameter's name; for an item of a list such as `masses[17]`.
        parameter: String,
        /// Its value.
        value: f64,
    },
    /// The mass matrix is not positive definite.
    MassNotPositiveDefinite {
        /// The member of the configuration whose block is not positive definite.
        member: &'static str,
    },
    /// Unknown parameter name.
    UnknownParameter {
        /// The unknown name.
        name: String,
        /// The known names.
        known: &'static [&'static str],
    },
    /// Wrong number of components for a parameter.
    ParameterShape {
        /// The parameter's name.
        parameter: &'static str,
        /// The number of components of the parameter.
        expected: usize,
        /// The number of components that were passed.
        given: usize,
    },
    /// A list parameter has a wrong number of items.
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
    ParentCount {
        /// The list.
        list: &'static str,
        /// The number of items.
        given: usize,
        /// The number of frames.
        frames: usize,
    },
    /// The parent of a frame does not exist.
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
    ParentCircle {
        /// The list.
        list: &'static str,
        /// The frame.
        frame: usize,
    },
    /// A chain has fewer members than a function over it needs.
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
    ChainLength {
        /// The field of the configuration.
        member: &'static str,
        /// The number of members of the system.
        expected: usize,
        /// The number of members of the configuration.
        given: usize,
    },
    /// The components of a member of a configuration do not represent an element of its group.
    NotAnElement(MemberDefect),
    /// A vector of a state does not have the number of components of the system.
    VectorLength {
        /// The name of the vector.
        vector: &'static str,
        /// The number of components of the system.
        expected: usize,
        /// The number of components of the vector.
        given: usize,
    },
}

/// `1 item`, `2 items`.
fn items(count: usize) -> String {
    format!("{count} item{}", if count == 1 { "" } else { "s" })
}

/// `1 member`, `2 members`.
fn members(count: usize) -> String {
    format!("{count} member{}", if count == 1 { "" } else { "s" })
}

impl From<ForeignLength> for ModelError {
    fn from(ForeignLength { member, expected, given }: ForeignLength) -> Self {
        ModelError::ChainLength { member, expected, given }
    }
}

impl fmt::Display for ModelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ModelError::ConstraintRows { constraint, rows } => write!(
                f,
                "constraint `{constraint}` does not stand where it has to: `constraints()` lists all {rows} rows from row 0 on, \
                 each constraint at the `offset` where the one before it ends, holonomic ones first"
            ),
            ModelError::NonFiniteParameter { parameter, value } => {
                write!(f, "parameter `{parameter}` is {value}; every parameter has to be a finite number")
            }
            ModelError::MassNotPositiveDefinite { member } => write!(
                f,
                "the mass matrix is not positive definite in the block of `{member}`; give it a positive mass or inertia"
            ),
            ModelError::UnknownParameter { name, known: [] } => {
                write!(f, "unknown parameter `{name}`: the system has no parameters")
            }
            ModelError::UnknownParameter { name, known } => {
                write!(f, "unknown parameter `{name}`: the parameters are {}", known.join(", "))
            }
            ModelError::ParameterShape { parameter, expected, given } => {
                write!(f, "parameter `{parameter}` has {expected} components, not {given}")
            }
            ModelError::ListLength { parameter, length, needed, exactly, function, text } => write!(
                f,
                "parameter `{parameter}` has {}, and `{text}` in `{function}` reads {needed}: give it {}{needed}",
                items(*length),
                if *exactly { "" } else { "at least " }
            ),
            ModelError::ItemMissing { list, items: count, function, text, index } => write!(
                f,
                "`{text}` in `{function}` is out of bounds at index {index}: `{list}` has {}; read it under a condition, `if index > 0 {{ … }}` or `if index + 1 < length {{ … }}`",
                items(*count)
            ),
            ModelError::ConnectionMember { list, connection, member, index, length } => write!(
                f,
                "`{list}[{connection}]` joins `{member}[{index}]`, but `{member}` has {}, numbered from 0 on",
                members(*length)
            ),
            ModelError::ConnectionTwice { list, connection, member, index } => {
                write!(f, "`{list}[{connection}]` joins `{member}[{index}]` with itself: leave it out")
            }
            ModelError::ParentCount { list, given, frames } => write!(
                f,
                "`{list}` has {}, and there are {frames} frames: give the parent of each frame, `None` for the base",
                items(*given)
            ),
            ModelError::ParentMissing { list, frame, parent, frames } => {
                write!(f, "`{list}[{frame}]` is frame {parent}, but there are {frames}, numbered from 0 on")
            }
            ModelError::ParentCircle { list, frame } => write!(
                f,
                "frame {frame} is its own ancestor in `{list}`: change the parent of one of its ancestors, `None` for the base"
            ),
            ModelError::ChainTooShort { member, length, needed, functions: [] } => {
                write!(f, "chain `{member}` has {}: give it at least {needed}", members(*length))
            }
            ModelError::ChainTooShort { member, length, needed, functions } => write!(
                f,
                "chain `{member}` has {}, and `{}` need{} {}: give it at least {needed}",
                members(*length),
                functions.join("`, `"),
                if functions.len() == 1 { "s" } else { "" },
                members(*needed)
            ),
            ModelError::ChainRemainder { member, length, rest, stride, functions } => write!(
                f,
                "chain `{member}` has {}, and the last {} no window of `{}`: give it {} or {}",
                members(*length),
                if *rest == 1 { "one is in".to_owned() } else { format!("{rest} are in") },
                functions.join("`, `"),
                length - rest,
                length - rest + stride
            ),
            ModelError::TooLarge { member, length, components, largest } => write!(
                f,
                "chain `{member}` of {} makes a system of {components} degrees of freedom; {largest} are the most",
                members(*length)
            ),
            ModelError::ChainLength { member, expected, given } => write!(
                f,
                "chain `{member}` has {} in the configuration; the system was made for {expected}",
                members(*given)
            ),
            ModelError::NotAnElement(member) => write!(
                f,
                "`{}` is no element of its group: its numbers are {:.1e} away from one; make it by `S3::from_coordinates`, \
                 `SO2::from_coordinates`, `SO3::nearest` or `S2::new`, which normalise what they are given",
                member.name(),
                member.defect
            ),
            ModelError::VectorLength { vector, expected, given } => {
                write!(f, "the {vector} has {given} components; the system has {expected}")
            }
        }
    }
}

crate::messages::debug_is_the_message!(ModelError);
impl std::error::Error for ModelError {}
