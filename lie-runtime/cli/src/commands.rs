//! The commands that compile a declaration.

use std::fmt::Write;

use lie_compiler::Compiled;

use crate::failure::Failure;
use crate::input::{Input, InputArguments};

/// Compiles all declarations, or the selected one.
pub fn check(arguments: &InputArguments) -> Result<String, Failure> {
    let input = Input::read(arguments)?;
    let mut text = String::new();
    let mut errors = vec![];
    for system in input.selected()? {
        match input.compile(system) {
            Ok(_) => {
                let _ = writeln!(text, "`{}` has no errors", system.name);
            }
            Err(Failure::Declaration(found)) => errors.push(found),
            Err(other) => return Err(other),
        }
    }
    if errors.is_empty() { Ok(text) } else { Err(Failure::Declaration(errors.join("\n\n"))) }
}

/// Prints the equations of motion.
pub fn equations(arguments: &InputArguments) -> Result<String, Failure> {
    printed(arguments, Compiled::equations)
}

/// Prints the kernels in C.
pub fn c(arguments: &InputArguments) -> Result<String, Failure> {
    printed(arguments, Compiled::c_source)
}

fn printed(
    arguments: &InputArguments,
    print: impl Fn(&Compiled) -> Result<String, lie_compiler::Diagnostics>,
) -> Result<String, Failure> {
    let input = Input::read(arguments)?;
    let compiled = input.compile(input.single()?)?;
    print(&compiled).map_err(|errors| Failure::of_declaration(&input.located(errors)))
}

/// Prints the declaration of a robot file, or the generated code of a declaration in Rust.
pub fn expand(arguments: &InputArguments) -> Result<String, Failure> {
    let input = Input::read(arguments)?;
    let compiled = input.compile(input.single()?)?;
    if input.robot.is_some() {
        return Ok(input.text);
    }
    let file = syn::parse2(compiled.into_tokens())
        .map_err(|error| Failure::Usage(format!("the generated code is not valid Rust: {error}")))?;
    Ok(prettyplease::unparse(&file))
}
