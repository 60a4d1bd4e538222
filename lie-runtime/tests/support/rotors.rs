//! Rigid bodies that turn, coupled along chains by springs, dampers and constraints, for tests of linear algebra.
//!
//! Kernels of second derivatives are differences: both sides of a comparison take them from here.

use std::borrow::Cow;

use lie_runtime::prelude::*;
use lie_runtime::system::chain::{
    ChainBlocks, ChainCoordinates, Element, ElementCounts, ElementSystem, KindDeclaration, Layout, Part, Place,
    Selection, Span, Structure, Terms, Visitor, chain_coadjoint, chain_compose_exp, chain_description, chain_is_finite,
    chain_local_blocks, chain_local_motion, chain_log_difference, chain_tangent, chain_tangent_inverse,
    chain_tangent_inverse_blocks, chain_tangent_inverse_transpose, check_chain_length,
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
            kind(const { &[single(0, Part::Windows(2))] }, true),
            kind(const { &[single(1, Part::Windows(2))] }, true),
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

/// The bodies of a field.
struct Body<const KIND: usize>;
/// What couples two of them.
struct Joint<const KIND: usize>;

const EPSILON: f64 = 1e-6;

/// A member of an element, turned a little along its first slots.
fn member<const FLAGS: usize>(kind: usize, slot: usize, place: &Place<'_>, q: &Attitudes) -> SO3 {
    let is_branch = match kind {
        1 | 3 => true,
        4 => FLAGS & RING == 0 && slot == 1,
        _ => false,
    };
    if is_branch { q.branch[place.members[slot]] } else { q.trunk[place.members[slot]] }
}

fn inertia() -> Matrix3<f64> {
    Matrix3::new(2.0, 0.1, 0.2, 0.1, 1.5, 0.0, 0.2, 0.0, 1.2)
}

fn body_mass<const FLAGS: usize>(attitude: &SO3) -> Matrix3<f64> {
    let factor = if FLAGS & VARYING != 0 { 1.0 + 0.2 * attitude.matrix()[(2, 2)] } else { 1.0 };
    inertia() * factor
}

fn body_residual<const FLAGS: usize>(attitude: &SO3, v: &Vector3<f64>, a: &Vector3<f64>) -> Vector3<f64> {
    let mass = body_mass::<FLAGS>(attitude);
    let weight = (attitude.inverse() * Vector3::z()).cross(&Vector3::new(0.3, 0.1, -0.2));
    mass * a + v.cross(&(mass * v)) + 0.2 * v + weight
}

fn unit(index: usize) -> Vector3<f64> {
    let mut unit = Vector3::zeros();
    unit[index] = 1.0;
    unit
}

impl<const FLAGS: usize, const KIND: usize> Element<Rotors<FLAGS>> for Body<KIND> {
    type Vector = [f64; 3];
    type Rows = [f64; 0];
    type Matrix = [f64; 9];
    type Jacobian = [f64; 0];
    const KIND: usize = KIND;
    const SLOTS: &'static [usize] = &[3];
    const SEGMENTS: &'static [usize] = &[];
    const HOLONOMIC_ROWS: usize = 0;
    const TERMS: Terms =
        Terms { inertia: true, inertia_is_constant: FLAGS & VARYING == 0, force: true, stiffness: true, damping: true };

    fn mass(_: &Rotors<FLAGS>, place: &Place<'_>, _: f64, q: &Attitudes, out: &mut [f64; 9]) {
        let mass = body_mass::<FLAGS>(&member::<FLAGS>(KIND, 0, place, q));
        *out = core::array::from_fn(|at| mass[(at / 3, at % 3)]);
    }
    fn force(_: &Rotors<FLAGS>, place: &Place<'_>, _: f64, q: &Attitudes, v: &[f64; 3], out: &mut [f64; 3]) {
        let attitude = member::<FLAGS>(KIND, 0, place, q);
        *out = (-body_residual::<FLAGS>(&attitude, &Vector3::from(*v), &Vector3::zeros())).into();
    }
    fn constraint(_: &Rotors<FLAGS>, _: &Place<'_>, _: f64, _: &Attitudes, _: &mut [f64; 0]) {}
    fn constraint_jacobian(_: &Rotors<FLAGS>, _: &Place<'_>, _: f64, _: &Attitudes, _: &mut [f64; 0]) {}
    fn constraint_drift(_: &Rotors<FLAGS>, _: &Place<'_>, _: f64, _: &Attitudes, _: &mut [f64; 0]) {}
    fn constraint_curvature(_: &Rotors<FLAGS>, _: &Place<'_>, _: f64, _: &Attitudes, _: &[f64; 3], _: &mut [f64; 0]) {}
    fn kinetic_energy(_: &Rotors<FLAGS>, place: &Place<'_>, _: f64, q: &Attitudes, v: &[f64; 3]) -> f64 {
        let v = Vector3::from(*v);
        0.5 * v.dot(&(body_mass::<FLAGS>(&member::<FLAGS>(KIND, 0, place, q)) * v))
    }
    fn potential_energy(_: &Rotors<FLAGS>, _: &Place<'_>, _: f64, _: &Attitudes) -> f64 {
        0.0
    }
    fn residual(
        _: &Rotors<FLAGS>,
        place: &Place<'_>,
        _: f64,
        q: &Attitudes,
        v: &[f64; 3],
        a: &[f64; 3],
        _: &[f64; 0],
        out: &mut [f64; 3],
    ) {
        let attitude = member::<FLAGS>(KIND, 0, place, q);
        *out = body_residual::<FLAGS>(&attitude, &Vector3::from(*v), &Vector3::from(*a)).into();
    }
    fn stiffness(
        _: &Rotors<FLAGS>,
        place: &Place<'_>,
        _: f64,
        q: &Attitudes,
        v: &[f64; 3],
        a: &[f64; 3],
        _: &[f64; 0],
        out: &mut [f64; 9],
    ) {
        let attitude = member::<FLAGS>(KIND, 0, place, q);
        let (v, a) = (Vector3::from(*v), Vector3::from(*a));
        for column in 0..3 {
            let at = |step: f64| body_residual::<FLAGS>(&(attitude * SO3::exp(&(unit(column) * step))), &v, &a);
            let derivative = (at(EPSILON) - at(-EPSILON)) / (2.0 * EPSILON);
            (0..3).for_each(|row| out[3 * row + column] = derivative[row]);
        }
    }
    fn damping(_: &Rotors<FLAGS>, place: &Place<'_>, _: f64, q: &Attitudes, v: &[f64; 3], out: &mut [f64; 9]) {
        let attitude = member::<FLAGS>(KIND, 0, place, q);
        let v = Vector3::from(*v);
        for column in 0..3 {
            let at = |step: f64| body_residual::<FLAGS>(&attitude, &(v + unit(column) * step), &Vector3::zeros());
            let derivative = (at(EPSILON) - at(-EPSILON)) / (2.0 * EPSILON);
            (0..3).for_each(|row| out[3 * row + column] = derivative[row]);
        }
    }
    fn rate_gradient(_: &Rotors<FLAGS>, _: &Place<'_>, _: f64, _: &Attitudes, _: &[f64; 3], _: &mut [f64; 0]) {}
}

/// The Jacobian of a joint: e₃ · Q e₁ is constant, and so is Q e₂ · v_a + e₂ · v_b but for b, with Q = R_aᵀ R_b.
fn joint_jacobian<const FLAGS: usize>(a: &SO3, b: &SO3) -> SMatrix<f64, 2, 6> {
    let turn = a.inverse() * *b;
    let (u, w) = (Vector3::z(), Vector3::x());
    let first = u.cross(&(turn * w));
    let second = w.cross(&(turn.inverse() * u));
    let rate = turn * Vector3::y();
    let mut jacobian = SMatrix::<f64, 2, 6>::zeros();
    for i in 0..3 {
        // D_a (u · Q w) = −α · (Q w × u).
        jacobian[(0, i)] = if FLAGS & BLIND != 0 { 0.0 } else { first[i] };
        jacobian[(0, i + 3)] = second[i];
        jacobian[(1, i)] = rate[i];
        jacobian[(1, i + 3)] = Vector3::y()[i];
    }
    jacobian
}

fn joint_residual<const FLAGS: usize>(
    a: &SO3,
    b: &SO3,
    v: &SVector<f64, 6>,
    acceleration: &SVector<f64, 6>,
    multipliers: &Vector2<f64>,
) -> SVector<f64, 6> {
    let turn = (a.inverse() * *b).matrix();
    let axial = Vector3::new(turn[(2, 1)] - turn[(1, 2)], turn[(0, 2)] - turn[(2, 0)], turn[(1, 0)] - turn[(0, 1)]);
    let mut residual = joint_jacobian::<FLAGS>(a, b).transpose() * multipliers;
    for i in 0..3 {
        let relative = 0.7 * (v[i] - v[i + 3]);
        residual[i] += relative - 1.3 * axial[i];
        residual[i + 3] += 1.3 * axial[i] - relative;
        if FLAGS & COUPLED != 0 {
            residual[i] += 0.4 * acceleration[i] + 0.2 * acceleration[i + 3];
            residual[i + 3] += 0.2 * acceleration[i] + 0.4 * acceleration[i + 3];
        }
    }
    residual
}

fn turned(a: &SO3, b: &SO3, direction: &SVector<f64, 6>, step: f64) -> (SO3, SO3) {
    let part = |first: usize| Vector3::new(direction[first], direction[first + 1], direction[first + 2]) * step;
    (*a * SO3::exp(&part(0)), *b * SO3::exp(&part(3)))
}

impl<const FLAGS: usize, const KIND: usize> Element<Rotors<FLAGS>> for Joint<KIND> {
    type Vector = [f64; 6];
    type Rows = [f64; 2];
    type Matrix = [f64; 36];
    type Jacobian = [f64; 12];
    const KIND: usize = KIND;
    const SLOTS: &'static [usize] = &[3, 3];
    const SEGMENTS: &'static [usize] = &[1, 1];
    const HOLONOMIC_ROWS: usize = 1;
    const TERMS: Terms =
        Terms { inertia: FLAGS & COUPLED != 0, inertia_is_constant: true, force: true, stiffness: true, damping: true };

    fn mass(_: &Rotors<FLAGS>, _: &Place<'_>, _: f64, _: &Attitudes, out: &mut [f64; 36]) {
        *out = core::array::from_fn(|at| match (at / 6, at % 6) {
            (row, column) if row == column => 0.4,
            (row, column) if row % 3 == column % 3 => 0.2,
            _ => 0.0,
        });
    }
    fn force(_: &Rotors<FLAGS>, place: &Place<'_>, _: f64, q: &Attitudes, v: &[f64; 6], out: &mut [f64; 6]) {
        let (a, b) = (member::<FLAGS>(KIND, 0, place, q), member::<FLAGS>(KIND, 1, place, q));
        let zero = SVector::<f64, 6>::zeros();
        *out = (-joint_residual::<FLAGS>(&a, &b, &SVector::from(*v), &zero, &Vector2::zeros())).into();
    }
    fn constraint(_: &Rotors<FLAGS>, place: &Place<'_>, _: f64, q: &Attitudes, out: &mut [f64; 2]) {
        let (a, b) = (member::<FLAGS>(KIND, 0, place, q), member::<FLAGS>(KIND, 1, place, q));
        *out = [Vector3::z().dot(&(a.inverse() * (b * Vector3::x()))), 0.0];
    }
    fn constraint_jacobian(_: &Rotors<FLAGS>, place: &Place<'_>, _: f64, q: &Attitudes, out: &mut [f64; 12]) {
        let (a, b) = (member::<FLAGS>(KIND, 0, place, q), member::<FLAGS>(KIND, 1, place, q));
        let jacobian = joint_jacobian::<FLAGS>(&a, &b);
        *out = core::array::from_fn(|at| jacobian[(at / 6, at % 6)]);
    }
    fn constraint_drift(_: &Rotors<FLAGS>, _: &Place<'_>, _: f64, _: &Attitudes, out: &mut [f64; 2]) {
        *out = [0.0, -0.3];
    }
    fn constraint_curvature(
        _: &Rotors<FLAGS>,
        place: &Place<'_>,
        _: f64,
        q: &Attitudes,
        v: &[f64; 6],
        out: &mut [f64; 2],
    ) {
        let (a, b) = (member::<FLAGS>(KIND, 0, place, q), member::<FLAGS>(KIND, 1, place, q));
        let v = SVector::<f64, 6>::from(*v);
        let at = |step: f64| {
            let (a, b) = turned(&a, &b, &v, step);
            joint_jacobian::<FLAGS>(&a, &b) * v
        };
        *out = ((at(EPSILON) - at(-EPSILON)) / (2.0 * EPSILON)).into();
    }
    fn kinetic_energy(_: &Rotors<FLAGS>, _: &Place<'_>, _: f64, _: &Attitudes, _: &[f64; 6]) -> f64 {
        0.0
    }
    fn potential_energy(_: &Rotors<FLAGS>, _: &Place<'_>, _: f64, _: &Attitudes) -> f64 {
        0.0
    }
    fn residual(
        _: &Rotors<FLAGS>,
        place: &Place<'_>,
        _: f64,
        q: &Attitudes,
        v: &[f64; 6],
        acceleration: &[f64; 6],
        multipliers: &[f64; 2],
        out: &mut [f64; 6],
    ) {
        let (a, b) = (member::<FLAGS>(KIND, 0, place, q), member::<FLAGS>(KIND, 1, place, q));
        let (v, acceleration) = (SVector::from(*v), SVector::from(*acceleration));
        *out = joint_residual::<FLAGS>(&a, &b, &v, &acceleration, &Vector2::from(*multipliers)).into();
    }
    fn stiffness(
        _: &Rotors<FLAGS>,
        place: &Place<'_>,
        _: f64,
        q: &Attitudes,
        v: &[f64; 6],
        acceleration: &[f64; 6],
        multipliers: &[f64; 2],
        out: &mut [f64; 36],
    ) {
        let (a, b) = (member::<FLAGS>(KIND, 0, place, q), member::<FLAGS>(KIND, 1, place, q));
        let (v, acceleration) = (SVector::from(*v), SVector::from(*acceleration));
        for column in 0..6 {
            let mut direction = SVector::<f64, 6>::zeros();
            direction[column] = 1.0;
            let at = |step: f64| {
                let (a, b) = turned(&a, &b, &direction, step);
                joint_residual::<FLAGS>(&a, &b, &v, &acceleration, &Vector2::from(*multipliers))
            };
            let derivative = (at(EPSILON) - at(-EPSILON)) / (2.0 * EPSILON);
            (0..6).for_each(|row| out[6 * row + column] = derivative[row]);
        }
    }
    fn damping(_: &Rotors<FLAGS>, _: &Place<'_>, _: f64, _: &Attitudes, _: &[f64; 6], out: &mut [f64; 36]) {
        *out = core::array::from_fn(|at| match (at / 6, at % 6) {
            (row, column) if row == column => 0.7,
            (row, column) if row % 3 == column % 3 => -0.7,
            _ => 0.0,
        });
    }
    fn rate_gradient(_: &Rotors<FLAGS>, place: &Place<'_>, _: f64, q: &Attitudes, v: &[f64; 6], out: &mut [f64; 12]) {
        let (a, b) = (member::<FLAGS>(KIND, 0, place, q), member::<FLAGS>(KIND, 1, place, q));
        let v = SVector::<f64, 6>::from(*v);
        for column in 0..6 {
            let mut direction = SVector::<f64, 6>::zeros();
            direction[column] = 1.0;
            let at = |step: f64| {
                let (a, b) = turned(&a, &b, &direction, step);
                joint_jacobian::<FLAGS>(&a, &b) * v
            };
            let derivative = (at(EPSILON) - at(-EPSILON)) / (2.0 * EPSILON);
            (0..2).for_each(|row| out[6 * row + column] = derivative[row]);
        }
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
