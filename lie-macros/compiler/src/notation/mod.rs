//! Mathematical notation: expressions as MathML for the documentation of a system.
//!
//! The printer uses the typed expression, before its expansion into scalars, so that rotations and cross products are visible. An
//! expression that is too long for a page is not printed.

mod leaves;
mod pattern;

use crate::expr::{Expressions, Function, Node, Op, Relation, Singular, Type};
use crate::model::Model;

pub(crate) use leaves::{leaf_type, slot_name, symbol};
pub(crate) use pattern::pattern;

/// Largest number of symbols in one line.
const LONGEST: usize = 220;

/// The separator of factors, which keeps names of several letters apart.
const APART: &str = "<mspace width=\"0.22em\"></mspace>";

/// Binding strength of the parts of a formula.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Tie {
    Sum,
    Product,
    /// Powers, transposes, calls, symbols.
    Atom,
}

/// A formula.
struct Formula {
    text: String,
    tie: Tie,
    /// True if the formula has a leading minus, which is not in `text`.
    is_negative: bool,
}

/// Prints expressions of a model.
pub(crate) struct Notation<'a> {
    expressions: &'a Expressions,
    model: &'a Model,
    /// Name, first row and number of rows of each constraint.
    constraints: Vec<(String, usize, usize)>,
    left: usize,
}

impl<'a> Notation<'a> {
    /// Creates the notation of a model with these constraints: name, first row and number of rows.
    pub fn of(expressions: &'a Expressions, model: &'a Model, constraints: Vec<(String, usize, usize)>) -> Self {
        Notation { expressions, model, constraints, left: 0 }
    }

    /// An expression; `None` if it is too long for a line.
    pub fn line(&mut self, node: Node) -> Option<String> {
        self.left = LONGEST;
        self.formula(node).map(Formula::signed)
    }

    fn formula(&mut self, node: Node) -> Option<Formula> {
        self.left = self.left.checked_sub(1)?;
        let expressions = self.expressions;
        Some(match expressions.op(node) {
            Op::Number(bits) => number(f64::from_bits(*bits)),
            Op::Zero => atom("<mn>0</mn>"),
            Op::Leaf(leaf) => atom(symbol(self.model, *leaf)),
            Op::Add(..) => self.sum(node)?,
            Op::Neg(a) => {
                let a = self.formula(*a)?;
                Formula { is_negative: !a.is_negative, ..a }
            }
            Op::Scale(a, b) | Op::Product(a, b) | Op::Act(a, b) | Op::Compose(a, b) => {
                let (a, b) = (self.formula(*a)?, self.formula(*b)?);
                product(a, APART, b)
            }
            Op::Dot(a, b) => {
                let (a, b) = (self.formula(*a)?, self.formula(*b)?);
                product(a.tied(Tie::Atom), "<mo>&#x22C5;</mo>", b.tied(Tie::Atom))
            }
            Op::Cross(a, b) => {
                let (a, b) = (self.formula(*a)?, self.formula(*b)?);
                product(a.tied(Tie::Atom), "<mo>&#xD7;</mo>", b.tied(Tie::Atom))
            }
            Op::ActInverse(a, b) => {
                let (a, b) = (self.raised(*a, "<mi>T</mi>")?, self.formula(*b)?);
                product(a, APART, b)
            }
            Op::Transpose(a) => self.raised(*a, "<mi>T</mi>")?,
            Op::Invert(a) => self.raised(*a, "<mrow><mo>−</mo><mn>1</mn></mrow>")?,
            Op::Power(a, n) => self.raised(*a, &number(f64::from(*n)).superscript())?,
            Op::RealPower(a, b) => {
                let exponent = row(&self.formula(*b)?.signed());
                self.raised(*a, &exponent)?
            }
            Op::Hat(a) => {
                let a = self.formula(*a)?.tied(Tie::Atom).signed();
                atom(format!("<mover>{}<mo>~</mo></mover>", row(&a)))
            }
            Op::Divide(a, b) => {
                let (a, b) = (self.formula(*a)?, self.formula(*b)?.signed());
                let text = format!("<mfrac>{}{}</mfrac>", row(&a.text), row(&b));
                Formula { text, tie: Tie::Atom, is_negative: a.is_negative }
            }
            Op::Entry(a, at, column) => {
                let is_vector = matches!(expressions.type_of(*a), Type::Matrix { columns: 1, .. });
                let second = if is_vector { String::new() } else { (column + 1).to_string() };
                self.indexed(*a, &format!("{}{second}", at + 1))?
            }
            Op::Slice(a, from) => {
                let rows = expressions.type_of(node).numbers();
                self.indexed(*a, &format!("{}…{}", from + 1, *from as usize + rows))?
            }
            Op::Stack(entries) => match self.multipliers(entries) {
                Some(name) => atom(format!("<msub><mi>λ</mi><mi>{name}</mi></msub>")),
                None => {
                    let Type::Matrix { columns, .. } = expressions.type_of(node) else { return None };
                    self.table(entries, columns.max(1))?
                }
            },
            Op::Concat(parts) => self.table(parts, 1)?,
            Op::Function(Function::Sqrt, a) => {
                let a = self.formula(*a)?.signed();
                atom(format!("<msqrt>{a}</msqrt>"))
            }
            Op::Function(function, a) => self.call(function.name(), &[*a])?,
            Op::Exp(_, a) => self.call("exp", &[*a])?,
            Op::Log(a) => self.call("log", &[*a])?,
            Op::Atan2(a, b) => self.call("atan2", &[*a, *b])?,
            Op::Remainder(a, b) => self.call("rem", &[*a, *b])?,
            Op::Convert(_, a) | Op::RotationMatrix(a) => self.formula(*a)?,
            Op::Singular(Singular::Stumpff(k), 0, a) => self.call(&format!("c<sub>{k}</sub>"), &[*a])?,
            // Derivatives of singular functions have no common names, and derivatives of opaque functions have none.
            Op::Singular(..) => return None,
            Op::Opaque { directions, .. } if !directions.is_empty() => return None,
            Op::Opaque { function, arguments, .. } => {
                let name = self.model.opaques.get(*function)?.name.to_string();
                self.call(&name, arguments)?
            }
            Op::Compare(relation, a, b) => {
                let sign = match relation {
                    Relation::Less => "<mo>&lt;</mo>",
                    Relation::LessOrEqual => "<mo>≤</mo>",
                };
                self.joined(*a, sign, *b)?
            }
            Op::And(a, b) => self.joined(*a, "<mo>∧</mo>", *b)?,
            Op::Or(a, b) => self.joined(*a, "<mo>∨</mo>", *b)?,
            Op::Not(a) => {
                let a = self.formula(*a)?.tied(Tie::Atom).signed();
                atom(format!("<mo>¬</mo>{a}"))
            }
            Op::Select(condition, a, b) => {
                let [condition, a, b] = [*condition, *a, *b].map(|node| self.formula(node).map(Formula::signed));
                let (condition, a, b) = (condition?, a?, b?);
                let case = |value: String, when: String| format!("<mtr><mtd>{value}</mtd><mtd>{when}</mtd></mtr>");
                let cases = case(a, format!("<mtext>if </mtext>{condition}")) + &case(b, "<mtext>else</mtext>".into());
                atom(format!("<mo>{{</mo><mtable columnalign=\"left\">{cases}</mtable>"))
            }
        })
    }

    /// a + b − c.
    fn sum(&mut self, node: Node) -> Option<Formula> {
        let (mut terms, mut open) = (Vec::new(), vec![node]);
        while let Some(node) = open.pop() {
            match self.expressions.op(node) {
                Op::Add(a, b) => open.extend([*b, *a]),
                _ => terms.push(self.formula(node)?),
            }
        }
        // A positive term comes first.
        let first = terms.iter().position(|term| !term.is_negative).unwrap_or(0);
        let first = terms.remove(first);
        let is_negative = first.is_negative;
        let mut text = first.text;
        for term in terms {
            text += if term.is_negative == is_negative { "<mo>+</mo>" } else { "<mo>−</mo>" };
            text += &term.text;
        }
        Some(Formula { text, tie: Tie::Sum, is_negative })
    }

    /// aᵇ.
    fn raised(&mut self, a: Node, b: &str) -> Option<Formula> {
        let a = self.formula(a)?.tied(Tie::Atom).signed();
        Some(atom(format!("<msup>{}{b}</msup>", row(&a))))
    }

    fn indexed(&mut self, a: Node, index: &str) -> Option<Formula> {
        let a = self.formula(a)?.tied(Tie::Atom).signed();
        Some(atom(format!("<msub>{}<mn>{index}</mn></msub>", row(&a))))
    }

    fn call(&mut self, name: &str, arguments: &[Node]) -> Option<Formula> {
        let arguments: Option<Vec<String>> =
            arguments.iter().map(|&argument| self.formula(argument).map(Formula::signed)).collect();
        let name = match name.split_once("<sub>") {
            Some((name, index)) => {
                format!("<msub><mi>{name}</mi><mn>{}</mn></msub>", index.trim_end_matches("</sub>"))
            }
            None => format!("<mi>{name}</mi>"),
        };
        Some(atom(format!("{name}<mo>(</mo>{}<mo>)</mo>", arguments?.join("<mo>,</mo>"))))
    }

    fn joined(&mut self, a: Node, sign: &str, b: Node) -> Option<Formula> {
        let (a, b) = (self.formula(a)?.signed(), self.formula(b)?.signed());
        Some(Formula { text: format!("{a}{sign}{b}"), tie: Tie::Sum, is_negative: false })
    }

    fn table(&mut self, entries: &[Node], columns: usize) -> Option<Formula> {
        let cell = |notation: &mut Self, node: Node| {
            notation.formula(node).map(|formula| format!("<mtd>{}</mtd>", formula.signed()))
        };
        let row = |notation: &mut Self, entries: &[Node]| {
            let cells: Option<String> = entries.iter().map(|&node| cell(notation, node)).collect();
            cells.map(|cells| format!("<mtr>{cells}</mtr>"))
        };
        let rows: Option<String> = entries.chunks(columns).map(|entries| row(self, entries)).collect();
        let rows = rows?;
        Some(atom(format!("<mo>[</mo><mtable>{rows}</mtable><mo>]</mo>")))
    }

    /// The constraint with exactly these multipliers, in order.
    fn multipliers(&self, entries: &[Node]) -> Option<&str> {
        let row = |node: &Node| match self.expressions.op(*node) {
            Op::Leaf(leaf) => leaves::row(*leaf),
            _ => None,
        };
        let first = entries.first().and_then(row)?;
        let (name, ..) = self.constraints.iter().find(|(_, from, rows)| (*from, *rows) == (first, entries.len()))?;
        entries.iter().enumerate().all(|(at, node)| row(node) == Some(first + at)).then_some(name)
    }
}

impl Formula {
    /// The formula with its sign.
    fn signed(self) -> String {
        if self.is_negative {
            let text = if self.tie == Tie::Sum { parenthesised(&self.text) } else { self.text };
            format!("<mo>−</mo>{text}")
        } else {
            self.text
        }
    }

    /// A number as one element.
    fn superscript(self) -> String {
        if self.is_negative { row(&self.signed()) } else { self.text }
    }

    /// The formula in parentheses if it binds less than `tie`; the sign stays outside.
    fn tied(self, tie: Tie) -> Formula {
        if self.tie >= tie { self } else { Formula { text: parenthesised(&self.text), tie: Tie::Atom, ..self } }
    }
}

fn atom(text: impl Into<String>) -> Formula {
    Formula { text: text.into(), tie: Tie::Atom, is_negative: false }
}

fn number(value: f64) -> Formula {
    let size = value.abs();
    let text = if size == 0.5 {
        "<mfrac><mn>1</mn><mn>2</mn></mfrac>".to_owned()
    } else if size.is_finite() {
        format!("<mn>{size}</mn>")
    } else {
        "<mi>∞</mi>".to_owned()
    };
    Formula { text, tie: Tie::Atom, is_negative: value < 0.0 }
}

/// a b, with the sign outside.
fn product(a: Formula, sign: &str, b: Formula) -> Formula {
    let is_negative = a.is_negative != b.is_negative;
    let (a, b) = (a.tied(Tie::Product), b.tied(Tie::Product));
    // Factors 1 from derivatives are not written.
    let text = match (a.text.as_str(), b.text.as_str()) {
        ("<mn>1</mn>", _) => b.text,
        (_, "<mn>1</mn>") => a.text,
        (a, b) => format!("{a}{sign}{b}"),
    };
    Formula { text, tie: Tie::Product, is_negative }
}

fn parenthesised(text: &str) -> String {
    format!("<mrow><mo>(</mo>{text}<mo>)</mo></mrow>")
}

fn row(text: &str) -> String {
    format!("<mrow>{text}</mrow>")
}

#[cfg(test)]
#[path = "../../tests/unit/notation.rs"]
mod tests;
