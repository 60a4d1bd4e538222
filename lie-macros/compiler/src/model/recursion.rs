//! The models of the recursion of frames.

use std::rc::Rc;

use super::{Configuration, FieldJoints, Group, Kinematics, Member, Model, RoleFunction};

impl Model {
    /// The model of the arguments of a joint: the parent frame, and a member.
    pub fn of_joint(&self, kinematics: &Kinematics, joint: &FieldJoints) -> Model {
        let members = [("above", kinematics.frame), ("member", self.configuration.members[joint.field].group)];
        self.recursion(&members, joint.function.clone())
    }

    /// The model of the arguments of the base.
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
            shared: Rc::clone(&self.shared),
        }
    }
}
