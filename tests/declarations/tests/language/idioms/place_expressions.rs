//! Mutable references, assignments and the order of evaluation.

super::family! { body:
    mutable_parameter assigned_blocks moved_copies
    replaced conditional_write;

    #[derive(Clone, Copy)]
    pub struct Sum { total: f64, count: usize }

    pub fn add(e: &mut f64, x: f64) { *e += x * x; }
    pub fn add_twice(e: &mut f64, x: f64) { add(e, x); add(&mut *e, 2.0 * x); }
    pub fn push(s: &mut Sum, x: f64) { s.total += x; s.count += 1; }
    pub fn doubled(mut x: f64) -> f64 { x *= 2.0; x }
    pub fn mutable_parameter(_: &Data, q: &Pose) -> f64 { let x = q.position.x; doubled(x) + x }
    pub fn assigned_blocks(_: &Data, q: &Pose) -> f64 { let mut a = 0.0; let b = { a = q.position.x; a * 2.0 }; a + b }
    pub fn moved_copies(_: &Data, q: &Pose) -> f64 { let a = [q.position.x, 1.0]; let mut b = a; b[0] = 9.0; let v = q.position; let mut w = v; w.x = 0.0; a[0] + b[0] + v.x * 2.0 + w.x }
    pub fn replaced(_: &Data, q: &Pose) -> f64 { let mut v = Vector3::zeros(); v.copy_from(&q.position); v.fill(q.position.x); let mut a = [0.0; 2]; a.fill(q.position.y); v.sum() + a[1] }
    pub fn conditional_write(_: &Data, q: &Pose) -> f64 {
        let mut v = Vector3::new(1.0, 2.0, 3.0);
        let mut a = [0.0; 2];
        if q.position.x > 0.0 { v.x = q.position.y; a[1] = q.position.z; } else { a[0] = 1.0; }
        v.norm_squared() + a[0] * q.position.y + a[1]
    }
    pub fn shift(m: &mut Matrix2<f64>, x: f64) { m[(0, 1)] += x; m[(1, 0)] = x * x; *m *= 2.0; }
}
