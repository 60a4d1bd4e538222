//! Members that pass singularities: in SIMD lanes each has the results or the failure of a separate run.

use lie_runtime::ensemble::{Ensemble, MemberFailure, Results, Samples};
use lie_runtime::integrator::{Integrator, MuntheKaas, OnMechanical};
use lie_runtime::prelude::*;
use lie_runtime::scalar::F64x4;
use lie_runtime::simulate::Sampled;
use lie_runtime::system::{Batched, ParameterSet, Parametrised};

use crate::systems::{stopped, top, top_of, top_start};

/// A parallelogram of three hinged bars, which swings through its flat position where the rows of its loop depend on one another.
macro_rules! bars {
    ($name:ident, $($option:tt)*) => {
        #[mechanical_system($($option)*)]
        pub mod $name {
            use lie_runtime::prelude::*;

            #[configuration]
            pub struct Bars {
                pub hinges: [SO2; 3],
            }

            #[parameters]
            pub struct Lengths {
                pub coupler: f64,
            }

            fn next(above: SE2, hinge: SO2, length: f64) -> SE2 {
                above * SE2::new(hinge, Vector2::zeros()) * SE2::new(SO2::identity(), Vector2::x() * length)
            }

            #[quantity]
            pub fn crank(q: &Bars) -> SE2 {
                next(SE2::identity(), q.hinges[0], 1.0)
            }

            #[quantity]
            pub fn coupler(bars: &Lengths, q: &Bars) -> SE2 {
                next(crank(q), q.hinges[1], bars.coupler)
            }

            #[quantity]
            pub fn rocker(bars: &Lengths, q: &Bars) -> SE2 {
                next(coupler(bars, q), q.hinges[2], 1.0)
            }

            fn energy(length: f64, v: Vector3<f64>) -> f64 {
                let across = v[2] - 0.5 * length * v[0];
                0.5 * length * (v[1] * v[1] + across * across + length * length / 12.0 * v[0] * v[0])
            }

            #[kinetic_energy]
            fn kinetic(bars: &Lengths, q: &Bars, v: &Velocity) -> f64 {
                let ends = energy(1.0, crank_rate(q, v)) + energy(1.0, rocker_rate(bars, q, v));
                ends + energy(bars.coupler, coupler_rate(bars, q, v))
            }

            #[potential]
            fn weight(bars: &Lengths, q: &Bars) -> f64 {
                9.81 * (coupler(bars, q).position().y + crank(q).position().y)
            }

            #[constraint]
            fn closed(bars: &Lengths, q: &Bars) -> Vector2<f64> {
                rocker(bars, q).position() - Vector2::x() * bars.coupler
            }
        }
    };
}
bars!(independent,);
bars!(redundant, redundant = minimum_norm);

/// A bead that comes to a place where its potential jumps.
#[mechanical_system]
pub mod shelf {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Bead {
        pub x: f64,
    }

    #[parameters]
    pub struct Shelf {
        pub edge: f64,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * v.x * v.x
    }

    #[potential]
    fn height(shelf: &Shelf, q: &Bead) -> f64 {
        let slope = 0.5 * q.x * q.x;
        if q.x > shelf.edge { slope + 0.3 } else { slope }
    }
}

type Described<'s, S, I> = Result<Simulation<'s, S, I>, MemberFailure>;

/// The failures of members, which are the same one by one and in lanes, as are the numbers of all.
fn failures<S, I>(
    system: &S,
    (name, values): (&str, &[f64]),
    describe: impl for<'s> Fn(&'s S, f64) -> Described<'s, S, I> + Sync,
) -> Vec<(usize, String)>
where
    S: Parametrised<Parameters: ParameterSet> + Batched<F64x4> + Sampled<S> + Sync,
    I: Integrator<S> + Integrator<S::Batch> + Clone + PartialEq,
{
    let samples = || {
        let listed = Samples::listed([name], values.iter().map(|&value| [value]));
        if system.parameters().names().contains(&name) {
            listed
        } else {
            listed.with_variables([name]).expect("it is there")
        }
    };
    let alone = Ensemble::of(system).samples(samples());
    let alone = alone.run(|system, member| Ok(describe(system, member.value(name)?)?.run()?));
    let in_lanes = Ensemble::of(system).samples(samples());
    let in_lanes = in_lanes.run_in_lanes::<F64x4, _, _>(|system, member| describe(system, member.value(name)?));
    let [alone, in_lanes] = [alone, in_lanes].map(|results| results.expect("the ensemble can be run"));
    assert_eq!(numbers(&alone), numbers(&in_lanes));
    let [alone, in_lanes] = [alone, in_lanes].map(|results| {
        results.failures().iter().map(|error| (error.member, error.failure.to_string())).collect::<Vec<_>>()
    });
    assert_eq!(alone, in_lanes);
    alone
}

fn numbers(results: &Results) -> Vec<u64> {
    let of_column = |name: &String| {
        let column = results.column(name).expect("it is there");
        (0..results.states()).flat_map(|state| column.values(state)).map(f64::to_bits).collect::<Vec<_>>()
    };
    results.columns().iter().flat_map(of_column).collect()
}

const TIMES: [f64; 3] = [0.5, 1.0, 1.5];

/// The hinges where the cranks are at θ.
fn hinges(theta: f64) -> [SO2; 3] {
    [theta, -theta, theta + core::f64::consts::PI].map(SO2::from_angle)
}

/// Two members swing through the flat position, the others do not come there.
const CRANKS: [f64; 8] = [-1.2, 0.5, -1.4, -1.1, -1.3, -1.0, 0.3, -1.2];

#[test]
fn poles_of_multipliers_are_not_passed_unseen() {
    let system = independent::System::new(independent::Lengths { coupler: 1.5 }).expect("good lengths");
    // The first one comes through at this step, the others do not.
    let [herk4, herk3, heun] = [HalfExplicit::herk4(), HalfExplicit::herk3(), HalfExplicit::herk2_heun()];
    for (method, refused) in [(herk4, vec![]), (herk3, vec![1, 6]), (heun, vec![1, 6])] {
        let told = failures(&system, ("theta", &CRANKS), |system, theta| {
            let start = independent::Bars { hinges: hinges(theta) };
            let run = Simulation::of(system).initial(start, Vector3::zeros()).method(method);
            Ok(run.step(0.01).end_time(1.5).output_times(&TIMES))
        });
        assert_eq!(told.iter().map(|(member, _)| *member).collect::<Vec<_>>(), refused);
        assert!(told.iter().all(|(_, told)| told.contains("the constraints lose rank within this step")));
    }
}

#[test]
fn lost_rank_is_crossed_as_alone() {
    let system = redundant::System::new(redundant::Lengths { coupler: 1.5 }).expect("good lengths");
    let told = failures(&system, ("theta", &CRANKS), |system, theta| {
        let start = redundant::Bars { hinges: hinges(theta) };
        let run = Simulation::of(system).initial(start, Vector3::zeros()).method(HalfExplicit::herk4());
        Ok(run.step(0.01).end_time(1.5).output_times(&TIMES))
    });
    assert_eq!(told, []);
}

#[test]
fn potentials_that_jump_are_told_where_they_do() {
    let system = shelf::System::new(shelf::Shelf { edge: 1.0 }).expect("a good edge");
    let told = failures(&system, ("edge", &[2.0, 0.5, 3.0, 0.9, 2.0, 2.5, 1.5, 1.6]), |system, _| {
        let run = Simulation::of(system).initial(shelf::Bead { x: 0.0 }, Vector1::new(1.0));
        Ok(run.method(HalfExplicit::herk4()).step(0.01).end_time(1.5).output_times(&TIMES))
    });
    assert_eq!(told.iter().map(|(member, _)| *member).collect::<Vec<_>>(), [1, 3]);
    assert!(told.iter().all(|(_, told)| told.contains("potential")));
}

/// A stop so stiff that the method is unstable at its step.
#[test]
fn motions_that_blow_up_do_so_alone() {
    let system = stopped::System::new(stopped::Data { stiffness: 50.0 }).expect("it is finite");
    let told = failures(&system, ("stiffness", &[50.0, 60.0, 1e8, 70.0, 40.0, 30.0, 1e10, 80.0]), |system, _| {
        let direction = S2::new(Vector3::z()).expect("it is not zero");
        let start = stopped::Angle { arm: SO2::from_angle(-0.5), direction };
        let velocity = stopped::Velocity { arm: 3.0, direction: Vector3::x() };
        let run = Simulation::of(system).initial(start, velocity).method(OnMechanical(MuntheKaas::rkmk4()));
        Ok(run.step(0.01).end_time(1.5).output_times(&TIMES))
    });
    assert_eq!(told.iter().map(|(member, _)| *member).collect::<Vec<_>>(), [2, 6]);
}

/// Tops so fast that they drift off their point at this step.
#[test]
fn who_leaves_its_constraints_does_so_alone() {
    let system = top_of(15.0, false);
    let told = failures(&system, ("spin", &[10.0, 20.0, 15.0, 400.0, 5.0, 300.0, 12.0, 11.0, 9.0]), |system, spin| {
        let (q, v) = top_start(0.3, spin);
        let run = Simulation::<top::System>::of(system).initial(q, v).method(HalfExplicit::herk2_heun());
        Ok(run.step(0.01).end_time(1.5).output_times(&TIMES))
    });
    assert_eq!(told.iter().map(|(member, _)| *member).collect::<Vec<_>>(), [3, 5]);
}

/// Acceleration from rest: a gain of velocity by forces is not divergence, in lanes of which some have moved before.
#[test]
fn what_is_accounted_for_goes_on() {
    let system = top_of(15.0, false);
    let told = failures(&system, ("spin", &[0.0, 1e-3, 20.0, 0.0, 0.1, 0.0]), |system, spin| {
        let (q, v) = top_start(0.3, 1.0);
        Ok(Simulation::of(system).initial(q, spin * v).step(0.01).end_time(1.5).output_times(&TIMES))
    });
    assert_eq!(told, []);
}
