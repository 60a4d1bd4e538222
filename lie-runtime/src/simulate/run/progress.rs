//! A progress bar on long runs.

/// Draws the progress of a simulation on a terminal once it has taken more than a second.
#[cfg(feature = "progress")]
pub(super) struct Progress {
    wanted: bool,
    started: std::time::Instant,
    calls: u32,
    bar: Option<indicatif::ProgressBar>,
}

#[cfg(feature = "progress")]
impl Progress {
    /// Number of units of the progress bar.
    const PARTS: f64 = 10_000.0;

    pub fn new(wanted: bool) -> Self {
        use std::io::IsTerminal;
        let wanted = wanted && std::io::stderr().is_terminal();
        Progress { wanted, started: std::time::Instant::now(), calls: 0, bar: None }
    }

    /// Sets the completed `fraction` of the time. The clock is read on every 256th call.
    pub fn at(&mut self, fraction: f64) {
        if !self.wanted {
            return;
        }
        self.calls = self.calls.wrapping_add(1);
        if !self.calls.is_multiple_of(256) || self.started.elapsed().as_secs_f64() < 1.0 {
            return;
        }
        let bar = self.bar.get_or_insert_with(|| {
            let bar = indicatif::ProgressBar::new(10_000).with_elapsed(self.started.elapsed());
            if let Ok(style) =
                indicatif::ProgressStyle::with_template("{elapsed_precise} {wide_bar} {percent:>3} %, {eta} to go")
            {
                bar.set_style(style);
            }
            bar
        });
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // In [0, 10 000].
        bar.set_position((fraction.clamp(0.0, 1.0) * Self::PARTS) as u64);
    }

    pub fn finish(self) {
        if let Some(bar) = self.bar {
            bar.finish_and_clear();
        }
    }
}

/// Does nothing without the feature `progress`.
#[cfg(not(feature = "progress"))]
pub(super) struct Progress;

#[cfg(not(feature = "progress"))]
#[allow(clippy::unused_self, clippy::needless_pass_by_ref_mut)] // Same interface as with the feature.
impl Progress {
    pub fn new(_wanted: bool) -> Self {
        Progress
    }

    pub fn at(&mut self, _fraction: f64) {}

    pub fn finish(self) {}
}
