//! Expressions with another form in Rust, in nalgebra or in the groups of the library: the help contains the replacement.

use super::{Refused, refused};

const fn with(items: &'static str, body: &'static str, words: &'static str, instead: &'static str) -> Refused {
    Refused { items, body, words, instead }
}

pub(super) const REFUSED: &[Refused] = &[
    // Arguments of helpers: at the call.
    with(
        "fn spring(k: f64, x: &Vector3<f64>) -> f64 { 0.5 * k * x.norm_squared() }",
        "spring(&q.position, p.k)",
        "`spring` expects `k: f64`, found a 3-vector",
        "spring(p.k, &q.position)",
    ),
    with("fn lift(p: &Data, q: &Pose) -> f64 { p.k * q.beta }", "lift(q, p)", "expects `p: &Data`", "lift(p, q)"),
    with("fn square(x: f64) -> f64 { x * x }", "square(2) * q.beta", "found the integer 2", "square(2.0) * q.beta"),
    with("fn square(x: f64) -> f64 { x * x }", "square(q.wheel)", "expects `x: f64`", "square(q.wheel.angle())"),
    with(
        "fn up(x: &Vector3<f64>) -> f64 { x.z }",
        "up(&q.frame)",
        "expects `x: &Vector3<f64>`",
        "up(&q.frame.translation)",
    ),
    with("fn up(r: &S3) -> f64 { r.log().z }", "up(&q.attitude)", "fn up(r: &S3) -> f64", "up(&q.turn)"),
    with(
        "fn up(x: [f64; 3]) -> f64 { x[2] }",
        "up(q.position)",
        "fn up(x: [f64; 3]) -> f64",
        "up([1.0, 2.0, 3.0]) * q.beta",
    ),
    with("fn at(n: usize, x: f64) -> f64 { x * n as f64 }", "at(q.beta, 2)", "expects `n: usize`", "at(2, q.beta)"),
    // Powers.
    refused("0.5 * p.k * q.beta^2", "exclusive or", "0.5 * p.k * q.beta.powi(2)"),
    refused("(q.beta + p.k)^2 * 0.5", "exclusive or", "(q.beta + p.k).powi(2) * 0.5"),
    refused("p.k * -q.beta^2.5", "exclusive or", "p.k * -q.beta.powf(2.5)"),
    refused("q.position^2", "exclusive or", "q.position.norm_squared()"),
    refused("0.5 * q.beta**2", "no operator `**`", "0.5 * q.beta.powi(2)"),
    refused("q.beta**-1", "no operator `**`", "q.beta.powi(-1)"),
    refused("q.beta.pow(2)", "no method `pow`", "q.beta.powi(2)"),
    refused("q.beta.pow(1.5)", "no method `pow`", "q.beta.powf(1.5)"),
    refused("q.beta.powi(3.0)", "no method `powi`", "q.beta.powi(3)"),
    refused("q.beta.powi(p.k)", "no method `powi`", "q.beta.powf(p.k)"),
    refused("q.beta.powf(2)", "no method `powf`", "q.beta.powi(2)"),
    refused("q.beta.square()", "no method `square`", "q.beta.powi(2)"),
    // Functions that are methods.
    refused("sin(q.beta)", "call the method `sin`", "q.beta.sin()"),
    refused("sqrt(q.beta * q.beta + 1.0)", "cannot find function", "(q.beta * q.beta + 1.0).sqrt()"),
    refused("sqrt(2) * q.beta", "cannot find function", "2.0_f64.sqrt() * q.beta"),
    refused("pow(q.beta, 2)", "cannot find function", "q.beta.powi(2)"),
    refused("log(p.k) * q.beta", "cannot find function", "p.k.ln() * q.beta"),
    refused("arctan2(q.beta, 2)", "cannot find function", "q.beta.atan2(2.0)"),
    refused("max(q.beta, 0)", "cannot find function", "q.beta.max(0.0)"),
    refused("cos(q.wheel)", "cannot find function", "q.wheel.angle().cos()"),
    refused("dot(q.position, p.inertia * q.position)", "cannot find function", "q.position.dot(&(p.inertia * q.position))"),
    refused("cross(q.position, q.position).x", "cannot find function", "q.position.cross(&q.position).x"),
    refused("norm(q.position)", "cannot find function", "q.position.norm()"),
    refused("Vector3::z_axis().dot(&q.position)", "`Vector3::z_axis` is not supported", "Vector3::z().dot(&q.position)"),
    refused("PI * q.beta", "cannot find value `PI`", "std::f64::consts::PI * q.beta"),
    // Zeros without a sign.
    refused("(-0.0_f64).atan2(q.beta)", "the sign of a zero", "0.0_f64.atan2(q.beta)"),
    refused("f64::atan2(-0.0, q.beta)", "the sign of a zero", "f64::atan2(0.0, q.beta)"),
    refused("(-(q.beta - q.beta)).atan2(p.k) * q.beta", "the sign of a zero", "(q.beta - q.beta).atan2(p.k) * q.beta"),
    refused("let y = -0.0; q.beta * f64::atan2(y, -1.0)", "the sign of a zero", "q.beta * -std::f64::consts::PI"),
    refused("q.beta.copysign(0.0)", "the sign of a zero", "q.beta.abs()"),
    // Integers in place of scalars.
    refused(
        "let mut e = 0.0; for i in 0..3 { e += i / 2 * q.position[i]; } e",
        "rounds towards zero",
        "let mut e = 0.0; for i in 0..3 { e += i as f64 / 2.0 * q.position[i]; } e",
    ),
    refused(
        "let mut e = 0.0; for i in 0..3 { e += q.position[i] * (i / 2); } e",
        "rounds towards zero",
        "let mut e = 0.0; for i in 0..3 { e += q.position[i] * (i as f64 / 2.0); } e",
    ),
    refused(
        "let mut e = q.beta; for i in 0..3 { e += i; } e",
        "`n as f64` in place of `n`",
        "let mut e = q.beta; for i in 0..3 { e += i as f64; } e",
    ),
    refused(
        "let mut e = 0.0; for i in 0..3 { if i < q.beta { e += 1.0; } } e",
        "cannot be compared",
        "let mut e = 0.0; for i in 0..3 { if (i as f64) < q.beta { e += 1.0; } } e",
    ),
    refused("q.beta.max(0)", "with the integer 0", "q.beta.max(0.0)"),
    refused("q.beta.clamp(-1, 1)", "no method `clamp`", "q.beta.clamp(-1.0, 1.0)"),
    refused(
        "let mut e = 0.0; for i in 0..3 { e += i.sqrt() * q.position[i]; } e",
        "no method `sqrt`",
        "let mut e = 0.0; for i in 0..3 { e += (i as f64).sqrt() * q.position[i]; } e",
    ),
    refused(
        "Vector3::new(1, 2, 3).dot(&q.position)",
        "found the integer 1",
        "Vector3::new(1.0, 2.0, 3.0).dot(&q.position)",
    ),
    refused("(q.beta > 0.0) * q.beta", "`f64::from(x > 0.0)`", "f64::from(q.beta > 0.0) * q.beta"),
    // Elements of groups.
    refused("q.wheel.cos()", "no method `cos`", "q.wheel.angle().cos()"),
    refused("p.k * q.wheel", "use `r.angle()`", "p.k * q.wheel.angle()"),
    refused("q.wheel.0", "no field `0`", "q.wheel.angle()"),
    refused("q.attitude[(2, 2)]", "cannot be indexed", "q.attitude.rotation_matrix()[(2, 2)]"),
    refused("q.turn[(2, 2)]", "cannot be indexed", "q.turn.rotation_matrix()[(2, 2)]"),
    refused("q.attitude.column(2).z", "no method `column`", "q.attitude.rotation_matrix().column(2).z"),
    refused("q.attitude.trace()", "no method `trace`", "q.attitude.rotation_matrix().trace()"),
    refused("q.attitude.norm()", "no method `norm`", "q.attitude.log().norm()"),
    refused(
        "(q.attitude * p.inertia).trace()",
        "use `r.rotation_matrix()`",
        "(q.attitude.rotation_matrix() * p.inertia).trace()",
    ),
    refused(
        "(p.inertia * q.attitude).trace()",
        "use `r.rotation_matrix()`",
        "(p.inertia * q.attitude.rotation_matrix()).trace()",
    ),
    refused("(q.position * q.attitude).x", "`r * x` rotates the vector", "(q.attitude * q.position).x"),
    refused("(q.attitude - q.attitude).x", "cannot be subtracted", "(q.attitude.inverse() * q.attitude).log().x"),
    refused("(0.5 * q.attitude).log().x", "cannot be multiplied", "SO3::exp(&(0.5 * q.attitude.log())).log().x"),
    refused("q.attitude.rotate(&q.position).x", "no method `rotate`", "(q.attitude * q.position).x"),
    refused("q.frame.x", "no field `x`", "q.frame.translation.x"),
    refused("q.frame.attitude.log().x", "no field `attitude`", "q.frame.rotation.log().x"),
    refused("q.frame[(0, 1)]", "cannot be indexed", "q.frame.rotation.rotation_matrix()[(0, 1)]"),
    refused("(q.frame + q.position).z", "`pose.translation`", "(q.frame.translation + q.position).z"),
    refused("q.frame.translation().x", "no method `translation`", "q.frame.translation.x"),
    refused("q.frame.dot(&q.position)", "no method `dot`", "q.frame.translation.dot(&q.position)"),
    refused("q.link.z", "no field `z`", "q.link.direction().z"),
    refused("q.link.dot(&q.position)", "no method `dot`", "q.link.direction().dot(&q.position)"),
    refused("(q.link - q.position).z", "`p.direction()`", "(q.link.direction() - q.position).z"),
    refused("q.position.translation.x", "no field `translation`", "q.position.x"),
    refused("q.beta.x", "no field `x`", "q.beta"),
    refused("q.beta[0]", "cannot be indexed", "q.beta"),
    refused("q.k * q.beta", "no field `k`", "p.k * q.beta"),
    refused(
        "let (roll, pitch, yaw) = q.attitude.euler_angles(); roll + pitch + yaw",
        "no method `euler_angles`",
        "let (roll, pitch, yaw) = { let r = q.attitude.rotation_matrix(); (r[(2, 1)].atan2(r[(2, 2)]), \
         (-r[(2, 0)]).asin(), r[(1, 0)].atan2(r[(0, 0)])) }; roll + pitch + yaw",
    ),
    refused("q.attitude.to_rotation_matrix()[(0, 1)]", "no method", "q.attitude.rotation_matrix()[(0, 1)]"),
    // Vectors and matrices.
    refused("(q.position * p.inertia).x", "cannot be multiplied", "p.inertia.tr_mul(&q.position).x"),
    refused(
        "q.position * p.inertia * q.position",
        "cannot be multiplied",
        "p.inertia.tr_mul(&q.position).dot(&q.position)",
    ),
    refused("(q.position / q.position).x", "cannot be divided", "q.position.component_div(&q.position).x"),
    refused(
        "(p.inertia.inverse() * q.position).x",
        "no method `inverse`",
        "(p.inertia.try_inverse().unwrap() * q.position).x",
    ),
    refused("q.position.length()", "no method `length`", "q.position.norm()"),
    refused("p.lengths.norm() * q.beta", "no method `norm`", "Vector3::from(p.lengths).norm() * q.beta"),
    refused(
        "(p.inertia * p.lengths).x * q.beta",
        "`Vector3::from(a)`",
        "(p.inertia * Vector3::from(p.lengths)).x * q.beta",
    ),
    refused("let t = (q.beta, 1.0); t[0]", "cannot be indexed", "let t = (q.beta, 1.0); t.0"),
    refused("p.lengths.0", "no field `0`", "p.lengths[0] * q.beta"),
    refused(
        "p.inertia.try_inverse() * q.position",
        "call `unwrap()`",
        "(p.inertia.try_inverse().unwrap() * q.position).x",
    ),
    refused(
        "let (a, b) = (q.position.xy(), q.position.xy()); a.perp(&b)",
        "no method `perp`",
        "let (a, b) = (q.position.xy(), q.position.xy()); a.x * b.y - a.y * b.x",
    ),
    refused(
        "q.position.sup(&Vector3::zeros()).x",
        "no method `sup`",
        "q.position.zip_map(&Vector3::zeros(), f64::max).x",
    ),
    refused("q.position.yx().x", "no method `yx`", "Vector2::new(q.position.y, q.position.x).x"),
    refused("q.position.rows(1, 2).sum()", "no method `rows`", "q.position.fixed_rows::<2>(1).sum()"),
    refused(
        "p.inertia.view((0, 1), (2, 2)).sum() * q.beta",
        "no method `view`",
        "p.inertia.fixed_view::<2, 2>(0, 1).sum() * q.beta",
    ),
    refused("p.inertia.pow(2).trace() * q.beta", "no method `pow`", "(p.inertia * p.inertia).trace() * q.beta"),
    refused(
        "q.position.fold(0.0, f64::max)",
        "no method `fold`",
        "q.position.iter().copied().fold(0.0, f64::max)",
    ),
    refused(
        "q.position.angle(&Vector3::x())",
        "no method `angle`",
        "(q.position.dot(&Vector3::x()) / (q.position.norm() * Vector3::x().norm())).acos()",
    ),
    refused("(p.inertia * q.beta).exp().trace()", "move the computation into an `#[opaque]` function", "q.beta.exp()"),
    refused(
        "p.inertia.lu().solve(&q.position).unwrap().x",
        "`m.try_inverse().unwrap()`",
        "(p.inertia.try_inverse().unwrap() * q.position).x",
    ),
    refused("q.position.imax() as f64", "into an `#[opaque]` function", "q.position.x"),
    // Iterators, integers, closures.
    refused(
        "*p.lengths.iter().min_by(|a, b| a.total_cmp(b)).unwrap() * q.beta",
        "`.copied().fold(f64::INFINITY, f64::min)`",
        "p.lengths.iter().copied().fold(f64::INFINITY, f64::min) * q.beta",
    ),
    refused(
        "p.lengths.iter().enumerate().min_by(|a, b| a.1.total_cmp(b.1)).unwrap().1 * q.beta",
        "or a loop",
        "let mut best = f64::INFINITY; for (_, x) in p.lengths.iter().enumerate() { if *x < best { best = *x; } } best * q.beta",
    ),
    refused("3_i32.isqrt() as f64 * q.beta", "no method `isqrt`", "(3_i32 / 2) as f64 * q.beta"),
    refused("let n: i64 = 3_i32.into(); n as f64 * q.beta", "no method `into`", "(3_i32 as i64) as f64 * q.beta"),
    refused(
        "let f: Box<dyn Fn(f64) -> f64> = Box::new(|x| 2.0 * x); f(q.beta)",
        "let f = |x: f64| 2.0 * x;",
        "let f = |x: f64| 2.0 * x; f(q.beta)",
    ),
    with(
        "#[derive(Clone, Copy)] pub struct Complex { pub re: f64 }
         impl std::ops::Mul for Complex { type Output = Complex; fn mul(self, o: Complex) -> Complex { Complex { re: self.re * o.re } } }
         impl Complex { fn times(self, o: Complex) -> Complex { Complex { re: self.re * o.re } } }",
        "let z = Complex { re: q.beta }; (z * z).re",
        "operators and traits of user-defined types",
        "let z = Complex { re: q.beta }; z.times(z).re",
    ),
    with(
        "#[derive(Clone, Copy)] pub struct Pair<T> { pub a: T, pub b: T }
         impl<T> Pair<T> { fn flip(self) -> Pair<T> { Pair { a: self.b, b: self.a } } }
         fn flip_of(it: Pair<f64>) -> Pair<f64> { Pair { a: it.b, b: it.a } }",
        "Pair { a: q.beta, b: 2.0 }.flip().a",
        "no method `flip`",
        "flip_of(Pair { a: q.beta, b: 2.0 }).b",
    ),
    // Tables, ordering and values that depend on the state.
    with(
        "#[opaque] fn look_up<S: Scalar>(x: S, table: Vector3<S>) -> S {
             let i = x.value().clamp(0.0, 1.0) as usize;
             table[i] + (x - S::from_f64(i as f64)) * (table[i + 1] - table[i])
         }",
        "p.lengths[q.beta as usize]",
        "call `look_up(x, Vector3::from(table))`",
        "look_up(q.beta, Vector3::from(p.lengths))",
    ),
    refused("p.lengths[q.beta]", "to interpolate in a table", "p.lengths[0] * q.beta"),
    refused("(q.beta as i32) as f64", "cannot be cast to `i32`", "q.beta.trunc()"),
    refused("Some(q.beta).filter(|x| *x > 0.0).unwrap_or(0.0)", "has no method `filter`", "if q.beta > 0.0 { q.beta } else { 0.0 }"),
    refused("let mut v = [q.beta, p.k]; v.sort_by(f64::total_cmp); v[0]", "no method `sort_by`", "q.beta.min(p.k)"),
    refused("let v = vec![q.beta]; v.sqrt()[0]", "has no method `sqrt`", "q.beta.sqrt()"),
    refused("consts::PI * q.beta", "outside the module", "std::f64::consts::PI * q.beta"),
    // Functions of other libraries, and paths.
    refused(
        "(SO3::from_axis_angle(&Vector3::z(), q.beta) * q.position).x",
        "is not supported for these arguments",
        "(SO3::exp(&(Vector3::z() * q.beta)) * q.position).x",
    ),
    refused(
        "SO3::from_euler_angles(0.1, p.k, q.beta).log().x",
        "is not supported for these arguments",
        "(SO3::exp(&(Vector3::z() * q.beta)) * SO3::exp(&(Vector3::y() * p.k)) * SO3::exp(&(Vector3::x() * 0.1))).log().x",
    ),
    refused("if q.beta.is_nan() { 0.0 } else { q.beta }", "no method `is_nan`", "q.beta"),
    refused("q.beta.sinc()", "move the computation into an `#[opaque]` function", "q.beta.sin() / q.beta"),
    refused("(q.beta > 0.0).then_some(q.beta).unwrap_or(0.0)", "write `if x > 0.0", "if q.beta > 0.0 { q.beta } else { 0.0 }"),
    refused("(q.beta > 0.0) as f64", "cannot be cast to `f64`", "f64::from(q.beta > 0.0)"),
    refused("q.link.z()", "no method `z`", "q.link.direction().z"),
    refused("q.position.x()", "no method `x`", "q.position.x"),
    refused("q.position.transpose() * q.position", "around the last expression", "(q.position.transpose() * q.position)[0]"),
    refused("std::ops::Mul::mul(q.beta, 2.0)", "cannot find function `std::ops::Mul::mul`", "q.beta * 2.0"),
    // Associated functions.
    refused("Vector3::nrm(&q.position)", "`Vector3::nrm` is not supported", "Vector3::norm(&q.position) + SO3::log(&q.attitude).x"),
    // Parameters and constants.
    refused("p.table.iter().sum::<f64>() * q.beta", "known only at run time", "(p.table[0] + p.table[1]) * q.beta"),
    with("const NAME: &str = \"a\";", "NAME.len() as f64", "a string has no method `len`", "q.beta"),
    with("const C: f64 = \"2.0\".len() as f64;", "C * q.beta", "a string has no method `len`", "3.0 * q.beta"),
    with("static L: f64 = 1.0;", "L * q.beta", "a `static` and", "q.beta"),
    with(
        "const FAST: bool = cfg!(debug_assertions);",
        "if FAST { 1.0 } else { q.beta }",
        "macro `cfg!` is not supported",
        "q.beta",
    ),
];
