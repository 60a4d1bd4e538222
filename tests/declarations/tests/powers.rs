//! Powers of groups that are written out: large matrices, most of whose entries are zero.

use lie_runtime::prelude::*;
use lie_runtime::system::Linearised;

/// Eight points in a row, springs between adjacent points.
#[mechanical_system]
pub mod row {
    use lie_runtime::prelude::*;

    /// The positions.
    #[configuration]
    pub struct Row {
        /// In order.
        pub points: [R3; 8],
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        v.points.iter().map(|v| 0.5 * v.norm_squared()).sum::<f64>()
    }

    #[potential]
    fn springs(q: &Row) -> f64 {
        q.points.windows(2).map(|pair| 0.5 * ((pair[1] - pair[0]).norm() - 1.0).powi(2)).sum::<f64>()
    }
}

/// The previous content of a matrix does not remain.
#[test]
fn matrices_are_written_whole() {
    let system = row::System::new().unwrap();
    let points =
        std::array::from_fn(|at| Vector3::new(0.9 * at as f64, (at as f64).sin(), 0.1 * (3.0 * at as f64).cos()));
    let q = row::Row { points };
    let (v, lambda) = (system.zero_velocity(), system.zero_multipliers());
    let mut matrix = system.zero_matrix();
    system.tangent_stiffness(0.0, &q, &v, &v, &lambda, &mut matrix);
    let stiffness = matrix;
    for row in 0..24_usize {
        assert!(system.matrix_entry(&stiffness, row, row) != 0.0);
    }
    system.mass_matrix(0.0, &q, &mut matrix);
    for row in 0..24_usize {
        for column in 0..24 {
            assert_eq!(system.matrix_entry(&matrix, row, column), f64::from(u8::from(row == column)));
        }
    }
    system.tangent_stiffness(0.0, &q, &v, &v, &lambda, &mut matrix);
    for row in 0..24_usize {
        for column in 0..24 {
            let entry = system.matrix_entry(&matrix, row, column);
            assert_eq!(entry, system.matrix_entry(&stiffness, row, column));
            assert!(row.abs_diff(column) < 6 || entry == 0.0);
        }
    }
}
