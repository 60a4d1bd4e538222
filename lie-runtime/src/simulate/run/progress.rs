//! A progress bar on long runs.

use crate::progress_bar::ProgressBar;

/// Draws the progress of a simulation on a terminal once it has taken more than a second.
pub(super) struct Progress {
    bar: Option<ProgressBar>,
    calls: u32,
}

impl Progress {
    pub fn new(wanted: bool) -> Self {
        Progress { bar: if wanted { ProgressBar::on_terminal(0.0) } else { None }, calls: 0 }
    }

    /// Sets the completed `fraction` of the time. The clock is read on every 256th call.
    pub fn at(&mut self, fraction: f64) {
        let Some(bar) = &self.bar else { return };
        self.calls = self.calls.wrapping_add(1);
        if self.calls.is_multiple_of(256) && bar.elapsed().as_secs_f64() > 1.0 {
            bar.show(fraction);
        }
    }

    pub fn finish(self) {
        if let Some(bar) = self.bar {
            bar.clear();
        }
    }
}
