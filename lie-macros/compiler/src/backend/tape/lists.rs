//! The lengths of lists of the parameters.

use super::instruction::{Tape, TapeDatum};
use super::schema::{TapeParameter, TapeParameterKind, TapeShape};
use crate::diagnostics::{Code, LengthRemedy, Report, error_with_help};
use crate::model::Model;

/// Returns an error for a list that is longer than the elements that read it; `counted` are the lists with an item for each element.
pub(super) fn check_lists(
    model: &Model,
    counted: &[String],
    parameters: &[TapeParameter],
    tapes: &[&Tape],
) -> Result<(), Report> {
    let is_read = |scalar: &usize| {
        let datum = |datum: &TapeDatum| matches!(datum, TapeDatum::Parameter(at) if *at as usize == *scalar);
        tapes.iter().any(|tape| tape.data.iter().any(datum))
    };
    for list in counted {
        let mut items: Vec<Vec<usize>> = vec![];
        for parameter in parameters {
            let (first, index) = (parameter.first, parameter.name.strip_prefix(list.as_str()));
            match (index, parameter.kind) {
                (Some(""), TapeParameterKind::Real(TapeShape::Scalars(n))) => {
                    items = (0..n).map(|at| vec![first + at]).collect();
                }
                (Some(""), TapeParameterKind::Real(TapeShape::Vectors(n, size))) => {
                    items = (0..n).map(|at| (first + at * size..first + (at + 1) * size).collect()).collect();
                }
                (Some(index), kind) => {
                    let index =
                        index.strip_prefix('[').and_then(|index| index.split(']').next()?.parse::<usize>().ok());
                    let Some(at) = index else { continue };
                    items.resize(items.len().max(at + 1), vec![]);
                    let size = if let TapeParameterKind::Real(shape) = kind { shape.size() } else { 1 };
                    items[at].extend(first..first + size);
                }
                (None, _) => {}
            }
        }
        let needed = items.iter().rposition(|item| item.iter().any(is_read)).map_or(0, |last| last + 1);
        if needed < items.len() && needed > 0 {
            let (given, name) = (items.len(), list.split('.').next().unwrap_or(list));
            let field = model.parameters.iter().flat_map(|all| &all.fields).find(|field| field.name == name);
            let message = format!("the list `{list}` has {given} items, and the functions read {needed}");
            let help = format!("give the length: {}", LengthRemedy::Length { list, example: needed });
            let error = match field {
                Some(field) => error_with_help(&field.name, message, help),
                None => error_with_help(&model.name, message, help),
            };
            return Err(Report { code: Code::BackEnd, error });
        }
    }
    Ok(())
}
