//! Sparse derivatives with respect to many variables.

use core::ops::Range;

use num_traits::Zero;

/// The largest number of parts of a block.
const PARTS: usize = 8;

/// Passes the nonzero derivatives of a function with respect to `count` variables to `found`. The argument `slope` is the directional
/// derivative; a direction is a list of variables and their changes.
///
/// A function that does not depend on a block of variables has a zero derivative along a direction of all of them. One evaluation
/// therefore tests a block. The directions are irregular, and contributions do not cancel otherwise. The number of evaluations is about 8
/// k log₈ n for a function of k of n variables.
///
/// # Errors
/// The errors of `slope`.
pub(super) fn by_blocks<S: Zero, E>(
    count: usize,
    mut slope: impl FnMut(&[(usize, f64)]) -> Result<S, E>,
    mut found: impl FnMut(usize, S),
) -> Result<(), E> {
    parts(0..count, &mut slope, &mut found)
}

/// The directional derivative.
type DirectionalDerivative<'f, S, E> = dyn FnMut(&[(usize, f64)]) -> Result<S, E> + 'f;

fn parts<S: Zero, E>(
    range: Range<usize>,
    slope: &mut DirectionalDerivative<'_, S, E>,
    found: &mut dyn FnMut(usize, S),
) -> Result<(), E> {
    // The sizes are powers: the smallest blocks are single variables.
    let size = range.len().saturating_sub(1).checked_ilog(PARTS).map_or(1, |power| PARTS.pow(power));
    for begin in range.clone().step_by(size) {
        let end = (begin + size).min(range.end);
        if end - begin == 1 {
            let own = slope(&[(begin, 1.0)])?;
            if !own.is_zero() {
                found(begin, own);
            }
            continue;
        }
        let all: Vec<(usize, f64)> = (begin..end).map(|at| (at, weight(at))).collect();
        // A block with NaN is divided as well.
        if !slope(&all)?.is_zero() {
            parts(begin..end, slope, found)?;
        }
    }
    Ok(())
}

/// An irregular number between ½ and 1½: multiples of the golden ratio, modulo 1.
fn weight(at: usize) -> f64 {
    0.5 + (0.618_033_988_749_894_9 * (at as f64 + 1.0)).fract()
}

#[cfg(test)]
mod tests {
    use core::convert::Infallible;

    use super::by_blocks;

    fn slopes(gradient: &[f64]) -> (Vec<f64>, usize) {
        let (mut all, mut count) = (vec![0.0; gradient.len()], 0);
        let slope = |direction: &[(usize, f64)]| {
            count += 1;
            Ok::<f64, Infallible>(direction.iter().map(|&(at, size)| gradient[at] * size).sum())
        };
        let Ok(()) = by_blocks(gradient.len(), slope, |at, slope| all[at] = slope);
        (all, count)
    }

    #[test]
    fn all_are_found_and_few_take_few_evaluations() {
        let mut sparse = vec![0.0; 10_000];
        (sparse[17], sparse[9_999], sparse[5_000]) = (1.0, -2.0, f64::NAN);
        let (found, count) = slopes(&sparse);
        assert!(found.iter().zip(&sparse).all(|(own, slope)| own == slope || own.is_nan() && slope.is_nan()));
        assert!(count < 120, "{count}");
        let dense: Vec<f64> = (0..100).map(f64::from).collect();
        let (found, count) = slopes(&dense);
        assert_eq!(found, dense);
        assert!(count < 130, "{count}");
        // Differences of adjacent variables do not cancel.
        let (found, _) = slopes(&[1.0, -1.0].repeat(40));
        assert_eq!(found, [1.0, -1.0].repeat(40));
    }
}
