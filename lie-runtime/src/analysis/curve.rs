//! Arc-length continuation of curves: step control by curvature, and special points within a step.

/// The smallest step as a fraction of the maximum step.
const SHORTEST: f64 = 1e-5;
/// The cosine of the largest angle between the tangents of a step.
const TURN: f64 = 0.9;
/// The offset from a special point, as a fraction of a step, for a point with a singular linear system.
const NUDGE: f64 = 1e-9;
/// The maximum number of evaluations for a special point.
const LOCATING: usize = 40;

/// The reasons for a failed step.
pub(super) enum Lost<E> {
    /// A shorter step may converge.
    ThisTime,
    ForGood(E),
}

/// The end of a step, its tangent and the number of corrections.
pub(super) type CurveStep<C> = (<C as Curve>::Point, <C as Curve>::Direction, usize);

/// The start of a step.
pub(super) struct Between<'a, C: Curve + ?Sized> {
    /// The number of previous points.
    pub after: usize,
    pub here: &'a C::Point,
    pub direction: &'a C::Direction,
}

/// A curve of solutions over a parameter.
pub(super) trait Curve {
    type Point;
    /// A unit direction along the curve.
    type Direction;
    /// A special point between two points.
    type Special;
    type Error;

    /// The parameter, and the length of the curve up to a point.
    fn place(&self, point: &Self::Point) -> [f64; 2];
    /// Returns the cosine of the angle between two directions.
    fn cosine(&self, one: &Self::Direction, other: &Self::Direction) -> f64;
    /// Makes a step of this length.
    fn step(
        &mut self,
        here: &Self::Point,
        direction: &Self::Direction,
        length: f64,
    ) -> Result<CurveStep<Self>, Lost<Self::Error>>;
    /// Locates the special points between two points.
    fn special(
        &mut self,
        between: &Between<'_, Self>,
        next: &Self::Point,
        ahead: &Self::Direction,
    ) -> Option<Self::Special>;
    /// Returns the error of a curve whose step of this length fails at this parameter, after a number of points.
    fn stuck(&self, parameter: f64, step: f64, points: usize) -> Self::Error;
    /// Returns the error of a curve that ends at this parameter, before its target, after a number of points.
    fn missed(&self, aim: f64, parameter: f64, points: usize) -> Self::Error;
}

/// The extent of a curve.
pub(super) struct CurveExtent {
    /// The initial and final values of the parameter. A curve also ends at the same distance on the other side.
    pub from: f64,
    pub to: f64,
    /// True if the user has set the final value.
    pub is_aim: bool,
    /// The maximum step.
    pub step: f64,
    /// The maximum number of points.
    pub points: usize,
}

/// Points along a curve and the special points between them.
pub(super) type Followed<C> = (Vec<<C as Curve>::Point>, Vec<<C as Curve>::Special>);

/// Follows a curve from a point in a direction. The angle of the first step is not limited at a singular first point.
///
/// # Errors
/// The reason for a curve that ends before its target, with the points found so far.
pub(super) fn follow<C: Curve>(
    curve: &mut C,
    (mut here, mut direction): (C::Point, C::Direction),
    mut is_regular: bool,
    extent: &CurveExtent,
) -> Result<Followed<C>, (C::Error, Followed<C>)> {
    let (mut points, mut special) = (Vec::new(), Vec::new());
    let mut step = extent.step;
    let share = |parameter: f64| (parameter - extent.from) / (extent.to - extent.from);
    let is_beyond = |parameter: f64| !(-1.0..1.0).contains(&share(parameter));
    while points.len() + 1 < extent.points && !is_beyond(curve.place(&here)[0]) {
        let (next, ahead) = loop {
            match curve.step(&here, &direction, step) {
                Ok((next, ahead, corrections)) => {
                    // A NaN cosine or parameter is outside every limit.
                    let goes_on = !is_regular || curve.cosine(&direction, &ahead).abs() >= TURN;
                    if goes_on && curve.place(&next).iter().all(|number| number.is_finite()) {
                        let factor = if corrections <= 5 { 1.5 } else { 1.0 };
                        step = (factor * step).min(extent.step);
                        break (next, ahead);
                    }
                }
                Err(Lost::ForGood(error)) => {
                    points.push(here);
                    return Err((error, (points, special)));
                }
                Err(Lost::ThisTime) => {}
            }
            step *= 0.5;
            if step < SHORTEST * extent.step {
                let error = curve.stuck(curve.place(&here)[0], step, points.len() + 1);
                points.push(here);
                return Err((error, (points, special)));
            }
        };
        if is_regular {
            let between = Between { after: points.len(), here: &here, direction: &direction };
            special.extend(curve.special(&between, &next, &ahead));
        }
        is_regular = true;
        points.push(core::mem::replace(&mut here, next));
        direction = ahead;
    }
    let parameter = curve.place(&here)[0];
    points.push(here);
    if extent.is_aim && share(parameter) < 1.0 {
        return Err((curve.missed(extent.to, parameter, points.len()), (points, special)));
    }
    Ok((points, special))
}

/// Finds the sign change of `test` between two points by regula falsi, halving the value of an end that stays (the Illinois algorithm).
pub(super) fn locate<C: Curve>(
    curve: &mut C,
    between: &Between<'_, C>,
    (next, ahead): (&C::Point, &C::Direction),
    test: &dyn Fn(&C::Point, &C::Direction) -> f64,
) -> Option<C::Point> {
    let (here, direction) = (between.here, between.direction);
    let whole = curve.place(next)[1] - curve.place(here)[1];
    let (mut low, mut high) = ((0.0, test(here, direction)), (whole, test(next, ahead)));
    let mut found = None;
    for _ in 0..LOCATING {
        let length = (low.0 * high.1 - high.0 * low.1) / (high.1 - low.1);
        // An iterate can coincide with the point itself, where the linear system is singular. A point close to it is regular.
        let mut beside = [0.0, NUDGE, 1e3 * NUDGE].into_iter();
        let attempt = beside.find_map(|nudge| curve.step(here, direction, length + nudge * whole).ok());
        let Some((point, tangent, _)) = attempt else { break };
        let value = test(&point, &tangent);
        let is_low = (value > 0.0) == (low.1 > 0.0);
        let moved = if is_low { length - low.0 } else { high.0 - length };
        if is_low {
            (low, high.1) = ((length, value), 0.5 * high.1);
        } else {
            (high, low.1) = ((length, value), 0.5 * low.1);
        }
        found = Some(point);
        if value == 0.0 || moved.abs() < 1e-11 * whole || (high.0 - low.0).abs() < 1e-11 * whole {
            break;
        }
    }
    found
}
