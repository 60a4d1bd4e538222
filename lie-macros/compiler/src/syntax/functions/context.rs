//! The context in which functions are parsed.

use syn::{Expr, Ident, ReturnType, Type};

use super::argument_types::ArgumentTypes;
use crate::model::{Configuration, OutputShape};
use crate::syntax::module::collect::AttributedFunction;
use crate::syntax::role::{self, Keyword};
use crate::syntax::rust::constants::Constants;
use crate::syntax::rust::shape;

/// Name, shape and `over` of a quantity.
pub(in crate::syntax) type Quantity = (Ident, Option<OutputShape>, Option<Expr>);

/// Properties of the declaration that are needed to check a function.
pub(in crate::syntax) struct Context<'a> {
    pub names: &'a ArgumentTypes,
    pub constants: &'a Constants,
    /// The names of the members, including members with unknown groups.
    pub fields: Vec<Ident>,
    /// `None` if the configuration has errors: sizes are then not checked.
    pub configuration: Option<&'a Configuration>,
    /// The configuration with frames as one more chain, for the selections of terms.
    pub with_frames: Option<&'a Configuration>,
    /// Names of frames with errors, which are reported at their declaration. Terms over them are not checked.
    pub wrong_frames: Vec<&'a Ident>,
    /// Names and shapes of quantities.
    pub quantities: Vec<Quantity>,
}

/// Returns the names, shapes and selections of the quantities among `functions`.
pub(in crate::syntax) fn quantities(functions: &[AttributedFunction], constants: &Constants) -> Vec<Quantity> {
    functions
        .iter()
        .filter(|declared| declared.keyword == Keyword::Quantity)
        .map(|declared| {
            let shape = return_type(declared).and_then(|ty| shape::of_quantity(ty, constants).ok());
            let over = role::over(declared.keyword, &declared.attribute);
            (declared.item.sig.ident.clone(), shape, over)
        })
        .collect()
}

pub(in crate::syntax) fn return_type(declared: &AttributedFunction) -> Option<&Type> {
    match &declared.item.sig.output {
        ReturnType::Default => None,
        ReturnType::Type(_, ty) => Some(ty),
    }
}

/// Returns a single name among the arguments of an attribute.
pub(in crate::syntax) fn bare_name(value: &Expr) -> Option<&Ident> {
    match value {
        Expr::Path(path) if path.qself.is_none() => path.path.get_ident(),
        _ => None,
    }
}
