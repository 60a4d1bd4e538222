//! Tests of the readers: errors, generated items and names.

mod assembled;
mod evaluated;
mod mjcf;
mod mujoco;
mod urdf;

use std::path::Path;

use super::{Declaration, Language, Mistake, Options};

/// Returns the items of a text without included files.
fn declaration(text: &str, language: Language, skip: &[String]) -> Result<String, Mistake> {
    let options = Options { skip: skip.to_vec(), ..Options::default() };
    super::declaration(text, Path::new(""), language, &options).map(|declared| declared.items)
}

/// The declaration of a text with options, such as `friction = ignore`.
fn with(text: &str, language: Language, given: &[(&str, &str)]) -> Result<Declaration, Mistake> {
    let mut options = Options::default();
    for (name, value) in given {
        options.set(name, value)?;
    }
    super::declaration(text, Path::new(""), language, &options)
}

fn module(name: &str, text: &str) -> Result<String, Mistake> {
    super::module(name, text, Path::new(""), &Options::default())
}

fn line_and_message(links_and_joints: &str) -> (u32, String) {
    let Mistake { line, message, .. } =
        declaration(&format!("<robot name=\"r\">\n{links_and_joints}\n</robot>"), Language::Urdf, &[]).unwrap_err();
    (line, message)
}

#[test]
fn errors_contain_the_line() {
    let two = "<link name=\"a\"/>\n<link name=\"b\"/>\n";
    let joint = |kind: &str, rest: &str| {
        format!("{two}<joint name=\"j\" type=\"{kind}\">\n<parent link=\"a\"/><child link=\"b\"/>\n{rest}\n</joint>")
    };
    let body = |inertia: &str| {
        let moved = format!("<link name=\"b\"><inertial><mass value=\"1\"/>\n{inertia}</inertial></link>");
        joint("revolute", "").replace("<link name=\"b\"/>", &moved)
    };
    for (source, line, message) in [
        (joint("screw", ""), 4, "a joint of the type `screw` is not understood"),
        (joint("revolute", "<axis xyz=\"0 0 0\"/>"), 6, "an axis of length zero"),
        (joint("revolute", "<axis xyz=\"0 0\"/>"), 6, "`xyz=\"0 0\"` is not 3 numbers"),
        (joint("revolute", "<axis xyz=\"0 0 inf\"/>"), 6, "`xyz=\"0 0 inf\"` is not 3 numbers"),
        (joint("revolute", "<dynamics friction=\"0.1\"/>"), 4, "dry friction of 0.1 at `j` needs a law"),
        (joint("revolute", "<spring/>"), 6, "`spring` in `joint` changes the motion and is not read"),
        (
            joint("revolute", "<dynamics armature=\"1\"/>"),
            6,
            "`armature` in `dynamics` changes the motion and is not read",
        ),
        (joint("revolute", "<mimic joint=\"k\"/>"), 4, "unknown joint `k` in `mimic`"),
        (joint("revolute", "<mimic joint=\"j\"/>"), 4, "`j` follows joints that follow it"),
        (joint("revolute", "<axis xzy=\"0 0 1\"/>"), 6, "`xzy` is not understood in `axis`"),
        (joint("prismatic", "<dynamics damping=\"-1\"/>"), 6, "a damping of -1"),
        (joint("floating", "<dynamics damping=\"1\"/>"), 6, "damping of a joint with several coordinates"),
        (joint("revolute", ""), 4, "no link that `j` moves has a mass"),
        (
            format!("{two}<link name=\"a_rate\"/>\n{}", joint("fixed", "").replace(two, "")),
            4,
            "`a` and `a_rate` are both roots: no joint has them as a child",
        ),
        ("<xacro:macro xmlns:xacro=\"x\" name=\"leg\"/>".to_owned(), 2, "`xacro:macro` is a macro"),
        ("<gz:link xmlns:gz=\"x\"/>".to_owned(), 2, "`gz:link` in `robot` changes the motion and is not read"),
        (joint("fixed", ""), 1, "a robot without movable joints"),
        (String::new(), 1, "a robot without links"),
        (two.to_owned(), 3, "`a` and `b` are both roots: no joint has them as a child"),
        ("<link name=\"a-b\"/>\n<link name=\"a_b\"/>".to_owned(), 3, "there are two links `a_b`"),
        ("<link name=\"a\">\n<inertial><mass value=\"-1\"/></inertial></link>".to_owned(), 3, "a mass of -1"),
        (
            body("<inertia ixx=\"1\" iyy=\"1\" izz=\"-1\"/>"),
            4,
            "the principal moments of inertia of `b` are -1.000e0, 1.000e0 and 1.000e0: none may be negative",
        ),
        (
            body("<inertia ixx=\"1\" iyy=\"1\" izz=\"2.01\"/>"),
            4,
            "the principal moments of inertia of `b` are 1.000e0, 1.000e0 and 2.010e0: none may be greater than the sum of the others",
        ),
        (
            body("<inertia ixx=\"1\" iyy=\"1\" izz=\"1\" ixy=\"2\"/>"),
            4,
            "the principal moments of inertia of `b` are -1.000e0, 1.000e0 and 3.000e0: none may be negative",
        ),
    ] {
        assert_eq!(line_and_message(&source), (line, message.to_owned()), "{source}");
    }
    assert_eq!(declaration("<robot>\n<link>\n</robot>", Language::Urdf, &[]).unwrap_err().line, 3);
    assert_eq!(
        declaration("<model/>", Language::Urdf, &[]).unwrap_err().message,
        "`model` is not the root element of a robot file"
    );
}

#[test]
fn the_declaration_of_a_pendulum_is_readable() {
    let found = declaration(
        r#"<robot name="pendulum">
  <link name="ground"/>
  <link name="Rod-1">
    <inertial><origin xyz="0 0 -0.5"/><mass value="2"/><inertia ixx="0.1" iyy="0.1" izz="0.01"/></inertial>
    <visual><geometry><sphere radius="1"/></geometry></visual>
  </link>
  <joint name="swing" type="revolute">
    <parent link="ground"/><child link="Rod-1"/><origin xyz="0 0 3"/><axis xyz="0 2 0"/>
    <limit lower="-1" upper="2"/><dynamics damping="0.3"/>
  </joint>
</robot>"#,
        Language::Urdf,
        &[],
    )
    .unwrap();
    expect_test::expect![[r#"
        /// The joints of `pendulum`.
        ///
        /// Ignored parts of the file: `visual` of `link`.
        #[configuration]
        pub struct Joints {
            /// `swing` [rad].
            pub swing: f64,
        }

        /// The lower and the upper limit of the value of `swing`.
        pub const SWING_LIMITS: [f64; 2] = [-1.0, 2.0];

        /// The configuration with all coordinates zero.
        pub fn zero() -> Joints {
            Joints { swing: 0.0 }
        }

        /// The reference configuration of the file.
        pub fn reference() -> Joints {
            Joints { swing: 0.0 }
        }

        /// The reference configuration with the given values of hinges and slides, identified by joint name.
        ///
        /// # Errors
        /// [`UnknownJoint`]: no hinge or slide with a coordinate of its own has this name.
        pub fn from_joints(values: &[(&str, f64)]) -> Result<Joints, UnknownJoint> {
            let mut q = reference();
            for &(name, value) in values {
                match name {
                    "swing" => q.swing = value,
                    _ => return Err(UnknownJoint::new(name, &["swing"])),
                }
            }
            Ok(q)
        }

        /// The fixed frame of `ground`.
        pub fn ground() -> SE3 {
            SE3::identity()
        }

        /// The frame of `rod_1`.
        #[quantity]
        pub fn rod_1(q: &Joints) -> SE3 {
            ground() * SE3::new(SO3::identity(), Vector3::new(0.0, 0.0, 3.0)) * SE3::new(SO3::exp(&(Vector3::new(0.0, 1.0, 0.0) * q.swing)), Vector3::zeros())
        }

        #[kinetic_energy]
        fn kinetic_energy_of_rod_1(q: &Joints, v: &Velocity) -> f64 {
            let twist = rod_1_rate(q, v);
            let turn = twist.angular();
            let center = twist.linear() + turn.cross(&Vector3::new(0.0, 0.0, -0.5));
            0.5 * 2.0 * center.norm_squared() + 0.5 * turn.dot(&(Matrix3::new(0.1, 0.0, 0.0, 0.0, 0.1, 0.0, 0.0, 0.0, 0.01) * turn))
        }

        #[potential]
        fn weight_of_rod_1(q: &Joints) -> f64 {
            9.81 * 2.0 * (rod_1(q) * Vector3::new(0.0, 0.0, -0.5)).z
        }

        #[dissipation]
        fn damping_of_swing(v: &Velocity) -> f64 {
            0.5 * 0.3 * v.swing * v.swing
        }
    "#]]
    .assert_eq(&found);
}

#[test]
fn a_file_is_converted_to_a_module() {
    let text = "<robot name=\"r\">\n<link name=\"a\"/>\n<link name=\"b\"><inertial><mass value=\"1\"/></inertial></link>\n\
                <joint name=\"j\" type=\"prismatic\"><parent link=\"a\"/><child link=\"b\"/></joint>\n</robot>";
    let items = declaration(text, Language::Urdf, &[]).unwrap();
    let found = module("My-arm", text).unwrap();
    assert!(found.starts_with("use lie_runtime::prelude::*;\n\n#[mechanical_system]\npub mod my_arm {\n"), "{found}");
    let unindented: Vec<&str> = found.lines().map(|line| line.strip_prefix("    ").unwrap_or(line)).collect();
    assert!(unindented.join("\n").contains(items.trim_end()), "{found}");
    // Reserved words, and names that begin with a digit.
    for (name, printed) in [("2r", "pub mod robot_2r {"), ("mod", "pub mod robot_mod {"), ("", "pub mod robot_ {")] {
        assert!(module(name, text).unwrap().contains(printed), "{name}");
    }
    let mistake = module("arm", "<robot>\n<link>\n</robot>").unwrap_err();
    assert!(mistake.to_string().starts_with("line 3: "), "{mistake}");
}

#[test]
fn names_are_converted_to_rust_identifiers() {
    for (name, written) in [
        ("FL_hip-joint", "fl_hip_joint"),
        ("2nd link", "the_2nd_link"),
        ("type", "the_type"),
        ("gen", "the_gen"),
        ("Self", "the_self"),
        ("_", "nameless"),
        ("π", "nameless"),
        ("__a..b__", "a_b"),
    ] {
        assert_eq!(super::xml::identifier(name), written);
    }
    assert_eq!(super::xml::function("q"), "the_q");
}
