use lie_runtime::prelude::*;

#[mechanical_system]
mod pair {
    use lie_runtime::prelude::*;

    pub struct Body {
        pub attitude: SO3,
        pub inertia: Matrix3<f64>,
        pub nodes: Vec<R3>,
        pub wheels: [SO2; 2],
        #[clamped]
        pub position: R3,
    }

    pub struct Nothing {}

    pub struct Place(pub R3);

    pub enum Joint {
        Ball,
    }

    #[configuration]
    pub struct Pair {
        pub upper: Body,
        pub lower: [Body; 2],
        pub nothing: Nothing,
        pub place: Place,
        pub joint: Joint,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * v.upper.attitude.norm_squared()
    }
}

fn main() {}
