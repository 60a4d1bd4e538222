//! Programs as straight-line Rust.

use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;

use super::environment::Environment;
use super::names::{ident, local};
use crate::expr::{Relation, Rotation, Singular};
use crate::scalar::{Graph, Scalar};
use crate::schedule::{Block, Expression, Hoisted, Name, Program, ProgramStatement, Side, split};

/// The statements of a kernel and, in order, the expressions of its outputs.
pub(crate) struct Printed {
    pub statements: Vec<TokenStream>,
    pub outputs: Vec<TokenStream>,
}

/// Prints the statement that stores an output, from its position and its value.
type StoreOutput<'a> = &'a dyn Fn(usize, &TokenStream) -> TokenStream;

/// Prints the computation of `outputs`.
pub(crate) fn print(graph: &Graph, outputs: &[Scalar], hoisted: Option<&Hoisted>, names: &Environment<'_>) -> Printed {
    let program = Program::with_opaque_calls(graph, outputs, hoisted);
    let is_store = |statement: &&ProgramStatement| matches!(statement, ProgramStatement::Store { .. });
    let (stores, body): (Vec<_>, Vec<_>) = program.body.iter().partition(is_store);
    let value = |statement: &&'_ ProgramStatement| match statement {
        ProgramStatement::Store { value, .. } => value.clone(),
        other => bug!("{other:?} stores no output"),
    };
    let values: Vec<Expression> = stores.iter().map(value).collect();
    let printer = Printer { names };
    let statements = printer.blocks(&body, &values, None);
    Printed { statements, outputs: values.iter().map(|value| printer.expression(value)).collect() }
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
    let body: Vec<&ProgramStatement> = program.body.iter().collect();
    let statements = Printer { names }.blocks(&body, &[], Some(&store));
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
    /// Prints statements in blocks; `results` are used after them, and `store` prints the statement for an output and its value.
    fn blocks(
        &self,
        body: &[&ProgramStatement],
        results: &[Expression],
        store: Option<StoreOutput<'_>>,
    ) -> Vec<TokenStream> {
        let print = |block: &Block<'_>| -> Vec<TokenStream> {
            block.statements.iter().map(|statement| self.statement(statement, store)).collect()
        };
        let blocks = split(body, results);
        if let [only] = blocks.as_slice() {
            return print(only);
        }
        let outlined = blocks.iter().map(|block| {
            let used = block.used_later.iter().map(|name| match *name {
                Name::Value(name) => named(name),
                Name::Call(call) => called(call),
            });
            let (used, statements): (Vec<Ident>, _) = (used.collect(), print(block));
            quote! {
                let (#(#used,)*) = rt::outlined(|| {
                    #(#statements)*
                    (#(#used,)*)
                });
            }
        });
        outlined.collect()
    }

    fn statement(&self, statement: &ProgramStatement, store: Option<StoreOutput<'_>>) -> TokenStream {
        let binding = |name: Ident, value: TokenStream| quote!(let #name = #value;);
        match statement {
            ProgramStatement::Let { name, value, .. } => binding(named(*name), self.expression(value)),
            ProgramStatement::Log { call, rotation, components } => {
                let components = self.list(components);
                let value = match rotation {
                    Rotation::S3 => quote!(rt::log_quaternion(#components)),
                    _ => quote!(rt::log_rotation(#components)),
                };
                binding(called(*call), value)
            }
            ProgramStatement::Opaque { call, function, arguments, directions } => {
                let lists = |all: &[Vec<Expression>]| all.iter().map(|values| self.list(values)).collect::<Vec<_>>();
                let directions: Vec<_> = directions.iter().map(|direction| lists(direction)).collect();
                binding(called(*call), self.names.opaque(*function, &lists(arguments), &directions))
            }
            ProgramStatement::Store { output, value } => match store {
                Some(store) => store(*output, &self.expression(value)),
                None => bug!("outputs are stored outside of branches"),
            },
            ProgramStatement::If { condition, names, sides } => {
                let [holds, fails] = sides.each_ref().map(|side| self.side(side));
                let names = names.iter().map(|&name| named(name));
                let condition = self.expression(condition);
                quote!(let [#(#names),*] = <S as Scalar>::choose_all(#condition, #holds, #fails);)
            }
        }
    }

    /// Returns one side of a branch as a closure.
    fn side(&self, Side { body, values }: &Side) -> TokenStream {
        let body: Vec<&ProgramStatement> = body.iter().collect();
        let statements = self.blocks(&body, values, None);
        let values = values.iter().map(|value| self.expression(value));
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

    /// Returns a binary operator with its operands.
    fn infix(&self, operator: &TokenStream, operands: &[Box<Expression>; 2]) -> TokenStream {
        let [a, b] = operands.each_ref().map(|value| self.operand(value));
        quote!(#a #operator #b)
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
            Expression::Sum(operands) => self.infix(&quote!(+), operands),
            Expression::Difference(operands) => self.infix(&quote!(-), operands),
            Expression::Product(operands) => self.infix(&quote!(*), operands),
            Expression::Quotient(operands) => self.infix(&quote!(/), operands),
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
            Expression::And(operands) => self.infix(&quote!(&), operands),
            Expression::Or(operands) => self.infix(&quote!(|), operands),
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
