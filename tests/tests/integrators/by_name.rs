//! Methods selected by name equal methods selected by type; invalid names and options are reported.

use fixtures::systems::rotating_bodies::free_body;
use fixtures::systems::top_in_space::{self, top_in_space as top};
use lie_runtime::integrator::generalized_alpha::Parameters;
use lie_runtime::integrator::{AnyMethod, Integrator};
use lie_runtime::prelude::*;
use lie_runtime::simulate::{MethodError, MethodInfo, MethodRequirement, Methods, methods};

type Top = top::System;

/// The last state after ten steps of the top by a method of a registry.
fn last(methods: &Methods<Top>, id: &str, options: &[(&str, &str)]) -> Result<State<Top>, MethodError> {
    let (system, q, v) = top_in_space::of_the_paper();
    let run = Simulation::of(&system).initial(q, v).method_from(methods, id, options)?.step(1e-3).end_time(0.01);
    let trajectory = run.run().unwrap_or_else(|error| panic!("{id}: {error}"));
    assert_eq!(trajectory.method, id);
    Ok(trajectory.last().clone())
}

/// Every applicable entry of the method list leads to a run under its name, with its order and with or without an estimate.
#[test]
fn every_name_is_a_method() {
    let all = Methods::<Top>::all();
    // Methods that the types of a system rule out are not compiled for it; those of one rotation are there for a free body.
    let of_one_rotation = Methods::<free_body::System>::all();
    let (system, q, v) = top_in_space::of_the_paper();
    let ids: Vec<&str> = all.infos().map(|info| info.id).collect();
    assert_eq!(
        ids,
        methods()
            .iter()
            .filter(|info| info.needs != MethodRequirement::Hamiltonian)
            .map(|info| info.id)
            .collect::<Vec<_>>()
    );
    for info in all.infos() {
        assert!(ids.iter().filter(|id| **id == info.id).count() == 1, "{} is listed twice", info.id);
        assert!(!info.name.is_empty() && info.order > 0, "{info:?}");
        let found = match all.find(info.id, &[]) {
            Ok(method) => (method.id(), method.order(), method.estimate_order().is_some()),
            Err(error) => {
                assert_eq!(
                    error,
                    MethodError::NotApplicable { method: info.id, needs: MethodRequirement::OneRotation }
                );
                let method = of_one_rotation.find(info.id, &[]).expect("listed");
                (method.id(), method.order(), method.estimate_order().is_some())
            }
        };
        assert_eq!(found, (info.id, info.order, info.estimates));
        let chosen = Simulation::of(&system).initial(q, v).method_named(info.id);
        if info.needs.are_met_by(system.description()) {
            let run = chosen.unwrap().step(1e-3).end_time(2e-3).run();
            assert_eq!(run.map_or_else(|error| panic!("{error}"), |trajectory| trajectory.method), info.id);
        } else {
            let error = chosen.err();
            let error = error.expect("a refusal");
            assert_eq!(error, MethodError::NotApplicable { method: info.id, needs: info.needs });
            // What it advises applies.
            for id in info.needs.instead() {
                assert!(error.to_string().contains(id), "{error}");
                assert!(Simulation::of(&system).initial(q, v).method_named(id).is_ok(), "{id}");
            }
        }
    }
}

#[test]
fn a_method_by_name_makes_the_same_steps_to_the_last_bit() {
    let all = Methods::all();
    let (system, q, v) = top_in_space::of_the_paper();
    let start = || Simulation::of(&system).initial(q, v).step(1e-3).end_time(0.01);
    let typed = start().method(HalfExplicit::hedop5()).run().unwrap().last().clone();
    assert_eq!(last(&all, "hedop5", &[]).unwrap().velocity, typed.velocity);
    let parameters = Parameters::chung_hulbert(0.6).unwrap();
    let typed = start().method(GeneralizedAlpha::index3(parameters)).run().unwrap().last().clone();
    let named = last(&all, "lie_alpha", &[("rho_inf", "0.6")]).unwrap();
    assert_eq!((named.velocity, named.multipliers), (typed.velocity, typed.multipliers));
    assert_ne!(last(&all, "lie_alpha", &[]).unwrap().velocity, typed.velocity);
}

#[test]
fn what_cannot_be_used_is_told() {
    let all = Methods::all();
    let error = |id: &str, options: &[(&str, &str)]| last(&all, id, options).map(|_| ()).unwrap_err();
    let unknown = error("hedop", &[]);
    assert!(unknown.to_string().starts_with("unknown method `hedop`; did you mean `hedop5`?"), "{unknown}");
    assert!(matches!(error("qqqq", &[]), MethodError::Unknown { nearest: None, .. }));
    let option = error("lie_alpha", &[("rho", "0.8")]);
    assert!(matches!(&option, MethodError::UnknownOption { nearest: Some("rho_inf"), .. }), "{option}");
    assert!(
        matches!(error("hedop5", &[("rho_inf", "0.8")]), MethodError::UnknownOption { known, .. } if known.is_empty())
    );
    for (name, values) in [
        ("rho_inf", ["1.5", "NaN", "", "-1"]),
        ("newton_tolerance", ["0", "-1e-9", "inf", "small"]),
        ("newton", ["exakt", "", "1", "EXACT"]),
    ] {
        for value in values {
            let error = error("lie_alpha", &[(name, value)]);
            let expected =
                matches!(&error, MethodError::Option { option, value: told, .. } if option == name && told == value);
            assert!(expected, "{name}={value}: {error}");
        }
    }
    let twice = error("lie_alpha", &[("rho_inf", "0.8"), ("rho_inf", "0.9")]);
    assert!(matches!(twice, MethodError::Option { .. }), "{twice}");
    let both = error("lie_alpha", &[("rho_inf", "0.8"), ("hht_alpha", "0.1")]);
    assert!(both.to_string().contains("absent if `rho_inf` is set"), "{both}");
}

/// One's own come after the others and are found before them.
#[test]
fn methods_of_ones_own_have_names() {
    let info = |id| MethodInfo::new(id, "a method of one's own", "mine", 2);
    let mine = Methods::all().and([info("mine"), info("hedop5")], |choices| {
        Ok(AnyMethod::of(HalfExplicit::herk2_heun()).called(choices.method()))
    });
    let (found, plain) = (last(&mine, "mine", &[]).unwrap(), last(&Methods::all(), "herk2_heun", &[]).unwrap());
    assert_eq!(found.velocity, plain.velocity);
    assert_eq!(last(&mine, "hedop5", &[]).unwrap().velocity, plain.velocity);
    assert_ne!(last(&Methods::all(), "hedop5", &[]).unwrap().velocity, plain.velocity);
}
