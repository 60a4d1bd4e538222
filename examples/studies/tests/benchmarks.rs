//! The benchmark problems at high precision, and their closed forms.

use benchmark_problems::pendulum;

use crate::benchmarks::{Case, HIGH, cases, solved};

/// Through singular configurations, with redundant rows and without slip.
#[test]
fn every_problem_is_solved_at_high_precision() {
    // Those take minutes without optimisation: two thousand seconds of the pendulum, 242 rows, thousands of steps of free bodies.
    let is_long = |case: &Case| {
        ["A01, 2000 s", "A02, N = 40"].contains(&case.problem) || case.method == "rattlie" || case.problem == "A05"
    };
    for case in cases().unwrap().iter().filter(|case| !is_long(case)) {
        let points = case.measure(HIGH, 1);
        let solution = solved(&points, HIGH);
        println!("{} {} {}: {solution:?}", case.problem, case.formulation, case.method);
        let least = if case.problem == "squeezer" { 6e-5 } else { 5e-3 };
        assert!(solution.is_some_and(|point| point.step >= least), "{} {}: {points:?}", case.problem, case.formulation);
    }
}

#[test]
fn closed_forms_are_those_of_a_general_integrator() {
    for (t, expected) in [
        (1.0, [0.986_291_751_131_9, -0.165_010_853_125_5]),
        (9.99, [-0.316_436_469_913_0, -0.948_613_704_575_8]),
        (2000.0, [0.814_603_068_588_5, -0.580_018_827_837_7]),
    ] {
        let found = pendulum::position(t);
        assert!((found[0] - expected[0]).abs() < 1e-10 && (found[1] - expected[1]).abs() < 1e-10, "{t}: {found:?}");
    }
    for (n, t, [x, y]) in [
        (2, 1.0, [-0.195_020_301_949, -0.980_799_205_662]),
        (2, 10.0, [0.328_458_111_533, 0.944_518_538_181]),
        (40, 20.0, [0.410_901_153_740, 0.911_679_900_982]),
    ] {
        let [theta, _] = pendulum::upright(n, t);
        assert!((theta.cos() - x).abs() < 1e-10 && (theta.sin() - y).abs() < 1e-10, "{n} {t}: {theta}");
    }
}
