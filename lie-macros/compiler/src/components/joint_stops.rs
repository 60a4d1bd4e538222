//! Stops of joints: smooth penalty forces at the ends of an interval.
//!
//! The penetration of a stop is x = q − u above the upper limit u, and x = l − q below the lower limit l. The penalty moment is
//! k x²/(2 w) up to the penetration w, and k (x − w/2) above it, so that the moment and the stiffness are continuous. Choose w about as large
//! as the penetration at the largest load, and resolve the stop with a few steps.
//!
//! Source of the damping: K. H. Hunt, F. R. E. Crossley, Coefficient of restitution interpreted as damping in vibroimpact, Journal of Applied
//! Mechanics 42 (1975) 440-445.

/// Returns the penalty energy of one stop for a penetration x.
pub fn penalty_energy(penetration: f64, stiffness: f64, width: f64) -> f64 {
    let near = penetration.max(0.0).min(width);
    let further = penetration.max(width) - width;
    stiffness * (near.powi(3) / (6.0 * width) + 0.5 * further * (further + width))
}

/// Returns the penalty moment of one stop for a penetration x.
pub fn penalty_moment(penetration: f64, stiffness: f64, width: f64) -> f64 {
    let near = penetration.max(0.0).min(width);
    let further = penetration.max(width) - width;
    stiffness * (near * near / (2.0 * width) + further)
}

/// Returns the energy of the stops at both ends of the interval from `lower` to `upper`, for a `#[potential]`.
pub fn stop_energy(value: f64, lower: f64, upper: f64, stiffness: f64, width: f64) -> f64 {
    penalty_energy(value - upper, stiffness, width) + penalty_energy(lower - value, stiffness, width)
}

/// Returns the moment of the stops with damping, for a `#[force]`. It is the penalty moment times 1 + c x', with the rate of penetration x'.
/// The damping c has the unit of time per coordinate. The moment never pulls the joint towards the stop.
pub fn stop_moment(value: f64, rate: f64, lower: f64, upper: f64, stiffness: f64, width: f64, damping: f64) -> f64 {
    let above = penalty_moment(value - upper, stiffness, width) * (1.0 + damping * rate).max(0.0);
    let below = penalty_moment(lower - value, stiffness, width) * (1.0 - damping * rate).max(0.0);
    below - above
}
