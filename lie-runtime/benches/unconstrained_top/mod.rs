//! The heavy top on SO(3) without a constraint. `by_casadi.py` differentiates the same system.

use lie_runtime::gradient::Objective;
use lie_runtime::prelude::*;

use super::{Case, TOP};

/// The top with its attitude only.
#[mechanical_system(gradients)]
pub mod top {
    use lie_runtime::prelude::*;

    /// The body.
    #[configuration]
    pub struct Body {
        /// The attitude of the body in space.
        pub attitude: SO3,
    }

    /// Its data.
    #[parameters]
    pub struct Top {
        /// The mass.
        pub mass: f64,
        /// The inertia about the centre of mass.
        pub inertia: Matrix3<f64>,
        /// The centre of mass relative to the fixed point.
        pub center: Vector3<f64>,
        /// The gravitational acceleration.
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

/// Prints x of the second axis after a thousand steps of RKMK4 and its derivatives with respect to all data, the initial attitude and the
/// initial angular velocity. It also prints their cost, for a comparison with CasADi.
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
