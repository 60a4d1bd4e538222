//! The arguments of Python that messages recommend.

use lie_compiler::LengthRemedy;
use lie_runtime::by_name::Remedy;

/// Sets the words of Python for the remedies in all messages.
pub fn set() {
    lie_runtime::by_name::set_words(argument);
    lie_compiler::set_length_words(length);
}

/// Returns the argument for a setting; `None` if the package has no such argument.
fn argument(remedy: &Remedy<'_>) -> Option<String> {
    Some(match remedy {
        Remedy::Setting { name, value } => {
            let argument = match *name {
                "end_time" => "t_end",
                "output_times" => "t_eval",
                "with_sensitivities" => "sensitivities",
                known @ ("step"
                | "rtol"
                | "output_every"
                | "fix_initial"
                | "max_initial_correction"
                | "constraint_tolerance"
                | "max_velocity_growth"
                | "spin"
                | "steps") => known,
                _ => return None,
            };
            let value = value.trim_start_matches('&');
            format!("`{argument}={}`", if value == "…" { "..." } else { value })
        }
        Remedy::Limit(of) => format!("`max_{of}=...`"),
        Remedy::Tolerances { relative, absolute } => format!("`rtol={relative:.1e}, atol={absolute:?}`"),
        Remedy::Contact(name) => format!("`contacts={{{name:?}: e}}`"),
        Remedy::Input(name) => format!("`inputs={{{name:?}: 0.0}}`"),
        Remedy::InputTable => "a table in `inputs`".to_owned(),
        Remedy::FirstState => "`run.state(0)`".to_owned(),
        _ => return None,
    })
}

fn length(remedy: &LengthRemedy<'_>) -> String {
    match remedy {
        LengthRemedy::Length { list, example } => format!("`lengths={{\"{list}\": {example}}}`"),
        LengthRemedy::Parents { list } => format!("`lengths={{\"{list}\": [None, 0]}}`"),
        LengthRemedy::Connections { list, size } => {
            let members: Vec<String> = (0..*size).map(|member| member.to_string()).collect();
            format!("`lengths={{\"{list}\": [[{}]]}}`", members.join(", "))
        }
    }
}
