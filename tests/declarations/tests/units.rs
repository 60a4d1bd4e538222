//! A motion does not depend on the units of length, mass and time: thresholds are relative to the scale of the system.

use lie_runtime::analysis::Equilibrium;
use lie_runtime::nalgebra::SVector;
use lie_runtime::prelude::*;

/// Two bobs, one on a rod and one on a spring, and a slider that a velocity constraint ties to them.
#[mechanical_system]
mod web {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Web {
        pub first: R2,
        pub second: R2,
        pub slider: f64,
    }

    #[parameters]
    pub struct Data {
        pub mass: f64,
        pub length: f64,
        pub stiffness: f64,
        pub gravity: f64,
        pub damping: f64,
    }

    #[kinetic_energy]
    fn kinetic(p: &Data, q: &Web, v: &Velocity) -> f64 {
        let bobs = v.first.norm_squared() + v.second.norm_squared();
        0.5 * p.mass * (bobs + (1.0 + (q.slider / p.length).powi(2)) * v.slider * v.slider)
    }

    #[potential]
    fn stored(p: &Data, q: &Web) -> f64 {
        let stretch = (q.second - q.first).norm() - p.length;
        let off = q.slider - q.second.x;
        p.mass * p.gravity * (q.first.y + q.second.y)
            + 0.5 * p.stiffness * (stretch * stretch + off * off + off.powi(4) / (p.length * p.length))
    }

    #[dissipation]
    fn drag(p: &Data, v: &Velocity) -> f64 {
        0.5 * p.damping * v.second.norm_squared()
    }

    #[constraint]
    fn rod(p: &Data, q: &Web) -> f64 {
        q.first.norm() - p.length
    }

    #[velocity_constraint]
    fn tied(p: &Data, q: &Web, v: &Velocity) -> f64 {
        v.slider - 0.3 * v.second.x - 0.1 * q.second.y / p.length * v.first.y
    }
}
use web::{Data, System, Web};

/// The units of length, mass and time.
#[derive(Clone, Copy, Debug)]
struct Units {
    length: f64,
    mass: f64,
    time: f64,
}

const USUAL: Units = Units { length: 1.0, mass: 1.0, time: 1.0 };
const OTHERS: [Units; 8] = [
    Units { length: 1e-9, ..USUAL },
    Units { length: 1e-12, ..USUAL },
    Units { length: 1e6, ..USUAL },
    Units { mass: 1e-20, ..USUAL },
    Units { mass: 1e20, ..USUAL },
    Units { time: 1e-12, ..USUAL },
    Units { time: 1e9, ..USUAL },
    Units { length: 1e-10, mass: 1e-25, time: 1e-13 },
];

impl Units {
    fn system(self) -> System {
        let Units { length, mass, time } = self;
        let data = Data {
            mass: 1.3 * mass,
            length: 0.7 * length,
            stiffness: 30.0 * mass / (time * time),
            gravity: 9.81 * length / (time * time),
            damping: 0.3 * mass / time,
        };
        System::new(data).expect("a web")
    }

    /// A start that is off both constraints.
    fn start(self) -> (Web, SVector<f64, 5>) {
        let place = |x, y| Vector2::new(x, y) * self.length;
        let q = Web { first: place(0.7, 0.001), second: place(1.2, -0.6), slider: 0.2 * self.length };
        (q, SVector::from([0.0, 0.3, 0.4, 0.2, 0.1]) * (self.length / self.time))
    }

    /// A state in usual units.
    fn read(self, state: &State<System>) -> SVector<f64, 12> {
        let q = state.configuration.log() / self.length;
        let v = state.velocity * (self.time / self.length);
        let forces = state.multipliers * (self.time * self.time / (self.mass * self.length));
        SVector::from_iterator(q.iter().chain(&v).chain(&forces).copied())
    }

    fn run(self, method: &str) -> SVector<f64, 12> {
        let (system, (q, v)) = (self.system(), self.start());
        let start = Simulation::of(&system).initial(q, v).max_initial_correction(f64::INFINITY);
        let run = start.method_named(method).expect(method).step(0.01 * self.time).end_time(0.5 * self.time);
        let run = run.run().unwrap_or_else(|error| panic!("{method} in {self:?}: {error}"));
        let start = &run.states[0];
        let rod = start.configuration.first.norm() / system.parameters().length - 1.0;
        assert!(rod.abs() < 1e-14, "{method} in {self:?} starts {rod:e} off its rod");
        self.read(run.last())
    }
}

#[test]
fn runs_are_the_same_in_all_units() {
    for method in ["hedop5", "rkmk4", "lie_alpha", "lie_alpha_stab2", "rattlie", "bliedf2", "tr_bdf2", "radau_iia5"] {
        let usual = USUAL.run(method);
        for units in OTHERS {
            let deviation = (units.run(method) - usual).amax();
            assert!(deviation < 1e-8 * usual.amax(), "{method} in {units:?}: {deviation:e}");
        }
    }
}

#[test]
fn equilibria_are_the_same_in_all_units() {
    let find = |units: Units| {
        let system = units.system();
        let found = Equilibrium::of(&system).guess(units.start().0).solve();
        let found = found.unwrap_or_else(|error| panic!("in {units:?}: {error}"));
        units.read(&found.state)
    };
    let usual = find(USUAL);
    for units in OTHERS {
        let other = find(units);
        assert!((other - usual).amax() < 1e-9 * usual.amax(), "in {units:?}: {other} instead of {usual}");
    }
}

/// Coordinates relative to the position of a structure of size 1 are small, with the round-off of the structure.
#[mechanical_system]
mod mast {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Mast {
        #[clamped(first)]
        pub displacements: Vec<R2>,
    }

    #[parameters]
    pub struct Data {
        pub load: f64,
    }

    #[kinetic_energy(over = displacements)]
    fn kinetic(v: &Vector2<f64>) -> f64 {
        0.5 * v.norm_squared()
    }

    #[potential(over = displacements.windows(2))]
    fn elastic([a, b]: [&R2; 2]) -> f64 {
        let edge = Vector2::new(0.3, 0.4) + b - a;
        0.5 * 1e6 * (edge.norm() - 0.5).powi(2) + 0.5 * (b.x - a.x).powi(2)
    }

    #[potential(over = displacements.last())]
    fn pulled(p: &Data, x: &R2) -> f64 {
        -p.load * x.x
    }
}

#[test]
fn displacements_from_where_nothing_is_displaced_come_to_rest() {
    let lengths = mast::Lengths { displacements: 12 };
    for load in [0.0, 1e-9, 1e-3, 1.0] {
        let system = mast::System::new(mast::Data { load }, lengths).expect("a mast");
        let unloaded = mast::Mast { displacements: vec![R2::zeros(); 12] };
        let found = Equilibrium::of(&system).guess(unloaded).solve().expect("an equilibrium");
        assert!(found.force < 1e-8 + 1e-8 * load, "{load}: {}", found.force);
        // Found again where it is.
        let again = Equilibrium::of(&system).restart_from(&found).solve().expect("the same");
        let there = |state: &State<mast::System>| state.configuration.displacements[11].x;
        assert!((there(&again.state) - there(&found.state)).abs() < 1e-9 * (1.0 + load), "{load}");
        for method in ["lie_alpha", "tr_bdf2", "bliedf2", "rattlie", "gauss4"] {
            let start = Simulation::of(&system).initial(found.state.configuration.clone(), system.zero_velocity());
            let run = start.method_named(method).expect(method).step(1e-4).end_time(2e-3).run();
            let run = run.unwrap_or_else(|error| panic!("{method}, {load}: {error}"));
            let moved = there(run.last()) - there(&found.state);
            assert!(moved.abs() < 1e-9, "{method}, {load}: {moved:e}");
        }
    }
}
