//! Placements of a body: their interface, and dual quaternions against the groups that they stand for.

use lie_runtime::group::{DQ, GroupError, LieGroup, Placement, S3, S3R3, S3xR3, SE2, SE3, SO2, SO3, SO3xR3};
use lie_runtime::nalgebra::{SVector, Vector2, Vector3, Vector6};
use lie_runtime::scalar::Dual;
use proptest::prelude::*;

type D = Dual<f64>;

fn numbers() -> impl Strategy<Value = [f64; 6]> {
    prop::array::uniform6(-1.7..1.7_f64)
}

fn dual<const N: usize>(value: &SVector<f64, N>, rate: &SVector<f64, N>) -> SVector<D, N> {
    SVector::from_fn(|i, _| Dual::variable(value[i], rate[i]))
}

#[track_caller]
fn assert_close<const N: usize>(a: &SVector<f64, N>, b: &SVector<f64, N>, what: &str) {
    let scale = a.amax().max(b.amax()).max(1.0);
    assert!((a - b).amax() <= 2e-14 * scale, "{what}: {a:?} and {b:?}");
}

/// The velocity of a point is the rate of `placement * point` along q exp(ε v), by dual numbers.
macro_rules! interface {
    ($($name:ident: $group:ident over $rotation:ident, $n:literal, $point:ident, $at:expr, $angular:expr;)*) => {
        $(proptest! {
            #[test]
            fn $name(x in numbers(), y in numbers()) {
                let [theta, v] = [x, y].map(|x| SVector::<f64, $n>::from_fn(|i, _| x[i]));
                let (q, point) = ($group::exp(&theta), $at);
                let still = |vector: &SVector<f64, $n>| dual(vector, &SVector::zeros());
                let moving = $group::exp(&still(&theta)).compose(&$group::exp(&dual(&SVector::zeros(), &v)));
                let path = moving * dual(&point, &$point::zeros());
                assert_close(&q.point_velocity(&v, &point), &path.map(|x| x.eps), "in space");
                assert_close(&(q * point), &path.map(|x| x.re), "position of the point");
                let rotation: $rotation = q.rotation();
                let body = rotation.inverse().rotate(&q.point_velocity(&v, &point));
                assert_close(&q.body_point_velocity(&v, &point), &body, "in the body");
                let origin = q.point_velocity(&v, &$point::zeros());
                assert_close(&q.twist(&$angular(&v), &origin), &v, "the twist of both velocities");
                assert_close(&(rotation * point + q.position()), &(q * point), "R p + x");
                let again = $group::new(q.rotation(), q.position());
                assert_close(&(again * point), &(q * point), "composition of the parts");
            }
        })*
    };
}

fn angular(v: &Vector6<f64>) -> Vector3<f64> {
    v.fixed_rows::<3>(0).into_owned()
}

interface! {
    on_se3: SE3 over SO3, 6, Vector3, Vector3::new(0.3, -2.0, 1.5), angular;
    on_s3r3: S3R3 over S3, 6, Vector3, Vector3::new(0.3, -2.0, 1.5), angular;
    on_dq: DQ over S3, 6, Vector3, Vector3::new(0.3, -2.0, 1.5), angular;
    on_so3xr3: SO3xR3 over SO3, 6, Vector3, Vector3::new(0.3, -2.0, 1.5), angular;
    on_s3xr3: S3xR3 over S3, 6, Vector3, Vector3::new(0.3, -2.0, 1.5), angular;
    on_se2: SE2 over SO2, 3, Vector2, Vector2::new(0.3, -2.0), |v: &Vector3<f64>| v.x;
}

proptest! {
    /// exp, products, inverses, log, Ad, and the action on points.
    #[test]
    fn dual_quaternions_are_rigid_motions(x in numbers(), y in numbers()) {
        let [theta, phi] = [x, y].map(Vector6::from);
        let [a, b] = [&theta, &phi].map(DQ::exp);
        let [c, d] = [&theta, &phi].map(S3R3::exp);
        let same = |a: &DQ, c: &S3R3| {
            assert_close(&SVector::from(a.rotation().coordinates()), &SVector::from(c.rotation.coordinates()), "r");
            assert_close(&a.position(), &c.translation, "position");
        };
        same(&a, &c);
        same(&a.compose(&b), &c.compose(&d));
        same(&a.inverse(), &c.inverse());
        assert_close(&a.compose(&b).log(), &c.compose(&d).log(), "log");
        assert_close(&a.adjoint(&phi), &c.adjoint(&phi), "Ad");
        let matrices = SE3::exp(&theta).compose(&SE3::exp(&phi));
        assert_close(&SE3::from(a * b).log(), &matrices.log(), "SE(3) of it");
        assert_close(&DQ::from(matrices).log(), &matrices.log(), "of SE(3)");
        assert!(a.compose(&b).membership_defect() < 4e-16 * (2.0 + a.position().norm() + b.position().norm()));
    }

    /// Normalisation reduces an error δ to δ² and moves the element by at most δ.
    #[test]
    fn dual_quaternions_are_brought_back(x in numbers(), noise in prop::array::uniform8(-1e-6..1e-6_f64)) {
        let exact = DQ::exp(&Vector6::from(x));
        let coordinates = exact.coordinates();
        let mut off = DQ::from_coordinates_unchecked(core::array::from_fn(|i| coordinates[i] + noise[i]));
        let defect = off.membership_defect();
        off.renormalize();
        assert!(off.membership_defect() <= 40.0 * defect * defect + 4e-15, "{defect:e}");
        assert!((off.position() - exact.position()).norm() < 4e-5 && off.is_finite());
        let long = DQ::from_coordinates(coordinates.map(|x| 1e200 * x)).unwrap();
        assert_close(&long.log(), &exact.log(), "independent of its length");
        assert!(long.membership_defect() < 1e-15 * (2.0 + exact.position().norm()));
    }
}

#[test]
fn no_dual_quaternion() {
    for coordinates in [[0.0; 8], [f64::NAN; 8], [0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]] {
        assert_eq!(DQ::from_coordinates(coordinates), Err(GroupError::NoDirection));
    }
    let mut infinite = DQ::<f64>::identity().coordinates();
    infinite[5] = f64::INFINITY;
    assert_eq!(DQ::from_coordinates(infinite), Err(GroupError::NoDirection));
    assert!(DQ::from_coordinates_unchecked([f64::NAN; 8]).membership_defect().is_nan());
}
