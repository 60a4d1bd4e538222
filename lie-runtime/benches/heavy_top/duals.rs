//! The heavy top from its energies and its constraint, differentiated by dual numbers.
//!
//! One pass per direction, with directly seeded directions (R ẽ_i, R e_i) instead of an exponential.

use lie_runtime::nalgebra::{Matrix3, Matrix3x6, Matrix6, Vector3, Vector6};
use lie_runtime::scalar::{Dual, Scalar};
use lie_runtime::system::{Description, KktError, MechanicalSystem};

use super::block_matrices::{self, Mass};
use super::{CENTER, GRAVITY, MASS, MOMENTS, Top};

/// The parameters as constants of S.
#[derive(Clone, Debug)]
struct Data<S> {
    mass: S,
    inertia: Matrix3<S>,
    center: Vector3<S>,
    gravity: Vector3<S>,
}

impl<S: Scalar> Data<S> {
    fn of_the_paper() -> Self {
        Data {
            mass: S::from_f64(MASS),
            inertia: Matrix3::from_diagonal(&MOMENTS).map(S::from_f64),
            center: CENTER.map(S::from_f64),
            gravity: GRAVITY.map(S::from_f64),
        }
    }
}

/// A pose.
#[derive(Clone, Copy, Debug)]
struct Pose<S> {
    attitude: Matrix3<S>,
    position: Vector3<S>,
}

#[inline]
fn kinetic<S: Scalar>(top: &Data<S>, v: &Vector6<S>) -> S {
    let (angular, linear) = (Vector3::new(v[0], v[1], v[2]), Vector3::new(v[3], v[4], v[5]));
    S::from_f64(0.5) * (top.mass * linear.dot(&linear) + angular.dot(&(top.inertia * angular)))
}

#[inline]
fn potential<S: Scalar>(top: &Data<S>, q: &Pose<S>) -> S {
    -top.mass * top.gravity.dot(&q.position)
}

#[inline]
fn fixed_point<S: Scalar>(top: &Data<S>, q: &Pose<S>) -> Vector3<S> {
    q.attitude.tr_mul(&q.position) - top.center
}

/// v with its derivative along component `i`.
#[inline]
fn faster<S: Scalar>(v: &Vector6<S>, i: usize) -> Vector6<Dual<S>> {
    let mut lifted = v.map(Dual::lift);
    lifted[i].eps = S::one();
    lifted
}

/// q with its derivative along q ẽ_i.
#[inline]
fn turned<S: Scalar>(q: &Pose<S>, i: usize) -> Pose<Dual<S>> {
    let mut lifted = Pose { attitude: q.attitude.map(Dual::lift), position: q.position.map(Dual::lift) };
    if i < 3 {
        let (j, k) = ((i + 1) % 3, (i + 2) % 3);
        for row in 0..3 {
            lifted.attitude[(row, j)].eps = q.attitude[(row, k)];
            lifted.attitude[(row, k)].eps = -q.attitude[(row, j)];
        }
    } else {
        for row in 0..3 {
            lifted.position[row].eps = q.attitude[(row, i - 3)];
        }
    }
    lifted
}

/// adᵥᵀ ∂T/∂v.
#[inline]
fn gyroscopic<S: Scalar>(top: &Data<Dual<S>>, v: &Vector6<S>) -> Vector6<S> {
    let p = Vector6::from_fn(|i, _| kinetic(top, &faster(v, i)).eps);
    let (angular, linear) = (Vector3::new(v[0], v[1], v[2]), Vector3::new(v[3], v[4], v[5]));
    let (moment, force) = (Vector3::new(p[0], p[1], p[2]), Vector3::new(p[3], p[4], p[5]));
    let (first, second) = (cross(&moment, &angular) + cross(&force, &linear), cross(&force, &angular));
    Vector6::new(first.x, first.y, first.z, second.x, second.y, second.z)
}

#[inline]
fn cross<S: Scalar>(a: &Vector3<S>, b: &Vector3<S>) -> Vector3<S> {
    Vector3::new(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
}

#[inline]
fn gradient<S: Scalar>(top: &Data<Dual<S>>, q: &Pose<S>) -> Vector6<S> {
    Vector6::from_fn(|i, _| potential(top, &turned(q, i)).eps)
}

#[inline]
fn jacobian<S: Scalar>(top: &Data<Dual<S>>, q: &Pose<S>, out: &mut Matrix3x6<S>) {
    for i in 0..6 {
        let column = fixed_point(top, &turned(q, i));
        for row in 0..3 {
            out[(row, i)] = column[row].eps;
        }
    }
}

/// The top. Functions without derivatives of energies or constraints are shared with `block_matrices`.
#[derive(Clone, Debug)]
pub struct HeavyTop {
    once: Data<Dual<f64>>,
    twice: Data<Dual<Dual<f64>>>,
    rest: block_matrices::HeavyTop,
}

#[inline]
fn pose(q: &block_matrices::Pose) -> Pose<f64> {
    Pose { attitude: q.attitude, position: q.position }
}

impl Top for HeavyTop {
    const NAME: &'static str = "duals";

    fn of_the_paper() -> Self {
        HeavyTop {
            once: Data::of_the_paper(),
            twice: Data::of_the_paper(),
            rest: block_matrices::HeavyTop::of_the_paper(),
        }
    }
    fn configuration(attitude: Matrix3<f64>, position: Vector3<f64>) -> block_matrices::Pose {
        block_matrices::HeavyTop::configuration(attitude, position)
    }
    /// Only gradients of potentials and reactions depend on q.
    fn stiffness(
        &self,
        q: &block_matrices::Pose,
        _: &Vector6<f64>,
        _: &Vector6<f64>,
        multipliers: &Vector3<f64>,
        out: &mut Matrix6<f64>,
    ) {
        let (q, multipliers) = (pose(q), multipliers.map(Dual::lift));
        let mut b = Matrix3x6::zeros();
        for column in 0..6 {
            let turned = turned(&q, column);
            jacobian(&self.twice, &turned, &mut b);
            let rate = gradient(&self.twice, &turned) + b.tr_mul(&multipliers);
            out.set_column(column, &rate.map(|entry| entry.eps));
        }
    }
    fn damping(&self, _: &block_matrices::Pose, v: &Vector6<f64>, out: &mut Matrix6<f64>) {
        for column in 0..6 {
            let rate = gyroscopic(&self.twice, &faster(v, column));
            out.set_column(column, &rate.map(|entry| -entry.eps));
        }
    }
}

/// Delegates methods to `block_matrices`.
macro_rules! as_before {
    ($($name:ident($($argument:ident: $type:ty),*) $(-> $result:ty)?;)*) => {
        $(
            #[inline]
            fn $name(&self, $($argument: $type),*) $(-> $result)? {
                self.rest.$name($($argument),*)
            }
        )*
    };
}

impl MechanicalSystem for HeavyTop {
    type Scalar = f64;
    type Configuration = block_matrices::Pose;
    type Velocity = Vector6<f64>;
    type Space = block_matrices::RigidMotions;
    type Multipliers = Vector3<f64>;
    type Jacobian = Matrix3x6<f64>;
    type Mass = Mass;

    as_before! {
        description() -> &Description;
        space() -> &block_matrices::RigidMotions;
        constraint_rows() -> usize;
        holonomic_rows() -> usize;
        zero_multipliers() -> Vector3<f64>;
        zero_jacobian() -> Matrix3x6<f64>;
        zero_mass() -> Mass;
        mass(t: f64, q: &block_matrices::Pose, out: &mut Mass) -> Result<(), KktError>;
        solve_mass(mass: &mut Mass, force: &Vector6<f64>, acceleration: &mut Vector6<f64>);
        constraint(t: f64, q: &block_matrices::Pose, out: &mut Vector3<f64>);
        constraint_drift(t: f64, q: &block_matrices::Pose, out: &mut Vector3<f64>);
        constraint_curvature(t: f64, q: &block_matrices::Pose, v: &Vector6<f64>, out: &mut Vector3<f64>);
        jacobian_times(jacobian: &Matrix3x6<f64>, v: &Vector6<f64>, out: &mut Vector3<f64>);
        jacobian_transpose_times(jacobian: &Matrix3x6<f64>, multipliers: &Vector3<f64>, out: &mut Vector6<f64>);
        solve_kkt(
            mass: &mut Mass,
            b1: &Matrix3x6<f64>,
            b2: &Matrix3x6<f64>,
            force: &Vector6<f64>,
            constraint: &Vector3<f64>,
            acceleration: &mut Vector6<f64>,
            multipliers: &mut Vector3<f64>
        ) -> Result<(), KktError>;
        kinetic_energy(t: f64, q: &block_matrices::Pose, v: &Vector6<f64>) -> f64;
        potential_energy(t: f64, q: &block_matrices::Pose) -> f64;
    }

    fn force(&self, _: f64, q: &block_matrices::Pose, v: &Vector6<f64>, out: &mut Vector6<f64>) {
        *out = gyroscopic(&self.once, v) - gradient(&self.once, &pose(q));
    }
    fn constraint_jacobian(&self, _: f64, q: &block_matrices::Pose, out: &mut Matrix3x6<f64>) {
        jacobian(&self.once, &pose(q), out);
    }
}
