//! Composition of files: includes, replication, frames and sites produce the declaration of the expanded file.

use std::path::PathBuf;

use super::declaration as declared;
use crate::{Declaration, Language, Mistake, Options, declaration};

/// Returns the items of a file.
fn of(inside: &str) -> String {
    let text = format!("<mujoco>\n{inside}\n</mujoco>");
    declared(&text, Language::Mjcf, &[]).unwrap_or_else(|mistake| panic!("{mistake}"))
}

/// Returns the items with numbers rounded to ten decimals, for comparison of computed values.
fn rounded(text: &str) -> String {
    let (mut out, mut rest) = (String::new(), text);
    while let Some(start) = rest.find(|c: char| c.is_ascii_digit()) {
        let (before, number) = rest.split_at(start);
        let mut end = number.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(number.len());
        if let Some(power) = number[end..].strip_prefix("e-") {
            end += 2 + power.find(|c: char| !c.is_ascii_digit()).unwrap_or(power.len());
        }
        out.push_str(before);
        let fraction = number[..end].parse().ok().filter(|_: &f64| number[..end].contains(['.', 'e']));
        out.push_str(&fraction.map_or_else(|| number[..end].to_owned(), |x| format!("{x:.10}")));
        rest = &number[end..];
    }
    (out + rest).replace("-0.0000000000", "0.0000000000")
}

fn assert_same(one: &str, other: &str) {
    assert_eq!(rounded(&of(one)), rounded(&of(other)));
}

#[test]
fn frame_elements_move_their_contents() {
    let found = "<default><default class=\"light\"><geom density=\"500\"/></default></default><worldbody>
        <frame pos=\"1 0 0\" euler=\"0 0 90\">
          <frame pos=\"0 2 0\"><body name=\"arm\" pos=\"0.5 0 0\">
            <frame euler=\"90 0 0\" pos=\"0 0 0.1\" childclass=\"light\">
              <joint name=\"turn\" axis=\"0 0 1\" pos=\"0.2 0.3 0\"/>
              <geom type=\"box\" size=\"0.1 0.2 0.3\" pos=\"0 0.5 0\"/>
              <body name=\"hand\" pos=\"1 0 0\"><joint name=\"way\" type=\"slide\" axis=\"0 1 0\"/><geom size=\"0.1\"/></body>
            </frame>
          </body></frame>
        </frame></worldbody>";
    let written = "<worldbody>
        <body name=\"arm\" pos=\"-1 0.5 0\" euler=\"0 0 90\">
          <joint name=\"turn\" axis=\"0 -1 0\" pos=\"0.2 0 0.4\"/>
          <geom type=\"box\" size=\"0.1 0.2 0.3\" pos=\"0 0 0.6\" euler=\"90 0 0\" density=\"500\"/>
          <body name=\"hand\" pos=\"1 0 0.1\" euler=\"90 0 0\">
            <joint name=\"way\" type=\"slide\" axis=\"0 1 0\"/><geom size=\"0.1\" density=\"500\"/></body>
        </body></worldbody>";
    assert_same(found, written);
}

/// The example of MuJoCo's documentation, with bodies in place of spheres: the index of the innermost copy comes first.
#[test]
fn copies_have_indices_and_poses() {
    let ball = |name: &str, place: &str| {
        format!("<body name=\"{name}\" {place}><joint name=\"{name}_j\"/><geom pos=\"1 0 0\" size=\"0.1\"/></body>")
    };
    let joint = |name: &str, number: &str, place: &str| {
        ball(name, place).replace(&format!("{name}_j"), &format!("Alice_j{number}"))
    };
    let found = format!(
        "<worldbody><replicate count=\"2\" offset=\"0 1 0\" euler=\"90 0 0\">
           <replicate count=\"2\" sep=\"-\" offset=\"1 0 0\" euler=\"0 90 0\">{}</replicate></replicate></worldbody>",
        ball("Alice", "")
    );
    let written = [
        joint("Alice-00", "-00", ""),
        joint("Alice-10", "-10", "pos=\"1 0 0\" quat=\"1 0 1 0\""),
        joint("Alice-01", "-01", "pos=\"0 1 0\" quat=\"1 1 0 0\""),
        joint("Alice-11", "-11", "pos=\"1 1 0\" quat=\"0.5 0.5 0.5 0.5\""),
    ];
    assert_same(&found, &format!("<worldbody>{}</worldbody>", written.concat()));
    // The width of the index is the number of digits of the number of copies.
    let ten =
        of(&format!("<worldbody><replicate count=\"10\" offset=\"1 0 0\">{}</replicate></worldbody>", ball("b", "")));
    assert!(ten.contains("fn b00(") && ten.contains("fn b09(") && !ten.contains("fn b10("), "{ten}");
}

/// A linkage that is replicated three times has three loops.
#[test]
fn loops_and_equalities_are_replicated() {
    let leg = |number: &str| {
        format!(
            "<body name=\"crank{number}\"><joint name=\"a{number}\"/><geom size=\"0.1\" pos=\"1 0 0\"/>
             <site name=\"tip{number}\" pos=\"1 0 0\"/></body>
             <body name=\"rocker{number}\" pos=\"2 0 0\"><joint name=\"b{number}\"/><geom size=\"0.1\" pos=\"-1 0 0\"/>
             <joint name=\"c{number}\" type=\"slide\" axis=\"1 0 0\"/><site name=\"end{number}\" pos=\"-1 0 0\"/></body>"
        )
    };
    let tie = |number: &str| {
        format!(
            "<connect name=\"loop{number}\" site1=\"tip{number}\" site2=\"end{number}\"/><joint joint1=\"b{number}\" joint2=\"a{number}\"/>"
        )
    };
    let found = format!(
        "<worldbody><replicate count=\"3\" sep=\"_\" euler=\"0 0 120\">{}</replicate></worldbody><equality>{}</equality>",
        leg(""),
        tie("")
    );
    let angles = [0, 120, 240];
    let rotated = |at: usize| format!("<frame euler=\"0 0 {}\">{}</frame>", angles[at], leg(&format!("_{at}")));
    // The first equality of each copy comes before the second equality of any copy.
    let ties = [0, 1, 2].map(|at| tie(&format!("_{at}")));
    let split: Vec<(&str, &str)> = ties.iter().filter_map(|tie| tie.split_once("/>")).collect();
    let first: String = split.iter().map(|(one, _)| [one, "/>"].concat()).collect();
    let second: String = split.iter().map(|(_, other)| *other).collect();
    let written = format!(
        "<worldbody>{}{}{}</worldbody><equality>{first}{second}</equality>",
        rotated(0),
        rotated(1),
        rotated(2)
    );
    assert_same(&found, &written);
    let mixed = "<mujoco><worldbody><body name=\"o\"><joint/><geom size=\"1\"/></body>
        <replicate count=\"2\"><body name=\"i\"><joint/><geom size=\"1\"/></body></replicate></worldbody>
        <equality>\n<connect body1=\"i\" body2=\"o\" anchor=\"0 0 0\"/></equality></mujoco>";
    let mistake = declared(mixed, Language::Mjcf, &[]).unwrap_err();
    assert_eq!((mistake.line, mistake.message.as_str()), (4, "`i` is replicated with others than `o`"));
}

#[test]
fn equalities_accept_sites() {
    let bodies = |sites: [&str; 2]| {
        format!(
            "<default><site pos=\"0 0 9\"/></default><worldbody><body name=\"a\"><joint axis=\"0 0 1\"/><geom size=\"0.1\" pos=\"1 0 0\"/>{}
             <body name=\"b\" pos=\"1 0 0\"><joint axis=\"0 0 1\"/><geom size=\"0.1\" pos=\"1 0 0\"/></body></body>
             <body name=\"c\" pos=\"3 0 0\"><joint axis=\"0 0 1\"/><geom size=\"0.1\" pos=\"1 0 0\"/>
             <frame pos=\"0 1 0\">{}</frame></body></worldbody>",
            "<site/>", sites[1]
        )
        .replace("<body name=\"b\" pos=\"1 0 0\">", &format!("<body name=\"b\" pos=\"1 0 0\">{}", sites[0]))
    };
    // A site in the frame of b, and a site of c in a `frame` element.
    let sites = ["<site name=\"s\" pos=\"1 2 0\"/>", "<site name=\"t\" pos=\"-1 1 0\"/>"];
    let joined = of(&format!("{}<equality><connect site1=\"s\" site2=\"t\"/></equality>", bodies(sites)));
    assert!(joined.contains("fn closed_1(q: &Joints) -> Vector2<f64>"), "{joined}");
    assert!(joined.contains("b(q) * Vector3::new(1.0, 2.0, 0.0) - c(q) * Vector3::new(-1.0, 2.0, 0.0)"), "{joined}");
    // Coincident frames of sites fix a relative pose: s = a t, so the pose of c in b is s t⁻¹.
    let sites = ["<site name=\"s\" pos=\"1 0 0\" euler=\"0 0 90\"/>", "<site name=\"t\" pos=\"0 1 0\"/>"];
    let welded = format!("{}<equality><weld site1=\"s\" site2=\"t\"/></equality>", bodies(sites));
    let posed =
        format!("{}<equality><weld body1=\"b\" body2=\"c\" relpose=\"3 0 0 1 0 0 1\"/></equality>", bodies(sites));
    assert_same(&welded, &posed);
    // The point of a weld is the anchor of the second body.
    let anchored = posed.replace("relpose=\"3 0 0", "anchor=\"0 2 0\" relpose=\"1 0 0");
    assert_same(&anchored, &posed);
}

/// Files in a temporary folder.
struct Folder(PathBuf);

impl Folder {
    fn of(name: &str, files: &[(&str, &str)]) -> Self {
        let folder = std::env::temp_dir().join(format!("lie_robots_{name}_{}", std::process::id()));
        for (file, text) in files {
            let path = folder.join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        Folder(folder)
    }

    fn read(&self, file: &str) -> Result<Declaration, Mistake> {
        let path = self.0.join(file);
        declaration(&std::fs::read_to_string(&path).unwrap(), &path, Language::Mjcf, &Options::default())
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

const HAND: &str = "<mujocoinclude>\n<body name=\"hand\" pos=\"1 0 0\">\n<joint name=\"grip\"/><geom size=\"0.1\" pos=\"1 0 0\"/>\n\
                    </body></mujocoinclude>";

#[test]
fn files_are_included() {
    let folder = Folder::of(
        "included",
        &[
            (
                "main.xml",
                "<mujoco><include file=\"parts/settings.xml\"/>\n<worldbody><include file=\"parts/arm.xml\"/></worldbody></mujoco>",
            ),
            ("parts/settings.xml", "<a><compiler angle=\"radian\"/>\n<option gravity=\"0 0 -1\"/></a>"),
            (
                "parts/arm.xml",
                "<b><body name=\"arm\" euler=\"0 0 1.5\"><joint/><geom size=\"0.2\" pos=\"1 0 0\"/><include file=\"hand.xml\"/></body></b>",
            ),
            ("parts/hand.xml", HAND),
        ],
    );
    let found = folder.read("main.xml").unwrap_or_else(|mistake| panic!("{mistake}"));
    let written = format!(
        "<compiler angle=\"radian\"/><option gravity=\"0 0 -1\"/><worldbody><body name=\"arm\" euler=\"0 0 1.5\"><joint/>
         <geom size=\"0.2\" pos=\"1 0 0\"/>{}</body></worldbody>",
        HAND.replace("<mujocoinclude>", "").replace("</mujocoinclude>", "")
    );
    assert_eq!(found.items, of(&written));
    let names: Vec<_> = found.included.iter().map(|path| path.strip_prefix(&folder.0).unwrap().to_owned()).collect();
    assert_eq!(names, ["parts/settings.xml", "parts/arm.xml", "parts/hand.xml"].map(PathBuf::from));
}

#[test]
fn errors_contain_the_included_file() {
    let main = |inside: &str| format!("<mujoco>\n<worldbody>\n{inside}\n</worldbody></mujoco>");
    let folder = Folder::of(
        "mistaken",
        &[
            ("main.xml", &main("<include file=\"sub/bad.xml\"/>")),
            ("sub/bad.xml", "<m>\n\n<body><joint axis=\"0 0 0\"/></body></m>"),
            ("twice.xml", &main("<include file=\"sub/hand.xml\"/>\n<include file=\"sub/../sub/hand.xml\"/>")),
            ("sub/hand.xml", HAND),
            ("own.xml", &main("<include file=\"own.xml\"/>")),
            ("around.xml", &main("<include file=\"sub/around.xml\"/>")),
            ("sub/around.xml", "<m><include file=\"../around.xml\"/></m>"),
            ("empty.xml", &main("<include file=\"sub/empty.xml\"/>")),
            ("sub/empty.xml", "<m/>"),
            ("broken.xml", &main("<include file=\"sub/broken.xml\"/>")),
            ("sub/broken.xml", "<m>\n<body></m>"),
            ("nameless.xml", &main("<include/>")),
            ("after.xml", &main("<include file=\"sub/hand.xml\"/>\n<body joint=\"j\"/>")),
        ],
    );
    for (file, at, line, message) in [
        ("main.xml", "sub/bad.xml", 3, "an axis of length zero"),
        ("twice.xml", "", 4, "`sub/../sub/hand.xml` is included already"),
        ("own.xml", "", 3, "`own.xml` is included already"),
        ("around.xml", "sub/around.xml", 1, "`../around.xml` is included already"),
        ("empty.xml", "sub/empty.xml", 1, "there is nothing to include"),
        ("nameless.xml", "", 3, "`include` has no `file`"),
        ("after.xml", "", 4, "`joint` is not understood at `body`"),
    ] {
        let found = folder.read(file).unwrap_err();
        assert_eq!((found.file.as_str(), found.line, found.message.as_str()), (at, line, message), "{file}");
        assert!(!found.help.is_empty());
    }
    let broken = folder.read("broken.xml").unwrap_err();
    assert_eq!((broken.file.as_str(), broken.line), ("sub/broken.xml", 2), "{broken}");
    assert!(broken.to_string().starts_with("sub/broken.xml, line 2: the file is not valid XML"), "{broken}");
}
