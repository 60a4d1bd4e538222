//! Options of URDF files, and parts that are ignored.

use super::with;
use crate::{Declaration, Language, Mistake, Options};

/// A link of mass 1 on a fixed base. `joint` and `link` are the contents of these elements.
fn robot(joint: &str, link: &str) -> String {
    format!(
        "<robot name=\"r\">\n<link name=\"a\"/>\n<link name=\"b\">{link}</link>\n<joint name=\"J-1\" type=\"revolute\">\n\
         <parent link=\"a\"/><child link=\"b\"/>\n{joint}\n</joint>\n</robot>"
    )
}

/// A body with these moments.
fn body(mass: f64, [x, y, z]: [f64; 3]) -> String {
    format!("<inertial><mass value=\"{mass}\"/><inertia ixx=\"{x}\" iyy=\"{y}\" izz=\"{z}\"/></inertial>")
}

const SOUND: [f64; 3] = [0.01, 0.01, 0.01];

fn read(text: &str, options: &[(&str, &str)]) -> Declaration {
    with(text, Language::Urdf, options).unwrap_or_else(|mistake| panic!("{mistake}"))
}

fn refused(text: &str, options: &[(&str, &str)]) -> Mistake {
    with(text, Language::Urdf, options).unwrap_err()
}

/// The options in a help.
fn advised(help: &str) -> Vec<(&str, &str)> {
    let quoted = help.split('`').skip(1).step_by(2);
    quoted.filter_map(|code| code.split_once(" = ")).collect()
}

#[test]
fn options_have_these_values() {
    let mut options = Options::default();
    for (name, example) in Options::NAMES {
        options.set(name, example).unwrap();
    }
    for (name, value, help) in [
        ("friction", "smooth(0)", "friction = smooth(0.01)"),
        ("friction", "smooth", "friction = ignore"),
        ("friction", "smooth(inf)", "friction = ignore"),
        ("inertia", "ignore", "inertia = as_written"),
        ("base", "free", "base = floating"),
        ("actuators", "keep", "actuators = ignore"),
        ("skip", "[f(x)]", "skip = [tendon"),
        ("damping", "ignore", "`friction`, `limits`, `inertia`, `base`, `actuators`, `skip`"),
    ] {
        let mistake = options.set(name, value).unwrap_err();
        assert!(mistake.help.contains(help), "{name} = {value}: {mistake}");
    }
    // Tokens have spaces between them.
    options.set("friction", "smooth (0.5)").unwrap();
    options.set("skip", "[\"drake:joint\" , spring]").unwrap();
    assert_eq!(options.friction, Some(crate::Friction::Smooth(0.5)));
    assert_eq!(options.skip, ["tendon", "contact", "drake:joint", "spring"]);
}

/// Each option that the help of an error names makes the file load.
#[test]
fn the_options_in_helps_resolve_errors() {
    let sound = body(1.0, SOUND);
    let two = robot("", &sound).replace("type=\"revolute\"", "type=\"floating\"");
    let files = [
        (robot("<dynamics friction=\"0.1\"/>", &sound), 4, 3),
        (robot("<dynamics friction=\"-0.1\"/>", &sound), 4, 1),
        (robot("", &body(1.0, [1.0, 1.0, 3.0])), 3, 2),
        (robot("", &body(1.0, [1.0, 1.0, -0.1])), 3, 2),
        (robot("", &body(0.0, SOUND)), 3, 1),
        (robot("", &body(1.0, [0.0; 3])), 4, 1),
        (robot("", &body(0.0, [0.0; 3])), 4, 1),
        (robot("<spring k=\"1\"/>", &sound), 6, 1),
        (robot("<dynamics rotor_inertia=\"1\"/>", &sound), 6, 1),
        (robot("<dynamics dampign=\"1\"/>", &sound), 6, 1),
        (robot("<dynamics damping=\"-1\"/>", &sound), 6, 1),
        (robot("<d:joint xmlns:d=\"d\"/>", &sound), 6, 1),
        (robot("<mimic joint=\"other\"/>", &sound), 4, 1),
        (two.replace("<child", "<dynamics damping=\"1\"/><child"), 5, 1),
        (format!("<robot name=\"r\"><link name=\"hull\">{sound}</link></robot>"), 1, 1),
    ];
    for (text, line, count) in files {
        let mistake = refused(&text, &[]);
        let options = advised(&mistake.help);
        assert_eq!((mistake.line, options.len() >= count), (line, true), "{text}\n{mistake}");
        for option in options {
            read(&text, &[option]);
        }
    }
}

#[test]
fn parts_without_effect_on_the_motion_are_listed() {
    let joint =
        "<dynamics K=\"7000\" mu_coulomb=\"0\" friction=\"0\"/><limit lower=\"1\" upper=\"-1\" command_effort=\"3\"/>";
    let link = format!("{}<contact/><self_filter/><origin xyz=\"1 2 3\"/>", body(1.0, SOUND));
    let text = robot(joint, &link).replace(
        "</robot>",
        "<sensor/><ros2_control/><v:part xmlns:v=\"v\"/><link name=\"c\"/><joint name=\"k\" type=\"fixed\" dont_collapse=\"true\">\
         <parent link=\"b\"/><child link=\"c\"/><dynamics damping=\"1\" friction=\"2\"/><mimic joint=\"J-1\"/></joint></robot>",
    );
    let declaration = read(&text, &[]);
    let wanted = [
        "`K` of `dynamics`",
        "`command_effort` of `limit`",
        "`contact` of `link`",
        "`dont_collapse` of fixed joints",
        "`dynamics` of fixed joints",
        "`mimic` of fixed joints",
        "`mu_coulomb` of `dynamics`",
        "`origin` of `link`",
        "`ros2_control` of `robot`",
        "`self_filter` of `link`",
        "`sensor` of `robot`",
        "`v:part` of `robot`",
        "the limits of `j_1`, from 1 to -1",
    ];
    assert_eq!(declaration.ignored, wanted);
    assert!(wanted.iter().all(|part| declaration.items.contains(part)), "{}", declaration.items);
    assert!(declaration.warnings.is_empty());
}

#[test]
fn the_option_selects_the_friction_law() {
    let text = robot("<dynamics friction=\"0.5\"/>", &body(1.0, SOUND));
    let ignored = read(&text, &[("friction", "ignore")]);
    assert_eq!(ignored.ignored, ["dry friction of `j_1` (`friction = ignore`)"]);
    let constant = "pub const J_1_FRICTION: f64 = 0.5;";
    assert!(ignored.items.contains(constant) && !ignored.items.contains("#[dissipation]"), "{}", ignored.items);
    let smooth = read(&text, &[("friction", "smooth(0.02)")]);
    assert!(smooth.ignored.is_empty() && smooth.items.contains(constant));
    let law = "J_1_FRICTION * ((v.j_1 * v.j_1 + 0.02 * 0.02).sqrt() - 0.02)";
    assert!(smooth.items.contains(law), "{}", smooth.items);
}

#[test]
fn limits_and_friction_become_stops_and_dry_friction() {
    let joint = "<limit lower=\"-1\" upper=\"2\"/><dynamics friction=\"0.5\"/>";
    let text = robot(joint, &body(1.0, SOUND));
    let options = [("limits", "stops"), ("friction", "dry")];
    let items = read(&text, &options).items;
    for wanted in [
        "#[constraint(lower = -1.0, upper = 2.0, stop = p.j_1_stop)]\nfn stop_of_j_1(p: &JointStates, q: &Joints) -> f64",
        "#[velocity_constraint(bound = 0.5, slip = p.j_1_slip, stop = stop_of_j_1)]\nfn friction_of_j_1(",
        "pub j_1_stop: i32",
        "pub j_1_slip: i32",
        "pub const STOPS: [&str; 1] = [\"stop_of_j_1\"];",
    ] {
        assert!(items.contains(wanted), "{wanted}\n{items}");
    }
    // A joint that follows with a factor of −2 halves the range and adds its friction.
    let follower = format!(
        "<link name=\"c\">{}</link><joint name=\"k\" type=\"revolute\"><parent link=\"b\"/><child link=\"c\"/><limit lower=\"-1\" \
         upper=\"3\"/><dynamics friction=\"0.1\"/><mimic joint=\"J-1\" multiplier=\"-2\" offset=\"1\"/></joint></robot>",
        body(1.0, SOUND)
    );
    let items = read(&text.replace("</robot>", &follower), &options).items;
    assert!(items.contains("lower = -1.0, upper = 1.0, stop = p.j_1_stop"), "{items}");
    assert!(items.contains("bound = 0.7, slip = p.j_1_slip"), "{items}");
    // A module with parameters declares the states.
    let given = Options { parameters: Some("Data".to_owned()), stops: true, ..Options::default() };
    let still = robot("<limit lower=\"-1\" upper=\"2\"/>", &body(1.0, SOUND));
    let declared = crate::declaration(&still, std::path::Path::new(""), Language::Urdf, &given).unwrap();
    assert!(declared.items.contains("p: &Data") && !declared.items.contains("JointStates"), "{}", declared.items);
    let locked = robot("<limit lower=\"1\" upper=\"1\"/>", &body(1.0, SOUND));
    let mistake = refused(&locked, &[("limits", "stops")]);
    assert_eq!((mistake.line, mistake.message.contains("have no range: from 1 to 1")), (4, true), "{mistake}");
}

/// Principal moments are compared in any axes: 1, 1 and 3 become their mean.
#[test]
fn inertias_are_balanced() {
    let link =
        "<inertial><origin rpy=\"0.3 0.4 0.5\"/><mass value=\"1\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"3\"/></inertial>";
    let text = robot("", link);
    let balanced = read(&text, &[("inertia", "balanced")]).items;
    let found: Vec<f64> = numbers_of_matrix(&balanced);
    let third = 5.0 / 3.0;
    let wanted = [third, 0.0, 0.0, 0.0, third, 0.0, 0.0, 0.0, third];
    assert!(found.iter().zip(wanted).all(|(found, wanted)| (found - wanted).abs() < 1e-14), "{found:?}");
    let written = numbers_of_matrix(&read(&text, &[("inertia", "as_written")]).items);
    assert!((written[0] + written[4] + written[8] - 5.0).abs() < 1e-14 && written[1].abs() > 0.05, "{written:?}");
    // A physically possible inertia is unchanged.
    let sound = robot("", &body(1.0, [0.01, 0.02, 0.03]));
    assert_eq!(read(&sound, &[("inertia", "balanced")]), read(&sound, &[]));
}

fn numbers_of_matrix(items: &str) -> Vec<f64> {
    let inside = items.split("Matrix3::new(").nth(1).and_then(|rest| rest.split(')').next()).unwrap_or_default();
    inside.split(", ").map(|number| number.parse().unwrap()).collect()
}

#[test]
fn a_base_with_a_mass_is_fixed_with_a_warning() {
    let trunk = robot("", &body(1.0, SOUND))
        .replace("<link name=\"a\"/>", &format!("<link name=\"a\">{}</link>", body(9.0, SOUND)));
    let fixed = read(&trunk, &[]);
    assert_eq!(fixed.ignored, ["the inertia of `a`: fixed to `a`, which stands still"]);
    let warning = "the base `a` stands still, and its mass of 9 kg has no effect: write `base = fixed`, or `base = floating` for a robot that is \
                   not mounted";
    assert_eq!(fixed.warnings, [warning]);
    let said = read(&trunk, &[("base", "fixed")]);
    assert_eq!((said.warnings.len(), &said.ignored), (0, &fixed.ignored));
    let floating = read(&trunk, &[("base", "floating")]);
    assert!(floating.warnings.is_empty() && floating.ignored.is_empty());
    assert!(floating.items.contains("pub base: SE3,"), "{}", floating.items);
    assert!(floating.items.contains("fn kinetic_energy_of_a("), "{}", floating.items);
    // A root called `world` states that its children are mounted.
    let mounted = trunk.replace("name=\"a\"", "name=\"world\"").replace("link=\"a\"", "link=\"world\"");
    assert!(read(&mounted, &[]).warnings.is_empty());
    // Names of generated functions.
    let taken = mounted.replace("J-1", "base");
    let items = read(&taken, &[("base", "floating")]).items;
    assert!(items.contains("pub floating_base: SE3,") && items.contains("fn ground() -> SE3"), "{items}");
}

#[test]
fn a_joint_that_follows_a_fixed_joint_is_fixed_at_its_offset() {
    let text = robot("<mimic joint=\"k\" offset=\"0.25\"/>", &body(1.0, SOUND)).replace(
        "</robot>",
        &format!(
            "<link name=\"c\"/><joint name=\"k\" type=\"fixed\"><parent link=\"a\"/><child link=\"c\"/></joint>\
             <link name=\"d\">{}</link><joint name=\"m\" type=\"revolute\"><parent link=\"b\"/><child link=\"d\"/></joint></robot>",
            body(1.0, SOUND)
        ),
    );
    let declaration = read(&text, &[]);
    assert!(
        declaration.ignored[0].contains("the inertia of `b`") || declaration.ignored.len() == 2,
        "{:?}",
        declaration.ignored
    );
    assert!(declaration.items.contains("SO3::exp(&Vector3::new(0.25, 0.0, 0.0))"), "{}", declaration.items);
}

#[test]
fn quaternions_are_rotations() {
    let of = |origin: &str| read(&robot(origin, &body(1.0, SOUND)), &[]).items;
    let half = std::f64::consts::FRAC_1_SQRT_2;
    let quaternion = of(&format!("<origin quat_xyzw=\"{half} 0 0 {half}\"/>"));
    let angles = of(&format!("<origin rpy=\"{} 0 0\"/>", std::f64::consts::FRAC_PI_2));
    for items in [quaternion, angles] {
        assert!(items.contains("SE3::new(SO3::exp(&Vector3::new(1.57079632679489"), "{items}");
    }
    let mistake = refused(&robot("<origin rpy=\"0 0 0\" quat_xyzw=\"0 0 0 1\"/>", &body(1.0, SOUND)), &[]);
    assert_eq!(mistake.message, "`rpy` and `quat_xyzw`");
}

#[test]
fn singular_mass_matrices_name_the_joint() {
    // The centre of mass lies on the axis, x; a second joint about the same axis moves the same body.
    let on_axis =
        "<inertial><origin xyz=\"0.4 0 0\"/><mass value=\"1\"/><inertia ixx=\"0\" iyy=\"0.1\" izz=\"0.1\"/></inertial>";
    let found = refused(&robot("<origin xyz=\"0.3 0.2 1\" rpy=\"0.1 0.7 0.2\"/>", on_axis), &[]);
    assert_eq!(
        (found.line, found.message.as_str()),
        (4, "the links that `j_1` moves have no moment of inertia about its axis")
    );
    let twice = robot("", &body(1.0, SOUND)).replace(
        "<link name=\"a\"/>",
        "<link name=\"a\"/><link name=\"w\"/><joint name=\"k\" type=\"continuous\"><parent link=\"w\"/><child link=\"a\"/></joint>",
    );
    let found = refused(&twice, &[]);
    assert_eq!((found.line, found.message.as_str()), (2, "other joints move all links of `k` in the same direction"));
}

#[test]
fn long_robots_are_rejected_quickly() {
    let chain = |links: usize| {
        let link = |number: usize| {
            let joint = format!(
                "<joint name=\"j{number}\" type=\"revolute\"><parent link=\"l{}\"/><child link=\"l{number}\"/></joint>",
                number.wrapping_sub(1)
            );
            let joint = if number == 0 { String::new() } else { joint };
            format!("<link name=\"l{number}\">{}</link>{joint}\n", body(1.0, SOUND))
        };
        format!("<robot name=\"r\">\n{}</robot>", (0..links).map(link).collect::<String>())
    };
    assert!(with(&chain(61), Language::Urdf, &[("inertia", "as_written")]).is_ok());
    let found = refused(&chain(80), &[]);
    assert_eq!((found.line, found.message.as_str()), (63, "79 links in a row: the limit from the root to a tip is 60"));
    assert!(found.help.contains("#[kinematics"), "{found}");
    let found = refused(&chain(10_000), &[]);
    assert_eq!(found.message, "10000 links: the limit for a file is 2000");
}
