//! The robot files of the Python package `example-robot-data` against Pinocchio.
//!
//! The test needs Python 3.11 or later and the network, installs two packages into a folder of its own, and takes some minutes:
//! `cargo test -p lie-robots --test published -- --ignored --nocapture` prints the table of the book.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use lie_robots::{Declaration, Language, Mistake, Options, declaration};

/// The version of the package whose files are listed in the book.
const PACKAGE: &str = "example-robot-data==6.0.0";
/// The largest deviation from Pinocchio, relative to the largest entry.
const TOLERANCE: f64 = 1e-10;

/// The output of a command, or the reason why there is none.
fn output(command: &mut Command) -> Result<String, String> {
    let program = command.get_program().to_string_lossy().into_owned();
    let done = command.output().map_err(|error| format!("{program}: {error}"))?;
    if done.status.success() {
        return Ok(String::from_utf8_lossy(&done.stdout).into_owned());
    }
    let text = String::from_utf8_lossy(&done.stderr);
    Err(format!("{program}: {}", text.lines().last().unwrap_or("no message")))
}

/// A Python with Pinocchio and the robot files.
fn installed(folder: &Path) -> Result<PathBuf, String> {
    let python = folder.join("venv/bin/python");
    let check = "import sys; assert sys.version_info >= (3, 11), f'Python {sys.version}'";
    if !python.exists() {
        output(Command::new("python3").args(["-c", check]))?;
        output(Command::new("python3").args(["-m", "venv"]).arg(folder.join("venv")))?;
    }
    output(Command::new(&python).args(["-m", "pip", "install", "--quiet", "pin", "numpy", PACKAGE]))?;
    Ok(python)
}

/// All robot files in a folder, sorted.
fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> =
        std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    entries.sort();
    for entry in entries {
        if entry.is_dir() {
            files(&entry, found);
        } else if entry.extension().is_some_and(|extension| extension == "urdf") {
            found.push(entry);
        }
    }
}

/// The first option that a help names: `friction = ignore`.
fn advised(help: &str) -> Option<(&str, &str)> {
    let quoted = help.split('`').skip(1).step_by(2);
    quoted
        .filter_map(|code| code.split_once(" = "))
        // Dry friction needs parameters.
        .find(|(name, value)| *value != "dry" && Options::NAMES.iter().any(|(known, _)| known == name))
}

/// The declaration of a file, with the options that its errors name.
fn advised_declaration(text: &str) -> Result<(Declaration, Vec<String>), Mistake> {
    let (mut options, mut written) = (Options::default(), vec![]);
    loop {
        let mistake = match declaration(text, Path::new(""), Language::Urdf, &options) {
            Ok(declaration) => return Ok((declaration, written)),
            Err(mistake) => mistake,
        };
        let Some((name, value)) = advised(&mistake.help) else { return Err(mistake) };
        let option = format!("{name} = {value}");
        if written.contains(&option) {
            return Err(mistake);
        }
        options.set(name, value)?;
        written.push(option);
    }
}

#[test]
#[ignore = "installs Python packages from the network"]
fn published_robots_have_the_dynamics_that_pinocchio_computes() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("published");
    std::fs::create_dir_all(&folder).unwrap();
    let python = match installed(&folder) {
        Ok(python) => python,
        Err(reason) => {
            println!("skipped: Python 3.11, `pin` and `{PACKAGE}` are needed: {reason}");
            return;
        }
    };
    let mut all = vec![];
    files(&folder.join("venv/lib"), &mut all);
    let (mut arguments, mut rows, mut refused) = (vec![], vec![], vec![]);
    for (number, file) in all.iter().enumerate() {
        let text = std::fs::read_to_string(file).unwrap();
        let place = file.to_string_lossy();
        let short = place
            .rsplit_once("/robots/")
            .map_or(&*place, |_| place.split_once("/example-robot-data/robots/").map_or(&*place, |(_, rest)| rest))
            .to_owned();
        match advised_declaration(&text) {
            Ok((declaration, options)) => {
                let items = folder.join(format!("{number}.rs"));
                std::fs::write(&items, &declaration.items).unwrap();
                arguments.push(format!("{place}:{}", items.display()));
                rows.push((short, options));
            }
            Err(mistake) => refused.push(format!("{short}: {mistake}")),
        }
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/published.py");
    let compared = output(Command::new(python).arg(script).args(&arguments)).unwrap();
    let mut table =
        "| file | degrees of freedom | options | mass matrix | bias | gravity |\n|---|---|---|---|---|---|\n"
            .to_owned();
    let (mut worst, mut without): (f64, usize) = (0.0, 0);
    for ((short, options), line) in rows.iter().zip(compared.lines()) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [.., dof, mass, bias, gravity] = words[..] else { panic!("{line}") };
        let options: Vec<String> = options.iter().map(|option| format!("`{option}`")).collect();
        without += usize::from(options.is_empty());
        let _ = writeln!(table, "| `{short}` | {dof} | {} | {mass} | {bias} | {gravity} |", options.join(", "));
        for value in [mass, bias, gravity] {
            let value: f64 = value.parse().unwrap();
            assert!(value <= TOLERANCE, "{line}");
            worst = worst.max(value);
        }
    }
    println!(
        "{table}\n{} files, {without} without an option, worst deviation {worst:.1e}; refused: {refused:#?}",
        rows.len()
    );
    assert_eq!(compared.lines().count(), rows.len());
    // One file of the package is empty; Pinocchio refuses it too.
    assert_eq!((rows.len(), refused.len()), (68, 1), "{refused:#?}");
}
