//! The joints: springs, dampers, an angle and a rate.

use lie_runtime::nalgebra::{SMatrix, SVector};
use lie_runtime::prelude::*;
use lie_runtime::system::chain::ElementLocation;
use lie_runtime::system::{Contributions, Term};

use super::{Attitudes, BLIND, COUPLED, Rotors, member, rate, write_derivative};

/// The coupling of two bodies.
pub struct Joint<const KIND: usize>;

/// The bodies that a joint couples.
fn ends<const FLAGS: usize>(kind: usize, place: &ElementLocation<'_>, q: &Attitudes) -> (SO3, SO3) {
    (member::<FLAGS>(kind, 0, place, q), member::<FLAGS>(kind, 1, place, q))
}

/// The Jacobian of a joint: e₃ · Q e₁ is constant, and so is Q e₂ · v_a + e₂ · v_b but for b, with Q = R_aᵀ R_b.
fn joint_jacobian<const FLAGS: usize>(a: &SO3, b: &SO3) -> SMatrix<f64, 2, 6> {
    let turn = a.inverse() * *b;
    let (u, w) = (Vector3::z(), Vector3::x());
    let first = u.cross(&(turn * w));
    let second = w.cross(&(turn.inverse() * u));
    let rate = turn * Vector3::y();
    let mut jacobian = SMatrix::<f64, 2, 6>::zeros();
    for i in 0..3 {
        // D_a (u · Q w) = −α · (Q w × u).
        jacobian[(0, i)] = if FLAGS & BLIND != 0 { 0.0 } else { first[i] };
        jacobian[(0, i + 3)] = second[i];
        jacobian[(1, i)] = rate[i];
        jacobian[(1, i + 3)] = Vector3::y()[i];
    }
    jacobian
}

fn joint_residual<const FLAGS: usize>(
    a: &SO3,
    b: &SO3,
    v: &SVector<f64, 6>,
    acceleration: &SVector<f64, 6>,
    multipliers: &Vector2<f64>,
) -> SVector<f64, 6> {
    let turn = (a.inverse() * *b).matrix();
    let axial = Vector3::new(turn[(2, 1)] - turn[(1, 2)], turn[(0, 2)] - turn[(2, 0)], turn[(1, 0)] - turn[(0, 1)]);
    let mut residual = joint_jacobian::<FLAGS>(a, b).transpose() * multipliers;
    for i in 0..3 {
        let relative = 0.7 * (v[i] - v[i + 3]);
        residual[i] += relative - 1.3 * axial[i];
        residual[i + 3] += 1.3 * axial[i] - relative;
        if FLAGS & COUPLED != 0 {
            residual[i] += 0.4 * acceleration[i] + 0.2 * acceleration[i + 3];
            residual[i + 3] += 0.2 * acceleration[i] + 0.4 * acceleration[i + 3];
        }
    }
    residual
}

/// Both bodies turned by three components each.
fn turned(a: &SO3, b: &SO3, turn: &SVector<f64, 6>) -> (SO3, SO3) {
    let part = |first: usize| SO3::exp(&Vector3::new(turn[first], turn[first + 1], turn[first + 2]));
    (*a * part(0), *b * part(3))
}

fn joint_jacobian_at<const FLAGS: usize>(a: &SO3, b: &SO3, turn: &SVector<f64, 6>) -> SMatrix<f64, 2, 6> {
    let (a, b) = turned(a, b, turn);
    joint_jacobian::<FLAGS>(&a, &b)
}

impl<const FLAGS: usize, const KIND: usize> Term<Rotors<FLAGS>> for Joint<KIND> {
    type Vector = [f64; 6];
    type Rows = [f64; 2];
    type Matrix = [f64; 36];
    type Jacobian = [f64; 12];
    const KIND: usize = KIND;
    const SLOTS: &'static [usize] = &[3, 3];
    const SEGMENTS: &'static [usize] = &[1, 1];
    const HOLONOMIC_ROWS: usize = 1;
    const CONTRIBUTIONS: Contributions = Contributions {
        inertia: FLAGS & COUPLED != 0,
        inertia_is_constant: true,
        force: true,
        stiffness: true,
        damping: true,
    };

    fn mass_matrix(_: &Rotors<FLAGS>, _: &ElementLocation<'_>, _: f64, _: &Attitudes, out: &mut [f64; 36]) {
        *out = core::array::from_fn(|at| match (at / 6, at % 6) {
            (row, column) if row == column => 0.4,
            (row, column) if row % 3 == column % 3 => 0.2,
            _ => 0.0,
        });
    }
    fn force(_: &Rotors<FLAGS>, place: &ElementLocation<'_>, _: f64, q: &Attitudes, v: &[f64; 6], out: &mut [f64; 6]) {
        let (a, b) = ends::<FLAGS>(KIND, place, q);
        let zero = SVector::<f64, 6>::zeros();
        *out = (-joint_residual::<FLAGS>(&a, &b, &SVector::from(*v), &zero, &Vector2::zeros())).into();
    }
    fn constraint(_: &Rotors<FLAGS>, place: &ElementLocation<'_>, _: f64, q: &Attitudes, out: &mut [f64; 2]) {
        let (a, b) = ends::<FLAGS>(KIND, place, q);
        *out = [Vector3::z().dot(&(a.inverse() * (b * Vector3::x()))), 0.0];
    }
    fn constraint_jacobian(_: &Rotors<FLAGS>, place: &ElementLocation<'_>, _: f64, q: &Attitudes, out: &mut [f64; 12]) {
        let (a, b) = ends::<FLAGS>(KIND, place, q);
        let jacobian = joint_jacobian::<FLAGS>(&a, &b);
        *out = core::array::from_fn(|at| jacobian[(at / 6, at % 6)]);
    }
    fn constraint_drift(_: &Rotors<FLAGS>, _: &ElementLocation<'_>, _: f64, _: &Attitudes, out: &mut [f64; 2]) {
        *out = [0.0, -0.3];
    }
    fn constraint_curvature(
        _: &Rotors<FLAGS>,
        place: &ElementLocation<'_>,
        _: f64,
        q: &Attitudes,
        v: &[f64; 6],
        out: &mut [f64; 2],
    ) {
        let (a, b) = ends::<FLAGS>(KIND, place, q);
        let v = SVector::<f64, 6>::from(*v);
        *out = rate(&v, |turn| joint_jacobian_at::<FLAGS>(&a, &b, turn) * v).into();
    }
    fn kinetic_energy(_: &Rotors<FLAGS>, _: &ElementLocation<'_>, _: f64, _: &Attitudes, _: &[f64; 6]) -> f64 {
        0.0
    }
    fn potential_energy(_: &Rotors<FLAGS>, _: &ElementLocation<'_>, _: f64, _: &Attitudes) -> f64 {
        0.0
    }
    fn residual(
        _: &Rotors<FLAGS>,
        place: &ElementLocation<'_>,
        _: f64,
        q: &Attitudes,
        v: &[f64; 6],
        acceleration: &[f64; 6],
        multipliers: &[f64; 2],
        out: &mut [f64; 6],
    ) {
        let (a, b) = ends::<FLAGS>(KIND, place, q);
        let (v, acceleration) = (SVector::from(*v), SVector::from(*acceleration));
        *out = joint_residual::<FLAGS>(&a, &b, &v, &acceleration, &Vector2::from(*multipliers)).into();
    }
    fn tangent_stiffness(
        _: &Rotors<FLAGS>,
        place: &ElementLocation<'_>,
        _: f64,
        q: &Attitudes,
        v: &[f64; 6],
        acceleration: &[f64; 6],
        multipliers: &[f64; 2],
        out: &mut [f64; 36],
    ) {
        let (a, b) = ends::<FLAGS>(KIND, place, q);
        let (v, acceleration) = (SVector::from(*v), SVector::from(*acceleration));
        let multipliers = Vector2::from(*multipliers);
        write_derivative(out, |turn| {
            let (a, b) = turned(&a, &b, turn);
            joint_residual::<FLAGS>(&a, &b, &v, &acceleration, &multipliers)
        });
    }
    fn tangent_damping(
        _: &Rotors<FLAGS>,
        _: &ElementLocation<'_>,
        _: f64,
        _: &Attitudes,
        _: &[f64; 6],
        out: &mut [f64; 36],
    ) {
        *out = core::array::from_fn(|at| match (at / 6, at % 6) {
            (row, column) if row == column => 0.7,
            (row, column) if row % 3 == column % 3 => -0.7,
            _ => 0.0,
        });
    }
    fn rate_gradient(
        _: &Rotors<FLAGS>,
        place: &ElementLocation<'_>,
        _: f64,
        q: &Attitudes,
        v: &[f64; 6],
        out: &mut [f64; 12],
    ) {
        let (a, b) = ends::<FLAGS>(KIND, place, q);
        let v = SVector::<f64, 6>::from(*v);
        write_derivative(out, |turn| joint_jacobian_at::<FLAGS>(&a, &b, turn) * v);
    }
}
