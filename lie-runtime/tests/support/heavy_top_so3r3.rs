//! The heavy top of paper 1, section 2.4, on SO(3) × R³, v = (Ω, x'): Φ = Rᵀ x − X, B = [y~, Rᵀ] with y = Rᵀ x.

use std::borrow::Cow;

use lie_runtime::nalgebra::{Matrix3, Vector3, Vector6};
use lie_runtime::solve::solve_lu;
use lie_runtime::space::ConfigurationSpace;
use lie_runtime::system::{ConstraintDescription, Description, KktError, MechanicalSystem, MemberDescription};

use super::heavy_top_se3::{HeavyTop, Pose};
use super::rotation;

/// The same top in other velocities.
#[derive(Clone, Debug)]
pub struct DirectTop(pub HeavyTop);

impl DirectTop {
    pub fn of_the_paper() -> Self {
        DirectTop(HeavyTop::of_the_paper())
    }

    pub fn initial() -> (Pose, Vector6<f64>) {
        // R(0) = I: U = x'.
        HeavyTop::initial()
    }
}

/// y and R.
#[derive(Clone, Copy, Debug)]
pub struct Jacobian {
    y: Vector3<f64>,
    attitude: Matrix3<f64>,
}

static DESCRIPTION: Description = Description {
    name: "heavy_top",
    group: "SO(3) × R³",
    dof: 6,
    members: Cow::Borrowed(&[
        MemberDescription { name: "attitude", group: "SO(3)", offset: 0, dof: 3 },
        MemberDescription { name: "position", group: "R³", offset: 3, dof: 3 },
    ]),
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
    jacobian_nonzeros: 15,
    stiffness_nonzeros: 36,
    mass_is_constant: true,
    forces_depend_on_velocity: true,
    conserves_energy: false,
    never_gains_energy: false,
    states: 0,
    potential_jumps: false,
    kernels: &[],
};

fn split(v: &Vector6<f64>) -> (Vector3<f64>, Vector3<f64>) {
    (Vector3::new(v[0], v[1], v[2]), Vector3::new(v[3], v[4], v[5]))
}

fn join(angular: &Vector3<f64>, linear: &Vector3<f64>) -> Vector6<f64> {
    Vector6::new(angular.x, angular.y, angular.z, linear.x, linear.y, linear.z)
}

/// SO(3) × R³, by formulas of its own.
#[derive(Clone, Debug)]
pub struct Product;

impl ConfigurationSpace for Product {
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
        out.attitude = q.attitude * rotation::exp(&w);
        out.position = q.position + u;
    }
    fn log_difference(&self, from: &Pose, to: &Pose, out: &mut Vector6<f64>) {
        *out = join(&rotation::log(&(from.attitude.transpose() * to.attitude)), &(to.position - from.position));
    }
    fn tangent_inverse(&self, theta: &Vector6<f64>, v: &Vector6<f64>, out: &mut Vector6<f64>) {
        let ((w, _), (angular, linear)) = (split(theta), split(v));
        *out = join(&rotation::tangent_inverse(&w, &angular), &linear);
    }
    fn tangent(&self, theta: &Vector6<f64>, v: &Vector6<f64>, out: &mut Vector6<f64>) {
        let ((w, _), (angular, linear)) = (split(theta), split(v));
        *out = join(&rotation::tangent(&w, &angular), &linear);
    }
    fn is_finite(&self, q: &Pose) -> bool {
        (q.attitude.sum() + q.position.sum()).is_finite()
    }
    fn coadjoint(&self, v: &Vector6<f64>, p: &Vector6<f64>, out: &mut Vector6<f64>) {
        *out = join(&split(p).0.cross(&split(v).0), &Vector3::zeros());
    }
}

impl MechanicalSystem for DirectTop {
    type Scalar = f64;
    type Configuration = Pose;
    type Velocity = Vector6<f64>;
    type Space = Product;
    type Multipliers = Vector3<f64>;
    type Jacobian = Jacobian;
    type Mass = Vector6<f64>;

    fn description(&self) -> &'static Description {
        &DESCRIPTION
    }
    #[inline]
    fn space(&self) -> &Product {
        &Product
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
    fn zero_jacobian(&self) -> Jacobian {
        Jacobian { y: Vector3::zeros(), attitude: Matrix3::zeros() }
    }
    fn zero_mass(&self) -> Vector6<f64> {
        Vector6::zeros()
    }
    fn mass(&self, _: f64, _: &Pose, out: &mut Vector6<f64>) -> Result<(), KktError> {
        let diagonal = join(&self.0.inertia, &Vector3::repeat(self.0.mass));
        for (component, &entry) in diagonal.iter().enumerate() {
            if entry.is_nan() || entry <= 0.0 {
                return Err(KktError::MassNotPositiveDefinite { component });
            }
            out[component] = 1.0 / entry;
        }
        Ok(())
    }
    fn solve_mass(&self, mass: &mut Vector6<f64>, force: &Vector6<f64>, acceleration: &mut Vector6<f64>) {
        *acceleration = force.component_mul(mass);
    }
    fn force(&self, _: f64, _: &Pose, v: &Vector6<f64>, out: &mut Vector6<f64>) {
        let (angular, _) = split(v);
        *out = join(&angular.component_mul(&self.0.inertia).cross(&angular), &(self.0.gravity * self.0.mass));
    }
    fn constraint(&self, _: f64, q: &Pose, out: &mut Vector3<f64>) {
        *out = q.attitude.tr_mul(&q.position) - self.0.center;
    }
    fn constraint_jacobian(&self, _: f64, q: &Pose, out: &mut Jacobian) {
        *out = Jacobian { y: q.attitude.tr_mul(&q.position), attitude: q.attitude };
    }
    fn constraint_drift(&self, _: f64, _: &Pose, out: &mut Vector3<f64>) {
        *out = Vector3::zeros();
    }
    fn constraint_curvature(&self, _: f64, q: &Pose, v: &Vector6<f64>, out: &mut Vector3<f64>) {
        let (angular, linear) = split(v);
        let (y, u) = (q.attitude.tr_mul(&q.position), q.attitude.tr_mul(&linear));
        *out = (y.cross(&angular) + u).cross(&angular) + u.cross(&angular);
    }
    fn jacobian_times(&self, jacobian: &Jacobian, v: &Vector6<f64>, out: &mut Vector3<f64>) {
        let (angular, linear) = split(v);
        *out = jacobian.y.cross(&angular) + jacobian.attitude.tr_mul(&linear);
    }
    fn jacobian_transpose_times(&self, jacobian: &Jacobian, multipliers: &Vector3<f64>, out: &mut Vector6<f64>) {
        *out = join(&multipliers.cross(&jacobian.y), &(jacobian.attitude * multipliers));
    }
    fn solve_kkt(
        &self,
        mass: &mut Vector6<f64>,
        first: &Jacobian,
        second: &Jacobian,
        force: &Vector6<f64>,
        constraint: &Vector3<f64>,
        acceleration: &mut Vector6<f64>,
        multipliers: &mut Vector3<f64>,
    ) -> Result<(), KktError> {
        let mut schur = Matrix3::zeros();
        for k in 0..3 {
            let (mut column, mut image) = (Vector6::zeros(), Vector3::zeros());
            self.jacobian_transpose_times(first, &Vector3::ith(k, 1.0), &mut column);
            self.jacobian_times(second, &column.component_mul(mass), &mut image);
            schur.set_column(k, &image);
        }
        let free = force.component_mul(mass);
        let (mut rate, mut reaction) = (Vector3::zeros(), Vector6::zeros());
        self.jacobian_times(second, &free, &mut rate);
        *multipliers = solve_lu(&schur, &(rate - constraint))?;
        self.jacobian_transpose_times(first, multipliers, &mut reaction);
        *acceleration = free - reaction.component_mul(mass);
        Ok(())
    }
    fn kinetic_energy(&self, _: f64, _: &Pose, v: &Vector6<f64>) -> f64 {
        let (angular, linear) = split(v);
        0.5 * angular.component_mul(&self.0.inertia).dot(&angular) + 0.5 * self.0.mass * linear.norm_squared()
    }
    fn potential_energy(&self, _: f64, q: &Pose) -> f64 {
        -self.0.mass * self.0.gravity.dot(&q.position)
    }
}
