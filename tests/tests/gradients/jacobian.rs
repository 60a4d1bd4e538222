//! Several objectives of one run: rows of the forward sensitivities, for reverse passes from any state.

use lie_runtime::gradient::{Adjoint, GradientError, Jacobian, Objective};
use lie_runtime::group::SO3xR3;
use lie_runtime::integrator::Integrator;
use lie_runtime::prelude::*;
use lie_runtime::simulate::Limits;
use lie_runtime::system::{Reverse, TangentSystem};

use crate::case::{Case, along};
use crate::tops::top;

/// The states of the rows: the first, some intermediate states, a pair of states, and the last.
const ROWS: [&[usize]; 5] = [&[0], &[7], &[3, 12], &[13], &[20]];

impl<M: Reverse<Scalar = f64> + TangentSystem + 'static> Case<'_, M> {
    /// In so many bytes; nothing where they are too few.
    fn rows<I: Adjoint<M>>(&self, method: I, bytes: u64) -> Option<Jacobian<M>> {
        let times = |row: &[usize]| row.iter().map(|&at| at as f64 * self.step).collect::<Vec<_>>();
        let objective = |row| Objective::new().at_times(times(row), |_, state| along(&self.still, state));
        let run = self.run().method(method).limits(Limits::default().bytes(bytes));
        match run.jacobian_of(&ROWS.map(objective), &self.names).map_err(|error| *error) {
            Ok(found) => Some(found),
            Err(GradientError::Room { .. }) => None,
            Err(error) => panic!("{error}"),
        }
    }

    /// Every row equals the forward sensitivity, with all states stored and with checkpoints.
    fn check_rows<I: Adjoint<M> + Integrator<M::Lifted>>(&self, method: I) {
        let id = Integrator::<M>::id(&method);
        let run = self.run().with_sensitivities(self.names.iter().copied()).method(method.clone()).run().unwrap();
        let states = &run.trajectory.states;
        assert_eq!(states.len(), 21);
        let few = (8..).find_map(|half_kilobytes| self.rows(method.clone(), half_kilobytes << 9)).unwrap();
        let kept = few.trajectory.states.len();
        assert!(kept < 21, "{id}: {kept} states");
        for own in [self.rows(method, 1 << 30).unwrap(), few] {
            assert_eq!((&own.names, own.matrix.nrows(), own.rows.len()), (&run.names, 5, 5));
            for (number, row) in ROWS.iter().enumerate() {
                let slope = |by: usize| -> f64 {
                    let slope =
                        |&at: &usize| along(&self.still, &self.varied(&states[at], &run.variations[at][by])).eps;
                    row.iter().map(slope).sum()
                };
                let expected: Vec<f64> = (0..own.names.len()).map(slope).collect();
                let size = expected.iter().fold(0.0, |size: f64, slope| size.max(slope.abs()));
                assert!(size > 0.0, "{id}: nothing depends on anything");
                for (by, expected) in expected.iter().enumerate() {
                    let error = (own.matrix[(number, by)] - expected).abs() / size;
                    assert!(error < 1e-11, "{id}, row {number} by {}: {error:.1e} of {size:.1e}", own.names[by]);
                }
                let value: f64 = row.iter().map(|&at| along(&self.still, &lifted(self, &states[at])).re).sum();
                assert!((own.values[number] - value).abs() <= 1e-12 * value.abs(), "{id}, row {number}");
            }
        }
    }
}

/// A state on dual numbers, which moves with nothing.
fn lifted<M: Reverse<Scalar = f64> + TangentSystem + 'static>(
    case: &Case<'_, M>,
    state: &State<M>,
) -> State<M::Lifted> {
    let zero = || case.system.zero_velocity();
    let nothing = lie_runtime::gradient::Variation {
        configuration: zero(),
        velocity: zero(),
        multipliers: case.system.zero_multipliers(),
        acceleration: zero(),
    };
    case.varied(state, &nothing)
}

#[test]
fn has_the_rows_that_sensitivities_have() {
    let (system, q, v) = top!(so3xr3, SO3xR3);
    let case = Case::new(&system, q, v, 0.01, 0.2);
    case.check_rows(HalfExplicit::hedop5());
    case.check_rows(HalfExplicit::herk4());
    case.check_rows(OnMechanical(MuntheKaas::rkmk4()));
    case.check_rows(GeneralizedAlpha::lie_alpha());
    case.check_rows(GeneralizedAlpha::lie_alpha_stab2());
    case.check_rows(TrBdf2::new());
    case.check_rows(Collocation::radau_iia3());
    case.check_rows(BLieDF::bliedf3());
    case.check_rows(crate::implicit::rattlie());
}

/// The error of one of several objectives contains its index; invalid names are reported before the run.
#[test]
fn tells_which_objective_has_no_gradient() {
    type Top = fixtures::systems::heavy_tops::so3xr3::System;
    let (system, q, v) = top!(so3xr3, SO3xR3);
    let run = || Simulation::of(&system).initial(q, v).step(0.01).end_time(0.1);
    let at = |time: f64| Objective::<Top>::new().at_times([time], |_, state| state.velocity[0]);
    match *run().jacobian_of(&[at(0.05), at(0.055)], ["mass"]).unwrap_err() {
        GradientError::Among { number: 1, error } => assert!(matches!(*error, GradientError::Time { .. }), "{error}"),
        other => panic!("{other}"),
    }
    let unknown = *run().jacobian_of(&[at(0.05)], ["mas"]).unwrap_err();
    assert!(matches!(unknown, GradientError::Direction(_)) && unknown.to_string().contains("`mas`"), "{unknown}");
    let none = run().jacobian_of(&[], ["mass", "q"]).unwrap();
    assert_eq!((none.matrix.shape(), none.names.len()), ((0, 7), 7));
}

/// Gradients through events; events after the last term have no effect.
#[test]
fn goes_through_events() {
    type Top = fixtures::systems::heavy_tops::so3xr3::System;
    let (system, q, v) = top!(so3xr3, SO3xR3);
    let number = lie_runtime::scalar::Dual::<f64>::constant;
    macro_rules! passed {
        () => {
            Simulation::of(&system)
                .initial(q, v)
                .step(0.01)
                .end_time(0.2)
                .with_gradients()
                .event("first", |_, at| at.time - number(0.0537))
                .apply(|at| {
                    let keeps = number(0.9) + at.system().parameters().mass * number(1e-3);
                    at.state().velocity *= keeps;
                })
                .event("second", |_, at| at.time - number(0.1211))
                .apply(|at| at.set(|p| p.gravity *= number(1.2)))
        };
    }
    let objectives = [
        Objective::<Top>::new().at_times([0.03], |_, state| state.velocity[0]),
        Objective::<Top>::new().at_times([0.09], |_, state| state.velocity[1]),
        Objective::<Top>::new().at_event("first", |_, at| at.velocity[1] * at.time),
        Objective::<Top>::new().at_end(|state| state.velocity[2]),
    ];
    let found = passed!().jacobian_of(&objectives, ["mass", "v"]).unwrap();
    for (number, objective) in objectives.into_iter().enumerate() {
        // With a term that the run has at its end, and nothing depends on.
        let whole = objective.at_end(|state| state.velocity[0] - state.velocity[0]);
        let whole = passed!().gradient_of(&whole).unwrap();
        assert_eq!(found.values[number], whole.value);
        assert_eq!(found.matrix[(number, 0)], whole.by("mass").unwrap());
        for component in 0..6 {
            assert_eq!(found.matrix[(number, 1 + component)], whole.velocity[component]);
        }
        assert!(found.matrix.row(number).amax() > 0.0);
    }
}
