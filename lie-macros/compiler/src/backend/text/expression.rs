//! Programs as lines of text.

use std::fmt::Write;

use rustc_hash::FxHashMap;

use super::symbols;
use crate::expr::{Relation, Singular};
use crate::model::Model;
use crate::schedule::{Expression, Program, ProgramStatement, Side};

/// Binding strength of an expression, ascending.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Binding {
    Or,
    And,
    Comparison,
    Sum,
    Product,
    Sign,
    /// Powers, calls and names.
    Atom,
}

/// Prints the programs of a model.
pub(super) struct TextPrinter<'a> {
    model: &'a Model,
    /// The components that have another name in the program.
    aliases: FxHashMap<usize, String>,
}

impl<'a> TextPrinter<'a> {
    pub fn new(model: &'a Model) -> Self {
        Self { model, aliases: FxHashMap::default() }
    }

    /// Returns the lines of a program; `name` is the name of an output.
    pub fn program(&mut self, program: &Program, name: impl Fn(usize) -> String) -> String {
        self.aliases.clear();
        let mut text = String::new();
        self.statements(&program.body, 1, &name, &mut text);
        text
    }

    fn statements(
        &mut self,
        body: &[ProgramStatement],
        depth: usize,
        output: &dyn Fn(usize) -> String,
        text: &mut String,
    ) {
        let indent = "  ".repeat(depth);
        for statement in body {
            let line = match statement {
                ProgramStatement::Let { name, value: Expression::Leaf(leaf, component), .. } => {
                    self.aliases.insert(*name, symbols::name(self.model, *leaf, *component));
                    continue;
                }
                ProgramStatement::Let { name, value, .. } => format!("{} = {}", named(*name), self.expression(value)),
                ProgramStatement::Log { call, components, .. } => {
                    format!("{} = log({})", called(*call), self.list(components))
                }
                ProgramStatement::Opaque { call, function, arguments, directions } => {
                    let name = &self.model.opaques[*function].name;
                    let lists = |all: &[Vec<Expression>]| {
                        let all = all.iter().map(|list| match &list[..] {
                            [one] => self.expression(one),
                            several => format!("[{}]", self.list(several)),
                        });
                        all.collect::<Vec<_>>().join(", ")
                    };
                    let along: Vec<String> =
                        directions.iter().map(|direction| format!("({})", lists(direction))).collect();
                    let along = match along.len() {
                        0 => String::new(),
                        count => format!(", derivative of order {count} along {}", along.join(" and ")),
                    };
                    format!("{} = {name}({}){along}", called(*call), lists(arguments))
                }
                ProgramStatement::Store { output: at, value } => {
                    format!("{} = {}", output(*at), self.expression(value))
                }
                ProgramStatement::If { condition, names, sides } => {
                    let [holds, fails] = sides;
                    let mut line = format!("if {}:\n", self.expression(condition));
                    self.side(holds, names, depth + 1, output, &mut line);
                    let _ = writeln!(line, "{indent}else:");
                    self.side(fails, names, depth + 1, output, &mut line);
                    line.trim_end().to_owned()
                }
            };
            let _ = writeln!(text, "{indent}{line}");
        }
    }

    fn side(
        &mut self,
        side: &Side,
        names: &[usize],
        depth: usize,
        output: &dyn Fn(usize) -> String,
        text: &mut String,
    ) {
        self.statements(&side.body, depth, output, text);
        for (name, value) in names.iter().zip(&side.values) {
            let _ = writeln!(text, "{}{} = {}", "  ".repeat(depth), named(*name), self.expression(value));
        }
    }

    fn list(&self, values: &[Expression]) -> String {
        values.iter().map(|value| self.expression(value)).collect::<Vec<_>>().join(", ")
    }

    fn expression(&self, value: &Expression) -> String {
        self.formula(value).0
    }

    /// Returns an operand, in parentheses if it binds less than `least`.
    fn operand(&self, value: &Expression, least: Binding) -> String {
        let (text, binding) = self.formula(value);
        if binding < least { format!("({text})") } else { text }
    }

    /// Returns a op b, where a and b must bind at least as strong as `of_a` and `of_b`.
    fn binary(&self, operator: &str, [a, b]: [&Expression; 2], [of_a, of_b]: [Binding; 2]) -> String {
        format!("{} {operator} {}", self.operand(a, of_a), self.operand(b, of_b))
    }

    fn call(&self, function: &str, arguments: &[&Expression]) -> (String, Binding) {
        let arguments: Vec<String> = arguments.iter().map(|value| self.expression(value)).collect();
        (format!("{function}({})", arguments.join(", ")), Binding::Atom)
    }

    fn product(&self, a: &Expression, b: &Expression) -> String {
        self.binary("*", [a, b], [Binding::Product, Binding::Sign])
    }

    fn formula(&self, value: &Expression) -> (String, Binding) {
        match value {
            Expression::Number(value) => {
                (value.to_string(), if value.is_sign_negative() { Binding::Sign } else { Binding::Atom })
            }
            Expression::Leaf(leaf, component) => (symbols::name(self.model, *leaf, *component), Binding::Atom),
            Expression::Hoisted(_) => bug!("equations in text have no hoisted values"),
            Expression::Named(name) => (self.aliases.get(name).cloned().unwrap_or_else(|| named(*name)), Binding::Atom),
            Expression::Result(call, output) => (format!("{}_{}", called(*call), output + 1), Binding::Atom),
            Expression::Negative(a) => (format!("-{}", self.operand(a, Binding::Product)), Binding::Sign),
            Expression::Sum([a, b]) => (self.binary("+", [a, b], [Binding::Sum; 2]), Binding::Sum),
            Expression::Difference([a, b]) => {
                (self.binary("-", [a, b], [Binding::Sum, Binding::Product]), Binding::Sum)
            }
            Expression::Product([a, b]) => (self.product(a, b), Binding::Product),
            Expression::Quotient([a, b]) => {
                (self.binary("/", [a, b], [Binding::Product, Binding::Atom]), Binding::Product)
            }
            Expression::MultiplyAdd([x, y, a]) => {
                let text = match (&**x, &**a) {
                    (Expression::Negative(x), _) => {
                        format!("{} - {}", self.operand(a, Binding::Sum), self.product(x, y))
                    }
                    (_, Expression::Negative(a)) => {
                        format!("{} - {}", self.product(x, y), self.operand(a, Binding::Product))
                    }
                    _ => format!("{} + {}", self.product(x, y), self.operand(a, Binding::Sum)),
                };
                (text, Binding::Sum)
            }
            Expression::Function(function, a) => self.call(function.name(), &[a]),
            Expression::Power(a, exponent) => (format!("{}^{exponent}", self.operand(a, Binding::Atom)), Binding::Sign),
            Expression::RealPower([a, b]) => {
                (self.binary("^", [a, b], [Binding::Atom; 2]).replace(" ^ ", "^"), Binding::Sign)
            }
            Expression::Atan2([a, b]) => self.call("atan2", &[a, b]),
            Expression::Remainder([a, b]) => self.call("rem", &[a, b]),
            Expression::Singular(function, order, z) => {
                let name = match function {
                    Singular::Stumpff(k) => format!("c_{k}"),
                    Singular::Gamma => "γ".to_owned(),
                };
                self.call(&(name + &"'".repeat(usize::from(*order))), &[z])
            }
            Expression::Compare(relation, [a, b]) => {
                let sign = match relation {
                    Relation::Less => "<",
                    Relation::LessOrEqual => "≤",
                };
                (self.binary(sign, [a, b], [Binding::Sum; 2]), Binding::Comparison)
            }
            Expression::And([a, b]) => (self.binary("and", [a, b], [Binding::And, Binding::Comparison]), Binding::And),
            Expression::Or([a, b]) => (self.binary("or", [a, b], [Binding::Or, Binding::And]), Binding::Or),
            Expression::Not(a) => (format!("not {}", self.operand(a, Binding::Sign)), Binding::Comparison),
            Expression::Select([condition, a, b]) => {
                let [condition, a, b] = [condition, a, b].map(|value| self.expression(value));
                (format!("{{{a} if {condition}; {b} else}}"), Binding::Atom)
            }
        }
    }
}

/// Returns the name of an intermediate value. It cannot be the name of a field.
fn named(name: usize) -> String {
    format!("#{}", name + 1)
}

/// Returns the name of the results of a call.
fn called(call: usize) -> String {
    format!("#call{}", call + 1)
}
