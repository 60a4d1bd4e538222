//! Implicit effects: iterators that keep their position, guards that are evaluated only if the pattern matches, constants of
//! blocks in patterns, integers whose type stands elsewhere.

super::family! { body:
    popped by_two first_of_many from_three searched_range lent_to_a_helper pulled continued
    guard_counts guard_of_matches guard_leaves guard_of_later_arms
    constant_of_a_block nested_constants constant_before
    byte_of_a_struct byte_of_a_tuple_struct bytes_of_a_list bytes_of_a_vec byte_in_an_option assigned_byte assigned_bytes largest_byte
    another_of_that_name;

    pub fn popped(_: &Data, q: &Pose) -> f64 {
        let mut stack = vec![1.0, q.position.x, 3.0];
        let mut s = 0.0;
        while let Some(x) = stack.pop() { s = 0.5 * s + x; }
        s
    }
    pub fn by_two(_: &Data, q: &Pose) -> f64 {
        let a = [1.0, q.position.x, 3.0, q.position.y];
        let mut it = a.iter();
        let mut s = 0.0;
        while let Some(x) = it.next() {
            let Some(y) = it.next() else { break };
            s = 0.5 * s + x * y;
        }
        s
    }
    pub fn first_of_many(_: &Data, q: &Pose) -> f64 {
        let mut it = (0..9).filter(|i| i % 2 == 0);
        let (a, b, c) = (it.next().unwrap(), it.nth(1).unwrap(), it.next().unwrap());
        (a + 10 * b + 100 * c + 1000 * it.sum::<i32>()) as f64 * q.position.x
    }
    pub fn from_three(_: &Data, q: &Pose) -> f64 {
        let mut numbers = 3..;
        let (a, b, c) = (numbers.next().unwrap(), numbers.nth(2).unwrap(), numbers.next().unwrap());
        (a + 10 * b + 100 * c) as f64 * q.position.x
    }
    pub fn searched_range(_: &Data, q: &Pose) -> f64 {
        let mut range = 1..=5;
        let found = range.find(|n| *n > 1).unwrap() + 10 * range.position(|n| n == 4).unwrap() as i32;
        let all = range.clone().all(|n| n == 5);
        let rest: i32 = range.sum();
        if all { (found + rest) as f64 * q.position.x } else { 0.0 }
    }
    pub fn differences<'a>(it: &mut impl Iterator<Item = &'a f64>) -> f64 { it.next().unwrap() - 2.0 * it.next().unwrap() }
    pub fn lent_to_a_helper(p: &Data, q: &Pose) -> f64 {
        let mut it = p.lengths.iter();
        differences(&mut it) * q.position.x + it.next().unwrap() * q.position.y
    }
    pub fn pulled(_: &Data, q: &Pose) -> f64 {
        let a = [q.position.x, 2.0];
        let mut it = a.iter();
        let mut pull = || it.next().copied().unwrap_or(7.0);
        pull() + 10.0 * pull() + 100.0 * pull() * q.position.y
    }
    pub fn continued(_: &Data, q: &Pose) -> f64 {
        let (mut n, mut s) = (0, 0.0);
        'turns: while let (true, k) = (n < 5, n) {
            n += 1;
            if k == 1 { continue 'turns; }
            if q.position.x > 0.5 { break; }
            s += q.position[k % 3];
        }
        s + n as f64 * q.position.y
    }

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
    pub fn guard_of_matches(_: &Data, q: &Pose) -> f64 {
        let mut n = 1.0;
        let fits = matches!(q.position.x, 0.0..=1.0 if { n += q.position.z; q.position.y > 0.0 });
        if fits { n * q.position.x } else { 2.0 * n }
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
    pub fn byte_of_a_struct(_: &Data, q: &Pose) -> f64 { let s = Small { k: 200 }; (s.k << 1) as f64 * q.position.x }
    pub fn byte_of_a_tuple_struct(_: &Data, q: &Pose) -> f64 { let s = Byte(200); (!s.0) as f64 * q.position.x }
    pub fn bytes_of_a_list(_: &Data, q: &Pose) -> f64 { let a = [1_u8, 200]; (a[1] << 1) as f64 * q.position.x }
    pub fn bytes_of_a_vec(_: &Data, q: &Pose) -> f64 { let v: Vec<u8> = vec![200]; (v[0] << 1) as f64 * q.position.x }
    pub fn byte_in_an_option(_: &Data, q: &Pose) -> f64 { let v: Option<u8> = Some(200); (v.unwrap() << 1) as f64 * q.position.x }
    pub fn assigned_byte(_: &Data, q: &Pose) -> f64 { let mut a = 1_u8; a = 200; ((a << 1) as f64 + (!a) as f64) * q.position.x }
    pub fn assigned_bytes(_: &Data, q: &Pose) -> f64 {
        let (mut a, mut t) = ([0_u8; 2], (1_u8, 2.0));
        a = [200, 100];
        t = (200, q.position.y);
        (a[0] << 1) as f64 * q.position.x + (t.0 << 2) as f64 * t.1
    }
    pub fn largest_byte(_: &Data, q: &Pose) -> f64 { (u8::max(1, 200) << 1) as f64 * q.position.x + u64::pow(2, 40) as f64 * 1e-12 }
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

    #[potential]
    pub fn in_order(q: &Pose) -> f64 {
        let (mut v, mut x) = ([Vector3::zeros(), q.position], [1.0, 2.0]);
        let (mut i, mut j) = (0, 0);
        v[i] += {
            i = 1;
            q.position * 2.0
        };
        x[j] += {
            j = 1;
            q.position.y
        };
        v[0].x + 10.0 * v[1].y * v[1].z + x[0] * x[1]
    }

    /// Places that change something when they are looked at.
    #[potential]
    pub fn computed_places(q: &Pose) -> f64 {
        let mut list = [q.position, Vector3::x(), Vector3::y()];
        let mut i = 0;
        list[{
            i += 1;
            i
        }] += {
            i += 1;
            q.position * i as f64
        };
        let mut n = -1_i32;
        let mut next = || {
            n += 1;
            n as usize
        };
        list[next()] *= q.position.z * next() as f64;
        list[0].x + 2.0 * list[1].x + 4.0 * list[2].x + 8.0 * list[1].y
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
            ordered::in_order(&q) + ordered::computed_places(&q) + ordered::within(&q)
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
