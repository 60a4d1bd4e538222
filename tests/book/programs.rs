//! The programs of the book and of the README. The name of a test contains the page and the line of the program.
#![cfg(test)]
// Programs of documentation have items that they do not use and are short rather than pedantic.
#![allow(dead_code, clippy::all, clippy::pedantic)]

/// The result of a program: an error fails its test.
trait Outcome {
    fn check(self);
}

impl Outcome for () {
    fn check(self) {}
}

impl Outcome for Result<(), Box<dyn std::error::Error>> {
    fn check(self) {
        if let Err(error) = self {
            panic!("{error}");
        }
    }
}

/// Runs a program in a folder of the build, where it can write files.
fn run<R: Outcome>(program: fn() -> R) {
    std::env::set_current_dir(env!("OUT_DIR")).expect("the folder of the build");
    program().check();
}

include!(concat!(env!("OUT_DIR"), "/programs.rs"));
