//! Second derivatives: differences of first ones that were carried forwards, and a closed form.

use fixtures::systems::driven::rolling_disc_example;
use lie_runtime::gradient::{Adjoint, Direction, DirectionError, GradientError, Objective, Variable};
use lie_runtime::group::SO3xR3;
use lie_runtime::integrator::Integrator;
use lie_runtime::prelude::*;
use lie_runtime::scalar::Dual;
use lie_runtime::space::ReverseSpace;
use lie_runtime::system::ParameterSet;
use lie_runtime::system::{Liftable, Reverse, TangentSystem};

use crate::case::{Case, objective};
use crate::chains::hung_links;
use crate::frames::linkage;
use crate::inputs::{declared, given};
use crate::tops::top;

/// Numbers without a pattern.
fn size(at: usize) -> f64 {
    (1.0 + 2.7 * at as f64).sin()
}

impl<M> Case<'_, M>
where
    M: Reverse<Scalar = f64> + TangentSystem<Lifted: Reverse + Clone> + 'static,
{
    /// Everything that the derivatives are compared by, as a direction.
    fn direction(&self) -> (Direction, Vec<(Variable, f64)>) {
        let (mut along, mut sizes, mut count) = (Direction::new(), Vec::new(), 0);
        for name in &self.names {
            let meant = Variable::named(self.system, &[name]).unwrap();
            let own: Vec<f64> = (count..count + meant.len()).map(size).collect();
            count += meant.len();
            along = along.components(*name, own.clone());
            sizes.extend(meant.into_iter().map(|(_, direction)| direction).zip(own));
        }
        (along, sizes)
    }

    /// The derivatives by the names, a part of the direction away: those by q₀ as the coordinates x of q₀ exp(x) have them.
    fn slopes_at<I>(&self, method: I, sizes: &[(Variable, f64)], part: f64) -> Vec<f64>
    where
        I: Integrator<M::Lifted> + Clone,
    {
        let mut parameters = self.system.parameters().clone();
        for name in parameters.names() {
            let mut numbers = parameters.get(name).unwrap().numbers();
            for (direction, size) in sizes {
                if let Variable::Parameter { name: own, component } = direction
                    && own == name
                {
                    numbers[*component] += part * size;
                }
            }
            parameters.set(name, &numbers).unwrap();
        }
        let system = self.system.with_parameters(parameters).unwrap();
        let (mut q, mut v, mut turn) = (self.q.clone(), self.v.clone(), self.system.zero_velocity());
        for (direction, size) in sizes {
            match *direction {
                Variable::Configuration(at) => turn.set_component(at, part * size),
                Variable::Velocity(at) => v.set_component(at, v.component(at) + part * size),
                Variable::Parameter { .. } => {}
            }
        }
        system.space().compose_exp(&self.q, &turn, &mut q);
        let moved = Case { system: &system, still: self.still.clone(), q, v, names: self.names.clone(), ..*self };
        let (_, mut slopes) = moved.reference(method);
        let mut of_end = system.zero_velocity();
        let places = |at: usize| {
            let is_there = |(direction, _): &(Variable, f64)| *direction == Variable::Configuration(at);
            sizes.iter().position(is_there)
        };
        for at in 0..system.dof() {
            of_end.set_component(at, places(at).map_or(0.0, |place| slopes[place]));
        }
        let [mut of_start, mut of_turn] = [system.zero_velocity(), system.zero_velocity()];
        system.space().motion_pullback(&turn, &of_end, &mut of_start, &mut of_turn);
        for at in 0..system.dof() {
            if let Some(place) = places(at) {
                slopes[place] = of_turn.component(at);
            }
        }
        slopes
    }

    /// H d, all of it, against differences of derivatives that dual numbers have carried forwards.
    fn check_product<I>(&self, method: &I, tolerance: f64)
    where
        I: Adjoint<M> + Adjoint<M::Lifted> + Clone,
    {
        let id = Integrator::<M>::id(method);
        let plain = self.run().method(method.clone()).run().unwrap_or_else(|error| panic!("{error}"));
        let times: Vec<f64> = plain.times().collect();
        let twice = self.still.lift();
        let (along, sizes) = self.direction();
        let objective = objective::<M::Lifted>(&twice, &times);
        let run = self.run().method(method.clone());
        let found = run.hessian_times(&objective, &along).unwrap_or_else(|error| panic!("{id}: {error}"));
        // The gradient that comes with it is that of a run on numbers.
        let gradient = self.gradient(method.clone());
        assert!((found.gradient.value - gradient.value).abs() <= 1e-9 * gradient.value.abs().max(1.0), "{id}");
        let names = Variable::named(self.system, &self.names).unwrap();
        let read = |slopes: &lie_runtime::gradient::Derivatives<M>| -> Vec<f64> {
            let each = |(name, direction): &(String, Variable)| match direction {
                Variable::Parameter { .. } => slopes.by(name).unwrap(),
                Variable::Configuration(at) => slopes.configuration.component(*at),
                Variable::Velocity(at) => slopes.velocity.component(*at),
            };
            names.iter().map(each).collect()
        };
        let largest = |all: &[f64]| all.iter().fold(0.0, |largest: f64, one| largest.max(one.abs()));
        let (own, first) = (read(&found.gradient), read(&gradient));
        let size = largest(&first);
        for ((own, first), (name, _)) in own.iter().zip(&first).zip(&names) {
            assert!((own - first).abs() < 1e-9 * size, "{id}, by {name}: {own} {first}");
        }
        let h = 1e-3;
        let differences = |h: f64| -> Vec<f64> {
            let [after, before] = [h, -h].map(|part| self.slopes_at(method.clone(), &sizes, part));
            after.iter().zip(&before).map(|(after, before)| (after - before) / (2.0 * h)).collect()
        };
        // Extrapolated twice: up to h⁶.
        let apart = [h, 0.5 * h, 0.25 * h].map(differences);
        let better = |far: &[f64], near: &[f64], power: f64| -> Vec<f64> {
            far.iter().zip(near).map(|(far, near)| near + (near - far) / (power - 1.0)).collect()
        };
        let [far, near] = [0, 1].map(|at| better(&apart[at], &apart[at + 1], 4.0));
        let (product, expected) = (read(&found.product), better(&far, &near, 16.0));
        let scale = largest(&expected);
        assert!(scale > 0.0, "{id}: nothing has second derivatives");
        let mut worst: f64 = 0.0;
        for ((own, expected), (name, _)) in product.iter().zip(&expected).zip(&names) {
            let error = (own - expected).abs() / scale;
            worst = worst.max(error);
            assert!(error < tolerance, "{id}, by {name}: {own:e} and {expected:e}, {error:.1e} of {scale:.1e}");
        }
        println!("{}, {id}: {worst:.1e} of {scale:.1e}", self.system.description().name);
    }
}

/// A mass, its spring.
#[mechanical_system(gradients)]
pub mod oscillator {
    use lie_runtime::prelude::*;

    /// The place.
    #[configuration]
    pub struct Place {
        /// It.
        pub x: f64,
    }

    /// The data.
    #[parameters]
    pub struct Spring {
        /// Position of the mass.
        pub mass: f64,
        /// Stiffness of the spring.
        pub stiffness: f64,
    }

    #[kinetic_energy]
    fn kinetic(p: &Spring, v: &Velocity) -> f64 {
        0.5 * p.mass * v.x * v.x
    }

    #[potential]
    fn elastic(p: &Spring, q: &Place) -> f64 {
        0.5 * p.stiffness * q.x * q.x
    }
}

/// J = x(1)² with x = x₀ cos ω, ω² = k / m, by k, x₀ and v₀.
#[test]
fn of_an_oscillator() {
    let system = oscillator::System::new(oscillator::Spring { mass: 1.0, stiffness: 4.0 }).unwrap();
    let run = || {
        let start = Simulation::of(&system).initial(oscillator::Place { x: 1.5 }, Vector1::new(0.0));
        start.step(0.005).end_time(1.0)
    };
    let square =
        Objective::<oscillator::System<Dual<f64>>>::new().at_end(|state| state.configuration.x * state.configuration.x);
    let hessian = run().hessian_of(&square, ["stiffness", "q", "v"]).unwrap();
    assert_eq!(hessian.names, ["stiffness", "q.x[0]", "v.x[0]"]);
    // x = a cos ω + b sin ω / ω at a = 1.5, b = 0, ω = 2; by k: ω' = 1 / 2ω.
    let (sin, cos, omega, a) = (2.0_f64.sin(), 2.0_f64.cos(), 2.0, 1.5);
    let slope = 1.0 / (2.0 * omega);
    let (x, x_k, x_a, x_b) = (a * cos, -a * sin * slope, cos, sin / omega);
    let x_kk = a * (-cos * slope * slope + sin * slope / (2.0 * omega * omega));
    let (x_ka, x_kb) = (-sin * slope, (cos / omega - sin / (omega * omega)) * slope);
    let first = [x_k, x_a, x_b];
    let second = [[x_kk, x_ka, x_kb], [x_ka, 0.0, 0.0], [x_kb, 0.0, 0.0]];
    for row in 0..3 {
        for column in 0..3 {
            let expected = 2.0 * (first[row] * first[column] + x * second[row][column]);
            let own = hessian.matrix[(row, column)];
            assert!((own - expected).abs() < 1e-9, "{row}, {column}: {own} {expected}");
        }
    }
    assert!((hessian.gradient.value - x * x).abs() < 1e-9);
    assert!((hessian.gradient.by("stiffness").unwrap() - 2.0 * x * x_k).abs() < 1e-9);
    // Of every parameter, and of a sum of directions.
    let along = Direction::new().component("stiffness", 0.5).component("v.x[0]", -2.0);
    let product = run().hessian_times(&square, &along).unwrap().product;
    let by_columns = 0.5 * hessian.columns[0].by("mass").unwrap() - 2.0 * hessian.columns[2].by("mass").unwrap();
    assert!((product.by("mass").unwrap() - by_columns).abs() < 1e-12);
}

/// The gradient of an objective vanishes at its minimum, the second derivatives do not.
#[test]
fn where_the_gradient_vanishes() {
    let system = oscillator::System::new(oscillator::Spring { mass: 1.0, stiffness: 4.0 }).unwrap();
    macro_rules! each {
        ($($method:expr),*) => {$({
            let square = Objective::<oscillator::System<Dual<f64>>>::new()
                .at_end(|state| state.configuration.x * state.configuration.x);
            let start = Simulation::of(&system).initial(oscillator::Place { x: 0.0 }, Vector1::new(0.0));
            let hessian = start.method($method).step(0.01).end_time(1.0).hessian_of(&square, ["q"]).unwrap();
            assert_eq!(hessian.gradient.configuration[0], 0.0);
            let expected = 2.0 * 2.0_f64.cos().powi(2);
            assert!((hessian.matrix[(0, 0)] - expected).abs() < 1e-3, "{}", hessian.matrix);
        })*};
    }
    each!(
        HalfExplicit::hedop5(),
        GeneralizedAlpha::lie_alpha(),
        TrBdf2::new(),
        Rattlie::new(),
        Collocation::gauss2(),
        BLieDF::bliedf2()
    );
}

/// Every kind of method; the initial values leave the constraints along the direction, and the constraints move.
#[test]
fn of_a_top() {
    let (system, q, v) = top!(so3xr3, SO3xR3);
    let case = Case::new(&system, q, v, 0.01, 0.1);
    case.check_product(&HalfExplicit::hedop5(), 1e-7);
    case.check_product(&OnMechanical(MuntheKaas::rkmk4()), 1e-7);
    case.check_product(&GeneralizedAlpha::lie_alpha(), 1e-6);
    case.check_product(&GeneralizedAlpha::lie_alpha_stab2(), 1e-6);
    case.check_product(&TrBdf2::new(), 1e-6);
    case.check_product(&Rattlie::new(), 1e-6);
    case.check_product(&Collocation::radau_iia3(), 1e-6);
    let (system, q, v) = top!(se3, SE3);
    Case::new(&system, q, v, 0.01, 0.1).check_product(&HalfExplicit::hedop5(), 1e-7);
}

/// Velocity constraints.
#[test]
fn of_a_rolling_disc() {
    let (system, q, v) = rolling_disc_example();
    let case = Case::new(&system, q, v, 0.02, 0.2);
    case.check_product(&HalfExplicit::hedop5(), 1e-7);
}

#[test]
fn along_a_chain() {
    let (system, q, v) = hung_links(4);
    let names = ["halves", "masses[3]", "inertia", "amplitude", "q.links", "v.links[3]"];
    let case = Case::new(&system, q, v, 5e-3, 0.03).compared_by(&names);
    case.check_product(&HalfExplicit::hedop5(), 1e-7);
    case.check_product(&GeneralizedAlpha::lie_alpha(), 1e-6);
}

/// A loop of joints.
#[test]
fn along_frames() {
    let (system, q, v) = linkage(&[1.0, 1.4, 0.9], &[1.2, -0.9, -1.1]);
    let case = Case::new(&system, q, v, 5e-3, 0.03);
    case.check_product(&HalfExplicit::hedop5(), 1e-7);
    case.check_product(&Rattlie::new(), 1e-6);
}

/// Symmetric, configurations on the group included.
#[test]
fn matrices_are_symmetric() {
    let (system, q, v) = top!(so3xr3, SO3xR3);
    let case = Case::new(&system, q, v, 0.01, 0.1);
    let times: Vec<f64> = case.run().run().unwrap().times().collect();
    let twice = case.still.lift();
    let objective = objective(&twice, &times);
    let hessian = case.run().hessian_of(&objective, ["mass", "center_of_mass", "q", "v"]).unwrap();
    let asymmetry = (&hessian.matrix - hessian.matrix.transpose()).amax() / hessian.matrix.amax();
    println!("asymmetry {asymmetry:.1e}");
    assert!(asymmetry < 1e-12, "{asymmetry:.1e}");
}

/// Directions of piecewise constant inputs equal directions of parameters.
#[test]
fn along_pieces_of_inputs() {
    let torques = [1.0, -0.5, 2.0];
    let piece = |t: f64| if t < 0.099_999_9 { 0 } else { 1 + usize::from(t >= 0.199_999_9) };
    let driven = given::System::new().unwrap().with_inputs_over_time(move |t| {
        let number = lie_runtime::scalar::Scalar::from_f64;
        given::Inputs { torque: number(torques[piece(t.value())]), wind: Vector2::new(number(1.0), number(0.5)) }
    });
    let winds = [Vector2::new(1.0, 0.5); 3];
    let other = declared::System::new(declared::Pieces { torques, winds }).unwrap();
    let (bob, times) = (Vector2::new(1.0, 0.0), [0.0, 0.1, 0.2]);
    macro_rules! run {
        ($system:expr, $module:ident, $along:expr) => {{
            let objective = Objective::<$module::System<Dual<f64>>>::new()
                .at_end(|state| state.configuration.bob.x * state.velocity[0] + state.velocity[2] * state.velocity[2]);
            let q = $module::Pose { bob, wheel: 0.0 };
            let start = Simulation::of(&$system).initial(q, Vector3::new(0.0, 0.3, 0.2));
            start.step(0.01).end_time(0.3).hessian_times(&objective, $along).unwrap().product
        }};
    }
    let pieces: Vec<Vec<f64>> = (0..3).map(|at| (0..3).map(|number| size(3 * at + number)).collect()).collect();
    let own = run!(driven, given, &Direction::new().inputs(times, pieces.clone()));
    let sizes: Vec<f64> = pieces.iter().map(|piece| piece[0]).collect();
    let along = Direction::new().components("torques", sizes);
    let along = along.components("winds", pieces.iter().flat_map(|piece| piece[1..].to_vec()).collect::<Vec<_>>());
    let all = run!(other, declared, &along);
    for (at, slopes) in own.by_inputs(&times).unwrap().iter().enumerate() {
        let names = [format!("torques[{at}]"), format!("winds[{at}][0]"), format!("winds[{at}][1]")];
        for (derivative, name) in slopes.iter().zip(&names) {
            let expected = all.by(name).unwrap();
            assert!((derivative - expected).abs() < 1e-12, "{name}: {derivative} {expected}");
        }
        assert!(slopes.iter().any(|slope| slope.abs() > 1e-4), "{slopes:?}");
    }
}

/// Invalid directions, identified by name.
#[test]
fn directions_that_are_none() {
    let system = oscillator::System::new(oscillator::Spring { mass: 1.0, stiffness: 4.0 }).unwrap();
    let of = |along: Direction| {
        let square = Objective::<oscillator::System<Dual<f64>>>::new().at_end(|state| state.configuration.x);
        let start = Simulation::of(&system).initial(oscillator::Place { x: 1.0 }, Vector1::new(0.0));
        match start.step(0.1).end_time(1.0).hessian_times(&square, &along).map(|_| ()).map_err(|error| *error) {
            Err(GradientError::Direction(error)) => error,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(of(Direction::new()), DirectionError::Nothing);
    assert!(matches!(of(Direction::new().component("weight", 1.0)), DirectionError::Unknown { .. }));
    assert!(matches!(
        of(Direction::new().component("mass", 1.0).component("mass", 2.0)),
        DirectionError::Repeated { .. }
    ));
    let count = of(Direction::new().components("mass", [1.0, 2.0]));
    assert_eq!(count, DirectionError::Count { name: "mass".into(), meant: 1, given: 2 });
    let pieces = of(Direction::new().inputs([0.0], [vec![1.0]]));
    assert_eq!(pieces, DirectionError::Pieces { piece: 0, numbers: 0 });
}
