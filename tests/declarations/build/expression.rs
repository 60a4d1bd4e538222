//! Expressions of every type. Values stay of moderate size: quotients, roots and logarithms have positive arguments.

use crate::body::Writer;
use crate::place;
use crate::scope::{Scope, Type};

/// In parentheses if rustc would take it for a statement.
pub fn tail(text: String) -> String {
    let is_statement = ["if ", "match ", "{"].iter().any(|start| text.starts_with(start));
    if is_statement { format!("({text})") } else { text }
}

impl Writer {
    /// An expression, in parentheses where it could be taken apart.
    pub fn atom(&mut self, scope: &mut Scope, ty: Type, depth: usize) -> String {
        let text = self.expression(scope, ty, depth);
        let is_plain = text.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.'));
        if is_plain { text } else { format!("({text})") }
    }

    /// An expression.
    pub fn expression(&mut self, scope: &mut Scope, ty: Type, depth: usize) -> String {
        match ty {
            Type::Number => self.number(scope, depth),
            Type::Vector => self.vector(scope, depth),
            Type::Matrix => self.matrix(scope, depth),
            Type::Rotation => self.rotation(scope, depth),
            Type::Array => self.array(scope, depth),
            Type::Pair => format!("({}, {})", self.number(scope, depth / 2), self.number(scope, depth / 2)),
            Type::Integer => self.integer(scope, depth),
            Type::Count => self.count(scope, depth),
        }
    }

    fn variable(&mut self, scope: &Scope, ty: Type) -> Option<String> {
        scope.variable(ty, &mut self.random)
    }

    /// An expression that only this kind of function can read; `otherwise` if there is none.
    fn seen(&mut self, seen: &[&str], otherwise: &str) -> String {
        if seen.is_empty() { otherwise.to_owned() } else { (*self.random.one(seen)).to_owned() }
    }

    fn small_number(&mut self, scope: &mut Scope) -> String {
        match self.random.below(14) {
            12 | 13 => self.seen(place::numbers(scope.place), "data.stiffness"),
            0..=4 => self.variable(scope, Type::Number).unwrap_or_else(|| "t".to_owned()),
            5 => "q.place.x".to_owned(),
            6 => "q.place[2]".to_owned(),
            7 => (*self.random.one(&["data.stiffness", "data.list[1]", "data.list[N - 1]", "data.offset.y", "HALF"]))
                .to_owned(),
            8 => "q.wheel.angle()".to_owned(),
            9 => match self.variable(scope, Type::Integer) {
                Some(name) => format!("{name} as f64"),
                None => "TABLE[2]".to_owned(),
            },
            10 => match self.variable(scope, Type::Pair) {
                Some(name) => format!("{name}.{}", self.random.below(2)),
                None => self.random.literal(),
            },
            _ => self.random.literal(),
        }
    }

    #[allow(clippy::too_many_lines)] // One line for each form.
    fn number(&mut self, scope: &mut Scope, depth: usize) -> String {
        if depth == 0 || self.random.in_one_of(6) {
            return self.small_number(scope);
        }
        let d = depth - 1;
        match self.random.below(37) {
            0 | 1 => format!("{} + {}", self.left(scope, d), self.atom(scope, Type::Number, d)),
            2 | 3 => format!("{} - {}", self.left(scope, d), self.atom(scope, Type::Number, d)),
            4 | 5 => format!("{} * {}", self.atom(scope, Type::Number, d), self.atom(scope, Type::Number, d)),
            6 => {
                let (a, b) = (self.atom(scope, Type::Number, d), self.atom(scope, Type::Number, d));
                format!("{a} / (1.5 + {b}.powi(2))")
            }
            // Which operator binds first.
            7 => {
                let [a, b, c] = [(); 3].map(|()| self.small_number(scope));
                let [a, b, c] = [a, b, c].map(|part| if part.contains(' ') { format!("({part})") } else { part });
                (*self.random.one(&[
                    format!("-{a}.powi(2) + {b} * {c}"),
                    format!("{a} - {b} - {c}"),
                    format!("{a} + {b} * -{c}"),
                    format!("{a} * {b} / 2.0 * {c}"),
                ]))
                .clone()
            }
            8 | 9 => {
                let function = *self.random.one(&["sin", "cos", "tanh", "atan", "cbrt_of", "signed"]);
                let a = self.atom(scope, Type::Number, d);
                match function {
                    "cbrt_of" => format!("(1.0 + {a} * {a}).sqrt()"),
                    "signed" => format!("(2.0 + {a} * {a}).ln()"),
                    _ => format!("{a}.{function}()"),
                }
            }
            10 => format!("{}.sin().exp()", self.atom(scope, Type::Number, d)),
            11 => format!("f64::{}({})", self.random.one(&["sin", "cos", "tanh"]).to_owned(), self.number(scope, d)),
            12 => {
                let (a, b) = (self.atom(scope, Type::Number, d), self.number(scope, d));
                let function = *self.random.one(&["min", "max", "hypot"]);
                if function == "hypot" {
                    format!("{a}.hypot(1.0 + ({b}).abs())")
                } else {
                    format!("{a}.{function}({b})")
                }
            }
            13 => format!("{}.clamp(-0.8, 1.3)", self.atom(scope, Type::Number, d)),
            14 => {
                let (a, b) = (self.atom(scope, Type::Number, d), self.atom(scope, Type::Number, d));
                // The sign of a zero is not kept: away from it.
                format!("(0.01 + {a}).atan2(1.5 + {b}.powi(2))")
            }
            15 => {
                let (a, b) = (self.atom(scope, Type::Number, d), self.number(scope, d));
                format!("{a}.mul_add({}, {b})", self.small_number(scope))
            }
            16 => {
                let (a, b) = (self.condition(scope), self.number(scope, d));
                let (b, c) = (tail(b), tail(self.number(scope, d)));
                format!("if {a} {{ {b} }} else {{ {c} }}")
            }
            17 => self.block(scope, d),
            18 => format!("{}.dot(&{})", self.atom(scope, Type::Vector, d), self.atom(scope, Type::Vector, d)),
            19 => {
                let component = *self.random.one(&[".x", ".y", ".z", "[1]", ".norm_squared()", ".sum()"]);
                format!("{}{component}", self.atom(scope, Type::Vector, d))
            }
            20 => format!("({} + Vector3::new(0.0, 0.0, 3.0)).norm()", self.atom(scope, Type::Vector, d)),
            21 => {
                let entry = *self.random.one(&["[(0, 2)]", "[(1, 1)]", ".trace()"]);
                format!("{}{entry}", self.atom(scope, Type::Matrix, d))
            }
            22 => {
                let a = self.atom(scope, Type::Array, d);
                let how = self.random.below(6);
                match how {
                    0 => format!("{a}[{}]", self.random.below(3)),
                    1 => format!("{a}.iter().sum::<f64>()"),
                    2 => format!("{a}.iter().map(|u| u * u + {}).sum::<f64>()", self.small_number(scope)),
                    3 => format!("{a}.iter().zip(&TABLE).map(|(u, w)| u * w).sum::<f64>()"),
                    4 => format!("{a}.into_iter().rev().fold(0.5, |sum, u| 0.5 * sum - u)"),
                    _ => format!("{a}.windows(2).map(|pair| pair[0] * pair[1]).sum::<f64>()"),
                }
            }
            23 => format!("{} as f64", self.atom(scope, Type::Integer, d)),
            24 => format!("{} as f64", self.atom(scope, Type::Count, d)),
            25 => {
                let name = self.helper();
                format!("{name}(data, q, t, {}, {})", self.number(scope, d), self.number(scope, d))
            }
            26 => {
                let vector = self.atom(scope, Type::Vector, d);
                format!("along(&{vector}, {})", self.number(scope, d))
            }
            27 => match scope.closures.last().cloned() {
                Some(closure) => format!("{closure}({})", self.number(scope, d)),
                None => self.number(scope, d),
            },
            28 => self.matched(scope, d),
            // What a place holds when it is read.
            29 => match scope.mutable(Type::Number, &mut self.random) {
                Some(name) => {
                    let value = self.number(scope, d);
                    let form = self.random.below(3);
                    match form {
                        0 => format!("{name} + {{ {name} = {name} + {value}; {name} }} * 0.5"),
                        1 => format!("f64::sin({{ {name} = {value}; {name} }}) - {name}"),
                        _ => format!("helper_0(data, q, t, {name}, {{ {name} -= {value}; {name} }})"),
                    }
                }
                None => self.number(scope, d),
            },
            30 => format!(
                "(0..{}).map(|n| {} * (n as f64 + 0.5)).sum::<f64>()",
                self.random.below(4),
                self.small_number(scope)
            ),
            31 => {
                let [a, b] = [(); 2].map(|()| self.number(scope, d));
                let form = self.random.below(2);
                match form {
                    0 => format!("{{ let (u, w) = ({a}, {b}); u * w - u }}"),
                    _ => format!("{{ let Span {{ from, to }} = Span {{ from: {a}, to: {b} }}; to - 0.3 * from }}"),
                }
            }
            32 => format!("{}.determinant()", self.atom(scope, Type::Matrix, d / 2)),
            33 => {
                format!("{}.rem_euclid({})", self.atom(scope, Type::Integer, d), 2 + self.random.below(3)) + " as f64"
            }
            34 => format!("{}.log().norm_squared()", self.atom(scope, Type::Rotation, d / 2)),
            35 => format!("reach(data, q, {})", self.number(scope, d)),
            _ => format!("-{}", self.atom(scope, Type::Number, d)),
        }
    }

    /// The left operand of an operator.
    fn left(&mut self, scope: &mut Scope, depth: usize) -> String {
        tail(self.number(scope, depth))
    }

    /// A number by `match`.
    fn matched(&mut self, scope: &mut Scope, d: usize) -> String {
        let (a, b, c) = (tail(self.number(scope, d)), tail(self.number(scope, d)), self.small_number(scope));
        let form = self.random.below(3);
        match form {
            0 => format!("match {} {{ 0 => {a}, 1 | 2 => {b}, _ => {c} }}", self.atom(scope, Type::Count, 1)),
            1 => {
                let number = self.atom(scope, Type::Integer, 1);
                format!("match {number} {{ ..=-1 => {a}, m if m % 2 == 0 => {b} + m as f64, _ => {c} }}")
            }
            _ => format!("match (N, data.list.len()) {{ (3, 2) => {a}, (3, m) if m > 2 => {b}, _ => {c} }}"),
        }
    }

    fn vector(&mut self, scope: &mut Scope, depth: usize) -> String {
        if depth == 0 || self.random.in_one_of(4) {
            return match self.random.below(6) {
                5 => self.seen(place::vectors(scope.place), "q.place"),
                0 | 1 => self.variable(scope, Type::Vector).unwrap_or_else(|| "q.place".to_owned()),
                2 => "data.offset".to_owned(),
                3 => "Vector3::<f64>::y()".to_owned(),
                _ => "q.place".to_owned(),
            };
        }
        let d = depth - 1;
        match self.random.below(12) {
            0 => format!("{} + {}", self.vector(scope, d), self.atom(scope, Type::Vector, d)),
            1 => format!("{} - {}", self.vector(scope, d), self.atom(scope, Type::Vector, d)),
            2 => format!("{} * {}", self.atom(scope, Type::Number, d), self.atom(scope, Type::Vector, d)),
            3 => format!("{} / 2.5", self.atom(scope, Type::Vector, d)),
            4 => format!("{}.cross(&{})", self.atom(scope, Type::Vector, d), self.atom(scope, Type::Vector, d)),
            5 => format!("{} * {}", self.atom(scope, Type::Rotation, d / 2), self.atom(scope, Type::Vector, d)),
            6 => format!("{} * {}", self.atom(scope, Type::Matrix, d), self.atom(scope, Type::Vector, d)),
            7 => {
                let [a, b, c] = [(); 3].map(|()| self.number(scope, d / 2));
                format!("Vector3::new({a}, {b}, {c})")
            }
            8 => format!("{}.component_mul(&data.offset)", self.atom(scope, Type::Vector, d)),
            9 => format!("Vector3::from_fn(|row, _| row as f64 + {})", self.small_number(scope)),
            10 => format!("({} + Vector3::new(3.0, 0.0, 0.0)).normalize()", self.atom(scope, Type::Vector, d)),
            _ => format!("-{}", self.atom(scope, Type::Vector, d)),
        }
    }

    fn matrix(&mut self, scope: &mut Scope, depth: usize) -> String {
        if depth == 0 || self.random.in_one_of(4) {
            return match self.random.below(4) {
                0 => self.variable(scope, Type::Matrix).unwrap_or_else(|| "data.shape".to_owned()),
                1 => "Matrix3::<f64>::identity()".to_owned(),
                _ => "data.shape".to_owned(),
            };
        }
        let d = depth - 1;
        match self.random.below(7) {
            0 => format!("{} + {}", self.matrix(scope, d), self.atom(scope, Type::Matrix, d)),
            1 => format!("{} * {}", self.atom(scope, Type::Matrix, d), self.atom(scope, Type::Matrix, d)),
            2 => format!("{}.transpose()", self.atom(scope, Type::Matrix, d)),
            3 => format!("{} * {}", self.atom(scope, Type::Number, d), self.atom(scope, Type::Matrix, d)),
            4 => format!("{}.cross_matrix()", self.atom(scope, Type::Vector, d)),
            5 => format!("{} * {}.transpose()", self.atom(scope, Type::Vector, d), self.atom(scope, Type::Vector, d)),
            _ => format!("Matrix3::from_diagonal(&{})", self.atom(scope, Type::Vector, d)),
        }
    }

    fn rotation(&mut self, scope: &mut Scope, depth: usize) -> String {
        if self.random.in_one_of(5) {
            return self.seen(place::rotations(scope.place), "q.turn");
        }
        if depth == 0 || self.random.in_one_of(3) {
            return self.variable(scope, Type::Rotation).unwrap_or_else(|| "q.turn".to_owned());
        }
        let d = depth - 1;
        match self.random.below(3) {
            0 => format!("{} * {}", self.atom(scope, Type::Rotation, d), self.atom(scope, Type::Rotation, d)),
            1 => format!("{}.inverse()", self.atom(scope, Type::Rotation, d)),
            _ => format!("SO3::exp(&(0.2 * {}))", self.atom(scope, Type::Vector, d)),
        }
    }

    fn array(&mut self, scope: &mut Scope, depth: usize) -> String {
        if depth == 0 || self.random.in_one_of(4) {
            return match self.random.below(3) {
                0 => self.variable(scope, Type::Array).unwrap_or_else(|| "TABLE".to_owned()),
                1 => "data.list".to_owned(),
                _ => "TABLE".to_owned(),
            };
        }
        let d = depth - 1;
        match self.random.below(4) {
            0 => format!("[{}; N]", self.number(scope, d)),
            1 => format!("{}.map(|u| u * {})", self.atom(scope, Type::Array, d), self.atom(scope, Type::Number, 0)),
            2 => format!("std::array::from_fn::<_, 3, _>(|n| TABLE[n] + {})", self.small_number(scope)),
            _ => {
                let [a, b, c] = [(); 3].map(|()| self.number(scope, d / 2));
                format!("[{a}, {b}, {c}]")
            }
        }
    }

    /// A whole number, small enough for products of two.
    fn integer(&mut self, scope: &mut Scope, depth: usize) -> String {
        if depth == 0 || self.random.in_one_of(4) {
            return match self.random.below(3) {
                0 => self.variable(scope, Type::Integer).unwrap_or_else(|| "STEPS".to_owned()),
                1 => "STEPS".to_owned(),
                _ => format!("{}_i32", self.random.below(9)),
            };
        }
        let a = self.atom(scope, Type::Integer, depth - 1);
        match self.random.below(9) {
            0 => format!("{a} % 5 + {}", self.random.below(7)),
            1 => format!("{a} % 7 - {}", self.random.below(9)),
            2 => format!("{a} % 11 * -3"),
            3 => format!("{a} / 2"),
            4 => format!("-{a} % 4"),
            5 => format!("(-{a} - 3) as i64 as i32"),
            6 => format!("({a} % 100 * 5).abs() as usize as i32"),
            7 => format!("{a} % 6"),
            _ => format!("({a} % 13).pow(2)"),
        }
    }

    /// A count whose intermediate values are never negative.
    fn count(&mut self, scope: &mut Scope, depth: usize) -> String {
        if depth == 0 || self.random.in_one_of(3) {
            return self.variable(scope, Type::Count).unwrap_or_else(|| "N".to_owned());
        }
        let a = self.atom(scope, Type::Count, depth - 1);
        match self.random.below(5) {
            0 => format!("{a} % 4 + 1"),
            1 => format!("{a} * 2 % 5"),
            2 => format!("{a} / 2"),
            3 => format!("{a}.pow(2) % 3"),
            _ => format!("(7 - {a} % 5) / 3"),
        }
    }

    /// A condition on the state or on constants.
    pub fn condition(&mut self, scope: &mut Scope) -> String {
        if self.random.in_one_of(5) {
            return self.seen(place::conditions(scope.place), "t > 0.1");
        }
        let a = self.atom(scope, Type::Number, 1);
        match self.random.below(7) {
            0 | 1 => format!("{a} < {}", self.small_number(scope)),
            2 => format!("{a} >= 0.3 && t <= {}", self.small_number(scope)),
            3 => format!("!({a} > 0.2) || data.stiffness < {}", self.small_number(scope)),
            4 => format!("{} % 2 == 0", self.atom(scope, Type::Integer, 1)),
            5 => format!("{} > 1", self.atom(scope, Type::Count, 1)),
            _ => format!("({a} - {}).abs() < 0.7", self.small_number(scope)),
        }
    }
}
