//! Actuators and tendons.
//!
//! The option `actuators = inputs` converts an actuator to an input, a first-order state if it has an activation, and a force. Without the option
//! the declaration does not contain it: an actuator without a bias exerts no force while its control is zero, and is noted; all others need an
//! option. A tendon without a spring, a damper, an armature and friction exerts no force of its own.

use roxmltree::Node;

use super::body::{Tree, range};
use super::classes::{Classes, Element};
use super::within::{Reading, attributes};
use crate::dynamics::effective_inertia;
use crate::frame::{Vector, cross, plus};
use crate::model::{Activation, Actuator, Robot, Transmission};
use crate::options::{Actuation, Options};
use crate::xml::{Read, Skipping, identifier, line, list, mistake, number, numbers, tag, text};

/// The elements of `actuator`. They share one set of defaults.
const ACTUATORS: [&str; 12] = [
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
/// The elements with other force laws.
const UNSUPPORTED: [&str; 4] = ["orientation", "pid", "muscle", "dcmotor"];
const ACTUATOR: [&str; 38] = [
    "name",
    "class",
    "group",
    "joint",
    "jointinparent",
    "tendon",
    "site",
    "refsite",
    "body",
    "cranksite",
    "slidersite",
    "cranklength",
    "gear",
    "ctrlrange",
    "ctrllimited",
    "forcerange",
    "forcelimited",
    "actrange",
    "actlimited",
    "inheritrange",
    "dyntype",
    "dynprm",
    "gaintype",
    "gainprm",
    "biastype",
    "biasprm",
    "actdim",
    "kp",
    "kv",
    "dampratio",
    "timeconst",
    "area",
    "diameter",
    "bias",
    "gain",
    "armature",
    "damping",
    "delay",
];
/// `actearly`, `interp` and `nsample` change the integration of a control that is constant during a step.
const ACTUATOR_IGNORED: [&str; 5] = ["user", "lengthrange", "actearly", "interp", "nsample"];
const IGNORE: &str = "write `actuators = ignore`, and declare inputs and forces in the module if needed";

/// Whether an attribute of an element or of its defaults has a value that is not zero.
fn acts(levels: &[Node], names: &[&str]) -> Read<bool> {
    for name in names {
        let Some(level) = levels.iter().find(|level| level.has_attribute(*name)) else { continue };
        if list(*level, name)?.iter().any(|&x| x != 0.0) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The force law of an actuator, with the names of MuJoCo: gain · (control or activation) + bias.
struct Law<'a> {
    dynamics: &'a str,
    time_constant: f64,
    gain_type: &'a str,
    gain: [f64; 3],
    bias_type: &'a str,
    /// A positive last coefficient of a position servo is a damping ratio.
    bias: [f64; 3],
}

impl<'a> Law<'a> {
    /// The law of an element: the elements of the default classes are applied in their order, the outermost class first.
    fn of(element: &Element<'a, 'a>) -> Read<Self> {
        let mut law = Self {
            dynamics: "none",
            time_constant: 1.0,
            gain_type: "fixed",
            gain: [1.0, 0.0, 0.0],
            bias_type: "none",
            bias: [0.0; 3],
        };
        element.levels.iter().rev().try_for_each(|&level| law.apply(level))?;
        Ok(law)
    }

    fn apply(&mut self, node: Node<'a, 'a>) -> Read<()> {
        let optional = |name: &str| if node.has_attribute(name) { number(node, name).map(Some) } else { Ok(None) };
        let coefficients = |of: &mut [f64], name: &str| {
            list(node, name).map(|all| of.iter_mut().zip(all).for_each(|(own, value)| *own = value))
        };
        match node.tag_name().name() {
            "general" => {
                for (own, name) in [
                    (&mut self.dynamics, "dyntype"),
                    (&mut self.gain_type, "gaintype"),
                    (&mut self.bias_type, "biastype"),
                ] {
                    *own = node.attribute(name).unwrap_or(own);
                }
                coefficients(core::slice::from_mut(&mut self.time_constant), "dynprm")?;
                coefficients(&mut self.gain, "gainprm")?;
                coefficients(&mut self.bias, "biasprm")?;
            }
            "motor" => {
                (self.dynamics, self.gain_type, self.bias_type) = ("none", "fixed", "none");
                self.gain[0] = 1.0;
            }
            servo @ ("position" | "intvelocity") => {
                self.gain[0] = optional("kp")?.unwrap_or(self.gain[0]);
                self.bias[1] = -self.gain[0];
                self.bias[2] = optional("kv")?.map(|kv| -kv).or(optional("dampratio")?).unwrap_or(self.bias[2]);
                if let Some(time) = optional("timeconst")? {
                    self.time_constant = time;
                    self.dynamics = if time == 0.0 { "none" } else { "filterexact" };
                }
                (self.gain_type, self.bias_type) = ("fixed", "affine");
                if servo == "intvelocity" {
                    self.dynamics = "integrator";
                }
            }
            "velocity" => {
                self.gain[0] = optional("kv")?.unwrap_or(self.gain[0]);
                self.bias = [0.0, 0.0, -self.gain[0]];
                (self.dynamics, self.gain_type, self.bias_type) = ("none", "fixed", "affine");
            }
            "damper" => {
                let inherited = if self.gain_type == "affine" { -self.gain[2] } else { 0.0 };
                self.gain = [0.0, 0.0, -optional("kv")?.unwrap_or(inherited)];
                (self.dynamics, self.gain_type, self.bias_type) = ("none", "affine", "none");
            }
            "cylinder" => {
                self.time_constant = optional("timeconst")?.unwrap_or(self.time_constant);
                coefficients(&mut self.bias, "bias")?;
                let area = optional("diameter")?.map(|d| core::f64::consts::FRAC_PI_4 * d * d);
                self.gain[0] = area.or(optional("area")?).unwrap_or(self.gain[0]);
                (self.dynamics, self.gain_type, self.bias_type) = ("filter", "fixed", "affine");
            }
            "adhesion" => {
                self.gain[0] = optional("gain")?.unwrap_or(self.gain[0]);
                (self.gain_type, self.bias_type) = ("fixed", "none");
            }
            other => (self.gain_type, self.bias_type) = (other, other),
        }
        Ok(())
    }

    /// Whether there is a force at zero control and zero activation.
    fn is_biased(&self) -> bool {
        match self.bias_type {
            "none" => false,
            "affine" => self.bias != [0.0; 3],
            _ => true,
        }
    }

    /// Whether the length of the actuator follows its input.
    fn is_servo(&self) -> bool {
        self.gain_type == "fixed" && self.bias_type == "affine" && self.gain[0] == -self.bias[1]
    }
}

/// Returns the actuators with `actuators = inputs`. Otherwise notes them, or refuses the first one that acts without a control.
pub(super) fn actuators<'a>(
    sections: &[Node<'a, 'a>],
    tree: &Tree<'a>,
    reading: Reading<'_, 'a>,
    options: &Options,
) -> Read<Vec<Actuator>> {
    let Reading { compiler, classes, skipping, .. } = reading;
    let nodes = || sections.iter().flat_map(Node::children).filter(Node::is_element);
    let (mut count, mut found) = (0, vec![]);
    let mut names: Vec<String> = nodes().filter_map(|node| node.attribute("name")).map(identifier).collect();
    for node in nodes() {
        count += 1;
        if options.actuators == Some(Actuation::Ignore) || compiler.disables(&["actuation"]) {
            continue;
        }
        let element = classes.element_of(node, &ACTUATORS, None)?;
        let law = Law::of(&element)?;
        let inertia = acts(&element.levels, &["armature", "damping"])?;
        if options.actuators == Some(Actuation::Inputs) {
            let [group] = numbers(element.at("group"), "group", [0.0])?;
            if compiler.disabled_groups.contains(&group) {
                skipping.note(format!("actuators of the disabled group {group}"));
                continue;
            }
            if inertia {
                let help = "write the attribute at the joint, multiplied by the square of the gear ratio";
                return mistake(node, "`armature` or `damping` of an actuator is not supported", help);
            }
            let name = node.attribute("name").map_or_else(|| free_name(node, &mut names), identifier);
            found.push(actuator(name, &element, &law, tree, reading)?);
        } else if law.is_biased() || inertia {
            let message = format!("the actuator `{}` acts while its control is zero", tag(node));
            return mistake(
                node,
                message,
                format!("write `actuators = inputs` for inputs with its forces; or {IGNORE}"),
            );
        }
    }
    let which = match options.actuators {
        _ if compiler.disables(&["actuation"]) => "(disabled by a `flag`)",
        None => "with zero force at zero control",
        Some(Actuation::Ignore) => "(`actuators = ignore`)",
        Some(Actuation::Inputs) => return Ok(found),
    };
    if count > 0 {
        skipping.note(format!("`actuator`: {count} {which}"));
    }
    Ok(found)
}

/// A name for an actuator without a name: its target, with a number if another actuator has that name.
fn free_name(node: Node, names: &mut Vec<String>) -> String {
    let target = ["joint", "jointinparent", "tendon", "site"].into_iter().find_map(|name| node.attribute(name));
    let target = identifier(target.unwrap_or("actuator"));
    let numbered = (2..).map(|number| format!("{target}_{number}"));
    let free = core::iter::once(target.clone()).chain(numbered).find(|name| !names.contains(name));
    let free = free.unwrap_or(target);
    names.push(free.clone());
    free
}

/// Refuses an actuator.
fn unsupported<T>(node: Node, what: &str) -> Read<T> {
    let name = node.attribute("name").map_or_else(String::new, |name| format!(" `{name}`"));
    mistake(node, format!("the actuator{name} {what}, which is not supported"), IGNORE)
}

/// An actuator as a force law.
fn actuator<'a>(
    name: String,
    element: &Element<'a, 'a>,
    law: &Law,
    tree: &Tree<'a>,
    reading: Reading<'_, 'a>,
) -> Read<Actuator> {
    let Reading { compiler, skipping, .. } = reading;
    let node = element.node();
    for (kind, known, of) in [
        (law.gain_type, &["fixed", "affine"][..], "gain"),
        (law.bias_type, &["none", "affine"], "bias"),
        (law.dynamics, &["none", "integrator", "filter", "filterexact"], "dynamics"),
    ] {
        if !known.contains(&kind) {
            return unsupported(node, &format!("has {of} of the type `{kind}`"));
        }
    }
    // Defaults of other types have no influence beyond the coefficients that were read.
    for &level in element.levels.iter().filter(|level| !UNSUPPORTED.contains(&tag(**level).as_str())) {
        attributes(level, &ACTUATOR, &ACTUATOR_IGNORED, skipping)?;
    }
    if acts(&element.levels, &["delay"])? && !skipping.is_skipped("delay") {
        let help = "write `skip = [delay]`, and delay the input of the simulation";
        return mistake(element.at("delay"), "the dead time of an actuator (`delay`) is not supported", help);
    }
    let (transmission, target_range) = transmission(element, tree, reading)?;
    let mut gain = law.gain;
    if law.gain_type == "fixed" {
        (gain[1], gain[2]) = (0.0, 0.0);
    }
    let mut bias = if law.bias_type == "none" { [0.0; 3] } else { law.bias };
    if matches!(transmission, Transmission::Wrench(..)) {
        // The length is zero, and the rate is not.
        (gain[1], bias[1]) = (0.0, 0.0);
        if gain[2] != 0.0 || bias[2] != 0.0 {
            return unsupported(node, "depends on the velocity of a site");
        }
    }
    if let Transmission::Joints(arms) = &transmission
        && gain[0] == -bias[1]
        && bias[2] > 0.0
    {
        // A damping ratio ζ: the damping is 2 ζ sqrt(k m) with the inertia m at the reference configuration.
        let robot = Robot { links: tree.links.clone(), ..Robot::default() };
        bias[2] *= -2.0 * (gain[0] * effective_inertia(&robot, arms)).sqrt();
        if !bias[2].is_finite() {
            let help = "write `kv`, or give the links of the joint an inertia";
            return mistake(element.at("dampratio"), "a damping ratio without an inertia", help);
        }
    }
    let activation = match law.dynamics {
        "none" => Activation::Control,
        "integrator" => Activation::Integrator,
        _ if law.time_constant > 0.0 => Activation::Filter(law.time_constant),
        _ => {
            let message = format!("the time constant {} of a filter", law.time_constant);
            return mistake(element.at("dynprm"), message, "write a positive time constant");
        }
    };
    let mut control_limits = if node.has_tag_name("damper") {
        Some(numbers(element.at("ctrlrange"), "ctrlrange", [0.0; 2])?)
    } else {
        range(element, "ctrlrange", "ctrllimited", compiler)?
    };
    let mut activation_limits = range(element, "actrange", "actlimited", compiler)?;
    let [inherited] = numbers(element.at("inheritrange"), "inheritrange", [0.0])?;
    if inherited > 0.0 && law.is_servo() {
        let Some([lower, upper]) = target_range else {
            let help = "write a `ctrlrange`, or a `range` of the joint or of the tendon";
            return mistake(element.at("inheritrange"), "`inheritrange` without a range", help);
        };
        let (mean, radius) = (0.5 * (lower + upper), 0.5 * (upper - lower) * inherited);
        let inherits = if activation == Activation::Integrator { &mut activation_limits } else { &mut control_limits };
        *inherits = Some([mean - radius, mean + radius]);
    }
    if compiler.disables(&["clampctrl"]) {
        control_limits = None;
    }
    if let Some([lower, upper]) = activation_limits {
        // The output of a filter stays between zero and the limits of its input.
        let is_inside = |x: f64| (lower..=upper).contains(&x);
        let inside = matches!(activation, Activation::Filter(_))
            && is_inside(0.0)
            && control_limits.is_some_and(|limits| limits.into_iter().all(is_inside));
        if !inside && !skipping.is_skipped("actrange") {
            let help = "write `skip = [actrange]` for an activation without limits, or `actuators = ignore`";
            return mistake(element.at("actrange"), "limits of an activation (`actrange`) are not supported", help);
        }
        skipping.note(format!("`actrange` of actuator `{name}`"));
    }
    let force_limits = range(element, "forcerange", "forcelimited", compiler)?;
    Ok(Actuator { name, line: line(node), transmission, activation, gain, bias, control_limits, force_limits })
}

/// The transmission, and the range of the joint or of the tendon.
fn transmission<'a>(
    element: &Element<'a, 'a>,
    tree: &Tree<'a>,
    reading: Reading<'_, 'a>,
) -> Read<(Transmission, Option<[f64; 2]>)> {
    let node = element.node();
    let mut gear = [1.0, 0.0, 0.0, 0.0, 0.0, 0.0];
    gear.iter_mut().zip(list(element.at("gear"), "gear")?).for_each(|(own, value)| *own = value);
    if let Some(name) = node.attribute("joint").or(node.attribute("jointinparent")) {
        let arm = joint(node, name, tree)?;
        let joints = tree.links.iter().filter_map(|link| link.above.as_ref()).flat_map(|above| &above.joints);
        let limits = joints.into_iter().find(|joint| joint.name == arm).and_then(|joint| joint.limits);
        return Ok((Transmission::Joints(vec![(arm, gear[0])]), limits));
    }
    if let Some(name) = node.attribute("tendon") {
        return tendon(node, name, gear[0], tree, reading);
    }
    if let Some(name) = node.attribute("site").filter(|_| !node.has_attribute("refsite")) {
        let Some(&(_, link, frame)) = tree.sites.iter().find(|(known, ..)| *known == name) else {
            return mistake(node, format!("unknown site `{name}`"), "use the name of a site of a body");
        };
        if !tree.moves[link] {
            return unsupported(node, "acts on a body that stands still");
        }
        let [force, moment] = [[gear[0], gear[1], gear[2]], [gear[3], gear[4], gear[5]]];
        let [force, moment] = [force, moment].map(|vector: Vector| frame.rotation.rotate(vector));
        let wrench = [plus(moment, cross(frame.position, force)), force];
        return Ok((Transmission::Wrench(link, wrench), None));
    }
    unsupported(node, "acts on a body, a slider-crank or a pair of sites")
}

/// The name in Rust of a hinge or a slide.
fn joint(node: Node, name: &str, tree: &Tree) -> Read<String> {
    let Some((_, found)) = tree.joints.iter().find(|(known, _)| *known == name) else {
        return mistake(node, format!("unknown joint `{name}`"), "use the name of a joint of a body");
    };
    let joints = tree.links.iter().filter_map(|link| link.above.as_ref()).flat_map(|above| &above.joints);
    let is_number = joints.into_iter().any(|joint| joint.name == *found && joint.motion.is_number());
    if is_number { Ok(found.clone()) } else { unsupported(node, &format!("acts on the ball or free joint `{name}`")) }
}

/// The transmission of a tendon whose length is a sum of joint coordinates, and its range.
fn tendon<'a>(
    node: Node<'a, 'a>,
    name: &str,
    gear: f64,
    tree: &Tree<'a>,
    Reading { classes, compiler, .. }: Reading<'_, 'a>,
) -> Read<(Transmission, Option<[f64; 2]>)> {
    let sections = node.document().root_element().children().filter(|section| section.has_tag_name("tendon"));
    let found = sections.flat_map(|section| section.children()).find(|tendon| tendon.attribute("name") == Some(name));
    let Some(found) = found else {
        return mistake(node, format!("unknown tendon `{name}`"), "use the name of an element of `tendon`");
    };
    if !found.has_tag_name("fixed") {
        return unsupported(node, &format!("acts on the {} tendon `{name}`", tag(found)));
    }
    let element = classes.element(found, "tendon", None)?;
    if element.get("actuatorfrcrange").is_some() {
        return unsupported(node, &format!("acts on the tendon `{name}` with `actuatorfrcrange`"));
    }
    let mut arms: Vec<(String, f64)> = vec![];
    for part in found.children().filter(Node::is_element) {
        attributes(part, &["joint", "coef"], &[], &Skipping::new(&[]))?;
        arms.push((joint(part, text(part, "joint")?, tree)?, gear * number(part, "coef")?));
    }
    Ok((Transmission::Joints(arms), range(&element, "range", "limited", compiler)?))
}

/// Notes the tendons, or refuses the first one that acts.
pub(super) fn tendons<'a>(sections: &[Node<'a, 'a>], classes: &Classes<'a, 'a>, skipping: &Skipping) -> Read<()> {
    let mut count = 0;
    for node in sections.iter().flat_map(Node::children).filter(Node::is_element) {
        count += 1;
        let levels = classes.element(node, "tendon", None)?.levels;
        if acts(&levels, &["stiffness", "damping", "frictionloss", "armature"])? {
            let name = node.attribute("name").unwrap_or_default();
            let help = "write `skip = [tendon]`, and declare the tendon as a `#[potential]` or a `#[force]` in the module if needed";
            return mistake(node, format!("the forces of the tendon `{name}` are not computed"), help);
        }
    }
    if count > 0 {
        skipping.note(format!("`tendon`: {count} without forces of their own"));
    }
    Ok(())
}
