//! Registries of methods by name.

use super::choices::Choices;
use super::error::MethodError;
use super::families;
use super::info::MethodInfo;
use crate::integrator::AnyMethod;
use crate::messages::nearest;

/// A registry of methods for the problem `P`.
pub type Methods<P> = Registry<AnyMethod<P>>;

/// A registry of methods of the type `T`, grouped in families.
pub struct Registry<T> {
    families: Vec<MethodFamily<T>>,
}

/// Creates a method of a family.
type MethodConstructor<T> = Box<dyn Fn(&Choices<'_>) -> Result<T, MethodError> + Send + Sync>;

struct MethodFamily<T> {
    infos: Vec<MethodInfo>,
    make: MethodConstructor<T>,
}

impl<T> Registry<T> {
    /// Creates an empty registry.
    pub fn empty() -> Self {
        Registry { families: Vec::new() }
    }

    /// Adds a family of methods. `make` creates the method with the name [`Choices::method`]. If a name occurs twice, the later method is
    /// used.
    #[must_use]
    pub fn and(
        mut self,
        infos: impl IntoIterator<Item = MethodInfo>,
        make: impl Fn(&Choices<'_>) -> Result<T, MethodError> + Send + Sync + 'static,
    ) -> Self {
        self.families.push(MethodFamily { infos: infos.into_iter().collect(), make: Box::new(make) });
        self
    }

    /// Returns the information about all methods.
    pub fn infos(&self) -> impl Iterator<Item = &MethodInfo> {
        self.families.iter().flat_map(|family| &family.infos)
    }

    fn entry(&self, id: &str) -> Result<(&MethodFamily<T>, &MethodInfo), MethodError> {
        let mut families = self.families.iter().rev();
        let found =
            families.find_map(|family| family.infos.iter().find(|info| info.id == id).map(|info| (family, info)));
        found.ok_or_else(|| {
            let known: Vec<&'static str> = self.infos().map(|info| info.id).collect();
            if let Some(info) = families::methods().into_iter().find(|info| info.id == id) {
                return MethodError::OfOtherProblems { method: info.id, family: info.family, known };
            }
            MethodError::Unknown { id: id.to_owned(), nearest: nearest(id, &known).copied(), known }
        })
    }

    /// Returns the information about the method with this name.
    ///
    /// # Errors
    /// [`MethodError::Unknown`], [`MethodError::OfOtherProblems`].
    pub fn info(&self, id: &str) -> Result<&MethodInfo, MethodError> {
        self.entry(id).map(|(_, info)| info)
    }

    /// Creates the method with this name and these options, as names and values.
    ///
    /// # Errors
    /// [`MethodError`] if the method or an option is unknown, or a value is invalid.
    pub fn find(&self, id: &str, options: &[(&str, &str)]) -> Result<T, MethodError> {
        let (family, info) = self.entry(id)?;
        (family.make)(&Choices::new(info, options)?)
    }
}
