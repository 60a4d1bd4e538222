//! A progress bar on a terminal: one line on standard error.

use std::io::{IsTerminal, Write};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// The shortest time between two updates of the line.
const INTERVAL: Duration = Duration::from_millis(100);
/// The width of the bar, in characters.
const WIDTH: usize = 40;

/// A progress bar, which several threads can update.
pub(crate) struct ProgressBar {
    started: Instant,
    /// The completed part at the start.
    initial: f64,
    updated: Mutex<Option<Instant>>,
}

impl ProgressBar {
    /// Creates a bar if standard error is a terminal. `initial` is the part that is complete already.
    pub fn on_terminal(initial: f64) -> Option<Self> {
        std::io::stderr().is_terminal().then(|| ProgressBar {
            started: Instant::now(),
            initial,
            updated: Mutex::new(None),
        })
    }

    /// Returns the time since the bar was created.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Draws the bar for a completed part, unless the last update is recent.
    pub fn show(&self, fraction: f64) {
        // Another thread that draws at this moment makes this update superfluous.
        let Ok(mut updated) = self.updated.try_lock() else { return };
        if updated.is_none_or(|last| last.elapsed() >= INTERVAL) {
            *updated = Some(Instant::now());
            draw(&line(self.elapsed().as_secs_f64(), self.initial, fraction));
        }
    }

    /// Removes the bar.
    pub fn clear(self) {
        if self.updated.into_inner().is_ok_and(|updated| updated.is_some()) {
            draw("");
        }
    }
}

/// Replaces the line. Progress is no result: a terminal that cannot be written to does not end a run.
fn draw(line: &str) {
    let mut terminal = std::io::stderr().lock();
    let _ = write!(terminal, "\r{line}\x1b[K").and_then(|()| terminal.flush());
}

/// The elapsed time, the bar, the percentage and the remaining time.
fn line(elapsed: f64, initial: f64, fraction: f64) -> String {
    let fraction = fraction.clamp(0.0, 1.0);
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // In [0, WIDTH].
    let filled = (fraction * WIDTH as f64) as usize;
    let bar = format!("{}{}", "#".repeat(filled), "-".repeat(WIDTH - filled));
    let remaining = elapsed * (1.0 - fraction) / (fraction - initial);
    let remaining = if remaining.is_finite() { format!(", {} to go", clock(remaining)) } else { String::new() };
    format!("{} {bar} {:3.0} %{remaining}", clock(elapsed), 100.0 * fraction)
}

/// Hours, minutes and seconds.
fn clock(seconds: f64) -> String {
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // A duration saturates.
    let seconds = seconds as u64;
    format!("{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

#[cfg(test)]
mod tests {
    use super::line;

    #[test]
    fn the_remaining_time_counts_from_the_start() {
        assert_eq!(
            line(90.0, 0.0, 0.25),
            format!("00:01:30 {}{}  25 %, 00:04:30 to go", "#".repeat(10), "-".repeat(30))
        );
        // Half of the members come from a file: a tenth took 10 s, and four tenths remain.
        assert!(line(10.0, 0.5, 0.6).ends_with(" 60 %, 00:00:40 to go"));
        assert!(line(4000.0, 0.0, 0.0).starts_with("01:06:40 ---") && line(1.0, 0.0, 0.0).ends_with("   0 %"));
        assert!(line(5.0, 0.0, 1.0).ends_with("100 %, 00:00:00 to go"));
    }
}
