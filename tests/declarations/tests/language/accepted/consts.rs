use lie_runtime::prelude::*;

#[mechanical_system]
mod body {
    use lie_runtime::prelude::*;

    const HEIGHT: f64 = 2.0 * WIDTH + TURN;
    const WIDTH: f64 = 0.25;
    const TURN: f64 = std::f64::consts::FRAC_PI_2;
    const AXIS: Vector3<f64> = Vector3::new(0.0, 0.0, WIDTH);
    const LEVER: Vector3<f64> = AXIS;
    const TABLE: [[f64; 2]; 2] = [[1.0, 0.0], [WIDTH, HEIGHT]];
    const NAME: &str = "body";

    #[configuration]
    pub struct Pose {
        pub attitude: SO3,
        pub position: R3,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * v.attitude.dot(&v.attitude) + 0.5 * v.position.dot(&v.position)
    }

    #[potential]
    fn height(q: &Pose) -> f64 {
        HEIGHT * q.position.dot(&AXIS) + LEVER.dot(&q.position) + TABLE[1][0] * std::f64::consts::PI + self::HEIGHT
    }
}
