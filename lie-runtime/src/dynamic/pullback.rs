//! Reverse-mode differentiation of tapes: the operations are differentiated in reverse order.

use lie_compiler::tape::Instruction;

use super::tape::{Arguments, Kernel, function};
use crate::scalar::{Dual, Scalar};
use crate::system::codegen_runtime::{log_quaternion, log_rotation};

impl Kernel {
    /// Returns the derivatives of Σ w(i) outputᵢ with respect to the data and the inputs of the kernel.
    pub fn pullback<S: Scalar>(&self, data: &[S], at: Option<Arguments<'_, S>>, weight: impl Fn(usize) -> S) -> Vec<S> {
        let mut r = vec![S::zero(); self.sizes[0]];
        self.load(&mut r, data, at, |value| value);
        let truths = self.evaluate(&mut r);
        let mut bar = vec![S::zero(); r.len()];
        for (at, &register) in self.tape.outputs.iter().enumerate() {
            bar[register as usize] += weight(at);
        }
        let mut result = r.len();
        for &instruction in self.tape.instructions.iter().rev() {
            match instruction {
                // Truth values have no derivatives.
                _ if instruction.is_truth() => {}
                Instruction::LogMatrix(first) => {
                    result -= 3;
                    self.pull_back_function::<_, 9>(first, log_rotation, (&r, result), &mut bar);
                }
                Instruction::LogQuaternion(first) => {
                    result -= 3;
                    self.pull_back_function::<_, 4>(first, log_quaternion, (&r, result), &mut bar);
                }
                _ => {
                    result -= 1;
                    if !bar[result].is_zero() {
                        pull_back(instruction, (&r, result), &truths, &mut bar);
                    }
                }
            }
        }
        bar.truncate(result);
        bar
    }

    /// Differentiates a function with three results.
    fn pull_back_function<S: Scalar, const N: usize>(
        &self,
        first: u32,
        function: fn([Dual<S>; N]) -> [Dual<S>; 3],
        (r, result): (&[S], usize),
        bar: &mut [S],
    ) {
        let registers = self.registers_at::<N>(first);
        for varied in 0..N {
            let argument =
                |at: usize| Dual { re: r[registers[at]], eps: if at == varied { S::one() } else { S::zero() } };
            let values = function(core::array::from_fn(argument));
            for (at, value) in values.iter().enumerate() {
                let weight = bar[result + at];
                bar[registers[varied]] += weight * value.eps;
            }
        }
    }
}

/// Adds the derivatives of an operation with one result.
fn pull_back<S: Scalar>(instruction: Instruction, (r, result): (&[S], usize), truths: &[S::Mask], bar: &mut [S]) {
    let (weight, value) = (bar[result], |at: u32| r[at as usize]);
    let mut add = |at: u32, derivative: S| bar[at as usize] += derivative;
    match instruction {
        Instruction::Negative(a) => add(a, -weight),
        Instruction::Sum(a, b) => {
            add(a, weight);
            add(b, weight);
        }
        Instruction::Difference(a, b) => {
            add(a, weight);
            add(b, -weight);
        }
        Instruction::Product(a, b) => {
            add(a, weight * value(b));
            add(b, weight * value(a));
        }
        Instruction::Quotient(a, b) => {
            let part = weight / value(b);
            add(a, part);
            add(b, -part * r[result]);
        }
        Instruction::MultiplyAdd(a, b, c) | Instruction::MultiplySubtract(a, b, c) => {
            add(a, weight * value(b));
            add(b, weight * value(a));
            add(c, if matches!(instruction, Instruction::MultiplyAdd(..)) { weight } else { -weight });
        }
        Instruction::SubtractProduct(a, b, c) => {
            add(a, -weight * value(b));
            add(b, -weight * value(a));
            add(c, weight);
        }
        Instruction::Select(condition, a, b) => {
            let condition = truths[condition as usize];
            add(a, S::select(condition, weight, S::zero()));
            add(b, S::select(condition, S::zero(), weight));
        }
        Instruction::RealPower(a, b) | Instruction::Atan2(a, b) | Instruction::Remainder(a, b) => {
            add(a, weight * derivative(instruction, a, r));
            if a != b {
                add(b, weight * derivative(instruction, b, r));
            }
        }
        Instruction::Function(_, a)
        | Instruction::Power(a, _)
        | Instruction::Stumpff { z: a, .. }
        | Instruction::Gamma { z: a, .. } => add(a, weight * derivative(instruction, a, r)),
        // Operations with several results, and truth values.
        _ => {}
    }
}

/// The derivative of a function with respect to a register.
fn derivative<S: Scalar>(instruction: Instruction, varied: u32, r: &[S]) -> S {
    let eps = |at: u32| if at == varied { S::one() } else { S::zero() };
    function(instruction, |at| Dual { re: r[at as usize], eps: eps(at) }).eps
}
