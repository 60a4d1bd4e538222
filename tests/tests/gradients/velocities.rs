//! Whether forces depend on the velocity is known from the declaration, and gradients by RATTLie equal dual numbers in both cases.

use lie_runtime::gradient::Objective;
use lie_runtime::prelude::*;

/// Declares a rotor with a weight, with further forces and energies.
macro_rules! rotor {
    ($(#[$documentation:meta])* $name:ident, |$data:ident, $v:ident| $energy:expr, { $($acts:item)* }) => {
        $(#[$documentation])*
        #[mechanical_system(gradients)]
        mod $name {
            use lie_runtime::prelude::*;

            #[configuration]
            pub struct Rotor {
                pub attitude: SO3,
            }

            #[parameters]
            pub struct Data {
                pub moments: Vector3<f64>,
                pub weight: f64,
                pub other: f64,
            }

            #[kinetic_energy]
            fn kinetic($data: &Data, $v: &Velocity) -> f64 {
                0.5 * $v.attitude.dot(&$data.moments.component_mul(&$v.attitude)) + $energy
            }

            #[potential]
            fn weight(data: &Data, q: &Rotor) -> f64 {
                data.weight * (q.attitude * Vector3::z()).z
            }

            $($acts)*
        }
    };
}

rotor!(heavy, |data, v| 0.0, {});
rotor!(
    /// A wheel spins in it.
    gyrostat, |data, v| data.other * v.attitude.y, {});
rotor!(damped, |data, v| 0.0, {
    #[dissipation]
    fn friction(data: &Data, v: &Velocity) -> f64 {
        0.5 * data.other * v.attitude.norm_squared()
    }
});
rotor!(
/// A force that is the same at every velocity.
pushed, |data, v| 0.0, {
    #[force(on = attitude)]
    fn push(data: &Data, t: f64, q: &Rotor) -> Vector3<f64> {
        q.attitude.inverse() * Vector3::x() * (data.other * t)
    }
});

macro_rules! check {
    ($name:ident, $of_velocity:expr) => {{
        let system =
            $name::System::new($name::Data { moments: Vector3::new(0.2, 0.3, 0.45), weight: 1.5, other: 0.4 }).unwrap();
        assert_eq!(system.description().forces_depend_on_velocity, $of_velocity, "{}", stringify!($name));
        let start = $name::Rotor { attitude: SO3::exp(&Vector3::new(0.3, -0.2, 0.5)) };
        let run = || {
            let run = Simulation::of(&system).initial(start, Vector3::new(1.0, 3.0, -2.0));
            run.method(Rattlie::new()).step(0.01).end_time(0.5)
        };
        let turn = Objective::<$name::System>::new().at_end(|state| state.velocity[0]);
        let gradient = run().gradient_of(&turn).unwrap();
        let forwards = run().with_sensitivities(["moments", "weight", "other", "q", "v"]).run().unwrap();
        let backwards = gradient.parameters.iter().chain(gradient.configuration.iter()).chain(gradient.velocity.iter());
        for ((own, name), other) in backwards.zip(&forwards.names).zip(forwards.variations.last().unwrap()) {
            let other = other.velocity[0];
            assert!(
                (own - other).abs() < 1e-10 * (1.0 + other.abs()),
                "{} by {name}: {own} {other}",
                stringify!($name)
            );
        }
    }};
}

#[test]
fn forces_of_the_velocity() {
    check!(heavy, false);
    check!(gyrostat, true);
    check!(damped, true);
    check!(pushed, false);
}
