//! Links with constraints between neighbours.

use lie_runtime::prelude::*;

/// Rods in a plane, the first of which is held; each is geared to its neighbours.
#[mechanical_system(derivative_check)]
pub mod geared {
    use lie_runtime::prelude::*;

    /// The rods.
    #[configuration]
    pub struct Rods {
        /// Their joints.
        #[clamped(first)]
        pub joints: Vec<SO2>,
    }

    /// The end of a rod.
    #[kinematics(over = joints)]
    pub fn end(above: &SE2, joint: &SO2) -> SE2 {
        *above * SE2::new(*joint, *joint * Vector2::new(0.5, 0.1))
    }

    #[kinetic_energy(over = end)]
    fn kinetic(v: &Vector3<f64>) -> f64 {
        0.5 * 0.7 * (v[1] * v[1] + v[2] * v[2]) + 0.5 * 0.03 * v[0] * v[0]
    }

    #[potential(over = end)]
    fn weight(x: &SE2) -> f64 {
        9.81 * 0.7 * x.translation[1]
    }

    #[constraint(over = joints.windows(3))]
    fn gear([a, b, c]: [&SO2; 3]) -> f64 {
        a.angle() - 2.0 * b.angle() + c.angle()
    }
}

/// Four of them with the first at 0.3, written out.
#[mechanical_system]
pub mod three_geared {
    use lie_runtime::prelude::*;

    /// The rods that move.
    #[configuration]
    pub struct Rods {
        /// Their joints.
        pub joints: [SO2; 3],
    }

    /// The ends, and the angles in the plane.
    #[quantity]
    pub fn ends(q: &Rods) -> SVector<f64, 9> {
        let mut all = SVector::<f64, 9>::zeros();
        let mut turn = SO2::from_angle(0.3);
        let mut angle = 0.3;
        let mut place = turn * Vector2::new(0.5, 0.1);
        for i in 0..3 {
            turn = turn * q.joints[i];
            angle += q.joints[i].angle();
            place += turn * Vector2::new(0.5, 0.1);
            all[3 * i] = place[0];
            all[3 * i + 1] = place[1];
            all[3 * i + 2] = angle;
        }
        all
    }

    #[kinetic_energy]
    fn kinetic(q: &Rods, v: &Velocity) -> f64 {
        let rates = ends_rate(q, v);
        let mut sum = 0.0;
        for i in 0..3 {
            sum += 0.5 * 0.7 * (rates[3 * i] * rates[3 * i] + rates[3 * i + 1] * rates[3 * i + 1]);
            sum += 0.5 * 0.03 * rates[3 * i + 2] * rates[3 * i + 2];
        }
        sum
    }

    #[potential]
    fn weight(q: &Rods) -> f64 {
        let ends = ends(q);
        9.81 * 0.7 * (ends[1] + ends[4] + ends[7])
    }

    #[constraint]
    fn gear(q: &Rods) -> Vector2<f64> {
        let [a, b, c] = [q.joints[0].angle(), q.joints[1].angle(), q.joints[2].angle()];
        Vector2::new(0.3 - 2.0 * a + b, a - 2.0 * b + c)
    }
}
