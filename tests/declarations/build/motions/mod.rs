//! Random declarations of mechanical systems, each with the conditions on its motions: the Lagrangian, and the work of all other forces
//! along a variation.

mod frames;
mod members;
mod seen;

use std::ops::Range;

use crate::random::Random;

/// How many declarations there are by default.
pub const MOTIONS: usize = 8;

/// The declarations, with members for even indices and frames for odd indices, and a test for each.
pub fn write(numbers: Range<usize>) -> String {
    let one = |number: usize| {
        let mut random = Random::new(4_000_000 + number);
        let written = if number.is_multiple_of(2) { members::write(&mut random) } else { frames::write(&mut random) };
        let test = format!("#[test]\nfn motion_{number}() {{ moves::<tested_{number}::Tested>({number}); }}\n");
        written.text(number) + &test
    };
    numbers.map(one).collect()
}

/// A declaration and its test.
#[derive(Debug, Default)]
struct Written {
    /// The fields of the configuration.
    fields: Vec<String>,
    /// The functions of the declaration.
    items: Vec<String>,
    /// The fields of `Lengths`.
    lengths: Vec<String>,
    /// The values computed before functions are called: frames.
    frames: String,
    velocities: String,
    variations: String,
    /// The elements of a configuration, made of random numbers.
    start: Vec<String>,
    /// The terms of the Lagrangian.
    lagrangian: Vec<String>,
    /// The work of forces along a variation.
    work: Vec<String>,
    /// The constraints at the start, level by level.
    levels: Vec<String>,
    /// The positions of directions: the offset of their velocity, and their vector.
    directions: Vec<String>,
}

impl Written {
    fn item(&mut self, text: impl Into<String>) {
        self.items.push(text.into());
    }

    /// A holonomic constraint over members, called with these arguments, and its force along the variation.
    fn holonomic(&mut self, name: &str, call: &str) {
        self.levels.push(call.to_owned());
        self.work.push(format!("- multipliers.{name} * slope(|e| {{ let q = &moved(e); {} {call} }})", self.frames));
    }

    fn text(&self, number: usize) -> String {
        let Written { frames, velocities, variations, .. } = self;
        let lengths = if self.lengths.is_empty() {
            String::new()
        } else {
            format!(", Lengths {{ {} }}", self.lengths.join(", "))
        };
        let multipliers = if self.items.iter().any(|item| item.contains("constraint")) {
            "system.multipliers(&state.multipliers)"
        } else {
            "()"
        };
        format!(
            r#"
#[mechanical_system(gradients)]
pub mod motion_{number} {{
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Place {{ {fields} }}

    #[parameters]
    pub struct Data {{ pub weight: f64, pub levels: [f64; 2] }}

    {items}
}}

mod tested_{number} {{
    use super::*;
    use motion_{number}::{{self as m, *}};

    pub struct Tested;

    impl Moving for Tested {{
        type System = System;

        fn made(r: &mut dyn FnMut() -> f64) -> (System, Place) {{
            let q = Place {{ {start} }};
            let mut data = Data {{ weight: 0.7, levels: [0.0; 2] }};
            let levels: [f64; {count}] = {{
                let (data, q, t) = (&data, &q, 0.0);
                {frames}
                [{calls}]
            }};
            data.levels[..{count}].copy_from_slice(&levels);
            (System::new(data{lengths}).unwrap(), q)
        }}

        fn run(system: &System, q: Place, v: Components<System>, method: &str, steps: u32) -> Trajectory<System> {{
            let run = Simulation::of(system).initial(q, v).max_initial_correction(f64::INFINITY);
            run.method_named(method).unwrap().step(0.4 / f64::from(steps)).end_time(0.4).run().expect(SOURCE).into()
        }}

        fn weighing(system: &System, more: f64) -> System {{
            let data = system.parameters();
            System::new(Data {{ weight: data.weight + more, ..data.clone() }}{lengths}).unwrap()
        }}

        fn gradients(system: &System, q: &Place, v: &Components<System>) -> [[f64; 2]; 2] {{
            let last = system.dof() - 1;
            let objective = Objective::<System>::new().at_end(move |state| state.velocity[0] * state.velocity[last] + state.velocity[last]);
            let run = || Simulation::of(system).initial(q.clone(), v.clone()).step(0.02).end_time(0.2);
            let gradients =
                [run().method(HalfExplicit::hedop5()).gradient_of(&objective), run().method(GeneralizedAlpha::lie_alpha()).gradient_of(&objective)];
            gradients.map(|gradient| gradient.map(|gradient| [gradient.value, gradient.by("weight").unwrap()]).expect(SOURCE))
        }}

        fn lagrangian(system: &System, t: f64, q: &Place, components: &Components<System>) -> f64 {{
            let (data, v) = (system.parameters(), system.velocity(components));
            {frames} {velocities}
            0.0 {lagrangian}
        }}

        fn work(system: &System, state: &State<System>, variation: &Components<System>) -> f64 {{
            let (data, t, q, components) = (system.parameters(), state.time, &state.configuration, &state.velocity);
            let moved = |e: f64| moved(system, q, variation, e);
            let faster = |e: f64| system.velocity(&(components.clone() + variation.clone() * e));
            let (v, along, multipliers) = (system.velocity(components), system.velocity(variation), {multipliers});
            {frames} {velocities} {variations}
            0.0 {work}
        }}

        fn directions(q: &Place) -> Vec<(usize, Vector3<f64>)> {{
            vec![{directions}]
        }}
    }}
}}
"#,
            fields = self.fields.join(", "),
            items = self.items.join("\n\n    "),
            start = self.start.join(", "),
            calls = self.levels.join(", "),
            count = self.levels.len(),
            lagrangian = self.lagrangian.join("\n            "),
            work = self.work.join("\n            "),
            directions = self.directions.join(", "),
        )
    }
}
