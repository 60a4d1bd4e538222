//! Conditions, early returns, and values that depend on them.

super::family! { body:
    if_else chained no_else nested assigned early early_twice early_in_block lazy chosen_vector chosen_tuple
    chosen_rotation negated stored_condition tail_return piecewise clamped late_init;

    pub fn if_else(p: &Data, q: &Pose) -> f64 { if q.position.x > 0.2 { p.k * q.position.x } else { q.position.y } }
    pub fn chained(_: &Data, q: &Pose) -> f64 {
        let x = q.position.x;
        if x < -0.5 { x * x } else if x < 0.5 { 3.0 * x } else { x.powi(3) }
    }
    pub fn no_else(p: &Data, q: &Pose) -> f64 {
        let mut e = 0.5 * p.k * q.position.norm_squared();
        if q.position.z < 0.0 { e += 100.0 * q.position.z.powi(2); }
        if p.k > 1.0 { e += q.position.x; }
        e
    }
    pub fn nested(_: &Data, q: &Pose) -> f64 {
        let (x, y) = (q.position.x, q.position.y);
        if x > 0.0 { if y > 0.0 { x * y } else { x - y } } else if y > 0.3 { y * y } else { 1.0 }
    }
    pub fn assigned(_: &Data, q: &Pose) -> f64 {
        let mut a = q.position.x;
        let b;
        if a > 0.0 { a *= 2.0; b = a; } else { b = -a; }
        a * b + b
    }
    pub fn early(_: &Data, q: &Pose) -> f64 {
        if q.position.x < 0.0 { return 0.0; }
        q.position.x.powi(2)
    }
    pub fn early_twice(p: &Data, q: &Pose) -> f64 {
        let x = q.position.x;
        if x < -0.4 { return -x; }
        let y = q.position.y * p.k;
        if y > x { return x * y; }
        if x > 5.0 { return 7.0; }
        y - x
    }
    pub fn early_in_block(_: &Data, q: &Pose) -> f64 {
        let x = if q.position.x > 0.0 {
            if q.position.y > 0.0 { return q.position.z; }
            q.position.x
        } else {
            2.0
        };
        x * q.position.y
    }
    pub fn add_if_positive(sum: &mut f64, x: f64) {
        if x < 0.0 { return; }
        *sum += x * x;
    }
    pub fn lazy(_: &Data, q: &Pose) -> f64 {
        let a = [1.0, 2.0];
        let mut sum = 0.0;
        for i in 0..3 { if i < 2 && a[i] > 1.5 && q.position.x > 0.0 { sum += a[i] * q.position.x; } }
        let mut calls = 0.0;
        if q.position.y > 0.0 && { calls += q.position.z; q.position.x > 0.0 } { sum += 1.0; }
        sum + calls
    }
    pub fn chosen_vector(p: &Data, q: &Pose) -> f64 {
        let arm = if q.position.x > 0.0 { p.points[0] } else { q.attitude * p.points[1] };
        arm.dot(&q.position)
    }
    pub fn chosen_tuple(_: &Data, q: &Pose) -> f64 {
        let (a, b) = if q.position.x > 0.0 { (q.position.y, 1.0) } else { (2.0, q.position.z) };
        a * b
    }
    pub fn chosen_rotation(p: &Data, q: &Pose) -> f64 {
        let r = if q.position.x > 0.0 { q.attitude } else { q.attitude.inverse() };
        (r * p.points[0]).z
    }
    pub fn negated(_: &Data, q: &Pose) -> f64 { if !(q.position.x < 0.0) { q.position.x } else { -3.0 * q.position.x } }
    pub fn stored_condition(_: &Data, q: &Pose) -> f64 {
        let inside = q.position.norm_squared() < 1.0;
        let up: bool = q.position.z > 0.0;
        if inside == up { q.position.x } else { q.position.y * 2.0 }
    }
    pub fn tail_return(_: &Data, q: &Pose) -> f64 { return q.position.x * q.position.y; }
    pub fn piecewise(p: &Data, q: &Pose) -> f64 {
        let gap = q.position.z - 0.1;
        let contact = gap < 0.0;
        let force = match contact { true => p.k * gap * gap, false => 0.0 };
        force + q.position.x
    }
    pub fn clamped(p: &Data, q: &Pose) -> f64 {
        q.position.x.clamp(-0.5, 0.5) * p.k + q.position.y.max(0.0).powi(2) + q.position.z.min(0.3)
    }
    pub fn late_init(_: &Data, q: &Pose) -> f64 {
        let e: f64;
        if q.position.x > 0.0 { e = q.position.x; } else { e = q.position.y * q.position.y; }
        e
    }
}
