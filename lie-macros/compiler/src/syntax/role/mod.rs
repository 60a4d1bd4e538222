//! Roles: the table of their rules, and the parser of their attributes.

mod attribute;
mod rules;

pub(super) use attribute::{RawArgument, Recognised, RoleArgument, arguments, has_role, misspelt, over, recognise};
pub(super) use rules::{Keyword, Means, On, Returns};
