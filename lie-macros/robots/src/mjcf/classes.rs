//! Default classes: an element without an attribute has the attribute of its class, or of the class around its class.

use std::collections::HashMap;

use roxmltree::Node;

use super::within::attributes;
use crate::xml::{Read, Skipping, mistake, tag, text};

/// The elements whose defaults are read, after `default` itself.
const READ: [&str; 19] = [
    "default",
    "joint",
    "geom",
    "site",
    "equality",
    "mesh",
    "tendon",
    "general",
    "motor",
    "position",
    "velocity",
    "intvelocity",
    "orientation",
    "pid",
    "damper",
    "cylinder",
    "muscle",
    "adhesion",
    "dcmotor",
];
const NOT_READ: [&str; 10] =
    ["texture", "material", "camera", "light", "pair", "skin", "flex", "plugin", "custom", "sensor"];
/// The class of all.
pub(super) const MAIN: &str = "main";

/// A class: the one around it, and its elements.
struct Class<'a, 'i> {
    around: Option<&'a str>,
    elements: Vec<Node<'a, 'i>>,
}

/// The classes of a file.
pub(super) struct Classes<'a, 'i>(HashMap<&'a str, Class<'a, 'i>>);

impl<'a, 'i> Classes<'a, 'i> {
    /// Reads the `default` sections of a file.
    pub fn read(sections: &[Node<'a, 'i>], skipping: &Skipping) -> Read<Self> {
        let mut classes = HashMap::new();
        let root = |&node: &Node<'a, 'i>| (node, None, node.attribute("class").unwrap_or(MAIN));
        let mut open: Vec<(Node<'a, 'i>, Option<&'a str>, &'a str)> = sections.iter().rev().map(root).collect();
        while let Some((node, around, name)) = open.pop() {
            attributes(node, &["class"], &["group"], skipping)?;
            let all = skipping.children(node, &READ, &NOT_READ)?;
            for &below in all.iter().rev().filter(|child| child.has_tag_name("default")) {
                open.push((below, Some(name), text(below, "class")?));
            }
            let elements = all.iter().copied().filter(|child| !child.has_tag_name("default"));
            match classes.get_mut(name) {
                // Sections of the file are one; a class inside of another is given once.
                Some(Class { elements: known, around: None }) if around.is_none() => known.extend(elements),
                Some(_) => return mistake(node, format!("there are two classes `{name}`"), "rename the second one"),
                None => {
                    classes.insert(name, Class { around, elements: elements.collect() });
                }
            }
        }
        // The class of all may have a name of its own.
        if let Some((&name, _)) = classes.iter().find(|(name, class)| class.around.is_none() && **name != MAIN) {
            if classes.contains_key(MAIN) {
                let help = "the outermost class is called `main`, or as it is called in one place";
                return mistake(sections[sections.len() - 1], format!("`{name}` is a second outermost class"), help);
            }
            classes.insert(MAIN, Class { around: Some(name), elements: vec![] });
        }
        Ok(Self(classes))
    }

    /// An element with the defaults of its class; of the class that its body names if it names none.
    pub fn element(&self, node: Node<'a, 'i>, of: &str, childclass: Option<&'a str>) -> Read<Element<'a, 'i>> {
        self.element_of(node, &[of], childclass)
    }

    /// An element whose defaults are elements with several tags.
    pub fn element_of(&self, node: Node<'a, 'i>, of: &[&str], childclass: Option<&'a str>) -> Read<Element<'a, 'i>> {
        let named = node.attribute("class").or(childclass);
        if let Some(name) = named.filter(|name| *name != MAIN && !self.0.contains_key(name)) {
            let help = "classes are declared in `default`";
            return mistake(node, format!("unknown class `{name}`"), help);
        }
        let mut levels = vec![node];
        let mut at = Some(named.unwrap_or(MAIN));
        while let Some(class) = at.and_then(|name| self.0.get(name)) {
            levels.extend(class.elements.iter().rev().filter(|element| of.contains(&tag(**element).as_str())));
            at = class.around;
        }
        Ok(Element { levels })
    }

    /// Refuses a class that is not there.
    pub fn ensure(&self, node: Node<'a, 'i>, name: Option<&str>) -> Read<()> {
        match name.filter(|name| *name != MAIN && !self.0.contains_key(name)) {
            Some(name) => mistake(node, format!("unknown class `{name}`"), "classes are declared in `default`"),
            None => Ok(()),
        }
    }
}

/// An element and its defaults, nearest first.
pub(super) struct Element<'a, 'i> {
    pub levels: Vec<Node<'a, 'i>>,
}

impl<'a, 'i> Element<'a, 'i> {
    /// The element of the file.
    pub fn node(&self) -> Node<'a, 'i> {
        self.levels[0]
    }

    /// The element or default that has this attribute; the element if none has it.
    pub fn at(&self, name: &str) -> Node<'a, 'i> {
        self.levels.iter().copied().find(|node| node.has_attribute(name)).unwrap_or(self.node())
    }

    pub fn get(&self, name: &str) -> Option<&'a str> {
        self.at(name).attribute(name)
    }

    /// Refuses unknown attributes, and notes those that do not change the motion.
    pub fn attributes(&self, read: &[&str], ignored: &[&str], skipping: &Skipping) -> Read<()> {
        self.levels.iter().try_for_each(|&level| attributes(level, read, ignored, skipping))
    }
}
