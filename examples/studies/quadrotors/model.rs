//! Two quadrotors that carry a point mass on rigid links, with their controllers (paper 3, section 6).
//!
//! e₃ points along gravity. y is the payload, quadrotor i is at y − L_i q_i.

use lie_runtime::field::{VectorField, VectorFieldProblem};
use lie_runtime::group::R6;
use lie_runtime::integrator::FieldState;
use lie_runtime::integrator::StepFailure;
use lie_runtime::prelude::*;
use lie_runtime::scalar::Dual;
use lie_runtime::simulate::{Energy, Residual, Sample, Sampled};
use lie_runtime::space::{TS2, TSO3};
use lie_runtime::system::Value;

/// (y, v), (R_i, Ω_i), (q_i, ω_i).
pub type Point = (R6, [TSO3; 2], [TS2; 2]);

/// The data of the system and of its controllers.
#[derive(Clone, Debug)]
pub struct Quadrotors {
    /// m_y.
    pub payload: f64,
    /// m_i.
    pub masses: [f64; 2],
    /// L_i.
    pub lengths: [f64; 2],
    /// J_i, principal.
    pub inertias: [Vector3<f64>; 2],
    /// M_i, constant: the attitudes are not controlled.
    pub moments: [Vector3<f64>; 2],
    /// g.
    pub gravity: f64,
    /// k_y, k_v of the payload.
    pub payload_gains: [f64; 2],
    /// k_q, k_ω of the links.
    pub link_gains: [f64; 2],
    /// r_i, the directions of the links in the frame of the formation.
    pub formation: [Vector3<f64>; 2],
    /// s_d, the heading.
    pub heading: Vector3<f64>,
}

/// A direction at some angle from e₃ in the plane of e₁ and e₃.
pub fn inclined(degrees: f64) -> Vector3<f64> {
    let (sin, cos) = degrees.to_radians().sin_cos();
    Vector3::new(sin, 0.0, cos)
}

impl Default for Quadrotors {
    fn default() -> Self {
        Quadrotors {
            payload: 0.4,
            masses: [0.755; 2],
            lengths: [0.6, 0.8],
            inertias: [Vector3::new(0.0820, 0.0845, 0.1377); 2],
            moments: [Vector3::repeat(1.0); 2],
            gravity: 9.81,
            payload_gains: [12.0, 5.0],
            link_gains: [16.0, 5.0],
            formation: [inclined(30.0), inclined(-30.0)],
            heading: -Vector3::y(),
        }
    }
}

/// At rest at y = (−2, 0, 0), the links 80° from e₃.
pub fn start() -> Point {
    let link = |degrees| TS2::new_unchecked(inclined(degrees), Vector3::zeros());
    let load = Vector6::new(-2.0, 0.0, 0.0, 0.0, 0.0, 0.0);
    (load, [(SO3::identity(), Vector3::zeros()); 2], [link(80.0), link(-80.0)])
}

fn cross<S: Scalar>(a: &Vector3<S>, b: &Vector3<S>) -> Vector3<S> {
    Vector3::new(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
}

fn unit<S: Scalar>(vector: &Vector3<S>) -> Vector3<S> {
    vector * vector.dot(vector).sqrt().recip()
}

fn constant<S: Scalar>(vector: &Vector3<f64>) -> Vector3<S> {
    vector.map(S::from_f64)
}

/// y_d(t) = (t − 2.5, 0, (t − 2.5)² − 7).
pub fn target<S: Scalar>(t: S) -> Vector3<S> {
    let since = t - S::from_f64(2.5);
    Vector3::new(since, S::zero(), since * since - S::from_f64(7.0))
}

/// A number with its first and second derivative by time: the second is the ε part of the ε part.
type Second = Dual<Dual<f64>>;

fn first_order(value: &Vector3<f64>, rate: &Vector3<f64>) -> Vector3<Dual<f64>> {
    value.zip_map(rate, Dual::variable)
}

fn second_order(value: &Vector3<f64>, rate: &Vector3<f64>, second: &Vector3<f64>) -> Vector3<Second> {
    Vector3::from_fn(|i, _| Dual::variable(Dual::variable(value[i], rate[i]), Dual::variable(rate[i], second[i])))
}

/// The reference of one link: its direction, angular velocity and angular acceleration.
#[derive(Clone, Copy, Debug)]
pub struct LinkTarget {
    /// q_id.
    pub direction: Vector3<f64>,
    /// ω_id.
    pub angular_velocity: Vector3<f64>,
    /// ω_id'.
    pub angular_acceleration: Vector3<f64>,
}

/// The output of the controllers for a state.
#[derive(Clone, Copy, Debug)]
pub struct Control {
    /// μ_i.
    pub tensions: [Vector3<f64>; 2],
    /// The targets of the links.
    pub links: [LinkTarget; 2],
}

impl Quadrotors {
    /// F_d = m_y (−k_y e − k_v e' + y_d'' − g e₃) with e = y − y_d(t); y_d' and y_d'' by dual numbers.
    fn payload_force<S: Scalar>(&self, t: S, y: &Vector3<S>, v: &Vector3<S>) -> Vector3<S> {
        let time = Dual::variable(Dual::variable(t, S::one()), Dual::variable(S::one(), S::zero()));
        let desired = target(time);
        let [position, velocity, acceleration] =
            [desired.map(|x| x.re.re), desired.map(|x| x.re.eps), desired.map(|x| x.eps.eps)];
        let [stiffness, damping] = self.payload_gains.map(S::from_f64);
        let weight = constant::<S>(&Vector3::new(0.0, 0.0, self.gravity));
        (-(y - position) * stiffness - (v - velocity) * damping + acceleration - weight) * S::from_f64(self.payload)
    }

    /// μ_i = (F_d · q_i) q_i / ((r_i · e₃) |r₁ + r₂|).
    fn tensions<S: Scalar>(&self, force: &Vector3<S>, links: &[Vector3<S>; 2]) -> [Vector3<S>; 2] {
        let spread = (self.formation[0] + self.formation[1]).norm();
        core::array::from_fn(|i| links[i] * (force.dot(&links[i]) * S::from_f64(1.0 / (self.formation[i].z * spread))))
    }

    /// y'' = (μ₁ + μ₂) / m_y + g e₃, produced by the parallel controls.
    fn acceleration<S: Scalar>(&self, tensions: &[Vector3<S>; 2]) -> Vector3<S> {
        (tensions[0] + tensions[1]) * S::from_f64(1.0 / self.payload)
            + constant::<S>(&Vector3::new(0.0, 0.0, self.gravity))
    }

    /// q_id = Q_d r_i with Q_d = [−F² s_d/|F² s_d|, −F s_d/|F s_d|, −F_d/|F_d|], F the matrix of F_d × ·.
    fn directions<S: Scalar>(&self, force: &Vector3<S>) -> [Vector3<S>; 2] {
        let side = cross(force, &constant(&self.heading));
        let columns = [-unit(&cross(force, &side)), -unit(&side), -unit(force)];
        self.formation
            .map(|r| columns[0] * S::from_f64(r.x) + columns[1] * S::from_f64(r.y) + columns[2] * S::from_f64(r.z))
    }

    /// The controllers at (t, y, v, q, ω): every derivative along the closed loop follows from the functions above, each
    /// order from the one before.
    pub fn control(&self, t: f64, (y, v): (&Vector3<f64>, &Vector3<f64>), links: &[TS2; 2]) -> Control {
        let directions = links.map(|link| link.direction());
        let rates = links.map(|link| link.angular_velocity().cross(&link.direction()));
        let tensions = self.tensions(&self.payload_force(t, y, v), &directions);
        let acceleration = self.acceleration(&tensions);
        // y''' from the first derivatives of everything.
        let jerk = {
            let moving = core::array::from_fn(|i| first_order(&directions[i], &rates[i]));
            let force = self.payload_force(Dual::variable(t, 1.0), &first_order(y, v), &first_order(v, &acceleration));
            self.acceleration(&self.tensions(&force, &moving)).map(|x| x.eps)
        };
        let time = Dual::variable(Dual::variable(t, 1.0), Dual::variable(1.0, 0.0));
        let (position, velocity) = (second_order(y, v, &acceleration), second_order(v, &acceleration, &jerk));
        let wanted = self.directions(&self.payload_force(time, &position, &velocity));
        let links = wanted.map(|direction| {
            let (q, rate, second) =
                (direction.map(|x| x.re.re), direction.map(|x| x.re.eps), direction.map(|x| x.eps.eps));
            LinkTarget { direction: q, angular_velocity: q.cross(&rate), angular_acceleration: q.cross(&second) }
        });
        Control { tensions, links }
    }

    /// u_i∥ and u_i⊥.
    pub fn thrust(&self, i: usize, control: &Control, link: &TS2) -> [Vector3<f64>; 2] {
        let (q, w) = (link.direction(), link.angular_velocity());
        let (mass, length) = (self.masses[i], self.lengths[i]);
        let (own, other) = (control.tensions[i], control.tensions[1 - i]);
        let ratio = mass / self.payload;
        let parallel = q * (mass * length * w.norm_squared()) + own + q * (ratio * q.dot(&(own + other)));
        let LinkTarget { direction, angular_velocity, angular_acceleration } = control.links[i];
        let twice = |vector: &Vector3<f64>| q.cross(&q.cross(vector));
        let [stiffness, damping] = self.link_gains;
        let error = direction.cross(&q) * stiffness + (w + twice(&angular_velocity)) * damping;
        let ahead = w.cross(&q) * q.dot(&angular_velocity) + twice(&angular_acceleration);
        [parallel, -q.cross(&(error + ahead)) * (mass * length) - twice(&other) * ratio]
    }

    /// |q_i − q_id|.
    fn link_errors(&self, t: f64, (load, _, links): &Point) -> [f64; 2] {
        let [y, v] = parts(load);
        let control = self.control(t, (&y, &v), links);
        core::array::from_fn(|i| (links[i].direction() - control.links[i].direction).norm())
    }
}

/// y and v.
fn parts(load: &R6) -> [Vector3<f64>; 2] {
    [load.fixed_rows::<3>(0).into_owned(), load.fixed_rows::<3>(3).into_owned()]
}

fn pair(first: &Vector3<f64>, second: &Vector3<f64>) -> Vector6<f64> {
    Vector6::new(first.x, first.y, first.z, second.x, second.y, second.z)
}

/// (37) and (38) by the action of R⁶ × (T SO(3))² × SE(3)².
impl VectorField for Quadrotors {
    type Point = Point;
    type Workspace = ();

    fn zero(&self) -> (Vector6<f64>, [(Vector3<f64>, Vector3<f64>); 2], [Vector6<f64>; 2]) {
        (Vector6::zeros(), [(Vector3::zeros(), Vector3::zeros()); 2], [Vector6::zeros(); 2])
    }
    fn workspace(&self) {}
    fn evaluate(
        &self,
        t: f64,
        (load, bodies, links): &Point,
        (): &mut (),
        out: &mut (Vector6<f64>, [(Vector3<f64>, Vector3<f64>); 2], [Vector6<f64>; 2]),
    ) -> Result<(), StepFailure> {
        let [y, v] = parts(load);
        let control = self.control(t, (&y, &v), links);
        let thrusts: [[Vector3<f64>; 2]; 2] = core::array::from_fn(|i| self.thrust(i, &control, &links[i]));
        let weight = Vector3::new(0.0, 0.0, self.gravity);
        // M_q v' = −Σ m_i L_i |ω_i|² q_i + M_q g e₃ + Σ u_i∥.
        let mut inertia = Matrix3::identity() * self.payload;
        let mut force = Vector3::zeros();
        for i in 0..2 {
            let (q, w) = (links[i].direction(), links[i].angular_velocity());
            inertia += q * q.transpose() * self.masses[i];
            force += thrusts[i][0] - q * (self.masses[i] * self.lengths[i] * w.norm_squared());
        }
        let relative = inertia
            .cholesky()
            .ok_or(StepFailure::FieldUndefined { reason: "the payload has no positive mass" })?
            .solve(&force);
        out.0 = pair(&v, &(relative + weight));
        for (i, (attitude, omega)) in bodies.iter().enumerate() {
            let inertia = &self.inertias[i];
            let torque = self.moments[i] - omega.cross(&inertia.component_mul(omega));
            out.1[i] = (*attitude * omega, torque.component_div(inertia));
            let q = links[i].direction();
            let rate = q.cross(&(relative - thrusts[i][1] / self.masses[i])) / self.lengths[i];
            out.2[i] = pair(&links[i].angular_velocity(), &q.cross(&rate));
        }
        Ok(())
    }
}

fn vector(value: &Vector3<f64>) -> Value {
    Value::Vector(value.as_slice().to_vec())
}

/// The members of the configuration.
fn members((load, bodies, links): &Point) -> Value {
    let attitude = |body: &TSO3| {
        let matrix = body.0.matrix();
        Value::Matrix((0..3).map(|i| matrix.row(i).iter().copied().collect()).collect())
    };
    Value::Record(vec![
        ("load", vector(&parts(load)[0])),
        ("attitude", Value::List(bodies.iter().map(attitude).collect())),
        ("direction", Value::List(links.iter().map(|link| vector(&link.direction())).collect())),
    ])
}

/// The members of the velocity.
fn velocities((load, bodies, links): &Point) -> Value {
    Value::Record(vec![
        ("load", vector(&parts(load)[1])),
        ("attitude", Value::List(bodies.iter().map(|body| vector(&body.1)).collect())),
        ("direction", Value::List(links.iter().map(|link| vector(&link.angular_velocity())).collect())),
    ])
}

impl Quadrotors {
    fn observables(&self, t: f64, y: &Point) -> Value {
        let load = parts(&y.0)[0];
        let quadrotors = (0..2).map(|i| vector(&(load - y.2[i].direction() * self.lengths[i])));
        let norms = y.2.map(|link| link.direction().norm() - 1.0);
        Value::Record(vec![
            ("target", vector(&target(t))),
            ("load_error", Value::Scalar((load - target(t)).norm())),
            ("link_errors", Value::Vector(self.link_errors(t, y).to_vec())),
            ("quadrotors", Value::List(quadrotors.collect())),
            ("norm_deviations", Value::Vector(norms.to_vec())),
        ])
    }

    fn kinetic_energy(&self, (load, bodies, links): &Point) -> f64 {
        let v = parts(load)[1];
        (0..2).fold(0.5 * self.payload * v.norm_squared(), |sum, i| {
            let link = &links[i];
            let speed = v - link.angular_velocity().cross(&link.direction()) * self.lengths[i];
            let omega = &bodies[i].1;
            sum + 0.5 * self.masses[i] * speed.norm_squared() + 0.5 * omega.dot(&self.inertias[i].component_mul(omega))
        })
    }

    fn potential_energy(&self, (load, _, links): &Point) -> f64 {
        let height = parts(load)[0].z;
        (0..2).fold(-self.payload * self.gravity * height, |sum, i| {
            sum - self.masses[i] * self.gravity * (height - self.lengths[i] * links[i].direction().z)
        })
    }
}

impl Sampled<VectorFieldProblem<Quadrotors>> for Quadrotors {
    fn notation(&self) -> String {
        "R⁶ × (T SO(3))² × (TS²)²".to_owned()
    }
    fn dimension(&self) -> usize {
        26
    }
    fn sample(&self, state: &FieldState<VectorFieldProblem<Quadrotors>>) -> Sample {
        let (t, y) = (state.time, &state.point);
        let residual = y.2.iter().fold(Residual::default(), |Residual { position, velocity }, link| {
            let (q, w) = (link.direction(), link.angular_velocity());
            Residual { position: position.max((1.0 - q.norm_squared()).abs()), velocity: velocity.max(q.dot(&w).abs()) }
        });
        Sample {
            configuration: members(y),
            velocity: velocities(y),
            observables: self.observables(t, y),
            energy: Energy { kinetic: self.kinetic_energy(y), potential: self.potential_energy(y) },
            residual,
            ..Sample::at(t)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A state far from the target, everything in motion.
    fn busy() -> Point {
        let link = |q: Vector3<f64>, w: Vector3<f64>| TS2::new(q, w).unwrap();
        let load = Vector6::new(-1.0, 0.4, -2.0, 0.7, -0.3, 0.5);
        let links = [
            link(inclined(50.0) + Vector3::y() * 0.2, Vector3::new(0.4, 1.0, -0.3)),
            link(inclined(-40.0) - Vector3::y() * 0.1, Vector3::new(-0.2, 0.8, 0.5)),
        ];
        (load, [(SO3::identity(), Vector3::zeros()); 2], links)
    }

    /// The payload of the closed loop has the acceleration, and its directions have the angular velocities and accelerations, that the
    /// controller assumes. The check uses differences of the motion.
    #[test]
    fn derivatives_along_the_closed_loop() {
        use lie_runtime::simulate::Simulation;

        let (system, h) = (Quadrotors::default(), 1e-3);
        let times: Vec<f64> = (0..5).map(|k| 0.5 + h * f64::from(k)).collect();
        let run = Simulation::of_field(&system).initial(busy()).start_time(0.5).rtol(0.0).atol(1e-13);
        let states = run.end_time(times[4]).output_times(&times).run().unwrap().into_trajectory().states;
        let controls: Vec<Control> = states
            .iter()
            .map(|state| {
                let [y, v] = parts(&state.point.0);
                system.control(state.time, (&y, &v), &state.point.2)
            })
            .collect();
        // Central differences of order 4, errors of h⁴.
        let derivative = |f: &dyn Fn(usize) -> Vector3<f64>| (f(0) - f(1) * 8.0 + f(3) * 8.0 - f(4)) / (12.0 * h);
        let second = |f: &dyn Fn(usize) -> Vector3<f64>| {
            (-f(0) + f(1) * 16.0 - f(2) * 30.0 + f(3) * 16.0 - f(4)) / (12.0 * h * h)
        };
        let acceleration = derivative(&|k| parts(&states[k].point.0)[1]);
        assert!((acceleration - system.acceleration(&controls[2].tensions)).norm() < 1e-8);
        for i in 0..2 {
            let wanted = controls[2].links[i];
            let q = |k: usize| controls[k].links[i].direction;
            assert!((q(2).cross(&derivative(&q)) - wanted.angular_velocity).norm() < 1e-7);
            let difference = (q(2).cross(&second(&q)) - wanted.angular_acceleration).norm();
            assert!(difference < 1e-5 * (1.0 + wanted.angular_acceleration.norm()), "{difference:e}");
        }
    }
}
