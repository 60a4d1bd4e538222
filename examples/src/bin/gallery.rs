//! Draws the pictures of the book's gallery: runs the study of every example and takes one figure of each.
//!
//! ```text
//! cargo run --release -p examples --bin gallery               # all of them, in some minutes
//! cargo run --release -p examples --bin gallery heavy_top     # one
//! ```

use std::path::Path;
use std::process::{Command, ExitCode};
use std::{env, fs, io};

/// The examples, and the figure that stands for each.
const GALLERY: [(&str, &str); 17] = [
    ("heavy_top", "convergence_se3"),
    ("flying_spaghetti", "snapshots"),
    ("roll_up", "snapshots"),
    ("rod_scale", "rod_scale"),
    ("heavy_top_index3", "convergence"),
    ("right_angle_cantilever", "snapshots"),
    ("four_bar", "snapshots"),
    ("driven_joint", "motion"),
    ("rolling_disc", "motion"),
    ("work_precision", "families_systems"),
    ("heavy_top_hamiltonian", "axis"),
    ("spherical_pendulum", "convergence"),
    ("quadrotors", "snapshots"),
    ("prescribed_torque", "angle_error_2"),
    ("free_rigid_body", "convergence"),
    ("lagrangian_top", "convergence_fast"),
    ("soft_wall", "energy_present"),
];

fn main() -> ExitCode {
    let wanted: Vec<String> = env::args().skip(1).collect();
    let mut is_complete = true;
    for (example, figure) in GALLERY {
        if !wanted.is_empty() && !wanted.iter().any(|name| name == example) {
            continue;
        }
        match draw(example, figure) {
            Ok(bytes) => println!("{example}: {figure}, {} kB", bytes / 1000),
            Err(error) => {
                eprintln!("{example}: {error}");
                is_complete = false;
            }
        }
    }
    if is_complete { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Runs the study of an example and puts its figure where the book shows it; the size of the picture in bytes.
fn draw(example: &str, figure: &str) -> io::Result<usize> {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = package.join("../target/gallery").join(example);
    let status = Command::new(env!("CARGO"))
        .args(["run", "--quiet", "--release", "-p", "examples", "--example", example, "--", "--out"])
        .arg(&folder)
        .stdout(std::process::Stdio::null())
        .status()?;
    if !status.success() {
        return Err(io::Error::other(format!("the study ended with {status}")));
    }
    let picture = rounded(&fs::read_to_string(folder.join(format!("{figure}.svg")))?);
    let guide = package.join("../lie-runtime/src/guide/gallery");
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
