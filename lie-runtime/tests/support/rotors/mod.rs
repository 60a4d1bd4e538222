//! Rigid bodies that turn, coupled along chains by springs, dampers and constraints, for tests of linear algebra.
//!
//! Kernels of second derivatives are differences: both sides of a comparison take them from here.

mod body;
mod joint;

use std::borrow::Cow;

use body::Body;
use joint::Joint;
use lie_runtime::nalgebra::SVector;
use lie_runtime::prelude::*;
use lie_runtime::space::{ChainSpace, EachField, Field, Fields, Span};
use lie_runtime::system::chain::{
    ElementAssembly, ElementCounts, ElementDeclaration, ElementLocation, ElementSystem, ElementVisitor, Layout,
    MemberRange, Selection, Structure, chain_description,
};
use lie_runtime::system::{Assembled, ConstraintDescription, Description, MemberDescription, ModelError};

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
        ConstraintDescription {
            name: "trunk_angle",
            offset: 0,
            rows: 1,
            rows_of_element: None,
            holonomic: true,
            jumps: false,
        },
        ConstraintDescription {
            name: "trunk_rate",
            offset: 0,
            rows: 1,
            rows_of_element: None,
            holonomic: false,
            jumps: false,
        },
        ConstraintDescription {
            name: "branch_angle",
            offset: 0,
            rows: 1,
            rows_of_element: None,
            holonomic: true,
            jumps: false,
        },
        ConstraintDescription {
            name: "branch_rate",
            offset: 0,
            rows: 1,
            rows_of_element: None,
            holonomic: false,
            jumps: false,
        },
        ConstraintDescription {
            name: "junction_angle",
            offset: 0,
            rows: 1,
            rows_of_element: None,
            holonomic: true,
            jumps: false,
        },
        ConstraintDescription {
            name: "junction_rate",
            offset: 0,
            rows: 1,
            rows_of_element: None,
            holonomic: false,
            jumps: false,
        },
    ]),
    observables: &[],
    symmetries: &[],
    events: &[],
    ignored: &[],
    documentation: Cow::Borrowed(&[]),
    mass_nonzeros: 0,
    jacobian_nonzeros: 0,
    stiffness_nonzeros: 0,
    mass_is_constant: false,
    forces_depend_on_velocity: true,
    conserves_energy: false,
    never_gains_energy: false,
    states: 0,
    potential_jumps: false,
    kernels: &[],
};

#[derive(Clone, Debug)]
pub struct Rotors<const FLAGS: usize> {
    space: ChainSpace<Attitudes>,
    structure: Structure<f64>,
    description: Description,
}

#[derive(Clone, Debug)]
pub struct Attitudes {
    pub trunk: Vec<SO3>,
    pub branch: Vec<SO3>,
}

impl Fields for Attitudes {
    type Scalar = f64;
    fn visit<V: EachField<Self>>(visitor: &mut V) {
        visitor.field::<0, 3>();
        visitor.field::<1, 3>();
    }
    fn origins(spans: &[Span]) -> Self {
        let [trunk, branch] = [0, 1].map(|field: usize| vec![SO3::identity(); spans[field].length]);
        Attitudes { trunk, branch }
    }
}

impl Field<0, 3> for Attitudes {
    type Group = SO3;
    const IS_ONE: bool = false;
    fn members(&self) -> &[SO3] {
        &self.trunk
    }
    fn members_mut(&mut self) -> &mut [SO3] {
        &mut self.trunk
    }
}

impl Field<1, 3> for Attitudes {
    type Group = SO3;
    const IS_ONE: bool = false;
    fn members(&self) -> &[SO3] {
        &self.branch
    }
    fn members_mut(&mut self) -> &mut [SO3] {
        &mut self.branch
    }
}

const fn single(field: usize, part: MemberRange) -> Selection {
    Selection { field, part }
}

impl<const FLAGS: usize> Rotors<FLAGS> {
    /// The branch goes from the middle of the trunk; of a ring it stands alone.
    pub fn new(trunk: usize, branch: usize, clamped: [bool; 2]) -> Result<Self, ModelError> {
        let kind = |selections, has_rows| ElementDeclaration {
            functions: &[],
            selections,
            segments: if has_rows { &[1, 1] } else { &[] },
            holonomic: if has_rows { &[true, false] } else { &[] },
        };
        let junction: &[Selection] = if FLAGS & RING != 0 {
            const { &[single(0, MemberRange::Last), single(0, MemberRange::First)] }
        } else {
            const { &[single(0, MemberRange::At(2)), single(1, MemberRange::First)] }
        };
        let kinds = [
            kind(const { &[single(0, MemberRange::Each)] }, false),
            kind(const { &[single(1, MemberRange::Each)] }, false),
            kind(const { &[single(0, MemberRange::Windows { size: 2, stride: 1 })] }, true),
            kind(const { &[single(1, MemberRange::Windows { size: 2, stride: 1 })] }, true),
            kind(junction, true),
        ];
        let spans = vec![Span::new("trunk", 3, trunk, clamped), Span::new("branch", 3, branch, [false, false])];
        let layout = Layout::new(spans, &kinds, &[])?;
        let functions = [(2, 0), (2, 1), (3, 0), (3, 1), (4, 0), (4, 1)];
        let counts = [ElementCounts { mass: 9, jacobian: 0, stiffness: 9 }; 5];
        let description = chain_description(&CARD, &layout, &functions, &counts);
        let space = ChainSpace::new(layout.spans.iter().cloned());
        let mut system = Rotors { space, structure: Structure::new(layout), description };
        system.structure = Structure::prepared(&system)?;
        Ok(system)
    }
}

/// The step of differences.
const EPSILON: f64 = 1e-6;

/// A member of an element.
fn member<const FLAGS: usize>(kind: usize, slot: usize, place: &ElementLocation<'_>, q: &Attitudes) -> SO3 {
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

impl<const FLAGS: usize> Assembled for Rotors<FLAGS> {
    type Scalar = f64;
    type Configuration = Attitudes;
    type Assembly = ElementAssembly;

    fn description(&self) -> &Description {
        &self.description
    }
}

impl<const FLAGS: usize> ElementSystem for Rotors<FLAGS> {
    type Dynamics = lie_runtime::system::chain::ElementDynamics;

    fn chain_space(&self) -> &ChainSpace<Attitudes> {
        &self.space
    }
    fn structure(&self) -> &Structure<f64> {
        &self.structure
    }
    fn visit<V: ElementVisitor<Self>>(&self, visitor: &mut V) {
        visitor.element::<Body<0>>();
        visitor.element::<Body<1>>();
        visitor.element::<Joint<2>>();
        visitor.element::<Joint<3>>();
        visitor.element::<Joint<4>>();
    }
}
