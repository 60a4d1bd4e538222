//! Writes a module with a test for each Rust program in the book and in the README.
//!
//! A program is a code block that begins with `` ```rust ``. Lines that begin with `# ` are hidden in the book and belong to the program, as
//! in doc comments. A block without `fn main` is the body of `main`. Blocks with further words, for example `` ```rust,ignore ``, are not
//! programs.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let book = root.join("lie-runtime/book/src");
    println!("cargo::rerun-if-changed={}", book.display());
    let mut pages = vec![root.join("README.md")];
    collect(&book, &mut pages);
    pages.sort();
    let mut modules = String::new();
    for page in pages {
        println!("cargo::rerun-if-changed={}", page.display());
        let text = fs::read_to_string(&page).unwrap();
        let name = page.strip_prefix(&book).unwrap_or(Path::new("README.md")).with_extension("");
        let tests: String = programs(&text).iter().map(|(line, program)| test(*line, program)).collect();
        if !tests.is_empty() {
            let name = name.to_string_lossy().to_lowercase().replace(['/', '\\', '-'], "_");
            let _ = writeln!(modules, "mod {name} {{\n{tests}}}\n");
        }
    }
    fs::write(Path::new(&env::var_os("OUT_DIR").unwrap()).join("programs.rs"), modules).unwrap();
}

/// Adds the Markdown files below a folder.
fn collect(folder: &Path, pages: &mut Vec<PathBuf>) {
    for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if path.is_dir() {
            collect(&path, pages);
        } else if path.extension().is_some_and(|extension| extension == "md") {
            pages.push(path);
        }
    }
}

/// The programs of a page, each with the line of its first line, from 1.
fn programs(text: &str) -> Vec<(usize, String)> {
    let mut programs = Vec::new();
    let mut lines = text.lines().enumerate();
    while let Some((index, fence)) = lines.next() {
        let Some(info) = fence.strip_prefix("```") else { continue };
        let code = lines.by_ref().map(|(_, line)| line).take_while(|line| !line.starts_with("```"));
        let code: Vec<&str> = code
            .map(|line| line.strip_prefix("# ").unwrap_or(line))
            .map(|line| if line == "#" { "" } else { line })
            .collect();
        if info == "rust" {
            programs.push((index + 2, code.join("\n")));
        }
    }
    programs
}

/// The module of a program: the page's line is in its name.
fn test(line: usize, program: &str) -> String {
    let program =
        if program.contains("fn main()") { program.to_owned() } else { format!("fn main() {{\n{program}\n}}") };
    format!("mod line_{line} {{\n{program}\n#[test]\nfn program() {{ crate::run(main); }}\n}}\n")
}
