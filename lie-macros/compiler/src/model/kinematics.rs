//! Frames of a kinematic tree: xᵢ = k(x₋, qᵢ), with x₋ the parent of frame i.

use super::{Configuration, Group, Member, RoleFunction};

/// The declared recursion.
#[derive(Clone)]
pub(crate) struct Kinematics {
    /// The kinds of joints, at least one; the first function names the frames.
    pub joints: Vec<FieldJoints>,
    /// The group of the frames.
    pub frame: Group,
    /// The frame of the base, a function of parameters and time; `None` is the identity.
    pub base: Option<RoleFunction>,
}

/// The joints of one field, and the frames after them.
#[derive(Clone)]
pub(crate) struct FieldJoints {
    /// k. Its selections are the parent frame and the member.
    pub function: RoleFunction,
    /// The field.
    pub field: usize,
}

/// The frames of an unrolled declaration.
#[derive(Clone, Default)]
pub(crate) struct UnrolledFrames {
    pub base: Option<RoleFunction>,
    /// The function of each frame, with its parent and its joint as the element.
    pub functions: Vec<RoleFunction>,
    /// All frames, each after its parent.
    pub order: Vec<usize>,
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

    /// True for a field whose members are joints.
    pub fn follows(&self, field: usize) -> bool {
        self.joints.iter().any(|joint| joint.field == field)
    }

    /// The frames as an additional chain that terms can select.
    pub fn member(&self) -> Member {
        Member { name: self.name().clone(), group: self.frame, count: None, is_chain: true, clamped: [false; 2] }
    }
}

impl Configuration {
    /// The members that terms can select: the members of the configuration, and then the frames.
    pub fn with_frames(&self, kinematics: Option<&Kinematics>) -> Configuration {
        let mut all = self.clone();
        all.members.extend(kinematics.map(Kinematics::member));
        all
    }
}
