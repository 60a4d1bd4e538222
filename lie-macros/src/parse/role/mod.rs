//! The roles: all that is said of each before a function with it is read, in one place.
//!
//! A row of the table is a role. What its functions mean is a [`Role`] of the model, what is generated of them is derived from
//! that.

mod attribute;

pub(super) use attribute::{RawArgument, Recognised, RoleArgument, arguments, has_role, misspelt, over, recognise};

use crate::model::{ArgumentKind, Role};

/// What a role asks of what it stands on.
pub(super) struct Rules {
    /// The name users write.
    pub name: &'static str,
    /// Names that people try.
    pub synonyms: &'static [&'static str],
    /// What the attribute may be given.
    pub arguments: &'static [&'static str],
    /// How the attribute is written, where its arguments do not tell.
    pub usage: Option<&'static str>,
    /// What it stands on.
    pub on: On,
}

/// What a role stands on.
pub(super) enum On {
    /// A struct.
    Struct {
        /// What it is called in messages.
        what: &'static str,
        /// What it looks like.
        form: &'static str,
    },
    /// A function.
    Function(Signature),
}

/// What functions of a role take and return.
pub(super) struct Signature {
    /// What such a function is.
    pub means: Means,
    /// The arguments without which it makes no sense.
    pub needs: &'static [ArgumentKind],
    /// What a function of the velocity is instead, where this one is none.
    pub instead_of_velocity: Option<&'static str>,
    /// What to do instead of taking inputs, where it takes none.
    pub instead_of_inputs: Option<&'static str>,
    /// What it returns.
    pub returns: Returns,
}

/// What a function with a role is.
pub(super) enum Means {
    /// Something of the model, whatever its attribute is given.
    Known(fn() -> Role),
    /// A force, whose target is in its attribute.
    Force,
    /// Something that is read by rules of its own.
    Other,
}

/// What functions of a role return.
#[derive(Clone, Copy)]
pub(super) enum Returns {
    /// A number.
    Number,
    /// A square matrix of the size of the velocity.
    Inertia,
    /// What acts on the target.
    Force,
    /// A number or a vector.
    Rows,
    /// A velocity with named fields.
    Velocity,
    /// Anything.
    Anything,
}

impl Signature {
    /// Without needs, of anything.
    const fn new(means: Means, returns: Returns) -> Self {
        Self { means, needs: &[], instead_of_velocity: None, instead_of_inputs: None, returns }
    }
}

impl Rules {
    /// Without synonyms and arguments.
    const fn new(name: &'static str, on: On) -> Self {
        Self { name, synonyms: &[], arguments: &[], usage: None, on }
    }
}

/// The keywords and their rules.
macro_rules! roles {
    ($($keyword:ident: $rules:expr;)*) => {
        /// What a role attribute says.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(super) enum Keyword {
            $($keyword,)*
        }

        impl Keyword {
            /// All of them.
            pub fn all() -> impl Iterator<Item = Self> {
                [$(Keyword::$keyword),*].into_iter()
            }

            /// What the role asks for.
            pub fn rules(self) -> &'static Rules {
                match self {
                    $(Keyword::$keyword => {
                        const RULES: &Rules = &$rules;
                        RULES
                    })*
                }
            }
        }
    };
}

/// Terms over members say which.
const OVER: &[&str] = &["over"];

/// An inertia changes with the configuration alone.
const NO_GIVEN_INERTIA: &str = "an inertia that is set once is a parameter; a thrust or a torque is a `#[force]`";

roles! {
    Configuration: Rules {
        synonyms: &["config", "state"],
        ..Rules::new("configuration", On::Struct {
            what: "configuration",
            form: "a configuration is a struct with named fields: `struct Pose { attitude: SO3 }`",
        })
    };
    Parameters: Rules {
        synonyms: &["params"],
        ..Rules::new("parameters", On::Struct {
            what: "struct of parameters",
            form: "parameters are a struct with named fields: `struct Body { mass: f64 }`",
        })
    };
    Inputs: Rules {
        synonyms: &["controls", "control", "signals"],
        ..Rules::new("inputs", On::Struct {
            what: "struct of inputs",
            form: "inputs are a struct with named fields: `struct Inputs { torque: f64 }`",
        })
    };
    KineticEnergy: Rules {
        synonyms: &["kinetic"],
        arguments: OVER,
        ..Rules::new("kinetic_energy", On::Function(Signature {
            needs: &[ArgumentKind::Velocity],
            instead_of_inputs: Some(NO_GIVEN_INERTIA),
            ..Signature::new(Means::Known(|| Role::KineticEnergy), Returns::Number)
        }))
    };
    MassMatrix: Rules {
        synonyms: &["mass", "inertia"],
        arguments: OVER,
        ..Rules::new("mass_matrix", On::Function(Signature {
            instead_of_velocity: Some("a function of the velocity is a `#[kinetic_energy]`"),
            instead_of_inputs: Some(NO_GIVEN_INERTIA),
            ..Signature::new(Means::Known(|| Role::MassMatrix), Returns::Inertia)
        }))
    };
    Potential: Rules {
        synonyms: &["potential_energy"],
        arguments: OVER,
        ..Rules::new("potential", On::Function(Signature {
            needs: &[ArgumentKind::Configuration],
            instead_of_velocity: Some(
                "a term with the velocity belongs in `#[kinetic_energy]`, `#[dissipation]` or `#[force]`",
            ),
            ..Signature::new(Means::Known(|| Role::Potential), Returns::Number)
        }))
    };
    Dissipation: Rules {
        synonyms: &["damping", "rayleigh"],
        arguments: OVER,
        ..Rules::new("dissipation", On::Function(Signature {
            needs: &[ArgumentKind::Velocity],
            ..Signature::new(Means::Known(|| Role::Dissipation), Returns::Number)
        }))
    };
    Force: Rules {
        arguments: &["on", "at", "over"],
        usage: Some("#[force], #[force(on = field)], #[force(at = quantity)] or #[force(over = nodes.last())]"),
        ..Rules::new("force", On::Function(Signature::new(Means::Force, Returns::Force)))
    };
    Constraint: Rules {
        synonyms: &["holonomic", "holonomic_constraint"],
        arguments: OVER,
        ..Rules::new("constraint", On::Function(Signature {
            needs: &[ArgumentKind::Configuration],
            instead_of_velocity: Some("a constraint on the velocity is a `#[velocity_constraint]`"),
            ..Signature::new(Means::Known(|| Role::Constraint), Returns::Rows)
        }))
    };
    VelocityConstraint: Rules {
        synonyms: &["nonholonomic", "nonholonomic_constraint"],
        arguments: OVER,
        ..Rules::new("velocity_constraint", On::Function(Signature {
            needs: &[ArgumentKind::Velocity],
            ..Signature::new(Means::Known(|| Role::VelocityConstraint), Returns::Rows)
        }))
    };
    Observable: Rules {
        synonyms: &["output"],
        arguments: OVER,
        usage: Some("#[observable], or #[observable(over = frames.last())] with `#[kinematics]`"),
        ..Rules::new("observable", On::Function(Signature::new(Means::Known(|| Role::Observable), Returns::Anything)))
    };
    Quantity: Rules {
        arguments: OVER,
        ..Rules::new("quantity", On::Function(Signature {
            needs: &[ArgumentKind::Configuration],
            instead_of_velocity: Some("its rate is generated; a function of the velocity is an `#[observable]`"),
            instead_of_inputs: Some(
                "use the input in the force, the potential or the constraint: the rate of the quantity would depend on the rate of the input",
            ),
            ..Signature::new(Means::Known(|| Role::Quantity), Returns::Rows)
        }))
    };
    Symmetry: Rules {
        synonyms: &["noether", "invariance"],
        ..Rules::new("symmetry", On::Function(Signature {
            needs: &[ArgumentKind::Configuration],
            instead_of_velocity: Some("a symmetry depends on the configuration only"),
            instead_of_inputs: Some("what is given at run time has no symmetry that could be relied on"),
            ..Signature::new(Means::Known(|| Role::Symmetry), Returns::Velocity)
        }))
    };
    Event: Rules {
        synonyms: &["guard", "switching_function"],
        ..Rules::new("event", On::Function(Signature::new(Means::Known(|| Role::Event), Returns::Number)))
    };
    Kinematics: Rules {
        synonyms: &["frames", "frame"],
        arguments: &["over", "parents", "base", "frames"],
        usage: Some("#[kinematics(over = links)]"),
        ..Rules::new("kinematics", On::Function(Signature {
            instead_of_inputs: Some(
                "a member moves its frame: hold the member with a `#[constraint]`, or move it with a `#[force]`",
            ),
            ..Signature::new(Means::Other, Returns::Anything)
        }))
    };
    Opaque: Rules {
        arguments: &["derivative"],
        usage: Some("#[opaque] or #[opaque(derivative = function)]"),
        ..Rules::new("opaque", On::Function(Signature::new(Means::Other, Returns::Anything)))
    };
}

impl Keyword {
    /// The name users write.
    pub fn name(self) -> &'static str {
        self.rules().name
    }

    /// The role of that name.
    pub fn named(name: &str) -> Option<Self> {
        Self::all().find(|keyword| keyword.name() == name)
    }

    /// What functions with it take and return; `None` for the roles of structs.
    pub fn signature(self) -> Option<&'static Signature> {
        match &self.rules().on {
            On::Function(signature) => Some(signature),
            On::Struct { .. } => None,
        }
    }

    /// True for the roles of structs.
    pub fn is_struct(self) -> bool {
        self.signature().is_none()
    }

    /// The arguments without which functions with it make no sense.
    pub fn needs(self) -> &'static [ArgumentKind] {
        self.signature().map_or(&[], |signature| signature.needs)
    }

    /// Whether functions with it may take the velocity.
    pub fn takes_velocity(self) -> bool {
        self.signature().is_some_and(|signature| signature.instead_of_velocity.is_none())
    }

    /// Whether functions with it may take multipliers: those that are looked at along a run, where λ is known.
    pub fn takes_multipliers(self) -> bool {
        self == Keyword::Event
    }

    /// Whether functions with it may take inputs.
    pub fn takes_inputs(self) -> bool {
        self.signature().is_some_and(|signature| signature.instead_of_inputs.is_none())
    }

    /// True if one of these declares the inertia.
    pub fn is_inertia(self) -> bool {
        matches!(self, Keyword::KineticEnergy | Keyword::MassMatrix)
    }
}

#[cfg(test)]
mod tests {
    use super::Keyword;

    #[test]
    fn names_are_told_apart() {
        let mut names: Vec<&str> = Keyword::all().map(Keyword::name).collect();
        names.extend(Keyword::all().flat_map(|keyword| keyword.rules().synonyms));
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
        assert!(Keyword::all().all(|keyword| Keyword::named(keyword.name()) == Some(keyword)));
    }
}
