//! Failed searches for equilibria and their error messages.

use lie_runtime::analysis::{Continuation, Equilibrium, EquilibriumError, LoadSteps, parameter};
use lie_runtime::prelude::*;

use crate::models::{gimbal, truss, web};

/// Largest load of the truss and the height there: load = 2 y (L / √(1 + y²) − 1) with L² = 1.25.
fn largest_load() -> f64 {
    let height = (1.25_f64.powf(1.0 / 3.0) - 1.0).sqrt();
    2.0 * height * (1.25_f64.sqrt() / (1.0 + height * height).sqrt() - 1.0)
}

fn arch() -> (truss::System, truss::Apex) {
    (truss::System::new(truss::Data { load: 0.0 }).unwrap(), truss::Apex { height: 0.5 })
}

#[test]
fn load_steps_name_the_load_that_failed() {
    // Coincident points have no tangent stiffness at any load.
    let system = web::System::new(web::Data { load: 0.1 }).unwrap();
    let coincident = web::Points { one: Vector2::new(0.0, -1.0), other: Vector2::new(0.0, -1.0) };
    let error = LoadSteps::of(parameter(&system, "load")).guess(coincident).values(&[0.25, 0.5]).unwrap_err();
    assert!(matches!(error, EquilibriumError::LoadStep { reached: None, tried: 0.25, .. }), "{error}");
    // A load beyond the limit, where no equilibrium is left but one that stretches without bounds: none of this truss.
    let (system, start) = arch();
    let values = [0.5 * largest_load(), f64::NAN];
    let error = LoadSteps::of(parameter(&system, "load")).guess(start).values(&values).unwrap_err();
    let text = error.to_string();
    assert!(!text.contains("LoadSteps"), "{text}");
    // Without iterations enough nothing converges: the message of the search itself advises load steps, that of load steps does not.
    let far = web::Points { one: Vector2::new(30.0, 40.0), other: Vector2::new(-20.0, 70.0) };
    let system = web::System::new(web::Data { load: 1.0 }).unwrap();
    let few = Equilibrium::of(&system).guess(far).max_iterations(1).solve().unwrap_err();
    assert!(matches!(few, EquilibriumError::NotConverged { .. }) && few.to_string().contains("`LoadSteps`"), "{few}");
    let stepped = EquilibriumError::LoadStep { reached: Some(0.5), tried: 0.625, error: Box::new(few) };
    let text = stepped.to_string();
    assert!(
        text.contains("at the load 0.625") && text.contains("equilibrium is 0.5.") && text.contains("`Continuation`"),
        "{text}"
    );
    assert!(!text.contains("`LoadSteps`"), "{text}");
}

#[test]
fn coincident_points_are_named() {
    let system = web::System::new(web::Data { load: 0.1 }).unwrap();
    for (one, other, member) in [([0.0, 0.0], [0.0, -1.0], "`one`"), ([0.0, -1.0], [0.0, -1.0], "`one`")] {
        let start = web::Points { one: one.into(), other: other.into() };
        let error = Equilibrium::of(&system).guess(start).solve().unwrap_err();
        assert!(matches!(error, EquilibriumError::NotFinite { iterations: 0, .. }), "{error}");
        let text = error.to_string();
        assert!(text.contains(member) && text.contains("coincident") && !text.contains("step is too large"), "{text}");
        assert!(text.contains(&format!("the force on {member} by `springs` is not finite")), "{text}");
    }
}

/// Nodes in a row, joined by springs of length 1.
#[mechanical_system]
mod net {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Net {
        pub nodes: Vec<R2>,
    }

    #[kinetic_energy(over = nodes)]
    fn kinetic(v: &Vector2<f64>) -> f64 {
        0.5 * v.norm_squared()
    }

    #[potential(over = nodes)]
    fn weight(node: &R2) -> f64 {
        9.81 * node.y
    }

    #[potential(over = nodes.windows(2))]
    fn spring([a, b]: [&R2; 2]) -> f64 {
        1.5 * ((b - a).norm() - 1.0).powi(2)
    }
}

/// Nodes in a row, joined by rods of length 1.
#[mechanical_system]
mod rods {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Row {
        pub nodes: Vec<R2>,
    }

    #[kinetic_energy(over = nodes)]
    fn kinetic(v: &Vector2<f64>) -> f64 {
        0.5 * v.norm_squared()
    }

    #[constraint(over = nodes.windows(2))]
    fn rod([a, b]: [&R2; 2]) -> f64 {
        (b - a).norm() - 1.0
    }
}

/// The message names the spring or the rod between the two nodes that coincide.
#[test]
fn coincident_nodes_of_a_chain_are_named_with_the_function_and_the_element() {
    let nodes = |coincident: usize| -> Vec<Vector2<f64>> {
        let place = |at: usize| if at > coincident { at - 1 } else { at };
        (0..7).map(|at| Vector2::new(place(at) as f64, 0.0)).collect()
    };
    for coincident in [0, 3, 5] {
        let system = net::System::new(net::Lengths { nodes: 7 }).unwrap();
        let run = Simulation::of(&system).at_rest(net::Net { nodes: nodes(coincident) }).step(0.01).end_time(0.1).run();
        let text = run.unwrap_err().to_string();
        let expected = format!("the force on `nodes` by `spring[{coincident}]` is not finite");
        assert!(text.contains(&expected) && text.contains("coincide"), "{text}");
        let system = rods::System::new(rods::Lengths { nodes: 7 }).unwrap();
        let run =
            Simulation::of(&system).at_rest(rods::Row { nodes: nodes(coincident) }).step(0.01).end_time(0.1).run();
        let text = run.unwrap_err().to_string();
        assert!(
            text.contains(&format!("the Jacobian of constraint `rod[{coincident}]` row 0 is not finite")),
            "{text}"
        );
    }
}

#[test]
fn a_branch_that_ends_before_its_aim_is_an_error_with_the_branch() {
    let (system, start) = arch();
    let branch = || Continuation::of(parameter(&system, "load")).guess(0.0, start).step(0.02);
    // The load is largest, turns back, comes through zero and grows again below: the aim is reached.
    let aim = 2.0 * largest_load();
    let whole = branch().parameter_end(aim).run().unwrap_or_else(|error| panic!("{error}"));
    assert!(
        whole.points.last().unwrap().parameter >= aim && whole.points.last().unwrap().state.configuration.height < -0.5
    );
    let error = branch().parameter_end(aim).points(10).run().unwrap_err();
    let reached = error.branch.points.last().unwrap().parameter;
    assert_eq!(error.branch.points.len(), 10);
    assert_eq!(error.error, EquilibriumError::AimNotReached { aim, reached, points: 10 });
    // Without an aim the number of points is one.
    assert_eq!(branch().points(10).run().unwrap().points.len(), 10);
    // Nothing to begin with: no point.
    let error = Continuation::of(parameter(&system, "load")).parameter_end(1.0).run().unwrap_err();
    assert!(error.error == EquilibriumError::NoStart && error.branch.points.is_empty(), "{error}");
}

/// At gimbal lock rings without mass have no inertia of their own, and everywhere else they need none.
#[test]
fn gimbal_lock_is_not_a_missing_mass() {
    let system = gimbal::System::new().unwrap();
    let start = |nutation| gimbal::Angles { precession: 0.3, nutation, spin: 0.1 };
    let run = |nutation| {
        Simulation::of(&system).initial(start(nutation), Vector3::new(0.0, 0.1, 1.0)).step(0.01).end_time(0.1).run()
    };
    assert!(run(1.0).is_ok());
    let text = run(0.0).unwrap_err().to_string();
    assert!(text.contains("singular in this configuration") && !text.contains("positive mass"), "{text}");
}
