//! Bodies with side effects that are not visible in the expression, and other constructs that are not interpreted.

use super::{Refused, errors, refused};

const fn with(items: &'static str, body: &'static str, words: &'static str, instead: &'static str) -> Refused {
    Refused { items, body, words, instead }
}

/// A type with its own method `sin`.
const DEGREES: &str = "pub struct Degrees(pub f64);
    impl From<f64> for Degrees { fn from(x: f64) -> Degrees { Degrees(x) } }
    impl Degrees { pub fn sin(&self) -> f64 { self.0.to_radians().sin() } }
    fn sine(of: Degrees) -> f64 { of.sin() }
    pub struct Turn { pub angle: Degrees }";

/// A function with a `u8` argument.
const BYTES: &str = "fn byte(n: u8) -> f64 { n as f64 }";

/// A method and a function that change their arguments.
const COUNTER: &str =
    "pub struct Counter { pub n: f64 } impl Counter { pub fn next(&mut self) -> f64 { self.n += 1.0; self.n } }
    fn bump(x: &mut f64) -> bool { *x += 1.0; true }";

pub(super) const REFUSED: &[Refused] = &[
    // Iterators that several statements use.
    refused(
        "let mut i = p.lengths.iter(); let s: f64 = i.by_ref().take(2).sum(); s * q.beta + i.sum::<f64>()",
        "no method `by_ref`",
        "let s: f64 = p.lengths.iter().take(2).sum(); s * q.beta + p.lengths.iter().skip(2).sum::<f64>()",
    ),
    refused(
        "let mut i = 0..5; let s: f64 = p.lengths.iter().zip(&mut i).map(|(x, n)| x * n as f64).sum(); s * q.beta + i.len() as f64",
        "a mutable reference is not supported",
        "let s: f64 = p.lengths.iter().zip(0..5).map(|(x, n)| x * n as f64).sum(); s * q.beta + 1.0",
    ),
    refused(
        "let mut i = p.lengths.iter(); for x in &mut i { if *x > 1e9 { break; } } q.beta * i.len() as f64",
        "a mutable reference is not supported",
        "for x in &p.lengths { if *x > 1e9 { break; } } q.beta",
    ),
    refused(
        "let mut i = p.lengths.iter(); let a = i.next().unwrap(); a * q.beta + i.next().unwrap()",
        "`next` of an iterator in a variable is not supported",
        "let a = p.lengths.iter().next().unwrap(); a * q.beta + p.lengths[1]",
    ),
    refused(
        "let mut i = (p.lengths.iter(), 2); let a = i.0.nth(i.1).unwrap(); a * q.beta",
        "`nth` of an iterator in a variable is not supported",
        "let a = p.lengths.iter().nth(2).unwrap(); a * q.beta",
    ),
    refused(
        "let mut i = q.position.iter(); if i.any(|x| *x > 0.0) { q.beta } else { i.sum::<f64>() }",
        "`any` of an iterator in a variable is not supported",
        "let i = q.position.iter(); if i.clone().any(|x| *x > 0.0) { q.beta } else { i.sum::<f64>() }",
    ),
    refused(
        "let mut i = p.lengths.iter(); let mut s = 0.0; while let Some(x) = i.next() { s += x; } s * q.beta",
        "`while let` is not supported",
        "let mut s = 0.0; for x in &p.lengths { s += x; } s * q.beta",
    ),
    // Mutable references, and closures that change variables.
    refused(
        "let mut a = q.beta; let r = &mut a; *r += 1.0; a",
        "a mutable reference is not supported",
        "let mut a = q.beta; a += 1.0; a",
    ),
    refused("let mut a = q.beta; let ref mut r = a; *r += 1.0; a", "this pattern is not supported", "q.beta + 1.0"),
    refused(
        "let mut a = [q.beta, 1.0]; for x in a.iter_mut() { *x *= 2.0; } a[0]",
        "no method `iter_mut`",
        "let mut a = [q.beta, 1.0]; for i in 0..2 { a[i] *= 2.0; } a[0]",
    ),
    refused(
        "let mut n = 0.0; let mut f = |x: f64| { n += x; n }; f(q.beta)",
        "a variable outside of a closure or of an operand cannot be changed",
        "let n = 0.0; let f = |x: f64| n + x; f(q.beta)",
    ),
    refused(
        "let mut s = 0.0; let v: Vec<f64> = p.lengths.iter().map(|l| { s += l; *l }).collect(); v[0] + s",
        "in a `for` loop",
        "let mut s = 0.0; let mut v = Vec::new(); for l in p.lengths { s += l; v.push(l); } v[0] + s + q.beta",
    ),
    refused(
        "let mut i = 0; let mut a = [q.position, q.position]; a[i] += { i = 1; q.position }; a[i].x",
        "as a statement of its own",
        "let mut i = 0; let mut a = [q.position, q.position]; a[i] += q.position; i = 1; a[i].x",
    ),
    with(
        "fn load(x: &Vector3<f64>) -> Vector3<f64> { let mut s = 0.0; for i in 0..3 { s += x[i]; } x * s }",
        "let mut f = q.position; f += { f[0] = 1.0; load(&q.position) }; f.x",
        "as a statement of its own",
        "let mut f = q.position; f += { let mut s = 1.0; s += p.k; load(&q.position) * s }; f.x",
    ),
    // Assertions, which are not evaluated.
    refused(
        "let mut a = vec![1.0, q.beta]; assert!(a.pop().is_some()); a[0]",
        "must not change variables",
        "let a = vec![1.0, q.beta]; assert!(!a.is_empty() && a.iter().all(|x| x.is_finite())); a[1]",
    ),
    refused(
        "let mut i = p.lengths.iter(); assert!(i.next().is_some()); q.beta * i.sum::<f64>()",
        "must not change variables",
        "let i = p.lengths.iter(); assert!(i.len() == 3); q.beta * i.sum::<f64>()",
    ),
    refused(
        "let mut s = q.beta; let mut next = || { s += 1.0; s }; assert!(next() > 0.0); s",
        "must not change variables",
        "let s = q.beta; assert!(s.abs() < 1e9 && p.lengths.iter().any(|x| *x > 0.0)); s",
    ),
    with(COUNTER, "let mut s = q.beta; assert!(bump(&mut s)); s", "must not change variables", "q.beta"),
    with(
        COUNTER,
        "let mut c = Counter { n: q.beta }; debug_assert!(c.next() > 0.0); c.n",
        "must not change variables",
        "let c = Counter { n: q.beta }; debug_assert!(c.n > 0.0); c.n",
    ),
    // Conversions to types of the module.
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
    // Integers that depend on the state, and their bits.
    refused(
        "let mut n = 0; if q.beta > 0.0 { n += 1; } n as f64 * q.position.x",
        "an integer that depends on the state",
        "let mut n = 0.0; if q.beta > 0.0 { n += 1.0; } n * q.position.x",
    ),
    refused("let n = !0_u64; n as f64 * q.beta", "cannot apply this operator", "1e19 * q.beta"),
    refused("(3_i32 << 2) as f64 * q.beta", "an operation on bits is not supported", "(3_i32 * 4) as f64 * q.beta"),
    refused(
        "let c = (p.k > 0.0) & (q.beta > 0.0); if c { q.beta } else { 0.0 }",
        "an operation on bits",
        "if p.k > 0.0 && q.beta > 0.0 { q.beta } else { 0.0 }",
    ),
    refused(
        "200_u8.wrapping_add(100) as f64 * q.beta",
        "this integer is not supported",
        "(200_i32 + 100 - 256) as f64 * q.beta",
    ),
    with(BYTES, "byte(300) * q.beta", "integer type `u8` is not supported", "300.0 * q.beta"),
    // Control flow.
    refused(
        "let mut s = q.beta; 'all: for i in 0..3 { for j in 0..3 { if i * j > 2 { break 'all; } s += 1.0; } } s",
        "a label is not supported",
        "let mut s = q.beta; for i in 0..3 { for j in 0..3 { if i * j <= 2 { s += 1.0; } } } s",
    ),
    refused(
        "if let Some(x) = p.lengths.first() && *x > 0.0 { q.beta } else { 0.0 }",
        "`let` as a part of a condition",
        "if let Some(x) = p.lengths.first() { if *x > 0.0 { q.beta } else { 0.0 } } else { 0.0 }",
    ),
    refused(
        "let (a, b) = match (q.beta > 0.0, q.beta) { (true, x) | (false, x) => (x, 1.0) }; a * b",
        "this pattern is not supported",
        "let (a, b) = match (q.beta > 0.0, q.beta) { (true, x) => (x, 1.0), (_, x) => (x, 1.0) }; a * b",
    ),
    // Lengths that do not follow from the arguments, with a constant of the same name in the module.
    with(
        "const N: usize = 2; fn ones<const N: usize>() -> [f64; N] { [1.0; N] } const M: usize = 3;",
        "let a: [f64; 3] = ones(); a.iter().sum::<f64>() * q.beta",
        "`ones::<3>(…)`",
        "let a: [f64; 3] = ones::<3>(); let b: [f64; 3] = ones::<M>(); (a.iter().sum::<f64>() + b[2]) * q.beta",
    ),
];

/// Items that function bodies use without a visible call.
#[test]
fn implicit_calls_are_refused() {
    let rod = "pub struct Rod { pub length: f64 }";
    for (items, name) in [
        ("impl Clone for Rod { fn clone(&self) -> Rod { Rod { length: 2.0 * self.length } } }", "`impl Clone`"),
        ("impl Drop for Rod { fn drop(&mut self) {} }", "`impl Drop`"),
        ("impl PartialEq for Rod { fn eq(&self, _: &Rod) -> bool { true } }", "`impl PartialEq`"),
        (
            "pub trait Size { fn size(self) -> f64; } impl Size for Rod { fn size(self) -> f64 { 1.0 } }",
            "the trait `Size`",
        ),
    ] {
        let found = errors(&format!("{rod} {items}"), "q.beta");
        assert!(
            found.len() == 1 && found[0].contains(&format!("{name} is not supported in a declaration")),
            "{found:?}"
        );
    }
    let accepted = "#[derive(Clone, PartialEq)] pub struct Rod { pub length: f64 }
        impl Default for Rod { fn default() -> Rod { Rod { length: 1.0 } } }";
    let found = errors(accepted, "let r = Rod { length: q.beta }; r.clone().length");
    assert!(found.is_empty(), "{found:?}");
}
