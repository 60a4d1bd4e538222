use lie_runtime::prelude::*;

#[mechanical_system]
mod body {
    use lie_runtime::prelude::*;

    const LIMIT: f64 = 0.5;
    const LINKS: usize = 2;

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
        let x = q.position.x;
        let mut sum = if x > LIMIT && !(q.position.y < 0.0) {
            (x - LIMIT).powi(2)
        } else if x < -LIMIT || x * x > 4.0 {
            x
        } else {
            0.0
        };
        let mut side = q.position;
        if q.position.z > 0.0 {
            sum += 1.0;
            side.x = 0.0;
        } else {
            sum = -sum;
        }
        if LINKS > 1 {
            sum += x;
        }
        sum + side.norm_squared() + x.max(0.0) + x.min(1.0).abs() + x.clamp(-1.0, 1.0)
    }
}
