//! Rotations about axes that the compiler knows, as scalars.

use super::{Graph, Scalar};
use crate::expr::{Function, Rotation};

/// Entries of a rotation closer than this to 0 or ±1 are set to 0 or ±1.
const ROUNDING: f64 = 4.0 * f64::EPSILON;
/// Entries of a rotation below this value have lost digits to cancellation.
const SMALL: f64 = 1e-4;

/// The length of an axis and its direction. An axis of length 1 up to rounding has length 1.
fn direction(axis: [f64; 3]) -> (f64, [f64; 3]) {
    let largest = axis.iter().fold(0.0_f64, |largest, entry| largest.max(entry.abs()));
    let length = largest * axis.iter().map(|entry| (entry / largest).powi(2)).sum::<f64>().sqrt();
    if (length - 1.0).abs() < ROUNDING { (1.0, axis) } else { (length, axis.map(|entry| entry / length)) }
}

impl Rotation {
    /// exp v of constants. The entries 0, 1 and −1 of quarter rotations in robot files are structure, even if the file rounds the right
    /// angle. Small rotations use `general`, the computation at run time, for the same digits as declared rotations.
    pub(super) fn exp_of_numbers(self, g: &mut Graph, v: &[f64], general: Vec<Scalar>) -> Vec<Scalar> {
        let angle = v.iter().map(|entry| entry * entry).sum::<f64>().sqrt();
        let along = |factor: f64| v.iter().map(move |entry| if angle == 0.0 { 0.0 } else { factor * entry / angle });
        let entries: Vec<f64> = match self {
            Rotation::SO2 => vec![v[0].cos(), v[0].sin()],
            Rotation::S3 => std::iter::once((0.5 * angle).cos()).chain(along((0.5 * angle).sin())).collect(),
            Rotation::SO3 => {
                let (n, (sine, cosine)) = (along(1.0).collect::<Vec<f64>>(), angle.sin_cos());
                let entry = |(i, j): (usize, usize)| {
                    let outer = 2.0 * (0.5 * angle).sin().powi(2) * n[i] * n[j];
                    match (j + 3 - i) % 3 {
                        0 => cosine + outer,
                        1 => outer - sine * n[3 - i - j],
                        _ => outer + sine * n[3 - i - j],
                    }
                };
                (0..9).map(|at| entry((at / 3, at % 3))).collect()
            }
        };
        let known = |(entry, general): (f64, Scalar)| match entry.abs() {
            size if size < ROUNDING => g.number(0.0),
            size if size < SMALL => general,
            size if (size - 1.0).abs() < ROUNDING => g.number(entry.signum()),
            _ => g.number(entry),
        };
        entries.into_iter().zip(general).map(known).collect()
    }

    /// The rotation about a fixed axis, exp(θ a). `known` has cosine and sine of some angles, which is used for coordinate axes.
    pub(super) fn about(
        self,
        g: &mut Graph,
        axis: [f64; 3],
        angle: Scalar,
        known: Option<(Scalar, Scalar)>,
    ) -> Vec<Scalar> {
        let (length, n) = direction(axis);
        let scaled = |g: &mut Graph, factor: f64, x: Scalar| {
            let factor = g.number(factor);
            g.mul(factor, x)
        };
        let circular = |g: &mut Graph, factor: f64| {
            let angle = scaled(g, factor * length, angle);
            (g.function(Function::Cos, angle), g.function(Function::Sin, angle))
        };
        if self == Rotation::S3 {
            let (cosine, sine) = circular(g, 0.5);
            return std::iter::once(cosine).chain(n.map(|entry| scaled(g, entry, sine))).collect();
        }
        // cos θ if it is an entry of its own; sin θ and 1 − cos θ from half the angle, without cancellation.
        let (cosine, sine, versine) = if n.iter().filter(|&&entry| entry != 0.0).count() == 1 {
            let (cosine, sine) = known.filter(|_| length == 1.0).unwrap_or_else(|| circular(g, 1.0));
            (Some(cosine), sine, g.number(0.0))
        } else {
            let (cosine, sine) = circular(g, 0.5);
            let double = scaled(g, 2.0, sine);
            (None, g.mul(double, cosine), g.mul(double, sine))
        };
        // R = I + sin θ n~ + (1 − cos θ) (n nᵀ − I).
        let entry = |at: usize| {
            let (i, j) = (at / 3, at % 3);
            match (j + 3 - i) % 3 {
                0 if let (Some(cosine), 0.0) = (cosine, n[i]) => cosine,
                0 => {
                    let (k, l) = ((i + 1) % 3, (i + 2) % 3);
                    let (one, lost) = (g.number(1.0), scaled(g, n[k] * n[k] + n[l] * n[l], versine));
                    g.sub(one, lost)
                }
                step => {
                    let (outer, turn) = (scaled(g, n[i] * n[j], versine), scaled(g, n[3 - i - j], sine));
                    if step == 1 { g.sub(outer, turn) } else { g.add(outer, turn) }
                }
            }
        };
        (0..9).map(entry).collect()
    }
}
