//! A wrong entry in any kernel of any element is detected, and the report contains its location.

use core::cell::Cell;
use core::marker::PhantomData;

use fixtures::random::Random;
use fixtures::systems::chained::{COUNT, chained, chained_example};
use lie_runtime::nalgebra::DVector;
use lie_runtime::prelude::*;
use lie_runtime::scalar::Dual;
use lie_runtime::space::ChainSpace;
use lie_runtime::system::chain::{ElementAssembly, ElementLocation, ElementSystem, ElementVisitor, Structure};
use lie_runtime::system::{
    Assembled, Block, CheckPoint, Contributions, DeclaredKind, DeclaredValue, DerivativeDeviation, Description,
    DualModel, ResidualDerivatives, Summand, Term, derivative_check,
};

type Right = chained::System;
type Lifted = <Right as DualModel>::Lifted;
type Line = chained::Line;

/// The fault.
#[derive(Clone, Copy, Debug)]
struct Fault {
    kernel: &'static str,
    kind: usize,
    element: usize,
    entry: usize,
}

/// A system of which one entry of one kernel of one element is wrong.
struct Wrong {
    right: Right,
    fault: Fault,
    /// True once the entry was computed.
    is_met: Cell<bool>,
}

impl Wrong {
    fn spoil(&self, kernel: &str, kind: usize, place: &ElementLocation<'_>, out: &mut [f64]) {
        let Fault { kernel: faulty, kind: of, element, entry } = self.fault;
        if (kernel, kind, place.element) == (faulty, of, element) && !out.is_empty() {
            out[entry % out.len()] += 1e-6;
            self.is_met.set(true);
        }
    }
}

/// An element of the right system in the wrong one.
struct Spoilt<E>(PhantomData<E>);

macro_rules! kernels {
    ($($kernel:ident($($argument:ident: $type:ident),*) -> $out:ident;)*) => {
        $(
            #[allow(clippy::too_many_arguments)] // Those of the trait.
            fn $kernel(
                system: &Wrong, place: &ElementLocation<'_>, t: f64, q: &Line, $($argument: &Self::$type,)* out: &mut Self::$out,
            ) {
                E::$kernel(&system.right, place, t, q, $($argument,)* out);
                system.spoil(stringify!($kernel), E::KIND, place, out.as_mut_slice());
            }
        )*
    };
}

impl<E: Term<Right, Line>> Term<Wrong, Line> for Spoilt<E>
where
    E::Vector: Block<f64>,
{
    type Vector = E::Vector;
    type Rows = E::Rows;
    type Matrix = E::Matrix;
    type Jacobian = E::Jacobian;

    const KIND: usize = E::KIND;
    const SLOTS: &'static [usize] = E::SLOTS;
    const SEGMENTS: &'static [usize] = E::SEGMENTS;
    const HOLONOMIC_ROWS: usize = E::HOLONOMIC_ROWS;
    const CONTRIBUTIONS: Contributions = E::CONTRIBUTIONS;

    kernels! {
        mass_matrix() -> Matrix;
        force(v: Vector) -> Vector;
        constraint() -> Rows;
        constraint_jacobian() -> Jacobian;
        constraint_drift() -> Rows;
        constraint_curvature(v: Vector) -> Rows;
        residual(v: Vector, acceleration: Vector, multipliers: Rows) -> Vector;
        tangent_stiffness(v: Vector, acceleration: Vector, multipliers: Rows) -> Matrix;
        tangent_damping(v: Vector) -> Matrix;
        rate_gradient(v: Vector) -> Jacobian;
    }

    fn kinetic_energy(system: &Wrong, place: &ElementLocation<'_>, t: f64, q: &Line, v: &Self::Vector) -> f64 {
        let mut energy = [E::kinetic_energy(&system.right, place, t, q, v)];
        system.spoil("kinetic_energy", E::KIND, place, &mut energy);
        energy[0]
    }
    fn potential_energy(system: &Wrong, place: &ElementLocation<'_>, t: f64, q: &Line) -> f64 {
        let mut energy = [E::potential_energy(&system.right, place, t, q)];
        system.spoil("potential_energy", E::KIND, place, &mut energy);
        energy[0]
    }
}

/// Returns the elements of the correct system as elements of the wrong system.
struct Shown<'a, V>(&'a mut V);

impl<V: ElementVisitor<Wrong>> ElementVisitor<Right> for Shown<'_, V> {
    fn element<E: Term<Right>>(&mut self) {
        self.0.element::<Spoilt<E>>();
    }
}

impl Assembled for Wrong {
    type Scalar = f64;
    type Configuration = Line;
    type Assembly = ElementAssembly;

    fn description(&self) -> &Description {
        Assembled::description(&self.right)
    }
}

impl ElementSystem for Wrong {
    type Dynamics = lie_runtime::system::chain::ElementDynamics;

    fn chain_space(&self) -> &ChainSpace<Line> {
        self.right.chain_space()
    }
    fn structure(&self) -> &Structure<f64> {
        self.right.structure()
    }
    fn visit<V: ElementVisitor<Self>>(&self, visitor: &mut V) {
        self.right.visit(&mut Shown(visitor));
    }
}

/// The rate gradient of one term, by the visitor of the wrong system.
struct RateGradient<'a> {
    system: &'a Wrong,
    kind: usize,
    place: ElementLocation<'a>,
    at: (f64, &'a Line, &'a DVector<f64>),
    out: &'a mut [f64],
}

impl ElementVisitor<Wrong> for RateGradient<'_> {
    fn element<E: Term<Wrong>>(&mut self) {
        if E::KIND != self.kind {
            return;
        }
        let (t, q, v) = self.at;
        let (mut own, mut local) = (E::Vector::zeros(), E::Jacobian::zeros());
        let mut components = own.as_mut_slice().iter_mut();
        for (&size, &offset) in E::SLOTS.iter().zip(self.place.offsets) {
            for (at, component) in components.by_ref().take(size).enumerate() {
                *component = v[offset + at];
            }
        }
        E::rate_gradient(self.system, &self.place, t, q, &own, &mut local);
        self.out.copy_from_slice(local.as_slice());
    }
}

type Dv = DVector<Dual<f64>>;
type LiftedLine = chained::Line<Dual<f64>>;

impl DualModel for Wrong {
    type Lifted = Lifted;

    fn lift(&self) -> Lifted {
        self.right.lift()
    }
    fn lift_configuration(&self, q: &Line) -> LiftedLine {
        self.right.lift_configuration(q)
    }
    fn lift_velocity(&self, v: &DVector<f64>) -> Dv {
        self.right.lift_velocity(v)
    }
    fn linearised(&self, at: CheckPoint<'_, Self>) -> Option<ResidualDerivatives<f64>> {
        Some(ResidualDerivatives::of(self, &at))
    }
    fn terms(&self) -> Vec<Summand> {
        self.right.terms()
    }
    fn component_name(&self, component: usize) -> String {
        self.right.component_name(component)
    }
    fn rate_gradient(&self, term: usize, t: f64, q: &Line, v: &DVector<f64>, out: &mut [f64]) {
        let (kind, index) = place_of(self, term);
        let place = self.structure().layout().kinds[kind].place(index);
        self.visit(&mut RateGradient { system: self, kind, place, at: (t, q, v), out });
    }
    fn quantity_rates(&self, term: usize, t: f64, q: &Line, v: &DVector<f64>, visit: &mut dyn FnMut(&[f64])) {
        let (kind, index) = place_of(self, term);
        let place = self.structure().layout().kinds[kind].place(index);
        self.right.quantity_rates(term, t, q, v, &mut |rate| {
            let mut rate = rate.to_vec();
            self.spoil("quantity_rates", kind, &place, &mut rate);
            visit(&rate);
        });
    }
    fn declared_values(
        lifted: &Lifted,
        wanted: DeclaredKind,
        term: usize,
        state: (Dual<f64>, &LiftedLine, &Dv),
        visit: &mut dyn FnMut(DeclaredValue<'_, Dual<f64>>),
    ) {
        Right::declared_values(lifted, wanted, term, state, visit);
    }
}

/// The kind and the number of a term.
fn place_of(system: &impl ElementSystem, mut term: usize) -> (usize, usize) {
    for (number, kind) in system.structure().layout().kinds.iter().enumerate() {
        if term < kind.count {
            return (number, term);
        }
        term -= kind.count;
    }
    panic!("there is no such term");
}

/// Each kernel of elements, and the comparison that looks at it.
const KERNELS: [(&str, &str); 13] = [
    ("mass_matrix", "mass_matrix"),
    ("force", "force"),
    ("constraint", "constraint"),
    ("constraint_jacobian", "constraint_jacobian"),
    ("constraint_drift", "constraint_rate"),
    ("constraint_curvature", "constraint_curvature"),
    ("residual", "residual"),
    ("tangent_stiffness", "tangent_stiffness"),
    ("tangent_damping", "tangent_damping"),
    ("rate_gradient", "rate_gradient"),
    ("kinetic_energy", "kinetic_energy"),
    ("potential_energy", "potential_energy"),
    ("quantity_rates", "quantity_rates"),
];

fn report(system: &Wrong, random: &mut Random) -> Vec<DerivativeDeviation> {
    let mut vector = |count| DVector::from_fn(count, |_, _| random.number());
    let structure = system.structure().layout();
    let (v, acceleration, multipliers) = (vector(structure.dof), vector(structure.dof), vector(structure.rows));
    let frames = (0..COUNT).map(|_| S3R3::new(S3::exp(&(0.8 * random.vector::<3>())), random.vector())).collect();
    let q = Line { rail: random.vector(), frames };
    let at = CheckPoint { t: random.number(), q: &q, v: &v, acceleration: &acceleration, multipliers: &multipliers };
    derivative_check(system, at)
}

#[test]
fn every_wrong_entry_is_found() {
    let (right, ..) = chained_example();
    let terms = right.terms();
    let mut random = Random::new(1);
    let fault = Fault { kernel: "none", kind: 0, element: 0, entry: 0 };
    let mut system = Wrong { right, fault, is_met: Cell::new(false) };
    for entry in report(&system, &mut random) {
        assert!(entry.deviation < 1e-12, "{entry:?}");
    }
    let mut found = 0;
    for (kernel, comparison) in KERNELS {
        let mut of_kernel = 0;
        for (term, own) in terms.iter().enumerate() {
            let (kind, element) = place_of(&system, term);
            let is_inner = element > 0 && element + 1 < system.structure().layout().kinds[kind].count;
            let is_of_rows = kernel.starts_with("constraint") || kernel == "rate_gradient";
            if is_inner || (is_of_rows && own.rows.is_empty()) {
                continue;
            }
            system.fault = Fault { kernel, kind, element, entry: 7 * term + 2 };
            system.is_met.set(false);
            let report = report(&system, &mut random);
            // Loops leave out what is never there.
            if !system.is_met.get() {
                continue;
            }
            let worst = report.iter().find(|entry| entry.kernel == comparison).unwrap();
            assert!(worst.deviation > 1e-10, "{:?}: {worst:?}", system.fault);
            if !comparison.ends_with("energy") {
                assert!(worst.entry.contains(&own.name), "{:?}: {worst:?}", system.fault);
            }
            of_kernel += 1;
        }
        assert!(of_kernel > 0, "nothing was wrong in {kernel}");
        found += of_kernel;
    }
    println!("{found} wrong entries found");
}
