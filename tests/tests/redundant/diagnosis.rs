//! The report of the constraint diagnosis.

use benchmark_problems::bricard;
use fixtures::systems::redundant::{four_bar, held, loops};
use lie_runtime::prelude::*;
use lie_runtime::system::{Diagnosis, smallest_singular_value};

fn names(diagnosis: &Diagnosis) -> Vec<String> {
    diagnosis.dependencies.iter().map(ToString::to_string).collect()
}

#[test]
fn a_planar_loop_of_spatial_hinges_has_three_redundant_rows() {
    let system = loops::parallelogram::System::new().unwrap();
    let diagnosis = system.diagnose(0.0, &loops::oblique(1.0).0).unwrap();
    assert_eq!((diagnosis.rows.len(), diagnosis.rank, diagnosis.degrees_of_freedom()), (20, 17, 1));
    assert_eq!((diagnosis.index, diagnosis.is_regular(), diagnosis.is_consistent()), (3, false, true));
    // Out of the plane all depend on one another, in the plane nothing does.
    let expected = [
        "`foot` row 2 follows from `shoulder` rows 2, 3, 4, `elbow` rows 2, 3, 4 and `wrist` rows 2, 3",
        "`foot` row 3 follows from `shoulder` rows 3, 4, `elbow` row 3 and `wrist` rows 3, 4",
        "`foot` row 4 follows from `shoulder` rows 3, 4, `elbow` row 4 and `wrist` rows 3, 4",
    ];
    assert_eq!(names(&diagnosis), expected);
    let unique: Vec<(&str, usize)> = diagnosis.unique_rows().map(|row| (row.constraint, row.row)).collect();
    let joints = ["shoulder", "elbow", "wrist", "foot"];
    assert_eq!(unique, joints.map(|joint| [(joint, 0), (joint, 1)]).concat());
    assert_eq!((diagnosis.free_directions[0].free, diagnosis.free_directions[0].dof), (1, 18));
    let page = diagnosis.to_string();
    for part in [
        "18 degrees of freedom, 20 constraint rows of rank 17: 1 left, index 3",
        "unique multipliers: `shoulder` rows 0, 1",
    ] {
        assert!(page.contains(part), "{page}");
    }
}

/// The combination of rows with their coefficients equals the redundant row.
#[test]
fn combinations_are_those_of_the_rows() {
    let system = bricard::bricard::System::new().unwrap();
    let (q, _) = bricard::cube();
    let diagnosis = system.diagnose(0.0, &q).unwrap();
    assert_eq!((diagnosis.rank, diagnosis.degrees_of_freedom(), diagnosis.dependencies.len()), (29, 1, 1));
    let mut jacobian = system.zero_jacobian();
    system.constraint_jacobian(0.0, &q, &mut jacobian);
    let row_of = |row: usize| {
        let (mut unit, mut out) = (system.zero_multipliers(), system.zero_velocity());
        unit[row] = 1.0;
        system.jacobian_transpose_times(&jacobian, &unit, &mut out);
        out
    };
    let dependency = &diagnosis.dependencies[0];
    let mut left = row_of(dependency.row.row_of_jacobian);
    for (row, factor) in &dependency.follows_from {
        left -= *factor * row_of(row.row_of_jacobian);
    }
    assert!(left.amax() < 1e-12, "{left}");
}

#[test]
fn singular_configurations_are_told_from_regular_ones() {
    let system = four_bar::System::new().unwrap();
    let upright = system.diagnose(0.0, &four_bar::at(1.0, 0.0).0).unwrap();
    assert!(upright.is_regular() && upright.degrees_of_freedom() == 1 && upright.smallest_singular_value > 0.1);
    let flat = system.diagnose(0.0, &four_bar::at(0.0, 0.0).0).unwrap();
    assert_eq!((flat.rank, flat.degrees_of_freedom()), (12, 3));
    let free: Vec<usize> = flat.free_directions.iter().map(|member| member.free).collect();
    assert_eq!(free, [3, 3]);
    // Next to it singular values are proportional to the angle.
    let at = |angle| smallest_singular_value(&system, 0.0, &four_bar::at(angle, 0.0).0).unwrap();
    let ratio = at(1e-3) / at(1e-4);
    assert!((ratio - 10.0).abs() < 1e-3, "{ratio}");
}

#[test]
fn contradictions_are_told() {
    let at = |gap, rate, t| {
        let system = held::torn::System::new(held::torn::Data { rate, gap }).unwrap();
        system.diagnose(t, &held::torn::Bead { place: Vector2::zeros() }).unwrap()
    };
    assert!(at(0.0, 1.0, 0.0).is_consistent());
    let apart = at(0.5, 0.0, 0.0);
    assert!(!apart.is_consistent() && (apart.dependencies[0].mismatch + 0.5).abs() < 1e-15);
    assert!(names(&apart)[0].contains("`hand` row 0 follows from `wall` row 0, with a contradiction of "));
    // x = 0 and 2 x = t³ at t = 1: the positions are torn, and the rates.
    let torn = at(0.0, 1.0, 1.0);
    assert!((torn.dependencies[0].rate_mismatch + 3.0).abs() < 1e-14, "{torn}");
}
