//! Constructs that are easily misread: empty ranges, order of evaluation, shadowing, labels,
//! copies and references, patterns, functions as values.

super::family! { body:
    doubt_0 doubt_1 doubt_2 doubt_3 doubt_4 doubt_6    doubt_10
    doubt_14 doubt_19 doubt_20 doubt_21 doubt_22 doubt_23 doubt_24
    doubt_26 doubt_27 doubt_28 doubt_33 doubt_34 doubt_35 doubt_36
    doubt_38 doubt_39 doubt_40 doubt_41 doubt_42 doubt_43 doubt_45 doubt_46 doubt_47
    doubt_49 doubt_50 doubt_51 doubt_52 doubt_53 doubt_54 doubt_55 doubt_56 doubt_57 doubt_58
    doubt_62 doubt_63;

    pub fn doubt_0(p: &Data, q: &Pose) -> f64 { let f: fn(f64, f64) -> f64 = f64::max; f(q.position.x, 0.1) }
    pub fn twice_of_1<T: std::ops::Add<Output = T> + Copy>(x: T) -> T { x + x }
    pub fn doubt_1(p: &Data, q: &Pose) -> f64 { twice_of_1(q.position.x) + twice_of_1(q.position).y }
    pub fn make_of_2(k: f64) -> impl Fn(f64) -> f64 { move |x| k * x }
    pub fn doubt_2(p: &Data, q: &Pose) -> f64 { make_of_2(2.0)(q.position.x) + make_of_2(q.position.y)(0.3) }
    pub fn doubt_3(p: &Data, q: &Pose) -> f64 { let Some(x) = p.lengths.get(1) else { return 0.0 }; x * q.position.x }
    pub fn doubt_4(p: &Data, q: &Pose) -> f64 { let Some(x) = p.lengths.get(9) else { return q.position.z }; x * q.position.x }
    pub const fn cube_of_6(n: usize) -> usize { n * n * n } const C_6: usize = cube_of_6(2);
    pub fn doubt_6(p: &Data, q: &Pose) -> f64 { q.position.x * C_6 as f64 }
    pub fn doubt_10(p: &Data, q: &Pose) -> f64 { q.position.x * ((-1.5_f64) as i32) as f64 }
    pub fn doubt_14(p: &Data, q: &Pose) -> f64 { q.position.x * (-7_i32).div_euclid(2) as f64 }
    pub fn doubt_19(p: &Data, q: &Pose) -> f64 { q.position.x * 1.0_f64.atan2(-0.0) }
    pub fn doubt_20(p: &Data, q: &Pose) -> f64 { let mut s = 0.0; for i in 5..2 { s += q.position[i]; } s + q.position.y }
    pub fn doubt_21(p: &Data, q: &Pose) -> f64 { let mut s = 0.0; for i in 2..=1 { s += q.position[i]; } s + q.position.y }
    pub fn doubt_22(p: &Data, q: &Pose) -> f64 { (0..10).step_by(3).rev().map(|i| i as f64).fold(0.0, |a, b| 0.5 * a - b) * q.position.x }
    pub fn doubt_23(p: &Data, q: &Pose) -> f64 { (0..=5).rev().step_by(2).map(|i| i as f64).fold(0.0, |a, b| 0.5 * a - b) * q.position.x }
    pub fn doubt_24(p: &Data, q: &Pose) -> f64 { let a = [q.position.x, 2.0, 3.0]; a[1..1].len() as f64 + a[..0].len() as f64 + a[2..][0] * a[..=1][1] * a[0] }
    pub fn doubt_26(p: &Data, q: &Pose) -> f64 { let q = q.position; q.x * 2.0 }
    const SCALE_27: f64 = 3.0;
    pub fn doubt_27(p: &Data, q: &Pose) -> f64 { let scale = SCALE_27; { const SCALE_27: f64 = 5.0; scale * SCALE_27 * q.position.x } }
    pub fn height_of_of_28(x: f64) -> f64 { 2.0 * x }
    pub fn doubt_28(p: &Data, q: &Pose) -> f64 { let height_of_of_28 = |x: f64| 3.0 * x; height_of_of_28(q.position.x) }
    pub fn doubt_33(p: &Data, q: &Pose) -> f64 { let s = q.position.x; let f = move |x: f64| x * s; let s = 10.0; f(2.0) + s }
    pub fn doubt_34(p: &Data, q: &Pose) -> f64 { let mut t = (q.position.x, [1.0, 2.0]); let u = t; t.1[0] = 7.0; u.1[0] * u.0 + t.1[0] }
    pub fn doubt_35(p: &Data, q: &Pose) -> f64 { let mut n = 0; let a = [q.position.x, q.position.y, q.position.z]; let r = a[n] * { n += 1; a[n] } - { n += 1; a[n] }; r }
    pub fn doubt_36(p: &Data, q: &Pose) -> f64 { let mut a = [1.0, 2.0, 3.0]; let mut i = 0; a[{ i += 1; i }] = { i += 1; q.position[i] }; a[1] * a[2] + i as f64 }
    pub fn doubt_38(p: &Data, q: &Pose) -> f64 { let (mut a, mut b) = (q.position.x, q.position.y); (a, b) = (b, a + b); (b, a) = (a * 2.0, b - 1.0); a * b }
    pub fn doubt_39(p: &Data, q: &Pose) -> f64 { let ref x = q.position.x; *x * 2.0 }
    pub fn doubt_40(p: &Data, q: &Pose) -> f64 { match q.position.x { x @ 0.0..=1.0 => x, x => x * 2.0 } }
    pub fn doubt_41(p: &Data, q: &Pose) -> f64 { match q.position.x { 0.0..1.0 => 1.0, _ => q.position.x } }
    pub fn doubt_42(p: &Data, q: &Pose) -> f64 { match q.position.x { ..=0.0 => 0.0, x => x } }
    pub fn doubt_43(p: &Data, q: &Pose) -> f64 { match &[1.0, q.position.x][..] { [] => 0.0, [x] => *x, [x, y] => x + y, [_, .., z] => *z } }
    pub fn doubt_45(p: &Data, q: &Pose) -> f64 { if (q.position.x < q.position.y) == (q.position.y < q.position.z) { q.position.x } else { 1.0 } }
    pub fn doubt_46(p: &Data, q: &Pose) -> f64 { p.lengths.iter().enumerate().rev().map(|(i, x)| i as f64 * x).fold(0.0, |a, b| 0.3 * a + b) * q.position.x }
    pub fn doubt_47(p: &Data, q: &Pose) -> f64 { p.lengths.windows(4).map(|c| c[0]).sum::<f64>() + q.position.x }
    pub fn doubt_49(p: &Data, q: &Pose) -> f64 { -5.3_f64 % 2.0 * q.position.x }
    pub fn doubt_50(p: &Data, q: &Pose) -> f64 { (q.position.x * 5.0).rem_euclid(-0.7) }
    pub fn doubt_51(p: &Data, q: &Pose) -> f64 { (q.position.x * 5.0).div_euclid(-0.7) }
    pub fn doubt_52(p: &Data, q: &Pose) -> f64 { (q.position.x * q.position.x + 0.1).powf(-0.5) }
    pub fn doubt_53(p: &Data, q: &Pose) -> f64 { p.inertia[4] * q.position.x + p.inertia[1] * q.position.y + p.inertia[3] }
    pub fn doubt_54(p: &Data, q: &Pose) -> f64 { p.inertia.iter().enumerate().map(|(i, x)| i as f64 * x).sum::<f64>() * q.position.x }
    pub fn doubt_55(p: &Data, q: &Pose) -> f64 { (q.position.transpose() * p.inertia * q.position).x }
    pub fn doubt_56(p: &Data, q: &Pose) -> f64 { Vector3::repeat(q.position.x).sum() }
    pub fn doubt_57(p: &Data, q: &Pose) -> f64 { Matrix3::from_fn(|i, j| (i * 3 + j) as f64 * q.position.x)[(1, 2)] }
    pub fn doubt_58(p: &Data, q: &Pose) -> f64 { let mut a = [q.position.x, 2.0, 3.0]; a.reverse(); a[0] * a[2] }
    pub fn apply_of_61(mut f: impl FnMut(f64), x: f64) { f(x); f(2.0 * x); }
    pub fn poly_of_62<const N: usize>(c: &[f64; N], x: f64) -> f64 { let mut s = 0.0; for i in (0..N).rev() { s = s * x + c[i]; } s }
    pub fn doubt_62(p: &Data, q: &Pose) -> f64 { poly_of_62(&[1.0, 2.0, 3.0], q.position.x) }
    pub fn first_of_63<'a>(a: &'a [f64], _b: &[f64]) -> &'a f64 { &a[0] }
    pub fn doubt_63(p: &Data, q: &Pose) -> f64 { *first_of_63(&[q.position.x], &[1.0]) }
    pub fn pick_of_64(a: &mut [f64; 2], i: usize) -> &mut f64 { &mut a[i] }
}
