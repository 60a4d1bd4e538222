//! Point masses in space on a chain of springs or of rigid links, as elements.

use std::borrow::Cow;

use lie_runtime::group::Rn;
use lie_runtime::scalar::Scalar;
use lie_runtime::space::{ChainSpace, Span};
use lie_runtime::system::chain::{
    Connections, ElementAssembly, ElementCounts, ElementDeclaration, ElementLocation, ElementSystem, ElementVisitor,
    Layout, MemberRange, Selection, Structure, chain_description,
};
use lie_runtime::system::{
    Assembled, ConstraintDescription, Contributions, Description, MemberDescription, ModelError, Term,
};

const CARD: Description = Description {
    name: "particles",
    group: "(R³)^N",
    dof: 0,
    members: Cow::Borrowed(&[MemberDescription { name: "nodes", group: "R³", offset: 0, dof: 3 }]),
    constraints: Cow::Borrowed(&[ConstraintDescription {
        name: "length",
        offset: 0,
        rows: 1,
        rows_of_element: None,
        holonomic: true,
        jumps: false,
    }]),
    observables: &[],
    symmetries: &[],
    events: &[],
    ignored: &[],
    documentation: Cow::Borrowed(&[]),
    mass_nonzeros: 0,
    jacobian_nonzeros: 0,
    stiffness_nonzeros: 0,
    mass_is_constant: true,
    forces_depend_on_velocity: true,
    conserves_energy: false,
    never_gains_energy: false,
    states: 0,
    potential_jumps: false,
    kernels: &[],
};

/// Point masses of 1 with gravity along −z, joined by springs or by links of length 1.
///
/// The masses are consistent masses of linear finite elements if `CONSISTENT` is set.
#[derive(Clone, Debug)]
pub struct Particles<S: Scalar, const RIGID: bool, const CONSISTENT: bool> {
    pub gravity: S,
    pub stiffness: S,
    space: ChainSpace<Nodes<S>>,
    structure: Structure<S>,
    description: Description,
}

type Nodes<S> = Vec<Rn<3, S>>;

impl<S: Scalar, const RIGID: bool, const CONSISTENT: bool> Particles<S, RIGID, CONSISTENT> {
    /// A chain.
    pub fn new(count: usize, clamped: [bool; 2], stiffness: S, gravity: S) -> Result<Self, ModelError> {
        let neighbours = const { &[Selection { field: 0, part: MemberRange::Windows { size: 2, stride: 1 } }] };
        let spans = vec![Span::new("nodes", 3, count, clamped)];
        Self::laid_out(Layout::new(spans, &Self::kinds(neighbours), &[])?, stiffness, gravity)
    }

    /// Any graph: pairs of nodes that a spring or a link joins.
    pub fn net(
        count: usize,
        clamped: [bool; 2],
        pairs: &[[usize; 2]],
        stiffness: S,
        gravity: S,
    ) -> Result<Self, ModelError> {
        let spans = vec![Span::new("nodes", 3, count, clamped)];
        let listed = const { &[Selection { field: 0, part: MemberRange::Listed(0) }; 2] };
        let lists = [Connections { name: "pairs", members: pairs.as_flattened() }];
        Self::laid_out(Layout::new(spans, &Self::kinds(listed), &lists)?, stiffness, gravity)
    }

    fn kinds(joined: &'static [Selection]) -> [ElementDeclaration; 2] {
        [
            ElementDeclaration {
                functions: &["kinetic"],
                selections: &[Selection { field: 0, part: MemberRange::Each }],
                segments: &[],
                holonomic: &[],
            },
            ElementDeclaration {
                functions: if RIGID { &["link"] } else { &["spring"] },
                selections: joined,
                segments: if RIGID { &[1] } else { &[] },
                holonomic: if RIGID { &[true] } else { &[] },
            },
        ]
    }

    fn laid_out(layout: Layout, stiffness: S, gravity: S) -> Result<Self, ModelError> {
        let functions: &[(usize, usize)] = if RIGID { &[(1, 0)] } else { &[] };
        let counts = [
            ElementCounts { mass: 3, jacobian: 0, stiffness: 0 },
            ElementCounts { mass: 0, jacobian: 6, stiffness: 36 },
        ];
        let description = chain_description(&CARD, &layout, functions, &counts);
        let space = ChainSpace::new(layout.spans.iter().cloned());
        let mut system = Particles { gravity, stiffness, space, structure: Structure::new(layout), description };
        system.structure = Structure::prepared(&system)?;
        Ok(system)
    }

    fn number(x: f64) -> S {
        S::from_f64(x)
    }
}

/// A point mass.
struct Mass;
/// A spring or a link, and the mass between two nodes.
struct Link;

type System<S, const RIGID: bool, const CONSISTENT: bool> = Particles<S, RIGID, CONSISTENT>;

impl<S: Scalar, const RIGID: bool, const CONSISTENT: bool> Term<System<S, RIGID, CONSISTENT>> for Mass {
    type Vector = [S; 3];
    type Rows = [S; 0];
    type Matrix = [S; 9];
    type Jacobian = [S; 0];
    const KIND: usize = 0;
    const SLOTS: &'static [usize] = &[3];
    const SEGMENTS: &'static [usize] = &[];
    const HOLONOMIC_ROWS: usize = 0;
    const CONTRIBUTIONS: Contributions = Contributions {
        inertia: !CONSISTENT,
        inertia_is_constant: true,
        force: true,
        stiffness: false,
        damping: false,
    };

    without_constraints!(System<S, RIGID, CONSISTENT>, S, Nodes<S>, 3);

    fn mass_matrix(_: &System<S, RIGID, CONSISTENT>, _: &ElementLocation<'_>, _: S, _: &Nodes<S>, out: &mut [S; 9]) {
        *out = core::array::from_fn(|at| if at % 4 == 0 && !CONSISTENT { S::one() } else { S::zero() });
    }
    fn force(
        system: &System<S, RIGID, CONSISTENT>,
        _: &ElementLocation<'_>,
        _: S,
        _: &Nodes<S>,
        _: &[S; 3],
        out: &mut [S; 3],
    ) {
        *out = [S::zero(), S::zero(), -system.gravity];
    }
    fn kinetic_energy(_: &System<S, RIGID, CONSISTENT>, _: &ElementLocation<'_>, _: S, _: &Nodes<S>, v: &[S; 3]) -> S {
        Particles::<S, RIGID, CONSISTENT>::number(0.5) * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2])
    }
    fn potential_energy(system: &System<S, RIGID, CONSISTENT>, place: &ElementLocation<'_>, _: S, q: &Nodes<S>) -> S {
        system.gravity * q[place.members[0]][2]
    }
    fn residual(
        system: &System<S, RIGID, CONSISTENT>,
        place: &ElementLocation<'_>,
        t: S,
        q: &Nodes<S>,
        v: &[S; 3],
        acceleration: &[S; 3],
        _: &[S; 0],
        out: &mut [S; 3],
    ) {
        Self::force(system, place, t, q, v, out);
        for (out, &acceleration) in out.iter_mut().zip(acceleration) {
            *out = if CONSISTENT { -*out } else { acceleration - *out };
        }
    }
    fn tangent_stiffness(
        _: &System<S, RIGID, CONSISTENT>,
        _: &ElementLocation<'_>,
        _: S,
        _: &Nodes<S>,
        _: &[S; 3],
        _: &[S; 3],
        _: &[S; 0],
        out: &mut [S; 9],
    ) {
        *out = [S::zero(); 9];
    }
    fn tangent_damping(
        _: &System<S, RIGID, CONSISTENT>,
        _: &ElementLocation<'_>,
        _: S,
        _: &Nodes<S>,
        _: &[S; 3],
        out: &mut [S; 9],
    ) {
        *out = [S::zero(); 9];
    }
}

impl<S: Scalar, const RIGID: bool, const CONSISTENT: bool> Term<System<S, RIGID, CONSISTENT>> for Link {
    type Vector = [S; 6];
    type Rows = [S; 1];
    type Matrix = [S; 36];
    type Jacobian = [S; 6];
    const KIND: usize = 1;
    const SLOTS: &'static [usize] = &[3, 3];
    const SEGMENTS: &'static [usize] = if RIGID { &[1] } else { &[] };
    const HOLONOMIC_ROWS: usize = if RIGID { 1 } else { 0 };
    const CONTRIBUTIONS: Contributions = Contributions {
        inertia: CONSISTENT,
        inertia_is_constant: true,
        force: !RIGID,
        stiffness: true,
        damping: false,
    };

    fn mass_matrix(_: &System<S, RIGID, CONSISTENT>, _: &ElementLocation<'_>, _: S, _: &Nodes<S>, out: &mut [S; 36]) {
        *out = core::array::from_fn(|at| {
            let (row, column) = (at / 6, at % 6);
            let share = if row == column { 2.0 } else { 1.0 };
            S::from_f64(if row % 3 == column % 3 { share / 6.0 } else { 0.0 })
        });
    }
    fn force(
        system: &System<S, RIGID, CONSISTENT>,
        place: &ElementLocation<'_>,
        _: S,
        q: &Nodes<S>,
        _: &[S; 6],
        out: &mut [S; 6],
    ) {
        let pull = (q[place.members[1]] - q[place.members[0]]) * system.stiffness;
        *out = core::array::from_fn(|at| {
            if RIGID {
                S::zero()
            } else if at < 3 {
                pull[at]
            } else {
                -pull[at - 3]
            }
        });
    }
    fn constraint(_: &System<S, RIGID, CONSISTENT>, place: &ElementLocation<'_>, _: S, q: &Nodes<S>, out: &mut [S; 1]) {
        let d = q[place.members[1]] - q[place.members[0]];
        out.fill((d[0] * d[0] + d[1] * d[1] + d[2] * d[2] - S::one()) * S::from_f64(0.5));
    }
    fn constraint_jacobian(
        _: &System<S, RIGID, CONSISTENT>,
        place: &ElementLocation<'_>,
        _: S,
        q: &Nodes<S>,
        out: &mut [S; 6],
    ) {
        let d = q[place.members[1]] - q[place.members[0]];
        for (at, out) in out.iter_mut().enumerate() {
            *out = if at < 3 { -d[at] } else { d[at - 3] };
        }
    }
    fn constraint_drift(
        _: &System<S, RIGID, CONSISTENT>,
        _: &ElementLocation<'_>,
        _: S,
        _: &Nodes<S>,
        out: &mut [S; 1],
    ) {
        out.fill(S::zero());
    }
    fn constraint_curvature(
        _: &System<S, RIGID, CONSISTENT>,
        _: &ElementLocation<'_>,
        _: S,
        _: &Nodes<S>,
        v: &[S; 6],
        out: &mut [S; 1],
    ) {
        let mut sum = S::zero();
        for i in 0..3 {
            sum += (v[i + 3] - v[i]) * (v[i + 3] - v[i]);
        }
        out.fill(sum);
    }
    fn kinetic_energy(
        system: &System<S, RIGID, CONSISTENT>,
        place: &ElementLocation<'_>,
        t: S,
        q: &Nodes<S>,
        v: &[S; 6],
    ) -> S {
        let mut mass = [S::zero(); 36];
        Self::mass_matrix(system, place, t, q, &mut mass);
        let mut sum = S::zero();
        for row in 0..6 {
            for column in 0..6 {
                sum += S::from_f64(0.5) * v[row] * mass[6 * row + column] * v[column];
            }
        }
        sum
    }
    fn potential_energy(system: &System<S, RIGID, CONSISTENT>, place: &ElementLocation<'_>, _: S, q: &Nodes<S>) -> S {
        let d = q[place.members[1]] - q[place.members[0]];
        let energy = system.stiffness * S::from_f64(0.5) * (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
        if RIGID { S::zero() } else { energy }
    }
    fn residual(
        system: &System<S, RIGID, CONSISTENT>,
        place: &ElementLocation<'_>,
        t: S,
        q: &Nodes<S>,
        v: &[S; 6],
        acceleration: &[S; 6],
        multipliers: &[S; 1],
        out: &mut [S; 6],
    ) {
        Self::force(system, place, t, q, v, out);
        let mut mass = [S::zero(); 36];
        Self::mass_matrix(system, place, t, q, &mut mass);
        let mut jacobian = [S::zero(); 6];
        Self::constraint_jacobian(system, place, t, q, &mut jacobian);
        for row in 0..6 {
            let mut sum = -out[row];
            for column in 0..6 {
                if CONSISTENT {
                    sum += mass[6 * row + column] * acceleration[column];
                }
            }
            for (multiplier, gradient) in multipliers.iter().zip(jacobian.chunks(6)).filter(|_| RIGID) {
                sum += *multiplier * gradient[row];
            }
            out[row] = sum;
        }
    }
    fn tangent_stiffness(
        system: &System<S, RIGID, CONSISTENT>,
        _: &ElementLocation<'_>,
        _: S,
        _: &Nodes<S>,
        _: &[S; 6],
        _: &[S; 6],
        multipliers: &[S; 1],
        out: &mut [S; 36],
    ) {
        let k = if RIGID { multipliers[0] } else { system.stiffness };
        *out = core::array::from_fn(|at| {
            let (row, column) = (at / 6, at % 6);
            if row == column {
                k
            } else if row % 3 == column % 3 {
                -k
            } else {
                S::zero()
            }
        });
    }
    fn tangent_damping(
        _: &System<S, RIGID, CONSISTENT>,
        _: &ElementLocation<'_>,
        _: S,
        _: &Nodes<S>,
        _: &[S; 6],
        out: &mut [S; 36],
    ) {
        *out = [S::zero(); 36];
    }
    fn rate_gradient(
        _: &System<S, RIGID, CONSISTENT>,
        _: &ElementLocation<'_>,
        _: S,
        _: &Nodes<S>,
        v: &[S; 6],
        out: &mut [S; 6],
    ) {
        for (at, out) in out.iter_mut().enumerate() {
            *out = if at < 3 { v[at] - v[at + 3] } else { v[at] - v[at - 3] };
        }
    }
}

impl<S: Scalar, const RIGID: bool, const CONSISTENT: bool> Assembled for System<S, RIGID, CONSISTENT> {
    type Scalar = S;
    type Configuration = Nodes<S>;
    type Assembly = ElementAssembly;

    fn description(&self) -> &Description {
        &self.description
    }
}

impl<S: Scalar, const RIGID: bool, const CONSISTENT: bool> ElementSystem for System<S, RIGID, CONSISTENT> {
    type Dynamics = lie_runtime::system::chain::ElementDynamics;

    fn chain_space(&self) -> &ChainSpace<Nodes<S>> {
        &self.space
    }
    fn structure(&self) -> &Structure<S> {
        &self.structure
    }
    #[inline]
    fn visit<V: ElementVisitor<Self>>(&self, visitor: &mut V) {
        visitor.element::<Mass>();
        visitor.element::<Link>();
    }
}
