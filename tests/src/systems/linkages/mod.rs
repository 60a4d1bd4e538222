//! Chains of links by recursive kinematics, and the same written out for a few members in the positions of their points.

mod bodies;
mod gears;
mod placed;

pub use bodies::*;
pub use gears::*;
pub use placed::*;

use lie_runtime::prelude::*;

/// Masses that hang on each other by rods without mass (paper 3, section 5); any number of them.
#[mechanical_system(derivative_check)]
pub mod pendulum {
    use lie_runtime::prelude::*;

    /// From the fixed point on.
    #[configuration]
    pub struct Pendulum {
        /// The directions of the rods.
        pub links: Vec<S2>,
    }

    /// What masses and rods are like; mass and length grow along the chain.
    #[parameters]
    pub struct Data {
        /// The first mass.
        pub mass: f64,
        /// The first length.
        pub length: f64,
        /// By how much of the first the next is larger.
        pub growth: f64,
        /// g.
        pub gravity: f64,
    }

    fn size(data: &Data, index: usize) -> f64 {
        1.0 + data.growth * index as f64
    }

    /// The mass below link `index`; the first rod hangs from the origin.
    #[kinematics(over = links)]
    pub fn mass(data: &Data, index: usize, above: &R3, link: &S2) -> R3 {
        above + link.direction() * (data.length * size(data, index))
    }

    #[kinetic_energy(over = mass)]
    fn kinetic(data: &Data, index: usize, v: &Vector3<f64>) -> f64 {
        0.5 * data.mass * size(data, index) * v.norm_squared()
    }

    #[potential(over = mass)]
    fn weight(data: &Data, index: usize, x: &R3) -> f64 {
        data.mass * size(data, index) * data.gravity * x.z
    }

    /// The last mass.
    #[observable(over = mass.last())]
    fn tip(x: &R3) -> Vector3<f64> {
        *x
    }

    /// How fast the masses are.
    #[observable(over = mass)]
    fn speed(v: &Vector3<f64>) -> f64 {
        v.norm()
    }
}

/// A pendulum of a fixed number of links, unrolled.
macro_rules! written_out_pendulum {
    ($name:ident, $count:tt, $size:tt) => {
        /// The same masses by a vector of all positions.
        #[mechanical_system]
        pub mod $name {
            use lie_runtime::prelude::*;

            /// From the fixed point on.
            #[configuration]
            pub struct Pendulum {
                /// The directions of the rods.
                pub links: [S2; $count],
            }

            /// The data of the chain of any length.
            #[parameters]
            pub struct Data {
                /// The first mass.
                pub mass: f64,
                /// The first length.
                pub length: f64,
                /// By how much of the first the next is larger.
                pub growth: f64,
                /// g.
                pub gravity: f64,
            }

            /// The masses, one after the other.
            #[quantity]
            pub fn places(data: &Data, q: &Pendulum) -> SVector<f64, $size> {
                let mut all = SVector::<f64, $size>::zeros();
                let mut place = Vector3::new(0.0, 0.0, 0.0);
                for i in 0..$count {
                    place += q.links[i].direction() * (data.length * (1.0 + data.growth * i as f64));
                    for k in 0..3 {
                        all[3 * i + k] = place[k];
                    }
                }
                all
            }

            #[kinetic_energy]
            fn kinetic(data: &Data, q: &Pendulum, v: &Velocity) -> f64 {
                let rates = places_rate(data, q, v);
                let mut sum = 0.0;
                for i in 0..$count {
                    let m = data.mass * (1.0 + data.growth * i as f64);
                    sum += 0.5 * m * rates.fixed_rows::<3>(3 * i).norm_squared();
                }
                sum
            }

            #[potential]
            fn weight(data: &Data, q: &Pendulum) -> f64 {
                let places = places(data, q);
                let mut sum = 0.0;
                for i in 0..$count {
                    sum += data.mass * (1.0 + data.growth * i as f64) * data.gravity * places[3 * i + 2];
                }
                sum
            }
        }
    };
}

written_out_pendulum!(pendulum_of_one, 1, 3);
written_out_pendulum!(pendulum_of_two, 2, 6);
written_out_pendulum!(pendulum_of_five, 5, 15);
