//! The imports between the modules of a crate, read from its source text.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use super::additions::files;

/// The path of a module inside its crate.
type ModulePath = Vec<String>;

/// The imports and the text of one module.
struct Module {
    /// Every name of its `use` items with the path that it stands for.
    uses: Vec<(String, Vec<String>)>,
    /// The code without comments, strings, tests and `use` items.
    code: String,
}

/// All modules of a crate, or of a folder of it that is tested as one.
pub struct Modules(BTreeMap<ModulePath, Module>);

/// The node of a folder that stands for the items of its own `mod.rs`.
const OWN_ITEMS: &str = "mod.rs";

impl Modules {
    /// Reads the modules below `source`, a path from the folder of this package; `apart` are files and folders on top of all layers.
    pub fn read(source: &str, apart: &[&str]) -> Self {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(source);
        let mut modules = BTreeMap::new();
        for file in files(&source) {
            let place = file.strip_prefix(&source).unwrap().with_extension("");
            let mut path: ModulePath = place.iter().map(|part| part.to_string_lossy().into_owned()).collect();
            if path.last().is_some_and(|last| last == "mod" || last == "lib") {
                path.pop();
            }
            let top = path.first().map_or("lib", String::as_str);
            if !path.iter().any(|part| part.starts_with("tests")) && !apart.contains(&top) {
                modules.insert(path, Module::parse(&fs::read_to_string(&file).unwrap()));
            }
        }
        Modules(modules)
    }

    /// The folders, each with the modules that take part in an import cycle; a folder's own `mod.rs` is one of its modules.
    pub fn cycles(&self) -> BTreeMap<String, Vec<String>> {
        let edges = self.edges();
        let folders: BTreeSet<&[String]> = self.0.keys().filter_map(|path| Some(path.split_last()?.1)).collect();
        let mut found = BTreeMap::new();
        for folder in folders {
            let node = |path: &[String]| {
                path.strip_prefix(folder).map(|rest| rest.first().map_or(OWN_ITEMS, |name| name).to_owned())
            };
            let mut next: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
            for (from, to) in &edges {
                if let (Some(from), Some(to)) = (node(from), node(to))
                    && from != to
                {
                    next.entry(from).or_default().insert(to);
                }
            }
            let returns = |start: &String| {
                let (mut open, mut seen) = (vec![start], BTreeSet::new());
                while let Some(at) = open.pop() {
                    for to in next.get(at).into_iter().flatten() {
                        if to == start {
                            return true;
                        }
                        if seen.insert(to) {
                            open.push(to);
                        }
                    }
                }
                false
            };
            let cycle: Vec<String> = next.keys().filter(|name| returns(name)).cloned().collect();
            if !cycle.is_empty() {
                found.insert(folder.join("/"), cycle);
            }
        }
        found
    }

    /// Pairs of modules, the first of which names an item of the second; a re-export alone is not an import.
    fn edges(&self) -> BTreeSet<(ModulePath, ModulePath)> {
        let mut edges = BTreeSet::new();
        for (path, module) in &self.0 {
            let words = || module.code.split(|c: char| !c.is_alphanumeric() && c != '_');
            let used: BTreeSet<&str> = words().collect();
            let is_used = |name: &str| name == "*" || used.contains(name);
            let imported = module.uses.iter().filter(|(name, _)| is_used(name)).map(|(_, target)| target.clone());
            let qualified = module.code.split(|c: char| !c.is_alphanumeric() && c != '_' && c != ':');
            let qualified =
                qualified.filter(|path| path.contains("::")).map(|path| path.split("::").map(str::to_owned).collect());
            for target in imported.chain(qualified) {
                if let Some(to) = self.resolve(path, &target, 8)
                    && to != *path
                {
                    edges.insert((path.clone(), to));
                }
            }
        }
        edges
    }

    /// The module that defines the item which `target` names in the module `from`, through at most so many re-exports.
    fn resolve(&self, from: &[String], target: &[String], depth: usize) -> Option<ModulePath> {
        let (mut at, mut rest) = (from.to_vec(), target);
        match target.first()?.as_str() {
            "crate" => (at, rest) = (Vec::new(), &target[1..]),
            "self" => rest = &target[1..],
            "super" => {}
            child if self.0.contains_key(&[from, &[child.to_owned()]].concat()) => {}
            _ => return None,
        }
        while rest.first().is_some_and(|part| part == "super") {
            at.pop();
            rest = &rest[1..];
        }
        while let Some((child, after)) = rest.split_first() {
            let inner = [at.as_slice(), std::slice::from_ref(child)].concat();
            if !self.0.contains_key(&inner) {
                break;
            }
            (at, rest) = (inner, after);
        }
        let module = self.0.get(&at)?;
        let Some(item) = rest.first() else { return Some(at) };
        let exported = module.uses.iter().filter(|(name, _)| depth > 0 && (name == item || name == "*"));
        let mut origins = exported.filter_map(|(name, path)| match name.as_str() {
            "*" => {
                let path: Vec<String> = [&path[..path.len() - 1], std::slice::from_ref(item)].concat();
                self.resolve(&at, &path, depth - 1).filter(|origin| self.0[origin].defines(item))
            }
            _ => self.resolve(&at, path, depth - 1),
        });
        origins.next().or(Some(at.clone()))
    }
}

impl Module {
    fn parse(text: &str) -> Self {
        let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
        let lines = text.lines().filter(|line| !line.trim_start().starts_with("//"));
        let (mut uses, mut code, mut item) = (Vec::new(), String::new(), String::new());
        for line in lines.map(|line| line.split(" // ").next().unwrap_or_default()) {
            // A visibility such as `pub(in crate::system)` names modules and imports nothing.
            let start = line.trim_start();
            let line = match start.strip_prefix("pub(").and_then(|rest| rest.split_once(") ")) {
                Some((_, rest)) => rest,
                None => start.strip_prefix("pub ").unwrap_or(start),
            };
            if !item.is_empty() || line.starts_with("use ") {
                item += line.strip_prefix("use ").unwrap_or(line);
                if item.ends_with(';') {
                    expand(&[], item.trim_end_matches(';'), &mut uses);
                    item.clear();
                }
            } else if !line.starts_with("mod ") {
                code += line;
                code.push('\n');
            }
        }
        // Without strings, which are every other piece.
        let code = code.replace("\\\"", "").replace("'\"'", "");
        Module { uses, code: code.split('"').step_by(2).collect() }
    }

    /// True if an item of that name stands in the module itself.
    fn defines(&self, name: &str) -> bool {
        let kinds = ["struct", "enum", "trait", "type", "fn", "const", "static"];
        let mut words = self.code.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty());
        let mut before = "";
        words.any(|word| kinds.contains(&core::mem::replace(&mut before, word)) && word == name)
    }
}

/// The names and paths of a `use` tree.
fn expand(prefix: &[String], tree: &str, uses: &mut Vec<(String, Vec<String>)>) {
    let path = |text: &str| {
        text.split("::").map(|part| part.trim().to_owned()).filter(|part| !part.is_empty()).collect::<Vec<_>>()
    };
    if let Some((head, rest)) = tree.split_once('{') {
        let prefix = [prefix, &path(head)].concat();
        let inner = rest.trim_end().strip_suffix('}').unwrap_or(rest);
        let (mut depth, mut start) = (0, 0);
        for (at, c) in inner.char_indices().chain([(inner.len(), ',')]) {
            depth += i32::from(c == '{') - i32::from(c == '}');
            if c == ',' && depth == 0 {
                expand(&prefix, &inner[start..at], uses);
                start = at + 1;
            }
        }
        return;
    }
    let (target, alias) = tree.split_once(" as ").unwrap_or((tree, ""));
    let mut target = [prefix, &path(target)].concat();
    if target.last().is_some_and(|last| last == "self") {
        target.pop();
    }
    let Some(last) = target.last().filter(|_| !tree.trim().is_empty()) else { return };
    let name = if alias.is_empty() { last.clone() } else { alias.trim().to_owned() };
    uses.push((name, target));
}
