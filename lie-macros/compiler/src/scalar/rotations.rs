//! Rotations as scalars: cosine and sine for SO(2), the matrix by rows for SO(3), (w, x, y, z) for S³.

use super::lower::{cross, hat, matrix_product};
use super::{Call, Graph, Scalar};
use crate::expr::{Function, Rotation, Singular};

impl Rotation {
    /// R S.
    pub(super) fn product(self, g: &mut Graph, a: &[Scalar], b: &[Scalar]) -> Vec<Scalar> {
        match self {
            Rotation::SO2 => {
                let (cc, ss) = (g.mul(a[0], b[0]), g.mul(a[1], b[1]));
                let (cs, sc) = (g.mul(a[0], b[1]), g.mul(a[1], b[0]));
                vec![g.sub(cc, ss), g.add(cs, sc)]
            }
            Rotation::SO3 => matrix_product(g, a, b, 3, 3, 3),
            Rotation::S3 => quaternion_product(g, a, b),
        }
    }

    /// R⁻¹.
    pub(super) fn inverse(self, g: &mut Graph, a: &[Scalar]) -> Vec<Scalar> {
        match self {
            Rotation::SO3 => (0..9).map(|at| a[(at % 3) * 3 + at / 3]).collect(),
            Rotation::SO2 | Rotation::S3 => std::iter::once(a[0]).chain(a[1..].iter().map(|&x| g.neg(x))).collect(),
        }
    }

    /// R as a matrix, by rows.
    pub(super) fn matrix(self, g: &mut Graph, a: &[Scalar]) -> Vec<Scalar> {
        match self {
            Rotation::SO2 => {
                let minus = g.neg(a[1]);
                vec![a[0], minus, a[1], a[0]]
            }
            Rotation::SO3 => a.to_vec(),
            Rotation::S3 => quaternion_matrix(g, a),
        }
    }

    /// log R.
    pub(super) fn log(self, g: &mut Graph, a: &[Scalar]) -> Vec<Scalar> {
        match self {
            Rotation::SO2 => vec![g.atan2(a[1], a[0])],
            Rotation::SO3 | Rotation::S3 => g.call(&Call::Log(self, a.to_vec()), 3),
        }
    }

    /// exp v (paper 1, eqs. 16 and 17).
    pub(super) fn exp(self, g: &mut Graph, v: &[Scalar]) -> Vec<Scalar> {
        let z = g.dot(v, v);
        match self {
            Rotation::SO2 => vec![g.function(Function::Cos, v[0]), g.function(Function::Sin, v[0])],
            Rotation::S3 => {
                let (quarter, half) = (g.number(0.25), g.number(0.5));
                let z = g.mul(quarter, z);
                let cosine = g.singular(Singular::Stumpff(0), 0, z);
                let sine = g.singular(Singular::Stumpff(1), 0, z);
                let factor = g.mul(half, sine);
                std::iter::once(cosine).chain(v.iter().map(|&x| g.mul(factor, x))).collect()
            }
            Rotation::SO3 => {
                let c1 = g.singular(Singular::Stumpff(1), 0, z);
                let c2 = g.singular(Singular::Stumpff(2), 0, z);
                let c0 = g.singular(Singular::Stumpff(0), 0, z);
                // R = c_0 I + c_1 v~ + c_2 v vᵀ.
                let scaled: Vec<Scalar> = v.iter().map(|&x| g.mul(c2, x)).collect();
                let turn: Vec<Scalar> = v.iter().map(|&x| g.mul(c1, x)).collect();
                let turn = hat(g, &turn);
                (0..9)
                    .map(|at| {
                        let (row, column) = (at / 3, at % 3);
                        let outer = g.mul(scaled[row.min(column)], v[row.max(column)]);
                        let sum = if row == column { g.add(c0, outer) } else { outer };
                        g.add(sum, turn[at])
                    })
                    .collect()
            }
        }
    }
}

fn quaternion_product(g: &mut Graph, p: &[Scalar], q: &[Scalar]) -> Vec<Scalar> {
    let vector = g.dot(&p[1..], &q[1..]);
    let real = g.mul(p[0], q[0]);
    let mut result = vec![g.sub(real, vector)];
    let turn = cross(g, &p[1..], &q[1..]);
    for at in 1..4 {
        let first = g.mul(p[0], q[at]);
        let second = g.mul(q[0], p[at]);
        let sum = g.add(first, second);
        result.push(g.add(sum, turn[at - 1]));
    }
    result
}

/// The rotation matrix of a unit quaternion: with d = 2u, R = I + w d~ + u~ d~.
fn quaternion_matrix(g: &mut Graph, q: &[Scalar]) -> Vec<Scalar> {
    let one = g.number(1.0);
    let double: Vec<Scalar> = q[1..].iter().map(|&x| g.add(x, x)).collect();
    let mut result = vec![one; 9];
    for i in 0..3 {
        let (j, k) = ((i + 1) % 3, (i + 2) % 3);
        // Diagonal: 1 − 2 (q_j² + q_k²).
        let jj = g.mul(q[1 + j], double[j]);
        let kk = g.mul(q[1 + k], double[k]);
        let sum = g.add(jj, kk);
        result[4 * i] = g.sub(one, sum);
        // Off the diagonal: 2 (q_i q_j ± w q_k).
        let ij = g.mul(q[1 + i], double[j]);
        let wk = g.mul(q[0], double[k]);
        result[3 * i + j] = g.sub(ij, wk);
        result[3 * j + i] = g.add(ij, wk);
    }
    result
}
