//! The stored figures of the gallery are up to date.

use std::fs;

#[path = "../src/stored.rs"]
mod stored;

/// A figure whose study has other numbers than when it was drawn is out of date: a parameter, a step size or a style has changed.
#[test]
fn no_figure_is_older_than_the_numbers_of_its_study() {
    let pictures = stored::pictures().unwrap();
    assert!(pictures.len() > 20, "the gallery has {} pictures", pictures.len());
    for stored::Picture { study, name, .. } in pictures {
        let picture = fs::read_to_string(stored::gallery().join(format!("{name}.svg"))).unwrap();
        let found = stored::stored(&picture, "numbers");
        assert!(!stored::sources(&study).unwrap().is_empty(), "{study} has no source");
        assert_eq!(
            found,
            Some(stored::numbers(&study).unwrap().as_str()),
            "{name}.svg is out of date; run `cargo run --release -p studies --bin gallery {name}`, or, if the change has no effect \
             on the picture, `cargo run --release -p studies --bin gallery -- --confirm {name}`"
        );
        assert_eq!(
            stored::stored(&picture, "points").map(str::len),
            Some(16),
            "{name}.svg has no digest of its points"
        );
        assert!(
            picture.contains(" viewBox=\"0 0 ") && picture.contains("max-width:100%"),
            "{name}.svg does not shrink"
        );
    }
}

#[test]
fn pages_name_their_pictures() {
    let page =
        "![A](top.svg)\n\n*A. The picture is `motion.svg`.*\n![B](b.svg) *B. The flags are `--group se3`.* ![C](c.svg)";
    let picture = |name: &str, source| stored::Picture { study: "top".to_owned(), name: name.to_owned(), source };
    let expected = [
        picture("top", stored::Source::Figure("motion".to_owned())),
        picture("b", stored::Source::Schematic("--group se3".to_owned())),
    ];
    assert_eq!(stored::pictures_of("top", page), expected);
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
