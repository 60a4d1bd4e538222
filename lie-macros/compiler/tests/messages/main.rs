//! Messages for rejected declarations: text, position and help, in the format of rustc.
//!
//! `UPDATE_EXPECT=1 cargo test -p lie-compiler --test messages` writes the expected outputs again. The package `messages` compiles further
//! cases with rustc. Each function in a help replaces the function of the declaration, and the error must disappear.

use std::fs;
use std::path::{Path, PathBuf};

use expect_test::expect_file;
use lie_compiler::{Code, Compiled, Diagnostics, Source, compile};
use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::{Item, ItemFn, ItemMod, Meta, Signature};

/// Minimum number of tested suggestions; a smaller number indicates that the test does not find the declarations.
const FEWEST: usize = 60;

/// Minimum number of tested messages.
const FEWEST_MESSAGES: usize = 300;

/// The folder of the cases of this test.
fn cases() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/messages/cases")
}

/// The folder of the cases that rustc compiles; nothing outside of the repository.
fn cases_of_rustc() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/messages/tests/ui")
}

/// A declaration in a file.
struct Declared {
    path: PathBuf,
    arguments: TokenStream,
    module: ItemMod,
}

impl Declared {
    fn compile(&self) -> Result<Compiled, Diagnostics> {
        compiled(&self.arguments, &self.module)
    }
}

fn compiled(arguments: &TokenStream, module: &ItemMod) -> Result<Compiled, Diagnostics> {
    compile(Source::Tokens { arguments: arguments.clone(), module: module.to_token_stream() })
}

/// Returns the declarations in the files below a folder, in the order of their paths.
fn declarations(folder: &Path) -> Vec<Declared> {
    let Ok(entries) = fs::read_dir(folder) else { return vec![] };
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    let mut found = vec![];
    for path in paths {
        if path.is_dir() {
            found.extend(declarations(&path));
            continue;
        }
        let file = fs::read_to_string(&path).ok().filter(|_| path.extension().is_some_and(|ending| ending == "rs"));
        let Some(file) = file.and_then(|text| syn::parse_file(&text).ok()) else { continue };
        for item in file.items {
            let Item::Mod(mut module) = item else { continue };
            let is_system = |attribute: &syn::Attribute| attribute.path().is_ident("mechanical_system");
            let Some(at) = module.attrs.iter().position(is_system) else { continue };
            let arguments = match module.attrs.remove(at).meta {
                Meta::List(list) => list.tokens,
                Meta::Path(_) | Meta::NameValue(_) => TokenStream::new(),
            };
            found.push(Declared { path: path.clone(), arguments, module });
        }
    }
    found
}

/// Returns the messages with their helps, as the macro passes them to rustc.
fn messages(compiled: Result<Compiled, Diagnostics>) -> Vec<String> {
    let Err(diagnostics) = compiled else { return vec![] };
    let Ok(file) = syn::parse2::<syn::File>(diagnostics.into_tokens()) else { return vec![] };
    let message = |item: &Item| match item {
        Item::Macro(item) => item.mac.parse_body::<syn::LitStr>().ok().map(|text| text.value()),
        _ => None,
    };
    file.items.iter().filter_map(message).collect()
}

/// Returns the module with the function in a line of a help; `None` if the line is not a function.
fn followed(line: &str, module: &ItemMod) -> Option<ItemMod> {
    let text = line.trim().trim_start_matches("= help: ").trim_start_matches("write ").trim_matches('`');
    let mut module = module.clone();
    let items = &mut module.content.as_mut()?.1;
    if let Some(at) = text.find("#[kinetic_energy")
        && let Ok(function) = syn::parse_str::<ItemFn>(&text[at..])
    {
        items.push(Item::Fn(function));
        return Some(module);
    }
    let signature: Signature = syn::parse_str(text).ok()?;
    let mut functions = items.iter_mut().filter_map(|item| match item {
        Item::Fn(function) if function.sig.ident == signature.ident => Some(function),
        _ => None,
    });
    let (function, None) = (functions.next()?, functions.next()) else { return None };
    function.sig = signature;
    Some(module)
}

#[test]
fn outputs_are_as_expected() {
    let mut count = 0;
    let all = declarations(&cases());
    for declared in all.chunk_by(|a, b| a.path == b.path) {
        let path = &declared[0].path;
        let text = fs::read_to_string(path).unwrap();
        let name = path.strip_prefix(cases()).unwrap().to_string_lossy().replace('\\', "/");
        let outputs = declared.iter().map(|declared| {
            let Err(diagnostics) = declared.compile() else { panic!("{name} has no error") };
            for error in diagnostics.errors().iter().flat_map(|error| error.notes.iter().chain([error])) {
                count += 1;
                assert!(error.code != Code::Internal, "{name}: {}", error.message);
                // The bytes are the characters between the positions.
                let before = text.lines().take(error.start.line - 1).map(|line| line.len() + 1).sum::<usize>();
                let line = &text[before..];
                let first: usize = line.chars().take(error.start.column - 1).map(char::len_utf8).sum();
                assert_eq!(text[error.bytes.start..].as_ptr(), line[first..].as_ptr(), "{name}: {}", error.message);
            }
            format!("{}\n", diagnostics.with_text(&text).in_file(&name))
        });
        let outputs: Vec<String> = outputs.collect();
        expect_file![path.with_extension("txt")].assert_eq(&outputs.join("\n"));
    }
    assert!(count >= FEWEST_MESSAGES, "{count} messages");
}

/// Each declaration in `followed` is a rejected declaration after the instruction of its help.
#[test]
fn followed_helps_compile() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/messages/followed");
    let (followed, rejected) = (declarations(&folder), declarations(&cases().join("states")));
    let names = |all: &[Declared]| all.iter().map(|declared| declared.module.ident.to_string()).collect::<Vec<_>>();
    assert_eq!(names(&followed), names(&rejected));
    for declared in &followed {
        let found = messages(declared.compile());
        assert!(found.is_empty(), "{}: {}", declared.module.ident, found.join("\n"));
    }
}

#[test]
fn suggested_functions_remove_their_error() {
    let (mut count, mut wrong) = (0, vec![]);
    for declared in declarations(&cases()).iter().chain(&declarations(&cases_of_rustc())) {
        for message in messages(declared.compile()) {
            for line in message.lines() {
                let Some(followed) = followed(line, &declared.module) else { continue };
                count += 1;
                if messages(compiled(&declared.arguments, &followed)).contains(&message) {
                    wrong.push(format!("{}: {message}", declared.path.display()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count >= FEWEST, "{count} helps");
}

#[test]
fn messages_are_in_the_output_of_rustc() {
    let mut wrong = vec![];
    for declared in declarations(&cases_of_rustc()) {
        for message in messages(declared.compile()) {
            // The compiler indents the lines after the first to the end of `error: `.
            let indented =
                message.lines().map(|line| if line.is_empty() { String::new() } else { format!("       {line}") });
            let shown = format!("error: {}\n", indented.collect::<Vec<_>>().join("\n").trim_start());
            let stored = fs::read_to_string(declared.path.with_extension("stderr")).unwrap_or_default();
            if !stored.contains(&shown) {
                wrong.push(format!("{}: {shown}", declared.path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
