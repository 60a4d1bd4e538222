//! Whole numbers: indices, counts, casts.

super::family! { body:
    divided modulo parity   powers_of_two factorial compared from_bool typed annotated
    count_down sum_of_squares as_chain euclidean difference long multiples;

    const COUNT: usize = 4;

    pub fn divided(_: &Data, q: &Pose) -> f64 { let n = 7 / 2; n as f64 * q.position.x + (-7 / 2) as f64 }
    pub fn modulo(_: &Data, q: &Pose) -> f64 { let mut s = 0.0; for i in 0..5 { s += q.position[i % 3] * (i as f64); } s + (-7 % 3) as f64 }
    pub fn parity(_: &Data, q: &Pose) -> f64 {
        let mut s = 0.0;
        for i in 0..COUNT { let sign = if i % 2 == 0 { 1.0 } else { -1.0 }; s += sign * q.position.x.powi(i as i32); }
        s
    }
    pub fn powers_of_two(_: &Data, q: &Pose) -> f64 { let mut s = 0.0; for i in 0..4_u32 { s += 2_i32.pow(i) as f64 * q.position.x; } s }
    pub fn factorial(_: &Data, q: &Pose) -> f64 {
        let mut term = 1.0;
        let mut sum = 1.0;
        for n in 1..=6 { term *= q.position.x / n as f64; sum += term; }
        sum
    }
    pub fn compared(_: &Data, q: &Pose) -> f64 { let n = 3; if n > 2 && n != 4 { q.position.x } else { q.position.y } }
    pub fn from_bool(p: &Data, q: &Pose) -> f64 { f64::from(3_u32) * q.position.x + f64::from(COUNT as u32) + f64::from(2 > 1) }
    pub fn typed(_: &Data, q: &Pose) -> f64 { let n: u32 = 250; let m: i64 = 5; (n as i64 + m + 10) as f64 * q.position.x }
    pub fn take(n: i32) -> f64 { (n - 9) as f64 }
    pub fn annotated(_: &Data, q: &Pose) -> f64 { take(513) * q.position.x + take(7) }
    pub fn count_down(_: &Data, q: &Pose) -> f64 { let mut s = 0.0; for i in (0..3).rev() { s = s * 2.0 + q.position[i]; } s }
    pub fn sum_of_squares(_: &Data, q: &Pose) -> f64 { let n: usize = (1..=4).map(|i| i * i).sum(); n as f64 * q.position.x }
    pub fn as_chain(_: &Data, q: &Pose) -> f64 { (3.99_f64 as i32) as f64 * q.position.x + (-2.7_f64 as i64) as f64 }
    pub fn euclidean(_: &Data, q: &Pose) -> f64 { (-7_i32).rem_euclid(3) as f64 * q.position.x + (-7_i32).div_euclid(3) as f64 }
    pub fn difference(_: &Data, q: &Pose) -> f64 {
        let mut s = 0.0;
        for i in 0..3_i32 { for j in 0..3_i32 { s += (i - j).abs() as f64 * q.position[i as usize] * q.position[j as usize]; } }
        s
    }
    pub fn long(_: &Data, q: &Pose) -> f64 { 2_000_000_000_u64 as f64 * 1e-9 * q.position.x + i32::pow(3, 4) as f64 }
    pub fn multiples(_: &Data, q: &Pose) -> f64 { let mut s = 0.0; for i in 0..6_usize { if i.is_multiple_of(3) { s += q.position[i / 3]; } } s }
}
