//! Uses of a chain cause no further errors if the names of roles are wrong.

use lie_runtime::prelude::*;

macro_rules! use_it {
    ($module:ident) => {{
        let system = $module::System::new($module::Data { mass: 0.1 }, $module::Lengths { masses: 41 }).unwrap();
        let system = system.with_inputs(|t, _, _| $module::Wind { force: Vector3::new(t, 0.0, 0.0) });
        let masses = (0..=40).map(|i| Vector3::new(0.05 * i as f64, 0.0, 0.0)).collect();
        let rest = system.zero_velocity();
        let simulation = Simulation::of(&system).initial($module::Rope { masses }, rest);
        let run = simulation.method(HalfExplicit::hedop5()).step(1e-3).end_time(0.2).run().unwrap();
        let reactions = system.multipliers(&run.last().multipliers).link;
        println!("{} {}", reactions[3], reactions.len());
    }};
}

macro_rules! system {
    ($module:ident, [$($parameters:tt)*] [$($inputs:tt)*], [$($role:tt)*] fn link($($arguments:tt)*) -> $rows:ty) => {
        #[mechanical_system]
        pub mod $module {
            use lie_runtime::prelude::*;

            #[configuration]
            pub struct Rope { #[clamped(first)] pub masses: Vec<R3> }

            $($parameters)*
            pub struct Data { pub mass: f64 }

            $($inputs)*
            pub struct Wind { pub force: Vector3<f64> }

            #[kinetic_energy(over = masses)]
            fn kinetic(data: &Data, v: &Vector3<f64>) -> f64 { 0.5 * data.mass * v.norm_squared() }

            #[force(over = masses.last())]
            fn blow(u: &Wind) -> Vector3<f64> { u.force }

            #[$($role)*]
            fn link($($arguments)*) -> $rows { (b - a).norm_squared() - 1.0 }
        }
    };
}

system!(misspelt, [#[params]] [#[input]], [constraints(over = masses.windows(2))] fn link([a, b]: [&R3; 2]) -> f64);

fn main() {
    use_it!(misspelt);
}
