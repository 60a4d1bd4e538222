//! The book's table of methods is the list that programs see.

use lie_runtime::simulate::methods;
use std::fmt::Write;

/// The table as the book has it.
fn table() -> String {
    let mut table = String::from("# Table of methods\n");
    let mut family = "";
    for card in methods() {
        if card.family != family {
            let _ = writeln!(table, "\n**{}** (needs {})\n", card.family, card.needs);
            table.push_str("| id | method | order of q, v | of λ | error |\n|---|---|---|---|---|\n");
            family = card.family;
        }
        let error = if card.estimates { "yes" } else { "" };
        let _ =
            writeln!(table, "| `{}` | {} | {} | {} | {error} |", card.id, card.name, card.order, card.multiplier_order);
    }
    table
}

/// `UPDATE_EXPECT=1 cargo test -p runtime-tests --test methods table_of_methods` rewrites it.
#[test]
fn the_table_of_methods_is_their_list() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../book/src/reference/methods_table.md");
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(path, table()).expect("the book can be written");
    }
    let printed = std::fs::read_to_string(path).expect("the book is there");
    assert_eq!(printed, table(), "run this test with UPDATE_EXPECT=1");
}
