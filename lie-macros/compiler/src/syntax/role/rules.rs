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

impl RoleRules {
    /// A role of structs.
    const fn of_struct(name: &'static str, what: &'static str, form: &'static str) -> Self {
        Self { name, synonyms: &[], arguments: &[], usage: None, on: On::Struct { what, form } }
    }

    /// A role of functions without mandatory arguments.
    const fn of_function(name: &'static str, means: Means, returns: Returns) -> Self {
        let signature = Signature { means, needs: &[], instead_of_velocity: None, instead_of_inputs: None, returns };
        Self { name, synonyms: &[], arguments: &[], usage: None, on: On::Function(signature) }
    }

    const fn synonyms(self, synonyms: &'static [&'static str]) -> Self {
        Self { synonyms, ..self }
    }

    const fn arguments(self, arguments: &'static [&'static str]) -> Self {
        Self { arguments, ..self }
    }

    const fn usage(self, usage: &'static str) -> Self {
        Self { usage: Some(usage), ..self }
    }

    const fn needs(mut self, needs: &'static [ArgumentKind]) -> Self {
        if let On::Function(signature) = &mut self.on {
            signature.needs = needs;
        }
        self
    }

    /// Functions of the velocity are refused, with this alternative.
    const fn without_velocity(mut self, instead: &'static str) -> Self {
        if let On::Function(signature) = &mut self.on {
            signature.instead_of_velocity = Some(instead);
        }
        self
    }

    /// Inputs are refused, with this alternative.
    const fn without_inputs(mut self, instead: &'static str) -> Self {
        if let On::Function(signature) = &mut self.on {
            signature.instead_of_inputs = Some(instead);
        }
        self
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
    Configuration: RoleRules::of_struct(
        "configuration", "configuration", "write a struct with named fields: `struct Pose { attitude: SO3 }`",
    ).synonyms(&["config", "state"]);
    Parameters: RoleRules::of_struct(
        "parameters", "struct of parameters", "write a struct with named fields: `struct Body { mass: f64 }`",
    ).synonyms(&["params"]);
    Inputs: RoleRules::of_struct(
        "inputs", "struct of inputs", "write a struct with named fields: `struct Inputs { torque: f64 }`",
    ).synonyms(&["controls", "control", "signals"]);
    States: RoleRules::of_struct(
        "states", "struct of auxiliary states", "write a struct with named fields: `struct Motor { current: f64 }`",
    )
        .synonyms(&["auxiliary_states", "first_order_states"])
        .arguments(OVER)
        .usage("#[states], #[states(over = links)] or #[states(over = nodes.windows(2))]");
    KineticEnergy: RoleRules::of_function("kinetic_energy", Means::Known(|| Role::KineticEnergy), Returns::Number)
        .synonyms(&["kinetic"])
        .arguments(OVER)
        .needs(&[ArgumentKind::Velocity])
        .without_inputs(NO_GIVEN_INERTIA);
    MassMatrix: RoleRules::of_function("mass_matrix", Means::Known(|| Role::MassMatrix), Returns::Inertia)
        .synonyms(&["mass", "inertia"])
        .arguments(OVER)
        .without_velocity("use `#[kinetic_energy]` for a function of the velocity")
        .without_inputs(NO_GIVEN_INERTIA);
    Potential: RoleRules::of_function("potential", Means::Known(|| Role::Potential), Returns::Number)
        .synonyms(&["potential_energy"])
        .arguments(OVER)
        .needs(&[ArgumentKind::Configuration])
        .without_velocity("a term with the velocity belongs in `#[kinetic_energy]`, `#[dissipation]` or `#[force]`");
    Dissipation: RoleRules::of_function("dissipation", Means::Known(|| Role::Dissipation), Returns::Number)
        .synonyms(&["damping", "rayleigh"])
        .arguments(OVER)
        .needs(&[ArgumentKind::Velocity]);
    Force: RoleRules::of_function("force", Means::Force, Returns::Force)
        .arguments(&["on", "at", "over"])
        .usage("#[force], #[force(on = field)], #[force(at = quantity)] or #[force(over = nodes.last())]");
    Rate: RoleRules::of_function("rate", Means::Rate, Returns::States)
        .synonyms(&["state_equation", "state_rate"])
        .arguments(OVER);
    Constraint: RoleRules::of_function("constraint", Means::Known(|| Role::Constraint), Returns::Rows)
        .synonyms(&["holonomic", "holonomic_constraint"])
        .arguments(&["over", "active", "lower", "upper", "stop"])
        .usage("#[constraint], #[constraint(active = p.on_floor)], #[constraint(lower = p.min, upper = p.max, stop = p.stop)] or #[constraint(over = nodes.last())]")
        .needs(&[ArgumentKind::Configuration])
        .without_velocity("use `#[velocity_constraint]` for a constraint on the velocity");
    VelocityConstraint: RoleRules::of_function("velocity_constraint", Means::Known(|| Role::VelocityConstraint), Returns::Rows)
        .synonyms(&["nonholonomic", "nonholonomic_constraint"])
        .arguments(&["over", "contact", "friction", "slip", "bound", "sliding", "stribeck", "stop"])
        .usage(
            "#[velocity_constraint], #[velocity_constraint(contact = floor, friction = p.mu, slip = p.slip)] for a contact, or \
             #[velocity_constraint(bound = p.torque, slip = p.slip)] for a joint",
        )
        .needs(&[ArgumentKind::Velocity]);
    Observable: RoleRules::of_function("observable", Means::Known(|| Role::Observable), Returns::Anything)
        .synonyms(&["output"])
        .arguments(OVER)
        .usage("#[observable], or #[observable(over = frames.last())] with `#[kinematics]`");
    Quantity: RoleRules::of_function("quantity", Means::Known(|| Role::Quantity), Returns::Rows)
        .arguments(OVER)
        .needs(&[ArgumentKind::Configuration])
        .without_velocity("the rate of a quantity is generated; use `#[observable]` for another function of the velocity")
        .without_inputs("use the input in the force, the potential or the constraint: the rate of the quantity would depend on the rate of the input");
    Symmetry: RoleRules::of_function("symmetry", Means::Known(|| Role::Symmetry), Returns::Velocity)
        .synonyms(&["noether", "invariance"])
        .needs(&[ArgumentKind::Configuration])
        .without_velocity("a symmetry depends on the configuration only")
        .without_inputs("remove the argument: inputs can break the symmetry");
    Event: RoleRules::of_function("event", Means::Known(|| Role::Event), Returns::Number)
        .synonyms(&["guard", "switching_function"]);
    Kinematics: RoleRules::of_function("kinematics", Means::Other, Returns::Anything)
        .synonyms(&["frames", "frame"])
        .arguments(&["over", "parents", "base", "frames"])
        .usage("#[kinematics(over = links)]")
        .without_inputs("the member determines its frame: prescribe the member with a `#[constraint]`, or move it with a `#[force]`");
    Opaque: RoleRules::of_function("opaque", Means::Other, Returns::Anything)
        .arguments(&["derivative"])
        .usage("#[opaque] or #[opaque(derivative = function)]");
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
