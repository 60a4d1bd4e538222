//! Kernels as straight-line Rust.

use rustc_hash::FxHashMap;

use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;

use super::blocks::{self, Statement};
use super::environment::Environment;
use super::names::{ident, local};
use crate::expr::Rotation;
use crate::expr::{Relation, Singular};
use crate::scalar::{Branch, Branches, Call, Graph, Kernel, Scalar, ScalarOp};
use crate::schedule::Hoisted;

/// Expressions with more operations get a name, so that lines stay readable.
const MAX_INLINE: usize = 8;

/// Largest depth of nested branches.
const DEEPEST: usize = 4;

/// The statements of a kernel and, in order, the expressions of its outputs.
pub(crate) struct Printed {
    pub statements: Vec<TokenStream>,
    pub outputs: Vec<TokenStream>,
}

/// Prints the computation of `outputs`.
pub(crate) fn print(graph: &Graph, outputs: &[Scalar], hoisted: Option<&Hoisted>, names: &Environment<'_>) -> Printed {
    let mut printer = Printer::new(graph, outputs, hoisted, names);
    let outputs: Vec<TokenStream> = outputs.iter().map(|&output| printer.value(output)).collect();
    Printed { statements: blocks::write(&printer.statements, &outputs), outputs }
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
    let mut printer = Printer::new(graph, outputs, hoisted, names);
    for (at, &output) in outputs.iter().enumerate() {
        let value = printer.value(output);
        printer.statements.push(Statement::store(store(at, &value)));
    }
    let statements = blocks::write(&printer.statements, &[]);
    quote!(#(#statements)*)
}

struct Printer<'a> {
    graph: &'a Graph,
    hoisted: Option<&'a Hoisted>,
    names: &'a Environment<'a>,
    kernel: Kernel,
    branches: Branches,
    statements: Vec<Statement>,
    /// The number of named values.
    named: usize,
    /// The number of open branches.
    inside: usize,
    /// The tokens of a node, and the number of operations in them.
    known: FxHashMap<Scalar, (TokenStream, usize)>,
    calls: FxHashMap<Call, Ident>,
}

impl<'a> Printer<'a> {
    fn new(
        graph: &'a Graph,
        outputs: &[Scalar],
        hoisted: Option<&'a Hoisted>,
        names: &'a Environment<'a>,
    ) -> Printer<'a> {
        let given = |node: Scalar| hoisted.is_some_and(|hoisted| hoisted.position(node).is_some());
        let kernel = Kernel::new(graph, outputs, given);
        let branches = Branches::new(graph, &kernel, given);
        let (known, calls) = (FxHashMap::default(), FxHashMap::default());
        Printer { graph, hoisted, names, kernel, branches, statements: Vec::new(), named: 0, inside: 0, known, calls }
    }

    fn bind(&mut self, tokens: &TokenStream) -> TokenStream {
        let name = local(&format!("{}", self.named));
        self.named += 1;
        self.statements.push(Statement::binding(&name, tokens));
        quote!(#name)
    }

    /// Returns the expression of an output, after the missing statements that it needs. The order is depth first, so that values are used
    /// soon after their computation.
    fn value(&mut self, output: Scalar) -> TokenStream {
        let mut open = vec![output];
        while let Some(&node) = open.last() {
            if self.known.contains_key(&node) {
                open.pop();
                continue;
            }
            let position = self.hoisted.and_then(|hoisted| hoisted.position(node));
            if position.is_none() {
                let before = open.len();
                let operands = match self.branch(node) {
                    Some(branch) => branch.needs.clone(),
                    None => self.graph.operands(node),
                };
                open.extend(operands.into_iter().rev().filter(|operand| !self.known.contains_key(operand)));
                if open.len() > before {
                    continue;
                }
            }
            open.pop();
            if position.is_none() && self.branch(node).is_some() {
                self.take(node);
                continue;
            }
            let (tokens, size) = match position {
                Some(position) => (self.names.hoisted(position), 0),
                None => self.expression(node),
            };
            let is_atom = matches!(self.graph.op(node), ScalarOp::Number(_));
            let entry = if !is_atom && (self.kernel.uses_of(node) > 1 || size > MAX_INLINE) {
                (self.bind(&tokens), 0)
            } else {
                (tokens, size)
            };
            self.known.insert(node, entry);
        }
        self.known[&output].0.clone()
    }

    /// Returns the branch of a selection.
    fn branch(&self, node: Scalar) -> Option<&Branch> {
        self.branches.of(node).filter(|_| self.inside < DEEPEST)
    }

    /// Writes a branch, with the nodes that only its sides need inside of them.
    fn take(&mut self, choice: Scalar) {
        let Some(Branch { condition, choices, sides, .. }) = self.branch(choice).cloned() else { return };
        self.inside += 1;
        let [holds, fails] = sides.map(|side| {
            let outside = std::mem::take(&mut self.statements);
            let values: Vec<TokenStream> = side.iter().map(|&value| self.value(value)).collect();
            let statements = std::mem::replace(&mut self.statements, outside);
            let statements = blocks::write(&statements, &values);
            quote!(|| { #(#statements)* [#(#values),*] })
        });
        self.inside -= 1;
        let names: Vec<Ident> =
            choices.iter().enumerate().map(|(at, _)| local(&format!("{}", self.named + at))).collect();
        self.named += names.len();
        let condition = &self.known[&condition].0;
        let tokens = quote!(let [#(#names),*] = <S as Scalar>::choose_all(#condition, #holds, #fails););
        self.statements.push(Statement { names: names.clone(), tokens });
        self.known.extend(choices.into_iter().zip(names).map(|(choice, name)| (choice, (quote!(#name), 0))));
    }

    /// b − a instead of −(a − b), if only the negative difference is needed.
    fn turned_difference(&self, node: Scalar) -> Option<(Scalar, Scalar)> {
        match *self.graph.op(node) {
            ScalarOp::Sub(a, b) if self.kernel.uses_of(node) == 1 && self.known[&node].1 > 0 => Some((b, a)),
            _ => None,
        }
    }

    /// Returns the factors of a product that is only used in one sum: both are one fused operation on suitable hardware.
    fn contracted(&self, node: Scalar) -> Option<(Scalar, Scalar)> {
        match *self.graph.op(node) {
            ScalarOp::Mul(x, y) if self.kernel.uses_of(node) == 1 && self.known[&node].1 > 0 => Some((x, y)),
            _ => None,
        }
    }

    /// Returns an operand of an operator: in parentheses if it contains operators.
    fn operand(&self, node: Scalar) -> TokenStream {
        let (tokens, size) = &self.known[&node];
        // A named value or an argument.
        if *size == 0 {
            return tokens.clone();
        }
        let is_operator = match *self.graph.op(node) {
            ScalarOp::Add(a, b) | ScalarOp::Sub(a, b) => self.contracted(a).or_else(|| self.contracted(b)).is_none(),
            ScalarOp::Mul(..)
            | ScalarOp::Div(..)
            | ScalarOp::Neg(_)
            | ScalarOp::And(..)
            | ScalarOp::Or(..)
            | ScalarOp::Not(_) => true,
            _ => false,
        };
        if is_operator { quote!((#tokens)) } else { tokens.clone() }
    }

    /// a − b.
    fn difference(&self, a: Scalar, b: Scalar) -> TokenStream {
        let plain = |node: Scalar| &self.known[&node].0;
        let operand = |node: Scalar| self.operand(node);
        match (self.contracted(a), self.contracted(b)) {
            (_, Some((x, y))) => {
                let (x, y, a) = (operand(x), plain(y), plain(a));
                quote!(Scalar::mul_add(-#x, #y, #a))
            }
            (Some((x, y)), None) => {
                let (x, y, b) = (plain(x), plain(y), operand(b));
                quote!(Scalar::mul_add(#x, #y, -#b))
            }
            (None, None) => {
                let (a, b) = (operand(a), operand(b));
                quote!(#a - #b)
            }
        }
    }

    #[allow(clippy::too_many_lines)] // One arm for each operation.
    fn expression(&mut self, node: Scalar) -> (TokenStream, usize) {
        let operands = self.graph.operands(node);
        let is_call = matches!(self.graph.op(node), ScalarOp::Output(..));
        let size = 1 + operands.iter().map(|operand| self.known[operand].1).sum::<usize>();
        let p = |this: &Self, node: &Scalar| this.operand(*node);
        let plain = |this: &Self, node: &Scalar| this.known[node].0.clone();
        let tokens = match self.graph.op(node) {
            ScalarOp::Number(bits) => {
                let value = f64::from_bits(*bits);
                return (number(value), 0);
            }
            ScalarOp::Leaf(leaf, component) => return (self.names.leaf(*leaf, *component), 0),
            ScalarOp::Add(a, b) => match (self.contracted(*a), self.contracted(*b)) {
                (_, Some((x, y))) => {
                    let (x, y, a) = (plain(self, &x), plain(self, &y), plain(self, a));
                    quote!(Scalar::mul_add(#x, #y, #a))
                }
                (Some((x, y)), None) => {
                    let (x, y, b) = (plain(self, &x), plain(self, &y), plain(self, b));
                    quote!(Scalar::mul_add(#x, #y, #b))
                }
                (None, None) => {
                    let (a, b) = (p(self, a), p(self, b));
                    quote!(#a + #b)
                }
            },
            ScalarOp::Sub(a, b) => self.difference(*a, *b),
            ScalarOp::Mul(a, b) => {
                let (a, b) = (p(self, a), p(self, b));
                quote!(#a * #b)
            }
            ScalarOp::Div(a, b) => {
                let (a, b) = (p(self, a), p(self, b));
                quote!(#a / #b)
            }
            ScalarOp::Neg(a) => {
                if let Some((b, a)) = self.turned_difference(*a) {
                    return (self.difference(b, a), size - 1);
                }
                let a = p(self, a);
                quote!(-#a)
            }
            ScalarOp::Function(function, a) => {
                let a = plain(self, a);
                let name = ident(function.name());
                quote!(Scalar::#name(#a))
            }
            ScalarOp::Power(a, exponent) => {
                let a = plain(self, a);
                let exponent = Literal::i32_unsuffixed(*exponent);
                quote!(Scalar::powi(#a, #exponent))
            }
            ScalarOp::RealPower(a, b) => {
                let (a, b) = (plain(self, a), plain(self, b));
                quote!(Scalar::powf(#a, #b))
            }
            ScalarOp::Atan2(a, b) => {
                let (a, b) = (plain(self, a), plain(self, b));
                quote!(Scalar::atan2(#a, #b))
            }
            ScalarOp::Remainder(a, b) => {
                let (a, b) = (plain(self, a), plain(self, b));
                quote!(Scalar::remainder(#a, #b))
            }
            ScalarOp::Singular(function, order, z) => {
                let z = plain(self, z);
                let order = Literal::u8_unsuffixed(*order);
                match function {
                    Singular::Stumpff(k) => {
                        let k = Literal::u8_unsuffixed(*k);
                        quote!(rt::stumpff(#k, #order, #z))
                    }
                    Singular::Gamma => quote!(rt::gamma(#order, #z)),
                }
            }
            ScalarOp::Compare(relation, a, b) => {
                let (a, b) = (plain(self, a), plain(self, b));
                match relation {
                    Relation::Less => quote!(Scalar::lt(#a, #b)),
                    Relation::LessOrEqual => quote!(Scalar::le(#a, #b)),
                }
            }
            ScalarOp::And(a, b) => {
                let (a, b) = (p(self, a), p(self, b));
                quote!(#a & #b)
            }
            ScalarOp::Or(a, b) => {
                let (a, b) = (p(self, a), p(self, b));
                quote!(#a | #b)
            }
            ScalarOp::Not(a) => {
                let a = p(self, a);
                quote!(!#a)
            }
            ScalarOp::Select(condition, a, b) => {
                let (condition, a, b) = (plain(self, condition), plain(self, a), plain(self, b));
                quote!(<S as Scalar>::select(#condition, #a, #b))
            }
            ScalarOp::Output(call, output) => {
                let name = self.call(call);
                let output = Literal::u32_unsuffixed(*output);
                quote!(#name[#output as usize])
            }
        };
        (tokens, if is_call { 0 } else { size })
    }

    /// Returns the name of the array of results of a call.
    fn call(&mut self, call: &Call) -> Ident {
        if let Some(name) = self.calls.get(call) {
            return name.clone();
        }
        let list = |this: &Self, scalars: &[Scalar]| {
            let items = scalars.iter().map(|scalar| this.known[scalar].0.clone()).collect::<Vec<_>>();
            quote!([#(#items),*])
        };
        let value = match call {
            Call::Log(rotation, components) => {
                let components = list(self, components);
                match rotation {
                    Rotation::S3 => quote!(rt::log_quaternion(#components)),
                    _ => quote!(rt::log_rotation(#components)),
                }
            }
            Call::Opaque { function, arguments, directions } => {
                let arguments: Vec<TokenStream> = arguments.iter().map(|argument| list(self, argument)).collect();
                let directions: Vec<Vec<TokenStream>> = directions
                    .iter()
                    .map(|direction| direction.iter().map(|part| list(self, part)).collect())
                    .collect();
                self.names.opaque(*function, &arguments, &directions)
            }
        };
        let name = local(&format!("call{}", self.calls.len()));
        self.statements.push(Statement::binding(&name, &value));
        self.calls.insert(call.clone(), name.clone());
        name
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
