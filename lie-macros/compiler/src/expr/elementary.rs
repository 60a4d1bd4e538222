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
mod tests {
    use super::{Function, Modulus, Parity};

    /// Parities and orders of the table agree with the values.
    #[test]
    fn the_table_is_true_of_the_values() {
        for &function in Function::ALL {
            assert_eq!(Function::named(function.name()), Some(function));
            let f = |x: f64| function.value(x);
            for x in [0.1, 0.4, 0.9, 1.7, 2.5] {
                let (here, there) = (f(x), f(-x));
                // Not every function is evaluated symmetrically.
                let are_close = |a: f64, b: f64| a.is_nan() || (a - b).abs() <= 4.0 * f64::EPSILON * a.abs();
                match function.parity() {
                    Parity::Even => assert!(are_close(there, here), "{function:?}({x})"),
                    Parity::Odd => assert!(are_close(there, -here), "{function:?}({x})"),
                    Parity::Neither => assert!(there != here && there != -here, "{function:?}({x})"),
                }
            }
            // The start of the domain, and the point of the largest derivative.
            let places = [0.0, 1.0, 1e-3, 0.5];
            for step in [1e-4, 1e-6, 1e-8] {
                let largest = |h: f64| {
                    let change = |x: f64| ((f(x + step) - f(x)) / step.powf(h)).abs();
                    places.into_iter().map(change).filter(|change| change.is_finite()).fold(0.0, f64::max)
                };
                match function.modulus() {
                    Modulus::Vanishing(h) => {
                        assert!(largest(h) < 10.0 && f(step).abs() < 10.0 * step.powf(h), "{function:?}");
                    }
                    Modulus::Bounded(h) if function != Function::Ln => assert!(largest(h) < 10.0, "{function:?}"),
                    Modulus::Bounded(_) | Modulus::Pieces => {}
                }
            }
        }
    }
}
