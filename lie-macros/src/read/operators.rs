//! Operators, with the shapes and meanings that nalgebra and the groups give them.

use quote::ToTokens;
use syn::{BinOp, UnOp};

use super::{Reader, Reading, Reported, Value};
use crate::expr::{Node, Relation};
use crate::model::Group;

impl Reader<'_> {
    pub(super) fn unary(&mut self, unary: &syn::ExprUnary) -> Reading {
        let value = self.expression(&unary.expr)?;
        match (&unary.op, value) {
            (UnOp::Deref(_), value) => Ok(value),
            (UnOp::Neg(_), Value::Scalar(a)) => Ok(Value::Scalar(self.expressions.neg(a))),
            (UnOp::Neg(_), Value::Matrix(a)) => Ok(Value::Matrix(self.expressions.neg(a))),
            (UnOp::Neg(_), Value::Integer(a)) => Ok(Value::Integer(a.saturating_neg())),
            (UnOp::Not(_), Value::Known(a)) => Ok(Value::Known(!a)),
            (UnOp::Not(_), Value::Truth(a)) => Ok(Value::Truth(self.expressions.not(a))),
            (_, Value::Unknown) => Err(Reported),
            (UnOp::Neg(_), Value::Rotation(_) | Value::Pose { .. }) => {
                self.error_with_help(unary, "group elements have no negative", "the inverse is `.inverse()`")
            }
            (_, other) => {
                let found = other.describe(&self.expressions);
                self.error(unary, format_args!("this operator does not apply to {found}"))
            }
        }
    }

    pub(super) fn binary(&mut self, binary: &syn::ExprBinary) -> Reading {
        // Both sides are read, so that mistakes on both are reported.
        let left = self.expression(&binary.left);
        let right = self.expression(&binary.right);
        let (left, right) = (left?, right?);
        let assigned = |op: &BinOp| {
            matches!(op, BinOp::AddAssign(_) | BinOp::SubAssign(_) | BinOp::MulAssign(_) | BinOp::DivAssign(_))
        };
        let value = match &binary.op {
            BinOp::Add(_) | BinOp::AddAssign(_) => self.sum(binary, left, right, false),
            BinOp::Sub(_) | BinOp::SubAssign(_) => self.sum(binary, left, right, true),
            BinOp::Mul(_) | BinOp::MulAssign(_) => self.multiply(binary, left, right),
            BinOp::Div(_) | BinOp::DivAssign(_) => self.quotient(binary, left, right),
            BinOp::Rem(_) => match (left, right) {
                (Value::Integer(a), Value::Integer(b)) if b != 0 => Ok(Value::Integer(a.wrapping_rem(b))),
                (Value::Scalar(a), Value::Scalar(b)) => Ok(Value::Scalar(self.expressions.remainder(a, b))),
                _ => self.outside(binary, "the remainder `%`"),
            },
            BinOp::And(_) => self.logic(binary, left, right, true),
            BinOp::Or(_) => self.logic(binary, left, right, false),
            BinOp::Lt(_) => self.order(binary, left, right, Relation::Less, false),
            BinOp::Gt(_) => self.order(binary, left, right, Relation::Less, true),
            BinOp::Le(_) => self.order(binary, left, right, Relation::LessOrEqual, false),
            BinOp::Ge(_) => self.order(binary, left, right, Relation::LessOrEqual, true),
            BinOp::Eq(_) | BinOp::Ne(_) => match (left, right) {
                (Value::Integer(a), Value::Integer(b)) => {
                    Ok(Value::Known((a == b) == matches!(binary.op, BinOp::Eq(_))))
                }
                (left @ (Value::Count(_) | Value::Integer(_)), right @ (Value::Count(_) | Value::Integer(_))) => {
                    let (a, b) = (self.count_of(&left), self.count_of(&right));
                    let equal = self.same_count(a, b);
                    let is_equal = matches!(binary.op, BinOp::Eq(_));
                    Ok(Value::Truth(if is_equal { equal } else { self.expressions.not(equal) }))
                }
                _ => self.error_with_help(
                    binary,
                    "real numbers are compared for equality",
                    "use `<` or `<=`: equality of rounded numbers is not a condition on the state",
                ),
            },
            _ => self.outside(binary, "this operator"),
        }?;
        let value = self.finite(value, binary)?;
        if assigned(&binary.op) { self.assign(&binary.left, value) } else { Ok(value) }
    }

    fn sum(&mut self, at: &impl ToTokens, left: Value, right: Value, minus: bool) -> Reading {
        match (left, right) {
            (Value::Scalar(a), Value::Scalar(b)) => Ok(Value::Scalar(self.plus(a, b, minus))),
            (Value::Matrix(a), Value::Matrix(b)) if self.expressions.shape(a) == self.expressions.shape(b) => {
                Ok(Value::Matrix(self.plus(a, b, minus)))
            }
            (Value::Integer(a), Value::Integer(b)) => {
                Ok(Value::Integer(if minus { a.saturating_sub(b) } else { a.saturating_add(b) }))
            }
            (left @ (Value::Count(_) | Value::Integer(_)), right @ (Value::Count(_) | Value::Integer(_))) => {
                let (a, b) = (self.count_of(&left), self.count_of(&right));
                Ok(Value::Count(self.plus(a, b, minus)))
            }
            (left @ (Value::Rotation(_) | Value::Pose { .. }), right) => self.group_sum(at, &left, &right),
            (left, right @ (Value::Rotation(_) | Value::Pose { .. })) => self.group_sum(at, &right, &left),
            (left, right) => self.mismatch(at, &left, &right, if minus { "subtracted" } else { "added" }),
        }
    }

    /// A whole number as a real one.
    fn count_of(&mut self, value: &Value) -> Node {
        match *value {
            Value::Count(node) => node,
            #[allow(clippy::cast_precision_loss)] // Indices are small.
            Value::Integer(value) => self.expressions.number(value as f64),
            _ => self.expressions.number(0.0),
        }
    }

    /// a ≤ b and b ≤ a: whole numbers are exact.
    fn same_count(&mut self, a: Node, b: Node) -> Node {
        let up = self.expressions.compare(Relation::LessOrEqual, a, b);
        let down = self.expressions.compare(Relation::LessOrEqual, b, a);
        self.expressions.and(up, down)
    }

    fn plus(&mut self, a: Node, b: Node, minus: bool) -> Node {
        if minus { self.expressions.sub(a, b) } else { self.expressions.add(a, b) }
    }

    fn group_sum(&mut self, at: &impl ToTokens, group: &Value, other: &Value) -> Reading {
        let name = group.describe(&self.expressions).replace("an element", "elements");
        let message = format!("{name} are composed with `*`, not added");
        if other == group || matches!(other, Value::Rotation(_) | Value::Pose { .. }) {
            return self.error_with_help(at, message, "the difference of two is `(a.inverse() * b).log()`");
        }
        self.error_with_help(at, message, "to turn a vector write `rotation * vector`")
    }

    fn multiply(&mut self, at: &impl ToTokens, left: Value, right: Value) -> Reading {
        let e = &mut self.expressions;
        match (left, right) {
            (Value::Scalar(a), Value::Scalar(b)) => Ok(Value::Scalar(e.scale(a, b))),
            (Value::Scalar(a), Value::Matrix(b)) | (Value::Matrix(b), Value::Scalar(a)) => {
                Ok(Value::Matrix(e.scale(a, b)))
            }
            (Value::Matrix(a), Value::Matrix(b)) if e.shape(a).1 == e.shape(b).0 => Ok(Value::Matrix(e.product(a, b))),
            (Value::Integer(a), Value::Integer(b)) => Ok(Value::Integer(a.saturating_mul(b))),
            (left @ (Value::Count(_) | Value::Integer(_)), right @ (Value::Count(_) | Value::Integer(_))) => {
                let (a, b) = (self.count_of(&left), self.count_of(&right));
                Ok(Value::Count(self.expressions.scale(a, b)))
            }
            (Value::Rotation(a), Value::Rotation(b)) if e.rotation(a) == e.rotation(b) => {
                Ok(Value::Rotation(e.compose(a, b)))
            }
            (Value::Rotation(r), Value::Matrix(v)) if Some(e.shape(v)) == e.rotation(r).map(|k| (k.space(), 1)) => {
                Ok(Value::Matrix(e.act(r, v)))
            }
            (Value::Pose { group, rotation, translation }, Value::Matrix(v))
                if e.shape(v) == (group.translation, 1) =>
            {
                let turned = e.act(rotation, v);
                Ok(Value::Matrix(e.add(turned, translation)))
            }
            (
                Value::Pose { group, rotation: r, translation: x },
                Value::Pose { group: other, rotation: s, translation: y },
            ) if group == other => {
                let turned = e.act(r, y);
                let translation = e.add(x, turned);
                Ok(Value::Pose { group, rotation: e.compose(r, s), translation })
            }
            (left, right) => self.mismatch(at, &left, &right, "multiplied"),
        }
    }

    fn quotient(&mut self, at: &syn::ExprBinary, left: Value, right: Value) -> Reading {
        match (left, right) {
            (Value::Scalar(a), Value::Scalar(b)) => Ok(Value::Scalar(self.expressions.divide(a, b))),
            (Value::Matrix(a), Value::Scalar(b)) => {
                let one = self.expressions.number(1.0);
                let factor = self.expressions.divide(one, b);
                Ok(Value::Matrix(self.expressions.scale(factor, a)))
            }
            (Value::Integer(a), Value::Integer(b)) => {
                let text = at.to_token_stream().to_string();
                self.error_with_help(
                    at,
                    format_args!("`{text}` divides integers and would be rounded down"),
                    format_args!("write `{a}.0 / {b}.0`"),
                )
            }
            (left, right) => self.mismatch(at, &left, &right, "divided"),
        }
    }

    fn logic(&mut self, at: &impl ToTokens, left: Value, right: Value, and: bool) -> Reading {
        match (left, right) {
            (Value::Known(a), Value::Known(b)) => Ok(Value::Known(if and { a && b } else { a || b })),
            (Value::Known(a), b) | (b, Value::Known(a)) => Ok(if a == and { b } else { Value::Known(a) }),
            (Value::Truth(a), Value::Truth(b)) => {
                Ok(Value::Truth(if and { self.expressions.and(a, b) } else { self.expressions.or(a, b) }))
            }
            (left, right) => self.mismatch(at, &left, &right, "combined"),
        }
    }

    fn order(&mut self, at: &impl ToTokens, left: Value, right: Value, relation: Relation, turned: bool) -> Reading {
        match (left, right) {
            (Value::Scalar(a), Value::Scalar(b)) => {
                let (a, b) = if turned { (b, a) } else { (a, b) };
                match (self.expressions.as_number(a), self.expressions.as_number(b)) {
                    (Some(x), Some(y)) => Ok(Value::Known(match relation {
                        Relation::Less => x < y,
                        Relation::LessOrEqual => x <= y,
                    })),
                    _ => Ok(Value::Truth(self.expressions.compare(relation, a, b))),
                }
            }
            (Value::Integer(a), Value::Integer(b)) => {
                let (a, b) = if turned { (b, a) } else { (a, b) };
                Ok(Value::Known(match relation {
                    Relation::Less => a < b,
                    Relation::LessOrEqual => a <= b,
                }))
            }
            (left @ (Value::Count(_) | Value::Integer(_)), right @ (Value::Count(_) | Value::Integer(_))) => {
                let (a, b) = (self.count_of(&left), self.count_of(&right));
                let (a, b) = if turned { (b, a) } else { (a, b) };
                Ok(Value::Truth(self.expressions.compare(relation, a, b)))
            }
            (left, right) => self.mismatch(at, &left, &right, "compared"),
        }
    }

    /// Reports two values that do not go together.
    pub(super) fn mismatch(&mut self, at: &impl ToTokens, left: &Value, right: &Value, verb: &str) -> Reading {
        if matches!(left, Value::Unknown) || matches!(right, Value::Unknown) {
            return Err(Reported);
        }
        let (a, b) = (left.describe(&self.expressions), right.describe(&self.expressions));
        let message = format!("{a} and {b} cannot be {verb}");
        let help = match (left, right) {
            (Value::Count(_), _) | (_, Value::Count(_)) => Some("make it a number first: `index as f64`".to_owned()),
            (Value::Integer(value), _) | (_, Value::Integer(value)) => {
                Some(format!("write `{value}.0`: integers are for indices and loops"))
            }
            (Value::Matrix(a), Value::Matrix(b)) if verb == "multiplied" => {
                let ((rows, columns), (other, _)) = (self.expressions.shape(*a), self.expressions.shape(*b));
                if columns == 1 && rows == other {
                    Some("the inner product is `a.dot(&b)`, the cross product `a.cross(&b)`".to_owned())
                } else {
                    Some(format!("the left factor has {columns} columns, the right one {other} rows"))
                }
            }
            (Value::Scalar(_), Value::Matrix(_)) | (Value::Matrix(_), Value::Scalar(_)) if verb != "multiplied" => {
                Some("take an entry such as `v[0]`, or a vector of equal entries".to_owned())
            }
            (Value::Rotation(_) | Value::Pose { .. }, Value::Rotation(_) | Value::Pose { .. }) => {
                Some("only elements of one group are composed".to_owned())
            }
            (Value::Rotation(_) | Value::Pose { .. }, Value::Matrix(_)) => {
                Some("rotations and poses act on vectors of the space they move".to_owned())
            }
            (Value::Matrix(_), Value::Rotation(_) | Value::Pose { .. }) => {
                Some("group elements act from the left: `rotation * vector`".to_owned())
            }
            (Value::Direction(_), _) | (_, Value::Direction(_)) => {
                Some("its unit vector is `q.direction()`".to_owned())
            }
            (Value::Scalar(_), Value::Rotation(_) | Value::Pose { .. })
            | (Value::Rotation(_) | Value::Pose { .. }, Value::Scalar(_)) => {
                Some("a fraction of a rotation is `exp` of a multiple of its `log`".to_owned())
            }
            _ => None,
        };
        match help {
            Some(help) => self.error_with_help(at, message, help),
            None => self.error(at, message),
        }
    }

    /// The inverse of a group element.
    pub(super) fn inverse_of(&mut self, value: &Value) -> Option<Value> {
        let e = &mut self.expressions;
        match *value {
            Value::Rotation(r) => Some(Value::Rotation(e.invert(r))),
            Value::Pose { group, rotation, translation } => {
                let turned = e.act_inverse(rotation, translation);
                Some(Value::Pose { group, rotation: e.invert(rotation), translation: e.neg(turned) })
            }
            _ => None,
        }
    }

    /// exp of a semidirect product: the translation is T(ω)ᵀ u (paper 1, eq. 18).
    pub(super) fn pose_exp(&mut self, group: Group, twist: Node) -> Option<Value> {
        let kind = group.rotation?;
        let e = &mut self.expressions;
        let angular = e.slice(twist, 0, kind.dimension());
        let linear = e.slice(twist, kind.dimension(), group.translation);
        let translation = if group.translation == 2 {
            self.planar_integral(angular, linear)
        } else {
            e.rotation_tangent(kind, angular, linear, true)
        };
        let rotation = self.expressions.rotation_exp(kind, angular);
        Some(Value::Pose { group, rotation, translation })
    }

    /// log of a semidirect product.
    pub(super) fn pose_log(&mut self, group: Group, rotation: Node, translation: Node) -> Option<Value> {
        let kind = group.rotation?;
        let e = &mut self.expressions;
        let angular = e.rotation_log(rotation);
        let linear = if group.translation == 2 {
            self.planar_integral_inverse(angular, translation)
        } else {
            e.rotation_tangent_inverse(kind, angular, translation, true)
        };
        Some(Value::Matrix(self.expressions.concat(vec![angular, linear])))
    }

    /// ∫₀¹ exp(s θ) u ds = c₁ u + θ c₂ J u in the plane.
    fn planar_integral(&mut self, angle: Node, u: Node) -> Node {
        use crate::expr::Singular;
        let e = &mut self.expressions;
        let z = e.scale(angle, angle);
        let c1 = e.singular(Singular::Stumpff(1), 0, z);
        let c2 = e.singular(Singular::Stumpff(2), 0, z);
        let turned = e.quarter_turn(u);
        let factor = e.scale(angle, c2);
        let first = e.scale(c1, u);
        let second = e.scale(factor, turned);
        e.add(first, second)
    }

    /// The inverse of [`planar_integral`]: (1 − γ θ²) u − θ/2 J u.
    fn planar_integral_inverse(&mut self, angle: Node, u: Node) -> Node {
        use crate::expr::Singular;
        let e = &mut self.expressions;
        let z = e.scale(angle, angle);
        let gamma = e.singular(Singular::Gamma, 0, z);
        let (one, half) = (e.number(1.0), e.number(-0.5));
        let product = e.scale(gamma, z);
        let along = e.sub(one, product);
        let across = e.scale(half, angle);
        let turned = e.quarter_turn(u);
        let first = e.scale(along, u);
        let second = e.scale(across, turned);
        e.add(first, second)
    }
}
