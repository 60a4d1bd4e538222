//! The options that messages recommend.

use lie_compiler::LengthRemedy;
use lie_runtime::by_name::Remedy;

/// Sets the words of the command line for the remedies in all messages.
pub fn set() {
    lie_runtime::by_name::set_words(option);
    lie_compiler::set_length_words(length);
}

/// Returns the option for a setting; `None` if the program has no such option.
fn option(remedy: &Remedy<'_>) -> Option<String> {
    match remedy {
        Remedy::Setting { name, value } => {
            let (option, placeholder) = match *name {
                "step" => ("step", "STEP"),
                "rtol" => ("rtol", "TOLERANCE"),
                "end_time" => ("until", "TIME"),
                "output_times" => ("rows", "COUNT"),
                _ => return None,
            };
            let value = if value.parse::<f64>().is_ok() { value } else { placeholder };
            Some(format!("`--{option} {value}`"))
        }
        Remedy::Tolerances { relative, absolute } => Some(format!("`--rtol {relative:.1e} --atol {absolute:?}`")),
        Remedy::Contact(name) => Some(format!("`--contact {name}=0`")),
        Remedy::Input(name) => Some(format!("`--input {name}=0`")),
        Remedy::InputTable => Some("a table `--input NAME=FILE.csv`".to_owned()),
        Remedy::LatinHypercube => Some("`--design latin-hypercube`".to_owned()),
        _ => None,
    }
}

fn length(remedy: &LengthRemedy<'_>) -> String {
    match remedy {
        LengthRemedy::Length { list, example } => format!("`--length {list}={example}`"),
        LengthRemedy::Parents { list } => format!("`--parents {list}=base,0`"),
        LengthRemedy::Connections { list, size } => {
            let members: Vec<String> = (0..*size).map(|member| member.to_string()).collect();
            format!("`--connections {list}={}`", members.join("-"))
        }
    }
}
