//! Writes the forces of joints and actuators: springs, dampers, friction, stops, inputs and first-order states.

use std::fmt::Write;

use super::check::stops;
use super::model::{Activation, Actuator, Joint, Motion, Robot, Transmission};
use super::options::{Friction, Options};

/// The coordinate of a joint relative to its reference value.
pub(super) fn coordinate(joint: &Joint, reference: f64) -> String {
    match &joint.mimic {
        Some(mimic) => format!("({:?} * q.{} + {:?})", mimic.multiplier, mimic.joint, mimic.offset - reference),
        None if reference != 0.0 => format!("(q.{} - {reference:?})", joint.name),
        None => format!("q.{}", joint.name),
    }
}

/// The rate of the scalar coordinate of a joint.
pub(super) fn rate(joint: &Joint) -> String {
    match &joint.mimic {
        Some(mimic) => format!("({:?} * v.{})", mimic.multiplier, mimic.joint),
        None => format!("v.{}", joint.name),
    }
}

/// Springs, dampers, friction and armature of a joint.
pub(super) fn joint_terms(joint: &Joint, options: &Options) -> Vec<String> {
    let (name, number) = (&joint.name, rate(joint));
    let square = match joint.motion {
        Motion::Hinge(_) | Motion::Slide(_) => format!("{number} * {number}"),
        Motion::Ball | Motion::Planar(_) | Motion::Floating => format!("v.{name}.norm_squared()"),
    };
    let mut all = vec![];
    if joint.armature != 0.0 {
        all.push(format!(
            "#[kinetic_energy]\nfn armature_of_{name}(v: &Velocity) -> f64 {{\n    0.5 * {:?} * {square}\n}}",
            joint.armature
        ));
    }
    if joint.stiffness != 0.0 {
        let stretch = match joint.motion {
            Motion::Ball => format!("q.{name}.log().norm_squared()"),
            _ => format!("{}.powi(2)", coordinate(joint, joint.ease)),
        };
        all.push(format!(
            "#[potential]\nfn spring_of_{name}(q: &Joints) -> f64 {{\n    0.5 * {:?} * {stretch}\n}}",
            joint.stiffness
        ));
    }
    if joint.damping != 0.0 {
        all.push(format!(
            "#[dissipation]\nfn damping_of_{name}(v: &Velocity) -> f64 {{\n    0.5 * {:?} * {square}\n}}",
            joint.damping
        ));
    }
    if let Some(Friction::Smooth(speed)) = options.friction.filter(|_| joint.friction > 0.0) {
        all.push(format!(
            "/// Dry friction, regularised: the force is -f v / sqrt(v² + s²) with the speed s = {speed:?}.\n#[dissipation]\n\
             fn friction_of_{name}(v: &Velocity) -> f64 {{\n    \
             {}_FRICTION * (({number} * {number} + {speed:?} * {speed:?}).sqrt() - {speed:?})\n}}",
            name.to_uppercase()
        ));
    }
    all
}

/// The stops and the dry friction of the independent joints, and the parameters with their states.
pub(super) fn joint_states(robot: &Robot, options: &Options) -> Vec<String> {
    let parameters = options.parameters.as_deref().unwrap_or("JointStates");
    let (mut all, mut fields, mut stopped) = (vec![], String::new(), vec![]);
    for joint in robot.joints().filter(|joint| joint.mimic.is_none() && joint.motion.is_number()) {
        let name = &joint.name;
        let mut stop = String::new();
        if let Some([lower, upper]) = stops(robot, joint).filter(|_| options.stops) {
            let _ = write!(
                fields,
                "    /// -1 at the lower stop of `{name}`, 1 at the upper stop, otherwise 0.\n    pub {name}_stop: i32,\n"
            );
            all.push(format!(
                "/// The stops of `{name}`.\n#[constraint(lower = {lower:?}, upper = {upper:?}, stop = p.{name}_stop)]\n\
                 fn stop_of_{name}(p: &{parameters}, q: &Joints) -> f64 {{\n    q.{name}\n}}"
            ));
            stop = format!(", stop = stop_of_{name}");
            stopped.push(format!("\"stop_of_{name}\""));
        }
        let of_follower = |other: &Joint| match &other.mimic {
            Some(mimic) if mimic.joint == *name => mimic.multiplier.abs() * other.friction,
            None if other.name == *name => other.friction,
            _ => 0.0,
        };
        let friction: f64 = robot.joints().map(of_follower).sum();
        if friction > 0.0 && options.friction == Some(Friction::Dry) {
            let _ = write!(
                fields,
                "    /// The sign of the velocity of `{name}` while it slides, 0 while it sticks.\n    pub {name}_slip: i32,\n"
            );
            all.push(format!(
                "/// The dry friction of `{name}` and of the joints that follow it.\n\
                 #[velocity_constraint(bound = {friction:?}, slip = p.{name}_slip{stop})]\n\
                 fn friction_of_{name}(p: &{parameters}, v: &Velocity) -> f64 {{\n    v.{name}\n}}"
            ));
        }
    }
    if options.parameters.is_none() && !fields.is_empty() {
        let text = "/// The states of stops and dry friction. The default is between the stops.\n#[parameters]\n#[derive(Default)]\n";
        all.push(format!("{text}pub struct JointStates {{\n{fields}}}"));
    }
    if options.stops {
        let (count, names) = (stopped.len(), stopped.join(", "));
        all.push(format!(
            "/// The constraints with stops, for `Simulation::contact`.\npub const STOPS: [&str; {count}] = [{names}];"
        ));
    }
    all
}

/// Formats a sum of terms without zeros: `2.0 * length - rate`; `None` for an empty sum.
fn sum(terms: impl IntoIterator<Item = (f64, String)>) -> Option<String> {
    let mut text = String::new();
    for (factor, term) in terms.into_iter().filter(|(factor, _)| *factor != 0.0) {
        let sign = match (text.is_empty(), factor < 0.0) {
            (true, false) => "",
            (true, true) => "-",
            (false, false) => " + ",
            (false, true) => " - ",
        };
        let size = factor.abs();
        let _ = match (size, term.as_str()) {
            (size, "") => write!(text, "{sign}{size:?}"),
            (1.0, term) => write!(text, "{sign}{term}"),
            (size, term) => write!(text, "{sign}{size:?} * {term}"),
        };
    }
    (!text.is_empty()).then_some(text)
}

/// A value between two limits.
fn limited(value: String, limits: Option<[f64; 2]>) -> String {
    match limits {
        Some([lower, upper]) if value.contains(' ') => format!("({value}).clamp({lower:?}, {upper:?})"),
        Some([lower, upper]) => format!("{value}.clamp({lower:?}, {upper:?})"),
        None => value,
    }
}

/// The arguments q, v, u and z of the functions of an actuator.
const ARGUMENTS: [(&str, &str); 4] = [("q", "Joints"), ("v", "Velocity"), ("u", "Controls"), ("z", "Activations")];

/// The arguments of a function that needs some of them, for its declaration and for a call.
fn arguments(needs: [bool; 4]) -> [String; 2] {
    let needed = || ARGUMENTS.iter().zip(needs).filter(|(_, needed)| *needed).map(|(argument, _)| argument);
    [
        needed().map(|(name, kind)| format!("{name}: &{kind}")).collect::<Vec<String>>().join(", "),
        needed().map(|(name, _)| *name).collect::<Vec<&str>>().join(", "),
    ]
}

/// The arguments that the force of an actuator needs.
fn needs(actuator: &Actuator) -> [bool; 4] {
    let Actuator { gain, bias, activation, .. } = actuator;
    let has = |power: usize| gain[power] != 0.0 || bias[power] != 0.0;
    let (acts, controls) = (*gain != [0.0; 3], *activation == Activation::Control);
    [has(1), has(2), acts && controls, acts && !controls]
}

/// The control of an actuator within its limits.
fn control(actuator: &Actuator) -> String {
    limited(format!("u.{}", actuator.name), actuator.control_limits)
}

/// The function of the force of an actuator.
fn actuator_force(robot: &Robot, actuator: &Actuator) -> String {
    let Actuator { name, gain, bias, activation, transmission, .. } = actuator;
    let needs = needs(actuator);
    let mut body = String::new();
    let arms = match transmission {
        Transmission::Joints(arms) => &arms[..],
        Transmission::Wrench(..) => &[],
    };
    let of_joints = |value: &dyn Fn(&Joint) -> String| {
        let joint = |name: &str| robot.joints().find(|joint| joint.name == name);
        sum(arms.iter().filter_map(|(name, arm)| Some((*arm, value(joint(name)?))))).unwrap_or("0.0".to_owned())
    };
    if needs[0] {
        let _ = writeln!(body, "    let length = {};", of_joints(&|joint| coordinate(joint, 0.0)));
    }
    if needs[1] {
        let _ = writeln!(body, "    let rate = {};", of_joints(&rate));
    }
    let linear = |[constant, length, rate]: [f64; 3]| {
        [(constant, String::new()), (length, "length".to_owned()), (rate, "rate".to_owned())]
    };
    let input = if *activation == Activation::Control { control(actuator) } else { format!("z.{name}") };
    let driven = match sum(linear(*gain)) {
        _ if gain[1..] == [0.0; 2] => (gain[0], input),
        Some(gain) => (1.0, format!("({gain}) * {input}")),
        None => (0.0, input),
    };
    let force = sum([driven].into_iter().chain(linear(*bias))).unwrap_or("0.0".to_owned());
    let force = limited(force, actuator.force_limits);
    let [declared, _] = arguments(needs);
    format!(
        "/// The force of the actuator `{name}`.\npub fn force_of_{name}({declared}) -> f64 {{\n{body}    {force}\n}}"
    )
}

/// A call of the function of the force.
fn call(actuator: &Actuator) -> String {
    let [_, arguments] = arguments(needs(actuator));
    format!("force_of_{}({arguments})", actuator.name)
}

/// The arguments that any of these actuators needs.
fn all_needs<'r>(actuators: impl Iterator<Item = &'r Actuator>) -> [bool; 4] {
    actuators.map(needs).fold([false; 4], |all, own| std::array::from_fn(|k| all[k] || own[k]))
}

/// The forces of all actuators on a joint and on the joints that follow it.
fn joint_actuation(robot: &Robot, joint: &Joint) -> Option<String> {
    let mut used: Vec<&Actuator> = vec![];
    let followed = |other: &Joint| match &other.mimic {
        Some(mimic) if mimic.joint == joint.name => Some(mimic.multiplier),
        None if other.name == joint.name => Some(1.0),
        _ => None,
    };
    let mut of_joint = |other: &Joint| {
        let mut terms = vec![];
        for actuator in &robot.actuators {
            let Transmission::Joints(arms) = &actuator.transmission else { continue };
            for (_, arm) in arms.iter().filter(|(name, _)| *name == other.name) {
                used.push(actuator);
                terms.push((*arm, call(actuator)));
            }
        }
        sum(terms).map(|forces| limited(forces, other.actuation_limits))
    };
    let terms: Vec<(f64, String)> = robot
        .joints()
        .filter_map(|other| {
            let multiplier = followed(other)?;
            let forces = of_joint(other)?;
            let is_sum = multiplier != 1.0 && forces.contains(' ') && other.actuation_limits.is_none();
            Some((multiplier, if is_sum { format!("({forces})") } else { forces }))
        })
        .collect();
    let [declared, _] = arguments(all_needs(used.into_iter()));
    let (name, total) = (&joint.name, sum(terms)?);
    Some(format!(
        "/// The forces of actuators on `{name}`.\n#[force(on = {name})]\nfn actuation_of_{name}({declared}) -> f64 {{\n    {total}\n}}"
    ))
}

/// The controls, the activations with their rates, and the forces of the actuators.
pub(super) fn actuator_terms(robot: &Robot) -> Vec<String> {
    if robot.actuators.is_empty() {
        return vec![];
    }
    let (mut controls, mut activations, mut rates) = (String::new(), String::new(), vec![]);
    for actuator in &robot.actuators {
        let name = &actuator.name;
        let limits =
            actuator.control_limits.map_or_else(String::new, |[lower, upper]| format!(", from {lower:?} to {upper:?}"));
        let _ = writeln!(controls, "    /// The control of the actuator `{name}`{limits}.\n    pub {name}: f64,");
        let rate = match actuator.activation {
            Activation::Control => continue,
            Activation::Integrator => control(actuator),
            Activation::Filter(time) => format!("({} - z.{name}) / {time:?}", control(actuator)),
        };
        let _ = writeln!(activations, "    /// The activation of the actuator `{name}`.\n    pub {name}: f64,");
        rates.push(format!("{name}: {rate}"));
    }
    let mut all = vec![format!("/// The controls of the actuators.\n#[inputs]\npub struct Controls {{\n{controls}}}")];
    if !rates.is_empty() {
        let rates = rates.join(", ");
        let z = if rates.contains("z.") { ", z: &Activations" } else { "" };
        all.push(format!(
            "/// The activations of the actuators.\n#[states]\npub struct Activations {{\n{activations}}}"
        ));
        all.push(format!(
            "#[rate]\nfn activation_rates(u: &Controls{z}) -> Activations {{\n    Activations {{ {rates} }}\n}}"
        ));
    }
    all.extend(robot.actuators.iter().map(|actuator| actuator_force(robot, actuator)));
    all.extend(robot.joints().filter(|joint| joint.mimic.is_none()).filter_map(|joint| joint_actuation(robot, joint)));
    for actuator in &robot.actuators {
        let Transmission::Wrench(link, [moment, force]) = &actuator.transmission else { continue };
        let (name, link, [declared, _]) = (&actuator.name, &robot.links[*link].name, arguments(needs(actuator)));
        let numbers: Vec<String> = moment.iter().chain(force).map(|x: &f64| format!("{:?}", x + 0.0)).collect();
        all.push(format!(
            "/// The moment and the force of the actuator `{name}` on `{link}`.\n#[force(at = {link})]\n\
             fn wrench_of_{name}({declared}) -> Vector6<f64> {{\n    Vector6::new({}) * {}\n}}",
            numbers.join(", "),
            call(actuator)
        ));
    }
    all
}
