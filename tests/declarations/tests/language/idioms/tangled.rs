//! Nested exits, and the values of variables that are written before and after them.

super::family! { body:
    break_before_return continue_then_break nested_returns break_in_arm write_then_break
    two_loops shadow_in_branch
    boundaries deep_choice array_kept;

    pub fn break_before_return(_: &Data, q: &Pose) -> f64 {
        for i in 0..3 {
            if q.position[i] > 0.3 { break; }
            if q.position[(i + 1) % 3] > 0.1 { return 10.0 * q.position[i]; }
        }
        q.position.z
    }
    pub fn record(all: &mut [f64; 3], x: f64) -> f64 {
        for i in 0..3 {
            all[i] += x;
            if x * (i as f64) > 0.4 { return all[i] * 2.0; }
            all[i] *= 3.0;
        }
        all[2]
    }
    pub fn continue_then_break(_: &Data, q: &Pose) -> f64 {
        let mut s = 0.0;
        for i in 0..3 {
            let x = q.position[i];
            s += 1.0;
            if x < -0.2 { s += x; continue; }
            if x < 0.5 { s *= 2.0; break; }
            s += x * x;
        }
        s
    }
    pub fn nested_returns(_: &Data, q: &Pose) -> f64 {
        let (x, y, z) = (q.position.x, q.position.y, q.position.z);
        let mut s = 1.0;
        if x > 0.0 {
            s = 2.0;
            if y > 0.0 { s += y; if z > 0.0 { return s * z; } s += 7.0; } else if z > 0.5 { return s - z; }
            s *= x;
        } else if y < 0.0 {
            return if z > 0.0 { x } else { s * y };
        }
        s + z
    }
    pub fn break_in_arm(_: &Data, q: &Pose) -> f64 {
        let mut s = 0.0;
        for i in 0..3 {
            s += match q.position[i] { x if x > 0.6 => break, x if x < -0.6 => continue, x => x * (i as f64 + 1.0) };
            s += 0.5;
        }
        s
    }
    pub fn write_then_break(_: &Data, q: &Pose) -> f64 {
        let (mut a, mut b) = (0.0, 1.0);
        for i in 0..3 {
            a += q.position[i];
            if a > 0.2 { b = a * 5.0; break; }
            b += 1.0;
        }
        a * b + b
    }
    pub fn two_loops(_: &Data, q: &Pose) -> f64 {
        let mut s = 0.0;
        for i in 0..3 { if q.position[i] > 0.4 { break; } s += 1.0; for j in 0..2 { if q.position[j] < 0.0 { break; } s += q.position[j]; } }
        for i in 0..3 { if s > 2.0 { return s * q.position[i]; } s += 0.7; }
        s
    }
    pub fn bump(n: &mut f64, x: f64) -> bool { *n += 1.0; x > 0.0 }
    pub fn first_above(a: &[f64], limit: f64) -> (usize, f64) { for (i, x) in a.iter().enumerate() { if *x > limit { return (i, *x); } } (a.len(), 0.0) }
    pub fn shadow_in_branch(_: &Data, q: &Pose) -> f64 { let x = q.position.x; let y = if x > 0.0 { let x = x * 2.0; x + 1.0 } else { let x = -x; x }; x + y }
    pub fn boundaries(_: &Data, q: &Pose) -> f64 { let mut e = 0.0; let mut x = q.position.x * 4.0; for _ in 0..8 { if x < 1.0 { return e + x; } x -= 1.0; e += 10.0; } -1.0 }
    pub fn deep_choice(_: &Data, q: &Pose) -> f64 { let mut x = q.position.x; for i in 0..12 { x = if x > 0.1 * i as f64 { x * 0.9 } else { x + 0.05 }; } x }
    pub fn array_kept(_: &Data, q: &Pose) -> f64 {
        let mut a = [0.0; 3];
        let mut last = (0.0, [1.0; 2]);
        for i in 0..3 { a[i] = q.position[i]; last.1[0] += a[i]; if a[i] > 0.5 { last.0 = 9.0; break; } a[i] += 1.0; last = (a[i], [a[i], 2.0]); }
        a[0] + 2.0 * a[1] + 3.0 * a[2] + last.0 + last.1[0] * last.1[1]
    }
}
