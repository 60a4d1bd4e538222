//! Unusual forms: names that are used again, ways out of anything, iterators upside down, patterns within patterns, constants
//! of constants.

super::family! { body:
    a1 a2 a3 a5 a6 a7 a8 a9 a10 a15 a16 a17 a19 a22 a24 a25 a26 a27 a28 a29 a30 a33 a34 a35
    a36 a37 a38 a41 a42 a43 a44 a45 a46 a47 a48 a49 a50 a51 a53 a55 a56 a57 a58 a59 a60 a61 with_modes
    becomes_a_matrix;

    // Shadowing and blocks.
    pub fn a1(p: &Data, q: &Pose) -> f64 { let q = q; let p = p.k; let k = p; let r = { let p = k + 1.0; let k = p * q.position.z; k + p }; r * k }
    pub fn a2(p: &Data, q: &Pose) -> f64 { let x = q.position.z; let x = { let x = x + 1.0; let x = x * x; x }; let y = if x > 1.0 { let x = x - 1.0; x * 2.0 } else { x }; x - y }
    pub fn a3(p: &Data, q: &Pose) -> f64 { let f = |x: f64| { let x = x * 2.0; move |y: f64| x + y }; let g = f(q.position.z); let x = 100.0; g(1.0) + g(x) }
    pub fn a5(p: &Data, q: &Pose) -> f64 { let p = p.lengths; let [p, q2, ..] = p; let q = q.position.z * p; q + q2 }
    // Early returns in nested blocks.
    fn early(x: f64, y: f64) -> f64 { let z = { if x > 0.5 { return y; } { if y < 0.0 { return x * y; } x + 1.0 } }; z * 2.0 }
    pub fn a6(p: &Data, q: &Pose) -> f64 { early(q.position.z, q.position.x) + 2.0 * early(q.position.y, q.position.z) }
    fn early2(x: f64, v: &[f64]) -> f64 { for (i, y) in v.iter().enumerate() { let z = match i { 0 => { if *y > x { return 1.0 + y; } *y } 1 if x > 0.0 => return x - y, _ => { let w = if *y < 0.0 { return -10.0 * y } else { y * 3.0 }; w } }; if z > 2.0 { return z; } } x }
    pub fn a7(p: &Data, q: &Pose) -> f64 { early2(q.position.z, q.position.as_slice()) + early2(q.position.y, &[q.position.z, q.position.z]) }
    fn early3(o: Option<f64>, x: f64) -> f64 { let Some(y) = o else { return x * 7.0; }; let z = if x < y { return y } else { x - y }; z }
    pub fn a8(p: &Data, q: &Pose) -> f64 { early3(Some(0.2), q.position.z) + early3(None, q.position.x) }
    fn early4(x: f64) -> (f64, bool) { if x > 0.3 { return (x, true); } let y = x * x; (y, y > 0.5) }
    pub fn a9(p: &Data, q: &Pose) -> f64 { let (a, b) = early4(q.position.z); let c = early4(q.position.y); if b || c.1 && a > c.0 { a + 1.0 } else { c.0 * 2.0 } }
    pub fn a10(p: &Data, q: &Pose) -> f64 { let f = |x: f64| -> Option<f64> { if p.k > 1.0 { None } else { Some(x) } }; 1.0 + q.position.z }
    // Labels.
    pub fn a15(p: &Data, q: &Pose) -> f64 { let mut x = q.position.z; let y = loop { x += 0.7; break { x *= 2.0; x - 1.0 }; }; x + 3.0 * y }
    // Iterators.
    pub fn a16(p: &Data, q: &Pose) -> f64 { p.lengths.iter().zip(q.position.iter().rev()).rev().enumerate().map(|(i, (a, b))| (i + 1) as f64 * a - b).fold(0.5, |a, b| a * 0.7 - b * b) }
    pub fn a17(p: &Data, q: &Pose) -> f64 { let w = [q.position.z, q.position.x, 1.0, q.position.y, 2.0]; w.windows(3).rev().step_by(2).map(|w| w[0] * w[2] - w[1]).fold(0.0, |a, b| 0.3 * a + b) }
    pub fn a19(p: &Data, q: &Pose) -> f64 { (0..10).step_by(3).skip(1).chain(20..22).take(4).map(|i| i as f64).zip([q.position.z, 2.0, q.position.x, 1.0]).map(|(a, b)| a * b).sum() }
    pub fn a22(p: &Data, q: &Pose) -> f64 { let [mut a, mut b, c] = [q.position.z, 2.0, q.position.x]; (a, b) = (b, c); a * b + c }
    pub fn a24(p: &Data, q: &Pose) -> f64 { [1.5, -2.0, 0.5].iter().copied().filter(|x| *x > 0.0).flat_map(|x| [x, x * q.position.z]).enumerate().filter(|(i, _)| i % 2 == 1).map(|(_, x)| x).sum() }
    pub fn a25(p: &Data, q: &Pose) -> f64 { let v: Vec<Vec<f64>> = (0..3).map(|i| (0..i).map(|j| q.position[j] + i as f64).collect()).collect(); v.iter().map(|r| r.iter().sum::<f64>() * r.len() as f64).sum::<f64>() + v[2][1] }
    pub fn a26(p: &Data, q: &Pose) -> f64 { q.position.iter().zip(p.points[0].iter()).zip(p.lengths).map(|((a, b), c)| a * b - c * a).sum() }
    pub fn a27(p: &Data, q: &Pose) -> f64 { p.inertia.column_iter().zip(p.inertia.row_iter()).map(|(c, r)| c.dot(&q.position) * r[0] + c[1]).sum() }
    pub fn a28(p: &Data, q: &Pose) -> f64 { p.inertia.column_iter().enumerate().map(|(i, c)| (c * q.position[i]).norm_squared()).sum() }
    pub fn a29(p: &Data, q: &Pose) -> f64 { let a: [f64; 4] = std::array::from_fn(|i| if i < 3 { q.position[i] } else { q.position.z }); a.iter().last().unwrap() * a.first().unwrap() + a.get(2).copied().unwrap_or(0.0) }
    pub fn a30(p: &Data, q: &Pose) -> f64 { [1, 2, 3, 4].iter().rev().skip(1).step_by(2).fold(q.position.z, |a, n| a * *n as f64 + 1.0) }
    pub fn a33(p: &Data, q: &Pose) -> f64 { let best = [3.0, 1.0, 2.0].iter().copied().enumerate().reduce(|a, b| if b.1 > a.1 { b } else { a }).unwrap(); best.1 * q.position.z + best.0 as f64 }
    pub fn a34(p: &Data, q: &Pose) -> f64 { let v = q.position.iter().copied().reduce(|a, b| if b > a { b } else { a }).unwrap(); v * v }
    pub fn a35(p: &Data, q: &Pose) -> f64 { (0..3).map(|i| (i..3).map(|j| q.position[i] * q.position[j]).sum::<f64>()).product::<f64>() }
    pub fn a36(p: &Data, q: &Pose) -> f64 { (0..3).rev().zip((0..3).rev().skip(1)).map(|(a, b)| q.position[a] - 2.0 * q.position[b]).sum() }
    pub fn a37(p: &Data, q: &Pose) -> f64 { let c = q.position.iter().filter(|_| true).count(); c as f64 * q.position.z + q.position.iter().nth(1).unwrap() }
    pub fn a38(p: &Data, q: &Pose) -> f64 { [q.position.z].into_iter().chain([2.0; 2]).chain(q.position.iter().copied()).enumerate().map(|(i, x)| x / (i + 1) as f64).sum() }
    // Patterns.
    pub fn a41(p: &Data, q: &Pose) -> f64 { match (q.position.z, (p.k > 1.0)) { (x, true) if x > 0.5 => x, (x, _) if x < -0.5 => -x * 2.0, (_, f) => if f { q.position.x } else { 0.0 } } }
    pub fn a42(p: &Data, q: &Pose) -> f64 { match q.position.z { x @ (-0.5..=0.5) => x * 10.0, x if x.abs() > 1.5 => 1.0, ..0.0 => -1.0, _ => q.position.x } }
    pub fn a43(p: &Data, q: &Pose) -> f64 { match q.position.z { ..-1.0 | 1.0.. => q.position.x, -0.25..0.25 => q.position.y, x => x } }
    pub fn a44(p: &Data, q: &Pose) -> f64 { let t = (q.position, [q.position.z, 2.0], (1, true)); let (v, [a, b], (n, f)) = t; match n { 0 => 0.0, 1 if !f => 3.0, 1 | 2 => v.x * a + b, _ => 9.0 } }
    pub fn a45(p: &Data, q: &Pose) -> f64 { match &p.lengths[..] { [a, rest @ ..] if rest.len() == 2 => a * rest[1] * q.position.z, _ => 0.0 } }
    pub fn a46(p: &Data, q: &Pose) -> f64 { match [q.position.z, q.position.x, 3.0] { [a, .., b] if a > 0.0 => a * b, [_, m, _] => m } }
    pub fn a47(p: &Data, q: &Pose) -> f64 { let n: usize = 7; (match n { 0..=3 => 1.0, 4..7 => 2.0, m @ 7.. => m as f64 }) * q.position.z }
    pub fn a48(p: &Data, q: &Pose) -> f64 { if let [a, b, _] = p.lengths { if a > 0.0 && q.position.z > 0.2 { a * q.position.z } else { b } } else { q.position.x } }
    pub fn a49(p: &Data, q: &Pose) -> f64 { let o = if p.lengths.len() > 2 { Some((q.position.z, 1)) } else { None }; match o { Some((x, n)) if x > 0.0 => x * n as f64, Some((x, _)) => x * 5.0, None => 0.0 } }
    pub fn a50(p: &Data, q: &Pose) -> f64 { let &[a, ref b, c] = &p.lengths; a * b * c * q.position.z }
    // Slices.
    pub fn a51(p: &Data, q: &Pose) -> f64 { let a = [q.position.z, 1.0, q.position.x, 2.0, 3.0]; let b = &a[1..4]; let c = &b[..2]; c[1] * b[2] + a[3..].iter().sum::<f64>() * b.len() as f64 + b.first().unwrap() }
    fn tail(a: &[f64]) -> f64 { match a { [] => 0.0, [x] => *x, [x, y, rest @ ..] => x * y + rest.iter().sum::<f64>() } }
    pub fn a53(p: &Data, q: &Pose) -> f64 { let a = [q.position.z, 1.5, q.position.x, 2.0]; tail(&a) + 2.0 * tail(&a[3..]) + 3.0 * tail(&a[4..]) + tail(&a[..2]) }
    fn scaled(a: &mut [f64], s: f64) { for x in a.iter_mut() { *x *= s; } if let Some(x) = a.first_mut() { *x += 1.0; } }
    // Structs with tuples, arrays and methods that are no parameters.
    #[derive(Clone, Copy)] pub struct Span { pub low: (f64, f64), pub high: (f64, f64), pub n: [usize; 2] }
    impl Span { pub fn area(&self) -> f64 { (self.high.0 - self.low.0) * (self.high.1 - self.low.1) } pub fn unit() -> Self { Self { low: (0.0, 0.0), high: (1.0, 1.0), n: [1, 2] } } const EDGE: f64 = 0.3; }
    pub fn a55(p: &Data, q: &Pose) -> f64 { let mut b = Span { low: (0.1, q.position.z), ..Span::unit() }; b.high.1 = q.position.x; b.n[1] += 3; b.area() * b.n[1] as f64 + Span::EDGE }
    pub fn a56(p: &Data, q: &Pose) -> f64 { let all = [Span::unit(), Span { low: (q.position.z, 0.0), high: (2.0, q.position.y), n: [0, 1] }]; all.iter().map(Span::area).sum::<f64>() + all.iter().map(|Span { low: (a, _), n: [_, m], .. }| a * *m as f64).sum::<f64>() }
    struct Wrap(Span, Option<f64>);
    pub fn a57(p: &Data, q: &Pose) -> f64 { let w = Wrap(Span::unit(), Some(q.position.z)); let Wrap(b, o) = w; b.area() * o.unwrap_or(3.0) + if let Wrap(_, Some(x)) = Wrap(b, None) { x } else { b.high.0 } }
    // Constants of constants.
    const A: f64 = 2.0 * B; const B: f64 = C[1] + 0.25; const C: [f64; 2] = [0.5, f64::EPSILON * 0.0 + 1.5]; const D: Vector3<f64> = Vector3::new(0.25, 0.0, 1.0);
    const N: usize = M + 1; const M: usize = C.len(); const WIDE: [[f64; N]; M] = [[1.0, 2.0, 3.0], [A, B, 0.0]];
    pub fn a58(p: &Data, q: &Pose) -> f64 { WIDE[1].iter().zip(WIDE[0]).map(|(a, b)| a * b * q.position.z).sum::<f64>() + N as f64 * D.z }
    pub fn a59(p: &Data, q: &Pose) -> f64 { const K: f64 = A * 2.0; let x = { const K: f64 = B; K * q.position.z }; x + K }
    const fn pick(i: usize) -> f64 { if i == 0 { 1.25 } else { 4.5 } } const PICKED: f64 = pick(1);
    pub fn a60(p: &Data, q: &Pose) -> f64 { PICKED * q.position.z + pick(0) * q.position.x }
    mod inner { pub const DEEP: f64 = super::A * HIDDEN; const HIDDEN: f64 = 0.5; pub const COUNT: i32 = 200; pub fn twice(x: f64) -> f64 { x * FACTOR } const FACTOR: f64 = 2.0; pub mod more { pub fn thrice(x: f64) -> f64 { super::twice(x) + x } } }
    pub fn a61(p: &Data, q: &Pose) -> f64 { inner::DEEP * inner::twice(q.position.z) + inner::more::thrice(q.position.x) + inner::COUNT as f64 }
    // Aliases with arguments, enums with methods, arrays that become matrices.
    type Triple<T> = Vector3<T>; type Wide<const W: usize> = SVector<f64, W>;
    fn tripled(x: Triple<f64>) -> Triple<f64> { Triple::new(x.x, 2.0, x.z) }
    #[derive(Clone, Copy, PartialEq)] enum Mode { Soft, Hard }
    impl Mode { fn is_hard(self) -> bool { self == Mode::Hard } fn number(&self) -> usize { match self { Mode::Soft => 1, Mode::Hard => 4 } } }
    pub fn with_modes(p: &Data, q: &Pose) -> f64 { [Mode::Hard, Mode::Soft].iter().map(|m| if m.is_hard() { q.position.x } else { m.number() as f64 }).sum::<f64>() * Mode::Hard.number() as f64 }
    pub fn becomes_a_matrix(p: &Data, q: &Pose) -> f64 { let m: Matrix2<f64> = [[q.position.x, 1.0], [2.0, q.position.y]].into(); let v: Vector3<f64> = [q.position.z, 1.0, 2.0].into(); m.len() as f64 + m[(0, 1)] * 10.0 + m[1] + (m * m).trace() + v.norm_squared() }
}
