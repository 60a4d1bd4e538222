//! The instructions of a tape.

use crate::expr::Function;

/// A kernel as a list of operations on registers.
///
/// The registers are, in this order: [`data`](Self::data), [`inputs`](Self::inputs), and the results of the instructions. Comparisons
/// have registers of their own, in the order of the instructions that return truth values.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Tape {
    /// Values that change with the parameters only.
    pub data: Vec<TapeDatum>,
    /// Values of the state.
    pub inputs: Vec<TapeInput>,
    /// The operations.
    pub instructions: Vec<Instruction>,
    /// The arguments of logarithms: registers.
    pub arguments: Vec<u32>,
    /// The register of each output. Matrices are stored by rows.
    pub outputs: Vec<u32>,
}

/// A value that does not change during a motion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TapeDatum {
    /// A constant.
    Number(f64),
    /// A scalar of the parameters.
    Parameter(u32),
    /// An output of [`TapeKernels::prepare`](super::TapeKernels::prepare).
    Hoisted(u32),
}

/// A scalar of the state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TapeInput {
    /// The time.
    Time,
    /// A scalar of the configuration.
    Configuration(u32),
    /// A component of the velocity.
    Velocity(u32),
    /// A component of the acceleration.
    Acceleration(u32),
    /// A multiplier.
    Multiplier(u32),
    /// A scalar of the inputs, or its first or second time derivative.
    Input {
        /// The position among the scalars of the inputs.
        at: u32,
        /// The order of the derivative.
        order: u8,
    },
}

/// An operation; the operands are registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Instruction {
    /// −a.
    Negative(u32),
    /// a + b.
    Sum(u32, u32),
    /// a − b.
    Difference(u32, u32),
    /// a b.
    Product(u32, u32),
    /// a / b.
    Quotient(u32, u32),
    /// a b + c, one operation where the target has it.
    MultiplyAdd(u32, u32, u32),
    /// a b − c.
    MultiplySubtract(u32, u32, u32),
    /// c − a b.
    SubtractProduct(u32, u32, u32),
    /// f(a).
    Function(Function, u32),
    /// aⁿ with an integer n.
    Power(u32, i32),
    /// aᵇ.
    RealPower(u32, u32),
    /// The angle of the point (b, a).
    Atan2(u32, u32),
    /// The remainder of a / b with the sign of a.
    Remainder(u32, u32),
    /// The derivative of this order of the Stumpff function c_k.
    Stumpff {
        /// k.
        k: u8,
        /// The order.
        order: u8,
        /// The argument.
        z: u32,
    },
    /// The derivative of this order of the coefficient γ of ω~² in T⁻¹.
    Gamma {
        /// The order.
        order: u8,
        /// The argument.
        z: u32,
    },
    /// The three components of the logarithm of a rotation matrix: nine [arguments](Tape::arguments) from this one, by rows. They are three results.
    LogMatrix(u32),
    /// The same of a unit quaternion: four arguments, w, x, y, z.
    LogQuaternion(u32),
    /// The truth value a < b.
    Less(u32, u32),
    /// The truth value a ≤ b.
    LessOrEqual(u32, u32),
    /// a ∧ b of truth values.
    And(u32, u32),
    /// a ∨ b of truth values.
    Or(u32, u32),
    /// ¬ a of a truth value.
    Not(u32),
    /// The second operand if the first, a truth value, is true, otherwise the third.
    Select(u32, u32, u32),
}

impl Instruction {
    /// Returns true for operations with a truth value.
    pub fn is_truth(&self) -> bool {
        use Instruction::{And, Less, LessOrEqual, Not, Or};
        matches!(self, Less(..) | LessOrEqual(..) | And(..) | Or(..) | Not(_))
    }
}
