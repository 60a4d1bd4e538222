//! Integers known at compile time, with the arithmetic of Rust's integer types.
//!
//! Invariant: an operation that panics in Rust (overflow, division by zero) returns `None`, never another number.

use syn::BinOp;

/// An integer type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct IntegerKind {
    bits: u32,
    signed: bool,
    name: &'static str,
}

/// The integer types; `usize` has 64 bits.
const KINDS: &[IntegerKind] = &[
    IntegerKind { bits: 8, signed: true, name: "i8" },
    IntegerKind { bits: 16, signed: true, name: "i16" },
    IntegerKind { bits: 32, signed: true, name: "i32" },
    IntegerKind { bits: 64, signed: true, name: "i64" },
    IntegerKind { bits: 64, signed: true, name: "isize" },
    IntegerKind { bits: 8, signed: false, name: "u8" },
    IntegerKind { bits: 16, signed: false, name: "u16" },
    IntegerKind { bits: 32, signed: false, name: "u32" },
    IntegerKind { bits: 64, signed: false, name: "u64" },
    IntegerKind { bits: 64, signed: false, name: "usize" },
];

impl IntegerKind {
    /// Returns the type with this name; types of 128 bits are not supported.
    pub fn named(name: &str) -> Option<IntegerKind> {
        KINDS.iter().copied().find(|kind| kind.name == name)
    }

    /// `usize`.
    pub const USIZE: IntegerKind = IntegerKind { bits: 64, signed: false, name: "usize" };

    /// Returns the name.
    pub fn name(self) -> &'static str {
        self.name
    }

    /// Returns true for signed types.
    pub fn is_signed(self) -> bool {
        self.signed
    }

    /// Returns the number of bits.
    pub fn bits(self) -> u32 {
        self.bits
    }

    /// Returns the least and the greatest value.
    pub fn range(self) -> (i128, i128) {
        let half = 1_i128 << (self.bits - 1);
        if self.signed { (-half, half - 1) } else { (0, 2 * half - 1) }
    }

    /// Returns true if the type represents every value of `other`.
    pub fn includes(self, other: IntegerKind) -> bool {
        let (least, greatest) = other.range();
        self.holds(least) && self.holds(greatest)
    }

    /// Returns true if the type represents `value`.
    pub fn holds(self, value: i128) -> bool {
        let (least, greatest) = self.range();
        (least..=greatest).contains(&value)
    }

    /// Returns `value as Self`: its lowest bits.
    pub fn wrap(self, value: i128) -> i128 {
        let modulus = 1_i128 << self.bits;
        let rest = value.rem_euclid(modulus);
        if self.signed && rest >= modulus / 2 { rest - modulus } else { rest }
    }
}

/// An integer; `kind` is `None` until the type is inferred.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Integer {
    pub value: i128,
    pub kind: Option<IntegerKind>,
}

impl Integer {
    /// Creates an integer whose type is not inferred yet.
    pub fn new(value: i128) -> Self {
        Integer { value, kind: None }
    }

    /// Creates a length.
    pub fn length(value: usize) -> Self {
        Integer { value: i128::try_from(value).unwrap_or(i128::MAX), kind: Some(IntegerKind::USIZE) }
    }

    /// Returns the same number, of type `kind` if its own type is not inferred yet.
    pub fn of(self, kind: IntegerKind) -> Self {
        Integer { kind: self.kind.or(Some(kind)), ..self }
    }

    /// Returns `self as kind`.
    pub fn cast(self, kind: IntegerKind) -> Self {
        Integer { value: kind.wrap(self.value), kind: Some(kind) }
    }

    /// Returns `self as f64`.
    #[allow(clippy::cast_precision_loss)] // Same rounding as `as` in user code.
    pub fn real(self) -> f64 {
        self.value as f64
    }

    /// Returns the type of an operation on `self` and `other`.
    fn common(self, other: Self) -> Option<IntegerKind> {
        self.kind.or(other.kind)
    }

    /// Returns a result if its type represents it. Without a type it must fit into an `i32`, unless an operand did not.
    pub fn result(kind: Option<IntegerKind>, value: i128, operands: &[i128]) -> Option<Integer> {
        let narrow = IntegerKind::named("i32")?;
        let holds = match kind {
            Some(kind) => kind.holds(value),
            None => narrow.holds(value) || operands.iter().any(|operand| !narrow.holds(*operand)),
        };
        holds.then_some(Integer { value, kind })
    }

    /// Returns `self op other`; `None` on overflow, on division by zero, and for operators that integers do not have.
    pub fn combine(self, op: &BinOp, other: Self) -> Option<Integer> {
        let (a, b) = (self.value, other.value);
        let kind = self.common(other);
        let value = match op {
            BinOp::Add(_) | BinOp::AddAssign(_) => a.checked_add(b)?,
            BinOp::Sub(_) | BinOp::SubAssign(_) => a.checked_sub(b)?,
            BinOp::Mul(_) | BinOp::MulAssign(_) => a.checked_mul(b)?,
            BinOp::Div(_) | BinOp::DivAssign(_) => a.checked_div(b)?,
            BinOp::Rem(_) | BinOp::RemAssign(_) => a.checked_rem(b)?,
            _ => return None,
        };
        Integer::result(kind, value, &[a, b])
    }

    /// Returns `-self`.
    pub fn negated(self) -> Option<Integer> {
        Integer::result(self.kind, self.value.checked_neg()?, &[self.value])
            .filter(|_| self.kind.is_none_or(IntegerKind::is_signed))
    }

    /// Calls a method of integers; returns `None` for unknown methods and on overflow.
    pub fn method(self, name: &str, arguments: &[Integer]) -> Option<Integer> {
        let a = self.value;
        let (kind, value) = match (name, arguments) {
            ("pow", [n]) => (self.kind, a.checked_pow(u32::try_from(n.value).ok()?)?),
            ("abs", []) => (self.kind, a.checked_abs()?),
            ("signum", []) => (self.kind, a.signum()),
            ("min", [b]) => (self.common(*b), a.min(b.value)),
            ("max", [b]) => (self.common(*b), a.max(b.value)),
            ("clamp", [low, high]) if low.value <= high.value => (self.common(*low), a.clamp(low.value, high.value)),
            ("rem_euclid", [b]) => (self.common(*b), a.checked_rem_euclid(b.value)?),
            ("div_euclid", [b]) => (self.common(*b), a.checked_div_euclid(b.value)?),
            _ => return None,
        };
        Integer::result(kind, value, &[a])
    }
}

#[cfg(test)]
#[path = "../../tests/unit/integers.rs"]
mod tests;
