//! `match`, `if let` and `let … else`.

super::family! { body:
    on_integer ranges alternatives with_guard on_tuple on_bool on_state_guards on_state_bools bindings constants_in_patterns at_binding
    if_let_some let_else option_or nested_arms on_slice returning_arm float_ranges;

    const FIRST: usize = 1;
    const MODE: i32 = 2;

    pub fn weight(i: usize) -> f64 { match i { 0 => 1.0, FIRST => 2.5, _ => 4.0 } }
    pub fn on_integer(_: &Data, q: &Pose) -> f64 { let mut s = 0.0; for i in 0..3 { s += weight(i) * q.position[i]; } s }
    pub fn ranges(_: &Data, q: &Pose) -> f64 { let mut s = 0.0; for i in 0..6 { s += match i { 0..=1 => 1.0, 2..4 => 10.0, _ => 100.0 } * q.position[i % 3]; } s }
    pub fn alternatives(_: &Data, q: &Pose) -> f64 { let mut s = 0.0; for i in 0..4 { s += match i { 0 | 2 => q.position.x, 1 | 3 => q.position.y * 2.0, _ => 0.0 }; } s }
    pub fn with_guard(_: &Data, q: &Pose) -> f64 { let n = 5; match n { k if k > 4 => q.position.x * k as f64, _ => 0.0 } }
    pub fn on_tuple(_: &Data, q: &Pose) -> f64 { let mut s = 0.0; for i in 0..2 { for j in 0..2 { s += match (i, j) { (0, 0) => q.position.x, (0, _) => q.position.y, (_, 0) => 2.0, _ => q.position.z }; } } s }
    pub fn on_bool(p: &Data, q: &Pose) -> f64 { match MODE > 1 { true => p.k * q.position.x, false => 0.0 } }
    pub fn on_state_guards(_: &Data, q: &Pose) -> f64 { match q.position.x { x if x < -0.3 => x * x, x if x > 0.6 => 3.0 * x, x => x.sin() } }
    pub fn on_state_bools(_: &Data, q: &Pose) -> f64 {
        match (q.position.x > 0.0, q.position.y > 0.0) {
            (true, true) => q.position.x * q.position.y,
            (true, false) => q.position.x,
            (false, _) => q.position.z,
        }
    }
    pub fn bindings(_: &Data, q: &Pose) -> f64 { match (q.position.x, 3) { (x, n) => x * n as f64 } }
    pub fn constants_in_patterns(_: &Data, q: &Pose) -> f64 { match MODE { 1 => q.position.x, MODE => q.position.y, _ => q.position.z } }
    pub fn at_binding(_: &Data, q: &Pose) -> f64 { match 4 { n @ 1..=5 => n as f64 * q.position.x, n => n as f64 } }
    pub fn if_let_some(p: &Data, q: &Pose) -> f64 { if let Some(l) = p.lengths.get(1) { l * q.position.x } else { 0.0 } }
    pub fn let_else(p: &Data, q: &Pose) -> f64 { let Some(l) = p.lengths.first() else { return 0.0; }; l * q.position.y }
    pub fn option_or(p: &Data, q: &Pose) -> f64 { p.lengths.get(7).copied().unwrap_or(0.25) * q.position.x + p.lengths.last().map(|l| l * 2.0).unwrap() }
    pub fn nested_arms(_: &Data, q: &Pose) -> f64 { match 1 { 1 => match q.position.x > 0.0 { true => q.position.y, false => -q.position.y }, _ => 0.0 } }
    pub fn on_slice(p: &Data, q: &Pose) -> f64 { match &p.lengths[..] { [a, .., c] => a * q.position.x + c, _ => 0.0 } }
    pub fn returning_arm(_: &Data, q: &Pose) -> f64 { let y = match q.position.x > 0.3 { true => return q.position.z, false => q.position.y }; y * 2.0 }
    pub fn float_ranges(_: &Data, q: &Pose) -> f64 { match q.position.x { -0.5..=0.5 => q.position.x.powi(3), x => x * 0.5 } }
}
