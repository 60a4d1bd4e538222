//! The table of roles, with the syntax rules of each.
//!
//! Each row of the table is a role. The meaning of its functions is a [`Role`] of the model, which determines the generated code.

use crate::model::{ArgumentKind, Role};

/// The rules of a role.
pub(in crate::syntax) struct RoleRules {
    /// The name of the attribute.
    pub name: &'static str,
    /// Other names that users try.
    pub synonyms: &'static [&'static str],
    /// The names of arguments of the attribute.
    pub arguments: &'static [&'static str],
    /// The form of the attribute, if its arguments do not determine it.
    pub usage: Option<&'static str>,
    /// The kind of item.
    pub on: On,
}

/// The kind of item of a role.
pub(in crate::syntax) enum On {
    /// A struct.
    Struct {
        /// The description in messages.
        what: &'static str,
        /// An example.
        form: &'static str,
    },
    /// A function.
    Function(Signature),
}

/// Arguments and return type of functions with a role.
pub(in crate::syntax) struct Signature {
    /// The meaning of such a function.
    pub means: Means,
    /// The mandatory arguments.
    pub needs: &'static [ArgumentKind],
    /// The alternative for a function of the velocity, if the role does not permit one.
    pub instead_of_velocity: Option<&'static str>,
    /// The alternative to inputs, if the role does not permit them.
    pub instead_of_inputs: Option<&'static str>,
    /// The return type.
    pub returns: Returns,
}

/// The meaning of a function with a role.
pub(in crate::syntax) enum Means {
    /// A fixed role of the model.
    Known(fn() -> Role),
    /// A force; its attribute contains the target.
    Force,
    /// The derivatives of the auxiliary states.
    Rate,
    /// A function with its own parser.
    Other,
}

/// The return type of functions with a role.
#[derive(Clone, Copy)]
pub(in crate::syntax) enum Returns {
    /// A scalar.
    Number,
    /// A square matrix of the size of the velocity.
    Inertia,
    /// A vector of the size of the target.
    Force,
    /// A scalar or a vector.
    Rows,
    /// A velocity with named fields.
    Velocity,
    /// The struct of auxiliary states.
    States,
    /// Any type.
    Anything,
}

impl Signature {
    /// A signature without mandatory arguments.
    const fn new(means: Means, returns: Returns) -> Self {
        Self { means, needs: &[], instead_of_velocity: None, instead_of_inputs: None, returns }
    }
}

impl RoleRules {
    /// Rules without synonyms and arguments.
    const fn new(name: &'static str, on: On) -> Self {
        Self { name, synonyms: &[], arguments: &[], usage: None, on }
    }
}

/// The keywords and their rules.
macro_rules! roles {
    ($($keyword:ident: $rules:expr;)*) => {
        /// The role of an attribute.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(in crate::syntax) enum Keyword {
            $($keyword,)*
        }

        impl Keyword {
            /// All keywords.
            pub fn all() -> impl Iterator<Item = Self> {
                [$(Keyword::$keyword),*].into_iter()
            }

            /// Returns the rules of the role.
            pub fn rules(self) -> &'static RoleRules {
                match self {
                    $(Keyword::$keyword => {
                        const RULES: &RoleRules = &$rules;
                        RULES
                    })*
                }
            }
        }
    };
}

/// Terms over members have a selection.
const OVER: &[&str] = &["over"];

/// The inertia depends only on the configuration.
const NO_GIVEN_INERTIA: &str = "declare a constant inertia as a parameter, and a thrust or a torque as a `#[force]`";

roles! {
    Configuration: RoleRules {
        synonyms: &["config", "state"],
        ..RoleRules::new("configuration", On::Struct {
            what: "configuration",
            form: "write a struct with named fields: `struct Pose { attitude: SO3 }`",
        })
    };
    Parameters: RoleRules {
        synonyms: &["params"],
        ..RoleRules::new("parameters", On::Struct {
            what: "struct of parameters",
            form: "write a struct with named fields: `struct Body { mass: f64 }`",
        })
    };
    Inputs: RoleRules {
        synonyms: &["controls", "control", "signals"],
        ..RoleRules::new("inputs", On::Struct {
            what: "struct of inputs",
            form: "write a struct with named fields: `struct Inputs { torque: f64 }`",
        })
    };
    States: RoleRules {
        synonyms: &["auxiliary_states", "first_order_states"],
        arguments: OVER,
        usage: Some("#[states], #[states(over = links)] or #[states(over = nodes.windows(2))]"),
        ..RoleRules::new("states", On::Struct {
            what: "struct of auxiliary states",
            form: "write a struct with named fields: `struct Motor { current: f64 }`",
        })
    };
    KineticEnergy: RoleRules {
        synonyms: &["kinetic"],
        arguments: OVER,
        ..RoleRules::new("kinetic_energy", On::Function(Signature {
            needs: &[ArgumentKind::Velocity],
            instead_of_inputs: Some(NO_GIVEN_INERTIA),
            ..Signature::new(Means::Known(|| Role::KineticEnergy), Returns::Number)
        }))
    };
    MassMatrix: RoleRules {
        synonyms: &["mass", "inertia"],
        arguments: OVER,
        ..RoleRules::new("mass_matrix", On::Function(Signature {
            instead_of_velocity: Some("use `#[kinetic_energy]` for a function of the velocity"),
            instead_of_inputs: Some(NO_GIVEN_INERTIA),
            ..Signature::new(Means::Known(|| Role::MassMatrix), Returns::Inertia)
        }))
    };
    Potential: RoleRules {
        synonyms: &["potential_energy"],
        arguments: OVER,
        ..RoleRules::new("potential", On::Function(Signature {
            needs: &[ArgumentKind::Configuration],
            instead_of_velocity: Some(
                "a term with the velocity belongs in `#[kinetic_energy]`, `#[dissipation]` or `#[force]`",
            ),
            ..Signature::new(Means::Known(|| Role::Potential), Returns::Number)
        }))
    };
    Dissipation: RoleRules {
        synonyms: &["damping", "rayleigh"],
        arguments: OVER,
        ..RoleRules::new("dissipation", On::Function(Signature {
            needs: &[ArgumentKind::Velocity],
            ..Signature::new(Means::Known(|| Role::Dissipation), Returns::Number)
        }))
    };
    Force: RoleRules {
        arguments: &["on", "at", "over"],
        usage: Some("#[force], #[force(on = field)], #[force(at = quantity)] or #[force(over = nodes.last())]"),
        ..RoleRules::new("force", On::Function(Signature::new(Means::Force, Returns::Force)))
    };
    Rate: RoleRules {
        synonyms: &["state_equation", "state_rate"],
        arguments: OVER,
        ..RoleRules::new("rate", On::Function(Signature::new(Means::Rate, Returns::States)))
    };
    Constraint: RoleRules {
        synonyms: &["holonomic", "holonomic_constraint"],
        arguments: &["over", "active", "lower", "upper", "stop"],
        usage: Some("#[constraint], #[constraint(active = p.on_floor)], #[constraint(lower = p.min, upper = p.max, stop = p.stop)] or #[constraint(over = nodes.last())]"),
        ..RoleRules::new("constraint", On::Function(Signature {
            needs: &[ArgumentKind::Configuration],
            instead_of_velocity: Some("use `#[velocity_constraint]` for a constraint on the velocity"),
            ..Signature::new(Means::Known(|| Role::Constraint), Returns::Rows)
        }))
    };
    VelocityConstraint: RoleRules {
        synonyms: &["nonholonomic", "nonholonomic_constraint"],
        arguments: &["over", "contact", "friction", "slip", "bound", "sliding", "stribeck", "stop"],
        usage: Some(
            "#[velocity_constraint], #[velocity_constraint(contact = floor, friction = p.mu, slip = p.slip)] for a contact, or \
             #[velocity_constraint(bound = p.torque, slip = p.slip)] for a joint",
        ),
        ..RoleRules::new("velocity_constraint", On::Function(Signature {
            needs: &[ArgumentKind::Velocity],
            ..Signature::new(Means::Known(|| Role::VelocityConstraint), Returns::Rows)
        }))
    };
    Observable: RoleRules {
        synonyms: &["output"],
        arguments: OVER,
        usage: Some("#[observable], or #[observable(over = frames.last())] with `#[kinematics]`"),
        ..RoleRules::new("observable", On::Function(Signature::new(Means::Known(|| Role::Observable), Returns::Anything)))
    };
    Quantity: RoleRules {
        arguments: OVER,
        ..RoleRules::new("quantity", On::Function(Signature {
            needs: &[ArgumentKind::Configuration],
            instead_of_velocity: Some("the rate of a quantity is generated; use `#[observable]` for another function of the velocity"),
            instead_of_inputs: Some(
                "use the input in the force, the potential or the constraint: the rate of the quantity would depend on the rate of the input",
            ),
            ..Signature::new(Means::Known(|| Role::Quantity), Returns::Rows)
        }))
    };
    Symmetry: RoleRules {
        synonyms: &["noether", "invariance"],
        ..RoleRules::new("symmetry", On::Function(Signature {
            needs: &[ArgumentKind::Configuration],
            instead_of_velocity: Some("a symmetry depends on the configuration only"),
            instead_of_inputs: Some("remove the argument: inputs can break the symmetry"),
            ..Signature::new(Means::Known(|| Role::Symmetry), Returns::Velocity)
        }))
    };
    Event: RoleRules {
        synonyms: &["guard", "switching_function"],
        ..RoleRules::new("event", On::Function(Signature::new(Means::Known(|| Role::Event), Returns::Number)))
    };
    Kinematics: RoleRules {
        synonyms: &["frames", "frame"],
        arguments: &["over", "parents", "base", "frames"],
        usage: Some("#[kinematics(over = links)]"),
        ..RoleRules::new("kinematics", On::Function(Signature {
            instead_of_inputs: Some(
                "the member determines its frame: prescribe the member with a `#[constraint]`, or move it with a `#[force]`",
            ),
            ..Signature::new(Means::Other, Returns::Anything)
        }))
    };
    Opaque: RoleRules {
        arguments: &["derivative"],
        usage: Some("#[opaque] or #[opaque(derivative = function)]"),
        ..RoleRules::new("opaque", On::Function(Signature::new(Means::Other, Returns::Anything)))
    };
}

impl Keyword {
    /// The name of the attribute.
    pub fn name(self) -> &'static str {
        self.rules().name
    }

    /// The role of that name.
    pub fn named(name: &str) -> Option<Self> {
        Self::all().find(|keyword| keyword.name() == name)
    }

    /// The signature of functions with the role; `None` for roles of structs.
    pub fn signature(self) -> Option<&'static Signature> {
        match &self.rules().on {
            On::Function(signature) => Some(signature),
            On::Struct { .. } => None,
        }
    }

    /// Returns true for roles of structs.
    pub fn is_struct(self) -> bool {
        self.signature().is_none()
    }

    /// The mandatory arguments of functions with the role.
    pub fn needs(self) -> &'static [ArgumentKind] {
        self.signature().map_or(&[], |signature| signature.needs)
    }

    /// Returns true if functions with the role can depend on the velocity.
    pub fn takes_velocity(self) -> bool {
        self.signature().is_some_and(|signature| signature.instead_of_velocity.is_none())
    }

    /// Returns true if functions with the role can depend on multipliers: these are known only during a run.
    pub fn takes_multipliers(self) -> bool {
        self == Keyword::Event
    }

    /// Returns true if functions with the role can depend on inputs.
    pub fn takes_inputs(self) -> bool {
        self.signature().is_some_and(|signature| signature.instead_of_inputs.is_none())
    }

    /// Returns true if functions with the role can depend on auxiliary states. Energies, constraints and quantities cannot: their time
    /// derivatives would contain z', which depends on all forces and inputs.
    pub fn takes_states(self) -> bool {
        matches!(self, Keyword::Force | Keyword::Dissipation | Keyword::Rate | Keyword::Observable | Keyword::Event)
    }

    /// Returns true for roles that declare the inertia.
    pub fn is_inertia(self) -> bool {
        matches!(self, Keyword::KineticEnergy | Keyword::MassMatrix)
    }
}

#[cfg(test)]
#[path = "../../../tests/unit/rules.rs"]
mod tests;
