//! The ranges of axes and their ticks.

use super::text::superscript;
use crate::picture::Axis;

/// The margin of an axis beyond its values, relative to their range.
const MARGIN: f64 = 0.05;

impl Axis {
    /// The drawn coordinate of a value; `None` if it has none.
    pub(super) fn place(&self, value: f64) -> Option<f64> {
        let place = match self {
            Axis::Linear(_) | Axis::Length(_) => value,
            Axis::Log(_) => value.log10(),
        };
        place.is_finite().then_some(place)
    }

    pub(super) fn label(&self) -> &str {
        match self {
            Axis::Linear(label) | Axis::Length(label) | Axis::Log(label) => label,
        }
    }

    fn is_log(&self) -> bool {
        matches!(self, Axis::Log(_))
    }
}

/// The range of an axis, in drawn coordinates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Range {
    pub low: f64,
    pub high: f64,
}

impl Range {
    /// Returns the position of a coordinate, from 0 to 1.
    pub fn share(&self, place: f64) -> f64 {
        (place - self.low) / (self.high - self.low)
    }

    pub fn span(&self) -> f64 {
        self.high - self.low
    }
}

/// Returns a range that contains all values; it has margins if `is_wide`. `None` if there are no values.
pub(super) fn range(axis: &Axis, values: impl Iterator<Item = f64>, is_wide: bool) -> Option<Range> {
    let (low, high) =
        values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)));
    if low > high {
        return None;
    }
    // Round-off of a constant value is not a range; the value is in the middle.
    if high - low <= 1e-12 * high.abs().max(low.abs()) {
        let margin = match axis {
            Axis::Log(_) => 0.5,
            _ if low == 0.0 => 1.0,
            _ => 0.1 * low.abs(),
        };
        return Some(Range { low: low - margin, high: high + margin });
    }
    let margin = if is_wide { MARGIN * (high - low) } else { 0.0 };
    Some(Range { low: low - margin, high: high + margin })
}

/// A tick with its label; ticks without a label are shorter.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Tick {
    pub place: f64,
    pub label: Option<String>,
}

/// The ticks of an axis.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Ticks {
    pub ticks: Vec<Tick>,
    /// The common factor or the common summand of the labels, for the label of the axis.
    pub suffix: String,
}

/// Returns about `count` ticks of a range.
pub(super) fn ticks(axis: &Axis, range: Range, count: f64) -> Ticks {
    if axis.is_log() { powers(range, count) } else { steps(range, count) }
}

/// Returns a step of 1, 2 or 5 times a power of ten.
fn nice_step(span: f64, count: f64) -> f64 {
    let decade = 10f64.powf((span / count).log10().floor());
    let units = span / count / decade;
    decade * [1.0, 2.0, 5.0, 10.0].into_iter().find(|&unit| unit >= 0.8 * units).unwrap_or(10.0)
}

fn multiples(range: Range, step: f64) -> Vec<f64> {
    let first = (range.low / step - 1e-9).ceil();
    let count = (range.high / step + 1e-9).floor() - first;
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // A few ticks.
    let count = count.clamp(-1.0, 1000.0) as i32;
    (0..=count).map(|k| (first + f64::from(k)) * step).collect()
}

/// Writes a number with a minus sign instead of a hyphen.
fn written(number: f64, decimals: usize) -> String {
    let text = format!("{number:.decimals$}");
    let is_zero = text.bytes().all(|byte| matches!(byte, b'-' | b'0' | b'.'));
    if is_zero { text.replace('-', "") } else { text.replace('-', "−") }
}

fn decimals(step: f64) -> usize {
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // Not negative, and at most 300.
    let decimals = (-(step * 1.0001).log10().floor()).max(0.0) as usize;
    decimals
}

fn steps(range: Range, count: f64) -> Ticks {
    let largest = range.low.abs().max(range.high.abs());
    let mut step = nice_step(range.span(), count.max(2.0));
    let mut places = multiples(range, step);
    if places.len() < 2 {
        step = nice_step(range.span(), 2.0 * count.max(2.0));
        places = multiples(range, step);
    }
    // Many equal digits are a common summand.
    let (summand, suffix) = match places.first() {
        Some(&first) if largest / step > 1e5 => {
            let sign = if first < 0.0 { "+" } else { "−" };
            (first, format!(" {sign} {}", written(first.abs(), decimals(step).min(12))))
        }
        _ => (0.0, String::new()),
    };
    let size = if summand == 0.0 { largest } else { range.span() };
    let exponent = size.log10().floor();
    let is_plain = (-3.0..5.0).contains(&exponent);
    let factor = if is_plain { 1.0 } else { 10f64.powf(exponent) };
    let decimals = decimals(step / factor);
    let label = |place: f64| Tick { place, label: Some(written((place - summand) / factor, decimals)) };
    #[allow(clippy::cast_possible_truncation)] // At most 308.
    let power = if is_plain { String::new() } else { format!(" (×10{})", superscript(exponent as i32)) };
    Ticks { ticks: places.into_iter().map(label).collect(), suffix: suffix + &power }
}

fn powers(range: Range, count: f64) -> Ticks {
    #[allow(clippy::cast_possible_truncation)] // At most 308.
    let [first, last] = [range.low.ceil() as i32, range.high.floor() as i32];
    let decades = last - first + 1;
    let tick = |place: f64, label: Option<String>| Tick { place, label };
    let is_short = range.low >= -3.1 && range.high <= 4.1;
    let name = |exponent: i32, unit: u32| {
        let value = f64::from(unit) * 10f64.powi(exponent);
        match unit {
            _ if is_short => written(value, usize::try_from(-exponent).unwrap_or(0)),
            1 => format!("10{}", superscript(exponent)),
            unit => format!("{unit}·10{}", superscript(exponent)),
        }
    };
    let within = |place: f64| (range.low - 1e-9..=range.high + 1e-9).contains(&place);
    let units = |units: &[u32]| -> Vec<(i32, u32)> {
        let all = (first - 1..=last).flat_map(|exponent| units.iter().map(move |&unit| (exponent, unit)));
        all.filter(|&(exponent, unit)| within(f64::from(exponent) + f64::from(unit).log10())).collect()
    };
    let mut ticks = Vec::new();
    if decades >= 3 || (decades == 2 && range.span() > 1.5) {
        #[allow(clippy::cast_possible_truncation)] // A few.
        let every = (f64::from(decades) / count.max(2.0)).ceil() as i32;
        for exponent in (first..=last).filter(|exponent| exponent.rem_euclid(every) == 0) {
            ticks.push(tick(f64::from(exponent), Some(name(exponent, 1))));
        }
        if every == 1 {
            for (exponent, unit) in units(&[2, 3, 4, 5, 6, 7, 8, 9]) {
                ticks.push(tick(f64::from(exponent) + f64::from(unit).log10(), None));
            }
        }
    } else {
        let coarse = units(&[1, 2, 5]);
        let labelled = if coarse.len() >= 2 { coarse } else { units(&[1, 2, 3, 4, 5, 6, 7, 8, 9]) };
        for (exponent, unit) in labelled {
            ticks.push(tick(f64::from(exponent) + f64::from(unit).log10(), Some(name(exponent, unit))));
        }
        if ticks.len() < 2 {
            let values = Range { low: 10f64.powf(range.low), high: 10f64.powf(range.high) };
            let Ticks { ticks, suffix } = steps(values, count);
            let ticks = ticks.into_iter().map(|tick| Tick { place: tick.place.log10(), ..tick });
            return Ticks { ticks: ticks.filter(|tick| tick.place.is_finite()).collect(), suffix };
        }
    }
    Ticks { ticks, suffix: String::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(axis: &Axis, low: f64, high: f64) -> (Vec<String>, String) {
        let found = ticks(axis, Range { low, high }, 5.0);
        (found.ticks.into_iter().filter_map(|tick| tick.label).collect(), found.suffix)
    }

    #[test]
    fn labels_are_short() {
        let linear = Axis::linear("");
        assert_eq!(labels(&linear, -1.0, 9.7), (vec!["0", "2", "4", "6", "8"].map_strings(), String::new()));
        assert_eq!(labels(&linear, -0.3, 0.25).0, ["−0.3", "−0.2", "−0.1", "0.0", "0.1", "0.2"]);
        assert_eq!(labels(&linear, 0.0, 4e-7), (vec!["0", "1", "2", "3", "4"].map_strings(), " (×10⁻⁷)".to_owned()));
        let (near, suffix) = labels(&linear, 14.715, 14.715 + 3e-7);
        assert_eq!((near.len() > 2, suffix.starts_with(" − 14.715")), (true, true), "{near:?}{suffix}");
    }

    #[test]
    fn logarithmic_axes_have_ticks_at_powers_or_at_simple_multiples() {
        let log = Axis::log("");
        assert_eq!(labels(&log, -13.2, -3.9).0, ["10⁻¹²", "10⁻¹⁰", "10⁻⁸", "10⁻⁶", "10⁻⁴"]);
        assert_eq!(labels(&log, -1.1, 2.2).0, ["0.1", "1", "10", "100"]);
        assert_eq!(labels(&log, -1.2, -0.2).0, ["0.1", "0.2", "0.5"]);
        assert!(labels(&log, 0.001, 0.01).0.len() > 1, "a part of a decade");
    }

    #[test]
    fn ranges_hold_their_values() {
        let linear = Axis::linear("");
        let found = range(&linear, [0.0, 10.0].into_iter(), true).unwrap();
        assert_eq!(found, Range { low: -0.5, high: 10.5 });
        assert!(range(&linear, core::iter::empty(), true).is_none());
        for value in [0.0, 3.0, -7.0] {
            let found = range(&linear, [value, value * (1.0 + 1e-15)].into_iter(), false).unwrap();
            assert!(found.low < value && value < found.high && found.span() > 0.01, "{value}");
        }
    }

    #[test]
    fn values_without_a_logarithm_are_left_out() {
        let axis = Axis::log("");
        assert_eq!(axis.place(0.0), None);
        assert_eq!(axis.place(f64::NAN), None);
        assert_eq!(axis.place(0.01), Some(-2.0));
    }

    trait Strings {
        fn map_strings(self) -> Vec<String>;
    }

    impl Strings for Vec<&str> {
        fn map_strings(self) -> Vec<String> {
            self.into_iter().map(str::to_owned).collect()
        }
    }
}
