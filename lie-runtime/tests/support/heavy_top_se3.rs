//! The heavy top of paper 1, section 2.4, on SE(3), v = (Ω, U): straight-line code with its structure exploited.
//!
//! Φ = Rᵀ x − X, B = [y~, I] with y = Rᵀ x, which is all a Jacobian stores.

use std::borrow::Cow;

use lie_runtime::nalgebra::{Matrix3, SVector, Vector3, Vector6};
use lie_runtime::solve::{inverse_spd, solve_lu};
use lie_runtime::space::ConfigurationSpace;
use lie_runtime::system::{
    ConstraintDescription, Description, FieldVisitor, KktError, MechanicalSystem, MemberDescription, Report, Value,
};

use super::rotation;

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
    pub inertia: Vector3<f64>,
    pub center: Vector3<f64>,
    pub gravity: Vector3<f64>,
}

impl HeavyTop {
    /// The data of paper 1.
    pub fn of_the_paper() -> Self {
        HeavyTop {
            mass: 15.0,
            inertia: Vector3::new(0.234_375, 0.468_75, 0.234_375),
            center: Vector3::new(0.0, 1.0, 0.0),
            gravity: Vector3::new(0.0, 0.0, -9.81),
        }
    }

    pub fn initial() -> (Pose, Vector6<f64>) {
        let pose = Pose { attitude: Matrix3::identity(), position: Vector3::new(0.0, 1.0, 0.0) };
        (pose, Vector6::new(0.0, 150.0, -4.61538, 4.61538, 0.0, 0.0))
    }
}

/// M⁻¹.
#[derive(Clone, Copy, Debug)]
pub struct Mass {
    inertia: Vector3<f64>,
    mass: f64,
}

pub static DESCRIPTION: Description = Description {
    name: "heavy_top",
    group: "SE(3)",
    dof: 6,
    members: Cow::Borrowed(&[MemberDescription { name: "pose", group: "SE(3)", offset: 0, dof: 6 }]),
    constraints: Cow::Borrowed(&[ConstraintDescription {
        name: "fixed_point",
        offset: 0,
        rows: 3,
        rows_of_element: None,
        holonomic: true,
        jumps: false,
    }]),
    observables: &[],
    symmetries: &[],
    events: &[],
    ignored: &[],
    documentation: Cow::Borrowed(&[]),
    mass_nonzeros: 6,
    jacobian_nonzeros: 9,
    stiffness_nonzeros: 36,
    mass_is_constant: true,
    forces_depend_on_velocity: true,
    conserves_energy: false,
    never_gains_energy: false,
    states: 0,
    potential_jumps: false,
    kernels: &[],
};

#[inline]
fn split(v: &Vector6<f64>) -> (Vector3<f64>, Vector3<f64>) {
    (Vector3::new(v[0], v[1], v[2]), Vector3::new(v[3], v[4], v[5]))
}

#[inline]
fn join(angular: &Vector3<f64>, linear: &Vector3<f64>) -> Vector6<f64> {
    Vector6::new(angular.x, angular.y, angular.z, linear.x, linear.y, linear.z)
}

/// C₁(w, u) v, the derivative of T(w) v along u (paper 1, eq. 20).
#[inline]
fn coupling(w: &Vector3<f64>, u: &Vector3<f64>, v: &Vector3<f64>, x: f64, bc: (f64, f64)) -> Vector3<f64> {
    let (b, c) = bc;
    let (d, e) = rotation::singular_slopes(x);
    let slope = 2.0 * w.dot(u);
    let w_v = w.cross(v);
    let u_v = u.cross(v);
    u_v * -b + (u.cross(&w_v) + w.cross(&u_v)) * c + w_v * (slope * d) - w.cross(&w_v) * (slope * e)
}

/// SE(3), by formulas of its own.
#[derive(Clone, Debug)]
pub struct RigidMotions;

impl ConfigurationSpace for RigidMotions {
    type Scalar = f64;
    type Configuration = Pose;
    type Velocity = Vector6<f64>;

    #[inline]
    fn dof(&self) -> usize {
        6
    }
    fn zero_velocity(&self) -> Vector6<f64> {
        Vector6::zeros()
    }
    #[inline]
    fn compose_exp(&self, q: &Pose, theta: &Vector6<f64>, out: &mut Pose) {
        let (w, u) = split(theta);
        let x = w.norm_squared();
        let (b, c) = rotation::singular(x);
        // exp(w, u) = (exp(w), T(w)ᵀ u) (paper 1, eq. 18).
        let first = w.cross(&u);
        let shift = u + first * b + w.cross(&first) * c;
        out.position = q.position + q.attitude * shift;
        out.attitude = q.attitude * rotation::rotation(&w, x, b, c);
    }
    fn log_difference(&self, from: &Pose, to: &Pose, out: &mut Vector6<f64>) {
        let w = rotation::log(&(from.attitude.transpose() * to.attitude));
        let (b, c) = rotation::singular(w.norm_squared());
        let tilde = rotation::tilde(&w);
        let transpose = Matrix3::identity() + tilde * b + tilde * tilde * c;
        let shift = from.attitude.transpose() * (to.position - from.position);
        let u = solve_lu(&transpose, &shift).unwrap_or_else(|_| Vector3::repeat(f64::NAN));
        *out = join(&w, &u);
    }
    #[inline]
    fn tangent_inverse(&self, theta: &Vector6<f64>, v: &Vector6<f64>, out: &mut Vector6<f64>) {
        let ((w, u), (angular, linear)) = (split(theta), split(v));
        let x = w.norm_squared();
        let (b, c) = rotation::singular(x);
        let (d, _) = rotation::singular_slopes(x);
        let g = d / b;
        let first = w.cross(&angular);
        let y = angular + first * 0.5 + w.cross(&first) * g;
        let rest = linear - coupling(&w, &u, &y, x, (b, c));
        let first = w.cross(&rest);
        *out = join(&y, &(rest + first * 0.5 + w.cross(&first) * g));
    }
    fn tangent(&self, theta: &Vector6<f64>, v: &Vector6<f64>, out: &mut Vector6<f64>) {
        let ((w, u), (angular, linear)) = (split(theta), split(v));
        let x = w.norm_squared();
        let coupled = coupling(&w, &u, &angular, x, rotation::singular(x));
        *out = join(&rotation::tangent(&w, &angular), &(coupled + rotation::tangent(&w, &linear)));
    }
    #[inline]
    fn is_finite(&self, q: &Pose) -> bool {
        (q.attitude.sum() + q.position.sum()).is_finite()
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
    type Jacobian = Vector3<f64>;
    type Mass = Mass;

    #[inline]
    fn description(&self) -> &'static Description {
        &DESCRIPTION
    }
    #[inline]
    fn space(&self) -> &RigidMotions {
        &RigidMotions
    }
    #[inline]
    fn constraint_rows(&self) -> usize {
        3
    }
    #[inline]
    fn holonomic_rows(&self) -> usize {
        3
    }
    fn zero_multipliers(&self) -> Vector3<f64> {
        Vector3::zeros()
    }
    fn zero_jacobian(&self) -> Vector3<f64> {
        Vector3::zeros()
    }
    fn zero_mass(&self) -> Mass {
        Mass { inertia: Vector3::zeros(), mass: 0.0 }
    }

    #[inline]
    fn mass(&self, _: f64, _: &Pose, out: &mut Mass) -> Result<(), KktError> {
        let inertia = inverse_spd(&Matrix3::from_diagonal(&self.inertia))?;
        if self.mass.is_nan() || self.mass <= 0.0 {
            return Err(KktError::MassNotPositiveDefinite { component: 3 });
        }
        *out = Mass { inertia: inertia.diagonal(), mass: 1.0 / self.mass };
        Ok(())
    }
    #[inline]
    fn solve_mass(&self, mass: &mut Mass, force: &Vector6<f64>, acceleration: &mut Vector6<f64>) {
        let (moment, force) = split(force);
        *acceleration = join(&moment.component_mul(&mass.inertia), &(force * mass.mass));
    }
    #[inline]
    fn force(&self, _: f64, q: &Pose, v: &Vector6<f64>, out: &mut Vector6<f64>) {
        let (angular, linear) = split(v);
        let momentum = angular.component_mul(&self.inertia);
        let weight = q.attitude.tr_mul(&self.gravity);
        *out = join(&momentum.cross(&angular), &((weight - angular.cross(&linear)) * self.mass));
    }
    #[inline]
    fn constraint(&self, _: f64, q: &Pose, out: &mut Vector3<f64>) {
        *out = q.attitude.tr_mul(&q.position) - self.center;
    }
    #[inline]
    fn constraint_jacobian(&self, _: f64, q: &Pose, out: &mut Vector3<f64>) {
        *out = q.attitude.tr_mul(&q.position);
    }
    #[inline]
    fn constraint_drift(&self, _: f64, _: &Pose, out: &mut Vector3<f64>) {
        *out = Vector3::zeros();
    }
    fn constraint_curvature(&self, _: f64, q: &Pose, v: &Vector6<f64>, out: &mut Vector3<f64>) {
        let y = q.attitude.tr_mul(&q.position);
        let (angular, linear) = split(v);
        *out = (y.cross(&angular) + linear).cross(&angular);
    }
    #[inline]
    fn jacobian_times(&self, y: &Vector3<f64>, v: &Vector6<f64>, out: &mut Vector3<f64>) {
        let (angular, linear) = split(v);
        *out = y.cross(&angular) + linear;
    }
    #[inline]
    fn jacobian_transpose_times(&self, y: &Vector3<f64>, multipliers: &Vector3<f64>, out: &mut Vector6<f64>) {
        *out = join(&multipliers.cross(y), multipliers);
    }
    #[inline]
    fn solve_kkt(
        &self,
        mass: &mut Mass,
        y1: &Vector3<f64>,
        y2: &Vector3<f64>,
        force: &Vector6<f64>,
        constraint: &Vector3<f64>,
        acceleration: &mut Vector6<f64>,
        multipliers: &mut Vector3<f64>,
    ) -> Result<(), KktError> {
        let (moment, force) = split(force);
        let j = mass.inertia;
        // −y₂~ J⁻¹ y₁~ + I/m.
        let (p, q, r) = (j.x, j.y, j.z);
        let m = mass.mass;
        let schur = Matrix3::new(
            r * y2.y * y1.y + q * y2.z * y1.z + m,
            -r * y2.y * y1.x,
            -q * y2.z * y1.x,
            -r * y2.x * y1.y,
            r * y2.x * y1.x + p * y2.z * y1.z + m,
            -p * y2.z * y1.y,
            -q * y2.x * y1.z,
            -p * y2.y * y1.z,
            q * y2.x * y1.x + p * y2.y * y1.y + m,
        );
        let (free_angular, free_linear) = (moment.component_mul(&j), force * m);
        let lambda = solve_lu(&schur, &(y2.cross(&free_angular) + free_linear - constraint))?;
        *acceleration = join(&(free_angular - lambda.cross(y1).component_mul(&j)), &(free_linear - lambda * m));
        *multipliers = lambda;
        Ok(())
    }

    fn kinetic_energy(&self, _: f64, _: &Pose, v: &Vector6<f64>) -> f64 {
        let (angular, linear) = split(v);
        0.5 * angular.component_mul(&self.inertia).dot(&angular) + 0.5 * self.mass * linear.norm_squared()
    }
    fn potential_energy(&self, _: f64, q: &Pose) -> f64 {
        -self.mass * self.gravity.dot(&q.position)
    }
}

fn rows(matrix: &Matrix3<f64>) -> Value {
    Value::Matrix(matrix.row_iter().map(|row| row.iter().copied().collect()).collect())
}

fn numbers<const N: usize>(vector: &SVector<f64, N>) -> Value {
    Value::Vector(vector.iter().copied().collect())
}

impl Report for HeavyTop {
    fn visit_configuration_fields(&self, q: &Pose, visit: FieldVisitor<'_>) {
        visit("attitude", &rows(&q.attitude));
        visit("position", &numbers(&q.position));
    }
    fn visit_velocity_fields(&self, v: &Vector6<f64>, visit: FieldVisitor<'_>) {
        visit("pose", &numbers(v));
    }
    fn visit_multiplier_fields(&self, multipliers: &Vector3<f64>, visit: FieldVisitor<'_>) {
        visit("fixed_point", &numbers(multipliers));
    }
    fn visit_observable_fields(&self, _: f64, _: &Pose, _: &Vector6<f64>, _: FieldVisitor<'_>) {}
}
