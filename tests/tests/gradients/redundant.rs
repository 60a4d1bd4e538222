//! Derivatives of motions with duplicate constraints, the second scaled by `again`: q and v equal the motion with single constraints. The
//! multiplier x of the single constraint is divided into ½ x and ½ x / again.

use lie_runtime::gradient::{GradientError, Objective, Sensitive};
use lie_runtime::group::TangentVector;
use lie_runtime::nalgebra::DVector;
use lie_runtime::prelude::*;
use lie_runtime::scalar::Dual;
use lie_runtime::simulate::Registered;
use lie_runtime::system::TangentSystem;

macro_rules! bob {
    ($name:ident, [$($option:tt)*], {$($again:item)*}) => {
        /// A bob on a rod.
        #[mechanical_system(gradients $($option)*)]
        pub mod $name {
            use lie_runtime::prelude::*;

            #[configuration]
            pub struct Place {
                pub x: R2,
            }

            #[parameters]
            pub struct Data {
                pub mass: f64,
                pub again: f64,
            }

            #[kinetic_energy]
            fn kinetic(p: &Data, v: &Velocity) -> f64 {
                0.5 * p.mass * v.x.norm_squared()
            }

            #[potential]
            fn weight(p: &Data, q: &Place) -> f64 {
                9.81 * p.mass * q.x.y + 0.2 * q.x.x * q.x.x
            }

            #[constraint]
            fn rod(q: &Place) -> f64 {
                0.5 * (q.x.norm_squared() - 1.0)
            }

            $($again)*
        }
    };
}

bob!(bob_once, [], {});
bob!(bob_twice, [, redundant = minimum_norm], {
    #[constraint]
    fn rod_again(p: &Data, q: &Place) -> f64 {
        p.again * 0.5 * (q.x.norm_squared() - 1.0)
    }
});

macro_rules! rope {
    ($name:ident, [$($option:tt)*], {$($again:item)*}) => {
        /// Beads on rods, the first of which hangs at the origin.
        #[mechanical_system(gradients $($option)*)]
        pub mod $name {
            use lie_runtime::prelude::*;

            #[configuration]
            pub struct Rope {
                pub beads: Vec<R2>,
            }

            #[parameters]
            pub struct Data {
                pub mass: f64,
                pub again: f64,
            }

            #[kinetic_energy(over = beads)]
            fn kinetic(p: &Data, v: &Vector2<f64>) -> f64 {
                0.5 * p.mass * v.norm_squared()
            }

            #[potential(over = beads)]
            fn weight(p: &Data, q: &R2) -> f64 {
                9.81 * p.mass * q.y + 0.2 * q.x * q.x
            }

            #[constraint(over = beads.first())]
            fn hook(q: &R2) -> f64 {
                0.5 * (q.norm_squared() - 1.0)
            }

            #[constraint(over = beads.windows(2))]
            fn rod([a, b]: [&R2; 2]) -> f64 {
                0.5 * ((b - a).norm_squared() - 1.0)
            }

            $($again)*
        }
    };
}

rope!(rope_once, [], {});
rope!(rope_twice, [, redundant = minimum_norm], {
    #[constraint(over = beads.windows(2))]
    fn rod_again(p: &Data, [a, b]: [&R2; 2]) -> f64 {
        p.again * 0.5 * ((b - a).norm_squared() - 1.0)
    }
});

// Inertia that neighbours have in common: their mass matrix and the rows are eliminated as one matrix.
rope!(coupled_once, [], {
    #[kinetic_energy(over = beads.windows(2))]
    fn relative(p: &Data, [va, vb]: [&Vector2<f64>; 2]) -> f64 {
        0.1 * p.mass * (vb - va).norm_squared()
    }
});
rope!(coupled_twice, [, redundant = minimum_norm], {
    #[kinetic_energy(over = beads.windows(2))]
    fn relative(p: &Data, [va, vb]: [&Vector2<f64>; 2]) -> f64 {
        0.1 * p.mass * (vb - va).norm_squared()
    }

    #[constraint(over = beads.windows(2))]
    fn rod_again(p: &Data, [a, b]: [&R2; 2]) -> f64 {
        p.again * 0.5 * ((b - a).norm_squared() - 1.0)
    }
});

const METHODS: [&str; 7] = ["hedop5", "herk4", "rkmk4", "lie_alpha", "lie_alpha_stab2", "tr_bdf2", "rattlie"];
/// Those that solve for v' and λ alone.
const EXPLICIT: &[&str] = METHODS.first_chunk::<3>().unwrap();

fn sensitive<M: TangentSystem>(
    system: &M,
    q: M::Configuration,
    v: M::Velocity,
    method: &str,
    by: &[&str],
) -> Sensitive<M>
where
    M::Lifted: Registered<State = State<M::Lifted>>,
{
    let run = Simulation::of(system).initial(q, v).step(0.01).end_time(0.5).with_sensitivities(by.iter().copied());
    run.method_named(method).unwrap().run().unwrap_or_else(|error| panic!("{method}: {error}"))
}

fn components<V: TangentVector<Scalar = f64>>(v: &V) -> Vec<f64> {
    (0..v.component_count()).map(|at| v.component(at)).collect()
}

/// Compares a motion whose last `rods` rows are duplicated with the motion without duplicates.
macro_rules! compare {
    ($once:ident, $twice:ident, $configuration:ident { $field:ident: $start:expr }, $v:expr, $methods:expr, $by:expr, $($lengths:expr)?) => {
        let again = 3.0;
        let once = $once::System::new($once::Data { mass: 2.0, again }, $($once::Lengths { beads: $lengths })?).unwrap();
        let twice = $twice::System::new($twice::Data { mass: 2.0, again }, $($twice::Lengths { beads: $lengths })?).unwrap();
        let rods = twice.constraint_rows() - once.constraint_rows();
        for method in $methods {
            let (q, v) = ($once::$configuration { $field: $start }, $v);
            let expected = sensitive(&once, q, v.clone(), method, &$by);
            let q = $twice::$configuration { $field: $start };
            let found = sensitive(&twice, q, v, method, &[&$by[..], &["again"]].concat());
            let (expected_last, last) = (expected.variations.last().unwrap(), found.variations.last().unwrap());
            let single = components(&expected.trajectory.last().unwrap().multipliers);
            for (by, name) in found.names.iter().enumerate() {
                let own = &last[by];
                let (motion, rows) = match expected_last.get(by) {
                    Some(by) => ([components(&by.configuration), components(&by.velocity)].concat(), components(&by.multipliers)),
                    // By `again` nothing moves.
                    None => (vec![0.0; 2 * once.dof()], vec![0.0; single.len()]),
                };
                let size = motion.iter().chain(&rows).fold(1.0, |size: f64, slope| size.max(slope.abs()));
                let moved = [components(&own.configuration), components(&own.velocity)].concat();
                for (own, expected) in moved.iter().zip(&motion) {
                    assert!((own - expected).abs() < 1e-9 * size, "{method}, {name}: {own:e} and {expected:e}");
                }
                let shares = components(&own.multipliers);
                let told_once = single.len() - rods;
                for row in 0..rods {
                    let (x, slope) = (single[told_once + row], rows[told_once + row]);
                    let second = if name == "again" { -0.5 * x / (again * again) } else { 0.5 * slope / again };
                    for (own, expected) in [(shares[told_once + row], 0.5 * slope), (shares[single.len() + row], second)] {
                        assert!((own - expected).abs() < 1e-4 * size, "λ, {method}, {name}: {own:e} and {expected:e}");
                    }
                }
            }
        }
    };
}

#[test]
fn of_a_body_are_those_of_rows_that_are_told_once() {
    let place = Vector2::new(0.6, -0.8);
    compare!(bob_once, bob_twice, Place { x: place }, Vector2::new(0.8, 0.6), METHODS, ["mass", "q", "v"],);
}

#[test]
fn of_chains_are_those_of_rows_that_are_told_once() {
    let beads = || vec![Vector2::new(0.6, -0.8), Vector2::new(1.6, -0.8), Vector2::new(1.6, -1.8)];
    let v = || DVector::from_vec(vec![0.8, 0.6, 0.8, 0.6, 0.3, 0.6]);
    compare!(rope_once, rope_twice, Rope { beads: beads() }, v(), METHODS, ["mass", "v"], 3);
    compare!(rope_once, rope_twice, Rope { beads: beads() }, v(), EXPLICIT, ["mass", "q", "v"], 3);
    compare!(coupled_once, coupled_twice, Rope { beads: beads() }, v(), EXPLICIT, ["mass", "q", "v"], 3);
}

/// Backwards there is the gradient of the reaction, and none of how it is shared.
#[test]
fn going_back_shares_are_refused_and_reactions_are_not() {
    let system = bob_twice::System::new(bob_twice::Data { mass: 2.0, again: 3.0 }).unwrap();
    let place = bob_twice::Place { x: Vector2::new(0.6, -0.8) };
    let run = || Simulation::of(&system).initial(place, Vector2::new(0.8, 0.6)).step(0.01).end_time(0.5);
    let objective = Objective::<bob_twice::System>::new;
    let shares = objective().at_end(|state| state.multipliers[1]);
    match *run().gradient_of(&shares).unwrap_err() {
        GradientError::Shares { time, constraint } => assert_eq!((time, constraint), (0.5, "rod")),
        other => panic!("{other}"),
    }
    let reaction = objective().at_end(|state| state.multipliers[0] + Dual::constant(3.0) * state.multipliers[1]);
    let gradient = run().gradient_of(&reaction).unwrap();
    let forwards = run().with_sensitivities(["mass", "again"]).run().unwrap();
    for (by, name) in forwards.names.iter().enumerate() {
        let expected = &forwards.variations.last().unwrap()[by].multipliers;
        let (own, expected) = (gradient.by(name).unwrap(), expected[0] + 3.0 * expected[1]);
        assert!((own - expected).abs() < 1e-7 * expected.abs() && expected.abs() > 1.0, "{name}: {own} and {expected}");
    }
}
