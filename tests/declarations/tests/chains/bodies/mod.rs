//! Structs of groups as members: the same mechanism with them, without them, in powers and in chains.

mod hinged;
mod jointed;
mod names;
mod pointed;
