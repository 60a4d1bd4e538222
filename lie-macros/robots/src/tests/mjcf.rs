//! Errors in MJCF files, and the rows of loops.

use super::{declaration, module, with};
use crate::{Language, Mistake};

fn mistake(inside: &str) -> Mistake {
    declaration(&format!("<mujoco>\n{inside}\n</mujoco>"), Language::Mjcf, &[]).unwrap_err()
}

/// A body with a mass and further elements.
fn body(inside: &str) -> String {
    format!("<worldbody>\n<body name=\"b\">\n<geom size=\"0.1\"/>\n{inside}\n</body></worldbody>")
}

/// Sources with the line of the error and its message.
fn ensure_mistakes(all: &[(String, u32, &str)]) {
    for (source, line, message) in all {
        let found = mistake(source);
        assert_eq!((found.line, found.message.as_str()), (*line, *message), "{source}");
        assert!(!found.help.is_empty());
    }
}

#[test]
fn errors_in_bodies_and_joints_contain_the_line() {
    let hinge = |rest: &str| body(&format!("<joint {rest}/>"));
    ensure_mistakes(&[
        (hinge("type=\"screw\""), 5, "a joint of the type `screw` is not understood"),
        (hinge("axis=\"0 0 0\""), 5, "an axis of length zero"),
        (hinge("axis=\"0 0\""), 5, "`axis=\"0 0\"` is not 3 numbers"),
        (hinge("dampign=\"1\""), 5, "`dampign` is not understood at `joint`"),
        (hinge("damping=\"-1\""), 5, "`damping` of -1"),
        (hinge("frictionloss=\"0.1\""), 5, "dry friction of 0.1 at `b_joint` needs a law"),
        (hinge("damping=\"1 2 0.5\""), 5, "`damping` with several coefficients, a polynomial, is not supported"),
        (hinge("stiffness=\"x\""), 5, "`stiffness=\"x\"` is not a list of numbers"),
        (hinge("actuatorfrcrange=\"1 1\""), 5, "limits from 1 to 1"),
        (body("<freejoint/>\n<!-- --><geom size=\"0\"/>"), 6, "a sphere needs 1 positive numbers as its `size`"),
        (hinge("range=\"1 -1\""), 5, "limits from 1 to -1"),
        (hinge("limited=\"yes\""), 5, "`limited=\"yes\"` is not understood"),
        (hinge("class=\"none\""), 5, "unknown class `none`"),
        (format!("<compiler autolimits=\"false\"/>\n{}", hinge("range=\"0 1\"")), 6, "`range` without `limited`"),
        (format!("<default>\n<joint armature=\"-1\"/></default>\n{}", hinge("")), 3, "`armature` of -1"),
        (body("<freejoint/>\n<joint/>"), 3, "`b` has a free joint among others"),
        (body("<joint/>\n<body><freejoint/></body>"), 6, "`body_2` has a free joint among others"),
        (body("<joint/>\n<body><joint/></body>"), 6, "no link that `body_2_joint` moves has a mass"),
        (body("<joint/>\n<body name=\"B\"/>"), 6, "there are two links `b`"),
        (body("<joint/>\n<body name=\"b_rate\"/>"), 6, "`b_rate` is the name of a generated function of another part"),
        (body("<joint/>\n<body quat=\"1 0 0 0\" euler=\"0 0 0\"/>"), 6, "`body` has 2 orientations"),
        (body("<joint/>\n<body quat=\"0 0 0 0\"/>"), 6, "`quat=\"0 0 0 0\"` gives no direction"),
        (body("<joint/>\n<attach/>"), 6, "`attach` is not understood in `body`"),
        (body("<joint/>\n<frame>\n<inertial/></frame>"), 7, "`inertial` is not understood in `frame`"),
        (body("<joint/>\n<frame pos=\"0 1\"/>"), 6, "`pos=\"0 1\"` is not 3 numbers"),
        (body("<joint/>\n<frame childclass=\"c\"/>"), 6, "unknown class `c`"),
        (body("<joint/>\n<site name=\"s\" size=\"1\" colour=\"red\"/>"), 6, "`colour` is not understood at `site`"),
        (body("<joint/>\n<site name=\"s\"/>\n<site name=\"s\"/>"), 7, "there are two sites `s`"),
        (body("<joint/>\n<replicate/>"), 6, "`replicate` has no `count`"),
        (body("<joint/>\n<replicate count=\"0\"/>"), 6, "`count=\"0\"` is not a number of copies"),
        (body("<joint/>\n<replicate count=\"2\" euler=\"1 0 1\"/>"), 6, "copies that are rotated about several axes"),
        (body("<joint/>\n<replicate count=\"2\" sep=\"&amp;\"/>"), 6, "`sep=\"&\"` has letters that names have not"),
        (
            body("<joint/>\n<replicate count=\"2\">\n<body>\n<joint axis=\"0 0 0\"/></body></replicate>"),
            8,
            "an axis of length zero",
        ),
        (body(""), 1, "a robot without movable joints"),
    ]);
}

#[test]
fn errors_in_inertias_contain_the_line() {
    let inertial = |rest: &str| body(&format!("<joint/>\n<inertial pos=\"0 0 0\" {rest}/>"));
    let geom = |rest: &str| body(&format!("<joint/>\n<geom {rest}/>"));
    ensure_mistakes(&[
        (inertial("mass=\"-1\""), 6, "a mass of -1"),
        (inertial("mass=\"0\" diaginertia=\"1 1 1\""), 6, "`b` has moments of inertia and no mass"),
        (
            inertial("mass=\"1\" diaginertia=\"1 1 3\""),
            6,
            "the principal moments of inertia of `b` are 1.000e0, 1.000e0 and 3.000e0: none may be greater than the sum of the others",
        ),
        (inertial("mass=\"1\" fullinertia=\"1 1 1 0 0 0\" quat=\"1 0 0 0\""), 6, "`fullinertia` and `quat`"),
        (geom("type=\"mesh\" mesh=\"m\""), 6, "unknown mesh `m`"),
        (geom("type=\"mesh\""), 6, "`geom` has no `mesh`"),
        (geom("type=\"box\" mesh=\"m\""), 6, "the inertia of a box that is fitted to the mesh `m` is not computed"),
        (geom("type=\"sdf\""), 6, "the inertia of a `sdf` is not computed"),
        (
            format!("{}\n<asset>\n<mesh name=\"m\" file=\"none.stl\"/></asset>", geom("type=\"mesh\" mesh=\"m\"")),
            9,
            "the inertia of a geom needs `none.stl`, which cannot be read: No such file or directory (os error 2)",
        ),
        (
            format!("{}\n<asset>\n<mesh file=\"m.stl\" inertia=\"convex\"/></asset>", geom("type=\"mesh\" mesh=\"m\"")),
            9,
            "the inertia of a mesh with inertia=\"convex\" is not computed",
        ),
        (
            format!("{}\n<asset>\n<mesh name=\"m\" vertex=\"0 0 0\"/></asset>", geom("type=\"mesh\" mesh=\"m\"")),
            9,
            "the inertia of a mesh without a `file` is not computed",
        ),
        (geom("type=\"box\" size=\"1 1\""), 6, "a box needs 3 positive numbers as its `size`"),
        (geom("size=\"1\" mass=\"-2\""), 6, "a mass of -2"),
        (geom("size=\"1\" shellinertia=\"true\""), 6, "the inertia of a shell is not computed"),
        (geom("type=\"capsule\" size=\"1\" fromto=\"0 0 1 0 0 1\""), 6, "`fromto` ends where it begins"),
    ]);
}

#[test]
fn errors_in_sections_contain_the_line() {
    let hinge = |rest: &str| body(&format!("<joint {rest}/>"));
    let twice = "<default>\n<default class=\"a\"/>\n<default class=\"a\"/></default>".to_owned();
    ensure_mistakes(&[
        (
            format!("{}\n<actuator>\n<position joint=\"j\" kp=\"1\"/></actuator>", hinge("name=\"j\"")),
            8,
            "the actuator `position` acts while its control is zero",
        ),
        (
            format!("{}\n<actuator>\n<motor joint=\"j\" armature=\"1\"/></actuator>", hinge("name=\"j\"")),
            8,
            "the actuator `motor` acts while its control is zero",
        ),
        (
            format!(
                "<default><position kp=\"1\"/></default>{}\n<actuator>\n<general joint=\"j\"/></actuator>",
                hinge("name=\"j\"")
            ),
            8,
            "the actuator `general` acts while its control is zero",
        ),
        (
            format!("{}\n<tendon>\n<fixed name=\"t\" stiffness=\"1\"/></tendon>", hinge("")),
            8,
            "the forces of the tendon `t` are not computed",
        ),
        (
            format!("{}\n<keyframe>\n<key name=\"k\" qpos=\"1 2\"/></keyframe>", hinge("")),
            8,
            "`qpos` of keyframe `k` has 2 numbers",
        ),
        (
            format!("{}\n<worldbody>\n<geom colour=\"red\"/></worldbody>", hinge("")),
            8,
            "`colour` is not understood at `geom`",
        ),
        (
            format!("{}\n<include file=\"a.xml\"/>", hinge("")),
            7,
            "`a.xml` cannot be read: No such file or directory (os error 2)",
        ),
        (
            "<option viscosity=\"1\"/>".to_owned(),
            2,
            "the forces of the surrounding medium (`viscosity`) are not computed",
        ),
        ("<compiler angle=\"grad\"/>".to_owned(), 2, "`angle=\"grad\"` is not a unit"),
        ("<compiler eulerseq=\"xyw\"/>".to_owned(), 2, "`eulerseq=\"xyw\"` is not an order of axes"),
        ("<compiler coordinate=\"global\"/>".to_owned(), 2, "`coordinate=\"global\"` is not supported"),
        (twice, 4, "there are two classes `a`"),
    ]);
}

#[test]
fn errors_in_equalities_contain_the_line() {
    let hinge = |rest: &str| body(&format!("<joint {rest}/>"));
    let closed = |inside: &str| format!("{}\n<equality>\n{inside}</equality>", hinge("name=\"j\""));
    ensure_mistakes(&[
        (closed("<connect body1=\"c\" anchor=\"0 0 0\"/>"), 8, "unknown body `c`"),
        (closed("<connect body1=\"b\" body2=\"b\" anchor=\"0 0 0\"/>"), 8, "a body is joined with itself"),
        (closed("<connect site1=\"b\" site2=\"b\"/>"), 8, "unknown site `b`"),
        (closed("<connect site1=\"b\"/>"), 8, "unknown site `b`"),
        (closed("<connect site1=\"b\" body1=\"b\"/>"), 8, "sites and `body1`"),
        (closed("<connect body1=\"b\"/>"), 8, "`connect` has no `anchor`"),
        (closed("<connect body1=\"b\" anchor=\"0 0 1\"/>"), 8, "no joint moves `b` relative to `world`"),
        (
            closed("<weld body1=\"b\" relpose=\"0 0 1 1 0 0 0\"/>"),
            8,
            "`b` and `world` cannot meet: no joint closes a gap of 1e0",
        ),
        (closed("<joint joint1=\"j\" joint2=\"k\"/>"), 8, "unknown joint `k`"),
        (closed("<joint joint1=\"j\" joint2=\"j\"/>"), 5, "`j` follows joints that follow it"),
        (closed("<joint joint1=\"j\" polycoef=\"1 2 3 4 5 6\"/>"), 8, "`polycoef` with 6 numbers"),
        (closed("<joint joint2=\"j\"/>"), 8, "`joint` has no `joint1`"),
        (closed("<flex flex=\"f\"/>"), 8, "`flex` is not understood in `equality`"),
    ]);
}

#[test]
fn files_of_another_format_are_rejected() {
    let text = format!("<mujoco>\n{}\n</mujoco>", body("<joint/>"));
    let other = declaration(&text, Language::Urdf, &[]).unwrap_err();
    assert_eq!(
        other.to_string(),
        "line 1: `mujoco` is not the root element of URDF files, which is <robot>; write `mjcf = \"…\"`"
    );
    let other = declaration("<robot/>", Language::Mjcf, &[]).unwrap_err();
    assert_eq!(
        other.to_string(),
        "line 1: `robot` is not the root element of MJCF files, which is <mujoco>; write `urdf = \"…\"`"
    );
    let none = module("sdf", "\n<sdf/>").unwrap_err();
    assert_eq!(
        none.to_string(),
        "line 2: `sdf` is not the root element of a robot file; the root element of a URDF is <robot name=\"…\">, the root element of an MJCF is <mujoco>"
    );
    for text in
        ["", "arm", "<mujoco>", "<mujoco/>", "<mujoco><worldbody/></mujoco>", "<!DOCTYPE a [<!ENTITY b 'c'>]><a/>"]
    {
        assert!(module("arm", text).is_err(), "{text}");
    }
}

/// The help of an error names an option. The file loads with this option, and the list of ignored parts contains it.
#[test]
fn helps_name_the_option() {
    let sections = |rest: &str| format!("<mujoco>\n{}\n{rest}</mujoco>", body("<joint name=\"j\"/>"));
    let joint = |rest: &str| format!("<mujoco>\n{}\n</mujoco>", body(&format!("<joint name=\"j\" {rest}/>")));
    let free = format!("<mujoco>\n{}\n</mujoco>", body("<joint name=\"j\" type=\"free\" stiffness=\"2\"/>"));
    for (text, name, value, ignored) in [
        (joint("frictionloss=\"0.1\""), "friction", "ignore", "dry friction of `j` (`friction = ignore`)"),
        (
            sections("<actuator><position joint=\"j\" kp=\"1\"/></actuator>"),
            "actuators",
            "ignore",
            "`actuator`: 1 (`actuators = ignore`)",
        ),
        (
            sections(
                "<option><flag actuation=\"disable\"/></option><actuator><position joint=\"j\"/></actuator><colour/>",
            ),
            "skip",
            "[colour]",
            "`actuator`: 1 (disabled by a `flag`)",
        ),
        (
            sections("<tendon><fixed name=\"t\" damping=\"1\"><joint joint=\"j\" coef=\"1\"/></fixed></tendon>"),
            "skip",
            "[tendon]",
            "`tendon`",
        ),
        (
            sections("<option density=\"1.2\"/>"),
            "skip",
            "[density]",
            "`density` 1.2 of the medium (`skip = [density]`)",
        ),
        (
            sections("<option viscosity=\"2e-5\"/>"),
            "skip",
            "[viscosity]",
            "`viscosity` 0.00002 of the medium (`skip = [viscosity]`)",
        ),
        (sections("<extension><plugin plugin=\"p\"/></extension>"), "skip", "[plugin]", "`plugin` (`skip = [plugin]`)"),
        (
            joint("damping=\"1 0 2\""),
            "skip",
            "[damping]",
            "`damping` of a joint with several coefficients (`skip = [damping]`)",
        ),
        (free, "skip", "[stiffness]", "`stiffness` of free joint `j` (`skip = [stiffness]`)"),
        (joint("colour=\"red\""), "skip", "[colour]", "`colour` of `joint`"),
        (sections("<colour/>"), "skip", "[colour]", "`colour`"),
    ] {
        let help = declaration(&text, Language::Mjcf, &[]).unwrap_err().help;
        assert!(help.contains(&format!("`{name} = {value}`")), "{help}");
        let found = with(&text, Language::Mjcf, &[(name, value)]).unwrap_or_else(|mistake| panic!("{mistake}"));
        assert!(found.ignored.iter().any(|part| part == ignored), "{ignored}: {:#?}", found.ignored);
    }
}

/// The declaration of a body with a hinge, a ball joint and a site, and actuators with `actuators = inputs` and a further option.
fn actuated(actuators: &str, (name, value): (&str, &str)) -> Result<crate::Declaration, Mistake> {
    let parts = "<joint name=\"j\" range=\"0 1\"/><site name=\"s\" pos=\"1 0 0\"/><body name=\"c\"><joint name=\"k\" type=\"ball\"/><geom size=\"1\"/></body>";
    let text = format!(
        "<mujoco><compiler angle=\"radian\"/>{}<tendon><spatial name=\"t\"/></tendon>\n<actuator>\n{actuators}\n</actuator></mujoco>",
        body(parts)
    );
    with(&text, Language::Mjcf, &[("actuators", "inputs"), (name, value)])
}

#[test]
fn errors_in_actuators_contain_the_line() {
    let supported = "which is not supported";
    for (actuator, message) in [
        ("<muscle joint=\"j\"/>", &format!("the actuator has gain of the type `muscle`, {supported}")[..]),
        (
            "<general name=\"a\" joint=\"j\" dyntype=\"muscle\"/>",
            &format!("the actuator `a` has dynamics of the type `muscle`, {supported}"),
        ),
        ("<general joint=\"j\" biastype=\"user\"/>", &format!("the actuator has bias of the type `user`, {supported}")),
        ("<motor joint=\"k\"/>", &format!("the actuator acts on the ball or free joint `k`, {supported}")),
        ("<motor joint=\"i\"/>", "unknown joint `i`"),
        ("<motor tendon=\"i\"/>", "unknown tendon `i`"),
        ("<motor tendon=\"t\"/>", &format!("the actuator acts on the spatial tendon `t`, {supported}")),
        ("<motor site=\"i\"/>", "unknown site `i`"),
        ("<velocity site=\"s\"/>", &format!("the actuator depends on the velocity of a site, {supported}")),
        (
            "<adhesion body=\"b\" ctrlrange=\"0 1\"/>",
            &format!("the actuator acts on a body, a slider-crank or a pair of sites, {supported}"),
        ),
        ("<motor joint=\"j\" armature=\"1\"/>", "`armature` or `damping` of an actuator is not supported"),
        ("<motor joint=\"j\" delay=\"0.1\"/>", "the dead time of an actuator (`delay`) is not supported"),
        ("<motor joint=\"j\" geer=\"1\"/>", "`geer` is not understood at `motor`"),
        ("<cylinder joint=\"j\" timeconst=\"0\"/>", "the time constant 0 of a filter"),
        ("<intvelocity joint=\"j\" actrange=\"-1 1\"/>", "limits of an activation (`actrange`) are not supported"),
        ("<position joint=\"j\" ctrlrange=\"1 0\"/>", "limits from 1 to 0"),
    ] {
        let found = actuated(actuator, ("skip", "[]")).unwrap_err();
        assert_eq!((found.line, found.message.as_str()), (7, message), "{actuator}");
    }
    // The options in the helps.
    for (actuator, option) in [
        ("<intvelocity joint=\"j\" actrange=\"-1 1\"/>", ("skip", "[actrange]")),
        ("<motor joint=\"j\" delay=\"0.1\"/>", ("skip", "[delay]")),
        ("<muscle joint=\"j\"/>", ("actuators", "ignore")),
    ] {
        assert!(actuated(actuator, option).is_ok(), "{actuator}");
    }
    let twice =
        actuated("<motor name=\"a-b\" joint=\"j\"/>\n<motor name=\"a_b\" joint=\"j\"/>", ("skip", "[]")).unwrap_err();
    assert_eq!((twice.line, &twice.message[..]), (8, "there are two actuators `a_b`"));
}

#[test]
fn actuators_are_inputs_states_and_forces() {
    let actuators = "<position name=\"servo\" joint=\"j\" kp=\"20\" kv=\"3\" timeconst=\"0.1\" inheritrange=\"1\" forcerange=\"-5 5\"/>
        <motor joint=\"j\" gear=\"-2\"/><general joint=\"j\" dyntype=\"integrator\" gaintype=\"affine\" gainprm=\"1 0 -0.5\"/>
        <motor name=\"jet\" site=\"s\" gear=\"0 0 4\"/>";
    let items = actuated(actuators, ("skip", "[]")).unwrap_or_else(|mistake| panic!("{mistake}")).items;
    expect_test::expect![[r"
        /// The controls of the actuators.
        #[inputs]
        pub struct Controls {
            /// The control of the actuator `servo`, from 0.0 to 1.0.
            pub servo: f64,
            /// The control of the actuator `j`.
            pub j: f64,
            /// The control of the actuator `j_2`.
            pub j_2: f64,
            /// The control of the actuator `jet`.
            pub jet: f64,
        }

        /// The activations of the actuators.
        #[states]
        pub struct Activations {
            /// The activation of the actuator `servo`.
            pub servo: f64,
            /// The activation of the actuator `j_2`.
            pub j_2: f64,
        }

        #[rate]
        fn activation_rates(u: &Controls, z: &Activations) -> Activations {
            Activations { servo: (u.servo.clamp(0.0, 1.0) - z.servo) / 0.1, j_2: u.j_2 }
        }

        /// The force of the actuator `servo`.
        pub fn force_of_servo(q: &Joints, v: &Velocity, z: &Activations) -> f64 {
            let length = q.j;
            let rate = v.j;
            (20.0 * z.servo - 20.0 * length - 3.0 * rate).clamp(-5.0, 5.0)
        }

        /// The force of the actuator `j`.
        pub fn force_of_j(u: &Controls) -> f64 {
            u.j
        }

        /// The force of the actuator `j_2`.
        pub fn force_of_j_2(v: &Velocity, z: &Activations) -> f64 {
            let rate = v.j;
            (1.0 - 0.5 * rate) * z.j_2
        }

        /// The force of the actuator `jet`.
        pub fn force_of_jet(u: &Controls) -> f64 {
            u.jet
        }

        /// The forces of actuators on `j`.
        #[force(on = j)]
        fn actuation_of_j(q: &Joints, v: &Velocity, u: &Controls, z: &Activations) -> f64 {
            force_of_servo(q, v, z) - 2.0 * force_of_j(u) + force_of_j_2(v, z)
        }

        /// The moment and the force of the actuator `jet` on `b`.
        #[force(at = b)]
        fn wrench_of_jet(u: &Controls) -> Vector6<f64> {
            Vector6::new(0.0, -4.0, 0.0, 0.0, 0.0, 4.0) * force_of_jet(u)
        }
    "]]
    .assert_eq(&items[items.find("/// The controls").unwrap()..]);
}

#[test]
fn free_joints_start_at_the_pose_of_the_file() {
    let text = format!("<mujoco>{}</mujoco>", body("<joint/>"));
    for word in ["fixed", "floating"] {
        let mistake = with(&text, Language::Mjcf, &[("base", word)]).unwrap_err();
        assert_eq!(mistake.message, format!("`base = {word}` is an option of a URDF"));
    }
}

/// Every part without a counterpart in the declaration is in the list.
#[test]
fn ignored_parts_are_listed() {
    let text = "<mujoco model=\"m\">
      <compiler fitaabb=\"true\" usethread=\"false\" balanceinertia=\"true\"/>
      <option timestep=\"0.01\"><flag contact=\"disable\"/></option><size memory=\"1M\"/><statistic extent=\"1\"/><visual/>
      <asset><texture name=\"t\" builtin=\"flat\" width=\"8\" height=\"8\"/></asset>
      <default><geom solref=\"0.01 1\"/><motor ctrlrange=\"-1 1\"/><camera fovy=\"30\"/></default>
      <worldbody><light/><geom type=\"plane\" size=\"1 1 1\" condim=\"3\"/>
        <body name=\"target\" mocap=\"true\"><geom size=\"0.1\" contype=\"0\" conaffinity=\"0\"/></body>
        <body name=\"b\" sleep=\"never\"><camera/><joint name=\"j\" solreflimit=\"0.1 1\" margin=\"0.1\" group=\"2\" actuatorfrcrange=\"-1 2\"/>
          <inertial pos=\"0 0 1\" mass=\"1\" diaginertia=\"1 1 3\"/>
          <geom name=\"g\" size=\"1\" rgba=\"1 0 0 1\" friction=\"1\"/><site name=\"s\" rgba=\"1 0 0 1\"/></body></worldbody>
      <contact><pair geom1=\"g\" geom2=\"h\"/><exclude body1=\"b\" body2=\"world\"/></contact>
      <equality><weld name=\"w\" body1=\"b\" active=\"false\" solref=\"0.01 1\"/></equality>
      <tendon><fixed name=\"t\" range=\"0 1\"/></tendon><actuator><motor joint=\"j\"/></actuator>
      <sensor/><custom/><keyframe><key name=\"up\" qpos=\"1\" qvel=\"2\"/></keyframe></mujoco>";
    let found = with(text, Language::Mjcf, &[]).unwrap_or_else(|mistake| panic!("{mistake}"));
    expect_test::expect![[r#"
        [
            "`actuator`: 1 with zero force at zero control",
            "`actuatorfrcrange` from -1 to 2 of joint `j`",
            "`asset` except meshes that give inertia",
            "`camera`",
            "`custom`",
            "`exclude`",
            "`light`",
            "`mocap` of body `target` (it stands where the file puts it)",
            "`sensor`",
            "`size`",
            "`statistic`",
            "`tendon`: 1 without forces of their own",
            "`visual`",
            "`weld` `w` (not active)",
            "contacts between geoms (2 can collide)",
            "settings of the solver in `option`",
            "the contact of geoms `g` and `h`",
            "the inertia of body `b` as written (`balanceinertia`)",
            "the inertia of geoms that stand still",
            "`sleep` of `body`",
            "`fitaabb`, `usethread` of `compiler`",
            "`condim`, `friction`, `rgba`, `solref` of `geom`",
            "`group`, `margin`, `solreflimit` of `joint`",
            "`qvel` of `key`",
            "`rgba` of `site`",
            "`solref` of `weld`",
        ]
    "#]]
    .assert_debug_eq(&found.ignored);
    for part in &found.ignored {
        assert!(found.items.contains(part), "{part}");
    }
    assert!(found.items.contains("pub fn keyframe_up() -> Joints {\n    Joints { j: 1.0 }\n}"), "{}", found.items);
}

/// A joint that an equality holds, and joints that follow one or several others by linear or nonlinear polynomials.
#[test]
fn equalities_of_joints_are_rows_or_remove_coordinates() {
    let joints =
        "<body name=\"c\"><joint name=\"hb\" ref=\"0.1\"/><joint name=\"k\" type=\"slide\"/><geom size=\"1\"/></body>";
    let equality = |inside: &str| {
        let text = format!(
            "<mujoco><compiler angle=\"radian\"/>{}<equality>{inside}</equality></mujoco>",
            body(&format!("<joint name=\"j\" ref=\"2\"/>{joints}"))
        );
        declaration(&text, Language::Mjcf, &[]).unwrap_or_else(|mistake| panic!("{mistake}"))
    };
    let constraint = |found: &str| found[found.find("#[constraint]").expect("a constraint")..].to_owned();
    let held = equality("<joint name=\"lock\" joint1=\"hb\" polycoef=\"0.4 1 0 0 0\"/>");
    assert_eq!(constraint(&held), "#[constraint]\nfn lock(q: &Joints) -> f64 {\n    (q.hb - 0.5)\n}\n");
    assert!(held.contains("fn reference() -> Joints {\n    Joints { j: 2.0, hb: 0.5, k: 0.0 }"), "{held}");
    let polynomial = equality("<joint joint1=\"k\" joint2=\"j\" polycoef=\"0.5 0 3\"/>");
    assert_eq!(
        constraint(&polynomial),
        "#[constraint]\nfn tied_1(q: &Joints) -> f64 {\n    let x = (q.j - 2.0);\n    q.k - (0.5 + x * (0.0 + x * 3.0))\n}\n"
    );
    // A linear relation removes a coordinate; a second relation of the same joint becomes a constraint row.
    let linear = equality("<joint joint1=\"k\" joint2=\"j\" polycoef=\"0.5 3\"/>");
    assert!(!linear.contains("#[constraint]") && !linear.contains("pub k: f64"), "{linear}");
    let twice = equality("<joint joint1=\"k\" joint2=\"j\"/><joint joint1=\"k\" joint2=\"hb\" polycoef=\"0 2\"/>");
    assert!(constraint(&twice).contains("let x = (q.hb - 0.1);\n    (1.0 * q.j + -2.0) - (0.0 + x * 2.0)"), "{twice}");
}

/// The constraint of a four-bar loop of two cranks and a coupler on a fixed or free base.
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
fn loops_have_independent_rows() {
    let connect = "<connect body1=\"coupler\" body2=\"rocker\" anchor=\"2 0 0\"/>";
    let plane = four_bar("", ["0 0 1"; 3], connect);
    assert!(plane.contains("fn closed_1(q: &Joints) -> Vector2<f64>"), "{plane}");
    assert!(plane.contains("    Vector2::new(gap[0], gap[1])\n"), "{plane}");
    // Rows in the frame of a moving base.
    let carried = four_bar("<freejoint/>", ["1 0 0"; 3], connect);
    assert!(carried.contains("let gap = base(q).rotation.inverse() * (coupler(q) * "), "{carried}");
    assert!(carried.contains("    Vector2::new(gap[1], gap[2])\n"), "{carried}");
    // A plane that is not a coordinate plane.
    let tilted = four_bar("", ["0 1 1"; 3], connect);
    assert!(tilted.contains("    Vector2::new(gap[0], gap.dot(&Vector3::new("), "{tilted}");
    // In space, and welded: six rows, or three rows in a plane.
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
