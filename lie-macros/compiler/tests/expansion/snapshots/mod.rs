//! Readable expansions of three small systems: a change of the generated code is visible as a change of a file.
//!
//! `UPDATE_EXPECT=1 cargo test -p lie-compiler --test expansion snapshots` writes them again.

use expect_test::{ExpectFile, expect_file};
use proc_macro2::TokenStream;

use crate::expand;

/// A pendulum in its angle.
const PENDULUM: &str = "
mod pendulum {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Angle { pub arm: SO2 }

    #[parameters]
    pub struct Data { pub inertia: f64, pub weight: f64, pub damping: f64 }

    #[kinetic_energy]
    fn kinetic(data: &Data, v: &Velocity) -> f64 { 0.5 * data.inertia * v.arm * v.arm }

    #[potential]
    fn weight(data: &Data, q: &Angle) -> f64 { -data.weight * q.arm.angle().cos() }

    #[dissipation]
    fn damping(data: &Data, v: &Velocity) -> f64 { 0.5 * data.damping * v.arm * v.arm }
}
";

/// A torque-free body.
const RIGID_BODY: &str = "
mod rigid_body {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Body { pub attitude: SO3 }

    #[parameters]
    pub struct Inertia { pub moments: Vector3<f64> }

    #[kinetic_energy]
    fn kinetic(data: &Inertia, v: &Velocity) -> f64 {
        0.5 * v.attitude.dot(&data.moments.component_mul(&v.attitude))
    }
}
";

/// The heavy top of paper 1 on SE(3).
const HEAVY_TOP: &str = "
mod heavy_top {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Body { pub pose: SE3 }

    #[parameters]
    pub struct HeavyTop {
        pub mass: f64,
        pub inertia: Matrix3<f64>,
        pub center_of_mass: Vector3<f64>,
        pub gravity: Vector3<f64>,
    }

    #[kinetic_energy]
    fn kinetic(top: &HeavyTop, v: &Velocity) -> f64 {
        let (angular, linear) = (v.pose.angular(), v.pose.linear());
        0.5 * top.mass * linear.dot(&linear) + 0.5 * angular.dot(&(top.inertia * angular))
    }

    #[potential]
    fn gravity(top: &HeavyTop, q: &Body) -> f64 { -top.mass * top.gravity.dot(&q.pose.translation) }

    #[constraint]
    fn fixed_point(top: &HeavyTop, q: &Body) -> Vector3<f64> {
        q.pose.rotation.inverse() * q.pose.translation - top.center_of_mass
    }
}
";

/// All of them.
pub(crate) const ALL: [&str; 4] = [PENDULUM, RIGID_BODY, HEAVY_TOP, EDGE];

/// The expansion as rustfmt would have it.
fn readable(declaration: &str) -> String {
    let expansion = expand(TokenStream::new(), declaration.parse().expect("the declaration lexes"));
    prettyplease::unparse(&syn::parse2(expansion).expect("the expansion parses"))
}

fn check(declaration: &str, expected: &ExpectFile) {
    let expansion = readable(declaration);
    assert!(!expansion.contains("compile_error"), "{expansion}");
    // Hash tables start from another seed each time: what their order reached would differ.
    for _ in 0..5 {
        assert_eq!(readable(declaration), expansion, "two expansions differ");
    }
    expected.assert_eq(&expansion);
}

#[test]
fn pendulum_on_so2() {
    check(PENDULUM, &expect_file!["./pendulum.expanded.rs"]);
}

#[test]
fn rigid_body_on_so3() {
    check(RIGID_BODY, &expect_file!["./rigid_body.expanded.rs"]);
}

#[test]
fn heavy_top_on_se3() {
    check(HEAVY_TOP, &expect_file!["./heavy_top.expanded.rs"]);
}

/// The large declarations, too, expand in one way only.
#[test]
fn expansions_are_deterministic() {
    for sample in crate::samples::ALL {
        let first = readable(sample);
        for _ in 0..5 {
            assert_eq!(readable(sample), first);
        }
    }
}

/// The strain energy of an edge in S³ ⋉ R³ (paper 1, eq. 23).
const EDGE: &str = "
mod rod {
    #[configuration]
    struct Rod { nodes: Vec<S3R3> }

    #[parameters]
    struct Section { length: f64, bending: Vector3<f64>, stretching: Vector3<f64>, mass: f64 }

    #[kinetic_energy(over = nodes)]
    fn kinetic(rod: &Section, v: &Vector6<f64>) -> f64 { 0.5 * rod.mass * v.dot(v) }

    #[potential(over = nodes.windows(2))]
    fn elastic(rod: &Section, length: usize, [a, b]: [&S3R3; 2]) -> f64 {
        let edge = rod.length / (length - 1) as f64;
        let strain = (a.inverse() * b).log() / edge;
        let (curvature, stretch) = (strain.angular(), strain.linear() - Vector3::new(0.0, 0.0, 1.0));
        0.5 * edge
            * (curvature.dot(&rod.bending.component_mul(&curvature))
                + stretch.dot(&rod.stretching.component_mul(&stretch)))
    }
}
";

#[test]
fn derivatives_of_an_edge_do_not_blow_up() {
    let text = expand(TokenStream::new(), EDGE.parse().expect("lexes")).to_string();
    let (_, element) = text.split_once("nodes.windows(2)").expect("the documentation of the element");
    let operations = |kernel: &str| -> usize {
        let (_, rest) = element.split_once(&format!("| {kernel} | ")).expect("a line of the documentation");
        rest.split(' ').next().and_then(|count| count.parse().ok()).expect("a number")
    };
    let (energy, gradient, hessian) =
        (operations("potential energy"), operations("force"), operations("tangent stiffness"));
    assert!(gradient < 330 && hessian < 4000, "{energy}, {gradient}, {hessian} operations");
}
