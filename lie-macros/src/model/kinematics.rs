//! Frames along a tree of joints: xᵢ = k(x₋, qᵢ), with x₋ the frame that frame i hangs on.

use super::{Configuration, Group, Member, Model, RoleFunction};

/// The declared recursion.
#[derive(Clone)]
pub(crate) struct Kinematics {
    /// What each kind of joints does, at least one; the first function names the frames.
    pub joints: Vec<Joint>,
    /// The group of the frames.
    pub frame: Group,
    /// What roots hang on, a function of parameters and time; without it the identity.
    pub base: Option<RoleFunction>,
}

/// The joints of one field, and the frames that follow them.
#[derive(Clone)]
pub(crate) struct Joint {
    /// k. Its selections are the frame above and the member.
    pub function: RoleFunction,
    /// The field.
    pub field: usize,
}

impl Kinematics {
    /// The name of the frames.
    pub fn name(&self) -> &syn::Ident {
        &self.joints[0].function.name
    }

    /// All functions.
    pub fn functions(&self) -> impl Iterator<Item = &RoleFunction> {
        self.joints.iter().map(|joint| &joint.function)
    }

    /// True of a field whose members are joints.
    pub fn follows(&self, field: usize) -> bool {
        self.joints.iter().any(|joint| joint.field == field)
    }

    /// The frames as one more chain, for terms to run over.
    pub fn member(&self) -> Member {
        Member { name: self.name().clone(), group: self.frame, count: None, is_chain: true, clamped: [false; 2] }
    }
}

impl Configuration {
    /// What terms may run over: the members, and after them the frames.
    pub fn with_frames(&self, kinematics: Option<&Kinematics>) -> Configuration {
        let mut all = self.clone();
        all.members.extend(kinematics.map(Kinematics::member));
        all
    }
}

impl Model {
    /// The small model that the recursion of a kind of joints is a function of: the frame above, and a member.
    pub fn of_joint(&self, kinematics: &Kinematics, joint: &Joint) -> Model {
        let members = [("above", kinematics.frame), ("member", self.configuration.members[joint.field].group)];
        self.recursion(&members, joint.function.clone())
    }

    /// The small model that the base is a function of.
    pub fn of_base(&self, base: &RoleFunction) -> Model {
        self.recursion(&[], base.clone())
    }

    fn recursion(&self, members: &[(&str, Group)], function: RoleFunction) -> Model {
        let members = members
            .iter()
            .map(|&(name, group)| Member {
                name: quote::format_ident!("{name}"),
                group,
                count: None,
                is_chain: false,
                clamped: [false; 2],
            })
            .collect();
        Model {
            configuration: Configuration::of(self.configuration.item.clone(), members),
            functions: vec![function],
            others: self.functions.clone(),
            is_part: true,
            ..self.clone()
        }
    }
}
