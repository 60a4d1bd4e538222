//! First-order differential equations on homogeneous spaces: y' = F_{f(t, y)}(y) (paper 3, eqs. 1-3).
//!
//! A [`VectorField`] evaluates f(t, y), an element of the algebra of the group that acts on the [space](crate::space) of y. For example,
//! the momentum of a free rigid body moves on a coadjoint orbit:
//!
//! ```
//! use lie_runtime::integrator::StepFailure;
//! use lie_runtime::prelude::*;
//! use lie_runtime::space::Coadjoint;
//!
//! struct Body { moments: Vector3<f64> }
//!
//! impl VectorField for Body {
//!     type Point = Coadjoint<SO3>;
//!     type Workspace = ();
//!
//!     fn zero(&self) -> Vector3<f64> { Vector3::zeros() }
//!     fn workspace(&self) {}
//!     fn evaluate(&self, _: f64, y: &Self::Point, _: &mut (), out: &mut Vector3<f64>) -> Result<(), StepFailure> {
//!         *out = -y.momentum.component_div(&self.moments); // μ' = μ × Ω
//!         Ok(())
//!     }
//! }
//!
//! let body = Body { moments: Vector3::new(1.0, 2.0, 3.0) };
//! let start = Coadjoint::new(Vector3::new(0.1, 2.0, 0.1));
//! let run = Simulation::of_field(&body).initial(start.clone()).method(MuntheKaas::rkmk4()).step(0.1).end_time(10.0).run();
//! let last = run.unwrap().last().clone().point;
//! assert!((last.momentum.norm() - start.momentum.norm()).abs() < 1e-14);
//! ```
//!
//! The [integrators](crate::integrator) use the trait [`FirstOrder`], a formulation of a system as a first-order equation. There are
//! three formulations, and one declaration may have several:
//!
//! | formulation | system | y |
//! |---|---|---|
//! | [`VectorFieldProblem`] | a [`VectorField`] | a point of a homogeneous space |
//! | [`MechanicalField`] | a [`MechanicalSystem`](crate::system::MechanicalSystem) | (q, v); with constraints in the index-1 form |
//! | [`HamiltonianProblem`] | a [`HamiltonianSystem`]; declared systems by the [`LegendreTransform`] | (q, μ) on T*G |

mod first_order;
mod hamiltonian;
mod intrinsic;
pub(crate) mod legendre;
mod mechanical;
pub(crate) mod over_elements;
pub(crate) mod transformed;

pub use first_order::FieldState;
#[doc(hidden)]
pub use first_order::{FirstOrder, LocalEstimate};
pub(crate) use hamiltonian::AlgebraVector;
pub use hamiltonian::{HamiltonianProblem, HamiltonianSystem};
#[doc(hidden)]
pub use hamiltonian::{LiftedHamiltonian, OnCotangent};
pub use intrinsic::{VectorField, VectorFieldProblem};
pub use legendre::LegendreTransform;
pub use mechanical::MechanicalField;
#[doc(hidden)]
pub use mechanical::MechanicalWorkspace;
#[doc(hidden)]
pub use over_elements::ElementMomenta;
