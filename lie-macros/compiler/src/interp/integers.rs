//! Integers known at compile time.
//!
//! Types of integers are not inferred. Invariant: a result is exact in every supported type, otherwise the operation returns `None`. It
//! must fit into an `i32`, and it is negative only if an operand is known to be signed.

/// Integer types that arithmetic cannot use: an overflow would depend on the inferred type.
pub(super) const NARROW: &[&str] = &["i8", "i16", "u8", "u16"];

/// Returns true for signed types, false for unsigned types, and `None` for other types.
pub(super) fn is_signed(name: &str) -> Option<bool> {
    match name {
        "i32" | "i64" | "isize" => Some(true),
        "u32" | "u64" | "usize" => Some(false),
        _ => None,
    }
}

/// An integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Integer {
    pub value: i64,
    /// True for an integer whose type is known to be signed.
    pub is_signed: bool,
}

impl Integer {
    /// Creates an integer; `None` if a supported type cannot represent it.
    pub fn new(value: i64, is_signed: bool) -> Option<Self> {
        (i32::try_from(value).is_ok() && (is_signed || value >= 0)).then_some(Integer { value, is_signed })
    }

    /// Creates a length.
    pub fn length(value: usize) -> Self {
        Integer { value: i64::try_from(value).unwrap_or(i64::MAX), is_signed: false }
    }

    /// Returns the integer as an index or a number of elements.
    pub fn size(self) -> Option<usize> {
        usize::try_from(self.value).ok()
    }

    /// Returns `self as f64`.
    #[allow(clippy::cast_precision_loss)] // Exact: it fits into an `i32`.
    pub fn real(self) -> f64 {
        self.value as f64
    }

    /// Returns `self op other`; `None` for operators that integers do not have.
    pub fn combine(self, op: &str, other: Self) -> Option<Integer> {
        let (a, b) = (self.value, other.value);
        let value = match op {
            "+" => a.checked_add(b)?,
            "-" => a.checked_sub(b)?,
            "*" => a.checked_mul(b)?,
            "/" => a.checked_div(b)?,
            "%" => a.checked_rem(b)?,
            _ => return None,
        };
        Integer::new(value, self.is_signed || other.is_signed)
    }

    /// Calls a method of integers.
    pub fn method(self, name: &str, arguments: &[Integer]) -> Option<Integer> {
        let (a, is_signed) = (self.value, self.is_signed || arguments.iter().any(|other| other.is_signed));
        let value = match (name, arguments) {
            ("pow", [n]) => return Integer::new(a.checked_pow(u32::try_from(n.value).ok()?)?, self.is_signed),
            ("abs", []) => a.abs(),
            ("min", [b]) => a.min(b.value),
            ("max", [b]) => a.max(b.value),
            ("rem_euclid", [b]) => a.checked_rem_euclid(b.value)?,
            ("div_euclid", [b]) => a.checked_div_euclid(b.value)?,
            _ => return None,
        };
        Integer::new(value, is_signed)
    }
}

#[cfg(test)]
#[path = "../../tests/unit/integers.rs"]
mod tests;
