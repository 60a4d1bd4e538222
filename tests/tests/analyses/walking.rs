//! The simplest walker (Garcia, Chatterjee, Ruina, Coleman 1998): two straight legs that walk down an incline. Each step ends in an impact,
//! in which the legs exchange their roles. A periodic motion with an event whose map is written by hand.

use approx::assert_relative_eq;
use lie_runtime::analysis::{PeriodicOrbit, RunWithEvents, SpecialOrbitKind};
use lie_runtime::prelude::*;

/// Point feet without mass: the leg on the ground moves as if alone, the other one with it.
#[mechanical_system]
mod walker {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Legs {
        /// Angle of the leg on the ground, from the normal of the incline.
        pub stance: f64,
        /// Angle of the other leg, relative to the first.
        pub swing: f64,
    }

    #[parameters]
    pub struct Slope {
        pub angle: f64,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * (v.stance * v.stance + v.swing * v.swing)
    }

    #[force(on = stance)]
    fn falling(slope: &Slope, q: &Legs) -> f64 {
        (q.stance - slope.angle).sin()
    }

    #[force(on = swing)]
    fn swinging(slope: &Slope, q: &Legs, v: &Velocity) -> f64 {
        falling(slope, q) + (v.stance.powi(2) - (q.stance - slope.angle).cos()) * q.swing.sin()
    }
}

/// A run with the impact at the end of a step as an event.
fn with_steps(run: RunWithEvents<'_, walker::System>) -> RunWithEvents<'_, walker::System> {
    // Legs that pass each other are as long as each other too; the foot is on the ground when they are apart.
    run.event("heelstrike", |_, at| {
        let q = &at.configuration;
        if q.stance < -0.05 { q.swing - 2.0 * q.stance } else { (-1.0).into() }
    })
    .rising()
    .apply(|at| {
        let state = at.state();
        let (stance, rate) = (state.configuration.stance, state.velocity[0]);
        let cosine = (2.0 * stance).cos();
        state.configuration = walker::Legs { stance: -stance, swing: -2.0 * stance };
        state.velocity = Vector2::new(cosine * rate, cosine * (1.0 - cosine) * rate);
    })
}

/// The walk on an incline of 0.009 from the middle of a step, because the impact is at the start of a step.
fn walk(system: &walker::System) -> PeriodicOrbit<'_, walker::System> {
    let (angle, rate): (f64, f64) = (0.200_310_900_544_287, -0.199_832_473_004_977);
    let after_blow = walker::Legs { stance: angle, swing: 2.0 * angle };
    let rates = walker::Velocity { stance: rate, swing: (1.0 - (2.0 * angle).cos()) * rate };
    let middle = Simulation::of(system).initial(after_blow, rates).rtol(1e-11).atol(1e-12).end_time(2.0).run();
    let middle = middle.unwrap().last().clone();
    PeriodicOrbit::of(system).guess(middle.configuration, middle.velocity).period_guess(3.9).events(with_steps)
}

/// On an incline of 0.009: the start of a step, its time and its multipliers as published, −0.19 ± 0.56 i.
#[test]
fn the_simplest_walker_walks() {
    let system = walker::System::new(walker::Slope { angle: 0.009 }).unwrap();
    let orbit = walk(&system).solve().unwrap();
    // The period goes with the square root of the length over g.
    assert_relative_eq!(orbit.period, 3.882_463_75, epsilon = 1e-7);
    let pair: Vec<_> = orbit.multipliers.iter().filter(|multiplier| multiplier.im.abs() > 0.1).collect();
    assert_eq!(pair.len(), 2);
    for multiplier in pair {
        assert!((multiplier.re + 0.19).abs() < 5e-3 && (multiplier.im.abs() - 0.56).abs() < 5e-3, "{multiplier}");
    }
    assert!(orbit.growth() < 1.0);
}

/// Variation of the incline: steps are equal up to 0.0151, as published; beyond, every other step is equal, and runs converge to this gait.
#[test]
fn on_a_steeper_slope_the_walker_limps() {
    let system = walker::System::new(walker::Slope { angle: 0.009 }).unwrap();
    let family = walk(&system).continuation("angle").parameter_end(0.017).run().unwrap();
    let [doubling] = family.special.as_slice() else { panic!("{:?}", family.special) };
    assert_eq!(doubling.kind, SpecialOrbitKind::PeriodDoubling);
    assert!((doubling.parameter - 0.0151).abs() < 1e-4, "{}", doubling.parameter);
    let limping = PeriodicOrbit::of(&system)
        .events(with_steps)
        .continuation("angle")
        .branch_from(doubling, 1.0)
        .parameter_end(0.017)
        .step(0.1)
        .run()
        .unwrap();
    assert!(limping.points[1..].iter().all(|point| point.parameter > doubling.parameter && point.unstable == 0));
    // Times of steps, told by a run that nothing differentiates, and that begins beside the motion.
    let point = limping.points.last().unwrap();
    let steep = walker::System::new(walker::Slope { angle: point.parameter }).unwrap();
    let mut start = point.orbit.state.clone();
    start.velocity *= 1.001;
    let run = Simulation::of(&steep)
        .initial(start.configuration, start.velocity)
        .event("heelstrike", |_, state| {
            let q = &state.configuration;
            if q.stance < -0.05 { q.swing - 2.0 * q.stance } else { -1.0 }
        })
        .rising()
        .apply(|at| {
            let state = at.state();
            let (stance, rate) = (state.configuration.stance, state.velocity[0]);
            let cosine = (2.0 * stance).cos();
            state.configuration = walker::Legs { stance: -stance, swing: -2.0 * stance };
            state.velocity = Vector2::new(cosine * rate, cosine * (1.0 - cosine) * rate);
        })
        .rtol(1e-10)
        .atol(1e-11)
        .end_time(1000.0)
        .run()
        .unwrap();
    let times: Vec<f64> = run.events.iter().map(|event| event.time).collect();
    let [first, second, third] = times[times.len() - 3..] else { panic!("{times:?}") };
    assert_relative_eq!(third - first, point.orbit.period, epsilon = 1e-6);
    assert!((third - 2.0 * second + first).abs() > 0.05, "{first} {second} {third}");
}
