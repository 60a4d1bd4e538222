//! Elementary functions of one variable: all properties that the compiler uses, in one place.
//!
//! Each row of the table is a function. Its name is the name of the Rust method, for reading, printing and evaluation. The other columns
//! are the parity, and the order of values and differences for a small argument. A function without a derivative in
//! `elementary_derivatives` does not compile.

/// The parity of a function: the value of f(−x).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Parity {
    /// f(x).
    Even,
    /// −f(x).
    Odd,
    /// Another value.
    Neither,
}

/// The order of differences and values for a small argument.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Modulus {
    /// |f(x + δ) − f(x)| = O(δʰ), and f(x) = O(xʰ).
    Vanishing(f64),
    /// |f(x + δ) − f(x)| = O(δʰ).
    Bounded(f64),
    /// A discontinuity.
    Pieces,
}

macro_rules! elementary {
    ($($(#[$documentation:meta])* $id:ident $method:ident $parity:ident $modulus:expr;)*) => {
        /// An elementary function of one variable.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum Function {
            $(#[doc = concat!("`", stringify!($method), "`.")] $(#[$documentation])* $id,)*
        }

        impl Function {
            /// All functions.
            pub const ALL: &'static [Function] = &[$(Function::$id),*];

            /// The name of the Rust method.
            pub fn name(self) -> &'static str {
                match self {
                    $(Function::$id => stringify!($method),)*
                }
            }

            /// f(x).
            pub fn value(self, x: f64) -> f64 {
                match self {
                    $(Function::$id => x.$method(),)*
                }
            }

            /// The effect of a change of sign.
            pub(crate) fn parity(self) -> Parity {
                match self {
                    $(Function::$id => Parity::$parity,)*
                }
            }

            /// The order for a small argument.
            pub(crate) fn modulus(self) -> Modulus {
                use Modulus::{Bounded, Pieces, Vanishing};

                match self {
                    $(Function::$id => $modulus,)*
                }
            }
        }
    };
}

elementary! {
    Sqrt sqrt Neither Vanishing(0.5);
    Sin sin Odd Vanishing(1.0);
    Cos cos Even Bounded(1.0);
    Tan tan Odd Vanishing(1.0);
    Asin asin Odd Vanishing(0.5);
    Acos acos Neither Bounded(0.5);
    Atan atan Odd Vanishing(1.0);
    Exp exp Neither Bounded(1.0);
    Ln ln Neither Bounded(1.0);
    Sinh sinh Odd Vanishing(1.0);
    Cosh cosh Even Bounded(1.0);
    Tanh tanh Odd Vanishing(1.0);
    Asinh asinh Odd Vanishing(1.0);
    Acosh acosh Neither Bounded(0.5);
    Atanh atanh Odd Vanishing(1.0);
    ExpM1 exp_m1 Neither Vanishing(1.0);
    Ln1p ln_1p Neither Vanishing(1.0);
    Cbrt cbrt Odd Vanishing(1.0 / 3.0);
    Abs abs Even Vanishing(1.0);
    /// Piecewise constant, with the derivative 0 of its pieces, like the next three functions.
    Floor floor Neither Pieces;
    Ceil ceil Neither Pieces;
    Round round Odd Pieces;
    Trunc trunc Odd Pieces;
}

impl Function {
    /// The function with the given name.
    pub fn named(name: &str) -> Option<Function> {
        Function::ALL.iter().copied().find(|function| function.name() == name)
    }
}

#[cfg(test)]
#[path = "../../tests/unit/elementary.rs"]
mod tests;
