//! The iteration matrix of implicit methods: exact, and conditioned for small steps.

mod place;
mod written_out;

use fixtures::random::Random;
use fixtures::systems::chained::chained_example;
use fixtures::systems::formulation::HeavyTop;
use fixtures::systems::heavy_tops::{s3r3, se3, so3xr3};
use fixtures::systems::{mechanisms, top_in_space};
use lie_runtime::group::{CoordinateMap, TangentVector};
use lie_runtime::nalgebra::DMatrix;
use lie_runtime::system::{Linearised, MechanicalSystem};
use place::{Place, components, zero_correction, zero_residual};

/// A solution for a random right-hand side, put back: its central difference is the right-hand side again.
fn assert_exact<M: Linearised<Scalar = f64>>(label: &str, system: &M, (q, v): &(M::Configuration, M::Velocity)) {
    let mut random = Random::new(7);
    let maps = [CoordinateMap::RotationVector, CoordinateMap::CONFORMAL_ROTATION_VECTOR, CoordinateMap::CAYLEY];
    let formulations = [(None, false), (None, true)].into_iter().chain(maps.into_iter().map(|map| (Some(map), false)));
    for (map, is_stabilised) in formulations {
        let mut place = Place::random(system, q.clone(), v, 1e-2, &mut random);
        (place.map, place.is_stabilised) = (map, is_stabilised);
        let mut factorisation = place.factorisation();
        let mut worst = 0.0_f64;
        for _ in 0..system.dof() + 2 * system.constraint_rows() {
            let right = place.random_residual(&mut random);
            let mut correction = zero_correction(system);
            system.solve_iteration(&mut factorisation, &right, &mut correction);
            let scale = 1e-5 / correction.acceleration.max_norm().max(correction.increment.max_norm());
            let [plus, minus] = [scale, -scale].map(|factor| components(&place.moved(&correction, factor).residual()));
            let right = components(&right);
            let largest = right.iter().fold(0.0_f64, |largest, entry| largest.max(entry.abs()));
            for ((plus, minus), right) in plus.iter().zip(&minus).zip(&right) {
                worst = worst.max(((plus - minus) / (2.0 * scale) + right).abs() / largest);
            }
        }
        println!("{label}, {map:?}, stabilised: {is_stabilised}: {worst:.1e}");
        assert!(worst < 1e-6, "{label}, {map:?}, stabilised: {is_stabilised}: {worst:e}");
    }
}

#[test]
fn the_matrix_is_exact() {
    assert_exact("SO(3) x R3", &so3xr3::System::of_the_paper(), &so3xr3::System::initial());
    assert_exact("SE(3)", &se3::System::of_the_paper(), &se3::System::initial());
    assert_exact("S3 x| R3", &s3r3::System::of_the_paper(), &s3r3::System::initial());
    let (system, q, v) = top_in_space::of_the_paper();
    assert_exact("in space", &system, &(q, v));
    let (system, q, v) = mechanisms::contraption_example();
    assert_exact("contraption", &system, &(q, v));
    let (system, q, v) = chained_example();
    assert_exact("chained", &system, &(q, v));
}

/// The inverse of the scaled matrix without stabilisation, by solving for unit vectors: rows δx, λ̂, columns h² r, Φ.
fn inverse<M: Linearised<Scalar = f64>>(place: &Place<'_, M>) -> DMatrix<f64> {
    let system = place.system;
    let (dof, rows) = (system.dof(), system.constraint_rows());
    let mut factorisation = place.factorisation();
    let mut inverse = DMatrix::zeros(dof + rows, dof + rows);
    for column in 0..dof + rows {
        let mut right = zero_residual(system);
        if column < dof {
            right.balance.set_component(column, -1.0);
        } else {
            right.position.set_component(column - dof, -1.0);
        }
        let mut correction = zero_correction(system);
        system.solve_iteration(&mut factorisation, &right, &mut correction);
        for row in 0..dof + rows {
            inverse[(row, column)] = if row < dof {
                correction.increment.component(row)
            } else {
                correction.multipliers.component(row - dof)
            };
        }
    }
    inverse
}

/// ‖S‖ ‖S⁻¹‖ in the 2-norm.
fn condition(matrix: &DMatrix<f64>, inverse: &DMatrix<f64>) -> f64 {
    matrix.singular_values()[0] * inverse.singular_values()[0]
}

/// The matrix (34) of paper 2 is diag(h⁻², 1) S diag(1, h²) of the scaled S, which has a limit for h → 0.
#[test]
fn scaling_bounds_the_condition() {
    let (system, q, v) = top_in_space::of_the_paper();
    let mut found = Vec::new();
    for h in [1e-2, 1e-3, 1e-4, 1e-5, 1e-6] {
        let place = Place::random(&system, q, &v, h, &mut Random::new(3));
        let inverse = inverse(&place);
        let matrix = inverse.clone().try_inverse().unwrap();
        let dof = place.system.dof();
        // Entry (i, j) in rows of r or Φ and columns of δx or δλ.
        let scale =
            |i: usize, j: usize| (if i < dof { 1.0 / (h * h) } else { 1.0 }) * (if j < dof { 1.0 } else { h * h });
        let unscaled = matrix.map_with_location(|i, j, entry| entry * scale(i, j));
        let unscaled_inverse = inverse.map_with_location(|i, j, entry| entry / scale(j, i));
        let conditions = [condition(&unscaled, &unscaled_inverse), condition(&matrix, &inverse)];
        println!("h = {h:.0e}: condition {:.1e}, scaled {:.1e}", conditions[0], conditions[1]);
        found.push(conditions);
    }
    for pair in found.windows(2) {
        // h⁻⁴ or worse against nothing.
        assert!(pair[1][0] > 0.9e4 * pair[0][0], "{} after {}", pair[1][0], pair[0][0]);
    }
    let scaled = found.iter().map(|conditions| conditions[1]);
    assert!(scaled.clone().fold(0.0, f64::max) < 2.0 * scaled.fold(f64::INFINITY, f64::min));
}
