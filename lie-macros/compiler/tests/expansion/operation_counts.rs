//! Operation counts of declared systems, which must not increase.
//!
//! `UPDATE_EXPECT=1 cargo test -p lie-compiler --test expansion operation_counts` records lower counts.

use std::collections::BTreeMap;
use std::fmt::Write;

use expect_test::expect_file;
use proc_macro2::TokenStream;

use crate::expand;
use crate::samples;
use crate::snapshots;

/// The operations of every kernel according to the documentation of the system; the sum for a kernel of several kinds of elements.
fn operations(declaration: &str) -> (String, BTreeMap<String, usize>) {
    let text = expand(TokenStream::new(), declaration.parse().expect("the declaration lexes")).to_string();
    assert!(!text.contains("compile_error"), "{text:.2000}");
    let (_, rest) = text.split_once("The mechanical system `").expect("the documentation of the system");
    let name = rest.split('`').next().expect("a name").to_owned();
    let mut all = BTreeMap::new();
    for line in text.split("doc = \" | ").skip(1) {
        let cells: Vec<&str> = line.split('"').next().unwrap_or_default().split(" | ").collect();
        if let [kernel, count] = cells[..]
            && !["degrees of freedom", "constraint rows"].contains(&kernel)
            && let Ok(count) = count.trim_end_matches(" |").parse::<usize>()
        {
            *all.entry(kernel.to_owned()).or_insert(0) += count;
        }
    }
    assert!(all.values().sum::<usize>() > 0, "{text:.2000}");
    (name, all)
}

/// Reads the lines `heavy_top: force 12` of a table.
fn known(table: &str) -> BTreeMap<(&str, &str), usize> {
    table
        .lines()
        .filter_map(|line| {
            let (system, rest) = line.split_once(": ")?;
            let (kernel, count) = rest.rsplit_once(' ')?;
            Some(((system, kernel), count.parse().ok()?))
        })
        .collect()
}

#[test]
fn operations_only_fall() {
    let declared = samples::ALL.iter().chain(&snapshots::ALL).chain(&samples::LARGE);
    let (mut table, mut total) = (String::new(), 0);
    for (number, declaration) in declared.enumerate() {
        let (name, operations) = operations(declaration);
        for (kernel, count) in operations.iter().filter(|(_, count)| **count > 0) {
            writeln!(table, "{number} {name}: {kernel} {count}").expect("a string");
            total += count;
        }
    }
    writeln!(table, "all: {total}").expect("a string");
    let (before, after) = (known(include_str!("operations.txt")), known(&table));
    let risen: Vec<String> = after
        .iter()
        .filter_map(|(kernel, count)| {
            let limit = before.get(kernel).copied().filter(|limit| count > limit)?;
            Some(format!("{kernel:?} had {limit} operations, and has {count}"))
        })
        .collect();
    assert!(risen.is_empty(), "{}", risen.join("\n"));
    expect_file!["./operations.txt"].assert_eq(&table);
}
