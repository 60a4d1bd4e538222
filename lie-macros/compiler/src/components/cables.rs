//! Cables: elements that pull, and never push.
//!
//! Declare the length of the cable as a `#[quantity]`. The energy is a `#[potential]`, or the tension is a `#[force]` at the length, with a
//! minus sign because it shortens the cable.

/// Returns the energy of an elastic cable, k e²/2 for the elongation e > 0 and zero for a slack cable. The tension is continuous.
pub fn cable_energy(elongation: f64, stiffness: f64) -> f64 {
    0.5 * stiffness * elongation.max(0.0).powi(2)
}

/// Returns the tension of an elastic cable with damping, max(0, k e + d e'), for the elongation e > 0 and zero for a slack cable. The damping
/// never makes the cable push.
///
/// The tension jumps by d e' when the cable becomes taut, as in a spring and a damper in parallel.
pub fn cable_tension(elongation: f64, rate: f64, stiffness: f64, damping: f64) -> f64 {
    if elongation > 0.0 { (stiffness * elongation + damping * rate).max(0.0) } else { 0.0 }
}

/// Returns the energy of a cable that becomes taut over a small elongation w. The tension is k e²/(2 w) up to the elongation w. It is
/// k (e − w/2) above w. The tension and its derivative are continuous.
pub fn smooth_cable_energy(elongation: f64, stiffness: f64, width: f64) -> f64 {
    let taut = elongation.max(0.0).min(width);
    let further = elongation.max(width) - width;
    stiffness * (taut.powi(3) / (6.0 * width) + 0.5 * further * (further + width))
}
