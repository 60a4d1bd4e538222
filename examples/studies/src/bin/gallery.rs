//! Draws the figures and schematics of the book's gallery: runs the study of every page and stores the pictures that the page names.
//!
//! ```text
//! cargo run --release -p studies --bin gallery                         # all figures, in some minutes
//! cargo run --release -p studies --bin gallery heavy_top               # the figures of a study, or one of them
//! cargo run --release -p studies --bin gallery -- --check              # compares the points of the stored figures with new ones
//! cargo run --release -p studies --bin gallery -- --confirm heavy_top  # a change of the sources has no effect on this figure
//! ```

use std::ffi::OsStr;
use std::process::{Command, ExitCode, Stdio};
use std::{env, fs, io};

#[path = "../stored.rs"]
#[allow(dead_code)] // The tests use all of it.
mod stored;

use stored::{Picture, Source};

/// Figures of processor times, whose points differ from run to run.
const TIMED: [&str; 4] = ["benchmarks", "gradient_cost", "rod_scale", "work_precision"];

#[derive(Clone, Copy, PartialEq)]
enum Task {
    Draw,
    Check,
    Confirm,
}

fn main() -> ExitCode {
    let (flags, wanted): (Vec<String>, Vec<String>) = env::args().skip(1).partition(|word| word.starts_with("--"));
    let task = match flags.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => Task::Draw,
        ["--check"] => Task::Check,
        ["--confirm"] if !wanted.is_empty() => Task::Confirm,
        _ => {
            eprintln!("expected names of studies, `--check`, or `--confirm` with names");
            return ExitCode::FAILURE;
        }
    };
    let pictures = match stored::pictures() {
        Ok(pictures) => pictures,
        Err(error) => {
            eprintln!("{}: {error}", stored::gallery().display());
            return ExitCode::FAILURE;
        }
    };
    let is_of = |picture: &Picture, name: &String| [&picture.study, &picture.name].contains(&name);
    let mut is_complete = wanted.iter().all(|name| {
        let is_known = pictures.iter().any(|picture| is_of(picture, name));
        if !is_known {
            eprintln!("{name}: no page of the gallery has a picture of a study of this name");
        }
        is_known
    });
    let mut finished = None;
    for picture in pictures {
        if !wanted.is_empty() && !wanted.iter().any(|name| is_of(&picture, name)) {
            continue;
        }
        match perform(task, &picture, &mut finished) {
            Ok(message) => println!("{}: {message}", picture.name),
            Err(error) => {
                eprintln!("{}: {error}", picture.name);
                is_complete = false;
            }
        }
    }
    if is_complete { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn perform(task: Task, own: &Picture, finished: &mut Option<String>) -> io::Result<String> {
    let path = stored::gallery().join(format!("{}.svg", own.name));
    let numbers = stored::numbers(&own.study)?;
    let picture = if task == Task::Confirm { fs::read_to_string(&path)? } else { drawn(own, finished)? };
    if task != Task::Check {
        fs::write(&path, stored::stamped(&picture, &numbers))?;
        return Ok(format!("{:?}, {} kB", own.source, picture.len() / 1000));
    }
    let known = fs::read_to_string(&path)?;
    let [old, new] = [&known, &picture].map(|picture| stored::stored(picture, "points"));
    let is_timed = matches!(own.source, Source::Figure(_)) && TIMED.contains(&own.study.as_str());
    if old.is_none() || (old != new && !is_timed) {
        return Err(io::Error::other("the stored picture has other points; draw it again"));
    }
    Ok("up to date".to_owned())
}

/// Returns a picture. A study runs once for all of its figures; `finished` is the last one.
fn drawn(own: &Picture, finished: &mut Option<String>) -> io::Result<String> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/gallery").join(&own.study);
    let file = match &own.source {
        Source::Figure(name) => folder.join(format!("{name}.svg")),
        Source::Schematic(_) => folder.join(format!("{}.svg", own.name)),
    };
    match &own.source {
        Source::Figure(_) if finished.as_ref() == Some(&own.study) => {}
        Source::Figure(_) => {
            run(&own.study, &["--out".as_ref(), folder.as_ref()])?;
            *finished = Some(own.study.clone());
        }
        Source::Schematic(flags) => {
            let flags = flags.split_whitespace().map(OsStr::new);
            run(&own.study, &flags.chain(["--schematic".as_ref(), file.as_ref()]).collect::<Vec<_>>())?;
        }
    }
    fs::read_to_string(file)
}

/// Runs a study with these arguments.
fn run(study: &str, arguments: &[&OsStr]) -> io::Result<()> {
    let workspace = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let status = Command::new(env!("CARGO"))
        .current_dir(&workspace)
        .args(["run", "--quiet", "--release", "--features", "estimation", "--example", study, "--"])
        .args(arguments)
        .stdout(Stdio::null())
        .status()?;
    if status.success() { Ok(()) } else { Err(io::Error::other(format!("the study ended with {status}"))) }
}
