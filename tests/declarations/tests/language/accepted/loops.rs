use lie_runtime::prelude::*;

#[mechanical_system]
mod body {
    use lie_runtime::prelude::*;

    const LINKS: usize = 2;
    const WEIGHTS: [f64; LINKS] = [1.0, 2.0];

    #[configuration]
    pub struct Pose {
        pub attitude: SO3,
        pub position: R3,
    }

    #[parameters]
    pub struct Data {
        pub points: [Vector3<f64>; 2],
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * v.attitude.dot(&v.attitude) + 0.5 * v.position.dot(&v.position)
    }

    #[potential]
    fn height(data: &Data, q: &Pose) -> f64 {
        let mut sum = 0.0;
        for i in 0..LINKS {
            for j in i + 1..=LINKS {
                sum += q.position[i] * q.position[j] * (i * j + 1) as f64;
            }
        }
        for weight in WEIGHTS {
            sum += weight;
        }
        for point in &data.points {
            sum += (q.attitude * point).z;
        }
        for (point, weight) in [(data.points[0], 1.0), (data.points[1], 2.0)] {
            sum += weight * point.dot(&q.position);
        }
        sum
    }
}
