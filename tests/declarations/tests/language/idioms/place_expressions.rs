//! Mutable references, assignments and the order of evaluation.

super::family! { body:
    reference helper_reference reborrowed field_reference element_reference struct_reference over_mut parts_of_reference compound_order
    conditional_reference two_references reference_to_tuple mutable_parameter vector_entry swapped_places assigned_blocks moved_copies
    reference_in_closure replaced conditional_write nested_places matrix_reference handed_out in_an_option shortened;

    #[derive(Clone, Copy)]
    pub struct Sum { total: f64, count: usize }

    pub fn reference(_: &Data, q: &Pose) -> f64 { let mut v = Vector3::zeros(); let r = &mut v; r.x = q.position.x; r[1] = 2.0; *r *= 3.0; v.sum() }
    pub fn add(e: &mut f64, x: f64) { *e += x * x; }
    pub fn helper_reference(_: &Data, q: &Pose) -> f64 { let mut e = 1.0; add(&mut e, q.position.x); add(&mut e, q.position.y); e }
    pub fn add_twice(e: &mut f64, x: f64) { add(e, x); add(&mut *e, 2.0 * x); }
    pub fn reborrowed(_: &Data, q: &Pose) -> f64 { let mut e = 0.0; add_twice(&mut e, q.position.x); e }
    pub fn field_reference(_: &Data, q: &Pose) -> f64 { let mut s = Sum { total: 0.0, count: 0 }; add(&mut s.total, q.position.x); s.count += 2; s.total * s.count as f64 }
    pub fn element_reference(_: &Data, q: &Pose) -> f64 { let mut a = [1.0, 2.0]; let r = &mut a[1]; *r = q.position.x; add(&mut a[0], q.position.y); a[0] * a[1] }
    pub fn push(s: &mut Sum, x: f64) { s.total += x; s.count += 1; }
    pub fn struct_reference(_: &Data, q: &Pose) -> f64 { let mut s = Sum { total: 0.5, count: 0 }; for i in 0..3 { push(&mut s, q.position[i]); } s.total / s.count as f64 }
    pub fn over_mut(_: &Data, q: &Pose) -> f64 { let mut a = [q.position.x, q.position.y]; for x in &mut a { *x *= *x; } for x in a.iter_mut() { *x += 1.0; } a[0] * a[1] }
    pub fn parts_of_reference(_: &Data, q: &Pose) -> f64 { let mut pair = (q.position.x, 1.0); let (a, b) = &mut pair; *a += 1.0; *b *= 3.0; pair.0 * pair.1 }
    pub fn compound_order(_: &Data, q: &Pose) -> f64 { let mut x = q.position.x; x += { x = 5.0; 1.0 }; let y = x + { x = 2.0; x }; x * y * q.position.y }
    pub fn conditional_reference(_: &Data, q: &Pose) -> f64 {
        let (mut a, mut b) = (1.0, 2.0);
        if q.position.x > 0.0 { add(&mut a, q.position.y); } else { add(&mut b, q.position.z); }
        a * b
    }
    pub fn two_references(_: &Data, q: &Pose) -> f64 {
        let (mut a, mut b) = (q.position.x, 0.5);
        { let (r, s) = (&mut a, &mut b); *r += *s; *s = *r * 2.0; }
        a - b
    }
    pub fn reference_to_tuple(_: &Data, q: &Pose) -> f64 { let mut t = (1.0, [0.0; 2]); let r = &mut t; r.1[0] = q.position.x; r.0 = r.1[0] * 2.0; t.0 + t.1[0] }
    pub fn doubled(mut x: f64) -> f64 { x *= 2.0; x }
    pub fn mutable_parameter(_: &Data, q: &Pose) -> f64 { let x = q.position.x; doubled(x) + x }
    pub fn vector_entry(_: &Data, q: &Pose) -> f64 { let mut v = q.position; v.x += 1.0; v[2] -= v.y; v.z *= 2.0; add(&mut v.y, 3.0); v.norm_squared() }
    pub fn swapped_places(_: &Data, q: &Pose) -> f64 { let mut a = q.position.x; let mut b = 2.0; std::mem::swap(&mut a, &mut b); let c = std::mem::replace(&mut b, 7.0); a + b * c }
    pub fn assigned_blocks(_: &Data, q: &Pose) -> f64 { let mut a = 0.0; let b = { a = q.position.x; a * 2.0 }; a + b }
    pub fn moved_copies(_: &Data, q: &Pose) -> f64 { let a = [q.position.x, 1.0]; let mut b = a; b[0] = 9.0; let v = q.position; let mut w = v; w.x = 0.0; a[0] + b[0] + v.x * 2.0 + w.x }
    pub fn reference_in_closure(_: &Data, q: &Pose) -> f64 {
        let mut s = Sum { total: 0.0, count: 0 };
        let mut put = |x: f64| { s.total += x * x; s.count += 1; };
        put(q.position.x);
        put(q.position.z);
        s.total * s.count as f64
    }
    pub fn replaced(_: &Data, q: &Pose) -> f64 { let mut v = Vector3::zeros(); v.copy_from(&q.position); v.fill(q.position.x); let mut a = [0.0; 2]; a.fill(q.position.y); v.sum() + a[1] }
    pub fn conditional_write(_: &Data, q: &Pose) -> f64 {
        let mut v = Vector3::new(1.0, 2.0, 3.0);
        let mut a = [0.0; 2];
        if q.position.x > 0.0 { v.x = q.position.y; a[1] = q.position.z; } else { a[0] = 1.0; }
        v.norm_squared() + a[0] * q.position.y + a[1]
    }
    pub fn nested_places(_: &Data, q: &Pose) -> f64 {
        let mut all = [Sum { total: 0.0, count: 0 }; 2];
        all[1].total = q.position.x;
        for s in all.iter_mut() { s.total += 1.0; s.count = 3; }
        let Sum { total, count } = &mut all[0];
        *total *= 2.0 * q.position.y;
        *count += 1;
        all[0].total * all[1].total + all[0].count as f64
    }
    pub fn shift(m: &mut Matrix2<f64>, x: f64) { m[(0, 1)] += x; m[(1, 0)] = x * x; *m *= 2.0; }
    pub fn matrix_reference(_: &Data, q: &Pose) -> f64 { let mut m = Matrix2::identity(); shift(&mut m, q.position.x); m.determinant() }
    pub fn handed_out(_: &Data, q: &Pose) -> f64 {
        let mut a = [[1.0, 2.0], [q.position.x, 3.0]];
        *a[0].last_mut().unwrap() *= q.position.y;
        a.first_mut().unwrap()[0] = q.position.z;
        if let Some(row) = a.get_mut(1) { row[1] += 1.0; }
        if let Some(row) = a.get_mut(2) { row[1] += 100.0; }
        a[0][0] * a[0][1] + a[1][1] * a[1][0]
    }
    pub fn in_an_option(_: &Data, q: &Pose) -> f64 {
        let mut o = Some(1.0);
        if let Some(x) = o.as_mut() { *x += q.position.x; }
        let copy = o.as_mut().copied();
        let twice = o.as_mut().map(|x| { *x *= q.position.y; *x * 2.0 });
        if q.position.z > 0.0 { *o.as_mut().unwrap() -= q.position.z; }
        copy.unwrap() + 3.0 * twice.unwrap() + 0.5 * o.unwrap()
    }
    pub fn shortened(_: &Data, q: &Pose) -> f64 {
        let mut v = vec![1.0, q.position.x, 3.0, q.position.y, q.position.z];
        let first = v.remove(0) + 10.0 * v.swap_remove(1);
        v.truncate(2);
        let mut w = v.clone();
        w.clear();
        w.push(q.position.y);
        first + v[0] * v[1] + w[0] * v.len() as f64
    }
}
