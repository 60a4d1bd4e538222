//! M, C_t and K_t of the frames, in O(N) times the depth of the tree.
//!
//! A motion of joint i alone, (ξ, δv, δv'), moves its frame by (η, δu, δu') = (J ξ, U_q ξ + J δv, Y_q ξ + V_v δv + J
//! δv'), and a motion of a frame moves its children by
//!
//! ```text
//! (A η,   U_x η + A δu,   Y_x η + V_u δu + A δu'),
//! ```
//!
//! where U, V and Y are the derivatives of u along (x₋, q) and of u' along (u₋, v) and (x₋, q). The resulting change of
//! the covector W of a frame with all its descendants is K η + C δu + M δu'. A backward pass computes these composite
//! matrices, like composite rigid-body inertias (CRBA), from the matrices of the terms of each frame:
//!
//! ```text
//! K ← K + Aᵀ (K A + C U_x + M Y_x) + P_xx,    C ← C + Aᵀ (C A + M V_u),    M ← M + Aᵀ M A,
//! ```
//!
//! where P is the derivative of (Aᵀ W, Jᵀ W) along (x₋, q). The columns of joint i are then D = K J + C U_q + M Y_q, C
//! J + M V_v and M J. Jᵀ D are the entries in its own rows, and D ← Aᵀ D continues to the rows of each ancestor. Its
//! rows in the columns of the ancestors are the covectors of Jᵀ W with respect to (η, δu, δu') of x₋, which continue to
//! the root with the transposes.

use core::fmt;

use super::frame_element_linearised::FrameElementTangents;
use super::frame_elements::{CovectorKind, FrameLoads};
use super::recursion_tangents::RecursionTangents;
use super::{FrameMotion, Frames, add, spin_regularisation};
use crate::scalar::Scalar;
use crate::system::Block;
use crate::system::chain::{ElementSystem, FrameMatrices, Link};

/// The linearisation of frames along a tree; lists are in the order of the forward pass.
pub struct FrameLinearisation<M: ElementSystem, F: Frames<M>> {
    motions: Vec<FrameMotion<F::Frame, F::Vector>>,
    /// W.
    covectors: Vec<F::Vector>,
    /// K, C and M of each frame with all its descendants.
    composite: Vec<[F::Matrix; 3]>,
    tangents: Vec<F::Tangents>,
    mass: Vec<M::Scalar>,
    damping: Vec<M::Scalar>,
    stiffness: Vec<M::Scalar>,
    jacobians: [Vec<M::Scalar>; 2],
    scratch: Vec<M::Scalar>,
}

impl<M: ElementSystem, F: Frames<M>> Clone for FrameLinearisation<M, F> {
    fn clone(&self) -> Self {
        FrameLinearisation {
            motions: self.motions.clone(),
            covectors: self.covectors.clone(),
            composite: self.composite.clone(),
            tangents: self.tangents.clone(),
            mass: self.mass.clone(),
            damping: self.damping.clone(),
            stiffness: self.stiffness.clone(),
            jacobians: self.jacobians.clone(),
            scratch: Vec::new(),
        }
    }
}

impl<M: ElementSystem, F: Frames<M>> fmt::Debug for FrameLinearisation<M, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FrameLinearisation").field("stiffness", &self.stiffness).finish_non_exhaustive()
    }
}

impl<M: ElementSystem, F: Frames<M>> FrameMatrices<M::Scalar> for FrameLinearisation<M, F> {
    fn matrices(&self) -> [&[M::Scalar]; 3] {
        [&self.mass, &self.damping, &self.stiffness]
    }
    fn jacobians(&self) -> [&[M::Scalar]; 2] {
        self.jacobians.each_ref().map(Vec::as_slice)
    }
}

/// `out += a b`, with (rows, columns of a, columns of b).
#[inline]
fn add_product<S: Scalar>(
    out: &mut [S],
    (rows, inner, columns): (usize, usize, usize),
    a: impl Fn(usize, usize) -> S,
    b: impl Fn(usize, usize) -> S,
) {
    for (row, out) in out[..rows * columns].chunks_exact_mut(columns).enumerate() {
        for k in 0..inner {
            let factor = a(row, k);
            for (column, out) in out.iter_mut().enumerate() {
                *out += factor * b(k, column);
            }
        }
    }
}

impl<M: ElementSystem, F: Frames<M>> FrameLinearisation<M, F> {
    pub(super) fn zeros(system: &M) -> Self {
        let tree = system.structure().tree();
        let length = tree.links().len();
        let origin = F::origin(system, M::Scalar::from_f64(0.0));
        let mut size = 0;
        tree.each_block(|rows, columns| size += rows.len() * columns.len());
        let zeros = || vec![M::Scalar::from_f64(0.0); size];
        let rows = || {
            vec![M::Scalar::from_f64(0.0); if F::HAS_FRAME_ELEMENTS { system.structure().jacobian_length() } else { 0 }]
        };
        FrameLinearisation {
            motions: vec![origin; length],
            covectors: vec![F::Vector::zeros(); length],
            composite: vec![[F::Matrix::zeros(); 3]; length],
            tangents: vec![F::Tangents::zeros(); length],
            mass: zeros(),
            damping: zeros(),
            stiffness: zeros(),
            jacobians: [rows(), rows()],
            scratch: Vec::new(),
        }
    }

    #[inline]
    fn parts(tangents: &F::Tangents) -> RecursionTangents<'_, M::Scalar> {
        RecursionTangents { numbers: tangents.as_slice(), frame: F::FRAME, columns: F::FRAME + F::MEMBER }
    }

    /// Computes the three matrices.
    pub(super) fn evaluate(
        &mut self,
        system: &M,
        t: M::Scalar,
        q: &M::Configuration,
        v: &[M::Scalar],
        acceleration: &[M::Scalar],
        multipliers: &[M::Scalar],
    ) {
        let links = system.structure().tree().links();
        let origin = F::origin(system, t);
        let own = |link: &Link| [link.of::<_, F::Member>(v), link.of::<_, F::Member>(acceleration)];
        for (place, link) in links.iter().enumerate() {
            let above = self.motions[..place].get(link.parent).unwrap_or(&origin);
            let [v, acceleration] = own(link);
            let at = F::motion(system, link, t, q, above, &v, &acceleration);
            let [stiffness, damping, inertia] = &mut self.composite[place];
            for matrix in [&mut *stiffness, &mut *damping, &mut *inertia] {
                *matrix = F::Matrix::zeros();
            }
            F::add_stiffness(system, link, t, &at, stiffness);
            F::add_damping(system, link, t, &at, damping);
            F::add_inertia(system, link, t, &at.frame, inertia);
            self.covectors[place] = F::Vector::zeros();
            F::add_residual(system, link, t, &at, &mut self.covectors[place]);
            self.motions[place] = at;
        }
        if F::HAS_FRAME_ELEMENTS {
            let (motions, out, covector) = (&*self.motions, &mut *self.covectors, CovectorKind::Residual(acceleration));
            F::visit_frame_elements(system, &mut FrameLoads { system, t, motions, covector, multipliers, out });
        }
        for (place, link) in links.iter().enumerate().rev() {
            let above = self.motions[..place].get(link.parent).unwrap_or(&origin);
            let [v, acceleration] = own(link);
            let w = self.covectors[place];
            self.tangents[place] = F::tangents(system, link, t, q, above, &v, &acceleration, &w);
            if link.parent < place {
                self.add_to_parent(place, link.parent);
            }
        }
        let mut at = 0;
        for (place, link) in links.iter().enumerate() {
            if link.is_free() {
                self.joint(system, q, place, own(link), &mut at);
            }
        }
        if F::HAS_FRAME_ELEMENTS {
            let FrameLinearisation { motions, tangents, damping, stiffness, jacobians, scratch, .. } = self;
            let jacobians = jacobians.each_mut().map(Vec::as_mut_slice);
            F::visit_frame_elements(
                system,
                &mut FrameElementTangents {
                    system,
                    t,
                    motions,
                    of_frames: tangents,
                    multipliers,
                    damping,
                    stiffness,
                    block: at,
                    jacobians,
                    scratch,
                },
            );
        }
    }

    /// Returns K A + C U_x + M Y_x and C A + M V_u of a frame.
    #[inline]
    fn responses(&self, place: usize) -> [F::Matrix; 2] {
        let n = F::FRAME;
        let tangents = Self::parts(&self.tangents[place]);
        let [stiffness, damping, inertia] = self.composite[place].each_ref().map(|matrix| {
            let matrix = matrix.as_slice();
            move |row: usize, column: usize| matrix[row * n + column]
        });
        let (mut of_x, mut of_u) = (F::Matrix::zeros(), F::Matrix::zeros());
        add_product(of_x.as_mut_slice(), (n, n, n), stiffness, |i, j| tangents.a(i, j));
        add_product(of_x.as_mut_slice(), (n, n, n), damping, |i, j| tangents.u(i, j));
        add_product(of_x.as_mut_slice(), (n, n, n), inertia, |i, j| tangents.y(i, j));
        add_product(of_u.as_mut_slice(), (n, n, n), damping, |i, j| tangents.a(i, j));
        add_product(of_u.as_mut_slice(), (n, n, n), inertia, |i, j| tangents.v(i, j));
        [of_x, of_u]
    }

    /// Adds the composite matrices of a frame to its parent.
    #[inline]
    fn add_to_parent(&mut self, place: usize, parent: usize) {
        let n = F::FRAME;
        let [of_x, of_u] = self.responses(place);
        let tangents = Self::parts(&self.tangents[place]);
        let inertia = self.composite[place][2];
        let mut of_a = F::Matrix::zeros();
        add_product(of_a.as_mut_slice(), (n, n, n), |i, j| inertia.as_slice()[i * n + j], |i, j| tangents.a(i, j));
        for (sum, moved) in self.composite[parent].iter_mut().zip([of_x, of_u, of_a]) {
            add_product(sum.as_mut_slice(), (n, n, n), |i, j| tangents.a(j, i), |i, j| moved.as_slice()[i * n + j]);
        }
        for row in 0..n {
            for column in 0..n {
                self.composite[parent][0].as_mut_slice()[row * n + column] += tangents.p(row, column);
            }
        }
        let (mut needed, w) = (F::Vector::zeros(), self.covectors[place]);
        add_product(needed.as_mut_slice(), (n, n, 1), |i, j| tangents.a(j, i), |i, _| w.as_slice()[i]);
        add(&mut self.covectors[parent], &needed);
    }

    /// Computes the blocks of a free joint and its ancestors; `at` is their start.
    #[allow(clippy::many_single_char_names)] // As above.
    fn joint(&mut self, system: &M, q: &M::Configuration, place: usize, own: [F::Member; 2], at: &mut usize) {
        let (n, m) = (F::FRAME, F::MEMBER);
        let structure = system.structure();
        let [of_x, of_u] = self.responses(place);
        let tangents = Self::parts(&self.tangents[place]);
        let [stiffness, damping, inertia] = self.composite[place].each_ref().map(|matrix| {
            let matrix = matrix.as_slice();
            move |row: usize, column: usize| matrix[row * n + column]
        });
        // D of K, C and M.
        let [mut by_q, mut by_v, mut by_a] = [F::Mixed::zeros(); 3];
        add_product(by_q.as_mut_slice(), (n, n, m), stiffness, |i, j| tangents.j(i, j));
        add_product(by_q.as_mut_slice(), (n, n, m), damping, |i, j| tangents.u(i, n + j));
        add_product(by_q.as_mut_slice(), (n, n, m), inertia, |i, j| tangents.y(i, n + j));
        add_product(by_v.as_mut_slice(), (n, n, m), damping, |i, j| tangents.j(i, j));
        add_product(by_v.as_mut_slice(), (n, n, m), inertia, |i, j| tangents.v(i, n + j));
        add_product(by_a.as_mut_slice(), (n, n, m), inertia, |i, j| tangents.j(i, j));
        let columns = [by_q, by_v, by_a];
        let [mut stiffness, mut damping, mut inertia] = columns.map(|column| Self::to_joint(&tangents, &column));
        for row in 0..m {
            for column in 0..m {
                stiffness.as_mut_slice()[row * m + column] += tangents.p(n + row, n + column);
            }
        }
        spin_regularisation::add_tangents::<M, F>(structure, q, place, own.each_ref(), &mut stiffness, &mut damping);
        spin_regularisation::add_inertia::<M, F>(structure, q, place, &mut inertia);
        // The derivatives of Jᵀ W with respect to η and δu of the parent, transposed; with respect to δu' they are the
        // D of M.
        let [mut of_eta, mut of_rate] = [F::Mixed::zeros(); 2];
        add_product(of_eta.as_mut_slice(), (n, n, m), |i, j| of_x.as_slice()[j * n + i], |i, j| tangents.j(i, j));
        add_product(of_rate.as_mut_slice(), (n, n, m), |i, j| of_u.as_slice()[j * n + i], |i, j| tangents.j(i, j));
        for row in 0..n {
            for column in 0..m {
                of_eta.as_mut_slice()[row * m + column] += tangents.p(n + column, row);
            }
        }
        let mut columns = columns.map(|column| Self::to_parent(&tangents, &column));
        for row in 0..n {
            for column in 0..m {
                columns[0].as_mut_slice()[row * m + column] += tangents.p(row, n + column);
            }
        }
        let links = structure.tree().links();
        let size = links[place].dimension();
        let mut store = |blocks: [F::MemberMatrix; 3], rows: usize, columns: usize, is_transposed: bool| {
            for row in 0..rows {
                for column in 0..columns {
                    let from = if is_transposed { column * m + row } else { row * m + column };
                    self.stiffness[*at] = blocks[0].as_slice()[from];
                    self.damping[*at] = blocks[1].as_slice()[from];
                    self.mass[*at] = blocks[2].as_slice()[from];
                    *at += 1;
                }
            }
        };
        store([stiffness, damping, inertia], size, size, false);
        let mut next = links[place].parent;
        while let Some(link) = links.get(next) {
            let tangents = Self::parts(&self.tangents[next]);
            if link.is_free() {
                let members_without_frames = link.dimension();
                let below = columns.map(|column| Self::to_joint(&tangents, &column));
                let [mut by_q, mut by_v] = [F::MemberMatrix::zeros(); 2];
                let (eta, rate, by_a) = (of_eta.as_slice(), of_rate.as_slice(), columns[2].as_slice());
                add_product(by_q.as_mut_slice(), (m, n, m), |i, j| tangents.j(j, i), |i, j| eta[i * m + j]);
                add_product(by_q.as_mut_slice(), (m, n, m), |i, j| tangents.u(j, n + i), |i, j| rate[i * m + j]);
                add_product(by_q.as_mut_slice(), (m, n, m), |i, j| tangents.y(j, n + i), |i, j| by_a[i * m + j]);
                add_product(by_v.as_mut_slice(), (m, n, m), |i, j| tangents.j(j, i), |i, j| rate[i * m + j]);
                add_product(by_v.as_mut_slice(), (m, n, m), |i, j| tangents.v(j, n + i), |i, j| by_a[i * m + j]);
                store([by_q, by_v, below[2]], size, members_without_frames, true);
                store(below, members_without_frames, size, false);
            }
            let moved = [of_eta, of_rate].map(|answer| Self::to_parent(&tangents, &answer));
            let ([mut eta, mut rate], by_a) = (moved, columns[2]);
            add_product(eta.as_mut_slice(), (n, n, m), |i, j| tangents.u(j, i), |i, j| of_rate.as_slice()[i * m + j]);
            add_product(eta.as_mut_slice(), (n, n, m), |i, j| tangents.y(j, i), |i, j| by_a.as_slice()[i * m + j]);
            add_product(rate.as_mut_slice(), (n, n, m), |i, j| tangents.v(j, i), |i, j| by_a.as_slice()[i * m + j]);
            (of_eta, of_rate) = (eta, rate);
            columns = columns.map(|column| Self::to_parent(&tangents, &column));
            next = link.parent;
        }
    }

    /// Returns Jᵀ D.
    #[inline]
    fn to_joint(tangents: &RecursionTangents<'_, M::Scalar>, column: &F::Mixed) -> F::MemberMatrix {
        let (n, m) = (F::FRAME, F::MEMBER);
        let mut rows = F::MemberMatrix::zeros();
        add_product(rows.as_mut_slice(), (m, n, m), |i, j| tangents.j(j, i), |i, j| column.as_slice()[i * m + j]);
        rows
    }

    /// Returns Aᵀ D.
    #[inline]
    fn to_parent(tangents: &RecursionTangents<'_, M::Scalar>, column: &F::Mixed) -> F::Mixed {
        let (n, m) = (F::FRAME, F::MEMBER);
        let mut moved = F::Mixed::zeros();
        add_product(moved.as_mut_slice(), (n, n, m), |i, j| tangents.a(j, i), |i, j| column.as_slice()[i * m + j]);
        moved
    }
}

/// Computes the derivatives of B v + b along q of an element, by its kind and number: its rows by the components of its
/// joints.
pub fn frame_rate_gradient<M: ElementSystem, F: Frames<M>>(
    system: &M,
    (kind, element): (usize, usize),
    (t, q, v): (M::Scalar, &M::Configuration, &[M::Scalar]),
    out: &mut [M::Scalar],
) {
    let structure = system.structure();
    let mut linearisation = FrameLinearisation::<M, F>::zeros(system);
    linearisation.evaluate(system, t, q, v, v, &[]);
    let (place, shape) = (structure.layout().kinds[kind].place(element), &structure.shapes[kind]);
    let count: usize = structure.joints(&place).map(|(_, size)| size).sum();
    let rows = linearisation.jacobians()[1][structure.jacobian_starts[kind]..].chunks_exact(shape.components.max(1));
    if count > 0 {
        for (out, row) in out.chunks_exact_mut(count).zip(rows.skip(element * shape.rows).take(shape.rows)) {
            out.copy_from_slice(&row[..count]);
        }
    }
}
