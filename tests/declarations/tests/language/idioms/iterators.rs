//! Iterators over arrays, vectors and ranges.

super::family! { body:
    summed zipped enumerated mapped_range folded folded_max reversed stepped skipped taken chained windows product
    flat_mapped filtered_indices any_all collected positions vector_sum copied_pairs matrix_iter
    sum_of_vectors nested_sum;

    pub fn summed(p: &Data, q: &Pose) -> f64 { p.lengths.iter().sum::<f64>() * q.position.x + q.position.iter().sum::<f64>() }
    pub fn zipped(p: &Data, q: &Pose) -> f64 { p.lengths.iter().zip(q.position.iter()).map(|(l, x)| l * x * x).sum() }
    pub fn enumerated(p: &Data, q: &Pose) -> f64 {
        let mut s = 0.0;
        for (i, l) in p.lengths.iter().enumerate() { s += l * q.position[i] * (i as f64 + 1.0); }
        s
    }
    pub fn mapped_range(_: &Data, q: &Pose) -> f64 { (0..3).map(|i| q.position[i] * q.position[i]).sum::<f64>() }
    pub fn folded(_: &Data, q: &Pose) -> f64 { q.position.iter().fold(1.0, |a, x| a * 0.5 + x * x) }
    pub fn folded_max(p: &Data, q: &Pose) -> f64 {
        let largest = q.position.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let least = p.lengths.iter().cloned().fold(f64::INFINITY, f64::min);
        largest * least + q.position.iter().fold(0.0_f64, |m, x| m.max(x.abs()))
    }
    pub fn reversed(p: &Data, q: &Pose) -> f64 { p.lengths.iter().rev().fold(0.0, |a, l| a * q.position.x + l) }
    pub fn stepped(_: &Data, q: &Pose) -> f64 { (0..10).step_by(3).map(|i| i as f64 * q.position.x).sum::<f64>() }
    pub fn skipped(p: &Data, q: &Pose) -> f64 { p.lengths.iter().skip(1).map(|l| l * q.position.y).sum::<f64>() }
    pub fn taken(p: &Data, q: &Pose) -> f64 { p.lengths.iter().take(2).map(|l| l * q.position.y).product::<f64>() }
    pub fn chained(p: &Data, q: &Pose) -> f64 { p.lengths.iter().chain([4.0, 5.0].iter()).map(|l| l * q.position.x).sum() }
    pub fn windows(p: &Data, q: &Pose) -> f64 { p.lengths.windows(2).map(|w| (w[1] - w[0]) * q.position.x).sum::<f64>() }
    pub fn product(_: &Data, q: &Pose) -> f64 { q.position.iter().map(|x| 1.0 + x * x).product() }
    pub fn flat_mapped(_: &Data, q: &Pose) -> f64 {
        (0..3).flat_map(|i| (0..i).map(move |j| (i, j))).map(|(i, j)| q.position[i] * q.position[j]).sum()
    }
    pub fn filtered_indices(_: &Data, q: &Pose) -> f64 { (0..3).filter(|i| i % 2 == 0).map(|i| q.position[i]).sum::<f64>() }
    pub fn any_all(_: &Data, q: &Pose) -> f64 {
        let inside = q.position.iter().all(|x| x.abs() < 1.0);
        let out = q.position.iter().any(|x| *x > 0.8);
        (if inside { q.position.x } else { q.position.y }) + if out { 1.0 } else { q.position.z }
    }
    pub fn collected(p: &Data, q: &Pose) -> f64 { let a: Vec<f64> = p.lengths.iter().map(|l| l * q.position.x).collect(); a[0] * a[2] + a.len() as f64 }
    pub fn positions(p: &Data, q: &Pose) -> f64 { let i = [4, 7, 9].iter().position(|n| *n == 7).unwrap(); q.position[i] * p.lengths[i] }
    pub fn vector_sum(p: &Data, q: &Pose) -> f64 { p.points.iter().map(|x| (q.attitude * x + q.position).z).sum() }
    pub fn copied_pairs(_: &Data, q: &Pose) -> f64 {
        let mut e = 0.0;
        for &(i, j, k) in [(0, 1, 2.0), (1, 2, 0.5)].iter() { e += k * (q.position[i] - q.position[j]).powi(2); }
        e
    }
    pub fn matrix_iter(p: &Data, q: &Pose) -> f64 {
        let mut s = 0.0;
        for (k, m) in p.inertia.iter().enumerate() { s += k as f64 * m * q.position.x; }
        for r in p.inertia.row_iter() { s += r[0] * q.position.y; }
        s
    }
    pub fn sum_of_vectors(p: &Data, q: &Pose) -> f64 {
        let total: Vector3<f64> = p.points.iter().map(|x| q.attitude * x).sum();
        total.dot(&q.position)
    }
    pub fn nested_sum(_: &Data, q: &Pose) -> f64 { (0..3).map(|i| (0..=i).map(|j| q.position[j]).sum::<f64>() * (i + 1) as f64).sum() }
}
