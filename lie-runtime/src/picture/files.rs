//! Files of figures.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::FigureError;

/// Writes `folder/name.extension`.
pub(super) fn put(folder: &Path, name: &str, extension: &str, bytes: &[u8]) -> Result<PathBuf, FigureError> {
    write(&folder.join(format!("{name}.{extension}")), bytes)
}

/// Writes a file, and creates its folder.
pub(super) fn write(path: &Path, bytes: &[u8]) -> Result<PathBuf, FigureError> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let written = folder.map_or(Ok(()), fs::create_dir_all).and_then(|()| fs::write(path, bytes));
    written.map(|()| path.to_owned()).map_err(|error| FigureError::Writing(path.to_owned(), Arc::new(error)))
}

/// Returns the extension of a file name in lower case; it must be one of `known`.
pub(super) fn extension(path: &Path, known: &'static [&'static str]) -> Result<&'static str, FigureError> {
    let own = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default().to_lowercase();
    let found = known.iter().find(|known| **known == own);
    found.copied().ok_or_else(|| FigureError::Extension { path: path.to_owned(), known })
}
