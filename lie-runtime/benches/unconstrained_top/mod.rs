//! The heavy top on SO(3) alone, without a constraint: what `by_casadi.py` differentiates beside it.

use lie_runtime::gradient::Objective;
use lie_runtime::prelude::*;

use super::{Case, TOP};

/// The top with its attitude alone.
#[mechanical_system(gradients)]
pub mod top {
    use lie_runtime::prelude::*;

    /// The body.
    #[configuration]
    pub struct Body {
        /// Of the body in space.
        pub attitude: SO3,
    }

    /// Its data.
    #[parameters]
    pub struct Top {
        /// The mass.
        pub mass: f64,
        /// About the centre of mass.
        pub inertia: Matrix3<f64>,
        /// From the fixed point.
        pub center: Vector3<f64>,
        /// Of gravity.
        pub gravity: Vector3<f64>,
    }

    #[kinetic_energy]
    fn kinetic(top: &Top, v: &Velocity) -> f64 {
        let of_center = v.attitude.cross(&top.center);
        0.5 * top.mass * of_center.norm_squared() + 0.5 * v.attitude.dot(&(top.inertia * v.attitude))
    }

    #[potential]
    fn weight(top: &Top, q: &Body) -> f64 {
        -top.mass * top.gravity.dot(&(q.attitude * top.center))
    }
}

/// Tells x of the second axis after a thousand steps of RKMK4, its derivatives by all data, the attitude and the angular velocity at
/// the start, to be compared with those of CasADi, and what they cost.
pub fn tell() {
    let (mass, inertia, center, gravity) = TOP;
    let system = &top::System::new(top::Top { mass, inertia, center, gravity }).expect("a top");
    let start = (top::Body { attitude: SO3::identity() }, Vector3::new(0.0, 150.0, -4.61538));
    let objective = Objective::<top::System>::new().at_end(|state| state.configuration.attitude.matrix()[(0, 1)]);
    let case = Case { name: "unconstrained top", system, start, step: 1e-3, end: 1.0, objective };
    let method = OnMechanical(MuntheKaas::rkmk4());
    let gradient = case.simulation().method(method).gradient_of(&case.objective).expect("a gradient");
    println!("{:.15e}", gradient.value);
    let numbers = gradient.parameters.iter().chain(&gradient.configuration).chain(&gradient.velocity);
    println!("{}", numbers.map(|number| format!("{number:.15e}")).collect::<Vec<_>>().join(" "));
    case.line("rkmk4", &method);
}
