//! Inputs: values that a system receives at run time, u in g(t, q, v, u).
//!
//! A struct with the role `#[inputs]` is an argument of forces, dissipation, potentials, constraints and observables. Its values are
//! defined outside the declaration:
//!
//! | definition | inputs are | for |
//! |---|---|---|
//! | `system.with_inputs(\|t, q, v\| …)` | a function of the state | forces, dissipation, observables |
//! | `system.with_inputs_over_time(\|t\| …)` | a smooth function of time, with its derivatives by dual numbers | all |
//! | `system.with_inputs_from(signal)` | an [`OverTime`], such as a [`Table`] or a [`Constant`] | all; constraints if it is smooth |
//! | `….with_feedback(\|t, q, v, u\| …)` | the signal with changes by the state | as above, see below |
//! | [`Simulation::controller`](crate::simulate::Simulation::controller) | constant between sampling instants, from a controller with
//! internal state | all but constraints |
//! | [`Simulation::delayed`](crate::simulate::Simulation::delayed) | a quantity at an earlier time (dead time) | forces, dissipation, observables |
//!
//! # Inputs between steps
//!
//! A method evaluates inputs at a few instants of each step. Changes between these instants remain unnoticed.
//!
//! * **Tables under error control**: steps end at the bends of the table. The time is divided into intervals in which a cubic polynomial
//!   approximates the interpolated inputs. The tolerance is the relative tolerance of the run, times the range of the inputs in the
//!   interval (at most 1e-4), or a tenth of it times the range in the whole table. The ends of the intervals are rows of the table. Dense
//!   rows on a smooth curve cost no additional steps. If the rows contain noise above the tolerance, every row is the end of a step: smooth
//!   such a table, or loosen the tolerance.
//! * **Tables with fixed steps**: the run warns with [`Warning::InputsBetweenSteps`](crate::simulate::Warning::InputsBetweenSteps) if an
//!   interval (at 1 % of the range) is shorter than the step.
//! * **Closures under error control**: the variation of a closure is unknown. A step is at most 1/100 of the run, or at most
//!   [`Simulation::max_step`](crate::simulate::Simulation::max_step). Set it to the duration of the shortest event in the closure. The same
//!   limit applies to declared functions of time.
//! * **Signals of your own**: implement [`OverTime::smooth_until`].
//!
//! Kernels evaluate the inputs at the times and states of the method. Constraints and potentials use functions of time only. The fields
//! that they read are always the values of the function of time, for any feedback or controller. A constraint also needs u' and u''.
//!
//! The tangent stiffness and damping of implicit methods do not contain ∂u/∂q and ∂u/∂v of a feedback u(t, q, v). The residual contains the
//! feedback, so that the Newton iteration converges to the correct solution. Its convergence is linear, and stiff feedback requires smaller
//! steps.

mod delay;
mod driver;
mod error;
mod lifted;
mod signal;
mod smooth;
mod spline;
mod table;

use core::any::Any;
use core::fmt::Debug;

#[doc(hidden)]
pub use delay::DelayedInputs;
pub(crate) use delay::{DelayedInput, InitialHistory, nodes as delay_nodes};
#[doc(hidden)]
pub use driver::ensure_finite;
pub use driver::{Driver, InputDerivatives};
pub use error::{InputError, TableError};
pub use signal::InputSignal;
#[doc(hidden)]
pub use smooth::SmoothStretch;
pub(crate) use table::read_csv;
pub use table::{Interpolation, Table};

use crate::scalar::{Dual, Scalar};

/// A number with its first two time derivatives.
pub type Jet<S> = Dual<Dual<S>>;

/// The inputs struct of a declaration.
pub trait InputSet: Copy + Debug + Send + Sync + 'static {
    /// The scalar type.
    type Scalar: Scalar;
    /// The same inputs with another scalar type.
    type On<T: Scalar>: InputSet<Scalar = T>;
    /// The name of the struct.
    const NAME: &'static str;
    /// The fields in order with their shapes: empty for a scalar, the length of a vector, rows and columns of a matrix.
    const FIELDS: &'static [(&'static str, &'static [usize])];
    /// Requirements of the declaration.
    const NEEDS: InputRequirements;

    /// Creates the inputs from values, in the order of the fields, matrices in row-major order.
    #[doc(hidden)]
    fn of(next: &mut dyn FnMut() -> Self::Scalar) -> Self;
    /// Visits the values in the same order.
    #[doc(hidden)]
    fn visit(&self, visit: &mut dyn FnMut(Self::Scalar));
    /// Copies the fields that constraints and potentials read.
    #[doc(hidden)]
    fn prescribe(&mut self, from: &Self);

    /// Creates inputs with equal values.
    #[doc(hidden)]
    fn all(number: Self::Scalar) -> Self {
        Self::of(&mut || number)
    }
    /// Returns the values in order.
    #[doc(hidden)]
    fn numbers(&self) -> Vec<Self::Scalar> {
        let mut numbers = Vec::new();
        self.visit(&mut |number| numbers.push(number));
        numbers
    }
    /// Returns the first field with a value that is not finite.
    #[doc(hidden)]
    fn not_finite(&self) -> Option<&'static str> {
        let (mut at, mut found) = (0, None);
        self.visit(&mut |number| {
            if found.is_none() && !number.value().is_finite() {
                found = Some(at);
            }
            at += 1;
        });
        found.map(field_of::<Self>)
    }
}

/// Returns the field of the value with index `at`.
fn field_of<U: InputSet>(at: usize) -> &'static str {
    let mut end = 0;
    let field = U::FIELDS.iter().find(|(_, shape)| {
        end += shape.iter().product::<usize>();
        at < end
    });
    field.map_or(U::NAME, |(name, _)| name)
}

/// Requirements of a declaration on its inputs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[doc(hidden)]
pub struct InputRequirements {
    /// A potential that uses the inputs: they must be functions of time, or held.
    pub over_time: Option<&'static str>,
    /// A constraint that uses the inputs: they must be functions of time with two derivatives.
    pub smooth: Option<&'static str>,
}

/// Inputs as a function of time.
#[doc(alias = "actuator")]
#[doc(alias = "control input")]
pub trait OverTime<U: InputSet>: Send + Sync {
    /// Returns u, u' and u'' at t; NaN if they do not exist.
    fn jet(&self, t: U::Scalar) -> [U; 3];
    /// Returns u at t.
    fn at(&self, t: U::Scalar) -> U {
        self.jet(t)[0]
    }
    /// Returns the interval of definition. Default: unlimited.
    fn range(&self) -> [f64; 2] {
        [f64::NEG_INFINITY, f64::INFINITY]
    }
    /// Returns the latest time up to `end` at which the inputs are still smooth from the time `from` on. Error-controlled steps end there,
    /// so that no step crosses a gust or a kink. Default: `None`, unknown.
    ///
    /// *Smooth* means that a cubic polynomial approximates every input in this interval, with an error of at most `tolerance` times the
    /// range of its values there.
    fn smooth_until(&self, from: f64, end: f64, tolerance: f64) -> Option<f64> {
        let _ = (from, end, tolerance);
        None
    }
    /// Returns the signals of single fields, if the inputs consist of them.
    #[doc(hidden)]
    fn fields(&self) -> Option<&dyn Any> {
        None
    }
    /// Returns true if u' and u'' are the derivatives everywhere and u' is continuous. Default: true.
    fn is_smooth(&self) -> bool {
        true
    }
}

/// Constant inputs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Constant<U>(pub U);

impl<U: InputSet> OverTime<U> for Constant<U> {
    fn jet(&self, _: U::Scalar) -> [U; 3] {
        let zero = U::all(U::Scalar::from_f64(0.0));
        [self.0, zero, zero]
    }
    fn at(&self, _: U::Scalar) -> U {
        self.0
    }
    fn smooth_until(&self, _: f64, end: f64, _: f64) -> Option<f64> {
        Some(end)
    }
}

/// The values of inputs: the first ones on the stack, the others in a list.
struct InputComponents<S> {
    first: [S; ON_STACK],
    rest: Vec<S>,
}

/// Number of values without an allocation.
const ON_STACK: usize = 32;

impl<S: Scalar> InputComponents<S> {
    pub fn of<U: InputSet<Scalar = S>>(inputs: &U) -> Self {
        let mut numbers = InputComponents { first: [S::from_f64(0.0); ON_STACK], rest: Vec::new() };
        let mut at = 0;
        inputs.visit(&mut |number| {
            match numbers.first.get_mut(at) {
                Some(place) => *place = number,
                None => numbers.rest.push(number),
            }
            at += 1;
        });
        numbers
    }

    /// Returns the value with this index.
    pub fn get(&self, at: usize) -> S {
        let number = if at < ON_STACK { self.first.get(at) } else { self.rest.get(at - ON_STACK) };
        number.copied().unwrap_or_else(|| S::from_f64(f64::NAN))
    }

    /// Creates inputs from a part of each value.
    pub fn inputs<U: InputSet>(&self, part: impl Fn(S) -> U::Scalar) -> U {
        let mut at = 0;
        U::of(&mut || {
            at += 1;
            part(self.get(at - 1))
        })
    }
}
