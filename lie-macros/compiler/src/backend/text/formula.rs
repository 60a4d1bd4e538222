//! Conversion of formulas from MathML to plain text.

/// Returns a formula as one line of text, for example `m l^2 arm'' = -m g sin(arm)`.
pub(super) fn plain(mathml: &str) -> String {
    let (children, rest) = elements(mathml);
    debug_assert!(rest.is_empty(), "unexpected `{rest}`");
    row(&children)
}

/// An element of MathML, or text.
enum Markup<'a> {
    Text(&'a str),
    Element(&'a str, Vec<Markup<'a>>),
}

/// Returns the elements before the next closing tag, and the text from this tag on.
fn elements(mut text: &str) -> (Vec<Markup<'_>>, &str) {
    let mut found = vec![];
    loop {
        let Some((before, after)) = text.split_once('<') else {
            if !text.is_empty() {
                found.push(Markup::Text(text));
            }
            return (found, "");
        };
        if !before.is_empty() {
            found.push(Markup::Text(before));
        }
        if after.starts_with('/') {
            return (found, &text[before.len()..]);
        }
        let (tag, inner) = after.split_once('>').unwrap_or((after, ""));
        let (children, rest) = elements(inner);
        found.push(Markup::Element(tag.split(' ').next().unwrap_or(tag), children));
        text = rest.split_once('>').map_or("", |(_, after)| after);
    }
}

/// Returns a sequence of elements.
fn row(children: &[Markup<'_>]) -> String {
    let mut text = String::new();
    for child in children {
        match child {
            Markup::Element("mo", sign) => text = with_sign(text, &row(sign)),
            // The cases of a choice have no closing brace.
            Markup::Element("mtable", rows) if text.ends_with('{') => {
                text.push_str(&table(rows));
                text.push('}');
            }
            other => text.push_str(&element(other)),
        }
    }
    text
}

/// Adds a sign to a text: a binary operator has spaces around it.
fn with_sign(mut text: String, sign: &str) -> String {
    let sign = if sign == "−" { "-" } else { sign };
    let is_binary = match sign {
        "+" | "-" => text.ends_with(|last: char| last.is_alphanumeric() || matches!(last, ')' | ']' | '}' | '\'')),
        "⋅" | "×" | "<" | "≤" | "∧" | "∨" => true,
        _ => false,
    };
    if is_binary {
        text.push(' ');
    }
    text.push_str(sign);
    if is_binary || sign == "," {
        text.push(' ');
    }
    text
}

fn element(markup: &Markup<'_>) -> String {
    let (name, children) = match markup {
        Markup::Text(text) => return text.replace("&lt;", "<").replace("&#x22C5;", "⋅").replace("&#xD7;", "×"),
        Markup::Element(name, children) => (*name, children),
    };
    let part = |at: usize| children.get(at).map_or_else(String::new, element);
    match name {
        "mspace" => " ".to_owned(),
        "mfrac" => format!("{}/{}", grouped(&part(0)), grouped(&part(1))),
        "msup" => format!("{}^{}", part(0), grouped(&part(1))),
        "msub" => format!("{}_{}", part(0), part(1)),
        "msqrt" => format!("sqrt({})", row(children)),
        "mover" => match part(1).as_str() {
            "˙" => part(0) + "'",
            "¨" => part(0) + "''",
            _ => format!("hat({})", part(0)),
        },
        "mtable" => table(children),
        _ => row(children),
    }
}

/// Returns the rows of a table, separated by semicolons; the entries of a matrix are separated by commas.
fn table(rows: &[Markup<'_>]) -> String {
    let line = |markup: &Markup<'_>| match markup {
        Markup::Element("mtr", cells) => {
            let cells: Vec<String> = cells.iter().map(element).collect();
            match &cells[..] {
                [value, case] if case.starts_with("if ") || case == "else" => format!("{value} {case}"),
                _ => cells.join(", "),
            }
        }
        other => element(other),
    };
    rows.iter().map(line).collect::<Vec<_>>().join("; ")
}

/// Returns the text in parentheses, if it has operators outside of parentheses.
fn grouped(text: &str) -> String {
    let mut depth = 0_i32;
    let is_sum = text.char_indices().any(|(at, character)| {
        match character {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            _ => {}
        }
        // A leading sign belongs to a number.
        depth == 0 && (character == ' ' || character == '/' || (character == '-' && at > 0))
    });
    if is_sum && !(text.starts_with('(') && text.ends_with(')') && encloses(text)) {
        format!("({text})")
    } else {
        text.to_owned()
    }
}

/// True if the first parenthesis of a text closes at its end.
fn encloses(text: &str) -> bool {
    let mut depth = 0_i32;
    text.char_indices().all(|(at, character)| {
        match character {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        depth > 0 || at + character.len_utf8() == text.len()
    })
}

#[cfg(test)]
#[path = "../../../tests/unit/formula.rs"]
mod tests;
