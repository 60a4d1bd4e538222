//! Vectors, matrices and group elements.

super::family! { body:
    rows_and_columns from_slices vector_macro inverted determined inverted_four parts lerped component_wise mapped zipped lines outer
    traces extremes from_functions  assembled frame_change twisted strain skew quadratic set_lines entries_by_name weighted_norm
    pose_destructured iterated_construction euler_angles;

    use lie_runtime::nalgebra::RowVector2;

    pub fn rows_and_columns(p: &Data, q: &Pose) -> f64 {
        let m = Matrix3::from_columns(&[p.points[0], q.position, p.points[1]]);
        let n = Matrix2::from_rows(&[RowVector2::new(1.0, q.position.x), RowVector2::new(q.position.y, 2.0)]);
        m.determinant() + n.determinant()
    }
    pub fn from_slices(_: &Data, q: &Pose) -> f64 {
        let m = Matrix2::from_row_slice(&[q.position.x, 2.0, 3.0, 4.0]);
        let n = Matrix2::from_column_slice(&[q.position.x, 2.0, 3.0, 4.0]);
        (m * n)[(0, 1)] + m[1] * n[1] + Vector3::from([1.0, q.position.y, 2.0]).y
    }
    pub fn vector_macro(_: &Data, q: &Pose) -> f64 {
        let v = vector![q.position.x, 2.0, q.position.z];
        let m = matrix![1.0, 2.0, 3.0; 4.0, 5.0, q.position.y];
        (m * v).norm_squared()
    }
    pub fn inverted(p: &Data, q: &Pose) -> f64 { q.position.dot(&(p.inertia.try_inverse().unwrap() * q.position)) }
    pub fn determined(p: &Data, q: &Pose) -> f64 { let m = p.inertia + Matrix3::identity() * q.position.x.powi(2); m.determinant() + m.try_inverse().expect("regular").trace() }
    pub fn inverted_four(_: &Data, q: &Pose) -> f64 {
        let mut m = Matrix4::identity() * 3.0;
        m[(0, 1)] = q.position.x;
        m[(2, 0)] = q.position.y;
        m[(3, 2)] = 0.5;
        m[(1, 3)] = q.position.z;
        let i = m.try_inverse().unwrap();
        i[(0, 3)] + i[(2, 1)] * 2.0 + m.determinant() * 0.01
    }
    pub fn parts(p: &Data, q: &Pose) -> f64 {
        let m = p.inertia * q.position.x;
        let b = m.fixed_view::<2, 2>(1, 0);
        let c = m.fixed_columns::<1>(2);
        let r = m.fixed_rows::<1>(0);
        b[(0, 1)] + c[1] + r[2] * b.determinant() + q.position.xy().norm_squared()
    }
    pub fn lerped(p: &Data, q: &Pose) -> f64 { p.points[0].lerp(&q.position, 0.25).dot(&p.points[1]) }
    pub fn component_wise(p: &Data, q: &Pose) -> f64 {
        q.position.component_mul(&p.points[0]).sum() + q.position.component_div(&Vector3::new(1.0, 2.0, 4.0)).x
            + q.position.component_mul(&q.position).dot(&p.points[1])
    }
    pub fn mapped(_: &Data, q: &Pose) -> f64 { q.position.map(|x| x.sin()).sum() + q.position.map(f64::exp).z }
    pub fn zipped(p: &Data, q: &Pose) -> f64 { q.position.zip_map(&p.points[0], |a, b| a * a * b).sum() }
    pub fn lines(p: &Data, q: &Pose) -> f64 { p.inertia.column(1).dot(&q.position) + (p.inertia.row(2) * q.position)[0] + p.inertia.diagonal().dot(&q.position) }
    pub fn outer(p: &Data, q: &Pose) -> f64 { let m = q.position * p.points[0].transpose(); (m + m.transpose()).trace() + m[(0, 2)] }
    pub fn traces(p: &Data, q: &Pose) -> f64 { (q.attitude.matrix() * p.inertia).trace() + p.inertia.tr_mul(&q.position).y }
    pub fn extremes(_: &Data, q: &Pose) -> f64 { q.position.max() + 2.0 * q.position.min() + q.position.amax() * 0.5 + q.position.abs().sum() }
    pub fn from_functions(_: &Data, q: &Pose) -> f64 {
        let m = Matrix3::from_fn(|i, j| q.position[i] * (j as f64 + 1.0));
        let v = Vector3::from_fn(|i, _| i as f64);
        let w = SVector::<f64, 4>::from_fn(|i, _| q.position.x * i as f64);
        (m * v).y + w.sum()
    }
    pub fn sizes_by_name(p: &Data, q: &Pose) -> f64 {
        const ROWS: usize = 5;
        let v = SVector::from([q.position.x, 2.0, q.position.y, p.k, 0.5]);
        let m = SMatrix::from([[1.0, q.position.z], [2.0, 0.5], [p.k, 3.0]]);
        v.dot(&SVector::<f64, ROWS>::repeat(0.3)) + (m * Vector3::new(1.0, 2.0, q.position.x)).y
    }
    pub fn assembled(p: &Data, q: &Pose) -> f64 {
        let mut m = Matrix2::zeros();
        for i in 0..2 { for j in 0..2 { m[(i, j)] += p.lengths[i] * q.position[j]; } }
        m[(1, 1)] -= 1.0;
        m.determinant()
    }
    pub fn frame_change(p: &Data, q: &Pose) -> f64 { let r = q.attitude.inverse() * SO3::exp(&p.points[0]); r.log().norm_squared() }
    pub fn twisted(p: &Data, q: &Pose) -> f64 { let w = SO2::from_angle(0.3) * q.wheel; (w * Vector2::new(p.k, 1.0)).x + 0.2 * w.angle().cos() }
    pub fn strain(p: &Data, q: &Pose) -> f64 { let e = SE3::new(q.attitude, q.position); (e * p.points[0]).dot(&(e.inverse() * p.points[1])) + (e.rotation * p.points[0]).x }
    pub fn skew(p: &Data, q: &Pose) -> f64 { (q.position.cross_matrix() * p.points[0]).dot(&q.position.cross(&p.points[1])) }
    pub fn quadratic(p: &Data, q: &Pose) -> f64 { 0.5 * q.position.dot(&(p.inertia * q.position)) + (q.position.transpose() * p.inertia * q.position)[(0, 0)] }
    pub fn set_lines(p: &Data, q: &Pose) -> f64 {
        let mut m = Matrix3::zeros();
        m.set_column(1, &q.position);
        m.set_row(0, &p.points[0].transpose());
        m[(0, 0)] * m[(1, 1)] + m[(2, 1)]
    }
    pub fn entries_by_name(p: &Data, q: &Pose) -> f64 {
        let mut m = q.position * q.position.transpose();
        m.m12 *= 2.0;
        m.m31 = p.k;
        let wide = m.fixed_rows::<2>(0).into_owned();
        m.m12 * m.m33 - m.m31 * m.m13 + wide.m23 + q.position.transpose().y
    }
    pub fn weighted_norm(p: &Data, q: &Pose) -> f64 { (p.inertia * q.position).norm() + q.position.metric_distance(&p.points[0]) + q.position.magnitude_squared() }
    pub fn pose_destructured(_: &Data, q: &Pose) -> f64 { let Pose { attitude, position, .. } = q; (attitude.inverse() * position).z }
    pub fn iterated_construction(p: &Data, q: &Pose) -> f64 {
        let v = Vector3::from_iterator(p.lengths.iter().map(|l| l * q.position.x));
        let m = Matrix2::from_iterator([1.0, q.position.y, 3.0, 4.0]);
        v.norm_squared() + m[(1, 0)] * m[(0, 1)]
    }
    pub fn euler_angles(_: &Data, q: &Pose) -> f64 {
        let (a, b, c) = (q.position.x, q.position.y, q.position.z);
        let top = S3::from_euler_zxz(a, b, c) * S3::about_x(c);
        let ship = SO3::from_roll_pitch_yaw(a, b * b, c) * SO3::about_y(a) * SO3::about_z(0.3);
        (top * (ship * Vector3::new(0.3, -0.2, 1.0))).dot(&(q.attitude * Vector3::x()))
    }
}
