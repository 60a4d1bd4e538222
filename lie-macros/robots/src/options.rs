//! The options of a robot file: one word for each kind of part that a declaration cannot represent.
//!
//! The attribute macro and the example program pass a name and the text of a value; this module is the only place that parses values.

use super::Mistake;

/// The law that takes the place of dry (Coulomb) friction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Friction {
    /// `friction = dry`: Coulomb friction with exact sticking, a velocity constraint with a bound.
    Dry,
    /// `friction = ignore`: no force. The values stay as constants.
    Ignore,
    /// `friction = smooth(s)`: the force -f v / sqrt(v² + s²), with a speed s in rad/s or m/s.
    Smooth(f64),
}

/// The treatment of inertias that no body has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inertia {
    /// `inertia = as_written`: the numbers of the file.
    AsWritten,
    /// `inertia = balanced`: principal moments that violate the triangle inequality are replaced by their mean, as MuJoCo's
    /// `balanceinertia` does it.
    Balanced,
}

/// The motion of the root link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Base {
    /// `base = fixed`: the root link stands still.
    Fixed,
    /// `base = floating`: the root link is a free body, a member `SE3`.
    Floating,
}

/// The treatment of the actuators of an MJCF.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Actuation {
    /// `actuators = ignore`: no actuators.
    Ignore,
    /// `actuators = inputs`: the controls are inputs, the activations are states, and the actuators exert their forces.
    Inputs,
}

/// The options of a robot file. The default has none: a part that changes the motion and is not representable is an error.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Options {
    /// `friction = dry`, `friction = ignore` or `friction = smooth(0.01)`.
    pub friction: Option<Friction>,
    /// `inertia = as_written` or `inertia = balanced`.
    pub inertia: Option<Inertia>,
    /// `base = fixed` or `base = floating`.
    pub base: Option<Base>,
    /// `actuators = inputs` or `actuators = ignore`.
    pub actuators: Option<Actuation>,
    /// `limits = stops`: the limits of hinges and slides are stops. Otherwise they are constants without effect.
    pub stops: bool,
    /// The name of the struct of parameters in the module. Without it, the items declare the struct `JointStates`.
    pub parameters: Option<String>,
    /// `skip = [tendon, "drake:joint"]`: elements and attributes that are left out.
    pub skip: Vec<String>,
}

impl Options {
    /// The names of the options, with an example of a value.
    pub const NAMES: [(&'static str, &'static str); 6] = [
        ("friction", "dry"),
        ("limits", "stops"),
        ("inertia", "as_written"),
        ("base", "floating"),
        ("actuators", "inputs"),
        ("skip", "[tendon, contact]"),
    ];

    /// Sets the option `name` from the text of its value, such as `smooth(0.01)` or `[tendon, contact]`.
    ///
    /// # Errors
    /// [`Mistake`] without a line: an unknown name or value.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), Mistake> {
        let text: String = value.split_whitespace().collect();
        let wrong =
            |message: String, help: &str| Err(Mistake { file: String::new(), line: 0, message, help: help.to_owned() });
        let unknown = |help: &str| wrong(format!("`{name} = {text}` is not an option of a robot file"), help);
        match (name, text.as_str()) {
            ("friction", "dry") => self.friction = Some(Friction::Dry),
            ("friction", "ignore") => self.friction = Some(Friction::Ignore),
            ("friction", other) => {
                let speed = other.strip_prefix("smooth(").and_then(|rest| rest.strip_suffix(')'));
                match speed.and_then(|speed| speed.parse().ok()).filter(|speed: &f64| speed.is_finite() && *speed > 0.0)
                {
                    Some(speed) => self.friction = Some(Friction::Smooth(speed)),
                    None => {
                        return unknown(
                            "write `friction = dry`, `friction = ignore`, or `friction = smooth(0.01)` with a positive speed",
                        );
                    }
                }
            }
            ("limits", "stops") => self.stops = true,
            ("limits", _) => return unknown("write `limits = stops`"),
            ("inertia", "as_written") => self.inertia = Some(Inertia::AsWritten),
            ("inertia", "balanced") => self.inertia = Some(Inertia::Balanced),
            ("inertia", _) => return unknown("write `inertia = as_written` or `inertia = balanced`"),
            ("base", "fixed") => self.base = Some(Base::Fixed),
            ("base", "floating") => self.base = Some(Base::Floating),
            ("base", _) => return unknown("write `base = fixed` or `base = floating`"),
            ("actuators", "ignore") => self.actuators = Some(Actuation::Ignore),
            ("actuators", "inputs") => self.actuators = Some(Actuation::Inputs),
            ("actuators", _) => return unknown("write `actuators = inputs` or `actuators = ignore`"),
            ("skip", list) => {
                let inside = list.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(list);
                for element in inside.split(',').filter(|element| !element.is_empty()) {
                    let name = element.trim_matches('"');
                    let is_name = |c: char| c.is_alphanumeric() || "_-.:".contains(c);
                    if !name.chars().all(is_name) {
                        return unknown("`skip` lists names of elements and attributes: `skip = [tendon, contact]`");
                    }
                    self.skip.push(name.to_owned());
                }
            }
            _ => {
                let names = Self::NAMES.map(|(name, _)| format!("`{name}`")).join(", ");
                return wrong(format!("unknown option `{name}`"), &format!("the options are {names}"));
            }
        }
        Ok(())
    }
}
