//! Bodies that are held more than once.

use lie_runtime::prelude::*;

/// A body on a hinge.
#[mechanical_system]
pub mod once {
    use lie_runtime::prelude::*;

    /// The body.
    #[configuration]
    pub struct Body {
        /// The frame at the centre of mass.
        pub pose: SE3,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        let w = v.pose.angular();
        0.5 * 2.0 * v.pose.linear().norm_squared() + 0.5 * (0.4 * w.x * w.x + 0.5 * w.y * w.y + 0.7 * w.z * w.z)
    }

    #[potential]
    fn weight(q: &Body) -> f64 {
        2.0 * 9.81 * q.pose.translation.z
    }

    #[constraint]
    fn hinge(q: &Body) -> Vector3<f64> {
        q.pose * Vector3::new(0.3, -0.4, 0.5)
    }
}

/// The same body on the same hinge, told twice, once in other units and another sum.
#[mechanical_system(redundant = minimum_norm)]
pub mod twice {
    use lie_runtime::prelude::*;

    /// The body.
    #[configuration]
    pub struct Body {
        /// The frame at the centre of mass.
        pub pose: SE3,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        let w = v.pose.angular();
        0.5 * 2.0 * v.pose.linear().norm_squared() + 0.5 * (0.4 * w.x * w.x + 0.5 * w.y * w.y + 0.7 * w.z * w.z)
    }

    #[potential]
    fn weight(q: &Body) -> f64 {
        2.0 * 9.81 * q.pose.translation.z
    }

    #[constraint]
    fn hinge(q: &Body) -> Vector3<f64> {
        q.pose * Vector3::new(0.3, -0.4, 0.5)
    }

    #[constraint]
    fn in_millimetres(q: &Body) -> Vector3<f64> {
        let p = q.pose * Vector3::new(0.3, -0.4, 0.5);
        1000.0 * Vector3::new(p.x + p.y, p.y, p.z - p.x)
    }
}

/// Where the body hangs obliquely, with its hinge at the origin, and an angular velocity about it.
pub fn oblique() -> (SE3, Vector6<f64>) {
    let (rotation, point) = (SO3::exp(&Vector3::new(0.3, 0.2, -0.4)), Vector3::new(0.3, -0.4, 0.5));
    let spin = Vector3::new(1.0, -2.0, 0.7);
    let linear = -spin.cross(&point);
    (SE3::new(rotation, -(rotation * point)), Vector6::new(spin.x, spin.y, spin.z, linear.x, linear.y, linear.z))
}

/// A square table with four legs of different strength on a plane without friction; pushed along and turned it slides.
#[mechanical_system(redundant = minimum_norm)]
pub mod table {
    use lie_runtime::prelude::*;

    /// The table.
    #[configuration]
    pub struct Table {
        /// The frame of its principal axes at the centre of mass.
        pub pose: SE3,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        let w = v.pose.angular();
        0.5 * 8.0 * v.pose.linear().norm_squared() + 0.5 * (0.8 * w.x * w.x + 0.8 * w.y * w.y + 1.5 * w.z * w.z)
    }

    #[potential]
    fn weight(q: &Table) -> f64 {
        8.0 * 9.81 * q.pose.translation.z
    }

    #[constraint]
    fn legs(q: &Table) -> Vector4<f64> {
        Vector4::new(
            (q.pose * Vector3::new(0.5, 0.5, -0.7)).z,
            (q.pose * Vector3::new(-0.5, 0.5, -0.7)).z,
            (q.pose * Vector3::new(-0.5, -0.5, -0.7)).z,
            (q.pose * Vector3::new(0.5, -0.5, -0.7)).z,
        )
    }
}

/// A bead that is to be at x = 0 and at 2 x = `rate` t: the rows agree at the start alone.
#[mechanical_system(redundant = minimum_norm)]
pub mod torn {
    use lie_runtime::prelude::*;

    /// The bead.
    #[configuration]
    pub struct Bead {
        /// Where it is.
        pub place: R2,
    }

    /// Data.
    #[parameters]
    pub struct Data {
        /// How fast it is torn.
        pub rate: f64,
        /// How far apart it is torn from the start.
        pub gap: f64,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * v.place.norm_squared()
    }

    #[constraint]
    fn wall(q: &Bead) -> f64 {
        q.place.x
    }

    #[constraint]
    fn hand(data: &Data, q: &Bead, t: f64) -> f64 {
        2.0 * q.place.x - data.gap - data.rate * t * t * t
    }
}
