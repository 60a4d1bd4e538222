//! Back ends: each prints the scheduled kernels in a language, or lists their operations.

pub(crate) mod c;
mod documentation;
mod headings;
mod input_needs;
mod layout;
pub(crate) mod rust;
pub mod tape;
pub(crate) mod text;

pub(crate) use documentation::documentation;
