//! The benchmark bicycle (J. P. Meijaard, J. M. Papadopoulos, A. Ruina, A. L. Schwab, Proc. R. Soc. A 463, 2007): four bodies, three
//! hinges, two wheels that roll, linearised about straight running.

use benchmark_problems::bicycle::so3 as bicycle;
use lie_runtime::analysis::Linearisation;
use lie_runtime::nalgebra::Complex;
use lie_runtime::prelude::*;

/// The eigenvalues of straight running.
fn eigenvalues(speed: f64) -> Vec<Complex<f64>> {
    let system = bicycle::System::new().expect("a bicycle");
    let q = bicycle::Pose {
        attitude: SO3::identity(),
        position: Vector3::new(0.0, 0.0, -0.3),
        steer: 0.0,
        rear_spin: 0.0,
        front_spin: 0.0,
    };
    let v = bicycle::Velocity {
        attitude: Vector3::zeros(),
        position: Vector3::new(speed, 0.0, 0.0),
        steer: 0.0,
        rear_spin: -speed / 0.3,
        front_spin: -speed / 0.35,
    };
    let linearisation = Linearisation::of(&system).at(0.0, &q, &v.into()).expect("straight running is steady");
    assert_eq!((linearisation.shapes.ncols(), linearisation.speeds.ncols()), (7, 3));
    linearisation.modes().expect("modes").iter().map(|mode| mode.eigenvalue).collect()
}

/// Table 2 of the paper.
#[test]
fn the_benchmark_bicycle_has_the_printed_eigenvalues() {
    let real = |x: f64| Complex::new(x, 0.0);
    let printed = [
        (
            0.0,
            vec![
                real(3.131_643_247_906_56),
                real(-3.131_643_247_906_56),
                real(5.530_943_717_653_93),
                real(-5.530_943_717_653_93),
            ],
        ),
        (
            1.0,
            vec![
                Complex::new(3.526_961_709_900_70, 0.807_740_275_199_30),
                real(-3.134_231_250_665_78),
                real(-7.110_080_146_374_41),
            ],
        ),
        (
            4.0,
            vec![
                Complex::new(0.413_253_315_211_25, 3.079_108_186_032_06),
                real(-1.429_444_273_613_26),
                real(-12.158_614_265_764_47),
            ],
        ),
        (
            5.0,
            vec![
                Complex::new(-0.775_341_882_195_85, 4.464_867_713_788_23),
                real(-0.322_866_429_004_09),
                real(-14.078_389_692_798_22),
            ],
        ),
        (
            10.0,
            vec![
                Complex::new(-3.720_168_404_372_87, 10.906_811_394_762_87),
                real(0.161_053_386_531_72),
                real(-24.624_596_350_174_04),
            ],
        ),
    ];
    for (speed, expected) in printed {
        let found = eigenvalues(speed);
        for wanted in expected {
            let error = found.iter().map(|s| (s - wanted).norm()).fold(f64::INFINITY, f64::min);
            assert!(error < 1e-10 * wanted.norm().max(1.0), "{speed} m/s: {wanted} missed by {error:e} in {found:?}");
        }
        // Place, heading, both spins and the speed: the rest is zero, in blocks.
        let others = found.iter().filter(|s| s.norm() < 1e-3).count();
        assert!((4..=6).contains(&others), "{speed} m/s: {found:?}");
    }
}

/// The speed at which a function of the eigenvalues is zero: by secants from two speeds.
fn crossing(mut low: f64, mut high: f64, part: impl Fn(&[Complex<f64>]) -> f64) -> f64 {
    let value = |speed: f64| part(&eigenvalues(speed));
    let (mut at_low, mut at_high) = (value(low), value(high));
    for _ in 0..30 {
        if at_low == at_high || (high - low).abs() < 1e-13 {
            break;
        }
        let next = high - at_high * (high - low) / (at_high - at_low);
        (low, at_low, high, at_high) = (high, at_high, next, value(next));
    }
    high
}

#[test]
fn weave_and_capsize_become_stable_and_unstable_at_the_printed_speeds() {
    let weave = |found: &[Complex<f64>]| found.iter().find(|s| s.im > 1.0).expect("a weave mode").re;
    let found = crossing(4.1, 4.5, weave);
    assert!((found - 4.292_382_536_341_11).abs() < 1e-10, "{found}");
    // The capsize passes through the multiple zero of drift, next to which it is noise. The product of the four motions is not: of all
    // eigenvalues the sum of products of four, the coefficient of x⁴ in ∏ (1 + s x).
    let product = |found: &[Complex<f64>]| {
        let mut sums =
            [Complex::from(1.0), Complex::from(0.0), Complex::from(0.0), Complex::from(0.0), Complex::from(0.0)];
        // Of a pair one is told.
        for s in found.iter().flat_map(|s| [Some(*s), (s.im != 0.0).then(|| s.conj())]).flatten() {
            for degree in (1..5).rev() {
                sums[degree] += s * sums[degree - 1];
            }
        }
        sums[4].re
    };
    let found = crossing(5.5, 6.5, product);
    assert!((found - 6.024_262_015_388_37).abs() < 1e-11, "{found}");
}
