//! Families of the driven pendulum, against each other and against the known route to chaos.

use lie_runtime::analysis::{BranchError, OrbitBranch, OrbitError, SpecialOrbitKind};

use crate::driven_pendulum::{pendulum, response, stronger};

/// The error of a family that ends before its target.
type Unfinished = Box<BranchError<OrbitBranch<pendulum::System>, OrbitError<pendulum::System>>>;

/// Both families meet where symmetry is lost, and the period doubles where the literature has it, at 1.066.
#[test]
fn symmetry_is_lost_before_the_period_doubles() {
    let symmetric = stronger(0.95, 1.05).unwrap();
    let found: Vec<_> = symmetric.special.iter().map(|special| special.kind).collect();
    assert_eq!(found, [SpecialOrbitKind::Bifurcation]);
    // The family turns before 1.
    let unfinished = stronger(1.04, 1.0).unwrap_err().downcast::<Unfinished>().unwrap();
    let down = unfinished.branch;
    let limit = down.of_kind(SpecialOrbitKind::Limit).next().unwrap();
    assert!((limit.parameter - symmetric.special[0].parameter).abs() < 1e-7, "{:?}", down.special);
    let up = stronger(1.05, 1.08).unwrap();
    let doubling = up.of_kind(SpecialOrbitKind::PeriodDoubling).next().unwrap();
    assert!((doubling.parameter - 1.066).abs() < 1e-3, "{}", doubling.parameter);
    assert!((doubling.orbit.multipliers[0].re + 1.0).abs() < 1e-6);
}

/// Liouville: the product of both multipliers is exp(−c T) for the damping c and the period T of the drive in the time unit of small
/// motions.
#[test]
fn multipliers_multiply_to_what_is_lost() {
    let family = response(0.14).unwrap();
    assert_eq!(family.of_kind(SpecialOrbitKind::Limit).count(), 2);
    for point in &family.points {
        let product: lie_runtime::nalgebra::Complex<f64> = point.orbit.multipliers.iter().product();
        let exact = (-0.1 * std::f64::consts::TAU / point.parameter).exp();
        assert!((product.re / exact - 1.0).abs() < 1e-7 && product.im.abs() < 1e-9, "{product}");
    }
}
