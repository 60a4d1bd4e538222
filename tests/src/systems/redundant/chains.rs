//! Ropes of any length whose links are told once or twice.

use lie_runtime::prelude::*;

/// A rope under its weight, with its end at the origin. `$coupled` adds inertia between neighbours.
macro_rules! rope {
    ($name:ident [$($option:tt)*] { $($again:item)* }) => {
        #[doc = "Beads, each link of length 0.1."]
        #[mechanical_system($($option)*)]
        pub mod $name {
            use lie_runtime::prelude::*;

            /// The beads.
            #[configuration]
            pub struct Rope {
                /// From the top down.
                pub beads: Vec<R3>,
            }

            /// Data.
            #[parameters]
            pub struct Data {
                /// The inertia of the relative motion of neighbours.
                pub coupling: f64,
            }

            #[kinetic_energy(over = beads)]
            fn kinetic(v: &Vector3<f64>) -> f64 {
                0.5 * 0.2 * v.norm_squared()
            }

            #[potential(over = beads)]
            fn weight(q: &R3) -> f64 {
                0.2 * 9.81 * q.z
            }

            #[constraint(over = beads.first())]
            fn top(q: &R3) -> Vector3<f64> {
                *q
            }

            #[constraint(over = beads.windows(2))]
            fn link([a, b]: [&R3; 2]) -> f64 {
                0.5 * ((b - a).norm_squared() - 0.01)
            }

            $($again)*
        }
    };
}

rope!(once [] {});
rope!(twice [redundant = minimum_norm] {
    #[constraint(over = beads.windows(2))]
    fn length([a, b]: [&R3; 2]) -> f64 {
        10.0 * ((b - a).norm() - 0.1)
    }
});
rope!(coupled_once [] {
    #[kinetic_energy(over = beads.windows(2))]
    fn relative(data: &Data, [va, vb]: [&Vector3<f64>; 2]) -> f64 {
        0.5 * data.coupling * (vb - va).norm_squared()
    }
});
rope!(coupled_twice [redundant = minimum_norm] {
    #[constraint(over = beads.windows(2))]
    fn length([a, b]: [&R3; 2]) -> f64 {
        10.0 * ((b - a).norm() - 0.1)
    }

    #[kinetic_energy(over = beads.windows(2))]
    fn relative(data: &Data, [va, vb]: [&Vector3<f64>; 2]) -> f64 {
        0.5 * data.coupling * (vb - va).norm_squared()
    }
});

/// So many beads on an oblique line, turning about the top.
pub fn oblique(beads: usize) -> (Vec<R3>, Vec<f64>) {
    let direction = Vector3::new(0.6, 0.0, -0.8);
    let (mut places, mut velocities) = (Vec::new(), Vec::new());
    for at in 0..beads {
        let distance = 0.1 * at as f64;
        places.push(direction * distance);
        velocities.extend([0.0, distance, 0.0]);
    }
    (places, velocities)
}
