//! Elements of Cosserat rods: strain and strain energy between two cross-section frames.
//!
//! The strain of an element of length L between the frames a and b is ε = log(a⁻¹ b) / L. It is constant along the element and invariant
//! under rigid motions. Its angular part is the curvature and twist, its linear part the stretch, which is (0, 0, 1) for a straight element
//! without load and with the third axis along the rod.
//!
//! Source: V. Sonneville, A. Cardona, O. Brüls, Geometrically exact beam finite element formulated on the special Euclidean group SE(3),
//! Computer Methods in Applied Mechanics and Engineering 268 (2014) 451-474.

use lie_runtime::prelude::*;

/// Returns the strain of an element between two frames of `SE3`.
pub fn rod_strain(a: &SE3, b: &SE3, length: f64) -> Vector6<f64> {
    (a.inverse() * *b).log() / length
}

/// Returns the strain of an element between two frames of `S3R3`, with unit quaternions.
pub fn rod_strain_s3r3(a: &S3R3, b: &S3R3, length: f64) -> Vector6<f64> {
    (a.inverse() * *b).log() / length
}

/// Returns the strain energy of an element, L/2 (κᵀ C^K κ + γᵀ C^Γ γ). κ and γ are the angular and the linear part of the strain minus the
/// strain without load. C^K is the stiffness in bending and torsion, and C^Γ is the stiffness in shear and tension.
pub fn rod_energy(
    strain: &Vector6<f64>,
    unloaded: &Vector6<f64>,
    bending: &Vector3<f64>,
    stretching: &Vector3<f64>,
    length: f64,
) -> f64 {
    let deviation = strain - unloaded;
    let (curvature, stretch) = (deviation.angular(), deviation.linear());
    0.5 * length
        * (curvature.dot(&bending.component_mul(&curvature)) + stretch.dot(&stretching.component_mul(&stretch)))
}

/// Returns the strain of a straight rod without load, (0, 0, 0, 0, 0, 1).
pub fn straight_strain() -> Vector6<f64> {
    Vector6::new(0.0, 0.0, 0.0, 0.0, 0.0, 1.0)
}
