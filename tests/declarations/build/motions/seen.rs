//! Smooth functions of the arguments of a term, as text.

use crate::random::Random;

/// The observed values of elements of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    Number,
    Vector,
    PlaneTurn,
    Turn,
    PlanePose,
    Pose,
    Direction,
}

/// A group that members are of.
#[derive(Clone, Copy, Debug)]
pub struct Group {
    pub name: &'static str,
    pub dimension: usize,
    pub form: Form,
}

const fn group(name: &'static str, dimension: usize, form: Form) -> Group {
    Group { name, dimension, form }
}

pub const GROUPS: [Group; 13] = [
    group("f64", 1, Form::Number),
    group("R2", 2, Form::Vector),
    group("R3", 3, Form::Vector),
    group("SO2", 1, Form::PlaneTurn),
    group("SO3", 3, Form::Turn),
    group("S3", 3, Form::Turn),
    group("SE2", 3, Form::PlanePose),
    group("SE3", 6, Form::Pose),
    group("S3R3", 6, Form::Pose),
    group("DQ", 6, Form::Pose),
    group("SO3xR3", 6, Form::Pose),
    group("S3xR3", 6, Form::Pose),
    group("S2", 3, Form::Direction),
];

impl Group {
    pub fn named(name: &str) -> Group {
        *GROUPS.iter().find(|group| group.name == name).expect("the group is in the list")
    }

    /// True if its velocity is a number.
    pub fn turns_by_a_number(self) -> bool {
        self.dimension == 1
    }

    /// The type of its velocity.
    pub fn velocity(self) -> String {
        if self.turns_by_a_number() { "f64".to_owned() } else { vector(self.dimension) }
    }

    /// An element, made of the numbers that calls of `r` give.
    pub fn element(self) -> String {
        let numbers = vec!["r()"; self.dimension].join(", ");
        match self.form {
            Form::Number => "r()".to_owned(),
            Form::PlaneTurn => "SO2::from_angle(r())".to_owned(),
            Form::Vector => format!("Vector{}::new({numbers})", self.dimension),
            Form::Direction => format!("S2::new(Vector3::new({numbers})).expect(\"it is not zero\")"),
            _ => format!("{}::exp(&Vector{}::new({numbers}))", self.name, self.dimension),
        }
    }

    /// The product of a covector and a velocity.
    pub fn pairing(self, force: &str, velocity: &str) -> String {
        if self.turns_by_a_number() { format!("{force} * {velocity}") } else { format!("{force}.dot(&{velocity})") }
    }
}

pub fn vector(dimension: usize) -> String {
    format!("Vector{dimension}<f64>")
}

/// A number between −1 and 1 that is not small.
pub fn number(random: &mut Random) -> String {
    let sign = if random.in_one_of(2) { "-" } else { "" };
    format!("({sign}0.{})", 2 + random.below(8))
}

pub fn constant(random: &mut Random, dimension: usize) -> String {
    let numbers: Vec<String> = (0..dimension).map(|_| number(random)).collect();
    format!("Vector{dimension}::new({})", numbers.join(", "))
}

/// A member, and the text of its value and velocity. The velocity of a direction is the velocity of its vector.
#[derive(Clone, Debug)]
pub struct Seen {
    pub group: Group,
    pub place: String,
    pub velocity: String,
}

/// The members that a term sees, and whether it sees the time.
#[derive(Clone, Debug)]
pub struct View {
    pub members: Vec<Seen>,
    pub has_time: bool,
}

impl View {
    pub fn of(members: impl Into<Vec<Seen>>) -> View {
        View { members: members.into(), has_time: true }
    }

    pub fn without_time(&self) -> View {
        View { has_time: false, ..self.clone() }
    }

    pub fn dimension(&self) -> usize {
        self.members.iter().map(|seen| seen.group.dimension).sum()
    }

    /// A number that changes with a member.
    pub fn coordinate(&self, random: &mut Random) -> String {
        let Seen { group, place, .. } = random.one(&self.members);
        let (group, place) = (*group, place.clone());
        let axis = *random.one(&["x", "y", "z"]);
        let flat = *random.one(&["x", "y"]);
        match group.form {
            Form::Number => place,
            Form::Vector => format!("{place}[{}]", random.below(group.dimension)),
            Form::PlaneTurn | Form::PlanePose => format!("({place} * {}).{flat}", constant(random, 2)),
            Form::Turn if random.in_one_of(2) => format!("({place}.inverse() * {}).{axis}", constant(random, 3)),
            Form::Pose if random.in_one_of(2) => format!("({place}.rotation() * {}).{axis}", constant(random, 3)),
            Form::Turn | Form::Pose => format!("({place} * {}).{axis}", constant(random, 3)),
            Form::Direction => format!("{place}.direction().{axis}"),
        }
    }

    /// A component of a velocity.
    pub fn rate(&self, random: &mut Random) -> String {
        let Seen { group, velocity, .. } = random.one(&self.members);
        let (group, velocity) = (*group, velocity.clone());
        if group.turns_by_a_number() { velocity } else { format!("{velocity}[{}]", random.below(group.dimension)) }
    }

    pub fn smooth(&self, random: &mut Random) -> String {
        let x = self.coordinate(random);
        match random.below(if self.has_time { 6 } else { 5 }) {
            0 => format!("({x}).sin()"),
            1 => format!("({x}) * {}", self.coordinate(random)),
            2 => format!("({} * {x} + {}).cos()", number(random), number(random)),
            3 => format!("({x}).powi(2)"),
            4 => x,
            _ => format!("({x} + 2.0 * t).sin()"),
        }
    }

    /// A function of first degree in the velocities.
    pub fn linear(&self, random: &mut Random) -> String {
        let mut term = || format!("{} * ({} + 1.5) * {}", number(random), self.smooth(random), self.rate(random));
        [term(), term()].join(" + ")
    }

    /// A component of a force.
    pub fn force(&self, random: &mut Random) -> String {
        let (a, b) = (number(random), number(random));
        match random.below(3) {
            0 => format!("{a} * {} + {b} * {}", self.smooth(random), self.rate(random)),
            1 => format!("{a} * {} * {}", self.smooth(random), self.rate(random)),
            _ => format!("{a} * ({}).powi(2) * {}", self.rate(random), self.smooth(random)),
        }
    }

    /// A force on a member of the group.
    pub fn force_on(&self, random: &mut Random, group: Group) -> String {
        if group.turns_by_a_number() { self.force(random) } else { self.vector(random, group.dimension, View::force) }
    }

    pub fn vector(
        &self,
        random: &mut Random,
        dimension: usize,
        mut component: impl FnMut(&View, &mut Random) -> String,
    ) -> String {
        let components: Vec<String> = (0..dimension).map(|_| component(self, random)).collect();
        format!("Vector{dimension}::new({})", components.join(", "))
    }

    /// A function that is zero along a motion that starts at this level: the level drifts with time.
    pub fn closure(&self, random: &mut Random, level: usize) -> String {
        let mut x = || self.coordinate(random);
        format!("{} + {} * {} + {} - data.levels[{level}] + 0.1 * t * t", x(), x(), x(), x())
    }
}
