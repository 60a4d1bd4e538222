//! The mechanical content of a robot file, independent of its format.

use super::frame::{Frame, Moments, Rotation, Vector};

/// A rigid body.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Inertial {
    pub mass: f64,
    pub center: Vector,
    /// About the centre of mass, in the axes of the link.
    pub moments: Moments,
    /// The fraction of the weight that is compensated (`gravcomp`).
    pub compensation: f64,
    /// The line of the element that gives the moments.
    pub line: u32,
}

/// A link and its attachment to its parent.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Link {
    /// The name in Rust.
    pub name: String,
    pub line: u32,
    pub inertial: Option<Inertial>,
    /// `None` for the root.
    pub above: Option<Above>,
    /// The initial pose of a link with a floating joint.
    pub start: Option<Frame>,
}

/// The attachment of a link to its parent.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Above {
    /// The index of the parent in the list of links.
    pub parent: usize,
    /// The pose in the frame of the parent, with all joints at their reference values.
    pub place: Frame,
    /// From the parent to the link; empty for a fixed link.
    pub joints: Vec<Joint>,
}

/// The type of a joint. Axes have length one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Motion {
    Hinge(Vector),
    Slide(Vector),
    Ball,
    Planar(Vector),
    Floating,
}

impl Motion {
    /// Returns true if the coordinate is a scalar.
    pub fn is_number(self) -> bool {
        matches!(self, Self::Hinge(_) | Self::Slide(_))
    }

    /// The number of velocity components.
    pub fn dimension(self) -> usize {
        match self {
            Self::Hinge(_) | Self::Slide(_) => 1,
            Self::Ball | Self::Planar(_) => 3,
            Self::Floating => 6,
        }
    }
}

/// A joint coordinate as a linear function of the coordinate of another joint.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Mimic {
    pub joint: String,
    pub multiplier: f64,
    pub offset: f64,
}

/// The value of a coordinate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Coordinate {
    /// An angle or a length.
    Number(f64),
    Rotation(Rotation),
    Pose(Frame),
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Joint {
    /// The name in Rust.
    pub name: String,
    /// The name in the file.
    pub written: String,
    pub line: u32,
    pub motion: Motion,
    /// The point that a rotation of the joint leaves in place.
    pub anchor: Vector,
    /// The value of the coordinate with the link at its pose in the file.
    pub reference: f64,
    /// The value in the reference configuration of the file; `None` for `reference`, the identity, or the initial pose of the link.
    pub initial: Option<Coordinate>,
    pub damping: f64,
    /// The limit of dry (Coulomb) friction: a moment or a force.
    pub friction: f64,
    pub stiffness: f64,
    /// The coordinate at which the spring is unstressed.
    pub ease: f64,
    /// The inertia of the rotor, reflected to the joint.
    pub armature: f64,
    /// Lower and upper limit.
    pub limits: Option<[f64; 2]>,
    pub effort: Option<f64>,
    /// The limits of the sum of the forces of actuators (`actuatorfrcrange`).
    pub actuation_limits: Option<[f64; 2]>,
    pub speed: Option<f64>,
    pub mimic: Option<Mimic>,
}

impl Joint {
    pub fn new(name: String, line: u32, motion: Motion) -> Self {
        Self {
            written: name.clone(),
            name,
            line,
            motion,
            anchor: [0.0; 3],
            reference: 0.0,
            initial: None,
            damping: 0.0,
            friction: 0.0,
            stiffness: 0.0,
            ease: 0.0,
            armature: 0.0,
            limits: None,
            effort: None,
            actuation_limits: None,
            speed: None,
            mimic: None,
        }
    }
}

/// The condition that closes a loop.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Closure {
    /// A common point, in the frame of each link.
    Point(Vector, Vector),
    /// A fixed pose of the second link in the frame of the first.
    Pose(Frame),
}

/// A loop closure between two links, by their indices.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Loop {
    pub name: String,
    pub line: u32,
    pub links: [usize; 2],
    pub closure: Closure,
}

/// A polynomial relation y − y₀ = a₀ + a₁ (x − x₀) + a₂ (x − x₀)² + … between two joint coordinates; y = y₀ + a₀ without a second joint.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Relation {
    pub name: String,
    pub line: u32,
    /// The joint with the coordinate y, and y₀.
    pub joint: (String, f64),
    /// The joint with the coordinate x, and x₀.
    pub followed: Option<(String, f64)>,
    pub coefficients: Vec<f64>,
}

/// The input of the force law of an actuator.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Activation {
    /// The control u.
    Control,
    /// A state z with z' = u.
    Integrator,
    /// A state z with z' = (u − z) / τ and the time constant τ.
    Filter(f64),
}

/// The coordinates that an actuator acts on.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Transmission {
    /// The length is a sum of joint coordinates with these factors.
    Joints(Vec<(String, f64)>),
    /// The moment and the force on a link for a unit force of the actuator, in the frame of the link.
    Wrench(usize, [Vector; 2]),
}

/// An actuator with the force gain · input + bias. Gain and bias are linear functions of the length l and of its rate: a₀ + a₁ l + a₂ l'.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Actuator {
    /// The name in Rust.
    pub name: String,
    pub line: u32,
    pub transmission: Transmission,
    pub activation: Activation,
    pub gain: [f64; 3],
    pub bias: [f64; 3],
    pub control_limits: Option<[f64; 2]>,
    pub force_limits: Option<[f64; 2]>,
}

/// A named configuration.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Keyframe {
    /// The name in Rust.
    pub name: String,
    /// The name in the file.
    pub written: String,
    pub line: u32,
    /// The coordinates of all joints in order; `None` at the reference value.
    pub values: Vec<Option<Coordinate>>,
    /// The largest remaining gap of a loop.
    pub gap: f64,
}

/// A robot. Each link comes after its parent in the list.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Robot {
    pub name: String,
    pub gravity: Vector,
    pub links: Vec<Link>,
    pub loops: Vec<Loop>,
    pub relations: Vec<Relation>,
    pub actuators: Vec<Actuator>,
    pub keyframes: Vec<Keyframe>,
    /// The largest remaining gap of a loop in the reference configuration.
    pub gap: f64,
    /// The parts of the file that the declaration does not contain, one phrase for each.
    pub skipped: Vec<String>,
    /// Assumptions that change the motion and that an option confirms or replaces.
    pub warnings: Vec<String>,
}

impl Robot {
    pub fn joints(&self) -> impl Iterator<Item = &Joint> {
        self.links.iter().filter_map(|link| link.above.as_ref()).flat_map(|above| &above.joints)
    }

    pub fn joints_mut(&mut self) -> impl Iterator<Item = &mut Joint> {
        self.links.iter_mut().filter_map(|link| link.above.as_mut()).flat_map(|above| &mut above.joints)
    }

    /// Returns for each link whether a joint moves it.
    pub fn moves(&self) -> Vec<bool> {
        let mut moves: Vec<bool> = vec![];
        for link in &self.links {
            moves.push(link.above.as_ref().is_some_and(|above| moves[above.parent] || !above.joints.is_empty()));
        }
        moves
    }

    /// Attaches the root by a floating joint to a new link `world`.
    pub fn attach_floating_base(&mut self) {
        let free = |names: [&str; 3], taken: &dyn Fn(&str) -> bool| {
            names.into_iter().find(|name| !taken(name)).unwrap_or(names[0]).to_owned()
        };
        let world =
            free(["world", "ground", "inertial_frame"], &|name| self.links.iter().any(|link| link.name == name));
        let base = free(["base", "floating_base", "free_base"], &|name| self.joints().any(|joint| joint.name == name));
        let line = self.links[0].line;
        for above in self.links.iter_mut().filter_map(|link| link.above.as_mut()) {
            above.parent += 1;
        }
        for place in self.loops.iter_mut().flat_map(|closed| &mut closed.links) {
            *place += 1;
        }
        let joint = Joint::new(base, line, Motion::Floating);
        self.links[0].above = Some(Above { parent: 0, place: Frame::IDENTITY, joints: vec![joint] });
        self.links.insert(0, Link { name: world, line, inertial: None, above: None, start: None });
    }
}
