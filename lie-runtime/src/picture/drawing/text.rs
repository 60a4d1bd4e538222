//! Text in figures: estimated widths, line breaks and escaped characters.

/// The generic font family: a figure does not depend on an installed font.
pub(in crate::picture) const FONT: &str = "DejaVu Sans, Verdana, Helvetica, Arial, sans-serif";

/// Returns the estimated width of a text in a font of this size.
///
/// The widths of DejaVu Sans are used, in classes of characters; most other fonts of the family are narrower.
pub(in crate::picture) fn width(text: &str, size: f64) -> f64 {
    let letter = |letter: char| match letter {
        'i' | 'j' | 'l' | 'I' | '.' | ',' | ':' | ';' | '|' | '\'' | ' ' | '!' => 0.32,
        'f' | 't' | 'r' | '(' | ')' | '[' | ']' | '/' | '-' => 0.40,
        '⁰' | '¹' | '²' | '³' | '⁴' | '⁵' | '⁶' | '⁷' | '⁸' | '⁹' | '⁻' | '₀' | '₁' | '₂' | '₃' | '₄' => {
            0.42
        }
        'm' | 'w' | 'M' | 'W' | '@' | '%' => 0.95,
        '=' | '−' | '×' | '+' | '<' | '>' | '≤' | '≥' => 0.84,
        letter if letter.is_uppercase() => 0.72,
        _ => 0.62,
    };
    size * text.chars().map(letter).sum::<f64>()
}

/// Breaks a text into lines that are not wider than `limit`, at spaces and at line ends.
pub(in crate::picture) fn wrapped(text: &str, size: f64, limit: f64) -> Vec<String> {
    let mut lines = Vec::new();
    for part in text.lines() {
        let mut line = String::new();
        for word in part.split_whitespace() {
            let longer = if line.is_empty() { word.to_owned() } else { format!("{line} {word}") };
            if width(&longer, size) > limit && !line.is_empty() {
                lines.push(std::mem::replace(&mut line, word.to_owned()));
            } else {
                line = longer;
            }
        }
        if !line.is_empty() {
            lines.push(line);
        }
    }
    lines
}

/// Escapes text for XML.
pub(in crate::picture) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Returns an integer as superscript digits.
pub(in crate::picture) fn superscript(number: i32) -> String {
    let raised = |digit: char| match digit {
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
    };
    number.to_string().chars().map(raised).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_broken_at_spaces() {
        let lines = wrapped("one two three", 10.0, width("one two", 10.0));
        assert_eq!(lines, ["one two", "three"]);
        assert_eq!(wrapped("a\nb", 10.0, 100.0), ["a", "b"]);
        assert_eq!(escaped("a < b & c"), "a &lt; b &amp; c");
        assert_eq!(superscript(-13), "⁻¹³");
    }
}
