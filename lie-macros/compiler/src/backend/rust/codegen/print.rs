//! Programs as straight-line Rust.

use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;

use super::blocks::{self, Statement};
use super::environment::Environment;
use super::names::{ident, local};
use crate::expr::{Relation, Rotation, Singular};
use crate::scalar::{Graph, Scalar};
use crate::schedule::{Expression, Hoisted, Program, ProgramStatement, Side};

/// The statements of a kernel and, in order, the expressions of its outputs.
pub(crate) struct Printed {
    pub statements: Vec<TokenStream>,
    pub outputs: Vec<TokenStream>,
}

/// Prints the computation of `outputs`.
pub(crate) fn print(graph: &Graph, outputs: &[Scalar], hoisted: Option<&Hoisted>, names: &Environment<'_>) -> Printed {
    let program = Program::with_opaque_calls(graph, outputs, hoisted);
    let mut values = Vec::new();
    let statements = Printer { names }.statements(&program.body, &mut |_, value| {
        values.push(value);
        None
    });
    Printed { statements: blocks::write(&statements, &values), outputs: values }
}

/// Prints the computation of `outputs`. Each output is stored as early as possible, by the statement that `store` returns for its position
/// and value.
pub(crate) fn print_stores(
    graph: &Graph,
    outputs: &[Scalar],
    hoisted: Option<&Hoisted>,
    names: &Environment<'_>,
    store: impl Fn(usize, &TokenStream) -> TokenStream,
) -> TokenStream {
    let program = Program::with_opaque_calls(graph, outputs, hoisted);
    let mut store = |output: usize, value: TokenStream| Some(Statement::store(store(output, &value)));
    let statements = Printer { names }.statements(&program.body, &mut store);
    let statements = blocks::write(&statements, &[]);
    quote!(#(#statements)*)
}

/// Returns the name of a value of a program.
fn named(name: usize) -> Ident {
    local(&name.to_string())
}

/// Returns the name of the array of results of a call.
fn called(call: usize) -> Ident {
    local(&format!("call{call}"))
}

struct Printer<'a> {
    names: &'a Environment<'a>,
}

impl Printer<'_> {
    /// Returns the statements of a program; `store` returns the statement for an output and its value.
    fn statements(
        &self,
        body: &[ProgramStatement],
        store: &mut dyn FnMut(usize, TokenStream) -> Option<Statement>,
    ) -> Vec<Statement> {
        let mut statements = Vec::with_capacity(body.len());
        for statement in body {
            statements.extend(match statement {
                ProgramStatement::Let { name, value, .. } => {
                    Some(Statement::binding(&named(*name), &self.expression(value)))
                }
                ProgramStatement::Log { call, rotation, components } => {
                    let components = self.list(components);
                    let value = match rotation {
                        Rotation::S3 => quote!(rt::log_quaternion(#components)),
                        _ => quote!(rt::log_rotation(#components)),
                    };
                    Some(Statement::binding(&called(*call), &value))
                }
                ProgramStatement::Opaque { call, function, arguments, directions } => {
                    let lists =
                        |all: &[Vec<Expression>]| all.iter().map(|values| self.list(values)).collect::<Vec<_>>();
                    let directions: Vec<_> = directions.iter().map(|direction| lists(direction)).collect();
                    let value = self.names.opaque(*function, &lists(arguments), &directions);
                    Some(Statement::binding(&called(*call), &value))
                }
                ProgramStatement::Store { output, value } => store(*output, self.expression(value)),
                ProgramStatement::If { condition, names, sides } => {
                    let [holds, fails] = sides.each_ref().map(|side| self.side(side));
                    let names: Vec<Ident> = names.iter().map(|&name| named(name)).collect();
                    let condition = self.expression(condition);
                    let tokens = quote!(let [#(#names),*] = <S as Scalar>::choose_all(#condition, #holds, #fails););
                    Some(Statement { names, tokens })
                }
            });
        }
        statements
    }

    /// Returns one side of a branch as a closure.
    fn side(&self, Side { body, values }: &Side) -> TokenStream {
        let statements = self.statements(body, &mut |_, _| bug!("outputs are stored outside of branches"));
        let values: Vec<TokenStream> = values.iter().map(|value| self.expression(value)).collect();
        let statements = blocks::write(&statements, &values);
        quote!(|| { #(#statements)* [#(#values),*] })
    }

    fn list(&self, values: &[Expression]) -> TokenStream {
        let values = values.iter().map(|value| self.expression(value));
        quote!([#(#values),*])
    }

    /// Returns an operand of an operator: in parentheses if it contains operators.
    fn operand(&self, value: &Expression) -> TokenStream {
        let tokens = self.expression(value);
        let is_operator = matches!(
            value,
            Expression::Negative(_)
                | Expression::Sum(_)
                | Expression::Difference(_)
                | Expression::Product(_)
                | Expression::Quotient(_)
                | Expression::And(_)
                | Expression::Or(_)
                | Expression::Not(_)
        );
        if is_operator { quote!((#tokens)) } else { tokens }
    }

    fn operands(&self, values: &[Box<Expression>; 2]) -> [TokenStream; 2] {
        values.each_ref().map(|value| self.operand(value))
    }

    /// Returns a call with these arguments.
    fn call(&self, function: &TokenStream, arguments: &[Box<Expression>]) -> TokenStream {
        let arguments = arguments.iter().map(|value| self.expression(value));
        quote!(#function(#(#arguments),*))
    }

    fn expression(&self, value: &Expression) -> TokenStream {
        match value {
            Expression::Number(value) => number(*value),
            Expression::Leaf(leaf, component) => self.names.leaf(*leaf, *component),
            Expression::Hoisted(position) => self.names.hoisted(*position),
            Expression::Named(name) => {
                let name = named(*name);
                quote!(#name)
            }
            Expression::Result(call, output) => {
                let (name, output) = (called(*call), Literal::u32_unsuffixed(*output));
                quote!(#name[#output as usize])
            }
            Expression::Negative(a) => {
                let a = self.operand(a);
                quote!(-#a)
            }
            Expression::Sum(operands) => {
                let [a, b] = self.operands(operands);
                quote!(#a + #b)
            }
            Expression::Difference(operands) => {
                let [a, b] = self.operands(operands);
                quote!(#a - #b)
            }
            Expression::Product(operands) => {
                let [a, b] = self.operands(operands);
                quote!(#a * #b)
            }
            Expression::Quotient(operands) => {
                let [a, b] = self.operands(operands);
                quote!(#a / #b)
            }
            Expression::MultiplyAdd(operands) => self.call(&quote!(Scalar::mul_add), operands),
            Expression::Function(function, a) => {
                let name = ident(function.name());
                self.call(&quote!(Scalar::#name), std::slice::from_ref(a))
            }
            Expression::Power(a, exponent) => {
                let (a, exponent) = (self.expression(a), Literal::i32_unsuffixed(*exponent));
                quote!(Scalar::powi(#a, #exponent))
            }
            Expression::RealPower(operands) => self.call(&quote!(Scalar::powf), operands),
            Expression::Atan2(operands) => self.call(&quote!(Scalar::atan2), operands),
            Expression::Remainder(operands) => self.call(&quote!(Scalar::remainder), operands),
            Expression::Singular(function, order, z) => {
                let (z, order) = (self.expression(z), Literal::u8_unsuffixed(*order));
                match function {
                    Singular::Stumpff(k) => {
                        let k = Literal::u8_unsuffixed(*k);
                        quote!(rt::stumpff(#k, #order, #z))
                    }
                    Singular::Gamma => quote!(rt::gamma(#order, #z)),
                }
            }
            Expression::Compare(Relation::Less, operands) => self.call(&quote!(Scalar::lt), operands),
            Expression::Compare(Relation::LessOrEqual, operands) => self.call(&quote!(Scalar::le), operands),
            Expression::And(operands) => {
                let [a, b] = self.operands(operands);
                quote!(#a & #b)
            }
            Expression::Or(operands) => {
                let [a, b] = self.operands(operands);
                quote!(#a | #b)
            }
            Expression::Not(a) => {
                let a = self.operand(a);
                quote!(!#a)
            }
            Expression::Select(operands) => self.call(&quote!(<S as Scalar>::select), operands),
        }
    }
}

/// Returns a constant of type `S`.
pub(crate) fn number(value: f64) -> TokenStream {
    if !value.is_finite() {
        // Literals are finite.
        let bits = Literal::u64_unsuffixed(value.to_bits());
        return quote!(<S as Scalar>::from_f64(f64::from_bits(#bits)));
    }
    let literal = Literal::f64_unsuffixed(value.abs());
    if value < 0.0 { quote!(<S as Scalar>::from_f64(-#literal)) } else { quote!(<S as Scalar>::from_f64(#literal)) }
}
