//! What a system computes at run time, as data: which kernels there are, what each gives, what it costs, and what is
//! computed once and for all.
//!
//! Invariant: a kernel is named by a [`KernelId`]; asking a plan for one it does not have is a bug, not an empty body.
//! Card, documentation, report, twins and emission read the plan; emission decides nothing.

mod elimination;
mod hoist;
mod iteration;
mod kernels;
mod mass_inverse;
#[cfg(test)]
mod ratchet;
mod solve;

use crate::derive::{self, Derived, DerivedFrames, DerivedTerm, Equations, Obstacle, Recursion};
use crate::graph::{Dependence, Graph};
use crate::model::{Kinematics, Model, Part, Selection};

pub(crate) use hoist::Hoisted;
pub(crate) use kernels::{Inputs, JOINT, KernelId, Kernels, OF_TERMS, Output, PULLBACKS};
pub(crate) use mass_inverse::{Kept as KeptInverse, MassInverse, Pivot};
pub(crate) use solve::Solve;

/// Kernels of at most so many operations are parts of the steps that call them.
const SHORT: usize = 256;

/// A system: its terms, and how they make one.
pub(crate) struct Plan<'a> {
    pub model: &'a Model,
    /// The terms over members, after them those that join frames or constrain them.
    pub terms: Vec<Term>,
    pub frames: Option<Frames<'a>>,
    /// What solves for accelerations and multipliers, if all is one term: else the runtime assembles the terms.
    pub solve: Option<Solve>,
    /// Why there is no Hamiltonian; `None` if there is one.
    pub obstacle: Option<Obstacle>,
}

/// A term over a selection of members or over a frame: a small system of its own.
pub(crate) struct Term {
    /// The position among the terms; those of joints and base are between those over members and those over frames.
    pub number: usize,
    pub over: Vec<Selection>,
    /// The model whose members are what the term runs over.
    pub model: Model,
    pub equations: Equations,
    pub kernels: Kernels,
    pub hoisted: Hoisted,
}

/// The recursion of frames and the terms over them.
pub(crate) struct Frames<'a> {
    pub kinematics: &'a Kinematics,
    /// One for each kind of joints.
    pub joints: Vec<Joint>,
    pub base: Option<Base>,
    pub terms: Vec<Term>,
    /// How many frames terms and observables need, and the functions that need so many.
    pub needed: (usize, Vec<String>),
}

/// What one kind of joints does.
pub(crate) struct Joint {
    pub number: usize,
    /// The field that the joints are members of.
    pub field: usize,
    /// The model that the recursion is a function of.
    pub model: Model,
    pub recursion: Recursion,
    pub kernels: Kernels,
    pub hoisted: Hoisted,
}

/// What roots hang on.
pub(crate) struct Base {
    pub number: usize,
    /// The model that it is a function of.
    pub model: Model,
    pub motion: derive::Base,
    pub kernels: Kernels,
    pub hoisted: Hoisted,
}

/// Values that are computed once, when a system is made: where they are kept, and what they are functions of.
pub(crate) struct Kept<'p> {
    pub number: usize,
    pub hoisted: &'p Hoisted,
    pub graph: &'p Graph,
    pub model: &'p Model,
    /// The chain whose length they may depend on, if there is one.
    pub along: Along,
}

/// Whose length it is that a term is given.
pub(crate) enum Along {
    /// That of the term's own selection.
    Term,
    /// That of a field of joints.
    Field(usize),
    /// How many frames there are.
    Frames,
}

impl<'a> Plan<'a> {
    /// The kernels of everything that was derived.
    pub fn new(model: &'a Model, derived: Derived<'a>) -> Plan<'a> {
        let mut terms: Vec<Term> = Vec::new();
        let mut solve = None;
        let of_members = derived.of_members.iter();
        let obstacle = of_members.map(|term| &term.equations.canonical).find_map(|canonical| canonical.as_ref().err());
        // What is on frames is in no term over members.
        let obstacle = derived.frames.as_ref().map(|_| Obstacle::Frames).or(obstacle.cloned());
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

    /// True of a term, of those over members, that joins frames or constrains them.
    pub fn joins_frames(&self, term: &Term) -> bool {
        self.model.is_of_frames(&term.over)
    }

    /// The terms over members, then those over frames.
    pub fn all_terms(&self) -> impl Iterator<Item = &Term> {
        self.terms.iter().chain(self.frames.iter().flat_map(|frames| &frames.terms))
    }

    /// Of an unrolled system the one term, and what solves.
    pub fn unrolled(&self) -> Option<(&Term, &Solve)> {
        self.terms.first().zip(self.solve.as_ref())
    }

    /// All values that are computed once.
    pub fn kept(&self) -> Vec<Kept<'_>> {
        let mut all: Vec<Kept<'_>> = self.terms.iter().map(|term| term.kept(Along::Term)).collect();
        if let Some(frames) = &self.frames {
            all.extend(frames.joints.iter().map(|joint| Kept {
                number: joint.number,
                hoisted: &joint.hoisted,
                graph: &joint.recursion.graph,
                model: &joint.model,
                along: Along::Field(joint.field),
            }));
            all.extend(frames.base.iter().map(|base| Kept {
                number: base.number,
                hoisted: &base.hoisted,
                graph: &base.motion.graph,
                model: &base.model,
                along: Along::Frames,
            }));
            all.extend(frames.terms.iter().map(|term| term.kept(Along::Frames)));
        }
        all
    }
}

impl Term {
    fn new(number: usize, over: Vec<Selection>, model: Model, equations: Equations, kernels: Kernels) -> Term {
        let hoisted = Hoisted::new(&equations.graph, kernels.all());
        Term { number, over, model, equations, kernels, hoisted }
    }

    fn kept(&self, along: Along) -> Kept<'_> {
        Kept { number: self.number, hoisted: &self.hoisted, graph: &self.equations.graph, model: &self.model, along }
    }

    /// Degrees of freedom.
    pub fn dof(&self) -> usize {
        self.equations.inertia.mass.len()
    }

    /// How many members it sees.
    pub fn slots(&self) -> usize {
        self.over.iter().map(|selection| selection.part.slots()).sum()
    }

    /// True if there is one of it for each member or window.
    pub fn runs(&self) -> bool {
        self.over.iter().any(|selection| selection.part.runs())
    }

    /// How many numbers that is.
    pub fn size_of(&self, output: Output) -> usize {
        let (dof, rows) = (self.dof(), self.equations.constraints.rows());
        match output {
            Output::Number => 1,
            Output::Vector => dof,
            Output::Rows => rows,
            Output::Matrix => dof * dof,
            Output::Jacobian => rows * dof,
            Output::Cotangents => {
                let gradients = self.equations.gradients.as_ref();
                2 * dof + gradients.map_or(0, |gradients| gradients.data.len())
            }
        }
    }

    /// True if an output of a kernel is something else than zero.
    pub fn has(&self, id: KernelId) -> bool {
        self.nonzeros(id) > 0
    }

    /// How many outputs of a kernel are something else than zero.
    pub fn nonzeros(&self, id: KernelId) -> usize {
        let graph = &self.equations.graph;
        self.kernels.outputs(id).iter().filter(|&&output| !graph.is_zero(output)).count()
    }

    /// Scalar operations of each kernel, hoisted values given.
    pub fn operations(&self) -> Vec<(KernelId, usize)> {
        self.kernels.operations(&self.equations.graph, &self.hoisted)
    }

    /// True if these kernels are to be a part of the steps that call them: of few operations, a call costs more than it saves,
    /// for it hands numbers over in memory, in pieces of other sizes than they are read.
    pub fn is_short(&self, ids: &[KernelId]) -> bool {
        let count = |&id| self.kernels.operations_of(id, &self.equations.graph, &self.hoisted);
        ids.iter().map(count).sum::<usize>() <= SHORT
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
            Joint { number: number(), field, model, recursion, kernels, hoisted }
        });
        let joints = joints.collect();
        let base = base.map(|(model, mut motion)| {
            let kernels = Kernels::of_base(&mut motion);
            let hoisted = Hoisted::new(&motion.graph, kernels.all());
            Base { number: number(), model, motion, kernels, hoisted }
        });
        let terms = terms.into_iter().map(|DerivedTerm { term, mut equations }| {
            let kernels = Kernels::of_frames(&mut equations);
            Term::new(number(), term.over, term.model, equations, kernels)
        });
        let terms = terms.collect();
        Frames { kinematics, joints, base, terms, needed: needed(whole) }
    }

    /// The dimension of a frame, and the largest one of a joint.
    pub fn dimensions(&self) -> (usize, usize) {
        let joints = self.joints.iter().map(Joint::dimension);
        (self.kinematics.frame.dimension(), joints.max().unwrap_or(0))
    }

    /// How many numbers are kept of the Jacobian of a joint, of the kind that has most.
    pub fn numbers_of_jacobian(&self) -> usize {
        self.joints.iter().map(|joint| joint.recursion.products.numbers.len()).max().unwrap_or(0)
    }

    /// True if the terms of the frames have inertia.
    pub fn have_inertia(&self) -> bool {
        self.terms.iter().any(|term| term.has(KernelId::MassMatrix))
    }

    /// True if frames move where no joint does.
    pub fn drift(&self) -> bool {
        let over_time = |Recursion { graph, frame, .. }: &Recursion| {
            frame.iter().any(|&part| graph.dependence(part).meets(Dependence::TIME))
        };
        self.base.is_some() || self.joints.iter().any(|joint| over_time(&joint.recursion))
    }
}

impl Joint {
    /// Degrees of freedom.
    pub fn dimension(&self) -> usize {
        self.model.configuration.members[1].group.dimension()
    }

    /// How many of its components it is eliminated with: of a point of the sphere not the spin.
    pub fn width(&self) -> usize {
        if self.recursion.products.across.is_some() { 2 } else { self.dimension() }
    }

    /// Scalar operations of the kernels of the recursion.
    pub fn operations(&self) -> Vec<(KernelId, usize)> {
        self.kernels.operations(&self.recursion.graph, &self.hoisted)
    }
}

/// How many frames terms and observables need, and the functions that need so many.
fn needed(model: &Model) -> (usize, Vec<String>) {
    let needs = |over: &Option<Vec<Selection>>| {
        let of_frames = over.iter().flatten().filter(|selection| selection.field >= model.configuration.members.len());
        let needed = of_frames.map(|selection| match selection.part {
            Part::At(index) => index + 1,
            _ => 1,
        });
        needed.max()
    };
    let needed = model.functions.iter().filter_map(|function| needs(&function.over)).max().unwrap_or(1);
    let functions = model.functions.iter().filter(|function| needs(&function.over) == Some(needed));
    (needed, functions.map(|function| function.name.to_string()).collect())
}
