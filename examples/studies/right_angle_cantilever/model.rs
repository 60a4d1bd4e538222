//! The right-angle cantilever (paper 2, section 7.2; paper 4; Simo and Vu-Quoc 1988): two legs of 10 m, clamped at one
//! end, pulled out of their plane at the elbow.
//!
//! One chain of nodes runs from the clamp over the elbow to the tip. Its frames do not rotate at the elbow: the first leg is along their
//! e₃, the second along e₂, so that data by the axes of the section change their order there.
//!
//! An element of order p has p + 1 nodes at equal distances. Between them the frame is H(s) = H_r exp(ξ(s)), where ξ is
//! the polynomial of degree p through the logarithms ξ_a = log(H_r⁻¹ H_a) relative to an inner node, and the strain is the strain of this
//! curve, w = T(ξ) ξ'. Energies are summed over p points of Gauss, one less than exact integration needs, so that thin legs do not lock;
//! inertia is lumped at the nodes by the rule of Newton and Cotes (trapezoidal, Simpson's, three eighths). All of it is objective:
//! logarithms of relative frames are seen alike from everywhere.

use lie_runtime::prelude::*;

use models::rods::straight;

/// The length of a leg, m.
pub const LEG: f64 = 10.0;

/// The frames of the nodes at rest, of so many edges a leg.
///
/// # Errors
/// [`GroupError`](lie_runtime::group::GroupError) without edges.
pub fn at_rest(edges: usize) -> Result<Vec<S3R3>, lie_runtime::group::GroupError> {
    let corner = Vector3::new(LEG, 0.0, 0.0);
    let mut nodes = straight(Vector3::zeros(), corner, edges)?;
    let rotation = nodes[0].rotation;
    nodes.extend((1..=edges).map(|node| {
        let share = node as f64 / edges as f64;
        S3R3 { rotation, translation: corner + Vector3::new(0.0, share * LEG, 0.0) }
    }));
    Ok(nodes)
}

/// A cantilever of elements over these windows, whose strains are the functions that follow.
macro_rules! cantilever {
    (
        $(#[$documentation:meta])*
        $name:ident, $size:tt nodes every $stride:tt, masses $masses:tt, [$([$strain:ident, $weight:literal]),+],
        $($rest:item)*
    ) => {
        $(#[$documentation])*
        #[mechanical_system]
        pub mod $name {
            use lie_runtime::prelude::*;

            /// The frames of the nodes.
            #[configuration]
            pub struct Cantilever {
                /// From the clamp over the elbow, which is in the middle, to the tip.
                #[clamped(first)]
                pub nodes: Vec<S3R3>,
            }

            /// Data of both legs.
            #[parameters]
            pub struct Section {
                /// The distance of two nodes, m.
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

            /// Edges of an element.
            pub const ORDER: usize = $stride;

            impl Section {
                /// The data of Simo and Vu-Quoc with legs of so many edges.
                pub fn of_simo_and_vu_quoc(edges: usize) -> Self {
                    Section {
                        edge: super::LEG / edges as f64,
                        bending: Vector3::repeat(1e3),
                        stretching: Vector3::repeat(1e6),
                        density: 1.0,
                        inertia: Vector3::new(10.0, 10.0, 20.0),
                        load: 50.0,
                    }
                }
            }

            /// The parts of an element's mass that its nodes have.
            const MASSES: [f64; $size] = $masses;

            /// Data by the axes of the section, along e₁, e₂, e₃ of the frames of the leg of element `index`.
            fn of_leg(index: usize, length: usize, section: &Vector3<f64>) -> Vector3<f64> {
                if 2 * ORDER * index + 1 < length { *section } else { Vector3::new(section[1], section[2], section[0]) }
            }

            #[kinetic_energy(over = nodes.windows($size).step_by($stride))]
            fn kinetic(section: &Section, index: usize, length: usize, velocities: [&Vector6<f64>; $size]) -> f64 {
                let inertia = of_leg(index, length, &section.inertia);
                let extent = ORDER as f64 * section.edge;
                let mut energy = 0.0;
                for node in 0..$size {
                    let (angular, linear) = (velocities[node].angular(), velocities[node].linear());
                    let square =
                        section.density * linear.norm_squared() + angular.dot(&inertia.component_mul(&angular));
                    energy += 0.5 * MASSES[node] * extent * square;
                }
                energy
            }

            #[potential(over = nodes.windows($size).step_by($stride))]
            fn elastic(section: &Section, index: usize, length: usize, nodes: [&S3R3; $size]) -> f64 {
                let along = of_leg(index, length, &Vector3::new(0.0, 0.0, 1.0));
                let bending = of_leg(index, length, &section.bending);
                let stretching = of_leg(index, length, &section.stretching);
                let extent = ORDER as f64 * section.edge;
                let mut energy = 0.0;
                $(
                    let strain = $strain(section, nodes);
                    let (curvature, stretch) = (strain.angular(), strain.linear() - along);
                    energy += 0.5 * $weight * extent
                        * (curvature.dot(&bending.component_mul(&curvature))
                            + stretch.dot(&stretching.component_mul(&stretch)));
                )+
                energy
            }

            /// Up to the greatest load and back to nothing in two seconds, along the space axis e₃, at the elbow.
            #[force(over = nodes)]
            fn pull(section: &Section, t: f64, index: usize, length: usize, node: &S3R3) -> Vector6<f64> {
                let size = if t < 1.0 { section.load * t } else if t < 2.0 { section.load * (2.0 - t) } else { 0.0 };
                let size = if 2 * index + 1 == length { size } else { 0.0 };
                let force = node.rotation.inverse() * Vector3::new(0.0, 0.0, size);
                Vector6::new(0.0, 0.0, 0.0, force[0], force[1], force[2])
            }

            /// From where the elbow is at rest.
            #[observable]
            pub fn elbow_displacement(section: &Section, q: &Cantilever) -> Vector3<f64> {
                let edges = q.nodes.len() / 2;
                q.nodes[edges].translation - Vector3::new(edges as f64 * section.edge, 0.0, 0.0)
            }

            /// From where the tip is at rest.
            #[observable]
            pub fn tip_displacement(section: &Section, q: &Cantilever) -> Vector3<f64> {
                let edges = q.nodes.len() / 2;
                let leg = edges as f64 * section.edge;
                q.nodes[2 * edges].translation - Vector3::new(leg, leg, 0.0)
            }

            $($rest)*
        }
    };
}

/// A cantilever of two-node elements with these constraints.
macro_rules! of_two_nodes {
    ($(#[$documentation:meta])* $name:ident, $($rest:item)*) => {
        cantilever! {
            $(#[$documentation])*
            $name, 2 nodes every 1, masses [0.5, 0.5], [[strain, 1.0]],

            /// The strain of an element, curvature first: ξ grows evenly, and T(ξ) ξ = ξ.
            #[quantity(over = nodes.windows(2).step_by(1))]
            pub fn strain(section: &Section, [a, b]: [&S3R3; 2]) -> Vector6<f64> {
                (a.inverse() * b).log() / section.edge
            }

            $($rest)*
        }
    };
}

/// A cantilever of elements of higher order, with the functions that T(ξ) ξ' is made of.
macro_rules! of_higher_order {
    ($(#[$documentation:meta])* $name:ident, $size:tt nodes every $stride:tt, $masses:tt, $points:tt, $($rest:item)*) => {
        cantilever! {
            $(#[$documentation])*
            $name, $size nodes every $stride, masses $masses, $points,

            /// The bracket of se(3).
            fn bracket(a: &Vector6<f64>, b: &Vector6<f64>) -> Vector6<f64> {
                let angular = a.angular().cross(&b.angular());
                let linear = a.angular().cross(&b.linear()) + a.linear().cross(&b.angular());
                Vector6::new(angular[0], angular[1], angular[2], linear[0], linear[1], linear[2])
            }

            /// T(ξ) ξ' = ξ' − [ξ, ξ']/2 + [ξ, [ξ, ξ']]/6 − …: with ξ = s w₀ + s²/2 w₁ + … the bracket [ξ, ξ'] is of order h²
            /// in an element of length h, and the omitted terms are of order h⁴.
            fn strain_of_curve(xi: &Vector6<f64>, rate: &Vector6<f64>) -> Vector6<f64> {
                let once = bracket(xi, rate);
                rate - 0.5 * once + bracket(xi, &once) / 6.0
            }

            $($rest)*
        }
    };
}

of_two_nodes! {
    /// The cantilever with shear.
    shear_flexible,
}

of_two_nodes! {
    /// The cantilever of Kirchhoff: no shear.
    kirchhoff,

    /// ds (Γ₁, Γ₂): λ is the shear force in the frame of the section.
    #[constraint(over = nodes.windows(2).step_by(1))]
    fn unsheared(section: &Section, index: usize, length: usize, nodes: [&S3R3; 2]) -> Vector2<f64> {
        let shear = strain(section, nodes);
        if 2 * index + 1 < length {
            Vector2::new(section.edge * shear[3], section.edge * shear[4])
        } else {
            Vector2::new(section.edge * shear[5], section.edge * shear[3])
        }
    }
}

of_higher_order! {
    /// The cantilever with shear, of three-node elements.
    quadratic, 3 nodes every 2, [0.166_666_666_666_666_66, 0.666_666_666_666_666_6, 0.166_666_666_666_666_66],
    [[strain_before, 0.5], [strain_after, 0.5]],

    /// The strain where −1 ≤ σ ≤ 1 along the element, relative to its middle node.
    fn strain_at(section: &Section, sigma: f64, [a, b, c]: [&S3R3; 3]) -> Vector6<f64> {
        let (before, after) = ((b.inverse() * a).log(), (b.inverse() * c).log());
        let xi = 0.5 * sigma * ((sigma - 1.0) * before + (sigma + 1.0) * after);
        let rate = ((sigma - 0.5) * before + (sigma + 0.5) * after) / section.edge;
        strain_of_curve(&xi, &rate)
    }

    /// At the first point, σ = −1/√3.
    fn strain_before(section: &Section, nodes: [&S3R3; 3]) -> Vector6<f64> {
        strain_at(section, -0.577_350_269_189_625_7, nodes)
    }

    /// At the second one.
    fn strain_after(section: &Section, nodes: [&S3R3; 3]) -> Vector6<f64> {
        strain_at(section, 0.577_350_269_189_625_7, nodes)
    }
}

of_higher_order! {
    /// The cantilever with shear, of four-node elements.
    cubic, 4 nodes every 3, [0.125, 0.375, 0.375, 0.125],
    [[strain_before, 0.277_777_777_777_777_8], [strain_between, 0.444_444_444_444_444_4], [strain_after, 0.277_777_777_777_777_8]],

    /// The strain at the distance x, in edges, from the second node, from which the others are seen; the nodes are at
    /// x = −1, 0, 1, 2.
    fn strain_at(section: &Section, x: f64, [a, b, c, d]: [&S3R3; 4]) -> Vector6<f64> {
        let (before, after, last) = ((b.inverse() * a).log(), (b.inverse() * c).log(), (b.inverse() * d).log());
        let xi = x * (x - 1.0) * (2.0 - x) / 6.0 * before + 0.5 * x * (x + 1.0) * (2.0 - x) * after
            + x * (x * x - 1.0) / 6.0 * last;
        let rate = ((6.0 * x - 3.0 * x * x - 2.0) / 6.0 * before + (1.0 + x - 1.5 * x * x) * after
            + (3.0 * x * x - 1.0) / 6.0 * last)
            / section.edge;
        strain_of_curve(&xi, &rate)
    }

    /// At the first point, √(3/5) of half an element before its middle x = ½.
    fn strain_before(section: &Section, nodes: [&S3R3; 4]) -> Vector6<f64> {
        strain_at(section, -0.661_895_003_862_225_1, nodes)
    }

    /// In the middle.
    fn strain_between(section: &Section, nodes: [&S3R3; 4]) -> Vector6<f64> {
        strain_at(section, 0.5, nodes)
    }

    /// At the last point.
    fn strain_after(section: &Section, nodes: [&S3R3; 4]) -> Vector6<f64> {
        strain_at(section, 1.661_895_003_862_225, nodes)
    }
}
