//! Cross-sections of beams: area, second moments of area, shear correction and stiffness.
//!
//! The section is in the plane of the first two axes, and the third axis is along the beam. Second moments are (I₁, I₂, J): I₁ for bending
//! about the first axis, I₂ about the second axis, and the torsion constant J about the third axis. Use any consistent system of units.
//!
//! Sources: W. C. Young, R. G. Budynas, Roark's Formulas for Stress and Strain, 7th ed., McGraw-Hill, 2002, tables A.1 and 10.1;
//! G. R. Cowper, The shear coefficient in Timoshenko's beam theory, Journal of Applied Mechanics 33 (1966) 335-340.

use lie_runtime::prelude::*;
use std::f64::consts::PI;

/// Returns the area of a rectangle.
pub fn rectangle_area(width: f64, height: f64) -> f64 {
    width * height
}

/// Returns (I₁, I₂, J) of a rectangle with this width along the first axis and height along the second axis.
///
/// I₁ = w h³/12 and I₂ = h w³/12. J = s b³ (1/3 − 0.21 b/s (1 − b⁴/(12 s⁴))) with the longer side s and the shorter side b. Its error is
/// below 0.5 % (Roark, table 10.1, case 4).
pub fn rectangle_moments(width: f64, height: f64) -> Vector3<f64> {
    let (long, short) = (width.max(height), width.min(height));
    let ratio = short / long;
    let torsion = long * short.powi(3) * (1.0 / 3.0 - 0.21 * ratio * (1.0 - ratio.powi(4) / 12.0));
    Vector3::new(width * height.powi(3) / 12.0, height * width.powi(3) / 12.0, torsion)
}

/// Returns the shear correction factor of a rectangle, 10 (1 + ν) / (12 + 11 ν), with Poisson's ratio ν (Cowper 1966).
pub fn rectangle_shear_factor(poisson: f64) -> f64 {
    10.0 * (1.0 + poisson) / (12.0 + 11.0 * poisson)
}

/// Returns the area of a circular tube. The inner radius of a solid section is 0.
pub fn tube_area(outer: f64, inner: f64) -> f64 {
    PI * (outer * outer - inner * inner)
}

/// Returns (I₁, I₂, J) of a circular tube: I₁ = I₂ = π (r⁴ − r_i⁴)/4 and J = π (r⁴ − r_i⁴)/2. The inner radius of a solid section is 0.
pub fn tube_moments(outer: f64, inner: f64) -> Vector3<f64> {
    let bending = PI * (outer.powi(4) - inner.powi(4)) / 4.0;
    Vector3::new(bending, bending, 2.0 * bending)
}

/// Returns the shear correction factor of a circular tube with Poisson's ratio ν and the ratio m of its radii (Cowper 1966):
/// 6 (1 + ν) (1 + m²)² / ((7 + 6 ν) (1 + m²)² + (20 + 12 ν) m²).
pub fn tube_shear_factor(outer: f64, inner: f64, poisson: f64) -> f64 {
    let square = (inner / outer).powi(2);
    let sum = (1.0 + square).powi(2);
    6.0 * (1.0 + poisson) * sum / ((7.0 + 6.0 * poisson) * sum + (20.0 + 12.0 * poisson) * square)
}

/// Returns the shear modulus G = E / (2 (1 + ν)) of an isotropic material.
pub fn shear_modulus(young: f64, poisson: f64) -> f64 {
    young / (2.0 * (1.0 + poisson))
}

/// Returns the stiffness in bending and torsion, (E I₁, E I₂, G J).
pub fn bending_stiffness(young: f64, poisson: f64, moments: &Vector3<f64>) -> Vector3<f64> {
    Vector3::new(young * moments.x, young * moments.y, shear_modulus(young, poisson) * moments.z)
}

/// Returns the stiffness in shear and tension, (κ G A, κ G A, E A), with the shear correction factor κ.
pub fn stretching_stiffness(young: f64, poisson: f64, area: f64, shear_factor: f64) -> Vector3<f64> {
    let shear = shear_factor * shear_modulus(young, poisson) * area;
    Vector3::new(shear, shear, young * area)
}

/// Returns the rotary inertia per length, ρ (I₁, I₂, I₁ + I₂), with the density ρ per volume.
pub fn rotary_inertia(density: f64, moments: &Vector3<f64>) -> Vector3<f64> {
    Vector3::new(moments.x, moments.y, moments.x + moments.y) * density
}
