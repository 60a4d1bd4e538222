//! Programs as tapes.

use rustc_hash::FxHashMap;

use super::instruction::{Instruction, Tape, TapeDatum, TapeInput};
use crate::backend::layout::Layouts;
use crate::expr::{Leaf, Relation, Rotation, Singular};
use crate::schedule::{Expression, Program, ProgramStatement};

/// Returns the tape of a program. Both sides of a branch are computed, and the values of one are selected.
pub(super) fn build(program: &Program, layouts: &Layouts) -> Tape {
    let mut operands = TapeSources { layouts, data: vec![], inputs: vec![], known: FxHashMap::default() };
    operands.collect(&program.body);
    let TapeSources { data, inputs, known, .. } = operands;
    let next = count(data.len() + inputs.len());
    let mut builder = TapeBuilder {
        layouts,
        known,
        tape: Tape { data, inputs, ..Tape::default() },
        next,
        truths: 0,
        named: FxHashMap::default(),
        calls: vec![],
        outputs: FxHashMap::default(),
    };
    builder.statements(&program.body);
    let mut outputs: Vec<(usize, u32)> = builder.outputs.into_iter().collect();
    outputs.sort_unstable();
    Tape { outputs: outputs.into_iter().map(|(_, register)| register).collect(), ..builder.tape }
}

const OPAQUE: &str = "a program for a tape calls an opaque function";

fn count(length: usize) -> u32 {
    u32::try_from(length).unwrap_or_else(|_| bug!("a kernel has more than 2³² operations"))
}

/// A value that exists before the first operation.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum TapeSource {
    Number(u64),
    Parameter(u32),
    Hoisted(u32),
    Input(TapeInput),
}

/// Returns the value that an expression names; `None` for operations.
fn operand(expression: &Expression, layouts: &Layouts) -> Option<TapeSource> {
    Some(match expression {
        Expression::Number(value) => TapeSource::Number(value.to_bits()),
        Expression::Hoisted(position) => TapeSource::Hoisted(count(*position)),
        Expression::Leaf(Leaf::Time, _) => TapeSource::Input(TapeInput::Time),
        Expression::Leaf(leaf, component) => {
            let place = layouts.locate(*leaf, *component);
            let (array, at) = place.unwrap_or_else(|| bug!("the leaf {leaf:?} has no array"));
            let is_motion = matches!(array, "v" | "acceleration");
            let Some(at) = (if is_motion { layouts.free[at] } else { Some(at) }) else {
                // Clamped members are at rest.
                return Some(TapeSource::Number(0.0_f64.to_bits()));
            };
            let at = count(at);
            match (array, leaf) {
                (_, Leaf::Input { order, .. }) => TapeSource::Input(TapeInput::Input { at, order: *order }),
                ("parameters", _) => TapeSource::Parameter(at),
                ("q", _) => TapeSource::Input(TapeInput::Configuration(at)),
                ("v", _) => TapeSource::Input(TapeInput::Velocity(at)),
                ("acceleration", _) => TapeSource::Input(TapeInput::Acceleration(at)),
                _ => TapeSource::Input(TapeInput::Multiplier(at)),
            }
        }
        _ => return None,
    })
}

/// The values that a program reads.
struct TapeSources<'a> {
    layouts: &'a Layouts,
    data: Vec<TapeDatum>,
    inputs: Vec<TapeInput>,
    /// The position of each value among the data or among the inputs.
    known: FxHashMap<TapeSource, u32>,
}

impl TapeSources<'_> {
    fn collect(&mut self, body: &[ProgramStatement]) {
        for statement in body {
            match statement {
                ProgramStatement::Let { value, .. } | ProgramStatement::Store { value, .. } => self.expression(value),
                ProgramStatement::Log { components, .. } => components.iter().for_each(|value| self.expression(value)),
                ProgramStatement::Opaque { .. } => bug!("{OPAQUE}"),
                ProgramStatement::If { condition, sides, .. } => {
                    self.expression(condition);
                    for side in sides {
                        self.collect(&side.body);
                        side.values.iter().for_each(|value| self.expression(value));
                    }
                }
            }
        }
    }

    fn expression(&mut self, expression: &Expression) {
        if let Some(operand) = operand(expression, self.layouts) {
            if self.known.contains_key(&operand) {
                return;
            }
            let at = match operand {
                TapeSource::Input(input) => {
                    self.inputs.push(input);
                    self.inputs.len() - 1
                }
                TapeSource::Number(bits) => self.datum(TapeDatum::Number(f64::from_bits(bits))),
                TapeSource::Parameter(at) => self.datum(TapeDatum::Parameter(at)),
                TapeSource::Hoisted(at) => self.datum(TapeDatum::Hoisted(at)),
            };
            self.known.insert(operand, count(at));
            return;
        }
        expression.operands().for_each(|inner| self.expression(inner));
    }

    fn datum(&mut self, datum: TapeDatum) -> usize {
        self.data.push(datum);
        self.data.len() - 1
    }
}

struct TapeBuilder<'a> {
    layouts: &'a Layouts,
    known: FxHashMap<TapeSource, u32>,
    tape: Tape,
    /// The register of the next result.
    next: u32,
    /// The number of truth values.
    truths: u32,
    /// The registers of named values.
    named: FxHashMap<usize, u32>,
    /// The first result of each call.
    calls: Vec<u32>,
    outputs: FxHashMap<usize, u32>,
}

impl TapeBuilder<'_> {
    fn statements(&mut self, body: &[ProgramStatement]) {
        for statement in body {
            match statement {
                ProgramStatement::Let { name, value, .. } => {
                    let register = self.value(value);
                    self.named.insert(*name, register);
                }
                ProgramStatement::Log { call, rotation, components } => {
                    let arguments: Vec<u32> = components.iter().map(|value| self.value(value)).collect();
                    let first = count(self.tape.arguments.len());
                    self.tape.arguments.extend(arguments);
                    self.tape.instructions.push(match rotation {
                        Rotation::S3 => Instruction::LogQuaternion(first),
                        _ => Instruction::LogMatrix(first),
                    });
                    debug_assert_eq!(*call, self.calls.len(), "calls are numbered in order");
                    self.calls.push(self.next);
                    self.next += 3;
                }
                ProgramStatement::Opaque { .. } => bug!("{OPAQUE}"),
                ProgramStatement::Store { output, value } => {
                    let register = self.value(value);
                    self.outputs.insert(*output, register);
                }
                ProgramStatement::If { condition, names, sides } => {
                    let condition = self.value(condition);
                    let values = sides.each_ref().map(|side| {
                        self.statements(&side.body);
                        side.values.iter().map(|value| self.value(value)).collect::<Vec<_>>()
                    });
                    for (at, name) in names.iter().enumerate() {
                        let select = Instruction::Select(condition, values[0][at], values[1][at]);
                        let register = self.result(select);
                        self.named.insert(*name, register);
                    }
                }
            }
        }
    }

    fn result(&mut self, instruction: Instruction) -> u32 {
        self.tape.instructions.push(instruction);
        self.next += 1;
        self.next - 1
    }

    fn truth(&mut self, instruction: Instruction) -> u32 {
        self.tape.instructions.push(instruction);
        self.truths += 1;
        self.truths - 1
    }

    /// Returns the register of a value, or of a truth value.
    fn value(&mut self, expression: &Expression) -> u32 {
        if let Some(operand) = operand(expression, self.layouts) {
            let offset = if matches!(operand, TapeSource::Input(_)) { count(self.tape.data.len()) } else { 0 };
            return self.known[&operand] + offset;
        }
        let two = |this: &mut Self, [a, b]: &[Box<Expression>; 2]| (this.value(a), this.value(b));
        let instruction = match expression {
            Expression::Named(name) => return self.named[name],
            Expression::Result(call, output) => return self.calls[*call] + output,
            Expression::Negative(a) => Instruction::Negative(self.value(a)),
            Expression::Sum(operands) => {
                let (a, b) = two(self, operands);
                Instruction::Sum(a, b)
            }
            Expression::Difference(operands) => {
                let (a, b) = two(self, operands);
                Instruction::Difference(a, b)
            }
            Expression::Product(operands) => {
                let (a, b) = two(self, operands);
                Instruction::Product(a, b)
            }
            Expression::Quotient(operands) => {
                let (a, b) = two(self, operands);
                Instruction::Quotient(a, b)
            }
            Expression::MultiplyAdd([x, y, a]) => match (&**x, &**a) {
                (Expression::Negative(x), _) => {
                    Instruction::SubtractProduct(self.value(x), self.value(y), self.value(a))
                }
                (_, Expression::Negative(a)) => {
                    Instruction::MultiplySubtract(self.value(x), self.value(y), self.value(a))
                }
                _ => Instruction::MultiplyAdd(self.value(x), self.value(y), self.value(a)),
            },
            Expression::Function(function, a) => Instruction::Function(*function, self.value(a)),
            Expression::Power(a, exponent) => Instruction::Power(self.value(a), *exponent),
            Expression::RealPower(operands) => {
                let (a, b) = two(self, operands);
                Instruction::RealPower(a, b)
            }
            Expression::Atan2(operands) => {
                let (a, b) = two(self, operands);
                Instruction::Atan2(a, b)
            }
            Expression::Remainder(operands) => {
                let (a, b) = two(self, operands);
                Instruction::Remainder(a, b)
            }
            Expression::Singular(Singular::Stumpff(k), order, z) => {
                Instruction::Stumpff { k: *k, order: *order, z: self.value(z) }
            }
            Expression::Singular(Singular::Gamma, order, z) => Instruction::Gamma { order: *order, z: self.value(z) },
            Expression::Compare(relation, operands) => {
                let (a, b) = two(self, operands);
                return self.truth(match relation {
                    Relation::Less => Instruction::Less(a, b),
                    Relation::LessOrEqual => Instruction::LessOrEqual(a, b),
                });
            }
            Expression::And(operands) => {
                let (a, b) = two(self, operands);
                return self.truth(Instruction::And(a, b));
            }
            Expression::Or(operands) => {
                let (a, b) = two(self, operands);
                return self.truth(Instruction::Or(a, b));
            }
            Expression::Not(a) => {
                let a = self.value(a);
                return self.truth(Instruction::Not(a));
            }
            Expression::Select([condition, a, b]) => {
                Instruction::Select(self.value(condition), self.value(a), self.value(b))
            }
            Expression::Number(_) | Expression::Leaf(..) | Expression::Hoisted(_) => {
                bug!("values without operations come first")
            }
        };
        self.result(instruction)
    }
}
