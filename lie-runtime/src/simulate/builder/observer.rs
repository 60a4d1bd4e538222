//! Who looks at the states of a run, and may stop it.

use core::ops::ControlFlow;

/// What an observer answers: nothing, or whether the run goes on.
pub trait Answer {
    /// `Break` ends the run.
    fn into_control_flow(self) -> ControlFlow<()>;
}

impl Answer for () {
    fn into_control_flow(self) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

impl Answer for ControlFlow<()> {
    fn into_control_flow(self) -> ControlFlow<()> {
        self
    }
}

/// Nobody looks.
pub(super) fn unobserved<S>(_: &S) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// Two observers as one; both see every state.
pub(super) fn both<S, A: Answer>(
    mut first: impl FnMut(&S) -> ControlFlow<()>,
    mut second: impl FnMut(&S) -> A,
) -> impl FnMut(&S) -> ControlFlow<()> {
    move |state| {
        let (first, second) = (first(state), second(state).into_control_flow());
        if first.is_break() { first } else { second }
    }
}
