//! Robots' files as declarations.
//!
//! *Reading* (`urdf`) understands a file or says in which line it does not, *declaring* (`declare`) writes the items that a user
//! of `#[mechanical_system]` would have written: for the macro, which reads them as if they stood in the module, and for people who
//! want to go on from there.

mod declare;
#[cfg(test)]
mod tests;
mod urdf;

/// What is wrong with a file.
#[derive(Debug, PartialEq)]
pub struct Mistake {
    /// The line, from 1 on; 0 if it is about the file as a whole.
    pub line: u32,
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub help: String,
}

impl core::fmt::Display for Mistake {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        if self.line > 0 {
            write!(f, "line {}: ", self.line)?;
        }
        write!(f, "{}; {}", self.message, self.help)
    }
}

impl std::error::Error for Mistake {}

/// The declaration that a URDF stands for, as Rust: the items of a module.
///
/// # Errors
/// [`Mistake`], with the line of what is not understood.
pub fn declaration(text: &str) -> Result<String, Mistake> {
    urdf::read(text).map(|robot| declare::declare(&robot))
}

/// The same as a file of its own: a module of that name, of which what Rust has not becomes `_`.
///
/// # Errors
/// [`Mistake`].
pub fn module(name: &str, text: &str) -> Result<String, Mistake> {
    let name: String = name.to_lowercase().chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    let prefix = if syn::parse_str::<syn::Ident>(&name).is_ok() { "" } else { "robot_" };
    let indented = |line: &str| if line.is_empty() { "\n".to_owned() } else { format!("    {line}\n") };
    let items: String = declaration(text)?.lines().map(indented).collect();
    Ok(format!(
        "use lie_runtime::prelude::*;\n\n#[mechanical_system]\npub mod {prefix}{name} {{\n    use lie_runtime::prelude::*;\n\n{items}}}\n"
    ))
}
