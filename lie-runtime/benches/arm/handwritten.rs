//! A handwritten version of the arm: forces by the recursion of Newton and Euler, M by composite bodies, M v' = f by L D Lᵀ (R.
//! Featherstone, Rigid Body Dynamics Algorithms, 2008, chapters 5 and 6), and the stages of RKMK4, where angles add up.

use std::hint::black_box;

use lie_runtime::nalgebra::{Matrix3, Vector3};

use super::{GRAVITY, angles, link};

/// A rotation about z or y, by cosine and sine.
#[derive(Clone, Copy)]
struct Turn(f64, f64);

impl Turn {
    /// R x of joint `at`.
    #[inline(always)]
    fn out(self, at: usize, x: Vector3<f64>) -> Vector3<f64> {
        let Turn(c, s) = self;
        if at.is_multiple_of(2) {
            Vector3::new(c * x.x - s * x.y, s * x.x + c * x.y, x.z)
        } else {
            Vector3::new(c * x.x + s * x.z, x.y, c * x.z - s * x.x)
        }
    }

    /// Rᵀ x of joint `at`.
    #[inline(always)]
    fn back(self, at: usize, x: Vector3<f64>) -> Vector3<f64> {
        Turn(self.0, -self.1).out(at, x)
    }
}

/// The data and the values derived from them.
#[derive(Clone, Copy)]
struct Body {
    mass: f64,
    center: Vector3<f64>,
    /// The inertia about the centre.
    moments: Matrix3<f64>,
    /// m c, and the inertia about the hinge.
    first: Vector3<f64>,
    second: Matrix3<f64>,
    place: Vector3<f64>,
}

struct Arm([Body; 7]);

#[derive(Clone, Copy)]
struct State {
    time: f64,
    turns: [Turn; 7],
    velocity: [f64; 7],
    acceleration: [f64; 7],
}

/// The component along the axis of joint `at`.
#[inline(always)]
fn along(at: usize, x: Vector3<f64>) -> f64 {
    if at.is_multiple_of(2) { x.z } else { x.y }
}

#[inline(always)]
fn axis(at: usize) -> Vector3<f64> {
    if at.is_multiple_of(2) { Vector3::z() } else { Vector3::y() }
}

impl Arm {
    fn of_links() -> Arm {
        Arm(core::array::from_fn(|at| {
            let own = link(at);
            let c = own.center;
            let about = Matrix3::identity() * c.norm_squared() - c * c.transpose();
            Body {
                mass: own.mass,
                center: c,
                moments: own.moments,
                first: own.mass * c,
                second: own.moments + own.mass * about,
                place: own.place,
            }
        }))
    }

    /// Computes −g, the negative hinge moments for v' = 0.
    #[inline(always)]
    fn force(&self, turns: &[Turn; 7], v: &[f64; 7]) -> [f64; 7] {
        let zero = Vector3::zeros();
        let (mut omega, mut alpha, mut a) = (zero, zero, Vector3::new(0.0, 0.0, GRAVITY));
        let (mut forces, mut moments) = ([zero; 7], [zero; 7]);
        for at in 0..7 {
            let (body, turn) = (&self.0[at], turns[at]);
            a = turn.back(at, a + alpha.cross(&body.place) + omega.cross(&omega.cross(&body.place)));
            let (seen, spin) = (turn.back(at, omega), axis(at) * v[at]);
            alpha = turn.back(at, alpha) + seen.cross(&spin);
            omega = seen + spin;
            let of_center = a + alpha.cross(&body.center) + omega.cross(&omega.cross(&body.center));
            forces[at] = of_center * body.mass;
            moments[at] = body.moments * alpha + omega.cross(&(body.moments * omega)) + body.center.cross(&forces[at]);
        }
        let mut out = [0.0; 7];
        for at in (0..7).rev() {
            out[at] = -along(at, moments[at]);
            if at > 0 {
                let force = turns[at].out(at, forces[at]);
                forces[at - 1] += force;
                moments[at - 1] += turns[at].out(at, moments[at]) + self.0[at].place.cross(&force);
            }
        }
        out
    }

    /// M, its lower half.
    #[inline(always)]
    fn mass(&self, turns: &[Turn; 7]) -> [[f64; 7]; 7] {
        let mut mass = [[0.0; 7]; 7];
        let (mut m, mut first, mut second) = (0.0, Vector3::zeros(), Matrix3::zeros());
        for at in (0..7).rev() {
            let body = &self.0[at];
            m += body.mass;
            first += body.first;
            second += body.second;
            let mut force = axis(at).cross(&first);
            let mut moment: Vector3<f64> = second.column(if at % 2 == 0 { 2 } else { 1 }).into();
            mass[at][at] = along(at, moment);
            for inner in (0..at).rev() {
                force = turns[inner + 1].out(inner + 1, force);
                moment = turns[inner + 1].out(inner + 1, moment) + self.0[inner + 1].place.cross(&force);
                mass[at][inner] = along(inner, moment);
            }
            // In the frame of the previous body: R I Rᵀ, moved by p.
            let turn = turns[at];
            let half = Matrix3::from_columns(&[0, 1, 2].map(|column| turn.out(at, second.column(column).into())));
            let whole = half.transpose();
            second = Matrix3::from_columns(&[0, 1, 2].map(|column| turn.out(at, whole.column(column).into())));
            let (h, p) = (turn.out(at, first), body.place);
            let mixed = h * p.transpose();
            let twice = 2.0 * h.dot(&p) + m * p.norm_squared();
            second += Matrix3::identity() * twice - mixed - mixed.transpose() - p * p.transpose() * m;
            first = h + m * p;
        }
        mass
    }

    /// Computes v' by L D Lᵀ in a backward pass from the tool.
    #[inline(always)]
    #[allow(clippy::needless_range_loop)] // Triangles by their indices, as they are unrolled.
    fn acceleration(&self, turns: &[Turn; 7], v: &[f64; 7]) -> [f64; 7] {
        let (mut x, mut a) = (self.force(turns, v), self.mass(turns));
        let mut inverse = [0.0; 7];
        for k in (0..7).rev() {
            inverse[k] = 1.0 / a[k][k];
            let mut factors = [0.0; 7];
            for i in 0..k {
                factors[i] = a[k][i] * inverse[k];
            }
            for i in 0..k {
                for j in 0..=i {
                    a[i][j] -= factors[i] * a[k][j];
                }
                x[i] -= factors[i] * x[k];
            }
            a[k] = factors;
        }
        for k in 0..7 {
            x[k] *= inverse[k];
            for i in 0..k {
                x[k] -= a[k][i] * x[i];
            }
        }
        x
    }

    #[inline(never)]
    fn step(&self, from: &State, h: f64, to: &mut State) -> Result<(), ()> {
        let moved = |rates: &[f64; 7]| -> [Turn; 7] {
            core::array::from_fn(|at| {
                let (Turn(c, s), (sine, cosine)) = (from.turns[at], rates[at].sin_cos());
                Turn(c * cosine - s * sine, s * cosine + c * sine)
            })
        };
        let stage = |factor: f64, rate: &[f64; 7], acceleration: &[f64; 7]| {
            let velocity: [f64; 7] = core::array::from_fn(|at| from.velocity[at] + factor * acceleration[at]);
            let turns = moved(&rate.map(|rate| factor * rate));
            let acceleration = self.acceleration(&turns, &velocity);
            (velocity, acceleration)
        };
        let (d1, a1) = (from.velocity, from.acceleration);
        let (d2, a2) = stage(0.5 * h, &d1, &a1);
        let (d3, a3) = stage(0.5 * h, &d2, &a2);
        let (d4, a4) = stage(h, &d3, &a3);
        let (outer, inner) = (h * (1.0 / 6.0), h * (1.0 / 3.0));
        let mean = |[a, b, c, d]: [&[f64; 7]; 4]| -> [f64; 7] {
            core::array::from_fn(|at| outer * (a[at] + d[at]) + inner * (b[at] + c[at]))
        };
        let (theta, change) = (mean([&d1, &d2, &d3, &d4]), mean([&a1, &a2, &a3, &a4]));
        let velocity = core::array::from_fn(|at| from.velocity[at] + change[at]);
        let turns = moved(&theta);
        let acceleration = self.acceleration(&turns, &velocity);
        *to = State { time: from.time + h, turns, velocity, acceleration };
        // The acceleration at the end depends on every value of the step.
        if acceleration.iter().sum::<f64>().is_finite() { Ok(()) } else { Err(()) }
    }
}

/// Repeats steps of 1e-3 s over the first half second; returns the last velocity.
pub fn steps() -> impl FnMut(u64) -> [f64; 7] {
    let arm = Arm::of_links();
    let turns = angles().map(|angle| Turn(angle.cos(), angle.sin()));
    let velocity = [0.0; 7];
    let first = State { time: 0.0, turns, velocity, acceleration: arm.acceleration(&turns, &velocity) };
    let mut states = [first; 2];
    move |times| {
        let [from, to] = &mut states;
        let (mut from, mut to) = (from, to);
        for _ in 0..times {
            if from.time > 0.4995 {
                *from = first;
            }
            black_box(&arm).step(from, black_box(1e-3), to).expect("no step fails");
            core::mem::swap(&mut from, &mut to);
        }
        from.velocity
    }
}
