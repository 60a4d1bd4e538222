//! The stored pictures of the gallery: which study draws them, and the digests that tell whether they are up to date.
//!
//! A figure stores two digests: of its points, by the library, and of the numeric literals in the sources of its study, by the program
//! `gallery`. A change of a parameter, a step size or a style changes the second one. It is cheap to compute, so that every run of the tests
//! compares it; only `gallery --check` computes the points again.

use std::path::{Path, PathBuf};
use std::{fs, io};

/// The folder of the pages and figures.
pub fn gallery() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../lie-runtime/book/src/gallery")
}

/// A picture of a page.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    /// The study that draws it.
    pub study: String,
    /// The name of the stored file, without `.svg`.
    pub name: String,
    /// The way in which the study draws it.
    pub source: Source,
}

/// The origin of a picture.
#[derive(Clone, Debug, PartialEq)]
pub enum Source {
    /// The figure with this name, which a run without flags writes.
    Figure(String),
    /// The schematic with these flags.
    Schematic(String),
}

/// The pictures of all pages.
///
/// # Errors
/// If a page cannot be read.
pub fn pictures() -> io::Result<Vec<Picture>> {
    let mut pictures = Vec::new();
    for entry in fs::read_dir(gallery())? {
        let path = entry?.path();
        let study = path.file_stem().and_then(|name| name.to_str()).unwrap_or_default();
        if path.extension().is_some_and(|extension| extension == "md") {
            pictures.extend(pictures_of(study, &fs::read_to_string(&path)?));
        }
    }
    pictures.sort_by(|a, b| (&a.study, &a.name).cmp(&(&b.study, &b.name)));
    Ok(pictures)
}

/// The pictures of a page. The text after the image has ``The picture is `motion.svg` `` or ``The flags are `--group se3` ``.
pub fn pictures_of(study: &str, page: &str) -> Vec<Picture> {
    let after = |text: &str, start: &str, end: &str| {
        let (_, rest) = text.split_once(start)?;
        Some(rest.split_once(end)?.0.to_owned())
    };
    let of_image = |text: &str| {
        let figure = || Some(Source::Figure(after(text, "The picture is `", ".svg`")?));
        let schematic = || Some(Source::Schematic(after(text, "The flags are `", "`")?));
        let (name, _) = text.split_once(".svg)")?;
        Some(Picture { study: study.to_owned(), name: name.to_owned(), source: figure().or_else(schematic)? })
    };
    page.split("![").skip(1).filter_map(|image| of_image(image.split_once("](")?.1)).collect()
}

/// The digest with this name, `points` or `numbers`, that a figure stores.
pub fn stored<'a>(picture: &'a str, name: &str) -> Option<&'a str> {
    let (_, rest) = picture.split_once("<metadata>")?;
    let (data, _) = rest.split_once("</metadata>")?;
    data.split("; ").find_map(|entry| entry.strip_prefix(name)?.strip_prefix(' '))
}

/// Adds the digest of the sources to a figure, or replaces it.
pub fn stamped(picture: &str, numbers: &str) -> String {
    let points = stored(picture, "points").unwrap_or_default();
    let Some((before, rest)) = picture.split_once("<metadata>") else { return picture.to_owned() };
    let Some((_, after)) = rest.split_once("</metadata>") else { return picture.to_owned() };
    format!("{before}<metadata>points {points}; numbers {numbers}</metadata>{after}")
}

/// The sources of a study: the file and the folder of its name, and the shared models that it uses.
///
/// # Errors
/// If a file cannot be read.
pub fn sources(study: &str) -> io::Result<Vec<PathBuf>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = files(folder, study)?;
    let texts = files.iter().map(fs::read_to_string).collect::<io::Result<Vec<_>>>()?;
    let mut models: Vec<&str> = texts
        .iter()
        .flat_map(|text| text.split("models::").skip(1))
        .filter_map(|rest| rest.split(|letter: char| !(letter.is_alphanumeric() || letter == '_')).next())
        .filter(|name| !name.is_empty())
        .collect();
    models.sort_unstable();
    models.dedup();
    for model in models {
        files.extend(self::files(&folder.join("models/src"), model)?);
    }
    Ok(files)
}

/// The file `name.rs` and all sources in the folder `name`, in the order of their paths.
fn files(folder: &Path, name: &str) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let file = folder.join(format!("{name}.rs"));
    found.extend(file.is_file().then_some(file));
    let mut open = vec![folder.join(name)];
    while let Some(folder) = open.pop().filter(|folder| folder.is_dir()) {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

/// The digest of the numeric literals of a study (FNV-1a, 64 bits).
///
/// # Errors
/// If a source cannot be read.
pub fn numbers(study: &str) -> io::Result<String> {
    let mut digest: u64 = 0xcbf2_9ce4_8422_2325;
    for file in sources(study)? {
        for literal in literals(&fs::read_to_string(file)?) {
            for byte in literal.bytes().chain([0]) {
                digest = (digest ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
            }
        }
    }
    Ok(format!("{digest:016x}"))
}

/// The numeric literals of a source, without comments, texts and the numbers in names.
pub fn literals(source: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = source;
    let mut is_in_name = false;
    while let Some(letter) = rest.chars().next() {
        if rest.starts_with("//") {
            rest = rest.split_once('\n').map_or("", |(_, after)| after);
        } else if letter == '"' {
            let mut is_escaped = false;
            let end = rest[1..].find(|letter| {
                let ends = letter == '"' && !is_escaped;
                is_escaped = letter == '\\' && !is_escaped;
                ends
            });
            rest = end.map_or("", |end| &rest[end + 2..]);
        } else if letter.is_ascii_digit() && !is_in_name {
            let literal = number(rest);
            found.push(literal.to_owned());
            rest = &rest[literal.len()..];
        } else {
            is_in_name = letter.is_alphanumeric() || letter == '_';
            rest = &rest[letter.len_utf8()..];
            continue;
        }
        is_in_name = false;
    }
    found
}

/// The number at the start of a text: digits, one point before a digit, an exponent with its sign, a suffix.
fn number(text: &str) -> &str {
    let bytes = text.as_bytes();
    let mut end = 0;
    while let Some(&byte) = bytes.get(end) {
        let next = bytes.get(end + 1).copied().unwrap_or(b' ');
        let is_exponent = |at: usize| matches!(bytes[at], b'e' | b'E') && !text.starts_with("0x");
        let belongs = byte.is_ascii_alphanumeric()
            || byte == b'_'
            || (byte == b'.' && next.is_ascii_digit())
            || (matches!(byte, b'+' | b'-') && end > 0 && is_exponent(end - 1));
        if !belongs {
            break;
        }
        end += 1;
    }
    &text[..end]
}
