//! A clamped rod with a rest shape of constant curvature, loaded at its tip.

use lie_runtime::analysis::{Equilibrium, StaticState};
use lie_runtime::prelude::*;

#[mechanical_system]
pub mod cantilever {
    use lie_runtime::prelude::*;

    /// Frames of the cross-sections, the third axis along the rod.
    #[configuration]
    pub struct Rod {
        #[clamped(first)]
        pub nodes: Vec<S3R3>,
    }

    #[parameters]
    pub struct Section {
        pub length: f64,
        pub bending: Vector3<f64>,
        pub stretching: Vector3<f64>,
        /// The curvature of the unloaded rod.
        pub curvature: Vector3<f64>,
        pub density: f64,
        pub inertia: Vector3<f64>,
        /// On the last node, fixed in space.
        pub force: Vector3<f64>,
        pub moment: Vector3<f64>,
        /// The factor of both.
        pub load: f64,
    }

    #[kinetic_energy(over = nodes)]
    fn kinetic(rod: &Section, index: usize, length: usize, v: &Vector6<f64>) -> f64 {
        let edge = rod.length / (length - 1) as f64;
        let share = if index == 0 || index + 1 == length { 0.5 * edge } else { edge };
        let (angular, linear) = (v.angular(), v.linear());
        0.5 * share * (rod.density * linear.norm_squared() + angular.dot(&rod.inertia.component_mul(&angular)))
    }

    #[potential(over = nodes.windows(2))]
    fn elastic(rod: &Section, length: usize, [a, b]: [&S3R3; 2]) -> f64 {
        let edge = rod.length / (length - 1) as f64;
        let strain = (a.inverse() * b).log() / edge;
        let (curvature, stretch) = (strain.angular() - rod.curvature, strain.linear() - Vector3::new(0.0, 0.0, 1.0));
        0.5 * edge
            * (curvature.dot(&rod.bending.component_mul(&curvature))
                + stretch.dot(&rod.stretching.component_mul(&stretch)))
    }

    #[force(over = nodes.last())]
    fn pull(rod: &Section, q: &S3R3) -> Vector6<f64> {
        let back = q.rotation.inverse();
        let (moment, force) = (back * (rod.load * rod.moment), back * (rod.load * rod.force));
        Vector6::new(moment[0], moment[1], moment[2], force[0], force[1], force[2])
    }
}

pub use cantilever::{Lengths, Rod, Section, System};

/// The unloaded rod of so many edges, its first frame `root`.
pub fn unloaded(section: &Section, root: S3R3, edges: usize) -> Rod {
    let strain = Vector6::new(section.curvature.x, section.curvature.y, section.curvature.z, 0.0, 0.0, 1.0);
    let place = |node: usize| root * S3R3::exp(&(section.length * node as f64 / edges as f64 * strain));
    Rod { nodes: (0..=edges).map(place).collect() }
}

/// A rod of so many edges.
pub fn rod(section: Section, edges: usize) -> System {
    System::new(section, Lengths { nodes: edges + 1 }).expect("a rod")
}

/// The equilibrium under the full load, from the unloaded shape.
pub fn loaded(section: Section, root: S3R3, edges: usize) -> StaticState<System> {
    let start = unloaded(&section, root, edges);
    Equilibrium::of(&rod(section, edges)).guess(start).solve().expect("an equilibrium")
}

/// The order of errors that are halved in their argument: the exponent of the last two.
pub fn order(errors: &[f64]) -> f64 {
    let last = errors.len() - 1;
    (errors[last - 1] / errors[last]).log2()
}
