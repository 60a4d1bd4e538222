//! Statements, and the bodies they make.

use crate::expression::tail;
use crate::random::Random;
use crate::scope::{Scope, Type, Variable};

/// How deep expressions and blocks are.
const DEPTH: usize = 3;

/// A part of the value of a variable, to be added to a sum.
fn counted(name: &str, ty: Type) -> String {
    match ty {
        Type::Number => format!(" + 0.5 * {name}"),
        Type::Vector => format!(" + {name}.dot(&Vector3::new(0.4, -0.3, 0.7))"),
        Type::Matrix => format!(" - 0.2 * {name}[(0, 1)] + 0.3 * {name}.trace()"),
        Type::Rotation => format!(" + ({name} * data.offset).y"),
        Type::Array => format!(" + {name}[0] - 0.5 * {name}[1] + 0.7 * {name}[2]"),
        Type::Pair => format!(" + {name}.0 - 0.6 * {name}.1"),
        Type::Integer => format!(" + 0.1 * f64::from({name})"),
        Type::Count => format!(" + 0.1 * {name} as f64"),
    }
}

/// Writes bodies.
pub struct Writer {
    pub random: Random,
    /// How many of the helpers may be called: those before the one being written.
    pub helpers: usize,
    /// How many statements are left to write, blocks included.
    left: usize,
}

impl Writer {
    pub fn new(seed: usize) -> Self {
        Writer { random: Random::new(seed), helpers: 0, left: 0 }
    }

    /// A helper of two numbers.
    pub fn helper(&mut self) -> String {
        format!("helper_{}", self.random.below(self.helpers.max(1)))
    }

    /// Statements and a last expression, a number, of a function with these arguments.
    pub fn body(&mut self, scope: &mut Scope) -> String {
        self.left = 4 + self.random.below(7);
        scope.may_return = true;
        let mut text = String::new();
        for (name, ty) in [("sum", Type::Number), ("place", Type::Vector), ("list", Type::Array)] {
            let value = self.expression(scope, ty, 1);
            scope.declare(name, ty, true);
            let line = format!("let mut {name} = {value};\n");
            text += &line;
        }
        while self.left > 0 {
            text += &self.statement(scope, 1);
        }
        let last = tail(self.expression(scope, Type::Number, DEPTH));
        // What is in every place counts.
        let all: String = scope.variables.iter().map(|Variable { name, ty, .. }| counted(name, *ty)).collect();
        if self.random.in_one_of(6) { format!("{text}return {last}{all};") } else { format!("{text}{last}{all}") }
    }

    /// A block that is a number.
    pub fn block(&mut self, scope: &mut Scope, depth: usize) -> String {
        let mut inner = scope.inner();
        inner.may_return = false;
        // The block may stand beside a reference to a vector.
        inner.variables.iter_mut().for_each(|variable| variable.is_mutable &= variable.ty == Type::Number);
        self.left = self.left.max(1);
        let statement = self.statement(&mut inner, 2);
        let last = tail(self.expression(&mut inner, Type::Number, depth));
        scope.after(&inner);
        format!("{{ {statement} {last} }}")
    }

    fn statements(&mut self, scope: &Scope, nesting: usize) -> (String, Scope) {
        let mut inner = scope.inner();
        let count = 1 + self.random.below(2);
        let text: String = (0..count).map(|_| self.statement(&mut inner, nesting + 1)).collect();
        (text, inner)
    }

    fn binding(&mut self, scope: &mut Scope) -> String {
        let types = [
            Type::Number,
            Type::Number,
            Type::Number,
            Type::Vector,
            Type::Matrix,
            Type::Rotation,
            Type::Array,
            Type::Pair,
            Type::Integer,
            Type::Count,
        ];
        let ty = *self.random.one(&types);
        let value = self.expression(scope, ty, DEPTH);
        let is_mutable = self.random.below(3) > 0;
        let name = scope.name(&mut self.random);
        scope.declare(&name, ty, is_mutable);
        let (written, annotated) = (if is_mutable { "mut " } else { "" }, self.random.in_one_of(4));
        let ty = match ty {
            Type::Number => "f64",
            Type::Vector => "Vector3<f64>",
            Type::Matrix => "Matrix3<f64>",
            Type::Rotation => "SO3",
            Type::Array => "[f64; 3]",
            Type::Pair => "(f64, f64)",
            Type::Integer => "i32",
            Type::Count => "usize",
        };
        if annotated || ty == "i32" {
            format!("let {written}{name}: {ty} = {value};\n")
        } else {
            format!("let {written}{name} = {value};\n")
        }
    }

    #[allow(clippy::too_many_lines)] // One arm for each kind of statement.
    pub fn statement(&mut self, scope: &mut Scope, nesting: usize) -> String {
        self.left = self.left.saturating_sub(1);
        let deep = nesting > 3;
        if self.random.in_one_of(4)
            && let Some(idiom) = self.idiom(scope)
        {
            return idiom;
        }
        match self.random.below(19) {
            4..=6 | 16..=18 => self.assignment(scope),
            7 if !deep => {
                let condition = self.condition(scope);
                let (then, inner) = self.statements(scope, nesting);
                scope.after(&inner);
                format!("if {condition} {{\n{then}}}\n")
            }
            8 if !deep => {
                let condition = self.condition(scope);
                let (then, inner) = self.statements(scope, nesting);
                scope.after(&inner);
                let (otherwise, inner) = self.statements(scope, nesting);
                scope.after(&inner);
                format!("if {condition} {{\n{then}}} else {{\n{otherwise}}}\n")
            }
            9 | 10 if !deep => self.looped(scope, nesting),
            11 if scope.may_return && !deep => {
                let condition = self.condition(scope);
                let value = self.number_now(scope);
                format!("if {condition} {{ return {value}; }}\n")
            }
            12 => {
                let mut inner = scope.inner();
                inner.declare("a", Type::Number, false);
                inner.may_return = false;
                inner.variables.iter_mut().for_each(|variable| variable.is_mutable = false);
                let value = self.expression(&mut inner, Type::Number, DEPTH - 1);
                scope.after(&inner);
                let name = scope.name(&mut self.random);
                // A closure holds what it has seen: nothing of that may be assigned to while it is in use.
                scope.variables.iter_mut().for_each(|variable| variable.is_mutable = false);
                scope.declare_closure(&name);
                format!("let {name} = |a: f64| {value};\n")
            }
            13 => match scope.mutable(Type::Number, &mut self.random) {
                Some(name) => {
                    let value = self.number_beside(scope, &name);
                    match self.random.below(2) {
                        0 => format!("{name} = added({name}, {value});\n"),
                        _ => format!("{{ let y = {value}; {name} = y - {name}; }}\n"),
                    }
                }
                None => self.binding(scope),
            },
            14 => match scope.mutable(Type::Vector, &mut self.random) {
                Some(name) => format!("{name} = twisted({name}, {});\n", self.number_beside(scope, &name)),
                None => self.binding(scope),
            },
            _ if nesting < 2 => self.binding(scope),
            _ => self.assignment(scope),
        }
    }

    /// A number without assignments of its own.
    fn number_now(&mut self, scope: &mut Scope) -> String {
        let mut inner = scope.inner();
        inner.variables.iter_mut().for_each(|variable| variable.is_mutable = false);
        inner.may_return = false;
        let value = self.expression(&mut inner, Type::Number, DEPTH - 1);
        scope.after(&inner);
        value
    }

    /// A number without assignments of its own, while `name` is borrowed.
    fn number_beside(&mut self, scope: &mut Scope, name: &str) -> String {
        let mut inner = frozen(scope);
        inner.variables.retain(|variable| variable.name != name);
        let value = self.expression(&mut inner, Type::Number, DEPTH - 1);
        scope.after(&inner);
        value
    }

    fn assignment(&mut self, scope: &mut Scope) -> String {
        let operator = *self.random.one(&["=", "+=", "-=", "*="]);
        if let Some(name) = scope.mutable(Type::Vector, &mut self.random)
            && self.random.in_one_of(3)
        {
            return match self.random.below(3) {
                0 => format!("{name}.y {operator} {};\n", self.number_now(scope)),
                1 => format!("{name}[{}] {operator} {};\n", self.random.below(3), self.number_now(scope)),
                _ => {
                    let value = self.expression(&mut frozen(scope), Type::Vector, DEPTH - 1);
                    format!("{name} {} {value};\n", if operator == "*=" { "+=" } else { operator })
                }
            };
        }
        if let Some(name) = scope.mutable(Type::Array, &mut self.random)
            && self.random.in_one_of(2)
        {
            let (value, form) = (self.number_beside(scope, &name), self.random.below(2));
            return match form {
                0 => format!("{name}[{}] {operator} {value};\n", self.random.below(3)),
                _ => format!("for entry in 0..3 {{ {name}[entry] {operator} {value}; }}\n"),
            };
        }
        match scope.mutable(Type::Number, &mut self.random) {
            // The right side comes first, and may assign as well.
            Some(name) if self.random.in_one_of(4) => {
                let value = self.number_now(scope);
                format!("{name} = {name} + {{ {name} = {value}; {name} + 0.5 }};\n")
            }
            Some(name) => format!("{name} {operator} {};\n", self.number_now(scope)),
            None => self.binding(scope),
        }
    }

    fn looped(&mut self, scope: &mut Scope, nesting: usize) -> String {
        use Type::{Array, Count, Integer, Number, Vector};
        let (head, items): (String, Vec<(&str, Type)>) = match self.random.below(8) {
            0 => (format!("for k in 0..{}_usize", self.random.below(4)), vec![("k", Count)]),
            1 => ("for k in 1..=N".to_owned(), vec![("k", Count)]),
            2 => ("for k in (0..N).rev().step_by(2)".to_owned(), vec![("k", Count)]),
            3 => ("for k in -1..2_i32".to_owned(), vec![("k", Integer)]),
            4 => (format!("for y in {}", self.atom(&mut frozen(scope), Array, 1)), vec![("y", Number)]),
            5 => ("for (k, &y) in data.list.iter().enumerate()".to_owned(), vec![("k", Count), ("y", Number)]),
            6 => ("for (y, z) in TABLE.into_iter().zip(data.list)".to_owned(), vec![("y", Number), ("z", Number)]),
            _ => ("for y in [data.offset, q.place]".to_owned(), vec![("y", Vector)]),
        };
        let mut outer = scope.inner();
        for (name, ty) in items {
            outer.declare(name, ty, false);
        }
        let (mut text, inner) = self.statements(&outer, nesting);
        scope.after(&inner);
        if self.random.in_one_of(4) {
            let condition = self.condition(&mut frozen(&outer));
            let way = *self.random.one(&["continue", "break"]);
            text = format!("if {condition} {{ {way}; }}\n{text}");
        }
        format!("{head} {{\n{text}}}\n")
    }
}

/// The same names, none of which can be assigned to.
pub fn frozen(scope: &Scope) -> Scope {
    let mut scope = scope.inner();
    scope.variables.iter_mut().for_each(|variable| variable.is_mutable = false);
    scope.may_return = false;
    scope
}
