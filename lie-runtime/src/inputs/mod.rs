//! Inputs: what a system is given at run time, the u in g(t, q, v, u).
//!
//! A struct with the role `#[inputs]` is an argument of forces, dissipation, potentials, constraints and observables. What
//! it is comes from outside of the declaration:
//!
//! | given by | inputs are | for |
//! |---|---|---|
//! | `system.with_inputs(\|t, q, v\| …)` | a function of the state | forces, dissipation, observables |
//! | `system.with_inputs_over_time(\|t\| …)` | a smooth function of time, with its derivatives by dual numbers | all |
//! | `system.with_inputs_from(signal)` | an [`OverTime`]: a [`Table`], [`Constant`] ones | all; constraints if it is smooth |
//! | `….with_feedback(\|t, q, v, u\| …)` | the same, changed by the state | as above, see below |
//! | [`Simulation::controller`](crate::simulate::Simulation::controller) | held from one instant to the next, from a controller that may remember | all but constraints |
//!
//! # Inputs between steps
//!
//! A method evaluates inputs at a few instants of each step. Whatever happens between them is not seen.
//!
//! * **Tables under error control**: steps end where the table bends. The time is divided into stretches in each of which a cubic polynomial
//!   describes the interpolated inputs to the relative tolerance of the run, as a part of their range in the stretch (at most 1e-4), or a
//!   tenth of that as a part of their range in the whole table. Steps end at the ends of stretches, which are rows of the table. Rows on a
//!   smooth curve that are denser than needed cost no steps. If the rows carry noise above these limits, each row is the end of a step: smooth
//!   such a table, or loosen the tolerance.
//! * **Tables with fixed steps**: the run warns with [`Notice::InputsBetweenSteps`](crate::simulate::Notice::InputsBetweenSteps) if a stretch (at
//!   1 % of the range) is shorter than the step.
//! * **Closures under error control**: nothing is known of a closure. A step is at most one hundredth of the run, or as long as
//!   [`Simulation::max_step`](crate::simulate::Simulation::max_step) allows. Set it to the duration of the shortest event in
//!   the closure. The same limit holds where a declared function takes the time.
//! * **Signals of your own**: implement [`OverTime::smooth_until`].
//!
//! Kernels evaluate them at the times and states at which a method evaluates the equations. Constraints and potentials see
//! functions of time alone: those inputs that a constraint or a potential reads are always what the function of time says,
//! whatever a feedback or a controller makes of them. A constraint needs u' and u'' as well.
//!
//! Of a feedback u(t, q, v) the tangent stiffness and damping of implicit methods do not see ∂u/∂q and ∂u/∂v. The residual
//! does, so that what Newton's iteration converges to is right; it converges linearly, and stiff feedback asks for
//! smaller steps.

mod driver;
mod error;
mod lifted;
mod smooth;
mod spline;
mod table;

use core::fmt::Debug;

pub use driver::{Driver, Slopes, ensure_finite};
pub use error::{InputError, TableError};
pub use smooth::SmoothStretch;
pub use table::{Interpolation, Table};

use crate::scalar::{Dual, Scalar};

/// A number with its first two derivatives by time, which a function of it carries on.
pub type Jet<S> = Dual<Dual<S>>;

/// The struct of inputs that a declaration has.
pub trait InputSet: Copy + Debug + Send + Sync + 'static {
    /// The number type.
    type Scalar: Scalar;
    /// The same inputs of other numbers.
    type On<T: Scalar>: InputSet<Scalar = T>;
    /// The name of the struct.
    const NAME: &'static str;
    /// The fields in order, each with its shape: nothing of a number, the length of a vector, rows and columns of a matrix.
    const FIELDS: &'static [(&'static str, &'static [usize])];
    /// What the declaration asks of them.
    const NEEDS: Needs;

    /// Made of numbers, field by field, matrices by rows.
    fn of(next: &mut dyn FnMut() -> Self::Scalar) -> Self;
    /// Shows the numbers in the same order.
    fn visit(&self, visit: &mut dyn FnMut(Self::Scalar));
    /// Takes over the fields that constraints and potentials read.
    fn prescribe(&mut self, from: &Self);

    /// All of them the same number.
    fn all(number: Self::Scalar) -> Self {
        Self::of(&mut || number)
    }
    /// The numbers in order.
    fn numbers(&self) -> Vec<Self::Scalar> {
        let mut numbers = Vec::new();
        self.visit(&mut |number| numbers.push(number));
        numbers
    }
    /// The first field that has a number which is not finite.
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

/// The field that number `at` belongs to.
fn field_of<U: InputSet>(at: usize) -> &'static str {
    let mut end = 0;
    let field = U::FIELDS.iter().find(|(_, shape)| {
        end += shape.iter().product::<usize>();
        at < end
    });
    field.map_or(U::NAME, |(name, _)| name)
}

/// What a declaration asks of its inputs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Needs {
    /// A potential that takes them: they have to be a function of time, or held.
    pub over_time: Option<&'static str>,
    /// A constraint that takes them: they have to be a function of time with two derivatives.
    pub smooth: Option<&'static str>,
}

/// Inputs as a function of time.
pub trait OverTime<U: InputSet>: Send + Sync {
    /// u, u' and u'' at t; NaN where there are none.
    fn jet(&self, t: U::Scalar) -> [U; 3];
    /// u at t.
    fn at(&self, t: U::Scalar) -> U {
        self.jet(t)[0]
    }
    /// Where it is defined.
    fn range(&self) -> [f64; 2] {
        [f64::NEG_INFINITY, f64::INFINITY]
    }
    /// The latest time, at most `end`, up to which the inputs are smooth from the time `from` on: steps under error control end there, so
    /// that no step leads over a gust or across a kink. Default: `None`, which means unknown.
    ///
    /// *Smooth* means that a polynomial of third degree describes every input on that stretch up to `tolerance` times the range of its
    /// values there.
    fn smooth_until(&self, from: f64, end: f64, tolerance: f64) -> Option<f64> {
        let _ = (from, end, tolerance);
        None
    }
    /// True if u' and u'' are its derivatives everywhere, and u' is continuous.
    fn is_smooth(&self) -> bool {
        true
    }
}

/// Inputs that never change.
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

/// The numbers of inputs on the stack, as many as there is room for; the rest in a list.
struct Components<S> {
    first: [S; ON_STACK],
    rest: Vec<S>,
}

/// Inputs of so many numbers are taken apart without an allocation.
const ON_STACK: usize = 32;

impl<S: Scalar> Components<S> {
    pub fn of<U: InputSet<Scalar = S>>(inputs: &U) -> Self {
        let mut numbers = Components { first: [S::from_f64(0.0); ON_STACK], rest: Vec::new() };
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

    /// The number at this place, in order.
    pub fn get(&self, at: usize) -> S {
        let number = if at < ON_STACK { self.first.get(at) } else { self.rest.get(at - ON_STACK) };
        number.copied().unwrap_or_else(|| S::from_f64(f64::NAN))
    }

    /// Inputs of a part of each number.
    pub fn inputs<U: InputSet>(&self, part: impl Fn(S) -> U::Scalar) -> U {
        let mut at = 0;
        U::of(&mut || {
            at += 1;
            part(self.get(at - 1))
        })
    }
}
