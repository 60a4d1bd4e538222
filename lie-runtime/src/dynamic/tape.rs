//! Execution of tapes.

use core::any::TypeId;
use core::fmt;
use std::sync::{Arc, Mutex};

use lie_compiler::tape::{Function, Instruction, Tape, TapeDatum, TapeInput};
use nalgebra::DVector;

use super::configuration::{DynamicConfiguration, ScalarLocation};
use super::inputs::DynamicInputs;
use crate::scalar::singular::{gamma, stumpff};
use crate::scalar::{Mask, Scalar};
use crate::system::codegen_runtime::{log_quaternion, log_rotation};

/// The number of values and of outputs of a kernel in machine code that are kept on the stack.
const FEW_VALUES: usize = 64;

/// The source of an input of a kernel.
#[derive(Clone, Copy, Debug)]
pub(super) enum Input {
    Time,
    Configuration(ScalarLocation),
    Velocity(usize),
    Acceleration(usize),
    Multiplier(usize),
    /// A scalar of the inputs, and the order of its derivative.
    Driven(usize, usize),
}

/// A tape, with the places of its inputs in the state of a system.
#[derive(Clone, Debug)]
pub(super) struct Kernel {
    pub(super) tape: Tape,
    pub(super) inputs: Vec<Input>,
    /// The number of registers, and the number of truth values.
    pub(super) sizes: [usize; 2],
    pub(super) compiled: Option<CompiledKernel>,
}

/// The values of a kernel that change with the parameters only, and its registers. The registers are kept between executions: a step
/// allocates and clears nothing.
#[derive(Debug)]
pub(super) struct KernelData<S> {
    pub values: Vec<S>,
    /// The values come first. Empty before the first execution.
    registers: Mutex<Vec<S>>,
}

impl<S: Scalar> KernelData<S> {
    pub fn new(values: Vec<S>) -> Self {
        KernelData { values, registers: Mutex::new(Vec::new()) }
    }
}

impl<S: Scalar> Clone for KernelData<S> {
    fn clone(&self) -> Self {
        KernelData::new(self.values.clone())
    }
}

/// A kernel in machine code. The function reads the data and the inputs of the kernel, and writes its outputs.
#[derive(Clone)]
pub struct CompiledKernel(Arc<KernelFunction>);

type KernelFunction = dyn Fn(&[f64], &mut [f64]) + Send + Sync;

impl CompiledKernel {
    /// Returns the kernel of a function.
    pub fn new(function: impl Fn(&[f64], &mut [f64]) + Send + Sync + 'static) -> Self {
        CompiledKernel(Arc::new(function))
    }
}

impl fmt::Debug for CompiledKernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("CompiledKernel")
    }
}

/// The arguments of a kernel; the velocity has its components in the order of the space.
#[derive(Clone, Copy)]
pub(super) struct Arguments<'a, S: Scalar> {
    pub t: S,
    pub q: &'a DynamicConfiguration<S>,
    pub v: Option<&'a DVector<S>>,
    pub acceleration: Option<&'a DVector<S>>,
    pub multipliers: Option<&'a DVector<S>>,
    pub inputs: Option<&'a DynamicInputs<S>>,
}

impl<'a, S: Scalar> Arguments<'a, S> {
    /// Time and configuration.
    pub fn at(t: S, q: &'a DynamicConfiguration<S>) -> Self {
        Arguments { t, q, v: None, acceleration: None, multipliers: None, inputs: None }
    }

    /// A state.
    pub fn moving(t: S, q: &'a DynamicConfiguration<S>, v: &'a DVector<S>) -> Self {
        Arguments { v: Some(v), ..Self::at(t, q) }
    }
}

impl Kernel {
    /// Returns the kernel; `scalars` are the places of the scalars of a configuration, `components` the places of the components of a velocity.
    pub fn new(tape: Tape, scalars: &[ScalarLocation], components: &[usize]) -> Self {
        let inputs = tape.inputs.iter().map(|input| match *input {
            TapeInput::Time => Input::Time,
            TapeInput::Configuration(at) => Input::Configuration(scalars[at as usize]),
            TapeInput::Velocity(at) => Input::Velocity(components[at as usize]),
            TapeInput::Acceleration(at) => Input::Acceleration(components[at as usize]),
            TapeInput::Multiplier(at) => Input::Multiplier(at as usize),
            TapeInput::Input { at, order } => Input::Driven(at as usize, order.into()),
        });
        let inputs: Vec<Input> = inputs.collect();
        let results = |instruction: &Instruction| match instruction {
            Instruction::LogMatrix(_) | Instruction::LogQuaternion(_) => [3, 0],
            _ if instruction.is_truth() => [0, 1],
            _ => [1, 0],
        };
        let counts =
            tape.instructions.iter().map(results).fold([0, 0], |sum, count| [sum[0] + count[0], sum[1] + count[1]]);
        let sizes = [tape.data.len() + inputs.len() + counts[0], counts[1]];
        Kernel { tape, inputs, sizes, compiled: None }
    }

    /// The number of data and inputs, which are the first registers.
    pub fn value_count(&self) -> usize {
        self.tape.data.len() + self.inputs.len()
    }

    /// The number of outputs.
    pub fn output_count(&self) -> usize {
        self.tape.outputs.len()
    }

    /// Returns the values that change with the parameters only.
    pub fn data<S: Scalar>(&self, parameters: &[S], hoisted: &[S]) -> KernelData<S> {
        let datum = |datum: &TapeDatum| match *datum {
            TapeDatum::Number(value) => S::from_f64(value),
            TapeDatum::Parameter(at) => parameters[at as usize],
            TapeDatum::Hoisted(at) => hoisted[at as usize],
        };
        KernelData::new(self.tape.data.iter().map(datum).collect())
    }

    /// Executes the kernel and calls `store` with each output; `data` comes from [`data`](Self::data).
    pub fn run<S: Scalar>(&self, data: &KernelData<S>, at: Option<Arguments<'_, S>>, mut store: impl FnMut(usize, S)) {
        let values = &data.values[..];
        if self.run_compiled(values, at, &mut store) {
            return;
        }
        if self.sizes[0] == values.len() {
            // The outputs are constants.
            return self.store(values, store);
        }
        // If another thread executes the kernel of this system, the registers are not available.
        let mut own = Vec::new();
        let mut kept = data.registers.try_lock().ok();
        let registers = kept.as_deref_mut().unwrap_or(&mut own);
        if registers.len() != self.sizes[0] {
            registers.clear();
            registers.extend_from_slice(values);
            registers.resize(self.sizes[0], S::zero());
        }
        self.load_inputs(&mut registers[values.len()..], at, |value| value);
        self.evaluate(registers);
        self.store(registers, store);
    }

    /// Executes the function of the kernel, if the scalars are `f64` and it has one. Returns whether it has been executed.
    #[inline]
    fn run_compiled<S: Scalar>(
        &self,
        data: &[S],
        at: Option<Arguments<'_, S>>,
        store: &mut impl FnMut(usize, S),
    ) -> bool {
        let Some(CompiledKernel(function)) = &self.compiled else { return false };
        if TypeId::of::<S>() != TypeId::of::<f64>() {
            return false;
        }
        let (values, outputs) = (self.value_count(), self.output_count());
        let mut few = [[0.0; FEW_VALUES]; 2];
        let mut many: [Vec<f64>; 2];
        let [x, y] = if values.max(outputs) <= FEW_VALUES {
            let [x, y] = &mut few;
            [&mut x[..values], &mut y[..outputs]]
        } else {
            many = [vec![0.0; values], vec![0.0; outputs]];
            let [x, y] = &mut many;
            [&mut x[..], &mut y[..]]
        };
        self.load(x, data, at, S::value);
        function(x, y);
        y.iter().enumerate().for_each(|(at, &value)| store(at, S::from_f64(value)));
        true
    }

    /// Writes the data and the inputs to the first registers.
    #[inline]
    pub fn load<S: Scalar, T>(&self, r: &mut [T], data: &[S], at: Option<Arguments<'_, S>>, convert: impl Fn(S) -> T) {
        for (register, &value) in r.iter_mut().zip(data) {
            *register = convert(value);
        }
        self.load_inputs(&mut r[data.len()..], at, convert);
    }

    /// Writes the inputs to their registers.
    #[inline]
    fn load_inputs<S: Scalar, T>(&self, r: &mut [T], at: Option<Arguments<'_, S>>, convert: impl Fn(S) -> T) {
        let Some(arguments) = at else { return };
        let component =
            |vector: Option<&DVector<S>>, at: usize| vector.map_or(S::from_f64(f64::NAN), |vector| vector[at]);
        for (register, input) in r.iter_mut().zip(&self.inputs) {
            *register = convert(match *input {
                Input::Time => arguments.t,
                Input::Configuration(location) => arguments.q.scalar(location),
                Input::Velocity(at) => component(arguments.v, at),
                Input::Acceleration(at) => component(arguments.acceleration, at),
                Input::Multiplier(at) => component(arguments.multipliers, at),
                Input::Driven(at, order) => {
                    arguments.inputs.map_or(S::from_f64(f64::NAN), |inputs| inputs.at(arguments.t, at, order))
                }
            });
        }
    }

    #[inline]
    fn store<S: Scalar>(&self, r: &[S], mut store: impl FnMut(usize, S)) {
        for (at, &register) in self.tape.outputs.iter().enumerate() {
            store(at, r[register as usize]);
        }
    }

    /// Computes all registers from the first ones, and returns the truth values.
    pub(super) fn evaluate<S: Scalar>(&self, r: &mut [S]) -> Vec<S::Mask> {
        let mut next = self.value_count();
        let mut truths: Vec<S::Mask> = Vec::with_capacity(self.sizes[1]);
        for instruction in &self.tape.instructions {
            r[next] = match *instruction {
                Instruction::Negative(a) => -r[a as usize],
                Instruction::Sum(a, b) => r[a as usize] + r[b as usize],
                Instruction::Difference(a, b) => r[a as usize] - r[b as usize],
                Instruction::Product(a, b) => r[a as usize] * r[b as usize],
                Instruction::Quotient(a, b) => r[a as usize] / r[b as usize],
                Instruction::MultiplyAdd(a, b, c) => S::mul_add(r[a as usize], r[b as usize], r[c as usize]),
                Instruction::MultiplySubtract(a, b, c) => S::mul_add(r[a as usize], r[b as usize], -r[c as usize]),
                Instruction::SubtractProduct(a, b, c) => S::mul_add(-r[a as usize], r[b as usize], r[c as usize]),
                other => {
                    next += self.evaluate_other(other, r, next, &mut truths);
                    continue;
                }
            };
            next += 1;
        }
        truths
    }

    /// Executes an operation without arithmetic of its own, and returns the number of its results. It is a function, because it would
    /// occupy the processor's registers in the loop of the other operations.
    #[inline(never)]
    fn evaluate_other<S: Scalar>(
        &self,
        instruction: Instruction,
        r: &mut [S],
        next: usize,
        truths: &mut Vec<S::Mask>,
    ) -> usize {
        match instruction {
            Instruction::Select(condition, a, b) => {
                r[next] = S::select(truths[condition as usize], r[a as usize], r[b as usize]);
            }
            Instruction::LogMatrix(first) => {
                let components = log_rotation(self.arguments_at(r, first));
                r[next..next + 3].copy_from_slice(&components);
                return 3;
            }
            Instruction::LogQuaternion(first) => {
                let components = log_quaternion(self.arguments_at(r, first));
                r[next..next + 3].copy_from_slice(&components);
                return 3;
            }
            _ if instruction.is_truth() => {
                truths.push(truth(instruction, r, truths));
                return 0;
            }
            other => r[next] = function(other, |at| r[at as usize]),
        }
        1
    }

    fn arguments_at<S: Scalar, const N: usize>(&self, registers: &[S], first: u32) -> [S; N] {
        self.registers_at(first).map(|register| registers[register])
    }

    /// The registers of a list of arguments.
    pub(super) fn registers_at<const N: usize>(&self, first: u32) -> [usize; N] {
        core::array::from_fn(|at| self.tape.arguments[first as usize + at] as usize)
    }
}

/// Operations with a truth value.
fn truth<S: Scalar>(instruction: Instruction, r: &[S], truths: &[S::Mask]) -> S::Mask {
    match instruction {
        Instruction::Less(a, b) => r[a as usize].lt(r[b as usize]),
        Instruction::LessOrEqual(a, b) => r[a as usize].le(r[b as usize]),
        Instruction::And(a, b) => truths[a as usize] & truths[b as usize],
        Instruction::Or(a, b) => truths[a as usize] | truths[b as usize],
        Instruction::Not(a) => !truths[a as usize],
        _ => S::Mask::splat(false),
    }
}

/// Operations that call a function; `r` returns the value of a register.
pub(super) fn function<S: Scalar>(instruction: Instruction, r: impl Fn(u32) -> S) -> S {
    match instruction {
        Instruction::Function(function, a) => elementary(function, r(a)),
        Instruction::Power(a, exponent) => r(a).powi(exponent),
        Instruction::RealPower(a, b) => r(a).powf(r(b)),
        Instruction::Atan2(a, b) => r(a).atan2(r(b)),
        Instruction::Remainder(a, b) => r(a).remainder(r(b)),
        Instruction::Stumpff { k, order, z } => stumpff(k.into(), order.into(), r(z)),
        Instruction::Gamma { order, z } => gamma(order.into(), r(z)),
        _ => S::from_f64(f64::NAN),
    }
}

/// f(x).
fn elementary<S: Scalar>(function: Function, x: S) -> S {
    match function {
        Function::Sqrt => x.sqrt(),
        Function::Sin => x.sin(),
        Function::Cos => x.cos(),
        Function::Tan => x.tan(),
        Function::Asin => x.asin(),
        Function::Acos => x.acos(),
        Function::Atan => x.atan(),
        Function::Exp => x.exp(),
        Function::Ln => x.ln(),
        Function::Sinh => x.sinh(),
        Function::Cosh => x.cosh(),
        Function::Tanh => x.tanh(),
        Function::Asinh => x.asinh(),
        Function::Acosh => x.acosh(),
        Function::Atanh => x.atanh(),
        Function::ExpM1 => x.exp_m1(),
        Function::Ln1p => x.ln_1p(),
        Function::Cbrt => x.cbrt(),
        Function::Abs => x.abs(),
        Function::Floor => x.floor(),
        Function::Ceil => x.ceil(),
        Function::Round => x.round(),
        Function::Trunc => x.trunc(),
        // The list above has all functions of the compiler of this version.
        _ => S::from_f64(f64::NAN),
    }
}
