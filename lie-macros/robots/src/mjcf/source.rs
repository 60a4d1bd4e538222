//! The text of a file with included files and copies written out, and the origin of every line.

use std::ops::Range;
use std::path::{Path, PathBuf};

use roxmltree::Node;

use crate::Mistake;
use crate::xml::{Read, ensure_known, mistake, parse, tag, text};

/// The origin of a line: the number of its file, and the line there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Origin {
    file: usize,
    line: u32,
}

/// A file, or several in one.
pub(super) struct Source {
    pub text: String,
    origins: Vec<Origin>,
    /// The first one is the file that is read, whose name is known to those who ask for it.
    files: Vec<PathBuf>,
}

impl Source {
    /// The text of a file.
    pub fn of(text: &str, path: &Path) -> Self {
        let lines = (1..).take(text.matches('\n').count() + 1);
        let origins = lines.map(|line| Origin { file: 0, line }).collect();
        Source { text: text.to_owned(), origins, files: vec![path.to_owned()] }
    }

    /// The files that are included.
    pub fn included(&self) -> &[PathBuf] {
        &self.files[1..]
    }

    /// Attributes a mistake in this text to the file that the line comes from, if no file is known yet.
    pub fn told(&self, mistake: Mistake) -> Mistake {
        if !mistake.file.is_empty() {
            return mistake;
        }
        let at = mistake.line.checked_sub(1).and_then(|line| self.origins.get(line as usize));
        let Some(&Origin { file, line }) = at else { return mistake };
        Mistake { line, file: self.name(file), ..mistake }
    }

    /// A file as the first one sees it; that one has no name.
    fn name(&self, file: usize) -> String {
        let (path, folder) = (&self.files[file], self.folder(0));
        if file == 0 { String::new() } else { path.strip_prefix(folder).unwrap_or(path).display().to_string() }
    }

    fn folder(&self, file: usize) -> &Path {
        self.files[file].parent().unwrap_or(Path::new(""))
    }

    fn origin(&self, at: usize) -> usize {
        self.text[..at].matches('\n').count()
    }

    /// The same with the elements of other files in the place of each `include`, and of those that these include.
    pub fn with_included(mut self) -> Result<Self, Mistake> {
        while let Some(next) = self.next_included().map_err(|mistake| self.told(mistake))? {
            self = next;
        }
        Ok(self)
    }

    fn next_included(&self) -> Read<Option<Source>> {
        let document = parse(&self.text)?;
        let Some(node) = document.descendants().find(|node| tag(*node) == "include") else { return Ok(None) };
        ensure_known(node, &["file"])?;
        let name = text(node, "file")?;
        if node.children().any(|child| child.is_element()) {
            return mistake(
                node,
                "`include` with elements in it",
                "write <include file=\"…\"/>, and the elements after it",
            );
        }
        // MuJoCo looks beside the main file first, then beside the one that includes.
        let from = self.origins[self.origin(node.range().start)].file;
        let beside = [self.folder(0).join(name), self.folder(from).join(name)];
        let path = beside.iter().find(|path| path.is_file()).unwrap_or(&beside[1]);
        let same = |known: &PathBuf| {
            known == path || known.canonicalize().is_ok_and(|known| path.canonicalize().is_ok_and(|path| path == known))
        };
        if self.files.iter().any(same) {
            let help = "include a file once; copies are a `replicate`";
            return mistake(node, format!("`{name}` is included already"), help);
        }
        let found = std::fs::read_to_string(path);
        let found = found.or_else(|error| {
            mistake(
                node,
                format!("`{name}` cannot be read: {error}"),
                format!("it is looked for at {}", path.display()),
            )
        })?;
        let mut files = self.files.clone();
        files.push(path.clone());
        let inner = Source::of(&found, path);
        let file = files.len() - 1;
        let inner = Source {
            origins: inner.origins.into_iter().map(|origin| Origin { file, ..origin }).collect(),
            files,
            ..inner
        };
        let range = content(&inner.text).map_err(|mistake| inner.told(mistake))?;
        let mut writer = Writer::default();
        writer.copy(self, 0..node.range().start);
        writer.copy(&inner, range);
        writer.copy(self, node.range().end..self.text.len());
        Ok(Some(Source { text: writer.text, origins: writer.origins, files: inner.files }))
    }

    /// Replaces ranges of the text, in ascending order; `write` writes the replacement of each.
    pub fn replaced(&self, ranges: &[Range<usize>], mut write: impl FnMut(&mut Writer, usize)) -> Source {
        let (mut writer, mut from) = (Writer::default(), 0);
        for (number, range) in ranges.iter().enumerate() {
            writer.copy(self, from..range.start);
            write(&mut writer, number);
            from = range.end;
        }
        writer.copy(self, from..self.text.len());
        Source { text: writer.text, origins: writer.origins, files: self.files.clone() }
    }
}

/// The elements in the root of a file.
fn content(source: &str) -> Read<Range<usize>> {
    let document = parse(source)?;
    let root = document.root_element();
    let mut all = root.children().filter(Node::is_element);
    match all.next() {
        Some(first) => Ok(first.range().start..all.next_back().unwrap_or(first).range().end),
        None => mistake(root, "there is nothing to include", "write the elements into its first element"),
    }
}

/// A text that is put together from parts of others.
#[derive(Default)]
pub(super) struct Writer {
    text: String,
    origins: Vec<Origin>,
}

impl Writer {
    /// Adds a part of a source, on a new line if the text before it has another origin.
    pub fn copy(&mut self, from: &Source, range: Range<usize>) {
        let mut line = from.origin(range.start);
        self.begin(from.origins[line]);
        for piece in from.text[range].split_inclusive('\n') {
            self.text.push_str(piece);
            if piece.ends_with('\n') {
                line += 1;
                self.origins.push(from.origins[line]);
            }
        }
    }

    /// Adds text without an origin.
    pub fn insert(&mut self, text: &str) {
        self.text.push_str(text);
    }

    fn begin(&mut self, origin: Origin) {
        let is_new = self.text.is_empty() || self.text.ends_with('\n');
        match self.origins.last_mut() {
            Some(last) if is_new => *last = origin,
            Some(last) if *last == origin => {}
            Some(_) => {
                self.text.push('\n');
                self.origins.push(origin);
            }
            None => self.origins.push(origin),
        }
    }
}
