//! The reverse pass through runs that do not fit into memory: bitwise equal results.

use lie_runtime::gradient::{Adjoint, Gradient, GradientError, Objective};
use lie_runtime::group::SO3xR3;
use lie_runtime::prelude::*;
use lie_runtime::scalar::Dual;
use lie_runtime::simulate::Limits;
use lie_runtime::system::{Reverse, TangentSystem};

use crate::case::{Case, objective};
use crate::chains::hung_links;
use crate::frames::linkage;
use crate::second::oscillator;
use crate::tops::top;

impl<M: Reverse<Scalar = f64> + TangentSystem + 'static> Case<'_, M> {
    /// The gradient in so many bytes.
    fn within<I: Adjoint<M>>(&self, method: I, bytes: u64) -> Gradient<M> {
        let plain = self.run().method(method.clone()).run().unwrap();
        let times: Vec<f64> = plain.times().collect();
        let run = self.run().method(method).limits(Limits::default().bytes(bytes));
        run.gradient_of(&objective(&self.still, &times)).unwrap_or_else(|error| panic!("{error}"))
    }

    /// Results with all states and with checkpoints; their difference relative to the largest derivative.
    fn difference<I: Adjoint<M>>(&self, method: I, bytes: u64) -> f64 {
        let id = method.id();
        let (all, few) = (self.within(method.clone(), 1 << 30), self.within(method, bytes));
        let [states, kept] = [&all, &few].map(|gradient| gradient.trajectory.states.len());
        assert!(kept < states / 2, "{id}: {kept} of {states} states");
        let numbers = |gradient: &Gradient<M>| -> Vec<f64> {
            let motion = [&gradient.configuration, &gradient.velocity].into_iter();
            let motion = motion.flat_map(|v| (0..v.component_count()).map(|at| v.component(at)));
            motion.chain(gradient.parameters.iter().copied()).chain([gradient.value]).collect()
        };
        let (all, few) = (numbers(&all), numbers(&few));
        let size = all.iter().fold(0.0_f64, |size, number| size.max(number.abs()));
        assert!(size > 0.0, "{id}: nothing depends on anything");
        all.iter().zip(&few).fold(0.0_f64, |most, (a, b)| most.max((a - b).abs())) / size
    }
}

#[test]
fn are_the_same_numbers() {
    let (system, q, v) = top!(so3xr3, SO3xR3);
    // The last step is shorter than the others.
    let case = Case::new(&system, q, v, 0.001, 0.1503);
    let few = 30_000;
    assert_eq!(case.difference(HalfExplicit::hedop5(), few), 0.0);
    assert_eq!(case.difference(HalfExplicit::herk4(), few), 0.0);
    assert_eq!(case.difference(OnMechanical(MuntheKaas::rkmk4()), few), 0.0);
    // A few states more: the steps remember.
    assert!(case.difference(GeneralizedAlpha::lie_alpha(), few) < 1e-12);
    assert!(case.difference(TrBdf2::new(), few) < 1e-12);
    assert!(case.difference(Rattlie::new(), few) < 1e-12);
    // Steps of one size.
    let even = Case::new(&system, q, v, 0.001, 0.15);
    assert!(even.difference(BLieDF::bliedf2(), few) < 1e-12);
    assert!(case.difference(Collocation::radau_iia3(), few) < 1e-12);
    // Steps of various sizes, none of which is tried again.
    let case = Case { step: 1e-4, end: 0.5, ..case }.controlled(1e-10);
    assert_eq!(case.difference(HalfExplicit::hedop5(), few), 0.0);
}

#[test]
fn along_a_chain() {
    let (system, q, v) = hung_links(4);
    let case = Case::new(&system, q, v, 1e-3, 0.1);
    assert_eq!(case.difference(HalfExplicit::hedop5(), 60_000), 0.0);
    assert!(case.difference(GeneralizedAlpha::lie_alpha(), 60_000) < 1e-10);
}

/// A loop of joints by the variational method: values that are not stored are computed from the states.
#[test]
fn along_frames() {
    let (system, q, v) = linkage(&[0.6, 1.5, 1.1], &[1.2, -0.9, -1.0]);
    let case = Case::new(&system, q, v, 1e-3, 0.4);
    assert!(case.difference(crate::implicit::rattlie(), 40_000) < 1e-10);
}

/// A hundred thousand steps in a megabyte, and an end to it.
#[test]
fn have_room_for_long_runs() {
    let system = oscillator::System::new(oscillator::Spring { mass: 1.0, stiffness: 4.0 }).unwrap();
    let end = |bytes| {
        let place = Objective::<oscillator::System>::new().at_end(|state| state.configuration.x * Dual::lift(2.0));
        let start = Simulation::of(&system).initial(oscillator::Place { x: 1.0 }, Vector1::new(0.0));
        let run = start.step(1e-3).end_time(100.0).limits(Limits::default().bytes(bytes));
        run.gradient_of(&place)
    };
    let timed = |bytes| {
        let clock = std::time::Instant::now();
        (end(bytes).unwrap(), clock.elapsed())
    };
    let ((all, of_all), (gradient, of_few)) = (timed(1 << 30), timed(1 << 20));
    println!("all states {of_all:.1?}, checkpoints {of_few:.1?}");
    assert_eq!(all.parameters, gradient.parameters);
    let states = gradient.trajectory.states.len();
    assert!((10..2000).contains(&states), "{states}");
    // x = 2 cos(ω t), ω = 2: by k it is −2 t sin(ω t) / 2ω.
    assert!((gradient.by("stiffness").unwrap() + 50.0 * 200.0_f64.sin()).abs() < 1e-7);
    match end(1 << 12).map_err(|error| *error) {
        Err(GradientError::Room { steps, bytes: 4096 }) => assert!(steps > 10),
        other => panic!("{other:?}"),
    }
}

/// The peak allocation during a gradient with a memory limit in bytes; the returned states are included.
fn memory(steps: u32, bytes: u64) -> (u64, usize) {
    let system = oscillator::System::new(oscillator::Spring { mass: 1.0, stiffness: 4.0 }).unwrap();
    let place = Objective::<oscillator::System>::new().at_end(|state| state.configuration.x * Dual::lift(2.0));
    let mut kept = 0;
    let seen = allocation_counter::measure(|| {
        let start = Simulation::of(&system).initial(oscillator::Place { x: 1.0 }, Vector1::new(0.0));
        let run = start.step(1e-3).end_time(1e-3 * f64::from(steps)).limits(Limits::default().bytes(bytes));
        kept = run.gradient_of(&place).unwrap().trajectory.states.len();
    });
    (seen.bytes_max, kept)
}

/// A run of equal steps of any length stays within its memory limit plus the memory of a run without a gradient.
#[test]
fn stay_within_their_memory() {
    let (least, _) = memory(10, 1 << 30);
    for (steps, bytes) in [(1_000, 1 << 18), (10_000, 1 << 18), (100_000, 1 << 18), (25_000, 1 << 17)] {
        let (most, kept) = memory(steps, bytes);
        println!("{steps} steps in {bytes} bytes: {most}, {kept} states");
        assert!(most <= bytes + least, "{steps} steps: {most} exceeds {bytes} plus {least}");
        // Room for r states is enough for r² / 8 steps: nothing was given away.
        assert!(kept > 150 && (steps < 10_000 || kept < 1_000), "{kept}");
    }
}
