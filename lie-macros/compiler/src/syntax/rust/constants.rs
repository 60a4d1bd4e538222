//! Integer constants of the module, for lengths and dimensions.
//!
//! Invariant: evaluation terminates for every expression, including cyclic constants.

use std::collections::BTreeMap;

use syn::{BinOp, Expr, GenericArgument, ItemConst, Lit, Stmt, Type, UnOp};

use crate::diagnostics::{error_with_help, source};
use crate::model::{Within, path_within};

/// Maximum nesting of constants.
const DEPTH: usize = 32;

/// The `const` items of the module.
#[derive(Default)]
pub(in crate::syntax) struct Constants {
    values: BTreeMap<String, Expr>,
}

impl Constants {
    /// The constants of a declaration, in canonical form.
    pub fn of(constants: &[Within<ItemConst>]) -> Self {
        Self {
            values: constants.iter().map(|constant| (constant.path.clone(), (*constant.item.expr).clone())).collect(),
        }
    }

    /// Evaluates an integer expression of literals and constants of the module; `None` for other expressions.
    fn value(&self, expression: &Expr, depth: usize) -> Option<i128> {
        let depth = depth.checked_sub(1)?;
        match expression {
            Expr::Lit(literal) => match &literal.lit {
                Lit::Int(integer) => integer.base10_parse().ok(),
                _ => None,
            },
            Expr::Path(path) if path.qself.is_none() => self.value(self.values.get(&path_within(&path.path)?)?, depth),
            Expr::Paren(inner) => self.value(&inner.expr, depth),
            Expr::Group(inner) => self.value(&inner.expr, depth),
            Expr::Cast(cast) => self.value(&cast.expr, depth),
            Expr::Block(block) => match block.block.stmts.as_slice() {
                [Stmt::Expr(inner, None)] => self.value(inner, depth),
                _ => None,
            },
            Expr::Unary(unary) => match unary.op {
                UnOp::Neg(_) => self.value(&unary.expr, depth)?.checked_neg(),
                _ => None,
            },
            Expr::Binary(binary) => {
                let (left, right) = (self.value(&binary.left, depth)?, self.value(&binary.right, depth)?);
                match binary.op {
                    BinOp::Add(_) => left.checked_add(right),
                    BinOp::Sub(_) => left.checked_sub(right),
                    BinOp::Mul(_) => left.checked_mul(right),
                    BinOp::Div(_) => left.checked_div(right),
                    BinOp::Rem(_) => left.checked_rem(right),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Evaluates a length or dimension.
    pub fn length(&self, expression: &Expr) -> syn::Result<usize> {
        self.value(expression, DEPTH).and_then(|value| usize::try_from(value).ok()).ok_or_else(|| unknown(expression))
    }

    /// Evaluates a dimension among the generic arguments of a type: `SVector<f64, N>`.
    pub fn dimension(&self, argument: &GenericArgument) -> syn::Result<usize> {
        match argument {
            GenericArgument::Const(expression) => self.length(expression),
            GenericArgument::Type(Type::Path(path)) if path.qself.is_none() => {
                let expression = Expr::Path(syn::ExprPath { attrs: vec![], qself: None, path: path.path.clone() });
                self.length(&expression)
            }
            other => Err(unknown(other)),
        }
    }
}

fn unknown(expression: &(impl quote::ToTokens + ?Sized)) -> syn::Error {
    error_with_help(
        expression,
        format_args!("the length `{}` is not a constant of this module", source(expression)),
        "write a literal or a `const` of this module: `const N: usize = 3;`",
    )
}
