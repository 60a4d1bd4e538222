//! Rigid bodies that turn, coupled along chains by springs, dampers and constraints, for tests of linear algebra.
//!
//! Kernels of second derivatives are differences: both sides of a comparison take them from here.

mod body;
mod joint;

use std::borrow::Cow;

use body::Body;
use joint::Joint;
use lie_runtime::prelude::*;
use lie_runtime::system::chain::{
    ChainBlocks, ChainCoordinates, ElementCounts, ElementSystem, KindDeclaration, Layout, Part, Place, Selection, Span,
    Structure, Visitor, chain_coadjoint, chain_compose_exp, chain_description, chain_is_finite, chain_local_blocks,
    chain_local_motion, chain_log_difference, chain_tangent, chain_tangent_inverse, chain_tangent_inverse_blocks,
    chain_tangent_inverse_transpose, check_chain_length,
};
use lie_runtime::system::{ConstraintDescription, Description, MemberDescription, ModelError};

/// The chains make a ring.
pub const RING: usize = 1;
/// Joints have inertia.
pub const COUPLED: usize = 2;
/// Inertia depends on the attitude.
pub const VARYING: usize = 4;
/// The first branch is clamped, and joints do not see how their first member turns about e₁ (a row too few there).
pub const BLIND: usize = 8;

const CARD: Description = Description {
    name: "rotors",
    group: "SO(3)^N × SO(3)^M",
    dof: 0,
    members: Cow::Borrowed(&[
        MemberDescription { name: "trunk", group: "SO(3)", offset: 0, dof: 3 },
        MemberDescription { name: "branch", group: "SO(3)", offset: 0, dof: 3 },
    ]),
    constraints: Cow::Borrowed(&[
        ConstraintDescription { name: "trunk_angle", offset: 0, rows: 1, holonomic: true },
        ConstraintDescription { name: "trunk_rate", offset: 0, rows: 1, holonomic: false },
        ConstraintDescription { name: "branch_angle", offset: 0, rows: 1, holonomic: true },
        ConstraintDescription { name: "branch_rate", offset: 0, rows: 1, holonomic: false },
        ConstraintDescription { name: "junction_angle", offset: 0, rows: 1, holonomic: true },
        ConstraintDescription { name: "junction_rate", offset: 0, rows: 1, holonomic: false },
    ]),
    observables: &[],
    mass_nonzeros: 0,
    jacobian_nonzeros: 0,
    stiffness_nonzeros: 0,
    mass_is_constant: false,
    kernels: &[],
};

#[derive(Clone, Debug)]
pub struct Rotors<const FLAGS: usize> {
    structure: Structure<f64>,
    description: Description,
}

#[derive(Clone, Debug)]
pub struct Attitudes {
    pub trunk: Vec<SO3>,
    pub branch: Vec<SO3>,
}

const fn single(field: usize, part: Part) -> Selection {
    Selection { field, part }
}

impl<const FLAGS: usize> Rotors<FLAGS> {
    /// The branch goes from the middle of the trunk; of a ring it stands alone.
    pub fn new(trunk: usize, branch: usize, clamped: [bool; 2]) -> Result<Self, ModelError> {
        let kind = |selections, has_rows| KindDeclaration {
            functions: &[],
            selections,
            segments: if has_rows { &[1, 1] } else { &[] },
            holonomic: if has_rows { &[true, false] } else { &[] },
        };
        let junction: &[Selection] = if FLAGS & RING != 0 {
            const { &[single(0, Part::Last), single(0, Part::First)] }
        } else {
            const { &[single(0, Part::At(2)), single(1, Part::First)] }
        };
        let kinds = [
            kind(const { &[single(0, Part::Each)] }, false),
            kind(const { &[single(1, Part::Each)] }, false),
            kind(const { &[single(0, Part::Windows { size: 2, stride: 1 })] }, true),
            kind(const { &[single(1, Part::Windows { size: 2, stride: 1 })] }, true),
            kind(junction, true),
        ];
        let spans = vec![Span::new("trunk", 3, trunk, clamped), Span::new("branch", 3, branch, [false, false])];
        let layout = Layout::new(spans, &kinds)?;
        let functions = [(2, 0), (2, 1), (3, 0), (3, 1), (4, 0), (4, 1)];
        let counts = [ElementCounts { mass: 9, jacobian: 0, stiffness: 9 }; 5];
        let description = chain_description(&CARD, &layout, &functions, &counts);
        let mut system = Rotors { structure: Structure::new(layout), description };
        system.structure = Structure::prepared(&system)?;
        Ok(system)
    }
}

/// The step of differences.
const EPSILON: f64 = 1e-6;

/// A member of an element.
fn member<const FLAGS: usize>(kind: usize, slot: usize, place: &Place<'_>, q: &Attitudes) -> SO3 {
    let is_branch = match kind {
        1 | 3 => true,
        4 => FLAGS & RING == 0 && slot == 1,
        _ => false,
    };
    if is_branch { q.branch[place.members[slot]] } else { q.trunk[place.members[slot]] }
}

/// (f(ε d) − f(−ε d)) / 2ε.
fn rate<const D: usize, const R: usize>(
    direction: &SVector<f64, D>,
    f: impl Fn(&SVector<f64, D>) -> SVector<f64, R>,
) -> SVector<f64, R> {
    (f(&(direction * EPSILON)) - f(&(direction * -EPSILON))) / (2.0 * EPSILON)
}

/// D f(0) by rows.
fn write_derivative<const D: usize, const R: usize>(out: &mut [f64], f: impl Fn(&SVector<f64, D>) -> SVector<f64, R>) {
    for column in 0..D {
        let mut direction = SVector::<f64, D>::zeros();
        direction[column] = 1.0;
        let derivative = rate(&direction, &f);
        (0..R).for_each(|row| out[D * row + column] = derivative[row]);
    }
}

impl<const FLAGS: usize> Rotors<FLAGS> {
    fn spans(&self) -> [&Span; 2] {
        let spans = &self.structure.layout().spans;
        [&spans[0], &spans[1]]
    }
}

impl<const FLAGS: usize> ElementSystem for Rotors<FLAGS> {
    type Scalar = f64;
    type Configuration = Attitudes;
    type Dynamics = lie_runtime::system::chain::MemberByMember;

    fn structure(&self) -> &Structure<f64> {
        &self.structure
    }
    fn description(&self) -> &Description {
        &self.description
    }
    fn visit<V: Visitor<Self>>(&self, visitor: &mut V) {
        visitor.element::<Body<0>>();
        visitor.element::<Body<1>>();
        visitor.element::<Joint<2>>();
        visitor.element::<Joint<3>>();
        visitor.element::<Joint<4>>();
    }
    fn identity(&self) -> Attitudes {
        let [trunk, branch] = self.spans();
        Attitudes { trunk: vec![SO3::identity(); trunk.length], branch: vec![SO3::identity(); branch.length] }
    }
    fn check_lengths(&self, q: &Attitudes) -> Result<(), ModelError> {
        let [trunk, branch] = self.spans();
        check_chain_length(trunk, q.trunk.len())?;
        check_chain_length(branch, q.branch.len())
    }
    fn compose_exp(&self, q: &Attitudes, theta: &[f64], out: &mut Attitudes) {
        let [trunk, branch] = self.spans();
        chain_compose_exp(&q.trunk, trunk, theta, &mut out.trunk);
        chain_compose_exp(&q.branch, branch, theta, &mut out.branch);
    }
    fn log_difference(&self, from: &Attitudes, to: &Attitudes, out: &mut [f64]) {
        let [trunk, branch] = self.spans();
        chain_log_difference(&from.trunk, &to.trunk, trunk, out);
        chain_log_difference(&from.branch, &to.branch, branch, out);
    }
    fn tangent_inverse(&self, theta: &[f64], v: &[f64], out: &mut [f64]) {
        self.spans().into_iter().for_each(|span| chain_tangent_inverse::<SO3, f64, 3>(span, theta, v, out));
    }
    fn tangent(&self, theta: &[f64], v: &[f64], out: &mut [f64]) {
        self.spans().into_iter().for_each(|span| chain_tangent::<SO3, f64, 3>(span, theta, v, out));
    }
    fn tangent_inverse_blocks(&self, theta: &[f64], out: &mut [f64]) {
        let [trunk, branch] = self.spans();
        let rest = chain_tangent_inverse_blocks::<SO3, f64, 3>(trunk, theta, out);
        chain_tangent_inverse_blocks::<SO3, f64, 3>(branch, theta, rest);
    }
    fn coadjoint(&self, v: &[f64], p: &[f64], out: &mut [f64]) {
        for span in self.spans() {
            chain_coadjoint::<SO3, f64, 3>(span, v, p, out);
        }
    }
    fn tangent_inverse_transpose(&self, theta: &[f64], p: &[f64], out: &mut [f64]) {
        for span in self.spans() {
            chain_tangent_inverse_transpose::<SO3, f64, 3>(span, theta, p, out);
        }
    }
    fn local_motion(&self, at: &ChainCoordinates<'_, f64>, out: [&mut [f64]; 3]) {
        let [theta, velocity, acceleration] = out;
        for span in self.spans() {
            chain_local_motion::<SO3, f64, 3>(span, at, [&mut *theta, &mut *velocity, &mut *acceleration]);
        }
    }
    fn local_blocks(&self, at: &ChainCoordinates<'_, f64>, scales: [f64; 3], out: &mut ChainBlocks<f64>) {
        let mut start = 0;
        for span in self.spans() {
            start = chain_local_blocks::<SO3, f64, 3>(span, at, scales, out, start);
        }
    }
    fn configuration_is_finite(&self, q: &Attitudes) -> bool {
        chain_is_finite(&q.trunk) && chain_is_finite(&q.branch)
    }
}
