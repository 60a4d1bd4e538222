//! Draws the pictures of the book's gallery: runs the study of every example that has a page there and takes the figure that
//! the page names.
//!
//! ```text
//! cargo run --release -p studies --bin gallery               # all of them, in some minutes
//! cargo run --release -p studies --bin gallery heavy_top     # one
//! ```

use std::path::Path;
use std::process::{Command, ExitCode};
use std::{env, fs, io};

fn main() -> ExitCode {
    let wanted: Vec<String> = env::args().skip(1).collect();
    let guide = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../lie-runtime/book/src/gallery");
    let pages = match pages(&guide) {
        Ok(pages) => pages,
        Err(error) => {
            eprintln!("{}: {error}", guide.display());
            return ExitCode::FAILURE;
        }
    };
    let mut is_complete = wanted.iter().all(|name| {
        let is_known = pages.iter().any(|(example, _)| example == name);
        if !is_known {
            eprintln!("{name}: no page of the gallery names a picture of an example of this name");
        }
        is_known
    });
    for (example, figure) in pages {
        if !wanted.is_empty() && !wanted.contains(&example) {
            continue;
        }
        match draw(&guide, &example, &figure) {
            Ok(bytes) => println!("{example}: {figure}, {} kB", bytes / 1000),
            Err(error) => {
                eprintln!("{example}: {error}");
                is_complete = false;
            }
        }
    }
    if is_complete { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// The examples that have a page, and the picture of the page: the name of an `.svg` in it.
fn pages(guide: &Path) -> io::Result<Vec<(String, String)>> {
    let mut pages = Vec::new();
    for entry in fs::read_dir(guide)? {
        let path = entry?.path();
        let name = path.file_stem().and_then(|name| name.to_str()).unwrap_or_default().to_owned();
        if path.extension().is_some_and(|extension| extension == "md") {
            let text = fs::read_to_string(&path)?;
            let figure = text.split('`').find_map(|code| code.strip_suffix(".svg"));
            pages.extend(figure.map(|figure| (name, figure.to_owned())));
        }
    }
    pages.sort();
    Ok(pages)
}

/// Runs the study of an example and puts its figure where the book shows it; the size of the picture in bytes.
fn draw(guide: &Path, example: &str, figure: &str) -> io::Result<usize> {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folder = workspace.join("target/gallery").join(example);
    let status = Command::new(env!("CARGO"))
        .current_dir(&workspace)
        .args(["run", "--quiet", "--release", "--features", "estimation", "--example", example])
        .args(["--", "--out"])
        .arg(&folder)
        .stdout(std::process::Stdio::null())
        .status()?;
    if !status.success() {
        return Err(io::Error::other(format!("the study ended with {status}")));
    }
    let picture = rounded(&fs::read_to_string(folder.join(format!("{figure}.svg")))?);
    fs::write(guide.join(format!("{example}.svg")), &picture)?;
    Ok(picture.len())
}

/// A picture with coordinates above ten to a tenth of a pixel: shorter, and the same to the eye.
fn rounded(picture: &str) -> String {
    let mut out = String::with_capacity(picture.len());
    let mut rest = picture;
    while let Some(point) = rest.find('.') {
        let (before, after) = (&rest[..point], &rest[point + 1..]);
        let whole = before.bytes().rev().take_while(u8::is_ascii_digit).count();
        let digits = after.bytes().take_while(u8::is_ascii_digit).count();
        out.push_str(before);
        out.push('.');
        out.push_str(&after[..if whole > 1 { digits.min(1) } else { digits }]);
        rest = &after[digits..];
    }
    out.push_str(rest);
    out
}
