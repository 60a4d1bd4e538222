//! Whole numbers that are known when the system is made, variants of enums, parts of arrays.

use lie_runtime::prelude::*;

#[mechanical_system]
mod body {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Pose {
        pub frame: DQ,
        pub x: f64,
    }

    #[parameters]
    pub struct Data {
        pub order: i32,
        pub masses: [f64; 3],
    }

    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Level {
        Low,
        High,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * (v.frame.norm_squared() + v.x * v.x)
    }

    #[potential]
    fn powers(data: &Data, q: &Pose) -> f64 {
        (data.order.pow(2) + data.order.abs()) as f64 * q.x
    }

    #[potential]
    fn turned(q: &Pose) -> f64 {
        q.frame.rotation_matrix()[(0, 1)]
    }

    #[potential]
    fn highest(q: &Pose) -> f64 {
        let level = [Level::Low, Level::High].into_iter().max().unwrap();
        if level == Level::High { q.x } else { 0.0 }
    }

    #[potential]
    fn parts(data: &Data, q: &Pose) -> f64 {
        let mut masses = data.masses;
        for mass in &mut masses[1..] {
            *mass *= q.x;
        }
        masses[1.0]
    }

    #[potential]
    fn apart(q: &Pose) -> f64 {
        let (x, y, z) = (q.x, 2.0);
        x * y + z + 1e400
    }
}

fn main() {}
