//! Common constructs: slices and windows, options, small structs and enums, sums of all kinds.

super::family! { body:
    enumerate_skip zip_sum arrays_apart closures_within counted_while option_maps
    tuple_structs slices_handed reduced fused powers_cast chebyshev multiplied
    each_of doubled_blocks plane_turn two_conditions ranged_match let_or_else horner
    functions_as_values modes axes_chosen vector_sums sums_by_lines as_scalar symmetrical kept_large repeated
    bodies_weighed macros_of_the_prelude;

    pub fn enumerate_skip(p: &Data, q: &Pose) -> f64 {
        let mut s = 0.0;
        for (i, x) in p.lengths.iter().enumerate().skip(1) { s += i as f64 * x * q.position[i]; }
        s
    }
    pub fn zip_sum(p: &Data, q: &Pose) -> f64 { p.lengths.iter().zip(q.position.iter()).map(|(x, y)| x * y * y).sum::<f64>() }
    pub fn arrays_apart(p: &Data, q: &Pose) -> f64 {
        let [a, b, _] = p.lengths;
        let [x, y, z]: [f64; 3] = q.position.into();
        a * x + b * y * z
    }
    pub fn closures_within(_: &Data, q: &Pose) -> f64 {
        let outer = |a: f64| { let inner = |b: f64| a * b + q.position.y; inner(a) + inner(2.0) };
        outer(q.position.x)
    }
    pub fn counted_while(p: &Data, q: &Pose) -> f64 {
        let (mut i, mut s) = (0, 0.0);
        while i < p.lengths.len() { s += p.lengths[i] * q.position[i].sin(); i += 1; }
        s
    }
    pub fn option_maps(_: &Data, q: &Pose) -> f64 {
        let a = [1.0, 2.0, 3.0];
        a.get(1).map(|x| x * q.position.x).unwrap_or(0.0)
            + a.get(7).map_or(q.position.z, |x| x * 2.0)
            + a.iter().position(|x| *x > 1.5).map_or(0.0, |i| i as f64 * q.position.y)
    }
    #[derive(Clone, Copy)]
    struct Span(f64, f64);
    fn extent(s: Span) -> f64 { s.1 - s.0 }
    pub fn tuple_structs(_: &Data, q: &Pose) -> f64 {
        let Span(a, b) = Span(q.position.x, 2.0);
        let s = Span(a * b, b);
        extent(s) * s.0
    }
    fn sum_of(a: &[f64]) -> f64 { a.iter().sum() }
    pub fn slices_handed(p: &Data, q: &Pose) -> f64 {
        sum_of(&p.lengths[1..]) * q.position.x + sum_of(&p.lengths[..2]) + sum_of(&[q.position.y, q.position.x, 1.0][..=1])
    }
    pub fn reduced(_: &Data, q: &Pose) -> f64 {
        q.position.iter().copied().reduce(f64::min).unwrap() + q.position.iter().fold(f64::NEG_INFINITY, |a, b| a.max(*b))
    }
    pub fn fused(_: &Data, q: &Pose) -> f64 {
        f64::hypot(q.position.x, q.position.y + 3.0) + q.position.x.mul_add(2.0, q.position.y) + f64::mul_add(q.position.z, q.position.z, 1.0)
    }
    pub fn powers_cast(_: &Data, q: &Pose) -> f64 { (0..4).map(|n| q.position.x.powi(n as i32) / (n + 1) as f64).sum() }
    pub fn chebyshev(_: &Data, q: &Pose) -> f64 {
        let (mut before, mut now) = (1.0, q.position.x);
        for _ in 1..4 { (before, now) = (now, 2.0 * q.position.x * now - before); }
        now + (1..=3).map(f64::from).map(|k| (k * q.position.y).sin()).sum::<f64>()
    }
    pub fn multiplied(p: &Data, q: &Pose) -> f64 {
        q.position.component_mul(&p.points[0]).sum()
            + (q.position * q.position.transpose()).trace()
    }
    pub fn each_of(p: &Data, q: &Pose) -> f64 {
        let a = p.lengths.map(|l| l * q.position.x);
        let b = a.each_ref().map(|x| x.sin());
        a[0] + b[1] + a.iter().rev().take(2).product::<f64>()
    }
    pub fn doubled_blocks(_: &Data, q: &Pose) -> f64 {
        let x = q.position;
        let x = { let y = x * 2.0; y - x * 0.5 };
        let x = x.norm_squared();
        x
    }
    pub fn plane_turn(_: &Data, q: &Pose) -> f64 {
        let (s, c) = q.wheel.angle().sin_cos();
        let m = Matrix2::new(c, -s, s, c);
        (m * Vector2::new(1.0, q.position.x)).x
    }
    pub fn two_conditions(p: &Data, q: &Pose) -> f64 {
        match (q.position.x > 0.0, p.k > 1.0) {
            (true, true) => q.position.y,
            (true, _) => 2.0 * q.position.y,
            _ => q.position.x,
        }
    }
    pub fn ranged_match(_: &Data, q: &Pose) -> f64 {
        match q.position.x { x if x < 0.0 => -x, 0.0..1.0 => q.position.x * q.position.x, x => x }
    }
    pub fn let_or_else(p: &Data, q: &Pose) -> f64 {
        let Some(x) = p.lengths.get(1) else { return 0.0 };
        let Some(_) = p.lengths.get(9) else { return x * q.position.x };
        1.0
    }
    fn polynomial<const N: usize>(c: [f64; N], x: f64) -> f64 { c.iter().rev().fold(0.0, |a, c| a * x + c) }
    pub fn horner(p: &Data, q: &Pose) -> f64 { polynomial([1.0, 2.0, p.k], q.position.x) + polynomial::<2>([0.5, 1.0], q.position.y) }
    fn twice<F: Fn(f64) -> f64>(f: F, x: f64) -> f64 { f(f(x)) }
    fn once(f: fn(f64) -> f64, x: f64) -> f64 { f(x) }
    pub fn functions_as_values(p: &Data, q: &Pose) -> f64 { twice(|x| x * p.k, q.position.x) + once(f64::sin, q.position.y) }
    #[derive(Clone, Copy, PartialEq)]
    enum Mode { Linear, Cubic }
    const MODE: Mode = Mode::Cubic;
    pub fn modes(_: &Data, q: &Pose) -> f64 {
        let other = if MODE == Mode::Linear { 1.0 } else { 2.0 };
        other * match MODE { Mode::Linear => q.position.x, Mode::Cubic => q.position.x.powi(3) }
    }
    #[derive(Clone, Copy, PartialEq)]
    enum Axis { None, X, Y }
    fn along(a: Axis, v: &Vector3<f64>) -> f64 { match a { Axis::None => 0.5, Axis::X => v.x, Axis::Y => v.y } }
    pub fn axes_chosen(_: &Data, q: &Pose) -> f64 {
        [Axis::X, Axis::None, Axis::Y].into_iter().map(|a| along(a, &q.position)).product::<f64>() + along(Axis::Y, &q.position)
    }
    pub fn vector_sums(p: &Data, q: &Pose) -> f64 {
        p.points.iter().map(|x| q.attitude * *x).sum::<Vector3<f64>>().dot(&q.position)
            + p.points.iter().map(|x| q.attitude * x).fold(Vector3::zeros(), |a, b| a + b).x
    }
    pub fn sums_by_lines(p: &Data, q: &Pose) -> f64 {
        let m = Matrix3::from_fn(|i, j| p.inertia[(i, j)] * q.position[j]);
        m.column_sum().x + m.row_sum()[1] * m.column_sum().z
    }
    pub fn as_scalar(p: &Data, q: &Pose) -> f64 { (q.position.transpose() * p.inertia * q.position).to_scalar() }
    pub fn symmetrical(p: &Data, q: &Pose) -> f64 {
        let s = p.inertia + Matrix3::from_columns(&[q.position, p.points[0], p.points[1]]);
        (s.symmetric_part() * q.position).dot(&q.position)
    }
    pub fn kept_large(_: &Data, q: &Pose) -> f64 {
        let v: Vec<f64> = (0..5).map(|i| i as f64).collect();
        let v: Vec<_> = v.into_iter().filter(|x| *x > 1.0).collect();
        v.iter().sum::<f64>() * q.position.x
    }
    pub fn repeated(_: &Data, q: &Pose) -> f64 { [q.position.x; 3].iter().map(|x| x * x).sum::<f64>() + [q.position.y; 2].iter().product::<f64>() }
    #[derive(Clone)]
    struct Mass { mass: f64, at: Vector3<f64> }
    pub fn bodies_weighed(p: &Data, q: &Pose) -> f64 {
        let all = [Mass { mass: 1.0, at: q.position }, Mass { mass: p.k, at: p.points[0] }];
        all.iter().map(|b| b.mass * b.at.z).sum::<f64>() / all.iter().map(|Mass { mass, .. }| mass).sum::<f64>()
    }
    pub fn macros_of_the_prelude(p: &Data, q: &Pose) -> f64 {
        (matrix![1.0, 2.0, p.k; 4.0, q.position.y, 6.0] * vector![q.position.x, 2.0, q.position.z]).norm_squared()
    }
    fn limited(x: &mut f64) { if *x > 0.5 { *x = 0.5; return; } *x *= 2.0; }
}
