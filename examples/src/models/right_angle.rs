//! The right-angle cantilever (paper 2, section 7.2; paper 4; Simo and Vu-Quoc 1988): two legs of 10 m, clamped at one
//! end, pulled out of their plane at the elbow.
//!
//! Nodes are equidistant. The elbow is the last node of the first leg and has its frame; the second leg starts there in a
//! frame that is turned by a right angle and rigidly attached, so that its first edge is from the elbow, turned, to the
//! first node of `leg2`. Inertia is lumped at the nodes by the trapezoidal rule, both halves of the elbow's in the frame
//! of the first leg.

use lie_runtime::prelude::*;

/// A cantilever with these constraints.
macro_rules! cantilever {
    ($(#[$documentation:meta])* $name:ident, $($rest:item)*) => {
        $(#[$documentation])*
        #[mechanical_system]
        pub mod $name {
            use lie_runtime::prelude::*;

            const QUARTER: f64 = std::f64::consts::FRAC_PI_2;

            /// The frames of the nodes.
            #[configuration]
            pub struct Cantilever {
                /// From the clamp to the elbow, the third axis along the leg.
                #[clamped(first)]
                pub leg1: Vec<S3R3>,
                /// From the node after the elbow to the tip, the third axis along the leg.
                pub leg2: Vec<S3R3>,
            }

            /// Data of both legs.
            #[parameters]
            pub struct Section {
                /// The length of an edge, m.
                pub edge: f64,
                /// Bending and torsional stiffness EI, EI, GJ, N m².
                pub bending: Vector3<f64>,
                /// Shear and axial stiffness GA, GA, EA, N.
                pub stretching: Vector3<f64>,
                /// Mass per length, kg/m.
                pub density: f64,
                /// Rotary inertia per length, kg m.
                pub inertia: Vector3<f64>,
                /// The greatest load, N.
                pub load: f64,
            }

            fn energy_of_inertia(mass: f64, inertia: Vector3<f64>, v: &Vector6<f64>) -> f64 {
                let (angular, linear) = (v.angular(), v.linear());
                0.5 * (mass * linear.norm_squared() + angular.dot(&inertia.component_mul(&angular)))
            }

            /// The elbow has half an edge of each leg; the axis of the second one is along its e₂.
            #[kinetic_energy(over = leg1)]
            fn kinetic1(section: &Section, index: usize, length: usize, v: &Vector6<f64>) -> f64 {
                let j = section.inertia;
                let other = Vector3::new(j[0], j[2], j[1]);
                let inertia = if index + 1 == length { 0.5 * (j + other) } else { j };
                energy_of_inertia(section.edge * section.density, section.edge * inertia, v)
            }

            #[kinetic_energy(over = leg2)]
            fn kinetic2(section: &Section, index: usize, length: usize, v: &Vector6<f64>) -> f64 {
                let share = if index + 1 == length { 0.5 * section.edge } else { section.edge };
                energy_of_inertia(share * section.density, share * section.inertia, v)
            }

            /// The strain of an edge of the first leg, curvature first.
            #[quantity(over = leg1.windows(2))]
            pub fn strain1(section: &Section, [a, b]: [&S3R3; 2]) -> Vector6<f64> {
                (a.inverse() * b).log() / section.edge
            }

            /// The strain of the edge after the elbow.
            #[quantity(over = (leg1.last(), leg2.first()))]
            pub fn strain_of_elbow(section: &Section, elbow: &S3R3, b: &S3R3) -> Vector6<f64> {
                // p₁⁻¹ p₂ of the legs at rest.
                let first = S3::exp(&Vector3::new(0.0, QUARTER, 0.0));
                let second = S3::exp(&Vector3::new(-QUARTER, 0.0, 0.0));
                let turn = S3R3::new(first.inverse() * second, Vector3::new(0.0, 0.0, 0.0));
                let a = elbow * turn;
                (a.inverse() * b).log() / section.edge
            }

            /// The strain of an edge of the second leg.
            #[quantity(over = leg2.windows(2))]
            pub fn strain2(section: &Section, [a, b]: [&S3R3; 2]) -> Vector6<f64> {
                (a.inverse() * b).log() / section.edge
            }

            fn strain_energy(section: &Section, strain: Vector6<f64>) -> f64 {
                let (curvature, stretch) = (strain.angular(), strain.linear() - Vector3::new(0.0, 0.0, 1.0));
                0.5 * section.edge
                    * (curvature.dot(&section.bending.component_mul(&curvature))
                        + stretch.dot(&section.stretching.component_mul(&stretch)))
            }

            #[potential(over = leg1.windows(2))]
            fn elastic1(section: &Section, nodes: [&S3R3; 2]) -> f64 {
                strain_energy(section, strain1(section, nodes))
            }

            #[potential(over = (leg1.last(), leg2.first()))]
            fn elastic_elbow(section: &Section, elbow: &S3R3, b: &S3R3) -> f64 {
                strain_energy(section, strain_of_elbow(section, elbow, b))
            }

            #[potential(over = leg2.windows(2))]
            fn elastic2(section: &Section, nodes: [&S3R3; 2]) -> f64 {
                strain_energy(section, strain2(section, nodes))
            }

            /// Up to the greatest load and back to nothing in two seconds, along the space axis e₃.
            #[force(over = leg1.last())]
            fn pull(section: &Section, t: f64, elbow: &S3R3) -> Vector6<f64> {
                let size = if t < 1.0 { section.load * t } else if t < 2.0 { section.load * (2.0 - t) } else { 0.0 };
                let force = elbow.rotation.inverse() * Vector3::new(0.0, 0.0, size);
                Vector6::new(0.0, 0.0, 0.0, force[0], force[1], force[2])
            }

            /// From where the elbow is at rest.
            #[observable]
            pub fn elbow_displacement(section: &Section, q: &Cantilever) -> Vector3<f64> {
                let edges = q.leg1.len() - 1;
                q.leg1[edges].translation - Vector3::new(edges as f64 * section.edge, 0.0, 0.0)
            }

            /// From where the tip is at rest.
            #[observable]
            pub fn tip_displacement(section: &Section, q: &Cantilever) -> Vector3<f64> {
                let (first, second) = (q.leg1.len() - 1, q.leg2.len());
                let rest = Vector3::new(first as f64 * section.edge, second as f64 * section.edge, 0.0);
                q.leg2[second - 1].translation - rest
            }

            $($rest)*
        }
    };
}

cantilever! {
    /// The cantilever with shear.
    shear_flexible,
}

cantilever! {
    /// The cantilever of Kirchhoff: no shear.
    kirchhoff,

    /// ds (Γ₁, Γ₂): λ is the shear force in the frame of the section.
    #[constraint(over = leg1.windows(2))]
    fn unsheared1(section: &Section, nodes: [&S3R3; 2]) -> Vector2<f64> {
        let strain = strain1(section, nodes);
        Vector2::new(section.edge * strain[3], section.edge * strain[4])
    }

    /// The same of the edge after the elbow.
    #[constraint(over = (leg1.last(), leg2.first()))]
    fn unsheared_elbow(section: &Section, elbow: &S3R3, b: &S3R3) -> Vector2<f64> {
        let strain = strain_of_elbow(section, elbow, b);
        Vector2::new(section.edge * strain[3], section.edge * strain[4])
    }

    /// The same of the second leg.
    #[constraint(over = leg2.windows(2))]
    fn unsheared2(section: &Section, nodes: [&S3R3; 2]) -> Vector2<f64> {
        let strain = strain2(section, nodes);
        Vector2::new(section.edge * strain[3], section.edge * strain[4])
    }
}
