//! Uses of a system cause no further errors if a method has a role.

use lie_runtime::prelude::*;

macro_rules! use_it {
    ($module:ident) => {{
        let system = $module::System::new($module::Data { mass: 1.0 }).unwrap();
        let q = $module::Cart { position: Vector3::x(), attitude: SO3::identity() };
        let v = $module::Velocity { position: Vector3::y(), attitude: Vector3::z() };
        let run = Simulation::of(&system).initial(q, v).method(HalfExplicit::hedop5()).step(0.01).end_time(1.0).run();
        println!("{:?}", run.unwrap().last().configuration.position);
    }};
}

#[mechanical_system]
pub mod method {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Cart { pub position: R3, pub attitude: SO3 }

    #[parameters]
    pub struct Data { pub mass: f64 }

    impl Data {
        #[kinetic_energy]
        fn kinetic(&self, v: &Velocity) -> f64 { self.mass * v.position.norm_squared() + v.attitude.norm_squared() }
    }

    #[potential]
    fn spring(q: &Configuration) -> f64 { q.position.norm_squared() }
}

fn main() {
    use_it!(method);
}
