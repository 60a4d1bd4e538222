//! Arrays, tuples and structs.

super::family! { body:
    literal repeat nested sliced tuples nested_tuple struct_literal struct_update tuple_struct tuple_struct_by_fields struct_pattern array_pattern rest_pattern
    from_fn mapped_array assigned_element array_of_structs const_table returned_tuple vector_in_array;

    const TABLE: [[f64; 2]; 2] = [[1.0, 2.0], [3.0, 4.5]];
    const N: usize = 3;

    #[derive(Clone, Copy)]
    pub struct Spring { stiffness: f64, rest: f64 }
    #[derive(Clone, Copy)]
    pub struct Pair(f64, f64);

    pub fn literal(p: &Data, q: &Pose) -> f64 { let a = [q.position.x, 2.0, p.k]; a[0] * a[1] + a[2] }
    pub fn repeat(_: &Data, q: &Pose) -> f64 { let mut a = [0.5; N]; a[1] = q.position.y; a[0] * a[1] + a[2] * a[1] * a[1] }
    pub fn nested(_: &Data, q: &Pose) -> f64 {
        let a = [[q.position.x, 1.0], [2.0, q.position.y]];
        a[0][0] * a[1][1] - a[0][1] * a[1][0]
    }
    pub fn sliced(p: &Data, q: &Pose) -> f64 { let s = &p.lengths[1..]; s[0] * q.position.x + s[s.len() - 1] * q.position.z }
    pub fn tuples(_: &Data, q: &Pose) -> f64 { let (x, y) = (q.position.x, q.position.y); x * y - y }
    pub fn nested_tuple(_: &Data, q: &Pose) -> f64 {
        let ((a, b), c) = ((q.position.x, q.position.y), q.position.z);
        let t = (a, (b, c));
        t.0 * t.1.0 + t.1.1
    }
    pub fn energy(s: Spring, x: f64) -> f64 { 0.5 * s.stiffness * (x - s.rest).powi(2) }
    pub fn struct_literal(p: &Data, q: &Pose) -> f64 { energy(Spring { stiffness: p.k, rest: 0.3 }, q.position.x) }
    pub fn struct_update(p: &Data, q: &Pose) -> f64 {
        let soft = Spring { stiffness: p.k, rest: 0.3 };
        let hard = Spring { stiffness: 10.0, ..soft };
        energy(soft, q.position.x) + energy(hard, q.position.y)
    }
    pub fn tuple_struct_by_fields(_: &Data, q: &Pose) -> f64 {
        let pair = Pair { 1: q.position.x, 0: 2.0 * q.position.y };
        let other = Pair { 1: pair.0 * pair.1, ..pair };
        let Pair { 0: a, 1: b } = other;
        a - 0.5 * b
    }
    pub fn tuple_struct(_: &Data, q: &Pose) -> f64 { let pair = Pair(q.position.x, 2.0); pair.0 * pair.1 }
    pub fn struct_pattern(p: &Data, q: &Pose) -> f64 {
        let Spring { stiffness, rest: r } = Spring { stiffness: p.k, rest: 0.1 };
        let Pair(a, b) = Pair(q.position.x, q.position.y);
        stiffness * (a - r) * b
    }
    pub fn array_pattern(p: &Data, q: &Pose) -> f64 { let [a, b, c] = p.lengths; a * q.position.x + b * q.position.y + c }
    pub fn rest_pattern(p: &Data, q: &Pose) -> f64 {
        let [first, .., last] = p.lengths;
        let [_, others @ ..] = &p.lengths;
        first * q.position.x + last + others[0] * q.position.y + others.len() as f64
    }
    pub fn from_fn(_: &Data, q: &Pose) -> f64 {
        let a: [f64; 4] = std::array::from_fn(|i| q.position.x * (i as f64 + 1.0));
        a[0] + a[3]
    }
    pub fn mapped_array(p: &Data, q: &Pose) -> f64 { let a = p.lengths.map(|l| l * q.position.x); a[0] * a[1] + a[2] }
    pub fn assigned_element(_: &Data, q: &Pose) -> f64 {
        let mut a = [[0.0; 2]; 2];
        a[1][0] = q.position.x;
        a[0] = [q.position.y, 1.0];
        a[1][0] *= 3.0;
        a[1][0] + a[0][0] * a[0][1]
    }
    pub fn array_of_structs(p: &Data, q: &Pose) -> f64 {
        let springs = [Spring { stiffness: 1.0, rest: 0.0 }, Spring { stiffness: p.k, rest: 0.5 }];
        let mut sum = 0.0;
        for s in &springs { sum += energy(*s, q.position.z); }
        sum + springs[1].rest
    }
    pub fn const_table(_: &Data, q: &Pose) -> f64 { TABLE[1][0] * q.position.x + TABLE[0][1] }
    pub fn both(x: f64) -> (f64, [f64; 2]) { (x * x, [x, 1.0]) }
    pub fn returned_tuple(_: &Data, q: &Pose) -> f64 { let (s, [a, b]) = both(q.position.x); s + 2.0 * a + b }
    pub fn vector_in_array(p: &Data, q: &Pose) -> f64 {
        let arms = [q.attitude * p.points[0], q.attitude * p.points[1]];
        arms[0].dot(&arms[1]) + (arms[0] - q.position).norm_squared()
    }
}
