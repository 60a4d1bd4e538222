//! Members without inertia.

use proc_macro2::TokenStream;

/// The generated code for a hub with three wheels and a mast, and an energy over the given members.
fn expanded(over: &str, velocities: &str, energy: &str) -> String {
    let declaration = format!(
        "mod craft {{
            #[configuration] struct Craft {{ hub: SO3, wheels: [f64; 3], mast: Vec<R3> }}
            #[kinetic_energy{over}] fn of_hub({velocities}) -> f64 {{ {energy} }}
            #[kinetic_energy(over = mast)] fn of_mast(v: &Vector3<f64>) -> f64 {{ v.norm_squared() }}
        }}"
    );
    crate::expand(TokenStream::new(), declaration.parse().expect("it lexes")).to_string()
}

#[test]
fn members_of_a_power_have_inertia_one_by_one() {
    let velocities = "v: &Vector3<f64>, a: &f64, b: &f64, c: &f64";
    let energy = "(v + Vector3::new(*a, *b, *c)).norm_squared() + v.norm_squared()";
    for last in ["wheels[2]", "wheels.last()"] {
        let text = expanded(&format!("(over = (hub, wheels.first(), wheels[1], {last}))"), velocities, energy);
        assert!(!text.contains("compile_error"), "{text:.300}");
    }
    // The wheel in the middle has no inertia.
    let (velocities, energy) = ("v: &Vector3<f64>, a: &f64, c: &f64", "v.norm_squared() + a * a + c * c");
    let text = expanded("(over = (hub, wheels[0], wheels[2]))", velocities, energy);
    assert!(text.contains("`wheels` has no inertia"), "{text:.300}");
}

#[test]
fn a_part_of_a_power_is_not_its_whole() {
    let energy = |sum: &str| expanded("", "v: &Velocity", &format!("v.hub.norm_squared() + {sum}"));
    let all = energy("v.wheels[0].powi(2) + v.wheels[1].powi(2) + v.wheels[2].powi(2)");
    assert!(!all.contains("compile_error"), "{all:.300}");
    let two = energy("v.wheels[0].powi(2) + v.wheels[2].powi(2)");
    assert!(two.contains("`wheels` has no inertia"), "{two:.300}");
}
