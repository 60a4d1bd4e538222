//! What is known beside a function when it is read.

use syn::{Expr, Ident, ReturnType, Type};

use super::told::Names;
use crate::model::{Configuration, Output};
use crate::parse::module::collect::Declared;
use crate::parse::role::{self, Keyword};
use crate::parse::syntax::constants::Constants;
use crate::parse::syntax::shape;

/// Name, shape and `over` of a quantity.
pub(in crate::parse) type Quantity = (Ident, Option<Output>, Option<Expr>);

/// What checking a function needs to know about the others.
pub(in crate::parse) struct Context<'a> {
    pub names: &'a Names,
    pub constants: &'a Constants,
    /// The members' names, those of wrong groups included.
    pub fields: Vec<Ident>,
    /// `None` if the configuration is wrong: sizes are then not checked.
    pub configuration: Option<&'a Configuration>,
    /// The same with frames as one more chain: what terms may run over.
    pub with_frames: Option<&'a Configuration>,
    /// Names of frames whose declaration is wrong, which is reported there: terms over them cannot be judged.
    pub wrong_frames: Vec<&'a Ident>,
    /// Names and shapes of quantities.
    pub quantities: Vec<Quantity>,
}

/// Names, shapes and elements of the quantities among `functions`.
pub(in crate::parse) fn quantities(functions: &[Declared], constants: &Constants) -> Vec<Quantity> {
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

pub(in crate::parse) fn return_type(declared: &Declared) -> Option<&Type> {
    match &declared.item.sig.output {
        ReturnType::Default => None,
        ReturnType::Type(_, ty) => Some(ty),
    }
}

/// A bare name among the arguments of an attribute.
pub(in crate::parse) fn bare_name(value: &Expr) -> Option<&Ident> {
    match value {
        Expr::Path(path) if path.qself.is_none() => path.path.get_ident(),
        _ => None,
    }
}
