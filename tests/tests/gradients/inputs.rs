//! Derivatives by inputs that are constant piece by piece: those by parameters that the same force is declared with.

use lie_runtime::gradient::{Adjoint, DirectionError, Gradient, Objective};
use lie_runtime::prelude::*;
use lie_runtime::scalar::Dual;
use lie_runtime::system::{Reverse, TangentSystem};

/// A pendulum whose force and wind are given.
#[mechanical_system(gradients)]
pub mod given {
    use lie_runtime::prelude::*;

    /// The pendulum.
    #[configuration]
    pub struct Pose {
        /// The bob.
        pub bob: R2,
        /// A wheel on it.
        pub wheel: f64,
    }

    /// The inputs.
    #[inputs]
    pub struct Inputs {
        /// The torque on the wheel.
        pub torque: f64,
        /// The force on the bob.
        pub wind: Vector2<f64>,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * v.bob.norm_squared() + 0.05 * v.wheel * v.wheel
    }

    #[potential]
    fn weight(q: &Pose) -> f64 {
        9.81 * q.bob.y
    }

    #[constraint]
    fn rod(q: &Pose) -> f64 {
        q.bob.norm_squared() - 1.0
    }

    #[force(on = wheel)]
    fn motor(u: &Inputs, v: &Velocity) -> f64 {
        u.torque - 0.02 * u.torque * u.torque * v.wheel
    }

    #[force(on = bob)]
    fn wind(u: &Inputs) -> Vector2<f64> {
        u.wind
    }
}

/// The same pendulum with pieces as parameters.
#[mechanical_system(gradients)]
pub mod declared {
    use lie_runtime::prelude::*;

    /// The pendulum.
    #[configuration]
    pub struct Pose {
        /// The bob.
        pub bob: R2,
        /// A wheel on it.
        pub wheel: f64,
    }

    /// Torque of each interval.
    #[parameters]
    pub struct Pieces {
        /// The torques on the wheel.
        pub torques: [f64; 3],
        /// The forces on the bob.
        pub winds: [Vector2<f64>; 3],
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * v.bob.norm_squared() + 0.05 * v.wheel * v.wheel
    }

    #[potential]
    fn weight(q: &Pose) -> f64 {
        9.81 * q.bob.y
    }

    #[constraint]
    fn rod(q: &Pose) -> f64 {
        q.bob.norm_squared() - 1.0
    }

    #[force(on = wheel)]
    fn motor(p: &Pieces, t: f64, v: &Velocity) -> f64 {
        let torque = if t < 0.099_999_9 {
            p.torques[0]
        } else if t < 0.199_999_9 {
            p.torques[1]
        } else {
            p.torques[2]
        };
        torque - 0.02 * torque * torque * v.wheel
    }

    #[force(on = bob)]
    fn wind(p: &Pieces, t: f64) -> Vector2<f64> {
        if t < 0.099_999_9 {
            p.winds[0]
        } else if t < 0.199_999_9 {
            p.winds[1]
        } else {
            p.winds[2]
        }
    }
}

/// A bead that is led along a line by its input.
#[mechanical_system(gradients)]
pub mod led {
    use lie_runtime::prelude::*;

    /// The bead.
    #[configuration]
    pub struct Bead {
        /// The position.
        pub x: f64,
    }

    /// The target position.
    #[inputs]
    pub struct Inputs {
        /// A place.
        pub place: f64,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * v.x * v.x
    }

    #[constraint]
    fn guide(u: &Inputs, q: &Bead) -> f64 {
        q.x - u.place
    }
}

const TORQUES: [f64; 3] = [1.0, -0.5, 2.0];
const WINDS: [[f64; 2]; 3] = [[1.0, 0.0], [0.5, -2.0], [-3.0, 1.0]];

/// The position of the bob and the velocity of the wheel.
fn gradient<M, I>(
    system: &M,
    q: M::Configuration,
    method: I,
    bob: impl Fn(&State<M::Lifted>) -> Dual<f64>,
) -> Gradient<M>
where
    M: Reverse<Scalar = f64, Velocity = Vector3<f64>> + TangentSystem + 'static,
    M::Lifted: lie_runtime::system::MechanicalSystem<Velocity = Vector3<Dual<f64>>>,
    I: Adjoint<M>,
{
    let objective = Objective::<M>::new().at_end(|state| bob(state) + state.velocity[2] * state.velocity[2]);
    let run = Simulation::of(system).initial(q, Vector3::new(0.0, 0.3, 0.2)).method(method).step(0.01).end_time(0.3);
    run.gradient_of(&objective).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn pieces_of_inputs_are_as_parameters() {
    let piece = |t: f64| if t < 0.099_999_9 { 0 } else { 1 + usize::from(t >= 0.199_999_9) };
    let driven = given::System::new().unwrap().with_inputs_over_time(move |t| {
        let piece = piece(t.value());
        let number = lie_runtime::scalar::Scalar::from_f64;
        let wind = Vector2::new(number(WINDS[piece][0]), number(WINDS[piece][1]));
        given::Inputs { torque: number(TORQUES[piece]), wind }
    });
    let winds = WINDS.map(Vector2::from);
    let other = declared::System::new(declared::Pieces { torques: TORQUES, winds }).unwrap();
    let bob = Vector2::new(1.0, 0.0);
    macro_rules! each {
        ($($method:expr),*) => {$({
            let own = gradient(&driven, given::Pose { bob, wheel: 0.0 }, $method, |state| state.configuration.bob.x);
            let pieces = own.by_inputs(&[0.0, 0.1, 0.2]).unwrap();
            let all = gradient(&other, declared::Pose { bob, wheel: 0.0 }, $method, |state| state.configuration.bob.x);
            for (piece, slopes) in pieces.iter().enumerate() {
                let names = [format!("torques[{piece}]"), format!("winds[{piece}][0]"), format!("winds[{piece}][1]")];
                assert!(slopes.iter().any(|slope| slope.abs() > 1e-3), "{slopes:?}");
                for (derivative, name) in slopes.iter().zip(&names) {
                    let expected = all.by(name).unwrap();
                    assert!((derivative - expected).abs() < 1e-12, "{name}: {derivative} {expected}");
                }
            }
            // Before the first piece there is nothing.
            assert_eq!(own.by_inputs(&[0.1, 0.2]).unwrap(), pieces[1..]);
            for (times, piece) in [([0.1, 0.0], 1), ([0.1, 0.1], 1), ([f64::NAN, 0.1], 0), ([0.0, f64::INFINITY], 1)] {
                assert_eq!(own.by_inputs(&times), Err(DirectionError::Pieces { piece, numbers: 3 }), "{times:?}");
            }
        })*};
    }
    each!(
        HalfExplicit::hedop5(),
        OnMechanical(MuntheKaas::rkmk4()),
        GeneralizedAlpha::lie_alpha(),
        TrBdf2::new(),
        Rattlie::new()
    );
}

/// Piecewise constant inputs have no rates.
#[test]
fn inputs_of_constraints_have_no_pieces() {
    let system = led::System::new().unwrap().with_inputs_over_time(|t| led::Inputs { place: t * t });
    let objective = Objective::<led::System>::new().at_end(|state| state.configuration.x);
    let run = Simulation::of(&system).initial(led::Bead { x: 0.0 }, Vector1::new(0.0)).step(0.01).end_time(0.1);
    let gradient = run.gradient_of(&objective).unwrap();
    assert_eq!(gradient.by_inputs(&[0.0]), Err(DirectionError::Rates));
}
