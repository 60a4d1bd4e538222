//! Local coordinates against the formulas of paper 2 and against dual numbers.

use lie_runtime::group::{CoordinateMap, DQ, LieGroup, LocalCoordinates, S3, S3R3, S3xR3, SE2, SE3, SO2, SO3, SO3xR3};
use lie_runtime::nalgebra::{Matrix3, SVector, Vector3};
use lie_runtime::scalar::Dual;
use lie_runtime::space::S2;

const MAPS: [CoordinateMap; 3] =
    [CoordinateMap::RotationVector, CoordinateMap::CONFORMAL_ROTATION_VECTOR, CoordinateMap::CAYLEY];

/// Coordinates, rates and second derivatives near and far from the identity.
fn motions<const N: usize>() -> Vec<[SVector<f64, N>; 3]> {
    let vector = |scale: f64, phase: f64| SVector::<f64, N>::from_fn(|i, _| scale * (phase + 1.7 * i as f64).sin());
    [0.0, 1e-9, 1e-3, 0.4, 1.1]
        .into_iter()
        .map(|scale| [vector(scale, 0.3), vector(2.0, 1.1), vector(3.0, 2.6)])
        .collect()
}

/// a + ε b.
fn dual<const N: usize>(a: &SVector<f64, N>, b: &SVector<f64, N>) -> SVector<Dual<f64>, N> {
    SVector::from_fn(|i, _| Dual::variable(a[i], b[i]))
}

fn value<const N: usize>(a: &SVector<Dual<f64>, N>) -> SVector<f64, N> {
    a.map(|component| component.re)
}

fn derivative<const N: usize>(a: &SVector<Dual<f64>, N>) -> SVector<f64, N> {
    a.map(|component| component.eps)
}

fn assert_close<const N: usize>(label: &str, found: &SVector<f64, N>, expected: &SVector<f64, N>) {
    let error = (found - expected).amax();
    assert!(error < 1e-13 * (1.0 + expected.amax()), "{label}: {found} instead of {expected}");
}

/// Velocities are the velocities of q₀ exp(θ(x)), accelerations their rates, gradients their derivatives.
fn check<G, D, const N: usize>(label: &str)
where
    G: LocalCoordinates<f64, N>,
    D: LocalCoordinates<Dual<f64>, N>,
{
    let zero = SVector::<f64, N>::zeros();
    for map in MAPS {
        for [x, rate, second] in motions::<N>() {
            let label = format!("{label}, {map:?}, {x}");
            let motion = G::local_motion(&map, &x, &rate, &second);
            let moving = D::local_motion(&map, &dual(&x, &rate), &dual(&rate, &second), &dual(&second, &zero));
            assert_close(&label, &motion.theta, &value(&moving.theta));
            assert_close(&label, &motion.velocity, &G::tangent(&motion.theta, &derivative(&moving.theta)));
            assert_close(&label, &motion.acceleration, &derivative(&moving.velocity));

            let tangent = G::tangent_matrix(&motion.theta);
            assert_close(&label, &(tangent * rate), &G::tangent(&motion.theta, &rate));
            assert_close(&label, &(G::tangent_inverse_matrix(&motion.theta) * (tangent * rate)), &rate);

            let gradient = G::local_gradient(&map, &x, &rate, &second);
            let along = SVector::<f64, N>::from_fn(|i, _| (0.4 + i as f64).cos());
            let varied = |at: usize| {
                let [x, rate, second] = [(0, &x), (1, &rate), (2, &second)]
                    .map(|(index, vector)| dual(vector, if index == at { &along } else { &zero }));
                let motion = D::local_motion(&map, &x, &rate, &second);
                (derivative(&motion.velocity), derivative(&motion.acceleration))
            };
            assert_close(&label, &(gradient.velocity_by_position * along), &varied(0).0);
            assert_close(&label, &(gradient.acceleration_by_position * along), &varied(0).1);
            assert_close(&label, &(gradient.tangent * along), &varied(1).0);
            assert_close(&label, &(gradient.acceleration_by_rate * along), &varied(1).1);
            assert_close(&label, &(gradient.tangent * along), &varied(2).1);
        }
    }
}

/// The reverse pass through θ' = T(θ)⁻¹ v: every derivative of p · θ' with respect to θ and v, at all angles.
fn check_rates<G, D, const N: usize>(label: &str)
where
    G: LocalCoordinates<f64, N>,
    D: LocalCoordinates<Dual<f64>, N>,
{
    let zero = SVector::<f64, N>::zeros();
    for [theta, v, p] in motions::<N>() {
        let found = G::rate_pullback([&theta, &v], &p);
        let slope = |at: usize, unit: &SVector<f64, N>| {
            let [theta, v] =
                [(0, &theta), (1, &v)].map(|(index, vector)| dual(vector, if index == at { unit } else { &zero }));
            p.dot(&derivative(&D::tangent_inverse(&theta, &v)))
        };
        for (at, found) in found.iter().enumerate() {
            let expected =
                SVector::<f64, N>::from_fn(|i, _| slope(at, &SVector::from_fn(|j, _| f64::from(u8::from(i == j)))));
            assert_close(&format!("{label}, {theta}, {at}"), found, &expected);
        }
    }
}

macro_rules! check {
    ($($name:ident $n:literal,)*) => {
        $(
            check::<$name, $name<Dual<f64>>, $n>(stringify!($name));
            check_rates::<$name, $name<Dual<f64>>, $n>(stringify!($name));
        )*
    };
}

#[test]
fn velocities_accelerations_and_gradients() {
    check!(SO3 3, S3 3, SE3 6, S3R3 6, DQ 6, SO3xR3 6, S3xR3 6, SE2 3, SO2 1, S2 3,);
}

fn skew(x: &Vector3<f64>) -> Matrix3<f64> {
    x.cross_matrix()
}

/// μ(x) and T(x) on SO(3).
fn rotation_and_tangent(map: &CoordinateMap, x: &Vector3<f64>) -> (Matrix3<f64>, Matrix3<f64>) {
    let zero = Vector3::zeros();
    let rotation = SO3::exp(&SO3::<f64>::local_motion(map, x, &zero, &zero).theta).matrix();
    (rotation, SO3::<f64>::local_gradient(map, x, &zero, &zero).tangent)
}

/// Paper 2, eqs. 25, 26, 81 and 82, and the Cayley transform.
#[test]
fn maps_are_those_of_the_paper() {
    for [x, ..] in motions::<3>() {
        let close = |found: Matrix3<f64>, expected: Matrix3<f64>| assert!((found - expected).amax() < 1e-14);
        let (rotation, tangent) = rotation_and_tangent(&CoordinateMap::CONFORMAL_ROTATION_VECTOR, &x);
        let c0 = (16.0 - x.norm_squared()) / 8.0;
        let square = (4.0 - c0) * (4.0 - c0);
        let outer = x * x.transpose();
        let one = Matrix3::identity();
        close(rotation, (one * (c0 * c0 + 8.0 * c0 - 16.0) + outer * 2.0 + skew(&x) * (2.0 * c0)) / square);
        close(tangent, (one * c0 + outer * 0.25 - skew(&x)) * (2.0 / square));

        let (rotation, tangent) = rotation_and_tangent(&CoordinateMap::CAYLEY, &x);
        let half = skew(&x) * 0.5;
        close(rotation, (one - half).try_inverse().unwrap() * (one + half));
        close(tangent, (one - half) / (1.0 + 0.25 * x.norm_squared()));

        let (rotation, tangent) = rotation_and_tangent(&CoordinateMap::RotationVector, &x);
        close(rotation, SO3::exp(&x).matrix());
        let columns = [0, 1, 2].map(|i| SO3::tangent(&x, &Vector3::ith(i, 1.0)));
        close(tangent, Matrix3::from_columns(&columns));
    }
}
