//! Implicit effects: iterators that keep their position, guards that are evaluated only if the pattern matches, constants of
//! blocks in patterns, integers whose type stands elsewhere.

super::family! { body:
    guard_counts guard_leaves guard_of_later_arms
    constant_of_a_block nested_constants constant_before
    another_of_that_name;

    pub fn differences<'a>(it: &mut impl Iterator<Item = &'a f64>) -> f64 { it.next().unwrap() - 2.0 * it.next().unwrap() }

    pub fn another_of_that_name(_: &Data, q: &Pose) -> f64 {
        let squares = (0..3).map(|n| f64::from(n) * std::array::from_fn::<_, 3, _>(|n| q.position[n] * q.position.x)[1]);
        let k = 2;
        let found: f64 = [0.5, 1.5].iter().enumerate().map(|(k, x)| q.position[k] * x).sum();
        squares.sum::<f64>() + f64::from(k) * found
    }

    pub fn guard_counts(_: &Data, q: &Pose) -> f64 {
        let mut n = 1.0;
        let x = match q.position.x {
            0.0..=1.0 if { n += q.position.z; q.position.y > 0.0 } => 2.0 * n,
            _ => 3.0 * n,
        };
        x + n
    }
    pub fn guard_leaves(_: &Data, q: &Pose) -> f64 {
        match q.position.x { x if { if x > 0.5 { return q.position.y; } x > 0.0 } => x, _ => 2.0 }
    }
    pub fn guard_of_later_arms(_: &Data, q: &Pose) -> f64 {
        let mut n = 0.0;
        let r = match (q.position.x > 0.0, q.position.y) {
            (true, y) if { n += 1.0; y > 0.5 } => y,
            (_, y) if { n += 2.0; y > 0.0 } => 2.0 * y,
            _ => 5.0,
        };
        r + n * q.position.z
    }

    pub fn constant_of_a_block(_: &Data, q: &Pose) -> f64 { const K: usize = 2; let n = 3_usize; match n { K => q.position.x, _ => 2.0 * q.position.x } }
    pub fn nested_constants(_: &Data, q: &Pose) -> f64 {
        const K: usize = 2;
        let n = 2_usize;
        let a = match n { K => q.position.x, _ => 2.0 };
        let b = { const K: usize = 3; match n { K => 10.0, _ => q.position.y } };
        if let K = n { a + b } else { 0.0 }
    }
    pub fn constant_before(_: &Data, q: &Pose) -> f64 {
        let n = 3;
        let a = match n { LATER => q.position.x, _ => q.position.y };
        const LATER: i32 = 4;
        a
    }

    pub struct Small { pub k: u8 }
    pub struct Byte(u8);
}

/// No evaluation with dual numbers: Rust adds to dual numbers and to vectors in another order than to floating-point numbers.
#[lie_runtime::mechanical_system]
pub mod ordered {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Pose {
        pub position: R3,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        v.position.norm_squared()
    }

    /// A bound by its name.
    #[potential]
    pub fn within(q: &Pose) -> f64 {
        const LOW: f64 = -0.5;
        const HIGH: f64 = 0.5;
        match q.position.x {
            LOW..=HIGH => 1.0,
            ..LOW => q.position.x,
            _ => q.position.y,
        }
    }
}

#[test]
fn vectors_are_added_to_in_their_order() {
    use lie_runtime::prelude::*;
    let system = ordered::System::new().unwrap();
    let mut random = fixtures::random::Random::new(5);
    for _ in 0..20 {
        let position = random.vector::<3>();
        let declared = |position| {
            let q = ordered::Pose { position };
            ordered::within(&q)
        };
        let q = ordered::Pose { position };
        assert!((system.potential_energy(0.0, &q) - declared(position)).abs() < 1e-14);
        let mut force = system.zero_velocity();
        system.force(0.0, &q, &system.zero_velocity(), &mut force);
        for axis in 0..3 {
            let step = Vector3::ith(axis, 1e-5);
            let derivative = (declared(position + step) - declared(position - step)) / 2e-5;
            assert!(
                (force[axis] + derivative).abs() < 1e-8 * (1.0 + derivative.abs()),
                "{axis}: {force:?} against {derivative}"
            );
        }
    }
}
