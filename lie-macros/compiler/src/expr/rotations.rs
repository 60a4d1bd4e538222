//! The constructors of nodes with rotations, and the tangent operators.

use std::collections::BTreeSet;

use super::{Expressions, Node, Op, Rotation, Singular, Type};

/// Largest number of factors that rotate a vector one after the other. A power by repeated squaring can have more factors than the
/// expression has symbols.
const MAX_FACTORS: usize = 16;

impl Expressions {
    /// R v.
    pub fn act(&mut self, r: Node, v: Node) -> Node {
        self.turn(r, v, false)
    }

    /// Rᵀ v.
    pub fn act_inverse(&mut self, r: Node, v: Node) -> Node {
        self.turn(r, v, true)
    }

    /// Rotates a sum term by term if this cancels a rotation: Rᵀ (x + R y) = Rᵀ x + y, as for body-fixed velocities. R (x + Rᵀ y) is not
    /// expanded: recursions over bodies need such sums of forces as body-fixed values.
    fn turn(&mut self, r: Node, v: Node, inverse: bool) -> Node {
        // The sums and multiples that are expanded, operands first: they are long and share their terms.
        let mut apart = BTreeSet::new();
        for node in self.terms(v) {
            let undoes = match *self.op(node) {
                Op::Neg(a) | Op::Scale(_, a) => apart.contains(&a),
                Op::Act(s, _) => s == r && inverse,
                Op::Add(a, b) => apart.contains(&a) || apart.contains(&b),
                _ => false,
            };
            if undoes {
                apart.insert(node);
            }
        }
        for &node in apart.iter().filter(|&&node| node != v) {
            self.turned(r, node, inverse, &apart);
        }
        self.turned(r, v, inverse, &apart)
    }

    fn turned(&mut self, r: Node, v: Node, inverse: bool, apart: &BTreeSet<Node>) -> Node {
        let key = (r, v, inverse);
        if let Some(&known) = self.turned.get(&key) {
            return known;
        }
        let turned = self.turn_of(r, v, inverse, apart);
        self.turned.insert(key, turned);
        turned
    }

    fn turn_of(&mut self, r: Node, v: Node, inverse: bool, apart: &BTreeSet<Node>) -> Node {
        if self.is_zero(v) {
            return v;
        }
        match *self.op(r) {
            Op::Invert(s) => return self.turn(s, v, !inverse),
            Op::Convert(_, s) => return self.turn(s, v, inverse),
            Op::Compose(a, b) if self.factors(r) <= MAX_FACTORS => {
                let (first, second) = if inverse { (a, b) } else { (b, a) };
                let inner = self.turn(first, v, inverse);
                return self.turn(second, inner, inverse);
            }
            _ => {}
        }
        if let Some(linear) = self.linear(v, |this, w| this.turned(r, w, inverse, apart)) {
            return linear;
        }
        match *self.op(v) {
            // Rᵀ R = I.
            Op::Act(s, w) if s == r && inverse => return w,
            Op::ActInverse(s, w) if s == r && !inverse => return w,
            Op::Add(a, b) if apart.contains(&v) => {
                let a = self.turned(r, a, inverse, apart);
                let b = self.turned(r, b, inverse, apart);
                return self.add(a, b);
            }
            _ => {}
        }
        let ty = self.type_of(v);
        self.intern(if inverse { Op::ActInverse(r, v) } else { Op::Act(r, v) }, ty)
    }

    /// The number of rotations in the product `r`, counted up to slightly more than [`MAX_FACTORS`].
    fn factors(&self, r: Node) -> usize {
        let (mut count, mut open) = (0, vec![r]);
        while let Some(node) = open.pop() {
            match *self.op(node) {
                Op::Compose(a, b) => open.extend([a, b]),
                _ => count += 1,
            }
            if count + open.len() > MAX_FACTORS {
                return MAX_FACTORS + 1;
            }
        }
        count
    }

    /// R a + R b = R (a + b), for a sum of two terms with the same rotation.
    pub(super) fn add_rotated(&mut self, a: Node, b: Node) -> Option<Node> {
        let (r, x, inverse) = self.rotated(a)?;
        let (s, y, other) = self.rotated(b)?;
        if (r, inverse) != (s, other) {
            return None;
        }
        let sum = self.add(x, y);
        Some(self.turn(r, sum, inverse))
    }

    /// Rotation, argument and direction of ± s R v.
    fn rotated(&mut self, a: Node) -> Option<(Node, Node, bool)> {
        match *self.op(a) {
            Op::Act(r, v) => Some((r, v, false)),
            Op::ActInverse(r, v) => Some((r, v, true)),
            Op::Neg(b) => {
                let (r, v, inverse) = self.rotated(b)?;
                let v = self.neg(v);
                Some((r, v, inverse))
            }
            Op::Scale(s, b) => {
                let (r, v, inverse) = self.rotated(b)?;
                let v = self.scale(s, v);
                Some((r, v, inverse))
            }
            _ => None,
        }
    }

    /// R S.
    pub fn compose(&mut self, r: Node, s: Node) -> Node {
        let ty = self.type_of(r);
        self.intern(Op::Compose(r, s), ty)
    }

    /// R⁻¹.
    pub fn invert(&mut self, r: Node) -> Node {
        if let Some(&known) = self.inverses.get(&r) {
            return known;
        }
        let inverse = match *self.op(r) {
            Op::Invert(s) => s,
            Op::Compose(a, b) => {
                let a = self.invert(a);
                let b = self.invert(b);
                self.compose(b, a)
            }
            Op::Exp(rotation, v) => {
                let v = self.neg(v);
                self.rotation_exp(rotation, v)
            }
            _ => {
                let ty = self.type_of(r);
                self.intern(Op::Invert(r), ty)
            }
        };
        self.inverses.insert(r, inverse);
        inverse
    }

    /// exp(v).
    pub fn rotation_exp(&mut self, rotation: Rotation, v: Node) -> Node {
        self.intern(Op::Exp(rotation, v), Type::Rotation(rotation))
    }

    /// log(R).
    pub fn rotation_log(&mut self, r: Node) -> Node {
        if let Op::Exp(_, zero) = *self.op(r)
            && self.is_zero(zero)
        {
            return zero;
        }
        let dimension = self.kind(r).dimension();
        self.intern(Op::Log(r), Type::vector(dimension))
    }

    /// R as an element of another group of equal rotations; the quaternion of a matrix is the one with w ≥ 0.
    pub fn convert(&mut self, rotation: Rotation, r: Node) -> Node {
        if self.kind(r) == rotation {
            return r;
        }
        match *self.op(r) {
            // A conversion from a quaternion; the opposite conversion can have the other sign of the quaternion.
            Op::Convert(_, s) if rotation == Rotation::SO3 => self.convert(rotation, s),
            Op::Exp(_, v) if rotation == Rotation::SO3 => self.rotation_exp(rotation, v),
            _ => self.intern(Op::Convert(rotation, r), Type::Rotation(rotation)),
        }
    }

    /// R as a matrix.
    pub fn rotation_matrix(&mut self, r: Node) -> Node {
        let space = self.kind(r).space();
        match *self.op(r) {
            Op::Invert(s) => {
                let matrix = self.rotation_matrix(s);
                self.transpose(matrix)
            }
            Op::Convert(_, s) => self.rotation_matrix(s),
            _ => self.intern(Op::RotationMatrix(r), Type::Matrix { rows: space, columns: space }),
        }
    }

    /// J v with the planar rotation J by a right angle.
    pub fn quarter_turn(&mut self, v: Node) -> Node {
        let x = self.entry(v, 0, 0);
        let y = self.entry(v, 1, 0);
        let minus = self.neg(y);
        self.stack(vec![minus, x], 2, 1)
    }

    /// The derivative of R v along R' = R δ~ in body-fixed components: v ↦ δ × v.
    pub fn infinitesimal(&mut self, rotation: Rotation, delta: Node, v: Node) -> Node {
        match rotation {
            Rotation::SO2 => {
                let turned = self.quarter_turn(v);
                self.scale(delta, turned)
            }
            Rotation::SO3 | Rotation::S3 => self.cross(delta, v),
        }
    }

    /// The covector θ with θ·δ = y·(δ × v) for all δ.
    pub fn moment(&mut self, rotation: Rotation, v: Node, y: Node) -> Node {
        match rotation {
            Rotation::SO2 => {
                let turned = self.quarter_turn(v);
                self.dot(turned, y)
            }
            Rotation::SO3 | Rotation::S3 => self.cross(v, y),
        }
    }

    /// x + a w × x + b w × (w × x).
    fn second_order(&mut self, w: Node, x: Node, a: Node, b: Node) -> Node {
        let once = self.cross(w, x);
        let twice = self.cross(w, once);
        let first = self.scale(a, once);
        let second = self.scale(b, twice);
        let sum = self.add(x, first);
        self.add(sum, second)
    }

    /// T(w) x, or T(w)ᵀ x (paper 1, eq. 19).
    pub fn rotation_tangent(&mut self, rotation: Rotation, w: Node, x: Node, transpose: bool) -> Node {
        if rotation.is_planar() {
            return x;
        }
        let z = self.dot(w, w);
        let c2 = self.singular(Singular::Stumpff(2), 0, z);
        let c3 = self.singular(Singular::Stumpff(3), 0, z);
        let a = if transpose { c2 } else { self.neg(c2) };
        self.second_order(w, x, a, c3)
    }

    /// T(w)⁻¹ x, or T(w)⁻ᵀ x.
    pub fn rotation_tangent_inverse(&mut self, rotation: Rotation, w: Node, x: Node, transpose: bool) -> Node {
        if rotation.is_planar() {
            return x;
        }
        let z = self.dot(w, w);
        let gamma = self.singular(Singular::Gamma, 0, z);
        let a = self.number(if transpose { -0.5 } else { 0.5 });
        self.second_order(w, x, a, gamma)
    }

    /// The tangent of w = log(A B), for left = A δ_A and right = δ_B: T(w)⁻¹ right + T(w)⁻ᵀ left, because
    /// T(w)⁻¹ exp(w)⁻¹ = T(w)⁻ᵀ.
    pub fn log_tangent(&mut self, w: Node, left: Node, right: Node) -> Node {
        let z = self.dot(w, w);
        let gamma = self.singular(Singular::Gamma, 0, z);
        let half = self.number(0.5);
        let (sum, difference) = (self.add(right, left), self.sub(right, left));
        let once = self.cross(w, difference);
        let odd = self.scale(half, once);
        let once = self.cross(w, sum);
        let twice = self.cross(w, once);
        let even = self.scale(gamma, twice);
        let both = self.add(sum, odd);
        self.add(both, even)
    }

    /// ∫₀¹ exp(s θ) u ds = c₁ u + θ c₂ J u in the plane.
    pub fn planar_integral(&mut self, angle: Node, u: Node) -> Node {
        let z = self.scale(angle, angle);
        let c1 = self.singular(Singular::Stumpff(1), 0, z);
        let c2 = self.singular(Singular::Stumpff(2), 0, z);
        let turned = self.quarter_turn(u);
        let factor = self.scale(angle, c2);
        let first = self.scale(c1, u);
        let second = self.scale(factor, turned);
        self.add(first, second)
    }

    /// The inverse of [`planar_integral`](Self::planar_integral): (1 − γ θ²) u − θ/2 J u.
    pub fn planar_integral_inverse(&mut self, angle: Node, u: Node) -> Node {
        let z = self.scale(angle, angle);
        let gamma = self.singular(Singular::Gamma, 0, z);
        let (one, half) = (self.number(1.0), self.number(-0.5));
        let product = self.scale(gamma, z);
        let along = self.sub(one, product);
        let across = self.scale(half, angle);
        let turned = self.quarter_turn(u);
        let first = self.scale(along, u);
        let second = self.scale(across, turned);
        self.add(first, second)
    }
}
