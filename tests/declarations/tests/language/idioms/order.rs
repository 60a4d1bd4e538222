//! The order and number of evaluations in Rust, and their effects: places of `+=`, iterators in arrays, receivers that do something,
//! ways out by `?`, alternatives that bind, whole numbers and their types.

super::family! { body:
    longer_state methods_called_like_those_of_lists own_copy
    columns_of_a_matrix
    range_of_a_block ranges_inside;


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


    pub fn doubled(list: &[f64], at: usize) -> Option<f64> {
        let x = list.get(at)?;
        if *x > 0.5 { Some(2.0 * x) } else { Some(-x) }
    }
    pub fn raised(list: &mut [f64; 3], at: usize) -> Option<f64> {
        let x = list.get_mut(at)?;
        *x += 1.0;
        Some(*x)
    }


    pub fn columns_of_a_matrix(p: &Data, q: &Pose) -> f64 {
        let m = p.inertia * q.attitude.rotation_matrix();
        let columns: [[f64; 3]; 3] = m.into();
        let [[x, ..], [y, z, _], _]: [[f64; 3]; 3] = m.into();
        let entries: [f64; 3] = q.position.into();
        columns[0][1] + 10.0 * columns[1][0] + columns.len() as f64 * q.position.x + x + y * z + entries[2]
    }



    const LOW: f64 = -0.5;
    const HIGH: f64 = 0.7;
    pub struct Limits;
    impl Limits { pub const WIDE: f64 = 2.0 * HIGH; }
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
