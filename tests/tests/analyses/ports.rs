//! Inputs and outputs of linearisations: closed forms, differences of equilibria, closed loops, and rejected requests.

use lie_runtime::analysis::{Equilibrium, Linearisation, LinearisationError, input};
use lie_runtime::inputs::Constant;
use lie_runtime::prelude::*;
use nalgebra::{Complex, DMatrix, DVector};

/// A pole on a cart, moved by a force, a torque in the hinge, and a spring whose far end is an input of a potential.
#[mechanical_system]
pub mod cart_pole {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct State {
        pub cart: f64,
        pub angle: f64,
    }

    #[inputs]
    pub struct Inputs {
        pub push: f64,
        pub torque: f64,
        pub anchor: f64,
    }

    /// The cart has mass 3, the weight at the end of a pole of length 0.5 has mass 2.
    #[kinetic_energy]
    fn kinetic(q: &State, v: &Velocity) -> f64 {
        1.5 * v.cart * v.cart + weight_rate(q, v).norm_squared()
    }

    #[quantity]
    pub fn weight(q: &State) -> Vector2<f64> {
        Vector2::new(q.cart + 0.5 * q.angle.sin(), -0.5 * q.angle.cos())
    }

    #[potential]
    fn gravity(q: &State) -> f64 {
        2.0 * 9.81 * weight(q).y
    }

    #[potential]
    fn spring(q: &State, u: &Inputs) -> f64 {
        7.0 * (q.cart - u.anchor) * (q.cart - u.anchor)
    }

    #[force(on = cart)]
    fn pushed(u: &Inputs, v: &Velocity) -> f64 {
        u.push - 0.4 * v.cart
    }

    #[force(on = angle)]
    fn motor(u: &Inputs) -> f64 {
        u.torque
    }

    #[observable]
    pub fn tip(q: &State, v: &Velocity) -> Vector2<f64> {
        Vector2::new(q.cart + 0.5 * q.angle.sin(), v.cart + 0.5 * q.angle.cos() * v.angle)
    }

    /// The output of a force sensor in the hinge.
    #[observable]
    pub fn sensor(q: &State, u: &Inputs) -> f64 {
        3.0 * u.torque - 2.0 * q.angle + u.push * q.angle
    }

    #[observable]
    pub fn distance(q: &State) -> f64 {
        q.cart.abs()
    }
}

const NOTHING: cart_pole::Inputs = cart_pole::Inputs { push: 0.0, torque: 0.0, anchor: 0.0 };

fn cart() -> (cart_pole::System, cart_pole::State) {
    let system = cart_pole::System::new().unwrap().with_inputs_from(Constant(NOTHING));
    (system, cart_pole::State { cart: 0.0, angle: 0.0 })
}

/// M, C and K of the cart, written down.
fn matrices() -> [DMatrix<f64>; 3] {
    [[5.0, 1.0, 1.0, 0.5], [0.4, 0.0, 0.0, 0.0], [14.0, 0.0, 0.0, 9.81]].map(|m| DMatrix::from_row_slice(2, 2, &m))
}

fn close(found: Complex<f64>, expected: Complex<f64>, what: &str) {
    assert!((found - expected).norm() < 1e-9 * (1.0 + expected.norm()), "{what}: {found} instead of {expected}");
}

#[test]
fn transfer_functions_are_those_of_the_matrices() {
    let (system, q) = cart();
    let rest = system.zero_velocity();
    let outputs = ["tip", "sensor", "weight[0]", "q.angle", "v.cart[0]"];
    let linear = Linearisation::of(&system).inputs(["push", "torque", "anchor"]).outputs(outputs).at(0.0, &q, &rest);
    let linear = linear.expect("hanging down");
    assert_eq!(linear.inputs, ["push", "torque", "anchor"]);
    assert_eq!(linear.outputs, ["tip[0]", "tip[1]", "sensor", "weight[0]", "q.angle[0]", "v.cart[0]"]);
    let [mass, damping, stiffness] = matrices().map(|matrix| matrix.map(Complex::from));
    for s in [Complex::new(0.0, 0.0), Complex::new(0.0, 2.3), Complex::new(-0.4, 5.0)] {
        let found = linear.transfer(s).expect("no eigenvalue");
        let dynamic = &mass * (s * s) + &damping * s + &stiffness;
        let forces = DMatrix::from_row_slice(2, 3, &[1.0, 0.0, 14.0, 0.0, 1.0, 0.0]).map(Complex::from);
        let moved = dynamic.lu().solve(&forces).expect("regular");
        for input in 0..3 {
            let (cart, angle) = (moved[(0, input)], moved[(1, input)]);
            let place = cart + angle * 0.5;
            let direct = if input == 1 { Complex::from(3.0) } else { Complex::from(0.0) };
            let expected = [place, place * s, direct - angle * 2.0, place, angle, cart * s];
            for (output, &expected) in expected.iter().enumerate() {
                close(found[(output, input)], expected, &linear.outputs[output]);
            }
        }
    }
}

/// The static response to a constant input is the change of the equilibrium.
#[test]
fn the_gain_at_rest_is_the_change_of_the_equilibrium() {
    let (system, q) = cart();
    let with_push = input(&system, |push| cart_pole::Inputs { push, torque: 2.0, anchor: 0.3 });
    let equilibrium = |push: f64| {
        let system = lie_runtime::analysis::ParameterFamily::at(&with_push, push).expect("a system");
        let found = Equilibrium::of(&system).guess(q).solve().expect("an equilibrium");
        (system, found.state.configuration)
    };
    let (system, q) = equilibrium(0.7);
    assert!((q.cart - 0.3 - 0.7 / 14.0).abs() < 1e-12, "the anchor that is given at all times counts: {q:?}");
    let rest = system.zero_velocity();
    let linear = Linearisation::of(&system).inputs(["push"]).outputs(["tip[0]", "sensor"]).at(0.0, &q, &rest).unwrap();
    let gain = linear.transfer(Complex::from(0.0)).unwrap();
    let step = 1e-4;
    let [ahead, behind] = [0.7 + step, 0.7 - step].map(|push| {
        let (system, q) = equilibrium(push);
        let inputs = system.inputs_at(0.0, &q, &rest);
        DVector::from_vec(vec![
            cart_pole::tip(&q, &cart_pole::Velocity { cart: 0.0, angle: 0.0 }).x,
            cart_pole::sensor(&q, &inputs),
        ])
    });
    let change = (ahead - behind) / (2.0 * step);
    for output in 0..2 {
        assert!((gain[(output, 0)].re - change[output]).abs() < 1e-7, "{gain} {change}");
    }
}

/// Upright, with a feedback u = −F x: the eigenvalues equal the eigenvalues of A − B F.
#[test]
fn a_feedback_closes_the_loop() {
    let gains = [-40.0, 95.0, -30.0, 28.0];
    let held = cart_pole::System::new().unwrap().with_inputs_from(Constant(NOTHING));
    let upright = cart_pole::State { cart: 0.0, angle: core::f64::consts::PI };
    let fed_back = cart_pole::System::new().unwrap().with_inputs_from(Constant(NOTHING));
    let fed_back = fed_back.with_feedback(move |_, q, v, u| {
        let lean = (q.angle - core::f64::consts::PI).sin();
        let push = gains[0] * q.cart + gains[1] * lean + gains[2] * v.cart + gains[3] * v.angle;
        cart_pole::Inputs { push, ..u }
    });
    let rest = held.zero_velocity();
    let open = Linearisation::of(&held).inputs(["push"]).outputs(["q", "v"]).at(0.0, &upright, &rest).unwrap();
    let closed = Linearisation::of(&fed_back).inputs(["push"]).at(0.0, &upright, &rest).unwrap();
    // x in components of q and v, in which the gains are written.
    let physical = open.output_matrix.clone();
    let inverse = physical.clone().try_inverse().expect("coordinates");
    let row = DMatrix::from_row_slice(1, 4, &gains);
    let expected = &physical * (open.state_matrix() + open.state_input_matrix() * row * &physical) * &inverse;
    let found = &physical * closed.state_matrix() * &inverse;
    assert!((&found - &expected).amax() < 1e-7 * expected.amax(), "{found} {expected}");
    let refused = Linearisation::of(&fed_back).at(0.0, &upright, &rest).unwrap_err();
    assert!(refused.to_string().contains(".inputs([\"push\", \"torque\", \"anchor\"])"), "{refused}");
}

/// A weight on a string in a plane, by a constraint: pushed along x it answers as a pendulum does.
#[mechanical_system]
pub mod on_a_string {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Weight {
        pub place: R2,
    }

    #[inputs]
    pub struct Inputs {
        pub wind: Vector2<f64>,
        pub length: f64,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        1.5 * v.place.norm_squared()
    }

    #[potential]
    fn gravity(q: &Weight) -> f64 {
        3.0 * 9.81 * q.place.y
    }

    #[constraint]
    fn string(q: &Weight, u: &Inputs) -> f64 {
        q.place.norm() - u.length
    }

    #[force]
    fn blown(u: &Inputs) -> Vector2<f64> {
        u.wind
    }

    #[observable]
    pub fn speed(v: &Velocity) -> f64 {
        v.place.norm()
    }
}

fn string() -> (on_a_string::System, on_a_string::Weight) {
    let system = on_a_string::System::new().unwrap();
    let system = system.with_inputs_from(Constant(on_a_string::Inputs { wind: Vector2::zeros(), length: 2.0 }));
    (system, on_a_string::Weight { place: Vector2::new(0.0, -2.0) })
}

#[test]
fn constraints_leave_their_directions() {
    let (system, q) = string();
    let rest = system.zero_velocity();
    let linear = Linearisation::of(&system).inputs(["wind"]).outputs(["q.place"]).at(0.0, &q, &rest).unwrap();
    let s = Complex::new(0.0, 1.1);
    let found = linear.transfer(s).unwrap();
    close(found[(0, 0)], Complex::from(1.0) / ((s * s + 9.81 / 2.0) * 3.0), "along x");
    for entry in [(0, 1), (1, 0), (1, 1)] {
        close(found[entry], Complex::from(0.0), "along the string");
    }
    let refused = Linearisation::of(&system).inputs(["wind", "length"]).at(0.0, &q, &rest).unwrap_err();
    assert_eq!(refused, LinearisationError::MovesConstraint { input: "length".to_owned(), constraint: "string" });
}

#[test]
fn what_has_no_derivative_or_no_name_is_refused() {
    let (system, q) = cart();
    let rest = system.zero_velocity();
    let of = |names: [&'static str; 1]| Linearisation::of(&system).outputs(names).at(0.0, &q, &rest);
    assert!(matches!(of(["distance"]), Err(LinearisationError::NotSmooth { function, .. }) if function == "distance"));
    let unknown = of(["tpi"]).unwrap_err().to_string();
    assert!(unknown.contains("unknown output `tpi`") && unknown.contains("tip[0]"), "{unknown}");
    let unknown = Linearisation::of(&system).inputs(["pull"]).at(0.0, &q, &rest).unwrap_err().to_string();
    assert!(unknown.contains("unknown input `pull`; known inputs: push, torque, anchor"), "{unknown}");
    let (system, q) = string();
    // |v| at rest.
    let kink = Linearisation::of(&system).outputs(["speed"]).at(0.0, &q, &system.zero_velocity());
    assert!(matches!(kink, Err(LinearisationError::NotSmooth { .. })), "{kink:?}");
}

/// A bead that slides round a ring.
#[mechanical_system]
pub mod ring {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Bead {
        pub angle: SO2,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * v.angle * v.angle
    }

    #[observable]
    pub fn place(q: &Bead) -> Vector2<f64> {
        q.angle * Vector2::x()
    }
}

#[test]
fn outputs_of_a_steady_motion_do_not_turn_with_it() {
    let system = ring::System::new().unwrap();
    let q = ring::Bead { angle: SO2::from_angle(0.4) };
    let v = ring::Velocity { angle: 2.0 };
    let linear = Linearisation::of(&system).outputs(["q.angle"]).at(0.0, &q, &v.into()).unwrap();
    assert_eq!(linear.output_matrix.shape(), (1, 2));
    let turning = Linearisation::of(&system).outputs(["place"]).at(0.0, &q, &v.into()).unwrap_err();
    assert_eq!(turning, LinearisationError::OutputTurns { output: "place[0]".to_owned() });
    // At rest it stays.
    assert!(Linearisation::of(&system).outputs(["place"]).at(0.0, &q, &system.zero_velocity()).is_ok());
}

#[test]
fn archives_have_the_matrices() {
    let (system, q) = cart();
    let linear =
        Linearisation::of(&system).inputs(["push"]).outputs(["tip"]).at(0.0, &q, &system.zero_velocity()).unwrap();
    let mut bytes = Vec::new();
    linear.write_npz(&mut bytes).unwrap();
    let text = String::from_utf8_lossy(&bytes);
    for (name, shape) in [("A", "(4, 4)"), ("B", "(4, 1)"), ("C", "(2, 4)"), ("D", "(2, 1)"), ("shapes", "(2, 2)")] {
        let place = text.find(&format!("{name}.npy")).expect("an array of that name");
        assert!(text[place..].chars().take(150).collect::<String>().contains(&format!("'shape': {shape}")), "{name}");
    }
    let first = linear.state_matrix()[(0, 2)].to_le_bytes();
    assert!(bytes.windows(8).any(|window| window == first));
}
