//! The simplest walker (Garcia, Chatterjee, Ruina, Coleman 1998): two straight legs that walk down a slope, each step ending in a blow
//! that the legs change their parts in. A periodic motion with an event whose map is written by hand.

use approx::assert_relative_eq;
use lie_runtime::analysis::PeriodicOrbit;
use lie_runtime::prelude::*;

/// Point feet without mass: the leg on the ground moves as if alone, the other one with it.
#[mechanical_system]
mod walker {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Legs {
        /// Of the leg on the ground, from the normal of the slope.
        pub stance: f64,
        /// Of the other leg, from that one.
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

/// On a slope of 0.009: the start of a step, its time and its multipliers as published, −0.19 ± 0.56 i.
#[test]
fn the_simplest_walker_walks() {
    let system = walker::System::new(walker::Slope { angle: 0.009 }).unwrap();
    let (angle, rate): (f64, f64) = (0.200_310_900_544_287, -0.199_832_473_004_977);
    let after_blow = walker::Legs { stance: angle, swing: 2.0 * angle };
    let rates = walker::Velocity { stance: rate, swing: (1.0 - (2.0 * angle).cos()) * rate };
    // From the middle of a step on, as the blow is at the start of one.
    let middle = Simulation::of(&system).starting_at(after_blow, rates.into()).tolerance(1e-11, 1e-12).until(2.0).run();
    let middle = middle.unwrap().last().unwrap().clone();
    let orbit = PeriodicOrbit::of(&system)
        .near(middle.configuration, middle.velocity)
        .lasting(3.9)
        .with_events(|run| {
            // Legs that pass each other are as long as each other too; the foot is on the ground when they are apart.
            run.when_rising("heelstrike", |_, at| {
                let q = &at.configuration;
                if q.stance < -0.05 { q.swing - 2.0 * q.stance } else { (-1.0).into() }
            })
            .then(|at| {
                let state = at.state();
                let (stance, rate) = (state.configuration.stance, state.velocity[0]);
                let cosine = (2.0 * stance).cos();
                state.configuration = walker::Legs { stance: -stance, swing: -2.0 * stance };
                state.velocity = Vector2::new(cosine * rate, cosine * (1.0 - cosine) * rate);
            })
        })
        .solve()
        .unwrap();
    // The period goes with the square root of the length over g.
    assert_relative_eq!(orbit.period, 3.882_463_75, epsilon = 1e-7);
    let pair: Vec<_> = orbit.multipliers.iter().filter(|multiplier| multiplier.im.abs() > 0.1).collect();
    assert_eq!(pair.len(), 2);
    for multiplier in pair {
        assert!((multiplier.re + 0.19).abs() < 5e-3 && (multiplier.im.abs() - 0.56).abs() < 5e-3, "{multiplier}");
    }
    assert!(orbit.growth() < 1.0);
}
