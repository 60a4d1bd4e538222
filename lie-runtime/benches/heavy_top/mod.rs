//! The heavy top of paper 1 on SE(3) in five equivalent versions.
//!
//! | name | the derivatives | the rest |
//! |---|---|---|
//! | `generated` | by the macro | by the macro |
//! | `generated_full` | by the macro, for a full inertia tensor | by the macro |
//! | `straight` | handwritten, entry by entry, with the structure of every matrix | handwritten |
//! | `block_matrices` | handwritten, as products of vectors and matrices | nalgebra |
//! | `duals` | dual numbers, one pass per direction | as in `block_matrices` |
#![allow(dead_code)] // No benchmark uses all of it.

pub mod block_matrices;
pub mod duals;
pub mod generated;
pub mod runs;
pub mod straight_linear;

pub use hand_written::heavy_top_se3 as straight;
use lie_runtime::nalgebra::{Matrix3, Matrix6, Vector3, Vector6};
use lie_runtime::prelude::SO3;
use lie_runtime::space::ConfigurationSpace;
use lie_runtime::system::MechanicalSystem;

/// The mass of the top, principal moments about the centre of mass, centre of mass from the fixed point, gravity.
pub const MASS: f64 = 15.0;
pub const MOMENTS: Vector3<f64> = Vector3::new(0.234_375, 0.468_75, 0.234_375);
pub const CENTER: Vector3<f64> = Vector3::new(0.0, 1.0, 0.0);
pub const GRAVITY: Vector3<f64> = Vector3::new(0.0, 0.0, -9.81);

/// The measured interface of every version.
pub trait Top: MechanicalSystem<Scalar = f64, Velocity = Vector6<f64>, Multipliers = Vector3<f64>> {
    /// The name in the reports.
    const NAME: &'static str;

    /// The top with the data of the paper.
    fn of_the_paper() -> Self;
    fn configuration(attitude: Matrix3<f64>, position: Vector3<f64>) -> Self::Configuration;
    /// The tangent stiffness.
    fn stiffness(
        &self,
        q: &Self::Configuration,
        v: &Vector6<f64>,
        acceleration: &Vector6<f64>,
        multipliers: &Vector3<f64>,
        out: &mut Matrix6<f64>,
    );
    /// The tangent damping.
    fn damping(&self, q: &Self::Configuration, v: &Vector6<f64>, out: &mut Matrix6<f64>);

    /// The initial values of the paper.
    fn initial() -> (Self::Configuration, Vector6<f64>) {
        let q = Self::configuration(Matrix3::identity(), CENTER);
        (q, Vector6::new(0.0, 150.0, -4.61538, 4.61538, 0.0, 0.0))
    }
}

/// A state and all arguments of the kernels.
pub struct Point<M: Top> {
    pub q: M::Configuration,
    pub v: Vector6<f64>,
    /// The increment of a step of 1e-3 s.
    pub theta: Vector6<f64>,
    pub force: Vector6<f64>,
    pub right: Vector3<f64>,
    /// B at q and at q exp(θ).
    pub here: M::Jacobian,
    pub there: M::Jacobian,
    pub mass: M::Mass,
    pub acceleration: Vector6<f64>,
    pub multipliers: Vector3<f64>,
}

impl<M: Top> Point<M> {
    pub fn of(system: &M) -> Self {
        let attitude = SO3::exp(&Vector3::new(1.0, -0.5, 0.3)).matrix();
        let q = M::configuration(attitude, attitude * CENTER);
        let angular = Vector3::new(2.0, 150.0, -4.6);
        let linear = angular.cross(&CENTER);
        let v = Vector6::new(angular.x, angular.y, angular.z, linear.x, linear.y, linear.z);
        let theta = v * 1e-3;
        let (mut here, mut there) = (system.zero_jacobian(), system.zero_jacobian());
        system.constraint_jacobian(0.0, &q, &mut here);
        let mut next = q.clone();
        system.space().compose_exp(&q, &theta, &mut next);
        system.constraint_jacobian(0.0, &next, &mut there);
        let mut force = Vector6::zeros();
        system.force(0.0, &q, &v, &mut force);
        let right = Vector3::new(20.0, -3.0, 7.0);
        let mut mass = system.zero_mass();
        system.mass(0.0, &q, &mut mass).expect("the mass matrix is positive definite");
        let (mut acceleration, mut multipliers) = (Vector6::zeros(), Vector3::zeros());
        system
            .solve_kkt(&mut mass, &here, &there, &force, &right, &mut acceleration, &mut multipliers)
            .expect("the constraints are independent");
        Point { q, v, theta, force, right, here, there, mass, acceleration, multipliers }
    }
}

/// Returns all values that the kernels compute at the point.
fn results<M: Top>(system: &M) -> Vec<(&'static str, Vec<f64>)> {
    let point = Point::of(system);
    let mut inverse = Vector6::zeros();
    system.space().tangent_inverse(&point.theta, &point.v, &mut inverse);
    let (mut stiffness, mut damping) = (Matrix6::zeros(), Matrix6::zeros());
    system.stiffness(&point.q, &point.v, &point.acceleration, &point.multipliers, &mut stiffness);
    system.damping(&point.q, &point.v, &mut damping);
    vec![
        ("force", point.force.as_slice().to_vec()),
        ("tangent_inverse", inverse.as_slice().to_vec()),
        ("acceleration", point.acceleration.as_slice().to_vec()),
        ("multipliers", point.multipliers.as_slice().to_vec()),
        ("tangent_stiffness", stiffness.as_slice().to_vec()),
        ("tangent_damping", damping.as_slice().to_vec()),
    ]
}

fn assert_like_generated<M: Top>() {
    let expected = results(&generated::principal::System::of_the_paper());
    for ((kernel, expected), (_, found)) in expected.into_iter().zip(results(&M::of_the_paper())) {
        let scale = expected.iter().fold(1.0_f64, |scale, entry| scale.max(entry.abs()));
        for (a, b) in expected.iter().zip(&found) {
            assert!((a - b).abs() < 1e-10 * scale, "{kernel} of {}: {b} instead of {a}", M::NAME);
        }
    }
}

/// Checks that all versions agree before the measurement.
pub fn assert_agreement() {
    assert_like_generated::<generated::full::System>();
    assert_like_generated::<straight::HeavyTop>();
    assert_like_generated::<block_matrices::HeavyTop>();
    assert_like_generated::<duals::HeavyTop>();
}
