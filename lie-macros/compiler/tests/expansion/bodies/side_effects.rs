//! Bodies with side effects that are not visible in the expression, or with a meaning that depends on other items.

use super::{Refused, refused};

const fn with(items: &'static str, body: &'static str, words: &'static str, instead: &'static str) -> Refused {
    Refused { items, body, words, instead }
}

/// A method by value and one by reference: rustc calls the trait method for `r.size()`.
const SIZES: &str = "#[derive(Clone, Copy)] pub struct Rod { pub length: f64 }
    impl Rod { pub fn size(&self) -> f64 { self.length } }
    pub trait Size { fn size(self) -> f64; }
    impl Size for Rod { fn size(self) -> f64 { 2.0 * self.length } }";

/// A `Clone` that doubles the length.
const COPIED: &str = "pub struct Rod { pub length: f64 }
    impl Clone for Rod { fn clone(&self) -> Rod { Rod { length: 2.0 * self.length } } }
    impl Rod { pub fn doubled(&self) -> Rod { Rod { length: 2.0 * self.length } } }";

/// A `PartialEq` for which all modes are equal.
const MODES: &str = "#[derive(Clone, Copy)] pub enum Mode { A, B }
    impl PartialEq for Mode { fn eq(&self, _: &Mode) -> bool { true } }";

/// A type with its own method `sin`.
const DEGREES: &str = "pub struct Degrees(pub f64);
    impl From<f64> for Degrees { fn from(x: f64) -> Degrees { Degrees(x) } }
    impl Degrees { pub fn sin(&self) -> f64 { self.0.to_radians().sin() } }
    fn sine(of: Degrees) -> f64 { of.sin() }
    pub struct Turn { pub angle: Degrees }";

/// A function with a `u8` argument, and a method that changes its receiver.
const BYTES: &str = "fn byte(n: u8) -> f64 { n as f64 }";

const COUNTER: &str =
    "pub struct Counter { pub n: f64 } impl Counter { pub fn next(&mut self) -> f64 { self.n += 1.0; self.n } }
    fn bump(x: &mut f64) -> bool { *x += 1.0; true }";

pub(super) const REFUSED: &[Refused] = &[
    // Borrowed iterators, and iterators whose position depends on the state.
    refused(
        "let mut i = p.lengths.iter(); let s: f64 = i.by_ref().take(2).sum(); s * q.beta + i.sum::<f64>()",
        "all[..2].iter()",
        "let all: Vec<_> = p.lengths.iter().collect(); let s: f64 = all[..2].iter().map(|x| **x).sum(); s * q.beta + *all[2]",
    ),
    refused(
        "let mut i = p.lengths.iter(); let s: f64 = (&mut i).take(2).sum(); s * q.beta + i.sum::<f64>()",
        "a borrowed iterator",
        "let s: f64 = p.lengths.iter().take(2).sum(); s * q.beta + p.lengths.iter().skip(2).sum::<f64>()",
    ),
    refused(
        "let mut i = 0..5; let s: f64 = p.lengths.iter().zip(&mut i).map(|(x, n)| x * n as f64).sum(); s * q.beta + i.len() as f64",
        "a borrowed iterator",
        "let s: f64 = p.lengths.iter().zip(0..5).map(|(x, n)| x * n as f64).sum(); s * q.beta + 1.0",
    ),
    refused(
        "let mut i = p.lengths.iter(); for x in &mut i { if *x > 1e9 { break; } } q.beta * i.len() as f64",
        "a borrowed iterator",
        "for x in &p.lengths { if *x > 1e9 { break; } } q.beta",
    ),
    refused(
        "let mut i = q.position.iter(); if i.any(|x| *x > 0.0) { q.beta } else { i.sum::<f64>() }",
        "write `i.clone().any(",
        "let i = q.position.iter(); if i.clone().any(|x| *x > 0.0) { q.beta } else { i.sum::<f64>() }",
    ),
    // Assertions.
    refused(
        "let mut a = vec![1.0, q.beta]; assert!(a.pop().is_some()); a[0]",
        "must not change variables",
        "let mut a = vec![1.0, q.beta]; let last = a.pop(); assert!(last.is_some()); a[0] * q.beta",
    ),
    refused(
        "let mut i = p.lengths.iter(); assert!(i.next().is_some()); q.beta * i.sum::<f64>()",
        "must not change variables",
        "let mut i = p.lengths.iter(); let first = i.next(); assert!(first.is_some()); q.beta * i.sum::<f64>()",
    ),
    refused(
        "let mut s = q.beta; let mut next = || { s += 1.0; s }; let mut twice = || 2.0 * next(); assert!(twice() > 0.0); s",
        "must not change variables",
        "let mut s = q.beta; let mut next = || { s += 1.0; s }; let x = next(); assert!(x > 0.0); s",
    ),
    with(COUNTER, "let mut s = q.beta; let r = &mut s; assert!(bump(r)); s", "must not change variables", "q.beta"),
    with(
        COUNTER,
        "let mut c = Counter { n: q.beta }; debug_assert!(c.next() > 0.0); c.n",
        "must not change variables",
        "let c = Counter { n: q.beta }; debug_assert!(c.n > 0.0); c.n",
    ),
    // Traits.
    with(
        SIZES,
        "let r = Rod { length: q.beta }; r.size()",
        "as in `Rod::size(&x)`",
        "let r = Rod { length: q.beta }; Rod::size(&r)",
    ),
    with(
        MODES,
        "let m = Mode::A; if m == Mode::B { q.beta } else { 0.0 }",
        "impl PartialEq",
        "let m = Mode::A; if matches!(m, Mode::B) { q.beta } else { q.position.x }",
    ),
    with(
        DEGREES,
        "let d: Degrees = q.beta.into(); d.sin()",
        "to `Degrees` by `into` is not supported",
        "let d = Degrees(q.beta); d.sin()",
    ),
    with(DEGREES, "sine(q.beta.into())", "to `Degrees` by `into` is not supported", "sine(Degrees(q.beta))"),
    with(
        DEGREES,
        "let t = Turn { angle: q.beta.into() }; t.angle.sin()",
        "to `Degrees` by `into` is not supported",
        "let t = Turn { angle: Degrees(q.beta) }; t.angle.sin()",
    ),
    // Hand-written `Clone` and `Drop`.
    with(
        COPIED,
        "let r = Rod { length: q.beta }; r.clone().length",
        "impl Clone",
        "let r = Rod { length: q.beta }; r.doubled().length",
    ),
    with(
        COPIED,
        "let r = [Rod { length: q.beta }]; r.to_vec()[0].length + r.clone()[0].length",
        "impl Clone",
        "let r = [Rod { length: q.beta }]; r[0].doubled().length",
    ),
    with(
        COPIED,
        "let r = [Rod { length: q.beta }]; let s: Vec<Rod> = r.iter().cloned().collect(); s[0].length",
        "impl Clone",
        "let r = [Rod { length: q.beta }]; let s: Vec<Rod> = r.iter().map(|r| r.doubled()).collect(); s[0].length",
    ),
    with(COPIED, "vec![Rod { length: q.beta }; 2][1].length", "impl Clone", "[Rod { length: q.beta }][0].length"),
    with(
        "pub struct Guard<'a>(pub &'a mut f64); impl Drop for Guard<'_> { fn drop(&mut self) { *self.0 += 1.0; } }",
        "let mut x = q.beta; { let g = Guard(&mut x); *g.0 *= 2.0; } x",
        "at the end of this scope",
        "let mut x = q.beta; { x *= 2.0; x += 1.0; } x",
    ),
    // Integers that depend on the state and may overflow or exceed the exact range of `f64`.
    refused(
        "let n = if q.beta > 0.0 { 200_u8 } else { 100 }; (n + n) as f64 * q.position.x",
        "this may be 400, which `u8` does not",
        "let n = if q.beta > 0.0 { 200_u8 } else { 100 }; (n as u16 + n as u16) as f64 * q.position.x",
    ),
    refused(
        "let n = if q.beta > 0.0 { 2_usize } else { 5 }; (n - 3) as f64 * q.position.x",
        "this may be -1, which `usize` does not",
        "let n = if q.beta > 0.0 { 2_usize } else { 5 }; if n > 3 { (n - 3) as f64 * q.beta } else { (n as f64 - 3.0) * q.position.x }",
    ),
    refused(
        "let n = if q.beta > 0.0 { 5_000_000_000_i64 } else { 1 }; n as i32 as f64 * q.position.x",
        "out of range for `i32`",
        "let n = if q.beta > 0.0 { 5_000_000_000_i64 } else { 1 }; n as u64 as f64 * q.position.x",
    ),
    refused(
        "let n = if q.beta > 0.0 { 9007199254740993_i64 } else { 0 }; (n - 9007199254740992) as f64 + q.position.x",
        "may exceed 2^53",
        "let n = if q.beta > 0.0 { 1_i64 } else { -9007199254740991 }; n as f64 + q.position.x",
    ),
    // Lengths that do not follow from the arguments, with a constant of the same name in the module.
    with(
        "const N: usize = 2; fn ones<const N: usize>() -> [f64; N] { [1.0; N] } const M: usize = 3;",
        "let a: [f64; 3] = ones(); a.iter().sum::<f64>() * q.beta",
        "`ones::<3>(…)`",
        "let a: [f64; 3] = ones::<3>(); let b: [f64; 3] = ones::<M>(); (a.iter().sum::<f64>() + b[2]) * q.beta",
    ),
    // Integers whose type is inferred from other statements.
    refused(
        "let n = !0; let m: u64 = n; m as f64 * q.beta",
        "write `!0_i32`",
        "let n = !0_u64; let m: u64 = n; m as f64 * q.beta",
    ),
    with(
        BYTES,
        "let n = 200; (n << 1) as f64 * byte(n) * q.beta",
        "the bits of `n` depend on its integer type",
        "let n: u8 = 200; (n << 1) as f64 * byte(n) * q.beta",
    ),
    with(BYTES, "byte(200 << 1) * q.beta", "400 is out of range for `u8`", "byte(200_u8 << 1) * q.beta"),
];
