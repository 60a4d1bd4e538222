use lie_runtime::prelude::*;

#[mechanical_system]
mod row {
    use lie_runtime::prelude::*;

    pub struct Body {
        pub attitude: SO3,
        pub position: R3,
    }

    #[configuration]
    pub struct Row {
        pub bodies: Vec<Body>,
        pub hub: Body,
    }

    #[kinetic_energy(over = bodies)]
    fn kinetic(v: &BodyVelocity) -> f64 {
        0.5 * v.attitude.norm_squared() + 0.5 * v.position.norm_squared()
    }

    #[kinetic_energy]
    fn of_hub(v: &Velocity) -> f64 {
        0.5 * v.hub.norm_squared()
    }

    #[potential(over = bodies)]
    fn weight(body: &Body) -> f64 {
        body.positon.z
    }

    #[potential(over = bodies)]
    fn turned(body: &Body) -> f64 {
        body.inverse().position.z
    }

    #[potential]
    fn of_the_hub(q: &Row) -> f64 {
        q.attitude.log().x
    }
}

fn main() {}
