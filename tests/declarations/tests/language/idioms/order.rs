//! The order and number of evaluations in Rust, and their effects: places of `+=`, iterators in arrays, receivers that do something,
//! ways out by `?`, alternatives that bind, whole numbers and their types.

super::family! { body:
    place_after_number vector_of_an_iterator
    longer_by_a_call longer_state methods_called_like_those_of_lists own_copy
    iterators_of_an_array iterators_in_a_tuple iterator_of_each ranges_of_an_array
    found_or_none asked_in_a_closure either_way either_part either_bound
    columns_of_a_matrix widened guarded_difference counted_up remainder_and_quotient
    wrapped hashed checked whole_from_others byte
    range_of_constants range_of_a_block ranges_inside;

    pub fn place_after_number(_: &Data, q: &Pose) -> f64 {
        let mut list = [q.position.x, 1.0, 2.0];
        let mut i = 0;
        list[{ i += 1; i }] += { i += 1; q.position.y * i as f64 };
        list[0] + 2.0 * list[1] + 4.0 * list[2] + i as f64
    }
    pub fn vector_of_an_iterator(_: &Data, q: &Pose) -> f64 {
        let mut list = [q.position, Vector3::x(), Vector3::y()];
        let mut places = list.iter_mut();
        *places.next().unwrap() += q.position * 2.0;
        *places.next().unwrap() -= q.position;
        *list.last_mut().unwrap() *= q.position.x;
        list[0].sum() + 2.0 * list[1].sum() + 4.0 * list[2].sum()
    }

    pub fn longer_by_a_call(_: &Data, q: &Pose) -> f64 {
        let mut n = 0.0;
        let mut next = || { n += 1.0; Vector2::new(q.position.x, n) };
        let longer = next().push(3.0);
        longer.y + longer.z * q.position.y + n
    }
    pub fn longer_state(p: &Data, q: &Pose) -> f64 { q.position.push(2.0).dot(&p.points[0].push(q.wheel.angle())) }

    #[derive(Clone, Copy)]
    pub struct Pair { pub a: f64, pub b: f64 }
    impl Pair {
        pub fn swap(self) -> Pair { Pair { a: self.b, b: self.a } }
        pub fn push(&self, x: f64) -> f64 { self.a * x }
        pub fn insert(&self, x: f64) -> f64 { self.b + x }
        pub fn added(mut self, x: f64) -> Pair { self.a += x; self }
    }
    pub fn methods_called_like_those_of_lists(_: &Data, q: &Pose) -> f64 {
        let pair = Pair { a: q.position.x, b: 2.0 };
        pair.swap().a + pair.push(3.0) + 2.0 * pair.insert(q.position.y)
    }
    pub fn own_copy(_: &Data, q: &Pose) -> f64 {
        let pair = Pair { a: q.position.x, b: 2.0 };
        let more = pair.added(1.0).added(q.position.y);
        more.a * pair.a
    }

    pub fn iterators_of_an_array(_: &Data, q: &Pose) -> f64 {
        let a = [q.position.x, 2.0, 3.0];
        let mut both = [a.iter(), a.iter()];
        let (x, y, z) = (*both[0].next().unwrap(), *both[0].next().unwrap(), *both[1].next().unwrap());
        x + 10.0 * y + 100.0 * z * both[0].len() as f64
    }
    pub fn iterators_in_a_tuple(_: &Data, q: &Pose) -> f64 {
        let a = [q.position.x, 2.0, 3.0];
        let mut readers = (a.iter(), [a.iter(), a.iter()]);
        let (x, y) = (*readers.1[1].next().unwrap(), *readers.1[1].next().unwrap());
        x + 10.0 * y
    }
    pub fn iterator_of_each(_: &Data, q: &Pose) -> f64 {
        let a = [q.position.x, 2.0, 3.0];
        let mut both = [a.iter(), a.iter()];
        both[1].next();
        let mut s = 0.0;
        for it in both.iter_mut() { s = s * 10.0 + it.next().unwrap(); }
        s * q.position.y
    }
    pub fn ranges_of_an_array(_: &Data, q: &Pose) -> f64 {
        let mut ranges = [0..5, 2..4];
        let (x, y, z) = (ranges[0].next().unwrap(), ranges[0].nth(1).unwrap(), ranges[1].next().unwrap());
        (x + 10 * y + 100 * z) as f64 * q.position.x + ranges[0].len() as f64
    }

    pub fn doubled(list: &[f64], at: usize) -> Option<f64> {
        let x = list.get(at)?;
        if *x > 0.5 { Some(2.0 * x) } else { Some(-x) }
    }
    pub fn found_or_none(_: &Data, q: &Pose) -> f64 {
        let list = [q.position.x, q.position.y];
        doubled(&list, 0).unwrap_or(3.0) + 2.0 * doubled(&list, 1).unwrap() + doubled(&list, 7).unwrap_or(q.position.z)
    }
    pub fn raised(list: &mut [f64; 3], at: usize) -> Option<f64> {
        let x = list.get_mut(at)?;
        *x += 1.0;
        Some(*x)
    }
    pub fn asked_in_a_closure(_: &Data, q: &Pose) -> f64 {
        let mut list = [q.position.x, q.position.y, 1.0];
        let none = raised(&mut list, 5).is_none();
        let raised = raised(&mut list, 1);
        let thrice = |at: usize| -> Option<f64> { Some(list.get(at)? * 3.0) };
        raised.unwrap() + thrice(1).unwrap() + thrice(3).unwrap_or(q.position.z) + if none { list[2] } else { 0.0 }
    }

    pub fn either_way(_: &Data, q: &Pose) -> f64 {
        match (q.position.x > 0.2, q.position.y, q.position.z) {
            (true, x, y) | (false, y, x) => x * x + 3.0 * y,
        }
    }
    pub fn either_part(_: &Data, q: &Pose) -> f64 {
        if let (true, x, 1) | (false, x, _) = (q.position.x > 0.2, q.position.y, 1) { x.powi(3) } else { 0.0 }
    }
    pub fn either_bound(_: &Data, q: &Pose) -> f64 {
        match (q.position.z, q.position.x) {
            (x @ 0.2.., _) | (-10.0..=-0.1, x) => x * 2.0,
            _ => 1.0,
        }
    }

    pub fn columns_of_a_matrix(p: &Data, q: &Pose) -> f64 {
        let m = p.inertia * q.attitude.rotation_matrix();
        let columns: [[f64; 3]; 3] = m.into();
        let [[x, ..], [y, z, _], _]: [[f64; 3]; 3] = m.into();
        let entries: [f64; 3] = q.position.into();
        columns[0][1] + 10.0 * columns[1][0] + columns.len() as f64 * q.position.x + x + y * z + entries[2]
    }

    pub fn widened(_: &Data, q: &Pose) -> f64 {
        let n = if q.position.x > 0.2 { 200_u8 } else { 100 };
        (n as u16 + n as u16) as f64 * q.position.y + (n / 2 + n % 7) as f64
    }
    pub fn guarded_difference(_: &Data, q: &Pose) -> f64 {
        let n = if q.position.x > 0.2 { 2_usize } else { 5 };
        if n > 3 { (n - 3) as f64 * q.position.y } else { q.position.z }
    }
    pub fn counted_up(_: &Data, q: &Pose) -> f64 {
        let mut n = 0_u8;
        for i in 0..40 { if q.position.x > 0.02 * f64::from(i) { n += 1; } }
        let mut turns = 0_u8;
        for i in 0..300 { if q.position.y > 0.002 * f64::from(i) { turns = (turns + 1) % 5; } }
        n as f64 * q.position.z + f64::from(turns)
    }
    pub fn remainder_and_quotient(_: &Data, q: &Pose) -> f64 {
        let n = if q.position.x > 0.2 { -7_i8 } else { 5 };
        f64::from(n / 2) + 10.0 * f64::from(n % 3) + f64::from(-n) * q.position.y + f64::from(n as i16 * 30)
    }

    pub fn wrapped(_: &Data, q: &Pose) -> f64 {
        let (a, b) = (250_u8.wrapping_add(10), 5_u8.saturating_sub(10));
        let (c, d) = (i32::MAX.wrapping_add(1), (-128_i8).saturating_sub(1));
        (f64::from(a) + f64::from(b)) * q.position.x + f64::from(c) * 1e-9 + f64::from(d) + f64::from(7_i32.abs_diff(-3))
    }
    pub fn hashed(_: &Data, q: &Pose) -> f64 {
        let mut hash = 1_469_598_103_934_665_603_u64;
        for b in [1_u64, 2, 3] {
            hash ^= b;
            hash = hash.wrapping_mul(1_099_511_628_211);
        }
        (hash % 1000) as f64 * q.position.x
    }
    pub fn checked(_: &Data, q: &Pose) -> f64 {
        let (a, b) = (250_u8.checked_add(10).unwrap_or(7), 250_u8.checked_add(2).map_or(0.0, f64::from));
        let none = 7_i32.checked_div(0).is_none() && 0_usize.checked_sub(1).is_none();
        if none { f64::from(a) * q.position.x + b } else { 0.0 }
    }
    pub fn whole_from_others(_: &Data, q: &Pose) -> f64 {
        let chosen = u32::from(q.position.x > 0.2);
        i32::from(3_u8) as f64 * q.position.y + f64::from(chosen) + (u64::from(7_u32) + u64::from(true)) as f64 * q.position.z
    }
    pub fn byte(_: &Data, q: &Pose) -> f64 { f64::from(b'a') * q.position.x + (b'b' - b'a') as f64 }

    const LOW: f64 = -0.5;
    const HIGH: f64 = 0.7;
    pub struct Limits;
    impl Limits { pub const WIDE: f64 = 2.0 * HIGH; }
    pub fn range_of_constants(_: &Data, q: &Pose) -> f64 {
        let x = match q.position.x {
            LOW..=HIGH => q.position.x.powi(2),
            x @ HIGH..Limits::WIDE => 3.0 * x,
            _ => 1.0,
        };
        let y = if let LOW.. = q.position.y { q.position.y } else { 2.0 };
        if matches!(q.position.z, ..HIGH) { x * y } else { x }
    }
    pub fn range_of_a_block(_: &Data, q: &Pose) -> f64 {
        const INNER: f64 = 0.3;
        const COUNT: usize = 3;
        let n = match 2 { 1..=COUNT => 2.0, _ => 5.0 };
        match q.position.x { INNER.. => n * q.position.x, _ => q.position.y }
    }
    pub fn ranges_inside(_: &Data, q: &Pose) -> f64 {
        let x = match q.position.x {
            x @ (-1.0..0.0 | HIGH..) => x * x,
            x => 3.0 * x,
        };
        match (x, q.position.y) {
            (0.0..1.0 | 2.0.., y) => y * x,
            (_, y) => y,
        }
    }
}
