//! A rod of small displacements: six components a node, a section that neither shears nor twists out of its line by two
//! constraints an edge. Its kernels cost next to nothing, so that what is measured is the assembly and the solution.

use std::borrow::Cow;

use lie_runtime::group::Rn;
use lie_runtime::system::chain::{
    Element, ElementCounts, ElementSystem, KindDeclaration, Layout, Part, Place, Selection, Span, Structure, Terms,
    Visitor, chain_compose_exp, chain_description, chain_is_finite, chain_log_difference, chain_tangent_inverse_blocks,
    check_chain_length,
};
use lie_runtime::system::{ConstraintDescription, Description, MemberDescription, ModelError};

const CARD: Description = Description {
    name: "rod",
    group: "(R⁶)^N",
    dof: 0,
    members: Cow::Borrowed(&[MemberDescription { name: "nodes", group: "R⁶", offset: 0, dof: 6 }]),
    constraints: Cow::Borrowed(&[ConstraintDescription { name: "no_shear", offset: 0, rows: 2, holonomic: true }]),
    observables: &[],
    mass_nonzeros: 0,
    jacobian_nonzeros: 0,
    stiffness_nonzeros: 0,
    mass_is_constant: true,
    kernels: &[],
};

pub type Nodes = Vec<Rn<6>>;

/// Unit masses and inertias, unit springs between all components of neighbours.
#[derive(Clone, Debug)]
pub struct Rod {
    structure: Structure<f64>,
    description: Description,
}

impl Rod {
    pub fn new(count: usize) -> Result<Self, ModelError> {
        let each =
            KindDeclaration { selections: &[Selection { field: 0, part: Part::Each }], segments: &[], holonomic: &[] };
        let edges = KindDeclaration {
            selections: &[Selection { field: 0, part: Part::Windows(2) }],
            segments: &[2],
            holonomic: &[true],
        };
        let layout = Layout::new(vec![Span::new("nodes", 6, count, [false, false])], &[each, edges])?;
        let counts = [
            ElementCounts { mass: 6, jacobian: 0, stiffness: 0 },
            ElementCounts { mass: 0, jacobian: 8, stiffness: 24 },
        ];
        let description = chain_description(&CARD, &layout, &[(1, 0)], &counts);
        let mut system = Rod { structure: Structure::new(layout), description };
        system.structure = Structure::prepared(&system)?;
        Ok(system)
    }
}

struct Node;
struct Edge;

impl Element<Rod> for Node {
    type Vector = [f64; 6];
    type Rows = [f64; 0];
    type Matrix = [f64; 36];
    type Jacobian = [f64; 0];
    const KIND: usize = 0;
    const SLOTS: &'static [usize] = &[6];
    const SEGMENTS: &'static [usize] = &[];
    const HOLONOMIC_ROWS: usize = 0;
    const TERMS: Terms =
        Terms { inertia: true, inertia_is_constant: true, force: false, stiffness: false, damping: false };

    #[inline]
    fn mass(_: &Rod, _: &Place<'_>, _: f64, _: &Nodes, out: &mut [f64; 36]) {
        *out = core::array::from_fn(|at| if at % 7 == 0 { 1.0 } else { 0.0 });
    }
    fn force(_: &Rod, _: &Place<'_>, _: f64, _: &Nodes, _: &[f64; 6], out: &mut [f64; 6]) {
        *out = [0.0; 6];
    }
    fn constraint(_: &Rod, _: &Place<'_>, _: f64, _: &Nodes, _: &mut [f64; 0]) {}
    fn constraint_jacobian(_: &Rod, _: &Place<'_>, _: f64, _: &Nodes, _: &mut [f64; 0]) {}
    fn constraint_drift(_: &Rod, _: &Place<'_>, _: f64, _: &Nodes, _: &mut [f64; 0]) {}
    fn constraint_curvature(_: &Rod, _: &Place<'_>, _: f64, _: &Nodes, _: &[f64; 6], _: &mut [f64; 0]) {}
    fn kinetic_energy(_: &Rod, _: &Place<'_>, _: f64, _: &Nodes, v: &[f64; 6]) -> f64 {
        v.iter().map(|v| 0.5 * v * v).sum()
    }
    fn potential_energy(_: &Rod, _: &Place<'_>, _: f64, _: &Nodes) -> f64 {
        0.0
    }
    #[inline]
    fn residual(
        _: &Rod,
        _: &Place<'_>,
        _: f64,
        _: &Nodes,
        _: &[f64; 6],
        acceleration: &[f64; 6],
        _: &[f64; 0],
        out: &mut [f64; 6],
    ) {
        *out = *acceleration;
    }
    fn stiffness(
        _: &Rod,
        _: &Place<'_>,
        _: f64,
        _: &Nodes,
        _: &[f64; 6],
        _: &[f64; 6],
        _: &[f64; 0],
        out: &mut [f64; 36],
    ) {
        *out = [0.0; 36];
    }
    fn damping(_: &Rod, _: &Place<'_>, _: f64, _: &Nodes, _: &[f64; 6], out: &mut [f64; 36]) {
        *out = [0.0; 36];
    }
    fn rate_gradient(_: &Rod, _: &Place<'_>, _: f64, _: &Nodes, _: &[f64; 6], _: &mut [f64; 0]) {}
}

/// The two rows: displacements across the edge against the mean turn.
const ROWS: [f64; 24] = [
    0.0, 0.5, 0.0, -1.0, 0.0, 0.0, 0.0, 0.5, 0.0, 1.0, 0.0, 0.0, //
    0.5, 0.0, 0.0, 0.0, 1.0, 0.0, 0.5, 0.0, 0.0, 0.0, -1.0, 0.0,
];

impl Element<Rod> for Edge {
    type Vector = [f64; 12];
    type Rows = [f64; 2];
    type Matrix = [f64; 144];
    type Jacobian = [f64; 24];
    const KIND: usize = 1;
    const SLOTS: &'static [usize] = &[6, 6];
    const SEGMENTS: &'static [usize] = &[2];
    const HOLONOMIC_ROWS: usize = 2;
    const TERMS: Terms =
        Terms { inertia: false, inertia_is_constant: true, force: true, stiffness: true, damping: false };

    fn mass(_: &Rod, _: &Place<'_>, _: f64, _: &Nodes, out: &mut [f64; 144]) {
        *out = [0.0; 144];
    }
    #[inline]
    fn force(_: &Rod, place: &Place<'_>, _: f64, q: &Nodes, _: &[f64; 12], out: &mut [f64; 12]) {
        let (a, b) = (&q[place.members[0]], &q[place.members[1]]);
        for i in 0..6 {
            out[i] = b[i] - a[i];
            out[i + 6] = a[i] - b[i];
        }
    }
    #[inline]
    fn constraint(_: &Rod, place: &Place<'_>, _: f64, q: &Nodes, out: &mut [f64; 2]) {
        let (a, b) = (&q[place.members[0]], &q[place.members[1]]);
        for (out, row) in out.iter_mut().zip(ROWS.chunks(12)) {
            *out = (0..6).map(|i| row[i] * a[i] + row[i + 6] * b[i]).sum();
        }
    }
    #[inline]
    fn constraint_jacobian(_: &Rod, _: &Place<'_>, _: f64, _: &Nodes, out: &mut [f64; 24]) {
        *out = ROWS;
    }
    #[inline]
    fn constraint_drift(_: &Rod, _: &Place<'_>, _: f64, _: &Nodes, out: &mut [f64; 2]) {
        *out = [0.0; 2];
    }
    #[inline]
    fn constraint_curvature(_: &Rod, _: &Place<'_>, _: f64, _: &Nodes, _: &[f64; 12], out: &mut [f64; 2]) {
        *out = [0.0; 2];
    }
    fn kinetic_energy(_: &Rod, _: &Place<'_>, _: f64, _: &Nodes, _: &[f64; 12]) -> f64 {
        0.0
    }
    fn potential_energy(_: &Rod, place: &Place<'_>, _: f64, q: &Nodes) -> f64 {
        0.5 * (q[place.members[1]] - q[place.members[0]]).norm_squared()
    }
    #[inline]
    fn residual(
        system: &Rod,
        place: &Place<'_>,
        t: f64,
        q: &Nodes,
        v: &[f64; 12],
        _: &[f64; 12],
        multipliers: &[f64; 2],
        out: &mut [f64; 12],
    ) {
        Edge::force(system, place, t, q, v, out);
        for i in 0..12 {
            out[i] = ROWS[i] * multipliers[0] + ROWS[i + 12] * multipliers[1] - out[i];
        }
    }
    #[inline]
    fn stiffness(
        _: &Rod,
        _: &Place<'_>,
        _: f64,
        _: &Nodes,
        _: &[f64; 12],
        _: &[f64; 12],
        _: &[f64; 2],
        out: &mut [f64; 144],
    ) {
        *out = [0.0; 144];
        for i in 0..6 {
            out[13 * i] = 1.0;
            out[13 * i + 78] = 1.0;
            out[13 * i + 6] = -1.0;
            out[13 * i + 72] = -1.0;
        }
    }
    fn damping(_: &Rod, _: &Place<'_>, _: f64, _: &Nodes, _: &[f64; 12], out: &mut [f64; 144]) {
        *out = [0.0; 144];
    }
    fn rate_gradient(_: &Rod, _: &Place<'_>, _: f64, _: &Nodes, _: &[f64; 12], out: &mut [f64; 24]) {
        *out = [0.0; 24];
    }
}

impl ElementSystem for Rod {
    type Scalar = f64;
    type Configuration = Nodes;

    #[inline]
    fn structure(&self) -> &Structure<f64> {
        &self.structure
    }
    fn description(&self) -> &Description {
        &self.description
    }
    #[inline]
    fn visit<V: Visitor<Self>>(&self, visitor: &mut V) {
        visitor.element::<Node>();
        visitor.element::<Edge>();
    }
    fn identity(&self) -> Nodes {
        vec![Rn::zeros(); self.structure.layout().spans[0].length]
    }
    fn check_lengths(&self, q: &Nodes) -> Result<(), ModelError> {
        check_chain_length(&self.structure.layout().spans[0], q.len())
    }
    fn compose_exp(&self, q: &Nodes, theta: &[f64], out: &mut Nodes) {
        chain_compose_exp(q, &self.structure.layout().spans[0], theta, out);
    }
    fn log_difference(&self, from: &Nodes, to: &Nodes, out: &mut [f64]) {
        chain_log_difference(from, to, &self.structure.layout().spans[0], out);
    }
    fn tangent_inverse(&self, _: &[f64], v: &[f64], out: &mut [f64]) {
        out.copy_from_slice(v);
    }
    fn tangent(&self, _: &[f64], v: &[f64], out: &mut [f64]) {
        out.copy_from_slice(v);
    }
    fn tangent_inverse_blocks(&self, theta: &[f64], out: &mut [f64]) {
        chain_tangent_inverse_blocks::<Rn<6>, f64, 6>(&self.structure.layout().spans[0], theta, out);
    }
    fn configuration_is_finite(&self, q: &Nodes) -> bool {
        chain_is_finite(q)
    }
}
