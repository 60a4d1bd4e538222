//! Uses of a system cause no further errors if a body, the name of a role or an argument of the attribute is wrong.

use lie_runtime::prelude::*;

macro_rules! use_it {
    ($module:ident) => {{
        let system = $module::System::new($module::Data { mass: 1.0 }).unwrap();
        let q = $module::Cart { position: Vector3::x(), attitude: SO3::identity() };
        let v = $module::Velocity { position: Vector3::y(), attitude: Vector3::z() };
        let run = Simulation::of(&system).initial(q, v).method(HalfExplicit::hedop5()).step(0.01).end_time(1.0).run();
        let last = run.unwrap().last().clone();
        let named = system.multipliers(&last.multipliers);
        println!("{} {} {}", last.multipliers.x, last.multipliers.y, $module::size(&named));
    }};
}

macro_rules! system {
    ($module:ident, [$($role:tt)*], ($($arguments:tt)*) -> [$($rows:tt)*], $body:expr) => {
        #[mechanical_system]
        pub mod $module {
            use lie_runtime::prelude::*;

            #[configuration]
            pub struct Cart { pub position: R3, pub attitude: SO3 }

            #[parameters]
            pub struct Data { pub mass: f64 }

            #[kinetic_energy]
            fn kinetic(data: &Data, v: &Velocity) -> f64 { data.mass * v.position.norm_squared() + v.attitude.norm_squared() }

            #[$($role)*]
            fn on_rails($($arguments)*) -> $($rows)* { $body }

            pub fn size(reactions: &Multipliers) -> f64 { reactions.on_rails.norm() }
        }
    };
}

system!(typo, [constraint], (q: &Cart) -> [Vector2<f64>], Vector2::new(q.position.x, q.position.w));
system!(misspelt, [constrain], (q: &Cart) -> [Vector2<f64>], Vector2::new(q.position.x, q.position.y));
system!(nonlinear, [velocity_constraint], (v: &Velocity) -> [Vector2<f64>], Vector2::new(v.position.x, v.position.y * v.position.z));

#[mechanical_system(redundent = minimum_norm)]
pub mod argument {
    use lie_runtime::prelude::*;

    #[config]
    pub struct Cart { pub position: R3, pub attitude: SO3 }

    #[params]
    pub struct Data { pub mass: f64 }

    #[kinetic_energy]
    fn kinetic(data: &Data, v: &Velocity) -> f64 { data.mass * v.position.norm_squared() + v.attitude.norm_squared() }

    #[constraint]
    fn on_rails(q: &Cart) -> Vector2<f64> { Vector2::new(q.position.x, q.position.y) }

    pub fn size(reactions: &Multipliers) -> f64 { reactions.on_rails.norm() }
}

fn main() {
    use_it!(typo);
    use_it!(misspelt);
    use_it!(nonlinear);
    use_it!(argument);
}
