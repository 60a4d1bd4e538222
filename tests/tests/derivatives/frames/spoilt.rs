//! Wrong entries in every kernel of a recursion of frames, each of which the comparison has to find.

use core::cell::Cell;
use core::marker::PhantomData;

use fixtures::random::Random;
use fixtures::systems::linkages::planar;
use lie_runtime::nalgebra::DVector;
use lie_runtime::prelude::*;
use lie_runtime::scalar::Dual;
use lie_runtime::space::ChainSpace;
use lie_runtime::system::chain::{
    ElementAssembly, ElementSystem, ElementVisitor, FrameElementVisitor, FrameMotion, Frames, Link, Structure,
    TreeDynamics,
};
use lie_runtime::system::{
    Assembled, CheckPoint, DeclaredKind, DeclaredValue, DerivativeDeviation, Description, DualModel,
    ResidualDerivatives, Summand, Term,
};

use super::{TOLERANCE, several};

const LINKS: usize = 3;

type Right = planar::System;
type Chain = planar::Chain;
type Lifted = <Right as DualModel>::Lifted;
type LiftedChain = planar::Chain<Dual<f64>>;
type Dv = DVector<Dual<f64>>;

/// The recursion of a system.
trait Recursive {
    type Recursion;
}

impl<F> Recursive for TreeDynamics<F> {
    type Recursion = F;
}

type Recursion = <<Right as ElementSystem>::Dynamics as Recursive>::Recursion;
type FrameOf = <Recursion as Frames<Right>>::Frame;
type VectorOf = <Recursion as Frames<Right>>::Vector;
type MatrixOf = <Recursion as Frames<Right>>::Matrix;
type MemberOf = <Recursion as Frames<Right>>::Member;
type MemberMatrixOf = <Recursion as Frames<Right>>::MemberMatrix;
type MixedOf = <Recursion as Frames<Right>>::Mixed;
type JacobianOf = <Recursion as Frames<Right>>::Jacobian;
type TangentsOf = <Recursion as Frames<Right>>::Tangents;

/// A chain of which one entry of one kernel of one frame is wrong.
struct Wrong {
    right: Right,
    kernel: &'static str,
    index: usize,
    entry: usize,
    is_met: Cell<bool>,
}

impl Wrong {
    fn spoil(&self, kernel: &str, place: &Link, out: &mut [f64]) {
        if (kernel, place.index) == (self.kernel, self.index) {
            out[self.entry % out.len()] += 1e-6;
            self.is_met.set(true);
        }
    }
}

#[derive(Clone, Debug)]
struct Spoilt;

impl Frames<Wrong> for Spoilt {
    type Frame = FrameOf;
    type Vector = VectorOf;
    type Matrix = MatrixOf;
    type Member = MemberOf;
    type MemberMatrix = MemberMatrixOf;
    type Mixed = MixedOf;
    type Jacobian = JacobianOf;
    type Tangents = TangentsOf;

    const FIELDS: &'static [usize] = <Recursion as Frames<Right>>::FIELDS;
    const FRAME: usize = <Recursion as Frames<Right>>::FRAME;
    const MEMBER: usize = <Recursion as Frames<Right>>::MEMBER;
    const HAS_INERTIA: bool = <Recursion as Frames<Right>>::HAS_INERTIA;
    const HAS_FRAME_ELEMENTS: bool = false;
    const HAS_DRIFT: bool = <Recursion as Frames<Right>>::HAS_DRIFT;

    fn visit_frame_elements<V: FrameElementVisitor<Wrong, Self>>(_: &Wrong, _: &mut V) {}

    fn origin(system: &Wrong, t: f64) -> FrameMotion<FrameOf, VectorOf> {
        Recursion::origin(&system.right, t)
    }
    fn direction(q: &Chain, place: &Link) -> Option<[f64; 3]> {
        <Recursion as Frames<Right>>::direction(q, place)
    }
    fn frame(system: &Wrong, place: &Link, t: f64, q: &Chain, above: &FrameOf) -> FrameOf {
        let mut frame = Recursion::frame(&system.right, place, t, q, above);
        system.spoil("frame", place, frame.translation.as_mut_slice());
        frame
    }
    fn motion(
        system: &Wrong,
        place: &Link,
        t: f64,
        q: &Chain,
        above: &FrameMotion<FrameOf, VectorOf>,
        v: &MemberOf,
        acceleration: &MemberOf,
    ) -> FrameMotion<FrameOf, VectorOf> {
        let mut motion = Recursion::motion(&system.right, place, t, q, above, v, acceleration);
        system.spoil("motion: frame", place, motion.frame.translation.as_mut_slice());
        system.spoil("motion: velocity", place, motion.velocity.as_mut_slice());
        system.spoil("motion: acceleration", place, motion.acceleration.as_mut_slice());
        motion
    }
    fn push(system: &Wrong, place: &Link, t: f64, q: &Chain, above: &FrameOf, u: &VectorOf, v: &MemberOf) -> VectorOf {
        let mut pushed = Recursion::push(&system.right, place, t, q, above, u, v);
        system.spoil("push", place, pushed.as_mut_slice());
        pushed
    }
    fn pull(system: &Wrong, place: &Link, t: f64, q: &Chain, above: &FrameOf, w: &VectorOf) -> (VectorOf, MemberOf) {
        let (mut above, mut own) = Recursion::pull(&system.right, place, t, q, above, w);
        system.spoil("pull: above", place, above.as_mut_slice());
        system.spoil("pull: own", place, own.as_mut_slice());
        (above, own)
    }
    fn size(place: &Link) -> [usize; 2] {
        <Recursion as Frames<Right>>::size(place)
    }
    // Of points of the sphere: `tests/mechanisms` has them.
    fn to_tangent_basis(place: &Link, q: &Chain, jacobian: &JacobianOf, given: &MemberOf) -> MemberOf {
        <Recursion as Frames<Right>>::to_tangent_basis(place, q, jacobian, given)
    }
    fn from_tangent_basis(place: &Link, q: &Chain, jacobian: &JacobianOf, given: &MemberOf) -> MemberOf {
        <Recursion as Frames<Right>>::from_tangent_basis(place, q, jacobian, given)
    }
    fn transport(
        system: &Wrong,
        place: &Link,
        t: f64,
        q: &Chain,
        above: &FrameOf,
        inertia: &MatrixOf,
    ) -> (MatrixOf, MixedOf, MemberMatrixOf, JacobianOf) {
        let (mut moved, mut mixed, mut block, mut jacobian) =
            Recursion::transport(&system.right, place, t, q, above, inertia);
        // Of symmetric matrices one triangle is read.
        for (kernel, out) in [("transport: moved", moved.as_mut_slice()), ("transport: block", block.as_mut_slice())] {
            let diagonal = 4 * (system.entry % 3);
            system.spoil(kernel, place, &mut out[diagonal..=diagonal]);
        }
        system.spoil("transport: mixed", place, mixed.as_mut_slice());
        system.spoil("transport: jacobian", place, jacobian.as_mut_slice());
        (moved, mixed, block, jacobian)
    }
    fn push_along(system: &Wrong, place: &Link, jacobian: &JacobianOf, u: &VectorOf, v: &MemberOf) -> VectorOf {
        let mut pushed = Recursion::push_along(&system.right, place, jacobian, u, v);
        system.spoil("push_along", place, pushed.as_mut_slice());
        pushed
    }
    fn pull_along(system: &Wrong, place: &Link, jacobian: &JacobianOf, w: &VectorOf) -> (VectorOf, MemberOf) {
        let (mut above, mut own) = Recursion::pull_along(&system.right, place, jacobian, w);
        system.spoil("pull_along: above", place, above.as_mut_slice());
        system.spoil("pull_along: own", place, own.as_mut_slice());
        (above, own)
    }
    // Of loops: `tests/mechanisms` has them.
    fn transport_skew(
        system: &Wrong,
        place: &Link,
        jacobian: &JacobianOf,
        skew: &MatrixOf,
    ) -> (MatrixOf, MixedOf, MemberMatrixOf) {
        Recursion::transport_skew(&system.right, place, jacobian, skew)
    }
    fn tangents(
        system: &Wrong,
        place: &Link,
        t: f64,
        q: &Chain,
        above: &FrameMotion<FrameOf, VectorOf>,
        v: &MemberOf,
        acceleration: &MemberOf,
        w: &VectorOf,
    ) -> TangentsOf {
        let mut tangents = Recursion::tangents(&system.right, place, t, q, above, v, acceleration, w);
        // [A J], U, V and Y of three rows each, then P of six; the joint has the last three of six columns.
        let (parts, of_pull) = tangents.split_at_mut(4 * 3 * 6);
        let (row, column) = (system.entry % 3, (2 * system.entry + 1) % 3);
        for (name, part) in ["push", "velocity", "rate by velocity", "rate"].into_iter().zip(parts.chunks_exact_mut(18))
        {
            system.spoil(&format!("tangents: {name} above"), place, &mut part[6 * row + column..=6 * row + column]);
            let own = 6 * row + 3 + column;
            system.spoil(&format!("tangents: {name} own"), place, &mut part[own..=own]);
        }
        for (name, at) in [("xx", 0), ("xq", 3), ("qx", 18), ("qq", 21)] {
            let at = at + 6 * row + column;
            system.spoil(&format!("tangents: covector {name}"), place, &mut of_pull[at..=at]);
        }
        tangents
    }
    fn add_stiffness(system: &Wrong, place: &Link, t: f64, at: &FrameMotion<FrameOf, VectorOf>, out: &mut MatrixOf) {
        Recursion::add_stiffness(&system.right, place, t, at, out);
        system.spoil("add_stiffness", place, out.as_mut_slice());
    }
    fn add_damping(system: &Wrong, place: &Link, t: f64, at: &FrameMotion<FrameOf, VectorOf>, out: &mut MatrixOf) {
        Recursion::add_damping(&system.right, place, t, at, out);
        system.spoil("add_damping", place, out.as_mut_slice());
    }
    fn add_inertia(system: &Wrong, place: &Link, t: f64, x: &FrameOf, out: &mut MatrixOf) {
        Recursion::add_inertia(&system.right, place, t, x, out);
        system.spoil("add_inertia", place, &mut out.as_mut_slice()[..3]);
    }
    fn add_residual(system: &Wrong, place: &Link, t: f64, at: &FrameMotion<FrameOf, VectorOf>, out: &mut VectorOf) {
        Recursion::add_residual(&system.right, place, t, at, out);
        system.spoil("add_residual", place, out.as_mut_slice());
    }
    fn kinetic_energy(system: &Wrong, place: &Link, t: f64, x: &FrameOf, u: &VectorOf) -> f64 {
        let mut energy = [Recursion::kinetic_energy(&system.right, place, t, x, u)];
        system.spoil("kinetic_energy", place, &mut energy);
        energy[0]
    }
    fn potential_energy(system: &Wrong, place: &Link, t: f64, x: &FrameOf) -> f64 {
        let mut energy = [Recursion::potential_energy(&system.right, place, t, x)];
        system.spoil("potential_energy", place, &mut energy);
        energy[0]
    }
}

/// Returns the (missing) elements of the correct system as elements of the wrong system.
struct Shown<V>(PhantomData<V>);

impl<V: ElementVisitor<Wrong>> ElementVisitor<Right> for Shown<V> {
    fn element<E: Term<Right>>(&mut self) {
        panic!("the chain is made of frames");
    }
}

impl Assembled for Wrong {
    type Scalar = f64;
    type Configuration = Chain;
    type Assembly = ElementAssembly;

    fn description(&self) -> &Description {
        Assembled::description(&self.right)
    }
}

impl ElementSystem for Wrong {
    type Dynamics = TreeDynamics<Spoilt>;

    fn chain_space(&self) -> &ChainSpace<Chain> {
        self.right.chain_space()
    }
    fn structure(&self) -> &Structure<f64> {
        self.right.structure()
    }
    fn visit<V: ElementVisitor<Self>>(&self, _: &mut V) {
        self.right.visit(&mut Shown::<V>(PhantomData));
    }
}

impl DualModel for Wrong {
    type Lifted = Lifted;

    fn lift(&self) -> Lifted {
        self.right.lift()
    }
    fn lift_configuration(&self, q: &Chain) -> LiftedChain {
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
    fn rate_gradient(&self, _: usize, _: f64, _: &Chain, _: &DVector<f64>, _: &mut [f64]) {}
    fn quantity_rates(&self, term: usize, t: f64, q: &Chain, v: &DVector<f64>, visit: &mut dyn FnMut(&[f64])) {
        self.right.quantity_rates(term, t, q, v, visit);
    }
    fn declared_values(
        lifted: &Lifted,
        wanted: DeclaredKind,
        term: usize,
        state: (Dual<f64>, &LiftedChain, &Dv),
        visit: &mut dyn FnMut(DeclaredValue<'_, Dual<f64>>),
    ) {
        Right::declared_values(lifted, wanted, term, state, visit);
    }
}

/// Each kernel of a frame, and the comparison that looks at it.
const KERNELS: [(&str, &str); 32] = [
    ("frame", "potential_energy"),
    ("motion: frame", "force"),
    ("motion: velocity", "kinetic_energy"),
    ("motion: acceleration", "force"),
    ("push", "momentum"),
    ("pull: above", "force"),
    ("pull: own", "force"),
    ("transport: moved", "solve_mass"),
    ("transport: mixed", "solve_mass"),
    ("transport: block", "solve_mass"),
    ("transport: jacobian", "solve_mass"),
    ("push_along", "solve_mass"),
    ("pull_along: above", "solve_mass"),
    ("pull_along: own", "solve_mass"),
    ("add_inertia", "momentum"),
    ("add_residual", "force"),
    ("tangents: push above", "tangent_stiffness"),
    ("tangents: push own", "tangent_stiffness"),
    ("tangents: velocity above", "tangent_stiffness"),
    ("tangents: velocity own", "tangent_stiffness"),
    ("tangents: rate by velocity above", "tangent_damping"),
    ("tangents: rate by velocity own", "tangent_damping"),
    ("tangents: rate above", "tangent_stiffness"),
    ("tangents: rate own", "tangent_stiffness"),
    ("tangents: covector xx", "tangent_stiffness"),
    ("tangents: covector xq", "tangent_stiffness"),
    ("tangents: covector qx", "tangent_stiffness"),
    ("tangents: covector qq", "tangent_stiffness"),
    ("add_stiffness", "tangent_stiffness"),
    ("add_damping", "tangent_damping"),
    ("kinetic_energy", "kinetic_energy"),
    ("potential_energy", "potential_energy"),
];

#[test]
fn every_wrong_entry_is_found() {
    let right = Right::new(planar::Lengths { joints: LINKS }).unwrap();
    let mut system = Wrong { right, kernel: "none", index: 0, entry: 0, is_met: Cell::new(false) };
    let mut random = Random::new(3);
    let mut report = |system: &Wrong| {
        let (v, acceleration) =
            (DVector::from_fn(3 * LINKS, |_, _| random.number()), DVector::from_fn(3 * LINKS, |_, _| random.number()));
        let q = Chain { joints: several(LINKS, &mut random, |random| SE2::exp(&random.vector())) };
        let t = random.number();
        let at = CheckPoint { t, q: &q, v: &v, acceleration: &acceleration, multipliers: &DVector::zeros(0) };
        derivative_check(system, at)
    };
    for entry in report(&system) {
        assert!(entry.deviation < TOLERANCE, "{entry:?}");
    }
    let mut found = 0;
    for (kernel, comparison) in KERNELS {
        for index in 0..LINKS {
            // What goes on above the first frame moves nothing.
            let of_above =
                ["pull: above", "pull_along: above", "transport: moved", "transport: mixed", "transport: jacobian"]
                    .contains(&kernel)
                    || kernel.starts_with("tangents") && !["own", "qq"].iter().any(|own| kernel.ends_with(own));
            if index == 0 && of_above {
                continue;
            }
            // In M⁻¹ nothing pulls at the last frame, and nothing moves with it.
            if ["transport: jacobian", "push_along"].contains(&kernel) && index + 1 == LINKS {
                continue;
            }
            (system.kernel, system.index) = (kernel, index);
            system.entry = if kernel.ends_with("frame") { 0 } else { index };
            system.is_met.set(false);
            let report = report(&system);
            assert!(system.is_met.get(), "{kernel} of frame {index} is not computed");
            let is_wrong = |entry: &&DerivativeDeviation| entry.kernel == comparison && entry.deviation > 1e-10;
            let worst = report.iter().find(is_wrong);
            let worst = worst.unwrap_or_else(|| panic!("{kernel} of frame {index}: {report:?}"));
            if !comparison.ends_with("energy") {
                assert!(worst.entry.contains("over each of body"), "{kernel} of frame {index}: {worst:?}");
            }
            found += 1;
        }
    }
    println!("{found} wrong entries found");
}
