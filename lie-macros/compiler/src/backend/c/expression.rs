//! Programs as C statements.

use std::collections::BTreeSet;
use std::fmt::Write;

use super::helpers::{Helper, number};
use crate::backend::layout::Layouts;
use crate::expr::{Function, Leaf, Relation};
use crate::schedule::{Expression, Program, ProgramStatement, Side};

/// Prints programs, and collects the arrays and the functions that they use.
pub(super) struct CPrinter<'a> {
    /// The prefix of all names.
    pub prefix: &'a str,
    pub layouts: &'a Layouts,
    pub helpers: BTreeSet<Helper>,
    /// The arguments that the current program reads.
    pub used: BTreeSet<&'static str>,
}

impl CPrinter<'_> {
    /// Returns the statements of a program; `store` is the place of an output.
    pub fn program(&mut self, program: &Program, store: impl Fn(usize) -> String) -> String {
        let mut text = String::new();
        self.statements(&program.body, 1, &store, &mut text);
        text
    }

    fn statements(
        &mut self,
        body: &[ProgramStatement],
        depth: usize,
        store: &dyn Fn(usize) -> String,
        text: &mut String,
    ) {
        let indent = "    ".repeat(depth);
        for statement in body {
            let line = match statement {
                ProgramStatement::Let { name, is_truth, value } => {
                    let ty = if *is_truth { "int" } else { "LIEMECH_REAL" };
                    format!("const {ty} x{name} = {};", self.expression(value))
                }
                ProgramStatement::Log { call, rotation, components } => {
                    let helper = Helper::Log(*rotation);
                    let name = helper.name(self.prefix);
                    self.helpers.insert(helper);
                    let arguments: Vec<String> = components.iter().map(|value| self.expression(value)).collect();
                    let count = arguments.len();
                    format!(
                        "LIEMECH_REAL call{call}[3];\n{indent}const LIEMECH_REAL rotation{call}[{count}] = {{{}}};\n\
                         {indent}{name}(rotation{call}, call{call});",
                        arguments.join(", ")
                    )
                }
                ProgramStatement::Opaque { .. } => bug!("a program for C calls an opaque function"),
                ProgramStatement::Store { output, value } => {
                    format!("{} = {};", store(*output), self.expression(value))
                }
                ProgramStatement::If { condition, names, sides } => {
                    let names: Vec<String> = names.iter().map(|name| format!("x{name}")).collect();
                    let mut line = format!("LIEMECH_REAL {};\n", names.join(", "));
                    let [holds, fails] = sides.each_ref();
                    let condition = self.expression(condition);
                    let _ = writeln!(line, "{indent}if ({condition}) {{");
                    self.side(holds, &names, depth + 1, store, &mut line);
                    let _ = writeln!(line, "{indent}}} else {{");
                    self.side(fails, &names, depth + 1, store, &mut line);
                    line + &indent + "}"
                }
            };
            let _ = writeln!(text, "{indent}{line}");
        }
    }

    fn side(
        &mut self,
        side: &Side,
        names: &[String],
        depth: usize,
        store: &dyn Fn(usize) -> String,
        text: &mut String,
    ) {
        self.statements(&side.body, depth, store, text);
        for (name, value) in names.iter().zip(&side.values) {
            let value = self.expression(value);
            let _ = writeln!(text, "{}{name} = {value};", "    ".repeat(depth));
        }
    }

    /// Returns an operand, in parentheses if it contains operators.
    fn operand(&mut self, value: &Expression) -> String {
        let text = self.expression(value);
        let is_atom = match value {
            Expression::Number(value) => value.is_sign_positive(),
            Expression::Leaf(..)
            | Expression::Hoisted(_)
            | Expression::Named(_)
            | Expression::Result(..)
            | Expression::Function(..)
            | Expression::Power(..)
            | Expression::RealPower(_)
            | Expression::Atan2(_)
            | Expression::Remainder(_)
            | Expression::Singular(..)
            | Expression::Select(_) => true,
            _ => false,
        };
        if is_atom { text } else { format!("({text})") }
    }

    fn product(&mut self, x: &Expression, y: &Expression) -> String {
        format!("{} * {}", self.operand(x), self.operand(y))
    }

    fn binary(&mut self, operator: &str, [a, b]: &[Box<Expression>; 2]) -> String {
        format!("{} {operator} {}", self.operand(a), self.operand(b))
    }

    fn call(&mut self, function: &str, arguments: &[Box<Expression>]) -> String {
        let arguments: Vec<String> = arguments.iter().map(|value| self.expression(value)).collect();
        format!("LIEMECH_MATH({function})({})", arguments.join(", "))
    }

    fn help(&mut self, helper: Helper, argument: &Expression) -> String {
        let argument = self.expression(argument);
        let text = format!("{}({argument})", helper.name(self.prefix));
        self.helpers.insert(helper);
        text
    }

    fn expression(&mut self, value: &Expression) -> String {
        match value {
            Expression::Number(value) => number(*value),
            Expression::Leaf(leaf, component) => self.leaf(*leaf, *component),
            Expression::Hoisted(position) => {
                self.used.insert("hoisted");
                format!("hoisted[{position}]")
            }
            Expression::Named(name) => format!("x{name}"),
            Expression::Result(call, output) => format!("call{call}[{output}]"),
            Expression::Negative(a) => format!("-{}", self.operand(a)),
            Expression::Sum(operands) => self.binary("+", operands),
            Expression::Difference(operands) => self.binary("-", operands),
            Expression::Product([x, y]) => self.product(x, y),
            Expression::Quotient(operands) => self.binary("/", operands),
            // The C compiler fuses products and sums, unless `-ffp-contract=off` forbids it.
            Expression::MultiplyAdd([x, y, a]) => match (&**x, &**a) {
                (Expression::Negative(x), _) => format!("{} - {}", self.operand(a), self.product(x, y)),
                (_, Expression::Negative(a)) => format!("{} - {}", self.product(x, y), self.operand(a)),
                _ => format!("{} + {}", self.product(x, y), self.operand(a)),
            },
            Expression::Function(function, a) => self.call(function_name(*function), std::slice::from_ref(a)),
            Expression::Power(a, exponent) => self.help(Helper::Power(*exponent), a),
            Expression::RealPower(operands) => self.call("pow", operands),
            Expression::Atan2(operands) => self.call("atan2", operands),
            Expression::Remainder(operands) => self.call("fmod", operands),
            Expression::Singular(function, order, z) => self.help(Helper::Singular(*function, *order), z),
            Expression::Compare(Relation::Less, operands) => self.binary("<", operands),
            Expression::Compare(Relation::LessOrEqual, operands) => self.binary("<=", operands),
            Expression::And(operands) => self.binary("&&", operands),
            Expression::Or(operands) => self.binary("||", operands),
            Expression::Not(a) => format!("!{}", self.operand(a)),
            Expression::Select([condition, a, b]) => {
                format!("({} ? {} : {})", self.operand(condition), self.operand(a), self.operand(b))
            }
        }
    }

    fn leaf(&mut self, leaf: Leaf, component: u32) -> String {
        if leaf == Leaf::Time {
            self.used.insert("t");
            return "t".to_owned();
        }
        let place = self.layouts.locate(leaf, component);
        let (array, position) = place.unwrap_or_else(|| bug!("the leaf {leaf:?} has no array in C"));
        self.used.insert(array);
        format!("{array}[{position}]")
    }
}

/// Returns the function of `<math.h>` in double precision.
fn function_name(function: Function) -> &'static str {
    match function {
        Function::ExpM1 => "expm1",
        Function::Ln => "log",
        Function::Ln1p => "log1p",
        Function::Abs => "fabs",
        // The other names are equal in Rust and C.
        other => other.name(),
    }
}
