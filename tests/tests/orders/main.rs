//! Orders of methods, which take many steps to show.

mod half_explicit;
