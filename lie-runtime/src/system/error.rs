//! What can be wrong with a model's numbers.

use core::fmt;

use crate::space::{ForeignLength, MemberDefect};

/// A parameter or an initial value that no simulation can start from.
#[derive(Clone, Debug, PartialEq)]
pub enum ModelError {
    /// The constraints of equations written by hand do not follow each other from row 0 on, holonomic ones first.
    ConstraintRows {
        /// The first one that is out of place; the last one if rows are missing or too many.
        constraint: &'static str,
        /// The number of rows there are.
        rows: usize,
    },
    /// A parameter is NaN or infinite.
    NonFiniteParameter {
        /// The parameter's name, of an item of a list `masses[17]`.
        parameter: String,
        /// Its value.
        value: f64,
    },
    /// The mass matrix is not positive definite.
    MassNotPositiveDefinite {
        /// The member of the configuration whose block fails.
        member: &'static str,
    },
    /// There is no parameter of that name.
    UnknownParameter {
        /// The name that was asked for.
        name: String,
        /// The names there are.
        known: &'static [&'static str],
    },
    /// A parameter was given the wrong number of components.
    ParameterShape {
        /// The parameter's name.
        parameter: &'static str,
        /// How many components it has.
        expected: usize,
        /// How many were given.
        given: usize,
    },
    /// A list among the parameters does not have the items that are read of it.
    ListLength {
        /// The list's name.
        parameter: &'static str,
        /// How many items it has.
        length: usize,
        /// How many are read.
        needed: usize,
        /// True if elements read one item after the other, up to the last: there may be no more than these either.
        exactly: bool,
        /// The function that reads the last item.
        function: &'static str,
        /// How that is written there.
        text: &'static str,
    },
    /// There is no such item of a list or a table.
    ItemMissing {
        /// Its name.
        list: &'static str,
        /// How many items it has.
        items: usize,
        /// The function that reads the item.
        function: &'static str,
        /// How that is written there.
        text: &'static str,
        /// The number of the element at which it is not there.
        index: usize,
    },
    /// A tuple of a list names a member that is not there.
    ConnectionMember {
        /// The list.
        list: &'static str,
        /// The number of the tuple.
        connection: usize,
        /// The field of the configuration.
        member: &'static str,
        /// The number of the member.
        index: usize,
        /// How many members there are.
        length: usize,
    },
    /// A tuple of a list names a member twice.
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
    /// The list of what frames hang on is not as long as there are frames.
    ParentCount {
        /// The list.
        list: &'static str,
        /// How many items it has.
        given: usize,
        /// How many frames there are.
        frames: usize,
    },
    /// A frame hangs on one that is not there.
    ParentMissing {
        /// The list.
        list: &'static str,
        /// The frame.
        frame: usize,
        /// The one it hangs on.
        parent: usize,
        /// How many frames there are.
        frames: usize,
    },
    /// A frame hangs on itself, by way of others.
    ParentCircle {
        /// The list.
        list: &'static str,
        /// The frame.
        frame: usize,
    },
    /// A chain has fewer members than what runs over it needs.
    ChainTooShort {
        /// The field of the configuration.
        member: &'static str,
        /// How many members it has.
        length: usize,
        /// How many it needs.
        needed: usize,
        /// The functions that need them.
        functions: &'static [&'static str],
    },
    /// The windows over a chain leave its last members out.
    ChainRemainder {
        /// The field of the configuration.
        member: &'static str,
        /// How many members it has.
        length: usize,
        /// How many of them are left out.
        rest: usize,
        /// From one window to the next.
        stride: usize,
        /// The functions that run over the windows.
        functions: &'static [&'static str],
    },
    /// A chain is so long that the system would have more components than are possible.
    TooLarge {
        /// The field of the configuration.
        member: &'static str,
        /// How many members it has.
        length: usize,
        /// The components of a velocity up to the end of this chain.
        components: usize,
        /// How many are possible.
        largest: usize,
    },
    /// The chain of a configuration is not as long as the system was made for.
    ChainLength {
        /// The field of the configuration.
        member: &'static str,
        /// How many members the system was made for.
        expected: usize,
        /// How many the configuration has.
        given: usize,
    },
    /// The numbers of a member of a configuration do not represent an element of its group.
    NotAnElement(MemberDefect),
    /// A vector of a state does not have as many components as the system.
    VectorLength {
        /// Which vector.
        vector: &'static str,
        /// How many components the system has.
        expected: usize,
        /// How many the vector has.
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
            ModelError::UnknownParameter { name, known: [] } => write!(f, "there is no parameter `{name}`"),
            ModelError::UnknownParameter { name, known } => {
                write!(f, "there is no parameter `{name}`; there are {}", known.join(", "))
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
                "`{text}` in `{function}` reads what is not there: at index {index} it is beyond the ends of `{list}`, which has {}; read it where `index` allows: `if index > 0 {{ … }}`, `if index + 1 < length {{ … }}`",
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
                "`{list}` has {}, and there are {frames} frames: give the frame that each hangs on, `None` for the base",
                items(*given)
            ),
            ModelError::ParentMissing { list, frame, parent, frames } => {
                write!(f, "`{list}[{frame}]` is frame {parent}, but there are {frames}, numbered from 0 on")
            }
            ModelError::ParentCircle { list, frame } => write!(
                f,
                "`{list}` lead from frame {frame} back to itself: one of the frames on that way hangs on another one, or on the \
                 base, `None`"
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

impl std::error::Error for ModelError {}
