//! The Kirchhoff rod of paper 1 (section 3), free, with a force on its first node.

use lie_runtime::prelude::*;

/// The rod.
#[mechanical_system]
pub mod kirchhoff {
    use lie_runtime::prelude::*;

    /// The frames of the nodes.
    #[configuration]
    pub struct Rod {
        /// Cross-section frames, the third axis along the rod.
        pub nodes: Vec<S3R3>,
    }

    /// Data of the rod.
    #[parameters]
    pub struct Section {
        /// The length of the rod.
        pub length: f64,
        /// Bending and torsional stiffness.
        pub bending: Vector3<f64>,
        /// Axial stiffness.
        pub axial: f64,
        /// Mass per length.
        pub density: f64,
        /// Rotary inertia per length.
        pub inertia: Vector3<f64>,
    }

    #[kinetic_energy(over = nodes)]
    fn kinetic(rod: &Section, index: usize, length: usize, v: &Vector6<f64>) -> f64 {
        let edge = rod.length / (length - 1) as f64;
        let share = if index == 0 || index + 1 == length { 0.5 * edge } else { edge };
        let (angular, linear) = (v.angular(), v.linear());
        0.5 * share * (rod.density * linear.norm_squared() + angular.dot(&rod.inertia.component_mul(&angular)))
    }

    /// The strain of an edge.
    #[quantity(over = nodes.windows(2))]
    pub fn strain(rod: &Section, length: usize, [a, b]: [&S3R3; 2]) -> Vector6<f64> {
        (a.inverse() * b).log() * ((length - 1) as f64 / rod.length)
    }

    #[potential(over = nodes.windows(2))]
    fn elastic(rod: &Section, length: usize, [a, b]: [&S3R3; 2]) -> f64 {
        let edge = rod.length / (length - 1) as f64;
        let strain = strain(rod, length, [a, b]);
        let (curvature, stretch) = (strain.angular(), strain[5] - 1.0);
        0.5 * edge * (curvature.dot(&rod.bending.component_mul(&curvature)) + rod.axial * stretch * stretch)
    }

    #[constraint(over = nodes.windows(2))]
    fn unsheared(rod: &Section, length: usize, [a, b]: [&S3R3; 2]) -> Vector2<f64> {
        let strain = strain(rod, length, [a, b]);
        let edge = rod.length / (length - 1) as f64;
        Vector2::new(edge * strain[3], edge * strain[4])
    }

    #[force(over = nodes.first())]
    fn throw(t: f64, q: &S3R3) -> Vector6<f64> {
        let back = q.rotation.inverse();
        let (moment, force) = (back * Vector3::new(0.0, -40.0 * t, -80.0 * t), back * Vector3::new(8.0 * t, 0.0, 0.0));
        Vector6::new(moment[0], moment[1], moment[2], force[0], force[1], force[2])
    }
}

/// Creates the straight rod of `elements` edges and its initial configuration.
pub fn free(elements: usize) -> (kirchhoff::System, kirchhoff::Rod) {
    let section = kirchhoff::Section {
        length: 10.0,
        bending: Vector3::repeat(500.0),
        axial: 1e4,
        density: 1.0,
        inertia: Vector3::repeat(10.0),
    };
    let nodes = (0..=elements)
        .map(|node| S3R3 {
            rotation: S3::identity(),
            translation: Vector3::new(0.0, 0.0, 10.0 * node as f64 / elements as f64),
        })
        .collect();
    let system = kirchhoff::System::new(section, kirchhoff::Lengths { nodes: elements + 1 }).expect("a rod");
    (system, kirchhoff::Rod { nodes })
}
