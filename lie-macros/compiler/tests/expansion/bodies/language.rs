//! Constructs that are not supported in function bodies.

use super::{Refused, refused};

pub(super) const REFUSED: &[Refused] = &[
    // Unsupported number types.
    refused("let x: f32 = 1.0; q.position.x", "type `f32` is not supported", "let x: f64 = 1.0; q.position.x * x"),
    refused("q.position.x * 1.0_f32 as f64", "leave out the suffix", "q.position.x * 1.0"),
    refused("(q.position.x as f32) as f64", "all scalars are `f64`", "q.position.x"),
    refused("2 * q.position.x", "`2.0` in place of `2`", "2.0 * q.position.x"),
    refused("1 / 2 * q.position.x", "rounds towards zero", "1.0 / 2.0 * q.position.x"),
    refused(
        "for i in 0..3 { let _ = i * q.position.x; } 0.0",
        "`n as f64` in place of `n`",
        "let mut s = 0.0; for i in 0..3 { s += i as f64 * q.position.x; } s",
    ),
    refused("q.position.x.powi(2) + 3.sqrt()", "`2.0` in place of `2`", "q.position.x.powi(2) + 3.0_f64.sqrt()"),
    refused(
        "let n = 200_u8 + 100; n as f64 * q.position.x",
        "this integer is not supported",
        "let n = 200_u32 + 100; n as f64 * q.position.x",
    ),
    refused(
        "let n = 2_usize - 3; n as f64 * q.position.x",
        "is negative, too large",
        "let n = 2_i64 - 3; n as f64 * q.position.x",
    ),
    refused(
        "let n = 3 / 0; n as f64 * q.position.x",
        "divided by zero",
        "match -1 { -3..=-2 => 0.0, -1 => q.position.x, _ => 1.0 }",
    ),
    refused(
        "for i in 0..3 { let _ = q.position[i - 1]; } 0.0",
        "is negative, too large",
        "let mut s = 0.0; for i in 1..3 { s += q.position[i - 1]; } s",
    ),
    refused(
        "let n: i128 = 3; n as f64 * q.position.x",
        "is not supported in a declaration",
        "let n: i64 = 3; n as f64 * q.position.x",
    ),
    refused("q.position.x as i32 as f64", "x.trunc()", "q.position.x.trunc()"),
    refused(
        "let n = if q.position.x > 0.0 { 1 } else { 2 }; q.position[n]",
        "an integer that depends on the state",
        "if q.position.x > 0.0 { q.position[1] } else { q.position[2] }",
    ),
    refused(
        "(q.position.x > 0.0) as u8 as f64",
        "`f64::from(x > 0.0)`",
        "f64::from(q.position.x > 0.0) * q.position.x",
    ),
    refused("q.position.x * f64::NAN", "`f64::NAN` are not supported", "q.position.x"),
    refused("q.position.x.pow(2)", "powi", "q.position.x.powi(2)"),
    refused("sin(q.position.x)", "cannot find function `sin`", "q.position.x.sin()"),
    // Equality, casts, indices.
    refused(
        "if q.position.x == 0.0 { 1.0 } else { 0.0 }",
        "equality of run-time scalars",
        "if q.position.x <= 0.0 { 1.0 } else { 0.0 }",
    ),
    refused(
        "match q.position.x { 0.0 => 1.0, x => x }",
        "or a guard",
        "match q.position.x { x if x < 0.1 => 1.0, x => x }",
    ),
    refused("q.position[3]", "out of range", "q.position[2]"),
    refused("p.lengths[5]", "out of range", "p.lengths[2] * q.position.x"),
    refused("let a = [1.0, 2.0]; a[1..4][0]", "out of range", "let a = [1.0, 2.0]; a[1..2][0] * q.position.x"),
    refused("if q.position.x { 1.0 } else { 2.0 }", "x > 0.0", "if q.position.x > 0.0 { 1.0 } else { 2.0 }"),
    refused(
        "(0.0..1.0).contains(&q.position.x) as i32 as f64",
        "low <= x",
        "let x = q.position.x; f64::from(0.0 <= x && x < 1.0)",
    ),
    // Loops that depend on the state, and endless loops.
    refused(
        "let mut x = q.position.x; while x > 1.0 { x -= 1.0; } x",
        "for _ in 0..20",
        "let mut x = q.position.x; for _ in 0..20 { if x <= 1.0 { break; } x -= 1.0; } x",
    ),
    refused(
        "let mut x = q.position.x; loop { x -= 1.0; if x < 0.0 { break; } } x",
        "for _ in 0..20",
        "let mut x = q.position.x; for _ in 0..20 { x -= 1.0; if x < 0.0 { break; } } x",
    ),
    refused(
        "for i in 0.. { let _ = i; } q.position.x",
        "not known at compile time",
        "for i in 0..3 { let _ = i; } q.position.x",
    ),
    refused("for i in 0..100000 { let _ = i; } q.position.x", "iterations", "q.position.x"),
    // References and closures.
    refused("let f = |x: f64| x; f(1.0, 2.0)", "expects 1 arguments", "let f = |x: f64| x; f(1.0) * q.position.x"),
    // Attributes.
    refused("#[cfg(test)] let x = 1.0; q.position.x", "it may remove code", "let x = 1.0; q.position.x * x"),
    refused(
        "let mut s = q.position.x; #[cfg(debug_assertions)] { s += 1.0; } s",
        "it may remove code",
        "let mut s = q.position.x; { s += 1.0; } s",
    ),
    refused(
        "match 1 { #[cfg(test)] 1 => 2.0, _ => q.position.x }",
        "it may remove code",
        "match 1 { 1 => 2.0, _ => q.position.x }",
    ),
    refused("if cfg!(debug_assertions) { 1.0 } else { q.position.x }", "macro `cfg!` is not supported", "q.position.x"),
    // Macros.
    refused("println!(\"{}\", q.position.x); q.position.x", "macro `println!` is not supported", "q.position.x"),
    refused("dbg!(q.position.x)", "macro `dbg!` is not supported", "q.position.x"),
    refused(
        "let mut a = q.position.x; assert!({ a += 1.0; a > 0.0 }); a",
        "must not change variables",
        "let mut a = q.position.x; a += 1.0; assert!(a > 0.0); a",
    ),
    refused(
        "if q.position.x > 0.0 { q.position.x } else { panic!(\"below\") }",
        "return a value in every branch",
        "if q.position.x > 0.0 { q.position.x } else { 0.0 }",
    ),
    refused(
        "let x: Option<f64> = None; x.unwrap()",
        "on `None`",
        "let x: Option<f64> = None; x.unwrap_or(q.position.x)",
    ),
    // Iterators.
    refused(
        "q.position.iter().filter(|x| **x > 0.0).sum::<f64>()",
        "depend on the state",
        "q.position.iter().map(|x| if *x > 0.0 { *x } else { 0.0 }).sum::<f64>()",
    ),
    refused(
        "*q.position.iter().max_by(|a, b| a.total_cmp(b)).unwrap()",
        ".fold(f64::NEG_INFINITY, f64::max)`",
        "q.position.iter().copied().fold(f64::NEG_INFINITY, f64::max)",
    ),
    refused(
        "let s: std::collections::BTreeSet<usize> = (0..3).collect(); s.len() as f64",
        "is not supported in a declaration",
        "let s: Vec<usize> = (0..3).collect(); s.len() as f64 * q.position.x",
    ),
    refused(
        "let a: f64 = (0..0).map(|i| q.position[i]).sum(); a",
        "sum::<f64>",
        "let a: f64 = (0..0).map(|i| q.position[i]).sum::<f64>(); a + q.position.x",
    ),
    refused(
        "let a = std::array::from_fn(|i| q.position[i]); let [x, y] = a; x + y",
        "let a: [f64; 3]",
        "let a: [f64; 2] = std::array::from_fn(|i| q.position[i]); let [x, y] = a; x + y",
    ),
    refused(
        "q.position.iter().take_while(|x| **x > 0.0).sum::<f64>()",
        "no method `take_while`",
        "let mut s = 0.0; for x in q.position.iter() { if *x <= 0.0 { break; } s += x; } s",
    ),
    // Shapes.
    refused("q.position.x + q.position", "cannot be added", "q.position.x + q.position[0]"),
    refused("(q.position * q.position).x", "`a.dot(&b)`", "q.position.dot(&q.position)"),
    refused("q.position.sin().x", "use an entry", "q.position[0].sin()"),
    refused(
        "p.inertia.try_inverse().is_some() as i32 as f64",
        "call `unwrap()`",
        "p.inertia.try_inverse().unwrap().trace() * q.position.x",
    ),
    refused(
        "Matrix6::<f64>::identity().determinant()",
        "up to 4×4",
        "Matrix4::<f64>::identity().determinant() * q.position.x",
    ),
    refused(
        "q.position.fixed_view(0, 0).x",
        "fixed_view::<2, 2>",
        "p.inertia.fixed_view::<2, 2>(0, 0)[(0, 1)] * q.position.x",
    ),
    refused(
        "matrix![1.0, 2.0; 3.0].trace()",
        "different lengths",
        "matrix![1.0, 2.0; 3.0, 4.0].trace() * q.position.x",
    ),
    refused("(q.attitude + q.attitude).log().x", "`a * b` is the composition", "(q.attitude * q.attitude).log().x"),
    refused(
        "let a = if q.position.x > 0.0 { [1.0, 2.0].to_vec() } else { vec![1.0] }; a[0]",
        "have different types",
        "let a = if q.position.x > 0.0 { [1.0, 2.0] } else { [1.0, 0.0] }; a[0]",
    ),
    // Unsupported control flow.
    refused(
        "p.inertia.try_inverse()?.trace() * q.beta",
        "`?` is not supported",
        "p.inertia.try_inverse().unwrap().trace() * q.beta",
    ),
    refused(
        "fn half(x: f64) -> f64 { 0.5 * x } half(q.position.x)",
        "move the item out",
        "let half = |x: f64| 0.5 * x; half(q.position.x)",
    ),
    refused("unsafe { q.position.x }", "this expression is not supported", "{ q.position.x }"),
    refused("p.name.len() as f64", "the type `String` of the parameter", "q.position.x"),
    refused("q.positio.x", "has no field", "q.position.x"),
    refused("let a = q.position.x; b + a", "cannot find value `b`", "let a = q.position.x; a + a"),
    Refused {
        items: "fn power(x: f64, n: usize) -> f64 { if n == 0 { 1.0 } else { x * power(x, n - 1) } }",
        body: "power(q.position.x, 3)",
        words: "recursive call",
        instead: "let mut p = 1.0; for _ in 0..3 { p *= q.position.x; } p",
    },
    Refused {
        items: "fn half(x: f32) -> f64 { 0.5 * x as f64 }",
        body: "half(1.0)",
        words: "type `f32` is not supported",
        instead: "q.position.x",
    },
    Refused {
        items: "fn half(x: f64) -> f64 { #[cfg(test)] return 0.0; 0.5 * x }",
        body: "half(q.position.x)",
        words: "it may remove code",
        instead: "0.5 * q.position.x",
    },
    // Choices.
    refused(
        "let found = (let Some(_) = p.lengths.first()); if found { q.beta } else { 0.0 }",
        "`let` as a part of a condition",
        "let found = p.lengths.first().is_some(); if found { q.beta } else { 0.0 }",
    ),
    Refused {
        items: "pub enum Shape { Round(f64), Slab { a: f64, b: f64 } } pub struct Slab { a: f64, b: f64 }",
        body: "let s = Shape::Slab { a: q.beta, b: 2.0 }; match s { Shape::Round(r) => r, Shape::Slab { a, b } => a * b }",
        words: "enum variants cannot have data",
        instead: "let Slab { a, b } = Slab { a: q.beta, b: 2.0 }; a * b",
    },
];
