//! Draws the figures of the book's gallery: runs the study of every page and stores the figure that the page names.
//!
//! ```text
//! cargo run --release -p studies --bin gallery                         # all figures, in some minutes
//! cargo run --release -p studies --bin gallery heavy_top               # one figure
//! cargo run --release -p studies --bin gallery -- --check              # compares the points of the stored figures with new ones
//! cargo run --release -p studies --bin gallery -- --confirm heavy_top  # a change of the sources has no effect on this figure
//! ```

use std::process::{Command, ExitCode, Stdio};
use std::{env, fs, io};

#[path = "../stored.rs"]
#[allow(dead_code)] // The tests use all of it.
mod stored;

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
    let pages = match stored::pages() {
        Ok(pages) => pages,
        Err(error) => {
            eprintln!("{}: {error}", stored::gallery().display());
            return ExitCode::FAILURE;
        }
    };
    let mut is_complete = wanted.iter().all(|name| {
        let is_known = pages.iter().any(|(study, _)| study == name);
        if !is_known {
            eprintln!("{name}: no page of the gallery names a picture of a study of this name");
        }
        is_known
    });
    for (study, figure) in pages {
        if !wanted.is_empty() && !wanted.contains(&study) {
            continue;
        }
        match perform(task, &study, &figure) {
            Ok(message) => println!("{study}: {message}"),
            Err(error) => {
                eprintln!("{study}: {error}");
                is_complete = false;
            }
        }
    }
    if is_complete { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn perform(task: Task, study: &str, figure: &str) -> io::Result<String> {
    let path = stored::gallery().join(format!("{study}.svg"));
    let numbers = stored::numbers(study)?;
    let picture = if task == Task::Confirm { fs::read_to_string(&path)? } else { drawn(study, figure)? };
    if task != Task::Check {
        fs::write(&path, stored::stamped(&picture, &numbers))?;
        return Ok(format!("{figure}, {} kB", picture.len() / 1000));
    }
    let known = fs::read_to_string(&path)?;
    let [old, new] = [&known, &picture].map(|picture| stored::stored(picture, "points"));
    if old.is_none() || (old != new && !TIMED.contains(&study)) {
        return Err(io::Error::other("the stored figure has other points; draw it again"));
    }
    Ok("up to date".to_owned())
}

/// Runs a study and returns its figure.
fn drawn(study: &str, figure: &str) -> io::Result<String> {
    let workspace = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folder = workspace.join("target/gallery").join(study);
    let status = Command::new(env!("CARGO"))
        .current_dir(&workspace)
        .args(["run", "--quiet", "--release", "--features", "estimation", "--example", study])
        .args(["--", "--out"])
        .arg(&folder)
        .stdout(Stdio::null())
        .status()?;
    if !status.success() {
        return Err(io::Error::other(format!("the study ended with {status}")));
    }
    fs::read_to_string(folder.join(format!("{figure}.svg")))
}
