//! Measures the cost of gradients: `cargo bench -p lie-runtime --bench gradients`.
//!
//! The output is a table with the minimum times of a run, of the gradient of a final position including its run, and their ratio, in
//! milliseconds. The systems are the heavy top of paper 1 on SO(3) × R³ with every method, and two rods on ball joints, whose mass matrix
//! depends on q. The third system is a clamped rod, with stiffnesses shared by all edges and with six stiffnesses for each edge.
//!
//! The arguments `-- rattlie 10` compute ten gradients of the top with this method only, for `valgrind --tool=callgrind`. The arguments `--
//! rod:hedop5 1` do the same for the rod with stiffnesses of each edge. The word `run` after them selects runs instead of gradients.
//!
//! `-- unconstrained` prints the gradient of this top on SO(3), for a comparison with `unconstrained_top/by_casadi.py`.
//!
//! `-- long 10000000` computes the gradient of an oscillator over this number of steps within 16 MiB and prints the peak memory (Linux).

mod changing_mass;
mod unconstrained_top;

use std::time::{Duration, Instant};

use lie_runtime::gradient::{Adjoint, Objective};
use lie_runtime::nalgebra::DVector;
use lie_runtime::prelude::*;
use lie_runtime::simulate::Limits;
use lie_runtime::system::{Reverse, TangentSystem};

/// The heavy top.
#[mechanical_system(gradients)]
pub mod top {
    use lie_runtime::prelude::*;

    /// The body.
    #[configuration]
    pub struct Body {
        /// The attitude of the body in space.
        pub attitude: SO3,
        /// The position of the centre of mass.
        pub position: R3,
    }

    /// Its data.
    #[parameters]
    pub struct Top {
        /// The mass.
        pub mass: f64,
        /// The inertia about the centre of mass.
        pub inertia: Matrix3<f64>,
        /// The centre of mass relative to the fixed point.
        pub center: Vector3<f64>,
        /// The gravitational acceleration.
        pub gravity: Vector3<f64>,
    }

    #[kinetic_energy]
    fn kinetic(top: &Top, v: &Velocity) -> f64 {
        0.5 * top.mass * v.position.norm_squared() + 0.5 * v.attitude.dot(&(top.inertia * v.attitude))
    }

    #[potential]
    fn weight(top: &Top, q: &Body) -> f64 {
        -top.mass * top.gravity.dot(&q.position)
    }

    #[constraint]
    fn pivot(top: &Top, q: &Body) -> Vector3<f64> {
        q.attitude.inverse() * q.position - top.center
    }
}

/// A mass on a spring.
#[mechanical_system(gradients)]
pub mod oscillator {
    use lie_runtime::prelude::*;

    /// The mass.
    #[configuration]
    pub struct Place {
        /// The displacement from the rest position of the spring.
        pub x: f64,
    }

    /// Its data.
    #[parameters]
    pub struct Spring {
        /// The mass.
        pub mass: f64,
        /// The stiffness.
        pub stiffness: f64,
    }

    #[kinetic_energy]
    fn kinetic(spring: &Spring, v: &Velocity) -> f64 {
        0.5 * spring.mass * v.x * v.x
    }

    #[potential]
    fn elastic(spring: &Spring, q: &Place) -> f64 {
        0.5 * spring.stiffness * q.x * q.x
    }
}

/// Declares a rod with this access to the stiffness.
macro_rules! rod {
    ($(#[$documentation:meta])* $name:ident, $stiffness:ty, |$data:ident, $index:ident| $read:expr) => {
        $(#[$documentation])*
        #[mechanical_system(gradients)]
        pub mod $name {
            use lie_runtime::prelude::*;

            /// The frames of the nodes.
            #[configuration]
            pub struct Rod {
                /// Their third axes are along the rod.
                #[clamped(first)]
                pub nodes: Vec<S3R3>,
            }

            /// The strain of an edge.
            #[derive(Clone, Copy)]
            pub struct Stiffness {
                /// Bending and torsion.
                pub bending: Vector3<f64>,
                /// Shear and stretch.
                pub stretching: Vector3<f64>,
            }

            /// Its data.
            #[parameters]
            pub struct Section {
                /// The length of an edge.
                pub edge: f64,
                /// Mass of a node.
                pub mass: f64,
                /// Rotary inertia of a node.
                pub inertia: Vector3<f64>,
                /// The stiffness.
                pub stiffness: $stiffness,
            }

            #[kinetic_energy(over = nodes)]
            fn kinetic(rod: &Section, v: &Vector6<f64>) -> f64 {
                let (angular, linear) = (v.angular(), v.linear());
                0.5 * (rod.mass * linear.norm_squared() + angular.dot(&rod.inertia.component_mul(&angular)))
            }

            #[potential(over = nodes.windows(2))]
            fn elastic($data: &Section, $index: usize, [a, b]: [&S3R3; 2]) -> f64 {
                let stiffness = $read;
                let strain = (a.inverse() * b).log() / $data.edge;
                let (curvature, stretch) = (strain.angular(), strain.linear() - Vector3::new(0.0, 0.0, 1.0));
                0.5 * $data.edge
                    * (curvature.dot(&stiffness.bending.component_mul(&curvature))
                        + stretch.dot(&stiffness.stretching.component_mul(&stretch)))
            }

            #[potential(over = nodes)]
            fn weight(rod: &Section, node: &S3R3) -> f64 {
                9.81 * rod.mass * node.translation.z
            }
        }
    };
}

rod!(
    /// The same stiffness everywhere.
    uniform, Stiffness, |rod, _index| &rod.stiffness);
rod!(
    /// Stiffnesses of each edge.
    graded, Vec<Stiffness>, |rod, index| &rod.stiffness[index]);

/// The number of edges of the rods; six stiffnesses for each give ten thousand parameters.
const EDGES: usize = 1667;
/// The lengths, masses and rotary inertias.
const EDGE: (f64, f64, Vector3<f64>) = (0.01, 0.01, Vector3::new(1e-5, 1e-5, 2e-5));
/// The stiffnesses of bending and torsion, of shear and stretch.
const STIFFNESS: [Vector3<f64>; 2] = [Vector3::new(1.0, 1.0, 0.8), Vector3::new(40.0, 40.0, 60.0)];
/// The minimum duration of a measurement.
const SPAN: Duration = Duration::from_millis(1500);

/// Returns the minimum of several times, in milliseconds.
fn least(mut work: impl FnMut()) -> f64 {
    let (begin, mut least) = (Instant::now(), f64::INFINITY);
    work();
    // At least once, because the first call on a busy machine can exceed the total duration.
    loop {
        let clock = Instant::now();
        work();
        least = least.min(clock.elapsed().as_secs_f64());
        if begin.elapsed() >= SPAN {
            return 1e3 * least;
        }
    }
}

/// A run with its objective.
struct Case<'a, M: Reverse<Scalar = f64> + TangentSystem + 'static> {
    name: &'static str,
    system: &'a M,
    start: (M::Configuration, M::Velocity),
    step: f64,
    end: f64,
    objective: Objective<'a, M>,
}

impl<M: Reverse<Scalar = f64> + TangentSystem + 'static> Case<'_, M> {
    fn simulation(&self) -> Simulation<'_, M> {
        let (q, v) = self.start.clone();
        Simulation::of(self.system).initial(q, v).without_declaration_check().step(self.step).end_time(self.end)
    }

    fn run<I: Adjoint<M>>(&self, method: I) {
        self.simulation().method(method).run().unwrap_or_else(|error| panic!("{error}"));
    }

    fn gradient<I: Adjoint<M>>(&self, method: I) -> usize {
        let gradient = self.simulation().method(method).gradient_of(&self.objective);
        gradient.unwrap_or_else(|error| panic!("{error}")).parameters.len()
    }

    fn line<I: Adjoint<M> + Clone>(&self, id: &str, method: &I) {
        let parameters = self.gradient(method.clone());
        let run = least(|| self.run(method.clone()));
        let gradient = least(|| {
            self.gradient(method.clone());
        });
        let ratio = gradient / run;
        println!("| {} | `{id}` | {parameters} | {run:.2} | {gradient:.2} | {ratio:.2} |", self.name);
    }
}

/// Mass, inertia, centre of mass and gravity of both tops.
const TOP: (f64, Matrix3<f64>, Vector3<f64>, Vector3<f64>) = (
    15.0,
    Matrix3::new(0.25, 0.01, 0.0, 0.01, 0.47, 0.02, 0.0, 0.02, 0.23),
    Vector3::new(0.0, 1.0, 0.0),
    Vector3::new(0.0, 0.0, -9.81),
);

fn top() -> top::System {
    let (mass, inertia, center, gravity) = TOP;
    top::System::new(top::Top { mass, inertia, center, gravity }).expect("a top")
}

fn of_top(system: &top::System) -> Case<'_, top::System> {
    let q = top::Body { attitude: SO3::identity(), position: Vector3::y() };
    let v = Vector6::new(0.0, 150.0, -4.61538, 4.61538, 0.0, 0.0);
    let objective = Objective::<top::System>::new().at_end(|state| state.configuration.position.x);
    Case { name: "top", system, start: (q, v), step: 1e-3, end: 1.0, objective }
}

/// Straight, released from rest.
fn nodes() -> Vec<S3R3> {
    (0..=EDGES).map(|at| S3R3::new(S3::identity(), Vector3::new(0.0, 0.0, at as f64 * 0.01))).collect()
}

macro_rules! of_rod {
    ($name:ident, $system:expr) => {
        Case {
            name: stringify!($name),
            system: $system,
            start: ($name::Rod { nodes: nodes() }, DVector::zeros(6 * EDGES)),
            step: 2e-4,
            end: 4e-3,
            objective: Objective::<$name::System>::new().at_end(|state| state.configuration.nodes[EDGES].translation.z),
        }
    };
}

/// Computes a gradient over many steps and a run without storage for comparison.
fn long(steps: u64) {
    let system = oscillator::System::new(oscillator::Spring { mass: 1.0, stiffness: 4.0 }).expect("an oscillator");
    let end = 1e-3 * steps as f64;
    let start = || Simulation::of(&system).initial(oscillator::Place { x: 1.0 }, Vector1::new(0.0)).step(1e-3);
    let run = start().end_time(end).limits(Limits::default().steps(u64::MAX).bytes(1 << 24));
    let clock = Instant::now();
    start().end_time(end).output_every(usize::MAX).run().unwrap_or_else(|error| panic!("{error}"));
    let (of_run, clock) = (clock.elapsed(), Instant::now());
    let objective = Objective::<oscillator::System>::new().at_end(|state| state.configuration.x);
    let gradient = run.gradient_of(&objective).unwrap_or_else(|error| panic!("{error}"));
    println!("run {of_run:.1?}, gradient {:.1?}, {} states kept", clock.elapsed(), gradient.trajectory.states.len());
    // x = cos(ω t), ω = 2: the derivative with respect to k is −t sin(ω t) / 2ω.
    let (own, exact) = (gradient.by("stiffness").expect("a stiffness"), -0.25 * end * (2.0 * end).sin());
    println!(
        "derivative with respect to the stiffness {own}, error {:.1e} relative to the amplitude of the closed form",
        (own - exact).abs() / (0.25 * end)
    );
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    println!("{}", status.lines().find(|line| line.starts_with("VmHWM")).unwrap_or("peak memory is not available"));
}

fn uniform_rod() -> uniform::System {
    let ((edge, mass, inertia), [bending, stretching]) = (EDGE, STIFFNESS);
    let stiffness = uniform::Stiffness { bending, stretching };
    let section = uniform::Section { edge, mass, inertia, stiffness };
    uniform::System::new(section, uniform::Lengths { nodes: EDGES + 1 }).expect("a rod")
}

fn graded_rod() -> graded::System {
    let ((edge, mass, inertia), [bending, stretching]) = (EDGE, STIFFNESS);
    let stiffness = vec![graded::Stiffness { bending, stretching }; EDGES];
    let section = graded::Section { edge, mass, inertia, stiffness };
    graded::System::new(section, graded::Lengths { nodes: EDGES + 1 }).expect("a rod")
}

fn main() {
    let top = top();
    let top = of_top(&top);
    let rods = changing_mass::system();
    let rods = changing_mass::case(&rods);
    let graded_rod = graded_rod();
    let graded = of_rod!(graded, &graded_rod);
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    if arguments == ["unconstrained"] {
        return unconstrained_top::tell();
    }
    if let [what, count, rest @ ..] = &*arguments {
        let count: u64 = count.parse().expect("a number");
        if what == "long" {
            return long(count);
        }
        macro_rules! each {
            ($($id:literal: $case:ident $method:expr),*) => {
                match &**what {
                    $($id => for _ in 0..count {
                        if rest.is_empty() { $case.gradient($method); } else { $case.run($method) }
                    })*
                    other => panic!("no method `{other}`"),
                }
            };
        }
        return each!(
            "hedop5": top HalfExplicit::hedop5(), "rkmk4": top OnMechanical(MuntheKaas::rkmk4()),
            "lie_alpha": top GeneralizedAlpha::lie_alpha(), "rattlie": top Rattlie::new(), "rods:rattlie": rods Rattlie::new(),
            "rod:hedop5": graded HalfExplicit::hedop5(), "rod:lie_alpha": graded GeneralizedAlpha::lie_alpha()
        );
    }
    println!("| system | method | parameters | run [ms] | gradient [ms] | ratio |");
    println!("|---|---|---|---|---|---|");
    top.line("hedop5", &HalfExplicit::hedop5());
    top.line("rkmk4", &OnMechanical(MuntheKaas::rkmk4()));
    top.line("lie_alpha", &GeneralizedAlpha::lie_alpha());
    top.line("tr_bdf2", &TrBdf2::new());
    top.line("rattlie", &Rattlie::new());
    rods.line("lie_alpha", &GeneralizedAlpha::lie_alpha());
    rods.line("rattlie", &Rattlie::new());
    let uniform_rod = uniform_rod();
    let uniform = of_rod!(uniform, &uniform_rod);
    uniform.line("hedop5", &HalfExplicit::hedop5());
    graded.line("hedop5", &HalfExplicit::hedop5());
    uniform.line("lie_alpha", &GeneralizedAlpha::lie_alpha());
    graded.line("lie_alpha", &GeneralizedAlpha::lie_alpha());
}
