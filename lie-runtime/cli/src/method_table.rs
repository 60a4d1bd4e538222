//! The table of integration methods.

use std::fmt::Write;

use lie_runtime::simulate::{MethodInfo, methods};

/// Returns all methods of the runtime, by family.
pub fn method_table() -> String {
    let methods = methods();
    let mut text = String::new();
    let width = methods.iter().map(|info| info.id.len()).max().unwrap_or(0);
    for family in methods.chunk_by(|a, b| (a.family, a.needs) == (b.family, b.needs)) {
        write_family(family, width, &mut text);
    }
    text
}

/// Writes the methods of a family.
fn write_family(family: &[MethodInfo], width: usize, text: &mut String) {
    let Some(MethodInfo { family: title, needs, .. }) = family.first() else { return };
    let separator = if text.is_empty() { "" } else { "\n" };
    let _ = writeln!(text, "{separator}{title} (needs {needs})");
    let _ = writeln!(text, "  {:width$}  order  order of λ  step size  method", "name");
    for MethodInfo { id, name, order, multiplier_order, estimates, .. } in family {
        let control = if *estimates { "controlled" } else { "constant" };
        let line = format!("  {id:width$}  {order:>5}  {multiplier_order:>10}  {control:<10} {name}");
        let _ = writeln!(text, "{}", line.trim_end());
    }
    let mut known: Vec<&str> = vec![];
    for option in family.iter().flat_map(|info| info.options) {
        if !known.contains(&option.name) {
            known.push(option.name);
            let _ = writeln!(text, "  option {}: {}", option.name, option.meaning);
        }
    }
}
