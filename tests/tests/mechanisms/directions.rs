//! Points of the sphere as joints, which eliminations treat in local coordinates: together with larger and smaller joints, with their own
//! inertia, and with constraint rows on the direction or at a frame.
//!
//! The solution is inserted into the equations on an independent path, in the components of ω.

use fixtures::random::Random;
use lie_runtime::integrator::State;
use lie_runtime::nalgebra::DVector;
use lie_runtime::prelude::*;
use lie_runtime::simulate::ConsistentValues;
use lie_runtime::system::Linearised;

/// A trunk with hinges and with arms whose frames turn with their direction.
macro_rules! crane {
    ($name:ident { $($terms:item)* }) => {
        #[mechanical_system]
        pub mod $name {
            use lie_runtime::prelude::*;

            #[configuration]
            pub struct Joints {
                pub trunk: SE3,
                pub hinges: Vec<f64>,
                pub arms: Vec<S2>,
            }

            #[parameters]
            pub struct Crane {
                pub inertia: Vector3<f64>,
                pub axis: Vector3<f64>,
            }

            #[kinematics(over = trunk, parents = parents)]
            fn body(above: &SE3, trunk: &SE3) -> SE3 {
                *above * *trunk
            }

            #[kinematics(over = hinges, frames = body)]
            fn hinged(crane: &Crane, above: &SE3, angle: &f64) -> SE3 {
                *above * SE3::new(SO3::exp(&(crane.axis * *angle)), Vector3::new(0.1, 0.2, -0.3))
            }

            #[kinematics(over = arms, frames = body)]
            fn pointed(above: &SE3, arm: &S2) -> SE3 {
                *above * SE3::new(SO3::exp(&(arm.direction() * 0.4)), arm.direction() * 0.7)
            }

            #[kinetic_energy(over = body)]
            fn kinetic(crane: &Crane, v: &Vector6<f64>) -> f64 {
                0.5 * v.linear().norm_squared() + 0.5 * v.angular().dot(&crane.inertia.component_mul(&v.angular()))
            }

            #[potential(over = body)]
            fn weight(x: &SE3) -> f64 {
                9.81 * x.position().z
            }

            $($terms)*
        }
    };
}

crane!(free {});
crane!(spun {
    #[kinetic_energy(over = arms)]
    fn spin(v: &Vector3<f64>) -> f64 {
        0.05 * v.norm_squared()
    }
});
crane!(tied {
    #[kinetic_energy(over = arms)]
    fn spin(v: &Vector3<f64>) -> f64 {
        0.05 * v.norm_squared()
    }

    /// At a frame: a loop over the base.
    #[constraint(over = body.last())]
    fn held(x: &SE3) -> Vector2<f64> {
        Vector2::new(x.position().x - 0.4, x.position().y - 0.2)
    }

    /// At the direction itself.
    #[constraint(over = arms.first())]
    fn level(arm: &S2) -> f64 {
        arm.direction().z - 0.1
    }
});

/// Arms on the trunk, on a hinge and on each other, and a hinge on an arm.
const PARENTS: [Option<usize>; 7] = [None, Some(0), Some(5), Some(1), Some(3), Some(0), Some(5)];

/// The largest components of M v' + g + Bᵀ λ and of B v' minus its required value, relative to the largest component of v'.
macro_rules! defects {
    ($name:ident, $random:expr) => {{
        let random = $random;
        let data = $name::Crane { inertia: Vector3::new(0.1, 0.2, 0.3), axis: Vector3::new(0.6, 0.0, 0.8) };
        let lengths = $name::Lengths { hinges: 2, arms: 4, parents: PARENTS.to_vec() };
        let system = $name::System::new(data, lengths).unwrap();
        let q = $name::Joints {
            trunk: SE3::exp(&random.vector()),
            hinges: vec![random.number(), random.number()],
            // One on each side of where the coordinates change.
            arms: [1.0, -1.0, 1e-9, -1e-9]
                .map(|z| S2::new(Vector3::new(random.number(), random.number(), z * random.number().abs())).unwrap())
                .to_vec(),
        };
        let v = DVector::from_fn(system.dof(), |_, _| random.number());
        let (mut state, _) = ConsistentValues::of(&system).state(&system, 0.0, q, v.clone()).unwrap();
        if system.constraint_rows() == 0 {
            // Spins about the directions as well.
            state.velocity = v;
            let (mut mass, mut force) = (system.zero_mass(), system.zero_velocity());
            let State { configuration: q, velocity: v, acceleration, .. } = &mut state;
            system.accelerate(0.0, q, v, &mut mass, &mut force, acceleration).unwrap();
        }
        let (q, v, a, lambda) = (&state.configuration, &state.velocity, &state.acceleration, &state.multipliers);
        let mut residual = system.zero_velocity();
        system.residual(0.0, q, v, a, lambda, &mut residual);
        let (mut jacobian, mut rows, mut curvature) =
            (system.zero_jacobian(), system.zero_multipliers(), system.zero_multipliers());
        system.constraint_jacobian(0.0, q, &mut jacobian);
        system.jacobian_times(&jacobian, a, &mut rows);
        system.constraint_curvature(0.0, q, v, &mut curvature);
        let rows = (rows + curvature).iter().fold(0.0, |largest: f64, row| largest.max(row.abs()));
        (residual.amax() / a.amax(), rows / a.amax())
    }};
}

#[test]
fn accelerations_meet_the_equations() {
    let mut random = Random::new(11);
    for _ in 0..20 {
        let all = [defects!(free, &mut random), defects!(spun, &mut random), defects!(tied, &mut random)];
        for (forces, rows) in all {
            assert!(forces < 1e-12 && rows < 1e-12, "{forces:e} {rows:e}");
        }
    }
}
