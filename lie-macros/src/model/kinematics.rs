//! Frames along a chain: xᵢ = k(xᵢ₋₁, qᵢ).

use super::{Configuration, Group, Member, Model, RoleFunction};

/// The declared recursion.
#[derive(Clone)]
pub(crate) struct Kinematics {
    /// k. Its selections are the frame above and the member.
    pub function: RoleFunction,
    /// The group of the frames.
    pub frame: Group,
    /// The chain it runs along.
    pub field: usize,
}

impl Kinematics {
    /// The frames as one more chain, for terms to run over.
    pub fn member(&self) -> Member {
        Member { name: self.function.name.clone(), group: self.frame, count: None, is_chain: true, clamped: [false; 2] }
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
    /// The small model that the recursion is a function of: the frame above, and a member.
    pub(super) fn recursion(&self, kinematics: &Kinematics) -> Model {
        let field = &self.configuration.members[kinematics.field];
        let member = |name: &str, group| Member {
            name: quote::format_ident!("{name}"),
            group,
            count: None,
            is_chain: false,
            clamped: [false; 2],
        };
        let members = vec![member("above", kinematics.frame), member("member", field.group)];
        Model {
            configuration: Configuration { item: self.configuration.item.clone(), members, connections: vec![] },
            functions: vec![kinematics.function.clone()],
            others: self.functions.clone(),
            is_part: true,
            ..self.clone()
        }
    }
}
