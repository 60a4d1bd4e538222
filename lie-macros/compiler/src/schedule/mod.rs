//! The plan: the computations of a system at run time as data, with the kernels, their outputs and costs, and the hoisted values.
//!
//! Invariant: a [`KernelId`] names a kernel, and a request for a kernel that is not planned is a bug. Method information, documentation,
//! report, dual-number evaluation and emission read the plan; emission makes no decisions.

mod blocks;
mod elimination;
mod hoist;
mod iteration;
mod kernel_id;
mod kernels;
mod mass_inverse;
mod program;
mod solve;

use crate::diff::{
    self, Derived, DerivedFrames, DerivedTerm, Equations, Obstacle, RecursionScalars, obstacle_of_frames,
};
use crate::model::{Kinematics, Model, Selection, SlotMembers};
use crate::scalar::{Dependence, Graph};

pub(crate) use blocks::{Block, Name, split};
pub(crate) use hoist::Hoisted;
pub(crate) use kernel_id::KernelId;
pub(crate) use kernels::{Inputs, JOINT, KernelOutput, Kernels, OF_TERMS, PULLBACKS};
pub(crate) use mass_inverse::{BlockStorage as KeptInverse, MassBlocks, MassInverse};
pub(crate) use program::{CallsOpaque, Expression, Program, ProgramStatement, Side};
pub(crate) use solve::Solve;

/// Kernels with at most this number of operations are inlined into the steps that call them.
const SHORT: usize = 256;
/// The number of operations above which kernels are not inlined.
const LONG: usize = 1024;

/// A system: its terms, and their assembly.
pub(crate) struct Plan<'a> {
    pub model: &'a Model,
    /// The terms over members, then the terms that join or constrain frames.
    pub terms: Vec<Term>,
    pub frames: Option<Frames<'a>>,
    /// The solution for accelerations and multipliers of a system with one term; otherwise the runtime assembles the terms.
    pub solve: Option<Solve>,
    /// The reason why there is no Hamiltonian; `None` if there is one.
    pub obstacle: Option<Obstacle>,
}

/// A term over a selection of members or over a frame: a small system of its own.
pub(crate) struct Term {
    /// The index of the term. Joints and base are numbered between the terms over members and the terms over frames.
    pub number: usize,
    pub over: Vec<Selection>,
    /// The model with the selections of the term as members.
    pub model: Model,
    pub equations: Equations,
    pub kernels: Kernels,
    pub hoisted: Hoisted,
}

/// The recursion of frames and the terms over them.
pub(crate) struct Frames<'a> {
    pub kinematics: &'a Kinematics,
    /// One entry for each kind of joints.
    pub joints: Vec<JointKernels>,
    pub base: Option<BaseFrame>,
    pub terms: Vec<Term>,
    /// The least number of frames for terms and observables, and the functions that need this number.
    pub needed: (usize, Vec<String>),
}

/// The kernels of one kind of joints.
pub(crate) struct JointKernels {
    pub number: usize,
    /// The field of the joints.
    pub field: usize,
    /// The model of the arguments of the recursion.
    pub model: Model,
    pub recursion: RecursionScalars,
    pub kernels: Kernels,
    pub hoisted: Hoisted,
}

/// The frame of the base.
pub(crate) struct BaseFrame {
    pub number: usize,
    /// The model of its arguments.
    pub model: Model,
    pub motion: diff::BaseFrameScalars,
    pub kernels: Kernels,
    pub hoisted: Hoisted,
}

/// Hoisted values: the model and the graph that define them, and their index in the system.
pub(crate) struct HoistedValues<'p> {
    pub number: usize,
    pub hoisted: &'p Hoisted,
    pub graph: &'p Graph,
    pub model: &'p Model,
    /// The chain whose length they can depend on.
    pub along: LengthSource,
}

/// The source of the length of a term.
pub(crate) enum LengthSource {
    /// The selection of the term.
    Term,
    /// A field of joints.
    Field(usize),
    /// The number of frames.
    Frames,
}

impl<'a> Plan<'a> {
    /// Returns the kernels of all derived equations.
    pub fn new(model: &'a Model, derived: Derived<'a>) -> Plan<'a> {
        let mut terms: Vec<Term> = Vec::new();
        let mut solve = None;
        let of_members = derived.of_members.iter();
        let obstacle = of_members.map(|term| &term.equations.canonical).find_map(|canonical| canonical.as_ref().err());
        // Terms over frames are not terms over members.
        let obstacle = derived.frames.as_ref().map(|_| obstacle_of_frames()).or(obstacle.cloned());
        for (number, DerivedTerm { term, mut equations }) in derived.of_members.into_iter().enumerate() {
            let kernels = if model.is_unrolled() {
                let own = Solve::new(&mut equations);
                Kernels::unrolled(&mut equations, solve.insert(own), model)
            } else {
                Kernels::of_members(&mut equations, obstacle.is_none())
            };
            terms.push(Term::new(number, term.over, term.model, equations, kernels));
        }
        let frames = derived.frames.map(|frames| Frames::new(terms.len(), model, frames));
        Plan { model, terms, frames, solve, obstacle }
    }

    /// True for a term over members that joins or constrains frames.
    pub fn joins_frames(&self, term: &Term) -> bool {
        self.model.is_of_frames(&term.over)
    }

    /// The terms over members, then those over frames.
    pub fn all_terms(&self) -> impl Iterator<Item = &Term> {
        self.terms.iter().chain(self.frames.iter().flat_map(|frames| &frames.terms))
    }

    /// The only term of an unrolled system, and its solution.
    pub fn unrolled(&self) -> Option<(&Term, &Solve)> {
        self.terms.first().zip(self.solve.as_ref())
    }

    /// All hoisted values.
    pub fn kept(&self) -> Vec<HoistedValues<'_>> {
        let mut all: Vec<HoistedValues<'_>> = self.terms.iter().map(|term| term.kept(LengthSource::Term)).collect();
        if let Some(frames) = &self.frames {
            all.extend(frames.joints.iter().map(|joint| HoistedValues {
                number: joint.number,
                hoisted: &joint.hoisted,
                graph: &joint.recursion.graph,
                model: &joint.model,
                along: LengthSource::Field(joint.field),
            }));
            all.extend(frames.base.iter().map(|base| HoistedValues {
                number: base.number,
                hoisted: &base.hoisted,
                graph: &base.motion.graph,
                model: &base.model,
                along: LengthSource::Frames,
            }));
            all.extend(frames.terms.iter().map(|term| term.kept(LengthSource::Frames)));
        }
        all
    }
}

impl Term {
    fn new(number: usize, over: Vec<Selection>, model: Model, equations: Equations, kernels: Kernels) -> Term {
        let hoisted = Hoisted::new(&equations.graph, kernels.all());
        Term { number, over, model, equations, kernels, hoisted }
    }

    /// The term of an unrolled system, without the kernels of its solution.
    pub fn whole(derived: DerivedTerm) -> Term {
        let DerivedTerm { term, mut equations } = derived;
        let kernels = Kernels::of_whole(&mut equations);
        Term::new(0, term.over, term.model, equations, kernels)
    }

    fn kept(&self, along: LengthSource) -> HoistedValues<'_> {
        HoistedValues {
            number: self.number,
            hoisted: &self.hoisted,
            graph: &self.equations.graph,
            model: &self.model,
            along,
        }
    }

    /// Degrees of freedom.
    pub fn dof(&self) -> usize {
        self.equations.inertia.mass.len()
    }

    /// The number of members of an element.
    pub fn slots(&self) -> usize {
        self.over.iter().map(|selection| selection.part.slots()).sum()
    }

    /// True if there is one element for each member or window.
    pub fn runs(&self) -> bool {
        self.over.iter().any(|selection| selection.part.runs())
    }

    /// The number of scalars of an output.
    pub fn size_of(&self, output: KernelOutput) -> usize {
        let (dof, rows) = (self.dof(), self.equations.constraints.rows());
        match output {
            KernelOutput::Number => 1,
            KernelOutput::Vector => dof,
            KernelOutput::Rows => rows,
            KernelOutput::Matrix => dof * dof,
            KernelOutput::Jacobian => rows * dof,
            KernelOutput::Cotangents => {
                let gradients = self.equations.gradients.as_ref();
                2 * dof + gradients.map_or(0, |gradients| gradients.data.len())
            }
        }
    }

    /// True if any output of a kernel is not zero.
    pub fn has(&self, id: KernelId) -> bool {
        self.nonzeros(id) > 0
    }

    /// The number of outputs of a kernel that are not zero.
    pub fn nonzeros(&self, id: KernelId) -> usize {
        let graph = &self.equations.graph;
        self.kernels.outputs(id).iter().filter(|&&output| !graph.is_zero(output)).count()
    }

    /// Scalar operations of each kernel, hoisted values given.
    pub fn operations(&self) -> Vec<(KernelId, usize)> {
        self.kernels.operations(&self.equations.graph, &self.hoisted)
    }

    /// True if these kernels must be inlined into the steps that call them. A call of a short kernel costs more than it saves, because it
    /// passes scalars in memory in pieces of different sizes.
    pub fn is_short(&self, ids: &[KernelId]) -> bool {
        self.operations_together(ids) <= SHORT
    }

    /// Returns true if these kernels together have so many operations that a call is negligible.
    pub fn is_long(&self, ids: &[KernelId]) -> bool {
        self.operations_together(ids) > LONG
    }

    fn operations_together(&self, ids: &[KernelId]) -> usize {
        let count = |&id| self.kernels.operations_of(id, &self.equations.graph, &self.hoisted);
        ids.iter().map(count).sum()
    }
}

impl<'a> Frames<'a> {
    fn new(number: usize, whole: &Model, derived: DerivedFrames<'a>) -> Frames<'a> {
        let DerivedFrames { kinematics, joints, base, terms } = derived;
        let mut next = number..;
        let mut number = || next.next().unwrap_or(usize::MAX);
        let fields = kinematics.joints.iter().map(|joint| joint.field);
        let joints = fields.zip(joints).map(|(field, (model, mut recursion))| {
            let kernels = Kernels::of_recursion(&mut recursion);
            let hoisted = Hoisted::new(&recursion.graph, kernels.all());
            JointKernels { number: number(), field, model, recursion, kernels, hoisted }
        });
        let joints = joints.collect();
        let base = base.map(|(model, mut motion)| {
            let kernels = Kernels::of_base(&mut motion);
            let hoisted = Hoisted::new(&motion.graph, kernels.all());
            BaseFrame { number: number(), model, motion, kernels, hoisted }
        });
        let terms = terms.into_iter().map(|DerivedTerm { term, mut equations }| {
            let kernels = Kernels::of_frames(&mut equations);
            Term::new(number(), term.over, term.model, equations, kernels)
        });
        let terms = terms.collect();
        Frames { kinematics, joints, base, terms, needed: needed(whole) }
    }

    /// The dimension of a frame, and the largest dimension of a joint.
    pub fn dimensions(&self) -> (usize, usize) {
        let joints = self.joints.iter().map(JointKernels::dimension);
        (self.kinematics.frame.dimension(), joints.max().unwrap_or(0))
    }

    /// The largest number of stored scalars of the Jacobian of a joint.
    pub fn numbers_of_jacobian(&self) -> usize {
        self.joints.iter().map(|joint| joint.recursion.products.numbers.len()).max().unwrap_or(0)
    }

    /// True if the terms of the frames have inertia.
    pub fn have_inertia(&self) -> bool {
        self.terms.iter().any(|term| term.has(KernelId::MassMatrix))
    }

    /// True if frames can move without a motion of joints.
    pub fn drift(&self) -> bool {
        let over_time = |RecursionScalars { graph, frame, .. }: &RecursionScalars| {
            frame.iter().any(|&part| graph.dependence(part).meets(Dependence::TIME))
        };
        self.base.is_some() || self.joints.iter().any(|joint| over_time(&joint.recursion))
    }
}

impl JointKernels {
    /// Degrees of freedom.
    pub fn dimension(&self) -> usize {
        self.model.configuration.members[1].group.dimension()
    }

    /// The number of components in the elimination; the spin of a point of the sphere is not eliminated.
    pub fn width(&self) -> usize {
        if self.recursion.products.across.is_some() { 2 } else { self.dimension() }
    }

    /// Scalar operations of the kernels of the recursion.
    pub fn operations(&self) -> Vec<(KernelId, usize)> {
        self.kernels.operations(&self.recursion.graph, &self.hoisted)
    }
}

/// The least number of frames for terms and observables, and the functions that need this number.
fn needed(model: &Model) -> (usize, Vec<String>) {
    let needs = |over: &Option<Vec<Selection>>| {
        let of_frames = over.iter().flatten().filter(|selection| selection.field >= model.configuration.members.len());
        let needed = of_frames.map(|selection| match selection.part {
            SlotMembers::At(index) => index + 1,
            _ => 1,
        });
        needed.max()
    };
    let needed = model.functions.iter().filter_map(|function| needs(&function.over)).max().unwrap_or(1);
    let functions = model.functions.iter().filter(|function| needs(&function.over) == Some(needed));
    (needed, functions.map(|function| function.name.to_string()).collect())
}
