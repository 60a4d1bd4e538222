//! Curves followed by their arc length: steps that become shorter where a curve bends, and what lies within a step.

/// The part of the step under which a curve is given up.
const SHORTEST: f64 = 1e-5;
/// The cosine of the angle by which a curve may turn in a step.
const TURN: f64 = 0.9;
/// How far beside a special point, in parts of a step, it is looked at where its linear system has no solution.
const NUDGE: f64 = 1e-9;
/// Evaluations for a special point.
const LOCATING: usize = 40;

/// Why a step has no result.
pub(super) enum Lost<E> {
    /// A shorter one may have.
    ThisTime,
    ForGood(E),
}

/// The point that a step led to, the tangent there, and how many corrections that took.
pub(super) type Step<C> = (<C as Curve>::Point, <C as Curve>::Direction, usize);

/// Where a step begins.
pub(super) struct Between<'a, C: Curve + ?Sized> {
    /// The number of points before it.
    pub after: usize,
    pub here: &'a C::Point,
    pub direction: &'a C::Direction,
}

/// Solutions over a parameter.
pub(super) trait Curve {
    type Point;
    /// A direction along it, of length one.
    type Direction;
    /// What is remarkable between two points.
    type Special;
    type Error;

    /// The parameter, and the length of the curve up to a point.
    fn place(&self, point: &Self::Point) -> [f64; 2];
    /// Of the angle between two directions.
    fn cosine(&self, one: &Self::Direction, other: &Self::Direction) -> f64;
    /// A step of that length.
    fn step(
        &mut self,
        here: &Self::Point,
        direction: &Self::Direction,
        length: f64,
    ) -> Result<Step<Self>, Lost<Self::Error>>;
    /// What lies between two points.
    fn special(
        &mut self,
        between: &Between<'_, Self>,
        next: &Self::Point,
        ahead: &Self::Direction,
    ) -> Option<Self::Special>;
    /// At this parameter a step of this length is too long, after so many points.
    fn stuck(&self, parameter: f64, step: f64, points: usize) -> Self::Error;
    /// The curve ends at this parameter after so many points, and not at its aim.
    fn missed(&self, aim: f64, parameter: f64, points: usize) -> Self::Error;
}

/// How far a curve is followed.
pub(super) struct Extent {
    /// The parameter where it begins and where it ends; it ends as well as far on the other side.
    pub from: f64,
    pub to: f64,
    /// True if the end is an aim of the user.
    pub is_aim: bool,
    /// The longest step.
    pub step: f64,
    /// The most points.
    pub points: usize,
}

/// Points along a curve, and what lies between them.
pub(super) type Followed<C> = (Vec<<C as Curve>::Point>, Vec<<C as Curve>::Special>);

/// Follows a curve from a point on in a direction; a first point that is not regular may be left at any angle.
///
/// # Errors
/// Why the curve was not followed to its aim, with what was found.
pub(super) fn follow<C: Curve>(
    curve: &mut C,
    (mut here, mut direction): (C::Point, C::Direction),
    mut is_regular: bool,
    extent: &Extent,
) -> Result<Followed<C>, (C::Error, Followed<C>)> {
    let (mut points, mut special) = (Vec::new(), Vec::new());
    let mut step = extent.step;
    let share = |parameter: f64| (parameter - extent.from) / (extent.to - extent.from);
    let is_beyond = |parameter: f64| !(-1.0..1.0).contains(&share(parameter));
    while points.len() + 1 < extent.points && !is_beyond(curve.place(&here)[0]) {
        let (next, ahead) = loop {
            match curve.step(&here, &direction, step) {
                Ok((next, ahead, corrections)) => {
                    // A cosine or a parameter that is NaN is within no limit.
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

/// The point between two others where `test` changes its sign: regula falsi, halving the value of an end that stays (the Illinois
/// algorithm).
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
        // A guess may hit the point itself, where nothing is to be solved; beside it there is.
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
