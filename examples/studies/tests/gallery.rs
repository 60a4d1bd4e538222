//! The stored figures of the gallery are up to date.

use std::fs;

#[path = "../src/stored.rs"]
mod stored;

/// The figures that were drawn before figures had digests.
const WITHOUT_DIGEST: &[&str] = &[
    "benchmarks",
    "ensemble",
    "flying_spaghetti",
    "four_bar",
    "free_rigid_body",
    "gradient_cost",
    "heavy_top",
    "heavy_top_hamiltonian",
    "heavy_top_index3",
    "identify",
    "lagrangian_top",
    "prescribed_torque",
    "quadrotors",
    "right_angle_cantilever",
    "rod_scale",
    "roll_up",
    "rolling_disc",
    "spherical_pendulum",
    "tune_rod",
    "work_precision",
];

/// A figure whose study has other numbers than when it was drawn is out of date: a parameter, a step size or a style has changed.
#[test]
fn no_figure_is_older_than_the_numbers_of_its_study() {
    let pages = stored::pages().unwrap();
    assert!(pages.len() > 20, "the gallery has {} pages", pages.len());
    for (study, _) in pages {
        let picture = fs::read_to_string(stored::gallery().join(format!("{study}.svg"))).unwrap();
        let found = stored::stored(&picture, "numbers");
        if WITHOUT_DIGEST.contains(&study.as_str()) {
            assert_eq!(found, None, "{study}.svg has a digest; remove it from the list");
            continue;
        }
        assert!(!stored::sources(&study).unwrap().is_empty(), "{study} has no source");
        assert_eq!(
            found,
            Some(stored::numbers(&study).unwrap().as_str()),
            "{study}.svg is out of date; run `cargo run --release -p studies --bin gallery {study}`, or, if the change has no effect \
             on the figure, `cargo run --release -p studies --bin gallery -- --confirm {study}`"
        );
        assert_eq!(
            stored::stored(&picture, "points").map(str::len),
            Some(16),
            "{study}.svg has no digest of its points"
        );
        assert!(
            picture.contains(" viewBox=\"0 0 ") && picture.contains("max-width:100%"),
            "{study}.svg does not shrink"
        );
    }
}

#[test]
fn the_digest_has_the_numbers_of_the_code_only() {
    let numbers = |text: &str| stored::literals(text);
    assert_eq!(numbers("let x2 = 0.5e-3 * f(7, 0..12); // 99"), ["0.5e-3", "7", "0", "12"]);
    assert_eq!(numbers("\"a \\\" 5\" + 0x1f + 1_000usize"), ["0x1f", "1_000usize"]);
    assert_eq!(numbers("/// Step 4.\nconst STEP: f64 = 1.0;\nlet y = t.0;"), ["1.0", "0"]);
    assert_ne!(numbers("h = 0.1"), numbers("h = 0.2"));
    let picture = "<svg><metadata>points 0123456789abcdef</metadata></svg>";
    let stamped = stored::stamped(picture, "fedcba9876543210");
    assert_eq!(stored::stored(&stamped, "points"), Some("0123456789abcdef"));
    assert_eq!(stored::stored(&stamped, "numbers"), Some("fedcba9876543210"));
    assert_eq!(stored::stamped(&stamped, "0"), stored::stamped(picture, "0"));
}
