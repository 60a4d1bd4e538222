//! Methods by name: what there is, what it needs, and how more is added.
//!
//! ```
//! use lie_runtime::prelude::*;
//! use lie_runtime::simulate::{MethodError, methods};
//! # #[mechanical_system]
//! # pub mod oscillator {
//! #     use lie_runtime::prelude::*;
//! #     #[configuration]
//! #     pub struct Position { pub x: R1 }
//! #     #[kinetic_energy]
//! #     fn kinetic(v: &Velocity) -> f64 { 0.5 * v.x.norm_squared() }
//! #     #[potential]
//! #     fn spring(q: &Position) -> f64 { 0.5 * q.x.norm_squared() }
//! # }
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! for card in methods() {
//!     println!("{:24} order {}: {}", card.id, card.order, card.name);
//! }
//! let system = oscillator::System::new()?;
//! let start = || Simulation::of(&system).starting_at(oscillator::Position { x: Vector1::new(1.0) }, Vector1::new(0.0));
//! let run = start().with_method("rkmk4")?.step(0.01).until(1.0).run()?;
//! assert_eq!(run.method, "rkmk4");
//! let Err(MethodError::Unknown { nearest, .. }) = start().with_method("hedop") else { unreachable!() };
//! assert_eq!(nearest, Some("hedop5"));
//! # Ok(())
//! # }
//! ```
//!
//! A [`Registry`] of one's own holds further methods, or fewer, and methods take options as texts there:
//!
//! ```
//! # use lie_runtime::prelude::*;
//! # #[mechanical_system]
//! # pub mod oscillator {
//! #     use lie_runtime::prelude::*;
//! #     #[configuration]
//! #     pub struct Position { pub x: R1 }
//! #     #[kinetic_energy]
//! #     fn kinetic(v: &Velocity) -> f64 { 0.5 * v.x.norm_squared() }
//! # }
//! use lie_runtime::integrator::{AnyMethod, Differential, tableau};
//! use lie_runtime::simulate::{MethodCard, Methods};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let method = MuntheKaas::new("rkmk_bs", &tableau::BOGACKI_SHAMPINE, Differential::Exact)?;
//! let mine = MethodCard::new("rkmk_bs", "after Bogacki and Shampine", "mine", 3);
//! let methods = Methods::all().and([mine], move |_| Ok(AnyMethod::of(OnMechanical(method))));
//!
//! let system = oscillator::System::new()?;
//! let start = || Simulation::of(&system).starting_at(oscillator::Position { x: Vector1::new(1.0) }, Vector1::new(0.0));
//! let run = start().with_method_from(&methods, "rkmk_bs", &[])?.step(0.1).until(1.0).run()?;
//! assert_eq!(run.method, "rkmk_bs");
//! let run = start().with_method_from(&methods, "lie_alpha", &[("rho_inf", "0.8")])?.step(0.1).until(1.0).run()?;
//! assert_eq!(run.method, "lie_alpha");
//! # Ok(())
//! # }
//! ```

mod blie_df;
mod card;
mod choices;
mod collocation;
mod error;
mod generalized_alpha;
mod half_explicit;
mod on_fields;
mod rattlie;
mod registry;
mod rotation;
mod symplectic;
mod tr_bdf2;

pub use card::{MethodCard, MethodOption, Needs};
pub use choices::Choices;
pub use error::MethodError;
pub use registry::{Methods, Registry};

use crate::field::{Canonical, FirstOrder, Intrinsic, LiftedHamiltonian, Mechanical, VectorField};
use crate::integrator::{Integrator, Problem, SymplecticLieGroup};
use crate::space::CoordinateMap;
use crate::system::{Covectors, Linearised, MechanicalSystem};

/// All methods of this crate: those for mechanical systems, then those for Hamiltonian systems alone.
///
/// Methods for equations of first order are those of the families `Runge-Kutta-Munthe-Kaas` and `commutator-free`.
pub fn methods() -> Vec<MethodCard> {
    [
        half_explicit::cards(),
        generalized_alpha::cards(),
        rattlie::cards(),
        blie_df::cards(),
        tr_bdf2::cards(),
        collocation::cards(),
        rotation::cards(),
        on_fields::cards(),
        symplectic::cards(),
    ]
    .concat()
}

impl<M: MechanicalSystem + 'static> Methods<M> {
    /// The methods that need no linearisation: all that there is for systems without one, as some written by hand are.
    pub fn explicit() -> Self {
        Registry::empty()
            .and(half_explicit::cards(), half_explicit::method)
            .and(on_fields::cards(), on_fields::mechanical)
    }
}

impl<F: FirstOrder + 'static> Methods<F> {
    /// The methods for equations of first order: all that there is for Hamiltonians without
    /// [dual numbers](crate::field::LiftedHamiltonian).
    pub fn first_order() -> Self {
        Registry::empty().and(on_fields::cards(), on_fields::first_order)
    }
}

/// A problem that methods of this crate are known for.
#[diagnostic::on_unimplemented(
    message = "no methods are known by name for `{Self}`",
    label = "`.with(…)` takes a method by its type",
    note = "for a type parameter that stands for any declared system say `{Self}: Linearised + Covectors + 'static`, traits of \
            `lie_runtime::system`"
)]
pub trait Registered: Problem {
    /// All of them, by name.
    fn methods() -> Methods<Self>;
}

impl<P: Registered> Methods<P> {
    /// All methods of this crate for the problem.
    pub fn all() -> Self {
        P::methods()
    }
}

impl<M: Linearised + Covectors + 'static> Registered for M {
    fn methods() -> Methods<M> {
        Registry::empty()
            .and(half_explicit::cards(), half_explicit::method)
            .and(generalized_alpha::cards(), generalized_alpha::method)
            .and(rattlie::cards(), rattlie::method)
            .and(blie_df::cards(), blie_df::method)
            .and(tr_bdf2::cards(), tr_bdf2::method)
            .and(collocation::cards(), collocation::method)
            .and(rotation::cards(), rotation::method)
            .and(on_fields::cards(), on_fields::mechanical)
    }
}

impl<V: VectorField + 'static, C: CoordinateMap<V::Point> + 'static> Registered for Intrinsic<V, C> {
    fn methods() -> Methods<Self> {
        Methods::first_order()
    }
}

impl<M: MechanicalSystem + 'static> Registered for Mechanical<M> {
    fn methods() -> Methods<Self> {
        Methods::first_order()
    }
}

/// The symplectic methods, and all others for equations of first order.
impl<H> Registered for Canonical<H>
where
    H: LiftedHamiltonian<Scalar = f64> + 'static,
    Self: FirstOrder,
    SymplecticLieGroup: Integrator<Self>,
{
    fn methods() -> Methods<Self> {
        Registry::empty().and(symplectic::cards(), symplectic::method).and(on_fields::cards(), on_fields::first_order)
    }
}
