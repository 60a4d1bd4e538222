//! One suite for every group: a new group brings one line at the end of this file.

use lie_runtime::group::{DQ, GroupAction, LieGroup, R3, S3, S3R3, S3xR3, SE2, SE3, SO2, SO3, SO3xR3, TangentVector};
use lie_runtime::scalar::{Dual, Scalar};
use proptest::prelude::*;

/// The tangent vector of a group's identity with the given components (as many as there are).
fn tangent_from<G: LieGroup>(identity: &G, components: &[f64]) -> G::Tangent {
    let mut tangent = identity.log();
    for i in 0..tangent.component_count() {
        tangent.set_component(i, G::Scalar::from_f64(components[i % components.len()]));
    }
    tangent
}

/// The same with derivatives along `direction`.
fn dual_tangent_from<D: LieGroup<Scalar = Dual<f64>>>(identity: &D, value: &[f64], direction: &[f64]) -> D::Tangent {
    let mut tangent = identity.log();
    for i in 0..tangent.component_count() {
        tangent.set_component(i, Dual::variable(value[i % value.len()], direction[i % direction.len()]));
    }
    tangent
}

fn components<V: TangentVector>(v: &V) -> Vec<f64> {
    (0..v.component_count()).map(|i| v.component(i).value()).collect()
}

fn slopes<V: TangentVector<Scalar = Dual<f64>>>(v: &V) -> Vec<f64> {
    (0..v.component_count()).map(|i| v.component(i).eps).collect()
}

#[track_caller]
fn assert_close(a: &[f64], b: &[f64], tolerance: f64, what: &str) {
    assert_eq!(a.len(), b.len(), "{what}");
    let scale = a.iter().chain(b).fold(1.0_f64, |scale, x| scale.max(x.abs()));
    for (x, y) in a.iter().zip(b) {
        assert!((x - y).abs() <= tolerance * scale, "{what}: {a:?} and {b:?} differ by {:e}", (x - y).abs());
    }
}

/// How far two elements are apart: the logarithm of a⁻¹ b.
#[track_caller]
fn assert_same<G: LieGroup>(a: &G, b: &G, tolerance: f64, what: &str) {
    let difference = a.inverse().compose(b).log();
    let error = difference.max_norm();
    assert!(error <= tolerance, "{what}: the elements differ by {error:e}");
}

/// Axioms, T, Ad and ad in plain numbers.
fn axioms<G: LieGroup>(identity: &G, [x, y, z]: [&[f64]; 3], tolerance: f64) {
    let [theta, phi, psi] = [x, y, z].map(|components| tangent_from(identity, components));
    let [a, b, c] = [&theta, &phi, &psi].map(|theta| G::exp(theta));
    let inner = |u: &G::Tangent, v: &G::Tangent| [u.dot(v).value()];
    let one = identity.identity_like();

    assert_eq!(theta.component_count(), identity.dimension());
    assert!(a.is_finite() && theta.all_finite());
    assert!(a.membership_defect() <= tolerance, "exp leads into the group");
    let mut again = a.clone();
    again.renormalize();
    assert_same(&again, &a, tolerance, "an element stays");
    assert_same(&a.compose(&one), &a, tolerance, "a 1 = a");
    assert_same(&one.compose(&a), &a, tolerance, "1 a = a");
    assert_same(&a.compose(&a.inverse()), &one, tolerance, "a a⁻¹ = 1");
    assert_same(&a.compose(&b).compose(&c), &a.compose(&b.compose(&c)), 8.0 * tolerance, "(a b) c = a (b c)");
    assert_same(&G::exp(&a.log()), &a, tolerance, "exp log a = a");
    let mut product = one.clone();
    a.compose_exp_into(&phi, &mut product);
    assert_same(&product, &a.compose(&b), tolerance, "a exp(phi)");

    let t = G::tangent(&theta, &phi);
    assert_close(&components(&G::tangent_inverse(&theta, &t)), &components(&phi), tolerance, "T⁻¹ T = I");
    let t_transpose = G::tangent_transpose(&theta, &psi);
    assert_close(&inner(&t, &psi), &inner(&phi, &t_transpose), tolerance, "Tᵀ");
    let round = G::tangent_inverse_transpose(&theta, &t_transpose);
    assert_close(&components(&round), &components(&psi), tolerance, "T⁻ᵀ Tᵀ = I");

    let ad = a.adjoint(&phi);
    assert_same(&a.compose(&b).compose(&a.inverse()), &G::exp(&ad), 8.0 * tolerance, "a exp(v) a⁻¹ = exp(Ad v)");
    assert_close(&inner(&ad, &psi), &inner(&phi, &a.adjoint_transpose(&psi)), tolerance, "Adᵀ");
    let bracket = G::bracket(&theta, &phi);
    assert_close(&inner(&bracket, &psi), &inner(&phi, &G::coadjoint(&theta, &psi)), tolerance, "adᵀ");
    let mut antisymmetric = G::bracket(&phi, &theta);
    antisymmetric.axpy(G::Scalar::from_f64(1.0), &bracket);
    assert_close(&[antisymmetric.max_norm()], &[0.0], tolerance, "ad is antisymmetric");
    // T = I at rest, and T(θ) θ = θ.
    assert_close(&components(&G::tangent(&theta, &theta)), &components(&theta), tolerance, "T(θ) θ = θ");
}

/// T, T⁻¹, ad as derivatives, by dual numbers.
fn derivatives<D: LieGroup<Scalar = Dual<f64>>>(identity: &D, [x, y]: [&[f64]; 2]) {
    let theta = dual_tangent_from(identity, x, y);
    let frozen = tangent_from(identity, x);
    let direction = tangent_from(identity, y);
    // exp(θ)⁻¹ exp(θ + ε y) = exp(ε T(θ) y): the logarithm there is its own argument.
    let rate = slopes(&D::exp(&frozen).inverse().compose(&D::exp(&theta)).log());
    assert_close(&rate, &components(&D::tangent(&frozen, &direction)), 4e-14, "T is the derivative of exp");
    // log(exp(θ) exp(ε y)) = θ + ε T(θ)⁻¹ y.
    let step = dual_tangent_from(identity, &[0.0], y);
    let moved = D::exp(&frozen).compose(&D::exp(&step)).log();
    let inverse = components(&D::tangent_inverse(&frozen, &direction));
    assert_close(&slopes(&moved), &inverse, 4e-14, "T⁻¹ is the derivative of log");
    // d/dε Ad_exp(ε y) x = [y, x].
    let adjoint = slopes(&D::exp(&step).adjoint(&frozen));
    assert_close(&adjoint, &components(&D::bracket(&direction, &frozen)), 4e-14, "ad is the derivative of Ad");
}

/// exp and log at special rotation angles: along each axis and a slanted one.
fn special_angles<G: LieGroup>(identity: &G) {
    let pi = core::f64::consts::PI;
    let directions: [[f64; 3]; 5] =
        [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [0.6, 0.0, -0.8], [2.0 / 7.0, 3.0 / 7.0, 6.0 / 7.0]];
    for direction in directions {
        for angle in [0.0, 1e-300, 1e-160, 1e-12, 1e-8, 1e-4, 0.35, 0.5, 1.0, 3.0, pi - 1e-4, pi - 1e-9, pi - 1e-13, pi]
        {
            let theta = tangent_from(identity, &direction.map(|x| angle * x));
            let angle_is_single = components(&theta).len() != 1 && components(&theta).len() % 3 == 0;
            if !angle_is_single && angle > 3.0 {
                continue; // In the plane, -π is π.
            }
            let element = G::exp(&theta);
            let round = element.log();
            assert!(round.all_finite(), "log at {angle}");
            assert_same(&G::exp(&round), &element, 2e-14, "exp log exp");
            if angle < 3.1 {
                // Relative to the size of the vector: small rotations keep their digits.
                for (a, b) in components(&round).iter().zip(components(&theta)) {
                    assert!((a - b).abs() <= 4e-15 * angle, "log exp at {angle}: {a} and {b}");
                }
            }
        }
    }
}

/// A rotation vector and a translation of moderate size; rotations stay away from π, where log jumps.
fn numbers() -> impl Strategy<Value = Vec<f64>> {
    prop::collection::vec(-1.7..1.7_f64, 6)
}

macro_rules! suite {
    ($($name:ident: $group:ident);* $(;)?) => {
        $(mod $name {
            use super::*;

            fn identity<S: Scalar>() -> $group<S> {
                <$group<S> as Default>::default().identity_like()
            }
            proptest! {
                #![proptest_config(ProptestConfig::with_cases(64))]
                #[test]
                fn satisfies_the_axioms(x in numbers(), y in numbers(), z in numbers()) {
                    axioms(&identity::<f64>(), [&x, &y, &z], 1e-13);
                    // And between near-identity elements.
                    let small: Vec<f64> = x.iter().map(|x| 1e-9 * x).collect();
                    axioms(&identity::<f64>(), [&small, &y, &z], 1e-13);
                    axioms(&identity::<f32>(), [&x, &y, &z], 1e-4);
                    axioms(&identity::<Dual<f64>>(), [&x, &y, &z], 1e-13);
                    let other = || identity::<f64>();
                    axioms(&(other(), R3::<f64>::zeros()), [&x, &y, &z], 1e-13);
                    axioms(&(other(), SO3::<f64>::identity(), other()), [&x, &y, &z], 1e-13);
                    axioms(&[other(), other()], [&x, &y, &z], 1e-13);
                    axioms(&vec![other(), other(), other()], [&x, &y, &z], 1e-13);
                }
                #[test]
                fn has_tangents_that_are_derivatives(x in numbers(), y in numbers()) {
                    derivatives(&identity::<Dual<f64>>(), [&x, &y]);
                    let small: Vec<f64> = x.iter().map(|x| 1e-7 * x).collect();
                    derivatives(&identity::<Dual<f64>>(), [&small, &y]);
                    derivatives(&identity::<Dual<f64>>(), [&[0.0], &y]);
                }
            }
            #[test]
            fn keeps_special_angles() {
                special_angles(&identity::<f64>());
            }
        })*
    };
}

/// The action is one: (a b) · x = a · (b · x), 1 · x = x.
macro_rules! actions {
    ($($name:ident: $group:ident on $point:expr);* $(;)?) => {
        $(proptest! {
            #[test]
            fn $name(x in numbers(), y in numbers()) {
                let one = <$group>::identity();
                let [a, b] = [&x, &y].map(|theta| <$group>::exp(&tangent_from(&one, theta)));
                let point = $point;
                let both: Vec<f64> = ((a * b) * point).iter().copied().collect();
                let one_by_one: Vec<f64> = (&a * (&b * &point)).iter().copied().collect();
                assert_close(&both, &one_by_one, 1e-14, "(a b) x = a (b x)");
                assert_eq!(one.act(&point), point);
                let back: Vec<f64> = (a.inverse() * a.act(&point)).iter().copied().collect();
                assert_close(&back, &point.iter().copied().collect::<Vec<_>>(), 1e-14, "a⁻¹ a x = x");
            }
        })*
    };
}

actions! {
    so2_acts_on_the_plane: SO2 on lie_runtime::nalgebra::Vector2::new(0.3, -2.0);
    se2_acts_on_the_plane: SE2 on lie_runtime::nalgebra::Vector2::new(0.3, -2.0);
    so3_acts_on_space: SO3 on lie_runtime::nalgebra::Vector3::new(0.3, -2.0, 1.5);
    s3_acts_on_space: S3 on lie_runtime::nalgebra::Vector3::new(0.3, -2.0, 1.5);
    se3_acts_on_space: SE3 on lie_runtime::nalgebra::Vector3::new(0.3, -2.0, 1.5);
    s3r3_acts_on_space: S3R3 on lie_runtime::nalgebra::Vector3::new(0.3, -2.0, 1.5);
    dq_acts_on_space: DQ on lie_runtime::nalgebra::Vector3::new(0.3, -2.0, 1.5);
}

suite! {
    space: R3;
    so2: SO2;
    so3: SO3;
    s3: S3;
    se2: SE2;
    se3: SE3;
    s3r3: S3R3;
    dq: DQ;
    so3xr3: SO3xR3;
    s3xr3: S3xR3;
}

/// A direct product that is declared: its configuration is a group where it has a Hamiltonian on T*G.
#[lie_runtime::mechanical_system]
pub mod product {
    use lie_runtime::prelude::*;

    /// A member of most groups, a power among them.
    #[configuration]
    pub struct Members {
        /// In the plane.
        pub cart: SE2,
        /// Two of them.
        pub links: [SO3; 2],
        /// An angle.
        pub wheel: SO2,
        /// By a quaternion.
        pub pose: S3R3,
        /// Commutative.
        pub slider: R2,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        let links = v.links[0].norm_squared() + v.links[1].norm_squared();
        0.5 * (v.cart.norm_squared() + links + v.wheel * v.wheel + v.pose.norm_squared() + v.slider.norm_squared())
    }
}

proptest! {
    #[test]
    fn declared_products_are_groups(x in numbers(), y in numbers(), z in numbers()) {
        fn identity<S: Scalar>() -> product::Members<S> {
            let links = [SO3::identity(), SO3::identity()];
            let (cart, wheel, pose) = (SE2::identity(), SO2::identity(), S3R3::identity());
            product::Members { cart, links, wheel, pose, slider: lie_runtime::group::R2::from_element(S::from_f64(0.0)) }
        }
        axioms(&identity::<f64>(), [&x, &y, &z], 1e-13);
        derivatives(&identity::<Dual<f64>>(), [&x, &y]);
    }
}
