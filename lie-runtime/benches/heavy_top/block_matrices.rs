//! A direct implementation of the heavy top with nalgebra: 3 × 3 blocks, products, `cross_matrix`, `lu`.

use lie_runtime::nalgebra::{Matrix3, Matrix3x6, Matrix6, SMatrix, SVector, Vector3, Vector6};
use lie_runtime::space::ConfigurationSpace;
use lie_runtime::system::{Description, KktError, MechanicalSystem};

use super::{CENTER, GRAVITY, MASS, MOMENTS, Top, straight};

/// A pose.
#[derive(Clone, Copy, Debug)]
pub struct Pose {
    pub attitude: Matrix3<f64>,
    pub position: Vector3<f64>,
}

/// The parameters.
#[derive(Clone, Debug)]
pub struct HeavyTop {
    pub mass: f64,
    pub inertia: Matrix3<f64>,
    pub center: Vector3<f64>,
    pub gravity: Vector3<f64>,
}

/// The mass matrix and its inverse.
#[derive(Clone, Copy, Debug)]
pub struct Mass {
    pub matrix: Matrix6<f64>,
    pub inverse: Matrix6<f64>,
}

#[inline]
pub fn split(v: &Vector6<f64>) -> (Vector3<f64>, Vector3<f64>) {
    (v.fixed_rows::<3>(0).into_owned(), v.fixed_rows::<3>(3).into_owned())
}

#[inline]
pub fn join(angular: &Vector3<f64>, linear: &Vector3<f64>) -> Vector6<f64> {
    let mut v = Vector6::zeros();
    v.fixed_rows_mut::<3>(0).copy_from(angular);
    v.fixed_rows_mut::<3>(3).copy_from(linear);
    v
}

/// sin x / x, (1 − cos x) / x², (x − sin x) / x³.
#[inline]
fn coefficients(x: f64) -> (f64, f64, f64) {
    let z = x * x;
    if x < 1e-2 {
        (1.0 - z / 6.0 + z * z / 120.0, 0.5 - z / 24.0 + z * z / 720.0, 1.0 / 6.0 - z / 120.0 + z * z / 5040.0)
    } else {
        let (sin, cos) = x.sin_cos();
        (sin / x, (1.0 - cos) / z, (x - sin) / (z * x))
    }
}

/// (2 − 2 cos x − x sin x) / x⁴ and (x (2 + cos x) − 3 sin x) / x⁵ (paper 1, eq. 20).
#[inline]
fn coupling_coefficients(x: f64) -> (f64, f64) {
    let z = x * x;
    if x < 5e-2 {
        (1.0 / 12.0 - z / 180.0 + z * z / 6720.0, 1.0 / 60.0 - z / 1260.0 + z * z / 60480.0)
    } else {
        let (sin, cos) = x.sin_cos();
        ((2.0 - 2.0 * cos - x * sin) / (z * z), (x * (2.0 + cos) - 3.0 * sin) / (z * z * x))
    }
}

/// C₁(w, u), the derivative of T(w) along u (paper 1, eq. 20).
fn coupling(w: &Vector3<f64>, u: &Vector3<f64>) -> Matrix3<f64> {
    let x = w.norm();
    let (_, b, c) = coefficients(x);
    let (d, e) = coupling_coefficients(x);
    let (w_tilde, u_tilde) = (w.cross_matrix(), u.cross_matrix());
    let slope = w.dot(u);
    (w_tilde * u_tilde + u_tilde * w_tilde) * c - u_tilde * b + w_tilde * (slope * d) - w_tilde * w_tilde * (slope * e)
}

fn tangent(w: &Vector3<f64>) -> Matrix3<f64> {
    let (_, b, c) = coefficients(w.norm());
    let tilde = w.cross_matrix();
    Matrix3::identity() - tilde * b + tilde * tilde * c
}

fn tangent_inverse(w: &Vector3<f64>) -> Matrix3<f64> {
    let x = w.norm();
    let gamma = if x < 1e-2 { 1.0 / 12.0 + x * x / 720.0 } else { (1.0 - 0.5 * x / (0.5 * x).tan()) / (x * x) };
    let tilde = w.cross_matrix();
    Matrix3::identity() + tilde * 0.5 + tilde * tilde * gamma
}

/// Solves M v' + B₁ᵀ λ = f, B₂ v' = c as one system of nine equations.
pub fn solve_whole(
    mass: &Matrix6<f64>,
    b1: &Matrix3x6<f64>,
    b2: &Matrix3x6<f64>,
    force: &Vector6<f64>,
    constraint: &Vector3<f64>,
) -> Option<(Vector6<f64>, Vector3<f64>)> {
    let mut matrix = SMatrix::<f64, 9, 9>::zeros();
    matrix.fixed_view_mut::<6, 6>(0, 0).copy_from(mass);
    matrix.fixed_view_mut::<6, 3>(0, 6).copy_from(&b1.transpose());
    matrix.fixed_view_mut::<3, 6>(6, 0).copy_from(b2);
    let mut right = SVector::<f64, 9>::zeros();
    right.fixed_rows_mut::<6>(0).copy_from(force);
    right.fixed_rows_mut::<3>(6).copy_from(constraint);
    let solution = matrix.lu().solve(&right)?;
    Some((solution.fixed_rows::<6>(0).into_owned(), solution.fixed_rows::<3>(6).into_owned()))
}

/// Solves the same system by the Schur complement.
pub fn solve_schur(
    inverse: &Matrix6<f64>,
    b1: &Matrix3x6<f64>,
    b2: &Matrix3x6<f64>,
    force: &Vector6<f64>,
    constraint: &Vector3<f64>,
) -> Option<(Vector6<f64>, Vector3<f64>)> {
    let y = inverse * b1.transpose();
    let free = inverse * force;
    let multipliers = (b2 * y).lu().solve(&(b2 * free - constraint))?;
    Some((free - y * multipliers, multipliers))
}

/// A direct implementation of SE(3).
#[derive(Clone, Debug)]
pub struct RigidMotions;

impl ConfigurationSpace for RigidMotions {
    type Scalar = f64;
    type Configuration = Pose;
    type Velocity = Vector6<f64>;

    fn dof(&self) -> usize {
        6
    }
    fn zero_velocity(&self) -> Vector6<f64> {
        Vector6::zeros()
    }
    fn compose_exp(&self, q: &Pose, theta: &Vector6<f64>, out: &mut Pose) {
        let (w, u) = split(theta);
        let (a, b, c) = coefficients(w.norm());
        let tilde = w.cross_matrix();
        let square = tilde * tilde;
        let rotation = Matrix3::identity() + tilde * a + square * b;
        let transpose = Matrix3::identity() + tilde * b + square * c;
        out.position = q.position + q.attitude * (transpose * u);
        out.attitude = q.attitude * rotation;
    }
    fn log_difference(&self, _: &Pose, _: &Pose, _: &mut Vector6<f64>) {
        unreachable!("no step takes logarithms")
    }
    fn tangent_inverse(&self, theta: &Vector6<f64>, v: &Vector6<f64>, out: &mut Vector6<f64>) {
        let ((w, u), (angular, linear)) = (split(theta), split(v));
        let inverse = tangent_inverse(&w);
        let first = inverse * angular;
        *out = join(&first, &(inverse * (linear - coupling(&w, &u) * first)));
    }
    fn tangent(&self, theta: &Vector6<f64>, v: &Vector6<f64>, out: &mut Vector6<f64>) {
        let ((w, u), (angular, linear)) = (split(theta), split(v));
        let tangent = tangent(&w);
        *out = join(&(tangent * angular), &(tangent * linear + coupling(&w, &u) * angular));
    }
    fn is_finite(&self, q: &Pose) -> bool {
        q.attitude.iter().chain(q.position.iter()).all(|entry| entry.is_finite())
    }
    fn coadjoint(&self, v: &Vector6<f64>, p: &Vector6<f64>, out: &mut Vector6<f64>) {
        let ((w, u), (moment, force)) = (split(v), split(p));
        *out = join(&(moment.cross(&w) + force.cross(&u)), &force.cross(&w));
    }
}

impl MechanicalSystem for HeavyTop {
    type Scalar = f64;
    type Configuration = Pose;
    type Velocity = Vector6<f64>;
    type Space = RigidMotions;
    type Multipliers = Vector3<f64>;
    type Jacobian = Matrix3x6<f64>;
    type Mass = Mass;

    fn description(&self) -> &'static Description {
        &straight::DESCRIPTION
    }
    #[inline]
    fn space(&self) -> &RigidMotions {
        &RigidMotions
    }
    fn constraint_rows(&self) -> usize {
        3
    }
    fn holonomic_rows(&self) -> usize {
        3
    }
    fn zero_multipliers(&self) -> Vector3<f64> {
        Vector3::zeros()
    }
    fn zero_jacobian(&self) -> Matrix3x6<f64> {
        Matrix3x6::zeros()
    }
    fn zero_mass(&self) -> Mass {
        Mass { matrix: Matrix6::zeros(), inverse: Matrix6::zeros() }
    }

    fn mass(&self, _: f64, _: &Pose, out: &mut Mass) -> Result<(), KktError> {
        let mut matrix = Matrix6::zeros();
        matrix.fixed_view_mut::<3, 3>(0, 0).copy_from(&self.inertia);
        matrix.fixed_view_mut::<3, 3>(3, 3).fill_diagonal(self.mass);
        let inverse = matrix.try_inverse().ok_or(KktError::MassNotPositiveDefinite { component: 0 })?;
        *out = Mass { matrix, inverse };
        Ok(())
    }
    fn solve_mass(&self, mass: &mut Mass, force: &Vector6<f64>, acceleration: &mut Vector6<f64>) {
        *acceleration = mass.inverse * force;
    }
    fn force(&self, _: f64, q: &Pose, v: &Vector6<f64>, out: &mut Vector6<f64>) {
        let (angular, linear) = split(v);
        let moment = -angular.cross(&(self.inertia * angular));
        let force = (q.attitude.transpose() * self.gravity - angular.cross(&linear)) * self.mass;
        *out = join(&moment, &force);
    }
    fn constraint(&self, _: f64, q: &Pose, out: &mut Vector3<f64>) {
        *out = q.attitude.transpose() * q.position - self.center;
    }
    fn constraint_jacobian(&self, _: f64, q: &Pose, out: &mut Matrix3x6<f64>) {
        let y = q.attitude.transpose() * q.position;
        out.fixed_view_mut::<3, 3>(0, 0).copy_from(&y.cross_matrix());
        out.fixed_view_mut::<3, 3>(0, 3).copy_from(&Matrix3::identity());
    }
    fn constraint_drift(&self, _: f64, _: &Pose, out: &mut Vector3<f64>) {
        *out = Vector3::zeros();
    }
    fn constraint_curvature(&self, _: f64, q: &Pose, v: &Vector6<f64>, out: &mut Vector3<f64>) {
        let y = q.attitude.transpose() * q.position;
        let (angular, linear) = split(v);
        *out = (y.cross(&angular) + linear).cross(&angular);
    }
    fn jacobian_times(&self, jacobian: &Matrix3x6<f64>, v: &Vector6<f64>, out: &mut Vector3<f64>) {
        *out = jacobian * v;
    }
    fn jacobian_transpose_times(&self, jacobian: &Matrix3x6<f64>, multipliers: &Vector3<f64>, out: &mut Vector6<f64>) {
        *out = jacobian.transpose() * multipliers;
    }
    fn solve_kkt(
        &self,
        mass: &mut Mass,
        b1: &Matrix3x6<f64>,
        b2: &Matrix3x6<f64>,
        force: &Vector6<f64>,
        constraint: &Vector3<f64>,
        acceleration: &mut Vector6<f64>,
        multipliers: &mut Vector3<f64>,
    ) -> Result<(), KktError> {
        let solution = solve_schur(&mass.inverse, b1, b2, force, constraint);
        (*acceleration, *multipliers) = solution.ok_or(KktError::SingularConstraints { row: 0 })?;
        Ok(())
    }

    fn kinetic_energy(&self, _: f64, _: &Pose, v: &Vector6<f64>) -> f64 {
        let (angular, linear) = split(v);
        0.5 * angular.dot(&(self.inertia * angular)) + 0.5 * self.mass * linear.norm_squared()
    }
    fn potential_energy(&self, _: f64, q: &Pose) -> f64 {
        -self.mass * self.gravity.dot(&q.position)
    }
}

impl Top for HeavyTop {
    const NAME: &'static str = "block_matrices";

    fn of_the_paper() -> Self {
        HeavyTop { mass: MASS, inertia: Matrix3::from_diagonal(&MOMENTS), center: CENTER, gravity: GRAVITY }
    }
    fn configuration(attitude: Matrix3<f64>, position: Vector3<f64>) -> Pose {
        Pose { attitude, position }
    }
    fn stiffness(
        &self,
        q: &Pose,
        _: &Vector6<f64>,
        _: &Vector6<f64>,
        multipliers: &Vector3<f64>,
        out: &mut Matrix6<f64>,
    ) {
        let y = q.attitude.transpose() * q.position;
        let weight = q.attitude.transpose() * self.gravity * self.mass;
        let tilde = multipliers.cross_matrix();
        out.fill(0.0);
        out.fixed_view_mut::<3, 3>(0, 0).copy_from(&(tilde * y.cross_matrix()));
        out.fixed_view_mut::<3, 3>(0, 3).copy_from(&tilde);
        out.fixed_view_mut::<3, 3>(3, 0).copy_from(&-weight.cross_matrix());
    }
    fn damping(&self, _: &Pose, v: &Vector6<f64>, out: &mut Matrix6<f64>) {
        let (angular, linear) = split(v);
        let tilde = angular.cross_matrix();
        out.fill(0.0);
        out.fixed_view_mut::<3, 3>(0, 0).copy_from(&(tilde * self.inertia - (self.inertia * angular).cross_matrix()));
        out.fixed_view_mut::<3, 3>(3, 0).copy_from(&(linear.cross_matrix() * -self.mass));
        out.fixed_view_mut::<3, 3>(3, 3).copy_from(&(tilde * self.mass));
    }
}
