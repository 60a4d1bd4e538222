//! Names of the scalars that equations contain.

use super::formula::plain;
use crate::expr::{Leaf, Rotation, Type};
use crate::model::Model;
use crate::notation::{leaf_type, symbol};

/// Returns the name of a component of a leaf, for example `position_3`, `R_attitude_12`, `cos(arm)`.
pub(super) fn name(model: &Model, leaf: Leaf, component: u32) -> String {
    let ty = leaf_type(model, leaf);
    let symbol = plain(&symbol(model, leaf));
    match ty {
        Type::Rotation(Rotation::SO2) => {
            let function = if component == 0 { "cos" } else { "sin" };
            format!("{function}({})", symbol.trim_start_matches("R_"))
        }
        _ => symbol + &suffix(ty, component as usize),
    }
}

/// Returns the suffix of a component, from 1: the position in a vector, row and column in a matrix, w, x, y or z in a quaternion.
fn suffix(ty: Type, component: usize) -> String {
    match ty {
        Type::SCALAR | Type::Bool => String::new(),
        Type::Matrix { columns: 1, .. } => format!("_{}", component + 1),
        Type::Rotation(Rotation::S3) => format!("_{}", ["w", "x", "y", "z"][component]),
        Type::Matrix { columns, .. } => row_and_column(component, columns),
        Type::Rotation(_) => row_and_column(component, 3),
    }
}

fn row_and_column(component: usize, columns: usize) -> String {
    let (row, column) = (component / columns + 1, component % columns + 1);
    if columns < 10 && row < 10 { format!("_{row}{column}") } else { format!("_{row},{column}") }
}
