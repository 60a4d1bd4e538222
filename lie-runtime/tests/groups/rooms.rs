//! The rooms of the runtime: each knows those below it, and none above.

use std::fs;
use std::path::Path;

use super::additions::files;

/// From the ground up. A room is a folder of `src`.
const ROOMS: [&str; 14] = [
    "scalar",
    "solve",
    "group",
    "space",
    "inputs",
    "system",
    "problem",
    "field",
    "integrator",
    "simulate",
    "gradient",
    "ensemble",
    "picture",
    "analysis",
];

#[test]
fn no_arrow_points_upwards() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../src");
    let floor = |room: &str| ROOMS.iter().position(|known| *known == room);
    let (mut arrows, mut upwards) = (0, Vec::new());
    for (below, room) in ROOMS.iter().enumerate() {
        for path in files(&source.join(room)) {
            let text = fs::read_to_string(&path).unwrap();
            // What comments refer to is for readers.
            for line in text.lines().filter(|line| !line.trim_start().starts_with("//")) {
                for part in line.split("crate::").skip(1) {
                    let named = part.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default();
                    let Some(above) = floor(named) else { continue };
                    arrows += 1;
                    if above > below {
                        upwards.push(format!("{}: {}", path.display(), line.trim()));
                    }
                }
            }
        }
    }
    // Folders that are not listed would not be looked at.
    let folders = fs::read_dir(&source).unwrap().map(|entry| entry.unwrap()).filter(|entry| entry.path().is_dir());
    let unknown: Vec<String> = folders
        .map(|folder| folder.file_name().into_string().unwrap())
        .filter(|name| name != "guide" && floor(name).is_none())
        .collect();
    assert!(unknown.is_empty() && arrows > 500, "{unknown:?}, {arrows} arrows");
    assert!(upwards.is_empty(), "{}", upwards.join("\n"));
}
