//! Statements as engineers write them, with random expressions in their places.
//!
//! `E` stands for a number, `C` for a condition, `I` for a whole number. They work on the number `sum`, the array `list` and the
//! vector `place`.

use crate::body::{Writer, frozen};
use crate::place;
use crate::scope::{Scope, Type};

const IDIOMS: &[&str] = &[
    // Loops that count, and ways out of them that the state decides.
    "let mut count = 0_usize; while count < 3 { count += 1; if C { continue; } sum += (E) * count as f64; }",
    "let mut count = 3_i32; loop { count -= 1; if count < 0 { break; } sum -= (E) * f64::from(count); }",
    "for i in 0..4_usize { if i == 1 { continue; } if C { sum *= 0.5; break; } list[i % 3] += E; }",
    // Places.
    "(sum, list[1]) = (list[1], sum);",
    "[list[2], list[0], _] = list;",
    "let [u, rest @ ..] = list; sum += u * rest[1] - rest[0];",
    "let mut span = Span { from: E, ..Span { from: 0.0, to: E } }; span.to -= span.from; span.from *= 2.0; sum += span.to - span.from;",
    "let mut u; let w; u = E; w = u; u += 1.0; sum += u * w;",
    // Choices.
    "let chosen = match E { u if u < 0.0 => -u, u if u > 1.0 => u * u, u => 0.5 * u }; sum += chosen;",
    "let part = match (C, C) { (true, true) => E, (false, _) => { list[1] += 0.3; E } _ => 0.0 }; sum += part;",
    "let chosen = match I % 4 { -3..=-1 => E, 0 => { sum += 0.1; E } n @ 1..=2 => f64::from(n) * (E), _ => E }; sum -= chosen;",
    "if let (u, 3) = (E, N) { sum += u; } else { sum -= 0.2; }",
    "let last = if N > 2 { Some(E) } else { None }; sum += last.unwrap_or(0.3);",
    "sum = if C && { list[0] += 0.3; list[0] < E } { sum + 1.0 } else { sum - 0.5 };",
    // Closures and functions as values.
    "let scaled = |s: f64| move |u: f64| s * u - 0.2; sum += scaled(E)(E);",
    "sum += twice(|u| u * 0.5 - (E), E);",
    "let u = E; let add = move |w: f64| u + w; let u = 10.0; sum += add(E) - u;",
    "let functions = [f64::sin, f64::cos]; sum += functions[0](E) - functions[1](E);",
    // Sequences.
    "let mut stack = Vec::new(); for entry in list { stack.push(entry * (E)); } sum += stack.iter().sum::<f64>() * stack.len() as f64;",
    "sum += list[1..].iter().product::<f64>() - list[..2].iter().rev().fold(E, |a, b| a * 0.5 - b);",
    "sum += list.iter().skip(1).chain(&TABLE).step_by(2).enumerate().map(|(i, u)| u * i as f64).sum::<f64>();",
    "sum += list.iter().copied().fold(f64::MIN, f64::max) - list.iter().copied().reduce(f64::min).unwrap();",
    "sum += [place, data.offset].iter().map(|v| v.norm_squared() * (E)).sum::<f64>();",
    "let grid = [[E, E], [E, E]]; for row in &grid { for u in row { sum -= 0.5 * u; } } sum += grid[1][0] * grid[0][1];",
    // Structs and enums of the module, slices that are handed on, ways out of helpers.
    "let Pair(u, w) = Pair(E, E); let pair = Pair(u * w, w); sum += pair.1 - 0.5 * pair.0;",
    "let mut pair = Pair(E, sum); pair.0 *= pair.1; let other = Pair(pair.1, E); sum = 0.3 * other.0 - other.1;",
    "sum += [Axis::Second, Axis::First, Axis::Other].into_iter().map(|axis| part(axis, &list)).fold(0.3, |a, b| 0.5 * a - b);",
    "let axis = if N == 3 { Axis::Second } else { Axis::First }; sum += part(axis, &list[1..]) * part(Axis::Other, &[]) + part(axis, &[E, E]);",
    "sum += horner([E, 0.3, -0.2], sum.sin()) - horner::<2>([E, 0.5], 0.7);",
    "sum -= match &list[..] { [first, .., last] => first * (E) - last, _ => E };",
    // Options.
    "sum += TABLE.get(1).map(|u| u * (E)).unwrap_or(0.0) - TABLE.get(7).map_or(E, |u| u * 2.0);",
    "if let Some(u) = list.get(N - 1) { sum += u * (E); } else { sum = 0.0; }",
    "sum += TABLE.iter().find(|u| **u > 0.0).unwrap() * (E) + TABLE.iter().position(|u| *u < 0.0).map_or(0.0, |i| i as f64);",
    // Powers of norms.
    "sum += place.norm() * place.norm() * (E) - 0.1 * place.norm().powi(3);",
    "place *= 0.3 * place.norm(); sum += (place.norm_squared()).sqrt() * place.dot(&data.offset);",
    "let s = (place * (E)).norm(); sum += 0.1 * (s * 2.0 * s + s.powf(1.5) * s);",
    // Vectors and matrices.
    "place = place.map(|u| u.sin() + (E));",
    "place += data.offset.zip_map(&place, |u, w| u * w);",
    "place[1] += place.iter().sum::<f64>();",
    "let mut m = data.shape; m[(0, 1)] += E; m *= 0.5; m -= Matrix3::identity(); sum += (m * place).z;",
    "let m = Matrix3::from_columns(&[place, data.offset, Vector3::z()]); sum += m.column(1).norm_squared() - m.row(2).sum();",
    "sum += (data.shape + Matrix3::<f64>::identity() * 4.0).try_inverse().unwrap()[(1, 2)] * (E);",
    "sum += place.xy().dot(&Vector2::new(E, E));",
    // Numbers.
    "sum = sum % 1.7; sum += (E).floor() * 0.1 + (E).fract();",
    "let (u, w) = (E).sin_cos(); sum += u - 0.3 * w;",
    "sum += (E).rem_euclid(1.3) + (E).copysign(sum + 0.3111) * (E + 0.2347).signum();",
    "let wide = (I) as i64; sum += wide as f64 * 0.01 - ((I).abs() as usize as f64) * 0.02;",
    "sum += ((I) % 9).pow(2) as f64 / 4.0 + ((I) / 3 * 3) as f64 * 0.1 + f64::from((I).abs().min(3));",
    "sum = sum + sum * { sum -= 0.5; sum } - sum; list[0] = 0.3 * list[0] - { list[0] *= 0.5; list[0] };",
    "sum = f64::max({ sum += 0.1; sum }, { sum -= 0.3; sum }) * helper_0(data, q, t, sum, { sum += 1.0; sum });",
    "assert!(N == 3, \"three\"); debug_assert!(sum.is_finite() || true);",
    "const LOCAL: f64 = 0.3 * HALF; let sum_before = sum; { let sum = sum * LOCAL; list[1] += sum; } sum += sum_before;",
];

impl Writer {
    /// A statement with its own block, if the places it works on are there.
    pub fn idiom(&mut self, scope: &mut Scope) -> Option<String> {
        for (name, ty) in [("sum", Type::Number), ("place", Type::Vector), ("list", Type::Array)] {
            scope.variables.iter().find(|known| known.name == name && known.ty == ty && known.is_mutable)?;
        }
        let own = place::idioms(scope.place);
        let list = if !own.is_empty() && self.random.in_one_of(4) { own } else { IDIOMS };
        let idiom = *self.random.one(list);
        let mut text = String::new();
        let mut rest = idiom;
        // A letter by itself is a hole.
        while let Some(at) = rest.find(['E', 'C', 'I']) {
            let is_part = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
            let (before, letter, after) = (&rest[..at], &rest[at..=at], &rest[at + 1..]);
            text += before;
            if is_part(before.chars().last()) || is_part(after.chars().next()) {
                text += letter;
            } else {
                // What the statement works on may be borrowed there.
                let mut inner = frozen(scope);
                inner.variables.retain(|known| !["sum", "place", "list"].contains(&known.name.as_str()));
                let part = match letter {
                    "C" => format!("({})", self.condition(&mut inner)),
                    "I" => self.atom(&mut inner, Type::Integer, 1),
                    _ => self.expression(&mut inner, Type::Number, 1),
                };
                text += &part;
                scope.after(&inner);
            }
            rest = after;
        }
        Some(format!("{{ {text}{rest} }}\n"))
    }
}
