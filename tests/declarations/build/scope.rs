//! The names that are in sight of an expression.

use crate::random::Random;

/// The type of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    /// `f64`.
    Number,
    /// `Vector3<f64>`.
    Vector,
    /// `Matrix3<f64>`.
    Matrix,
    /// `SO3`.
    Rotation,
    /// `[f64; 3]`.
    Array,
    /// `(f64, f64)`.
    Pair,
    /// `i32`, known where the macro reads.
    Integer,
    /// `usize`, known where the macro reads.
    Count,
}

/// The parts of the declaration that a function can read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Place {
    /// A helper over one member of a chain.
    Node,
    /// All members, bodies in an array among them.
    #[default]
    Whole,
    /// All members and the inputs.
    Given,
    /// Two adjacent members of a chain, with `index` and `length`.
    Element,
}

/// A name.
#[derive(Clone, Debug)]
pub struct Variable {
    pub name: String,
    pub ty: Type,
    pub is_mutable: bool,
}

/// The names in scope, and the generator of names.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    pub variables: Vec<Variable>,
    /// Closures `|a: f64| …` by name.
    pub closures: Vec<String>,
    /// True where `return` gives a number.
    pub may_return: bool,
    /// Further names in scope.
    pub place: Place,
    named: usize,
}

impl Scope {
    /// The scope of a function that sees this.
    pub fn of(place: Place) -> Scope {
        Scope { place, ..Scope::default() }
    }

    /// A new name; sometimes an existing name, which is shadowed.
    pub fn name(&mut self, random: &mut Random) -> String {
        let old: Vec<String> = self.variables.iter().map(|variable| variable.name.clone()).collect();
        if !old.is_empty() && random.in_one_of(5) {
            return random.one(&old).clone();
        }
        self.named += 1;
        format!("x{}", self.named)
    }

    /// Brings a name in sight.
    pub fn declare(&mut self, name: &str, ty: Type, is_mutable: bool) {
        self.variables.retain(|variable| variable.name != name);
        self.closures.retain(|closure| closure != name);
        self.variables.push(Variable { name: name.to_owned(), ty, is_mutable });
    }

    /// Brings a closure in sight.
    pub fn declare_closure(&mut self, name: &str) {
        self.variables.retain(|variable| variable.name != name);
        self.closures.push(name.to_owned());
    }

    /// A variable of a type.
    pub fn variable(&self, ty: Type, random: &mut Random) -> Option<String> {
        let of_type: Vec<&Variable> = self.variables.iter().filter(|variable| variable.ty == ty).collect();
        (!of_type.is_empty()).then(|| random.one(&of_type).name.clone())
    }

    /// A variable of a type that can be assigned to.
    pub fn mutable(&self, ty: Type, random: &mut Random) -> Option<String> {
        let of_type: Vec<&Variable> =
            self.variables.iter().filter(|variable| variable.ty == ty && variable.is_mutable).collect();
        (!of_type.is_empty()).then(|| random.one(&of_type).name.clone())
    }

    /// The names within a block: those outside, with a count of names that goes on.
    pub fn inner(&self) -> Scope {
        self.clone()
    }

    /// Takes over how many names there are, so that inner names do not come again by chance.
    pub fn after(&mut self, inner: &Scope) {
        self.named = inner.named;
    }
}
