//! The equations of a whole declaration: the equations of each term, and of the recursion of frames.

use super::coverage::TermInertia;
use super::{BaseFrameScalars, Equations, Partial, RecursionScalars, coverage, derive, kinematics};
use crate::diagnostics::ErrorCollector;
use crate::interp::{ListSource, SymbolicInterpreter};
use crate::model::{FrameTerms, Kinematics, Model, Role, TermModel};

/// The terms of a declaration with their equations.
pub(crate) struct Derived<'a> {
    pub of_members: Vec<DerivedTerm>,
    pub frames: Option<DerivedFrames<'a>>,
}

impl Derived<'_> {
    /// Returns the numbers of the lists whose items all elements of a term read, one after the other: their lengths follow from the
    /// number of elements.
    pub fn counted_lists(&self) -> Vec<usize> {
        let frames = || self.frames.iter();
        let terms = self.of_members.iter().chain(frames().flat_map(|frames| &frames.terms));
        let terms = terms.filter(|derived| derived.term.over.iter().any(|selection| selection.part.runs()));
        let joints = frames().flat_map(|frames| &frames.joints).flat_map(|(_, recursion)| &recursion.reads);
        let reads = terms.flat_map(|derived| &derived.equations.reads).chain(joints);
        let counted = reads.filter(|read| read.at.counts() && read.condition.is_none());
        counted.filter_map(|read| if let ListSource::Parameter(list) = read.list { Some(list) } else { None }).collect()
    }
}

/// A term and its equations.
pub(crate) struct DerivedTerm {
    pub term: TermModel,
    pub equations: Equations,
}

/// Frames, and the equations of the terms that run over them.
pub(crate) struct DerivedFrames<'a> {
    pub kinematics: &'a Kinematics,
    /// The recursion of each kind of joints, and the model of its arguments.
    pub joints: Vec<(Model, RecursionScalars)>,
    pub base: Option<(Model, BaseFrameScalars)>,
    pub terms: Vec<DerivedTerm>,
}

/// The terms with equations, and the velocity components with inertia of each term, if they are known.
struct Outcomes {
    derived: Vec<DerivedTerm>,
    inertia: Vec<Option<TermInertia>>,
    is_complete: bool,
}

/// Derives all equations; `None` if an error was reported.
pub(crate) fn derive_all<'a>(model: &'a Model, diagnostics: &mut ErrorCollector) -> Option<Derived<'a>> {
    let terms = model.terms();
    let of_members = of_terms(terms.of_members, diagnostics);
    let frames = terms.frames.map(|frames| of_frames(model, frames, diagnostics));
    if !model.is_unrolled() && !model.gaps.inertia {
        let of_frames = frames.as_ref().map(|(_, outcomes)| &outcomes.inertia);
        let known = |inertia: &Vec<Option<TermInertia>>| inertia.iter().all(Option::is_some);
        if known(&of_members.inertia) && of_frames.is_none_or(known) {
            let of_members: Vec<&TermInertia> = of_members.inertia.iter().flatten().collect();
            let of_frames = of_frames.map(|inertia| inertia.iter().flatten().collect::<Vec<_>>());
            coverage::ensure_inertia(model, &of_members, of_frames.as_deref(), diagnostics);
        }
    }
    let frames = match frames {
        None => None,
        Some((frames, outcomes)) if outcomes.is_complete => Some(DerivedFrames { terms: outcomes.derived, ..frames? }),
        Some(_) => return None,
    };
    let is_complete = of_members.is_complete && diagnostics.is_empty();
    is_complete.then_some(Derived { of_members: of_members.derived, frames })
}

/// Derives all terms, so that the errors of one term do not hide other errors.
fn of_terms(terms: Vec<TermModel>, diagnostics: &mut ErrorCollector) -> Outcomes {
    let mut outcomes = Outcomes { derived: vec![], inertia: vec![], is_complete: true };
    for term in terms {
        let Partial { inertia, equations } = derive(&mut SymbolicInterpreter::new(&term.model, diagnostics));
        let is_inertia = |role: &Role| matches!(role, Role::KineticEnergy | Role::MassMatrix);
        let function = term.model.functions.iter().find(|function| is_inertia(&function.role));
        let function = function.map(|function| function.name.clone());
        outcomes.inertia.push(inertia.map(|rows| TermInertia { over: term.over.clone(), function, rows }));
        match equations {
            Some(equations) => outcomes.derived.push(DerivedTerm { term, equations }),
            None => outcomes.is_complete = false,
        }
    }
    outcomes
}

/// Derives the frames, and separately their terms.
fn of_frames<'a>(
    model: &Model,
    frames: FrameTerms<'a>,
    diagnostics: &mut ErrorCollector,
) -> (Option<DerivedFrames<'a>>, Outcomes) {
    let FrameTerms { kinematics, terms } = frames;
    let mut joints = Vec::new();
    for joint in &kinematics.joints {
        let model = model.of_joint(kinematics, joint);
        let recursion =
            kinematics::derive(&mut SymbolicInterpreter::new(&model, diagnostics), kinematics.frame, &joint.function);
        joints.extend(recursion.map(|recursion| (model, recursion)));
    }
    let base = kinematics.base.as_ref().map(|base| {
        let model = model.of_base(base);
        let derived =
            kinematics::derive_base(&mut SymbolicInterpreter::new(&model, diagnostics), kinematics.frame, base);
        derived.map(|base| (model, base))
    });
    let outcomes = of_terms(terms, diagnostics);
    let is_complete = joints.len() == kinematics.joints.len() && !matches!(base, Some(None));
    let frames = DerivedFrames { kinematics, joints, base: base.flatten(), terms: vec![] };
    (is_complete.then_some(frames), outcomes)
}
