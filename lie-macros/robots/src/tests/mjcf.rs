//! What MJCF files are told, and what becomes of loops.

use super::{declaration, module};
use crate::{Language, Mistake};

fn mistake(inside: &str) -> Mistake {
    declaration(&format!("<mujoco>\n{inside}\n</mujoco>"), Language::Mjcf, &[]).unwrap_err()
}

/// A body with a mass and what else is given.
fn body(inside: &str) -> String {
    format!("<worldbody>\n<body name=\"b\">\n<geom size=\"0.1\"/>\n{inside}\n</body></worldbody>")
}

#[test]
fn mistakes_have_their_line() {
    let hinge = |rest: &str| body(&format!("<joint {rest}/>"));
    let inertial = |rest: &str| body(&format!("<joint/>\n<inertial pos=\"0 0 0\" {rest}/>"));
    let geom = |rest: &str| body(&format!("<joint/>\n<geom {rest}/>"));
    let closed = |inside: &str| format!("{}\n<equality>\n{inside}</equality>", hinge("name=\"j\""));
    let twice = "<default>\n<default class=\"a\"/>\n<default class=\"a\"/></default>".to_owned();
    for (source, line, message) in [
        (hinge("type=\"screw\""), 5, "a joint of the type `screw` is not understood"),
        (hinge("axis=\"0 0 0\""), 5, "an axis of length zero"),
        (hinge("axis=\"0 0\""), 5, "`axis=\"0 0\"` is not 3 numbers"),
        (hinge("dampign=\"1\""), 5, "`dampign` is not understood at `joint`"),
        (hinge("damping=\"-1\""), 5, "`damping` of -1"),
        (hinge("damping=\"1 2\""), 5, "`damping=\"1 2\"` is not a number"),
        (hinge("frictionloss=\"0.1\""), 5, "`frictionloss` has no law here"),
        (hinge("springdamper=\"1 1\""), 5, "`springdamper` is not read"),
        (hinge("range=\"1 -1\""), 5, "limits from 1 to -1"),
        (hinge("limited=\"yes\""), 5, "`limited=\"yes\"` is not understood"),
        (hinge("class=\"none\""), 5, "there is no class `none`"),
        (format!("<compiler autolimits=\"false\"/>\n{}", hinge("range=\"0 1\"")), 6, "`range` without `limited`"),
        (format!("<default>\n<joint armature=\"-1\"/></default>\n{}", hinge("")), 3, "`armature` of -1"),
        (body("<freejoint/>\n<joint/>"), 3, "`b` has a free joint among others"),
        (body("<joint/>\n<body><freejoint/></body>"), 6, "`body_2` has a free joint among others"),
        (body("<joint/>\n<body><joint/></body>"), 6, "nothing that `body_2_joint` moves has a mass"),
        (body("<joint/>\n<body name=\"B\"/>"), 6, "there are two links `b`"),
        (body("<joint/>\n<body name=\"b_rate\"/>"), 6, "`b_rate` is a function that is declared for another one"),
        (body("<joint/>\n<body gravcomp=\"1\"/>"), 6, "`gravcomp` is not read"),
        (body("<joint/>\n<body quat=\"1 0 0 0\" euler=\"0 0 0\"/>"), 6, "`body` has 2 orientations"),
        (body("<joint/>\n<body quat=\"0 0 0 0\"/>"), 6, "`quat=\"0 0 0 0\"` gives no direction"),
        (body("<joint/>\n<attach/>"), 6, "`attach` is not understood in `body`"),
        (body("<joint/>\n<frame>\n<inertial/></frame>"), 7, "`inertial` is not understood in `frame`"),
        (body("<joint/>\n<frame pos=\"0 1\"/>"), 6, "`pos=\"0 1\"` is not 3 numbers"),
        (body("<joint/>\n<frame childclass=\"c\"/>"), 6, "there is no class `c`"),
        (body("<joint/>\n<site name=\"s\" size=\"1\" colour=\"red\"/>"), 6, "`colour` is not understood at `site`"),
        (body("<joint/>\n<site name=\"s\"/>\n<site name=\"s\"/>"), 7, "there are two sites `s`"),
        (body("<joint/>\n<replicate/>"), 6, "`replicate` has no `count`"),
        (body("<joint/>\n<replicate count=\"0\"/>"), 6, "`count=\"0\"` is no number of copies"),
        (body("<joint/>\n<replicate count=\"2\" euler=\"1 0 1\"/>"), 6, "copies that are turned about several axes"),
        (body("<joint/>\n<replicate count=\"2\" sep=\"&amp;\"/>"), 6, "`sep=\"&\"` has letters that names have not"),
        (
            body("<joint/>\n<replicate count=\"2\">\n<body>\n<joint axis=\"0 0 0\"/></body></replicate>"),
            8,
            "an axis of length zero",
        ),
        (body(""), 1, "nothing moves"),
        (inertial("mass=\"-1\""), 6, "a mass of -1"),
        (inertial("mass=\"0\" diaginertia=\"1 1 1\""), 6, "`b` has moments of inertia and no mass"),
        (
            inertial("mass=\"1\" diaginertia=\"1 1 3\""),
            6,
            "the principal moments of inertia of `b` are 1.000e0, 1.000e0 and 3.000e0: none may be greater than the sum of the others",
        ),
        (inertial("mass=\"1\" fullinertia=\"1 1 1 0 0 0\" quat=\"1 0 0 0\""), 6, "`fullinertia` and `quat`"),
        (geom("type=\"mesh\" mesh=\"m\""), 6, "the inertia of a `mesh` is not computed"),
        (geom("type=\"box\" size=\"1 1\""), 6, "a box needs 3 positive numbers as its `size`"),
        (geom("size=\"1\" mass=\"-2\""), 6, "a mass of -2"),
        (geom("size=\"1\" shellinertia=\"true\""), 6, "the inertia of a shell is not computed"),
        (geom("type=\"capsule\" size=\"1\" fromto=\"0 0 1 0 0 1\""), 6, "`fromto` ends where it begins"),
        (format!("{}\n<actuator/>", hinge("")), 7, "`actuator` is not understood in `mujoco`"),
        (format!("{}\n<tendon/>", hinge("")), 7, "`tendon` is not understood in `mujoco`"),
        (format!("{}\n<contact>\n<pair/></contact>", hinge("")), 8, "`pair` is not understood in `contact`"),
        (
            format!("{}\n<include file=\"a.xml\"/>", hinge("")),
            7,
            "`a.xml` cannot be read: No such file or directory (os error 2)",
        ),
        ("<option>\n<flag gravity=\"disable\"/></option>".to_owned(), 3, "`gravity=\"disable\"` is not understood"),
        ("<option viscosity=\"1\"/>".to_owned(), 2, "forces of a medium, `viscosity`, are not read"),
        ("<compiler angle=\"grad\"/>".to_owned(), 2, "`angle=\"grad\"` is no unit"),
        ("<compiler eulerseq=\"xyw\"/>".to_owned(), 2, "`eulerseq=\"xyw\"` is no order of axes"),
        ("<compiler settotalmass=\"3\"/>".to_owned(), 2, "`settotalmass=\"3\"` is not understood"),
        (twice, 4, "there are two classes `a`"),
        (closed("<connect body1=\"c\" anchor=\"0 0 0\"/>"), 8, "there is no body `c`"),
        (closed("<connect body1=\"b\" body2=\"b\" anchor=\"0 0 0\"/>"), 8, "a body is joined with itself"),
        (closed("<connect site1=\"b\" site2=\"b\"/>"), 8, "there is no site `b`"),
        (closed("<connect site1=\"b\"/>"), 8, "there is no site `b`"),
        (closed("<connect site1=\"b\" body1=\"b\"/>"), 8, "sites and `body1`"),
        (closed("<connect body1=\"b\"/>"), 8, "`connect` has no `anchor`"),
        (closed("<connect body1=\"b\" anchor=\"0 0 1\"/>"), 8, "no joint moves `b` against `world`"),
        (
            closed("<weld body1=\"b\" relpose=\"0 0 1 1 0 0 0\"/>"),
            8,
            "`b` and `world` cannot meet: no joint closes a gap of 1e0",
        ),
        (closed("<joint joint1=\"j\" joint2=\"k\"/>"), 8, "there is no joint `k`"),
        (closed("<joint joint1=\"j\" joint2=\"j\"/>"), 5, "`j` follows joints that follow it"),
        (
            closed("<joint joint1=\"j\" joint2=\"j\" polycoef=\"0 1 1\"/>"),
            8,
            "a joint that follows another by a polynomial that is not linear",
        ),
        (closed("<flex flex=\"f\"/>"), 8, "`flex` is not understood in `equality`"),
    ] {
        let found = mistake(&source);
        assert_eq!((found.line, found.message.as_str()), (line, message), "{source}");
        assert!(!found.help.is_empty());
    }
}

#[test]
fn files_of_the_other_language_and_of_none_are_told_apart() {
    let text = format!("<mujoco>\n{}\n</mujoco>", body("<joint/>"));
    let other = declaration(&text, Language::Urdf, &[]).unwrap_err();
    assert_eq!(other.to_string(), "line 1: `mujoco` is no URDF, which begins with <robot>; write `mjcf = \"…\"`");
    let other = declaration("<robot/>", Language::Mjcf, &[]).unwrap_err();
    assert_eq!(other.to_string(), "line 1: `robot` is no MJCF, which begins with <mujoco>; write `urdf = \"…\"`");
    let none = module("sdf", "\n<sdf/>").unwrap_err();
    assert_eq!(none.to_string(), "line 2: `sdf` is no robot; a URDF is <robot name=\"…\">, an MJCF <mujoco>");
    for text in
        ["", "arm", "<mujoco>", "<mujoco/>", "<mujoco><worldbody/></mujoco>", "<!DOCTYPE a [<!ENTITY b 'c'>]><a/>"]
    {
        assert!(module("arm", text).is_err(), "{text}");
    }
}

#[test]
fn what_is_skipped_is_told() {
    let text = format!(
        "<mujoco>\n{}\n<actuator><motor joint=\"j\"/></actuator>\n<keyframe/></mujoco>",
        body("<joint name=\"j\"/>")
    );
    let help = declaration(&text, Language::Mjcf, &[]).unwrap_err().help;
    assert!(help.contains("`skip = [actuator]`"), "{help}");
    let found = declaration(&text, Language::Mjcf, &["actuator".to_owned()]).unwrap();
    assert!(found.contains("/// Ignored parts of the file: `actuator`, `keyframe`, contacts of `geom`.\n"), "{found}");
}

/// The function of a loop that two cranks and a coupler make, on a base that stands or is free.
fn four_bar(free: &str, axes: [&str; 3], equality: &str) -> String {
    let inertial = "<inertial pos=\"0 0 0\" mass=\"1\" diaginertia=\"1 1 1\"/>";
    let [a, b, c] = axes.map(|axis| format!("{inertial}<joint axis=\"{axis}\"/>"));
    let text = format!(
        "<mujoco><worldbody><body name=\"base\">{free}{inertial}
         <body name=\"crank\">{a}<body name=\"coupler\" pos=\"0 1 0\">{b}</body></body>
         <body name=\"rocker\" pos=\"2 0 0\">{c}</body></body></worldbody><equality>{equality}</equality></mujoco>"
    );
    let found = declaration(&text, Language::Mjcf, &[]).unwrap();
    let from = found.find("#[constraint]").unwrap();
    found[from..].to_owned()
}

#[test]
fn a_loop_has_the_rows_that_its_joints_can_close() {
    let connect = "<connect body1=\"coupler\" body2=\"rocker\" anchor=\"2 0 0\"/>";
    let plane = four_bar("", ["0 0 1"; 3], connect);
    assert!(plane.contains("fn closed_1(q: &Joints) -> Vector2<f64>"), "{plane}");
    assert!(plane.contains("    Vector2::new(gap[0], gap[1])\n"), "{plane}");
    // Seen from a base that moves.
    let carried = four_bar("<freejoint/>", ["1 0 0"; 3], connect);
    assert!(carried.contains("let gap = base(q).rotation.inverse() * (coupler(q) * "), "{carried}");
    assert!(carried.contains("    Vector2::new(gap[1], gap[2])\n"), "{carried}");
    // A plane that is no coordinate plane.
    let tilted = four_bar("", ["0 1 1"; 3], connect);
    assert!(tilted.contains("    Vector2::new(gap[0], gap.dot(&Vector3::new("), "{tilted}");
    // In space, and welded: six rows, or the three of a plane.
    let space = four_bar("", ["0 0 1", "0 1 1", "1 0 1"], connect);
    assert!(
        space.contains("-> Vector3<f64> {\n    coupler(q) * Vector3::new(2.0, 0.0, 0.0) - rocker(q) * "),
        "{space}"
    );
    let weld = "<weld body1=\"coupler\" body2=\"rocker\"/>";
    let welded = four_bar("", ["0 0 1"; 3], weld);
    assert!(welded.contains("    Vector3::new(gap[2], gap[3], gap[4])\n"), "{welded}");
    let welded = four_bar("", ["0 0 1", "0 1 0", "1 0 1"], weld);
    assert!(welded.contains("-> Vector6<f64> {\n    ((coupler(q) * SE3::new("), "{welded}");
}
