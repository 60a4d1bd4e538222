//! Loops and their exits.

super::family! { body:
    ranged inclusive over_array over_references nested breaks continues continues_on_state returns newton while_known
    loop_value accumulates_vector shadowed triangular over_vec over_tuple_array over_vector
    break_then_assign;

    pub fn ranged(_: &Data, q: &Pose) -> f64 { let mut s = 0.0; for i in 0..3 { s += q.position[i] * i as f64; } s }
    pub fn inclusive(_: &Data, q: &Pose) -> f64 { let mut s = 0.0; for n in 1..=4 { s += q.position.x.powi(n); } s }
    pub fn over_array(p: &Data, q: &Pose) -> f64 { let mut s = 0.0; for l in p.lengths { s += l * q.position.x; } s }
    pub fn over_references(p: &Data, q: &Pose) -> f64 { let mut s = 0.0; for x in &p.points { s += x.dot(&q.position); } s }
    pub fn nested(p: &Data, q: &Pose) -> f64 {
        let mut s = 0.0;
        for i in 0..3 { for j in i + 1..3 { s += p.lengths[i] * (q.position[i] - q.position[j]).powi(2); } }
        s
    }
    pub fn breaks(_: &Data, q: &Pose) -> f64 { let mut s = 0.0; for i in 0..10 { if i == 2 { break; } s += q.position[i]; } s }
    pub fn continues(_: &Data, q: &Pose) -> f64 { let mut s = 0.0; for i in 0..3 { if i == 1 { continue; } s += q.position[i]; } s }
    pub fn continues_on_state(_: &Data, q: &Pose) -> f64 {
        let mut s = 0.5;
        for i in 0..3 {
            let x = q.position[i];
            if x < 0.0 { continue; }
            let y = x * x;
            if y > 1.0 { s *= 2.0; continue; }
            s += y;
        }
        s
    }
    pub fn returns(p: &Data, q: &Pose) -> f64 {
        for i in 0..3 { if q.position[i] > 0.2 { return q.position[i] * p.lengths[i]; } }
        q.position.x
    }
    pub fn newton(_: &Data, q: &Pose) -> f64 {
        let c = 1.0 + q.position.x * q.position.x;
        let mut x = 1.0;
        for _ in 0..40 {
            let d = (x * x - c) / (2.0 * x);
            if d.abs() < 1e-14 { break; }
            x -= d;
        }
        x
    }
    pub fn while_known(_: &Data, q: &Pose) -> f64 { let mut i = 0; let mut s = 0.0; while i < 3 { s += q.position[i]; i += 1; } s }
    pub fn loop_value(_: &Data, q: &Pose) -> f64 { let mut n = 1; let m = loop { n *= 2; if n > 20 { break n; } }; m as f64 * q.position.x }
    pub fn accumulates_vector(p: &Data, q: &Pose) -> f64 {
        let mut total = Vector3::zeros();
        for x in p.points.iter() { total += q.attitude * x; }
        total.norm_squared()
    }
    pub fn shadowed(_: &Data, q: &Pose) -> f64 { let x = q.position.x; for _ in 0..2 { let x = x * 2.0; let _ = x; } let x = x + 1.0; { let x = 3.0; let _y = x; } x }
    pub fn triangular(_: &Data, q: &Pose) -> f64 { let mut s = 0.0; for i in 0..3usize { for j in 0..i { s += q.position[i] * q.position[j]; } } s }
    pub fn over_vec(_: &Data, q: &Pose) -> f64 { let mut v = Vec::new(); for i in 0..3 { v.push(q.position[i] * 2.0); } let mut s = 0.0; for x in &v { s += x * x; } s }
    pub fn over_tuple_array(_: &Data, q: &Pose) -> f64 { let mut s = 0.0; for (x, w) in [(q.position.x, 1.0), (q.position.y, 2.0)] { s += w * x * x; } s }
    pub fn over_vector(_: &Data, q: &Pose) -> f64 { let mut s = 0.0; for x in q.position.iter() { s += x.sin(); } s }
    pub fn break_then_assign(_: &Data, q: &Pose) -> f64 {
        let mut last = 0.0;
        for i in 0..3 {
            last = q.position[i];
            if last > 0.3 { break; }
        }
        let mut after = last * 2.0;
        after += 1.0;
        after * q.position.x
    }
}
