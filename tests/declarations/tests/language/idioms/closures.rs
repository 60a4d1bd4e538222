//! Closures, functions as arguments and as values.

super::family! { body:
    stored two_arguments capturing moving passed passed_function passed_within returned nested_closure immediately with_block with_return
    dyn_argument function_item method_path generic_length by_reference shadowing_capture typed_closure tuple_argument;

    pub fn stored(p: &Data, q: &Pose) -> f64 { let square = |x: f64| x * x; p.k * square(q.position.x) + square(q.position.y) }
    pub fn two_arguments(_: &Data, q: &Pose) -> f64 { let f = |x, y| x * y + 1.0; f(q.position.x, q.position.y) }
    pub fn capturing(p: &Data, q: &Pose) -> f64 { let k = p.k; let spring = |x: f64| 0.5 * k * x * x; spring(q.position.x - 0.2) }
    pub fn moving(_: &Data, q: &Pose) -> f64 {
        let mut a = q.position.x;
        let f = move |x: f64| a * x;
        a = 100.0;
        f(2.0) + a * q.position.y
    }
    pub fn twice(f: impl Fn(f64) -> f64, x: f64) -> f64 { f(f(x)) }
    pub fn passed(p: &Data, q: &Pose) -> f64 { twice(|x| p.k * x - x * x, q.position.x) }
    pub fn half(x: f64) -> f64 { 0.5 * x * x }
    pub fn passed_function(_: &Data, q: &Pose) -> f64 { twice(half, q.position.x) + twice(f64::sin, q.position.y) }
    /// The closure stands outside of the helper, and may call it.
    pub fn passed_within(p: &Data, q: &Pose) -> f64 { twice(|x| x * twice(|y| x - p.k * y * y, q.position.y), q.position.x) }
    pub fn scaled(k: f64) -> impl Fn(f64) -> f64 { move |x| k * x }
    pub fn returned(p: &Data, q: &Pose) -> f64 { let f = scaled(p.k); f(q.position.x) * f(2.0) }
    pub fn nested_closure(_: &Data, q: &Pose) -> f64 {
        let outer = |x: f64| { let inner = |y: f64| x * y; inner(2.0) + inner(x) };
        outer(q.position.x)
    }
    pub fn immediately(_: &Data, q: &Pose) -> f64 { (|x: f64| x.sin() * 2.0)(q.position.x) }
    pub fn with_block(_: &Data, q: &Pose) -> f64 {
        let f = |x: f64| { let s = x * x; s * s + x };
        f(q.position.x)
    }
    pub fn with_return(_: &Data, q: &Pose) -> f64 {
        let positive = |x: f64| -> f64 { if x < 0.0 { return 0.0; } x * x };
        positive(q.position.x) + positive(q.position.y)
    }
    pub fn difference<F: Fn(&Vector3<f64>) -> f64>(f: F, x: &Vector3<f64>) -> f64 { f(x) - f(&Vector3::zeros()) }
    pub fn dyn_argument(p: &Data, q: &Pose) -> f64 { difference(|x| (x - p.points[0]).norm_squared(), &q.position) }
    pub fn function_item(_: &Data, q: &Pose) -> f64 { let f = half; f(q.position.x) + f(1.0) }
    pub fn method_path(_: &Data, q: &Pose) -> f64 { f64::max(q.position.x, 0.1) + f64::powi(q.position.y, 2) + f64::hypot(3.0, q.position.z) }
    pub fn weighted<const M: usize>(a: &[f64; M]) -> f64 { let mut s = 0.0; for i in 0..M { s += a[i] * (M as f64); } s }
    pub fn generic_length(p: &Data, q: &Pose) -> f64 { weighted(&p.lengths) * q.position.x + weighted(&[q.position.y, 1.0]) }
    pub fn by_reference(_: &Data, q: &Pose) -> f64 { let f = |x: &f64| *x * 2.0; let y = q.position.y; f(&q.position.x) + f(&y) }
    pub fn shadowing_capture(_: &Data, q: &Pose) -> f64 {
        let x = q.position.x;
        let f = |y: f64| x * y;
        let x = 5.0;
        f(x) + x
    }
    pub fn typed_closure(_: &Data, q: &Pose) -> f64 { let f = |v: Vector3<f64>| -> f64 { v.norm_squared() }; f(q.position) }
    pub fn tuple_argument(_: &Data, q: &Pose) -> f64 { let f = |(a, b): (f64, f64)| a - b * b; f((q.position.x, q.position.y)) }
}
