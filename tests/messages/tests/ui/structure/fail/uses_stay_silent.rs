//! What uses a system is no error of its own where a constraint, the parameters, an argument of the attribute or a body are wrong: not what it is
//! made of, and not its multipliers.

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
system!(swapped, [constraint], (q: &Cart, data: &Data) -> [Vector2<f64>], Vector2::new(q.position.x, data.mass));
system!(bare, [constraint], (q: &Cart) -> [Vector2], Vector2::new(q.position.x, q.position.y));
system!(group, [constraint], (q: &Cart) -> [R2], Vector2::new(q.position.x, q.position.y));
system!(array, [constraint], (q: &Cart) -> [[f64; 2]], [q.position.x, q.position.y]);
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

#[mechanical_system]
pub mod unmarked {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Cart { pub position: R3, pub attitude: SO3 }

    pub struct Data { pub mass: f64 }

    #[kinetic_energy]
    fn kinetic(data: &Data, v: &Velocity) -> f64 { data.mass * v.position.norm_squared() + v.attitude.norm_squared() }

    #[potential]
    fn weight(data: &Data, q: &Cart) -> f64 { data.mass * q.position.z }

    #[constraint]
    fn on_rails(q: &Cart) -> Vector2<f64> { Vector2::new(q.position.x, q.position.y) }

    pub fn size(reactions: &Multipliers) -> f64 { reactions.on_rails.norm() }
}

fn main() {
    use_it!(typo);
    use_it!(misspelt);
    use_it!(swapped);
    use_it!(bare);
    use_it!(group);
    use_it!(array);
    use_it!(nonlinear);
    use_it!(argument);
    use_it!(unmarked);
}
