//! The ranges of axes and their ticks.

use core::f64::consts::LOG10_2;

use crate::picture::Axis;

/// The margin of a logarithmic axis beyond its values, in ticks.
const MARGIN: f64 = 0.25;

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
}

/// A range of an axis with its ticks.
pub(super) struct Range {
    pub(super) low: f64,
    pub(super) high: f64,
    pub(super) tick: f64,
}

/// A range that contains all values and ends at ticks.
pub(super) fn range(axis: &Axis, values: impl Iterator<Item = f64>) -> Option<Range> {
    let (low, high) =
        values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)));
    if low > high {
        return None;
    }
    let (low, high) = match axis {
        // A constant value is in the middle.
        Axis::Linear(_) if high - low <= 1e-12 * high.abs() => {
            let margin = if low == 0.0 { 1.0 } else { 0.1 * low.abs() };
            (low - margin, high + margin)
        }
        _ => (low, high),
    };
    let span = (high - low).max(1e-12 * high.abs()).max(f64::MIN_POSITIVE);
    let tick = match axis {
        // Ticks at powers of two if there are not two powers of ten, at decades, or at every n-th decade.
        Axis::Log(_) if (high + MARGIN).floor() - (low - MARGIN).ceil() < 1.0 => {
            LOG10_2 * (span / LOG10_2 / 5.0).ceil().max(1.0)
        }
        Axis::Log(_) => (span / 7.0).ceil().max(1.0),
        Axis::Linear(_) | Axis::Length(_) => {
            let decade = 10f64.powf((span / 5.0).log10().floor());
            let units = span / 5.0 / decade;
            let nice = [1.0, 2.0, 5.0, 10.0];
            decade * nice.into_iter().find(|&unit| unit >= units * 0.8).unwrap_or(10.0)
        }
    };
    let (low, high) = match axis {
        // Whole decades would leave most of the axis empty.
        Axis::Log(_) => (low - MARGIN * tick, high + MARGIN * tick),
        Axis::Linear(_) | Axis::Length(_) => {
            let low = (low / tick + 1e-9).floor() * tick;
            (low, ((high / tick - 1e-9).ceil() * tick).max(low + tick))
        }
    };
    Some(Range { low, high, tick })
}

/// Powers of two from 0.25 to 1024 are written as decimal numbers.
const WRITTEN_OUT: core::ops::RangeInclusive<f64> = -2.0..=10.0;

/// The label of a tick of a logarithmic axis: 10⁻³, or 2⁻⁹, 0.5, 16 on a short axis with ticks closer than decades.
pub(super) fn power(exponent: f64, tick: f64) -> String {
    let binary = (exponent / LOG10_2).round();
    if tick >= 1.0 {
        raised(10, exponent.round())
    } else if WRITTEN_OUT.contains(&binary) {
        format!("{}", binary.exp2())
    } else {
        raised(2, binary)
    }
}

/// A base with a superscript exponent.
fn raised(base: u32, exponent: f64) -> String {
    let digits = format!("{exponent:.0}");
    let superscripts = digits.chars().map(|digit| match digit {
        '-' => '⁻',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        '4' => '⁴',
        '5' => '⁵',
        '6' => '⁶',
        '7' => '⁷',
        '8' => '⁸',
        '9' => '⁹',
        _ => '⁰',
    });
    format!("{base}{}", superscripts.collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exponents_are_raised() {
        assert_eq!([-13.0, 0.0].map(|exponent| power(exponent, 1.0)), ["10⁻¹³", "10⁰"]);
        let short = [-9.0, -1.0, 0.0, 5.0].map(|binary| power(binary * LOG10_2, LOG10_2));
        assert_eq!(short, ["2⁻⁹", "0.5", "1", "32"]);
    }

    #[test]
    fn ranges_hold_their_values() {
        let range = range(&Axis::Linear(String::new()), [0.0, 9.7].into_iter()).unwrap();
        assert!(range.low <= 0.0 && range.high >= 9.7 && range.tick == 2.0);
        assert!(super::range(&Axis::Linear(String::new()), core::iter::empty()).is_none());
        for value in [0.0, 3.0, -7.0] {
            let range = super::range(&Axis::Linear(String::new()), [value; 2].into_iter()).unwrap();
            assert!(range.low < value && value < range.high && range.tick > 0.01, "{value}");
        }
    }

    #[test]
    fn values_that_have_no_logarithm_are_left_out() {
        let axis = Axis::Log(String::new());
        assert_eq!(axis.place(0.0), None);
        assert_eq!(axis.place(f64::NAN), None);
        assert_eq!(axis.place(0.01), Some(-2.0));
    }
}
