//! The equations of a whole declaration: of each of its terms, and of the recursion of frames.

use super::{Base, Equations, Recursion, coverage, derive, kinematics};
use crate::diagnostics::Diagnostics;
use crate::model::{FrameTerms, Kinematics, Model, TermModel};
use crate::read::Reader;

/// What a declaration is the sum of, with equations.
pub(crate) struct Derived<'a> {
    pub of_members: Vec<DerivedTerm>,
    pub frames: Option<DerivedFrames<'a>>,
}

/// A term and its equations.
pub(crate) struct DerivedTerm {
    pub term: TermModel,
    pub equations: Equations,
}

/// Frames, and the equations of the terms that run over them.
pub(crate) struct DerivedFrames<'a> {
    pub kinematics: &'a Kinematics,
    /// Of each kind of joints the recursion, and the model that it is a function of.
    pub joints: Vec<(Model, Recursion)>,
    pub base: Option<(Model, Base)>,
    pub terms: Vec<DerivedTerm>,
}

/// Derives everything; `None` if an error was reported.
pub(crate) fn derive_all<'a>(model: &'a Model, diagnostics: &mut Diagnostics) -> Option<Derived<'a>> {
    let terms = model.terms();
    let of_members = of_terms(terms.of_members, diagnostics);
    let frames = terms.frames.map(|frames| of_frames(model, frames, diagnostics));
    let derived = match (of_members, frames) {
        (Some(of_members), None) => Derived { of_members, frames: None },
        (Some(of_members), Some(Some(frames))) => Derived { of_members, frames: Some(frames) },
        _ => return None,
    };
    if !model.is_unrolled() {
        coverage::ensure_inertia(model, &derived, diagnostics);
    }
    diagnostics.is_empty().then_some(derived)
}

/// All of them, so that the errors of one do not hide those of another.
fn of_terms(terms: Vec<TermModel>, diagnostics: &mut Diagnostics) -> Option<Vec<DerivedTerm>> {
    let derived: Vec<Option<DerivedTerm>> = terms
        .into_iter()
        .map(|term| {
            let equations = derive(&mut Reader::new(&term.model, diagnostics))?;
            Some(DerivedTerm { term, equations })
        })
        .collect();
    derived.into_iter().collect()
}

fn of_frames<'a>(model: &Model, frames: FrameTerms<'a>, diagnostics: &mut Diagnostics) -> Option<DerivedFrames<'a>> {
    let FrameTerms { kinematics, terms } = frames;
    let mut joints = Vec::new();
    for joint in &kinematics.joints {
        let model = model.of_joint(kinematics, joint);
        let recursion = kinematics::derive(&mut Reader::new(&model, diagnostics), kinematics.frame, &joint.function);
        joints.extend(recursion.map(|recursion| (model, recursion)));
    }
    let base = kinematics.base.as_ref().map(|base| {
        let model = model.of_base(base);
        let derived = kinematics::derive_base(&mut Reader::new(&model, diagnostics), kinematics.frame, base);
        derived.map(|base| (model, base))
    });
    let base = match base {
        Some(derived) => Some(derived?),
        None => None,
    };
    let terms = of_terms(terms, diagnostics)?;
    (joints.len() == kinematics.joints.len()).then_some(DerivedFrames { kinematics, joints, base, terms })
}
