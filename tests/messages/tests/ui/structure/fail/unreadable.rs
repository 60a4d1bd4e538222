//! Missing semicolons and commas. The module has no placeholder, so that its uses are errors.

use lie_runtime::prelude::*;

#[mechanical_system]
pub mod cart {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Cart {
        pub position: R3
        pub attitude: SO3,
    }

    #[parameters]
    pub struct Data { pub mass: f64 }

    #[kinetic_energy]
    fn kinetic(data: &Data, v: &Velocity) -> f64 { data.mass * v.position.norm_squared() + v.attitude.norm_squared() }

    #[potential]
    fn weight(data: &Data, q: &Cart) -> f64 {
        let z = q.position.z
        data.mass * 9.81 * z
    }

    #[constraint]
    fn on_rails(q: &Cart) -> Vector2<f64> { Vector2::new(q.position.x, q.position.y) }
}

fn main() {
    let system = cart::System::new(cart::Data { mass: 1.0 }).unwrap();
    let q = cart::Cart { position: Vector3::x(), attitude: SO3::identity() };
    let v = cart::Velocity { position: Vector3::y(), attitude: Vector3::z() };
    let run = Simulation::of(&system).initial(q, v).method(HalfExplicit::hedop5()).step(0.01).end_time(1.0).run();
    println!("{}", run.unwrap().last().multipliers.x);
}
