//! Tyres: slips and the magic formula.
//!
//! Signs: a positive longitudinal slip drives the vehicle forwards. A positive slip angle and a positive lateral velocity have the same
//! direction; the lateral force is opposite, −`magic_formula(slip angle)`.
//!
//! Source: H. B. Pacejka, Tire and Vehicle Dynamics, 3rd ed., Butterworth-Heinemann, 2012, sections 1.2.2 and 4.3.

/// Returns the magic formula D sin(C atan(B x − E (B x − atan(B x)))) of a slip x. B is the stiffness factor, C the shape factor, D the peak
/// value in the unit of the force, and E the curvature factor. The derivative at zero slip is B C D.
pub fn magic_formula(slip: f64, b: f64, c: f64, d: f64, e: f64) -> f64 {
    let x = b * slip;
    d * (c * (x - e * (x - x.atan())).atan()).sin()
}

/// Returns the longitudinal slip (r Ω − V) / |V| of a wheel with the circumferential speed r Ω at the forward speed V of its centre. The
/// denominator is (V² + ε²)^½ with a small `threshold` speed ε > 0, because the slip is undefined at rest.
pub fn longitudinal_slip(circumferential: f64, forward: f64, threshold: f64) -> f64 {
    (circumferential - forward) / (forward * forward + threshold * threshold).sqrt()
}

/// Returns the slip angle atan(V_y / |V|) of a wheel with the lateral speed V_y at the forward speed V of its centre. The denominator is
/// (V² + ε²)^½ with a small `threshold` speed ε > 0.
pub fn slip_angle(lateral: f64, forward: f64, threshold: f64) -> f64 {
    (lateral / (forward * forward + threshold * threshold).sqrt()).atan()
}

/// Returns the factor of the lateral force at a longitudinal force `longitudinal` below the largest force `peak`: the friction ellipse
/// (1 − (F_x / F_max)²)^½. The factor is zero for larger forces.
pub fn friction_ellipse(longitudinal: f64, peak: f64) -> f64 {
    (1.0 - (longitudinal / peak).powi(2)).max(0.0).sqrt()
}
