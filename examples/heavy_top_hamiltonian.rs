//! The heavy top of paper 3 as a Hamiltonian system in three formulations: canonical on T*SO(3), Lie-Poisson on se(3)*, and
//! canonical on T*(SO(3) × R³) with a quadratic Hamiltonian (section 3.4).
//!
//! ```text
//! cargo run --release --example heavy_top_hamiltonian                      # the study: tables and figures
//! cargo run --release --example heavy_top_hamiltonian -- --group se3_dual --method cf4 --step 1e-3
//! cargo run --release --example heavy_top_hamiltonian -- --method slgi --set theta=0.25 --step 1e-3 --format json
//! ```

use std::error::Error;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use examples::figure::{self, Axis, Motion, Panel, Series};
use examples::study::{self, Curve, Halving};
use examples::{Example, FieldProblem, Request, Sample, Settings, UsageError, Variant};
use lie_runtime::field::{FieldReport, HamiltonianSystem, LiftedHamiltonian, VectorField};
use lie_runtime::integrator::StepFailure;
use lie_runtime::prelude::*;
use lie_runtime::scalar::Dual;
use lie_runtime::space::{Coadjoint, Cotangent};
use lie_runtime::system::Value;

/// The top about its fixed point.
#[derive(Clone, Copy, Debug)]
pub struct Top<S: Scalar = f64> {
    /// Principal moments of inertia about the fixed point.
    moments: Vector3<S>,
    /// M l, the mass times the distance of the centre of mass.
    mass_length: S,
    /// X, the direction of the centre of mass in the body.
    axis: Vector3<S>,
    /// Γ₀, which holds g.
    gravity: Vector3<S>,
}

/// a × b.
fn cross<S: Scalar>(a: &Vector3<S>, b: &Vector3<S>) -> Vector3<S> {
    Vector3::new(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
}

impl Top {
    /// The data of paper 3, section 3.4.4, with what the user has set.
    fn new(settings: &mut Settings) -> Result<Self, UsageError> {
        let mass_length = settings.number("mass", 15.0)? * settings.number("length", 2.0)?;
        let moments = Vector3::new(0.234_375, 0.468_75, 0.234_375);
        Ok(Top { moments, mass_length, axis: Vector3::y(), gravity: Vector3::new(0.0, 0.0, -9.81) })
    }

    /// π(0) = I Ω(0), Q(0) = 1.
    fn momentum(&self) -> Vector3<f64> {
        Vector3::new(0.0, 150.0, -4.615_38).component_mul(&self.moments)
    }

    /// The same top on other numbers.
    fn lift(&self) -> Top<Dual<f64>> {
        let lift = |vector: &Vector3<f64>| vector.map(Dual::lift);
        Top {
            moments: lift(&self.moments),
            mass_length: Dual::lift(self.mass_length),
            axis: lift(&self.axis),
            gravity: lift(&self.gravity),
        }
    }
}

impl<S: Scalar> Top<S> {
    /// ω = Q I⁻¹ Qᵀ π (eq. 22).
    fn angular_velocity(&self, q: &SO3<S>, momentum: &Vector3<S>) -> Vector3<S> {
        let body = q.inverse().rotate(momentum);
        let m = &self.moments;
        q.rotate(&Vector3::new(body.x / m.x, body.y / m.y, body.z / m.z))
    }

    /// ½ π · ω.
    fn kinetic(&self, q: &SO3<S>, momentum: &Vector3<S>) -> S {
        S::from_f64(0.5) * momentum.dot(&self.angular_velocity(q, momentum))
    }
}

/// (21), (22): H = ½ π · Q I⁻¹ Qᵀ π + M l Γ₀ · Q X.
struct OnCotangentBundle<S: Scalar = f64>(Top<S>);

impl<S: Scalar> HamiltonianSystem for OnCotangentBundle<S> {
    type Scalar = S;
    type Group = SO3<S>;

    fn zero(&self) -> Vector3<S> {
        Vector3::from_element(S::zero())
    }
    fn hamiltonian(&self, q: &SO3<S>, mu: &Vector3<S>) -> S {
        let top = &self.0;
        top.kinetic(q, mu) + top.mass_length * top.gravity.dot(&q.rotate(&top.axis))
    }
    fn velocity(&self, q: &SO3<S>, mu: &Vector3<S>, out: &mut Vector3<S>) {
        *out = self.0.angular_velocity(q, mu);
    }
    /// Along η~ Q, H changes by η · (ω × π) + M l η · (Q X × Γ₀).
    fn force(&self, q: &SO3<S>, mu: &Vector3<S>, out: &mut Vector3<S>) {
        let top = &self.0;
        *out = cross(mu, &top.angular_velocity(q, mu)) + cross(&top.gravity, &q.rotate(&top.axis)) * top.mass_length;
    }
}

impl LiftedHamiltonian for OnCotangentBundle {
    type Lifted = OnCotangentBundle<Dual<f64>>;

    fn lift(&self) -> Self::Lifted {
        OnCotangentBundle(self.0.lift())
    }
    fn lift_configuration(&self, q: &SO3) -> SO3<Dual<f64>> {
        SO3::from_matrix_unchecked(q.matrix().map(Dual::lift))
    }
}

/// (29)-(32): H = ½ π · ω + ½ |p − Qᵀ Γ₀|² − ½ |Γ₀|², p = −M l X a momentum that is conjugate to q in R³.
struct Extended<S: Scalar = f64>(Top<S>);

impl<S: Scalar> HamiltonianSystem for Extended<S> {
    type Scalar = S;
    type Group = (SO3<S>, R3<S>);

    fn zero(&self) -> (Vector3<S>, Vector3<S>) {
        (Vector3::from_element(S::zero()), Vector3::from_element(S::zero()))
    }
    fn hamiltonian(&self, (q, _): &Self::Group, (pi, p): &(Vector3<S>, Vector3<S>)) -> S {
        let top = &self.0;
        let difference = p - q.inverse().rotate(&top.gravity);
        let half = S::from_f64(0.5);
        top.kinetic(q, pi) + half * difference.dot(&difference) - half * top.gravity.dot(&top.gravity)
    }
    fn velocity(&self, (q, _): &Self::Group, (pi, p): &(Vector3<S>, Vector3<S>), out: &mut (Vector3<S>, Vector3<S>)) {
        *out = (self.0.angular_velocity(q, pi), p - q.inverse().rotate(&self.0.gravity));
    }
    fn force(&self, (q, _): &Self::Group, (pi, p): &(Vector3<S>, Vector3<S>), out: &mut (Vector3<S>, Vector3<S>)) {
        let top = &self.0;
        let torque = cross(&q.rotate(p), &top.gravity);
        *out = (cross(pi, &top.angular_velocity(q, pi)) + torque, Vector3::from_element(S::zero()));
    }
}

impl LiftedHamiltonian for Extended {
    type Lifted = Extended<Dual<f64>>;

    fn lift(&self) -> Self::Lifted {
        Extended(self.0.lift())
    }
    fn lift_configuration(&self, (q, x): &(SO3, R3)) -> (SO3<Dual<f64>>, R3<Dual<f64>>) {
        (SO3::from_matrix_unchecked(q.matrix().map(Dual::lift)), x.map(Dual::lift))
    }
}

/// (23), (24): Lie-Poisson on se(3)*, μ = (Π, Γ) with Γ = Q⁻¹ Γ₀ and H = ½ Π · I⁻¹ Π + M l Γ · X.
struct LiePoisson(Top);

impl VectorField for LiePoisson {
    type Point = Coadjoint<SE3>;
    type Workspace = ();

    fn zero(&self) -> Vector6<f64> {
        Vector6::zeros()
    }
    fn workspace(&self) {}
    fn evaluate(&self, _: f64, y: &Coadjoint<SE3>, (): &mut (), out: &mut Vector6<f64>) -> Result<(), StepFailure> {
        let omega = y.momentum.angular().component_div(&self.0.moments);
        let arm = self.0.axis * self.0.mass_length;
        // −∂H/∂μ, for H is left-invariant.
        *out = -Vector6::new(omega.x, omega.y, omega.z, arm.x, arm.y, arm.z);
        Ok(())
    }
}

/// The vector under one name.
fn named(name: &'static str, vector: &Vector3<f64>) -> (&'static str, Value) {
    (name, Value::Vector(vector.as_slice().to_vec()))
}

/// What every formulation tells: Γ = Q⁻¹ Γ₀ scaled as in Fig. 2, and Q X where Q is known.
fn observables(top: &Top, q: &SO3, momentum: &Vector3<f64>) -> Value {
    let back = q.inverse();
    Value::Record(vec![
        named("body_gravity", &(back * top.gravity * top.mass_length)),
        named("axis", &(q * top.axis)),
        named("body_momentum", &(back * momentum)),
        ("vertical_momentum", Value::Scalar(momentum.dot(&top.gravity) / top.gravity.norm())),
    ])
}

fn rows(q: &SO3) -> Value {
    let matrix = q.matrix();
    Value::Matrix((0..3).map(|i| matrix.row(i).iter().copied().collect()).collect())
}

impl FieldReport<Cotangent<SO3>> for OnCotangentBundle {
    fn notation(&self) -> &'static str {
        "T*SO(3)"
    }
    fn dimension(&self) -> usize {
        6
    }
    fn report_configuration(&self, y: &Cotangent<SO3>) -> Value {
        Value::Record(vec![("attitude", rows(&y.configuration))])
    }
    fn report_velocity(&self, y: &Cotangent<SO3>) -> Value {
        Value::Record(vec![named("momentum", &y.momentum)])
    }
    fn report_observables(&self, _: f64, y: &Cotangent<SO3>) -> Value {
        observables(&self.0, &y.configuration, &y.momentum)
    }
    fn kinetic_energy(&self, _: f64, y: &Cotangent<SO3>) -> f64 {
        self.0.kinetic(&y.configuration, &y.momentum)
    }
    fn potential_energy(&self, t: f64, y: &Cotangent<SO3>) -> f64 {
        self.hamiltonian(&y.configuration, &y.momentum) - self.kinetic_energy(t, y)
    }
}

impl FieldReport<Cotangent<(SO3, R3)>> for Extended {
    fn notation(&self) -> &'static str {
        "T*(SO(3) × R³)"
    }
    fn dimension(&self) -> usize {
        12
    }
    fn report_configuration(&self, y: &Cotangent<(SO3, R3)>) -> Value {
        Value::Record(vec![("attitude", rows(&y.configuration.0)), named("position", &y.configuration.1)])
    }
    fn report_velocity(&self, y: &Cotangent<(SO3, R3)>) -> Value {
        Value::Record(vec![named("momentum", &y.momentum.0), named("linear_momentum", &y.momentum.1)])
    }
    fn report_observables(&self, _: f64, y: &Cotangent<(SO3, R3)>) -> Value {
        observables(&self.0, &y.configuration.0, &y.momentum.0)
    }
    fn kinetic_energy(&self, _: f64, y: &Cotangent<(SO3, R3)>) -> f64 {
        self.0.kinetic(&y.configuration.0, &y.momentum.0)
    }
    fn potential_energy(&self, t: f64, y: &Cotangent<(SO3, R3)>) -> f64 {
        // ½ |p|² is constant and no energy of the top.
        self.hamiltonian(&y.configuration, &y.momentum) - self.kinetic_energy(t, y) - 0.5 * y.momentum.1.norm_squared()
    }
}

impl FieldReport<Coadjoint<SE3>> for LiePoisson {
    fn notation(&self) -> &'static str {
        "se(3)*"
    }
    fn dimension(&self) -> usize {
        6
    }
    fn report_configuration(&self, y: &Coadjoint<SE3>) -> Value {
        Value::Record(vec![named("gravity", &y.momentum.linear())])
    }
    fn report_velocity(&self, y: &Coadjoint<SE3>) -> Value {
        Value::Record(vec![named("body_momentum", &y.momentum.angular())])
    }
    fn report_observables(&self, _: f64, y: &Coadjoint<SE3>) -> Value {
        let (momentum, gravity) = (y.momentum.angular(), y.momentum.linear());
        let norm = gravity.norm();
        Value::Record(vec![
            named("body_gravity", &(gravity * self.0.mass_length)),
            named("body_momentum", &momentum),
            ("vertical_momentum", Value::Scalar(momentum.dot(&gravity) / norm)),
            ("gravity_norm", Value::Scalar(norm)),
        ])
    }
    fn kinetic_energy(&self, _: f64, y: &Coadjoint<SE3>) -> f64 {
        let momentum = y.momentum.angular();
        0.5 * momentum.dot(&momentum.component_div(&self.0.moments))
    }
    fn potential_energy(&self, _: f64, y: &Coadjoint<SE3>) -> f64 {
        self.0.mass_length * y.momentum.linear().dot(&self.0.axis)
    }
}

/// The heavy top of paper 3 as an example.
pub fn example() -> Example {
    Example {
        name: "heavy_top_hamiltonian",
        about: "A heavy top as a Hamiltonian system (paper 3, section 3.4) in three formulations.",
        variants: vec![
            Variant::hamiltonian("cotangent", |settings| {
                let top = Top::new(settings)?;
                let point = Cotangent { configuration: SO3::identity(), momentum: top.momentum() };
                Ok(FieldProblem { system: OnCotangentBundle(top), point })
            }),
            Variant::field("se3_dual", |settings| {
                let top = Top::new(settings)?;
                let (pi, gamma) = (top.momentum(), top.gravity);
                let momentum = Vector6::new(pi.x, pi.y, pi.z, gamma.x, gamma.y, gamma.z);
                Ok(FieldProblem { system: LiePoisson(top), point: Coadjoint::new(momentum) })
            }),
            Variant::hamiltonian("extended", |settings| {
                let top = Top::new(settings)?;
                let momentum = (top.momentum(), -top.axis * top.mass_length);
                let point = Cotangent { configuration: (SO3::identity(), Vector3::zeros()), momentum };
                Ok(FieldProblem { system: Extended(top), point })
            }),
        ],
        method: "rkmk4",
        step: 1e-3,
        end: 1.0,
        options: &[],
        study: Some(study),
    }
}

/// The methods of Fig. 2 with their names there, and the numbers of steps as powers of two.
const METHODS: [(&str, &str, &str); 4] = [
    ("cotangent", "slgi_0", "SLGI, θ = 0"),
    ("cotangent", "slgi_half", "SLGI, θ = ½"),
    ("cotangent", "slgi_1", "SLGI, θ = 1"),
    ("extended", "slgi_half", "SLGIKK, θ = ½"),
];

/// The numbers that every formulation on a cotangent bundle has: the first nine are Q.
fn attitude(sample: &Sample) -> Vec<f64> {
    sample.configuration.get("attitude").map(Value::numbers).unwrap_or_default()
}

/// The study: Figs. 2 and 3 of paper 3.
fn study(example: &Example, folder: &Path, out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    let mut figures = vec![convergence(example, folder, out)?];
    figures.extend(short_motion(example, folder)?);
    figures.extend(energies(example, folder, out)?);
    writeln!(out, "\nFigures (SVG, and PNG beside it):")?;
    for path in figures {
        writeln!(out, "  {}", path.display())?;
    }
    Ok(())
}

/// Fig. 2, right: errors at t = 1 against RKMK of order 5 with steps of 2⁻¹⁴.
fn convergence(example: &Example, folder: &Path, out: &mut dyn Write) -> Result<PathBuf, Box<dyn Error>> {
    let request = Request::fixed("rkmk54", 0.5f64.powi(14), 1.0);
    let reference = study::history(example, "cotangent", &request).map_err(|error| error.to_string())?;
    let exact = reference.samples.first().ok_or("the reference has no sample")?;
    let (q, momentum) = (attitude(exact), exact.velocity.numbers());
    let errors = |sample: &Sample| {
        let pi = sample.velocity.get("momentum").map(Value::numbers).unwrap_or_default();
        [study::distance(&attitude(sample), &q, 1.0), study::distance(&pi, &momentum, study::norm(&momentum)), f64::NAN]
    };
    let halvings: Vec<Halving> =
        METHODS.iter().map(|(group, method, _)| Halving { group, method, steps: 8..=14 }).collect();
    let curves = study::convergence(example, 1.0, &halvings, errors)?;
    let curves: Vec<&Curve> = curves.iter().collect();
    let labels = METHODS.map(|(_, _, label)| label);
    writeln!(out, "Errors of Q and π at t = 1 and observed orders")?;
    let rows: Vec<Vec<String>> = curves
        .iter()
        .zip(labels)
        .map(|(curve, label)| {
            let last = curve.points.last().map_or([f64::NAN; 3], |point| point.1);
            vec![
                label.to_owned(),
                format!("{:.2e}", last[0]),
                study::order(curve.order(0)),
                format!("{:.2e}", last[1]),
                study::order(curve.order(1)),
            ]
        })
        .collect();
    let header = ["method", "Q, h = 1/16384", "order", "π, h = 1/16384", "order"];
    writeln!(out, "{}", study::plain_table(&header, &rows))?;
    let panels = [(0, "Q"), (1, "π")].map(|(quantity, name)| {
        Panel::convergence(&curves, &labels, quantity, &format!("Heavy top: error of {name} at t = 1"))
    });
    Ok(figure::save(&panels, folder, "convergence")?)
}

/// A vector observable over time.
fn observed(history: &[Sample], name: &str) -> Vec<(f64, [f64; 3])> {
    history.iter().filter_map(|sample| Some((sample.t, sample.observable(name).try_into().ok()?))).collect()
}

/// Fig. 2, left and centre: M l Q⁻¹ Γ₀ in space and the components of Q X.
fn short_motion(example: &Example, folder: &Path) -> Result<[PathBuf; 2], Box<dyn Error>> {
    let run = |(group, method, _)| {
        study::history(example, group, &Request::fixed(method, 1.0 / 2048.0, 1.0).every(2))
            .map_err(|error| error.to_string())
    };
    let half = run(METHODS[1])?;
    let path = observed(&half.history, "body_gravity").into_iter().map(|(_, vector)| vector).collect();
    let ends = ["t = 0".to_owned(), "t = 1 s".to_owned()];
    let motion = Motion { title: "M l Q⁻¹ Γ₀, 0 ≤ t ≤ 1 s".to_owned(), ends, path, eye: [30.0, -35.0] };
    let series = observed(&half.history, "axis");
    let series = ["(Q X)₁", "(Q X)₂", "(Q X)₃"].iter().enumerate().map(|(i, label)| Series {
        label: (*label).to_owned(),
        style: i,
        marked: false,
        points: series.iter().map(|(t, vector)| (*t, vector[i])).collect(),
    });
    let panel = Panel {
        title: "Components of Q X, SLGI θ = ½, h = 1/2048 s".to_owned(),
        x: Axis::Linear("time t [s]".to_owned()),
        y: Axis::Linear("Q X".to_owned()),
        series: series.collect(),
        triangles: Vec::new(),
    };
    Ok([motion.save(folder, "body_gravity")?, figure::save(&[panel], folder, "axis")?])
}

/// Fig. 3: 6000 steps of h = 0.01, the error of the energy and M l Q⁻¹ Γ₀.
fn energies(example: &Example, folder: &Path, out: &mut dyn Write) -> Result<[PathBuf; 2], Box<dyn Error>> {
    let methods = [METHODS[1], METHODS[0]];
    let mut panels = Vec::new();
    let mut rows = Vec::new();
    let mut path = Vec::new();
    for (group, method, label) in methods {
        let request = Request::fixed(method, 0.01, 60.0).every(1);
        let run = study::history(example, group, &request).map_err(|error| error.to_string())?;
        let energy = |sample: &Sample| sample.energy.kinetic + sample.energy.potential;
        let initial = run.history.first().map_or(f64::NAN, energy);
        let errors: Vec<(f64, f64)> =
            run.history.iter().map(|sample| (sample.t, (energy(sample) - initial) / initial)).collect();
        let (largest, trend) = (largest(&errors), trend(&errors));
        rows.push(vec![label.to_owned(), format!("{largest:.2e}"), format!("{:.1e}", 60.0 * trend)]);
        if path.is_empty() {
            path = observed(&run.history, "body_gravity").into_iter().map(|(_, vector)| vector).collect();
        }
        panels.push(Panel {
            title: format!("{label}: energy error, h = 0.01 s"),
            x: Axis::Linear("time t [s]".to_owned()),
            y: Axis::Linear("(H − H₀) / H₀".to_owned()),
            series: vec![Series { label: label.to_owned(), style: panels.len(), marked: false, points: errors }],
            triangles: Vec::new(),
        });
    }
    writeln!(out, "\nRelative errors of the energy over 6000 steps of 0.01 s")?;
    writeln!(out, "{}", study::plain_table(&["method", "largest", "trend over the run"], &rows))?;
    let ends = ["t = 0".to_owned(), "t = 60 s".to_owned()];
    let motion = Motion { title: "M l Q⁻¹ Γ₀, 6000 steps of 0.01 s".to_owned(), ends, path, eye: [30.0, -35.0] };
    Ok([figure::save(&panels, folder, "energy")?, motion.save(folder, "body_gravity_long")?])
}

fn largest(errors: &[(f64, f64)]) -> f64 {
    errors.iter().map(|(_, error)| error.abs()).fold(0.0, f64::max)
}

/// The slope of the regression line of |error| over t.
pub fn trend(errors: &[(f64, f64)]) -> f64 {
    let count = errors.len() as f64;
    let mean = |value: fn(&(f64, f64)) -> f64| errors.iter().map(value).sum::<f64>() / count;
    let (time, size) = (mean(|(t, _)| *t), mean(|(_, error)| error.abs()));
    let covariance: f64 = errors.iter().map(|(t, error)| (t - time) * (error.abs() - size)).sum();
    covariance / errors.iter().map(|(t, _)| (t - time) * (t - time)).sum::<f64>()
}

/// The program.
#[allow(dead_code)] // Where the tests include this file.
fn main() -> ExitCode {
    examples::main(&example())
}
