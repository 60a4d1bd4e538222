//! The parameters of a model: names, shapes, units and documentation.

use lie_compiler::tape::{TapeParameter, TapeParameterKind, TapeShape};

use super::DynamicModel;
use super::group_element::notation;
use super::model::size_of;
use crate::system::{Description, unit};

/// A parameter of a model from text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ParameterDescription {
    /// The name: `mass`, `upper.inertia`, `stiffness[1]`.
    pub name: String,
    /// The doc comment of the field.
    pub documentation: String,
    /// The unit: the text in square brackets at the end of the first paragraph of the doc comment.
    pub unit: Option<String>,
    /// The kind of the values.
    pub kind: DynamicParameterKind,
    /// The shape: empty for a scalar, `[3]` for a vector, `[3, 3]` for a matrix. The number of scalars for an element of a group.
    pub shape: Vec<usize>,
}

/// The kind of the values of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DynamicParameterKind {
    /// Real values.
    Real,
    /// True or false, as 1 or 0.
    Flag,
    /// An integer.
    Integer,
    /// An element of the group with this notation.
    Element(&'static str),
}

impl ParameterDescription {
    fn new(parameter: &TapeParameter, description: &Description) -> Self {
        let (kind, shape) = match parameter.kind {
            TapeParameterKind::Real(shape) => (DynamicParameterKind::Real, dimensions(shape)),
            TapeParameterKind::Flag => (DynamicParameterKind::Flag, vec![]),
            TapeParameterKind::Integer(_) => (DynamicParameterKind::Integer, vec![]),
            TapeParameterKind::Element(group) => {
                (DynamicParameterKind::Element(notation(group).0), vec![size_of(parameter)])
            }
        };
        let documentation = description.documentation_of(&format!("parameters.{}", parameter.name));
        ParameterDescription {
            name: parameter.name.clone(),
            documentation: documentation.to_owned(),
            unit: unit(documentation).map(str::to_owned),
            kind,
            shape,
        }
    }
}

/// The dimensions of an array with this shape.
fn dimensions(shape: TapeShape) -> Vec<usize> {
    match shape {
        TapeShape::Scalar => vec![],
        TapeShape::Vector(n) | TapeShape::Scalars(n) => vec![n],
        TapeShape::Matrix(rows, columns) | TapeShape::Vectors(rows, columns) => vec![rows, columns],
    }
}

impl DynamicModel {
    /// Returns the names of the members, constraints, observables and events.
    pub fn description(&self) -> &Description {
        &self.data.description
    }

    /// Returns the parameters in the order of the declaration.
    ///
    /// ```
    /// use lie_runtime::dynamic::DynamicModel;
    ///
    /// let model = DynamicModel::from_text("
    ///     #[mechanical_system]
    ///     mod body {
    ///         #[configuration] pub struct Attitude { pub attitude: SO3 }
    ///         #[parameters] pub struct Body {
    ///             /// Moments of inertia [kg m²].
    ///             pub inertia: Matrix3<f64>,
    ///         }
    ///         #[kinetic_energy] fn kinetic(p: &Body, v: &Velocity) -> f64 { 0.5 * v.attitude.dot(&(p.inertia * v.attitude)) }
    ///     }")?;
    /// let inertia = &model.parameters()[0];
    /// assert_eq!((inertia.name.as_str(), &inertia.shape[..]), ("inertia", &[3, 3][..]));
    /// assert_eq!(inertia.documentation, "Moments of inertia [kg m²].");
    /// assert_eq!(inertia.unit.as_deref(), Some("kg m²"));
    /// # Ok::<(), lie_runtime::dynamic::DynamicError>(())
    /// ```
    pub fn parameters(&self) -> Vec<ParameterDescription> {
        self.data.parameters.iter().map(|one| ParameterDescription::new(one, &self.data.description)).collect()
    }
}
