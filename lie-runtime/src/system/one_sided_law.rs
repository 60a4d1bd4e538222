//! The laws of a system that need the events of a run.

/// A law that needs the events of a run, by its name.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OneSidedLaw {
    /// An active contact only pushes.
    Contact(&'static str),
    /// The friction of a joint has a bound and opposes the motion.
    Friction(&'static str),
}
